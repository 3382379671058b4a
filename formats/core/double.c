#include "core/double.h"

#include <stdbool.h>

/* The first 54 bits of the root of mantissa * 2^54, digit by digit as on paper, rounded to 53. That
 * root is never half way between two doubles: it would be odd in its last bit, and so its square.
 * So that bit alone decides. */
static uint64_t root_of(uint64_t mantissa)
{
    uint64_t root = 0;
    uint64_t rest = 0;
    for (int shift = 52; shift >= -54; shift -= 2) {
        const uint64_t next = shift >= 0 ? mantissa >> shift & 3 : 0;
        const uint64_t trial = root << 2 | 1;
        rest = rest << 2 | next;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return (root >> 1) + (root & 1);
}

double fh_sqrt(double value)
{
    const uint64_t one = (uint64_t)1 << FH_MANTISSA_BITS;
    int32_t exponent = fh_exponent_of(value);
    uint64_t mantissa = fh_bits_of(value) & (one - 1);
    if (!(value > 0) || exponent == FH_MOST_EXPONENT) {
        return value > 0 ? value : 0.0;
    }
    if (exponent == 0) {
        exponent = 1;
        while (mantissa < one) {
            mantissa <<= 1;
            exponent--;
        }
    }
    mantissa |= one;
    /* value = mantissa * 2^power */
    const int32_t power = exponent - FH_EXPONENT_BIAS - FH_MANTISSA_BITS;
    const bool is_odd = (power & 1) != 0;
    const uint64_t root = root_of(is_odd ? mantissa << 1 : mantissa);
    /* The root is root * 2^half. */
    const int32_t half = ((is_odd ? power - 1 : power) - FH_MANTISSA_BITS) / 2;
    /* It has 53 bits, or one bit too many after rounding, which the sum carries on. */
    const uint64_t biased = (uint64_t)((int64_t)half + FH_MANTISSA_BITS + FH_EXPONENT_BIAS);
    return fh_double_of((biased << FH_MANTISSA_BITS) + (root - one));
}
