/* The layout of an HMD file as tables. Source: HMD Format manual, corrected by what drivers read
 * and by real files. */
#ifndef FH_HMD_SCHEMA_H
#define FH_HMD_SCHEMA_H

#include "core/schema.h"

extern const fh_schema hmd_schema;

/* Which rules look at what: hmd_governance.c. */
extern const fh_governance hmd_governance;

/* The helpers of its tables. */
#define FIELD(field_type, field_name, field_kind)                                                  \
    .name = (field_name), .type = FH_ITEM_##field_type, .kind = FH_KIND_##field_kind
#define LET(field_name) .name = (field_name), .type = FH_ITEM_LET
#define STRUCT(field_name, struct_name)                                                            \
    .name = (field_name), .type = FH_ITEM_STRUCT, .of = &(struct_name)
#define SWITCH(field_name, by, list)                                                               \
    .name = (field_name), .type = FH_ITEM_SWITCH, .on = (by), .cases = (list)
#define ITEMS(list) .items = (list), .num_items = sizeof(list) / sizeof((list)[0])
#define BITS(...) ((const fh_bits[]){__VA_ARGS__, {NULL, 0, 0}})

/* Packets and what they refer to: hmd_schema_packets.c. Packets get the bytes at which vertices and
 * normals begin. A mesh consists of one packet, and others like its `more`. */
extern const fh_struct hmd_vertex_struct, hmd_normal_struct;
extern const fh_case hmd_packet_cases[], hmd_shared_cases[];

#define PACKET(type, name, ...) extern const fh_struct hmd_packet_##type;
#define PRESET(type, name, ...) PACKET(type, name, )
#define MESH(type, name, first, rest) extern const fh_struct hmd_packet_##type, hmd_more_##type;
#define PRESET_MESH(type, name, first, rest) MESH(type, name, first, rest)
#include "hmd/hmd_packets.def"
#undef PACKET
#undef PRESET
#undef MESH
#undef PRESET_MESH

extern const fh_struct hmd_word_code, hmd_word_colour, hmd_word_window, hmd_word_screen,
    hmd_word_u_clut, hmd_word_u_page, hmd_word_u_pad, hmd_word_u_n, hmd_word_u_v, hmd_word_nv,
    hmd_word_nn, hmd_word_vv, hmd_word_v_pad;

#endif
