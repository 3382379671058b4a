#include "tra/tra.h"

#include "tra/tra_bac.h"
#include "tra/tra_canonical.h"
#include "tra/tra_decode.h"
#include "tra/tra_parse.h"
#include "tra/tra_replay.h"

static const fh_companion_kind model_kind = {.extension = "bac",
                                             .title = "BAC6 text of the model",
                                             .makes_world = true,
                                             .is_one = tra_bac_is_one};

static const char *const extensions[] = {"tra", NULL};

static const fh_magic magics[] = {{.mask = 0xffffffff, .value = 0x4152543b}};

const fh_format fh_tra_format = {
    .name = "tra",
    .title = "TRA4, MascotCapsule V3 animation, text form",
    .extensions = extensions,
    .profiles = tra_profile_names,
    .evaluators = tra_evaluator_names,
    .rules = tra_rules,
    .num_rules = TRA_NUM_RULES,
    .magics = magics,
    .num_magics = sizeof magics / sizeof magics[0],
    .alignment = 1,
    .companion = &model_kind,
    .is_text = true,
    .probe = tra_probe,
    .verify = tra_verify,
    .replay = tra_replay,
    .canonical = tra_canonical,
};
