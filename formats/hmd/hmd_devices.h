/* The records of cameras and lights: their parameters and coordinates. */
#ifndef FH_HMD_DEVICES_H
#define FH_HMD_DEVICES_H

#include "hmd/hmd_refs.h"

typedef struct hmd_device_kind {
    uint32_t type; /* without INI */
    const char *name;
    bool is_light;
    uint8_t num_coordinates; /* arguments behind the parameters that point at a unit */
    uint8_t num_words;       /* of its parameters */
} hmd_device_kind;

/* hmd_device_of returns the kind of a device record, or NULL. */
const hmd_device_kind *hmd_device_of(const hmd_record *record);

/* hmd_device_lights returns how many lights the library sets by this record: FIX, AIM and ambient
 * set one, whatever the count says. */
uint32_t hmd_device_lights(const hmd_record *record, const hmd_device_kind *kind);

#endif
