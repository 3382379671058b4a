/* The rules of TRA4: their table and the enum that indexes it, both made from tra_rules.def. */
#ifndef FH_TRA_RULES_H
#define FH_TRA_RULES_H

#include "core/rules.h"

enum tra_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) code,
#include "tra/tra_rules.def"
#undef FH_RULE
    TRA_NUM_RULES
};

extern const fh_rule tra_rules[TRA_NUM_RULES];

#endif
