/* Digital Forensics XML 1.1.1. The names of all sources stand in front of the file objects, which
 * wait in a temporary file. */
#include "reports/forms.h"

#include "reports/escape.h"
#include "reports/hex.h"
#include "reports/runs.h"

#include <inttypes.h>

typedef struct dfxml_state {
    fh_out objects; /* owned */
} dfxml_state;

static void begin(fh_report *report)
{
    dfxml_state *dfxml = report->state;
    fh_out *out = &report->out;
    fh_out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<dfxml xmlns=\"http://www.forensicswiki.org/wiki/"
                    "Category:Digital_Forensics_XML\"\n"
                    "  xmlns:dc=\"http://purl.org/dc/elements/1.1/\" version=\"1.1.1\">\n"
                    "<metadata><dc:type>Carve Report</dc:type></metadata>\n"
                    "<creator><program>framehound</program><version>");
    fh_escape_xml(out, report->run->tool_version);
    fh_out_str(out, "</version></creator>\n<source>\n");
    dfxml->objects = fh_report_aside(report);
}

static void put_number(fh_out *out, const char *name, int64_t number)
{
    if (number >= 0) {
        fh_out_fmt(out, "  <%s>%" PRId64 "</%s>\n", name, number, name);
    }
}

static void put_hash(fh_out *out, const uint8_t *hash)
{
    if (hash != NULL) {
        char hex[2 * FH_SHA256_LEN + 1];
        fh_hex_of_hash(hex, hash);
        fh_out_fmt(out, "  <hashdigest type=\"sha256\">%s</hashdigest>\n", hex);
    }
}

static void source(fh_report *report, const fh_source_record *source)
{
    dfxml_state *dfxml = report->state;
    fh_out *out = &dfxml->objects;
    fh_out_str(&report->out, "  <image_filename>");
    fh_escape_xml(&report->out, source->path);
    fh_out_str(&report->out, "</image_filename>\n");
    fh_out_str(out, "<fileobject>\n  <filename>");
    fh_escape_xml(out, source->path);
    fh_out_fmt(out, "</filename>\n  <id>source-%" PRId64 "</id>\n  <name_type>r</name_type>\n",
               report->now.source_id);
    put_number(out, "filesize", source->size);
    put_hash(out, source->sha256);
    fh_out_str(out, "</fileobject>\n");
}

/* The place and the format make the name; the file of the disc is a second one. */
static void put_names(fh_out *out, const fh_report *report, const fh_asset_record *asset)
{
    fh_out_str(out, "  <filename>");
    fh_escape_xml(out, report->now.source.path);
    if (asset->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)asset->raw_offset);
    }
    fh_out_str(out, ".");
    fh_escape_xml(out, asset->format);
    fh_out_str(out, "</filename>\n");
    if (asset->iso_path != NULL) {
        fh_out_str(out, "  <filename>");
        fh_escape_xml(out, asset->iso_path);
        fh_out_str(out, "</filename>\n");
    }
}

static void put_runs(fh_out *out, const fh_asset_record *asset, const char *layout)
{
    fh_runs runs;
    fh_run run;
    fh_out_str(out, "  <byte_runs>\n");
    fh_runs_begin(&runs, asset, layout);
    while (fh_runs_next(&runs, &run)) {
        fh_out_fmt(out, "    <byte_run file_offset=\"%" PRId64 "\"", run.asset_offset);
        if (run.raw_offset != FH_UNKNOWN) {
            fh_out_fmt(out, " img_offset=\"%" PRId64 "\"", run.raw_offset);
        }
        fh_out_fmt(out, " len=\"%" PRId64 "\"/>\n", run.len);
    }
    fh_out_str(out, "  </byte_runs>\n");
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    dfxml_state *dfxml = report->state;
    fh_out *out = &dfxml->objects;
    fh_out_str(out, "<fileobject>\n");
    put_names(out, report, asset);
    fh_out_fmt(out, "  <id>asset-%" PRId64 "</id>\n  <name_type>v</name_type>\n",
               report->now.asset_id);
    put_number(out, "filesize", asset->length);
    put_runs(out, asset, report->now.source.layout);
    put_hash(out, asset->sha256);
    fh_out_str(out, "</fileobject>\n");
}

static void end(fh_report *report)
{
    dfxml_state *dfxml = report->state;
    fh_out_str(&report->out, "</source>\n");
    fh_report_copy(report, &dfxml->objects);
    fh_out_str(&report->out, "</dfxml>\n");
}

static void forget(fh_report *report)
{
    dfxml_state *dfxml = report->state;
    fh_report_close_aside(&dfxml->objects);
}

const fh_report_form fh_dfxml_form = {.name = "dfxml",
                                      .title = "Digital Forensics XML: where assets lie",
                                      .state_len = sizeof(dfxml_state),
                                      .begin = begin,
                                      .source = source,
                                      .asset = asset,
                                      .end = end,
                                      .forget = forget};
