/* TRA4: the evaluator against closed forms and a second implementation by quaternions, the reader
 * against texts made at random. */
#include "bench.h"

#include "forge/tra_text.h"
#include "tra/tra_eval.h"
#include "tra/tra_math.h"
#include "tra/tra_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "tra\nmagic\nhead\n"

static const fh_verify_options alone = {.stand_alone = true, .aligned = true};

static forge_buf build(const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    const bool is_built = forge_tra_text(&out, &err, text, strlen(text), FORGE_TRA_LIMIT);
    HOLD(is_built, "line %u: %s\n%s", err.line, err.text, text);
    return out;
}

/* Verifies a description; the bytes stay with the caller, for the model leads into them. */
static forge_buf verify(bench *b, const char *text)
{
    forge_buf out = build(text);
    b->format = fh_format_find("tra");
    bench_verify(b, out.data, out.len, alone);
    return out;
}

static forge_buf play(bench *b, const char *text)
{
    forge_buf out = verify(b, text);
    HOLD(b->model != NULL, "no model: %s", record_codes(&b->verify));
    bench_replay(b, &(fh_replay_options){0});
    HOLD(b->replay_status == FH_OK && b->result.state == FH_REPLAY_COMPLETE, "replay");
    return out;
}

static double real_at(const bench *b, int64_t bone, uint32_t frame, const char *column)
{
    const int64_t bits = record_value(&b->replay, "bone", bone, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void hold_near(double got, double want, double most, const char *what)
{
    HOLD(fabs(got - want) <= most, "%s is %.17g, not %.17g", what, got, want);
}

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

/* ---- a second implementation ---- */

typedef struct quaternion {
    long double w, x, y, z;
} quaternion;

static quaternion times(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* From +Z to the direction: the axis is their cross product, the angle halved. */
static quaternion shortest(const long double v[3])
{
    const long double len = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const long double across = sqrtl(v[0] * v[0] + v[1] * v[1]);
    if (len < 1e-12L) {
        return (quaternion){1, 0, 0, 0};
    }
    if (v[2] < 0 && across * across < 1e-24L * len * len) {
        return (quaternion){0, 1, 0, 0};
    }
    if (across == 0) {
        return (quaternion){1, 0, 0, 0};
    }
    const long double half = atan2l(across, v[2]) / 2;
    return (quaternion){cosl(half), -v[1] / across * sinl(half), v[0] / across * sinl(half), 0};
}

/* The plainest way to look a value up: every pair of keys, from the back. */
static long double value_of(const double keys[][2], unsigned num, double frame)
{
    for (unsigned i = num; i-- > 0;) {
        if (keys[i][0] <= frame) {
            if (i + 1 == num) {
                return keys[i][1];
            }
            return keys[i][1] + ((long double)keys[i + 1][1] - keys[i][1]) *
                                    ((frame - keys[i][0]) / (keys[i + 1][0] - keys[i][0]));
        }
    }
    return keys[0][1];
}

static void second_pose(const long double v[TRA_NUM_KINDS], long double m[3][3])
{
    const long double half = v[TRA_ROLL] * acosl(-1) / 360;
    const quaternion q =
        times(shortest(&v[TRA_ROTATE_X]), (quaternion){cosl(half), 0, 0, sinl(half)});
    const quaternion back = {q.w, -q.x, -q.y, -q.z};
    for (unsigned column = 0; column < 3; column++) {
        const quaternion axis = {0, column == 0, column == 1, column == 2};
        const quaternion turned = times(times(q, axis), back);
        const long double scale = v[TRA_SCALE_X + column] / 100;
        m[0][column] = turned.x * scale;
        m[1][column] = turned.y * scale;
        m[2][column] = turned.z * scale;
    }
}

/* ---- texts made at random ---- */

enum { MOST_BONES = 4, MOST_KEYS = 6 };

typedef struct animation {
    uint32_t total;
    uint32_t num_bones;
    unsigned num[MOST_BONES][TRA_NUM_KINDS];
    double keys[MOST_BONES][TRA_NUM_KINDS][MOST_KEYS][2];
    char text[1 << 16];
} animation;

static double random_value(dice *d, unsigned kind)
{
    const double unit = dice_below(d, 2000001) / 1000000.0 - 1;
    if (kind >= TRA_ROTATE_X && kind <= TRA_ROTATE_Z) {
        return unit;
    }
    return kind == TRA_ROLL ? unit * 400 : kind >= TRA_SCALE_X ? 100 + unit * 50 : unit * 1000;
}

static void make_channel(animation *a, dice *d, uint32_t bone, unsigned kind, char **at)
{
    static const char *const forms[] = {"%.6f", "%g", "%.9g", "%.12e", "%.3f"};
    double frame = 0;
    unsigned *num = &a->num[bone][kind];
    *at += sprintf(*at, "%s", tra_kind_names[kind]);
    while (*num < MOST_KEYS && frame < a->total) {
        char text[64];
        (void)sprintf(text, forms[dice_below(d, 5)], random_value(d, kind));
        a->keys[bone][kind][*num][0] = frame;
        a->keys[bone][kind][*num][1] = strtof(text, NULL);
        *at += sprintf(*at, " %d %s", (int)frame, text);
        (*num)++;
        frame += 1 + dice_below(d, a->total);
    }
    *at += sprintf(*at, "\n");
}

static void make_animation(animation *a, dice *d)
{
    static const char *const heads[] = {"tra\nmagic", "tra eol=crlf\nmagic \" utf8\"",
                                        "tra encoding=utf16le bom=yes\nmagic",
                                        "tra encoding=utf16be\nmagic", "tra eol=cr\nmagic"};
    memset(a, 0, sizeof *a);
    a->total = 1 + dice_below(d, 20);
    a->num_bones = 1 + dice_below(d, MOST_BONES);
    char *at = a->text;
    at += sprintf(at, "%s\nhead\nfigure %u\n", heads[dice_below(d, 5)], a->total);
    for (uint32_t bone = 0; bone < a->num_bones; bone++) {
        at += sprintf(at, "bone \"b%u\"\n", bone);
        for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
            make_channel(a, d, bone, kind, &at);
        }
    }
}

static void hold_tables(const animation *a, const tra_model *model)
{
    HOLD(model->num_bones == a->num_bones && model->total_frames == a->total, "sizes");
    for (uint32_t bone = 0; bone < a->num_bones; bone++) {
        char name[16];
        char want[16];
        const fh_token token = tra_name(&model->bones[bone]);
        (void)fh_scan_read(&model->scan, &token, name, sizeof name);
        (void)snprintf(want, sizeof want, "b%u", bone);
        HOLD(strcmp(name, want) == 0, "name %s", name);
        for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
            const tra_channel *channel =
                &model->channels[tra_find_channel(model, &model->bones[bone], kind)];
            HOLD(channel->num_keys == a->num[bone][kind] && channel->is_playable, "channel");
            for (uint32_t i = 0; i < channel->num_keys; i++) {
                const tra_key *key = &model->keys[channel->first_key + i];
                HOLD(key->frame == a->keys[bone][kind][i][0], "frame");
                HOLD((double)key->value == a->keys[bone][kind][i][1], "value");
            }
        }
    }
}

/* How far both implementations may be apart: in elements of a matrix of scale 1, and of values over
 * the largest key that they lie between. A value between keys is a sum of two terms no larger than
 * these; its rounding errors are units of their last place, also where they cancel. */
#define MOST_APART 1e-12

static double largest_key(const double keys[][2], unsigned num)
{
    double most = 0;
    for (unsigned i = 0; i < num; i++) {
        most = fmax(most, fabs(keys[i][1]));
    }
    return most;
}

static void hold_poses(const animation *a, const bench *b, uint32_t bone, uint32_t frame)
{
    static const char *const names[] = {"m00", "m01", "m02", "m10", "m11",
                                        "m12", "m20", "m21", "m22"};
    long double values[TRA_NUM_KINDS];
    long double want[3][3];
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        values[kind] = value_of(a->keys[bone][kind], a->num[bone][kind], frame);
    }
    second_pose(values, want);
    for (unsigned k = 0; k < 9; k++) {
        hold_near(real_at(b, bone, frame, names[k]), (double)want[k / 3][k % 3], MOST_APART,
                  names[k]);
    }
    static const struct {
        const char *column;
        unsigned kind;
    } plain[] = {{"t0", TRA_TRANSLATE_X},
                 {"t1", TRA_TRANSLATE_Y},
                 {"t2", TRA_TRANSLATE_Z},
                 {"translate_x", TRA_TRANSLATE_X},
                 {"translate_z", TRA_TRANSLATE_Z},
                 {"scale_x", TRA_SCALE_X},
                 {"scale_y", TRA_SCALE_Y},
                 {"scale_z", TRA_SCALE_Z},
                 {"roll", TRA_ROLL}};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        const unsigned kind = plain[i].kind;
        hold_near(real_at(b, bone, frame, plain[i].column), (double)values[kind],
                  MOST_APART * largest_key(a->keys[bone][kind], a->num[bone][kind]),
                  plain[i].column);
    }
}

Test(random, texts_come_back_and_play_alike, .timeout = 120)
{
    dice d = {5};
    bench b;
    static animation a;
    bench_open(&b);
    for (int i = 0; i < 600; i++) {
        make_animation(&a, &d);
        forge_buf bytes = play(&b, a.text);
        HOLD(b.asset.grade >= FH_GRADE_STRUCTURE && b.asset.length == bytes.len, "whole: %s",
             record_codes(&b.verify));
        HOLD(b.asset.frames == (int64_t)a.total && b.asset.objects == a.num_bones, "counts");
        hold_tables(&a, b.model);
        for (uint32_t bone = 0; bone < a.num_bones; bone++) {
            for (uint32_t frame = 0; frame < a.total; frame++) {
                hold_poses(&a, &b, bone, frame);
            }
        }
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

/* Frames between the whole ones, and back and forth. */
Test(random, poses_at_any_time, .timeout = 120)
{
    dice d = {6};
    bench b;
    static animation a;
    bench_open(&b);
    for (int i = 0; i < 300; i++) {
        make_animation(&a, &d);
        forge_buf bytes = verify(&b, a.text);
        const tra_model *model = b.model;
        tra_curve curves[TRA_NUM_KINDS];
        tra_curves_of(curves, model, &model->bones[0]);
        for (int k = 0; k < 50; k++) {
            const double frame = dice_below(&d, 1000001) / 1e6 * (a.total - 1);
            double values[TRA_NUM_KINDS];
            long double exact[TRA_NUM_KINDS];
            long double want[3][3];
            tra_pose got;
            for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
                values[kind] = tra_sample(&curves[kind], frame);
                exact[kind] = value_of(a.keys[0][kind], a.num[0][kind], frame);
            }
            tra_pose_of(&got, values);
            second_pose(exact, want);
            for (unsigned e = 0; e < 9; e++) {
                hold_near(got.matrix[e / 3][e % 3], (double)want[e / 3][e % 3], MOST_APART,
                          "element");
            }
        }
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

static double harsh_size(dice *d, int least, int most)
{
    const double unit = dice_below(d, 2000001) / 1000000.0 - 1;
    return unit * pow(10, least + (int)dice_below(d, (uint32_t)(most - least + 1)));
}

/* A direction of any length, near one of the poles, or anything else. */
static void harsh_direction(dice *d, double out[3])
{
    const double size = pow(10, (int)dice_below(d, 46) - 10);
    for (unsigned i = 0; i < 3; i++) {
        out[i] = size * harsh_size(d, dice_below(d, 2) == 0 ? 0 : -11, 0);
    }
    if (dice_below(d, 2) == 0) {
        out[2] = dice_below(d, 2) == 0 ? size : -size;
    }
}

/* From the same ten values both make the same matrix: it is well-conditioned everywhere but at -Z
 * itself, however near. */
Test(random, any_pose_is_that_of_the_quaternions, .timeout = 120)
{
    dice d = {8};
    for (int i = 0; i < 200000; i++) {
        double values[TRA_NUM_KINDS] = {0};
        long double exact[TRA_NUM_KINDS];
        long double want[3][3];
        tra_pose got;
        for (unsigned k = 0; k < 3; k++) {
            values[TRA_SCALE_X + k] = harsh_size(&d, -3, 6);
        }
        harsh_direction(&d, &values[TRA_ROTATE_X]);
        values[TRA_ROLL] = harsh_size(&d, -6, 6);
        for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
            values[kind] = (float)values[kind];
            exact[kind] = values[kind];
        }
        tra_pose_of(&got, values);
        second_pose(exact, want);
        for (unsigned e = 0; e < 9; e++) {
            const double scale = fabs(values[TRA_SCALE_X + e % 3]) / 100;
            hold_near(got.matrix[e / 3][e % 3], (double)want[e / 3][e % 3], MOST_APART * scale,
                      "element");
        }
    }
}

/* Between keys of any sizes, and such as cancel each other. */
Test(random, any_value_between_keys_is_near_the_exact_one)
{
    dice d = {9};
    for (int i = 0; i < 200000; i++) {
        tra_key keys[2] = {{.frame = (int32_t)dice_below(&d, 1000)}, {.frame = 0}};
        keys[0].value = (float)harsh_size(&d, -30, 37);
        keys[1].frame = keys[0].frame + 1 + (int32_t)dice_below(&d, 30000);
        keys[1].value =
            dice_below(&d, 2) == 0 ? (float)harsh_size(&d, -30, 37) : -nextafterf(keys[0].value, 0);
        const double pairs[2][2] = {{keys[0].frame, keys[0].value}, {keys[1].frame, keys[1].value}};
        const double share = dice_below(&d, 1000001) / 1e6;
        const double frame = pairs[0][0] + share * (pairs[1][0] - pairs[0][0]);
        tra_curve curve = {.keys = keys, .num = 2};
        hold_near(tra_sample(&curve, frame), (double)value_of(pairs, 2, frame),
                  MOST_APART * largest_key(pairs, 2), "value");
    }
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

/* ---- the probe ---- */

static fh_probe probe(const uint8_t *bytes, size_t len, fh_end end)
{
    fh_budget budget = {BENCH_BUDGET};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make(bytes, len, 0), end, NULL, NULL, &budget);
    return out;
}

/* Lines that begin a text, comments, chunks and damage, in any order. */
static size_t random_heads(char *out, size_t most, uint32_t *state)
{
    static const char *const lines[] = {";TRA4\r\n",
                                        ";TRA 4\n",
                                        "; a remark ;TRA4\n",
                                        ";TRA\n",
                                        ";TRA4 ;TRA4\n",
                                        "(Head\n",
                                        "(Figure (Name \"a\"))\n",
                                        "kf\n",
                                        "\n",
                                        "\x01"};
    size_t len = 0;
    for (unsigned i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        const char *line = lines[(*state >> 16) % ((*state >> 28) < 12 ? 5 : 10)];
        HOLD(len + strlen(line) < most, "no room");
        memcpy(out + len, line, strlen(line));
        len += strlen(line);
    }
    return len;
}

static fh_verdict verdict_at(const char *text, size_t len, size_t at, fh_memo *memo)
{
    fh_budget budget = {1 << 20};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make((const uint8_t *)text + at, len - at, at),
                                 FH_END_STREAM, memo, NULL, &budget);
    return out.verdict;
}

/* What readings of one comment share changes none of them. */
Test(tra, a_memo_changes_no_verdict)
{
    uint32_t state = 3;
    unsigned num_shared = 0;
    for (unsigned turn = 0; turn < 2000; turn++) {
        char text[1024];
        fh_memo memo = {.unit = 4};
        const size_t len = random_heads(text, sizeof text, &state);
        for (size_t at = 0; at + 4 <= len; at++) {
            if (memcmp(text + at, ";TRA", 4) == 0) {
                num_shared += fh_memo_in_range(&memo, 1, at) != NULL ? 1 : 0;
                HOLD(verdict_at(text, len, at, &memo) == verdict_at(text, len, at, NULL),
                     "at %zu of %s", at, text);
            }
        }
    }
    cr_assert(num_shared > 100);
}

/* A comment without end is read once, and not from each text that may begin in it. */
static void hold_endless(const char unit[8])
{
    const size_t len = FH_MAX_ASSET_LEN + 64;
    char *text = malloc(len);
    fh_memo memo = {.unit = 4};
    fh_budget budget = {(uint64_t)64 * FH_MAX_ASSET_LEN};
    HOLD(text != NULL, "the test is out of memory");
    for (size_t i = 0; i < len; i++) {
        text[i] = unit[i % 8];
    }
    for (size_t at = 0; at < FH_MAX_ASSET_LEN / 2; at += 8) {
        const uint64_t before = budget.left;
        const size_t left = len - at < FH_MAX_ASSET_LEN ? len - at : FH_MAX_ASSET_LEN;
        fh_probe out;
        fh_format_find("tra")->probe(&out, fh_cursor_make((const uint8_t *)text + at, left, at),
                                     FH_END_NONE, &memo, NULL, &budget);
        HOLD(out.verdict == FH_MORE && out.length > FH_MAX_ASSET_LEN, "at %zu", at);
        HOLD(at == 0 || budget.left == before, "read again at %zu", at);
    }
    free(text);
}

Test(tra, texts_in_a_comment_share_its_reading)
{
    hold_endless(";TRA4\r\n\n");
    hold_endless(";TRA4 a ");
}

/* Of a text that is cut anywhere more is wanted where more may come. Else it is rejected, a near
 * miss once some key was whole; once four were, what there is of it is a fragment. */
static void hold_prefixes(const char *text, size_t first_key, size_t fourth_key, size_t unit)
{
    forge_buf bytes = build(text);
    for (size_t len = 0; len < bytes.len; len++) {
        uint8_t *copy = malloc(len > 0 ? len : 1);
        memcpy(copy, bytes.data, len);
        const fh_probe open = probe(copy, len, FH_END_NONE);
        const fh_probe closed = probe(copy, len, FH_END_FILE);
        HOLD(open.verdict == FH_MORE && open.length > len, "%zu bytes, open", len);
        const bool is_whole = closed.verdict == FH_ACCEPT && bytes.len - len <= 4;
        const bool is_fragment = closed.verdict == FH_ACCEPT && len >= fourth_key;
        HOLD(is_whole || is_fragment || (closed.verdict == FH_REJECT && len < fourth_key),
             "%zu bytes", len);
        HOLD(!is_fragment || is_whole || closed.length == len - len % unit, "%zu: length", len);
        HOLD(is_whole || is_fragment || closed.near_miss == (len >= first_key),
             "%zu bytes: near miss", len);
        free(copy);
    }
    const fh_probe whole = probe(bytes.data, bytes.len, FH_END_NONE);
    HOLD(whole.verdict == FH_ACCEPT && whole.length == bytes.len && whole.frames == 2, "whole");
    forge_buf_free(&bytes);
}

#define SHORT(options, first)                                                                      \
    "tra" options "\nmagic\nhead\nfigure 2\nbone \"a\"\n" first "roll 0 0.0 1 1.0\n"

Test(probe, prefixes)
{
    forge_buf front =
        build("tra\nmagic\nhead\ntext \"( Figure\\n  ( totalFrame 2 )\\n  ( bone\\n    ( "
              "name \\qa\\q )\\n    ( translate.x\\n      ( kf 0 0.000000 )\"\n");
    forge_buf four =
        build("tra\nmagic\nhead\ntext \"( Figure\\n  ( totalFrame 2 )\\n  ( bone\\n    ( "
              "name \\qa\\q )\\n    ( translate.x\\n      ( kf 0 0.000000 )\\n"
              "      ( kf 1 0.000000 )\\n    )\\n    ( translate.y\\n"
              "      ( kf 0 0.000000 )\\n      ( kf 1 0.000000 )\"\n");
    hold_prefixes(SHORT("", ""), front.len, four.len, 1);
    hold_prefixes(SHORT(" encoding=utf16be", ""), 2 * front.len, 2 * four.len, 2);
    hold_prefixes(SHORT(" encoding=utf16le bom=yes", ""), 2 * front.len + 2, 2 * four.len + 2, 2);
    forge_buf_free(&front);
    forge_buf_free(&four);
}

/* What may follow on the last line, and what does not belong to it. */
Test(probe, where_a_text_ends)
{
    static const struct {
        const char *behind;
        size_t len, own;
        bool is_more; /* where more bytes may come */
    } cases[] = {{"", 0, 0, true},          {"\n", 1, 1, false},
                 {"\r\n", 2, 2, false},     {"\r", 1, 1, true},
                 {"\rx", 2, 1, false},      {" \t; Figure\nx", 12, 11, false},
                 {" ; Figure", 9, 9, true}, {" ; Figure\0", 10, 9, false},
                 {"  \n\n", 4, 3, false},   {"  x\n", 4, 0, false},
                 {" ; c\r", 5, 5, true},    {"\0\0", 2, 0, false},
                 {";TRA\n", 5, 0, false},   {" ", 1, 1, true}};
    forge_buf text = build(SHORT("", "") "close\ncut 1\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *copy = malloc(text.len + cases[i].len);
        memcpy(copy, text.data, text.len);
        memcpy(copy + text.len, cases[i].behind, cases[i].len);
        const fh_probe closed = probe(copy, text.len + cases[i].len, FH_END_FILE);
        const fh_probe open = probe(copy, text.len + cases[i].len, FH_END_NONE);
        HOLD(closed.verdict == FH_ACCEPT && closed.length == text.len + cases[i].own,
             "case %zu: %zu bytes", i, closed.length - text.len);
        HOLD(open.verdict == (cases[i].is_more ? FH_MORE : FH_ACCEPT), "case %zu, open", i);
        free(copy);
    }
    forge_buf_free(&text);
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
