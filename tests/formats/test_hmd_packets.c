/* Layouts of polygon packets and the types with a driver, against a transcription of their own: the
 * rows below are the format's description as text, token for token, and are parsed here.
 */
#include "hmd/hmd_packets.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layouts ---- */

/* Sizes in bytes: of a packet or the first one, of each further one. A token is a word. Cxx is a
 * colour with a code, c one without; U a texture position with CLUT, page, nothing, a normal or a
 * vertex; n and v numbers of normals and vertices; T texture window, N number of triangles, D DMA
 * tag, X screen position. */
typedef struct layout_row {
    uint32_t type;
    size_t first_len, more_len;
    const char *first, *more;
} layout_row;

/* clang-format off */
static const layout_row layout_rows[] = {
    {0x008, 12, 0, "C20 n0v0 v1v2", NULL},
    {0x009, 20, 0, "Uc Ut U- n0v0 v1v2", NULL},
    {0x00a, 20, 0, "C30 C30 C30 n0v0 v1v2", NULL},
    {0x00b, 32, 0, "C34 C34 C34 Uc Ut U- n0v0 v1v2", NULL},
    {0x00c, 16, 0, "C30 n0v0 n1v1 n2v2", NULL},
    {0x00d, 24, 0, "Uc Ut U- n0v0 n1v1 n2v2", NULL},
    {0x00e, 24, 0, "C30 C30 C30 n0v0 n1v1 n2v2", NULL},
    {0x00f, 36, 0, "C34 C34 C34 Uc Ut U- n0v0 n1v1 n2v2", NULL},
    {0x010, 16, 0, "C28 n0v0 v1v2 v3-", NULL},
    {0x011, 24, 0, "Uc Ut U- Un0 v0v1 v2v3", NULL},
    {0x012, 28, 0, "C38 C38 C38 C38 n0v0 v1v2 v3-", NULL},
    {0x013, 40, 0, "C3c C3c C3c C3c Uc Ut U- Un0 v0v1 v2v3", NULL},
    {0x014, 20, 0, "C38 n0v0 n1v1 n2v2 n3v3", NULL},
    {0x015, 28, 0, "Uc Ut Un0 Uv0 n1v1 n2v2 n3v3", NULL},
    {0x016, 32, 0, "C38 C38 C38 C38 n0v0 n1v1 n2v2 n3v3", NULL},
    {0x017, 44, 0, "C3c C3c C3c C3c Uc Ut Un0 Uv0 n1v1 n2v2 n3v3", NULL},
    {0x048, 12, 0, "C20 v0v1 v2-", NULL},
    {0x049, 20, 0, "C24 Uc Ut Uv0 v1v2", NULL},
    {0x04c, 20, 0, "C30 C30 C30 v0v1 v2-", NULL},
    {0x04d, 28, 0, "C34 C34 C34 Uc Ut Uv0 v1v2", NULL},
    {0x050, 12, 0, "C28 v0v1 v2v3", NULL},
    {0x051, 24, 0, "C2c Uc Ut Uv0 Uv1 v2v3", NULL},
    {0x054, 24, 0, "C38 C38 C38 C38 v0v1 v2v3", NULL},
    {0x055, 36, 0, "C3c C3c C3c C3c Uc Ut Uv0 Uv1 v2v3", NULL},
    {0x018, 16, 8, "N C20 n2v0 v1v2",
     "C20 n3v3"},
    {0x019, 24, 16, "N Uc Ut U- n2v0 v1v2",
     "Uc Ut U- n3v3"},
    {0x01a, 24, 8, "N C30 C30 C30 n2v0 v1v2",
     "C30 n3v3"},
    {0x01b, 36, 28, "N C34 C34 C34 Uc Ut U- n2v0 v1v2",
     "C34 C34 C34 Uc Ut U- n3v3"},
    {0x01c, 20, 12, "N C30 n0v0 n1v1 n2v2",
     "C30 n1n2 n3v3"},
    {0x01d, 28, 20, "N Uc Ut U- n0v0 n1v1 n2v2",
     "Uc Ut U- n1n2 n3v3"},
    {0x01e, 28, 12, "N C30 C30 C30 n0v0 n1v1 n2v2",
     "C30 n1n2 n3v3"},
    {0x01f, 40, 32, "N C34 C34 C34 Uc Ut U- n0v0 n1v1 n2v2",
     "C34 C34 C34 Uc Ut U- n1n2 n3v3"},
    {0x058, 16, 8, "N C20 v0v1 v2-",
     "C20 v3-"},
    {0x059, 24, 16, "N C24 Uc Ut Uv0 v1v2",
     "C24 Uc Ut Uv3"},
    {0x05c, 24, 16, "N C30 C30 C30 v0v1 v2-",
     "C30 C30 C30 v3-"},
    {0x05d, 32, 24, "N C34 C34 C34 Uc Ut Uv0 v1v2",
     "C34 C34 C34 Uc Ut Uv3"},
    {0x219, 28, 20, "N T Uc Ut U- n2v0 v1v2",
     "T Uc Ut U- n3v3"},
    {0x21b, 40, 32, "N T C34 C34 C34 Uc Ut U- n2v0 v1v2",
     "T C34 C34 C34 Uc Ut U- n3v3"},
    {0x21d, 32, 24, "N T Uc Ut U- n0v0 n1v1 n2v2",
     "T Uc Ut U- n1n2 n3v3"},
    {0x21f, 44, 36, "N T C34 C34 C34 Uc Ut U- n0v0 n1v1 n2v2",
     "T C34 C34 C34 Uc Ut U- n1n2 n3v3"},
    {0x259, 28, 20, "N T C24 Uc Ut Uv0 v1v2",
     "T C24 Uc Ut Uv3"},
    {0x25d, 36, 28, "N T C34 C34 C34 Uc Ut Uv0 v1v2",
     "T C34 C34 C34 Uc Ut Uv3"},
    {0x148, 48, 0, "D C20 X0 X1 X2 D C20 X0 X1 X2 v0v1 v2-", NULL},
    {0x149, 68, 0, "D C24 X0 Uc X1 Ut X2 U- D C24 X0 Uc X1 Ut X2 Uv0 v1v2", NULL},
    {0x14c, 64, 0, "D C30 X0 c X1 c X2 D C30 X0 c X1 c X2 v0v1 v2-", NULL},
    {0x14d, 84, 0, "D C34 X0 Uc c X1 Ut c X2 U- D C34 X0 Uc c X1 Ut c X2 Uv0 v1v2", NULL},
    {0x150, 56, 0, "D C28 X0 X1 X2 X3 D C28 X0 X1 X2 X3 v0v1 v2v3", NULL},
    {0x151, 88, 0, "D C2c X0 Uc X1 Ut X2 U- X3 U- D C2c X0 Uc X1 Ut X2 U- X3 U- v0v1 v2v3", NULL},
    {0x154, 80, 0, "D C38 X0 c X1 c X2 c X3 D C38 X0 c X1 c X2 c X3 v0v1 v2v3", NULL},
    {0x155, 112, 0, "D C3c X0 Uc c X1 Ut c X2 U- c X3 U- "
     "D C3c X0 Uc c X1 Ut c X2 U- c X3 U- v0v1 v2v3", NULL},
    {0x158, 52, 44, "N D C20 X0 X1 X2 D C20 X0 X1 X2 v0v1 v2-",
     "D C20 X1 X2 X3 D C20 X1 X2 X3 v3-"},
    {0x159, 72, 64, "N D C24 X0 Uc X1 Ut X2 U- D C24 X0 Uc X1 Ut X2 Uv0 v1v2",
     "D C24 X1 Uc X2 Ut X3 U- D C24 X1 Uc X2 Ut X3 Uv3"},
    {0x15c, 68, 60, "N D C30 X0 c X1 c X2 D C30 X0 c X1 c X2 v0v1 v2-",
     "D C30 X1 c X2 c X3 D C30 X1 c X2 c X3 v3-"},
    {0x15d, 88, 80, "N D C34 X0 Uc c X1 Ut c X2 U- D C34 X0 Uc c X1 Ut c X2 Uv0 v1v2",
     "D C34 X1 Uc c X2 Ut c X3 U- D C34 X1 Uc c X2 Ut c X3 Uv3"},
};
/* clang-format on */

/* The packet of the type without bit 9, behind a texture window. */
enum { TILE = 0x200 };
static const struct {
    uint32_t type;
    size_t len;
} tiled_rows[] = {
    {0x209, 24}, {0x20b, 36}, {0x20d, 28}, {0x20f, 40}, {0x211, 28}, {0x213, 44},
    {0x215, 32}, {0x217, 48}, {0x249, 24}, {0x24d, 32}, {0x251, 28}, {0x255, 40},
};

enum { NUM_ROWS = sizeof layout_rows / sizeof layout_rows[0] };
enum { NUM_TILED = sizeof tiled_rows / sizeof tiled_rows[0] };

/* What a letter of a token names in a half word. */
static uint8_t half_of(char letter)
{
    return letter == 'n'   ? HMD_HALF_NORMAL
           : letter == 'v' ? HMD_HALF_VERTEX
           : letter == '-' ? HMD_HALF_PAD
                           : HMD_HALF_DATA;
}

static hmd_packet_word parse_token(const char *token)
{
    hmd_packet_word word = {HMD_WORD_HALVES, 0, HMD_HALF_DATA, HMD_HALF_DATA};
    switch (token[0]) {
    case 'C':
        word.kind = HMD_WORD_CODE;
        word.code = (uint8_t)strtoul(token + 1, NULL, 16);
        break;
    case 'c':
        word.kind = HMD_WORD_COLOUR;
        break;
    case 'T':
        word.kind = HMD_WORD_WINDOW;
        break;
    case 'N':
        word.kind = HMD_WORD_NUM;
        break;
    case 'D':
    case 'X':
        word.kind = HMD_WORD_WORK;
        break;
    case 'U':
        word.high = half_of(token[1]);
        break;
    default:
        HOLD(token[0] == 'n' || token[0] == 'v', "token %s", token);
        word.low = half_of(token[0]);
        word.high = half_of(token[2]);
    }
    return word;
}

/* Compares `num` words with tokens; `num` and `len` must both be their number. */
static void compare(uint32_t type, const char *text, size_t len, size_t num,
                    const hmd_packet_word *words)
{
    char copy[200];
    HOLD((size_t)snprintf(copy, sizeof copy, "%s", text) < sizeof copy, "too long");
    size_t at = 0;
    for (const char *token = strtok(copy, " "); token != NULL; token = strtok(NULL, " ")) {
        const hmd_packet_word want = parse_token(token);
        HOLD(at < num, "%03x: only %zu words", type, num);
        HOLD(words[at].kind == want.kind, "%03x word %zu: kind", type, at);
        HOLD(words[at].code == want.code, "%03x word %zu: code", type, at);
        HOLD(words[at].low == want.low, "%03x word %zu: lower half", type, at);
        HOLD(words[at].high == want.high, "%03x word %zu: upper half", type, at);
        at++;
    }
    HOLD(at == num && 4 * at == len, "%03x: %zu words, not %zu or %zu bytes", type, num, at, len);
}

/* "preset mesh NF3", "tiled CGT4": from the bits of the type. */
static void expect_name(char *name, size_t size, uint32_t type)
{
    const uint32_t shape = type >> 3 & 7; /* 1 triangle, 2 quadrangle, 3 strip mesh */
    snprintf(name, size, "%s%s%s%s%s%s%s%c", type & 0x100 ? "preset " : "",
             type & 0x200 ? "tiled " : "", shape == 3 ? "mesh " : "", type & 0x40 ? "N" : "",
             type & 2 ? "C" : "", type & 4 ? "G" : "F", type & 1 ? "T" : "",
             shape == 2 ? '4' : '3');
}

static void check_row(const layout_row *row)
{
    const hmd_packet_layout *layout = hmd_packet_layout_of(row->type);
    HOLD(layout != NULL, "%03x has no layout", row->type);
    HOLD(layout->primitive_type == row->type, "%03x has another's layout", row->type);
    HOLD(layout->is_mesh == (row->more != NULL), "%03x: mesh", row->type);
    HOLD(layout->is_preset == ((row->type & 0x100) != 0), "%03x: preset", row->type);
    char name[32];
    expect_name(name, sizeof name, row->type);
    HOLD(strcmp(layout->name, name) == 0, "%03x: %s, not %s", row->type, layout->name, name);
    compare(row->type, row->first, row->first_len, layout->num_first, layout->first);
    if (row->more != NULL) {
        compare(row->type, row->more, row->more_len, layout->num_more, layout->more);
    } else {
        HOLD(layout->num_more == 0 && layout->more == NULL, "%03x: more", row->type);
    }
}

static const layout_row *row_of(uint32_t type)
{
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (layout_rows[i].type == type) {
            return &layout_rows[i];
        }
    }
    return NULL;
}

Test(hmd_packets, every_layout_is_as_described)
{
    for (size_t i = 0; i < NUM_ROWS; i++) {
        check_row(&layout_rows[i]);
    }
}

Test(hmd_packets, a_tile_puts_a_window_in_front)
{
    for (size_t i = 0; i < NUM_TILED; i++) {
        const layout_row *plain = row_of(tiled_rows[i].type & ~(uint32_t)TILE);
        HOLD(plain != NULL, "%03x", tiled_rows[i].type);
        char first[200];
        snprintf(first, sizeof first, "T %s", plain->first);
        const layout_row row = {tiled_rows[i].type, tiled_rows[i].len, 0, first, NULL};
        check_row(&row);
    }
}

static bool is_described(uint32_t type)
{
    for (size_t i = 0; i < NUM_TILED; i++) {
        if (tiled_rows[i].type == type) {
            return true;
        }
    }
    return row_of(type) != NULL;
}

Test(hmd_packets, no_other_layout_exists)
{
    cr_assert(eq(sz, hmd_num_packet_layouts, NUM_ROWS + NUM_TILED));
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        HOLD(hmd_packet_layout_of(hmd_packet_layouts[i]->primitive_type) == hmd_packet_layouts[i],
             "%03x stands twice", hmd_packet_layouts[i]->primitive_type);
    }
    for (uint32_t type = 0; type <= 0xffff; type++) {
        HOLD((hmd_packet_layout_of(type) != NULL) == is_described(type), "%04x", type);
    }
}

/* Shared polygons: the types of all rows of drivers. */
static const uint32_t shared_types[] = {0x0c,  0x0d,  0x0e,  0x0f,  0x14,  0x15,  0x16,  0x17,
                                        0x48,  0x49,  0x4c,  0x4d,  0x50,  0x51,  0x54,  0x55,
                                        0x20d, 0x20f, 0x215, 0x217, 0x249, 0x24d, 0x251, 0x255};
enum { NUM_SHARED = sizeof shared_types / sizeof shared_types[0] };

Test(hmd_packets, shared_types_with_a_driver_have_the_layout_of_polygons)
{
    size_t num = 0;
    for (uint32_t type = 0; type <= 0xffff; type++) {
        const hmd_packet_layout *layout = hmd_packet_layout_of(0x01000000 | type);
        HOLD(layout == NULL || layout == hmd_packet_layout_of(type), "%04x", type);
        num += layout != NULL;
    }
    cr_assert(eq(sz, num, NUM_SHARED));
    for (size_t i = 0; i < NUM_SHARED; i++) {
        HOLD(hmd_packet_layout_of(0x01000000 | shared_types[i]) != NULL, "%03x", shared_types[i]);
    }
}

Test(hmd_packets, layouts_do_not_ask_for_driver_bits)
{
    for (uint32_t bits = 0; bits <= 0xff; bits++) { /* INI among them */
        for (uint32_t category = 0; category <= 1; category++) {
            for (uint32_t type = 0; type <= 0x3ff; type++) {
                const uint32_t upper = category << 24;
                HOLD(hmd_packet_layout_of(upper | bits << 16 | type) ==
                         hmd_packet_layout_of(upper | type),
                     "bits %02x category %u type %03x", bits, category, type);
            }
        }
    }
}

Test(hmd_packets, environment_maps_borrow_the_gouraud_layouts)
{
    size_t num = 0;
    for (uint32_t type = 0; type <= 0xffff; type++) {
        num += hmd_packet_layout_of(0x06000000 | type) != NULL;
    }
    cr_assert(eq(sz, num, 12));
    for (uint32_t map = 0x10; map <= 0x50; map += 0x10) {
        for (uint32_t shared = 0; shared <= (map == 0x10); shared++) {
            const uint32_t type = 0x06000000 | (map + shared) << 8;
            HOLD(hmd_packet_layout_of(type | 0x0c) == hmd_packet_layout_of(0x0c), "%08x", type);
            HOLD(hmd_packet_layout_of(type | 0x14) == hmd_packet_layout_of(0x14), "%08x", type);
            HOLD(hmd_packet_layout_of(type | 0x0080000c) == hmd_packet_layout_of(0x0c), "INI");
            HOLD(hmd_packet_layout_of(type | 0x0002000c) == NULL, "%08x with FOG", type);
        }
    }
}

Test(hmd_packets, no_layout_is_made_up)
{
    static const uint32_t none[] = {
        0x00000000,                                     /* null driver */
        0x01000000, 0x01800000, 0x06000100,             /* pre-calculation */
        0x01000008, 0x0100000a, 0x01000010, 0x01000013, /* flat and shared */
        0x01000209, 0x0100020b, 0x01000211, 0x01000213, /* and tiled */
        0x01000018, 0x0100001c, 0x01040058, 0x01040148, /* meshes and presets shared */
        0x0000004a, 0x00000208, 0x00000248, 0x0000020c, /* no such combination of bits */
        0x06000008, 0x0600000c, 0x06001008, 0x0600210c, 0x0600600c,
        0x02000008, 0x0300000c, 0x05000014, 0x07000008, /* other categories */
        0x10000008, 0xf000000c, 0x1600100c,             /* another developer's */
        0x00001008, 0xffffffff};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        HOLD(hmd_packet_layout_of(none[i]) == NULL, "%08x", none[i]);
    }
}

/* A reader looks at the kind first; what it need not look at is 0. */
Test(hmd_packets, only_words_of_halves_have_halves)
{
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *layout = hmd_packet_layouts[i];
        for (size_t k = 0; k < (size_t)layout->num_first + layout->num_more; k++) {
            const hmd_packet_word *word =
                k < layout->num_first ? &layout->first[k] : &layout->more[k - layout->num_first];
            HOLD(word->kind == HMD_WORD_HALVES || (word->low == 0 && word->high == 0), "halves");
            HOLD(word->kind == HMD_WORD_CODE || word->code == 0, "code");
            HOLD((word->kind == HMD_WORD_NUM) == (layout->is_mesh && k == 0), "number");
        }
    }
}

/* ---- drivers ---- */

/* As described: upper halves without INI, then primitive types; a..b is a range. Animation is
 * reckoned below. */
static const struct {
    const char *uppers, *types;
} driver_rows[] = {
    {"000", "0 8..17 18 19 1c 1d 209 20b 20d 20f 211 213 215 217"},
    {"001 003 008 00a", "08 09 0c 0d 10 11 14 15"},
    {"002 010 020 030", "8..17 209 20b 20d 20f 211 213 215 217"},
    {"004", "48 49 4c 4d 50 51 54 55 58 59 5c 5d 148 149 14c 14d 150 151 154 155 249 24d 251 255"},
    {"005 00c", "48 49 4c 4d 50 51 54 55"},
    {"014 024 034", "48 49 4c 4d 50 51 54 55 249 24d 251 255"},
    {"100", "0"},
    {"100 102 120", "c..f 14..17 20d 20f 215 217"},
    {"104 114 124 134", "48 49 4c 4d 50 51 54 55 249 24d 251 255"},
    {"200", "0 1"},
    {"300", "0"},
    {"401", "10 11 18 19 20 21 28 29"},
    {"500", "0 1"},
    {"600", "100 100c 1014 110c 1114 200c 2014 300c 3014 400c 4014 500c 5014"},
    {"700 701 702 703", "100 200"},
};

enum { MAX_TYPES = 1000 };
typedef struct type_list {
    uint32_t types[MAX_TYPES];
    size_t num;
} type_list;

static bool has(const type_list *list, uint32_t type)
{
    for (size_t i = 0; i < list->num; i++) {
        if (list->types[i] == type) {
            return true;
        }
    }
    return false;
}

static void add(type_list *list, uint32_t type)
{
    HOLD(list->num < MAX_TYPES && !has(list, type), "%08x listed twice", type);
    list->types[list->num++] = type;
}

static void add_row(type_list *list, uint32_t upper, const char *types)
{
    while (*types != '\0') {
        char *end;
        const uint32_t first = (uint32_t)strtoul(types, &end, 16);
        const uint32_t last = *end == '.' ? (uint32_t)strtoul(end + 2, &end, 16) : first;
        for (uint32_t type = first; type <= last; type++) {
            add(list, upper << 16 | type);
        }
        types = end + strspn(end, " ");
    }
}

/* Interpolations of coordinates: those with a key size in the table of key sizes, by rotation (R)
 * and scale (S); each order of rotation if there is a rotation. */
static void add_coordinates(type_list *list)
{
    static const struct {
        uint32_t rotation, scale;
        const char *translations;
    } sized[] = {
        {0, 0, "1239ab"},  {0, 1, "0"},       {0, 9, "129a"}, {1, 0, "01239ab"},
        {2, 0, "01239ab"}, {3, 0, "01239ab"}, {1, 1, "129a"}, {1, 9, "0129a"},
    };
    for (size_t i = 0; i < sizeof sized / sizeof sized[0]; i++) {
        for (const char *t = sized[i].translations; *t != '\0'; t++) {
            const char digit[2] = {*t, '\0'};
            const uint32_t type =
                sized[i].scale << 8 | sized[i].rotation << 4 | (uint32_t)strtoul(digit, NULL, 16);
            for (uint32_t order = 0; order < (sized[i].rotation != 0 ? 6 : 1); order++) {
                add(list, 0x03000000 | order << 12 | type);
            }
        }
    }
}

/* General interpolations: three curves; 32-bit cells one at a time, 16-bit and 8-bit cells one at a
 * time or all three; and the one linear driver for the fourth byte. */
static void add_general(type_list *list)
{
    static const uint32_t masks[] = {1, 2, 4, 7};
    for (uint32_t curve = 1; curve <= 3; curve++) {
        add(list, 0x03010010 | curve << 8);
        for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
            add(list, 0x03010001 | curve << 8 | masks[i] << 4);
            add(list, 0x03010002 | curve << 8 | masks[i] << 4);
        }
    }
    add(list, 0x03010182);
}

static void list_all(type_list *list)
{
    list->num = 0;
    for (size_t i = 0; i < sizeof driver_rows / sizeof driver_rows[0]; i++) {
        const char *upper = driver_rows[i].uppers;
        while (*upper != '\0') {
            char *end;
            add_row(list, (uint32_t)strtoul(upper, &end, 16), driver_rows[i].types);
            upper = end + strspn(end, " ");
        }
    }
    add_coordinates(list);
    add_general(list);
}

Test(hmd_drivers, all_that_are_described_exist_with_and_without_ini)
{
    static type_list list;
    list_all(&list);
    cr_assert(eq(sz, list.num, 571));
    for (size_t i = 0; i < list.num; i++) {
        HOLD(hmd_has_driver(list.types[i]), "%08x", list.types[i]);
        HOLD(hmd_has_driver(list.types[i] | 0x00800000), "%08x with INI", list.types[i]);
    }
}

/* Counts the drivers of a category over all driver bits and primitive types, and holds each against
 * the list. The upper half of the driver bits, with INI, must repeat the lower one. */
static void count_category(uint32_t category, size_t expected)
{
    static type_list list;
    list_all(&list);
    size_t num = 0, num_ini = 0;
    for (uint32_t low = 0; low <= 0xffffff; low++) {
        const uint32_t type = category << 24 | low;
        if (hmd_has_driver(type)) {
            HOLD(has(&list, type & ~(uint32_t)0x00800000), "%08x is no driver", type);
            num += (type & 0x00800000) == 0;
            num_ini += (type & 0x00800000) != 0;
        }
    }
    cr_assert(eq(sz, num, expected));
    cr_assert(eq(sz, num_ini, expected));
}

#define COUNT(category, expected)                                                                  \
    Test(hmd_drivers, category_##category)                                                         \
    {                                                                                              \
        count_category(category, expected);                                                        \
    }
COUNT(0, 233)
COUNT(1, 85)
COUNT(2, 2)
COUNT(3, 220)
COUNT(4, 8)
COUNT(5, 2)
COUNT(6, 13)
COUNT(7, 8)

/* Categories above 7 and other developers: no driver for any type that has one under id 0. */
Test(hmd_drivers, none_beyond_the_eight_categories)
{
    static type_list list;
    list_all(&list);
    for (size_t i = 0; i < list.num; i++) {
        for (uint32_t above = 8; above <= 0xff; above++) {
            const uint32_t type = above << 24 | (list.types[i] & 0xffffff);
            HOLD(!hmd_has_driver(type), "%08x", type);
        }
    }
}

Test(hmd_drivers, by_name)
{
    static const uint32_t some[] = {0x00000000, 0x00800008, 0x00000017, 0x0000001d, 0x00000209,
                                    0x00030015, 0x000a0009, 0x0004005d, 0x00040155, 0x00340255,
                                    0x01000000, 0x01800000, 0x0100000e, 0x01020217, 0x01340048,
                                    0x02000001, 0x03000000, 0x03800000, 0x03000100, 0x03005012,
                                    0x0300091a, 0x0300090a, 0x03010182, 0x03010371, 0x04010029,
                                    0x05800000, 0x06000100, 0x0600110c, 0x07000100, 0x07030200};
    static const uint32_t none[] = {
        0x0000001a, 0x0000001e, 0x00000148, 0x00000048, 0x00040008, 0x00040158, 0x0001000a,
        0x00060048, 0x00400008, 0x00120008, 0x00020018, 0x00040259, 0x00140058, 0x01000008,
        0x0100000a, 0x0110000c, 0x01300014, 0x0104005c, 0x01010048, 0x02000002, 0x03006012,
        0x03001001, 0x03001901, 0x03006911, 0x03000121, 0x03000200, 0x03000900, 0x03010282,
        0x03010181, 0x03010120, 0x03020110, 0x03100000, 0x04000010, 0x04010012, 0x05000002,
        0x06002100, 0x0600210c, 0x07040100, 0x07000300, 0x10000000, 0xf0000008};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        HOLD(hmd_has_driver(some[i]), "%08x", some[i]);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        HOLD(!hmd_has_driver(none[i]), "%08x", none[i]);
    }
}
