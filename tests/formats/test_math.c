/* The arithmetic of the player, against references written from the format's description: 64 bits
 * wide, with divisions instead of shifts, and libm for the sine. */
#include "reference.h"

Test(sine, all_entries)
{
    for (int32_t i = 0; i < 4096; i++) {
        HOLD(fx_sin(i) == reference_sine(i), "S[%d] is %d", i, fx_sin(i));
    }
}

Test(sine, every_16_bit_angle)
{
    for (int32_t angle = -32768; angle <= 32767; angle++) {
        HOLD(fx_sin(angle) == reference_sin(angle), "sin %d", angle);
        HOLD(fx_cos(angle) == reference_cos(angle), "cos %d", angle);
        HOLD(fx_cos(angle) == fx_cos(-angle), "cos is even at %d", angle);
        HOLD(fx_sin(angle) == -fx_sin(-angle), "sin is odd at %d", angle);
        HOLD(fx_sin(angle) == fx_sin(angle + 4096) || angle < 0, "period at %d", angle);
        HOLD(fx_sin(angle) == -fx_sin(angle + 2048) || angle < 0, "half a period at %d", angle);
    }
    cr_assert(eq(i32, fx_sin(1024), 4096));
    cr_assert(eq(i32, fx_sin(-1024), -4096));
    cr_assert(eq(i32, fx_cos(0), 4096));
    cr_assert(eq(i32, fx_sin(-32768), 0));
    cr_assert(eq(i32, fx_cos(-32768), 4096));
}

Test(wrapping, keeps_the_low_bits)
{
    static const int64_t values[] = {0,          1,          -1,          32767,       32768,
                                     -32768,     -32769,     65535,       65536,       -65536,
                                     2147483647, 2147483648, -2147483648, -2147483649, 4294967296,
                                     INT64_MAX,  INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        HOLD(fx_w16(values[i]) == reference_wrap(values[i], 16), "w16 of %lld",
             (long long)values[i]);
        HOLD(fx_w32(values[i]) == reference_wrap(values[i], 32), "w32 of %lld",
             (long long)values[i]);
    }
}

static void hold_rotation(const int16_t angle[3])
{
    int64_t want[3][3];
    fx_matrix got = {.t = {11, -22, 33}};
    const int64_t wide[3] = {angle[0], angle[1], angle[2]};
    reference_rotation(want, wide);
    fx_rotate(&got, angle, FX_XYZ);
    for (int i = 0; i < 9; i++) {
        HOLD(got.m[i / 3][i % 3] == want[i / 3][i % 3], "angles %d %d %d element %d: %d, not %d",
             angle[0], angle[1], angle[2], i, got.m[i / 3][i % 3], (int)want[i / 3][i % 3]);
    }
    HOLD(got.t[0] == 11 && got.t[1] == -22 && got.t[2] == 33, "t stays");
}

Test(rotation, random_angles)
{
    dice d = {1};
    for (int i = 0; i < 20000; i++) {
        const int16_t angle[3] = {(int16_t)reference_wrap(dice_next(&d), 16),
                                  (int16_t)reference_wrap(dice_next(&d), 16),
                                  (int16_t)reference_wrap(dice_next(&d), 16)};
        hold_rotation(angle);
    }
}

Test(rotation, angles_at_the_edges)
{
    static const int16_t edges[] = {-32768, -32767, -4097, -4096, -4095, -1025, -1024,
                                    -1023,  -1,     0,     1,     1023,  1024,  1025,
                                    2047,   2048,   3072,  4095,  32767};
    enum { NUM = sizeof edges / sizeof edges[0] };
    for (int i = 0; i < NUM * NUM * NUM; i++) {
        const int16_t angle[3] = {edges[i % NUM], edges[i / NUM % NUM], edges[i / NUM / NUM]};
        hold_rotation(angle);
    }
}

/* z acts first, then y, then x: a quarter turn about each axis, on the unit vectors. */
Test(rotation, order_of_the_axes)
{
    fx_matrix m = {0};
    fx_rotate(&m, (const int16_t[3]){1024, 0, 1024}, FX_XYZ);
    /* Rz takes x to y, Rx takes y to z: column 0 is z. */
    cr_assert(eq(int, m.m[0][0], 0));
    cr_assert(eq(int, m.m[1][0], 0));
    cr_assert(eq(int, m.m[2][0], 4096));
}

Test(scale, columns_wrap_and_the_wrap_is_told)
{
    dice d = {2};
    int num_wrapped = 0;
    for (int i = 0; i < 20000; i++) {
        fx_matrix m;
        int32_t scale[3];
        int64_t want[3][3];
        bool fits = true;
        const unsigned scale_bits = 10 + dice_below(&d, 23);
        const unsigned element_bits = 10 + dice_below(&d, 7);
        for (int k = 0; k < 3; k++) {
            scale[k] = (int32_t)reference_wrap(dice_next(&d), scale_bits);
            m.t[k] = k;
        }
        for (int k = 0; k < 9; k++) {
            const int16_t element = (int16_t)reference_wrap(dice_next(&d), element_bits);
            const int64_t exact = (int64_t)element * scale[k % 3];
            m.m[k / 3][k % 3] = element;
            want[k / 3][k % 3] = reference_wrap(reference_shift(reference_wrap(exact, 32), 12), 16);
            fits = fits && want[k / 3][k % 3] == reference_shift(exact, 12);
        }
        num_wrapped += fits ? 0 : 1;
        HOLD(fx_scale(&m, scale) == fits, "case %d: flag", i);
        for (int k = 0; k < 9; k++) {
            HOLD(m.m[k / 3][k % 3] == want[k / 3][k % 3], "case %d element %d", i, k);
        }
        HOLD(m.t[0] == 0 && m.t[2] == 2, "t stays");
    }
    cr_assert(gt(int, num_wrapped, 1000));
    cr_assert(lt(int, num_wrapped, 19000));
}

Test(scale, exactly_at_the_edge)
{
    fx_matrix m = {.m = {{4096, 4096, 4096}, {-4096, -4096, -4096}, {0, 0, 0}}};
    cr_assert(fx_scale(&m, (const int32_t[3]){32767, 4096, -32767}));
    cr_assert(eq(int, m.m[0][0], 32767));
    cr_assert(eq(int, m.m[1][0], -32767));
    m = (fx_matrix){.m = {{4096, 0, 0}}};
    cr_assert(not(fx_scale(&m, (const int32_t[3]){32768, 0, 0})));
    cr_assert(eq(int, m.m[0][0], -32768));
    m = (fx_matrix){.m = {{-4096, 0, 0}}};
    cr_assert(fx_scale(&m, (const int32_t[3]){32768, 0, 0}));
}

/* ---- world matrices ---- */

static void hold_combine(const fx_matrix *p, const fx_matrix *c)
{
    int64_t m[3][3], t[3];
    fx_matrix got;
    const bool fits = reference_combine(m, t, p, c);
    HOLD(fx_combine(&got, p, c) == fits, "flag");
    for (int i = 0; i < 9; i++) {
        HOLD(got.m[i / 3][i % 3] == m[i / 3][i % 3], "element %d", i);
    }
    for (int i = 0; i < 3; i++) {
        HOLD(got.t[i] == t[i], "t%d is %d, not %lld", i, got.t[i], (long long)t[i]);
    }
}

static fx_matrix random_matrix(dice *d)
{
    fx_matrix m;
    const unsigned element_bits = 12 + dice_below(d, 5);
    const unsigned length_bits = 8 + dice_below(d, 25);
    for (int i = 0; i < 9; i++) {
        m.m[i / 3][i % 3] = (int16_t)reference_wrap(dice_next(d), element_bits);
    }
    for (int i = 0; i < 3; i++) {
        m.t[i] = (int32_t)reference_wrap(dice_next(d), length_bits);
    }
    return m;
}

Test(world, random_matrices)
{
    dice d = {3};
    for (int i = 0; i < 50000; i++) {
        const fx_matrix p = random_matrix(&d);
        const fx_matrix c = random_matrix(&d);
        hold_combine(&p, &c);
    }
}

Test(world, saturates_exactly_outside_16_bits)
{
    const fx_matrix unit = {.m = {{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};
    fx_matrix got;
    const fx_matrix twice = {.m = {{8192, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}};
    const fx_matrix half = {.m = {{16383, -16384, 0}, {0, 0, 0}, {0, 0, 0}}};
    cr_assert(fx_combine(&got, &twice, &half));
    cr_assert(eq(int, got.m[0][0], 32766));
    cr_assert(eq(int, got.m[0][1], -32768));
    const fx_matrix most = {.m = {{32767, -32768, 0}, {0, 0, 0}, {0, 0, 0}}};
    cr_assert(fx_combine(&got, &unit, &most), "both ends are inside");
    cr_assert(eq(int, got.m[0][0], 32767));
    cr_assert(eq(int, got.m[0][1], -32768));
    const fx_matrix above = {.m = {{16384, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    cr_assert(not(fx_combine(&got, &twice, &above)));
    cr_assert(eq(int, got.m[0][0], 32767));
    const fx_matrix below = {.m = {{-16385, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    cr_assert(not(fx_combine(&got, &twice, &below)));
    cr_assert(eq(int, got.m[0][0], -32768));
    const fx_matrix least = {
        .m = {{-32768, -32768, -32768}, {-32768, -32768, -32768}, {-32768, -32768, -32768}},
        .t = {INT32_MIN, INT32_MIN, INT32_MIN}};
    hold_combine(&least, &least);
    hold_combine(&unit, &least);
    hold_combine(&least, &unit);
}

Test(world, translation_wraps_exactly_outside_32_bits)
{
    fx_matrix p = {.m = {{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, .t = {INT32_MAX, INT32_MIN, 0}};
    fx_matrix c = {.m = {{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, .t = {0, 0, -0x3fffffff}};
    fx_matrix got;
    cr_assert(fx_combine(&got, &p, &c));
    cr_assert(eq(i32, got.t[0], INT32_MAX));
    cr_assert(eq(i32, got.t[1], INT32_MIN));
    cr_assert(eq(i32, got.t[2], -0x3fffffff));
    c.t[0] = 1;
    cr_assert(not(fx_combine(&got, &p, &c)));
    cr_assert(eq(i32, got.t[0], INT32_MIN));
    c.t[0] = 0;
    c.t[1] = -1;
    cr_assert(not(fx_combine(&got, &p, &c)));
    cr_assert(eq(i32, got.t[1], INT32_MAX));
}

/* A product of negative numbers is cut toward minus infinity in the low part only. */
Test(world, long_vectors_are_split_by_sign_and_magnitude)
{
    const fx_matrix p = {.m = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
    const fx_matrix c = {.t = {-1, 32768, 32769}};
    fx_matrix got;
    cr_assert(fx_combine(&got, &p, &c));
    cr_assert(eq(i32, got.t[0], -1));
    cr_assert(eq(i32, got.t[1], 8));
    cr_assert(eq(i32, got.t[2], -9));
}

/* The coprocessor takes the high part as 16 bits: from 2^30 on it loses its upper ones. */
Test(world, long_vectors_lose_what_their_high_part_does_not_hold)
{
    static const struct {
        int32_t t, want;
        bool fits;
    } cases[] = {{0x3fffffff, 0x3fffffff, true},
                 {0x40000000, -0x40000000, false},
                 {0x50000000, -0x30000000, false},
                 {INT32_MAX, -1, false},
                 {INT32_MIN, 0, false},
                 {-0x3fffffff, -0x3fffffff, true},
                 {-0x40000000, -0x40000000, true},
                 {-0x40008000, 0x3fff8000, false}};
    const fx_matrix turned = {.m = {{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fx_matrix child = {.t = {cases[i].t, 0, 0}};
        fx_matrix got;
        int32_t out[3];
        HOLD(fx_combine(&got, &turned, &child) == cases[i].fits, "case %zu: flag", i);
        HOLD(got.t[1] == cases[i].want, "case %zu is %d", i, got.t[1]);
        fx_transform(out, &turned, child.t);
        HOLD(out[1] == cases[i].want, "case %zu, alone, is %d", i, out[1]);
        hold_combine(&turned, &child);
    }
}

static bool reference_singular(const int16_t m[3][3])
{
    int64_t det = 0;
    static const int order[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                    {0, 2, 1, -1}, {1, 0, 2, -1}, {2, 1, 0, -1}};
    for (int i = 0; i < 6; i++) {
        det += (int64_t)order[i][3] * m[0][order[i][0]] * m[1][order[i][1]] * m[2][order[i][2]];
    }
    return det == 0;
}

Test(singular, by_the_rule_of_sarrus)
{
    dice d = {4};
    int num_singular = 0;
    for (int i = 0; i < 50000; i++) {
        int16_t m[3][3];
        const unsigned bits = 2 + dice_below(&d, 15);
        for (int k = 0; k < 9; k++) {
            m[k / 3][k % 3] = (int16_t)reference_wrap(dice_next(&d), bits);
        }
        if (dice_below(&d, 3) == 0) { /* row 2 = row 0 - row 1 */
            for (int k = 0; k < 3; k++) {
                m[0][k] = (int16_t)(m[0][k] / 2);
                m[1][k] = (int16_t)(m[1][k] / 2);
                m[2][k] = (int16_t)(m[0][k] - m[1][k]);
            }
        }
        num_singular += reference_singular(m) ? 1 : 0;
        HOLD(fx_is_singular(m) == reference_singular(m), "case %d", i);
    }
    cr_assert(gt(int, num_singular, 10000));
    const int16_t least[3][3] = {
        {-32768, -32768, -32768}, {32767, -32768, 32767}, {-32768, 32767, 32767}};
    cr_assert(eq(int, fx_is_singular(least), reference_singular(least)));
}
