/* Doubles without a mathematics library: their bits, and the square root.
 *
 * formats/ calls no such library, for its results differ from system to system. This root is the
 * exactly rounded one everywhere, computed with integers.
 */
#ifndef FH_CORE_DOUBLE_H
#define FH_CORE_DOUBLE_H

#include "core/status.h"

#include <stdint.h>
#include <string.h>

/* IEEE 754: 52 bits of the mantissa without its leading one, 11 of the exponent, the sign. */
enum { FH_MANTISSA_BITS = 52, FH_EXPONENT_BIAS = 1023, FH_MOST_EXPONENT = 2047 };

static inline uint64_t fh_bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double fh_double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* fh_exponent_of returns the biased exponent: 0 below the smallest normal number,
 * FH_MOST_EXPONENT of what is not finite. */
static inline int32_t fh_exponent_of(double value)
{
    return (int32_t)(fh_bits_of(value) >> FH_MANTISSA_BITS & FH_MOST_EXPONENT);
}

/* fh_sqrt returns the square root, exactly rounded, of any number; infinity of infinity, 0 of what
 * is not above 0 and of a not-a-number. */
FH_API double fh_sqrt(double value);

#endif
