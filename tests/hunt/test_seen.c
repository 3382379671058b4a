/* What the thread that reads has seen: a search that takes it up stops at the same places, and ends
 * at the same one, as one that sifts everything, whatever chunks were looked at. */
#include "hunt/seen.h"
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

static uint32_t dice(uint32_t *state, uint32_t num)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*state * num) >> 32);
}

enum { CHUNKS = 12, STRIDE = 2352 };

#define SOURCE_LEN (CHUNKS * FH_READER_CHUNK)

typedef struct bench {
    uint8_t *source;
    fh_sights sights;
    fh_lures lures;
    fh_window window;
    fh_seen seen;
    int64_t stream_off; /* of the next piece */
    int64_t base;
    size_t scan;
    size_t num_known; /* places that were in a span */
    size_t num_places;
} bench;

/* Bytes that words are made of, one in `rare`, in noise that has none. */
static void fill(uint8_t *bytes, size_t len, uint32_t rare, uint32_t *state)
{
    static const uint8_t words[][4] = {{0x50, 0, 1, 2},
                                       {' ', '0', ' ', '1'},
                                       {';', 'T', 'R', 'A'},
                                       {'k', 'f', 0, 0},
                                       {'\t', '0', '\t', '0'}};
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (uint8_t)(0xc0 + dice(state, 16));
    }
    for (size_t i = 4; i + 4 <= len; i += 1 + dice(state, 2 * rare)) {
        memcpy(bytes + i, words[dice(state, 5)], 4);
    }
}

static void open_bench(bench *b, bool every_offset, uint32_t rare, uint32_t *state)
{
    b->source = malloc(SOURCE_LEN);
    HOLD(b->source != NULL, "memory");
    fill(b->source, SOURCE_LEN, rare, state);
    fh_sights_init(&b->sights, fh_formats, fh_num_formats, every_offset);
    HOLD(fh_sights_prepare(&b->sights), "memory");
    fh_lures_set(&b->lures, fh_formats, fh_num_formats, every_offset);
    fh_window_init(&b->window, every_offset ? 1 : 4);
    b->seen = (fh_seen){0};
    b->base = b->stream_off;
    b->scan = 0;
    b->num_known = 0;
    b->num_places = 0;
}

static void close_bench(bench *b)
{
    fh_seen_free(&b->seen);
    fh_sights_free(&b->sights);
    fh_window_free(&b->window);
    free(b->source);
}

static void look_at(bench *b, size_t chunk)
{
    fh_sights_look(&b->sights, (int64_t)(chunk * FH_READER_CHUNK),
                   b->source + chunk * FH_READER_CHUNK, FH_READER_CHUNK);
}

static void append(bench *b, size_t raw_off, size_t len)
{
    const fh_piece piece = {.stream = FH_STREAM_DATA,
                            .stream_off = b->stream_off,
                            .user_off = b->stream_off,
                            .raw_off = (int64_t)raw_off,
                            .lba = FH_UNKNOWN,
                            .damaged_lba = FH_UNKNOWN,
                            .bytes = b->source + raw_off,
                            .len = len};
    HOLD(fh_window_append(&b->window, &piece), "memory");
    fh_seen_piece(&b->seen, &b->sights, &b->window, b->base, (int64_t)raw_off, len);
    b->stream_off += (int64_t)len;
}

static bool is_known(const bench *b, size_t place)
{
    const int64_t off = b->window.origin + (int64_t)place;
    for (size_t i = 0; i < b->seen.num_spans; i++) {
        if (b->seen.spans[i].from <= off && off < b->seen.spans[i].to) {
            return true;
        }
    }
    return false;
}

/* Both searches through the window, at most `most` places of it; goes on there the next time. */
static void search(bench *b, size_t most)
{
    const fh_window *window = &b->window;
    const unsigned phase = (unsigned)((window->origin - b->base) % FH_SIEVE_PHASES);
    fh_sieve_run plain;
    fh_seen_run run;
    fh_sieve_begin(&plain, &b->lures.sieve, window->bytes, window->len, b->scan, phase);
    fh_seen_begin(&run, &b->seen, &b->lures, window, b->base, b->scan);
    bool goes_on = true;
    for (size_t i = 0; i < most && goes_on; i++) {
        size_t expected = 0;
        size_t place = 0;
        goes_on = fh_sieve_next(&plain, &expected);
        HOLD(fh_seen_next(&run, &place) == goes_on, "a place at %zu or not", expected);
        HOLD(place == expected, "place %zu instead of %zu", place, expected);
        b->num_known += goes_on && is_known(b, place) ? 1 : 0;
        b->num_places += goes_on ? 1 : 0;
        /* What cannot be decided yet is looked at again. */
        const bool stays = i + 1 == most && most % 2 == 0;
        b->scan = goes_on && !stays ? place + 1 : place;
    }
}

static void drop(bench *b)
{
    const size_t dropped = fh_window_drop(&b->window, b->scan - b->scan % b->window.memo.unit);
    b->scan -= dropped;
    fh_seen_drop(&b->seen, b->window.origin + (int64_t)b->scan);
}

/* Pieces of a length, the first of them so far from the start, through the whole source; one of
 * `each` chunks is looked at, 0: none. */
static void pass(bench *b, size_t from, size_t stride, size_t len, uint32_t each, uint32_t *state)
{
    size_t next = 0; /* chunk that may be looked at */
    for (size_t off = from; off + len <= SOURCE_LEN; off += stride) {
        for (; next * FH_READER_CHUNK < off + len && next < CHUNKS; next++) {
            if (each > 0 && dice(state, each) == 0) {
                look_at(b, next);
            }
        }
        append(b, off, len);
        if (dice(state, 40) == 0) {
            search(b, dice(state, 2) == 0 ? SIZE_MAX : dice(state, 100));
            drop(b);
        }
    }
    search(b, SIZE_MAX);
}

Test(seen, the_same_places)
{
    static const struct {
        size_t from, stride, len;
        uint32_t each, rare;
        bool every_offset, may_know;
    } cases[] = {
        {24, STRIDE, 2048, 1, 200, false, true},  {24, STRIDE, 2048, 2, 200, false, true},
        {16, STRIDE, 2048, 0, 200, false, false}, {24, STRIDE, 2324, 2, 200, true, true},
        {0, 2048, 2048, 2, 200, false, true},     {0, 4, 4, 2, 200, false, true},
        {1, 8, 3, 1, 200, true, false},           {25, STRIDE, 2048, 1, 200, false, false},
        {26, STRIDE, 2048, 1, 200, true, false},  {24, STRIDE, 2048, 1, 12, false, false},
        {24, STRIDE, 2048, 2, 9000, false, true}, {0, 65536, 65536, 3, 200, false, true},
        {0, 65536, 65536, 1, 60, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t state = (uint32_t)i + 1;
        static bench b;
        b.stream_off = (int64_t)i % 4 * 1001;
        open_bench(&b, cases[i].every_offset, cases[i].rare, &state);
        pass(&b, cases[i].from, cases[i].stride, cases[i].len, cases[i].each, &state);
        HOLD(b.num_places > 10, "case %zu: %zu places", i, b.num_places);
        HOLD((b.num_known > 0) == cases[i].may_know, "case %zu: %zu of %zu places were known", i,
             b.num_known, b.num_places);
        close_bench(&b);
    }
}

/* Pieces as they come: of any length, from anywhere in what was looked at, so that many are known
 * and many lie wrongly. Not searched for long there are more spans, or places, than there is room
 * for. */
Test(seen, the_same_places_of_any_pieces)
{
    enum { TURNS = 24, LOOKED_AT = 8, MOST_LEN = 3600 };
    size_t most_spans = 0;
    size_t most_places = 0;
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        static bench b;
        uint32_t state = turn;
        const bool is_long = turn % 8 == 0;
        b.stream_off = (int64_t)dice(&state, 5000);
        open_bench(&b, turn % 2 == 0, is_long ? 40 : 200, &state);
        for (size_t chunk = 0; chunk < LOOKED_AT; chunk++) {
            look_at(&b, chunk);
        }
        for (uint32_t i = 0; i < (is_long ? 3000 : 400); i++) {
            const bool is_short = !is_long && dice(&state, 8) == 0;
            const size_t len = 1 + dice(&state, is_short ? 5 : MOST_LEN);
            size_t raw = dice(&state, LOOKED_AT * (uint32_t)FH_READER_CHUNK - MOST_LEN - 4);
            if (dice(&state, is_long ? 40 : 3) != 0) {
                raw -= (size_t)((int64_t)raw - b.stream_off + b.base) % FH_SIEVE_PHASES;
                raw = raw > len ? raw : 4096 + (size_t)(b.stream_off - b.base) % FH_SIEVE_PHASES;
            }
            append(&b, raw, len);
            most_spans = b.seen.num_spans > most_spans ? b.seen.num_spans : most_spans;
            most_places = b.seen.num_places > most_places ? b.seen.num_places : most_places;
            if (!is_long && dice(&state, 60) == 0) {
                search(&b, dice(&state, 2) == 0 ? SIZE_MAX : dice(&state, 100));
                drop(&b);
            }
        }
        search(&b, SIZE_MAX);
        HOLD(b.num_known > 10 && b.num_known < b.num_places, "turn %u: %zu of %zu", turn,
             b.num_known, b.num_places);
        close_bench(&b);
    }
    cr_assert(eq(sz, most_spans, FH_SEEN_SPANS));
    cr_assert(gt(sz, most_places, FH_SEEN_PLACES - 100));
}

/* Of a chunk with more places than can be noted nothing is, of one with as many all of them. */
Test(seen, as_many_places_as_there_is_room_for)
{
    static bench b;
    uint32_t state = 1;
    b.stream_off = 0;
    open_bench(&b, false, 1u << 30, &state);
    memset(b.source, 0xcc, SOURCE_LEN);
    for (size_t i = 0; i < FH_SIGHTS_MOST; i++) {
        memcpy(b.source + 20 * i, ";TRA", 4);
    }
    look_at(&b, 0);
    const fh_sight *sight = fh_sights_of(&b.sights, 0, FH_READER_CHUNK);
    cr_assert(ne(ptr, (void *)sight, NULL));
    cr_assert(eq(sz, sight->num_places, FH_SIGHTS_MOST));
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, 1, FH_READER_CHUNK), NULL));
    memcpy(b.source + 20 * FH_SIGHTS_MOST, ";TRA", 4);
    look_at(&b, 0);
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, 0, 1), NULL));
    close_bench(&b);
}

/* Of the places that are known some are kept free for those over the seam. */
Test(seen, room_for_the_places_over_a_seam)
{
    enum { NUM = FH_SEEN_PLACES / FH_SIGHTS_MOST };
    static bench b;
    uint32_t state = 1;
    b.stream_off = 0;
    open_bench(&b, false, 1u << 30, &state);
    memset(b.source, 0xcc, SOURCE_LEN);
    for (size_t chunk = 0; chunk < NUM; chunk++) {
        uint8_t *at = b.source + chunk * FH_READER_CHUNK;
        for (size_t i = 0; i < FH_SIGHTS_MOST; i++) {
            memcpy(at + 20 * i, ";TRA", 4);
        }
        look_at(&b, chunk);
        append(&b, chunk * FH_READER_CHUNK, FH_READER_CHUNK);
    }
    cr_assert(eq(sz, b.seen.num_places, (NUM - 1) * (size_t)FH_SIGHTS_MOST));
    search(&b, SIZE_MAX);
    cr_assert(eq(sz, b.num_places, NUM * (size_t)FH_SIGHTS_MOST));
    close_bench(&b);
}

/* What was seen of a chunk is forgotten with the others, or when one is looked at that takes its
 * place. */
Test(seen, sights_that_are_gone)
{
    static bench b;
    uint32_t state = 1;
    b.stream_off = 0;
    open_bench(&b, false, 500, &state);
    look_at(&b, 1);
    const int64_t at = (int64_t)FH_READER_CHUNK;
    cr_assert(ne(ptr, (void *)fh_sights_of(&b.sights, at, 4), NULL));
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, at - 1, 4), NULL));
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, 9 * at, 4), NULL));
    look_at(&b, 9);
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, at, 4), NULL));
    cr_assert(ne(ptr, (void *)fh_sights_of(&b.sights, 9 * at, 4), NULL));
    fh_sights_forget(&b.sights);
    cr_assert(eq(ptr, (void *)fh_sights_of(&b.sights, 9 * at, 4), NULL));
    close_bench(&b);
}
