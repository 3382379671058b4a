#include "tra/tra.h"

#include "tra/tra_bac.h"
#include "tra/tra_canonical.h"
#include "tra/tra_decode.h"
#include "tra/tra_describe.h"
#include "tra/tra_fragment.h"
#include "tra/tra_repair.h"
#include "tra/tra_replay.h"
#include "tra/tra_scene.h"

static const fh_companion_kind model_kind = {.extension = "bac",
                                             .title = "BAC6 text of the model",
                                             .makes_world = true,
                                             .is_one = tra_bac_is_one};

static const char *const extensions[] = {"tra", NULL};

/* How a text begins, and the keywords of keys: every fragment has some. In UTF-16, seen from the
 * first byte that is not 0, both byte orders are the same. The first byte of each is fixed, for
 * that is what a search goes by. */
static const fh_magic magics[] = {
    {.mask = 0xffffffff, .value = 0x4152543b}, /* ";TRA" */
    {.mask = 0xffffffff, .value = 0x0054003b}, /* ";T" in UTF-16 */
    {.mask = 0x00d6ffff, .value = 0x0000666b}, /* "kf", then a blank or TAB, or one of six more */
    {.mask = 0x00ffffff, .value = 0x0066676b}, /* "kgf" */
    {.mask = 0xfffeffff, .value = 0x0066006b}, /* "kf" or "kg" in UTF-16 */
};

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
    .locate = tra_locate,
    .companion = &model_kind,
    .is_text = true,
    .probe = tra_probe,
    .verify = tra_verify,
    .has_world = true,
    .replay = tra_replay,
    .repair = tra_repair,
    .mends = tra_mends,
    .num_mends = TRA_NUM_MENDS,
    .units = tra_units,
    .canonical = tra_canonical,
    .describe = tra_describe,
    .governance = &tra_governance,
    .scene = &tra_scene,
};
