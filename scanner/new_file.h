/* A file that is written beside its place and put there when it is whole: reports, baselines,
 * locks and caches are never seen half written, whatever happens.
 *
 * The one way in which commands write a file that the user named or that may be there already. (The
 * files of an extraction, repaired and reduced ones go through folder.h, which follows no link.)
 */
#ifndef FH_SCANNER_NEW_FILE_H
#define FH_SCANNER_NEW_FILE_H

#include "core/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct fh_new_file {
    FILE *file; /* to write to; owned */
    char path[PATH_MAX];
    char temporary[PATH_MAX];
} fh_new_file;

/* fh_new_file_begin opens a temporary file in the folder of path. A symbolic link at path is
 * followed, so that the file it points to is replaced and not the link. mode is that of a file that
 * is not there yet, less the umask; a file that is there keeps its own. Returns 0 or an errno. */
int fh_new_file_begin(fh_new_file *file, const char *path, mode_t mode) FH_MUST_USE;

/* fh_new_file_begin_any does the same, but a device or a pipe at path is opened itself and written
 * as it comes: there is no file that could be half of one. */
int fh_new_file_begin_any(fh_new_file *file, const char *path, mode_t mode) FH_MUST_USE;

/* fh_new_file_commit flushes, closes and renames. Returns 0, or the errno of the first failure, of
 * earlier writes to file as well (EIO where the system kept no better one); nothing is then at
 * path that was not there before. */
int fh_new_file_commit(fh_new_file *file) FH_MUST_USE;

/* fh_new_file_drop removes what was written, unless it was committed. */
void fh_new_file_drop(fh_new_file *file);

/* fh_write_all writes all of the bytes to fd, however many calls it takes. false, and errno, on
 * failure; some of them may be written then. */
bool fh_write_all(int fd, const void *bytes, size_t len) FH_MUST_USE;

#endif
