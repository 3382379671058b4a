/* A walk that is kept and told later: what git has to be asked for must be known before the sandbox
 * is entered, in which nothing can be started, and the files are read after that.
 *
 * It owns its names. Zero is empty.
 */
#ifndef FH_SCANNER_KEPT_WALK_H
#define FH_SCANNER_KEPT_WALK_H

#include "walk.h"

typedef struct fh_kept_step {
    char *path; /* owned */
    char *why;  /* owned; NULL: a file */
    bool explicit_name;
} fh_kept_step;

typedef struct fh_kept_walk {
    fh_kept_step *steps; /* owned */
    size_t num_steps;
    size_t max_steps;
    bool no_memory;
} fh_kept_walk;

/* fh_kept_walk_sink returns a sink that keeps all; what is no callback is as in like. */
fh_walk_sink fh_kept_walk_sink(fh_kept_walk *kept, const fh_walk_sink *like);

/* fh_kept_walk_play tells what was kept; false when a callback ended it. */
bool fh_kept_walk_play(const fh_kept_walk *kept, const fh_walk_sink *sink);

void fh_kept_walk_free(fh_kept_walk *kept);

#endif
