#include "reports/scan_text.h"

#include "reports/escape.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void fh_scan_text_begin(fh_scan_text *text, FILE *file)
{
    *text = (fh_scan_text){.out = fh_out_make(file)};
}

static void add_counts(fh_counts *sum, const fh_counts *counts)
{
    for (int i = FH_NOTE; i <= FH_ERROR; i++) {
        sum->of[i] += counts->of[i];
    }
}

/* count_format counts an asset for its format; beyond the last row of the table only the sum of
 * all assets tells of it. */
static void count_format(fh_scan_text *text, const char *format)
{
    char name[sizeof text->formats[0].name];
    fh_text cut = fh_text_make(name, sizeof name);
    fh_text_str(&cut, format);
    for (size_t i = 0; i < text->num_formats; i++) {
        if (strcmp(text->formats[i].name, name) == 0) {
            text->formats[i].num_assets++;
            return;
        }
    }
    if (text->num_formats < FH_SCAN_FORMATS) {
        memcpy(text->formats[text->num_formats].name, name, sizeof name);
        text->formats[text->num_formats++].num_assets = 1;
    }
}

static void put_number(fh_out *out, int64_t number, const char *noun)
{
    if (number != FH_UNKNOWN) {
        fh_out_str(out, "  ");
        fh_out_count(out, (uint64_t)number, noun);
    }
}

/* Where the format does not say how many frames there are, those that were replayed. */
static int64_t frames_of(const fh_asset_record *asset)
{
    return asset->frames != FH_UNKNOWN || asset->replay == NULL ? asset->frames
                                                                : asset->replay->frames;
}

static void put_place(fh_out *out, const char *path, int64_t raw_offset)
{
    fh_escape_text(out, path);
    if (raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)raw_offset);
    }
}

/* A disc counts its time from two seconds (150 sectors) before sector 0. */
static void put_msf(fh_out *out, int64_t lba)
{
    const int64_t frames = lba + 150;
    if (frames >= 0) {
        fh_out_fmt(out, " (%02" PRId64 ":%02" PRId64 ":%02" PRId64 ")", frames / 4500,
                   frames / 75 % 60, frames % 75);
    }
}

static void put_disc_place(fh_out *out, const fh_asset_record *asset)
{
    if (asset->lba == FH_UNKNOWN) {
        return;
    }
    if (asset->user_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "  user 0x%08" PRIx64, (uint64_t)asset->user_offset);
    }
    fh_out_fmt(out, " LBA %" PRId64, asset->lba);
    put_msf(out, asset->lba);
}

/* The file of the disc, and how far into it. */
static void put_file_place(fh_out *out, const fh_asset_record *asset)
{
    if (asset->iso_path == NULL) {
        return;
    }
    fh_out_str(out, "  ");
    fh_escape_text(out, asset->iso_path);
    if (asset->iso_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "+0x%" PRIx64, (uint64_t)asset->iso_offset);
    }
}

static void put_counts(fh_out *out, const fh_counts *counts, const char *separator)
{
    fh_out_count(out, counts->of[FH_ERROR], "error");
    fh_out_str(out, separator);
    fh_out_count(out, counts->of[FH_WARNING], "warning");
    fh_out_str(out, separator);
    fh_out_count(out, counts->of[FH_NOTE], "note");
}

void fh_scan_text_asset(fh_scan_text *text, const char *path, const fh_asset_record *asset,
                        const fh_counts *findings)
{
    assert(path != NULL && asset->format != NULL && asset->grade != NULL);
    text->num_assets++;
    count_format(text, asset->format);
    add_counts(&text->findings, findings);
    fh_out *out = &text->out;
    put_place(out, path, asset->raw_offset);
    fh_out_str(out, "  ");
    fh_escape_text(out, asset->format);
    put_number(out, asset->length, "byte");
    put_number(out, frames_of(asset), "frame");
    put_number(out, asset->objects, "object");
    fh_out_str(out, "  ");
    fh_escape_text(out, asset->grade);
    fh_out_str(out, "  ");
    put_counts(out, findings, " ");
    put_disc_place(out, asset);
    put_file_place(out, asset);
    fh_out_str(out, "\n");
}

void fh_scan_text_finding(fh_scan_text *text, const char *path, const fh_finding_record *finding)
{
    assert(path != NULL && finding->message != NULL);
    fh_out *out = &text->out;
    put_place(out, path, finding->raw_offset);
    fh_out_fmt(out, "  %s %s: ", fh_severity_name(finding->severity), finding->rule->code);
    fh_escape_text(out, finding->message);
    fh_out_str(out, "\n");
}

void fh_scan_text_source(fh_scan_text *text, const fh_source_record *source,
                         const fh_counts *findings)
{
    text->num_sources++;
    if (strcmp(source->status, "complete") != 0) {
        text->num_incomplete++;
    }
    add_counts(&text->findings, findings);
}

static void put_formats(fh_scan_text *text)
{
    uint64_t num_listed = 0;
    const char *lead = " (";
    for (size_t i = 0; i < text->num_formats; i++) {
        fh_out_fmt(&text->out, "%s%" PRIu64 " ", lead, text->formats[i].num_assets);
        fh_escape_text(&text->out, text->formats[i].name);
        num_listed += text->formats[i].num_assets;
        lead = ", ";
    }
    if (num_listed < text->num_assets) {
        fh_out_fmt(&text->out, ", %" PRIu64 " other", text->num_assets - num_listed);
    }
    fh_out_str(&text->out, text->num_formats > 0 ? ")" : "");
}

int fh_scan_text_end(fh_scan_text *text)
{
    fh_out *out = &text->out;
    fh_out_count(out, text->num_sources, "source");
    if (text->num_incomplete > 0) {
        fh_out_fmt(out, " (%" PRIu64 " incomplete)", text->num_incomplete);
    }
    fh_out_str(out, ": ");
    fh_out_count(out, text->num_assets, "asset");
    put_formats(text);
    fh_out_str(out, "; ");
    put_counts(out, &text->findings, ", ");
    if (text->num_weak > 0) {
        fh_out_str(out, "; ");
        fh_out_count(out, text->num_weak, "reading");
        fh_out_str(out, " with too little evidence left out (RUN0011)");
    }
    fh_out_str(out, "\n");
    return fh_out_end(out);
}
