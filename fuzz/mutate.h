/* Mutators that know the structure of a format, for libFuzzer and for AFL++.
 *
 * One change each: a part (a packet or a frame of TOD, a line or a pair of parentheses of a text, a
 * run of words of HMD) is taken out, put in again, exchanged, or comes from another input. What
 * counts it, or leads behind it, is kept right, but for one time in four. A number becomes one at
 * which something changes. The result hangs on the bytes and the seed alone.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "core/format.h"

#include <stddef.h>
#include <stdint.h>

/* fuzz_mutate changes `size` bytes at data, of which there may be at most max_size, with parts of
 * the other input (len 0: none). Returns the new size; 0 if nothing could be changed. */
size_t fuzz_mutate(const fh_format *format, uint8_t *data, size_t size, size_t max_size,
                   const uint8_t *other, size_t other_len, unsigned seed);

#endif
