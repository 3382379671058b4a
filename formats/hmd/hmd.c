#include "hmd/hmd.h"

#include "core/describe.h"
#include "hmd/hmd_decode.h"
#include "hmd/hmd_probe.h"
#include "hmd/hmd_repair.h"
#include "hmd/hmd_replay.h"
#include "hmd/hmd_rules.h"
#include "hmd/hmd_scene.h"
#include "hmd/hmd_schema.h"

static const char *const extensions[] = {"hmd", NULL};

static const fh_magic magics[] = {{.mask = 0xffffffff, .value = 0x00000050}};

static fh_status describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    return fh_describe(env, out, &hmd_schema, bytes);
}

const fh_format fh_hmd_format = {
    .name = "hmd",
    .title = "HMD, PlayStation hierarchical model data",
    .extensions = extensions,
    .profiles = hmd_profile_names,
    .evaluators = hmd_evaluator_names,
    .rules = hmd_rules,
    .num_rules = HMD_NUM_RULES,
    .magics = magics,
    .num_magics = sizeof magics / sizeof magics[0],
    .alignment = 4,
    .glance = hmd_glance,
    .probe = hmd_probe,
    .verify = hmd_verify,
    .has_world = true,
    .replay = hmd_replay,
    .repair = hmd_repair,
    .mends = hmd_mends,
    .num_mends = HMD_NUM_MENDS,
    .describe = describe,
    .schema = &hmd_schema,
    .governance = &hmd_governance,
    .scene = &hmd_scene,
};
