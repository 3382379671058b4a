/* The counts of a suite stand in front of its cases, and what does not fail stands behind what
 * does: both wait in temporary files. */
#include "reports/forms.h"

#include "reports/escape.h"

#include <errno.h>
#include <inttypes.h>

typedef struct junit_state {
    fh_out cases;    /* owned */
    fh_out harmless; /* owned; what is said of the open case without making it fail */
    bool is_pending; /* a source is open that has no case yet */
    bool is_open;    /* a case is */
    bool is_failing; /* its <failure> is open */
    bool has_harmless;
    uint64_t num_cases;
    uint64_t num_failures;
    uint64_t num_errors;
    uint64_t num_skipped;
} junit_state;

static void begin(fh_report *report)
{
    junit_state *junit = report->state;
    junit->cases = fh_report_aside(report);
    junit->harmless = fh_report_aside(report);
}

/* copy_harmless moves what waited behind the failure. */
static void copy_harmless(fh_report *report)
{
    junit_state *junit = report->state;
    char bytes[1024];
    if (!junit->has_harmless) {
        return;
    }
    if (fh_out_end(&junit->harmless) != 0) {
        junit->cases.error = junit->harmless.error;
        return;
    }
    const off_t len = ftello(junit->harmless.file);
    rewind(junit->harmless.file);
    fh_out_str(&junit->cases, "<system-out>");
    for (off_t left = len; left > 0;) {
        const size_t want = left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes;
        const size_t got = fread(bytes, 1, want, junit->harmless.file);
        fh_out_bytes(&junit->cases, bytes, got);
        left = got < want ? 0 : left - (off_t)got;
        junit->cases.error = got < want ? EIO : junit->cases.error;
    }
    fh_out_str(&junit->cases, "</system-out>");
    rewind(junit->harmless.file);
    junit->has_harmless = false;
}

static void close_case(fh_report *report)
{
    junit_state *junit = report->state;
    if (junit->is_open) {
        fh_out_str(&junit->cases, junit->is_failing ? "</failure>" : "");
        copy_harmless(report);
        fh_out_str(&junit->cases, "</testcase>\n");
    }
    junit->is_open = false;
    junit->is_failing = false;
}

static void open_case(fh_report *report, const fh_asset_record *asset)
{
    junit_state *junit = report->state;
    fh_out *out = &junit->cases;
    fh_out_str(out, "<testcase classname=\"");
    fh_escape_xml(out, asset != NULL ? asset->format : "source");
    fh_out_str(out, "\" name=\"");
    fh_escape_xml(out, report->now.source.path);
    if (asset != NULL && asset->raw_offset > 0) {
        fh_out_fmt(out, "@0x%08" PRIx64, (uint64_t)asset->raw_offset);
    }
    fh_out_str(out, "\">");
    junit->is_open = true;
    junit->is_pending = false;
    junit->num_cases++;
}

/* put_error tells of a source that was not read as a whole. */
static void put_error(fh_report *report)
{
    junit_state *junit = report->state;
    open_case(report, NULL);
    fh_out_fmt(&junit->cases, "<error type=\"%s\" message=\"",
               fh_report_unread_name(&report->now.source));
    fh_escape_xml(&junit->cases, fh_report_why_unread(&report->now.source));
    fh_out_str(&junit->cases, "\"/>");
    junit->num_errors++;
}

static void source(fh_report *report, const fh_source_record *source)
{
    junit_state *junit = report->state;
    junit->is_pending = true;
    if (fh_report_is_unread(source)) {
        put_error(report);
    }
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    close_case(report);
    open_case(report, asset);
}

/* put_text tells a finding in a line of its own. */
static void put_text(fh_out *out, const fh_finding_record *finding)
{
    fh_out_fmt(out, "%s ", fh_severity_name(finding->severity));
    fh_escape_xml(out, finding->rule->code);
    if (finding->line > 0) {
        fh_out_fmt(out, " at %" PRIu32 ":%" PRIu32, finding->line, finding->column);
    } else if (finding->raw_offset != FH_UNKNOWN) {
        fh_out_fmt(out, " at 0x%" PRIx64, (uint64_t)finding->raw_offset);
    }
    fh_out_str(out, ": ");
    fh_escape_xml(out, finding->message);
    fh_out_str(out, "\n");
}

/* open_failure names the first finding; the text behind it tells all that fail. */
static void open_failure(junit_state *junit, const fh_finding_record *finding)
{
    fh_out *out = &junit->cases;
    fh_out_str(out, "<failure type=\"");
    fh_escape_xml(out, finding->rule->code);
    fh_out_str(out, "\" message=\"");
    fh_escape_xml(out, finding->message);
    fh_out_str(out, "\">");
    junit->is_failing = true;
    junit->num_failures++;
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    junit_state *junit = report->state;
    if (!junit->is_open) {
        open_case(report, NULL);
    }
    if (finding->severity < report->run->fails_from) {
        put_text(&junit->harmless, finding);
        junit->has_harmless = true;
        return;
    }
    if (!junit->is_failing) {
        open_failure(junit, finding);
    }
    put_text(&junit->cases, finding);
    if (finding->rule->mend != NULL && finding->rule->mend[0] != '\0') {
        fh_out_str(&junit->cases, "  help: ");
        fh_escape_xml(&junit->cases, finding->rule->mend);
        fh_out_str(&junit->cases, "\n");
    }
}

/* A source of which nothing was told gets a case that says so. */
static void close_source(fh_report *report)
{
    junit_state *junit = report->state;
    const char *why = report->now.source.why;
    if (junit->is_pending) {
        open_case(report, NULL);
        fh_out_str(&junit->cases, "<skipped>");
        fh_escape_xml(&junit->cases, why != NULL ? why : "no animation was found");
        fh_out_str(&junit->cases, "</skipped>");
        junit->num_skipped++;
    }
    close_case(report);
}

static void put_counts(fh_out *out, const junit_state *junit)
{
    fh_out_fmt(out,
               " name=\"framehound\" tests=\"%" PRIu64 "\" failures=\"%" PRIu64
               "\" errors=\"%" PRIu64 "\"",
               junit->num_cases, junit->num_failures, junit->num_errors);
}

static void end(fh_report *report)
{
    junit_state *junit = report->state;
    fh_out *out = &report->out;
    fh_out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_counts(out, junit);
    fh_out_str(out, ">\n<testsuite");
    put_counts(out, junit);
    fh_out_fmt(out, " skipped=\"%" PRIu64 "\">\n", junit->num_skipped);
    fh_report_copy(report, &junit->cases);
    if (report->now.num_unfinished > 0) {
        fh_out_str(out, "<system-err>" FH_UNFINISHED "</system-err>\n");
    }
    fh_out_str(out, "</testsuite>\n</testsuites>\n");
}

static void forget(fh_report *report)
{
    junit_state *junit = report->state;
    fh_report_close_aside(&junit->cases);
    fh_report_close_aside(&junit->harmless);
}

const fh_report_form fh_junit_form = {.name = "junit",
                                      .title = "JUnit XML",
                                      .state_len = sizeof(junit_state),
                                      .begin = begin,
                                      .source = source,
                                      .asset = asset,
                                      .finding = finding,
                                      .close = close_source,
                                      .end = end,
                                      .forget = forget};
