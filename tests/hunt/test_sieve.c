/* The sieve: every way of sifting against the plainest, and what it finds against a search that is
 * too simple to be wrong. */
#include "hunt/lures.h"
#include "hunt/sieve.h"
#include "registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define HOLD(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            cr_fatal(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

enum { MOST = 700 };

static uint32_t dice(uint32_t *state, uint32_t num)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*state * num) >> 32);
}

/* Bytes that words are made of stand often, others now and then. */
static uint8_t byte_of(uint32_t *state)
{
    static const char likely[] = "\0\0P ;TRAkfg01 \0\0P";
    return dice(state, 8) == 0 ? (uint8_t)dice(state, 256)
                               : (uint8_t)likely[dice(state, sizeof likely - 1)];
}

static bool is_at(const fh_lure *lures, size_t num_lures, const uint8_t *at, size_t place)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++) {
        word |= (uint32_t)at[i] << (8 * i);
    }
    for (size_t i = 0; i < num_lures; i++) {
        if ((word & lures[i].magic.mask) == lures[i].magic.value &&
            place % lures[i].alignment == 0) {
            return true;
        }
    }
    return false;
}

static size_t find_simply(const fh_lure *lures, size_t num_lures, const uint8_t *bytes, size_t len,
                          size_t from, unsigned phase)
{
    for (; from + 4 <= len; from++) {
        if (is_at(lures, num_lures, bytes + from, phase + from)) {
            break;
        }
    }
    return from;
}

static size_t random_lures(fh_lure *out, uint32_t *state)
{
    const size_t num = 1 + dice(state, 12);
    for (size_t i = 0; i < num; i++) {
        uint32_t mask = 0;
        uint32_t value = 0;
        for (unsigned k = 0; k < 4; k++) {
            static const uint8_t masks[] = {0xff, 0xff, 0xff, 0xfe, 0xd6, 0};
            const uint32_t part = masks[dice(state, sizeof masks)];
            mask |= part << (8 * k);
            value |= (part & byte_of(state)) << (8 * k);
        }
        out[i] = (fh_lure){{.mask = mask, .value = value}, 1u << dice(state, 3)};
    }
    return num;
}

/* The bytes end where their block does: reading one more is seen by the sanitizer and valgrind. */
static void compare_ways(const fh_sieve *sieve, const uint8_t *bytes, size_t len)
{
    size_t num_ways = 0;
    const fh_sift_way *ways = fh_sift_ways(&num_ways);
    for (unsigned phase = 0; phase < FH_SIEVE_PHASES; phase++) {
        for (size_t from = 0; from + 2 < len;) {
            uint32_t places = 0;
            const uint8_t *at = bytes + from;
            const size_t num = len - 2 - from;
            const size_t expected = ways[0].sift(&sieve->tables, phase, at, num, &places);
            for (size_t i = 1; i < num_ways; i++) {
                if (ways[i].is_there()) {
                    uint32_t others = 1;
                    const size_t seen = ways[i].sift(&sieve->tables, phase, at, num, &others);
                    HOLD(seen == expected && others == places,
                         "%s: %zu and %08x, not %zu and %08x, of %zu in phase %u", ways[i].name,
                         seen, others, expected, places, len, phase);
                }
            }
            HOLD((places != 0) == (expected < num), "a step without a place");
            from += expected + FH_SIEVE_STEP;
        }
    }
}

/* All places of one search, begun at `begin`. */
static void compare_run(const fh_sieve *sieve, const fh_lure *lures, size_t num_lures,
                        const uint8_t *bytes, size_t len, size_t begin, unsigned phase)
{
    fh_sieve_run run = fh_sieve_begin(sieve, bytes, len, begin, phase);
    bool is_found = true;
    for (size_t from = begin; is_found;) {
        size_t seen = 0;
        is_found = fh_sieve_next(&run, &seen);
        const size_t expected = find_simply(lures, num_lures, bytes, len, from, phase);
        const size_t end = begin + 3 > len ? begin : len - 3;
        HOLD(is_found == (expected + 4 <= len), "found or not, from %zu of %zu", from, len);
        HOLD(seen == (is_found ? expected : end), "%zu, not %zu, from %zu of %zu", seen, expected,
             from, len);
        from = seen + 1;
    }
}

static void compare_finds(const fh_sieve *sieve, const fh_lure *lures, size_t num_lures,
                          const uint8_t *bytes, size_t len)
{
    for (unsigned phase = 0; phase < FH_SIEVE_PHASES; phase++) {
        for (size_t begin = 0; begin <= len; begin += 1 + begin / 3) {
            compare_run(sieve, lures, num_lures, bytes, len, begin, phase);
        }
    }
}

/* The first place, or where to go on. */
static size_t find_first(bool *is_found, const fh_sieve *sieve, const uint8_t *bytes, size_t len,
                         unsigned phase)
{
    size_t place = SIZE_MAX;
    fh_sieve_run run = fh_sieve_begin(sieve, bytes, len, 0, phase);
    *is_found = fh_sieve_next(&run, &place);
    return place;
}

Test(sieve, every_way_finds_the_same_in_random_bytes)
{
    uint32_t state = 1;
    for (unsigned turn = 0; turn < 3000; turn++) {
        fh_lure lures[12];
        fh_sieve sieve;
        const size_t num_lures = random_lures(lures, &state);
        const size_t len = 1 + dice(&state, turn % 10 == 0 ? MOST : 100);
        uint8_t *bytes = malloc(len);
        HOLD(bytes != NULL, "the test is out of memory");
        for (size_t i = 0; i < len; i++) {
            bytes[i] = byte_of(&state);
        }
        fh_sieve_set(&sieve, lures, num_lures);
        compare_ways(&sieve, bytes, len);
        compare_finds(&sieve, lures, num_lures, bytes, len);
        free(bytes);
    }
}

/* One word at each place of otherwise empty bytes: in the midst of vectors, across them, in what is
 * left behind the last one, and where its last byte is missing. */
Test(sieve, every_way_finds_a_word_at_every_place)
{
    fh_lures lures;
    fh_lures_set(&lures, fh_formats, fh_num_formats, true);
    for (size_t i = 0; i < lures.num; i++) {
        for (size_t at = 0; at < 100; at++) {
            uint8_t *bytes = malloc(100);
            HOLD(bytes != NULL, "the test is out of memory");
            memset(bytes, 0xee, 100);
            const uint32_t word = lures.lures[i].magic.value;
            for (size_t k = 0; k < 4 && at + k < 100; k++) {
                bytes[at + k] = (uint8_t)(word >> (8 * k));
            }
            compare_ways(&lures.sieve, bytes, 100);
            compare_finds(&lures.sieve, lures.lures, lures.num, bytes, 100);
            bool is_found = false;
            const size_t seen = find_first(&is_found, &lures.sieve, bytes, 100, 0);
            if (at <= 96) {
                HOLD(is_found && seen == at, "word %zu at %zu: seen at %zu", i, at, seen);
            } else {
                HOLD(!is_found && seen == 97, "word %zu cut at %zu", i, at);
            }
            free(bytes);
        }
    }
}

/* Alignment counts from the base of the stream, whatever was dropped in front of the window. */
Test(sieve, alignment_counts_from_the_base)
{
    const fh_lure lure = {{.mask = 0xffffffff, .value = 0x44434241}, 4};
    fh_sieve sieve;
    fh_sieve_set(&sieve, &lure, 1);
    for (size_t at = 0; at < 60; at++) {
        uint8_t bytes[64] = {0};
        memcpy(bytes + at, "ABCD", 4);
        for (unsigned phase = 0; phase < FH_SIEVE_PHASES; phase++) {
            bool is_found = false;
            const size_t seen = find_first(&is_found, &sieve, bytes, sizeof bytes, phase);
            cr_assert(eq(int, is_found, (phase + at) % 4 == 0));
            cr_assert(eq(sz, seen, is_found ? at : sizeof bytes - 3));
        }
    }
}

Test(sieve, fewer_bytes_than_a_word_have_none)
{
    const fh_lure lure = {{.mask = 0xff, .value = 0}, 1};
    const uint8_t bytes[4] = {0};
    fh_sieve sieve;
    fh_sieve_set(&sieve, &lure, 1);
    for (size_t len = 0; len < 4; len++) {
        bool is_found = true;
        cr_assert(eq(sz, find_first(&is_found, &sieve, bytes, len, 0), 0));
        cr_assert(not(is_found));
    }
    bool is_found = false;
    cr_assert(eq(sz, find_first(&is_found, &sieve, bytes, 4, 0), 0));
    cr_assert(is_found);
}
