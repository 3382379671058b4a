/* The items of an image record, written by hand: words that are too few for one more are none. */
#include "hmd_hand.h"

#include "hmd/hmd_checks.h"

/* The work of checking a record that counts two items, of which there are only so many words. */
static uint64_t work_of(uint32_t type, size_t num_words)
{
    static hand h;
    static fh_arena arena;
    static _Alignas(max_align_t) uint8_t memory[1 << 18];
    static const uint32_t args[] = {TO(HAND_DATA), TO(HAND_DATA)};
    const uint32_t data[12] = {0, 0x00010001, 0, 0, 0x00010010, 0, 1, 0x00010001, 0};
    hand_open_file(&h);
    fh_arena_return(&arena);
    arena = fh_arena_make(memory, sizeof memory);
    h.check.arena = &arena; /* the hand's has no room for the pixels of the video memory */
    (void)hand_add_header(&h, args, 2);
    hand_add_primitive(&h, HAND_PRIMITIVE, 0);
    (void)hand_add_record(&h, type, 2, data, num_words);
    hmd_check_images(&h.check);
    cr_assert(not(h.check.no_memory));
    return BENCH_BUDGET - h.budget.left;
}

Test(hmd_items, words_of_half_an_item)
{
    static const struct {
        uint32_t type;
        size_t num; /* words of an item */
    } rows[] = {{0x02000000, 3}, {0x02000001, 6}};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t one = work_of(rows[i].type, rows[i].num);
        for (size_t more = 1; more < rows[i].num; more++) {
            cr_expect(eq(u64, work_of(rows[i].type, rows[i].num + more), one), "%zu more", more);
        }
        cr_expect(gt(u64, work_of(rows[i].type, 2 * rows[i].num), one));
    }
}
