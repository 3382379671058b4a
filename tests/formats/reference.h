/* References written from the format's description, for tests to hold the code against: 64 bits
 * wide, with divisions instead of shifts, and libm for the sine.
 */
#ifndef TESTS_FORMATS_REFERENCE_H
#define TESTS_FORMATS_REFERENCE_H

#include "bench.h"

#include "fixed/fixed.h"

int64_t reference_shift(int64_t value, unsigned bits); /* toward minus infinity */
int64_t reference_wrap(int64_t value, unsigned bits);  /* to a signed number of so many bits */
int64_t reference_sine(int64_t i);                     /* 0..4095 */
int64_t reference_sin(int64_t angle);
int64_t reference_cos(int64_t angle);
void reference_rotation(int64_t out[3][3], const int64_t angle[3]);
bool reference_combine(int64_t m[3][3], int64_t t[3], const fx_matrix *p, const fx_matrix *c);

#endif
