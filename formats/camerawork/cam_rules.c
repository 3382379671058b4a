#include "camerawork/cam_rules.h"

const fh_rule cam_rules[CAM_NUM_RULES] = {
#define FH_RULE(code, severity, title, explanation, source, mend)                                  \
    {#code, FH_##severity, title, explanation, source, mend},
#include "camerawork/camerawork_rules.def"
#undef FH_RULE
};
