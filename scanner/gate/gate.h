/* The gate: takes the results of a check one by one, in the order of the files, tells them in every
 * form that was asked for, and decides the exit code.
 */
#ifndef FH_GATE_GATE_H
#define FH_GATE_GATE_H

#include "cmd.h"
#include "gate/lock.h"
#include "gate/result.h"
#include "reports/report.h"

/* Forms that one run may write. */
#define FH_MAX_REPORTS 16u

/* A form and where it goes. */
typedef struct fh_gate_report {
    const fh_report_form *form;
    const char *path; /* NULL: standard output */
    fh_report report;
} fh_gate_report;

typedef struct fh_gate {
    fh_fail_on fail_on;
    fh_exit exit; /* the worst so far */
    uint64_t num_files;
    fh_lock lock;
    fh_gate_report reports[FH_MAX_REPORTS];
    size_t num_reports;

    /* Private. */
    fh_report_run run;
    fh_rule_table tables[FH_MAX_RULE_TABLES];
} fh_gate;

/* fh_gate_want asks for a form, as --format has it. */
fh_exit fh_gate_want(fh_gate *gate, const char *value);

/* fh_gate_begin opens the reports; without any that was asked for, text on standard output. */
fh_exit fh_gate_begin(fh_gate *gate);

/* fh_gate_tell tells a result, and frees it. */
void fh_gate_tell(fh_gate *gate, fh_result *result);

/* fh_gate_missing tells what the pose lock has in the paths of the check and is there no more. */
void fh_gate_missing(fh_gate *gate, int num, char *const *paths);

/* fh_gate_end closes the reports and returns the exit code of all. */
fh_exit fh_gate_end(fh_gate *gate);

#endif
