/* The fixtures of each rule: the inputs that break it and those that do not, and one as an example.
 *
 * The table is made from corpus/ when the program is built, by collect_fixtures.c, which fails
 * where a rule has no input of either kind. All strings are static.
 */
#ifndef FH_REPORTS_RULE_FIXTURES_H
#define FH_REPORTS_RULE_FIXTURES_H

#include "core/rules.h"

typedef struct fh_rule_fixtures {
    const char *code;
    /* Paths in the source tree, or "path: suite, test" for what only a test can make. Both lists
     * end with NULL and have at least one entry. */
    const char *const *bad;  /* break the rule */
    const char *const *good; /* sound neighbours */
    /* Of the first file of bad; all NULL where that is a test. */
    const char *prose;       /* what the file is and why it breaks the rule */
    const char *description; /* in the language of the forge */
    const char *report;      /* the line that is printed of it */
} fh_rule_fixtures;

/* Sorted by code. */
extern const fh_rule_fixtures fh_all_rule_fixtures[];
extern const size_t fh_num_rule_fixtures;

/* fh_rule_fixtures_of returns those of a code, or NULL for a code that is none. */
const fh_rule_fixtures *fh_rule_fixtures_of(const char *code);

#endif
