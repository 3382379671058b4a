/* Images as structs. */
#include "hmd/hmd_schema_records.h"

static const fh_item pixel_items[] = {
    {FIELD(U8, "pixels", DATA), .count = "size"},
};
const fh_struct hmd_pixels_struct = {.name = "pixels", .params = {"size"}, ITEMS(pixel_items)};

#define RECTANGLE                                                                                  \
    {FIELD(U16, "x", VALUE), .doc = "in video memory, 16-bit pixels"}, {FIELD(U16, "y", VALUE)},   \
        {FIELD(U16, "width", VALUE)}, {FIELD(U16, "height", VALUE)},                               \
    {                                                                                              \
        FIELD(U32, "index", POINTER)                                                               \
    }
#define PIXELS                                                                                     \
    {                                                                                              \
        STRUCT("image_data", hmd_pixels_struct), .args = "(width * height + 1) / 2 * 4",           \
                                                 .at = "section + 4 * index",                      \
                                                 .when = "section >= 0"                            \
    }

static const fh_item rectangle_items[] = {RECTANGLE, PIXELS};
const fh_struct hmd_rectangle_struct = {
    .name = "rectangle", .params = {"section"}, ITEMS(rectangle_items)};

static const fh_item image_items[] = {
    NUM_ARGS,
    ARG("image_section", 0),
    {LET("images_at"), .when = IS_MARKED("image_section"), .value = PTR("image_section"),
     .otherwise = "0 - 1"},
    {STRUCT("images", hmd_rectangle_struct), .args = "images_at", .count = "count"},
    REST("3 * count"),
};
const fh_struct hmd_image_struct = {.name = "image_record", RECORD, ITEMS(image_items)};

static const fh_item pair_items[] = {
    {STRUCT("image", hmd_rectangle_struct), .args = "images_at"},
    {STRUCT("clut", hmd_rectangle_struct), .args = "cluts_at"},
};
const fh_struct hmd_pair_struct = {
    .name = "image_and_clut", .params = {"images_at", "cluts_at"}, ITEMS(pair_items)};

/* The second argument may be missing, or a plain 0. */
static const fh_item image_clut_items[] = {
    NUM_ARGS,
    ARG("image_section", 0),
    {LET("clut_argument"), .when = "num_args > 1", .value = "head + 8", .otherwise = "head"},
    {FIELD(U32, "clut_section", POINTER), .at = "clut_argument", .is_peek = true},
    {LET("images_at"), .when = IS_MARKED("image_section"), .value = PTR("image_section"),
     .otherwise = "0 - 1"},
    {LET("cluts_at"), .when = IS_MARKED("clut_section"), .value = PTR("clut_section"),
     .otherwise = "0 - 1"},
    {STRUCT("images", hmd_pair_struct), .args = "images_at, cluts_at", .count = "count"},
    REST("6 * count"),
};
const fh_struct hmd_image_clut_struct = {
    .name = "image_clut_record", RECORD, ITEMS(image_clut_items)};
