/* The answer to a question about a database, as text for people, as one JSON document, or as CSV.
 *
 * Rows are written as they come. In text the first of them, as many as fit into a buffer, are kept
 * back until the widths of the columns are known from them; later values that are longer move what
 * stands behind them. Of a hash the beginning is shown, by which framehound query finds it again,
 * and of a real number two decimals.
 */
#ifndef FH_REPORTS_QUERY_TEXT_H
#define FH_REPORTS_QUERY_TEXT_H

#include "reports/out.h"
#include "reports/store/store.h"

typedef enum fh_query_format { FH_QUERY_TEXT = 0, FH_QUERY_JSON, FH_QUERY_CSV } fh_query_format;

/* Room for the values of the rows that are kept back: some hundred of them, and at least one. */
#define FH_QUERY_KEPT ((size_t)64 * 1024)

typedef struct fh_query_text {
    fh_out out;
    fh_query_format format;
    uint64_t num_rows;
    /* Text alone: */
    size_t num_cells;
    unsigned widths[FH_STORE_MAX_CELLS];
    bool is_number[FH_STORE_MAX_CELLS];
    bool is_flowing; /* widths are settled, and rows are written at once */
    size_t kept_len;
    char kept[FH_QUERY_KEPT]; /* the names and rows that are kept back, each value ended by NUL */
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
