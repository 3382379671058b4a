/* From the arguments of a command to the files they stand for: directories are walked, in order of
 * names, so that results do not depend on the file system. Symbolic links are followed when they
 * are named themselves, not when they are met; devices and pipes likewise are read only when named.
 */
#ifndef FH_SCANNER_WALK_H
#define FH_SCANNER_WALK_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fh_walk_sink {
    void *user;
    /* A file to read. explicit_name: the user named it. false ends the walk. */
    bool (*file)(void *user, const char *path, bool explicit_name);
    /* A directory or name that cannot be read. */
    void (*error)(void *user, const char *path, const char *why);
    /* The walk through what path stands for came to no end; more may lie there than was visited.
     * May be NULL: error is called. */
    void (*cut_off)(void *user, const char *path, const char *why);
    /* Links and devices that were met in directories and left out are counted here. */
    size_t *num_left_out;
    /* Called before something is complained of that is no callback's matter: a sink that tells
     * later what came before tells it now. May be NULL. */
    void (*settle)(void *user);
    bool skips_git; /* what is called .git, and is met and not named, is left out */
} fh_walk_sink;

/* fh_tell_left_out says how many were left out, if any. */
void fh_tell_left_out(size_t num);

/* fh_walk visits the files that path stands for; "-" is standard input. Returns false when a file
 * callback ended it. */
bool fh_walk(const char *path, const fh_walk_sink *sink) FH_MUST_USE;

#endif
