#include "hmd/hmd_shape.h"

#include "core/never.h"
#include "hmd/hmd_devices.h"
#include "hmd/hmd_polygons.h"

/* The first row that fits counts. Fewer words are needed than there are where another rule looks
 * after the rest: the colour tables of images, the length of an animation header. Packets without
 * normals (LMD, bit 6) have no use for a section of them, and morphing changes vertices or normals,
 * not both. */
static const hmd_shape shapes[] = {
    {0xff000040, 0x00000040, "PVN", 2, true, false, 1u << 2},
    {0xff000000, 0x00000000, "PVN", 3, true, false},
    {0xff000040, 0x01000040, "PVvNn", 3, true, false, 1u << 3 | 1u << 4},
    {0xff000000, 0x01000000, "PVvNn", 5, true, false},
    {0xfffffffe, 0x02000000, "Pp", 1, false, false},
    {0xff000000, 0x03000000, "#PPP", 0, false, true},
    {0xfffffffe, 0x04010010, "Cw##P", 5, false, false},
    {0xfffffffe, 0x04010018, "C#P", 3, false, false},
    {0xffffffff, 0x04010020, "w##PPVN", 7, false, false, 1u << 6},
    {0xffffffff, 0x04010021, "w##PPVN", 7, false, false, 1u << 5},
    {0xffffffff, 0x04010028, "#PPVN", 5, false, false, 1u << 4},
    {0xffffffff, 0x04010029, "#PPVN", 5, false, false, 1u << 3},
    {0xffffffff, 0x05000000, "PPPN", 4, true, false},
    {0xffffffff, 0x05000001, "PPPNP", 5, true, false},
    {0xffffffff, 0x06000100, "PVvNn", 5, true, false},
    {0xfffff700, 0x06001100, "PVvNn", 5, true, false},
    {0xffff0f00, 0x06000000, "PVNTTTTT#####", 13, true, false},
};

/* Cameras and lights: parameters, and the coordinates that they hang on. */
static const hmd_shape devices[] = {
    {0, 0, "P", 1, false, false},
    {0, 0, "PC", 2, false, false},
    {0, 0, "PCC", 3, false, false},
};

const hmd_shape *hmd_shape_of(const hmd_record *record)
{
    const uint32_t type = record->type & ~HMD_TYPE_INI;
    if (record->category >= HMD_NUM_CATEGORIES || record->type == HMD_NO_TYPE ||
        (record->category == HMD_ENVMAP && !hmd_has_driver(type))) {
        return NULL;
    }
    if (record->category == HMD_DEVICE) {
        const hmd_device_kind *kind = hmd_device_of(record);
        return kind == NULL ? NULL : &devices[kind->num_coordinates];
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if ((type & shapes[i].mask) == shapes[i].type) {
            return &shapes[i];
        }
    }
    return NULL;
}

bool hmd_is_mapping(const hmd_record *record)
{
    /* The null driver is one of the polygons' drivers. */
    const bool is_model = record->category == HMD_POLYGONS || record->category == HMD_SHARED ||
                          record->category == HMD_GROUND || record->category == HMD_ENVMAP ||
                          record->category == HMD_CATEGORY_NULL;
    return is_model && record->type != HMD_NO_TYPE && (record->type & HMD_TYPE_INI) != 0;
}

uint32_t hmd_record_len(const hmd_record *record)
{
    const hmd_device_kind *device = hmd_device_of(record);
    if (record->type == HMD_NO_TYPE || !hmd_has_driver(record->type)) {
        return record->size;
    }
    if (hmd_is_precalculation(record)) {
        return 7;
    }
    switch (record->category) {
    case HMD_POLYGONS:
    case HMD_SHARED:
    case HMD_ENVMAP:
        return 2;
    case HMD_IMAGES:
        return 1u + ((record->type & 1) != 0 ? 6u : 3u) * record->count;
    case HMD_GROUND:
        return 4;
    case HMD_DEVICE:
        /* Every device that has a driver is in the table. */
        return NEVER(device == NULL) ? record->size : 1 + hmd_device_lights(record, device);
    default:
        return record->size;
    }
}
