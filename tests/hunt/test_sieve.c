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

/* Some searches go over the end of more than one block. */
enum { MOST = 700, LONG = 2 * FH_SIEVE_BLOCK + MOST };

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
    const size_t num = 1 + dice(state, FH_MAX_LURES);
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

/* What the plainest way says of words is what is in them, and nothing lies behind the end. */
static void check_words(const uint64_t *places, size_t num, uint64_t words)
{
    const size_t num_words = (num + FH_SIEVE_WORD - 1) / FH_SIEVE_WORD;
    for (size_t i = 0; i < num_words; i++) {
        HOLD((words >> i & 1) == (places[i] != 0), "word %zu of %zu places", i, num);
    }
    HOLD(num_words == FH_SIEVE_WORD || words >> num_words == 0, "words behind %zu places", num);
    HOLD(num % FH_SIEVE_WORD == 0 || places[num_words - 1] >> num % FH_SIEVE_WORD == 0,
         "a place behind %zu", num);
}

/* The bytes end where their block does: reading one more is seen by the sanitizer. A way leaves
 * what it does not note as it was. */
static void compare_ways(const fh_sieve *sieve, const uint8_t *bytes, size_t len)
{
    enum { WORDS = FH_SIEVE_BLOCK / FH_SIEVE_WORD };
    size_t num_ways = 0;
    const fh_sift_way *ways = fh_sift_ways(&num_ways);
    for (unsigned phase = 0; phase < FH_SIEVE_PHASES; phase++) {
        for (size_t from = 0; from + 2 < len; from += 1 + from / 2) {
            const uint8_t *at = bytes + from;
            const size_t left = len - 2 - from;
            const size_t num = left < FH_SIEVE_BLOCK ? left : FH_SIEVE_BLOCK;
            uint64_t places[WORDS];
            memset(places, 0x5a, sizeof places);
            const uint64_t expected = ways[0].sift(&sieve->tables, phase, at, num, places);
            check_words(places, num, expected);
            for (size_t i = 1; i < num_ways; i++) {
                if (ways[i].is_there()) {
                    uint64_t others[WORDS];
                    memset(others, 0x5a, sizeof others);
                    const uint64_t seen = ways[i].sift(&sieve->tables, phase, at, num, others);
                    HOLD(seen == expected && memcmp(places, others, sizeof places) == 0,
                         "%s differs, of %zu places in phase %u", ways[i].name, num, phase);
                }
            }
        }
    }
}

/* All places of one search, begun at `begin`. */
static void compare_run(const fh_sieve *sieve, const fh_lure *lures, size_t num_lures,
                        const uint8_t *bytes, size_t len, size_t begin, unsigned phase)
{
    fh_sieve_run run;
    fh_sieve_begin(&run, sieve, bytes, len, begin, phase);
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
    fh_sieve_run run;
    fh_sieve_begin(&run, sieve, bytes, len, 0, phase);
    *is_found = fh_sieve_next(&run, &place);
    return place;
}

Test(sieve, every_way_finds_the_same_in_random_bytes)
{
    uint32_t state = 1;
    for (unsigned turn = 0; turn < 3000; turn++) {
        fh_lure lures[FH_MAX_LURES];
        fh_sieve sieve;
        const size_t num_lures = random_lures(lures, &state);
        const uint32_t most = turn % 100 == 1 ? LONG : turn % 10 == 0 ? MOST : 100;
        const size_t len = 1 + dice(&state, most);
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

/* The bits of a sieve that a byte has as the manieth of a word. */
static unsigned bits_of(const fh_sieve_tables *tables, unsigned manieth, unsigned byte)
{
    return (unsigned)tables->low[manieth][byte & 15u] & tables->high[manieth][byte >> 4];
}

static bool begins_word(const fh_sieve *sieve, uint32_t bytes, size_t place)
{
    for (size_t i = 0; i < sieve->num_lures; i++) {
        const fh_magic *magic = &sieve->lures[i].magic;
        if (((bytes ^ magic->value) & magic->mask & 0xffffffu) == 0 &&
            place % sieve->lures[i].alignment == 0) {
            return true;
        }
    }
    return false;
}

/* What is let through is looked at once more, one place at a time. Of all three bytes at all four
 * places few are that begin no word. */
static void check_let_through(const fh_sieve *sieve)
{
    const fh_sieve_tables *tables = &sieve->tables;
    size_t num_through = 0;
    size_t num_words = 0;
    for (uint32_t pair = 0; pair < 1u << 16; pair++) {
        const unsigned first = bits_of(tables, 0, pair & 0xff) & bits_of(tables, 1, pair >> 8);
        for (uint32_t third = 0; first != 0 && third < 256; third++) {
            const unsigned bits = first & bits_of(tables, 2, third);
            for (size_t place = 0; place < FH_SIEVE_PHASES; place++) {
                const bool is_through = (bits & tables->allowed[0][place]) != 0;
                const bool is_word = begins_word(sieve, pair | third << 16, place);
                HOLD(is_through || !is_word, "%06x is held back", pair | third << 16);
                num_through += is_through ? 1 : 0;
                num_words += is_word ? 1 : 0;
            }
        }
    }
    HOLD(num_through - num_words <= num_words / 2, "%zu let through, for %zu words", num_through,
         num_words);
}

/* More words than there are bits: those of the formats when this was written, and as they are. */
Test(sieve, lets_little_through_that_begins_no_word)
{
    static const fh_lure words[] = {
        {{0x0000ffff, 0x00000050}, 4}, {{0x00d6feff, 0x00003020}, 1}, {{0x00d6feff, 0x00003009}, 1},
        {{0xfffeffff, 0x00300020}, 1}, {{0xfffeffff, 0x00300009}, 1}, {{0xffffffff, 0x4152543b}, 1},
        {{0xffffffff, 0x0054003b}, 1}, {{0x00d6ffff, 0x0000666b}, 1}, {{0x00ffffff, 0x0066676b}, 1},
        {{0xfffeffff, 0x0066006b}, 1},
    };
    fh_sieve sieve;
    fh_sieve_set(&sieve, words, sizeof words / sizeof words[0]);
    check_let_through(&sieve);
    for (int every_offset = 0; every_offset < 2; every_offset++) {
        fh_lures lures;
        fh_lures_set(&lures, fh_formats, fh_num_formats, every_offset != 0);
        check_let_through(&lures.sieve);
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

/* A first byte leads to each format that has a magic with it, and the others are few. */
Test(sieve, a_first_byte_leads_to_its_formats)
{
    fh_lures lures;
    fh_lures_set(&lures, fh_formats, fh_num_formats, false);
    size_t num_in_vain = 0;
    for (uint32_t byte = 0; byte < 256; byte++) {
        unsigned expected = 0;
        for (size_t i = 0; i < fh_num_formats; i++) {
            for (size_t k = 0; k < fh_formats[i]->num_magics; k++) {
                const fh_magic *magic = &fh_formats[i]->magics[k];
                expected |= ((byte ^ magic->value) & magic->mask & 0xff) == 0 ? 1u << i : 0;
            }
        }
        const unsigned seen = fh_lures_formats(&lures, 0xabcdef00u | byte);
        HOLD((seen & expected) == expected, "%02x leads to %x, not %x", byte, seen, expected);
        num_in_vain += seen != expected ? 1 : 0;
    }
    HOLD(num_in_vain < 32, "%zu bytes lead to formats in vain", num_in_vain);
}

/* Bits that a first byte need not have are none that it is asked for. */
Test(sieve, a_first_byte_leads_by_its_mask)
{
    static const fh_magic magics[] = {{.mask = 0xff3c, .value = 0x5514},
                                      {.mask = 0xc3, .value = 0x42},
                                      {.mask = 0xffffff00, .value = 0x11223300}};
    fh_format kinds[3] = {0};
    const fh_format *formats[3];
    for (size_t i = 0; i < 3; i++) {
        kinds[i].magics = &magics[i];
        kinds[i].num_magics = 1;
        kinds[i].alignment = 1;
        formats[i] = &kinds[i];
    }
    fh_lures lures;
    fh_lures_set(&lures, formats, 3, false);
    for (uint32_t byte = 0; byte < 256; byte++) {
        unsigned expected = 0;
        for (size_t i = 0; i < 3; i++) {
            expected |= ((byte ^ magics[i].value) & magics[i].mask & 0xff) == 0 ? 1u << i : 0;
        }
        cr_assert(eq(uint, fh_lures_formats(&lures, byte), expected));
    }
}
