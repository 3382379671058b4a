/* Rules: what a finding is an instance of.
 *
 * Every format (and the images, and the run itself) has one table, a file of FH_RULE lines. The
 * enum of its codes, the rows in the database, the reference page and the coverage check are all
 * made from it. A code is never used again for another meaning.
 */
#ifndef FH_CORE_RULES_H
#define FH_CORE_RULES_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum fh_severity { FH_NOTE = 0, FH_WARNING, FH_ERROR } fh_severity;

typedef struct fh_rule {
    const char *code;        /* "TOD0001" */
    fh_severity severity;    /* default; a user may change it */
    const char *title;       /* what is wrong, without a full stop */
    const char *explanation; /* what it means for a person */
    const char *source;      /* where the rule comes from */
    const char *mend;        /* what to do about it */
} fh_rule;

/* A rule that repair mends, in files where there is only one way to; see core/repair.h. */
typedef struct fh_mend {
    const fh_rule *rule;
    bool moves; /* the damage may have changed the motion, which the repair then gives back */
} fh_mend;

typedef struct fh_rule_table {
    const char *format; /* "tod", "image", "run" */
    const fh_rule *rules;
    size_t num_rules;
    const fh_mend *mends; /* those of the table that check --fix mends */
    size_t num_mends;
} fh_rule_table;

/* fh_rule_is_mended tells whether a rule is among the mends of a table. */
FH_API bool fh_rule_is_mended(const fh_rule_table *table, const fh_rule *rule);

/* fh_severity_name returns "note", "warning" or "error". */
FH_API const char *fh_severity_name(fh_severity severity);

#endif
