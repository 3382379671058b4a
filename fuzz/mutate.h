/* Mutators that know the structure of a format, for libFuzzer and for AFL++.
 *
 * One change each: a part (a packet or a frame of TOD; a block, a coordinate, a header, a
 * primitive, a record, a sequence, a descriptor or a packet of HMD; a chunk of TRA4, a row of a
 * camera) is taken out, put in again, exchanged with its neighbour, or comes from another input.
 * What counts it, or leads behind it, is kept right, but one time in four exactly one number that
 * counts it is left as it was. Besides, a number becomes one at which something changes, and words
 * come and go. The result hangs on the bytes and the seed alone.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "core/format.h"

#include <stddef.h>
#include <stdint.h>

/* What a change did to numbers that count. */
typedef enum fuzz_claim {
    FUZZ_FREE = 0, /* nothing is said of them */
    FUZZ_KEPT,     /* those that were right are right */
    FUZZ_BROKE     /* as well, but for one */
} fuzz_claim;

/* BROKE: with `right` instead of the len bytes at off, it would be right as well. */
typedef struct fuzz_change {
    fuzz_claim claim;
    size_t off, len;
    uint8_t right[16];
    size_t right_len;
} fuzz_change;

/* fuzz_mutate changes `size` bytes at data, of which there may be at most max_size, with parts of
 * the other input (len 0: none). Returns the new size; 0 if nothing could be changed. told, if not
 * NULL, gets what was done. */
size_t fuzz_mutate(const fh_format *format, uint8_t *data, size_t size, size_t max_size,
                   const uint8_t *other, size_t other_len, unsigned seed, fuzz_change *told);

#endif
