/* Polygon packets as structs, made from the same rows as the table of hmd_packets.c. */
#include "hmd/hmd_schema.h"

/* ---- what packets refer to ---- */

static const fh_item vertex_items[] = {
    {FIELD(S16, "x", VALUE)},
    {FIELD(S16, "y", VALUE)},
    {FIELD(S16, "z", VALUE)},
    {FIELD(U16, "unused", PAD)},
};
const fh_struct hmd_vertex_struct = {.name = "vertex", ITEMS(vertex_items)};

static const fh_item normal_items[] = {
    {FIELD(S16, "x", VALUE), .doc = "4096 is 1.0"},
    {FIELD(S16, "y", VALUE)},
    {FIELD(S16, "z", VALUE)},
    {FIELD(U16, "unused", PAD)},
};
const fh_struct hmd_normal_struct = {.name = "normal", ITEMS(normal_items)};

/* ---- words ---- */

#define SECTIONS .params = {"vertices", "normals"}
#define VERTEX(number)                                                                             \
    {                                                                                              \
        STRUCT("vertex_data", hmd_vertex_struct), .at = "vertices + 8 * " number                   \
    }
#define NORMAL(number)                                                                             \
    {                                                                                              \
        STRUCT("normal_data", hmd_normal_struct), .at = "normals + 8 * " number                    \
    }

static const fh_item code_items[] = {
    {FIELD(U8, "red", COLOUR)},
    {FIELD(U8, "green", COLOUR)},
    {FIELD(U8, "blue", COLOUR)},
    {FIELD(U8, "code", FLAGS), .doc = "of the drawing command; 2 is semi-transparent"},
};
const fh_struct hmd_word_code = {.name = "code_colour", ITEMS(code_items)};

static const fh_item colour_items[] = {
    {FIELD(U8, "red", COLOUR)},
    {FIELD(U8, "green", COLOUR)},
    {FIELD(U8, "blue", COLOUR)},
    {FIELD(U8, "unused", PAD)},
};
const fh_struct hmd_word_colour = {.name = "plain_colour", ITEMS(colour_items)};

static const fh_item window_items[] = {
    {FIELD(U32, "texture_window", FLAGS),
     .bits = BITS({"mask_u", 0, 5}, {"mask_v", 5, 5}, {"offset_u", 10, 5}, {"offset_v", 15, 5},
                  {"command", 24, 8})},
};
const fh_struct hmd_word_window = {.name = "texture_window", ITEMS(window_items)};

static const fh_item screen_items[] = {
    {FIELD(S16, "x", DATA), .doc = "filled in by the run-time"},
    {FIELD(S16, "y", DATA)},
};
const fh_struct hmd_word_screen = {.name = "screen_position", ITEMS(screen_items)};

#define POSITION                                                                                   \
    {FIELD(U8, "u", COLOUR)},                                                                      \
    {                                                                                              \
        FIELD(U8, "v", COLOUR)                                                                     \
    }

static const fh_item u_clut_items[] = {
    POSITION,
    {FIELD(U16, "clut", COLOUR), .bits = BITS({"clut_x", 0, 6}, {"clut_y", 6, 9}),
     .doc = "where the colour table lies, in units of 16 pixels and 1 line"},
};
const fh_struct hmd_word_u_clut = {.name = "texture_and_clut", ITEMS(u_clut_items)};

static const fh_item u_page_items[] = {
    POSITION,
    {FIELD(U16, "page", COLOUR),
     .bits = BITS({"page_x", 0, 4}, {"page_y", 4, 1}, {"blend_rate", 5, 2}, {"depth", 7, 2}),
     .doc = "the texture page"},
};
const fh_struct hmd_word_u_page = {.name = "texture_and_page", ITEMS(u_page_items)};

static const fh_item u_pad_items[] = {POSITION, {FIELD(U16, "unused", PAD)}};
const fh_struct hmd_word_u_pad = {.name = "texture_position", ITEMS(u_pad_items)};

static const fh_item u_n_items[] = {POSITION, {FIELD(U16, "normal", POINTER)}, NORMAL("normal")};
const fh_struct hmd_word_u_n = {.name = "texture_and_normal", SECTIONS, ITEMS(u_n_items)};

static const fh_item u_v_items[] = {POSITION, {FIELD(U16, "vertex", POINTER)}, VERTEX("vertex")};
const fh_struct hmd_word_u_v = {.name = "texture_and_vertex", SECTIONS, ITEMS(u_v_items)};

static const fh_item nv_items[] = {
    {FIELD(U16, "normal", POINTER)},
    {FIELD(U16, "vertex", POINTER)},
    NORMAL("normal"),
    VERTEX("vertex"),
};
const fh_struct hmd_word_nv = {.name = "normal_and_vertex", SECTIONS, ITEMS(nv_items)};

static const fh_item nn_items[] = {
    {FIELD(U16, "first_normal", POINTER)},
    {FIELD(U16, "second_normal", POINTER)},
    NORMAL("first_normal"),
    NORMAL("second_normal"),
};
const fh_struct hmd_word_nn = {.name = "two_normals", SECTIONS, ITEMS(nn_items)};

static const fh_item vv_items[] = {
    {FIELD(U16, "first_vertex", POINTER)},
    {FIELD(U16, "second_vertex", POINTER)},
    VERTEX("first_vertex"),
    VERTEX("second_vertex"),
};
const fh_struct hmd_word_vv = {.name = "two_vertices", SECTIONS, ITEMS(vv_items)};

static const fh_item v_pad_items[] = {
    {FIELD(U16, "vertex", POINTER)},
    {FIELD(U16, "unused", PAD)},
    VERTEX("vertex"),
};
const fh_struct hmd_word_v_pad = {.name = "one_vertex", SECTIONS, ITEMS(v_pad_items)};

/* ---- packets ---- */

/* clang-format off */
#define PASS .args = "vertices, normals"
#define CODE(code) {STRUCT("colour", hmd_word_code)}
#define COLOUR {STRUCT("colour", hmd_word_colour)}
#define WINDOW {STRUCT("window", hmd_word_window)}
#define NUM {FIELD(U32, "num_triangles", COUNT)}
#define TAG {FIELD(U32, "tag", DATA), .doc = "of a drawing list, filled in by the run-time"}
#define XY {STRUCT("screen", hmd_word_screen)}
#define U_CLUT {STRUCT("texture", hmd_word_u_clut)}
#define U_PAGE {STRUCT("texture", hmd_word_u_page)}
#define U_PAD {STRUCT("texture", hmd_word_u_pad)}
#define U_N {STRUCT("texture", hmd_word_u_n), PASS}
#define U_V {STRUCT("texture", hmd_word_u_v), PASS}
#define NV {STRUCT("corner", hmd_word_nv), PASS}
#define NN {STRUCT("corner", hmd_word_nn), PASS}
#define VV {STRUCT("corner", hmd_word_vv), PASS}
#define V_PAD {STRUCT("corner", hmd_word_v_pad), PASS}
#define INSIDE(...) __VA_ARGS__
/* clang-format on */

#define PACKET(type, title, ...)                                                                   \
    static const fh_item items_##type[] = {__VA_ARGS__};                                           \
    const fh_struct hmd_packet_##type = {                                                          \
        .name = "packet_" #type, .doc = (title), SECTIONS, ITEMS(items_##type)};
#define PRESET(type, title, ...) PACKET(type, title, __VA_ARGS__)
#define MESH(type, title, first, rest)                                                             \
    static const fh_item more_items_##type[] = {INSIDE rest};                                      \
    const fh_struct hmd_more_##type = {.name = "more_" #type,                                      \
                                       .doc = title ", further triangle",                          \
                                       SECTIONS,                                                   \
                                       ITEMS(more_items_##type)};                                  \
    static const fh_item items_##type[] = {                                                        \
        INSIDE first, {STRUCT("more", hmd_more_##type), PASS, .count = "num_triangles - 1"}};      \
    const fh_struct hmd_packet_##type = {                                                          \
        .name = "packet_" #type, .doc = (title), SECTIONS, ITEMS(items_##type)};
#define PRESET_MESH(type, title, first, rest) MESH(type, title, first, rest)
#include "hmd/hmd_packets.def"
#undef PACKET
#undef PRESET
#undef MESH
#undef PRESET_MESH

#define PACKET(type, title, ...) {type, &hmd_packet_##type},
#define PRESET(type, title, ...) PACKET(type, title, )
#define MESH(type, title, first, rest) PACKET(type, title, )
#define PRESET_MESH(type, title, first, rest) PACKET(type, title, )
const fh_case hmd_packet_cases[] = {
#include "hmd/hmd_packets.def"
    {0, NULL},
};

/* How lit flat and mesh packets of shared vertices are laid out is not known. */
/* clang-format off */
const fh_case hmd_shared_cases[] = {
    PACKET(0x00c, ) PACKET(0x00d, ) PACKET(0x00e, ) PACKET(0x00f, ) PACKET(0x014, )
    PACKET(0x015, ) PACKET(0x016, ) PACKET(0x017, ) PACKET(0x20d, ) PACKET(0x20f, )
    PACKET(0x215, ) PACKET(0x217, ) PACKET(0x048, ) PACKET(0x049, ) PACKET(0x04c, )
    PACKET(0x04d, ) PACKET(0x050, ) PACKET(0x051, ) PACKET(0x054, ) PACKET(0x055, )
    PACKET(0x249, ) PACKET(0x24d, ) PACKET(0x251, ) PACKET(0x255, )
    {0, NULL},
};
/* clang-format on */
