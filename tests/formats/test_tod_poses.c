/* Poses of a TOD: what is shown of the player, and memory that is not there. */
#include "bench.h"

#include "tod/tod_poses.h"

#include <stdlib.h>
#include <string.h>

/* ---- refusing allocations: the linker puts this in the place of fh_arena_alloc ---- */

void *__real_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);
void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);

static unsigned num_allocs; /* so far */
static unsigned refused;    /* the one that gets nothing, counted from 1; 0: none */

void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len)
{
    return ++num_allocs == refused ? NULL : __real_fh_arena_alloc(arena, num, elem_len);
}

static fh_status replay_without(bench *b, unsigned which)
{
    num_allocs = 0;
    refused = which;
    bench_replay(b, &(fh_replay_options){.world = true});
    refused = 0;
    return b->replay_status;
}

/* No table is done without, whichever of them it is that there is no memory for. */
Test(tod_poses, every_allocation_of_a_replay_fails_once)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build("tod\nframe 0\ncreate 1\nlight 0 rgb 1 2 3");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    HOLD(replay_without(&b, 0) == FH_OK, "with all of them");
    const unsigned num = num_allocs;
    cr_assert(gt(uint, num, 5));
    cr_assert(eq(sz, b.replay.num_poses, 3), "an object, its world matrix and a light");
    for (unsigned i = 1; i <= num; i++) {
        HOLD(replay_without(&b, i) == FH_NO_MEMORY, "without table %u", i);
        HOLD(b.replay.num_frames == 0 && b.result.state == FH_REPLAY_STOPPED, "table %u", i);
    }
    forge_tod_free(&tod);
    bench_close(&b);
}

/* ---- lights ---- */

/* Three lights, and bytes behind them that would be one more. */
Test(tod_poses, there_are_three_lights)
{
    struct {
        tod_player player;
        uint8_t behind[64];
    } table;
    tod_poses poses;
    bench b;
    bench_open(&b);
    b.arena = fh_arena_make(b.block, BENCH_ARENA);
    const fh_sink sink = record_sink(&b.replay);
    HOLD(tod_player_init(&table.player, &b.arena, TOD_PROFILE_131, 4) == FH_OK, "memory");
    memset(table.behind, 1, sizeof table.behind);
    table.player.any_light = true;
    for (uint8_t i = 0; i < TOD_NUM_LIGHTS; i++) {
        table.player.lights[i] = (tod_light){{i, -2, 3}, {40, i, 60}, .used = i != 1};
    }
    HOLD(tod_poses_init(&poses, &b.arena, &table.player, &sink, &(fh_replay_options){0}) == FH_OK,
         "memory");
    tod_poses_show(&poses, &table.player, &(fh_pose_frame){0, 0});
    cr_assert(eq(sz, b.replay.num_poses, 2), "those in use");
    for (int64_t i = 0; i < TOD_NUM_LIGHTS; i += 2) {
        cr_expect(eq(i64, record_value(&b.replay, "light", i, 0, "direction_x"), i));
        cr_expect(eq(i64, record_value(&b.replay, "light", i, 0, "direction_y"), -2));
        cr_expect(eq(i64, record_value(&b.replay, "light", i, 0, "green"), i));
    }
    bench_close(&b);
}

/* ---- what a scene is told ---- */

Test(tod_poses, other_rows_say_nothing_about_a_scene)
{
    static const fh_column columns[] = {{"id", FH_COLUMN_INT}};
    static const fh_pose_table table = {"worlds", columns, 1};
    const fh_pose_value values[] = {{.i = 1}};
    const fh_pose_row row = {&table, values};
    fh_scene_pose pose;
    cr_assert(not(fh_format_find("tod")->scene->place(&pose, &row)));
}

/* A file of one packet has no table of all ids that there could be. */
Test(tod_poses, small_files_take_little_memory)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build("tod\nframe 0\ncreate 1");
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    HOLD(b.status == FH_OK && b.arena.used < 65536, "%zu bytes", b.arena.used);
    forge_tod_free(&tod);
    bench_close(&b);
}
