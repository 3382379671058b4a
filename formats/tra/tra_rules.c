#include "tra/tra_rules.h"

const fh_rule tra_rules[TRA_NUM_RULES] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    {#code, FH_##severity, title, explanation, source, mend},
#include "tra/tra_rules.def"
#undef FH_RULE
};
