/* Which files a check is of: the paths that were named, those of a list, and what git says of them.
 */
#ifndef FH_GATE_SUBJECTS_H
#define FH_GATE_SUBJECTS_H

#include "cmd.h"
#include "walk.h"

/* Options; strings are borrowed. */
typedef struct fh_subjects {
    const char *files_from;    /* a list, "-" for standard input; NULL: none */
    const char *changed_since; /* a revision; NULL: all files */
    bool null;                 /* names of the list end with a zero byte */
    bool gitignore;            /* what git ignores is left out */
} fh_subjects;

/* fh_subjects_check says whether the options go together with each other and with num paths; if
 * not, it complains. */
fh_exit fh_subjects_check(const fh_subjects *subjects, int num, char **paths);

/* fh_subjects_paths sets *paths to the num paths that were named, or to the current directory where
 * that is what no path means, which without a revision is_here says. Returns how many they are. */
int fh_subjects_paths(const fh_subjects *subjects, char ***paths, bool is_here, int num,
                      char **named);

/* fh_subjects_walk visits all files: of the paths in their order, then of the list. Returns the
 * exit code: FH_EXIT_LIMIT also when a callback ended it. */
fh_exit fh_subjects_walk(const fh_subjects *subjects, const fh_walk_sink *sink, int num,
                         char **paths);

#endif
