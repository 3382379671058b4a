/* TRA4: the evaluator against a second implementation by quaternions, the reader against texts made
 * at random. */
#include "tra_bench.h"

#include "tra/tra_eval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
