/* Records as rows: names and values, the names being those of the tables of the database. All forms
 * that tell everything are made of them, and so tell the same.
 *
 * A row borrows the strings of the record and owns nothing.
 */
#ifndef FH_REPORTS_ROW_H
#define FH_REPORTS_ROW_H

#include "reports/report.h"

/* The widest row is that of an asset. */
#define FH_MAX_CELLS 24u

/* A value: a text, or where that is NULL a number, or where that is FH_UNKNOWN nothing. */
typedef struct fh_cell {
    const char *name;
    const char *text;
    int64_t number;
} fh_cell;

typedef struct fh_row {
    fh_cell cells[FH_MAX_CELLS];
    size_t num;
    char sha256[2 * FH_SHA256_LEN + 1];
    char pose_sha256[2 * FH_SHA256_LEN + 1];
} fh_row;

/* Each fills row with the record that report was just given; the first cell is its type. */
void fh_row_of_source(fh_row *row, const fh_report *report, const fh_source_record *source);
void fh_row_of_asset(fh_row *row, const fh_report *report, const fh_asset_record *asset);
void fh_row_of_finding(fh_row *row, const fh_report *report, const fh_finding_record *finding);

/* fh_row_of_replay fills it with the replay of an asset. It has no type. */
void fh_row_of_replay(fh_row *row, const fh_replay_record *replay);

/* fh_row_of_summary counts everything; when the report is at its end. */
void fh_row_of_summary(fh_row *row, const fh_report *report);

/* fh_row_find returns the cell of that name, or NULL. */
const fh_cell *fh_row_find(const fh_row *row, const char *name);

/* fh_row_json writes the cells as members of a JSON object, separated by commas, without braces. */
void fh_row_json(fh_out *out, const fh_row *row);

/* fh_json_cell writes the value of a cell as JSON. */
void fh_json_cell(fh_out *out, const fh_cell *cell);

#endif
