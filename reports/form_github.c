#include "reports/forms.h"

#include "reports/escape.h"
#include "reports/plain_path.h"

#include <inttypes.h>

static void begin(fh_report *report)
{
    (void)report;
}

static void put_head(fh_report *report, const char *command, uint32_t line, uint32_t column)
{
    fh_out *out = &report->out;
    fh_out_fmt(out, "::%s file=", command);
    fh_escape_command(out, fh_plain_path(report->now.source.path), true);
    /* A host shows nothing at its file that has no line. */
    fh_out_fmt(out, ",line=%" PRIu32, line > 0 ? line : 1);
    if (line > 0) {
        fh_out_fmt(out, ",col=%" PRIu32, column);
    }
    fh_out_str(out, ",title=");
}

static void source(fh_report *report, const fh_source_record *source)
{
    if (fh_report_is_unread(source)) {
        put_head(report, "error", 0, 0);
        fh_out_fmt(&report->out, "%s::", fh_report_unread_name(source));
        fh_escape_command(&report->out, fh_report_why_unread(source), false);
        fh_out_str(&report->out, "\n");
    }
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    static const char *const commands[] = {
        [FH_NOTE] = "notice", [FH_WARNING] = "warning", [FH_ERROR] = "error"};
    fh_out *out = &report->out;
    put_head(report, commands[finding->severity], finding->line, finding->column);
    fh_escape_command(out, finding->rule->code, true);
    fh_out_str(out, " ");
    fh_escape_command(out, finding->rule->title, true);
    fh_out_str(out, "::");
    if (finding->line == 0 && finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, "at 0x%" PRIx64 ": ", (uint64_t)finding->raw_offset);
    }
    fh_escape_command(out, finding->message, false);
    if (finding->rule->mend != NULL && finding->rule->mend[0] != '\0') {
        fh_out_str(out, "%0Ahelp: ");
        fh_escape_command(out, finding->rule->mend, false);
    }
    fh_out_str(out, "\n");
}

static void end(fh_report *report)
{
    if (report->now.num_unfinished > 0) {
        fh_out_str(&report->out, "::error title=unfinished::");
        fh_escape_command(&report->out, FH_UNFINISHED, false);
        fh_out_str(&report->out, "\n");
    }
}

const fh_report_form fh_github_form = {.name = "github",
                                       .title = "annotations of a GitHub workflow",
                                       .begin = begin,
                                       .source = source,
                                       .finding = finding,
                                       .end = end};
