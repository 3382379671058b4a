/* Where an image of memory begins: block pointers vote for a base, at the edges of what they may
 * say, and of the bytes at hand.
 */
#include "hmd_hand.h"

#include "hmd/hmd_base.h"
#include "hmd/hmd_probe.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* An image with a block, whose primitive wants a header. */
typedef struct image {
    uint32_t segment, base;
    uint32_t coordinates, num_units;
    uint32_t gap;       /* words between the coordinates and the headers */
    uint32_t primitive; /* word */
} image;

static const image plain = {0x80000000, HAND_BASE, 10, 1, 0, 200};

static uint32_t headers_of(const image *of)
{
    return of->coordinates + 1 + 20 * of->num_units + of->gap;
}

static uint32_t at(const image *of, uint32_t word)
{
    return of->segment | (of->base + 4 * word);
}

static void put_image(hand *h, const image *of)
{
    const uint32_t headers = headers_of(of);
    hand_open(h);
    h->model.coordinates = of->coordinates;
    h->model.num_headers = h->model.num_primitives = h->model.num_records = 0;
    hand_put(h, 1, 1);
    hand_put(h, 2, at(of, headers));
    hand_put(h, 3, 1);
    hand_put(h, HAND_BLOCKS, at(of, of->primitive));
    hand_put(h, of->coordinates, of->num_units);
    hand_put(h, headers, 2);
    hand_put(h, headers + 1, 1);
    hand_put(h, headers + 3, 2);
    hand_put(h, of->primitive, HMD_TERM);
    hand_put(h, of->primitive + 1, at(of, headers + 3));
}

static void cut(hand *h, uint32_t num_words)
{
    h->model.num_words = num_words;
    h->model.bytes = fh_cursor_make(h->bytes, (size_t)4 * num_words, 0);
}

/* Solved for the base of the image, or refused with a fault. */
static void hold_base(hand *h, const image *of, bool is_found)
{
    cr_expect(hmd_base_solve(&h->check) == is_found);
    cr_expect(h->check.is_faulty != is_found);
    if (is_found) {
        cr_expect(eq(u32, h->model.base, of->base));
        cr_expect(eq(u32, h->model.segment, of->segment));
        cr_expect(h->model.is_folded == false);
    } else {
        cr_expect(eq(u32, h->check.fault, HMD0170));
    }
}

Test(hmd_base, words_behind_the_coordinates)
{
    static hand h;
    image of = plain;
    put_image(&h, &of);
    hold_base(&h, &of, true);
    of.gap = 1;
    put_image(&h, &of);
    hold_base(&h, &of, true);
    of.gap = 300;
    of.primitive = 700;
    put_image(&h, &of);
    hold_base(&h, &of, true);
}

/* Memory may begin at 0, with a gap or without. */
Test(hmd_base, memory_from_its_first_word_on)
{
    static hand h;
    image of = plain;
    of.base = 0;
    for (of.gap = 0; of.gap < 3; of.gap++) {
        put_image(&h, &of);
        hold_base(&h, &of, true);
    }
    of.gap = 0;
    put_image(&h, &of);
    hand_put(&h, 2, at(&of, headers_of(&of) - 1));
    hold_base(&h, &of, false);
}

/* Sixteen gaps that look right at first sight are tried, no more. Here each does: whatever the base
 * is, the block leads to a pointer to a header. */
Test(hmd_base, gaps_that_look_right)
{
    for (uint32_t gap = 1; gap <= 20; gap++) {
        static hand h;
        image of = plain;
        of.gap = gap;
        put_image(&h, &of);
        for (uint32_t i = of.primitive - 20; i <= of.primitive + 20; i++) {
            hand_put(&h, i, at(&of, headers_of(&of) + 3));
        }
        hold_base(&h, &of, gap <= 16);
    }
}

/* A pointer to the section is none to a header: that looks wrong at first sight. */
Test(hmd_base, gaps_with_pointers_to_the_section)
{
    static hand h;
    image of = plain;
    of.gap = 20;
    put_image(&h, &of);
    for (uint32_t i = of.primitive - 20; i <= of.primitive; i++) {
        hand_put(&h, i, at(&of, headers_of(&of)));
    }
    hold_base(&h, &of, true);
}

/* The first block that there is says what looks right. */
Test(hmd_base, blocks_that_are_empty)
{
    for (uint32_t block = 0; block < 4; block++) {
        static hand h;
        image of = plain;
        of.gap = 5;
        put_image(&h, &of);
        h.model.num_blocks = 4;
        hand_put(&h, HAND_BLOCKS, 0);
        hand_put(&h, HAND_BLOCKS + block, at(&of, of.primitive));
        hold_base(&h, &of, true);
    }
}

/* Sixteen blocks vote: with one of them right the base stands; a seventeenth is not asked. */
Test(hmd_base, blocks_that_vote)
{
    for (uint32_t right = 14; right < 18; right++) {
        static hand h;
        image of = plain;
        of.coordinates = 40;
        put_image(&h, &of);
        h.model.num_blocks = 18;
        for (uint32_t b = 0; b < 18; b++) {
            hand_put(&h, HAND_BLOCKS + b, at(&of, b == right ? of.primitive : 300));
        }
        hold_base(&h, &of, right < 16);
    }
}

/* A primitive that may follow the bytes has no vote; where none can be, that speaks against the
 * base. So does what may be there only if memory is seen again every 2 MiB; but that may be so. */
Test(hmd_base, a_block_behind_the_bytes)
{
    static const struct {
        uint32_t word;
        bool at_end, is_found;
        uint64_t wanted; /* words */
    } rows[] = {{HAND_WORDS - 3, true, false, 0},
                {HAND_WORDS - 2, true, false, 0},
                {HAND_WORDS - 2, false, true, 0},
                {HMD_MOST_WORDS - 4, false, true, 0},
                {HMD_MOST_WORDS - 3, false, true, 0},
                {HMD_MOST_WORDS - 2, true, false, 0},
                {HMD_MOST_WORDS - 2, false, false, 0x80000 - 2 + 3},
                {HMD_MOST_WORDS, false, false, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        const image of = plain;
        put_image(&h, &of);
        hand_put(&h, HAND_BLOCKS, at(&of, rows[i].word));
        h.check.at_end = rows[i].at_end;
        cr_expect(hmd_base_solve(&h.check) == rows[i].is_found, "%zu", i);
        cr_expect(eq(u64, h.check.wanted, 4 * rows[i].wanted), "%zu", i);
        cr_expect(h.check.is_faulty == (!rows[i].is_found && rows[i].wanted == 0), "%zu", i);
    }
}

/* Headers that the bytes end before, or in, do not speak against the base unless nothing follows;
 * a section without headers does. The primitive lies before all that here. */
Test(hmd_base, headers_behind_the_bytes)
{
    static const struct {
        uint32_t num_words, num; /* behind the coordinates; of headers */
        bool at_end, is_found;
    } rows[] = {{0, 2, false, true},  {0, 2, true, false}, {1, 2, false, true}, {1, 2, true, false},
                {1, 0, false, false}, {2, 1, true, false}, {4, 2, true, true},  {4, 1, true, false},
                {4, 1, false, false}, {3, 2, false, true}, {3, 2, true, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        image of = plain;
        of.primitive = 5;
        put_image(&h, &of);
        hand_put(&h, headers_of(&of), rows[i].num);
        cut(&h, headers_of(&of) + rows[i].num_words);
        h.check.at_end = rows[i].at_end;
        cr_expect(hmd_base_solve(&h.check) == rows[i].is_found, "%zu", i);
    }
}

/* What the bytes at hand leave undecided: no base, no fault, and more bytes are wanted. */
static void hold_undecided(hand *h)
{
    cr_expect(hmd_base_solve(&h->check) == false);
    cr_expect(h->check.is_faulty == false);
    cr_expect(gt(u64, h->check.wanted, h->model.bytes.size));
    cr_expect(h->check.stopped == false);
}

/* With a gap nothing is decided before they are there, unless nothing follows. */
Test(hmd_base, a_gap_up_to_the_end_of_the_bytes)
{
    for (uint32_t gap = 1; gap < 8; gap++) {
        for (uint32_t num_words = 1; num_words < gap + 5; num_words++) {
            static hand h;
            image of = plain;
            of.primitive = 5;
            of.gap = gap;
            put_image(&h, &of);
            cut(&h, headers_of(&of) - gap + num_words);
            h.check.at_end = false;
            if (num_words <= gap) {
                hold_undecided(&h);
            } else {
                hold_base(&h, &of, true);
                cr_expect(eq(u64, h.check.wanted, 0));
            }
            cut(&h, headers_of(&of) - gap + num_words);
            h.check = hmd_check_make(&h.model, NULL, &h.budget, &h.arena);
            hold_base(&h, &of, num_words == gap + 4);
        }
    }
}

/* No part of a sound image is rejected as long as more may follow, wherever it ends: not in the
 * gap, nor between the headers and the primitive. */
Test(hmd_base, parts_of_an_image_with_a_gap)
{
    static hand h;
    image of = plain;
    of.num_units = 4;
    of.gap = 7;
    put_image(&h, &of);
    hand_put(&h, 0, 0x50);
    hand_put(&h, 3, 6);
    hand_put(&h, of.primitive + 2, 1);
    hand_put(&h, of.primitive + 4, 1);
    const size_t whole = 4 * ((size_t)of.primitive + 5);
    for (size_t len = 0; len <= whole; len++) {
        for (unsigned is_all = 0; is_all < 2; is_all++) {
            fh_probe got;
            fh_arena_return(&h.arena);
            h.arena = fh_arena_make(h.memory, sizeof h.memory);
            hmd_probe(&got, fh_cursor_make(h.bytes, len, 0), is_all ? FH_END_FILE : FH_END_NONE,
                      NULL, &h.arena, &h.budget);
            const fh_verdict wanted = !is_all ? FH_MORE : len < whole ? FH_REJECT : FH_ACCEPT;
            cr_expect(got.verdict == wanted, "%zu bytes: %d", len, (int)got.verdict);
            cr_expect(got.verdict != FH_MORE || got.length > len, "%zu bytes", len);
        }
    }
}

/* Behind a gap the primitive lies farther: it is waited for up to a gap of 16384 words, or up to
 * where the asset would begin before all memory. */
Test(hmd_base, a_primitive_behind_a_gap_that_is_wanted)
{
    static const struct {
        uint32_t base;
        uint64_t gap;
    } rows[] = {{HAND_BASE, 0x4000}, {0x10000, 0x4000}, {0xfffc, 0x3fff}, {4, 1}, {0, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        image of = plain;
        of.base = rows[i].base;
        of.primitive = HAND_WORDS - HMD_PRIMITIVE_WORDS;
        put_image(&h, &of);
        hand_put(&h, of.primitive + 1, at(&of, 500)); /* no header */
        h.check.at_end = false;
        cr_expect(hmd_base_solve(&h.check) == false, "%zu", i);
        cr_expect(h.check.is_faulty == (rows[i].gap == 0), "%zu", i);
        cr_expect(eq(u64, h.check.wanted,
                     rows[i].gap == 0 ? 0 : 4 * ((uint64_t)HAND_WORDS + rows[i].gap)),
                  "%zu", i);
        h.check.at_end = true;
        h.check.wanted = 0;
        hold_base(&h, &of, false);
        cr_expect(eq(u64, h.check.wanted, 0));
    }
}

/* With one voter that agrees nothing is waited for. */
Test(hmd_base, a_base_that_one_block_agrees_to)
{
    static hand h;
    const image of = plain;
    put_image(&h, &of);
    h.model.num_blocks = 2;
    hand_put(&h, HAND_BLOCKS + 1, at(&of, HAND_WORDS - HMD_PRIMITIVE_WORDS));
    h.check.at_end = false;
    hold_base(&h, &of, true);
    cr_expect(eq(u64, h.check.wanted, 0));
}

/* Two votes without a gap, each of one block; then one look for each gap up to the last word. */
Test(hmd_base, work_for_gaps)
{
    for (uint32_t num = 1; num < 9; num++) {
        static hand h;
        const image of = plain;
        put_image(&h, &of);
        hand_put(&h, headers_of(&of), 0);
        hand_put(&h, HAND_BLOCKS, at(&of, 5));
        cut(&h, headers_of(&of) + num);
        hold_base(&h, &of, false);
        cr_expect(eq(u64, BENCH_BUDGET - h.budget.left, 2 + (num - 1)));
    }
}

/* A header that would begin where the longest asset ends can never be there. */
Test(hmd_base, a_header_behind_all_that_may_be)
{
    for (uint32_t past = 0; past < 3; past++) {
        static hand h;
        image of = plain;
        of.base = 0; /* no gap is possible */
        of.primitive = 5;
        put_image(&h, &of);
        const uint32_t first = headers_of(&of) + 1;
        hand_put(&h, first, HMD_MOST_WORDS - 2 - first + past);
        hand_put(&h, of.primitive + 1, at(&of, first + 1));
        h.check.at_end = false;
        hold_base(&h, &of, past == 0);
    }
}

/* A poll counts its own voters. With a gap of 4 the third block would want the header that the
 * others want with the right gap of 5, with which the second one lies out of sight. */
Test(hmd_base, votes_of_other_polls)
{
    static hand h;
    image of = plain;
    of.gap = 5;
    put_image(&h, &of);
    const uint32_t header = headers_of(&of) + 3;
    hand_put(&h, HAND_BLOCKS + 1, at(&of, HAND_WORDS - 2));
    hand_put(&h, HAND_BLOCKS + 2, at(&of, 300));
    h.model.num_blocks = 3;
    hand_put(&h, of.primitive, at(&of, 500));
    hand_put(&h, 300, at(&of, header + 1));
    hand_put(&h, 301, at(&of, header));
    h.check.at_end = false;
    hold_base(&h, &of, true);
}

/* The headers may begin where the longest asset ends; more bytes are asked for then. */
Test(hmd_base, coordinates_up_to_the_end_of_all)
{
    for (uint32_t past = 0; past < 2; past++) {
        static hand h;
        image of = plain;
        of.coordinates = 11 + past;
        put_image(&h, &of);
        hand_put(&h, of.coordinates, (HMD_MOST_WORDS - 12) / 20);
        hand_put(&h, 2, 0x80000000 | (4 * HMD_MOST_WORDS + 0x10000));
        h.check.at_end = false;
        cr_expect(hmd_base_solve(&h.check) == false);
        cr_expect(h.check.is_faulty == (past == 1));
        cr_expect(eq(u64, h.check.wanted, past == 0 ? 4 * (uint64_t)HMD_MOST_WORDS : 0));
    }
}

/* ---- parents ---- */

/* A parent is still an offset if it is that of a unit; what looks like an address is one. Here the
 * units begin at a multiple of 4, so that offsets of units look like addresses, too. */
Test(hmd_base, parents_that_are_offsets)
{
    static const struct {
        uint32_t parent;
        bool is_address;
    } rows[] = {{0, false}, {12, false},        {32, false},        {52, false}, {72, true},
                {8, true},  {16, true},         {28, true},         {36, true},  {31, false},
                {68, true}, {0x80100000, true}, {0x40100000, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        for (uint32_t unit = 0; unit < 3; unit++) {
            static hand h;
            image of = plain;
            of.coordinates = 11;
            of.num_units = 3;
            put_image(&h, &of);
            hand_put(&h, 12 + 20 * unit + HMD_SUPER_WORD, rows[i].parent);
            hold_base(&h, &of, true);
            cr_expect(h.model.has_unit_maps == rows[i].is_address, "%zu, %u", i, unit);
        }
    }
}

/* Addresses of units, and such before them and behind, are fine; among them they are astray. */
Test(hmd_base, parents_that_are_addresses)
{
    static const struct {
        uint32_t word;
        bool is_fine;
    } rows[] = {{11, true},  {31, true},  {51, true},  {71, true},  {10, true}, {9, true},
                {12, false}, {30, false}, {52, false}, {70, false}, {72, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        image of = plain;
        of.num_units = 3;
        put_image(&h, &of);
        hand_put(&h, 11 + HMD_SUPER_WORD, at(&of, rows[i].word));
        hold_base(&h, &of, rows[i].is_fine);
        cr_expect(h.model.has_unit_maps);
        cr_expect(rows[i].is_fine || h.check.fault_at == 4 * (11 + HMD_SUPER_WORD));
    }
}

/* ---- split headers ---- */

Test(hmd_base, words_that_were_split_off)
{
    static const struct {
        uint32_t word, value;
        bool is_split;
    } rows[] = {{200, HAND_COORDINATES, true},
                {200, HAND_COORDINATES + 1, false},
                {200, HAND_COORDINATES - 1, false},
                {HAND_WORDS - 1, HAND_COORDINATES, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open(&h);
        hand_map(&h);
        hand_put(&h, rows[i].word, 0x80000000 | (HAND_BASE + 4 * rows[i].value));
        cr_expect(hmd_is_split_off(&h.model, rows[i].word) == rows[i].is_split, "%zu", i);
        cr_expect(hmd_is_split_off(&h.model, 210) == false);
        cr_expect(hmd_is_split_off(&h.model, HAND_WORDS) == false);
        h.model.stage = HMD_STAGE_FILE;
        cr_expect(hmd_is_split_off(&h.model, rows[i].word) == false);
    }
}
