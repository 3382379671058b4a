#include "tod/tod_schema.h"

#define FIELD(field_type, field_name, field_kind)                                                  \
    .name = (field_name), .type = FH_ITEM_##field_type, .kind = FH_KIND_##field_kind
#define LET(field_name) .name = (field_name), .type = FH_ITEM_LET
#define ITEMS(list) .items = (list), .num_items = sizeof(list) / sizeof((list)[0])
#define BITS(...) ((const fh_bits[]){__VA_ARGS__, {NULL, 0, 0}})

/* ---- payloads ---- */

static const fh_item attribute_items[] = {
    {FIELD(U32, "mask", FLAGS), .doc = "1 in each bit that stays"},
    {FIELD(U32, "value", FLAGS), .doc = "the new bits, 0 in those that stay"},
};
static const fh_struct attribute = {
    .name = "attribute", .params = {"b1", "b2", "b3"}, ITEMS(attribute_items)};

static const fh_item coordinate_items[] = {
    {FIELD(S32, "rotation", VALUE), .count = "3", .when = "has_rotation == 1",
     .doc = "x, y, z; 4096 is 1 degree"},
    {FIELD(S16, "scale", VALUE), .count = "3", .when = "has_scale == 1",
     .doc = "x, y, z; 4096 is 1.0"},
    {FIELD(U16, "unused", PAD), .when = "has_scale == 1"},
    {FIELD(S32, "translation", VALUE), .count = "3", .when = "has_translation == 1",
     .doc = "x, y, z"},
};
static const fh_struct coordinate = {.name = "coordinate",
                                     .params = {"has_rotation", "has_scale", "has_translation"},
                                     ITEMS(coordinate_items)};

static const fh_item model_items[] = {
    {FIELD(U16, "model", POINTER), .doc = "id of a TMD model"},
    {FIELD(U16, "unused", PAD)},
};
static const fh_struct model = {.name = "model", .params = {"b1", "b2", "b3"}, ITEMS(model_items)};

static const fh_item parent_items[] = {
    {FIELD(U32, "parent_object", POINTER), .doc = "id of an object; 0 or 0xffff: the world"},
};
static const fh_struct parent = {
    .name = "parent", .params = {"b1", "b2", "b3"}, ITEMS(parent_items)};

static const fh_item matrix_items[] = {
    {FIELD(S16, "rows", VALUE), .count = "9", .doc = "row by row; 4096 is 1.0"},
    {FIELD(U16, "unused", PAD)},
    {FIELD(S32, "translation", VALUE), .count = "3"},
};
static const fh_struct matrix = {
    .name = "matrix", .params = {"b1", "b2", "b3"}, ITEMS(matrix_items)};

static const fh_item light_items[] = {
    {FIELD(S32, "direction", VALUE), .count = "3", .when = "has_direction == 1"},
    {FIELD(U8, "red", COLOUR), .when = "has_colour == 1"},
    {FIELD(U8, "green", COLOUR), .when = "has_colour == 1"},
    {FIELD(U8, "blue", COLOUR), .when = "has_colour == 1"},
    {FIELD(U8, "unused", PAD), .when = "has_colour == 1"},
};
static const fh_struct light = {
    .name = "light", .params = {"has_direction", "has_colour", "b3"}, ITEMS(light_items)};

static const fh_item view_items[] = {
    {FIELD(S32, "position", VALUE), .count = "3", .when = "has_points == 1"},
    {FIELD(S32, "looked_at", VALUE), .count = "3", .when = "has_points == 1",
     .doc = "the point looked at"},
    {FIELD(S32, "twist", VALUE), .when = "has_angle == 1",
     .doc = "about the z axis; 4096 is 1 degree"},
};
static const fh_struct view = {
    .name = "camera_view", .params = {"b1", "has_points", "has_angle"}, ITEMS(view_items)};

static const fh_item placed_items[] = {
    {FIELD(S32, "rotation", VALUE), .count = "3", .when = "has_rotation == 1",
     .doc = "x, y, z; 4096 is 1 degree"},
    {FIELD(S32, "translation", VALUE), .count = "3", .when = "has_translation == 1"},
};
static const fh_struct placed = {.name = "camera_placed",
                                 .params = {"b1", "has_rotation", "has_translation"},
                                 ITEMS(placed_items)};

/* ---- packets ---- */

/* A camera packet has one of two forms; b0 says which: 7 and 23. */
static const fh_case payloads[] = {
    {0, &attribute}, {1, &coordinate}, {2, &model},   {3, &parent}, {4, &matrix},
    {6, &light},     {7, &view},       {23, &placed}, {0, NULL},
};

/* The length that type and flag imply, in words, header included; 0 where nothing is defined. */
static const fh_item packet_items[] = {
    {FIELD(U16, "object", NAME), .doc = "id of the object, light or camera that it acts on"},
    {FIELD(U8, "type", NAME),
     .bits = BITS({"kind", 0, 4}, {"b0", 4, 1}, {"b1", 5, 1}, {"b2", 6, 1}, {"b3", 7, 1}),
     .doc = "kind and four flags, whose meaning hangs on the kind"},
    {FIELD(U8, "length", COUNT), .doc = "words of the packet, these two included"},
    {LET("of_coordinate"), .value = "1 + 3 * b1 + 2 * b2 + 3 * b3"},
    {LET("of_light"), .value = "1 + 3 * b1 + b2"},
    {LET("of_camera"), .when = "b0 == 0", .value = "1 + 6 * b2 + b3",
     .otherwise = "1 + 3 * b2 + 3 * b3"},
    {LET("of_attribute"), .when = "kind == 0", .value = "3", .otherwise = "0"},
    {LET("of_one_word"), .when = "kind == 2 or kind == 3", .value = "2",
     .otherwise = "of_attribute"},
    {LET("of_matrix"), .when = "kind == 4", .value = "9", .otherwise = "of_one_word"},
    {LET("of_moving"), .when = "kind == 1", .value = "of_coordinate", .otherwise = "of_matrix"},
    {LET("of_lit"), .when = "kind == 6", .value = "of_light", .otherwise = "of_moving"},
    {LET("implied_length"), .when = "kind == 7", .value = "of_camera", .otherwise = "of_lit"},
    {LET("form"), .when = "kind == 7", .value = "kind + 16 * b0", .otherwise = "kind"},
    {.name = "payload",
     .type = FH_ITEM_SWITCH,
     .on = "form",
     .cases = payloads,
     .args = "b1, b2, b3",
     .when = "length == implied_length"},
    {FIELD(U32, "words", DATA), .count = "length - 1", .when = "length != implied_length",
     .doc = "of a packet whose layout is not known"},
};
static const fh_struct packet = {.name = "packet", ITEMS(packet_items)};

static const fh_item frame_items[] = {
    {FIELD(U16, "size", COUNT), .doc = "words of the frame, these two included"},
    {FIELD(U16, "num_packets", COUNT)},
    {FIELD(U32, "frame_number", NAME)},
    {.name = "packets", .type = FH_ITEM_STRUCT, .of = &packet, .count = "num_packets"},
};
static const fh_struct frame = {.name = "frame", ITEMS(frame_items)};

static const fh_item file_items[] = {
    {FIELD(U8, "file_id", NAME), .doc = "always 0x50"},
    {FIELD(U8, "version", NAME), .doc = "0 is version 1.0"},
    {FIELD(U16, "resolution", VALUE), .doc = "sixtieths of a second for which a frame is shown"},
    {FIELD(U32, "num_frames", COUNT)},
    {.name = "frames", .type = FH_ITEM_STRUCT, .of = &frame, .count = "num_frames"},
};
static const fh_struct file = {.name = "tod", ITEMS(file_items)};

static const fh_struct *const structs[] = {
    &file,   &frame,  &packet, &attribute, &coordinate, &model,
    &parent, &matrix, &light,  &view,      &placed,
};

const fh_schema tod_schema = {
    .name = "tod",
    .title = "TOD, PlayStation animation commands",
    .extension = "tod",
    .doc = "A time line of commands for the objects of a program: create one, give it a model, a "
           "parent, a pose. Read as its players read it: packets by their own length, frames "
           "where the packets in front of them end.",
    .root = &file,
    .structs = structs,
    .num_structs = sizeof structs / sizeof structs[0],
    .governance = &tod_governance,
};
