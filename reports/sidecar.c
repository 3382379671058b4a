#include "reports/sidecar.h"

#include "reports/escape.h"

#include <inttypes.h>

static void put_number(fh_out *out, const char *indent, const char *name, int64_t number)
{
    fh_out_fmt(out, "%s\"%s\": ", indent, name);
    if (number == FH_UNKNOWN) {
        fh_out_str(out, "null");
    } else {
        fh_out_fmt(out, "%" PRId64, number);
    }
}

/* An empty text is an unknown one. */
static void put_text(fh_out *out, const char *indent, const char *name, const char *text)
{
    fh_out_fmt(out, "%s\"%s\": ", indent, name);
    fh_escape_json(out, text == NULL || text[0] == '\0' ? NULL : text);
}

/* A disc counts its time from two seconds (150 sectors) before sector 0. */
static void put_msf(fh_out *out, int64_t lba)
{
    if (lba < -150 || lba > INT64_MAX - 150) { /* FH_UNKNOWN is far below */
        fh_out_str(out, ",\n  \"msf\": null");
        return;
    }
    const int64_t frames = lba + 150;
    fh_out_fmt(out, ",\n  \"msf\": \"%02" PRId64 ":%02" PRId64 ":%02" PRId64 "\"", frames / 4500,
               frames / 75 % 60, frames % 75);
}

static void put_source(fh_out *out, const fh_stored_asset *asset)
{
    fh_out_str(out, ",\n  \"source\": {");
    put_text(out, "", "path", asset->path);
    put_text(out, ", ", "kind", asset->kind);
    put_text(out, ", ", "layout", asset->layout);
    put_text(out, ", ", "sha256", asset->source_sha256);
    fh_out_str(out, "}");
}

static void put_addresses(fh_out *out, const fh_stored_asset *asset)
{
    static const char next[] = ",\n  ";
    put_number(out, next, "raw_offset", asset->raw_offset);
    put_number(out, next, "user_offset", asset->user_offset);
    put_number(out, next, "length", asset->length);
    put_number(out, next, "lba", asset->lba);
    put_msf(out, asset->lba);
    put_text(out, next, "iso_path", asset->iso_path);
    put_number(out, next, "iso_offset", asset->iso_offset);
    put_number(out, next, "ram_address", asset->ram_address);
}

static void put_replay(fh_out *out, const fh_stored_asset *asset)
{
    fh_out_str(out, ",\n  \"replay\": ");
    if (asset->replay_status == NULL) {
        fh_out_str(out, "null");
        return;
    }
    fh_out_str(out, "{");
    put_text(out, "", "evaluator", asset->evaluator);
    put_number(out, ", ", "frames", asset->replay_frames);
    put_number(out, ", ", "ticks", asset->ticks);
    put_text(out, ", ", "status", asset->replay_status);
    fh_out_str(out, "}");
}

/* What lies in one place is one piece of itself. */
static void put_pieces(fh_out *out, const fh_stored_asset *asset)
{
    const fh_piece_record whole = {0, asset->raw_offset, asset->length};
    const bool is_whole = asset->num_pieces == 0;
    const size_t num = is_whole ? 1 : asset->num_pieces;
    fh_out_str(out, ",\n  \"pieces\": [");
    for (size_t i = 0; i < num; i++) {
        const fh_piece_record *piece = is_whole ? &whole : &asset->pieces[i];
        put_number(out, i == 0 ? "\n    {" : ",\n    {", "asset_offset", piece->asset_offset);
        put_number(out, ", ", "raw_offset", piece->raw_offset);
        put_number(out, ", ", "length", piece->length);
        fh_out_str(out, "}");
    }
    fh_out_str(out, "\n  ]");
}

void fh_sidecar_begin(fh_out *out, const fh_stored_asset *asset)
{
    static const char next[] = ",\n  ";
    fh_out_str(out, "{\n  \"type\": \"asset\"");
    put_text(out, next, "format", asset->format);
    put_text(out, next, "grade", asset->grade);
    put_addresses(out, asset);
    put_number(out, next, "evidence_bits", asset->evidence_bits);
    put_number(out, next, "frames", asset->frames);
    put_number(out, next, "objects", asset->objects);
    put_text(out, next, "sha256", asset->sha256);
    put_text(out, next, "pose_sha256", asset->pose_sha256);
    put_source(out, asset);
    put_replay(out, asset);
    put_pieces(out, asset);
    fh_out_str(out, ",\n  \"findings\": [");
}

void fh_sidecar_finding(fh_out *out, const fh_stored_finding *finding, bool is_first)
{
    put_text(out, is_first ? "\n    {" : ",\n    {", "code", finding->code);
    put_text(out, ", ", "severity", finding->severity);
    put_number(out, ", ", "raw_offset", finding->raw_offset);
    put_number(out, ", ", "asset_offset", finding->asset_offset);
    put_number(out, ", ", "frame", finding->frame);
    put_number(out, ", ", "object", finding->object);
    put_text(out, ", ", "message", finding->message);
    put_text(out, ", ", "field", finding->field);
    put_text(out, ", ", "found", finding->found);
    put_text(out, ", ", "expected", finding->expected);
    fh_out_str(out, "}");
}

void fh_sidecar_end(fh_out *out, bool has_findings)
{
    fh_out_str(out, has_findings ? "\n  ]\n}\n" : "]\n}\n");
}
