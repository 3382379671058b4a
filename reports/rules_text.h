/* The rules, printed: as a list, explained one by one, as a reference page, as JSON; and what tests
 * them.
 *
 * Everything is made from the tables of the formats and from their fixtures, so that no page can
 * disagree with the program. The FILE is borrowed. All return 0 or the errno of the first write
 * that failed.
 */
#ifndef FH_REPORTS_RULES_TEXT_H
#define FH_REPORTS_RULES_TEXT_H

#include "core/rules.h"

#include <stdio.h>

/* fh_rules_list writes a line for each rule: code, severity, title. */
int fh_rules_list(FILE *file, const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;

/* fh_rules_explain writes all there is to say about the rule at an index of a table. */
int fh_rules_explain(FILE *file, const fh_rule_table *table, size_t index) FH_MUST_USE;

/* fh_rules_markdown writes the reference page of a table, with a heading for each code. */
int fh_rules_markdown(FILE *file, const fh_rule_table *table) FH_MUST_USE;

/* fh_rules_json writes an array of objects: code, format, severity, title, explanation, source,
 * mend, fix (whether check --fix mends it), and example: an object of fixture, prose, description
 * and report, or null where only a test breaks the rule. */
int fh_rules_json(FILE *file, const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;

/* fh_coverage_text, _markdown and _json write the fixtures of each rule: those that break it and
 * those that do not. Text and Markdown end with the number of rules and fixtures of each table. */
int fh_coverage_text(FILE *file, const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;
int fh_coverage_markdown(FILE *file, const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;
int fh_coverage_json(FILE *file, const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;

#endif
