#include "source/image_rules.h"

static const fh_rule rules[] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    [FH_##code] = {#code, FH_##severity, title, explanation, source, mend},
#include "source/image_rules.def"
#undef FH_RULE
};

const fh_rule_table fh_image_rules = {
    .format = "image", .rules = rules, .num_rules = FH_IMG_NUM_RULES};
