/* The rules of camerawork: their table and the enum that indexes it, both made from
 * camerawork_rules.def. */
#ifndef FH_CAM_RULES_H
#define FH_CAM_RULES_H

#include "core/rules.h"

enum cam_rule {
#define FH_RULE(code, severity, title, explanation, source, mend) code,
#include "camerawork/camerawork_rules.def"
#undef FH_RULE
    CAM_NUM_RULES
};

extern const fh_rule cam_rules[CAM_NUM_RULES];

#endif
