/* MIMe: morphing of joints and of vertices as structs. */
#include "hmd/hmd_schema_records.h"

static const fh_item joint_difference_items[] = {
    {FIELD(S16, "rotation", VALUE), .count = "3"},
    {FIELD(U16, "parts", FLAGS), .bits = BITS({"has_rotation", 0, 1}, {"has_translation", 1, 1})},
    {FIELD(S32, "translation", VALUE), .count = "3"},
};
const fh_struct hmd_joint_difference_struct = {.name = "joint_difference",
                                               ITEMS(joint_difference_items)};

static const fh_item joint_items[] = {
    {FIELD(U16, "coordinate", POINTER)},
    {FIELD(U16, "num_differences", COUNT)},
    {FIELD(U32, "keys", FLAGS), .doc = "bit k is set: key k has a difference"},
    {STRUCT("differences", hmd_joint_difference_struct), .count = "num_differences"},
    {LET("num_saved"), .when = "is_axes == 1", .value = "9", .otherwise = "3"},
    {FIELD(S16, "saved_rotation", DATA), .count = "num_saved"},
    {FIELD(U16, "changed", FLAGS)},
    {FIELD(S32, "saved_translation", DATA), .count = "3"},
};
const fh_struct hmd_joint_struct = {
    .name = "joint_block", .params = {"is_axes"}, ITEMS(joint_items)};

static const fh_item joint_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("joint_block", hmd_joint_struct), .args = "is_axes", .at = "section + 4 * offset"},
};
const fh_struct hmd_joint_offset_struct = {
    .name = "joint_offset", .params = {"section", "is_axes"}, ITEMS(joint_offset_items)};

static const fh_item weight_items[] = {{FIELD(S32, "weight", VALUE), .doc = "4096 is 1.0"}};
const fh_struct hmd_weight_struct = {.name = "weight", ITEMS(weight_items)};

#define WEIGHTS                                                                                    \
    {                                                                                              \
        STRUCT("weights", hmd_weight_struct), .count = "num_weights", .stride = 4,                 \
                                              .at = PTR("weight_section"),                         \
                                              .when = IS_MARKED("weight_section")                  \
    }
#define AXES                                                                                       \
    {                                                                                              \
        LET("is_axes"), .when = "form % 2 == 0", .value = "1", .otherwise = "0"                    \
    }
#define JOINTS                                                                                     \
    {STRUCT("joints", hmd_joint_offset_struct), .args = PTR("difference_section") ", is_axes",     \
     .count = "count"},                                                                            \
        REST("count")

static const fh_item joint_mime_items[] = {NUM_ARGS,
                                           ARG("weight_section", 1),
                                           ARG("num_weights", 2),
                                           ARG("difference_section", 4),
                                           AXES,
                                           WEIGHTS,
                                           JOINTS};
const fh_struct hmd_joint_mime_struct = {.name = "joint_mime", RECORD, ITEMS(joint_mime_items)};

static const fh_item joint_reset_items[] = {NUM_ARGS, ARG("difference_section", 2), AXES, JOINTS};
const fh_struct hmd_joint_reset_struct = {.name = "joint_reset", RECORD, ITEMS(joint_reset_items)};

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
const fh_struct hmd_element_difference_struct = {
    .name = "element_difference", .params = {"elements", "is_normal"}, ITEMS(element_items)};

static const fh_item difference_offset_items[] = {
    {FIELD(U32, "offset", POINTER), .doc = "from the block"},
    {STRUCT("element_difference", hmd_element_difference_struct), .args = "elements, is_normal",
     .at = "block + 4 * offset"},
};
const fh_struct hmd_difference_offset_struct = {.name = "difference_offset",
                                                .params = {"block", "elements", "is_normal"},
                                                ITEMS(difference_offset_items)};

static const fh_item element_block_items[] = {
    {FIELD(U16, "num_notified", COUNT)},
    {FIELD(U16, "num_differences", COUNT)},
    {FIELD(U32, "keys", FLAGS), .doc = "bit k is set: key k has a difference"},
    {STRUCT("differences", hmd_difference_offset_struct), .args = "block, elements, is_normal",
     .count = "num_differences"},
    {FIELD(U32, "notified", POINTER), .count = "num_notified",
     .doc = "words of reset blocks, from the section"},
};
const fh_struct hmd_element_block_struct = {.name = "element_block",
                                            .params = {"block", "elements", "is_normal"},
                                            ITEMS(element_block_items)};

static const fh_item block_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("element_block", hmd_element_block_struct),
     .args = "section + 4 * offset, elements, is_normal", .at = "section + 4 * offset"},
};
const fh_struct hmd_block_offset_struct = {.name = "block_offset",
                                           .params = {"section", "elements", "is_normal"},
                                           ITEMS(block_offset_items)};

static const fh_item original_items[] = {
    {FIELD(S16, "saved", DATA), .count = "4", .doc = "filled in by the run-time"}};
const fh_struct hmd_original_struct = {.name = "original", ITEMS(original_items)};

static const fh_item saved_element_items[] = {
    {FIELD(U32, "first", POINTER)},
    {FIELD(U32, "first_original", POINTER)},
    {FIELD(U16, "changed", FLAGS)},
    {FIELD(U16, "count", COUNT)},
    {STRUCT("original", hmd_original_struct), .count = "count", .stride = 8,
     .at = "originals + 8 * first_original"},
    {STRUCT("vertex_data", hmd_vertex_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 0"},
    {STRUCT("normal_data", hmd_normal_struct), .count = "count", .stride = 8,
     .at = "elements + 8 * first", .when = "is_normal == 1"},
};
const fh_struct hmd_saved_elements_struct = {.name = "saved_elements",
                                             .params = {"originals", "elements", "is_normal"},
                                             ITEMS(saved_element_items)};

static const fh_item reset_block_items[] = {
    {FIELD(U16, "unused", PAD)},
    {FIELD(U16, "num_entries", COUNT)},
    {STRUCT("entries", hmd_saved_elements_struct), .args = "originals, elements, is_normal",
     .count = "num_entries"},
};
const fh_struct hmd_reset_block_struct = {.name = "reset_block",
                                          .params = {"originals", "elements", "is_normal"},
                                          ITEMS(reset_block_items)};

static const fh_item reset_offset_items[] = {
    {FIELD(U32, "offset", POINTER)},
    {STRUCT("reset_block", hmd_reset_block_struct), .args = "originals, elements, is_normal",
     .at = "section + 4 * offset"},
};
const fh_struct hmd_reset_offset_struct = {
    .name = "reset_offset",
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
    {STRUCT("blocks", hmd_block_offset_struct),
     .args = PTR("difference_section") ", elements, is_normal", .count = "count"},
    REST("count"),
};
const fh_struct hmd_element_mime_struct = {
    .name = "element_mime", RECORD, ITEMS(element_mime_items)};

static const fh_item element_reset_items[] = {
    NUM_ARGS,
    ARG("difference_section", 1),
    ARG("original_section", 2),
    OF_ELEMENTS(3, 4),
    {STRUCT("blocks", hmd_reset_offset_struct),
     .args = PTR("difference_section") "," PTR("original_section") ", elements, is_normal",
     .count = "count"},
    REST("count"),
};
const fh_struct hmd_element_reset_struct = {
    .name = "element_reset", RECORD, ITEMS(element_reset_items)};
