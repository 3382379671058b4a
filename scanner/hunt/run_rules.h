/* The rules of the run itself: their table and the enum that indexes it. */
#ifndef FH_RUN_RULES_H
#define FH_RUN_RULES_H

#include "core/rules.h"

enum fh_run_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) FH_##code,
#include "hunt/run_rules.def"
#undef FH_RULE
    FH_NUM_RUN_RULES
};

extern const fh_rule_table fh_run_rules;

#endif
