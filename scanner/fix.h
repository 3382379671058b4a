/* --fix and --diff of check: files that are mended before they are judged.
 *
 * A file is written only where --fix asks for it: beside itself and then renamed, with its mode and
 * owner, if it is a regular file of one name that still has the bytes that were read. No link is
 * followed. What is done, and what is left alone and why, is told on standard error.
 */
#ifndef FH_SCANNER_FIX_H
#define FH_SCANNER_FIX_H

#include "cmd.h"
#include "hunt/repair.h"
#include "load.h"

typedef struct fh_fix {
    bool is_wanted; /* --fix */
    bool shows;     /* --diff: changes are shown on standard output, and nothing is written */
    fh_repair repair;
    size_t num_mended; /* files that were, or would be */
    int error;         /* errno of standard output, 0 while all is well */
} fh_fix;

/* fh_fix_file mends the bytes of a file of that format that was read from path; they are then the
 * new ones, unless they are only shown. options say how it is judged. Returns FH_EXIT_FINDINGS for
 * a file that would be changed, and what went wrong. */
fh_exit fh_fix_file(fh_fix *fix, fh_file *file, const char *path, const fh_format *format,
                    const fh_exam_options *options);

/* fh_fix_end tells how many files were mended, and frees the memory. */
fh_exit fh_fix_end(fh_fix *fix);

#endif
