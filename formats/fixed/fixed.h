/* Fixed-point arithmetic of the PlayStation's run-time libraries, to the bit, as TOD and HMD are
 * played with.
 *
 * Angles: 4096 = 360 degrees. Matrix elements and scales: 4096 = 1.0. Two's complement with wrap-
 * around where the library wraps. Source: measured on the library's object code (release 4.x).
 */
#ifndef FH_FIXED_FIXED_H
#define FH_FIXED_FIXED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fx_matrix {
    int16_t m[3][3]; /* row by row */
    int32_t t[3];
} fx_matrix;

/* fx_w16 and fx_w32 keep the low 16 and 32 bits as a signed number. */
static inline int16_t fx_w16(int64_t value)
{
    return (int16_t)(uint16_t)((uint64_t)value & 0xffff);
}

static inline int32_t fx_w32(int64_t value)
{
    return (int32_t)(uint32_t)((uint64_t)value & 0xffffffff);
}

/* fx_sin and fx_cos take any 16-bit angle. */
int32_t fx_sin(int32_t angle);
int32_t fx_cos(int32_t angle);

/* Orders of rotation: XYZ is Rx * Ry * Rz on column vectors, so that z acts first. */
typedef enum fx_order {
    FX_XYZ = 0,
    FX_XZY,
    FX_YXZ,
    FX_YZX,
    FX_ZXY,
    FX_ZYX,
    FX_NUM_ORDERS
} fx_order;

/* fx_rotate sets the 3x3 part to the rotation by three angles in an order; t stays. */
void fx_rotate(fx_matrix *matrix, const int16_t angle[3], fx_order order);

/* fx_scale multiplies column c by scale[c]; false when some element did not fit 16 bits and
 * wrapped, as it does in the library. */
bool fx_scale(fx_matrix *matrix, const int32_t scale[3]);

/* fx_combine computes world = parent * local. false when an element was saturated, or a translation
 * wrapped or lost what its high part does not hold, as it does from 2^30 on. */
bool fx_combine(fx_matrix *world, const fx_matrix *parent, const fx_matrix *local);

/* fx_transform applies the 3x3 part to a vector of 32 bits, without adding t, and wraps at 32 bits;
 * of components from 2^30 on it loses what their high part does not hold. */
void fx_transform(int32_t out[3], const fx_matrix *matrix, const int32_t vector[3]);

/* fx_inverse computes the inverse of a matrix that turns and moves only: the transpose, and the
 * negated translation turned by it, which wraps at 32 bits. */
void fx_inverse(fx_matrix *inverse, const fx_matrix *matrix);

/* fx_sqrt computes the library's quick square root, exact to about 8 bits; 0 for 0 and -1. false,
 * and nothing stored, for other negative numbers: there the library reads in front of its table. */
bool fx_sqrt(int32_t *root, int32_t value);

/* fx_square is the square of a vector's length; each square and each sum wraps at 32 bits. */
int32_t fx_square(const int32_t vector[3]);

/* fx_is_singular tells whether the integer determinant of the 3x3 part is 0. */
bool fx_is_singular(const int16_t m[3][3]);

#endif
