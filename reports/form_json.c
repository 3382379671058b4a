/* The document and the lines: the same objects, the one nested and the other one after another. */
#include "reports/forms.h"

#include "reports/row.h"

#include <inttypes.h>

/* What of a document is open. */
typedef struct json_state {
    bool has_source;
    bool has_assets;  /* the list of assets of the source */
    bool has_finding; /* in the innermost list of findings */
} json_state;

static void put_replay(fh_out *out, const fh_replay_record *replay)
{
    fh_row row;
    fh_out_str(out, ", \"replay\": ");
    if (replay == NULL) {
        fh_out_str(out, "null");
        return;
    }
    fh_row_of_replay(&row, replay);
    fh_out_str(out, "{");
    fh_row_json(out, &row);
    fh_out_str(out, "}");
}

/* Only assets that were put together have pieces. */
static void put_pieces(fh_out *out, const fh_asset_record *asset)
{
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        fh_out_fmt(out,
                   "%s{\"asset_offset\": %" PRId64 ", \"raw_offset\": %" PRId64
                   ", \"length\": %" PRId64 "}",
                   i == 0 ? ", \"pieces\": [" : ", ", piece->asset_offset, piece->raw_offset,
                   piece->length);
    }
    fh_out_str(out, asset->num_pieces > 0 ? "]" : "");
}

static void put_asset(fh_report *report, const fh_asset_record *asset)
{
    fh_row row;
    fh_row_of_asset(&row, report, asset);
    fh_row_json(&report->out, &row);
    put_replay(&report->out, asset->replay);
    put_pieces(&report->out, asset);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_line(fh_report *report, const fh_row *row)
{
    fh_out_str(&report->out, "{");
    fh_row_json(&report->out, row);
    fh_out_str(&report->out, "}\n");
}

static void lines_begin(fh_report *report)
{
    (void)report;
}

static void lines_source(fh_report *report, const fh_source_record *source)
{
    fh_row row;
    fh_row_of_source(&row, report, source);
    put_line(report, &row);
}

static void lines_asset(fh_report *report, const fh_asset_record *asset)
{
    fh_out_str(&report->out, "{");
    put_asset(report, asset);
    fh_out_str(&report->out, "}\n");
}

static void lines_finding(fh_report *report, const fh_finding_record *finding)
{
    fh_row row;
    fh_row_of_finding(&row, report, finding);
    put_line(report, &row);
}

static void lines_end(fh_report *report)
{
    fh_row row;
    fh_row_of_summary(&row, report);
    put_line(report, &row);
}

/* ---- document -------------------------------------------------------------------------------- */

static void close_asset(fh_report *report)
{
    json_state *json = report->state;
    if (json->has_assets) {
        fh_out_str(&report->out, "]}");
    }
}

static void close_source(fh_report *report)
{
    json_state *json = report->state;
    close_asset(report);
    fh_out_str(&report->out, json->has_assets ? "]}" : "], \"assets\": []}");
}

static void begin(fh_report *report)
{
    fh_out_str(&report->out, "{\"sources\": [");
}

static void source(fh_report *report, const fh_source_record *source)
{
    json_state *json = report->state;
    fh_row row;
    fh_row_of_source(&row, report, source);
    fh_out_str(&report->out, json->has_source ? ",\n{" : "\n{");
    fh_row_json(&report->out, &row);
    fh_out_str(&report->out, ", \"findings\": [");
    *json = (json_state){.has_source = true};
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    json_state *json = report->state;
    close_asset(report);
    fh_out_str(&report->out, json->has_assets ? ",\n {" : "], \"assets\": [\n {");
    put_asset(report, asset);
    fh_out_str(&report->out, ", \"findings\": [");
    json->has_assets = true;
    json->has_finding = false;
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    json_state *json = report->state;
    fh_row row;
    fh_row_of_finding(&row, report, finding);
    fh_out_str(&report->out, json->has_finding ? ",\n  {" : "\n  {");
    fh_row_json(&report->out, &row);
    fh_out_str(&report->out, "}");
    json->has_finding = true;
}

static void end(fh_report *report)
{
    fh_row row;
    fh_row_of_summary(&row, report);
    fh_out_str(&report->out, "],\n\"summary\": {");
    fh_row_json(&report->out, &row);
    fh_out_str(&report->out, "}}\n");
}

const fh_report_form fh_json_form = {.name = "json",
                                     .title = "one JSON document",
                                     .state_len = sizeof(json_state),
                                     .begin = begin,
                                     .source = source,
                                     .asset = asset,
                                     .finding = finding,
                                     .close = close_source,
                                     .end = end};

const fh_report_form fh_jsonl_form = {.name = "jsonl",
                                      .title = "JSON, one object a line",
                                      .begin = lines_begin,
                                      .source = lines_source,
                                      .asset = lines_asset,
                                      .finding = lines_finding,
                                      .end = lines_end};
