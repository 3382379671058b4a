/* Grounds as structs. */
#include "hmd/hmd_schema_records.h"

static const fh_item height_items[] = {{FIELD(S16, "z", VALUE)}};
const fh_struct hmd_height_struct = {.name = "height", ITEMS(height_items)};

static const fh_item flat_cell_items[] = {
    NUM_ARGS,
    ARG("normal_section", 3),
    {FIELD(U8, "red", COLOUR)},
    {FIELD(U8, "green", COLOUR)},
    {FIELD(U8, "blue", COLOUR)},
    {FIELD(U8, "unused", PAD)},
    {FIELD(U16, "normal", POINTER)},
    {FIELD(U16, "unused", PAD)},
    {STRUCT("normal_data", hmd_normal_struct), .at = PTR("normal_section") " + 8 * normal",
     .when = IS_MARKED("normal_section")},
};
const fh_struct hmd_flat_cell_struct = {
    .name = "flat_cell", .params = {"head"}, ITEMS(flat_cell_items)};

static const fh_item texture_corner_items[] = {
    {FIELD(U16, "first_position", COLOUR)},  {FIELD(U16, "clut", COLOUR)},
    {FIELD(U16, "second_position", COLOUR)}, {FIELD(U16, "page", COLOUR)},
    {FIELD(U16, "third_position", COLOUR)},  {FIELD(U16, "fourth_position", COLOUR)},
};
const fh_struct hmd_texture_corners_struct = {.name = "texture_corners",
                                              ITEMS(texture_corner_items)};

static const fh_item textured_cell_items[] = {
    NUM_ARGS,
    ARG("normal_section", 3),
    ARG("texture_section", 4),
    {FIELD(U16, "normal", POINTER)},
    {FIELD(U16, "texture", POINTER)},
    {STRUCT("normal_data", hmd_normal_struct), .at = PTR("normal_section") " + 8 * normal",
     .when = IS_MARKED("normal_section")},
    {STRUCT("texture_data", hmd_texture_corners_struct),
     .at = PTR("texture_section") " + 12 * texture", .when = IS_MARKED("texture_section")},
};
const fh_struct hmd_textured_cell_struct = {
    .name = "textured_cell", .params = {"head"}, ITEMS(textured_cell_items)};

#define ROW_PARAMS .params = {"head", "grid", "heights", "width"}
#define ROW(cell, len)                                                                             \
    {FIELD(U16, "first", POINTER), .doc = "number of its first vertex"},                           \
        {FIELD(U16, "num_cells", COUNT)},                                                          \
        {LET("num_heights"), .when = "num_cells > 0", .value = "num_cells + 1", .otherwise = "0"}, \
        {STRUCT("height", hmd_height_struct), .count = "num_heights", .stride = 2,                 \
         .at = "heights + 2 * first"},                                                             \
        {STRUCT("height", hmd_height_struct), .count = "num_heights", .stride = 2,                 \
         .at = "heights + 2 * (first + width)"},                                                   \
    {                                                                                              \
        STRUCT("cell", cell), .args = "head", .count = "num_cells", .stride = (len),               \
                              .at = "grid + " #len " * first"                                      \
    }

static const fh_item flat_row_items[] = {ROW(hmd_flat_cell_struct, 8)};
const fh_struct hmd_flat_row_struct = {.name = "flat_row", ROW_PARAMS, ITEMS(flat_row_items)};
static const fh_item textured_row_items[] = {ROW(hmd_textured_cell_struct, 4)};
const fh_struct hmd_textured_row_struct = {
    .name = "textured_row", ROW_PARAMS, ITEMS(textured_row_items)};

/* Rows count the cells of their own line, of which there is one less than vertices. */
#define GRID_PARAMS .params = {"head", "grid", "heights"}
#define GRID(row, len)                                                                             \
    {FIELD(S16, "x", VALUE)}, {FIELD(S16, "y", VALUE)}, {FIELD(U16, "cell_width", VALUE)},         \
        {FIELD(U16, "cell_height", VALUE)},                                                        \
        {FIELD(U16, "width", COUNT), .doc = "vertices a line"}, {FIELD(U16, "num_lines", COUNT)},  \
        {FIELD(U16, "num_rows", COUNT)},                                                           \
        {FIELD(U16, "base", POINTER), .doc = "number of the first vertex"},                        \
    {                                                                                              \
        STRUCT("rows", row),                                                                       \
            .args = "head, grid + " #len " * (base - _index), heights + 2 * base, width",          \
            .count = "num_rows"                                                                    \
    }

static const fh_item flat_grid_items[] = {GRID(hmd_flat_row_struct, 8)};
const fh_struct hmd_flat_grid_struct = {
    .name = "flat_ground_grid", GRID_PARAMS, ITEMS(flat_grid_items)};
static const fh_item textured_grid_items[] = {GRID(hmd_textured_row_struct, 4)};
const fh_struct hmd_textured_grid_struct = {
    .name = "textured_ground_grid", GRID_PARAMS, ITEMS(textured_grid_items)};

static const fh_case grid_cases[] = {
    {0, &hmd_flat_grid_struct}, {1, &hmd_textured_grid_struct}, {0, NULL}};

static const fh_item ground_items[] = {
    NUM_ARGS,
    ARG("polygon_section", 0),
    ARG("grid_section", 1),
    ARG("height_section", 2),
    {FIELD(U32, "polygon_offset", POINTER)},
    {FIELD(U32, "grid_offset", POINTER)},
    {FIELD(U32, "height_offset", POINTER)},
    {SWITCH("ground_grid", "form", grid_cases),
     .args = "head," PTR("grid_section") " + 4 * grid_offset," PTR(
         "height_section") " + 4 * height_offset",
     .at = PTR("polygon_section") " + 4 * polygon_offset",
     .when = IS_MARKED("polygon_section") " and " IS_MARKED("grid_section") " and " IS_MARKED(
         "height_section")},
    REST("3"),
};
const fh_struct hmd_ground_struct = {.name = "ground", RECORD, ITEMS(ground_items)};
