/* git, asked for names of files.
 *
 * git is started with its arguments one by one, never through a shell, and in the folder that is
 * asked about. What that repository configures is not trusted: a repository that was unpacked from
 * an archive may name programs of its own. So hooks, file system monitors, external diffs, text
 * conversions, every filter that it defines, fetching of missing objects and bare repositories that
 * lie about are switched off. The repository of a hook
 * (GIT_DIR, GIT_INDEX_FILE and the like) is forgotten: the folder alone says which one is meant.
 */
#ifndef FH_GATE_GIT_H
#define FH_GATE_GIT_H

#include "cmd.h"
#include "gate/limits.h"
#include "gate/lists.h"

/* A folder of a repository, and what is switched off there. */
typedef struct fh_git {
    const char *folder;  /* borrowed */
    fh_list filters;     /* settings, as -c takes them */
    int64_t patience_ms; /* FH_GIT_PATIENCE_MS, or less for tests */
} fh_git;

/* fh_git_open asks whether the folder lies in the files of a repository. The exit code, after a
 * complaint: FH_EXIT_IO when git is missing or refuses, FH_EXIT_LIMIT when interrupted, or when git
 * says nothing for too long. In all
 * cases it must be closed. */
fh_exit fh_git_open(fh_git *git, const char *folder);
void fh_git_close(fh_git *git);

/* fh_git_commit writes the full name of the commit that a revision means (a hash; out has room for
 * one of SHA-256 and the zero). FH_EXIT_USAGE when it means none. */
fh_exit fh_git_commit(const fh_git *git, char out[65], const char *revision);

/* fh_git_names adds the names that a command of git prints, each ended by a zero. args are its
 * name and arguments, ended by NULL. */
fh_exit fh_git_names(const fh_git *git, fh_list *out, const char *const *args);

#endif
