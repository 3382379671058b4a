/* Fixed-point arithmetic of the run-time library that plays TOD, to the bit.
 *
 * Angles: 4096 = 360 degrees. Matrix elements and scales: 4096 = 1.0. Two's complement with wrap-
 * around where the library wraps. Source: measured on the library's object code (release 4.x).
 */
#ifndef FH_TOD_MATH_H
#define FH_TOD_MATH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tod_matrix {
    int16_t m[3][3]; /* row by row */
    int32_t t[3];
} tod_matrix;

/* tod_w16 and tod_w32 keep the low 16 and 32 bits as a signed number. */
static inline int16_t tod_w16(int64_t value)
{
    return (int16_t)(uint16_t)((uint64_t)value & 0xffff);
}

static inline int32_t tod_w32(int64_t value)
{
    return (int32_t)(uint32_t)((uint64_t)value & 0xffffffff);
}

/* tod_sin and tod_cos take any 16-bit angle. */
int32_t tod_sin(int32_t angle);
int32_t tod_cos(int32_t angle);

/* tod_rotate sets the 3x3 part to Rx * Ry * Rz; t stays. */
void tod_rotate(tod_matrix *matrix, const int16_t angle[3]);

/* tod_scale multiplies column c by scale[c]; false when some element did not fit 16 bits and
 * wrapped, as it does in the library. */
bool tod_scale(tod_matrix *matrix, const int32_t scale[3]);

/* tod_combine computes world = parent * local. false when an element was saturated or a
 * translation wrapped. */
bool tod_combine(tod_matrix *world, const tod_matrix *parent, const tod_matrix *local);

/* tod_is_singular tells whether the integer determinant of the 3x3 part is 0. */
bool tod_is_singular(const int16_t m[3][3]);

#endif
