/* The paths that a walk has met, so that what is named twice is searched once.
 *
 * A path is what its bytes are: a file of several names is as many sources, as hard links in a
 * folder are. Zero is empty.
 */
#ifndef FH_SCANNER_MET_H
#define FH_SCANNER_MET_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fh_met {
    void *paths;       /* a tree of tsearch that owns them */
    const char *first; /* in it: the first path that was met again, or NULL */
    int64_t num_again;
} fh_met;

/* fh_met_note takes note of a path; *is_again: it was met before, and is counted. false: no memory.
 */
bool fh_met_note(fh_met *met, bool *is_again, const char *path) FH_MUST_USE;

/* fh_met_tell says what was met again, if anything. */
void fh_met_tell(const fh_met *met);

void fh_met_free(fh_met *met);

#endif
