#include "reports/row.h"

#include "reports/escape.h"
#include "reports/hex.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void put_text(fh_row *row, const char *name, const char *text)
{
    assert(row->num < FH_MAX_CELLS);
    row->cells[row->num++] = (fh_cell){.name = name, .text = text, .number = FH_UNKNOWN};
}

static void put_number(fh_row *row, const char *name, int64_t number)
{
    assert(row->num < FH_MAX_CELLS);
    row->cells[row->num++] = (fh_cell){.name = name, .text = NULL, .number = number};
}

static void put_hash(fh_row *row, const char *name, char hex[2 * FH_SHA256_LEN + 1],
                     const uint8_t *hash)
{
    if (hash != NULL) {
        fh_hex_of_hash(hex, hash);
    }
    put_text(row, name, hash == NULL ? NULL : hex);
}

void fh_row_of_source(fh_row *row, const fh_report *report, const fh_source_record *source)
{
    row->num = 0;
    put_text(row, "type", "source");
    put_number(row, "id", report->now.source_id);
    put_text(row, "path", source->path);
    put_text(row, "kind", source->kind);
    put_text(row, "layout", source->layout);
    put_number(row, "size", source->size);
    put_hash(row, "sha256", row->sha256, source->sha256);
    put_text(row, "status", source->status);
    put_text(row, "why", source->why);
}

void fh_row_of_asset(fh_row *row, const fh_report *report, const fh_asset_record *asset)
{
    row->num = 0;
    put_text(row, "type", "asset");
    put_number(row, "id", report->now.asset_id);
    put_number(row, "source_id", report->now.source_id);
    put_text(row, "path", report->now.source.path);
    put_text(row, "format", asset->format);
    put_text(row, "grade", asset->grade);
    put_number(row, "raw_offset", asset->raw_offset);
    put_number(row, "user_offset", asset->user_offset);
    put_number(row, "length", asset->length);
    put_number(row, "lba", asset->lba);
    put_text(row, "iso_path", asset->iso_path);
    put_number(row, "iso_offset", asset->iso_offset);
    put_number(row, "ram_address", asset->ram_address);
    put_number(row, "evidence_bits", asset->evidence_bits);
    put_number(row, "frames", asset->frames);
    put_number(row, "objects", asset->objects);
    put_hash(row, "sha256", row->sha256, asset->sha256);
    put_hash(row, "pose_sha256", row->pose_sha256, asset->pose_sha256);
}

static int64_t number_if(uint32_t number)
{
    return number == 0 ? FH_UNKNOWN : (int64_t)number;
}

void fh_row_of_finding(fh_row *row, const fh_report *report, const fh_finding_record *finding)
{
    row->num = 0;
    put_text(row, "type", "finding");
    put_number(row, "id", report->now.finding_id);
    put_number(row, "source_id", report->now.source_id);
    put_number(row, "asset_id", report->now.asset_id);
    put_text(row, "path", report->now.source.path);
    put_text(row, "code", finding->rule->code);
    put_text(row, "severity", fh_severity_name(finding->severity));
    put_number(row, "raw_offset", finding->raw_offset);
    put_number(row, "asset_offset", finding->asset_offset);
    put_number(row, "line", number_if(finding->line));
    put_number(row, "column", number_if(finding->column));
    put_number(row, "frame", finding->frame);
    put_number(row, "object", finding->object);
    put_text(row, "message", finding->message);
    put_text(row, "field", finding->field);
    put_text(row, "found", finding->found);
    put_text(row, "expected", finding->expected);
}

void fh_row_of_replay(fh_row *row, const fh_replay_record *replay)
{
    row->num = 0;
    put_text(row, "evaluator", replay->evaluator);
    put_number(row, "frames", replay->frames);
    put_number(row, "ticks", replay->ticks);
    put_text(row, "status", replay->status);
    put_hash(row, "pose_sha256", row->pose_sha256, replay->pose_sha256);
}

void fh_row_of_summary(fh_row *row, const fh_report *report)
{
    const fh_report_now *now = &report->now;
    row->num = 0;
    put_text(row, "type", "summary");
    put_text(row, "tool_version", report->run->tool_version);
    put_text(row, "ruleset_version", report->run->ruleset_version);
    put_number(row, "sources", (int64_t)now->num_sources);
    put_number(row, "incomplete", (int64_t)now->num_unread);
    if (now->num_unfinished > 0) {
        put_number(row, "unfinished_scans", (int64_t)now->num_unfinished);
    }
    put_number(row, "assets", (int64_t)now->num_assets);
    put_number(row, "errors", (int64_t)now->findings.of[FH_ERROR]);
    put_number(row, "warnings", (int64_t)now->findings.of[FH_WARNING]);
    put_number(row, "notes", (int64_t)now->findings.of[FH_NOTE]);
}

const fh_cell *fh_row_find(const fh_row *row, const char *name)
{
    for (size_t i = 0; i < row->num; i++) {
        if (strcmp(row->cells[i].name, name) == 0) {
            return &row->cells[i];
        }
    }
    return NULL;
}

void fh_json_cell(fh_out *out, const fh_cell *cell)
{
    if (cell->text == NULL && cell->number != FH_UNKNOWN) {
        fh_out_fmt(out, "%" PRId64, cell->number);
    } else {
        fh_escape_json(out, cell->text);
    }
}

void fh_row_json(fh_out *out, const fh_row *row)
{
    for (size_t i = 0; i < row->num; i++) {
        fh_out_fmt(out, "%s\"%s\": ", i > 0 ? ", " : "", row->cells[i].name);
        fh_json_cell(out, &row->cells[i]);
    }
}
