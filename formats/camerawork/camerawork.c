#include "camerawork/camerawork.h"

#include "camerawork/cam_canonical.h"
#include "camerawork/cam_decode.h"
#include "camerawork/cam_replay.h"
#include "camerawork/cam_rules.h"
#include "camerawork/cam_walk.h"

static const char *const extensions[] = {"cam", "camerawork", NULL};

const fh_format fh_camerawork_format = {
    .name = "camerawork",
    .title = "ZINDAIJI camerawork, camera paths as text",
    .extensions = extensions,
    .profiles = cam_profile_names,
    .evaluators = cam_evaluator_names,
    .rules = cam_rules,
    .num_rules = CAM_NUM_RULES,
    .magic = {.mask = 0xfffeffff, .value = 0x20302030, .alignment = 1}, /* "0 0 " or "0 1 " */
    .is_text = true,
    .probe = cam_probe,
    .verify = cam_verify,
    .replay = cam_replay,
    .canonical = cam_canonical,
};
