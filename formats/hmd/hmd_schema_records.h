/* What the tables of hmd_schema_*.c share that describe records, and the structs in them, which
 * hmd_schema.c lists. A record gets the bytes at which its primitive header begins, its form, its
 * size in words and its count. */
#ifndef FH_HMD_SCHEMA_RECORDS_H
#define FH_HMD_SCHEMA_RECORDS_H

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

/* hmd_schema_polygons.c */
extern const fh_struct hmd_polygons_struct, hmd_shared_struct, hmd_map_struct,
    hmd_shared_map_struct, hmd_calculated_vertex_struct, hmd_calculated_normal_struct,
    hmd_precalculation_struct;

/* hmd_schema_images.c */
extern const fh_struct hmd_pixels_struct, hmd_rectangle_struct, hmd_image_struct, hmd_pair_struct,
    hmd_image_clut_struct;

/* hmd_schema_animation.c */
extern const fh_struct hmd_table_struct, hmd_key_struct, hmd_work_area_struct,
    hmd_descriptor_struct, hmd_managed_struct, hmd_sequence_struct, hmd_animation_struct;

/* hmd_schema_mime.c */
extern const fh_struct hmd_joint_difference_struct, hmd_joint_struct, hmd_joint_offset_struct,
    hmd_weight_struct, hmd_joint_mime_struct, hmd_joint_reset_struct, hmd_element_difference_struct,
    hmd_difference_offset_struct, hmd_element_block_struct, hmd_block_offset_struct,
    hmd_original_struct, hmd_saved_elements_struct, hmd_reset_block_struct, hmd_reset_offset_struct,
    hmd_element_mime_struct, hmd_element_reset_struct;

/* hmd_schema_ground.c */
extern const fh_struct hmd_height_struct, hmd_flat_cell_struct, hmd_texture_corners_struct,
    hmd_textured_cell_struct, hmd_flat_row_struct, hmd_textured_row_struct, hmd_flat_grid_struct,
    hmd_textured_grid_struct, hmd_ground_struct;

/* hmd_schema_devices.c */
extern const fh_struct hmd_projection_data_struct, hmd_camera_data_struct, hmd_projection_struct,
    hmd_camera_struct, hmd_ambient_data_struct, hmd_light_data_struct, hmd_light_use_struct,
    hmd_light_struct;

#endif
