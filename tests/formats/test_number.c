/* Numbers written as text: exactly what the C library's printf makes of them, and read back. And
 * the square root: exactly that of the machine. */
#include "bench.h"

#include "core/double.h"
#include "core/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 512 };

typedef fh_text *(*put_function)(fh_text *, double, unsigned);

static void hold_as_printf(put_function put, const char *form, double value, unsigned decimals)
{
    char got[ROOM];
    char want[ROOM];
    fh_text text = fh_text_make(got, sizeof got);
    HOLD(put(&text, value, decimals) == &text, "calls can be strung together");
    (void)snprintf(want, sizeof want, form, (int)decimals, value);
    HOLD(strcmp(got, want) == 0, "%a with %u decimals: %s, not %s", value, decimals, got, want);
}

static void hold_both(double value, unsigned decimals)
{
    hold_as_printf(fh_number_put_exp, "%.*e", value, decimals);
    hold_as_printf(fh_number_put_fixed, "%.*f", value, decimals);
}

/* Any finite double: every exponent is as likely as any other. */
static double any_double(dice *d)
{
    double value = INFINITY;
    while (!isfinite(value)) {
        const uint64_t bits = (uint64_t)dice_next(d) << 32 | dice_next(d);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

static float any_single(dice *d)
{
    float value = INFINITY;
    while (!isfinite(value)) {
        const uint32_t bits = dice_next(d);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

Test(number, any_double_is_written_as_printf_does, .timeout = 120)
{
    dice d = {1};
    for (int i = 0; i < 1000000; i++) {
        hold_as_printf(fh_number_put_exp, "%.*e", any_double(&d), 6);
    }
    for (int i = 0; i < 100000; i++) {
        hold_both(any_double(&d), dice_below(&d, FH_NUMBER_MOST_EXP_DECIMALS + 1));
        hold_as_printf(fh_number_put_fixed, "%.*f", any_double(&d),
                       dice_below(&d, FH_NUMBER_MOST_DECIMALS + 1));
    }
}

Test(number, numbers_as_files_hold_them_are_written_as_printf_does, .timeout = 120)
{
    dice d = {2};
    for (int i = 0; i < 1000000; i++) {
        const double value = ((double)dice_next(&d) - 2147483648.0) / (1 + dice_next(&d) % 100000);
        hold_as_printf(fh_number_put_fixed, "%.*f", value, 6);
        hold_as_printf(fh_number_put_fixed, "%.*f", (float)value, 6);
    }
}

/* Half way between two numbers of so many digits: the even one is taken. */
Test(number, ties_go_to_the_even_digit)
{
    dice d = {3};
    for (int i = 0; i < 200000; i++) {
        const unsigned places = dice_below(&d, 16);
        const double value = ldexp((double)(2 * (uint64_t)dice_next(&d) + 1), -(int)places - 1);
        hold_both(value, places < 15 ? places : 14);
        hold_as_printf(fh_number_put_exp, "%.*e", 5 + 10 * (double)dice_below(&d, 1000000),
                       dice_below(&d, 7));
    }
    hold_both(0.5, 0);
    hold_both(1.5, 0);
    hold_both(2.5, 0);
    hold_both(0.0000005, 6);
    hold_both(1.0000005, 6);
}

Test(number, the_edges_are_written_as_printf_does)
{
    static const double edges[] = {0.0,
                                   1.0,
                                   9.9999995,
                                   9.9999994999999,
                                   9.99999949999999985,
                                   99.9999995,
                                   0.99999995,
                                   999999.5,
                                   9999999.5,
                                   99999995.0,
                                   0.1,
                                   1e-5,
                                   1e15,
                                   1e16,
                                   1e22,
                                   1e23,
                                   1e100,
                                   9.9999999e99,
                                   1e200,
                                   1e307,
                                   1e308,
                                   DBL_MAX,
                                   DBL_MIN,
                                   DBL_TRUE_MIN,
                                   2 * DBL_TRUE_MIN,
                                   FLT_MAX,
                                   FLT_MIN,
                                   FLT_TRUE_MIN,
                                   2.2250738585072009e-308,
                                   4503599627370496.5,
                                   9007199254740993.0};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        for (unsigned decimals = 0; decimals <= FH_NUMBER_MOST_EXP_DECIMALS; decimals++) {
            hold_both(edges[i], decimals);
            hold_both(-edges[i], decimals);
            hold_both(nextafter(edges[i], INFINITY) < INFINITY ? nextafter(edges[i], INFINITY) : 1,
                      decimals);
            hold_both(nextafter(edges[i], 0), decimals);
        }
        hold_as_printf(fh_number_put_fixed, "%.*f", edges[i], FH_NUMBER_MOST_DECIMALS);
    }
    for (int power = -324; power <= 308; power++) {
        char text[16];
        (void)snprintf(text, sizeof text, "1e%d", power);
        const double value = fh_number_real(text, strlen(text)).value;
        hold_both(value, 6);
        hold_both(nextafter(value, 0), 6);
    }
}

/* As few decimals as will do: with one less another number is read, unless there are least. */
static void hold_decimals(float value)
{
    char text[ROOM];
    const unsigned num = fh_number_decimals(value, 6);
    (void)snprintf(text, sizeof text, "%.*f", (int)num, (double)value);
    const float back = fh_number_real(text, strlen(text)).single;
    HOLD(num >= 6 && num <= 53, "%a: %u decimals", (double)value, num);
    HOLD(memcmp(&back, &value, sizeof back) == 0, "%a is read back from %s", (double)value, text);
    if (num > 6) {
        (void)snprintf(text, sizeof text, "%.*f", (int)num - 1, (double)value);
        const float less = fh_number_real(text, strlen(text)).single;
        HOLD(memcmp(&less, &value, sizeof less) != 0, "%a: %s would do", (double)value, text);
    }
}

Test(number, singles_get_the_decimals_that_they_need, .timeout = 120)
{
    static const float edges[] = {0.0f,    -0.0f,         1.0f,   100.0f,      0.1f,
                                  1e-7f,   9.9999999e-8f, 1e-45f, FLT_MIN,     FLT_MAX,
                                  7e-45f,  0.0000005f,    5e-7f,  16777216.0f, -3.4e38f,
                                  1.5e-6f, 1e-6f,         9e-7f,  0.333333343f};
    dice d = {4};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        hold_decimals(edges[i]);
        hold_decimals(-edges[i]);
    }
    for (int i = 0; i < 50000; i++) {
        hold_decimals(any_single(&d));
        hold_decimals((float)(((double)dice_next(&d) - 2147483648.0) / 1e7));
    }
    cr_assert(eq(uint, fh_number_decimals(100.0f, 6), 6));
    cr_assert(eq(uint, fh_number_decimals(6.138396f, 6), 6));
    cr_assert(eq(uint, fh_number_decimals(0.1234567f, 6), 7));
}

/* ---- square roots ---- */

static void hold_root(double value)
{
    const double got = fh_sqrt(value);
    const double want = sqrt(value);
    HOLD(memcmp(&got, &want, sizeof got) == 0, "root of %a: %a, not %a", value, got, want);
}

Test(root, of_special_numbers)
{
    static const double special[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     0.25,
                                     0.5,
                                     1.5,
                                     1e-24,
                                     1e77,
                                     1e-300,
                                     1e300,
                                     DBL_TRUE_MIN,
                                     2 * DBL_TRUE_MIN,
                                     3 * DBL_TRUE_MIN,
                                     DBL_MIN,
                                     1e-320,
                                     DBL_MAX,
                                     INFINITY,
                                     9007199254740991.0,
                                     9007199254740993.0};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        hold_root(special[i]);
        hold_root(nextafter(special[i], 0));
        hold_root(nextafter(special[i], INFINITY));
    }
    cr_assert(fh_sqrt(-1) == 0 && fh_sqrt(-0.0) == 0 && fh_sqrt(NAN) == 0 &&
              fh_sqrt(-INFINITY) == 0);
}

Test(root, of_any_number, .timeout = 120)
{
    dice d = {7};
    for (int i = 0; i < 1000000; i++) {
        hold_root(fabs(any_double(&d)));
        hold_root(ldexp((double)dice_next(&d) * 4294967296.0 + dice_next(&d),
                        (int)dice_below(&d, 400) - 250));
        const double root = (double)(dice_next(&d) >> 5);
        HOLD(fh_sqrt(root * root) == root, "square of %g", root);
        hold_root(nextafter(root * root, dice_below(&d, 2) == 0 ? 0 : INFINITY));
    }
    for (int i = 0; i < 100000; i++) { /* below the smallest normal number */
        hold_root(ldexp((double)dice_next(&d), -1074 + (int)dice_below(&d, 21)));
    }
}
