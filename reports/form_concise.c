#include "reports/forms.h"

#include "reports/escape.h"

#include <inttypes.h>

static void begin(fh_report *report)
{
    (void)report;
}

static void source(fh_report *report, const fh_source_record *source)
{
    if (fh_report_is_unread(source)) {
        fh_escape_text(&report->out, source->path);
        fh_out_str(&report->out, ": error: ");
        fh_escape_text(&report->out, fh_report_why_unread(source));
        fh_out_str(&report->out, "\n");
    }
}

static void put_place(fh_out *out, const fh_finding_record *finding)
{
    if (finding->line > 0) {
        fh_out_fmt(out, ":%" PRIu32 ":%" PRIu32, finding->line, finding->column);
    } else if (finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, ":0x%" PRIx64, (uint64_t)finding->raw_offset);
    }
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    fh_out *out = &report->out;
    fh_escape_text(out, report->now.source.path);
    put_place(out, finding);
    fh_out_fmt(out, ": %s ", fh_severity_name(finding->severity));
    fh_escape_text(out, finding->rule->code);
    fh_out_str(out, " ");
    fh_escape_text(out, finding->message);
    fh_out_str(out, "\n");
}

static void end(fh_report *report)
{
    (void)report;
}

const fh_report_form fh_concise_form = {.name = "concise",
                                        .title = "one line a finding",
                                        .begin = begin,
                                        .source = source,
                                        .finding = finding,
                                        .end = end};
