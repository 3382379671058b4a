/* Camerawork: the sheet's numbers, closed forms, what lies between rows, and limits. */
#include "cam_bench.h"

#include "camerawork/cam_model.h"

#include <math.h>
#include <stdio.h>

/* ---- the sheet's numbers ---- */

static const char sheet[] = "camerawork\n"
                            "row key stored=0 pos 0 0 10\nrow\n"
                            "row key stored=0 pos 4 0 10\nrow\nrow\nrow\n"
                            "row key stored=0 pos 0 0 10\n";

Test(camerawork, automatic_velocities_give_the_path_of_the_sheet)
{
    static const double wanted[] = {0, 2.5, 4, 3.5625, 2.5, 1.1875, 0};
    bench b;
    open_cam(&b);
    for (int i = 0; i < 2; i++) {
        run_text(&b, sheet, i == 0 ? 1 : 100);
        cr_assert(eq(u32, b.result.frames, 7));
        for (uint32_t k = 0; k < 7; k++) {
            near(value_at(&b.replay, "camera", k, "position_x"), wanted[k], 1e-14, "x", k);
        }
    }
    bench_close(&b);
}

Test(camerawork, stored_velocities_hang_on_the_step)
{
    static const char text[] = "camerawork\nrow key pos 0 0 10 vel 1 0 0\nrow\n"
                               "row key pos 4 0 10 vel -1 0 0\n";
    bench b;
    open_cam(&b);
    run_text(&b, text, 0);
    near(value_at(&b.replay, "camera", 1, "position_x"), 2.5, 0, "x", 1);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0062"), 1));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0066"), 0));
    run_text(&b, text, 100);
    near(value_at(&b.replay, "camera", 1, "position_x"), 52, 0, "x", 1);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0062"), 0));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0066"), 1), "48 beyond a box of 4");
    bench_close(&b);
}

/* ---- closed forms ---- */

Test(camerawork, a_straight_line_is_straight)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nline 101 10 0 0 0 100 50 -25\n", 0);
    for (uint32_t i = 0; i < 101; i++) {
        near(value_at(&b.replay, "camera", i, "position_x"), i, 1e-12, "x", i);
        near(value_at(&b.replay, "camera", i, "position_y"), i / 2.0, 1e-12, "y", i);
        near(value_at(&b.replay, "camera", i, "position_z"), i / -4.0, 1e-12, "z", i);
        cr_assert(eq(i64, bits_at(&b.replay, "camera", i, "is_key"), i % 10 == 0 ? 1 : 0));
    }
    bench_close(&b);
}

/* A cubic Hermite piece is off by at most h^4 / 384 of the fourth derivative, which is radius
 * times angle^4 on a circle; six digits are printed. */
Test(camerawork, a_circle_is_round_within_the_bound_of_the_cubic)
{
    const double turn = 2 * 3.14159265358979323846 / 72;
    const double bound = 10 * pow(6 * turn, 4) / 384 + 1e-5;
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\ncircle 73 6 10 360\n", 0);
    for (uint32_t i = 0; i < 73; i++) {
        double target[3];
        near(value_at(&b.replay, "camera", i, "position_x"), 10 * cos(i * turn), bound, "x", i);
        near(value_at(&b.replay, "camera", i, "position_z"), 10 * sin(i * turn), bound, "z", i);
        vector_at(target, &b.replay, i, "target");
        near(target[0], -cos(i * turn), bound / 10, "target x", i);
        near(target[2], -sin(i * turn), bound / 10, "target z", i);
    }
    bench_close(&b);
}

Test(camerawork, twice_gives_the_same_bits)
{
    bench a;
    bench b;
    open_cam(&a);
    open_cam(&b);
    run_text(&a, "camerawork\ncircle 301 7 10 700\n", 0);
    run_text(&b, "camerawork\ncircle 301 7 10 700\n", 0);
    cr_assert(record_equal(&a.verify, &b.verify));
    cr_assert(record_equal(&a.replay, &b.replay));
    bench_close(&a);
    bench_close(&b);
}

/* ---- what lies between rows ---- */

Test(camerawork, a_direction_that_vanishes_between_rows_is_found)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 1), "at row 1.5");
    cr_assert(eq(i64, record_find(&b.replay, "CAM0060")->frame, 1));
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 0), "no row is touched");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0.003 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0), "0.0015 at the least");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0.0019 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 1), "0.00095 at the least");
    run_text(&b, "camerawork\nrow key\nrow key target 0 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0), "there is nothing between");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0 1 0 top 0 0 -1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0061"), 1), "parallel at row 1.5");
    bench_close(&b);
}

Test(camerawork, what_has_no_direction_is_held)
{
    double right[3];
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow key\nrow\nrow key target 0 0 1\n", 0);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 2));
    near(value_at(&b.replay, "camera", 1, "target_z"), -1, 0, "target z", 1);
    vector_at(right, &b.replay, 1, "right");
    near(right[0], 1, 0, "right x", 1);
    run_text(&b, "camerawork\nrow key\nrow\nrow key target 0 1 0 top 0 0 -1\n", 0);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 4));
    near(value_at(&b.replay, "camera", 1, "right_x"), 1, 0, "right x", 1);
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow\nrow key top 0 -1 0\n", 0);
    for (uint32_t row = 1; row < 4; row++) {
        cr_assert(eq(i64, bits_at(&b.replay, "camera", row, "held"), row == 2 ? 8 : 0));
        near(value_at(&b.replay, "camera", row, "top_y"), row == 3 ? -1 : 1, 0, "top y", row);
        near(value_at(&b.replay, "camera", row, "up_y"), row == 3 ? -1 : 1, 0, "up y", row);
    }
    bench_close(&b);
}

Test(camerawork, outside_of_the_keys_their_values_are_held)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow\nrow key pos 1 0 0\nrow\nrow key pos 2 0 0\nrow anchored\n", 0);
    near(value_at(&b.replay, "camera", 0, "position_x"), 1, 0, "x", 0);
    near(value_at(&b.replay, "camera", 4, "position_x"), 2, 0, "x", 4);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 0, "held"), 1));
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 0));
    cr_assert(eq(i64, bits_at(&b.replay, "anchor", 0, "held"), 1));
    cr_assert(eq(i64, bits_at(&b.replay, "anchor", 4, "is_key"), 1));
    bench_close(&b);
}

Test(camerawork, segments_at_a_key_that_is_no_number_are_left_out)
{
    bench b;
    open_cam(&b);
    run_text(&b,
             "camerawork\nrow key\nrow\nrow key c3=nan\nrow\nrow key pos 1 0 0 stored=0\nrow\n"
             "row key pos 3 0 0 stored=0\n",
             0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0064"), 1));
    for (uint32_t i = 0; i < 7; i++) {
        const bool is_there = row_of(&b.replay, "camera", i) != NULL;
        HOLD(is_there == (i == 0 || i >= 4), "frame %u", i);
    }
    /* The key behind takes its velocity from the neighbour that is a number. */
    near(value_at(&b.replay, "camera", 5, "position_x"), 2, 0, "x", 5);
    /* Velocities that are not used may be anything. */
    run_text(&b, "camerawork\nrow key c17=inf stored=0\nrow\nrow key\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0064"), 0));
    bench_close(&b);
}

Test(camerawork, without_keys_nothing_is_evaluated)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow\nrow\n", 0);
    cr_assert(eq(u32, b.result.frames, 0));
    cr_assert(eq(int, b.result.state, FH_REPLAY_STILL));
    cr_assert(eq(u32, b.asset.objects, 0));
    run_text(&b, "camerawork\nrow anchored\nrow\n", 0);
    cr_assert(eq(u32, b.result.frames, 2));
    cr_assert(eq(u32, b.asset.objects, 1));
    bench_close(&b);
}

Test(camerawork, only_changes_are_shown_if_wanted)
{
    forge_buf bytes = built("camerawork\nrow key anchored\nrow\nrow\nrow key anchored\n");
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, alone);
    bench_replay(&b, &(fh_replay_options){.changes_only = true});
    cr_assert(eq(sz, b.replay.num_frames, 4));
    cr_assert(eq(sz, b.replay.num_poses, 6), "keys, and the first row between them, of both lists");
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* ---- limits ---- */

Test(camerawork, indices_go_up_to_the_largest_int)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow 2147483646 key\nrow key\n", 0);
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0007 0047 0042"));
    run_text(&b, "camerawork\nrow 2147483647 key\nrow c1=2147483648\n", 0);
    cr_assert(eq(sz, record_count(&b.verify, "CAM0024"), 1));
    cr_assert(eq(int, b.asset.grade, FH_GRADE_CANDIDATE));
    run_text(&b, "camerawork\nrow -1 key\nrow key\n", 0);
    cr_assert(eq(sz, record_count(&b.verify, "CAM0007"), 1));
    bench_close(&b);
}

Test(camerawork, rows_beyond_the_limit_are_not_evaluated)
{
    static const char format[] =
        "camerawork form=given\nset pos 0 0 1 target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0\n"
        "set dtarget 0 0 0 dtop 0 0 0\nrow key pos 0.0 0 1\nrepeat %u\nrow\nendrepeat\n";
    char text[512];
    bench b;
    open_cam(&b);
    (void)snprintf(text, sizeof text, format, CAM_MOST_ROWS - 1);
    run_text(&b, text, 0);
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, b.result.frames, CAM_MOST_ROWS));
    (void)snprintf(text, sizeof text, format, CAM_MOST_ROWS);
    run_text(&b, text, 0);
    cr_assert(eq(int, b.result.state, FH_REPLAY_STOPPED));
    cr_assert(eq(u32, b.result.frames, CAM_MOST_ROWS));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0063"), 1));
    bench_close(&b);
}

Test(camerawork, unknown_profiles_and_steps_are_refused)
{
    forge_buf bytes = built("camerawork\nrow key\nrow key\n");
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, alone);
    bench_replay(&b, &(fh_replay_options){.profile = "1.31"});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.time_step = -1});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.time_step = INFINITY});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.profile = "hermite"});
    cr_assert(eq(int, b.replay_status, FH_OK));
    bench_close(&b);
    forge_buf_free(&bytes);
}
