/* The rules of HMD: their table and the enum that indexes it, both made from hmd_rules.def. */
#ifndef FH_HMD_RULES_H
#define FH_HMD_RULES_H

#include "core/rules.h"

enum hmd_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) code,
#include "hmd/hmd_rules.def"
#undef FH_RULE
    HMD_NUM_RULES
};

extern const fh_rule hmd_rules[HMD_NUM_RULES];

#endif
