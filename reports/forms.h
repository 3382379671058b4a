/* The forms of a report, each in a file of its own. Internal to report.c and the tests. */
#ifndef FH_REPORTS_FORMS_H
#define FH_REPORTS_FORMS_H

#include "reports/report.h"

/* For people: what is wrong with each file, where, and what to do about it. Findings stand below
 * the heading of their file; help is given once for each rule and file. */
extern const fh_report_form fh_text_form;

#endif
