/* What the inference of types costs, in work and in memory: what it looks at is paid for, so much
 * is looked at and no more, and no table is longer than what it is for.
 */
#include "hmd_ink.h"

#include "hmd/hmd_animation.h"

#include <string.h>

/* ---- work ---- */

/* What it costs to hold a type against the record. */
static uint64_t cost_of(ink *k, uint32_t type)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    for (size_t i = 0; i < hmd_num_kinds; i++) {
        if (hmd_kinds[i].type == type) {
            const uint64_t before = k->in.left;
            cr_expect(hmd_kinds[i].fit(&k->in, &shape, type) != HMD_FIT_NOT, "0x%08x", type);
            k->hand.check.record = NULL;
            return before - k->in.left;
        }
    }
    cr_fatal("type 0x%08x is not tried", type);
}

Test(hmd_infer_work, images)
{
    for (uint32_t num = 1; num < 4; num++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, TO(HAND_DATA));
        RECORD(&k, 1 + 3 * num, num, XY(0, 0), XY(1, 1), 0, XY(0, 0), XY(1, 1), 0, XY(0, 0),
               XY(1, 1), 0);
        cr_expect(eq(u64, cost_of(&k, 0x02000000), 6 * num));
    }
}

Test(hmd_infer_work, sequences)
{
    for (uint32_t num = 1; num < 3; num++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, 4, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20));
        RECORD(&k, 1 + 7 * num, num, 0x04000001, 1 << 16 | 7, 0, 0, 0, 0, 0, 0x04000001,
               1 << 16 | 7, 0, 0, 0, 0, 0);
        cr_expect(eq(u64, cost_of(&k, 0x03000000), 8 * num));
    }
}

/* Two units for a block, and two for each difference in it, or each entry of a reset. */
Test(hmd_infer_work, blocks_of_vertices)
{
    for (uint32_t num = 0; num < 4; num++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, TO(700), 2, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
        RECORD(&k, 2, 1, 0);
        PUT(&k, HAND_DATA, num << 16, (1u << num) - 1, 20, 20, 20);
        cr_expect(eq(u64, cost_of(&k, 0x04010020), 2 + 2 * num));
        HEADER(&k, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
        PUT(&k, HAND_DATA, num << 16, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        cr_expect(eq(u64, cost_of(&k, 0x04010028), 2 + 2 * num));
    }
}

/* One unit for each block, where the header is that of a kind of morphing. */
Test(hmd_infer_work, blocks_that_are_noted)
{
    for (uint32_t num = 1; num < 5; num++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, TO(700), 2, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
        RECORD(&k, 1 + num, num, 0, 10, 20, 30);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const uint64_t before = k.in.left;
        hmd_infer_mark_blocks(&k.in, &shape);
        cr_expect(eq(u64, before - k.in.left, num));
        cr_expect(eq(u32, hmd_infer_next(&k.in, HAND_DATA - 1), HAND_DATA));
    }
}

/* Of sections that follow each other each costs one unit, and one for the word of bits in which the
 * next one is found. */
Test(hmd_infer_work, sections_that_follow_each_other)
{
    uint64_t cost[4];
    for (uint32_t num = 0; num < NUM(cost); num++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, TO(HAND_DATA), TO(640), TO(700));
        RECORD(&k, 2, 1, 5);
        for (uint32_t i = 1; i < 6; i++) {
            hmd_infer_mark(&k.in.known, 640 + 4 * i);
        }
        for (uint32_t i = 1; i <= num; i++) {
            hmd_infer_mark(&k.in.vertices, 640 + 4 * i);
        }
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const uint64_t before = k.in.left;
        hmd_area area;
        cr_expect(hmd_infer_area(&k.in, &shape, HMD_POLYGONS, &area));
        cr_expect(eq(u32, area.num_vertices, 2 + 2 * num));
        cost[num] = before - k.in.left;
        cr_expect(eq(u64, cost[num], cost[0] + 2 * num));
    }
}

/* Where a section is followed by the end of the bytes there is no bit to look at: what the table
 * behind has there is another's. */
Test(hmd_infer_work, a_section_up_to_the_end_of_the_bytes)
{
    uint64_t cost[2];
    for (uint32_t is_marked = 0; is_marked < 2; is_marked++) {
        static ink k;
        ink_open(&k);
        HEADER(&k, TO(HAND_DATA), TO(640), TO(700));
        RECORD(&k, 2, 1, 5);
        hmd_infer_mark(&k.in.known, HAND_WORDS);
        k.normals[0] = is_marked;
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const uint64_t before = k.in.left;
        hmd_area area;
        cr_expect(hmd_infer_area(&k.in, &shape, HMD_POLYGONS, &area));
        cr_expect(eq(u32, area.num_vertices, HMD_MOST_WORDS));
        cost[is_marked] = before - k.in.left;
    }
    cr_expect(eq(u64, cost[0], cost[1]));
}

/* An image of memory with one record that was scanned, and what inferring its type costs. */
static uint64_t infer(hand *h, uint32_t num_args, uint32_t num_words)
{
    hand_open_image(h);
    hand_put(h, HAND_RECORD, 0x80040000);
    hand_put(h, HAND_RECORD + 1, 1);
    hand_add_primitive(h, HAND_PRIMITIVE, hand_add_header(h, NULL, 0));
    (void)hand_add_driver(h, 0x80040000, 0, NULL, 0);
    h->headers[0].num_words = num_args;
    h->model.num_words = num_words;
    h->model.bytes = fh_cursor_make(h->bytes, (size_t)4 * num_words, 0);
    const uint64_t before = h->budget.left;
    cr_expect(hmd_infer(&h->check));
    return before - h->budget.left;
}

/* It ends after 0x40000 units of work and 16 for each word. What is around it, for one record: it
 * is counted, then looked for (2), noted, counted for its driver, and sorted with it (2);
 * afterwards looked at for lost functions, counted, as a header, and for what plays (1 and 7 for a
 * sequence that there is none of); three coordinates are looked at. */
Test(hmd_infer_work, how_much_is_looked_at)
{
    enum { AROUND = 1 + 2 + 1 + 1 + 2 + 1 + 1 + 1 + 1 + HMD_SEQUENCE_WORDS, COORDINATES = 3 * 8 };
    static const uint32_t nums[] = {200, 201, HAND_WORDS};
    for (size_t i = 0; i < NUM(nums); i++) {
        static hand h;
        const uint64_t all = 0x40000 + 16 * (uint64_t)nums[i];
        cr_expect(eq(u64, infer(&h, 1u << 20, nums[i]), all + AROUND + COORDINATES));
    }
}

/* ---- memory ---- */

enum { ALIASES = 8, PATTERN = 0xa5 };

static void put_drivers(hand *h)
{
    hand_open_image(h);
    hand_add_primitive(h, HAND_PRIMITIVE, hand_add_header(h, NULL, 0));
    for (uint32_t i = 0; i < ALIASES; i++) {
        (void)hand_add_driver(h, 0x80040000 + 16 * i, 0, NULL, 0);
    }
}

/* A table of as many drivers as there are records: it is filled to its end, and nothing behind it
 * is touched. There is no memory for what comes next. */
Test(hmd_infer_work, a_table_of_drivers_that_is_full)
{
    static hand h;
    put_drivers(&h);
    const size_t len = ALIASES * sizeof(hmd_alias);
    fh_arena_return(&h.arena);
    memset(h.memory, PATTERN, sizeof h.memory);
    h.arena = fh_arena_make(h.memory, len + FH_ARENA_GAP_LEN);
    cr_expect(hmd_infer(&h.check) == false);
    cr_expect(h.check.no_memory);
    cr_expect(eq(u32, h.model.num_aliases, ALIASES));
    for (uint32_t i = 0; i < ALIASES; i++) {
        cr_expect(eq(u32, h.model.aliases[i].address, 0x80040000 + 16 * i));
        cr_expect(eq(u32, h.model.aliases[i].num_records, 1));
    }
    fh_arena_return(&h.arena);
    for (size_t i = len; i < sizeof h.memory; i++) {
        HOLD(h.memory[i] == PATTERN, "byte %zu", i - len);
    }
}

/* Where all types are known nothing is inferred, and no memory is wanted for it. */
Test(hmd_infer_work, types_that_are_all_known)
{
    static hand h;
    hand_open_image(&h);
    hand_add_primitive(&h, HAND_PRIMITIVE, hand_add_header(&h, NULL, 0));
    (void)hand_add_record(&h, 0, 0, NULL, 0);
    fh_arena_return(&h.arena);
    h.arena = fh_arena_make(h.memory, sizeof(hmd_alias) + FH_ARENA_GAP_LEN);
    cr_expect(hmd_infer(&h.check));
    cr_expect(h.check.no_memory == false);
    cr_expect(h.model.is_unscanned == false);
}

/* ---- tables of starts ---- */

/* A triangle in an image of 8448 words, which wants a vertex and a normal. There are ten and forty;
 * its packet ends where something else begins, and that goes for a word near the end, too. */
static uint32_t type_of_triangle(hand *h, uint32_t vertex, uint32_t normal)
{
    enum { VERTICES = 200, NORMALS = 220, PACKETS = 300, LAST = 8412, NUM_WORDS = 8448 };
    static uint8_t large[4 * NUM_WORDS];
    const uint32_t here = 0x80000000 | HAND_BASE;
    const uint32_t lit[] = {here + 4 * PACKETS, here + 4 * VERTICES, here + 4 * NORMALS};
    const uint32_t more[] = {here + 4 * (PACKETS + 3), here + 4 * LAST};
    const uint32_t triangle[] = {0x20000000, vertex << 16 | normal, 2 << 16 | 1};
    const uint32_t first = 0;
    hand_open_image(h);
    const uint32_t header = hand_add_header(h, lit, NUM(lit));
    (void)hand_add_header(h, more, NUM(more));
    hand_add_primitive(h, HAND_PRIMITIVE, header);
    (void)hand_add_driver(h, 0x80040000, 1, &first, 1);
    hand_put_all(h, PACKETS, triangle, NUM(triangle));
    memcpy(large, h->bytes, sizeof h->bytes);
    h->model.num_words = NUM_WORDS;
    h->model.bytes = fh_cursor_make(large, sizeof large, 0);
    cr_assert(hmd_infer(&h->check));
    return h->records[0].type;
}

Test(hmd_infer_work, vertices_and_normals_that_there_are)
{
    static hand h;
    cr_expect(eq(u32, type_of_triangle(&h, 9, 39), 0x00000008));
    cr_expect(eq(u32, type_of_triangle(&h, 10, 39), HMD_NO_TYPE));
    cr_expect(eq(u32, type_of_triangle(&h, 9, 40), HMD_NO_TYPE));
}
