#include "hunt/run_rules.h"

static const fh_rule rules[FH_NUM_RUN_RULES] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    {#code, FH_##severity, title, explanation, source, mend},
#include "hunt/run_rules.def"
#undef FH_RULE
};

const fh_rule_table fh_run_rules = {"run", rules, FH_NUM_RUN_RULES};
