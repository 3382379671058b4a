/* The memo: what is known of chains that were followed before. */
#include "bench.h"

#include "core/memo.h"

Test(memo, a_range_has_two_ends)
{
    fh_memo memo = {0};
    const fh_memo_range range = {.kind = 3, .first = 10, .last = 20};
    cr_assert(fh_memo_in_range(NULL, 3, 10) == NULL);
    fh_memo_note_range(NULL, &range);
    cr_assert(fh_memo_in_range(&memo, 3, 10) == NULL);
    fh_memo_note_range(&memo, &range);
    cr_assert(fh_memo_in_range(&memo, 2, 15) == NULL, "of another kind");
    for (uint64_t at = 0; at < 30; at++) {
        const bool is_in = at >= 10 && at <= 20;
        HOLD((fh_memo_in_range(&memo, 3, at) == &memo.same) == is_in, "%d", (int)at);
    }
}

Test(memo, keeps_what_lies_in_its_range)
{
    uint32_t steps[8] = {0};
    fh_memo memo = {.steps = steps, .num_steps = 8, .origin = 100, .unit = 4};
    uint32_t got = 99;
    cr_assert(not(fh_memo_find(&memo, 100, &got)));
    cr_assert(eq(u32, got, 99), "failure changes no output");
    const uint64_t outside[] = {0, 96, 99, 101, 103, 129, 132, 1000, UINT64_MAX, UINT64_MAX - 3};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        fh_memo_note(&memo, outside[i], 5);
        HOLD(!memo.is_used, "noted %llu", (unsigned long long)outside[i]);
        HOLD(!fh_memo_find(&memo, outside[i], &got), "found %llu", (unsigned long long)outside[i]);
    }
    for (uint64_t off = 100; off < 132; off += 4) {
        fh_memo_note(&memo, off, (uint32_t)(off - 100) / 4);
    }
    cr_assert(memo.is_used);
    for (uint64_t off = 100; off < 132; off += 4) {
        HOLD(fh_memo_find(&memo, off, &got) && got == (off - 100) / 4, "offset %d", (int)off);
    }
    fh_memo_note(&memo, 100, UINT32_MAX);
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, 0), "a number that cannot be kept is not");
    fh_memo_note(&memo, 100, INT32_MAX);
    cr_assert(not(fh_memo_find_endless(&memo, 100, &got)), "nor does it become another");
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, 0));
    fh_memo_note(&memo, 100, INT32_MAX - 1);
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, INT32_MAX - 1));
}

Test(memo, endless_chains_are_apart_from_broken_ones)
{
    uint32_t steps[16] = {0};
    fh_memo memo = {.steps = steps, .num_steps = 16, .origin = 1000, .unit = 4};
    uint32_t got = 77;
    cr_assert(not(fh_memo_find_endless(&memo, 1000, &got)));
    fh_memo_begin_endless(&memo, 1000, 9000, 4000);
    fh_memo_note_endless(&memo, 1004, 5);
    fh_memo_note(&memo, 1008, 6);
    fh_memo_note_endless(&memo, 1008, 7); /* a break is known already */
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    cr_assert(eq(u32, got, 5));
    cr_assert(not(fh_memo_find(&memo, 1004, &got)));
    cr_assert(fh_memo_find(&memo, 1008, &got));
    cr_assert(eq(u32, got, 6));
    cr_assert(not(fh_memo_find_endless(&memo, 1008, &got)));
    cr_assert(not(fh_memo_find_endless(&memo, 2000, &got)), "outside the range");
    /* Nor is what is known already written over, nor noted what no chain is so long for. */
    fh_memo_note_endless(&memo, 1004, 9);
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    cr_assert(eq(u32, got, 5));
    fh_memo_note_endless(&memo, 1012, 0x7fffffff);
    cr_assert(not(fh_memo_find_endless(&memo, 1012, &got)));
    fh_memo_note_endless(&memo, 1012, 0x7ffffffe);
    cr_assert(fh_memo_find_endless(&memo, 1012, &got));
    cr_assert(eq(u32, got, 0x7ffffffe));
    fh_memo_note_endless(&memo, 1002, 5); /* between two entries */
    fh_memo_note_endless(&memo, 5000, 5);
    cr_assert(not(fh_memo_find_endless(&memo, 5000, &got)));
    fh_memo_note(&memo, 1016, 0x80000000);
    cr_assert(not(fh_memo_find(&memo, 1016, &got)));
    /* Another chain: what is known goes no further than the shorter of both. */
    fh_memo_begin_endless(&memo, 1000, 8000, 4000);
    cr_assert(eq(u64, memo.endless_to, 8000));
    fh_memo_begin_endless(&memo, 1000, 9500, 4000);
    cr_assert(eq(u64, memo.endless_to, 8000));
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    /* From here on too little is left of the old ones. */
    fh_memo_begin_endless(&memo, 4001, 12001, 4000);
    cr_assert(eq(u64, memo.endless_to, 12001));
    cr_assert(not(fh_memo_find_endless(&memo, 1004, &got)));
    cr_assert(not(fh_memo_find(&memo, 1004, &got)), "nor is it a broken one");
    cr_assert(fh_memo_find(&memo, 1008, &got));
}

/* A chain that goes on for as many bytes as are asked for stays; with one byte less all of them
 * are forgotten, the first and the last, and nothing behind the last is touched. */
Test(memo, endless_chains_are_forgotten_when_too_little_is_left)
{
    for (uint64_t less = 0; less < 2; less++) {
        uint32_t steps[5] = {0, 0, 0, 0, 0x80000009};
        fh_memo memo = {.steps = steps, .num_steps = 4, .origin = 100, .unit = 4};
        uint32_t got = 0;
        fh_memo_begin_endless(&memo, 100, 1000, 500);
        fh_memo_note_endless(&memo, 100, 3);
        fh_memo_note_endless(&memo, 112, 3);
        fh_memo_begin_endless(&memo, 500 + less, 2000, 500);
        HOLD(memo.endless_to == (less == 0 ? 1000 : 2000), "to %llu",
             (unsigned long long)memo.endless_to);
        HOLD(fh_memo_find_endless(&memo, 100, &got) == (less == 0), "the first");
        HOLD(fh_memo_find_endless(&memo, 112, &got) == (less == 0), "the last");
        HOLD(steps[4] == 0x80000009, "what is not the memo's");
    }
}

Test(memo, moves_by_every_distance)
{
    for (unsigned unit = 1; unit <= 4; unit += 3) {
        for (uint64_t distance = 0; distance < 12; distance++) {
            uint32_t steps[8] = {0};
            fh_memo memo = {.steps = steps, .num_steps = 8, .origin = 40, .unit = unit};
            for (uint64_t i = 0; i < 8; i++) {
                fh_memo_note(&memo, 40 + i * unit, (uint32_t)i + 10);
            }
            fh_memo_move(&memo, 40 + distance * unit);
            HOLD(memo.origin == 40 + distance * unit, "origin");
            HOLD(memo.is_used == (distance < 8), "used after %d", (int)distance);
            for (uint64_t i = 0; i < 24; i++) {
                uint32_t got = 0;
                const bool want = i >= distance && i < 8;
                HOLD(fh_memo_find(&memo, 40 + i * unit, &got) == want && (!want || got == i + 10),
                     "distance %d entry %d", (int)distance, (int)i);
            }
        }
    }
}

Test(memo, without_a_block_or_a_note)
{
    fh_memo none = {.unit = 4};
    uint32_t got = 0;
    fh_memo_note(&none, 0, 1);
    cr_assert(not(fh_memo_find(&none, 0, &got)));
    fh_memo_move(&none, 400);
    cr_assert(eq(u64, none.origin, 400));
    uint32_t steps[2] = {0};
    fh_memo empty = {.steps = steps, .num_steps = 2, .unit = 4};
    fh_memo_move(&empty, 4);
    cr_assert(not(empty.is_used));
    fh_memo blank = {0};
    fh_memo_note(&blank, 8, 1);
    cr_assert(not(blank.is_used || fh_memo_find(&blank, 8, &got)));
}
