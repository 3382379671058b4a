/* Animation: sequences, descriptors, keys as structs. */
#include "hmd/hmd_schema_records.h"

static const fh_item table_items[] = {
    {FIELD(U32, "count", COUNT), .bits = BITS({"num_types", 0, 31}, {"is_unscanned", 31, 1})},
    {FIELD(U32, "types", NAME), .count = "num_types", .doc = "how keys are interpolated"},
};
const fh_struct hmd_table_struct = {.name = "interpolation_table", ITEMS(table_items)};

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
const fh_struct hmd_key_struct = {.name = "key", .params = {"type"}, ITEMS(key_items)};

static const fh_case key_cases[] = {{0x300, &hmd_key_struct}, {0x301, &hmd_key_struct}, {0, NULL}};

static const fh_item work_items[] = {
    {FIELD(U32, "history", DATA), .count = "4", .doc = "of a spline, filled in by the run-time"},
};
const fh_struct hmd_work_area_struct = {.name = "work_area", ITEMS(work_items)};

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
    {STRUCT("work_area", hmd_work_area_struct), .at = "parameters + 4 * operand",
     .when = "descriptor_kind == 3 and code == 2"},
};
const fh_struct hmd_descriptor_struct = {
    .name = "descriptor", .params = {"table", "parameters", "num_types"}, ITEMS(descriptor_items)};

static const fh_item managed_items[] = {
    {FIELD(U16, "start", POINTER), .doc = "index of a descriptor"},
    {FIELD(U8, "stream", NAME)},
    {FIELD(U8, "unused", PAD)},
};
const fh_struct hmd_managed_struct = {.name = "managed_sequence", ITEMS(managed_items)};

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
    {STRUCT("managed", hmd_managed_struct), .count = "num_sequences - 1"},
};
const fh_struct hmd_sequence_struct = {.name = "sequence", ITEMS(sequence_items)};

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
    {STRUCT("sequences", hmd_sequence_struct), .count = "count",
     .doc = "one of size 0 is its own next one, whatever stands behind it"},
    {STRUCT("interpolation_table", hmd_table_struct), .at = PTR("table"),
     .when = IS_MARKED("table")},
    {STRUCT("descriptors", hmd_descriptor_struct),
     .args = PTR("table") "," PTR("parameters") ", types % 0x80000000", .count = "num_descriptors",
     .at = PTR("control"),
     .when = IS_MARKED("table") " and " IS_MARKED("control") " and " IS_MARKED("parameters")},
};
const fh_struct hmd_animation_struct = {.name = "animation", RECORD, ITEMS(animation_items)};
