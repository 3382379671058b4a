/* The memo: what earlier candidates of a stream learned, so that overlapping ones share the work.
 *
 * Hostile bytes can make a candidate of every fourth word and let all of them run into one long
 * chain of frames. When a long walk fails, it notes at each of its steps how many sound steps
 * followed; a later walk that runs into one of them and needs more knows that it fails as well.
 * The memo covers a range of stream offsets and forgets what lies before it when it moves on.
 * The block belongs to the caller; without one nothing is kept and nothing is found.
 */
#ifndef FH_CORE_MEMO_H
#define FH_CORE_MEMO_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fh_memo {
    uint32_t *steps; /* borrowed; 1 + sound steps that follow this offset before a broken one; 0 =
                        nothing noted */
    size_t num_steps;
    uint64_t origin; /* stream offset of steps[0] */
    unsigned unit;   /* bytes an entry stands for, at least 1 */
    bool is_used;    /* something has been noted */
} fh_memo;

/* fh_memo_note notes that from offset on `steps` sound steps follow and then a broken one. Offsets
 * outside the range are not kept. */
FH_API void fh_memo_note(fh_memo *memo, uint64_t offset, uint32_t steps);

/* fh_memo_move forgets what lies before the offset, which becomes the new origin. It must not lie
 * before the old one, and must be a whole number of entries behind it. */
FH_API void fh_memo_move(fh_memo *memo, uint64_t origin);

/* fh_memo_find looks an offset up; false when nothing is known of it. */
FH_API bool fh_memo_find(const fh_memo *memo, uint64_t offset, uint32_t *steps);

#endif
