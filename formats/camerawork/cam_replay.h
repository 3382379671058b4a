/* The reference evaluation of a camera path. */
#ifndef FH_CAM_REPLAY_H
#define FH_CAM_REPLAY_H

#include "core/format.h"

extern const char *const cam_profile_names[];
extern const char *const cam_evaluator_names[];

/* cam_replay is the replay of the format: one frame for each row, with a row of the table "camera"
 * and one of "anchor" where there is something to evaluate. `held` is the sum of 1 before the first
 * or behind the last key, 2 where target has no direction and the last one is kept, 4 where right
 * and up are kept. */
fh_status cam_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options) FH_MUST_USE;

#endif
