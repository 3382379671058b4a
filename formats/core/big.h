/* Integers of some thousand bits, for numbers that are read from text and written to it exactly.
 *
 * They are values of fixed room without an owner. The room suffices for what number.h reads and
 * writes; more than it holds is a bug of ours and stops the program where assertions are live.
 */
#ifndef FH_CORE_BIG_H
#define FH_CORE_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of at most 801 digits has 2661 bits, 5^1140 has 2648; one more is needed while dividing.
 */
enum { FH_BIG_LIMBS = 88 };

typedef struct fh_big {
    uint32_t limb[FH_BIG_LIMBS]; /* lowest first */
    size_t num;                  /* used ones; the highest is not 0 */
} fh_big;

void fh_big_set(fh_big *to, uint64_t value);

/* fh_big_multiply makes it to * factor + add. */
void fh_big_multiply(fh_big *to, uint32_t factor, uint32_t add);
void fh_big_multiply_by_5_to(fh_big *to, uint32_t power);

/* fh_big_bits returns how many bits it has; it is not 0. */
uint32_t fh_big_bits(const fh_big *of);

void fh_big_shift_left(fh_big *to, uint32_t bits);

/* fh_big_shift_right_rounded divides by a power of two and takes the nearest integer, of two that
 * are as near the even one. */
void fh_big_shift_right_rounded(fh_big *to, uint32_t bits);

bool fh_big_is_less(const fh_big *a, const fh_big *b);

/* fh_big_subtract takes `what` away, which is not larger. */
void fh_big_subtract(fh_big *from, const fh_big *what);

/* fh_big_divide_small divides and returns the remainder. */
uint32_t fh_big_divide_small(fh_big *to, uint32_t by);

/* fh_big_quotient_rounded returns the integer nearest to top / below, ties to even; it is below
 * 2^63. Both arguments are used up. */
uint64_t fh_big_quotient_rounded(fh_big *top, fh_big *below);

/* fh_big_low returns the lowest 64 bits. */
uint64_t fh_big_low(const fh_big *of);

#endif
