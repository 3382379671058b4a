/* The memory and the work that a decoder may take: arena and budget. */
#include "bench.h"

#include <stdalign.h>
#include <string.h>

/* ---- arena ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

Test(arena, aligned_zeroed_and_never_past_its_end)
{
    static alignas(max_align_t) uint8_t block[512];
    for (size_t size = 0; size <= sizeof block; size += 7) {
        memset(block, 0xaa, sizeof block);
        fh_arena arena = fh_arena_make(block, size);
        size_t end = 0;
        for (size_t len = 1;; len++) {
            const size_t used = arena.used;
            uint8_t *at = fh_arena_alloc(&arena, 1, len);
            if (at == NULL) {
                HOLD(arena.used == used, "a failed allocation must not take anything");
                break;
            }
            const size_t off = (size_t)(at - block);
            HOLD(off % alignof(max_align_t) == 0, "alignment");
            HOLD(off >= end && off - end < alignof(max_align_t), "overlap or waste");
            end = off + len;
            HOLD(end <= size, "past the end");
            end += least(size - end, FH_ARENA_GAP_LEN);
            HOLD(arena.used == end, "%zu used of %zu", arena.used, end);
            for (size_t i = 0; i < len; i++) {
                HOLD(at[i] == 0, "not zeroed");
                at[i] = 0xbb;
            }
        }
        fh_arena_return(&arena);
        for (size_t i = size; i < sizeof block; i++) {
            HOLD(block[i] == 0xaa, "written behind the arena");
        }
    }
}

Test(arena, exact_fit_and_overflowing_products)
{
    static alignas(max_align_t) uint8_t block[64];
    fh_arena arena = fh_arena_make(block, sizeof block);
    cr_assert(fh_arena_alloc(&arena, SIZE_MAX, SIZE_MAX) == NULL);
    cr_assert(fh_arena_alloc(&arena, SIZE_MAX / 2 + 1, 2) == NULL);
    cr_assert(fh_arena_alloc(&arena, 2, SIZE_MAX / 2 + 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 65, 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 1, 65) == NULL);
    cr_assert(fh_arena_alloc(&arena, 4, 16) != NULL);
    cr_assert(eq(sz, arena.used, 64));
    cr_assert(fh_arena_alloc(&arena, 1, 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 0, 1) == block + 64, "nothing always fits");
}

Test(arena, padding_that_does_not_fit)
{
    static alignas(max_align_t) uint8_t block[32];
    fh_arena arena = fh_arena_make(block, 20);
    cr_assert(fh_arena_alloc(&arena, 17, 1) != NULL);
    cr_assert(eq(sz, arena.used, 17 + least(3, FH_ARENA_GAP_LEN)));
    cr_assert(fh_arena_alloc(&arena, 0, 1) == NULL);
}

Test(arena, mark_reset_and_none)
{
    static alignas(max_align_t) uint8_t block[64 + 2 * FH_ARENA_GAP_LEN];
    fh_arena arena = fh_arena_make(block, sizeof block);
    uint8_t *first = fh_arena_alloc(&arena, 5, 1);
    const size_t mark = fh_arena_mark(&arena);
    uint8_t *second = fh_arena_alloc(&arena, 40, 1);
    cr_assert(second == first + 16 + FH_ARENA_GAP_LEN);
    memset(second, 0xff, 40);
    cr_assert(fh_arena_alloc(&arena, 17, 1) == NULL);
    fh_arena_reset(&arena, mark);
    cr_assert(eq(sz, arena.used, mark));
    uint8_t *again = fh_arena_alloc(&arena, 40, 1);
    cr_assert(again == second);
    cr_assert(eq(int, again[39], 0), "zeroed again");
    fh_arena none = fh_arena_make(NULL, 0);
    cr_assert(fh_arena_alloc(&none, 1, 1) == NULL);
    cr_assert(fh_arena_alloc(&none, 0, 1) == NULL);
}

#ifdef FH_ARENA_GUARDED
#include <sanitizer/asan_interface.h>

Test(arena, a_gap_and_what_was_given_back_may_not_be_touched)
{
    static alignas(max_align_t) uint8_t block[256];
    fh_arena arena = fh_arena_make(block, sizeof block);
    const uint8_t *first = fh_arena_alloc(&arena, 5, 1);
    const size_t mark = fh_arena_mark(&arena);
    const uint8_t *second = fh_arena_room(&arena, 3, 4);
    cr_assert(not(__asan_address_is_poisoned(first + 4)));
    cr_assert(__asan_address_is_poisoned(first + 5));
    cr_assert(__asan_address_is_poisoned(first + FH_ARENA_GAP_LEN - 1)); /* it counts in eights */
    cr_assert(not(__asan_address_is_poisoned(second + 11)));
    cr_assert(__asan_address_is_poisoned(second + 12));
    fh_arena_reset(&arena, mark);
    cr_assert(__asan_address_is_poisoned(second));
    cr_assert(not(__asan_address_is_poisoned(first + 4)));
    fh_arena_return(&arena);
    cr_assert(__asan_region_is_poisoned(block, sizeof block) == NULL);
    cr_assert(arena.base == NULL);
}
#else
/* Nothing is lost where nothing is guarded. */
Test(arena, there_are_no_gaps)
{
    static alignas(max_align_t) uint8_t block[32];
    fh_arena arena = fh_arena_make(block, sizeof block);
    cr_assert(fh_arena_alloc(&arena, 16, 1) == block);
    cr_assert(fh_arena_alloc(&arena, 16, 1) == block + 16);
    fh_arena_return(&arena);
    cr_assert(arena.base == NULL);
}
#endif

/* ---- budget ---- */

Test(budget, pays_exactly)
{
    fh_budget budget = {10};
    cr_assert(fh_pay(&budget, 0));
    cr_assert(fh_pay(&budget, 4));
    cr_assert(fh_pay(&budget, 6));
    cr_assert(eq(u64, budget.left, 0));
    cr_assert(fh_pay(&budget, 0));
    cr_assert(not(fh_pay(&budget, 1)));
    budget.left = 9;
    cr_assert(not(fh_pay(&budget, UINT64_MAX)));
    cr_assert(eq(u64, budget.left, 0), "what cannot be paid takes all");
}
