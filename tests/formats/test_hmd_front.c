/* The front of an HMD and the tables behind it, at the edges of what their numbers may be: blocks,
 * coordinates, headers, primitives, records; and what the search makes of the rest of a file.
 */
#include "hmd_hand.h"

#include "hmd/hmd.h"
#include "hmd/hmd_build.h"
#include "hmd/hmd_probe.h"

#include <string.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* Where what is in the file of a coordinate, a header of one argument and a primitive with the null
 * driver, which ends it. */
enum { COUNT = 7, UNITS_END = 28, SECTION = 28, HEADER = 29, FIRST = 31, RECORD = 34, END = 36 };

static void put_primitive(hand *h, uint32_t at, uint32_t next, uint32_t header, uint32_t num)
{
    const uint32_t words[] = {next, header, HMD_MSB | num};
    hand_put_all(h, at, words, 3);
}

static void cut(hand *h, uint32_t num_words)
{
    h->model.num_words = num_words;
    h->model.bytes = fh_cursor_make(h->bytes, (size_t)4 * num_words, 0);
}

static void put_file(hand *h)
{
    hand_open_file(h);
    const uint32_t fixed[] = {0x50, 0, SECTION, 3, 0, FIRST, 0, 1};
    hand_put_all(h, 0, fixed, NUM(fixed));
    hand_put(h, SECTION, 1);
    hand_put(h, HEADER, 1);
    put_primitive(h, FIRST, HMD_TERM, HEADER, 1);
    hand_put(h, RECORD + 1, HMD_MSB | 1);
    cut(h, END);
}

/* What is told of the file, which may be no longer than so many words. */
static void tell(record *out, const hand *h, uint32_t num_words)
{
    bench b;
    bench_open(&b);
    b.format = &fh_hmd_format;
    bench_verify(&b, h->bytes, (size_t)4 * num_words, (fh_verify_options){.stand_alone = true});
    *out = b.verify;
    b.verify = (record){0};
    bench_close(&b);
}

static void hold_told(const hand *h, uint32_t num_words, const char *code, const char *found,
                      const char *expected)
{
    record told;
    tell(&told, h, num_words);
    cr_assert(eq(sz, record_count(&told, code), 1), "%s: %s", code, record_codes(&told));
    const fh_finding *first = record_find(&told, code);
    cr_expect(found == NULL || strcmp(first->found, found) == 0, "%s: %s", code, first->found);
    cr_expect(expected == NULL || strcmp(first->expected, expected) == 0, "%s: %s", code,
              first->expected);
    record_free(&told);
}

/* What stops the reading: a fault, or words that are wanted, or nothing. */
typedef struct stop {
    bool is_faulty;
    enum hmd_rule rule;
    fh_status status;
    uint64_t wanted;
} stop;

#define SOUND                                                                                      \
    {                                                                                              \
        false, 0, FH_OK, 0                                                                         \
    }
#define CORRUPT(rule)                                                                              \
    {                                                                                              \
        true, rule, FH_CORRUPT, 0                                                                  \
    }
#define TRUNCATED(rule)                                                                            \
    {                                                                                              \
        true, rule, FH_TRUNCATED, 0                                                                \
    }
#define WANTED(words)                                                                              \
    {                                                                                              \
        false, 0, FH_OK, words                                                                     \
    }

static void hold_stop(const hand *h, const stop *of, size_t number)
{
    const hmd_check *check = &h->check;
    cr_expect(check->is_faulty == of->is_faulty, "case %zu: faulty is %d", number,
              check->is_faulty);
    const bool is_own =
        !of->is_faulty || (check->fault == of->rule && check->fault_status == of->status);
    cr_expect(is_own, "case %zu: %s, status %d", number, hmd_rules[check->fault].code,
              (int)check->fault_status);
    cr_expect(eq(u64, check->wanted, 4 * of->wanted), "case %zu", number);
}

Test(hmd_front, a_sound_file)
{
    static hand h;
    put_file(&h);
    cr_expect(hmd_build(&h.check));
    cr_expect(eq(u32, h.model.num_records, 1));
    record told;
    tell(&told, &h, END);
    cr_expect(eq(sz, record_count(&told, "HMD0008"), 0));
    record_free(&told);
}

/* ---- front ---- */

/* One word of the front, at the end of what an asset can hold. */
Test(hmd_front, numbers_at_the_end_of_all)
{
    static const struct {
        uint32_t word, value;
        bool at_end;
        stop stop;
    } rows[] = {
        {3, HMD_MOST_WORDS + 1, true, CORRUPT(HMD0007)},
        {3, HMD_MOST_WORDS, true, TRUNCATED(HMD0007)},
        {3, HMD_MOST_WORDS - 5, false, WANTED(HMD_MOST_WORDS)},
        {2, HMD_MOST_WORDS, true, CORRUPT(HMD0008)},
        {2, HMD_MOST_WORDS, false, CORRUPT(HMD0008)},
        {2, HMD_MOST_WORDS - 1, true, TRUNCATED(HMD0008)},
        {2, HMD_MOST_WORDS - 1, false, WANTED(HMD_MOST_WORDS)},
        {HEADER, HMD_MOST_WORDS - HEADER, true, CORRUPT(HMD0040)},
        {HEADER, HMD_MOST_WORDS - HEADER, false, CORRUPT(HMD0040)},
        {HEADER, HMD_MOST_WORDS - HEADER - 1, true, TRUNCATED(HMD0040)},
        {HEADER, HMD_MOST_WORDS - HEADER - 1, false, WANTED(HMD_MOST_WORDS)},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_file(&h);
        hand_put(&h, rows[i].word, rows[i].value);
        h.check.at_end = rows[i].at_end;
        cr_expect(hmd_build_front(&h.check) == false);
        hold_stop(&h, &rows[i].stop, i);
    }
}

/* The headers begin behind all coordinates, if need be at once. */
Test(hmd_front, coordinates_in_front_of_the_headers)
{
    static const struct {
        uint32_t num_units, section;
        const char *expected; /* NULL: they fit */
    } rows[] = {
        {1, 28, NULL},
        {1, 27, "at most 0 before the primitive headers"},
        {2, 48, NULL},
        {2, 47, "at most 1 before the primitive headers"},
        {2, 46, "at most 1 before the primitive headers"},
        {2, 28, "at most 1 before the primitive headers"},
        {2, 27, "at most 0 before the primitive headers"},
        {9, 68, "at most 3 before the primitive headers"},
        {9, 67, "at most 2 before the primitive headers"},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_file(&h);
        cut(&h, HAND_WORDS);
        hand_put(&h, COUNT, rows[i].num_units);
        hand_put(&h, 2, rows[i].section);
        cr_expect(hmd_build_front(&h.check) == (rows[i].expected == NULL), "%zu", i);
        if (rows[i].expected != NULL) {
            cr_expect(eq(i32, h.check.fault, HMD0020));
            hold_told(&h, HAND_WORDS, "HMD0020", NULL, rows[i].expected);
        }
    }
}

/* Version, map flag, and four numbers; then each header, up to 16 of them. */
Test(hmd_front, evidence_of_headers)
{
    for (uint32_t num = 0; num < 24; num++) {
        static hand h;
        put_file(&h);
        cut(&h, HAND_WORDS);
        memset(h.bytes + 4 * HEADER, 0, sizeof h.bytes - 4 * HEADER); /* empty headers */
        hand_put(&h, SECTION, num);
        cr_expect(hmd_build_front(&h.check));
        cr_expect(eq(u32, h.check.evidence, 32 + 31 + 32 + 8 * (num < 16 ? num : 16)));
    }
}

/* The mapping of the coordinates takes an argument off one header alone: what stands behind another
 * is no argument, though it is the address of the coordinates. */
Test(hmd_front, one_header_that_was_split)
{
    static hand h;
    put_file(&h);
    cut(&h, HAND_WORDS);
    hand_map(&h);
    const uint32_t coordinates = 0x80000000 | (HAND_BASE + 4 * COUNT);
    const uint32_t fixed[] = {0x50, 1, 0x80000000 | (HAND_BASE + 4 * SECTION),
                              3,    0, 0x80000000 | (HAND_BASE + 4 * 40),
                              0};
    hand_put_all(&h, 0, fixed, NUM(fixed));
    const uint32_t headers[] = {2, 1, 5, coordinates, 1, 6, coordinates};
    hand_put_all(&h, SECTION, headers, NUM(headers));
    put_primitive(&h, 40, HMD_TERM, 0x80000000 | (HAND_BASE + 4 * (SECTION + 4)), 0);
    cr_assert(hmd_build_front(&h.check));
    cr_expect(eq(u32, h.model.headers_end, SECTION + 6));
    cr_assert(hmd_build_headers(&h.check));
    cr_expect(h.model.headers[0].is_split && !h.model.headers[1].is_split);
    cr_expect(eq(u32, h.model.headers[0].num_words, 2));
    cr_expect(eq(u32, h.model.headers[1].num_words, 1));
}

/* A step that gets no memory leaves its table empty. */
Test(hmd_front, tables_that_there_is_no_memory_for)
{
    static hand h;
    put_file(&h);
    cr_assert(hmd_build_front(&h.check));
    cr_expect(eq(u32, h.model.num_headers, 1));
    h.arena = fh_arena_make(h.memory, 0);
    cr_expect(hmd_build_headers(&h.check) == false);
    cr_expect(h.check.no_memory);
    cr_expect(eq(u32, h.model.num_headers, 0));
    cr_expect(eq(u32, h.model.num_units, 1));
    cr_expect(hmd_build_coordinates(&h.check) == false);
    cr_expect(eq(u32, h.model.num_units, 0));
}

/* ---- coordinates ---- */

/* In memory a root hangs on a coordinate outside; what lies among the coordinates and is none of
 * them is wrong, and so is what is no address. */
Test(hmd_front, parents_in_memory)
{
    static const struct {
        uint32_t parent;
        bool is_faulty;
        uint32_t unit;
    } rows[] = {{0, false, HMD_NONE},
                {0x80000000 | (HAND_BASE - 4), false, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * 3), false, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * 4), true, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * (HAND_UNIT - 1)), true, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * HAND_UNIT), false, 0},
                {0x80000000 | (HAND_BASE + 4 * HAND_UNIT + 1), true, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * (HAND_UNIT + 20)), false, 1},
                {0x80000000 | (HAND_BASE + 4 * (HAND_PRIMITIVE - 1)), true, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * HAND_PRIMITIVE), false, HMD_NONE},
                {0x80000000 | (HAND_BASE + 4 * HAND_WORDS), false, HMD_NONE}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open(&h);
        hand_map(&h);
        h.model.has_unit_maps = true;
        hand_put(&h, HAND_UNIT + 40 + HMD_SUPER_WORD, rows[i].parent);
        cr_expect(hmd_build_coordinates(&h.check));
        cr_expect(h.check.is_faulty == rows[i].is_faulty, "%zu", i);
        cr_expect(eq(u32, h.model.parents[2], rows[i].unit), "%zu", i);
    }
}

/* ---- primitives ---- */

/* The tables up to the headers of a file whose headers begin farther behind the coordinates. */
static void open_gap(hand *h, uint32_t gap, uint32_t num_headers)
{
    put_file(h);
    cut(h, 100);
    hand_put(h, 2, UNITS_END + gap);
    for (uint32_t i = 0; i < 20; i++) {
        hand_put(h, UNITS_END + i, 0);
    }
    hand_put(h, UNITS_END + gap, num_headers);
    hand_put(h, 5, 60);
    put_primitive(h, 60, HMD_TERM, UNITS_END + gap + 1, 0);
    cr_assert(hmd_build_front(&h->check) && hmd_build_coordinates(&h->check) &&
              hmd_build_headers(&h->check));
}

/* A primitive lies in front of the headers or behind them, with all of its three words. */
Test(hmd_front, places_of_primitives)
{
    enum { GAP = 5, AT = UNITS_END + GAP };
    static const struct {
        uint32_t word, num_headers;
        bool at_end;
        stop stop;
    } rows[] = {
        {UNITS_END - 1, 1, true, CORRUPT(HMD0009)},
        {UNITS_END, 1, true, SOUND},
        {AT - 3, 1, true, SOUND},
        {AT - 2, 1, true, CORRUPT(HMD0009)},
        {AT - 2, 0, true, CORRUPT(HMD0009)},
        {AT - 1, 1, true, CORRUPT(HMD0009)},
        {AT, 1, true, CORRUPT(HMD0009)},
        {AT + 1, 1, true, CORRUPT(HMD0009)},
        {AT + 2, 1, true, SOUND},
        {97, 1, true, SOUND},
        {98, 1, true, TRUNCATED(HMD0050)},
        {99, 1, true, TRUNCATED(HMD0050)},
        {100, 1, true, TRUNCATED(HMD0009)},
        {101, 1, true, TRUNCATED(HMD0009)},
        {98, 1, false, WANTED(101)},
        {HMD_MOST_WORDS - 3, 1, false, WANTED(HMD_MOST_WORDS)},
        {HMD_MOST_WORDS - 1, 1, true, TRUNCATED(HMD0009)},
        {HMD_MOST_WORDS, 1, true, CORRUPT(HMD0009)},
        {HMD_MOST_WORDS, 1, false, CORRUPT(HMD0009)},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        open_gap(&h, GAP, rows[i].num_headers);
        hand_put(&h, 4, rows[i].word);
        if (rows[i].stop.status == FH_OK && rows[i].stop.wanted == 0) {
            put_primitive(&h, rows[i].word, HMD_TERM, AT + 1, 0);
        }
        h.check.at_end = rows[i].at_end;
        (void)hmd_build_primitives(&h.check);
        hold_stop(&h, &rows[i].stop, i);
    }
}

/* Of two headers that are equally near the one behind is named. */
Test(hmd_front, the_nearest_header)
{
    static const struct {
        uint32_t pointer;
        const char *expected;
    } rows[] = {{28, "a header, the nearest at 0x1d"},
                {30, "a header, the nearest at 0x1d"},
                {31, "a header, the nearest at 0x21"},
                {32, "a header, the nearest at 0x21"},
                {90, "a header, the nearest at 0x21"}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_file(&h);
        const uint32_t headers[] = {2, 3, 0, 0, 0, 0};
        hand_put_all(&h, SECTION, headers, NUM(headers));
        hand_put(&h, 5, 40);
        put_primitive(&h, 40, HMD_TERM, rows[i].pointer, 0);
        hold_told(&h, 43, "HMD0053", NULL, rows[i].expected);
    }
}

/* An empty block is empty, also in memory that is seen again and again, where a primitive may lie
 * at address 0. */
Test(hmd_front, an_empty_block_in_folded_memory)
{
    static hand h;
    open_gap(&h, 5, 1);
    hand_map(&h);
    h.model.is_folded = true;
    h.model.base = 0x200000 - 4 * 60;
    hand_put(&h, 4, 0);
    hand_put(&h, 5, 0x80000000);
    hand_put(&h, 6, 0);
    hand_put(&h, 61, 0x80000000 | (h.model.base + 4 * (UNITS_END + 6)));
    cr_assert(hmd_build_primitives(&h.check));
    cr_expect(h.check.is_faulty == false);
    cr_expect(eq(u32, h.model.num_primitives, 1));
    cr_expect(eq(u32, h.model.blocks[0], HMD_NONE));
    cr_expect(eq(u32, h.model.blocks[1], 0));
    cr_expect(eq(u32, h.model.blocks[2], HMD_NONE));
}

/* A chain is followed to its end, and each block gets the first of its own. */
Test(hmd_front, chains)
{
    static hand h;
    open_gap(&h, 5, 1);
    hand_put(&h, 4, 70);
    put_primitive(&h, 60, 80, UNITS_END + 6, 0);
    put_primitive(&h, 70, 60, UNITS_END + 6, 0);
    put_primitive(&h, 80, HMD_TERM, UNITS_END + 6, 0);
    cr_assert(hmd_build_primitives(&h.check));
    const uint32_t next[] = {2, 0, HMD_NONE};
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect(eq(u32, h.model.primitives[i].off, 60 + 10 * i));
        cr_expect(eq(u32, h.model.primitives[i].next, next[i]));
        cr_expect(eq(u32, h.model.primitives[i].header, 0));
        cr_expect(eq(u32, h.model.primitives[i].block, 0));
    }
    cr_expect(eq(u32, h.model.blocks[0], 1));
    cr_expect(eq(u32, h.model.blocks[1], 0));
    cr_expect(eq(u32, h.model.blocks[2], HMD_NONE));
}

/* ---- records ---- */

/* Two words of a record are all that it needs, and those may be the last ones. */
Test(hmd_front, records_at_the_end)
{
    static hand h;
    put_file(&h);
    cr_expect(hmd_build(&h.check));
    /* The second one would begin where the bytes end: the first takes its place. */
    put_file(&h);
    hand_put(&h, FIRST + 2, HMD_MSB | 2);
    hand_put(&h, RECORD + 1, HMD_MSB | 3);
    hold_told(&h, END + 2, "HMD0060", "0 words", "2");
    hand_put(&h, RECORD + 1, HMD_MSB | 2);
    hold_told(&h, END + 2, "HMD0060", "1 word", "2");
    hand_put(&h, RECORD + 1, HMD_MSB | 1);
    hand_put(&h, RECORD + 3, HMD_MSB | 1);
    cut(&h, END + 2);
    cr_expect(hmd_build(&h.check));
    cr_expect(eq(u32, h.model.num_records, 2));
}

/* So many primitives at one place, each of which has all the records there. */
static void put_records(hand *h, uint32_t num_primitives, uint32_t num_records)
{
    static hmd_primitive primitives[HAND_WORDS];
    hand_open(h);
    hand_put(h, HAND_PRIMITIVE + 2, num_records);
    for (uint32_t i = 0; i < num_records; i++) {
        hand_put(h, HAND_RECORD + 2 * i + 1, 1);
    }
    for (uint32_t i = 0; i < num_primitives; i++) {
        primitives[i] = h->primitives[0];
    }
    h->model.primitives = primitives;
    h->model.num_primitives = num_primitives;
}

/* Primitives may share records, up to as many as there are words. */
Test(hmd_front, as_many_records_as_words)
{
    for (uint32_t past = 0; past < 2; past++) {
        static hand h;
        put_records(&h, 4, HAND_WORDS / 4);
        cut(&h, HAND_WORDS - past);
        cr_expect(hmd_build_records(&h.check) == (past == 0));
        cr_expect(h.check.stopped == (past == 1));
        cr_expect(eq(u32, h.model.num_records, past == 0 ? HAND_WORDS : 1));
    }
}

/* The first 64 records are evidence, whichever primitives have them. */
Test(hmd_front, evidence_of_records)
{
    for (uint32_t num = 60; num < 70; num++) {
        for (uint32_t num_primitives = 1; num_primitives < 3; num_primitives++) {
            static hand h;
            put_records(&h, num_primitives, num / num_primitives);
            cr_expect(hmd_build_records(&h.check));
            const uint32_t all = num / num_primitives * num_primitives;
            cr_expect(eq(u32, h.check.evidence, 8 * (all < 64 ? all : 64)));
        }
    }
}

/* ---- the search ---- */

/* A damaged file is worth a word: if a record is whole and the fault lies behind the front, or if
 * headers say something and what they lead to is cut off. */
Test(hmd_front, near_misses)
{
    static const struct {
        uint32_t headers[5]; /* from their number on; then primitives follow */
        uint32_t first, next;
        uint32_t num_words;
        bool is_near;
    } rows[] = {
        /* No header, an empty one, two of these, one that says something. */
        {{0}, 40, HMD_TERM, 36, false},
        {{1, 0}, 40, HMD_TERM, 36, false},
        {{2, 0, 0}, 40, HMD_TERM, 36, true},
        {{1, 1, 7}, 40, HMD_TERM, 36, true},
        /* A primitive with a record, and one behind it that is cut off, or lies nowhere. */
        {{1, 0}, 40, 45, 46, true},
        {{1, 0}, 40, 46, 46, true},
        {{1, 0}, 40, 5, 46, true},
        /* The fault is that of the block. */
        {{1, 1, 7}, 5, HMD_TERM, 46, false},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_file(&h);
        hand_put_all(&h, SECTION, rows[i].headers, NUM(rows[i].headers));
        hand_put(&h, 5, rows[i].first);
        put_primitive(&h, 40, rows[i].next, HEADER, 1);
        hand_put(&h, 44, HMD_MSB | 1);
        fh_probe got;
        hmd_probe(&got, fh_cursor_make(h.bytes, (size_t)4 * rows[i].num_words, 0), FH_END_FILE,
                  NULL, &h.arena, &h.budget);
        cr_expect(got.verdict == FH_REJECT, "%zu", i);
        cr_expect(got.near_miss == rows[i].is_near, "%zu: %s", i, got.rule->code);
    }
}

/* Without work or memory nothing is said of the bytes. */
Test(hmd_front, a_search_that_is_stopped)
{
    static hand h;
    put_file(&h);
    for (unsigned what = 0; what < 3; what++) { /* nothing is missing, work, memory */
        fh_arena arena = fh_arena_make(h.memory, what == 2 ? 16 : sizeof h.memory);
        fh_budget budget = {what == 1 ? 3 : BENCH_BUDGET};
        fh_probe got;
        hmd_probe(&got, h.model.bytes, FH_END_FILE, NULL, &arena, &budget);
        cr_expect(got.verdict == (what == 0 ? FH_ACCEPT : FH_REJECT), "%u", what);
        if (what > 0) {
            cr_expect(got.rule == &hmd_rules[HMD0297]);
            cr_expect(eq(i32, got.status, FH_LIMIT));
            cr_expect(eq(sz, got.reject_off, 0));
        }
        fh_arena_return(&arena);
    }
}

/* What the hunt looks for: the version, in a whole word, at whole words. */
Test(hmd_front, how_an_asset_is_found)
{
    const fh_format *format = fh_format_find("hmd");
    cr_assert(eq(sz, format->num_magics, 1));
    cr_expect(eq(u32, format->magics[0].mask, 0xffffffff));
    cr_expect(eq(u32, format->magics[0].value, 0x50));
    cr_expect(eq(sz, format->alignment, HMD_WORD_LEN));
}

/* What is rejected at a glance the probe rejects, for all numbers that are on an edge. */
Test(hmd_front, a_glance_sees_headers_that_cannot_be)
{
    static const struct {
        uint32_t flag, num_blocks;
        const char *code; /* of the rejection, NULL = the glance lets it pass */
    } cases[] = {{0, 2, NULL},
                 {1, 2, NULL},
                 {2, 2, "HMD0003"},
                 {0x00010000, 2, "HMD0003"},
                 {0x01000001, 2, "HMD0003"},
                 {UINT32_MAX, 2, "HMD0003"},
                 {0, 0, "HMD0006"},
                 {1, 1, "HMD0006"},
                 {0, 3, NULL},
                 {0, HMD_MOST_WORDS - HMD_FIXED_WORDS - 1, NULL},
                 {0, HMD_MOST_WORDS, NULL}, /* a table with room for nothing behind it */
                 {0, HMD_MOST_WORDS + 1, "HMD0007"},
                 {0, UINT32_MAX, "HMD0007"}};
    for (size_t i = 0; i < NUM(cases); i++) {
        const uint32_t header[] = {0x50, cases[i].flag, 8, cases[i].num_blocks};
        uint8_t bytes[4 * NUM(header)];
        for (size_t k = 0; k < sizeof bytes; k++) {
            bytes[k] = (uint8_t)(header[k / 4] >> 8 * (k % 4));
        }
        for (size_t len = 0; len <= sizeof bytes; len++) {
            const fh_cursor some = fh_cursor_make(bytes, len, 0);
            const bool is_cut = len < sizeof bytes;
            HOLD(hmd_glance(&some) == (is_cut || cases[i].code == NULL), "%zu: %zu", i, len);
            HOLD(some.pos == 0 && !some.failed, "%zu: the cursor stays as it is", i);
        }
        fh_arena arena = fh_arena_make(NULL, 0);
        fh_budget budget = {1000};
        fh_probe probe;
        hmd_probe(&probe, fh_cursor_make(bytes, sizeof bytes, 0), FH_END_NONE, NULL, &arena,
                  &budget);
        if (cases[i].code == NULL) {
            HOLD((probe.verdict == FH_MORE) == (cases[i].num_blocks < HMD_MOST_WORDS), "%zu", i);
        } else {
            HOLD(probe.verdict == FH_REJECT && !probe.near_miss, "%zu", i);
            HOLD(strcmp(probe.rule->code, cases[i].code) == 0, "%zu: %s", i, probe.rule->code);
        }
    }
}
