#include "hmd/hmd_rules.h"

const fh_rule hmd_rules[HMD_NUM_RULES] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    {#code, FH_##severity, title, explanation, source, mend},
#include "hmd/hmd_rules.def"
#undef FH_RULE
};
