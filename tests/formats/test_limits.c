/* Work and memory that do not suffice: at every point at which they may end. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define UNIT " r 0 0 0 s 4096 4096 4096 t 0 0 0\n"

/* Every kind of work: parents to climb, children to look for, a second asset behind the first. */
static const char *const files[] = {
    "tod resolution=4\nframe 0\nrepeat 6\ncreate $+1\ncoord $+1" UNIT
    "endrepeat\nrepeat 5\nparent $+2 $+1\nendrepeat\n"
    "frame 1\nmodel 1 1\nlight 0 dir 0 0 0\ncamera 0 view\nframe 2\nmatrix 2 1 2 3 4 5 6 7 8 9 1 2 "
    "3\nparent 1 6\nframe 3\nkill 1\nmodel 2 1",
    "tod resolution=4\nframe 0\nrepeat 6\ncreate $+1\ncoord $+1" UNIT
    "endrepeat\nparent 6 1\nkill 1\nkill 6",
    "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
    "tail\nword 0x50 1 0x20003 0 0x01080001 0x01080002",
    "tod resolution=4\nframe 0\ncoord 1 diff t 1 2 3\nframe 1\nframe 2\ncoord 2 diff r 1 2 3",
    "tod resolution=4\nframe 0\nmodel 1 1\nframe 1\nframe 2",
    "tod resolution=4\nframe 0\ncreate 1\ncreate 2\nparent 1 2\nparent 2 1",
};
enum { NUM_FILES = sizeof files / sizeof files[0] };

typedef struct attempt {
    record got;
    fh_status status;
    fh_asset asset;
    const void *model;
    fh_replay_result result;
    uint64_t spent;
} attempt;

static attempt try_verify(bench *b, const forge_tod *tod, uint64_t budget)
{
    attempt a = {.status = FH_INTERNAL};
    const fh_sink sink = record_sink(&a.got);
    b->arena = fh_arena_make(b->block, BENCH_ARENA);
    b->budget.left = budget;
    const fh_env env = {&b->arena, &b->budget, &sink};
    a.status =
        b->format->verify(&a.asset, &a.model, &env, fh_cursor_make(tod->out.data, tod->out.len, 0),
                          &(fh_verify_options){true, true});
    a.spent = budget - b->budget.left;
    return a;
}

static attempt try_replay(bench *b, const void *model, uint64_t budget,
                          const fh_replay_options *options)
{
    attempt a = {.status = FH_INTERNAL};
    const fh_sink sink = record_sink(&a.got);
    const size_t mark = fh_arena_mark(&b->arena);
    b->budget.left = budget;
    const fh_env env = {&b->arena, &b->budget, &sink};
    a.status = b->format->replay(&a.result, &env, model, options);
    a.spent = budget - b->budget.left;
    fh_arena_reset(&b->arena, mark);
    return a;
}

/* A spent budget is a finding and FH_LIMIT, never silence: what is OK says all that there is. */
static void hold_every_budget(const char *text, int i)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(text);
    attempt whole = try_verify(&b, &tod, BENCH_BUDGET);
    HOLD(whole.status == FH_OK, "file %d: %d", i, whole.status);
    for (uint64_t budget = 0; budget <= whole.spent; budget++) {
        attempt a = try_verify(&b, &tod, budget);
        HOLD(a.status == FH_LIMIT || a.status == FH_OK, "file %d budget %d: %d", i, (int)budget,
             a.status);
        HOLD(record_count(&a.got, "TOD0131") == (a.status == FH_LIMIT ? 1 : 0),
             "file %d budget %d: %s", i, (int)budget, record_codes(&a.got));
        HOLD((a.model == NULL) == (a.status == FH_LIMIT), "file %d budget %d", i, (int)budget);
        HOLD(a.asset.grade <= FH_GRADE_STRUCTURE || a.status == FH_OK, "file %d budget %d", i,
             (int)budget);
        if (a.status == FH_OK) {
            HOLD(record_equal(&a.got, &whole.got),
                 "file %d: OK with a budget of %d of %d, and other findings", i, (int)budget,
                 (int)whole.spent);
        }
        HOLD(budget < whole.spent || a.status == FH_OK, "file %d: the budget spent is enough", i);
        record_free(&a.got);
    }
    record_free(&whole.got);
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(limits, every_budget_of_verify)
{
    for (int i = 0; i < NUM_FILES; i++) {
        hold_every_budget(files[i], i);
    }
}

/* The search for a child pays as well, and here nothing comes behind it that would notice. */
Test(limits, every_budget_of_a_file_that_ends_by_killing_a_parent)
{
    hold_every_budget("tod resolution=4\nframe 0\nrepeat 6\ncreate $+1\ncoord $+1" UNIT
                      "endrepeat\nparent 6 1\nkill 1",
                      NUM_FILES);
}

Test(limits, every_budget_of_replay)
{
    bench b;
    bench_open(&b);
    for (int i = 0; i < NUM_FILES; i++) {
        forge_tod tod = bench_build(files[i]);
        attempt verified = try_verify(&b, &tod, BENCH_BUDGET);
        const void *const before[1] = {verified.model};
        for (int how = 0; how < 8; how++) {
            const fh_replay_options options = {.world = (how & 1) != 0,
                                               .changes_only = (how & 2) != 0,
                                               .before = before,
                                               .num_before = (how & 4) != 0 ? 1 : 0};
            attempt whole = try_replay(&b, verified.model, BENCH_BUDGET, &options);
            HOLD(whole.status == FH_OK && whole.result.state != FH_REPLAY_STOPPED, "file %d", i);
            for (uint64_t budget = 0; budget <= whole.spent; budget++) {
                attempt a = try_replay(&b, verified.model, budget, &options);
                HOLD(a.status == FH_OK, "file %d budget %d", i, (int)budget);
                const bool stopped = a.result.state == FH_REPLAY_STOPPED;
                HOLD(stopped == (budget < whole.spent), "file %d budget %d of %d", i, (int)budget,
                     (int)whole.spent);
                HOLD(record_count(&a.got, "TOD0131") == (stopped ? 1 : 0), "file %d budget %d", i,
                     (int)budget);
                HOLD(stopped || record_equal(&a.got, &whole.got), "file %d budget %d", i,
                     (int)budget);
                HOLD(a.got.num_poses <= whole.got.num_poses &&
                         a.got.num_frames <= whole.got.num_frames,
                     "more than all");
                for (size_t k = 0; k < a.got.num_poses; k++) {
                    HOLD(memcmp(a.got.poses[k].values, whole.got.poses[k].values,
                                sizeof a.got.poses[k].values) == 0,
                         "file %d budget %d: row %zu", i, (int)budget, k);
                }
                record_free(&a.got);
            }
            record_free(&whole.got);
        }
        record_free(&verified.got);
        forge_tod_free(&tod);
    }
    bench_close(&b);
}

/* In a block of its own size, so that a sanitizer sees a byte too far. */
static fh_status verify_in(bench *b, const forge_tod *tod, size_t size, size_t *used)
{
    void *block = malloc(size + 1);
    fh_arena arena = fh_arena_make(block, size);
    record got = {0};
    fh_asset asset;
    const void *model = &arena;
    const fh_sink sink = record_sink(&got);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {&arena, &budget, &sink};
    HOLD(block != NULL, "memory");
    const fh_status status =
        b->format->verify(&asset, &model, &env, fh_cursor_make(tod->out.data, tod->out.len, 0),
                          &(fh_verify_options){true, true});
    HOLD((model == NULL) == (status != FH_OK), "size %zu: a model of what did not fit", size);
    HOLD(arena.used <= size, "size %zu", size);
    *used = arena.used;
    record_free(&got);
    free(block);
    return status;
}

Test(limits, every_arena_of_verify)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(files[0]);
    size_t enough = 0, used = 0;
    HOLD(verify_in(&b, &tod, BENCH_ARENA, &enough) == FH_OK, "whole");
    enough -= FH_ARENA_GAP_LEN; /* behind the last table */
    for (size_t size = 0; size < enough; size += 16) {
        const fh_status status = verify_in(&b, &tod, size, &used);
        HOLD(status == FH_NO_MEMORY, "%zu of %zu bytes: %d", size, enough, status);
    }
    cr_assert(eq(int, (int)verify_in(&b, &tod, enough, &used), FH_OK));
    cr_assert(eq(int, (int)verify_in(&b, &tod, enough - 1, &used), FH_NO_MEMORY));
    forge_tod_free(&tod);
    bench_close(&b);
}

static fh_status replay_in(bench *b, size_t size, size_t *used)
{
    void *block = malloc(size + 1);
    fh_arena arena = fh_arena_make(block, size);
    record got = {0};
    fh_replay_result result;
    const fh_sink sink = record_sink(&got);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {&arena, &budget, &sink};
    HOLD(block != NULL, "memory");
    const fh_status status =
        b->format->replay(&result, &env, b->model, &(fh_replay_options){.world = true});
    HOLD((result.state == FH_REPLAY_STOPPED) == (status != FH_OK), "size %zu: state %d", size,
         result.state);
    HOLD(status == FH_OK || (got.num_poses == 0 && result.frames == 0), "size %zu", size);
    *used = arena.used;
    record_free(&got);
    free(block);
    return status;
}

Test(limits, every_arena_of_replay)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(files[0]);
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    size_t enough = 0, used = 0;
    HOLD(replay_in(&b, BENCH_ARENA, &enough) == FH_OK, "whole");
    enough -= FH_ARENA_GAP_LEN;
    for (size_t size = 0; size < enough; size += 16) {
        HOLD(replay_in(&b, size, &used) == FH_NO_MEMORY, "%zu of %zu bytes", size, enough);
    }
    cr_assert(eq(int, (int)replay_in(&b, enough, &used), FH_OK));
    cr_assert(eq(int, (int)replay_in(&b, enough - 1, &used), FH_NO_MEMORY));
    forge_tod_free(&tod);
    bench_close(&b);
}

/* What the hunt gives an asset is enough for everything sound, however dense it is. */
Test(limits, the_budget_for_an_asset_suffices_for_the_densest_ones)
{
    static const char *const dense[] = {
        "tod resolution=4\nframe 0\nrepeat 50\ncreate $+1\nendrepeat\nrepeat 30000\npacket 60 8 "
        "1\nendrepeat",
        "tod resolution=4\nframe 0\nrepeat 50\ncreate $+1\nendrepeat\nrepeat 2000\nframe +\npacket "
        "50 8 3\nendrepeat",
        "tod resolution=4\nframe 0\nrepeat 50\ncreate $+1\nendrepeat\nrepeat 20000\nframe "
        "+\nendrepeat",
        "tod resolution=4\nframe 0\nrepeat 50\ncreate $+1\nendrepeat\nrepeat 49\nparent $+2 "
        "$+1\nendrepeat\nrepeat 10000\nparent 50 49\nendrepeat",
    };
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof dense / sizeof dense[0]; i++) {
        forge_tod tod = bench_build(dense[i]);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        HOLD(b.status == FH_OK, "file %zu", i);
        bench_replay(&b, &(fh_replay_options){.changes_only = true});
        const uint64_t spent = BENCH_BUDGET - b.budget.left;
        HOLD(spent <= FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * tod.out.len,
             "file %zu: %llu units for %zu bytes", i, (unsigned long long)spent, tod.out.len);
        HOLD(b.arena.used <= FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * tod.out.len, "file %zu", i);
        forge_tod_free(&tod);
    }
    bench_close(&b);
}
