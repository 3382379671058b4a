/* Cameras and lights as structs. */
#include "hmd/hmd_schema_records.h"

static const fh_item projection_items[] = {{FIELD(S32, "projection", VALUE)}};
const fh_struct hmd_projection_data_struct = {.name = "projection", ITEMS(projection_items)};

static const fh_item camera_items[] = {
    {FIELD(S32, "projection", VALUE)},
    {FIELD(S32, "roll", VALUE), .doc = "4096 is 1 degree"},
    {FIELD(S32, "position", VALUE), .count = "3"},
    {FIELD(S32, "target", VALUE), .count = "3"},
};
const fh_struct hmd_camera_data_struct = {.name = "camera", ITEMS(camera_items)};

static const fh_item projection_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {STRUCT("projection_data", hmd_projection_data_struct), .at = PTR("parameters"),
     .when = IS_MARKED("parameters")},
    REST("0"),
};
const fh_struct hmd_projection_struct = {
    .name = "projection_record", RECORD, ITEMS(projection_record_items)};

static const fh_item camera_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {STRUCT("camera_data", hmd_camera_data_struct), .at = PTR("parameters"),
     .when = IS_MARKED("parameters")},
    REST("0"),
};
const fh_struct hmd_camera_struct = {.name = "camera_record", RECORD, ITEMS(camera_record_items)};

#define LIGHT_COLOUR                                                                               \
    {FIELD(U8, "red", COLOUR)}, {FIELD(U8, "green", COLOUR)}, {FIELD(U8, "blue", COLOUR)},         \
    {                                                                                              \
        FIELD(U8, "unused", PAD)                                                                   \
    }
static const fh_item ambient_items[] = {LIGHT_COLOUR};
const fh_struct hmd_ambient_data_struct = {.name = "ambient", ITEMS(ambient_items)};

static const fh_item light_items[] = {
    LIGHT_COLOUR,
    {FIELD(S32, "position", VALUE), .count = "3"},
    {FIELD(S32, "target", VALUE), .count = "3"},
};
const fh_struct hmd_light_data_struct = {.name = "light", ITEMS(light_items)};

static const fh_case light_cases[] = {{0x200, &hmd_ambient_data_struct},
                                      {0x10200, &hmd_light_data_struct},
                                      {0x20200, &hmd_light_data_struct},
                                      {0x30200, &hmd_light_data_struct},
                                      {0, NULL}};

static const fh_item light_use_items[] = {
    {FIELD(U16, "number", NAME), .doc = "of the light, 0 to 2"},
    {FIELD(U16, "parameter", POINTER), .doc = "words"},
    {SWITCH("light_data", "form", light_cases), .at = "section + 4 * parameter"},
};
const fh_struct hmd_light_use_struct = {
    .name = "light_use", .params = {"section", "form"}, ITEMS(light_use_items)};

/* Only the WORLD light sets as many as it counts. */
static const fh_item light_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {LET("num_lights"), .when = "form == 0x10200", .value = "count", .otherwise = "1"},
    {STRUCT("lights", hmd_light_use_struct), .args = PTR("parameters") ", form",
     .count = "num_lights", .when = IS_MARKED("parameters") " and size > 1"},
};
const fh_struct hmd_light_struct = {.name = "light_record", RECORD, ITEMS(light_record_items)};
