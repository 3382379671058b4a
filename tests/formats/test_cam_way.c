/* Camerawork on the way between two keys: what is told of it, at the bounds of each rule, and of
 * what the evaluation has to do without. */
#include "cam_bench.h"

#include "camerawork/cam_canonical.h"
#include "camerawork/cam_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct way {
    const char *text; /* behind `camerawork` */
    double step;
    const char *codes; /* of replay */
    const char *found; /* of the last of them, and then its context; NULL: not looked at */
    const char *context;
} way;

static void hold_ways(const way *ways, size_t num)
{
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < num; i++) {
        HOLD(play(&b, ways[i].text, ways[i].step) == FH_OK, "case %zu", i);
        HOLD(strcmp(record_codes(&b.replay), ways[i].codes) == 0, "case %zu: %s, not %s", i,
             record_codes(&b.replay), ways[i].codes);
        HOLD(b.result.state == FH_REPLAY_COMPLETE, "case %zu", i);
        if (ways[i].found != NULL) {
            const fh_finding *last = &b.replay.findings[b.replay.num_findings - 1];
            HOLD(strcmp(last->found, ways[i].found) == 0, "case %zu: found '%s'", i, last->found);
            HOLD(strcmp(last->context, ways[i].context) == 0, "case %zu: '%s'", i, last->context);
        }
    }
    bench_close(&b);
}
#define HOLD_WAYS(ways) hold_ways(ways, sizeof(ways) / sizeof(ways)[0])

/* Two keys two rows apart; numbers stand as they are given. */
#define TWO(a, b) " form=given\nrow key " a "\nrow\nrow key " b "\n"

/* ---- directions ---- */

/* A target of 1e-3 is long enough, at a key and between two. */
Test(directions, the_shortest_target)
{
    static const way ways[] = {
        /* Nowhere shorter than at the first key. */
        {TWO("target 0 0 -1e-3", ""), 1, "", NULL, NULL},
        {TWO("target 0 0 -1e-3", "target 0 0 -1e-3"), 1, "", NULL, NULL},
        /* Control points 1, 0.8, 0.8, 1 thousandths. */
        {TWO("target 0 0 -1e-3 dtarget 0 0 3e-4", "target 0 0 -1e-3 dtarget 0 0 -3e-4"), 1, "0060",
         "8.500000e-04", "line 2"},
        /* Key or way: on the way to the other side it vanishes. */
        {TWO("target 0 0 -1e-3", "target 0 0 1"), 1, "0060", NULL, NULL},
        {TWO("target 0 0 -9.99e-4", "target 0 0 1"), 1, "", NULL, NULL},
        {TWO("target 0 0 -1", "target 0 0 9.99e-4"), 1, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
}

/* A key whose top makes an angle with a sine of 1e-6 is good, and so its way is looked at. */
Test(directions, the_least_sine_of_a_key)
{
#define TOP(z) " top 1e-6 0 " z
    static const way ways[] = {
        {TWO("target 0 0 -1" TOP("0.99999999999950007"), "target 0 0 1" TOP("0.99999999999950007")),
         1, "0060", "0", "line 2"},
        {TWO("target 0 0 -1" TOP("0.99999999999950018"), "target 0 0 1" TOP("0.99999999999950007")),
         1, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
#undef TOP
}

/* Likewise on the way: the first key of these is where the sine is least, and it is 1e-6 there to
 * the last bit of what is compared, or half of that. */
Test(directions, the_least_sine_of_a_way)
{
    static const way ways[] = {
        {TWO("top 1.0000000000004999e-06 0 0.99999999999999989 dtop 1 0 0", "top 0 1 0"), 1, "",
         NULL, NULL},
        {TWO("top 5e-7 1 1", "top 5e-7 -1 1"), 1, "0061", "5.000000e-07", "line 2"},
        {TWO("top 2e-6 1 1", "top 2e-6 -1 1"), 1, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
}

/* Whichever axis is square to both, they are not parallel; in whichever plane they meet, they
 * are. */
Test(directions, square_to_any_axis)
{
#define BOTH(target, top) TWO("target " target " top " top, "target " target " top " top)
    static const way ways[] = {
        {BOTH("0 0 -1", "0 1 0"), 1, "", NULL, NULL},
        {BOTH("1 0 0", "0 0 1"), 1, "", NULL, NULL},
        {BOTH("1 0 0", "0 1 0"), 1, "", NULL, NULL},
        {TWO("target 1 1 0 top 1 1 1", "target 1 1 0 top 1 1 -1"), 1, "0061", "0", "line 2"},
        {TWO("target 0 1 1 top 1 1 1", "target 0 1 1 top -1 1 1"), 1, "0061", "0", "line 2"},
        {TWO("target 1 0 1 top 1 1 1", "target 1 0 1 top 1 -1 1"), 1, "0061", "0", "line 2"},
    };
    HOLD_WAYS(ways);
#undef BOTH
}

/* Top may have any length, but not less than a millionth of what it has elsewhere on the way. */
Test(directions, the_least_length_of_top)
{
    static const way ways[] = {
        {TWO("top 1e-8 0 0", "top 1e-8 0 0"), 1, "", NULL, NULL},
        {TWO("top 0 1e-8 0", "top 0 1e-8 0"), 1, "", NULL, NULL},
        {TWO("top 0 1e8 0", "top 0 1e8 0"), 1, "", NULL, NULL},
        {TWO("top 0 1e-6 0", "top 0 1 0"), 1, "", NULL, NULL},
        {TWO("top 0 9.99e-7 0", "top 0 1 0"), 1, "0061", "9.990000e-07", "line 1"},
        /* Control points 1e7, 1, 1, 1, and the other way round. */
        {TWO("top 0 1e7 0 dtop 0 -14999998.5 0", "top 0 1 0"), 1, "0061", "1.000000e-07", "line 3"},
        {TWO("top 0 1 0", "top 0 1e7 0 dtop 0 14999998.5 0"), 1, "0061", "1.000000e-07", "line 1"},
        {TWO("top 0 1e5 0 dtop 0 -149998.5 0", "top 0 1 0"), 1, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
}

/* Whichever component is the one that is too large; of directions that are none nothing more is
 * told. */
Test(directions, components_beyond_all_doubles)
{
#define PAIR(a, b) "\nrow key anchored stored=0 " a "\nrow\nrow key anchored stored=0 " b "\n"
    static const way ways[] = {
        {PAIR("top 0 1.7e308 0", "top 0 -1.7e308 0"), 1, "0065", "not finite", "line 2, value 10"},
        {PAIR("target 0 0 1.7e308", "target 0 0 -1.7e308"), 1, "0065", "not finite",
         "line 2, value 8"},
        {PAIR("pos 0 1.7e308 0", "pos 0 -1.7e308 0"), 1, "0065", "not finite", "line 2, value 4"},
        {PAIR("anchor 0 1.7e308 0", "anchor 0 -1.7e308 0"), 1, "0065", "not finite",
         "line 2, value 14"},
        {PAIR("anchor 0 0 1.7e308", "anchor 0 0 -1.7e308"), 1, "0065", "not finite",
         "line 2, value 15"},
    };
    HOLD_WAYS(ways);
#undef PAIR
}

/* ---- places ---- */

/* What is told of a way is told of a row on it: half way between rows 4 and 8 is row 6. Between two
 * rows that follow each other there is none. */
Test(places, between_two_keys)
{
#define FOUR "\nrow\nrow\nrow\nrow\n"
    static const way ways[] = {
        {FOUR "row key\nrow\nrow\nrow\nrow key target 0 0 1\n", 1, "0060", "0", "line 7"},
        {FOUR "row key\nrow key target 0 0 1\n", 1, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
#undef FOUR
}

/* The interval of the steps is told to be 1 only if none is given, be it a smaller one. */
Test(places, the_interval_of_the_steps)
{
#define STEPS "\nrow key vel 1 0 0\nrow\nrow key stored=0 pos 1 0 10\n"
    static const way ways[] = {
        {STEPS, 0, "0062", "that of row 0", "line 1, value 17"},
        {STEPS, 0.5, "", NULL, NULL},
        {STEPS, 1e-3, "", NULL, NULL},
    };
    HOLD_WAYS(ways);
#undef STEPS
}

/* ---- boxes ---- */

#define AT_0 "pos 0 0 0"

/* Any component of a stored velocity, of either key, drives the camera; automatic ones do not. */
Test(boxes, what_drives_a_camera)
{
#define BEHIND "\nrow\nrow key stored=0 pos 100 0 0\n"
    static const way ways[] = {
        {TWO(AT_0 " vel 1 0 0", AT_0), 1, "0066", NULL, NULL},
        {TWO(AT_0 " vel 0 1 0", AT_0), 1, "0066", NULL, NULL},
        {TWO(AT_0 " vel 0 0 1", AT_0), 1, "0066", NULL, NULL},
        {TWO(AT_0, AT_0 " vel 1 0 0" BEHIND), 1, "0066", NULL, NULL},
        {TWO(AT_0, AT_0 " vel 0 1 0" BEHIND), 1, "0066", NULL, NULL},
        {TWO(AT_0, AT_0 " vel 0 0 1" BEHIND), 1, "0066", NULL, NULL},
        {TWO(AT_0, AT_0 " stored=0" BEHIND), 1, "", NULL, NULL},
        {TWO(AT_0, AT_0 " stored=0\nrow\nrow key " AT_0 "\nrow\nrow key pos 100 0 0 vel 1 1 1"), 1,
         "", NULL, NULL},
    };
    HOLD_WAYS(ways);
#undef BEHIND
}

/* With velocities v and -v the camera goes so far out as v is large over two, if the keys are two
 * rows apart. A millionth is the last digit of a place below 10; other columns do not matter. */
Test(boxes, the_last_digit_that_is_printed)
{
#define SIDE(v, more) TWO(AT_0 " vel " v " 0 0" more, AT_0 " vel -" v " 0 0" more)
    static const way ways[] = {
        {SIDE("2e-6", ""), 1, "", NULL, NULL},
        {SIDE("2.1e-6", ""), 1, "0066", "1.050000e-06", "line 2"},
        {SIDE("1.9e-6", ""), 1, "", NULL, NULL},
        {SIDE("1e-3", " target 1e4 0 0"), 1, "0066", "5.000000e-04", "line 2"},
    };
    HOLD_WAYS(ways);
#undef SIDE
}

/* A box with a size is left by ten times that, however small it is. */
Test(boxes, ten_times_the_size)
{
#define SMALL(v) TWO(AT_0 " vel " v " 0 0", "pos 0.5 0 0 vel -" v " 0 0")
    static const way ways[] = {
        {SMALL("1"), 1, "", NULL, NULL},
        {SMALL("9"), 1, "", NULL, NULL},
        {SMALL("12"), 1, "0066", NULL, NULL},
        /* One wide along x, left along y by exactly ten, and by more. */
        {TWO(AT_0 " vel 0 20 0", "pos 1 0 0 vel 0 -20 0"), 1, "", NULL, NULL},
        {TWO(AT_0 " vel 0 20.02 0", "pos 1 0 0 vel 0 -20.02 0"), 1, "0066", "1.001000e+01",
         "line 2"},
        /* How far the target goes does not make it larger. */
        {TWO(AT_0 " vel 0.8 0 0", "pos 0.01 0 0 vel -0.8 0 0 target 1 0 0"), 1, "0066", NULL, NULL},
    };
    HOLD_WAYS(ways);
#undef SMALL
}

/* Control points 0, 5, -3, 0 along x are furthest out at a quarter of the way, and the same the
 * other way round along y at three quarters, as far: the first place is told. */
Test(boxes, two_places_as_far_out)
{
    static const way ways[] = {
        {" form=given\nrow key " AT_0 " vel 3.75 -2.25 0\nrow\nrow\nrow\nrow key " AT_0
         " vel 2.25 -3.75 0\n",
         1, "0066", "1.687500e+00", "line 2"},
    };
    HOLD_WAYS(ways);
}

/* How far out it goes is told as it is, or not at all, whatever work is paid for. */
Test(boxes, within_a_budget)
{
    forge_buf bytes = built("camerawork form=given\nrow key pos 0 0 0 vel 100 0 0\nrow\n"
                            "row key pos 0.5 0 0\n");
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, alone);
    bench_replay(&b, &(fh_replay_options){.time_step = 1});
    const fh_finding whole = *record_find(&b.replay, "CAM0066");
    size_t num = 0;
    for (uint64_t units = 0; units < 20000; units += units < 4000 ? 1 : 97) {
        b.budget = (fh_budget){units};
        bench_replay(&b, &(fh_replay_options){.time_step = 1});
        if (record_count(&b.replay, "CAM0066") > 0) {
            const fh_finding *finding = record_find(&b.replay, "CAM0066");
            HOLD(strcmp(finding->found, whole.found) == 0, "%d units: %s", (int)units,
                 finding->found);
            num++;
        }
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        const fh_env env = {&b.arena, &(fh_budget){BENCH_BUDGET}, &(fh_sink){0}};
        cr_assert(b.format->verify(&b.asset, &b.model, &env,
                                   fh_cursor_make(bytes.data, bytes.len, 0), &alone) == FH_OK);
    }
    cr_assert(num > 0);
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* ---- models ---- */

/* Rows that are missing are bridged: each gap is told once, where it begins. */
Test(models, missing_rows)
{
    forge_buf bytes = built("camerawork\nrow key anchored\nrow 5\nrow\nrow 9\nrow key anchored\n");
    static const struct {
        const char *found, *expected, *context;
        int64_t frame;
    } wanted[] = {{"from row 1 on", "4 rows", "line 2", 1},
                  {"from row 7 on", "2 rows", "line 4", 7}};
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, joined);
    bench_replay(&b, &(fh_replay_options){.time_step = 1});
    cr_assert(eq(str, (char *)record_codes(&b.replay), "0068 0068"));
    cr_assert(eq(u32, b.result.frames, 11));
    for (size_t i = 0; i < 2; i++) {
        const fh_finding *finding = &b.replay.findings[i];
        cr_expect(eq(str, (char *)finding->found, (char *)wanted[i].found));
        cr_expect(eq(str, (char *)finding->expected, (char *)wanted[i].expected));
        cr_expect(eq(str, (char *)finding->context, (char *)wanted[i].context));
        cr_expect(eq(i64, finding->frame, wanted[i].frame));
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}

static void count_text(void *user, const char *text, size_t len)
{
    size_t *num = user;
    (void)text;
    *num += len;
}

static fh_status written(bench *b, const cam_model *model, size_t *num)
{
    const fh_text_sink out = {num, count_text};
    const fh_env env = {&b->arena, &b->budget, NULL};
    *num = 0;
    return b->format->canonical(&env, &out, model);
}

/* A value that is none, the first or the last of a row, has no canonical form. */
Test(models, any_value_may_be_none)
{
    bench b;
    open_cam(&b);
    for (unsigned column = 1; column <= CAM_COLUMNS; column++) {
        if (cam_value_of(column) < 0) {
            continue;
        }
        for (unsigned row = 0; row < 3; row++) {
            char text[128];
            size_t num = 0;
            (void)snprintf(text, sizeof text, "camerawork\n%s%s c%u=nan\n%s", row > 0 ? KEY : "",
                           "row key anchored", column, row < 2 ? "row\n" : "");
            forge_buf bytes = built(text);
            bench_verify(&b, bytes.data, bytes.len, alone);
            HOLD(b.model != NULL && written(&b, b.model, &num) == FH_CORRUPT && num == 0,
                 "column %u, row %u", column, row);
            forge_buf_free(&bytes);
        }
    }
    bench_close(&b);
}

/* Behind the rows of a model lies what does not count. */
Test(models, rows_end_where_they_are_said_to)
{
    cam_row rows[3] = {{.is_key = true}, {.index = 1}, {.index = 2}};
    const cam_model model = {.bytes = fh_cursor_make("", 0, 0), .num_rows = 2, .rows = rows};
    bench b;
    open_cam(&b);
    size_t wanted = 0;
    size_t num = 0;
    for (unsigned i = 0; i < 2; i++) {
        rows[i].values[CAM_TARGET] = rows[i].values[CAM_TOP + 1] = 1;
    }
    b.arena = fh_arena_make(b.block, BENCH_ARENA);
    b.budget = (fh_budget){BENCH_BUDGET};
    cr_assert(written(&b, &model, &wanted) == FH_OK && wanted > 2 * 280);
    rows[2].not_finite = 1;
    cr_assert(written(&b, &model, &num) == FH_OK && num == wanted);
    rows[2] = (cam_row){.index = 3, .is_missing = true};
    b.model = &model;
    bench_replay(&b, &(fh_replay_options){.time_step = 1});
    cr_assert(b.replay_status == FH_OK && b.result.frames == 2);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0068"), 0));
    bench_close(&b);
}
