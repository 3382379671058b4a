/* HMD as tables: addresses, pointers and what they lead to, up to the edges of memory; and which
 * words of a header each type looks at.
 */
#include "hmd_hand.h"

#include "hmd/hmd_base.h"
#include "hmd/hmd_shape.h"

#include <string.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* ---- addresses ---- */

Test(hmd_model, units_and_their_words)
{
    static hand h;
    hand_open(&h);
    for (uint32_t off = 0; off < HAND_HEADERS + 5; off++) {
        const bool is_start = off >= HAND_UNIT && off < HAND_HEADERS && (off - HAND_UNIT) % 20 == 0;
        cr_expect(
            eq(u32, hmd_unit_at(&h.model, off), is_start ? (off - HAND_UNIT) / 20 : HMD_NONE));
    }
    cr_expect(eq(u32, hmd_unit_at(&h.model, HMD_NONE), HMD_NONE));
    cr_expect(eq(u32, hmd_units_end(&h.model), HAND_HEADERS));
}

/* Segments are seen through; what lies below the base is no word of the asset. */
Test(hmd_model, addresses)
{
    static const struct {
        uint32_t address;
        bool is_there;
        uint32_t off;
    } rows[] = {{HAND_BASE, true, 0},
                {0x80000000 | HAND_BASE, true, 0},
                {0xa0000000 | HAND_BASE, true, 0},
                {HAND_BASE + 4, true, 1},
                {HAND_BASE - 4, false, 0},
                {HAND_BASE + 2, false, 0},
                {0x80000000 | (HAND_BASE + 0x200000), true, 0x80000},
                {0, false, 0}};
    static hand h;
    hand_open(&h);
    hand_map(&h);
    for (size_t i = 0; i < NUM(rows); i++) {
        uint32_t off = 0;
        cr_expect(hmd_address(&h.model, rows[i].address, &off) == rows[i].is_there, "%zu", i);
        cr_expect(eq(u32, off, rows[i].off), "%zu", i);
    }
}

/* Where 2 MiB are seen over and over, what lies below the base lies behind the asset. */
Test(hmd_model, folded_addresses)
{
    static const struct {
        uint32_t base, address, off;
    } rows[] = {{0x00100000, 0x80100000, 0},       {0x00100000, 0x80300000, 0},
                {0x00100000, 0x80300004, 1},       {0x00100000, 0x801ffffc, 0x3ffff},
                {0x00100000, 0x80200000, 0x40000}, {0x00100000, 0x80000004, 0x40001},
                {0x00100000, 0x800ffffc, 0x7ffff}, {0x00700000, 0x80100000, 0},
                {0x001ff000, 0x80000ff0, 0x7fc},   {0x00000000, 0x80200008, 2}};
    static hand h;
    hand_open(&h);
    hand_map(&h);
    h.model.is_folded = true;
    for (size_t i = 0; i < NUM(rows); i++) {
        uint32_t off = HMD_NONE;
        h.model.base = rows[i].base;
        cr_expect(hmd_address(&h.model, rows[i].address, &off), "%zu", i);
        cr_expect(eq(u32, off, rows[i].off), "%zu", i);
        cr_expect(hmd_address(&h.model, rows[i].address + 1, &off) == false, "%zu", i);
    }
}

/* Drivers lie in the main memory, behind the kernel. */
Test(hmd_model, addresses_of_drivers)
{
    static const struct {
        uint32_t word;
        bool is_driver;
    } rows[] = {{0x80010000, true},  {0x8000fffc, false}, {0x00010000, true}, {0x0000fffc, false},
                {0x807ffffc, true},  {0x80800000, false}, {0xa0010000, true}, {0x40010000, false},
                {0x80010002, false}, {0x9f010000, false}, {0, false}};
    static hand h;
    hand_open(&h);
    hand_map(&h);
    for (size_t i = 0; i < NUM(rows); i++) {
        cr_expect(hmd_is_driver(&h.model, rows[i].word) == rows[i].is_driver, "0x%08x",
                  rows[i].word);
    }
    h.model.stage = HMD_STAGE_FILE;
    cr_expect(hmd_is_driver(&h.model, 0x80010000) == false);
}

/* An offset that the mapping has not come to: within the kernel, and within the bytes. */
Test(hmd_model, pointers_that_were_not_mapped)
{
    static const struct {
        uint32_t base, num_words, pointer;
        bool is_unmapped;
    } rows[] = {{0x10000, HAND_WORDS, 0, false},
                {0x10000, HAND_WORDS, 1, true},
                {0x10000, HAND_WORDS, HAND_WORDS - 1, true},
                {0x10000, HAND_WORDS, HAND_WORDS, false},
                {0xfffc, HAND_WORDS, 1, false},
                {0x10000, 0x20000, 0xffff, true},
                {0x10000, 0x20000, 0x10000, false},
                {0, HAND_WORDS, 1, false}};
    static hand h;
    hand_open(&h);
    hand_map(&h);
    for (size_t i = 0; i < NUM(rows); i++) {
        h.model.base = rows[i].base;
        h.model.num_words = rows[i].num_words;
        cr_expect(hmd_is_unmapped(&h.model, rows[i].pointer) == rows[i].is_unmapped, "%zu", i);
    }
}

/* What in the header of an image of memory is a pointer. */
Test(hmd_model, arguments_in_memory)
{
    static const struct {
        uint32_t segment, base, raw;
        bool is_pointer;
        uint32_t off;
    } rows[] = {/* In the segment of the others, behind the kernel: inside, below, far behind. */
                {0x80000000, 0x100000, 0x80100000, true, 0},
                {0x80000000, 0x100000, 0x80100010, true, 4},
                {0x80000000, 0x100000, 0x800ffffc, true, HMD_NONE},
                {0x80000000, 0x100000, 0x80010000, true, HMD_NONE},
                {0x80000000, 0x100000, 0x80700000, true, 0x180000},
                /* In another segment, or no address. */
                {0x80000000, 0x100000, 0x00100010, false, HMD_NONE},
                {0x80000000, 0x100000, 0xa0100010, false, HMD_NONE},
                {0x80000000, 0x100000, 0x80100012, false, HMD_NONE},
                {0xa0000000, 0x100000, 0xa0100010, true, 4},
                {0x00000000, 0x100000, 0x00100010, true, 4},
                {0x00000000, 0x100000, 0x80100010, false, HMD_NONE},
                {0x40000000, 0x100000, 0x40100010, false, HMD_NONE},
                /* Below 64 KiB: with a mark an offset, if it lies in the bytes; else a number. */
                {0x80000000, 0x100000, 0x80000010, true, 16},
                {0x80000000, 0x100000, 0x80000011, true, 17},
                {0x80000000, 0x100000, TO(HAND_WORDS - 1), true, HAND_WORDS - 1},
                {0x80000000, 0x100000, TO(HAND_WORDS), true, HMD_NONE},
                {0x80000000, 0x100000, 0x8000fffc, true, HMD_NONE},
                {0x80000000, 0x10000, 0x8000fffc, true, HMD_NONE},
                {0x80000000, 0x10000, 0x80000000, true, HMD_NONE},
                {0x80000000, 0x100000, 0x00000010, false, HMD_NONE},
                {0x00000000, 0x100000, 0x00000010, false, HMD_NONE},
                {0x00000000, 0x100000, 0x0000fffc, false, HMD_NONE},
                {0x00000000, 0x100000, 0x00010000, true, HMD_NONE},
                {0x00000000, 0x100000, 0x000ffffc, true, HMD_NONE},
                /* Memory that begins low: an address is one from the base on. */
                {0x80000000, 0x8000, 0x80008000, true, 0},
                {0x80000000, 0x8000, 0x80008010, true, 4},
                {0x80000000, 0x8000, 0x80007ffc, false, HMD_NONE},
                {0x80000000, 0x8000, 0x80000010, false, HMD_NONE},
                {0x80000000, 0xfffc, 0x80000010, false, HMD_NONE},
                {0x00000000, 0x8000, 0x00007ffc, false, HMD_NONE},
                {0x00000000, 0x8000, 0x00008000, true, 0},
                {0x00000000, 0, 0x00000010, true, 4}};
    static hand h;
    hand_open(&h);
    hand_map(&h);
    for (size_t i = 0; i < NUM(rows); i++) {
        h.model.segment = rows[i].segment;
        h.model.base = rows[i].base;
        hand_header(&h, &rows[i].raw, 1);
        const hmd_arg arg = hmd_arg_of(&h.model, 0, 0);
        cr_expect(arg.is_there && arg.is_pointer == rows[i].is_pointer, "%zu", i);
        cr_expect(eq(u32, arg.off, rows[i].off), "%zu", i);
    }
    cr_expect(hmd_arg_of(&h.model, 0, 1).is_there == false);
    cr_expect(hmd_arg_of(&h.model, HMD_NONE, 0).is_there == false);
}

/* ---- what begins next ---- */

Test(hmd_model, next_start)
{
    static hand h;
    hand_open(&h);
    const uint32_t args[] = {TO(300), 250, TO(400), TO(200)};
    hand_header(&h, args, 4);
    h.primitives[1] = (hmd_primitive){.off = 150};
    h.model.num_primitives = 2;
    const uint32_t starts[] = {HAND_COORDINATES, HAND_HEADERS, HAND_PRIMITIVE, 150, 200, 300, 400,
                               HAND_WORDS};
    uint32_t at = 0;
    for (size_t i = 0; i < NUM(starts); i++) {
        cr_expect(eq(u32, hmd_next_start(&h.model, at), starts[i]));
        cr_expect(eq(u32, hmd_next_start(&h.model, starts[i] - 1), starts[i]));
        at = starts[i];
    }
    h.model.num_primitives = 1;
    cr_expect(eq(u32, hmd_next_start(&h.model, HAND_HEADERS), HAND_PRIMITIVE));
    h.model.num_primitives = 0;
    cr_expect(eq(u32, hmd_next_start(&h.model, HAND_HEADERS), 200));
}

/* ---- bytes that are missing ---- */

/* More bytes are asked for if an asset may be that long, and those that are farthest. */
Test(hmd_model, words_that_are_wanted)
{
    static const struct {
        uint64_t first, num;
        bool is_there;
        uint64_t wanted; /* words */
    } rows[] = {{0, HAND_WORDS, true, 0},
                {HAND_WORDS, 0, true, 0},
                {0, HAND_WORDS + 1, false, HAND_WORDS + 1},
                {HAND_WORDS, 1, false, HAND_WORDS + 1},
                {0, HMD_MOST_WORDS, false, HMD_MOST_WORDS},
                {1, HMD_MOST_WORDS - 1, false, HMD_MOST_WORDS},
                {HMD_MOST_WORDS, 0, false, HMD_MOST_WORDS},
                {HMD_MOST_WORDS - 1, 1, false, HMD_MOST_WORDS},
                {1, HMD_MOST_WORDS, false, 0},
                {2, HMD_MOST_WORDS - 1, false, 0},
                {HMD_MOST_WORDS, 1, false, 0},
                {HMD_MOST_WORDS + 1, 0, false, 0},
                {0, HMD_MOST_WORDS + 1, false, 0},
                {UINT64_MAX, 1, false, 0},
                {1, UINT64_MAX, false, 0}};
    static hand h;
    for (size_t i = 0; i < NUM(rows); i++) {
        hand_open(&h);
        cr_expect(hmd_need(&h.check, rows[i].first, rows[i].num) == rows[i].is_there, "%zu", i);
        cr_expect(eq(u64, h.check.wanted, 0), "%zu", i);
        h.check.at_end = false;
        cr_expect(hmd_need(&h.check, rows[i].first, rows[i].num) == rows[i].is_there, "%zu", i);
        cr_expect(eq(u64, h.check.wanted, 4 * rows[i].wanted), "%zu", i);
    }
    hand_open(&h);
    h.check.at_end = false;
    (void)hmd_need(&h.check, 2000, 1);
    (void)hmd_need(&h.check, 1500, 1);
    cr_expect(eq(u64, h.check.wanted, 4 * 2001));
}

/* ---- shapes ---- */

typedef struct form {
    uint32_t type;
    const char *args;
    uint8_t num_needed;
    bool has_coordinates, is_open;
    uint16_t unread;
} form;

static hmd_record record_of(uint32_t type)
{
    return (hmd_record){.type = type, .category = (uint8_t)(type >> 24), .size = 9, .count = 2};
}

static void hold_form(const form *f, uint32_t type)
{
    const hmd_record record = record_of(type);
    const hmd_shape *shape = hmd_shape_of(&record);
    const bool is_known = shape != NULL;
    cr_expect(is_known == (f->args != NULL), "0x%08x", type);
    if (shape != NULL && f->args != NULL) {
        cr_expect(strcmp(shape->args, f->args) == 0, "0x%08x: %s", type, shape->args);
        cr_expect(eq(u8, shape->num_needed, f->num_needed), "0x%08x", type);
        cr_expect(shape->has_coordinates == f->has_coordinates && shape->is_open == f->is_open,
                  "0x%08x", type);
        cr_expect(eq(u16, shape->unread, f->unread), "0x%08x", type);
    }
}

/* Packets without light have no use for normals, and are bit 6; images have colour tables or not;
 * of a morph of vertices nothing looks at the normals, and the other way round. */
Test(hmd_model, arguments_that_types_need)
{
    static const form forms[] = {{0x00000008, "PVN", 3, true, false, 0},
                                 {0x00000009, "PVN", 3, true, false, 0},
                                 {0x00300017, "PVN", 3, true, false, 0},
                                 {0x00000217, "PVN", 3, true, false, 0},
                                 {0x00040048, "PVN", 2, true, false, 1u << 2},
                                 {0x00040049, "PVN", 2, true, false, 1u << 2},
                                 {0x00340255, "PVN", 2, true, false, 1u << 2},
                                 {0x01000000, "PVvNn", 5, true, false, 0},
                                 {0x0100000c, "PVvNn", 5, true, false, 0},
                                 {0x0120000d, "PVvNn", 5, true, false, 0},
                                 {0x0104004c, "PVvNn", 3, true, false, 1u << 3 | 1u << 4},
                                 {0x01040049, "PVvNn", 3, true, false, 1u << 3 | 1u << 4},
                                 {0x02000000, "Pp", 1, false, false, 0},
                                 {0x02000001, "Pp", 1, false, false, 0},
                                 {0x02000002, NULL, 0, false, false, 0},
                                 {0x03000000, "#PPP", 0, false, true, 0},
                                 {0x03000001, "#PPP", 0, false, true, 0},
                                 {0x03010110, "#PPP", 0, false, true, 0},
                                 {0x0401000f, NULL, 0, false, false, 0},
                                 {0x04010010, "Cw##P", 5, false, false, 0},
                                 {0x04010011, "Cw##P", 5, false, false, 0},
                                 {0x04010012, NULL, 0, false, false, 0},
                                 {0x04010017, NULL, 0, false, false, 0},
                                 {0x04010018, "C#P", 3, false, false, 0},
                                 {0x04010019, "C#P", 3, false, false, 0},
                                 {0x0401001a, NULL, 0, false, false, 0},
                                 {0x0401001f, NULL, 0, false, false, 0},
                                 {0x04010020, "w##PPVN", 7, false, false, 1u << 6},
                                 {0x04010021, "w##PPVN", 7, false, false, 1u << 5},
                                 {0x04010022, NULL, 0, false, false, 0},
                                 {0x04010027, NULL, 0, false, false, 0},
                                 {0x04010028, "#PPVN", 5, false, false, 1u << 4},
                                 {0x04010029, "#PPVN", 5, false, false, 1u << 3},
                                 {0x0401002a, NULL, 0, false, false, 0},
                                 {0x05000000, "PPPN", 4, true, false, 0},
                                 {0x05000001, "PPPNP", 5, true, false, 0},
                                 {0x05000002, NULL, 0, false, false, 0},
                                 {0x06000100, "PVvNn", 5, true, false, 0},
                                 {0x0600110c, "PVvNn", 5, true, false, 0},
                                 {0x06001114, "PVvNn", 5, true, false, 0},
                                 {0x0600100c, "PVNTTTTT#####", 13, true, false, 0},
                                 {0x06005014, "PVNTTTTT#####", 13, true, false, 0},
                                 {0x06000101, NULL, 0, false, false, 0},
                                 {0x06006014, NULL, 0, false, false, 0},
                                 {0x07000100, "P", 1, false, false, 0},
                                 {0x07010200, "P", 1, false, false, 0},
                                 {0x07020100, "PC", 2, false, false, 0},
                                 {0x07030200, "PCC", 3, false, false, 0},
                                 {0x07040200, NULL, 0, false, false, 0},
                                 {0x08000008, NULL, 0, false, false, 0},
                                 {HMD_NO_TYPE, NULL, 0, false, false, 0}};
    for (size_t i = 0; i < NUM(forms); i++) {
        hold_form(&forms[i], forms[i].type);
        hold_form(&forms[i], forms[i].type | HMD_TYPE_INI);
    }
}

/* Not even a type that is known says anything where the category is another developer's. */
Test(hmd_model, types_of_other_developers)
{
    static const uint8_t others[] = {HMD_NUM_CATEGORIES, HMD_CATEGORY_NULL, HMD_CATEGORY_FOREIGN};
    for (size_t i = 0; i < NUM(others); i++) {
        hmd_record record = record_of(0x00000008);
        record.category = others[i];
        cr_expect(hmd_shape_of(&record) == NULL);
    }
}

/* What drivers step over, whatever the size of the record. */
Test(hmd_model, words_that_drivers_step_over)
{
    static const struct {
        uint32_t type, len;
    } rows[] = {{0x00000008, 2}, {0x0100000c, 2}, {0x01000000, 7},  {0x06000100, 7},
                {0x0600100c, 2}, {0x02000000, 7}, {0x02000001, 13}, {0x03000000, 9},
                {0x04010010, 9}, {0x05000000, 4}, {0x05000001, 4},  {0x07000100, 1},
                {0x07030100, 1}, {0x07000200, 2}, {0x07010200, 3},  {0x07020200, 2},
                {0x07030200, 2}, {0x00000007, 9}, {HMD_NO_TYPE, 9}, {0x00800008, 2}};
    for (size_t i = 0; i < NUM(rows); i++) {
        const hmd_record record = record_of(rows[i].type);
        cr_expect(eq(u32, hmd_record_len(&record), rows[i].len), "0x%08x", rows[i].type);
    }
}
