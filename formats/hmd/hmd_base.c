#include "hmd/hmd_base.h"

#define PHYSICAL_MASK 0x1fffffffu

/* Parents are addresses once the coordinates were mapped; before that they are word offsets, which
 * are smaller than any address outside the kernel's pages. */
static bool has_unit_maps(hmd_check *check, uint32_t num_units)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < num_units && hmd_spend(check, 1); i++) {
        const uint32_t super =
            hmd_word(model, model->coordinates + 1 + HMD_UNIT_WORDS * i + HMD_SUPER_WORD);
        if (super != 0) {
            return super >= HMD_MOST_WORDS;
        }
    }
    return false;
}

bool hmd_base_solve(hmd_check *check)
{
    hmd_model *model = check->model;
    model->stage = HMD_STAGE_FILE;
    if (hmd_word(model, 1) == 0) {
        return true;
    }
    const uint32_t num_units = hmd_word(model, model->coordinates);
    const uint64_t headers =
        (uint64_t)model->coordinates + 1 + (uint64_t)num_units * HMD_UNIT_WORDS;
    const uint32_t pointer = hmd_word(model, 2);
    const uint32_t physical = pointer & PHYSICAL_MASK;
    model->stage = HMD_STAGE_MAPPED;
    if (headers > HMD_MOST_WORDS || pointer % HMD_WORD_LEN != 0 ||
        physical < headers * HMD_WORD_LEN) {
        hmd_fault(check, HMD0170, FH_CORRUPT, "primitive header pointer", 2, fh_hex(pointer),
                  fh_words("an address behind the coordinates"));
        return false;
    }
    if (!hmd_need(check, 0, headers)) {
        return hmd_has(model, 0, headers);
    }
    model->base = physical - (uint32_t)(headers * HMD_WORD_LEN);
    model->segment = pointer & ~PHYSICAL_MASK;
    model->has_unit_maps = has_unit_maps(check, num_units);
    return true;
}
