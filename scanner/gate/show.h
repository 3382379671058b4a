/* framehound check --show-config: the settings that would hold for a path, and where each comes
 * from. */
#ifndef FH_GATE_SHOW_H
#define FH_GATE_SHOW_H

#include "gate/policy.h"

/* fh_show_settings prints those of each path on standard output. */
fh_exit fh_show_settings(fh_policy *policy, int num, char **paths);

#endif
