/* What records of memory images are taken for: each type that is neither polygons nor morphing,
 * held against a record that is just what it demands, and against those that are so in all but one
 * place.
 */
#include "hmd_ink.h"

#include "hmd/hmd_packets.h"

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

/* A run that no asset can hold is not waited for, whichever of its numbers is too large. */
Test(hmd_infer, a_precalculation_that_no_asset_can_hold)
{
    for (uint32_t i = 0; i < 6; i++) {
        static const uint32_t wrong[] = {HMD_MOST_WORDS / 2, HMD_MOST_WORDS, HMD_MOST_WORDS + 1,
                                         0x7fffffff,         0x80000000,     0xffffffff};
        for (size_t w = 0; w < NUM(wrong); w++) {
            static ink k;
            ink_open(&k);
            HEADER(&k, TO(HAND_DATA), TO(200), TO(220), TO(240), TO(260));
            uint32_t data[6] = {2, 5, 6, 3, 7, 8};
            data[i] = wrong[w];
            hand_record(&k.hand, 7, 0, data, 6);
            cr_expect(eq(i32, fit_of(&k, 0x01000000), HMD_FIT_NOT));
            cr_expect(k.in.is_cut == false, "%u is 0x%x", i, wrong[w]);
        }
    }
}

/* ---- images ---- */

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

/* What lies behind the bytes may be there all the same, if an asset can be so long. More bytes say
 * nothing of the rest. */
Test(hmd_infer, words_that_an_asset_may_have)
{
    static const struct {
        uint64_t first, num;
        bool has, is_cut;
    } rows[] = {{HAND_WORDS - 1, 1, true, false},     {HAND_WORDS, 0, true, false},
                {HAND_WORDS, 1, true, true},          {HAND_WORDS + 1, 0, true, true},
                {HMD_MOST_WORDS - 1, 1, true, true},  {HMD_MOST_WORDS, 0, true, true},
                {0, HMD_MOST_WORDS, true, true},      {HMD_MOST_WORDS, 1, false, false},
                {1, HMD_MOST_WORDS, false, false},    {0, HMD_MOST_WORDS + 1, false, false},
                {HMD_MOST_WORDS + 1, 0, false, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        ink_open(&k);
        cr_expect(hmd_infer_has(&k.in, rows[i].first, rows[i].num) == rows[i].has, "%zu", i);
        cr_expect(k.in.is_cut == rows[i].is_cut, "%zu", i);
        (void)hmd_infer_has(&k.in, 0, 1);
        cr_expect(k.in.is_cut == rows[i].is_cut, "%zu", i);
    }
}
