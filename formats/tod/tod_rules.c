#include "tod/tod_rules.h"

const fh_rule tod_rules[TOD_NUM_RULES] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    {#code, FH_##severity, title, explanation, source, mend},
#include "tod/tod_rules.def"
#undef FH_RULE
};
