/* The rules of TOD: their table and the enum that indexes it, both made from tod_rules.def. */
#ifndef FH_TOD_RULES_H
#define FH_TOD_RULES_H

#include "core/rules.h"

enum tod_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) code,
#include "tod/tod_rules.def"
#undef FH_RULE
    TOD_NUM_RULES
};

extern const fh_rule tod_rules[TOD_NUM_RULES];

#endif
