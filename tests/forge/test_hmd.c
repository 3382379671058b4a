/* The HMD language and the mapping, against words worked out by hand from the format's sheets. */
#include "forge/hmd.h"
#include "forge/hmd_layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#define TERM 0xffffffffU
#define NUM(list) (sizeof(list) / sizeof(list)[0])

/* `hmd` writes four words; what a statement writes stands behind them. */
enum { FRONT_WORDS = 4 };

static bool build(forge_buf *out, forge_error *err, const char *text)
{
    *err = (forge_error){.kind = FORGE_OK};
    return forge_hmd_text(out, err, text, strlen(text), FORGE_HMD_LIMIT);
}

static uint32_t word_of(const forge_buf *out, size_t word)
{
    const uint8_t *at = out->data + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void assert_words(const forge_buf *out, size_t first, const uint32_t *expected, size_t num,
                         const char *text)
{
    cr_assert(eq(sz, out->len, 4 * (first + num)), "%s", text);
    for (size_t i = 0; i < num; i++) {
        cr_assert(eq(u32, word_of(out, first + i), expected[i]), "word %zu of %s", i, text);
    }
}

/* The text behind `hmd` gives exactly these words behind the header. */
static void assert_gives(const char *text, const uint32_t *expected, size_t num)
{
    char whole[4096];
    forge_buf out;
    forge_error err;
    (void)snprintf(whole, sizeof whole, "hmd\n%s", text);
    cr_assert(build(&out, &err, whole), "%s: %u: %s", text, err.line, err.text);
    assert_words(&out, FRONT_WORDS, expected, num, text);
    forge_buf_free(&out);
}

#define GIVES(text, ...)                                                                           \
    do {                                                                                           \
        static const uint32_t words[] = {__VA_ARGS__};                                             \
        assert_gives(text, words, NUM(words));                                                     \
    } while (0)

/* ---- frame ---- */

/* One coordinate, one triangle: every pointer and count of the frame. */
static const char small_text[] = "hmd\n"
                                 "blocks 0 @body 0\n"
                                 "coords: coordinates\n"
                                 "unit rot 0 1024 0 t 1 -2 3\n"
                                 "headers\n"
                                 "lit: header !polygons !vertices !normals !coords\n"
                                 "body: primitive header=@lit\n"
                                 "record 0x00800008 (triangle-polygons)\n"
                                 "polygons:\n"
                                 "triangle: packet 0x008 rgb 1 2 3 n 0 v 0 1 2\n"
                                 "vertices:\n"
                                 "vec 1 2 3\n"
                                 "vec -1 -2 -3\n"
                                 "vec 0 5 0\n"
                                 "normals: vec 0 0 -4096\n";

static const uint32_t small_words[] = {
    0x50,       0,          28,         3,          0,          34,         0, /* header, block
                                                                                  table */
    1,          0,                                     /* coordinates, flg */
    0x00000000, 0x00001000, 0x00001000, 0x0000f000, 0, /* 0 0 1, 0 1 0, -1 0 0; pad */
    1,          0xfffffffe, 3,                         /* t */
    0,          0,          0,          0,          0,          0,          0, 0, /* workm */
    0x04000000, 0,          0,                                                    /* rot, super */
    1,          4,          0x80000028, 0x8000002b, 0x80000031, 0x80000007, /* primitive headers */
    TERM,       29,         0x80000001,                                     /* primitive */
    0x00800008, 0x80010002, 0,                                              /* record */
    0x20030201, 0x00000000, 0x00020001,                                     /* packet */
    0x00020001, 3,          0xfffeffff, 0x0000fffd, 0x00050000, 0x0,        /* vertices */
    0,          0x0000f000,                                                 /* normal */
};

Test(forge_hmd, a_small_file_is_right_to_the_word)
{
    forge_buf out;
    forge_error err;
    cr_assert(build(&out, &err, small_text), "%u: %s", err.line, err.text);
    assert_words(&out, 0, small_words, NUM(small_words), "the small file");
    forge_buf_free(&out);
}

Test(forge_hmd, values_are_numbers_places_spans_and_counts)
{
    GIVES("word -1 0x12 1:2 -1:3 1:2:3:4", TERM, 0x12, 0x00020001, 0x0003ffff, 0x04030201);
    GIVES("a: word @a @b !b @b+2 @b-1 !a+1\nb: word (b-a) (b+1-a) (a-b) (b-a)/2 (b-a)/6", 4, 10,
          0x8000000a, 12, 9, 0x80000005, 6, 7, (uint32_t)-6, 3, 1);
    GIVES("a: word %a %b\nb: vec 1 2 3\nvec 4 5 6", 0, 2, 0x00020001, 3, 0x00050004, 6);
    GIVES("half 1 -1\nbyte 1 255 -1\nalign\nzero 4", 0xffff0001, 0x00ffff01, 0);
    GIVES("repeat 3\nword $\nendrepeat", 0, 1, 2);
}

Test(forge_hmd, header_may_lie)
{
    static const uint32_t expected[] = {0x51, 3, 0x80000099, 7, 0, 5};
    forge_buf out;
    forge_error err;
    cr_assert(
        build(&out, &err, "hmd version=0x51 flag=3 headers=0x80000099 count=7\nblocks 0 5\n"));
    assert_words(&out, 0, expected, NUM(expected), "header");
    forge_buf_free(&out);
}

Test(forge_hmd, coordinates)
{
    GIVES("coordinates count=9\nunit m 1 2 3 4 5 6 7 8 9 flg=5 pad=6 workm=7 rotpad=8 super=10", 9,
          5, 0x00020001, 0x00040003, 0x00060005, 0x00080007, 0x00060009, 0, 0, 0, 7, 0, 0, 0, 0, 0,
          0, 0, 0, 0x00080000, 10);
    /* 45 degrees each: s * s >> 12 is 2047, -s * s >> 12 is -2048, that times s is -1448; rows
     * 2047 -2048 2896, 2047+1448 2047-1448 -2048, 2047-1448 2047+1448 2047 */
    GIVES("coordinates\nunit rot 512 512 512 parent=1", 1, 0, 0xf80007ff, 0x0da70b50, 0xf8000257,
          0x0da70257, 0x000007ff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02000200, 0x00000200, 25);
}

Test(forge_hmd, headers_count_their_words)
{
    GIVES("headers\nheader * 1 2\nheader 5\nheader size=3 6", 3, 3, 3, 1, 2, 1, 5, 3, 6);
    GIVES("headers count=0\nheader", 0, 0);
}

Test(forge_hmd, primitives_and_records)
{
    GIVES("primitive next=9 header=8 count=7 map=0\nrecord 0x01000000 1 2 3 4 5 6", 9, 8, 7,
          0x01000000, 0x80000007, 1, 2, 3, 4, 5, 6);
    GIVES("primitive header=8\nrecord 8 5 count=3 div=2\nrecord 0xf0000000 size=9 scan=0", TERM, 8,
          0x80000002, 8, 0x80030002, 0x02000005, 0xf0000000, 9);
    GIVES("primitive header=0\nrecord 0x02000000 1 2 3 4 5 6\nrecord 0x02000001 1 2 3 4 5 6", TERM,
          0, 0x80000002, 0x02000000, 0x80020007, 1, 2, 3, 4, 5, 6, 0x02000001, 0x80010007, 1, 2, 3,
          4, 5, 6);
    GIVES("primitive header=0\nrecord 0x04010010 1 2\nrecord 0x05800000 1 2 3\n"
          "record 0x07000100\nrecord 0x07010200 0:0 1:7",
          TERM, 0, 0x80000004, 0x04010010, 0x80020003, 1, 2, 0x05800000, 0x80000004, 1, 2, 3,
          0x07000100, 0x80000001, 0x07010200, 0x80020003, 0, 0x00070001);
    GIVES("primitive header=0\nrecord 0x06000100\nrecord 0", TERM, 0, 0x80000002, 0x06000100,
          0x80000001, 0, 0x80000001);
}

Test(forge_hmd, a_count_is_that_of_the_packets_behind_the_label)
{
    GIVES("primitive header=0\nrecord 0x00000008 (b-a)\na:\npacket 0x008 rgb 1 1 1 n 0 v 0 1 2\n"
          "b:\npacket 0x008 rgb 1 1 1 n 0 v 0 1 2\npacket 0x008 rgb 1 1 1 n 0 v 0 1 2\nc:",
          TERM, 0, 0x80000001, 8, 0x80020002, 3, 0x20010101, 0, 0x00020001, 0x20010101, 0,
          0x00020001, 0x20010101, 0, 0x00020001);
}

/* ---- packets ---- */

Test(forge_hmd, packets_put_each_field_in_its_place)
{
    GIVES("packet 0x017 rgb 1 2 3 4 5 6 7 8 9 10 11 12 uv 1 2 3 4 5 6 7 8 n 10 11 12 13 "
          "v 20 21 22 23 clut=0x1111 page=0x2222",
          0x3c030201, 0x3c060504, 0x3c090807, 0x3c0c0b0a, 0x11110201, 0x22220403, 0x000a0605,
          0x00140807, 0x0015000b, 0x0016000c, 0x0017000d);
    GIVES("packet 0x055 rgb 1 2 3 4 5 6 7 8 9 10 11 12 uv 1 2 3 4 5 6 7 8 v 20 21 22 23 code=0x3e",
          0x3e030201, 0x3e060504, 0x3e090807, 0x3e0c0b0a, 0x00000201, 0x00000403, 0x00140605,
          0x00150807, 0x00170016);
    GIVES("packet 0x010 v 1 2 3 4 n 5 rgb 9 9 9 pad=7", 0x28090909, 0x00010005, 0x00030002,
          0x00070004);
    GIVES("packet 0x011 uv 1 2 3 4 5 6 7 8 n 9 v 1 2 3 4", 0x00000201, 0x00000403, 0x00000605,
          0x00090807, 0x00020001, 0x00040003);
}

Test(forge_hmd, tiles_have_a_window)
{
    /* tva 12 << 15, tua 8 << 10, tvm 24 << 5, tum 28: of (64, 96), 32 by 64 */
    GIVES("packet 0x209 tile 64 96 32 64 uv 0 0 0 0 0 0 n 1 v 1 2 3", 0xe206231c, 0, 0, 0,
          0x00010001, 0x00030002);
    GIVES("packet 0x249 window=5 rgb 0 0 0 uv 0 0 0 0 0 0 v 1 2 3", 5, 0x24000000, 0, 0, 0x00010000,
          0x00030002);
    GIVES("mesh 0x219 window=5 uv 0 0 0 0 0 0 n 1 v 1 2 3\nstrip window=6 uv 0 0 0 0 0 0 n 4 v 5",
          2, 5, 0, 0, 0, 0x00010001, 0x00030002, 6, 0, 0, 0, 0x00050004);
}

Test(forge_hmd, meshes_count_their_triangles)
{
    GIVES("mesh 0x01c rgb 1 1 1 n 1 2 3 v 4 5 6\nstrip rgb 2 2 2 n 7 8 9 v 10\n"
          "strip rgb 3 3 3 n 7 8 9 v 11",
          3, 0x30010101, 0x00040001, 0x00050002, 0x00060003, 0x30020202, 0x00080007, 0x000a0009,
          0x30030303, 0x00080007, 0x000b0009);
    GIVES("mesh 0x058 rgb 1 1 1 v 4 5 6 num=0x10001\nstrip rgb 2 2 2 v 7", 0x10001, 0x20010101,
          0x00050004, 6, 0x20020202, 7);
}

Test(forge_hmd, presets_hold_two_buffers)
{
    GIVES("packet 0x14d rgb 1 1 1 2 2 2 3 3 3 uv 1 2 3 4 5 6 v 7 8 9 clut=0x11 page=0x22 "
          "xy 1 2 3 4 -1 -2 dma=5",
          5, 0x34010101, 0x00020001, 0x00110201, 0x00020202, 0x00040003, 0x00220403, 0x00030303,
          0xfffeffff, 0x00000605, 5, 0x34010101, 0x00020001, 0x00110201, 0x00020202, 0x00040003,
          0x00220403, 0x00030303, 0xfffeffff, 0x00070605, 0x00090008);
}

typedef struct packet_size {
    uint32_t type;
    size_t first; /* bytes, without the number of a mesh */
    size_t further;
} packet_size;

/* The sizes that the sheet gives, apart from its words. */
static const packet_size sizes[] = {
    {0x008, 12, 0},  {0x009, 20, 0},  {0x00a, 20, 0},  {0x00b, 32, 0},  {0x00c, 16, 0},
    {0x00d, 24, 0},  {0x00e, 24, 0},  {0x00f, 36, 0},  {0x010, 16, 0},  {0x011, 24, 0},
    {0x012, 28, 0},  {0x013, 40, 0},  {0x014, 20, 0},  {0x015, 28, 0},  {0x016, 32, 0},
    {0x017, 44, 0},  {0x048, 12, 0},  {0x049, 20, 0},  {0x04c, 20, 0},  {0x04d, 28, 0},
    {0x050, 12, 0},  {0x051, 24, 0},  {0x054, 24, 0},  {0x055, 36, 0},  {0x018, 12, 8},
    {0x019, 20, 16}, {0x01a, 20, 8},  {0x01b, 32, 28}, {0x01c, 16, 12}, {0x01d, 24, 20},
    {0x01e, 24, 12}, {0x01f, 36, 32}, {0x058, 12, 8},  {0x059, 20, 16}, {0x05c, 20, 16},
    {0x05d, 28, 24}, {0x148, 48, 0},  {0x149, 68, 0},  {0x14c, 64, 0},  {0x14d, 84, 0},
    {0x150, 56, 0},  {0x151, 88, 0},  {0x154, 80, 0},  {0x155, 112, 0}, {0x158, 48, 44},
    {0x159, 68, 64}, {0x15c, 64, 60}, {0x15d, 84, 80},
};

static size_t layout_bytes(const char *layout)
{
    size_t words = layout != NULL && layout[0] != '\0' ? 1 : 0;
    for (const char *at = layout; at != NULL && *at != '\0'; at++) {
        words += *at == ' ' ? 1 : 0;
    }
    return 4 * words;
}

Test(forge_hmd, layouts_have_the_sizes_of_the_sheet)
{
    size_t num = 0;
    for (uint32_t type = 0; type < 0x10000; type++) {
        num += (type & FORGE_LAYOUT_TILE) == 0 && forge_layout_of(type) != NULL ? 1 : 0;
    }
    cr_assert(eq(sz, num, NUM(sizes)));
    for (size_t i = 0; i < NUM(sizes); i++) {
        const forge_layout *layout = forge_layout_of(sizes[i].type);
        cr_assert(layout != NULL);
        cr_assert(eq(sz, layout_bytes(layout->first), sizes[i].first), "type 0x%x", sizes[i].type);
        cr_assert(eq(sz, layout_bytes(layout->further), sizes[i].further), "type 0x%x",
                  sizes[i].type);
    }
    cr_assert(forge_layout_of(0x20a) == NULL); /* no texture */
    cr_assert(forge_layout_of(0x349) == NULL); /* preset and tile */
}

/* ---- animation ---- */

Test(forge_hmd, descriptors)
{
    GIVES("table 0x03000011 0x03010110", 0x80000002, 0x03000011, 0x03010110);
    GIVES("table 1 count=5 scan=0", 5, 1);
    GIVES("key type=1 tframe=2 param=3\nkey type=127 tframe=255 param=0xffff", 0x01020003,
          0x7fffffff);
    GIVES("a: jump dst=1 cnd=2 to=3\njump to=(b-a)\nb:", 0x80820003, 0x80000002);
    GIVES("end\nend p1=3\nwork p2=4 p1=127\ncontrol code=9 p1=1 p2=2", 0xc0800000, 0xc0830000,
          0xc17f0004, 0xc4810002);
}

Test(forge_hmd, keys_are_packed_in_the_order_of_the_type)
{
    GIVES("value 0x03000111 t 1 2 3 r 4 5 6 s 7 8 9", 1, 2, 3, 0x00050004, 0x00070006, 0x00090008);
    GIVES("value 0x03005919 t 1 2 3 r 4 5 6 s 7", 0x00020001, 0x00040003, 0x00060005, 7);
    GIVES("value 0x0300002a t 1 2 3 4 5 6 7 8 9 r 11 12 13 14 15 16 17 18 -1", 0x00020001,
          0x00040003, 0x00060005, 0x00080007, 0x000b0009, 0x000d000c, 0x000f000e, 0x00110010,
          0xffff0012);
    GIVES("value 0x03000002 t 1 2 3 4 5 6 7 8 -9", 1, 2, 3, 4, 5, 6, 7, 8, (uint32_t)-9);
    GIVES("value 0x03000030 r 1 2 3", 0x00020001, 3);
    GIVES("value 0x03010272 v 1 2 3 4 5 6 7 8 255", 0x04030201, 0x08070605, 0xff);
    GIVES("value 0x03010110 v -5\nvalue 0x03010182 v 200\nvalue 0x03010211 v 1 2 3", (uint32_t)-5,
          200, 0x00020001, 3);
}

Test(forge_hmd, sequences_and_what_they_manage)
{
    GIVES("primitive header=0\nrecord 0x03800000\nsequence coord=2 start=5 startsid=1\n"
          "managed 6 sid=2\nmanaged 7 sid=3 pad=4\nsequence section=5 offset=9 start=8 speed=-1",
          TERM, 0, 0x80000001, 0x03800000, 0x80020011, 0x04000029, 0x00030009, 0, 0xffff1000, 0, 0,
          0x00010005, 0x00020006, 0x04030007, 0x05000009, 0x00010007, 0, 0xffffff00, 0, 0, 8);
}

Test(forge_hmd, sequence_fields_may_be_given)
{
    GIVES("primitive header=0\nrecord 0x03000000 size=1 count=9\nsequence offset=1 start=2 size=3 "
          "num=4 ii=5 aframe=6 sid=7 speed=8 srcii=9 rframe=10 tframe=11 ci=12 ti=13 startsid=14 "
          "traveling=15",
          TERM, 0, 0x80000001, 0x03000000, 0x80090001, 0x04000001, 0x00040003, 0x00060005,
          0x00090807, 0x000b000a, 0x000d000c, 0x0f0e0002);
}

/* ---- MIMe, ground, devices ---- */

Test(forge_hmd, joint_differences_and_their_reset)
{
    GIVES("joint 3\ndelta 0 dv 1 2 3\ndelta 9 dt 4 5 6\ndelta 31 dv 0 0 -1 dt 0 0 -1\nreset rpy",
          0x00030003, 0x80000201, 0x00020001, 0x00010003, 0, 0, 0, 0, 0x00020000, 4, 5, 6, 0,
          0x0003ffff, 0, 0, TERM, 0, 0, 0, 0, 0);
    GIVES("joint 1 n=7 flags=8\ndelta 0 dtp=9\nreset axes changed=1", 0x00070001, 8, 0, 0x00090000,
          0, 0, 0, 0, 0, 0, 0, 0x00010000, 0, 0, 0);
}

Test(forge_hmd, shape_differences_and_their_resets)
{
    GIVES("a: shape\ndiff 1 (b-a)\nnotify (c+2-a)\nb: deltas 5\nvec 1 2 3\nvec 4 5 6\nresets\n"
          "c: original 7 8 9\noriginal 1 2 3 changed=1",
          0x00010001, 2, 4, 13, 5, 0x00020000, 0x00020001, 3, 0x00050004, 6, 0x00020000, 7, 8,
          0x00090000, 1, 2, 0x00030001);
    GIVES("shape m=1 n=2 flags=3\ndeltas 0 count=4 pad=5\nresets n=6 pad=7", 0x00020001, 3, 0,
          0x00040005, 0x00060007);
}

Test(forge_hmd, ground)
{
    GIVES("ground -1 -2 3 4 5 6 base=7\nrow 8 9\nrow 10 11", 0xfffeffff, 0x00040003, 0x00060005,
          0x00070002, 0x00090008, 0x000b000a);
    GIVES("cell flat 1 2 3 4\ncell textured 5 6", 0x00030201, 4, 0x00060005);
    GIVES("corners 1 2 3 4 5 6 7 8 clut=9 page=10", 0x00090201, 0x000a0403, 0x08070605);
}

Test(forge_hmd, devices)
{
    GIVES("camera 1 2 3 4 5 6 7 -8", 1, 2, 3, 4, 5, 6, 7, (uint32_t)-8);
    GIVES("light 1 2 3\nlight 1 2 3 4 5 6 7 8 9 pad=1", 0x00030201, 0x01030201, 4, 5, 6, 7, 8, 9);
}

/* ---- lies ---- */

Test(forge_hmd, patches_come_last_and_cut_after_them)
{
    GIVES("patch @a+1 !b\npatch 4 7\na: word @b @b\nb: word 3", 7, 0x80000006, 3);
    forge_buf out;
    forge_error err;
    cr_assert(build(&out, &err, "hmd\nword 1 @e\ne: word 2\ncut 3\n"));
    cr_assert(eq(sz, out.len, 25));
    cr_assert(eq(u32, word_of(&out, 5), 6));
    forge_buf_free(&out);
    cr_assert(build(&out, &err, "hmd\ncut to 6\n"));
    cr_assert(eq(sz, out.len, 6));
    forge_buf_free(&out);
}

Test(forge_hmd, limit_is_exact)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    cr_assert(forge_hmd_text(&out, &err, "hmd\nword 1", 10, 20));
    forge_buf_free(&out);
    cr_assert(not(forge_hmd_text(&out, &err, "hmd\nword 1", 10, 19)));
    cr_assert(eq(str, err.text, "the file grows past the output limit of 19 bytes"));
    cr_assert(eq(u32, err.line, 2));
    forge_buf_free(&out);
}

/* ---- memory ---- */

enum { BASE = 0x1000 };

/* Two primitives in a chain, one entered twice, animation, a parent: what every stage touches. */
static const char mapped_text[] = "hmd\n"
                                  "blocks @anim @first @second 0\n"
                                  "coords: coordinates\n"
                                  "unit\n"
                                  "unit parent=0\n"
                                  "headers\n"
                                  "h1: header 5 !coords\n"
                                  "h2: header * !table\n"
                                  "anim: primitive header=@h2\n"
                                  "record 0x03800000\n"
                                  "first: primitive next=@second header=@h1\n"
                                  "record 0x00800008 0 count=0\n"
                                  "record 0x00000008 0 count=0\n"
                                  "second: primitive header=@h1\n"
                                  "record 0x00000010 0 count=0\n"
                                  "table: table 0x03000011 0x03000012\n";

enum {
    W_SUPER0 = 8 + 20,
    W_SUPER1 = W_SUPER0 + 20,
    W_HEADERS = W_SUPER1 + 1,
    W_H1 = W_HEADERS + 1,
    W_H2 = W_H1 + 3,
    W_ANIM = W_H2 + 3,
    W_FIRST = W_ANIM + 5,
    W_SECOND = W_FIRST + 9,
    W_TABLE = W_SECOND + 6
};

typedef struct change {
    size_t word;
    uint32_t value;
} change;

static const change mapped[] = {
    {1, 1},
    {2, BASE + 4 * W_HEADERS},
    {4, BASE + 4 * W_ANIM},
    {5, BASE + 4 * W_FIRST},
    {6, BASE + 4 * W_SECOND},
    {W_H1 + 2, BASE + 4 * 8},
    {W_H2 + 2, BASE + 4 * W_TABLE},
    {W_ANIM + 1, BASE + 4 * W_H2},
    {W_ANIM + 2, 1},
    {W_FIRST, BASE + 4 * W_SECOND},
    {W_FIRST + 1, BASE + 4 * W_H1},
    {W_FIRST + 2, 2},
    {W_SECOND + 1, BASE + 4 * W_H1},
    {W_SECOND + 2, 1},
};

/* Made-up drivers lie above a low base, a kilobyte apiece; that of 0x10 is given. */
static const change scanned[] = {
    {W_ANIM + 3, 0x80180000},  {W_ANIM + 4, 1},  {W_FIRST + 3, 0x80180400},  {W_FIRST + 4, 2},
    {W_FIRST + 6, 0x80180400}, {W_FIRST + 7, 2}, {W_SECOND + 3, 0x80001234}, {W_SECOND + 4, 2},
};

static const change coordinates[] = {
    {W_H1, 1},    {W_SUPER0, 0x80004000},    {W_SUPER1, BASE + 4 * 9},
    {W_TABLE, 2}, {W_TABLE + 1, 0x80180800}, {W_TABLE + 2, 0x80180c00},
};

static void apply(uint32_t *words, const change *changes, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        words[changes[i].word] = changes[i].value;
    }
}

static void assert_mapped(const forge_buf *file, forge_hmd_stage stage, const uint32_t *expected)
{
    static const forge_hmd_driver driver = {.type = 0x10, .address = 0x80001234};
    const forge_hmd_memory memory = {.base = BASE,
                                     .stage = stage,
                                     .drivers = &driver,
                                     .num_drivers = 1,
                                     .has_root = true,
                                     .root = 0x80004000};
    forge_error err = {.kind = FORGE_OK};
    forge_buf copy = forge_buf_make(file->len);
    forge_buf_bytes(&copy, file->data, file->len);
    cr_assert(forge_hmd_map(copy.data, &err, copy.len, &memory), "%s", err.text);
    for (size_t i = 0; i < file->len / 4; i++) {
        cr_assert(eq(u32, word_of(&copy, i), expected[i]), "stage %d, word %zu", (int)stage, i);
    }
    cr_assert(not(forge_hmd_map(copy.data, &err, copy.len, &memory)));
    cr_assert(eq(str, err.text, "the file is mapped already: its map flag is set"));
    forge_buf_free(&copy);
}

Test(forge_hmd, every_stage_changes_what_the_library_changes)
{
    forge_buf out;
    forge_error err;
    uint32_t words[128];
    cr_assert(build(&out, &err, mapped_text), "%u: %s", err.line, err.text);
    cr_assert(eq(sz, out.len, 4 * (W_TABLE + 3)));
    for (size_t i = 0; i < out.len / 4; i++) {
        words[i] = word_of(&out, i);
    }
    apply(words, mapped, NUM(mapped));
    assert_mapped(&out, FORGE_HMD_MAPPED, words);
    apply(words, scanned, NUM(scanned));
    assert_mapped(&out, FORGE_HMD_SCANNED, words);
    apply(words, coordinates, NUM(coordinates));
    assert_mapped(&out, FORGE_HMD_COORDINATES, words);
    assert_mapped(&out, FORGE_HMD_PLAYING, words);
    forge_buf_free(&out);
}

static void assert_unmappable(const char *text, uint32_t base, const char *message)
{
    const forge_hmd_memory memory = {.base = base, .stage = FORGE_HMD_PLAYING};
    forge_buf out;
    forge_error err;
    cr_assert(build(&out, &err, text), "%u: %s", err.line, err.text);
    cr_assert(not(forge_hmd_map(out.data, &err, out.len, &memory)), "%s", text);
    cr_assert(eq(str, err.text, (char *)message));
    forge_buf_free(&out);
}

Test(forge_hmd, what_cannot_be_mapped_is_refused)
{
    assert_unmappable(mapped_text, 2, "base 0x00000002 is no multiple of 4");
    assert_unmappable("hmd\ncut 1", 0, "header: word 3 is past the end of the file, which has 3");
    assert_unmappable("hmd count=9\nheaders", 0,
                      "block table: word 12 is past the end of the file, which has 5");
    assert_unmappable("hmd\nblocks 9\nheaders", 0,
                      "primitive: word 11 is past the end of the file, which has 6");
    assert_unmappable("hmd\nheaders\nheader size=0xffffffff", 0,
                      "primitive header: word 4294967300 is past the end of the file, which has 6");
    assert_unmappable("hmd\nblocks @p\nheaders\nh: header\np: primitive header=@h next=@p", 0,
                      "a chain of primitives is cyclic");
    assert_unmappable("hmd\nblocks @p\nheaders\nh: header\np: primitive header=@h\n"
                      "record 0x00800008 0 count=0",
                      0, "the header of a record with INI has no words");
}

/* Whatever the words, the mapping ends and stays inside of the bytes. */
Test(forge_hmd, mapping_survives_any_word)
{
    forge_buf out;
    forge_error err;
    cr_assert(build(&out, &err, mapped_text));
    static const uint32_t values[] = {0, 1, 0x7fffffff, 0x80000000, TERM, 0x80000001, 8, 60};
    for (size_t i = 0; i < out.len / 4; i++) {
        for (size_t k = 0; k < NUM(values); k++) {
            const forge_hmd_memory memory = {.stage = FORGE_HMD_PLAYING};
            forge_buf copy = forge_buf_make(out.len);
            forge_buf_bytes(&copy, out.data, out.len);
            forge_put_u32(copy.data + 4 * i, values[k]);
            err = (forge_error){.kind = FORGE_OK};
            bool ok = forge_hmd_map(copy.data, &err, copy.len, &memory);
            cr_assert(ok || err.kind == FORGE_BAD);
            forge_buf_free(&copy);
        }
    }
    forge_buf_free(&out);
}
