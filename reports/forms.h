/* The forms of a report, each in a file of its own. Internal to report.c and the tests. */
#ifndef FH_REPORTS_FORMS_H
#define FH_REPORTS_FORMS_H

#include "reports/report.h"

/* For people: what is wrong with each file, where, and what to do about it. Findings stand below
 * the heading of their file, with the bytes or the line where they are at hand; help is given once
 * for each rule and file. */
extern const fh_report_form fh_text_form;

/* For people and editors: a finding is a line PATH:LINE:COLUMN: or PATH:0xOFFSET: and what it is.
 * A file that could not be read is such a line, too; nothing else is said. */
extern const fh_report_form fh_concise_form;

/* One JSON document: sources, in each its findings and assets, in each of these its findings; the
 * summary. And JSON Lines: one object a line. The names are those of the tables of the database. */
extern const fh_report_form fh_json_form;
extern const fh_report_form fh_jsonl_form;

/* RFC 4180, with a header: one row for each source, asset and finding; `type` says which. */
extern const fh_report_form fh_csv_form;

/* SARIF 2.1.0 (OASIS), for code hosts and editors. Of more results than code hosts take the errors
 * come first, then warnings; a notification says how many are left out. */
extern const fh_report_form fh_sarif_form;

/* JUnit XML: a test case for each asset, and for each source that has none or findings of its own.
 * It fails by findings that fail the run. */
extern const fh_report_form fh_junit_form;

/* Annotations of a GitHub workflow: `::error file=...::...`. */
extern const fh_report_form fh_github_form;

/* The code quality report of GitLab: a JSON array. */
extern const fh_report_form fh_gitlab_form;

/* Digital Forensics XML: sources, and the assets inside of them with their byte runs. */
extern const fh_report_form fh_dfxml_form;

/* One page for a browser, which needs no network: tables, the map of each disc, and of each asset
 * its bytes, its fields and its motion, where details are told. */
extern const fh_report_form fh_html_form;

#endif
