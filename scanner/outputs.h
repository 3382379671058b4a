/* The reports of one run: each a form, and where it goes. What is told once is told by all.
 *
 * A report in a file is written beside its place and put there at the end (new_file.h). It owns its
 * reports and files; the values of the options are borrowed.
 */
#ifndef FH_SCANNER_OUTPUTS_H
#define FH_SCANNER_OUTPUTS_H

#include "cmd.h"
#include "new_file.h"
#include "reports/report.h"

/* Reports that one run may write: more than there are forms. */
#define FH_MAX_OUTPUTS 16u

/* A form and where it goes. */
typedef struct fh_output {
    const fh_report_form *form;
    const char *path; /* NULL: standard output */
    fh_report report;
    fh_new_file file;
    bool is_open;
} fh_output;

typedef struct fh_outputs {
    const char *command;
    fh_output each[FH_MAX_OUTPUTS];
    size_t num;

    fh_report_run run; /* left_out and explains may be set before it begins */

    /* Private. */
    fh_rule_table tables[FH_MAX_RULE_TABLES];
} fh_outputs;

/* fh_outputs_want asks for a report: NAME, NAME=FILE or NAME=-, which is standard output. */
fh_exit fh_outputs_want(fh_outputs *outputs, const char *value);

/* fh_outputs_redirect takes --output: the file of the one report that was asked for without one. */
fh_exit fh_outputs_redirect(fh_outputs *outputs, const char *path);

/* fh_outputs_begin begins all reports; without any that was asked for, text on standard output. */
fh_exit fh_outputs_begin(fh_outputs *outputs, const fh_fail_on *fail_on);

/* fh_outputs_fail_on says from which severity on the findings that follow are failures. */
void fh_outputs_fail_on(fh_outputs *outputs, const fh_fail_on *fail_on);

/* fh_outputs_writes tells whether path is the file of a report, or the one it replaces: they may
 * lie in a folder that is walked. */
bool fh_outputs_writes(const fh_outputs *outputs, const char *path);

void fh_outputs_scan(fh_outputs *outputs, const fh_scan_run_record *scan);
void fh_outputs_source(fh_outputs *outputs, const fh_source_record *source);
void fh_outputs_coverage(fh_outputs *outputs, const fh_coverage_record *coverage);
void fh_outputs_asset(fh_outputs *outputs, const fh_asset_record *asset);
void fh_outputs_finding(fh_outputs *outputs, const fh_finding_record *finding);

void fh_outputs_detail(fh_outputs *outputs, const fh_detail *detail);

/* fh_outputs_shows_detail tells whether a report of some form shows details, before it begins;
 * fh_outputs_wants_detail whether one that has begun has room for another. */
bool fh_outputs_shows_detail(const fh_outputs *outputs);
bool fh_outputs_wants_detail(const fh_outputs *outputs);

/* fh_outputs_failed tells whether nobody can read any of the reports any more. */
bool fh_outputs_failed(const fh_outputs *outputs);

/* fh_outputs_end ends all reports, and puts files in their places; exit is how the run went, and
 * what is returned is the worst of that and of what became of the reports. */
fh_exit fh_outputs_end(fh_outputs *outputs, fh_exit exit);

/* fh_outputs_break ends them where what they tell of could not be told to its end: files are left
 * as they were, which is said; what went to standard output is ended. exit is why. */
fh_exit fh_outputs_break(fh_outputs *outputs, fh_exit exit);

/* fh_outputs_drop ends them without a report: no file that was there is touched. */
void fh_outputs_drop(fh_outputs *outputs);

#endif
