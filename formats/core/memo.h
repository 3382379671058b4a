/* The memo: what earlier candidates of a stream learned, so that overlapping ones share the work.
 *
 * Hostile bytes can make a candidate of every fourth word and let all of them run into one long
 * chain of frames. When a long walk fails, it notes at each of its steps how many sound steps
 * followed; a later walk that runs into one of them and needs more knows that it fails as well.
 * A chain that goes on for longer than any asset is noted too: whoever runs into it and needs more
 * of it than is known is taken for as long, without walking it again. The memo covers a range of
 * stream offsets and forgets what lies before it when it moves on. The block belongs to the caller;
 * without one nothing is kept and nothing is found.
 *
 * A text may begin at every line of a comment, and all readings that do go on in the same way. For
 * them the memo has a range of offsets, the one that was noted last.
 */
#ifndef FH_CORE_MEMO_H
#define FH_CORE_MEMO_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Offsets at which readings of one kind begin that all come to the same end. */
typedef struct fh_memo_range {
    unsigned kind; /* 0: nothing is noted */
    uint64_t first, last;
    uint64_t reach; /* 0: they come to nothing; else there is no end in sight up to here */
} fh_memo_range;

typedef struct fh_memo {
    uint32_t *steps; /* borrowed; 1 + sound steps that follow this offset before a broken one; 0 =
                        nothing noted */
    size_t num_steps;
    uint64_t origin;     /* stream offset of steps[0] */
    unsigned unit;       /* bytes an entry stands for, at least 1 */
    bool is_used;        /* something has been noted */
    bool is_endless;     /* endless chains have been noted; all of them go on to at least: */
    uint64_t endless_to; /* this offset */
    fh_memo_range same;
} fh_memo;

/* fh_memo_note notes that from offset on `steps` sound steps follow and then a broken one. Offsets
 * outside the range are not kept. */
FH_API void fh_memo_note(fh_memo *memo, uint64_t offset, uint32_t steps);

/* fh_memo_move forgets what lies before the offset, which becomes the new origin. It must not lie
 * before the old one, and must be a whole number of entries behind it. */
FH_API void fh_memo_move(fh_memo *memo, uint64_t origin);

/* fh_memo_note_endless notes that from offset on `steps` sound steps follow, up to the offset that
 * fh_memo_begin_endless was given, and that there is no end in sight. */
FH_API void fh_memo_note_endless(fh_memo *memo, uint64_t offset, uint32_t steps);

/* fh_memo_begin_endless is said before a chain is noted that goes on to the offset `to`. Chains
 * that do not go on for `least` bytes from the offset `from` are forgotten. */
FH_API void fh_memo_begin_endless(fh_memo *memo, uint64_t from, uint64_t to, uint64_t least);

/* fh_memo_find_endless looks up whether an endless chain goes through the offset. */
FH_API bool fh_memo_find_endless(const fh_memo *memo, uint64_t offset, uint32_t *steps);

/* fh_memo_note_range notes a range in the place of the one before; memo may be NULL.
 * fh_memo_in_range returns it if it is of the kind, which is not 0, and holds the offset; else
 * NULL.
 */
FH_API void fh_memo_note_range(fh_memo *memo, const fh_memo_range *range);
FH_API const fh_memo_range *fh_memo_in_range(const fh_memo *memo, unsigned kind, uint64_t offset);

/* fh_memo_find looks up whether a chain through the offset is known to break; false when not. */
FH_API bool fh_memo_find(const fh_memo *memo, uint64_t offset, uint32_t *steps);

#endif
