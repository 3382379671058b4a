/* The answer to a question about a database, as text for people, as one JSON document, or as CSV.
 *
 * Rows are written as they come. In text columns stand below their names as far as their values are
 * no longer than usual, and of a hash its beginning, by which framehound query finds it again.
 */
#ifndef FH_REPORTS_QUERY_TEXT_H
#define FH_REPORTS_QUERY_TEXT_H

#include "reports/out.h"
#include "reports/store/store.h"

typedef enum fh_query_format { FH_QUERY_TEXT = 0, FH_QUERY_JSON, FH_QUERY_CSV } fh_query_format;

typedef struct fh_query_text {
    fh_out out;
    fh_query_format format;
    uint64_t num_rows;
} fh_query_text;

/* fh_query_text_begin starts the answer to a question of that name; value may be NULL. */
void fh_query_text_begin(fh_query_text *text, FILE *file, fh_query_format format, const char *name,
                         const char *value);

/* fh_query_text_columns comes before the rows. */
void fh_query_text_columns(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells);
void fh_query_text_row(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells);

/* fh_query_text_end returns 0 or the errno of the first failure. */
int fh_query_text_end(fh_query_text *text) FH_MUST_USE;

#endif
