/* Replaying a TOD through the reference player: poses, and what only replay can find. */
#ifndef FH_TOD_REPLAY_H
#define FH_TOD_REPLAY_H

#include "core/format.h"

extern const char *const tod_profile_names[];
extern const char *const tod_evaluator_names[];

/* tod_replay is the replay of the format; model comes from tod_verify. */
fh_status tod_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options) FH_MUST_USE;

#endif
