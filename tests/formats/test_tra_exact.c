/* TRA4: what is the same to the last bit on every machine, and what of it is shown. */
#include "tra_bench.h"

#include "tra/tra_eval.h"
#include "tra/tra_math.h"
#include "tra/tra_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD ";TRA\n(Head(traVersion 4.0))"

/* ---- sine and cosine ---- */

/* The Taylor series up to the power `last`, without its first terms, by Horner's scheme in squares;
 * what is left of it is multiplied by the power `first`. */
static double series(double square, int first, int last)
{
    double sum = 0;
    for (int power = last; power >= first; power -= 2) {
        double factorial = 1;
        for (int i = 2; i <= power; i++) {
            factorial *= i;
        }
        const double coefficient = (power % 4 < 2 ? 1 : -1) / factorial;
        sum = power == last ? coefficient : coefficient + square * sum;
    }
    return sum;
}

static void hold_first_eighth(double degrees)
{
    const double x = degrees * 0.017453292519943295;
    const double square = x * x;
    const double half = square / 2;
    const double lost = (1 - (1 - half)) - half;
    double s, c;
    tra_sin_cos(&s, &c, degrees);
    HOLD(s == x + x * (square * series(square, 3, 15)), "the sine of %a", degrees);
    HOLD(c == (1 - half) + (lost + square * square * series(square, 4, 16)), "the cosine of %a",
         degrees);
}

/* Sums and products in a fixed order, with the reciprocals of factorials: some angles at which a
 * factorial that is off by one makes another last bit, and many others. */
Test(math, every_bit_of_the_series)
{
    static const double angles[] = {0x1.673333330729bp+5,
                                    0x1.6733277559408p+5,
                                    0x1.6733333333273p+5,
                                    0x1.6733331cad3ap+5,
                                    0,
                                    1,
                                    30};
    dice d = {10};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        hold_first_eighth(angles[i]);
    }
    for (int i = 0; i < 20000; i++) {
        hold_first_eighth((double)dice_next(&d) / UINT32_MAX * 44.9);
    }
}

/* From where doubles are whole numbers, and around it, an angle is what is left of it by a turn. */
Test(math, angles_without_a_fraction)
{
    static const double sizes[] = {0x1p43, 0x1p44, 0x1p45, 0x1p52, 0x1p53, 0x1p54, 0x1p100};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double angle = sizes[i] * (1 - 0x1p-48);
        for (int k = 0; k < 100; k++) {
            double s, c, want_s, want_c;
            tra_sin_cos(&s, &c, angle);
            tra_sin_cos(&want_s, &want_c, fmod(angle, 360));
            HOLD(s == want_s && c == want_c, "%a", angle);
            tra_sin_cos(&s, &c, -angle);
            HOLD(s == -want_s && c == want_c, "-%a", angle);
            angle = nextafter(angle, INFINITY);
        }
    }
}

Test(math, no_negative_zero)
{
    for (int quarter = -8; quarter <= 8; quarter++) {
        double s, c;
        tra_sin_cos(&s, &c, 90.0 * quarter);
        HOLD(quarter % 2 != 0 || (s == 0 && !signbit(s)), "sine of %d quarters", quarter);
        HOLD(quarter % 2 == 0 || (c == 0 && !signbit(c)), "cosine of %d quarters", quarter);
    }
}

Test(sample, no_negative_zero)
{
    const tra_key keys[] = {{.frame = 0, .value = -0.0f}, {.frame = 4, .value = -0.0f}};
    tra_curve curve = {.keys = keys, .num = 2};
    for (int frame = -1; frame < 6; frame++) {
        const double value = tra_sample(&curve, frame);
        HOLD(value == 0 && !signbit(value), "frame %d", frame);
    }
}

/* ---- spaces ---- */

Test(space, no_negative_zero)
{
    const tra_space a = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {-0.0, -0.0, -0.0}};
    const tra_space b = {{{0}, {0}, {0}}, {0}};
    const tra_space minus = {{{-0.0, -0.0, -0.0}, {-0.0, -0.0, -0.0}, {-0.0, -0.0, -0.0}},
                             {-0.0, -0.0, -0.0}};
    const tra_space plus = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {-0.0, -0.0, -0.0}};
    tra_space out;
    for (int turn = 0; turn < 2; turn++) {
        tra_space_times(&out, turn == 0 ? &a : &plus, turn == 0 ? &b : &minus);
        for (unsigned i = 0; i < 9; i++) {
            const double value = out.matrix[i / 3][i % 3];
            HOLD(value == 0 && !signbit(value), "element %u", i);
            HOLD(out.origin[i % 3] == 0 && !signbit(out.origin[i % 3]), "origin %u", i % 3);
        }
    }
}

/* The largest float that, squared, is no more than what is wanted. */
static float root_below(double wanted)
{
    float root = (float)sqrt(wanted);
    while ((double)root * root > wanted) {
        root = nextafterf(root, 0);
    }
    return root;
}

/* Below the square of its length a vector has no direction; at it it has. */
Test(space, the_least_length)
{
    const double least = TRA_NO_LENGTH_SQUARED;
    tra_bac_bone bone = {.points[TRA_Y_POINT] = {0, 1, 0}};
    float *z = bone.points[TRA_Z_POINT];
    tra_space out;
    z[0] = root_below(least);
    z[1] = root_below(least - (double)z[0] * z[0]);
    z[2] = root_below(least - (double)z[0] * z[0] - (double)z[1] * z[1]);
    const double square = (double)z[0] * z[0] + (double)z[1] * z[1] + (double)z[2] * z[2];
    cr_assert(square == least, "the test's numbers: %a", square);
    cr_assert(eq(int, (int)tra_rest_of(&out, &bone), TRA_REST_FIXED));
    z[2] = nextafterf(z[1], 0);
    z[1] = 0;
    cr_assert(eq(int, (int)tra_rest_of(&out, &bone), TRA_REST_NONE));
}

/* All rows of all frames, but for changes: only those are left out that are as they were. */
Test(space, rows_of_what_stands_still)
{
    pair p;
    pair_forge(&p, HIP_AND_LEG, BAC "bone hip 0\nbone leg 1\n");
    for (int is_changes = 0; is_changes < 2; is_changes++) {
        bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = is_changes != 0});
        cr_assert(p.b.result.state == FH_REPLAY_COMPLETE && p.b.result.frames == 2);
        for (int64_t bone = 0; bone < 2; bone++) {
            HOLD(record_has_row(&p.b.replay, "world", bone, 0), "bone %d at first", (int)bone);
            HOLD(record_has_row(&p.b.replay, "world", bone, 1) == (is_changes == 0),
                 "bone %d behind", (int)bone);
        }
    }
    pair_close(&p);
}

/* What is nowhere and has no size is told at first as well. */
Test(space, rows_of_nothing)
{
    pair p;
    pair_forge(&p,
               "tra\nmagic\nhead\nfigure 2\nbone \"hip\"\nscale.x 0 0 1 0\nscale.y 0 0 1 0\n"
               "scale.z 0 0 1 0\n",
               BAC "bone hip 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = true});
    cr_assert(p.b.result.state == FH_REPLAY_COMPLETE);
    cr_assert(record_has_row(&p.b.replay, "world", 0, 0));
    cr_assert(not(record_has_row(&p.b.replay, "world", 0, 1)));
    pair_close(&p);
}

/* ---- replays ---- */

enum { NUM_FRAMES = 16, MOST_KEYS = 40 };

typedef struct group_key {
    uint32_t frame, group;
    bool is_shown;
} group_key;

/* The mask as the manual has it: of each group the last key up to the frame, and of those of one
 * frame the last in the file. */
static uint32_t mask_at(const group_key *keys, size_t num, uint32_t frame)
{
    uint32_t mask = 0;
    for (uint32_t at = 0; at <= frame; at++) {
        for (size_t i = 0; i < num; i++) {
            if (keys[i].frame == at) {
                const uint32_t bit = 1u << keys[i].group;
                mask = keys[i].is_shown ? mask | bit : mask & ~bit;
            }
        }
    }
    return mask;
}

static void hold_masks(const bench *b, const group_key *keys, size_t num)
{
    for (size_t i = 0; i < b->replay.num_poses; i++) {
        const pose *row = &b->replay.poses[i];
        if (strcmp(row->table->name, "dynamic") == 0) {
            HOLD(row->values[0] == mask_at(keys, num, row->frame), "%zu keys, frame %u", num,
                 row->frame);
        }
    }
}

/* As many as there may be, in any order. */
Test(dynamic, any_number_of_keys_in_any_order)
{
    dice d = {11};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t turn = 0; turn < 4 * MOST_KEYS; turn++) {
        const size_t num = turn / 4;
        group_key keys[MOST_KEYS];
        char text[4096];
        size_t len = (size_t)snprintf(text, sizeof text,
                                      HEAD "(Figure(totalFrame %d)(bone(name \"a\"))"
                                           "(DynamicPolygons",
                                      NUM_FRAMES);
        for (size_t i = 0; i < num; i++) {
            keys[i].frame = turn % 4 == 0 ? (uint32_t)(num - i) % NUM_FRAMES
                                          : dice_below(&d, turn % 4 == 1 ? 2 : NUM_FRAMES);
            keys[i].group = dice_below(&d, 4);
            keys[i].is_shown = dice_below(&d, 2) != 0;
            len += (size_t)snprintf(text + len, sizeof text - len, "(kgf %u %u %s)", keys[i].frame,
                                    keys[i].group, keys[i].is_shown ? "true" : "false");
        }
        len += (size_t)snprintf(text + len, sizeof text - len, "))");
        bench_verify(&b, text, len, alone);
        cr_assert(b.model != NULL);
        bench_replay(&b, &(fh_replay_options){0});
        cr_assert(b.result.state == FH_REPLAY_COMPLETE && b.result.frames == NUM_FRAMES);
        hold_masks(&b, keys, num);
    }
    bench_close(&b);
}

/* In every arena there is a replay or none. */
static void hold_arenas(const char *text)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, strlen(text), alone);
    HOLD(b.model != NULL, "%s", record_codes(&b.verify));
    const size_t mark = fh_arena_mark(&b.arena);
    fh_status last = FH_NO_MEMORY;
    for (size_t size = mark; size < mark + 4096; size++) {
        const fh_sink deaf = {0};
        fh_arena arena = fh_arena_make(b.block, size);
        arena.used = mark;
        fh_budget budget = {BENCH_BUDGET};
        const fh_env env = {&arena, &budget, &deaf};
        fh_replay_result result;
        const fh_status status = b.format->replay(&result, &env, b.model, &(fh_replay_options){0});
        HOLD(status == FH_OK ? result.frames == 4 : status == FH_NO_MEMORY, "%zu bytes",
             size - mark);
        last = status;
    }
    cr_assert(eq(int, (int)last, FH_OK));
    bench_close(&b);
}

/* Of what the tables take the largest is that of the channels, or that of the bones. */
Test(limits, tables_of_all_sizes)
{
    char text[1024];
    size_t len = (size_t)snprintf(text, sizeof text, HEAD "(Figure(totalFrame 4)");
    for (int i = 0; i < 16; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "(bone(name \"%c\")(roll(kf 0 0.0)(kf 3 1.0)))", 'a' + i);
    }
    (void)snprintf(text + len, sizeof text - len, ")");
    hold_arenas(text);
    hold_arenas(HEAD "(Figure(totalFrame 4)(bone(name \"a\")"
                     "(translate.x(kf 0 0.0))(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"
                     "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))"
                     "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))"
                     "(roll(kf 0 0.0)(kf 3 1.0))))");
}
