/* Replaying an HMD: the format's own viewer on the reference evaluator. */
#ifndef FH_HMD_REPLAY_H
#define FH_HMD_REPLAY_H

#include "core/format.h"

extern const char *const hmd_profile_names[];
extern const char *const hmd_evaluator_names[];

/* hmd_replay is the replay of the format. */
fh_status hmd_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options) FH_MUST_USE;

#endif
