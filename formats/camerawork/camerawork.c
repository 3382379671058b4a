#include "camerawork/camerawork.h"

#include "camerawork/cam_canonical.h"
#include "camerawork/cam_decode.h"
#include "camerawork/cam_describe.h"
#include "camerawork/cam_locate.h"
#include "camerawork/cam_parts.h"
#include "camerawork/cam_repair.h"
#include "camerawork/cam_replay.h"
#include "camerawork/cam_rules.h"
#include "camerawork/cam_scene.h"
#include "camerawork/cam_walk.h"

static const char *const extensions[] = {"cam", "camerawork", NULL};

/* The flag of column 2 between its blanks or TABs; as bytes, and as UTF-16, whose byte orders look
 * the same from here. What stands in front of the flag has a word for each, for it is looked for
 * among all bytes; what stands behind it may be one of six more, of which locate knows. */
static const fh_magic magics[] = {{.mask = 0x00d6feff, .value = 0x00003020},
                                  {.mask = 0x00d6feff, .value = 0x00003009},
                                  {.mask = 0xfffeffff, .value = 0x00300020},
                                  {.mask = 0xfffeffff, .value = 0x00300009}};

const fh_format fh_camerawork_format = {
    .name = "camerawork",
    .title = "ZINDAIJI camerawork, camera paths as text",
    .extensions = extensions,
    .profiles = cam_profile_names,
    .evaluators = cam_evaluator_names,
    .rules = cam_rules,
    .num_rules = CAM_NUM_RULES,
    .magics = magics,
    .num_magics = sizeof magics / sizeof magics[0],
    .alignment = 1,
    .locate = cam_locate,
    .is_text = true,
    .joining = &cam_joining,
    .probe = cam_probe,
    .verify = cam_verify,
    .has_time_step = true,
    .replay = cam_replay,
    .repair = cam_repair,
    .mends = cam_mends,
    .num_mends = CAM_NUM_MENDS,
    .canonical = cam_canonical,
    .describe = cam_describe,
    .governance = &cam_governance,
    .scene = &cam_scene,
};
