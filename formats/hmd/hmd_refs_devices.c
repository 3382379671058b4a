#include "hmd/hmd_devices.h"

enum { CAMERA_WORDS = 8, LIGHT_WORDS = 7 };

static const hmd_device_kind kinds[] = {
    {0x07000100, "projection", false, 0, 1},
    {0x07010100, "WORLD camera", false, 0, CAMERA_WORDS},
    {0x07020100, "FIX camera", false, 1, CAMERA_WORDS},
    {0x07030100, "AIM camera", false, 2, CAMERA_WORDS},
    {0x07000200, "ambient colour", true, 0, 1},
    {0x07010200, "WORLD light", true, 0, LIGHT_WORDS},
    {0x07020200, "FIX light", true, 1, LIGHT_WORDS},
    {0x07030200, "AIM light", true, 2, LIGHT_WORDS},
};

const hmd_device_kind *hmd_device_of(const hmd_record *record)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((record->type & ~HMD_TYPE_INI) == kinds[i].type) {
            return &kinds[i];
        }
    }
    return NULL;
}

uint32_t hmd_device_lights(const hmd_record *record, const hmd_device_kind *kind)
{
    if (!kind->is_light) {
        return 0;
    }
    return kind->type == 0x07010200u ? record->count : 1;
}

void hmd_refs_devices(hmd_check *check, hmd_ref_visit visit, void *user)
{
    const hmd_model *model = check->model;
    const hmd_record *record = check->record;
    const hmd_device_kind *kind = hmd_device_of(record);
    const hmd_arg parameters = hmd_arg_of(model, hmd_header_of(model, record), 0);
    if (kind == NULL || parameters.off == HMD_NONE) {
        return;
    }
    hmd_ref ref = {.owner = HMD_OWNER_DEVICE,
                   .field = "parameters",
                   .at = parameters.at,
                   .number = parameters.off,
                   .first = parameters.off,
                   .num = kind->num_words};
    if (!kind->is_light) {
        visit(check, &ref, user);
        return;
    }
    const uint32_t num = hmd_device_lights(record, kind);
    for (uint32_t i = 0; i < num && i + 1 < record->size && hmd_spend(check, 1); i++) {
        ref.at = record->off + 2 + i;
        ref.field = "parameter index";
        ref.section = parameters.off;
        ref.number = hmd_high(hmd_word(model, ref.at));
        ref.first = (uint64_t)parameters.off + (uint64_t)ref.number;
        visit(check, &ref, user);
    }
}
