#include "reports/forms.h"

#include "reports/escape.h"
#include "reports/row.h"

#include <inttypes.h>

/* The columns of all three kinds of rows. What a kind has not stays empty. */
static const char *const columns[] = {
    "type",          "id",       "source_id", "asset_id",   "path",
    "kind",          "layout",   "size",      "status",     "format",
    "grade",         "code",     "severity",  "raw_offset", "asset_offset",
    "user_offset",   "length",   "line",      "column",     "frame",
    "object",        "lba",      "iso_path",  "iso_offset", "ram_address",
    "evidence_bits", "frames",   "objects",   "message",    "field",
    "found",         "expected", "sha256",    "pose_sha256"};

enum { NUM_COLUMNS = sizeof columns / sizeof columns[0] };

static void begin(fh_report *report)
{
    for (size_t i = 0; i < NUM_COLUMNS; i++) {
        fh_out_fmt(&report->out, "%s%s", i > 0 ? "," : "", columns[i]);
    }
    fh_out_str(&report->out, "\r\n");
}

static void put_cell(fh_out *out, const fh_cell *cell)
{
    if (cell != NULL && cell->text != NULL) {
        fh_escape_csv(out, cell->text);
    } else if (cell != NULL && cell->number != FH_UNKNOWN) {
        fh_out_fmt(out, "%" PRId64, cell->number);
    }
}

static void put_row(fh_report *report, const fh_row *row)
{
    for (size_t i = 0; i < NUM_COLUMNS; i++) {
        fh_out_str(&report->out, i > 0 ? "," : "");
        put_cell(&report->out, fh_row_find(row, columns[i]));
    }
    fh_out_str(&report->out, "\r\n");
}

static void source(fh_report *report, const fh_source_record *source)
{
    fh_row row;
    fh_row_of_source(&row, report, source);
    put_row(report, &row);
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    fh_row row;
    fh_row_of_asset(&row, report, asset);
    put_row(report, &row);
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    fh_row row;
    fh_row_of_finding(&row, report, finding);
    put_row(report, &row);
}

static void end(fh_report *report)
{
    (void)report;
}

const fh_report_form fh_csv_form = {.name = "csv",
                                    .title = "a table: a row a source, asset and finding",
                                    .begin = begin,
                                    .source = source,
                                    .asset = asset,
                                    .finding = finding,
                                    .end = end};
