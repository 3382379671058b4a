/* Lures: the words that a search stops at. Internal to the hunt.
 *
 * Every format says which words its assets have. Where one word is a case of another they are
 * looked for together, and all of them in one pass (see hunt/sieve.h). A lure is only a place to
 * look at: what stands there is for the formats to say.
 */
#ifndef FH_HUNT_LURES_H
#define FH_HUNT_LURES_H

#include "hunt/sieve.h"

enum { FH_MAX_LURES = 16, FH_MAX_LURED = 16 };

typedef struct fh_lures {
    fh_lure lures[FH_MAX_LURES];
    size_t num;
    fh_sieve sieve;
    /* A bit for each format that has a magic whose first byte may have such a half. */
    uint16_t low[FH_SIEVE_HALVES];
    uint16_t high[FH_SIEVE_HALVES];
} fh_lures;

/* fh_lures_set takes the magics of the formats, FH_MAX_LURED at most. every_offset: not only at the
 * formats' alignments. The lures must then stay where they are. */
void fh_lures_set(fh_lures *lures, const fh_format *const *formats, size_t num_formats,
                  bool every_offset);

/* fh_lures_formats returns a bit for each format of which a magic may be the word, by its first
 * byte: all that are, and perhaps some that are not. */
static inline unsigned fh_lures_formats(const fh_lures *lures, uint32_t word)
{
    return (unsigned)lures->low[word & 15u] & lures->high[word >> 4 & 15u];
}

#endif
