/* --fix and --diff of check: files that are mended before they are judged.
 *
 * A file is written only where --fix asks for it: beside itself and then renamed, with its mode and
 * owner, if it is a regular file of one name that still has the bytes that were read. No link is
 * followed. What is done, and what is left alone and why, is told on standard error.
 */
#ifndef FH_SCANNER_FIX_H
#define FH_SCANNER_FIX_H

#include "cmd.h"
#include "gate/judge.h"
#include "hunt/repair.h"

typedef struct fh_fix {
    bool is_wanted; /* --fix */
    bool shows;     /* --diff: changes are shown on standard output, and nothing is written */
    fh_repair repair;
    fh_exam exam;
    fh_file file;
    size_t num_mended; /* files that were, or would be */
    int error;         /* errno of standard output, 0 while all is well */
} fh_fix;

/* fh_fix_path mends the file at path, before anybody judges it, or shows how; judge says in what
 * way it will be judged. Returns FH_EXIT_FINDINGS for a file that would be changed, and what went
 * wrong. What cannot be read is told where it is only shown: else whoever judges it will. */
fh_exit fh_fix_path(fh_fix *fix, fh_judge *judge, const char *path);

/* fh_fix_end tells how many files were mended, and frees the memory. */
fh_exit fh_fix_end(fh_fix *fix);

#endif
