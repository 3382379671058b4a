/* A report: what was found, told in one form, as it comes.
 *
 * Every form is made from the same records: a check tells them while it judges, a database tells
 * them later. The order is: fh_report_begin; each scan; for each source fh_report_source, its
 * coverage, the findings that are of the source itself, and each of its assets with its findings
 * behind it; then, where somebody has read the sources again, the details of assets; fh_report_end.
 * Scans, coverage and details are told only of a database.
 *
 * A form is called in that order and nothing else. What is told of last, the source and the asset
 * that are open, stands in fh_report.now, so that no form need keep it.
 *
 * A report owns its state and borrows its FILE and, for the call, what is passed to it. Strings of
 * input are escaped (escape.h) by the form. The first failed write is kept and told by
 * fh_report_end, so nobody need look at every call.
 */
#ifndef FH_REPORTS_REPORT_H
#define FH_REPORTS_REPORT_H

#include "core/record.h"
#include "reports/counts.h"
#include "reports/detail.h"
#include "reports/keep.h"
#include "reports/out.h"

#include <stdbool.h>

/* Findings that are there and are not told, by why. */
typedef struct fh_left_out {
    uint64_t known;   /* in the baseline */
    uint64_t ignored; /* of rules that are not selected, or off */
    uint64_t hidden;  /* less severe than what is to be shown */
} fh_left_out;

/* What is told of, and by what. Borrowed for the whole life of the report. */
typedef struct fh_report_run {
    const char *command; /* "check", "scan" */
    const char *tool_version;
    const char *ruleset_version;
    const fh_rule_table *tables; /* all rules */
    size_t num_tables;
    fh_severity fails_from; /* from which severity on a finding is a failure;
                               may change from source to source */
    bool explains; /* a text of a run that failed says at its end what the commonest rules mean */
    const fh_left_out *left_out; /* as it is when the report ends; NULL: all is told */
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
    void (*scan)(fh_report *report, const fh_scan_run_record *scan);
    void (*coverage)(fh_report *report, const fh_coverage_record *coverage);
    void (*detail)(fh_report *report, const fh_detail *detail);
    bool (*is_full)(const fh_report *report); /* no room for another detail; NULL: never */
    void (*close)(fh_report *report);         /* the open source ends; it still stands in now */
    void (*end)(fh_report *report);           /* writes what comes last */
    void (*forget)(fh_report *report);        /* frees what the state owns */
} fh_report_form;

/* Where a report is: what is open, and what there was up to here. Ids are those of the database, or
 * else numbers from 1. */
typedef struct fh_report_now {
    bool has_source;
    bool has_asset;
    fh_source_record source; /* strings and hashes in kept_source */
    fh_asset_record asset;   /* without its replay */
    int64_t source_id;
    int64_t asset_id;   /* FH_UNKNOWN while none is open */
    int64_t finding_id; /* of the last finding */
    uint64_t num_sources;
    uint64_t num_unread; /* sources of which not all was read */
    uint64_t num_assets;
    uint64_t num_unfinished; /* scans that did not come to their end */
    fh_counts findings;
} fh_report_now;

struct fh_report {
    const fh_report_form *form;
    const fh_report_run *run;
    fh_out out;
    bool colour;
    bool no_memory; /* set by a form that had too little */
    int exit_code;  /* of the command, as far as it is known when the report ends; -1: not */
    fh_report_now now;
    void *state; /* owned; of the form */

    /* Private. */
    fh_kept kept_source;
    fh_kept kept_asset;
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

void fh_report_scan(fh_report *report, const fh_scan_run_record *scan);
void fh_report_coverage(fh_report *report, const fh_coverage_record *coverage); /* of the source */
void fh_report_detail(fh_report *report, const fh_detail *detail);

/* fh_report_wants_detail tells whether the form shows details, and has room for another one. */
bool fh_report_wants_detail(const fh_report *report);

/* fh_report_is_whole_source tells whether the open asset is all there is of its source. */
bool fh_report_is_whole_source(const fh_report *report);

/* fh_report_is_unread tells whether not all of a source was read. */
bool fh_report_is_unread(const fh_source_record *source);

/* fh_report_unread_name returns what stands in place of a code then: "unreadable", "incomplete". */
const char *fh_report_unread_name(const fh_source_record *source);

/* fh_report_why_unread says so in a few words. */
const char *fh_report_why_unread(const fh_source_record *source);

/* fh_report_is_unfinished tells whether a scan did not come to its end: it was broken off, or is
 * still at work. */
bool fh_report_is_unfinished(const fh_scan_run_record *scan);

/* FH_UNFINISHED is what a report then says, and the caller on standard error. */
#define FH_UNFINISHED                                                                              \
    "a scan of this database did not come to its end; what it has not searched is missing here; "  \
    "framehound scan --resume with its sources goes on with it"

/* fh_report_num_findings returns how many findings were told so far. */
int64_t fh_report_num_findings(const fh_report *report);

/* fh_report_aside opens a temporary file for what a report needs later than it comes: so memory
 * does not grow with the input. The form owns it until fh_report_close_aside. Where none can be
 * opened, nothing can be written to it, and fh_report_end says so. */
fh_out fh_report_aside(fh_report *report);

/* fh_report_copy copies such a file, from its beginning, to the report. */
void fh_report_copy(fh_report *report, fh_out *aside);

/* fh_report_close_aside closes it. One that was never opened, all zero, is allowed. */
void fh_report_close_aside(fh_out *aside);

/* fh_report_end writes what comes last, frees the state and returns 0 or the errno of the first
 * write that failed; ENOMEM where the form had too little memory. */
int fh_report_end(fh_report *report) FH_MUST_USE;

/* fh_report_abandon frees a report that is not to be ended. */
void fh_report_abandon(fh_report *report);

#endif
