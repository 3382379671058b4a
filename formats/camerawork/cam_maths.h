/* Vectors and polynomials of the camera path, in double precision and without the C library.
 *
 * Polynomials on 0..1 are kept in Bernstein form: a curve lies between the least and the largest of
 * its coefficients, and halving it brings these close to the curve. So whether it gets below a
 * bound is decided on the polynomial and not by sampling.
 */
#ifndef FH_CAM_MATHS_H
#define FH_CAM_MATHS_H

#include "core/budget.h"

#include <stdbool.h>

bool cam_is_number(double x); /* neither infinite nor a not-a-number */
double cam_size(double x);    /* its magnitude */

double cam_dot(const double a[3], const double b[3]);
void cam_cross(double out[3], const double a[3], const double b[3]);

/* cam_length returns the length, without overflow or underflow on the way. */
double cam_length(const double a[3]);

/* A vector shorter than this has no direction. */
#define CAM_SHORTEST 1e-12

/* cam_normalise divides by the length; false, and out untouched, if there is no direction. out may
 * be a. */
bool cam_normalise(double out[3], const double a[3]);

/* cam_sine returns the sine of the angle between two vectors, 0 to 1; 0 where one has no direction.
 * cam_cosine likewise, 0 to 1, whatever its sign. */
double cam_sine(const double a[3], const double b[3]);
double cam_cosine(const double a[3], const double b[3]);

enum { CAM_MOST_DEGREE = 12 };

typedef struct cam_poly {
    unsigned degree;
    double c[CAM_MOST_DEGREE + 1];
} cam_poly;

/* cam_poly_hermite is the cubic with these ends and these rates at them, for u from 0 to 1. */
cam_poly cam_poly_hermite(double a, double rate_a, double b, double rate_b);

/* cam_poly_product multiplies; the degrees add up to at most CAM_MOST_DEGREE. */
cam_poly cam_poly_product(const cam_poly *a, const cam_poly *b);

/* cam_poly_add returns a + factor * b, both of one degree. */
cam_poly cam_poly_add(const cam_poly *a, double factor, const cam_poly *b);

/* cam_poly_at returns the value at u. */
double cam_poly_at(const cam_poly *poly, double u);

/* cam_poly_least returns the least value on 0..1 and where it is. Values from `bound` on need not
 * be told from each other; below it the result is exact to a millionth. Pays from the budget; when
 * that is spent, the least value seen so far is returned. */
double cam_poly_least(const cam_poly *poly, double bound, double *at, fh_budget *budget);

#endif
