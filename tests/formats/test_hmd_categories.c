/* What the checks of the categories say beyond the corpus: every bit of every packet layout,
 * uploads against a comparison of all with all, resets in every order and at the end of the bytes,
 * the same assets in memory, and counts that promise more work than there are bytes.
 */
#include "hmd/hmd_morph.h"
#include "hmd/hmd_packets.h"

#include "bench.h"

#include "forge/hmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_hmd(bench *b)
{
    bench_open(b);
    b->format = fh_format_find("hmd");
    HOLD(b->format != NULL, "no HMD");
}

static const fh_verify_options alone = {true, true};

/* ---- packets ---- */

enum {
    BLOCK_WORD = 4,
    COORDINATES = 7,
    HEADERS = COORDINATES + 21,
    PRIMITIVE = HEADERS + 6,
    PACKETS = PRIMITIVE + 6,
    MOST_PACKET_WORDS = 64,
    ELEMENTS = PACKETS + MOST_PACKET_WORDS, /* vertices and normals in one */
    NUM_WORDS = ELEMENTS + 2
};

static void put(uint8_t *bytes, size_t word, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) {
        bytes[4 * word + i] = (uint8_t)(value >> 8 * i);
    }
}

/* A model with one record of one packet, or of a mesh of two triangles; all numbers are 0. */
static size_t make_model(uint8_t *bytes, const hmd_packet_layout *layout,
                         const hmd_packet_word **words)
{
    const uint32_t unlit = (layout->primitive_type & 0x40) != 0 ? 0x00040000u : 0;
    size_t num = 0;
    memset(bytes, 0, (size_t)4 * NUM_WORDS);
    put(bytes, 0, 0x50);
    put(bytes, 2, HEADERS);
    put(bytes, 3, 3);
    put(bytes, BLOCK_WORD + 1, PRIMITIVE);
    put(bytes, COORDINATES, 1);
    put(bytes, HEADERS, 1);
    put(bytes, HEADERS + 1, 4);
    put(bytes, HEADERS + 2, 0x80000000u | PACKETS);
    put(bytes, HEADERS + 3, 0x80000000u | ELEMENTS);
    put(bytes, HEADERS + 4, 0x80000000u | ELEMENTS);
    put(bytes, HEADERS + 5, 0x80000000u | COORDINATES);
    put(bytes, PRIMITIVE, 0xffffffffu);
    put(bytes, PRIMITIVE + 1, HEADERS + 1);
    put(bytes, PRIMITIVE + 2, 0x80000001u);
    put(bytes, PRIMITIVE + 3, 0x00800000u | unlit | layout->primitive_type);
    put(bytes, PRIMITIVE + 4, 0x80010002u);
    for (size_t i = 0; i < layout->num_first; i++) {
        words[num++] = &layout->first[i];
    }
    for (size_t i = 0; i < layout->num_more; i++) {
        words[num++] = &layout->more[i];
    }
    HOLD(num <= MOST_PACKET_WORDS, "%s is too long", layout->name);
    for (size_t i = 0; i < num; i++) {
        put(bytes, PACKETS + i,
            words[i]->kind == HMD_WORD_CODE     ? (uint32_t)words[i]->code << 24
            : words[i]->kind == HMD_WORD_WINDOW ? 0xe2000000u
            : words[i]->kind == HMD_WORD_NUM    ? 2
                                                : 0);
    }
    return num;
}

static const char *const packet_rules[] = {"HMD0088", "HMD0089", "HMD0090", "HMD0091", "HMD0092"};
enum { NUM_PACKET_RULES = sizeof packet_rules / sizeof packet_rules[0] };

static void expect_only(bench *b, const uint8_t *bytes, const char *rule, const char *what,
                        size_t word, unsigned bit)
{
    bench_verify(b, bytes, (size_t)4 * NUM_WORDS, alone);
    for (size_t i = 0; i < NUM_PACKET_RULES; i++) {
        const size_t expected = rule != NULL && strcmp(rule, packet_rules[i]) == 0 ? 1 : 0;
        const size_t found = record_count(&b->verify, packet_rules[i]);
        HOLD(found == expected, "%s, word %zu, bit %u: %s %zu times", what, word, bit,
             packet_rules[i], found);
    }
}

static const char *rule_of_bit(const hmd_packet_word *word, unsigned bit)
{
    const uint8_t half = bit < 16 ? word->low : word->high;
    switch (word->kind) {
    case HMD_WORD_CODE:
        return bit >= 26 ? "HMD0088" : NULL;
    case HMD_WORD_COLOUR:
        return bit >= 24 ? "HMD0089" : NULL;
    case HMD_WORD_WINDOW:
        return bit >= 24 ? "HMD0092" : NULL;
    case HMD_WORD_HALVES:
        return half == HMD_HALF_PAD ? "HMD0089" : NULL;
    default:
        return NULL;
    }
}

Test(hmd_categories, every_bit_of_every_packet)
{
    bench b;
    open_hmd(&b);
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *layout = hmd_packet_layouts[i];
        const hmd_packet_word *words[MOST_PACKET_WORDS];
        uint8_t bytes[4 * NUM_WORDS];
        const size_t num = make_model(bytes, layout, words);
        expect_only(&b, bytes, NULL, layout->name, 0, 0);
        for (size_t w = 0; w < num; w++) {
            for (unsigned bit = 0; words[w]->kind != HMD_WORD_NUM && bit < 32; bit++) {
                bytes[4 * (PACKETS + w) + bit / 8] ^= (uint8_t)(1u << bit % 8);
                expect_only(&b, bytes, rule_of_bit(words[w], bit), layout->name, w, bit);
                bytes[4 * (PACKETS + w) + bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
        }
    }
    bench_close(&b);
}

Test(hmd_categories, every_number_of_triangles)
{
    static const struct {
        uint32_t num;
        const char *rule;
    } cases[] = {{0, "HMD0090"},       {1, "HMD0090"},           {2, NULL},
                 {0x10000, "HMD0091"}, {0x80000002u, "HMD0091"}, {UINT32_MAX, "HMD0091"}};
    bench b;
    open_hmd(&b);
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *layout = hmd_packet_layouts[i];
        const hmd_packet_word *words[MOST_PACKET_WORDS];
        uint8_t bytes[4 * NUM_WORDS];
        if (!layout->is_mesh) {
            continue;
        }
        (void)make_model(bytes, layout, words);
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            put(bytes, PACKETS, cases[k].num);
            bench_verify(&b, bytes, sizeof bytes, alone);
            const char *const other = cases[k].rule != NULL && strcmp(cases[k].rule, "HMD0090") == 0
                                          ? "HMD0091"
                                          : "HMD0090";
            HOLD(cases[k].rule == NULL || record_count(&b.verify, cases[k].rule) == 1,
                 "%s of %u triangles: no %s", layout->name, cases[k].num, cases[k].rule);
            HOLD(record_count(&b.verify, other) == 0, "%s of %u triangles: %s", layout->name,
                 cases[k].num, other);
        }
    }
    bench_close(&b);
}

/* Only DIV and ADV take the upper byte of the index. */
Test(hmd_categories, every_upper_byte_under_every_driver_bit)
{
    bench b;
    open_hmd(&b);
    for (uint32_t bits = 0; bits < 0x40; bits++) {
        const hmd_packet_word *words[MOST_PACKET_WORDS];
        uint8_t bytes[4 * NUM_WORDS];
        (void)make_model(bytes, hmd_packet_layout_of(0x00000008), words);
        put(bytes, PRIMITIVE + 3, 0x00800008u | bits << 16);
        const bool divides = (bits & 9) != 0;
        for (uint32_t upper = 0; upper < 256; upper++) {
            put(bytes, PRIMITIVE + 5, upper << 24);
            bench_verify(&b, bytes, sizeof bytes, alone);
            const bool is_wrong = divides ? upper < 1 || upper > 5 : upper != 0;
            HOLD(record_count(&b.verify, "HMD0081") == (!divides && is_wrong ? 1 : 0) &&
                     record_count(&b.verify, "HMD0082") == (divides && is_wrong ? 1 : 0),
                 "driver bits %x, upper byte %u", bits, upper);
        }
    }
    bench_close(&b);
}

/* ---- assets from descriptions ---- */

static forge_buf build(const char *text)
{
    forge_error err = {0};
    forge_buf out;
    HOLD(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "%s\n%s", err.text, text);
    return out;
}

/* More bytes may follow. */
static fh_probe probe(bench *b, const uint8_t *bytes, size_t len)
{
    fh_arena arena = fh_arena_make(b->block, BENCH_ARENA);
    fh_budget work = {BENCH_BUDGET};
    fh_probe out;
    b->format->probe(&out, fh_cursor_make(bytes, len, 0), FH_END_NONE, NULL, &arena, &work);
    return out;
}

static size_t count_in(bench *b, const char *text, const char *rule)
{
    forge_buf out = build(text);
    bench_verify(b, out.data, out.len, alone);
    forge_buf_free(&out);
    return record_count(&b->verify, rule);
}

#define MODEL_HEAD(last)                                                                           \
    "hmd\nblocks @first @model " last "\ncoords: coordinates\nunit\nunit parent=0\nheaders\n"      \
    "lit: header !polygons !vertices !normals !coords\n"
#define MODEL_BODY                                                                                 \
    "model: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"                            \
    "polygons:\nface: packet 0x008 rgb 1 2 3 n 0 v 0 0 0\nvertices: vec 0 0 0\n"                   \
    "normals: vec 0 0 4096\n"

/* ---- uploads ---- */

typedef struct box {
    uint32_t x, y, w, h;
} box;

static bool meet(const box *a, const box *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* Every image has pixels of its own, so that no two are one upload. */
Test(hmd_categories, overlaps_are_those_that_a_comparison_of_all_finds)
{
    enum { NUM_BOXES = 6, ROUNDS = 400 };
    bench b;
    dice d = {12};
    size_t met = 0;
    open_hmd(&b);
    for (size_t round = 0; round < ROUNDS; round++) {
        char text[4096];
        int len = snprintf(text, sizeof text,
                           MODEL_HEAD("0") "pictures: header !images 0\nfirst: primitive "
                                           "header=@pictures\nrecord 0x02000000");
        box boxes[NUM_BOXES];
        size_t expected = 0;
        for (size_t i = 0; i < NUM_BOXES; i++) {
            box *one = &boxes[i];
            const uint32_t shift = dice_below(&d, 6);
            one->w = 1 + dice_below(&d, 96 >> shift);
            one->h = 1 + dice_below(&d, 16);
            one->x = dice_below(&d, 2) * 800 + dice_below(&d, 1 + 120 - one->w);
            one->y = dice_below(&d, 32);
            bool is_met = false;
            for (size_t k = 0; k < i; k++) {
                is_met = is_met || meet(one, &boxes[k]);
            }
            expected += is_met ? 1 : 0;
            len += snprintf(text + len, sizeof text - (size_t)len, " %u:%u %u:%u %zu", one->x,
                            one->y, one->w, one->h, i);
        }
        len +=
            snprintf(text + len, sizeof text - (size_t)len, "\n" MODEL_BODY "images: zero 4096\n");
        const size_t found = count_in(&b, text, "HMD0115");
        HOLD(found == expected, "%zu overlaps, expected %zu:\n%s", found, expected, text);
        met += expected;
    }
    cr_assert(met > ROUNDS / 4 && met < (NUM_BOXES - 1) * ROUNDS, "%zu overlaps", met);
    bench_close(&b);
}

/* ---- resets ---- */

/* Three MIMe primitives of one joint; only the reverse of their order brings everything back. */
Test(hmd_categories, resets_in_every_order)
{
    static const char *const orders[] = {"012", "021", "102", "120", "201", "210"};
    bench b;
    open_hmd(&b);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        char text[4096];
        int len =
            snprintf(text, sizeof text,
                     MODEL_HEAD("@last") "there: header !coords !weights 1 0:0 !joints\n"
                                         "back: header !coords 0:0 !joints\n"
                                         "first: primitive header=@there\n"
                                         "record 0x04010011 (j0-joints) (j1-joints) (j2-joints)\n"
                                         "last: primitive header=@back\nrecord 0x04010019");
        for (size_t k = 0; k < 3; k++) {
            len += snprintf(text + len, sizeof text - (size_t)len, " (j%c-joints)", orders[i][k]);
        }
        len += snprintf(text + len, sizeof text - (size_t)len,
                        "\n" MODEL_BODY "weights: word 0\njoints:\n");
        for (size_t k = 0; k < 3; k++) {
            len += snprintf(text + len, sizeof text - (size_t)len,
                            "j%zu: joint 1\ndelta 0 dv 1 2 3\nreset rpy\n", k);
        }
        const size_t found = count_in(&b, text, "HMD0132");
        HOLD((found == 0) == (strcmp(orders[i], "210") == 0), "order %s: %zu findings", orders[i],
             found);
    }
    bench_close(&b);
}

/* A reset of the other kind has another reset area, so it does not count. */
Test(hmd_categories, a_reset_by_axes_is_none_for_angles)
{
    bench b;
    open_hmd(&b);
    cr_assert(eq(sz,
                 count_in(&b,
                          MODEL_HEAD("@last") "there: header !coords !weights 1 0:0 !joints\n"
                                              "back: header !coords 0:0 !joints\n"
                                              "first: primitive header=@there\n"
                                              "record 0x04010011 (j0-joints)\n"
                                              "last: primitive header=@back\n"
                                              "record 0x04010018 (j0-joints)\n" MODEL_BODY
                                              "weights: word 0\njoints:\nj0: joint 1\n"
                                              "delta 0 dv 1 2 3\nreset axes\n",
                          "HMD0132"),
                 1));
    bench_close(&b);
}

/* Where the first block of the first morph of a model lies, and the section that it is counted
 * from. */
static uint32_t first_block(const bench *b, uint32_t *section)
{
    hmd_model model = *(const hmd_model *)b->model;
    for (uint32_t i = 0; i < model.num_records; i++) {
        const hmd_morph *morph = hmd_morph_of(&model.records[i]);
        const hmd_check check = {.model = &model, .record = &model.records[i]};
        if (morph != NULL) {
            const uint32_t header = hmd_header_of(&model, check.record);
            *section = hmd_arg_of(&model, header, morph->differences).off;
            return hmd_morph_block(&check, morph, 0);
        }
    }
    cr_fatal("no record of a morph");
    return 0;
}

/* The same where its offset is that number of words. */
static uint32_t block_at(bench *b, uint32_t off, uint32_t *section)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   MODEL_HEAD("0") "there: header !coords !weights 1 0:0 !joints\n"
                                   "first: primitive header=@there\n"
                                   "record 0x04010011 %u\n" MODEL_BODY "weights: word 0\n"
                                   "joints: joint 1\ndelta 0 dv 1 2 3\nreset rpy\n",
                   off);
    forge_buf out = build(text);
    bench_verify(b, out.data, out.len, alone);
    const uint32_t block = first_block(b, section);
    forge_buf_free(&out);
    return block;
}

/* The last word that an asset can have, and the one behind it, which none has. */
Test(hmd_categories, a_block_lies_within_the_longest_asset)
{
    bench b;
    uint32_t section = 0;
    open_hmd(&b);
    cr_assert(eq(u32, block_at(&b, 0, &section), section));
    cr_assert(section > 0 && section < HMD_MOST_WORDS);
    const uint32_t last = HMD_MOST_WORDS - 1;
    cr_expect(eq(u32, block_at(&b, last - section, &section), last));
    cr_expect(eq(u32, block_at(&b, last + 1 - section, &section), HMD_NONE));
    cr_expect(eq(u32, block_at(&b, UINT32_MAX, &section), HMD_NONE));
    bench_close(&b);
}

Test(hmd_categories, words_at_the_start_of_a_block)
{
    static const struct {
        uint32_t type, num_words;
    } kinds[] = {{0x04010010, 2}, {0x04010011, 2}, {0x04010018, 2}, {0x04010019, 2},
                 {0x04010020, 2}, {0x04010021, 2}, {0x04010028, 1}, {0x04010029, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const hmd_record record = {.type = kinds[i].type};
        const hmd_morph *morph = hmd_morph_of(&record);
        cr_assert(morph != NULL);
        cr_expect(eq(u32, hmd_morph_head(morph), kinds[i].num_words), "%08x", kinds[i].type);
    }
}

/* Of a morph without entries the last words are the head of its block: as much as there is of it in
 * front of other bytes has to be there, and no more. */
static void hold_head(bench *b, const char *header, unsigned type, const char *head,
                      const forge_hmd_memory *memory)
{
    enum { MORE = 64 };
    static const fh_verify_options in_a_stream = {.aligned = true};
    const size_t num_pads = strstr(head, "pad") != NULL ? 1 : 0;
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks 0 @bent\ncoords: coordinates\nheaders\nkind: header %s\n"
                   "bent: primitive header=@kind\nrecord 0x%08x (none-shapes)\n"
                   "originals: zero 8\npoints: vec 1 2 3\nnormals: vec 0 0 -4096\n"
                   "weights: word 0\nshapes:\nnone: %s\n",
                   header, type, head);
    forge_error err = {0};
    forge_buf out = build(text);
    const size_t len = out.len;
    HOLD(memory == NULL || forge_hmd_map(out.data, &err, len, memory), "%s", err.text);
    out.data = realloc(out.data, len + MORE);
    HOLD(out.data != NULL, "the test is out of memory");
    memset(out.data + len, 0x5a, MORE);
    for (size_t more = 0; more <= MORE; more += MORE) {
        bench_verify(b, out.data, len + more, in_a_stream);
        cr_expect(eq(i32, (int)b->asset.grade, FH_GRADE_REFERENCES), "%08x, %zu more: %s", type,
                  more, record_codes(&b->verify));
        cr_expect(eq(sz, b->asset.length, len), "%08x, %zu more", type, more);
        cr_expect(eq(sz, record_count(&b->verify, "HMD0133"), num_pads), "%08x, %zu more", type,
                  more);
    }
    bench_verify(b, out.data, len - 4, in_a_stream);
    cr_expect(eq(i32, (int)b->asset.grade, FH_GRADE_STRUCTURE), "%08x, a word less", type);
    cr_expect(eq(sz, record_count(&b->verify, "HMD0120"), 1), "%08x: %s", type,
              record_codes(&b->verify));
    const fh_probe got = probe(b, out.data, len);
    cr_expect(got.verdict == FH_MORE && got.length == len + 1, "%08x: padding, not %zu bytes", type,
              got.length);
    forge_buf_free(&out);
}

Test(hmd_categories, blocks_without_entries_at_the_end)
{
    static const char *const back = "3:0 !shapes !originals !points !normals";
    static const char *const there = "!weights 1 3:0 !shapes !originals !points !normals";
    const forge_hmd_memory scanned = {.base = FORGE_HMD_KSEG0 | FORGE_HMD_DEFAULT_BASE,
                                      .stage = FORGE_HMD_SCANNED};
    const forge_hmd_memory *const places[] = {NULL, &scanned};
    bench b;
    open_hmd(&b);
    for (size_t i = 0; i < 2; i++) {
        hold_head(&b, back, 0x04010028, "resets", places[i]);
        hold_head(&b, back, 0x04010029, "resets", places[i]);
        hold_head(&b, there, 0x04010020, "shape", places[i]);
        hold_head(&b, there, 0x04010021, "shape", places[i]);
    }
    hold_head(&b, back, 0x04010028, "resets pad=1", NULL);
    bench_close(&b);
}

/* ---- memory ---- */

/* Shared polygons that nothing calculates, a MIMe that nothing resets, an image outside VRAM, a
 * light with a wrong number, and a reset area that was used. */
static const char wrong[] =
    "hmd\nblocks @first @model @last\ncoords: coordinates\nunit\nunit parent=0\nheaders\n"
    "lit: header !polygons !vertices !normals !coords\n"
    "there: header !coords !weights 1 0:0 !joints\npictures: header !images 0\n"
    "lamps: header !lamp\nshared: header !polygons !vertices !points !normals !shades\n"
    "first: primitive next=@picture header=@there\nrecord 0x04010011 (j0-joints)\n"
    "picture: primitive next=@light header=@pictures\nrecord 0x02000000 1023:0 2:1 0\n"
    "light: primitive header=@lamps\nrecord 0x07010200 3:0\n"
    "model: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"
    "last: primitive header=@shared\nrecord 0x0100000c (joined-polygons)\n"
    "polygons:\nface: packet 0x008 rgb 1 2 3 n 0 v 0 0 0\n"
    "joined: packet 0x00c rgb 1 2 3 n 0 0 0 v 0 0 0\nvertices: vec 0 0 0\npoints: zero 8\n"
    "normals: vec 0 0 4096\nshades: zero 8\nweights: word 0\njoints:\nj0: joint 1\n"
    "delta 0 dv 1 2 3\nreset rpy changed=1\nimages: word 0\n"
    "lamp: light 1 2 3 4 5 6 7 8 9\n";

static const char *const wrong_rules[] = {"HMD0103", "HMD0132", "HMD0111", "HMD0156"};
enum { NUM_WRONG = sizeof wrong_rules / sizeof wrong_rules[0] };

static void verify_at(bench *b, const forge_hmd_memory *memory)
{
    forge_error err = {0};
    forge_buf out = build(wrong);
    if (memory != NULL) {
        HOLD(forge_hmd_map(out.data, &err, out.len, memory), "%s", err.text);
    }
    bench_verify(b, out.data, out.len, alone);
    forge_buf_free(&out);
}

Test(hmd_categories, memory_is_judged_as_far_as_types_are_known)
{
    bench b;
    open_hmd(&b);
    forge_hmd_memory memory = {.base = FORGE_HMD_KSEG0 | FORGE_HMD_DEFAULT_BASE,
                               .stage = FORGE_HMD_MAPPED};
    verify_at(&b, NULL);
    for (size_t i = 0; i < NUM_WRONG; i++) {
        cr_expect(record_count(&b.verify, wrong_rules[i]) > 0, "a file: no %s", wrong_rules[i]);
    }
    cr_expect(eq(sz, record_count(&b.verify, "HMD0128"), 1));
    verify_at(&b, &memory);
    for (size_t i = 0; i < NUM_WRONG; i++) {
        cr_expect(record_count(&b.verify, wrong_rules[i]) > 0, "mapped: no %s", wrong_rules[i]);
    }
    cr_expect(eq(sz, record_count(&b.verify, "HMD0128"), 0), "a played area is as it must be");
    memory.stage = FORGE_HMD_SCANNED;
    verify_at(&b, &memory);
    for (size_t i = 0; i < NUM_WRONG; i++) {
        cr_expect(record_count(&b.verify, wrong_rules[i]) == 0, "scanned: %s", wrong_rules[i]);
    }
    bench_close(&b);
}

/* ---- hostile counts ---- */

/* Verifies with the budget that a file of this length has; either it suffices or that is told. */
static void verify_bounded(bench *b, const char *text)
{
    forge_buf out = build(text);
    record_free(&b->verify);
    b->arena = fh_arena_make(b->block, FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * out.len);
    b->budget = (fh_budget){FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * out.len};
    const fh_sink sink = record_sink(&b->verify);
    const fh_env env = {&b->arena, &b->budget, &sink};
    HOLD(b->arena.size <= BENCH_ARENA, "the bench is too small");
    b->status =
        b->format->verify(&b->asset, &b->model, &env, fh_cursor_make(out.data, out.len, 0), &alone);
    cr_expect(b->status == FH_OK || b->status == FH_LIMIT || b->status == FH_CORRUPT ||
                  b->status == FH_TRUNCATED,
              "status %d", (int)b->status);
    cr_expect(b->status != FH_LIMIT || record_count(&b->verify, "HMD0297") == 1);
    forge_buf_free(&out);
}

Test(hmd_categories, more_uploads_than_places)
{
    bench b;
    open_hmd(&b);
    verify_bounded(
        &b, MODEL_HEAD("@last") "pictures: header !images 0\n"
                                "first: primitive header=@pictures\n"
                                "record 0x02000000 size=65533 count=21844\nrepeat 21844\n"
                                "word 0:0 64:1 $\nendrepeat\n"
                                "last: primitive header=@lit\n" MODEL_BODY "images: zero 4\n");
    cr_expect(record_count(&b.verify, "HMD0115") > 0);
    verify_bounded(
        &b, MODEL_HEAD("@last") "pictures: header !images 0\n"
                                "first: primitive header=@pictures\n"
                                "record 0x02000000 size=65533 count=32767\nrepeat 21844\n"
                                "word $:0 1:1 0\nendrepeat\n"
                                "last: primitive header=@lit\n" MODEL_BODY "images: zero 4\n");
    bench_close(&b);
}

Test(hmd_categories, more_differences_than_words)
{
    bench b;
    open_hmd(&b);
    verify_bounded(&b,
                   MODEL_HEAD("@last") "there: header !coords 0 32 0:0 !joints\n"
                                       "first: primitive header=@there\n"
                                       "record 0x04010011 size=30001 count=30000\nrepeat 30000\n"
                                       "word $\nendrepeat\n"
                                       "last: primitive header=@lit\n" MODEL_BODY
                                       "joints:\nj0: word 0xffff0001 0xffffffff\nrepeat 30000\n"
                                       "word 0xffff0001\nendrepeat\n");
    verify_bounded(
        &b, MODEL_HEAD("@last") "there: header 0 32 0:0 !shapes !originals !vertices !normals\n"
                                "back: header 0:0 !shapes !originals !vertices !normals\n"
                                "first: primitive header=@there\n"
                                "record 0x04010020 size=30001 count=30000\nrepeat 30000\n"
                                "word $\nendrepeat\n"
                                "last: primitive header=@back\n"
                                "record 0x04010028 size=30001 count=30000\nrepeat 30000\n"
                                "word $\nendrepeat\n" MODEL_BODY
                                "originals: zero 8\nshapes: word 0xffffffff 0xffffffff\n"
                                "repeat 30000\nword 0xffffffff\nendrepeat\n");
    bench_close(&b);
}

Test(hmd_categories, more_cells_and_lights_than_words)
{
    bench b;
    open_hmd(&b);
    verify_bounded(
        &b, MODEL_HEAD("@last") "flat: header !fields !grids !heights !normals\n"
                                "first: primitive header=@flat\nrecord 0x05000000 0 0 0\n"
                                "last: primitive header=@lit\n" MODEL_BODY
                                "fields: half 0 0 1 1 65535 65535 65535 65535\nrepeat 40000\n"
                                "word 0xffffffff\nendrepeat\ngrids: zero 4\nheights: zero 4\n");
    verify_bounded(&b,
                   MODEL_HEAD("@last") "lamps: header !lamp\nfirst: primitive header=@lamps\n"
                                       "record 0x07010200 size=32768 count=32767\nrepeat 32767\n"
                                       "word 0xffffffff\nendrepeat\n"
                                       "last: primitive header=@lit\n" MODEL_BODY
                                       "lamp: light 1 2 3 4 5 6 7 8 9\n");
    cr_expect(record_count(&b.verify, "HMD0156") > 0);
    bench_close(&b);
}

/* A mesh of four thousand million triangles ends with the data. */
Test(hmd_categories, a_mesh_without_end)
{
    bench b;
    open_hmd(&b);
    verify_bounded(&b, "hmd\nblocks 0 @model 0\ncoords: coordinates\nunit\nheaders\n"
                       "lit: header !polygons !vertices !normals !coords\n"
                       "model: primitive header=@lit\nrecord 0x00800018 0 count=32767\n"
                       "vertices: vec 0 0 0\nnormals: vec 0 0 4096\npolygons:\n"
                       "word 0xffffffff\nrepeat 60000\nword 0x20ffffff 0\nendrepeat\n");
    cr_expect(eq(sz, record_count(&b.verify, "HMD0091"), 1));
    bench_close(&b);
}
