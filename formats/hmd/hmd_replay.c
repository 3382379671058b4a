#include "hmd/hmd_replay.h"

const char *const hmd_profile_names[] = {"4.4", NULL};
const char *const hmd_evaluator_names[] = {"hmd-library 4.4"};

fh_status hmd_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options)
{
    (void)env;
    (void)model;
    (void)options;
    *result = (fh_replay_result){.state = FH_REPLAY_STILL, .evaluator = hmd_evaluator_names[0]};
    return FH_OK;
}
