/* Sets of small numbers: a bit each, in the arena.
 *
 * Checks that would have to compare everything with everything mark words of the asset, or pixels
 * of video memory, instead.
 */
#ifndef FH_HMD_BITS_H
#define FH_HMD_BITS_H

#include "hmd/hmd_build.h"

typedef struct hmd_bits {
    uint32_t *words; /* in the arena; NULL: it was full, and nothing is in the set */
    uint64_t num;    /* numbers below this can be in it */
} hmd_bits;

/* hmd_bits_make makes an empty set of numbers below num; without memory the check says so. */
static inline hmd_bits hmd_bits_make(hmd_check *check, uint64_t num)
{
    return (hmd_bits){hmd_table(check, (size_t)((num + 31) / 32), sizeof(uint32_t)), num};
}

static inline bool hmd_bits_has(const hmd_bits *set, uint64_t number)
{
    return set->words != NULL && number < set->num &&
           (set->words[number / 32] >> (number % 32) & 1) != 0;
}

/* hmd_bits_add puts a number into the set and tells whether it was not there before. Numbers that
 * cannot be in the set are always new. */
static inline bool hmd_bits_add(hmd_bits *set, uint64_t number)
{
    const bool is_new = !hmd_bits_has(set, number);
    if (set->words != NULL && number < set->num) {
        set->words[number / 32] |= (uint32_t)1 << (number % 32);
    }
    return is_new;
}

#endif
