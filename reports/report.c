#include "reports/report.h"

#include "reports/forms.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const fh_report_form *const forms[] = {&fh_text_form, NULL};

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
    *report = (fh_report){.form = form, .run = run, .out = fh_out_make(file), .colour = colour};
    report->state = calloc(1, form->state_len > 0 ? form->state_len : 1);
    if (report->state == NULL) {
        return false;
    }
    form->begin(report);
    return true;
}

void fh_report_source(fh_report *report, const fh_source_record *source)
{
    assert(source->path != NULL);
    if (report->form->source != NULL) {
        report->form->source(report, source);
    }
}

void fh_report_asset(fh_report *report, const fh_asset_record *asset)
{
    if (report->form->asset != NULL) {
        report->form->asset(report, asset);
    }
}

void fh_report_finding(fh_report *report, const fh_finding_record *finding)
{
    assert(finding->rule != NULL && finding->severity <= FH_ERROR && finding->message != NULL);
    if (report->form->finding != NULL) {
        report->form->finding(report, finding);
    }
}

int fh_report_end(fh_report *report)
{
    report->form->end(report);
    if (report->form->forget != NULL) {
        report->form->forget(report);
    }
    free(report->state);
    report->state = NULL;
    const int error = fh_out_end(&report->out);
    return error == 0 && report->no_memory ? ENOMEM : error;
}
