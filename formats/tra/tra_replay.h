/* Replaying a TRA4 animation through the reference evaluator: poses, and what only replay finds. */
#ifndef FH_TRA_REPLAY_H
#define FH_TRA_REPLAY_H

#include "core/format.h"

extern const char *const tra_profile_names[];
extern const char *const tra_evaluator_names[];

/* tra_replay is the replay of the format; model comes from tra_verify. Frames are the integers from
 * 0 to totalFrame - 1. Table "bone" has a row for each bone, its pose relative to its place in the
 * model; table "dynamic" one with the mask of the groups that are shown, if there are any keys. */
fh_status tra_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options) FH_MUST_USE;

#endif
