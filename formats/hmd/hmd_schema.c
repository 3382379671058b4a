#include "hmd/hmd_schema.h"

/* A pointer as the byte of the asset it leads to: a word offset in a file, where bit 31 marks those
 * that the mapping turns into addresses; in memory such an address. */
#define PTR(name) name " % _root.pointer_range * _root.pointer_unit - _root.pointer_base"
#define IS_MARKED(name) name " >= 0x80000000"

/* Argument `index` of the primitive header at `head`: only its value, for it is told there. */
#define NUM_ARGS                                                                                   \
    {                                                                                              \
        FIELD(U32, "num_args", COUNT), .at = "head", .is_peek = true                               \
    }
#define ARG(arg_name, index)                                                                       \
    {                                                                                              \
        FIELD(U32, arg_name, POINTER), .at = "head + 4 + 4 * " #index,                             \
                                       .when = "num_args > " #index, .is_peek = true               \
    }

/* What follows in a record that is larger than its driver's data. */
#define REST(used)                                                                                 \
    {                                                                                              \
        FIELD(U32, "rest", DATA), .count = "size - 1 - (" used ")"                                 \
    }

#define RECORD .params = {"head", "form", "size", "count"}

/* ---- polygons, shared polygons, environment maps ---- */

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
static const fh_struct polygons = {.name = "polygons", RECORD, ITEMS(polygon_items)};

static const fh_item shared_items[] = {
    POLYGONS(2, 4),
    PACKETS("form % 0x10000", hmd_shared_cases),
    REST("1"),
};
static const fh_struct shared = {.name = "shared_polygons", RECORD, ITEMS(shared_items)};

static const fh_case map_cases[] = {
    {0x0c, &hmd_packet_0x00c}, {0x14, &hmd_packet_0x014}, {0, NULL}};

static const fh_item map_items[] = {
    POLYGONS(1, 2),
    PACKETS("form % 0x100", map_cases),
    REST("1"),
};
static const fh_struct map = {.name = "environment_map", RECORD, ITEMS(map_items)};

static const fh_item shared_map_items[] = {
    POLYGONS(2, 4),
    PACKETS("form % 0x100", map_cases),
    REST("1"),
};
static const fh_struct shared_map = {
    .name = "shared_environment_map", RECORD, ITEMS(shared_map_items)};

static const fh_item calculated_vertex_items[] = {
    {FIELD(S16, "x", DATA), .doc = "on the screen, filled in by the run-time"},
    {FIELD(S16, "y", DATA)},
    {FIELD(U16, "depth", DATA)},
    {FIELD(S16, "fog", DATA)},
};
static const fh_struct calculated_vertex = {.name = "calculated_vertex",
                                            ITEMS(calculated_vertex_items)};

static const fh_item calculated_normal_items[] = {
    {FIELD(U16, "colour", DATA), .count = "3", .doc = "filled in by the run-time"},
    {FIELD(U16, "unused", PAD)},
};
static const fh_struct calculated_normal = {.name = "calculated_normal",
                                            ITEMS(calculated_normal_items)};

#define ELEMENTS(part_name, struct_name, section, from, number)                                    \
    {                                                                                              \
        STRUCT(part_name, struct_name), .count = number, .stride = 8,                              \
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
    ELEMENTS("calculated_vertex_data", calculated_vertex, "calculated_vertex_section",
             "vertex_destination", "num_vertices"),
    ELEMENTS("calculated_normal_data", calculated_normal, "calculated_normal_section",
             "normal_destination", "num_normals"),
    REST("6"),
};
static const fh_struct precalculation = {
    .name = "precalculation", RECORD, ITEMS(precalculation_items)};

/* ---- images ---- */

static const fh_item pixel_items[] = {
    {FIELD(U8, "pixels", DATA), .count = "size"},
};
static const fh_struct pixels = {.name = "pixels", .params = {"size"}, ITEMS(pixel_items)};

#define RECTANGLE                                                                                  \
    {FIELD(U16, "x", VALUE), .doc = "in video memory, 16-bit pixels"}, {FIELD(U16, "y", VALUE)},   \
        {FIELD(U16, "width", VALUE)}, {FIELD(U16, "height", VALUE)},                               \
    {                                                                                              \
        FIELD(U32, "index", POINTER)                                                               \
    }
#define PIXELS                                                                                     \
    {                                                                                              \
        STRUCT("image_data", pixels), .args = "(width * height + 1) / 2 * 4",                      \
                                      .at = "section + 4 * index", .when = "section >= 0"          \
    }

static const fh_item rectangle_items[] = {RECTANGLE, PIXELS};
static const fh_struct rectangle = {
    .name = "rectangle", .params = {"section"}, ITEMS(rectangle_items)};

static const fh_item image_items[] = {
    NUM_ARGS,
    ARG("image_section", 0),
    {LET("images_at"), .when = IS_MARKED("image_section"), .value = PTR("image_section"),
     .otherwise = "0 - 1"},
    {STRUCT("images", rectangle), .args = "images_at", .count = "count"},
    REST("3 * count"),
};
static const fh_struct image = {.name = "image_record", RECORD, ITEMS(image_items)};

static const fh_item pair_items[] = {
    {STRUCT("image", rectangle), .args = "images_at"},
    {STRUCT("clut", rectangle), .args = "cluts_at"},
};
static const fh_struct pair = {
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
    {STRUCT("images", pair), .args = "images_at, cluts_at", .count = "count"},
    REST("6 * count"),
};
static const fh_struct image_clut = {.name = "image_clut_record", RECORD, ITEMS(image_clut_items)};

/* ---- animation ---- */

static const fh_item table_items[] = {
    {FIELD(U32, "count", COUNT), .bits = BITS({"num_types", 0, 31}, {"is_unscanned", 31, 1})},
    {FIELD(U32, "types", NAME), .count = "num_types", .doc = "how keys are interpolated"},
};
static const fh_struct table = {.name = "interpolation_table", ITEMS(table_items)};

/* Keys of coordinates: translation, rotation, scale, each as its nibble of the type says; of other
 * values: as many cells of a length. Padded to a whole word. */
static const fh_item key_items[] = {
    {LET("target"), .value = "type / 0x10000 % 16"},
    {LET("scale_nibble"), .value = "type / 0x100 % 16"},
    {LET("rotation_nibble"), .value = "type / 0x10 % 16"},
    {LET("translation_nibble"), .value = "type % 16"},
    {LET("is_long_bezier"), .when = "target == 0 and translation_nibble == 2", .value = "9",
     .otherwise = "0"},
    {LET("num_long"),
     .when = "target == 0 and (translation_nibble == 1 or translation_nibble == 3)", .value = "3",
     .otherwise = "is_long_bezier"},
    {LET("is_short_bezier"), .when = "target == 0 and translation_nibble == 10", .value = "9",
     .otherwise = "0"},
    {LET("num_short"),
     .when = "target == 0 and (translation_nibble == 9 or translation_nibble == 11)", .value = "3",
     .otherwise = "is_short_bezier"},
    {LET("is_turned_bezier"), .when = "target == 0 and rotation_nibble == 2", .value = "9",
     .otherwise = "0"},
    {LET("num_turned"), .when = "target == 0 and (rotation_nibble == 1 or rotation_nibble == 3)",
     .value = "3", .otherwise = "is_turned_bezier"},
    {LET("is_one_scale"), .when = "target == 0 and scale_nibble == 9", .value = "1",
     .otherwise = "0"},
    {LET("num_scaled"), .when = "target == 0 and scale_nibble == 1", .value = "3",
     .otherwise = "is_one_scale"},
    {LET("points"), .when = "scale_nibble == 2", .value = "3", .otherwise = "1"},
    {LET("cells"), .when = "rotation_nibble == 7", .value = "3 * points", .otherwise = "points"},
    {FIELD(S32, "translation", VALUE), .count = "num_long"},
    {FIELD(S16, "short_translation", VALUE), .count = "num_short"},
    {FIELD(S16, "rotation", VALUE), .count = "num_turned", .doc = "4096 is a full turn"},
    {FIELD(S16, "scale", VALUE), .count = "num_scaled", .doc = "4096 is 1.0"},
    {FIELD(S32, "words", VALUE), .count = "cells",
     .when = "target == 1 and translation_nibble == 0"},
    {FIELD(S16, "half_words", VALUE), .count = "cells",
     .when = "target == 1 and translation_nibble == 1"},
    {FIELD(U8, "bytes", VALUE), .count = "cells",
     .when = "target == 1 and translation_nibble == 2"},
    {LET("half_words_len"), .when = "target == 1 and translation_nibble == 1", .value = "2 * cells",
     .otherwise = "2 * (num_short + num_turned + num_scaled)"},
    {LET("odd_len"), .when = "target == 1 and translation_nibble == 2", .value = "cells",
     .otherwise = "half_words_len"},
    {FIELD(U8, "unused", PAD), .count = "(4 - odd_len % 4) % 4"},
};
static const fh_struct key = {.name = "key", .params = {"type"}, ITEMS(key_items)};

static const fh_case key_cases[] = {{0x300, &key}, {0x301, &key}, {0, NULL}};

static const fh_item work_items[] = {
    {FIELD(U32, "history", DATA), .count = "4", .doc = "of a spline, filled in by the run-time"},
};
static const fh_struct work_area = {.name = "work_area", ITEMS(work_items)};

/* The kind says what the other bits are. */
static const fh_item descriptor_items[] = {
    {FIELD(U16, "operand", POINTER),
     .doc = "key, work area: word of the parameters; jump: descriptor"},
    {FIELD(U16, "operation", FLAGS),
     .bits = BITS({"time", 0, 8}, {"type_index", 8, 7}, {"condition", 0, 7}, {"code", 7, 7},
                  {"descriptor_kind", 14, 2}),
     .doc =
         "kind 0, 1: key, reached in time frames by a type; 2: jump, under a condition, and code "
         "the new stream id; 3: control, code 1 end, 2 work area"},
    {FIELD(U32, "type", NAME), .at = "table + 4 + 4 * type_index",
     .when = "descriptor_kind < 2 and type_index < num_types", .is_peek = true},
    {SWITCH("key", "type / 0x10000 % 0x800", key_cases), .args = "type",
     .at = "parameters + 4 * operand", .when = "descriptor_kind < 2 and type_index < num_types"},
    {STRUCT("work_area", work_area), .at = "parameters + 4 * operand",
     .when = "descriptor_kind == 3 and code == 2"},
};
static const fh_struct descriptor = {
    .name = "descriptor", .params = {"table", "parameters", "num_types"}, ITEMS(descriptor_items)};

static const fh_item managed_items[] = {
    {FIELD(U16, "start", POINTER), .doc = "index of a descriptor"},
    {FIELD(U8, "stream", NAME)},
    {FIELD(U8, "unused", PAD)},
};
static const fh_struct managed = {.name = "managed_sequence", ITEMS(managed_items)};

static const fh_item sequence_items[] = {
    {FIELD(U32, "update", POINTER),
     .bits = BITS({"update_offset", 0, 24}, {"update_section", 24, 8}),
     .doc = "what it moves: word of a section, which is a word of the primitive header"},
    {FIELD(U16, "size", COUNT), .doc = "words of the sequence"},
    {FIELD(U16, "num_sequences", COUNT), .doc = "that are managed here, this one included"},
    {FIELD(U16, "save_index", POINTER), .doc = "key that receives the current value"},
    {FIELD(U16, "frames_left", VALUE)},
    {FIELD(U8, "stream", NAME)},
    {FIELD(S8, "speed", VALUE), .doc = "sixteenths"},
    {FIELD(U16, "saved_key", POINTER), .doc = "reserved for the current value; 0xffff: none"},
    {FIELD(S16, "time_left", VALUE), .doc = "sixteenths of a frame"},
    {FIELD(U16, "time", VALUE), .doc = "sixteenths of a frame"},
    {FIELD(U16, "source", POINTER), .doc = "index of a key"},
    {FIELD(U16, "target", POINTER), .doc = "index of a key"},
    {FIELD(U16, "start", POINTER), .doc = "index of a descriptor"},
    {FIELD(U8, "start_stream", NAME)},
    {FIELD(U8, "traveling", FLAGS)},
    {STRUCT("managed", managed), .count = "num_sequences - 1"},
};
static const fh_struct sequence = {.name = "sequence", ITEMS(sequence_items)};

/* The control section has no length: it ends where the parameters begin or, where those lie in
 * front of it, the table; in all real files it is the former. */
static const fh_item animation_items[] = {
    NUM_ARGS,
    ARG("table", 1),
    ARG("control", 2),
    ARG("parameters", 3),
    {FIELD(U32, "types", COUNT), .at = PTR("table"), .when = IS_MARKED("table"), .is_peek = true},
    {LET("before_table"), .when = "table > control",
     .value = "(" PTR("table") " - (" PTR("control") ")) / 4", .otherwise = "0"},
    {LET("num_descriptors"), .when = "parameters > control",
     .value = "(" PTR("parameters") " - (" PTR("control") ")) / 4", .otherwise = "before_table"},
    {STRUCT("sequences", sequence), .count = "count"},
    {STRUCT("interpolation_table", table), .at = PTR("table"), .when = IS_MARKED("table")},
    {STRUCT("descriptors", descriptor),
     .args = PTR("table") "," PTR("parameters") ", types % 0x80000000", .count = "num_descriptors",
     .at = PTR("control"),
     .when = IS_MARKED("table") " and " IS_MARKED("control") " and " IS_MARKED("parameters")},
};
static const fh_struct animation = {.name = "animation", RECORD, ITEMS(animation_items)};

/* ---- MIMe ---- */

static const fh_item joint_difference_items[] = {
    {FIELD(S16, "rotation", VALUE), .count = "3"},
    {FIELD(U16, "parts", FLAGS), .bits = BITS({"has_rotation", 0, 1}, {"has_translation", 1, 1})},
    {FIELD(S32, "translation", VALUE), .count = "3"},
};
static const fh_struct joint_difference = {.name = "joint_difference",
                                           ITEMS(joint_difference_items)};

static const fh_item joint_items[] = {
    {FIELD(U16, "coordinate", POINTER)},
    {FIELD(U16, "num_differences", COUNT)},
    {FIELD(U32, "keys", FLAGS), .doc = "bit k is set: key k has a difference"},
    {STRUCT("differences", joint_difference), .count = "num_differences"},
    {LET("num_saved"), .when = "is_axes == 1", .value = "9", .otherwise = "3"},
    {FIELD(S16, "saved_rotation", DATA), .count = "num_saved"},
    {FIELD(U16, "changed", FLAGS)},
    {FIELD(S32, "saved_translation", DATA), .count = "3"},
};
static const fh_struct joint = {.name = "joint_block", .params = {"is_axes"}, ITEMS(joint_items)};

static const fh_item joint_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("joint_block", joint), .args = "is_axes", .at = "section + 4 * offset"},
};
static const fh_struct joint_offset = {
    .name = "joint_offset", .params = {"section", "is_axes"}, ITEMS(joint_offset_items)};

static const fh_item weight_items[] = {{FIELD(S32, "weight", VALUE), .doc = "4096 is 1.0"}};
static const fh_struct weight = {.name = "weight", ITEMS(weight_items)};

#define WEIGHTS                                                                                    \
    {                                                                                              \
        STRUCT("weights", weight), .count = "num_weights", .stride = 4,                            \
                                   .at = PTR("weight_section"),                                    \
                                   .when = IS_MARKED("weight_section")                             \
    }
#define AXES                                                                                       \
    {                                                                                              \
        LET("is_axes"), .when = "form % 2 == 0", .value = "1", .otherwise = "0"                    \
    }
#define JOINTS                                                                                     \
    {STRUCT("joints", joint_offset), .args = PTR("difference_section") ", is_axes",                \
     .count = "count"},                                                                            \
        REST("count")

static const fh_item joint_mime_items[] = {NUM_ARGS,
                                           ARG("weight_section", 1),
                                           ARG("num_weights", 2),
                                           ARG("difference_section", 4),
                                           AXES,
                                           WEIGHTS,
                                           JOINTS};
static const fh_struct joint_mime = {.name = "joint_mime", RECORD, ITEMS(joint_mime_items)};

static const fh_item joint_reset_items[] = {NUM_ARGS, ARG("difference_section", 2), AXES, JOINTS};
static const fh_struct joint_reset = {.name = "joint_reset", RECORD, ITEMS(joint_reset_items)};

static const fh_item element_items[] = {
    {FIELD(U32, "first", POINTER), .doc = "number of the first vertex or normal"},
    {FIELD(U16, "unused", PAD)},
    {FIELD(U16, "count", COUNT)},
    {FIELD(S16, "differences", VALUE), .count = "4 * count", .doc = "x, y, z and unused"},
    {STRUCT("vertex_data", hmd_vertex_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 0"},
    {STRUCT("normal_data", hmd_normal_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 1"},
};
static const fh_struct element_difference = {
    .name = "element_difference", .params = {"elements", "is_normal"}, ITEMS(element_items)};

static const fh_item difference_offset_items[] = {
    {FIELD(U32, "offset", POINTER), .doc = "from the block"},
    {STRUCT("element_difference", element_difference), .args = "elements, is_normal",
     .at = "block + 4 * offset"},
};
static const fh_struct difference_offset = {.name = "difference_offset",
                                            .params = {"block", "elements", "is_normal"},
                                            ITEMS(difference_offset_items)};

static const fh_item element_block_items[] = {
    {FIELD(U16, "num_notified", COUNT)},
    {FIELD(U16, "num_differences", COUNT)},
    {FIELD(U32, "keys", FLAGS), .doc = "bit k is set: key k has a difference"},
    {STRUCT("differences", difference_offset), .args = "block, elements, is_normal",
     .count = "num_differences"},
    {FIELD(U32, "notified", POINTER), .count = "num_notified",
     .doc = "words of reset blocks, from the section"},
};
static const fh_struct element_block = {.name = "element_block",
                                        .params = {"block", "elements", "is_normal"},
                                        ITEMS(element_block_items)};

static const fh_item block_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("element_block", element_block), .args = "section + 4 * offset, elements, is_normal",
     .at = "section + 4 * offset"},
};
static const fh_struct block_offset = {.name = "block_offset",
                                       .params = {"section", "elements", "is_normal"},
                                       ITEMS(block_offset_items)};

static const fh_item original_items[] = {
    {FIELD(S16, "saved", DATA), .count = "4", .doc = "filled in by the run-time"}};
static const fh_struct original = {.name = "original", ITEMS(original_items)};

static const fh_item saved_element_items[] = {
    {FIELD(U32, "first", POINTER)},
    {FIELD(U32, "first_original", POINTER)},
    {FIELD(U16, "changed", FLAGS)},
    {FIELD(U16, "count", COUNT)},
    {STRUCT("original", original), .count = "count", .stride = 8,
     .at = "originals + 8 * first_original"},
    {STRUCT("vertex_data", hmd_vertex_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 0"},
    {STRUCT("normal_data", hmd_normal_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 1"},
};
static const fh_struct saved_elements = {.name = "saved_elements",
                                         .params = {"originals", "elements", "is_normal"},
                                         ITEMS(saved_element_items)};

static const fh_item reset_block_items[] = {
    {FIELD(U16, "unused", PAD)},
    {FIELD(U16, "num_entries", COUNT)},
    {STRUCT("entries", saved_elements), .args = "originals, elements, is_normal",
     .count = "num_entries"},
};
static const fh_struct reset_block = {.name = "reset_block",
                                      .params = {"originals", "elements", "is_normal"},
                                      ITEMS(reset_block_items)};

static const fh_item reset_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("reset_block", reset_block), .args = "originals, elements, is_normal",
     .at = "section + 4 * offset"},
};
static const fh_struct reset_offset = {.name = "reset_offset",
                                       .params = {"section", "originals", "elements", "is_normal"},
                                       ITEMS(reset_offset_items)};

#define IS_NORMAL                                                                                  \
    {                                                                                              \
        LET("is_normal"), .value = "form % 2"                                                      \
    }
#define OF_ELEMENTS(vertex_arg, normal_arg)                                                        \
    IS_NORMAL, ARG("vertex_section", vertex_arg), ARG("normal_section", normal_arg),               \
    {                                                                                              \
        LET("elements"), .when = "is_normal == 1", .value = PTR("normal_section"),                 \
                         .otherwise = PTR("vertex_section")                                        \
    }

static const fh_item element_mime_items[] = {
    NUM_ARGS,
    ARG("weight_section", 0),
    ARG("num_weights", 1),
    ARG("difference_section", 3),
    OF_ELEMENTS(5, 6),
    WEIGHTS,
    {STRUCT("blocks", block_offset), .args = PTR("difference_section") ", elements, is_normal",
     .count = "count"},
    REST("count"),
};
static const fh_struct element_mime = {.name = "element_mime", RECORD, ITEMS(element_mime_items)};

static const fh_item element_reset_items[] = {
    NUM_ARGS,
    ARG("difference_section", 1),
    ARG("original_section", 2),
    OF_ELEMENTS(3, 4),
    {STRUCT("blocks", reset_offset),
     .args = PTR("difference_section") "," PTR("original_section") ", elements, is_normal",
     .count = "count"},
    REST("count"),
};
static const fh_struct element_reset = {
    .name = "element_reset", RECORD, ITEMS(element_reset_items)};

/* ---- ground ---- */

static const fh_item height_items[] = {{FIELD(S16, "z", VALUE)}};
static const fh_struct height = {.name = "height", ITEMS(height_items)};

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
static const fh_struct flat_cell = {
    .name = "flat_cell", .params = {"head"}, ITEMS(flat_cell_items)};

static const fh_item texture_corner_items[] = {
    {FIELD(U16, "first_position", COLOUR)},  {FIELD(U16, "clut", COLOUR)},
    {FIELD(U16, "second_position", COLOUR)}, {FIELD(U16, "page", COLOUR)},
    {FIELD(U16, "third_position", COLOUR)},  {FIELD(U16, "fourth_position", COLOUR)},
};
static const fh_struct texture_corners = {.name = "texture_corners", ITEMS(texture_corner_items)};

static const fh_item textured_cell_items[] = {
    NUM_ARGS,
    ARG("normal_section", 3),
    ARG("texture_section", 4),
    {FIELD(U16, "normal", POINTER)},
    {FIELD(U16, "texture", POINTER)},
    {STRUCT("normal_data", hmd_normal_struct), .at = PTR("normal_section") " + 8 * normal",
     .when = IS_MARKED("normal_section")},
    {STRUCT("texture_data", texture_corners), .at = PTR("texture_section") " + 12 * texture",
     .when = IS_MARKED("texture_section")},
};
static const fh_struct textured_cell = {
    .name = "textured_cell", .params = {"head"}, ITEMS(textured_cell_items)};

#define ROW_PARAMS .params = {"head", "grid", "heights", "width"}
#define ROW(cell, len)                                                                             \
    {FIELD(U16, "first", POINTER), .doc = "number of its first vertex"},                           \
        {FIELD(U16, "num_cells", COUNT)},                                                          \
        {LET("num_heights"), .when = "num_cells > 0", .value = "num_cells + 1", .otherwise = "0"}, \
        {STRUCT("height", height), .count = "num_heights", .stride = 2,                            \
         .at = "heights + 2 * first"},                                                             \
        {STRUCT("height", height), .count = "num_heights", .stride = 2,                            \
         .at = "heights + 2 * (first + width)"},                                                   \
    {                                                                                              \
        STRUCT("cell", cell), .args = "head", .count = "num_cells", .stride = len,                 \
                              .at = "grid + " #len " * first"                                      \
    }

static const fh_item flat_row_items[] = {ROW(flat_cell, 8)};
static const fh_struct flat_row = {.name = "flat_row", ROW_PARAMS, ITEMS(flat_row_items)};
static const fh_item textured_row_items[] = {ROW(textured_cell, 4)};
static const fh_struct textured_row = {
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

static const fh_item flat_grid_items[] = {GRID(flat_row, 8)};
static const fh_struct flat_grid = {
    .name = "flat_ground_grid", GRID_PARAMS, ITEMS(flat_grid_items)};
static const fh_item textured_grid_items[] = {GRID(textured_row, 4)};
static const fh_struct textured_grid = {
    .name = "textured_ground_grid", GRID_PARAMS, ITEMS(textured_grid_items)};

static const fh_case grid_cases[] = {{0, &flat_grid}, {1, &textured_grid}, {0, NULL}};

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
static const fh_struct ground = {.name = "ground", RECORD, ITEMS(ground_items)};

/* ---- cameras and lights ---- */

static const fh_item projection_items[] = {{FIELD(S32, "projection", VALUE)}};
static const fh_struct projection_data = {.name = "projection", ITEMS(projection_items)};

static const fh_item camera_items[] = {
    {FIELD(S32, "projection", VALUE)},
    {FIELD(S32, "roll", VALUE), .doc = "4096 is 1 degree"},
    {FIELD(S32, "position", VALUE), .count = "3"},
    {FIELD(S32, "target", VALUE), .count = "3"},
};
static const fh_struct camera_data = {.name = "camera", ITEMS(camera_items)};

static const fh_item projection_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {STRUCT("projection_data", projection_data), .at = PTR("parameters"),
     .when = IS_MARKED("parameters")},
    REST("0"),
};
static const fh_struct projection = {
    .name = "projection_record", RECORD, ITEMS(projection_record_items)};

static const fh_item camera_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {STRUCT("camera_data", camera_data), .at = PTR("parameters"), .when = IS_MARKED("parameters")},
    REST("0"),
};
static const fh_struct camera = {.name = "camera_record", RECORD, ITEMS(camera_record_items)};

#define LIGHT_COLOUR                                                                               \
    {FIELD(U8, "red", COLOUR)}, {FIELD(U8, "green", COLOUR)}, {FIELD(U8, "blue", COLOUR)},         \
    {                                                                                              \
        FIELD(U8, "unused", PAD)                                                                   \
    }
static const fh_item ambient_items[] = {LIGHT_COLOUR};
static const fh_struct ambient_data = {.name = "ambient", ITEMS(ambient_items)};

static const fh_item light_items[] = {
    LIGHT_COLOUR,
    {FIELD(S32, "position", VALUE), .count = "3"},
    {FIELD(S32, "target", VALUE), .count = "3"},
};
static const fh_struct light_data = {.name = "light", ITEMS(light_items)};

static const fh_case light_cases[] = {{0x200, &ambient_data},
                                      {0x10200, &light_data},
                                      {0x20200, &light_data},
                                      {0x30200, &light_data},
                                      {0, NULL}};

static const fh_item light_use_items[] = {
    {FIELD(U16, "number", NAME), .doc = "of the light, 0 to 2"},
    {FIELD(U16, "parameter", POINTER), .doc = "words"},
    {SWITCH("light_data", "form", light_cases), .at = "section + 4 * parameter"},
};
static const fh_struct light_use = {
    .name = "light_use", .params = {"section", "form"}, ITEMS(light_use_items)};

/* Only the WORLD light sets as many as it counts. */
static const fh_item light_record_items[] = {
    NUM_ARGS,
    ARG("parameters", 0),
    {LET("num_lights"), .when = "form == 0x10200", .value = "count", .otherwise = "1"},
    {STRUCT("lights", light_use), .args = PTR("parameters") ", form", .count = "num_lights",
     .when = IS_MARKED("parameters") " and size > 1"},
};
static const fh_struct light = {.name = "light_record", RECORD, ITEMS(light_record_items)};

/* ---- records ---- */

static const fh_item words_items[] = {{FIELD(U32, "words", DATA), .count = "size - 1"}};
static const fh_struct words = {.name = "words", RECORD, ITEMS(words_items)};

/* By the type without INI or, of polygons, shared polygons and animation, by the category alone: -1
 * less the category. Types that are not listed are words. */
static const fh_case layout_cases[] = {
    {-1, &polygons},
    {-2, &shared},
    {-4, &animation},
    {0, &words}, /* the null driver */
    {0x1000000, &precalculation},
    {0x2000000, &image},
    {0x2000001, &image_clut},
    {0x4010010, &joint_mime},
    {0x4010011, &joint_mime},
    {0x4010018, &joint_reset},
    {0x4010019, &joint_reset},
    {0x4010020, &element_mime},
    {0x4010021, &element_mime},
    {0x4010028, &element_reset},
    {0x4010029, &element_reset},
    {0x5000000, &ground},
    {0x5000001, &ground},
    {0x6000100, &precalculation},
    {0x600100c, &map},
    {0x6001014, &map},
    {0x600110c, &shared_map},
    {0x6001114, &shared_map},
    {0x600200c, &map},
    {0x6002014, &map},
    {0x600300c, &map},
    {0x6003014, &map},
    {0x600400c, &map},
    {0x6004014, &map},
    {0x600500c, &map},
    {0x6005014, &map},
    {0x7000100, &projection},
    {0x7010100, &camera},
    {0x7020100, &camera},
    {0x7030100, &camera},
    {0x7000200, &light},
    {0x7010200, &light},
    {0x7020200, &light},
    {0x7030200, &light},
    {0, NULL},
};

static const fh_item record_items[] = {
    {FIELD(U16, "primitive_type", NAME)},
    {FIELD(U8, "driver", FLAGS), .bits = BITS({"driver_bits", 0, 7}, {"is_initial", 7, 1})},
    {FIELD(U8, "category", NAME), .bits = BITS({"category_number", 0, 4}, {"developer", 4, 4})},
    {FIELD(U16, "size", COUNT), .doc = "words of the record from here on"},
    {FIELD(U16, "item_count", COUNT), .bits = BITS({"count", 0, 15}, {"is_unscanned", 15, 1})},
    {LET("form"), .value = "driver_bits * 0x10000 + primitive_type"},
    {LET("type"), .value = "category * 0x1000000 + form"},
    {LET("layout"), .when = "(category < 2 or category == 3) and type != 0 and type != 0x1000000",
     .value = "0 - 1 - category", .otherwise = "type"},
    {SWITCH("data", "layout", layout_cases), .of = &words, .args = "head, form, size, count"},
};
static const fh_struct record = {.name = "record", .params = {"head"}, ITEMS(record_items)};

/* ---- the file ---- */

static const fh_struct primitive;

static const fh_item primitive_items[] = {
    {FIELD(U32, "next", POINTER), .doc = "primitive of the same chain; 0xffffffff: the last"},
    {FIELD(U32, "header", POINTER), .doc = "primitive header"},
    {FIELD(U32, "type_count", COUNT), .bits = BITS({"num_records", 0, 16}, {"is_unmapped", 31, 1})},
    {STRUCT("records", record), .args = PTR("header"), .count = "num_records"},
    {STRUCT("primitive", primitive), .at = PTR("next"), .when = "next != 0xffffffff"},
};
static const fh_struct primitive = {.name = "primitive", ITEMS(primitive_items)};

static const fh_item block_items[] = {
    {FIELD(U32, "first", POINTER), .doc = "primitive; 0: none"},
    {STRUCT("primitive", primitive), .at = PTR("first"), .when = "first != 0"},
};
static const fh_struct block = {.name = "block", ITEMS(block_items)};

static const fh_item header_items[] = {
    {FIELD(U32, "size", COUNT), .doc = "words of the header, this one not included"},
    {FIELD(U32, "arguments", POINTER), .count = "size"},
};
static const fh_struct header = {.name = "primitive_header", ITEMS(header_items)};

static const fh_item header_section_items[] = {
    {FIELD(U32, "num_headers", COUNT)},
    {STRUCT("headers", header), .count = "num_headers"},
};
static const fh_struct header_section = {.name = "header_section", ITEMS(header_section_items)};

static const fh_item coordinate_items[] = {
    {FIELD(U32, "flag", FLAGS), .doc = "0: compute anew"},
    {FIELD(S16, "rows", VALUE), .count = "9", .doc = "of the matrix; 4096 is 1.0"},
    {FIELD(U16, "unused", PAD)},
    {FIELD(S32, "translation", VALUE), .count = "3"},
    {FIELD(S16, "world_rows", DATA), .count = "9", .doc = "filled in by the run-time"},
    {FIELD(U16, "unused", PAD)},
    {FIELD(S32, "world_translation", DATA), .count = "3"},
    {FIELD(S16, "rotation", VALUE), .count = "3", .doc = "4096 is a full turn"},
    {FIELD(U16, "unused", PAD)},
    {FIELD(U32, "parent_coordinate", POINTER), .doc = "coordinate; 0: the world"},
};
static const fh_struct coordinate = {.name = "coordinate", ITEMS(coordinate_items)};

/* In memory pointers are addresses. The first one leads behind the coordinates, in every real file:
 * so the address of the first byte is known. */
static const fh_item file_items[] = {
    {FIELD(U32, "version", NAME), .doc = "always 0x50"},
    {FIELD(U32, "map_flag", FLAGS), .bits = BITS({"is_mapped", 0, 1}),
     .doc = "0 in a file, 1: pointers are addresses"},
    {FIELD(U32, "headers_at", POINTER), .doc = "primitive header section"},
    {FIELD(U32, "num_blocks", COUNT), .doc = "coordinates and 2"},
    {LET("coordinates_at"), .value = "16 + 4 * num_blocks"},
    {FIELD(U32, "coordinate_count", COUNT), .at = "coordinates_at", .is_peek = true},
    {LET("pointer_range"), .when = "is_mapped == 1", .value = "0x20000000",
     .otherwise = "0x80000000"},
    {LET("pointer_unit"), .when = "is_mapped == 1", .value = "1", .otherwise = "4"},
    {LET("pointer_base"), .when = "is_mapped == 1",
     .value = "headers_at % 0x20000000 - coordinates_at - 4 - 80 * coordinate_count",
     .otherwise = "0"},
    {STRUCT("blocks", block), .count = "num_blocks"},
    {FIELD(U32, "num_coordinates", COUNT)},
    {STRUCT("coordinates", coordinate), .count = "num_coordinates"},
    {STRUCT("header_section", header_section),
     .at = "headers_at % pointer_range * pointer_unit - pointer_base"},
};
static const fh_struct file = {.name = "hmd", ITEMS(file_items)};

#define PACKET(type, title, ...) &hmd_packet_##type,
#define PRESET(type, title, ...) &hmd_packet_##type,
#define MESH(type, title, first, rest) &hmd_packet_##type, &hmd_more_##type,
#define PRESET_MESH(type, title, first, rest) &hmd_packet_##type, &hmd_more_##type,
static const fh_struct *const structs[] = {
    &file,
    &block,
    &coordinate,
    &header_section,
    &header,
    &primitive,
    &record,
    &words,
    &polygons,
    &shared,
    &map,
    &shared_map,
    &precalculation,
    &calculated_vertex,
    &calculated_normal,
    &image,
    &image_clut,
    &pair,
    &rectangle,
    &pixels,
    &animation,
    &table,
    &sequence,
    &managed,
    &descriptor,
    &key,
    &work_area,
    &joint_mime,
    &joint_reset,
    &joint_offset,
    &joint,
    &joint_difference,
    &weight,
    &element_mime,
    &element_reset,
    &block_offset,
    &element_block,
    &difference_offset,
    &element_difference,
    &reset_offset,
    &reset_block,
    &saved_elements,
    &original,
    &ground,
    &flat_grid,
    &textured_grid,
    &flat_row,
    &textured_row,
    &flat_cell,
    &textured_cell,
    &texture_corners,
    &height,
    &projection,
    &projection_data,
    &camera,
    &camera_data,
    &light,
    &light_use,
    &light_data,
    &ambient_data,
    &hmd_vertex_struct,
    &hmd_normal_struct,
    &hmd_word_code,
    &hmd_word_colour,
    &hmd_word_window,
    &hmd_word_screen,
    &hmd_word_u_clut,
    &hmd_word_u_page,
    &hmd_word_u_pad,
    &hmd_word_u_n,
    &hmd_word_u_v,
    &hmd_word_nv,
    &hmd_word_nn,
    &hmd_word_vv,
    &hmd_word_v_pad,
#include "hmd/hmd_packets.def"
};

const fh_schema hmd_schema = {
    .name = "hmd",
    .title = "HMD, PlayStation hierarchical model data",
    .extension = "hmd",
    .doc = "Coordinates, polygons, images, morphing, grounds, cameras, lights and animation, tied "
           "together by primitives. No length of a section is stored: what is read is what "
           "something refers to.",
    .root = &file,
    .structs = structs,
    .num_structs = sizeof structs / sizeof structs[0],
    .governance = &hmd_governance,
};
