/* A report: what was found, told in one form, as it comes.
 *
 * Every form is made from the same records: a check tells them while it judges, a database tells
 * them later. The order is: fh_report_begin; for each source fh_report_source, the findings that
 * are of the source itself, and each of its assets with its findings behind it; fh_report_end.
 *
 * A report owns its state and borrows its FILE and, for the call, what is passed to it. Strings of
 * input are escaped (escape.h) by the form. The first failed write is kept and told by
 * fh_report_end, so nobody need look at every call.
 */
#ifndef FH_REPORTS_REPORT_H
#define FH_REPORTS_REPORT_H

#include "core/record.h"
#include "reports/out.h"

#include <stdbool.h>

/* What is told of, and by what. Borrowed for the whole life of the report. */
typedef struct fh_report_run {
    const char *command; /* "check", "scan" */
    const char *tool_version;
    const char *ruleset_version;
    const fh_rule_table *tables; /* all rules */
    size_t num_tables;
} fh_report_run;

typedef struct fh_report fh_report;

/* A form. All functions but begin and end may be NULL: such a thing is then not told of. */
typedef struct fh_report_form {
    const char *name;  /* as --format has it */
    const char *title; /* what it is for, in a few words */
    size_t state_len;  /* bytes of the state, which begin with zeros */
    void (*begin)(fh_report *report);
    void (*source)(fh_report *report, const fh_source_record *source);
    void (*asset)(fh_report *report, const fh_asset_record *asset);
    void (*finding)(fh_report *report, const fh_finding_record *finding);
    void (*end)(fh_report *report);    /* writes what comes last */
    void (*forget)(fh_report *report); /* frees what the state owns */
} fh_report_form;

struct fh_report {
    const fh_report_form *form;
    const fh_report_run *run;
    fh_out out;
    bool colour;
    bool no_memory; /* set by a form that had too little */
    void *state;    /* owned; of the form */
};

/* fh_report_forms returns all forms, ended by NULL. */
const fh_report_form *const *fh_report_forms(void);

/* fh_report_form_named returns the form of that name, or NULL. */
const fh_report_form *fh_report_form_named(const char *name);

/* fh_report_begin begins a report. false: no memory. */
bool fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                     FILE *file, bool colour) FH_MUST_USE;

void fh_report_source(fh_report *report, const fh_source_record *source);
void fh_report_asset(fh_report *report, const fh_asset_record *asset);
void fh_report_finding(fh_report *report, const fh_finding_record *finding);

/* fh_report_end writes what comes last, frees the state and returns 0 or the errno of the first
 * write that failed; ENOMEM where the form had too little memory. */
int fh_report_end(fh_report *report) FH_MUST_USE;

#endif
