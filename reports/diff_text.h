/* How two databases differ, as text for people, as one JSON document, or as CSV. */
#ifndef FH_REPORTS_DIFF_TEXT_H
#define FH_REPORTS_DIFF_TEXT_H

#include "reports/out.h"
#include "reports/store/store.h"

typedef enum fh_diff_format { FH_DIFF_TEXT = 0, FH_DIFF_JSON, FH_DIFF_CSV } fh_diff_format;

typedef struct fh_diff_text {
    fh_out out;
    fh_diff_format format;
    uint64_t num[FH_CHANGE_NUM]; /* differences so far, by their kind */
    uint64_t total;
} fh_diff_text;

/* fh_diff_text_begin starts a report about the databases a and b. */
void fh_diff_text_begin(fh_diff_text *text, FILE *file, fh_diff_format format, const char *a,
                        const char *b);
void fh_diff_text_put(fh_diff_text *text, const fh_difference *difference);

/* fh_diff_text_end writes the sums, and returns 0 or the errno of the first failure. */
int fh_diff_text_end(fh_diff_text *text) FH_MUST_USE;

#endif
