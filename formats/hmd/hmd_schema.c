#include "hmd/hmd_schema.h"

#include "hmd/hmd_schema_records.h"

/* ---- records ---- */

static const fh_item words_items[] = {{FIELD(U32, "words", DATA), .count = "size - 1"}};
static const fh_struct words = {.name = "words", RECORD, ITEMS(words_items)};

/* By the type without INI or, of polygons, shared polygons and animation, by the category alone: -1
 * less the category. Types that are not listed are words. */
static const fh_case layout_cases[] = {
    {-1, &hmd_polygons_struct},
    {-2, &hmd_shared_struct},
    {-4, &hmd_animation_struct},
    {0, &words}, /* the null driver */
    {0x1000000, &hmd_precalculation_struct},
    {0x2000000, &hmd_image_struct},
    {0x2000001, &hmd_image_clut_struct},
    {0x4010010, &hmd_joint_mime_struct},
    {0x4010011, &hmd_joint_mime_struct},
    {0x4010018, &hmd_joint_reset_struct},
    {0x4010019, &hmd_joint_reset_struct},
    {0x4010020, &hmd_element_mime_struct},
    {0x4010021, &hmd_element_mime_struct},
    {0x4010028, &hmd_element_reset_struct},
    {0x4010029, &hmd_element_reset_struct},
    {0x5000000, &hmd_ground_struct},
    {0x5000001, &hmd_ground_struct},
    {0x6000100, &hmd_precalculation_struct},
    {0x600100c, &hmd_map_struct},
    {0x6001014, &hmd_map_struct},
    {0x600110c, &hmd_shared_map_struct},
    {0x6001114, &hmd_shared_map_struct},
    {0x600200c, &hmd_map_struct},
    {0x6002014, &hmd_map_struct},
    {0x600300c, &hmd_map_struct},
    {0x6003014, &hmd_map_struct},
    {0x600400c, &hmd_map_struct},
    {0x6004014, &hmd_map_struct},
    {0x600500c, &hmd_map_struct},
    {0x6005014, &hmd_map_struct},
    {0x7000100, &hmd_projection_struct},
    {0x7010100, &hmd_camera_struct},
    {0x7020100, &hmd_camera_struct},
    {0x7030100, &hmd_camera_struct},
    {0x7000200, &hmd_light_struct},
    {0x7010200, &hmd_light_struct},
    {0x7020200, &hmd_light_struct},
    {0x7030200, &hmd_light_struct},
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
    &hmd_polygons_struct,
    &hmd_shared_struct,
    &hmd_map_struct,
    &hmd_shared_map_struct,
    &hmd_precalculation_struct,
    &hmd_calculated_vertex_struct,
    &hmd_calculated_normal_struct,
    &hmd_image_struct,
    &hmd_image_clut_struct,
    &hmd_pair_struct,
    &hmd_rectangle_struct,
    &hmd_pixels_struct,
    &hmd_animation_struct,
    &hmd_table_struct,
    &hmd_sequence_struct,
    &hmd_managed_struct,
    &hmd_descriptor_struct,
    &hmd_key_struct,
    &hmd_work_area_struct,
    &hmd_joint_mime_struct,
    &hmd_joint_reset_struct,
    &hmd_joint_offset_struct,
    &hmd_joint_struct,
    &hmd_joint_difference_struct,
    &hmd_weight_struct,
    &hmd_element_mime_struct,
    &hmd_element_reset_struct,
    &hmd_block_offset_struct,
    &hmd_element_block_struct,
    &hmd_difference_offset_struct,
    &hmd_element_difference_struct,
    &hmd_reset_offset_struct,
    &hmd_reset_block_struct,
    &hmd_saved_elements_struct,
    &hmd_original_struct,
    &hmd_ground_struct,
    &hmd_flat_grid_struct,
    &hmd_textured_grid_struct,
    &hmd_flat_row_struct,
    &hmd_textured_row_struct,
    &hmd_flat_cell_struct,
    &hmd_textured_cell_struct,
    &hmd_texture_corners_struct,
    &hmd_height_struct,
    &hmd_projection_struct,
    &hmd_projection_data_struct,
    &hmd_camera_struct,
    &hmd_camera_data_struct,
    &hmd_light_struct,
    &hmd_light_use_struct,
    &hmd_light_data_struct,
    &hmd_ambient_data_struct,
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
