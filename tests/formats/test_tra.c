/* TRA4: the evaluator against closed forms, what stands in for what is missing, and limits. */
#include "tra_bench.h"

#include "tra/tra_eval.h"
#include "tra/tra_math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "tra\nmagic\nhead\n"

/* ---- the specification's samples ---- */

#define SAMPLE_1                                                                                   \
    HEAD "figure 11\nbone \"sample01\"\n"                                                          \
         "roll 0 0.000000 1 6.138396 2 22.589470 3 46.406628 6 132.590363 7 156.407547 "           \
         "8 172.858566 9 178.997116 10 0.000000\n"
#define SAMPLE_2                                                                                   \
    HEAD "figure 11\nbone \"sample02\"\n"                                                          \
         "rotate.x 0 0.000000 1 0.043925 2 0.160469 3 0.313841 4 0.446917 5 0.500000 6 0.446928 "  \
         "7 0.313862 8 0.160494 9 0.043951 10 0.000026\n"                                          \
         "rotate.y 0 0.000000 1 0.001933 2 0.026450 3 0.110765 4 0.275800 6 0.724176 7 0.889218 "  \
         "8 0.973542 9 0.998065 10 1.000000\n"                                                     \
         "rotate.z 0 1.000000 1 0.999033 2 0.986686 3 0.942992 4 0.850999 5 0.707116 6 0.525189 "  \
         "7 0.332839 8 0.162661 9 0.043994 10 0.000026\n"                                          \
         "roll 0 0.000000 1 2.519793 2 9.359774 3 19.439661 4 31.679462 6 58.319023 7 70.558815 "  \
         "8 80.638649 9 87.478539 10 89.998497\n"

static void pose_at(const bench *b, uint32_t bone, double frame, tra_pose *out)
{
    const tra_model *model = b->model;
    tra_curve curves[TRA_NUM_KINDS];
    double values[TRA_NUM_KINDS];
    tra_curves_of(curves, model, &model->bones[bone]);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        values[kind] = tra_sample(&curves[kind], frame);
    }
    tra_pose_of(out, values);
}

/* Between keys the angle is interpolated as a number; the matrix is that of a turn about Z. */
Test(samples, turn_about_z)
{
    bench b;
    tra_pose pose;
    bench_open(&b);
    forge_buf bytes = play(&b, SAMPLE_1);
    cr_assert(eq(str, (char *)record_codes(&b.verify), ""));
    cr_assert(eq(str, (char *)record_codes(&b.replay), ""));
    pose_at(&b, 0, 4.5, &pose);
    hold_near(pose.roll, 89.498496, 1e-6, "roll at 4.5");
    pose_at(&b, 0, 9.5, &pose);
    hold_near(pose.roll, 89.498558, 1e-6, "roll at 9.5");
    for (uint32_t f = 0; f < 11; f++) {
        const double angle = real_at(&b, 0, f, "roll") * acos(-1) / 180;
        hold_near(real_at(&b, 0, f, "m00"), cos(angle), 1e-15, "m00");
        hold_near(real_at(&b, 0, f, "m10"), sin(angle), 1e-15, "m10");
        hold_near(real_at(&b, 0, f, "m01"), -sin(angle), 1e-15, "m01");
        hold_near(real_at(&b, 0, f, "m22"), 1, 0, "m22");
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* Rz(a) Ry(a), a from 0 to 90 degrees, at whole frames; the numbers of the format's description in
 * between. */
Test(samples, two_turns_at_once)
{
    static const struct {
        double frame, m[9];
    } known[] = {{0, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                 {2.5,
                  {0.938616, -0.249593, 0.238126, 0.240015, 0.968322, 0.068888, -0.247776,
                   -0.007506, 0.968788}},
                 {4.5,
                  {0.619102, -0.623167, 0.477886, 0.484934, 0.782017, 0.391522, -0.617698,
                   -0.010649, 0.786343}},
                 {5.5,
                  {0.389624, -0.786822, 0.478648, 0.486073, 0.617122, 0.618784, -0.782257,
                   -0.008435, 0.622899}}};
    bench b;
    bench_open(&b);
    forge_buf bytes = play(&b, SAMPLE_2);
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0076"));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        tra_pose pose;
        pose_at(&b, 0, known[i].frame, &pose);
        for (unsigned k = 0; k < 9; k++) {
            hold_near(pose.matrix[k / 3][k % 3], known[i].m[k], 1e-6, "element");
        }
    }
    for (uint32_t f = 0; f < 11; f++) {
        const double z = real_at(&b, 0, f, "m22"); /* cos a */
        const double x = sqrt(1 - z * z);
        const double want[9] = {z * z, -x, z * x, x * z, z, x * x, -x, 0, z};
        static const char *const names[] = {"m00", "m01", "m02", "m10", "m11",
                                            "m12", "m20", "m21", "m22"};
        for (unsigned k = 0; k < 9; k++) {
            hold_near(real_at(&b, 0, f, names[k]), want[k], f == 0 ? 1e-12 : 1e-5, names[k]);
        }
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}

Test(samples, dynamic_polygons)
{
    bench b;
    bench_open(&b);
    forge_buf bytes =
        play(&b, HEAD "figure 45\nbone \"sample03\"\ndynamic\nkgf 0 0 true\nkgf 0 1 false\n"
                      "kgf 0 2 false\nkgf 0 3 false\nkgf 9 0 false\nkgf 9 1 true\nkgf 9 2 false\n"
                      "kgf 9 3 false\nkgf 19 1 false\nkgf 19 2 true\nkgf 19 3 false\n"
                      "kgf 29 2 false\nkgf 29 3 true\nkgf 39 3 false\n");
    uint32_t frame = 0;
    for (size_t i = 0; i < b.replay.num_poses; i++) {
        const pose *row = &b.replay.poses[i];
        if (strcmp(row->table->name, "dynamic") == 0) {
            const int64_t want = frame < 9    ? 1
                                 : frame < 19 ? 2
                                 : frame < 29 ? 4
                                 : frame < 39 ? 8
                                              : 0;
            HOLD(row->frame == frame && row->values[0] == want, "mask at %u", frame);
            frame++;
        }
    }
    cr_assert(eq(u32, frame, 45));
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* Keys in any order; of two for one group and frame the last in the file wins. */
Test(dynamic, order_and_ranges)
{
    bench b;
    bench_open(&b);
    forge_buf bytes =
        play(&b, HEAD "figure 6\nbone \"a\"\ndynamic\nkgf 4 0 false\nkgf 0 0 true\nkgf 0 40 true\n"
                      "kgf 2 31 true\nkgf 2 0 true\nkgf 2 0 false\nkgf -1 3 true\nkgf 3 0 true\n");
    static const int64_t want[] = {1, 1, 0x80000000, 0x80000001, 0x80000000, 0x80000000};
    for (size_t i = 0, frame = 0; i < b.replay.num_poses; i++) {
        if (strcmp(b.replay.poses[i].table->name, "dynamic") == 0) {
            HOLD(b.replay.poses[i].values[0] == want[frame], "mask at %zu", frame);
            frame++;
        }
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* Rows are shown when they change, and only then; what is left out is what was shown last. */
Test(replay, changes_only_leaves_out_what_stays)
{
    bench all;
    bench b;
    bench_open(&all);
    bench_open(&b);
    static const char text[] = HEAD "figure 12\nbone \"still\"\nbone \"a\"\n"
                                    "roll 0 0.0 3 10.0 6 10.0 9 20.0 11 20.0\n"
                                    "dynamic\nkgf 0 0 true\nkgf 5 0 true\nkgf 7 1 true\n";
    forge_buf bytes = play(&all, text);
    forge_buf same = verify(&b, text);
    bench_replay(&b, &(fh_replay_options){.changes_only = true});
    size_t num[2] = {0};
    for (size_t i = 0; i < b.replay.num_poses; i++) {
        num[strcmp(b.replay.poses[i].table->name, "bone") == 0 ? 0 : 1]++;
    }
    cr_assert(eq(sz, num[0], 1 + 1 + 3 + 3));
    cr_assert(eq(sz, num[1], 2));
    cr_assert(eq(sz, all.replay.num_poses, 12 * 3));
    cr_assert(eq(sz, b.replay.num_frames, 12));
    for (uint32_t f = 0; f < 12; f++) {
        HOLD(record_value(&b.replay, "bone", 1, f, "m00") ==
                 record_value(&all.replay, "bone", 1, f, "m00"),
             "frame %u", f);
    }
    bench_close(&all);
    bench_close(&b);
    forge_buf_free(&bytes);
    forge_buf_free(&same);
}

/* ---- what stands in ---- */

Test(replay, substitutes)
{
    bench b;
    bench_open(&b);
    forge_buf bytes = play(&b, HEAD "figure 4\nbone \"a\"\nomit scale.y\nroll 2 30.0 3 60.0\n"
                                    "translate.x 0 1.0 2 2.0 2 3.0\ntranslate.y 0 nan\n"
                                    "bone \"b\"\nrotate.z 0 1.0 3 0.0\n"
                                    "bone \"c\"\nrotate.z 0 -1.0 3 -1.0\n");
    cr_assert(eq(sz, record_count(&b.replay, "TRA0140"), 3));
    cr_assert(eq(sz, record_count(&b.replay, "TRA0142"), 1));
    cr_assert(eq(sz, record_count(&b.replay, "TRA0143"), 2));
    for (uint32_t f = 0; f < 4; f++) {
        hold_near(real_at(&b, 0, f, "scale_y"), 100, 0, "scale");
        hold_near(real_at(&b, 0, f, "translate_x"), 0, 0, "x");
        hold_near(real_at(&b, 0, f, "translate_y"), 0, 0, "y");
        hold_near(real_at(&b, 0, f, "roll"), f < 3 ? 30 : 60, 0, "roll");
        hold_near(real_at(&b, 2, f, "m00"), 1, 0, "m00");
        hold_near(real_at(&b, 2, f, "m11"), -1, 0, "m11");
        hold_near(real_at(&b, 2, f, "m22"), -1, 0, "m22");
    }
    hold_near(real_at(&b, 1, 3, "m22"), 1, 0, "m22 of a direction without length");
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* ---- singular poses, decided on straight pieces ---- */

static const char *rotate_codes(bench *b, const char *text)
{
    static char codes[256];
    forge_buf bytes = verify(b, text);
    (void)snprintf(codes, sizeof codes, "%s", record_codes(&b->verify));
    forge_buf_free(&bytes);
    return codes;
}

#define TURN(x, y, z) HEAD "figure 11\nbone \"a\"\nrotate.x " x "\nrotate.y " y "\nrotate.z " z "\n"

Test(rotate, what_lies_between_keys)
{
    static const struct {
        const char *text, *codes;
    } cases[] = {
        /* At a whole frame, between whole frames, and just beside. */
        {TURN("0 0.6 10 -0.6", "0 0.0 10 0.0", "0 -0.8 10 -0.8"), "0085"},
        {TURN("0 0.6 10 -0.8", "0 0.0 10 0.0", "0 -0.8 10 -0.6"), "0086"},
        {TURN("0 0.6 10 -0.6", "0 0.01 10 0.01", "0 -0.8 10 -0.8"), ""},
        {TURN("0 0.6 10 -0.6", "0 0.001 10 0.001", "0 -0.8 10 -0.8"), "0085"},
        /* Through zero at a whole frame, between two, and near it. */
        {TURN("0 1.0 10 -1.0", "0 0.0 10 0.0", "0 0.0 10 0.0"), "0083"},
        {TURN("0 1.0 9 -1.0 10 -1.0", "0 0.0 9 0.0 10 0.0", "0 0.0 9 0.0 10 0.0"), "0084"},
        {TURN("0 1.0 9 -1.0 10 -1.0", "0 0.009 9 0.009 10 0.0", "0 0.0 9 0.0 10 0.0"), "0084"},
        {TURN("0 1.0 9 -1.0 10 -1.0", "0 0.014 9 0.014 10 0.014", "0 0.0 9 0.0 10 0.0"), ""},
        /* The three lists have keys at different frames; the way has corners at all of them. */
        {TURN("0 0.6 5 0.6 10 0.6", "0 0.0 10 0.0", "0 0.8 10 -0.8"), "0076 0080"},
        {TURN("0 0.6 4 0.0 10 0.6", "0 0.0 10 0.0", "0 0.8 5 -0.8 10 0.8"), "0076 0085 0082 0080"},
        /* A key at -Z itself. */
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 -1.0 10 -1.0"), "0085"},
        {TURN("0 0.0017 10 0.0017", "0 0.0 10 0.0", "0 -1.0 10 -1.0"), "0085"},
        {TURN("0 0.0018 10 0.0018", "0 0.0 10 0.0", "0 -1.0 10 -1.0"), ""},
        /* From or to one the way begins or ends there, and does not pass it. */
        {TURN("0 0.001 10 -1.0", "0 0.0 10 0.0", "0 -1.0 10 -1.0"), "0085 0080"},
        {TURN("0 -1.0 10 0.001", "0 0.0 10 0.0", "0 -1.0 10 -1.0"), "0085 0080"},
        /* What a bone does again and again is told once. */
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 0.0 10 0.0"), "0083"},
        {TURN("0 1.0 3 -1.0 6 1.0 10 1.0", "0 0.0 3 0.0 6 0.0 10 0.0", "0 0.0 3 0.0 6 0.0 10 0.0"),
         "0084"},
        {TURN("0 0.6 3 -0.6 6 0.6 10 0.6", "0 0.0 3 0.0 6 0.0 10 0.0",
              "0 -0.8 3 -0.8 6 -0.8 10 -0.8"),
         "0086"},
        /* Of lengths of about 100 the mean says so; 50 and 150 are the last ones. */
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 150.0 10 150.0"), "0081"},
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 151.0 10 151.0"), "0082"},
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 50.0 10 50.0"), "0081"},
        {TURN("0 0.0 10 0.0", "0 0.0 10 0.0", "0 49.0 10 49.0"), "0082"},
    };
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *codes = rotate_codes(&b, cases[i].text);
        HOLD(strcmp(codes, cases[i].codes) == 0, "case %zu: %s, not %s", i, codes, cases[i].codes);
    }
    bench_close(&b);
}

/* ---- arithmetic ---- */

/* How far off, in units of the last place of the exact value. */
static double error_of(double got, long double exact)
{
    const double rounded = fabs((double)exact);
    const double unit = nextafter(rounded, INFINITY) - rounded;
    return (double)(fabsl(got - exact) / unit);
}

Test(math, sine_and_cosine_of_degrees)
{
    dice d = {8};
    double worst = 0;
    for (int i = 0; i < 1000000; i++) {
        double angle = ldexp((double)(int32_t)dice_next(&d), (int)dice_below(&d, 26) - 40);
        double s, c;
        tra_sin_cos(&s, &c, angle);
        /* The reduction is exact, so that pi enters only below a quarter turn. */
        const double turn = remainder(angle, 360);
        const double quarter = remainder(turn, 90);
        const long double pi = 3.14159265358979323846264338327950288L;
        const long double x = quarter * pi / 180;
        const int quadrant = (int)lround((turn - quarter) / 90) & 3;
        const long double sines[] = {sinl(x), cosl(x), -sinl(x), -cosl(x)};
        const long double want_s = sines[quadrant];
        const long double want_c = sines[(quadrant + 1) & 3];
        worst = fmax(worst, fmax(error_of(s, want_s), error_of(c, want_c)));
        HOLD(worst < 2, "%.17g: %.17g %.17g, off by %g", angle, s, c, worst);
    }
    for (int quadrant = -4000; quadrant < 4000; quadrant++) {
        static const double sines[] = {0, 1, 0, -1};
        double s, c;
        tra_sin_cos(&s, &c, 90.0 * quadrant);
        HOLD(s == sines[quadrant & 3] && c == sines[(quadrant + 1) & 3], "%d quarters", quadrant);
        HOLD(!signbit(s) || s < 0, "no negative zero");
    }
}

/* Angles of any size are reduced exactly. */
Test(math, huge_angles)
{
    dice d = {9};
    for (int i = 0; i < 100000; i++) {
        const double angle =
            ldexp((double)dice_next(&d) + dice_next(&d) / 4294967296.0, (int)dice_below(&d, 97));
        double s, c, want_s, want_c;
        tra_sin_cos(&s, &c, angle);
        tra_sin_cos(&want_s, &want_c, fmod(angle, 360));
        HOLD(fabs(s - want_s) < 1e-15 && fabs(c - want_c) < 1e-15, "%.17g", angle);
        tra_sin_cos(&want_s, &want_c, -angle);
        HOLD(fabs(s + want_s) < 1e-15 && fabs(c - want_c) < 1e-15, "-%.17g", angle);
    }
}

/* ---- limits ---- */

/* Whatever the budget is, the work ends, and something is told when it was too small. */
Test(limits, every_budget)
{
    forge_buf bytes = build(SAMPLE_2 "dynamic\nkgf 0 0 true\nkgf 3 0 false\nkgf 2 1 true\n");
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (uint64_t units = 0; units < 12000; units += 7) {
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_arena arena = fh_arena_make(b.block, BENCH_ARENA);
        fh_budget budget = {units};
        fh_budget reserve = {0};
        const fh_env env = {&arena, &budget, &sink, &reserve};
        fh_asset asset;
        const void *model = NULL;
        fh_replay_result result;
        const fh_status status = b.format->verify(&asset, &model, &env,
                                                  fh_cursor_make(bytes.data, bytes.len, 0), &alone);
        HOLD(status == FH_OK || (status == FH_LIMIT && record_count(&told, "TRA0141") == 1),
             "%llu units", (unsigned long long)units);
        if (model != NULL) {
            HOLD(b.format->replay(&result, &env, model, &(fh_replay_options){0}) == FH_OK,
                 "replay");
            HOLD(result.state == FH_REPLAY_COMPLETE || record_count(&told, "TRA0141") == 1, "told");
            HOLD(result.frames == told.num_frames, "frames");
        }
        record_free(&told);
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* And with an arena of any size. */
Test(limits, every_arena)
{
    forge_buf bytes = build(SAMPLE_1 "dynamic\nkgf 0 0 true\n");
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bool was_good = false;
    for (size_t size = 0; size < 8192; size += 16) {
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_arena arena = fh_arena_make(b.block, size);
        fh_budget budget = {BENCH_BUDGET};
        const fh_env env = {&arena, &budget, &sink};
        fh_asset asset;
        const void *model = NULL;
        const fh_status status = b.format->verify(&asset, &model, &env,
                                                  fh_cursor_make(bytes.data, bytes.len, 0), &alone);
        HOLD(status == FH_OK ? model != NULL : status == FH_NO_MEMORY && !was_good, "size %zu",
             size);
        was_good = status == FH_OK;
        record_free(&told);
    }
    cr_assert(was_good);
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* The longest text of as many bones as every sound text may have, in as few bytes as it can. */
Test(limits, many_bones_over_the_longest_time, .timeout = 120)
{
    static const char *const at_rest[] = {
        "translate.x(kf 0 0)", "translate.y(kf 0 0)", "translate.z(kf 0 0)",
        "scale.x(kf 0 1)",     "scale.y(kf 0 1)",     "scale.z(kf 0 1)",
        "rotate.x(kf 0 0)",    "rotate.y(kf 0 0)",    "rotate.z(kf 0 1)"};
    static char text[64 * 1024];
    size_t len = (size_t)snprintf(text, sizeof text,
                                  ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 32767)");
    for (unsigned i = 0; i < 64; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "(bone(name\"%c%c\")", 'a' + i % 8,
                                'a' + i / 8);
        for (size_t k = 0; k < sizeof at_rest / sizeof at_rest[0]; k++) {
            len += (size_t)snprintf(text + len, sizeof text - len, "(%s)", at_rest[k]);
        }
        len += (size_t)snprintf(text + len, sizeof text - len, "(roll(kf 0 0)(kf 32766 9)))");
    }
    len += (size_t)snprintf(text + len, sizeof text - len, ")");
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, len, alone);
    cr_assert(b.status == FH_OK && b.model != NULL);
    const fh_sink silent = {.user = &b.replay, .finding = record_sink(&b.replay).finding};
    fh_budget budget = {FH_BUDGET_FLOOR};
    const fh_env env = {&b.arena, &budget, &silent};
    fh_replay_result result;
    cr_assert(b.format->replay(&result, &env, b.model, &(fh_replay_options){0}) == FH_OK);
    cr_assert(result.state == FH_REPLAY_COMPLETE && result.frames == 32767);
    bench_close(&b);
}
