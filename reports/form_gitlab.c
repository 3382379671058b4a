#include "reports/forms.h"

#include "reports/escape.h"
#include "reports/fingerprint.h"
#include "reports/plain_path.h"

#include <inttypes.h>

typedef struct gitlab_state {
    bool has_issue;
    fh_fingerprints fingerprints;
} gitlab_state;

static void begin(fh_report *report)
{
    fh_out_str(&report->out, "[");
}

static void put_string(fh_out *out, const char *name, const char *value)
{
    fh_out_fmt(out, ", \"%s\": ", name);
    fh_escape_json(out, value);
}

/* An issue but for its description. Two files of the same bytes have issues of their own: GitLab
 * takes those of one fingerprint for one. */
static void put_issue(fh_report *report, const char *name, const char *severity,
                      const char *fingerprint, uint32_t line)
{
    gitlab_state *gitlab = report->state;
    fh_out *out = &report->out;
    const char *path = fh_plain_path(report->now.source.path);
    char own[FH_FINGERPRINT_LEN + 1];
    if (!fh_fingerprint_of_path(own, path, fingerprint)) {
        report->no_memory = true;
    }
    fh_out_str(out, gitlab->has_issue ? ",\n{" : "\n{");
    gitlab->has_issue = true;
    fh_out_str(out, "\"type\": \"issue\"");
    put_string(out, "check_name", name);
    put_string(out, "severity", severity);
    put_string(out, "fingerprint", own);
    fh_out_str(out, ", \"categories\": [\"Bug Risk\"], \"location\": {\"path\": ");
    fh_escape_json(out, path);
    fh_out_fmt(out, ", \"lines\": {\"begin\": %" PRIu32 "}}", line > 0 ? line : 1);
}

static void source(fh_report *report, const fh_source_record *source)
{
    gitlab_state *gitlab = report->state;
    fh_fingerprints_reset(&gitlab->fingerprints);
    if (fh_report_is_unread(source)) {
        const char *name = fh_report_unread_name(source);
        put_issue(report, name, "blocker", name, 0);
        put_string(&report->out, "description", fh_report_why_unread(source));
        fh_out_str(&report->out, "}");
    }
}

static void asset(fh_report *report, const fh_asset_record *asset)
{
    gitlab_state *gitlab = report->state;
    (void)asset;
    fh_fingerprints_reset(&gitlab->fingerprints);
}

static void finding(fh_report *report, const fh_finding_record *finding)
{
    static const char *const severities[] = {
        [FH_NOTE] = "info", [FH_WARNING] = "minor", [FH_ERROR] = "major"};
    gitlab_state *gitlab = report->state;
    char fingerprint[FH_FINGERPRINT_LEN + 1];
    if (!fh_fingerprint_make(&gitlab->fingerprints, fingerprint, &report->now.source,
                             report->now.has_asset ? &report->now.asset : NULL, finding)) {
        report->no_memory = true;
    }
    put_issue(report, finding->rule->code, severities[finding->severity], fingerprint,
              finding->line);
    put_string(&report->out, "description", finding->message);
    if (finding->rule->mend != NULL && finding->rule->mend[0] != '\0') {
        fh_out_str(&report->out, ", \"content\": {\"body\": ");
        fh_escape_json(&report->out, finding->rule->mend);
        fh_out_str(&report->out, "}");
    }
    fh_out_str(&report->out, "}");
}

static void end(fh_report *report)
{
    const gitlab_state *gitlab = report->state;
    fh_out_str(&report->out, gitlab->has_issue ? "\n]\n" : "]\n");
}

const fh_report_form fh_gitlab_form = {.name = "gitlab",
                                       .title = "code quality report of GitLab",
                                       .state_len = sizeof(gitlab_state),
                                       .begin = begin,
                                       .source = source,
                                       .asset = asset,
                                       .finding = finding,
                                       .end = end};
