/* The direction of a TRA4 bone: what is told of it at keys, at frames and between them, up to the
 * bounds of the rules, and what the evaluator makes of a vector.
 */
#include "tra_bench.h"

#include "tra/tra_eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is told ---- */

#define BONE_WITH(total, rotate, roll)                                                             \
    ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame " total ")(bone(name \"a\")"                   \
    "(translate.x(kf 0 0.0))(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"                        \
    "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))" rotate "(roll" roll ")))\n"
#define TURN(total, x, y, z)                                                                       \
    BONE_WITH(total, "(rotate.x" x ")(rotate.y" y ")(rotate.z" z ")", "(kf 0 0.0)")
#define ROLL(roll)                                                                                 \
    BONE_WITH("2", "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))", roll)

#define AT(frame, value) "(kf " frame " " value ")"
#define STILL(x, y, z) TURN("1", AT("0", x), AT("0", y), AT("0", z))
#define BETWEEN(a, b) AT("0", a) AT("1", b)

#define HOLD_CASES(cases) hold_cases(cases, sizeof(cases) / sizeof(cases)[0], alone)

#define AWAY "more than 0.1 degrees away from -Z"

/* 0.5 and 1.5 are within the bounds, 1 is what a vector should have; percentages are seen by their
 * mean, which one key has as well. */
Test(lengths, bounds)
{
    static const tra_case cases[] = {
        {STILL("0.0", "0.0", "1.0"), "", NULL, NULL, 0},
        {STILL("0.0", "0.0", "1.5"), "0080", "1.5", "1", 0},
        {STILL("0.0", "0.0", "0.5"), "0080", "0.5", "1", 0},
        {STILL("0.0", "0.0", "1.50001"), "0082", "1.50001", "0.5 to 1.5", 0},
        {STILL("0.0", "0.0", "2.0"), "0082", "2", "0.5 to 1.5", 0},
        {STILL("0.0", "0.0", "0.49999"), "0082", "0.49999", "0.5 to 1.5", 0},
        {STILL("0.0", "0.0", "100.0"), "0081", "100", "1", FH_UNKNOWN},
        {STILL("0.0", "0.0", "0.0"), "0083", "0", "above 0", 0},
    };
    HOLD_CASES(cases);
}

/* A length of just 1e-12 is one: the squares of these add up to 1e-24, rounded to double. */
Test(lengths, the_shortest_one)
{
    static const tra_case cases[] = {
        {STILL("0.000000000000904079708", "0.000000000000427363873", "0.0000000000000000287479971"),
         "0082", "between 0 and 0.000001", "0.5 to 1.5", 0},
        {STILL("0.000000000000904079708", "0.000000000000427363813", "0.0000000000000000287479971"),
         "0083", "0", "above 0", 0},
    };
    HOLD_CASES(cases);
}

/* A piece of that length is one as well: half way between two vectors with a direction, this one
 * has none. */
Test(lengths, the_shortest_piece)
{
    static const tra_case cases[] = {
        {TURN("3", AT("0", "0.00000000000000000000839011799") AT("2", "0.00000000000087040325"),
              AT("0", "0.00000000000100119576") AT("2", "0.000000000000508856249"),
              AT("0", "0.0") AT("2", "0.0")),
         "0083 0082", "between 0 and 0.000001", "0.5 to 1.5", 0},
    };
    HOLD_CASES(cases);
}

/* What lies at 0.1 degrees from -Z counts: 3.046180383996e-06, the square of the tangent, is just
 * that of the first one. */
Test(minus_z, bound)
{
    static const tra_case cases[] = {
        {STILL("0.00174534938", "0.00000186405168", "-1.00001109"), "0085",
         "0.001745, 0.000002, -1.000011", AWAY, 0},
        {STILL("0.00174534949", "0.00000186405168", "-1.00001109"), "", NULL, NULL, 0},
    };
    HOLD_CASES(cases);
}

/* Between keys the two whole frames around the place nearest to -Z are looked at, and if neither is
 * near enough, the place itself. */
Test(minus_z, passes)
{
    static const tra_case cases[] = {
        {TURN("2", BETWEEN("0.1", "-0.1"), BETWEEN("0.0", "0.0"), BETWEEN("-0.995", "-0.995")),
         "0086", "0.5", "a way around -Z", 0},
        /* In the second piece: half way to the next frame, then near to the one behind it. */
        {TURN("6", AT("0", "1.0") AT("4", "0.1") AT("5", "-0.1"),
              AT("0", "0.0") AT("4", "0.0") AT("5", "0.0"),
              AT("0", "0.0") AT("4", "-0.995") AT("5", "-0.995")),
         "0086", "4.5", "a way around -Z", 4},
        {TURN("9", AT("0", "1.0") AT("4", "0.0495") AT("8", "-0.0505"),
              AT("0", "0.0") AT("4", "0.0") AT("8", "0.0"),
              AT("0", "0.0") AT("4", "-0.9987") AT("8", "-0.9987")),
         "0085", "-0.0005, 0, -0.9987", AWAY, 6},
        /* It turns by 0.05 degrees a frame, and is nearest half way between 3 and 4; the place
         * nearest to zero is near frame 0.5, or in front of the first key. */
        {TURN("7", AT("0", "-0.0030543") AT("6", "0.0021816"), AT("0", "0.0") AT("6", "0.0"),
              AT("0", "-0.9999954") AT("6", "-1.0000091")),
         "0085", "-0.000436, 0, -1.000002", AWAY, 3},
        {TURN("6", AT("0", "-0.0019199") AT("5", "0.0024434"), AT("0", "0.0") AT("5", "0.0"),
              AT("0", "-1.0000016") AT("5", "-1.0000214")),
         "0085", "-0.000175, 0, -1.00001", AWAY, 2},
        /* It is nearest at the second key, 45 degrees away. */
        {TURN("2", BETWEEN("1000000000000000019884624838656.0", "1.0"), BETWEEN("0.0", "0.0"),
              BETWEEN("1.0", "-1.0")),
         "0082 0080", "1.414214", "1", 1},
    };
    HOLD_CASES(cases);
}

/* Less than 1/100 of the shorter one at both keys is near zero. */
Test(near_zero, bound)
{
    static const char expected[] = "at least 1/100 of those at the keys";
    static const tra_case cases[] = {
        {TURN("2", BETWEEN("1.0", "-1.0"), BETWEEN("0.00995", "0.00995"), BETWEEN("0.0", "0.0")),
         "0084", "0.00995", expected, 0},
        {TURN("2", BETWEEN("1.0", "-1.0"), BETWEEN("0.01005", "0.01005"), BETWEEN("0.0", "0.0")),
         "", NULL, NULL, 0},
        /* These have 100 times the length of what is half way, to the last bit. */
        {TURN("2", BETWEEN("0.999994397", "-0.999994397"), BETWEEN("0.010000444", "0.010000444"),
              BETWEEN("0.0000469353909", "-0.0000469353909")),
         "", NULL, NULL, 0},
        {TURN("2", BETWEEN("0.6", "-1.4"), BETWEEN("0.008", "0.008"), BETWEEN("0.0", "0.0")),
         "0080", "0.600053", "1", 0},
        {TURN("2", BETWEEN("0.6", "-1.4"), BETWEEN("0.005", "0.005"), BETWEEN("0.0", "0.0")),
         "0084 0080", "0.600021", "1", 0},
        /* It is nearest at the second key, however far the first one is away. */
        {TURN("2", BETWEEN("1000000000000000019884624838656.0", "1.0"), BETWEEN("0.0", "0.0"),
              BETWEEN("0.0", "0.0")),
         "0082", "more than 1000000000000", "0.5 to 1.5", 0},
    };
    HOLD_CASES(cases);
}

/* Half a turn is a change that can be meant, in both directions. */
Test(roll, largest_change)
{
    static const char expected[] = "a change of at most 180";
    static const tra_case cases[] = {
        {ROLL(BETWEEN("0.0", "180.0")), "", NULL, NULL, 0},
        {ROLL(BETWEEN("0.0", "-180.0")), "", NULL, NULL, 0},
        {ROLL(BETWEEN("0.0", "180.5")), "0087", "0, then 180.5", expected, 1},
        {ROLL(BETWEEN("0.0", "-180.5")), "0087", "0, then -180.5", expected, 1},
    };
    HOLD_CASES(cases);
}

/* ---- the evaluator ---- */

static tra_special turn(double out[3][3], double direction[3], double x, double y, double z)
{
    const double vector[3] = {x, y, z};
    return tra_rotation(out, direction, vector);
}

/* From 1e-12 on a vector has a direction; -Z has no shortest turn, what is 1e-12 beside it has. */
Test(evaluator, bounds_of_a_direction)
{
    const double shorter = nextafter(1e-12, 0);
    double out[3][3];
    double direction[3];
    cr_assert(shorter * shorter < 1e-24 && 1e-12 * 1e-12 == 1e-24);
    cr_assert(eq(int, (int)turn(out, direction, 1e-12, 0, 0), (int)TRA_ORDINARY));
    cr_assert(direction[0] == 1 && direction[2] == 0);
    cr_assert(eq(int, (int)turn(out, direction, shorter, 0, 0), (int)TRA_ZERO_DIRECTION));
    cr_assert(direction[0] == 0 && direction[2] == 1);
    cr_assert(eq(int, (int)turn(out, direction, 1e-12, 0, -1), (int)TRA_ORDINARY));
    cr_assert(direction[0] > 0 && direction[2] == -1);
    cr_assert(eq(int, (int)turn(out, direction, shorter, 0, -1), (int)TRA_MINUS_Z));
    cr_assert(direction[0] == 0 && direction[2] == -1 && out[1][1] == -1);
}

/* A quarter turn: with z = 0 the factor 1 / (1 + z) is just 1, whatever rounding makes of the
 * length. */
Test(evaluator, a_quarter_turn)
{
    double out[3][3];
    double d[3];
    cr_assert(eq(int, (int)turn(out, d, 1, 2, 0), (int)TRA_ORDINARY));
    cr_assert(d[0] * d[0] + d[1] * d[1] < 1, "rounded");
    cr_assert(out[0][0] == d[1] * d[1] && out[1][1] == d[0] * d[0] && out[0][1] == -d[0] * d[1]);
}

/* At its frame a key has its own value, however much the one before it differs; no value is a
 * negative zero. */
Test(evaluator, samples_at_keys)
{
    static const tra_key keys[] = {{.frame = 0, .value = 1e30f},
                                   {.frame = 2, .value = 1},
                                   {.frame = 4, .value = -0.0f},
                                   {.frame = 6, .value = -0.0f}};
    static const double frames[] = {0, 2, 3, 4, 5, 6, 7, 4, 2, 0};
    static const double wanted[] = {1e30f, 1, 0.5, 0, 0, 0, 0, 0, 1, 1e30f};
    tra_curve curve = {.keys = keys, .num = 4};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const double value = tra_sample(&curve, frames[i]);
        HOLD(memcmp(&value, &wanted[i], sizeof value) == 0, "%g at frame %g", value, frames[i]);
    }
}

/* Poses are compared bit by bit: a zero is none below 0, whatever was multiplied. */
Test(evaluator, no_negative_zeros)
{
    static const double zeros[] = {0.0, -0.0};
    for (size_t i = 0; i < 2; i++) {
        const double zero = zeros[i];
        const double values[TRA_NUM_KINDS] = {0, 0, 0, -100, -100, -100, zero, zero, 1, 0};
        tra_pose pose;
        tra_pose_of(&pose, values);
        for (unsigned k = 0; k < 9; k++) {
            const double got = pose.matrix[k / 3][k % 3];
            HOLD(k % 4 == 0 ? got == -1 : got == 0 && !signbit(got), "%zu: entry %u", i, k);
        }
        for (unsigned k = 0; k < 3; k++) {
            HOLD(!signbit(pose.direction[k]), "%zu: direction %u", i, k);
        }
        cr_assert(pose.direction[0] == 0 && pose.direction[1] == 0 && pose.direction[2] == 1);
    }
}
