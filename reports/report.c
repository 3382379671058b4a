#include "reports/report.h"

#include "reports/forms.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const fh_report_form *const forms[] = {&fh_text_form,  &fh_concise_form, &fh_json_form,
                                              &fh_jsonl_form, &fh_csv_form,     &fh_sarif_form,
                                              &fh_junit_form, &fh_github_form,  &fh_gitlab_form,
                                              &fh_dfxml_form, &fh_html_form,    NULL};

const fh_report_form *const *fh_report_forms(void)
{
    return forms;
}

const fh_report_form *fh_report_form_named(const char *name)
{
    for (const fh_report_form *const *form = forms; *form != NULL; form++) {
        if (strcmp((*form)->name, name) == 0) {
            return *form;
        }
    }
    return NULL;
}

bool fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                     FILE *file, bool colour)
{
    *report = (fh_report){.form = form,
                          .run = run,
                          .out = fh_out_make(file),
                          .colour = colour,
                          .exit_code = -1,
                          .now = {.asset_id = FH_UNKNOWN}};
    report->state = calloc(1, form->state_len > 0 ? form->state_len : 1);
    if (report->state == NULL) {
        return false;
    }
    form->begin(report);
    return true;
}

bool fh_report_is_unread(const fh_source_record *source)
{
    return strcmp(source->status, "complete") != 0;
}

const char *fh_report_unread_name(const fh_source_record *source)
{
    return strcmp(source->status, "unreadable") == 0 ? "unreadable" : "incomplete";
}

const char *fh_report_why_unread(const fh_source_record *source)
{
    return source->why != NULL                         ? source->why
           : strcmp(source->status, "unreadable") == 0 ? "cannot be read"
           : strcmp(source->status, "partial") == 0    ? "cannot be read as a whole"
           : strcmp(source->status, "limit") == 0      ? "a limit stopped the work"
                                                       : source->status;
}

static void close_source(fh_report *report)
{
    if (report->now.num_sources > 0 && report->form->close != NULL) {
        report->form->close(report);
    }
}

void fh_report_source(fh_report *report, const fh_source_record *source)
{
    fh_report_now *now = &report->now;
    assert(source->path != NULL && source->status != NULL);
    close_source(report);
    now->num_sources++;
    now->num_unread += fh_report_is_unread(source) ? 1 : 0;
    now->source_id = source->id != 0 ? source->id : (int64_t)now->num_sources;
    now->has_asset = false;
    now->asset_id = FH_UNKNOWN;
    now->has_source = fh_keep_source(&report->kept_source, &now->source, source);
    if (!now->has_source) {
        report->no_memory = true;
        now->source.path = ""; /* the report is not to be used, but must get to its end */
        now->source.status = "limit";
    }
    if (report->form->source != NULL) {
        report->form->source(report, source);
    }
}

void fh_report_asset(fh_report *report, const fh_asset_record *asset)
{
    fh_report_now *now = &report->now;
    assert(now->num_sources > 0 && asset->format != NULL && asset->grade != NULL);
    now->num_assets++;
    now->asset_id = asset->id != 0 ? asset->id : (int64_t)now->num_assets;
    now->has_asset = fh_keep_asset(&report->kept_asset, &now->asset, asset);
    if (!now->has_asset) {
        report->no_memory = true;
    }
    if (report->form->asset != NULL) {
        report->form->asset(report, asset);
    }
}

void fh_report_finding(fh_report *report, const fh_finding_record *finding)
{
    assert(finding->rule != NULL && finding->severity <= FH_ERROR && finding->message != NULL);
    assert(report->now.num_sources > 0);
    report->now.findings.of[finding->severity]++;
    report->now.finding_id = finding->id != 0 ? finding->id : fh_report_num_findings(report);
    if (report->form->finding != NULL) {
        report->form->finding(report, finding);
    }
}

bool fh_report_is_unfinished(const fh_scan_run_record *scan)
{
    return scan->status == NULL || strcmp(scan->status, "complete") != 0;
}

void fh_report_scan(fh_report *report, const fh_scan_run_record *scan)
{
    report->now.num_unfinished += fh_report_is_unfinished(scan) ? 1 : 0;
    if (report->form->scan != NULL) {
        report->form->scan(report, scan);
    }
}

void fh_report_coverage(fh_report *report, const fh_coverage_record *coverage)
{
    assert(report->now.num_sources > 0 && coverage->claim != NULL);
    if (report->form->coverage != NULL) {
        report->form->coverage(report, coverage);
    }
}

void fh_report_detail(fh_report *report, const fh_detail *detail)
{
    if (report->form->detail != NULL) {
        report->form->detail(report, detail);
    }
}

bool fh_report_wants_detail(const fh_report *report)
{
    const fh_report_form *form = report->form;
    return form->detail != NULL && (form->is_full == NULL || !form->is_full(report));
}

int64_t fh_report_num_findings(const fh_report *report)
{
    const uint64_t *of = report->now.findings.of;
    return (int64_t)(of[FH_NOTE] + of[FH_WARNING] + of[FH_ERROR]);
}

bool fh_report_is_whole_source(const fh_report *report)
{
    const fh_report_now *now = &report->now;
    return now->has_asset && now->asset.raw_offset == 0 && now->asset.num_pieces == 0 &&
           now->asset.length == now->source.size;
}

static void fail(fh_report *report, int error)
{
    if (report->out.error == 0) {
        report->out.error = error != 0 ? error : EIO;
    }
}

fh_out fh_report_aside(fh_report *report)
{
    errno = 0;
    FILE *file = tmpfile();
    if (file == NULL) {
        fail(report, errno);
        return (fh_out){.file = NULL, .error = report->out.error};
    }
    return fh_out_make(file);
}

void fh_report_copy(fh_report *report, fh_out *aside)
{
    char bytes[4096];
    if (aside->error != 0 || fh_out_end(aside) != 0) {
        fail(report, aside->error);
        return;
    }
    errno = 0;
    bool failed = fseeko(aside->file, 0, SEEK_SET) != 0;
    for (size_t len = sizeof bytes; len > 0 && !failed;) {
        len = fread(bytes, 1, sizeof bytes, aside->file);
        failed = ferror(aside->file) != 0;
        fh_out_bytes(&report->out, bytes, len);
    }
    if (failed) {
        fail(report, errno);
    }
}

void fh_report_close_aside(fh_out *aside)
{
    if (aside->file != NULL) {
        (void)fclose(aside->file); /* what counts was read back */
    }
    *aside = (fh_out){0};
}

void fh_report_abandon(fh_report *report)
{
    if (report->form->forget != NULL) {
        report->form->forget(report);
    }
    free(report->state);
    report->state = NULL;
    fh_kept_free(&report->kept_source);
    fh_kept_free(&report->kept_asset);
}

int fh_report_end(fh_report *report)
{
    close_source(report);
    report->form->end(report);
    const int error = fh_out_end(&report->out);
    fh_report_abandon(report);
    return error == 0 && report->no_memory ? ENOMEM : error;
}
