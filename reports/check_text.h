/* The text of a gate: what is wrong with each file, where, and what to do about it.
 *
 * Findings stand below the heading of their file; help is given once for each rule and file. The
 * writer borrows its FILE and what is passed to it. Strings of input are escaped (escape.h).
 * Begin, then for each file one fh_check_text_file and its findings, then end.
 */
#ifndef FH_REPORTS_CHECK_TEXT_H
#define FH_REPORTS_CHECK_TEXT_H

#include "core/record.h"
#include "reports/counts.h"
#include "reports/out.h"

#include <stdbool.h>

/* Rules of which the writer remembers that the open file was given their help. A file that breaks
 * more of them gets the help of the others again and again, which does no harm. */
#define FH_CHECK_HELPED 256u

/* How the files fared: with errors, else with warnings, else sound, or no animation at all. Notes
 * do no harm. */
typedef struct fh_check_text {
    fh_out out;
    bool colour;
    uint64_t num_files;
    uint64_t num_with_errors;
    uint64_t num_with_warnings;
    uint64_t num_other; /* no animation, and nothing to say about them either */
    bool is_animation;  /* the open file */
    fh_counts findings;
    fh_counts of_file; /* of the open file */
    const fh_rule *helped[FH_CHECK_HELPED];
    size_t num_helped;
} fh_check_text;

void fh_check_text_begin(fh_check_text *text, FILE *file, bool colour);

/* fh_check_text_file writes the heading of a file. asset is what the file was found to be, NULL if
 * it was found to be none; why then says so in a few words ("not an animation"). */
void fh_check_text_file(fh_check_text *text, const char *path, const fh_asset_record *asset,
                        const char *why);

void fh_check_text_finding(fh_check_text *text, const fh_finding_record *finding);

/* fh_check_text_end writes the summary and returns 0 or the errno of the first write that failed.
 */
int fh_check_text_end(fh_check_text *text) FH_MUST_USE;

#endif
