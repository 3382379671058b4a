/* Polygons, shared polygons, environment maps and what is calculated for them as structs. */
#include "hmd/hmd_schema_records.h"

#define POLYGON_INDEX                                                                              \
    {                                                                                              \
        FIELD(U32, "polygon_index", POINTER), .bits = BITS({"offset", 0, 24}, {"division", 24, 8}) \
    }
#define POLYGONS(vertex_arg, normal_arg)                                                           \
    NUM_ARGS, ARG("polygons", 0), ARG("vertex_section", vertex_arg),                               \
        ARG("normal_section", normal_arg), POLYGON_INDEX
#define PACKETS(by, list)                                                                          \
    {                                                                                              \
        SWITCH("packets", by, list), .args = PTR("vertex_section") "," PTR("normal_section"),      \
                                     .count = "count", .at = PTR("polygons") " + 4 * offset",      \
                                     .when = IS_MARKED("polygons")                                 \
    }

static const fh_item polygon_items[] = {
    POLYGONS(1, 2),
    PACKETS("form % 0x10000", hmd_packet_cases),
    REST("1"),
};
const fh_struct hmd_polygons_struct = {.name = "polygons", RECORD, ITEMS(polygon_items)};

static const fh_item shared_items[] = {
    POLYGONS(2, 4),
    PACKETS("form % 0x10000", hmd_shared_cases),
    REST("1"),
};
const fh_struct hmd_shared_struct = {.name = "shared_polygons", RECORD, ITEMS(shared_items)};

static const fh_case map_cases[] = {
    {0x0c, &hmd_packet_0x00c}, {0x14, &hmd_packet_0x014}, {0, NULL}};

static const fh_item map_items[] = {
    POLYGONS(1, 2),
    PACKETS("form % 0x100", map_cases),
    REST("1"),
};
const fh_struct hmd_map_struct = {.name = "environment_map", RECORD, ITEMS(map_items)};

static const fh_item shared_map_items[] = {
    POLYGONS(2, 4),
    PACKETS("form % 0x100", map_cases),
    REST("1"),
};
const fh_struct hmd_shared_map_struct = {
    .name = "shared_environment_map", RECORD, ITEMS(shared_map_items)};

static const fh_item calculated_vertex_items[] = {
    {FIELD(S16, "x", DATA), .doc = "on the screen, filled in by the run-time"},
    {FIELD(S16, "y", DATA)},
    {FIELD(U16, "depth", DATA)},
    {FIELD(S16, "fog", DATA)},
};
const fh_struct hmd_calculated_vertex_struct = {.name = "calculated_vertex",
                                                ITEMS(calculated_vertex_items)};

static const fh_item calculated_normal_items[] = {
    {FIELD(U16, "colour", DATA), .count = "3", .doc = "filled in by the run-time"},
    {FIELD(U16, "unused", PAD)},
};
const fh_struct hmd_calculated_normal_struct = {.name = "calculated_normal",
                                                ITEMS(calculated_normal_items)};

#define ELEMENTS(part_name, struct_name, section, from, number)                                    \
    {                                                                                              \
        STRUCT(part_name, struct_name), .count = (number), .stride = 8,                            \
                                        .at = PTR(section) " + 8 * " from,                         \
                                        .when = IS_MARKED(section)                                 \
    }

static const fh_item precalculation_items[] = {
    NUM_ARGS,
    ARG("vertex_section", 1),
    ARG("calculated_vertex_section", 2),
    ARG("normal_section", 3),
    ARG("calculated_normal_section", 4),
    {FIELD(U32, "num_vertices", COUNT)},
    {FIELD(U32, "vertex_source", POINTER)},
    {FIELD(U32, "vertex_destination", POINTER)},
    {FIELD(U32, "num_normals", COUNT)},
    {FIELD(U32, "normal_source", POINTER)},
    {FIELD(U32, "normal_destination", POINTER)},
    ELEMENTS("vertex_data", hmd_vertex_struct, "vertex_section", "vertex_source", "num_vertices"),
    ELEMENTS("normal_data", hmd_normal_struct, "normal_section", "normal_source", "num_normals"),
    ELEMENTS("calculated_vertex_data", hmd_calculated_vertex_struct, "calculated_vertex_section",
             "vertex_destination", "num_vertices"),
    ELEMENTS("calculated_normal_data", hmd_calculated_normal_struct, "calculated_normal_section",
             "normal_destination", "num_normals"),
    REST("6"),
};
const fh_struct hmd_precalculation_struct = {
    .name = "precalculation", RECORD, ITEMS(precalculation_items)};
