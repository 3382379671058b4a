/* What records of memory images are taken for: each type that is not polygons held against a record
 * that is just what it demands, and against those that are so in all but one place; then packets.
 */
#include "hmd_hand.h"

#include "hmd/hmd_infer.h"
#include "hmd/hmd_packets.h"

#include <string.h>

typedef struct ink {
    hand hand;
    hmd_inference in;
    uint32_t known[HAND_WORDS / 32], vertices[HAND_WORDS / 32], normals[HAND_WORDS / 32];
    uint32_t users[4];
} ink;

static hmd_starts no_starts(uint32_t *bits)
{
    memset(bits, 0, HAND_WORDS / 8);
    return (hmd_starts){.bits = bits, .num_words = HAND_WORDS, .beyond = HMD_MOST_WORDS};
}

static void ink_open(ink *k)
{
    hand_open(&k->hand);
    k->hand.primitives[0].header = 0;
    memset(k->users, 0, sizeof k->users);
    k->in = (hmd_inference){.check = &k->hand.check,
                            .left = BENCH_BUDGET,
                            .known = no_starts(k->known),
                            .vertices = no_starts(k->vertices),
                            .normals = no_starts(k->normals),
                            .users = k->users};
}

/* How the record fits a type; the check is left without a record, as the caller does. */
static hmd_fit fit_of(ink *k, uint32_t type)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    for (size_t i = 0; i < hmd_num_kinds; i++) {
        if (hmd_kinds[i].type == type) {
            const hmd_fit fit = hmd_kinds[i].fit(&k->in, &shape, type);
            k->hand.check.record = NULL;
            return fit;
        }
    }
    cr_fatal("type 0x%08x is not tried", type);
}

/* A sound record with one word changed, and how the type fits then. */
typedef struct change {
    uint32_t word, value;
    hmd_fit fit;
} change;

static void hold_changes(ink *k, uint32_t type, const change *changes, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const uint32_t own = hand_get(&k->hand, changes[i].word);
        hand_put(&k->hand, changes[i].word, changes[i].value);
        const hmd_fit fit = fit_of(k, type);
        cr_expect(fit == changes[i].fit, "0x%08x: %zu: word %u as 0x%x fits %d", type, i,
                  changes[i].word, changes[i].value, (int)fit);
        hand_put(&k->hand, changes[i].word, own);
    }
}

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define HEADER(k, ...)                                                                             \
    hand_header(&(k)->hand, (const uint32_t[]){__VA_ARGS__}, NUM(((const uint32_t[]){__VA_ARGS__})))
#define RECORD(k, size, count, ...)                                                                \
    hand_record(&(k)->hand, size, count, (const uint32_t[]){__VA_ARGS__},                          \
                NUM(((const uint32_t[]){__VA_ARGS__})))
#define PUT(k, word, ...)                                                                          \
    hand_put_all(&(k)->hand, word, (const uint32_t[]){__VA_ARGS__},                                \
                 NUM(((const uint32_t[]){__VA_ARGS__})))
#define CHANGES(k, type, ...)                                                                      \
    hold_changes(k, type, (const change[]){__VA_ARGS__}, NUM(((const change[]){__VA_ARGS__})))

enum { ARG = HAND_HEADER + 1, DATA = HAND_RECORD + 2 };

/* ---- headers ---- */

Test(hmd_infer, arguments_of_a_header)
{
    static ink k;
    ink_open(&k);
    HEADER(&k, TO(HAND_DATA), 0, 1, 2, TO(HAND_UNIT), TO(HAND_UNIT + 20), TO(HAND_COORDINATES),
           TO(HAND_UNIT + 1));
    hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
    cr_expect(eq(u32, shape.num_args, 8));
    cr_expect(eq(u32, shape.pointers, 0xf1));
    cr_expect(eq(u32, shape.zeros, 1u << 1));
    cr_expect(eq(u32, shape.units, 1u << 4 | 1u << 5));
    cr_expect(eq(u32, shape.sections, 1u << 6));
    cr_expect(shape.is_last && !shape.is_alone);
    k.users[0] = 0x80040000;
    k.hand.primitives[0].num_records = 2;
    shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
    cr_expect(shape.is_alone && !shape.is_last);
    k.users[0] = HMD_USERS_MIXED;
    cr_expect(hmd_infer_shape(&k.in, &k.hand.records[0]).is_alone == false);
    k.hand.primitives[0].header = HMD_NONE;
    cr_expect(eq(u32, hmd_infer_shape(&k.in, &k.hand.records[0]).num_args, HMD_NONE));
}

/* Of a long header the first sixteen arguments are looked at. */
Test(hmd_infer, arguments_of_a_long_header)
{
    static ink k;
    ink_open(&k);
    for (uint32_t num = 15; num <= 18; num++) {
        uint32_t args[18];
        for (uint32_t i = 0; i < num; i++) {
            args[i] = TO(HAND_DATA + i);
        }
        hand_header(&k.hand, args, num);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        cr_expect(eq(u32, shape.num_args, num));
        cr_expect(eq(u32, shape.pointers, num < 16 ? 0x7fff : 0xffff));
        cr_expect(eq(u32, shape.zeros, 0));
    }
}

/* An address below the asset is a pointer, but none into it. */
Test(hmd_infer, an_argument_that_leads_before_the_asset)
{
    static ink k;
    ink_open(&k);
    hand_map(&k.hand);
    HEADER(&k, 0x80000000 | (HAND_BASE - 4), 0x80000000 | HAND_BASE,
           0x80000000 | (HAND_BASE + 4 * HAND_UNIT));
    const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
    cr_expect(eq(u32, shape.pointers, 6));
    cr_expect(eq(u32, shape.units, 4));
}

Test(hmd_infer, categories_of_headers)
{
    static const struct {
        uint32_t num;
        uint8_t category;
    } rows[] = {{3, HMD_POLYGONS}, {5, HMD_SHARED}, {13, HMD_ENVMAP}};
    static ink k;
    ink_open(&k);
    uint32_t args[16];
    for (uint32_t num = 0; num <= 15; num++) {
        for (unsigned last = 0; last < 3; last++) { /* data, the coordinates, a unit */
            uint8_t expected = HMD_CATEGORY_FOREIGN;
            for (size_t i = 0; i < NUM(rows); i++) {
                const bool is_own = rows[i].num == num && (last == 0 || num == 13);
                const bool has_coordinates = rows[i].num + 1 == num && last == 1;
                expected = is_own || has_coordinates ? rows[i].category : expected;
            }
            for (uint32_t i = 0; i < num; i++) {
                args[i] = TO(HAND_DATA + i);
            }
            if (num > 0 && last > 0) {
                args[num - 1] = TO(last == 1 ? HAND_COORDINATES : HAND_UNIT);
            }
            hand_header(&k.hand, args, num);
            const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
            cr_expect(eq(u8, hmd_infer_polygons(&shape), expected), "%u arguments, %u", num, last);
        }
    }
}

/* The sections of polygons are pointers, none of which leads to a coordinate; of an environment map
 * only the first three need be. */
Test(hmd_infer, sections_of_polygons)
{
    static const uint32_t nums[] = {3, 5, 13};
    static ink k;
    ink_open(&k);
    for (size_t n = 0; n < NUM(nums); n++) {
        for (uint32_t at = 0; at < nums[n]; at++) {
            static const uint32_t wrong[] = {5, 0, TO(HAND_UNIT), TO(HAND_COORDINATES)};
            for (size_t w = 0; w < NUM(wrong); w++) {
                uint32_t args[16];
                for (uint32_t i = 0; i < nums[n]; i++) {
                    args[i] = i == at ? wrong[w] : TO(HAND_DATA + i);
                }
                hand_header(&k.hand, args, nums[n]);
                const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
                const bool is_map = nums[n] == 13 && at >= 3;
                cr_expect(
                    eq(u8, hmd_infer_polygons(&shape), is_map ? HMD_ENVMAP : HMD_CATEGORY_FOREIGN),
                    "%u arguments: %u is 0x%x", nums[n], at, wrong[w]);
            }
        }
    }
}

/* Whatever a record is held against, it is looked at with that type. */
Test(hmd_infer, what_is_supposed)
{
    static ink k;
    ink_open(&k);
    HEADER(&k, TO(HAND_DATA));
    for (size_t i = 0; i < hmd_num_kinds; i++) {
        const uint32_t type = hmd_kinds[i].type;
        RECORD(&k, 4, 1, 640, 0x00100010, 0);
        if (type >> 24 == HMD_DEVICE || type >> 24 == HMD_MIME) {
            (void)fit_of(&k, type);
            cr_expect(eq(u32, k.in.supposed.type, type));
            cr_expect(eq(u8, k.in.supposed.category, (uint8_t)(type >> 24)));
            cr_expect(eq(u32, k.in.supposed.off, HAND_RECORD));
        }
    }
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_EXACT));
    cr_expect(eq(u32, k.in.supposed.type, 0x02000000));
    cr_expect(eq(u8, k.in.supposed.category, HMD_IMAGES));
}

/* ---- pre-calculation ---- */

/* Six words: how many vertices, from where, to where, and the same of normals. Each run lies in the
 * section of its own argument, and may end where the longest asset does. */
Test(hmd_infer, precalculations)
{
    static ink k;
    ink_open(&k);
    const uint32_t room = HMD_MOST_WORDS / 2 - 100; /* elements in front of the end of all */
    HEADER(&k, TO(HAND_DATA), TO(200), TO(220), TO(240), TO(260));
    RECORD(&k, 7, 0, 2, 5, 6, 3, 7, 8);
    cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_EXACT));
    CHANGES(&k, 0x01000000, {DATA + 1, room - 2, HMD_FIT_EXACT}, {DATA + 1, room - 1, HMD_FIT_NOT},
            {DATA + 2, room - 10 - 2, HMD_FIT_EXACT}, {DATA + 2, room - 10 - 1, HMD_FIT_NOT},
            {DATA + 4, room - 20 - 3, HMD_FIT_EXACT}, {DATA + 4, room - 20 - 2, HMD_FIT_NOT},
            {DATA + 5, room - 30 - 3, HMD_FIT_EXACT}, {DATA + 5, room - 30 - 2, HMD_FIT_NOT},
            {DATA, room - 10 - 6, HMD_FIT_EXACT}, {DATA, room - 10 - 5, HMD_FIT_NOT},
            {DATA + 3, room - 30 - 8, HMD_FIT_EXACT}, {DATA + 3, room - 30 - 7, HMD_FIT_NOT},
            {DATA + 1, 0xffffffff, HMD_FIT_NOT}, {DATA, 0xffffffff, HMD_FIT_NOT},
            {DATA + 4, 0xffffffff, HMD_FIT_NOT}, {DATA + 3, 0xffffffff, HMD_FIT_NOT},
            {ARG + 4, 5, HMD_FIT_NOT}, {ARG + 4, TO(HAND_UNIT), HMD_FIT_NOT});
    RECORD(&k, 7, 1, 2, 5, 6, 3, 7, 8);
    cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_NOT));
    RECORD(&k, 6, 0, 2, 5, 6, 3, 7, 8);
    cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_NOT));
    RECORD(&k, 8, 0, 2, 5, 6, 3, 7, 8);
    cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_NOT));
    RECORD(&k, 7, 0, 2, 5, 6, 3, 7, 8);
    HEADER(&k, TO(HAND_DATA), TO(200), TO(220));
    cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_NOT));
}

/* A run that leaves the bytes is noted, one that ends with them is not. */
Test(hmd_infer, a_precalculation_at_the_end_of_the_bytes)
{
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t past = 0; past < 2; past++) {
            static ink k;
            ink_open(&k);
            HEADER(&k, TO(HAND_DATA), TO(200), TO(220), TO(240), TO(260));
            uint32_t data[6] = {2, 5, 6, 3, 7, 8};
            static const uint32_t firsts[] = {1, 2, 4, 5};
            data[firsts[i]] = (HAND_WORDS - (200 + 20 * i)) / 2 - (i < 2 ? 2 : 3) + past;
            hand_record(&k.hand, 7, 0, data, 6);
            cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_EXACT));
            cr_expect(eq(i32, k.in.is_cut, past == 1), "%u", i);
        }
    }
}

/* ---- images ---- */

#define XY(x, y) ((uint32_t)(y) << 16 | (uint32_t)(x))

Test(hmd_infer, images)
{
    static ink k;
    ink_open(&k);
    HEADER(&k, TO(HAND_DATA));
    RECORD(&k, 7, 2, XY(640, 10), XY(16, 8), 0, XY(700, 30), XY(1, 1), 64);
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_EXACT));
    CHANGES(&k, 0x02000000, {DATA, XY(1008, 10), HMD_FIT_EXACT}, {DATA, XY(1009, 10), HMD_FIT_NOT},
            {DATA, XY(640, 504), HMD_FIT_EXACT}, {DATA, XY(640, 505), HMD_FIT_NOT},
            {DATA + 1, XY(384, 8), HMD_FIT_EXACT}, {DATA + 1, XY(385, 8), HMD_FIT_NOT},
            {DATA + 1, XY(16, 502), HMD_FIT_EXACT}, {DATA + 1, XY(16, 503), HMD_FIT_NOT},
            {DATA + 1, XY(0, 8), HMD_FIT_NOT}, {DATA + 1, XY(16, 0), HMD_FIT_NOT},
            {DATA + 1, XY(1, 1), HMD_FIT_EXACT}, {DATA + 4, XY(0, 1), HMD_FIT_NOT},
            {DATA + 4, XY(1, 0), HMD_FIT_NOT}, {DATA + 3, XY(1023, 511), HMD_FIT_EXACT},
            {DATA + 3, XY(1024, 511), HMD_FIT_NOT}, {DATA + 3, XY(1023, 512), HMD_FIT_NOT},
            {ARG, 5, HMD_FIT_NOT}, {ARG, 0, HMD_FIT_NOT});
    cr_expect(eq(i32, fit_of(&k, 0x02000001), HMD_FIT_NOT));
    /* Only the last record of a primitive may be longer than its images. */
    RECORD(&k, 8, 2, XY(640, 10), XY(16, 8), 0, XY(700, 30), XY(1, 1), 64);
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_LOOSE));
    k.hand.primitives[0].num_records = 2;
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_NOT));
    k.hand.primitives[0].num_records = 1;
    RECORD(&k, 6, 2, XY(640, 10), XY(16, 8), 0, XY(700, 30), XY(1, 1), 64);
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_NOT));
    RECORD(&k, 1, 0, 0);
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_NOT));
}

Test(hmd_infer, images_with_colour_tables)
{
    static ink k;
    ink_open(&k);
    HEADER(&k, TO(HAND_DATA), TO(HAND_DATA + 8));
    RECORD(&k, 7, 1, XY(640, 10), XY(16, 8), 0, XY(0, 480), XY(16, 1), 0);
    cr_expect(eq(i32, fit_of(&k, 0x02000001), HMD_FIT_EXACT));
    CHANGES(&k, 0x02000001, {DATA, XY(1009, 10), HMD_FIT_NOT},
            {DATA + 3, XY(1008, 511), HMD_FIT_EXACT}, {DATA + 3, XY(1009, 511), HMD_FIT_NOT},
            {DATA + 4, XY(16, 32), HMD_FIT_EXACT}, {DATA + 4, XY(16, 33), HMD_FIT_NOT},
            {DATA + 4, XY(0, 1), HMD_FIT_NOT}, {DATA + 4, XY(16, 0), HMD_FIT_NOT},
            {ARG, 5, HMD_FIT_NOT}, {ARG + 1, 5, HMD_FIT_NOT}, {ARG + 1, 0, HMD_FIT_NOT});
    /* Longer than an image alone, as the last of its primitive. */
    cr_expect(eq(i32, fit_of(&k, 0x02000000), HMD_FIT_LOOSE));
    HEADER(&k, TO(HAND_DATA), TO(HAND_DATA + 8), TO(HAND_DATA + 16));
    cr_expect(eq(i32, fit_of(&k, 0x02000001), HMD_FIT_NOT));
    HEADER(&k, TO(HAND_DATA));
    cr_expect(eq(i32, fit_of(&k, 0x02000001), HMD_FIT_NOT));
}

/* An image without colour tables may have none in its header, or a 0 in their place, but no number.
 */
Test(hmd_infer, headers_of_images)
{
    static const struct {
        uint32_t args[3], num;
        hmd_fit fit;
    } rows[] = {{{TO(HAND_DATA)}, 1, HMD_FIT_EXACT},
                {{TO(HAND_DATA), 0}, 2, HMD_FIT_EXACT},
                {{TO(HAND_DATA), TO(HAND_DATA)}, 2, HMD_FIT_EXACT},
                {{TO(HAND_DATA), 1}, 2, HMD_FIT_NOT},
                {{TO(HAND_DATA), 0, 0}, 3, HMD_FIT_NOT},
                {{TO(HAND_DATA), TO(HAND_DATA), TO(HAND_DATA)}, 3, HMD_FIT_NOT},
                {{0}, 0, HMD_FIT_NOT}};
    static ink k;
    ink_open(&k);
    RECORD(&k, 4, 1, XY(640, 10), XY(16, 8), 0);
    for (size_t i = 0; i < NUM(rows); i++) {
        hand_header(&k.hand, rows[i].args, rows[i].num);
        cr_expect(eq(i32, fit_of(&k, 0x02000000), rows[i].fit), "%zu", i);
    }
}

/* ---- animation ---- */

static void put_sequences(ink *k)
{
    HEADER(k, 4, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20));
    RECORD(k, 16, 2, 0x04000001, 1 << 16 | 7, 0, 0, 0, 0, 0, 0x04000002, 2 << 16 | 8, 0, 0, 0, 0, 0,
           0);
}

/* The header tells its own length, then leads to three sections; the sequences tile the record. */
Test(hmd_infer, animations)
{
    static ink k;
    ink_open(&k);
    put_sequences(&k);
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_EXACT));
    CHANGES(&k, 0x03000000, {ARG, 5, HMD_FIT_NOT}, {ARG, 3, HMD_FIT_NOT},
            {ARG, TO(HAND_DATA), HMD_FIT_NOT}, {ARG + 1, 5, HMD_FIT_NOT}, {ARG + 2, 0, HMD_FIT_NOT},
            {ARG + 3, 5, HMD_FIT_NOT}, {DATA + 1, 0 << 16 | 6, HMD_FIT_NOT},
            {DATA + 1, 1 << 16 | 8, HMD_FIT_NOT}, {DATA + 1, 2 << 16 | 7, HMD_FIT_NOT},
            {DATA + 8, 3 << 16 | 8, HMD_FIT_NOT}, {DATA + 8, 1 << 16 | 7, HMD_FIT_LOOSE},
            {DATA + 8, 3 << 16 | 9, HMD_FIT_LOOSE});
    k.hand.primitives[0].num_records = 2;
    CHANGES(&k, 0x03000000, {DATA, 0x04000001, HMD_FIT_EXACT}, {DATA + 8, 1 << 16 | 7, HMD_FIT_NOT},
            {DATA + 8, 3 << 16 | 9, HMD_FIT_NOT});
    k.hand.records[0].count = 0;
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_NOT));
    k.hand.records[0].count = 1;
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_NOT));
    k.hand.primitives[0].num_records = 1;
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_LOOSE));
}

Test(hmd_infer, headers_of_animations)
{
    static const struct {
        uint32_t args[5], num;
        hmd_fit fit;
    } rows[] = {{{4, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20)}, 4, HMD_FIT_EXACT},
                {{5, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20), 0}, 5, HMD_FIT_EXACT},
                {{5, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20), TO(HAND_COORDINATES)},
                 5,
                 HMD_FIT_EXACT},
                {{3, TO(HAND_DATA), TO(HAND_DATA + 10)}, 3, HMD_FIT_NOT},
                {{3, TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20)}, 3, HMD_FIT_NOT},
                {{TO(4), TO(HAND_DATA), TO(HAND_DATA + 10), TO(HAND_DATA + 20)}, 4, HMD_FIT_NOT}};
    static ink k;
    ink_open(&k);
    put_sequences(&k);
    for (size_t i = 0; i < NUM(rows); i++) {
        hand_header(&k.hand, rows[i].args, rows[i].num);
        cr_expect(eq(i32, fit_of(&k, 0x03000000), rows[i].fit), "%zu", i);
    }
    k.hand.primitives[0].header = HMD_NONE;
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_NOT));
}

/* In memory the first word of a header may be both: its own length, and an address below the asset.
 */
Test(hmd_infer, a_length_that_is_an_address)
{
    static ink k;
    ink_open(&k);
    hand_map(&k.hand);
    k.hand.model.base = 0;
    k.hand.model.segment = 0;
    put_sequences(&k);
    HEADER(&k, 4, 4 * HAND_DATA, 4 * (HAND_DATA + 10), 4 * (HAND_DATA + 20));
    const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
    cr_assert(eq(u32, shape.pointers, 15));
    cr_expect(eq(i32, fit_of(&k, 0x03000000), HMD_FIT_NOT));
}

/* ---- morphing ---- */

static const uint32_t morphs[] = {0x04010010, 0x04010011, 0x04010018, 0x04010019,
                                  0x04010020, 0x04010021, 0x04010028, 0x04010029};

/* The headers of the four kinds, each with what its block may be. */
static void put_morph_header(ink *k, uint32_t type)
{
    switch (type & 0xfe) {
    case 0x10:
        HEADER(k, TO(HAND_COORDINATES), TO(700), 2, 7, TO(HAND_DATA));
        return;
    case 0x18:
        HEADER(k, TO(HAND_COORDINATES), 7, TO(HAND_DATA));
        return;
    case 0x20:
        HEADER(k, TO(700), 2, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
        return;
    default:
        HEADER(k, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
    }
}

/* What each argument of a morph is: the coordinates, the weights (or none), a number, a section. */
Test(hmd_infer, headers_of_morphs)
{
    static const char *const kinds[] = {"Cw##P", "C#P", "w##PPPP", "#PPPP"};
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        const uint32_t type = morphs[i];
        const char *const kind = kinds[i / 2];
        const uint32_t num = (uint32_t)strlen(kind);
        ink_open(&k);
        put_morph_header(&k, type);
        RECORD(&k, 2, 1, 0);
        cr_assert(eq(u32, k.hand.headers[0].num_words, num));
        cr_expect(fit_of(&k, type) != HMD_FIT_NOT, "0x%08x", type);
        for (uint32_t a = 0; a < num; a++) {
            static const uint32_t values[] = {0, 5, TO(800), TO(HAND_COORDINATES)};
            static const struct {
                char kind;
                bool is_fit[4]; /* of each value */
            } rows[] = {{'C', {false, false, false, true}},
                        {'w', {true, false, true, false}},
                        {'#', {true, true, false, false}},
                        {'P', {false, false, true, false}}};
            for (size_t v = 0; v < NUM(values); v++) {
                const uint32_t own = hand_get(&k.hand, ARG + a);
                hand_put(&k.hand, ARG + a, values[v]);
                const bool is_fit = fit_of(&k, type) != HMD_FIT_NOT;
                const size_t r = (size_t)(strchr("Cw#P", kind[a]) - "Cw#P");
                cr_expect(is_fit == rows[r].is_fit[v], "0x%08x: argument %u is 0x%x", type, a,
                          values[v]);
                hand_put(&k.hand, ARG + a, own);
            }
        }
        for (uint32_t n = num - 1; n <= num + 1; n += 2) {
            hand_put(&k.hand, ARG + num, TO(800));
            k.hand.headers[0].num_words = n;
            cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_NOT), "0x%08x: %u arguments", type, n);
        }
    }
}

Test(hmd_infer, records_of_morphs)
{
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        ink_open(&k);
        put_morph_header(&k, morphs[i]);
        RECORD(&k, 3, 2, 0, 100);
        cr_expect(fit_of(&k, morphs[i]) != HMD_FIT_NOT);
        RECORD(&k, 3, 1, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        RECORD(&k, 3, 3, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        RECORD(&k, 1, 0, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        /* A block behind all that an asset has; the last one spoils those before it. */
        RECORD(&k, 3, 2, 0, HMD_MOST_WORDS - HAND_DATA);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
    }
}

/* The block of a joint: its coordinate, a difference for each flag, and a reset area, which is five
 * words for angles and eight for axes. What follows tells them apart. */
Test(hmd_infer, blocks_of_joints)
{
    static const uint32_t types[] = {0x04010010, 0x04010011, 0x04010018, 0x04010019};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t len = 2 + 2 * 5 + ((types[i] & 1) != 0 ? 5 : 8);
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 0);
        PUT(&k, HAND_DATA, 2 << 16 | 1, 0x80000001);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_EXACT));
        CHANGES(&k, types[i], {HAND_DATA, 2 << 16 | (HAND_UNITS - 1), HMD_FIT_EXACT},
                {HAND_DATA, 2 << 16 | HAND_UNITS, HMD_FIT_NOT}, {HAND_DATA, 1 << 16, HMD_FIT_NOT},
                {HAND_DATA, 3 << 16, HMD_FIT_NOT}, {HAND_DATA + 1, 1, HMD_FIT_NOT},
                {HAND_DATA + 1, 0x80000003, HMD_FIT_NOT}, {HAND_DATA + 1, 6, HMD_FIT_EXACT});
        hmd_infer_mark(&k.in.known, HAND_DATA + len + 1);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        hmd_infer_mark(&k.in.known, HAND_DATA + len);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_EXACT));
        hmd_infer_mark(&k.in.known, HAND_DATA + len - 1);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_NOT));
    }
}

/* Differences of vertices or normals lie as far behind their block as its entries say: from which
 * element on, and in the upper half of the next word how many. */
Test(hmd_infer, blocks_of_differences)
{
    static const uint32_t types[] = {0x04010020, 0x04010021};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t section = i == 0 ? 740 : 760;
        const uint32_t room = (HMD_MOST_WORDS - section) / 2;
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 50);
        enum { BLOCK = HAND_DATA + 50, FIRST = BLOCK + 30, LAST = BLOCK + 40 };
        PUT(&k, BLOCK, 2 << 16, 0x00010010, FIRST - BLOCK, LAST - BLOCK);
        PUT(&k, FIRST, 3, 4 << 16);
        PUT(&k, LAST, 5, 6 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        CHANGES(&k, types[i], {BLOCK, 1 << 16, HMD_FIT_NOT}, {BLOCK, 3 << 16, HMD_FIT_NOT},
                {BLOCK + 1, 1, HMD_FIT_NOT}, {FIRST, room - 4, HMD_FIT_LOOSE},
                {FIRST, room - 3, HMD_FIT_NOT}, {LAST, room - 6, HMD_FIT_LOOSE},
                {LAST, room - 5, HMD_FIT_NOT}, {LAST, 0xffffffff, HMD_FIT_NOT},
                {BLOCK + 2, HMD_MOST_WORDS - BLOCK - 2, HMD_FIT_LOOSE},
                {BLOCK + 2, HMD_MOST_WORDS - BLOCK - 1, HMD_FIT_NOT},
                {BLOCK + 3, HMD_MOST_WORDS - BLOCK - 2, HMD_FIT_LOOSE},
                {BLOCK + 3, HMD_MOST_WORDS - BLOCK - 1, HMD_FIT_NOT});
        /* Three words a difference, and how many of them decides where the elements end. */
        hand_put(&k.hand, LAST, room - 6);
        CHANGES(&k, types[i], {LAST + 1, 5 << 16 | 0xffff, HMD_FIT_LOOSE},
                {LAST + 1, 7 << 16, HMD_FIT_NOT});
    }
}

/* Resets: how many there are, then three words each: from which element on, where the originals
 * are, and in the upper half of the last word how many. */
Test(hmd_infer, blocks_of_resets)
{
    static const uint32_t types[] = {0x04010028, 0x04010029};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t section = i == 0 ? 740 : 760;
        const uint32_t room = (HMD_MOST_WORDS - section) / 2;
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 50);
        enum { BLOCK = HAND_DATA + 50 };
        PUT(&k, BLOCK, 2 << 16, 3, 0, 4 << 16, 5, 0, 6 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        CHANGES(&k, types[i], {BLOCK, 2 << 16 | 1, HMD_FIT_NOT},
                {BLOCK + 1, room - 4, HMD_FIT_LOOSE}, {BLOCK + 1, room - 3, HMD_FIT_NOT},
                {BLOCK + 4, room - 6, HMD_FIT_LOOSE}, {BLOCK + 4, room - 5, HMD_FIT_NOT},
                {BLOCK + 2, 0xffffffff, HMD_FIT_LOOSE}, {BLOCK + 5, 0xffffffff, HMD_FIT_LOOSE},
                {BLOCK + 1, 0xffffffff, HMD_FIT_NOT}, {BLOCK, 1 << 16, HMD_FIT_LOOSE});
        hand_put(&k.hand, BLOCK + 1, room - 4);
        CHANGES(&k, types[i], {BLOCK + 3, 4 << 16 | 0xffff, HMD_FIT_LOOSE},
                {BLOCK + 3, 5 << 16, HMD_FIT_NOT});
        hand_put(&k.hand, BLOCK + 1, 3);
        hand_put(&k.hand, BLOCK + 4, room - 6);
        CHANGES(&k, types[i], {BLOCK + 6, 7 << 16, HMD_FIT_NOT},
                {BLOCK + 6, 6 << 16 | 0xffff, HMD_FIT_LOOSE}, {BLOCK, 1 << 16, HMD_FIT_LOOSE});
        /* The last reset may be the last of the bytes. */
        k.in.is_cut = false;
        RECORD(&k, 2, 1, HAND_WORDS - 4 - HAND_DATA);
        PUT(&k, HAND_WORDS - 4, 1 << 16, 3, 0, 4 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        cr_expect(k.in.is_cut == false);
        hand_put(&k.hand, HAND_WORDS - 4, 2 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        cr_expect(k.in.is_cut);
    }
}

/* Where blocks of any kind begin, something begins: that ends what lies before them. */
Test(hmd_infer, blocks_are_known_starts)
{
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        ink_open(&k);
        put_morph_header(&k, morphs[i]);
        RECORD(&k, 4, 3, 5, 33, 70);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        hmd_infer_mark_blocks(&k.in, &shape);
        cr_expect(k.hand.check.record == NULL);
        static const uint32_t offs[] = {5, 33, 70};
        uint32_t at = 0;
        for (size_t n = 0; n < NUM(offs); n++) {
            at = hmd_infer_next(&k.in, at);
            cr_expect(eq(u32, at, HAND_DATA + offs[n]), "0x%08x", morphs[i]);
        }
        cr_expect(eq(u32, hmd_infer_next(&k.in, at), HMD_MOST_WORDS));
        k.in.known = no_starts(k.known);
        RECORD(&k, 4, 2, 5, 33, 70);
        hmd_infer_mark_blocks(&k.in, &(hmd_shape){.record = &k.hand.records[0],
                                                  .num_args = shape.num_args,
                                                  .pointers = shape.pointers,
                                                  .sections = shape.sections,
                                                  .zeros = shape.zeros});
        cr_expect(eq(u32, hmd_infer_next(&k.in, 0), HMD_MOST_WORDS));
    }
}

/* ---- ground ---- */

Test(hmd_infer, grounds)
{
    for (uint32_t type = 0x05000000; type <= 0x05000001; type++) {
        const uint32_t num = type == 0x05000001 ? 5 : 4;
        static ink k;
        ink_open(&k);
        uint32_t args[7] = {TO(HAND_DATA), TO(300), TO(400), TO(500), TO(600)};
        hand_header(&k.hand, args, num);
        RECORD(&k, 4, 0, 10, 0, 0);
        enum { HEAD = HAND_DATA + 10 };
        PUT(&k, HEAD, 100, 100, XY(4, 4), XY(3, 0));
        cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_EXACT));
        CHANGES(&k, type, {HEAD + 2, XY(2, 4), HMD_FIT_EXACT}, {HEAD + 2, XY(1, 4), HMD_FIT_NOT},
                {HEAD + 2, XY(0, 4), HMD_FIT_NOT}, {HEAD + 3, XY(1, 0), HMD_FIT_EXACT},
                {HEAD + 3, XY(0, 0), HMD_FIT_NOT}, {ARG + num - 1, TO(HAND_UNIT), HMD_FIT_NOT},
                {ARG + num - 1, 5, HMD_FIT_NOT});
        cr_expect(eq(i32, fit_of(&k, type ^ 1), HMD_FIT_NOT));
        /* The coordinates may follow, for the record with INI, and nothing else. */
        args[num] = TO(HAND_COORDINATES);
        hand_header(&k.hand, args, num + 1);
        cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_EXACT));
        args[num] = TO(HAND_UNIT);
        hand_header(&k.hand, args, num + 1);
        cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_NOT));
        args[num] = TO(HAND_COORDINATES);
        hand_header(&k.hand, args, num);
        for (uint32_t i = 0; i < 3; i++) {
            static const uint32_t sizes[] = {3, 5, 4};
            RECORD(&k, sizes[i], sizes[i] == 4, 10, 0, 0);
            cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_NOT), "%u", sizes[i]);
        }
    }
}

/* ---- devices ---- */

typedef struct device {
    uint32_t type, num_coordinates, num_words;
    bool is_light;
} device;

static const device devices[] = {{0x07000100, 0, 1, false}, {0x07010100, 0, 8, false},
                                 {0x07020100, 1, 8, false}, {0x07030100, 2, 8, false},
                                 {0x07000200, 0, 1, true},  {0x07010200, 0, 7, true},
                                 {0x07020200, 1, 7, true},  {0x07030200, 2, 7, true}};

static void put_device(ink *k, const device *d)
{
    const uint32_t args[] = {TO(HAND_DATA), TO(HAND_UNIT), TO(HAND_UNIT + 20)};
    hand_header(&k->hand, args, 1 + d->num_coordinates);
    const uint32_t light = XY(0, 0);
    hand_record(&k->hand, d->is_light ? 2 : 1, d->is_light ? 1 : 0, &light, 1);
}

/* Parameters, then the coordinates that the device hangs on. */
Test(hmd_infer, headers_of_devices)
{
    for (size_t i = 0; i < NUM(devices); i++) {
        const device *d = &devices[i];
        const uint32_t num = 1 + d->num_coordinates;
        static ink k;
        ink_open(&k);
        put_device(&k, d);
        cr_expect(eq(i32, fit_of(&k, d->type), HMD_FIT_EXACT), "0x%08x", d->type);
        CHANGES(&k, d->type, {ARG, 5, HMD_FIT_NOT}, {ARG, TO(HAND_UNIT), HMD_FIT_NOT},
                {ARG, TO(HAND_COORDINATES), HMD_FIT_NOT});
        for (uint32_t a = 1; a < num; a++) {
            CHANGES(&k, d->type, {ARG + a, TO(HAND_UNIT + 40), HMD_FIT_EXACT},
                    {ARG + a, TO(HAND_UNIT + 60), HMD_FIT_NOT},
                    {ARG + a, TO(HAND_UNIT + 1), HMD_FIT_NOT},
                    {ARG + a, TO(HAND_COORDINATES), HMD_FIT_NOT}, {ARG + a, 0, HMD_FIT_NOT});
        }
        k.hand.headers[0].num_words = num - 1;
        cr_expect(eq(i32, fit_of(&k, d->type), HMD_FIT_NOT));
        /* A header that several devices share may be longer, but not by more than any needs. */
        for (uint32_t n = num + 1; n <= 4; n++) {
            k.hand.headers[0].num_words = n;
            k.users[0] = HMD_USERS_MIXED;
            cr_expect(eq(i32, fit_of(&k, d->type), n <= 3 ? HMD_FIT_EXACT : HMD_FIT_NOT));
            k.users[0] = 0x80040000;
            cr_expect(eq(i32, fit_of(&k, d->type), HMD_FIT_NOT));
        }
        k.hand.headers[0].num_words = num;
        cr_expect(eq(i32, fit_of(&k, d->type), HMD_FIT_EXACT));
    }
}

/* A camera has nothing behind its size; a light has a word for each light, of which only those of
 * the world may be several. */
Test(hmd_infer, records_of_devices)
{
    for (size_t i = 0; i < NUM(devices); i++) {
        const device *d = &devices[i];
        for (uint32_t size = 0; size <= 4; size++) {
            for (uint32_t count = 0; count <= 3; count++) {
                static ink k;
                ink_open(&k);
                put_device(&k, d);
                RECORD(&k, size, count, XY(0, 0), XY(1, 7), XY(2, 14));
                const bool may_be = d->type == 0x07010200 ? count >= 1 : count == 1;
                const bool is_fit =
                    d->is_light ? size == 1 + count && may_be : size == 1 && count == 0;
                cr_expect(eq(i32, fit_of(&k, d->type), is_fit ? HMD_FIT_EXACT : HMD_FIT_NOT),
                          "0x%08x: size %u, count %u", d->type, size, count);
            }
        }
    }
}

/* A light says which of three it is, and where its parameters are. */
Test(hmd_infer, numbers_of_lights)
{
    for (size_t i = 0; i < NUM(devices); i++) {
        const device *d = &devices[i];
        static ink k;
        ink_open(&k);
        put_device(&k, d);
        if (!d->is_light) {
            continue;
        }
        const uint32_t room = HAND_WORDS - HAND_DATA - d->num_words;
        CHANGES(&k, d->type, {DATA, XY(2, 0), HMD_FIT_EXACT}, {DATA, XY(3, 0), HMD_FIT_NOT},
                {DATA, XY(0, room), HMD_FIT_EXACT});
        cr_expect(k.in.is_cut == false);
        CHANGES(&k, d->type, {DATA, XY(0, room + 1), HMD_FIT_EXACT});
        cr_expect(k.in.is_cut);
    }
    static ink k;
    ink_open(&k);
    put_device(&k, &devices[5]);
    RECORD(&k, 3, 2, XY(0, 0), XY(1, 7));
    cr_expect(eq(i32, fit_of(&k, 0x07010200), HMD_FIT_EXACT));
    CHANGES(&k, 0x07010200, {DATA, XY(3, 0), HMD_FIT_NOT}, {DATA + 1, XY(3, 7), HMD_FIT_NOT},
            {DATA + 2, XY(3, 7), HMD_FIT_EXACT});
}

/* The parameters of a camera that end with the bytes are all there. */
Test(hmd_infer, parameters_of_cameras)
{
    for (size_t i = 0; i < NUM(devices); i++) {
        for (uint32_t past = 0; past < 2 && !devices[i].is_light; past++) {
            static ink k;
            ink_open(&k);
            put_device(&k, &devices[i]);
            hand_put(&k.hand, ARG, TO(HAND_WORDS - devices[i].num_words + past));
            cr_expect(eq(i32, fit_of(&k, devices[i].type), HMD_FIT_EXACT));
            cr_expect(eq(i32, k.in.is_cut, past == 1), "0x%08x", devices[i].type);
            hand_put(&k.hand, ARG, TO(HMD_MOST_WORDS - devices[i].num_words + past));
            cr_expect(
                eq(i32, fit_of(&k, devices[i].type), past == 0 ? HMD_FIT_EXACT : HMD_FIT_NOT));
        }
    }
}

/* Every type that is tried is one that the library has, and none is tried twice. */
Test(hmd_infer, types_that_are_tried)
{
    for (size_t i = 0; i < hmd_num_kinds; i++) {
        cr_expect(hmd_has_driver(hmd_kinds[i].type), "0x%08x", hmd_kinds[i].type);
        for (size_t n = 0; n < i; n++) {
            cr_expect(hmd_kinds[n].type != hmd_kinds[i].type, "0x%08x", hmd_kinds[i].type);
        }
    }
    cr_expect(eq(sz, hmd_num_kinds, 22));
}

/* ---- work ---- */

/* The work that is left may be spent to the last unit; then nothing is, and the budget is kept. */
Test(hmd_infer, work_is_limited)
{
    static ink k;
    ink_open(&k);
    k.in.left = 5;
    k.hand.budget.left = 100;
    cr_expect(hmd_infer_pay(&k.in, 2));
    cr_expect(eq(u64, k.in.left, 3));
    cr_expect(hmd_infer_pay(&k.in, 3));
    cr_expect(eq(u64, k.in.left, 0));
    k.in.left = 3;
    cr_expect(hmd_infer_pay(&k.in, 4) == false);
    cr_expect(eq(u64, k.in.left, 0));
    cr_expect(eq(u64, k.hand.budget.left, 95));
    k.in.left = 1000;
    cr_expect(hmd_infer_pay(&k.in, 96) == false);
    cr_expect(eq(u64, k.in.left, 0));
    cr_expect(k.hand.check.stopped);
}

/* What lies behind the bytes may be there all the same, if an asset can be so long. */
Test(hmd_infer, words_that_an_asset_may_have)
{
    static const struct {
        uint64_t first, num;
        bool has, is_cut;
    } rows[] = {{HAND_WORDS - 1, 1, true, false},    {HAND_WORDS, 0, true, false},
                {HAND_WORDS, 1, true, true},         {HAND_WORDS + 1, 0, true, true},
                {HMD_MOST_WORDS - 1, 1, true, true}, {HMD_MOST_WORDS, 0, true, true},
                {0, HMD_MOST_WORDS, true, true},     {HMD_MOST_WORDS, 1, false, true},
                {1, HMD_MOST_WORDS, false, true},    {0, HMD_MOST_WORDS + 1, false, true},
                {HMD_MOST_WORDS + 1, 0, false, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        ink_open(&k);
        cr_expect(hmd_infer_has(&k.in, rows[i].first, rows[i].num) == rows[i].has, "%zu", i);
        cr_expect(k.in.is_cut == rows[i].is_cut, "%zu", i);
        (void)hmd_infer_has(&k.in, 0, 1);
        cr_expect(k.in.is_cut == rows[i].is_cut, "%zu", i);
    }
}

/* ---- known starts ---- */

Test(hmd_infer, next_known_start)
{
    static ink k;
    ink_open(&k);
    for (uint32_t at = 0; at < 130; at++) {
        k.in.known = no_starts(k.known);
        hmd_infer_mark(&k.in.known, at);
        for (uint32_t off = 0; off < 132; off++) {
            const uint32_t next = hmd_infer_next(&k.in, off);
            cr_expect(next == (off < at ? at : HMD_MOST_WORDS), "%u above %u: %u", at, off, next);
        }
    }
    k.in.known = no_starts(k.known);
    for (uint32_t at = 3; at < HAND_WORDS; at += 7) {
        hmd_infer_mark(&k.in.known, at);
    }
    for (uint32_t off = 0; off < HAND_WORDS; off++) {
        const uint32_t at = off < 3 ? 3 : off + 7 - (off - 3) % 7;
        cr_expect(eq(u32, hmd_infer_next(&k.in, off), at < HAND_WORDS ? at : HMD_MOST_WORDS));
    }
}

/* Of those behind the bytes the first one is known. */
Test(hmd_infer, known_starts_behind_the_bytes)
{
    static ink k;
    ink_open(&k);
    hmd_infer_mark(&k.in.known, HMD_MOST_WORDS);
    hmd_infer_mark(&k.in.known, HMD_NONE);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HMD_MOST_WORDS));
    hmd_infer_mark(&k.in.known, 3000);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), 3000));
    hmd_infer_mark(&k.in.known, 2000);
    hmd_infer_mark(&k.in.known, 2500);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), 2000));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 1999), 2000));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 2000), HMD_MOST_WORDS));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 2001), HMD_MOST_WORDS));
    hmd_infer_mark(&k.in.known, HAND_WORDS);
    cr_expect(eq(u32, hmd_infer_next(&k.in, HAND_WORDS - 1), HAND_WORDS));
    hmd_infer_mark(&k.in.known, HAND_WORDS - 1);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HAND_WORDS - 1));
    /* What stands in the table behind belongs to another one. */
    k.in.known = no_starts(k.known);
    k.vertices[0] = 1;
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HMD_MOST_WORDS));
}

/* ---- areas of packets ---- */

enum { PACKETS = HAND_DATA, VERTICES = 600, NORMALS = 700 };

static void put_polygons(ink *k, bool is_shared)
{
    if (is_shared) {
        HEADER(k, TO(PACKETS), TO(VERTICES - 50), TO(VERTICES), TO(NORMALS - 30), TO(NORMALS));
    } else {
        HEADER(k, TO(PACKETS), TO(VERTICES), TO(NORMALS));
    }
    RECORD(k, 2, 1, 5);
}

static hmd_area area_of(ink *k, uint8_t category)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    hmd_area area = {0};
    cr_expect(hmd_infer_area(&k->in, &shape, category, &area));
    return area;
}

/* As many vertices as there is room for in the sections of vertices that follow each other. Shared
 * polygons are made of calculated vertices and normals. */
Test(hmd_infer, areas_of_packets)
{
    for (unsigned is_shared = 0; is_shared < 2; is_shared++) {
        static ink k;
        const uint8_t category = is_shared ? HMD_SHARED : HMD_POLYGONS;
        ink_open(&k);
        put_polygons(&k, is_shared);
        hmd_area area = area_of(&k, category);
        cr_expect(eq(u32, area.first, PACKETS + 5));
        cr_expect(eq(u32, area.next, HMD_MOST_WORDS));
        cr_expect(eq(u32, area.num_vertices, HMD_MOST_WORDS));
        cr_expect(eq(u32, area.num_normals, HMD_MOST_WORDS));
        hmd_infer_mark(&k.in.known, PACKETS + 5);
        hmd_infer_mark(&k.in.known, PACKETS + 9);
        hmd_infer_mark(&k.in.known, VERTICES + 20);
        hmd_infer_mark(&k.in.known, NORMALS);
        hmd_infer_mark(&k.in.known, NORMALS + 20);
        hmd_infer_mark(&k.in.known, NORMALS + 60);
        area = area_of(&k, category);
        cr_expect(eq(u32, area.next, PACKETS + 9));
        cr_expect(eq(u32, area.num_vertices, 10));
        cr_expect(eq(u32, area.num_normals, 10));
        hmd_infer_mark(&k.in.vertices, VERTICES + 20);
        hmd_infer_mark(&k.in.normals, NORMALS + 20);
        area = area_of(&k, category);
        cr_expect(eq(u32, area.num_vertices, 50));
        cr_expect(eq(u32, area.num_normals, 30));
        /* The upper byte of the index asks for subdivision. */
        RECORD(&k, 2, 1, 3u << 24 | 7);
        cr_expect(eq(u32, area_of(&k, category).first, PACKETS + 7));
    }
}

/* A section behind the bytes may be one more of the same kind. */
Test(hmd_infer, areas_up_to_the_end_of_the_bytes)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    hmd_infer_mark(&k.in.known, NORMALS);
    hmd_infer_mark(&k.in.known, HAND_WORDS);
    const hmd_area area = area_of(&k, HMD_POLYGONS);
    cr_expect(eq(u32, area.num_vertices, 50));
    cr_expect(eq(u32, area.num_normals, HMD_MOST_WORDS));
}

/* Sections and packets may lie behind the bytes, but not behind the longest asset. */
Test(hmd_infer, areas_at_the_end_of_all)
{
    static const struct {
        uint32_t section[3], size;
        bool has, is_cut;
    } rows[] = {{{PACKETS, VERTICES, NORMALS}, 2, true, false},
                {{PACKETS, VERTICES, NORMALS}, 1, false, false},
                {{PACKETS, VERTICES, NORMALS}, 3, false, false},
                {{HAND_WORDS - 6, VERTICES, NORMALS}, 2, true, false},
                {{HAND_WORDS - 5, VERTICES, NORMALS}, 2, true, true},
                {{HMD_MOST_WORDS - 6, VERTICES, NORMALS}, 2, true, true},
                {{HMD_MOST_WORDS - 5, VERTICES, NORMALS}, 2, false, true},
                {{PACKETS, HAND_WORDS, NORMALS}, 2, true, false},
                {{PACKETS, VERTICES, HAND_WORDS}, 2, true, false},
                {{PACKETS, HAND_WORDS + 1, NORMALS}, 2, true, true},
                {{PACKETS, VERTICES, HAND_WORDS + 1}, 2, true, true},
                {{PACKETS, HMD_MOST_WORDS, NORMALS}, 2, true, true},
                {{PACKETS, VERTICES, HMD_MOST_WORDS}, 2, true, true},
                {{PACKETS, HMD_MOST_WORDS + 1, NORMALS}, 2, false, true},
                {{PACKETS, VERTICES, HMD_MOST_WORDS + 1}, 2, false, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        hmd_area area;
        ink_open(&k);
        HEADER(&k, TO(rows[i].section[0]), TO(rows[i].section[1]), TO(rows[i].section[2]));
        RECORD(&k, rows[i].size, 1, 5, 0);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const bool has = hmd_infer_area(&k.in, &shape, HMD_POLYGONS, &area);
        cr_expect(eq(i32, has, rows[i].has), "%zu", i);
        cr_expect(eq(i32, k.in.is_cut, rows[i].is_cut), "%zu", i);
    }
}

/* ---- packets ---- */

static size_t layout_of(uint32_t primitive_type)
{
    size_t i = 0;
    while (i < hmd_num_packet_layouts && hmd_packet_layouts[i]->primitive_type != primitive_type) {
        i++;
    }
    HOLD(i < hmd_num_packet_layouts, "no layout 0x%x", primitive_type);
    return i;
}

static hmd_fit packets_fit(ink *k, uint32_t primitive_type, const hmd_area *area)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    return hmd_infer_fit_packets(&k->in, &shape, HMD_POLYGONS, layout_of(primitive_type), area);
}

typedef struct packets {
    uint32_t layout, num;
    uint32_t words[8];
    struct {
        uint32_t at, value;
        bool is_fit;
    } changes[10];
} packets;

/* Ten vertices and five normals: what each word of a packet may be. The lower two bits of a code
 * are free. */
Test(hmd_infer, words_of_packets)
{
    static const packets rows[] = {
        {0x008,
         3,
         {0x20ffffff, XY(4, 9), XY(9, 9)},
         {{0, 0x23ffffff, true},
          {0, 0x24ffffff, false},
          {0, 0x1fffffff, false},
          {0, 0x21ffffff, true},
          {1, XY(5, 9), false},
          {1, XY(4, 10), false},
          {2, XY(10, 9), false},
          {2, XY(9, 10), false},
          {2, XY(0, 0), true}}},
        {0x048,
         3,
         {0x20ffffff, XY(9, 9), XY(9, 0)},
         {{2, XY(9, 1), false},
          {2, XY(10, 0), false},
          {1, XY(10, 9), false},
          {0, 0x22000000, true},
          {0, 0x28000000, false}}},
        {0x009,
         5,
         {0xffffffff, 0xffffffff, XY(0xffff, 0), XY(4, 9), XY(9, 9)},
         {{2, XY(0xffff, 1), false}, {3, XY(5, 9), false}, {4, XY(9, 10), false}, {0, 0, true}}},
        {0x209,
         6,
         {0xe2000000, 0xffffffff, 0xffffffff, XY(0xffff, 0), XY(4, 9), XY(9, 9)},
         {{0, 0xe3000000, false}, {0, 0xe1000000, false}, {0, 0xe2ffffff, true}}}};
    static const hmd_area area = {
        .num_vertices = 10, .num_normals = 5, .first = PACKETS, .next = HMD_MOST_WORDS};
    for (size_t i = 0; i < NUM(rows); i++) {
        const packets *row = &rows[i];
        static ink k;
        ink_open(&k);
        put_polygons(&k, false);
        RECORD(&k, 2, 1, 0);
        hand_put_all(&k.hand, PACKETS, row->words, row->num);
        cr_expect(eq(i32, packets_fit(&k, row->layout, &area), HMD_FIT_EXACT), "%zu", i);
        for (size_t c = 0; c < NUM(row->changes) && row->changes[c].value != 0; c++) {
            const uint32_t at = PACKETS + row->changes[c].at;
            hand_put(&k.hand, at, row->changes[c].value);
            const hmd_fit fit = packets_fit(&k, row->layout, &area);
            cr_expect(eq(i32, fit, row->changes[c].is_fit ? HMD_FIT_EXACT : HMD_FIT_NOT),
                      "%zu: %zu", i, c);
            hand_put(&k.hand, at, row->words[row->changes[c].at]);
        }
    }
}

/* A mesh begins with its number of triangles, which is two at least. */
Test(hmd_infer, meshes)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    RECORD(&k, 2, 1, 0);
    const hmd_packet_layout *mesh = hmd_packet_layouts[layout_of(0x018)];
    cr_assert(mesh->is_mesh && mesh->num_first == 4);
    hmd_area area = {.num_vertices = 10, .num_normals = 5, .first = PACKETS};
    PUT(&k, PACKETS, 3, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), 0x20000000, XY(4, 9));
    const uint32_t end = PACKETS + 4 + 2 * mesh->num_more;
    area.next = end;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    area.next = end + 1;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_LOOSE));
    area.next = end - 1;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    area.next = PACKETS + 4;
    hand_put(&k.hand, PACKETS, 1);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    area.next = PACKETS + 4 + mesh->num_more;
    hand_put(&k.hand, PACKETS, 2);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, PACKETS, 0x10000);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    hand_put(&k.hand, PACKETS, 0x10002);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    /* As many as there may be, of which the first two lie in the bytes. */
    PUT(&k, HAND_WORDS - 4 - mesh->num_more, 0xffff, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000,
        XY(4, 9));
    area.first = HAND_WORDS - 4 - mesh->num_more;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    hand_put(&k.hand, area.first, 0x10000);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
}

/* A run ends where the next thing begins, or before. Where it leaves the bytes only what is there
 * is looked at, and it is noted. */
Test(hmd_infer, runs_of_packets)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    RECORD(&k, 2, 2, 0);
    hmd_area area = {.num_vertices = 10, .num_normals = 5, .first = PACKETS};
    PUT(&k, PACKETS, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), XY(9, 9));
    static const hmd_fit fits[] = {HMD_FIT_NOT, HMD_FIT_EXACT, HMD_FIT_LOOSE};
    for (uint32_t i = 0; i < 3; i++) {
        area.next = PACKETS + 5 + i;
        cr_expect(eq(i32, packets_fit(&k, 0x008, &area), fits[i]));
    }
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, PACKETS + 4, XY(5, 9));
    cr_expect(eq(i32, packets_fit(&k, 0x008, &area), HMD_FIT_NOT));
    hand_put(&k.hand, PACKETS + 4, XY(4, 9));
    cr_expect(k.in.is_cut == false);
    for (uint32_t inside = 6; inside > 0; inside--) {
        for (uint32_t next = 0; next < 3; next++) {
            k.in.is_cut = false;
            area.first = HAND_WORDS - inside;
            area.next = next == 2 ? HMD_MOST_WORDS : area.first + 5 + next;
            hand_put_all(
                &k.hand, area.first,
                (const uint32_t[]){0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), XY(9, 9)},
                inside);
            const hmd_fit fit = packets_fit(&k, 0x008, &area);
            cr_expect(eq(i32, fit, next == 0 ? HMD_FIT_NOT : HMD_FIT_EXACT), "%u", inside);
            cr_expect(k.in.is_cut == (inside < 6 && next > 0), "%u, %u", inside, next);
        }
    }
    /* Two more codes, behind the bytes. */
    RECORD(&k, 2, 1, 0);
    area.first = HAND_WORDS - 1;
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, area.first, 0x30000000);
    cr_expect(eq(i32, packets_fit(&k, 0x00a, &area), HMD_FIT_EXACT));
    /* A record without packets says nothing. */
    RECORD(&k, 2, 0, 0);
    area = (hmd_area){.first = PACKETS, .next = PACKETS + 5};
    cr_expect(eq(i32, packets_fit(&k, 0x008, &area), HMD_FIT_EXACT));
}

/* The types of layouts: without light where there are no normals, with subdivision where the index
 * asks for it, by five steps at most; if the library has a driver for that. */
Test(hmd_infer, types_of_layouts)
{
    static const struct {
        uint8_t category;
        uint32_t division, layout, type;
    } rows[] = {{HMD_POLYGONS, 0, 0x008, 0x00000008},  {HMD_POLYGONS, 0, 0x009, 0x00000009},
                {HMD_POLYGONS, 0, 0x217, 0x00000217},  {HMD_POLYGONS, 0, 0x048, 0x00040048},
                {HMD_POLYGONS, 0, 0x049, 0x00040049},  {HMD_POLYGONS, 0, 0x255, 0x00040255},
                {HMD_POLYGONS, 1, 0x008, 0x00010008},  {HMD_POLYGONS, 1, 0x048, 0x00050048},
                {HMD_POLYGONS, 5, 0x049, 0x00050049},  {HMD_POLYGONS, 1, 0x00a, HMD_NO_TYPE},
                {HMD_POLYGONS, 1, 0x209, HMD_NO_TYPE}, {HMD_POLYGONS, 0x80, 0x008, 0x00010008},
                {HMD_POLYGONS, 0, 0x01a, HMD_NO_TYPE}, {HMD_SHARED, 0, 0x00c, 0x0100000c},
                {HMD_SHARED, 0, 0x008, HMD_NO_TYPE},   {HMD_SHARED, 0, 0x04c, 0x0104004c},
                {HMD_SHARED, 1, 0x04c, HMD_NO_TYPE},   {HMD_SHARED, 0, 0x20d, 0x0100020d}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        ink_open(&k);
        put_polygons(&k, rows[i].category == HMD_SHARED);
        RECORD(&k, 2, 0, rows[i].division << 24);
        const size_t layout = layout_of(rows[i].layout);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        cr_expect(eq(u32, hmd_infer_packet_type(&k.hand.model, &shape, rows[i].category, layout),
                     rows[i].type),
                  "%zu", i);
        const hmd_area area = {.first = PACKETS, .next = HMD_MOST_WORDS};
        const bool is_fit = rows[i].type != HMD_NO_TYPE && rows[i].division <= 5;
        const hmd_fit fit = hmd_infer_fit_packets(&k.in, &shape, rows[i].category, layout, &area);
        cr_expect(eq(i32, fit, is_fit ? HMD_FIT_EXACT : HMD_FIT_NOT), "%zu", i);
        for (uint32_t division = 1; division < 0x100 && rows[i].division == 1; division++) {
            hand_put(&k.hand, DATA, division << 24 | 0xffffff);
            const hmd_fit divided =
                hmd_infer_fit_packets(&k.in, &shape, rows[i].category, layout, &area);
            const bool is_possible = rows[i].type != HMD_NO_TYPE && division <= 5;
            cr_expect(eq(i32, divided, is_possible ? HMD_FIT_EXACT : HMD_FIT_NOT), "%zu", i);
        }
    }
}

/* Which textures the header has tells one environment map from the other: those of both kinds of
 * reflection, of one of them, or the map's own. */
Test(hmd_infer, types_of_environment_maps)
{
    enum { TEX1 = 1 << 3, TEX2 = 1 << 4, TEX3 = 1 << 6 };
    for (uint32_t pointers = 0; pointers < 1u << 8; pointers++) {
        static ink k;
        ink_open(&k);
        uint32_t args[13];
        for (uint32_t i = 0; i < 13; i++) {
            args[i] = i < 8 && (pointers >> i & 1) != 0 ? TO(HAND_DATA + i) : 5;
        }
        hand_header(&k.hand, args, 13);
        RECORD(&k, 2, 0, 0);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const uint32_t map = (pointers & TEX2) != 0 && (pointers & TEX3) != 0 ? 0x06004000
                             : (pointers & TEX2) != 0                         ? 0x06002000
                             : (pointers & TEX3) != 0                         ? 0x06003000
                             : (pointers & TEX1) != 0                         ? 0x06001000
                                                                              : HMD_NO_TYPE;
        const uint32_t type =
            hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x00c));
        cr_expect(eq(u32, type, map == HMD_NO_TYPE ? map : map | 0x00c), "0x%x", pointers);
        hand_put(&k.hand, DATA, 1u << 24);
        cr_expect(eq(u32,
                     hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x00c)),
                     HMD_NO_TYPE));
        cr_expect(eq(u32,
                     hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x008)),
                     HMD_NO_TYPE));
    }
}

/* Colours have no fourth byte, wherever a layout has them. */
Test(hmd_infer, colours_of_packets)
{
    unsigned num_colours = 0;
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *what = hmd_packet_layouts[i];
        const hmd_area area = {
            .num_vertices = 1, .num_normals = 1, .first = PACKETS, .next = HMD_MOST_WORDS};
        static ink k;
        ink_open(&k);
        put_polygons(&k, false);
        RECORD(&k, 2, 1, 0);
        for (uint32_t w = 0; w < what->num_first && !what->is_mesh; w++) {
            const bool is_window = what->first[w].kind == HMD_WORD_WINDOW;
            hand_put(&k.hand, PACKETS + w,
                     is_window ? 0xe2000000 : (uint32_t)what->first[w].code << 24);
        }
        for (uint32_t w = 0; w < what->num_first && !what->is_mesh; w++) {
            if (what->first[w].kind == HMD_WORD_COLOUR) {
                static const uint32_t values[] = {0, 0xffffff, 0x1000000, 0xff000000};
                for (size_t v = 0; v < NUM(values); v++) {
                    hand_put(&k.hand, PACKETS + w, values[v]);
                    cr_expect(eq(i32, packets_fit(&k, what->primitive_type, &area),
                                 v < 2 ? HMD_FIT_EXACT : HMD_FIT_NOT),
                              "%s: word %u", what->name, w);
                }
                hand_put(&k.hand, PACKETS + w, 0);
                num_colours++;
            }
        }
    }
    cr_expect(num_colours > 0);
}
