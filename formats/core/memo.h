/* The memo: what earlier candidates of a stream learned, so that overlapping ones share the work.
 *
 * Hostile bytes can make a candidate of every fourth word and let all of them run into one long
 * chain of frames. A probe notes at each step of a long walk how the walk ended; a later probe
 * that runs into it knows the rest. The memo covers a range of stream offsets, in steps of the
 * scan's alignment, and forgets what lies before the range when it moves on.
 * The block belongs to the caller; without one (size 0) nothing is kept and nothing is found.
 */
#ifndef FH_CORE_MEMO_H
#define FH_CORE_MEMO_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fh_memo_entry {
    uint32_t steps; /* frames that follow soundly from here; 0 = nothing noted */
    uint32_t dead;  /* 1: the frame behind them is broken; 0: not looked at */
} fh_memo_entry;

typedef struct fh_memo {
    fh_memo_entry *entries; /* borrowed */
    size_t num_entries;
    uint64_t origin; /* stream offset of entries[0] */
    unsigned step;   /* bytes an entry stands for */
} fh_memo;

#endif
