/* Which files of a repository are checked, as git knows them: those that changed since a revision,
 * or all that are not ignored.
 *
 * git is asked in the folder itself, so a folder may lie in any repository. Repositories in a
 * repository are asked for their own files. What git says is a name and no more: whether there is a
 * file, and of what kind, is looked at here, and nothing is taken from behind a symbolic link.
 */
#ifndef FH_GATE_CHANGED_H
#define FH_GATE_CHANGED_H

#include "gate/lists.h"
#include "walk.h"

/* fh_changed_walk visits the files that path stands for (see fh_walk) and that git names: those
 * that differ from `revision` or are not known to git and not ignored; revision NULL: all that are
 * known or not ignored. *go_on is false when a callback ended it. Returns the exit code, after a
 * complaint. */
fh_exit fh_changed_walk(bool *go_on, const fh_walk_sink *sink, const char *path,
                        const char *revision);

#endif
