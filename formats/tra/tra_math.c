#include "tra/tra_math.h"

#include "core/double.h"

static uint64_t mantissa_of(uint64_t bits)
{
    const uint64_t one = (uint64_t)1 << FH_MANTISSA_BITS;
    return (bits & (one - 1)) | one;
}

/* The power of two of the mantissa's last bit. */
static int32_t power_of(uint64_t bits)
{
    return (int32_t)(bits >> FH_MANTISSA_BITS & 0x7ff) - FH_EXPONENT_BIAS - FH_MANTISSA_BITS;
}

/* A whole number of degrees modulo 360, from a mantissa and a power of two. */
static double reduce_whole(uint64_t mantissa, int32_t power)
{
    uint64_t rest = mantissa % 360;
    for (; power > 0; power--) {
        rest = rest * 2 % 360;
    }
    return (double)rest;
}

/* An equivalent angle of moderate size; all steps are exact. */
static double reduce(double degrees)
{
    const double most = 17592186044416.0; /* 2^44: quotients by 90 and products with it are exact */
    const double whole = 9007199254740992.0; /* 2^53: from here on there are no fractions */
    const double size = degrees < 0 ? -degrees : degrees;
    double out = size;
    if (size >= whole) {
        const uint64_t bits = fh_bits_of(size);
        out = reduce_whole(mantissa_of(bits), power_of(bits));
    } else if (size >= most) {
        const int64_t part = (int64_t)size;
        out = (double)(part % 360) + (size - (double)part);
    }
    return degrees < 0 ? -out : out;
}

/* Taylor series; of arguments up to pi/4 the first terms left out are below 2^-54 and 2^-58. */
static double sine_of(double x)
{
    const double s = x * x;
    const double tail =
        -1.0 / 6 +
        s * (1.0 / 120 +
             s * (-1.0 / 5040 +
                  s * (1.0 / 362880 + s * (-1.0 / 39916800 +
                                           s * (1.0 / 6227020800 + s * (-1.0 / 1307674368000))))));
    return x + x * (s * tail);
}

static double cosine_of(double x)
{
    const double s = x * x;
    const double tail =
        1.0 / 24 +
        s * (-1.0 / 720 +
             s * (1.0 / 40320 +
                  s * (-1.0 / 3628800 + s * (1.0 / 479001600 + s * (-1.0 / 87178291200 +
                                                                    s * (1.0 / 20922789888000))))));
    /* 1 - s/2 loses what is below its last place; that is put back. */
    const double half = s / 2;
    const double main = 1 - half;
    return main + (((1 - main) - half) + s * s * tail);
}

void tra_sin_cos(double *sine, double *cosine, double degrees)
{
    const double radian = 0.017453292519943295; /* pi / 180 */
    const double angle = reduce(degrees);
    const double turns = angle / 90;
    const int64_t quadrant = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double x = (angle - 90.0 * (double)quadrant) * radian;
    const double s = sine_of(x);
    const double c = cosine_of(x);
    const double sines[] = {s, c, -s, -c};
    const unsigned which = (unsigned)((uint64_t)quadrant & 3);
    *sine = sines[which] + 0.0; /* no negative zero */
    *cosine = sines[(which + 1) & 3] + 0.0;
}
