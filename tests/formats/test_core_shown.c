/* Rows that are shown: all of them, or only what has changed. */
#include "bench.h"

#include "core/shown.h"

#include <stdalign.h>

static const fh_column thing_columns[] = {{"thing", FH_COLUMN_INT}, {"place", FH_COLUMN_REAL}};
static const fh_pose_table thing_table = {"thing", thing_columns, 2};

/* Shows a row of one thing in a frame of its own. */
static void show_thing(fh_shown *shown, size_t thing, int64_t number, double place)
{
    const fh_pose_value row[2] = {{.i = number}, {.r = place}};
    fh_pass_frame(shown->sink, &(fh_pose_frame){0, 0});
    fh_shown_row(shown, thing, row);
}

Test(shown, rows_are_left_out_only_where_changes_are_wanted)
{
    static alignas(max_align_t) uint8_t block[256];
    for (int i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_shown shown;
        record got = {0};
        const fh_sink sink = record_sink(&got);
        const bool changes_only = i == 1;
        cr_assert(eq(int, (int)fh_shown_make(&shown, &arena, &sink, &thing_table, 2, changes_only),
                     FH_OK));
        show_thing(&shown, 0, 0, 0.5);
        show_thing(&shown, 1, 1, 0.5);
        show_thing(&shown, 0, 7, 0.5); /* only the first column is another one */
        show_thing(&shown, 0, 0, -0.0);
        show_thing(&shown, 0, 0, 0.0); /* other bits */
        cr_assert(eq(sz, got.num_poses, changes_only ? 4 : 5));
        cr_assert(eq(i64, fh_shown_last(&shown, 1)[0].i, 1));
        record_free(&got);
    }
}

Test(shown, what_is_gone_is_said_once)
{
    static alignas(max_align_t) uint8_t block[256];
    for (int i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_shown shown;
        record got = {0};
        const fh_sink sink = record_sink(&got);
        cr_assert(
            eq(int, (int)fh_shown_make(&shown, &arena, &sink, &thing_table, 2, i == 1), FH_OK));
        fh_shown_gone(&shown, 1); /* it never was */
        show_thing(&shown, 1, 1, 2);
        fh_shown_gone(&shown, 1);
        fh_shown_gone(&shown, 1);
        cr_assert(eq(sz, got.num_poses, i == 1 ? 2 : 1));
        if (i == 1) {
            cr_assert(eq(i64, got.poses[1].values[0], 1));
            cr_assert(eq(i64, got.poses[1].values[1], FH_UNKNOWN));
        }
        show_thing(&shown, 1, 1, 2); /* back again, and as it was */
        cr_assert(eq(sz, got.num_poses, i == 1 ? 3 : 2));
        record_free(&got);
    }
}

Test(pose, which_columns_are_real)
{
    cr_assert(fh_is_real_column(FH_COLUMN_REAL));
    cr_assert(not(fh_is_real_column(FH_COLUMN_INT) || fh_is_real_column(FH_COLUMN_NAME)));
}

Test(shown, a_full_arena_and_a_deaf_sink)
{
    static alignas(max_align_t) uint8_t block[64];
    fh_arena arena = fh_arena_make(block, sizeof block);
    const fh_sink deaf = {.user = NULL};
    fh_shown shown;
    cr_assert(
        eq(int, (int)fh_shown_make(&shown, &arena, &deaf, &thing_table, 100, false), FH_NO_MEMORY));
    arena = fh_arena_make(block, sizeof block);
    cr_assert(eq(int, (int)fh_shown_make(&shown, &arena, &deaf, &thing_table, 1, true), FH_OK));
    show_thing(&shown, 0, 0, 3);
    fh_shown_gone(&shown, 0);
    cr_assert(not(shown.is_shown[0]));
}
