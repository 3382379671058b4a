#include "tod/tod.h"

#include "core/describe.h"
#include "tod/tod_decode.h"
#include "tod/tod_repair.h"
#include "tod/tod_replay.h"
#include "tod/tod_rules.h"
#include "tod/tod_scene.h"
#include "tod/tod_schema.h"
#include "tod/tod_walk.h"

static const char *const extensions[] = {"tod", NULL};

static const fh_magic magics[] = {{.mask = 0xffff, .value = 0x0050}};

static fh_status describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    return fh_describe(env, out, &tod_schema, bytes);
}

const fh_format fh_tod_format = {
    .name = "tod",
    .title = "TOD, PlayStation animation commands",
    .extensions = extensions,
    .profiles = tod_profile_names,
    .evaluators = tod_evaluator_names,
    .rules = tod_rules,
    .num_rules = TOD_NUM_RULES,
    .can_continue = true,
    .magics = magics,
    .num_magics = sizeof magics / sizeof magics[0],
    .alignment = 4,
    .glance = tod_glance,
    .probe = tod_probe,
    .verify = tod_verify,
    .has_world = true,
    .replay = tod_replay,
    .repair = tod_repair,
    .mends = tod_mends,
    .num_mends = TOD_NUM_MENDS,
    .units = tod_units,
    .describe = describe,
    .schema = &tod_schema,
    .governance = &tod_governance,
    .scene = &tod_scene,
};
