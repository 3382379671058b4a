/* The interpolation functions of HMD: against what the library's object code computed, and at the
 * edges of the image. */
#include "hmd/hmd_interp.h"
#include "reference.h"

#ifdef HAVE_JANSSON
#include "vectors.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0x100000, NUM_WORDS = 128 };

/* Words of the bed's parts. Keys have at most 14 words. */
enum { UNIT = 4, HISTORY = 24, KEYS = 28, KEY_WORDS = 14, INTR = KEYS + 4 * KEY_WORDS };

typedef struct bed {
    uint32_t words[NUM_WORDS];
    hmd_image image;
    hmd_interp_type type;
    hmd_interp_call call;
    hmd_interp_notice notice;
    hmd_interp_result result;
} bed;

/* Forward from key 0 to key 1, or along all four keys for a spline, nothing saved. */
static void bed_open(bed *b, uint32_t type)
{
    *b = (bed){.image = {NULL, NUM_WORDS, BASE}};
    b->image.words = b->words;
    cr_assert(hmd_interp_describe(&b->type, type), "type %08x", type);
    const uint32_t src = b->type.has_spline ? 2 : 0;
    b->call = (hmd_interp_call){.update_off = 4 * UNIT,
                                .src_off = 4 * (KEYS + src * KEY_WORDS),
                                .dst_off = 4 * (KEYS + (src + 1) * KEY_WORDS),
                                .intr_off = HMD_NO_KEY,
                                .history_off = 4 * HISTORY,
                                .rframe = 16,
                                .tframe = 32,
                                .speed = 16};
    for (uint32_t i = 0; i < 4; i++) {
        b->words[HISTORY + i] = BASE + 4 * (KEYS + i * KEY_WORDS);
    }
}

static hmd_interp_end bed_run(bed *b)
{
    b->result = hmd_interp_run(&b->image, &b->type, &b->call, &b->notice);
    return b->result.end;
}

static void put16(bed *b, uint32_t off, int value)
{
    cr_assert(hmd_image_put16(&b->image, off, (uint32_t)value & 0xffff));
}

static int16_t get16(const bed *b, uint32_t off)
{
    int16_t value = 0;
    cr_assert(hmd_image_s16(&b->image, off, &value));
    return value;
}

static void set_unit_matrix(bed *b)
{
    for (uint32_t i = 0; i < 9; i++) {
        put16(b, 4 * UNIT + HMD_UNIT_MATRIX + 2 * i, i % 4 == 0 ? 4096 : 0);
    }
}

/* ---- the vectors ---- */

#ifdef HAVE_JANSSON

typedef struct tally {
    const char *name;
    size_t test;
    uint64_t num;
} tally;

static void number(tally *t, const char *what, size_t index, int64_t seen, int64_t recorded)
{
    t->num++;
    HOLD(seen == recorded, "%s test %zu: %s[%zu] is %lld, recorded %lld", t->name, t->test, what,
         index, (long long)seen, (long long)recorded);
}

static uint32_t word_of(const json_t *array, size_t index)
{
    return (uint32_t)((uint64_t)vector_int(array, index) & 0xffffffff);
}

static void fill_unit(bed *b, const json_t *test)
{
    const json_t *m = json_object_get(test, "m0");
    b->words[UNIT] = 1;
    for (uint32_t i = 0; i < 9; i++) {
        put16(b, 4 * UNIT + HMD_UNIT_MATRIX + 2 * i, (int)vector_int(m, i));
    }
    for (uint32_t i = 0; i < 3; i++) {
        b->words[UNIT + HMD_UNIT_TRANSLATION / 4 + i] = word_of(json_object_get(test, "t0"), i);
        put16(b, 4 * UNIT + HMD_UNIT_ROTATION + 2 * i,
              (int)vector_int(json_object_get(test, "r0"), i));
    }
}

/* Key number k, or nothing. */
static uint32_t address_of(int64_t key)
{
    return key < 0 ? 0 : BASE + 4 * (uint32_t)(KEYS + KEY_WORDS * key);
}

static void fill(bed *b, const json_t *test, int64_t key_words)
{
    const json_t *keys = json_object_get(test, "keys");
    const json_t *cpt = json_object_get(test, "cpt0");
    memset(b->words, 0, sizeof b->words);
    if (b->type.is_general) {
        for (uint32_t i = 0; i < 16; i++) {
            cr_assert(hmd_image_put8(&b->image, 4 * UNIT + i, 0x11 + i));
        }
    } else {
        fill_unit(b, test);
    }
    for (size_t k = 0; k < json_array_size(keys); k++) {
        const json_t *key = json_array_get(keys, k);
        for (size_t i = 0; i < json_array_size(key); i++) {
            b->words[KEYS + KEY_WORDS * k + i] = word_of(key, i);
        }
    }
    for (size_t i = 0; i < json_array_size(cpt); i++) {
        b->words[HISTORY + i] = address_of(vector_int(cpt, i));
    }
    for (int64_t i = 0; i <= key_words; i++) {
        b->words[INTR + i] = 0x5a5a5a5a;
    }
    const bool saves = json_object_get(test, "intr") != NULL;
    b->call = (hmd_interp_call){
        .update_off = 4 * UNIT,
        .src_off = address_of(vector_field(test, "src")) - BASE,
        .dst_off = address_of(vector_field(test, "dst")) - BASE,
        .intr_off = saves ? 4 * INTR : HMD_NO_KEY,
        .history_off = 4 * HISTORY,
        .rframe = (int16_t)vector_field(test, "rf"),
        .tframe = (uint16_t)vector_field(test, "tf"),
        .speed = (int8_t)vector_field(test, "sp"),
    };
}

/* Numbers of one array against words of the image. */
static void words_equal(tally *t, const bed *b, const json_t *test, const char *what, uint32_t at)
{
    const json_t *array = json_object_get(test, what);
    for (size_t i = 0; i < json_array_size(array); i++) {
        number(t, what, i, b->words[at + i], word_of(array, i));
    }
}

static void halves_equal(tally *t, const bed *b, const json_t *test, const char *what, uint32_t off)
{
    const json_t *array = json_object_get(test, what);
    for (size_t i = 0; i < json_array_size(array); i++) {
        number(t, what, i, get16(b, off + 2 * (uint32_t)i), vector_int(array, i));
    }
}

static void hold_test(tally *t, bed *b, const json_t *test)
{
    const json_t *cpt = json_object_get(test, "cpt");
    const hmd_interp_end end = bed_run(b);
    number(t, "end", 0, end == HMD_INTERP_DONE || end == HMD_INTERP_AGAIN, true);
    number(t, "ret", 0, end == HMD_INTERP_AGAIN, vector_field(test, "ret"));
    for (size_t i = 0; i < json_array_size(cpt); i++) {
        number(t, "cpt", i, b->words[HISTORY + i], address_of(vector_int(cpt, i)));
    }
    words_equal(t, b, test, "intr", INTR);
    words_equal(t, b, test, "out", UNIT);
    if (!b->type.is_general) {
        words_equal(t, b, test, "t", UNIT + HMD_UNIT_TRANSLATION / 4);
        halves_equal(t, b, test, "m", 4 * UNIT + HMD_UNIT_MATRIX);
        halves_equal(t, b, test, "r", 4 * UNIT + HMD_UNIT_ROTATION);
        number(t, "flg", 0, b->words[UNIT], vector_field(test, "flg"));
    }
}

/* Returns how many tests the file of a type has, 0 without the file. */
static size_t hold_file(tally *t, uint32_t type)
{
    char name[64];
    bed b;
    snprintf(name, sizeof name, "interp_%08x.json", type);
    json_t *root = vectors_try(name);
    if (root == NULL) {
        return 0;
    }
    t->name = name;
    t->test = 0;
    bed_open(&b, type);
    number(t, "type", 0, type, vector_field(root, "type"));
    number(t, "key_len", 0, b.type.key_len, 4 * vector_field(root, "key_words"));
    number(t, "bspline", 0, b.type.has_spline, json_is_true(json_object_get(root, "bspline")));
    const json_t *tests = json_object_get(root, "tests");
    const size_t num = json_array_size(tests);
    for (t->test = 0; t->test < num; t->test++) {
        fill(&b, json_array_get(tests, t->test), vector_field(root, "key_words"));
        hold_test(t, &b, json_array_get(tests, t->test));
    }
    json_decref(root);
    return num;
}

/* All words that could name a function are tried: the files and the functions are the same set. */
Test(vectors, every_number)
{
    tally t = {0};
    uint64_t num_tests = 0;
    json_decref(vectors_load("interp_03000001.json"));
    for (uint32_t type = 0x03000000; type < 0x03020000; type++) {
        hmd_interp_type unused;
        const bool known = hmd_interp_describe(&unused, type);
        const size_t num = known ? hold_file(&t, type) : 0;
        HOLD(known == (num > 0), "%08x: described %d, %zu tests", type, known, num);
        num_tests += num;
    }
    cr_log_info("%llu calls, %llu numbers", (unsigned long long)num_tests,
                (unsigned long long)t.num);
    cr_assert(gt(u64, t.num, 10 * num_tests));
}

#else

Test(vectors, every_number)
{
    cr_skip_test("skipped: built without jansson");
}

#endif

/* ---- type words ---- */

Test(describe, as_many_as_the_library_has)
{
    uint32_t num = 0;
    uint32_t num_splines = 0;
    uint32_t num_defects = 0;
    for (uint32_t type = 0x03000000; type < 0x03020000; type++) {
        hmd_interp_type t;
        if (!hmd_interp_describe(&t, type)) {
            const hmd_interp_type zero = {0};
            HOLD(memcmp(&t, &zero, sizeof t) == 0, "%08x leaves something", type);
            continue;
        }
        num++;
        num_splines += t.has_spline;
        num_defects += t.defect != HMD_DEFECT_NONE;
        HOLD(t.word == type && t.key_len % 4 == 0 && t.key_len > 0 && t.key_len <= 56, "%08x",
             type);
        HOLD((t.defect == HMD_DEFECT_NONE) == (t.defect_name == NULL), "%08x", type);
        HOLD(hmd_interp_same_key(&t, &t), "%08x", type);
        for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
            const hmd_interp_part *p = &t.parts[i];
            HOLD(p->curve == HMD_CURVE_NONE || p->off % p->cell_len == 0, "%08x: part %u", type, i);
        }
    }
    cr_assert(eq(u32, num, 219));
    /* With each order 4 of 4 by rotation, 2 of 3 by translation; without 2; general 9. */
    cr_assert(eq(u32, num_splines, 6 * (7 + 4) + 2 + 9));
    cr_assert(eq(u32, num_defects, 6 * 4 + 6));
}

Test(describe, nothing_else)
{
    static const uint32_t types[] = {0,          0x00000001, 0x03800001, 0x03100001, 0x03020001,
                                     0x83000001, 0x04000001, 0x03001001, 0x03006010, 0x03000200,
                                     0x03000101, 0x03000120, 0x03000903, 0x03000920, 0x03000004,
                                     0x03010000, 0x03011110, 0x03010120, 0x03010181, 0x03010282,
                                     0x03010132, 0x03010113, 0x03010410, 0x030100f2, 0x03000900};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hmd_interp_type t;
        HOLD(!hmd_interp_describe(&t, types[i]), "%08x", types[i]);
    }
}

/* The sizes of the format's description: T 0, 1, 2, 3, 9, a, b; 0 = no such type. */
Test(describe, key_sizes)
{
    static const unsigned t[7] = {0, 1, 2, 3, 9, 0xa, 0xb};
    static const struct {
        uint32_t rs;
        uint32_t len[7];
    } rows[] = {
        {0x000, {0, 12, 36, 12, 8, 20, 8}},    {0x100, {8, 0, 0, 0, 0, 0, 0}},
        {0x900, {0, 16, 40, 0, 8, 20, 0}},     {0x010, {8, 20, 44, 20, 12, 24, 12}},
        {0x020, {20, 32, 56, 32, 24, 36, 24}}, {0x030, {8, 20, 44, 20, 12, 24, 12}},
        {0x110, {0, 24, 48, 0, 20, 32, 0}},    {0x910, {8, 20, 44, 0, 16, 28, 0}},
    };
    static const struct {
        uint32_t type, len;
    } general[] = {
        {0x03010110, 4}, {0x03010310, 4}, {0x03010210, 12}, {0x03010121, 4}, {0x03010211, 8},
        {0x03010171, 8}, {0x03010371, 8}, {0x03010271, 20}, {0x03010182, 4}, {0x03010242, 4},
        {0x03010172, 4}, {0x03010372, 4}, {0x03010272, 12},
    };
    hmd_interp_type type;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 7; k++) {
            const uint32_t word = 0x03000000 | rows[i].rs | t[k];
            const bool known = hmd_interp_describe(&type, word);
            HOLD(known == (rows[i].len[k] != 0), "%08x", word);
            HOLD(type.key_len == rows[i].len[k], "%08x: %u", word, type.key_len);
        }
    }
    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++) {
        cr_assert(hmd_interp_describe(&type, general[i].type));
        HOLD(type.key_len == general[i].len, "%08x: %u", general[i].type, type.key_len);
    }
}

static bool same_key(uint32_t a, uint32_t b)
{
    hmd_interp_type p;
    hmd_interp_type q;
    cr_assert(hmd_interp_describe(&p, a) && hmd_interp_describe(&q, b));
    cr_assert(eq(int, hmd_interp_same_key(&p, &q), hmd_interp_same_key(&q, &p)));
    return hmd_interp_same_key(&p, &q);
}

Test(describe, same_key)
{
    cr_assert(same_key(0x03000010, 0x03005030), "order and curve are not the key's");
    cr_assert(same_key(0x03000001, 0x03000003));
    cr_assert(same_key(0x03010111, 0x03010341), "nor is the cell that is written");
    cr_assert(same_key(0x03010121, 0x03010341));
    cr_assert(same_key(0x03010212, 0x03010222));
    cr_assert(not(same_key(0x03000001, 0x03000002)));
    cr_assert(not(same_key(0x03000001, 0x03000009)));
    cr_assert(not(same_key(0x03000111, 0x03000911)));
    cr_assert(not(same_key(0x03000011, 0x03000111)));
    cr_assert(not(same_key(0x03000010, 0x03010171)), "of the same bytes, but not of the same kind");
}

Test(describe, scale_only)
{
    static const uint32_t types[] = {0x100, 0x901, 0x902, 0x909, 0x90a};
    uint32_t num = 0;
    hmd_interp_type t;
    for (uint32_t type = 0x03000000; type < 0x03020000; type++) {
        num += hmd_interp_describe(&t, type) && t.is_scale_only;
    }
    cr_assert(eq(u32, num, 5));
    for (size_t i = 0; i < 5; i++) {
        cr_assert(hmd_interp_describe(&t, 0x03000000 | types[i]) && t.is_scale_only);
    }
}

/* ---- values by hand ---- */

Test(values, linear_truncates_toward_zero_and_clears_the_flag)
{
    bed b;
    bed_open(&b, 0x03000001);
    b.words[UNIT] = 7;
    b.words[KEYS] = 100;
    b.words[KEYS + KEY_WORDS] = 201;
    b.words[KEYS + 1] = (uint32_t)-100;
    b.words[KEYS + KEY_WORDS + 1] = (uint32_t)-201;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(i32, (int32_t)b.words[UNIT + 6], 150));
    cr_assert(eq(i32, (int32_t)b.words[UNIT + 7], -150));
    cr_assert(eq(u32, b.words[UNIT], 0));
    cr_assert(not(b.notice.linear.seen));
}

/* The words from the first to the last that became another. */
Test(values, what_changed)
{
    static const struct {
        uint32_t flag, x, y, z; /* of the target; in the unit they are 0 */
        uint32_t first, end;
    } rows[] = {
        {0, 0, 0, 0, 0, 0},
        {0, 4, 0, 0, UNIT + 6, UNIT + 7},
        {0, 4, 4, 0, UNIT + 6, UNIT + 8},
        {0, 0, 4, 0, UNIT + 7, UNIT + 8},
        {0, 4, 0, 4, UNIT + 6, UNIT + 9},
        {7, 0, 0, 4, UNIT, UNIT + 9},
        {7, 0, 0, 0, UNIT, UNIT + 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bed b;
        bed_open(&b, 0x03000001);
        b.words[UNIT] = rows[i].flag;
        b.words[KEYS + KEY_WORDS] = rows[i].x;
        b.words[KEYS + KEY_WORDS + 1] = rows[i].y;
        b.words[KEYS + KEY_WORDS + 2] = rows[i].z;
        cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
        cr_assert(eq(u32, b.result.first_changed, rows[i].first), "row %zu", i);
        cr_assert(eq(u32, b.result.end_changed, rows[i].end), "row %zu", i);
    }
}

Test(values, time_zero_is_again_and_changes_nothing)
{
    bed b;
    bed_open(&b, 0x03000911);
    b.words[UNIT] = 7;
    b.words[KEYS] = 100;
    b.call.tframe = 0;
    const bed before = b;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_AGAIN));
    cr_assert(eq(int, memcmp(b.words, before.words, sizeof b.words), 0));
}

Test(values, general_leaves_the_other_cells)
{
    bed b;
    bed_open(&b, 0x03010142);
    memset(&b.words[UNIT], 0xee, 16);
    b.words[KEYS] = 250;
    b.words[KEYS + KEY_WORDS] = 252;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(u32, b.words[UNIT], 0xeefbeeee), "unsigned, into cell 2");
    bed_open(&b, 0x03010182);
    memset(&b.words[UNIT], 0xee, 16);
    b.words[KEYS] = b.words[KEYS + KEY_WORDS] = 3;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(u32, b.words[UNIT], 0x03eeeeee));
}

Test(values, scale_alone_compounds)
{
    bed b;
    bed_open(&b, 0x03000100);
    set_unit_matrix(&b);
    for (uint32_t i = 0; i < 3; i++) {
        put16(&b, b.call.src_off + 2 * i, 2048);
        put16(&b, b.call.dst_off + 2 * i, 2048);
    }
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(int, get16(&b, 4 * UNIT + HMD_UNIT_MATRIX), 2048));
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(int, get16(&b, 4 * UNIT + HMD_UNIT_MATRIX), 1024));
    cr_assert(not(b.notice.became_singular));
}

/* ---- what is told ---- */

Test(notice, linear_wraps)
{
    bed b;
    bed_open(&b, 0x03000001);
    b.call.rframe = 4080;
    b.call.tframe = 4080;
    b.words[KEYS + 1] = 526344; /* times 4080 is the last that fits */
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(not(b.notice.linear.seen));
    b.words[KEYS + 1]++;
    b.words[KEYS + 2] = (uint32_t)-600000;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(b.notice.linear.seen);
    cr_assert(eq(int, b.notice.linear.part, HMD_PART_TRANSLATION));
    cr_assert(eq(int, b.notice.linear.axis, 1));
    cr_assert(eq(i64, b.notice.linear.value, 526345 * INT64_C(4080)));
    cr_assert(eq(i32, (int32_t)b.words[UNIT + 7],
                 (int32_t)(526345 * INT64_C(4080) - (INT64_C(1) << 32)) / 4080));
}

Test(notice, linear_wraps_below)
{
    bed b;
    bed_open(&b, 0x03000001);
    b.call.rframe = 4080;
    b.call.tframe = 4080;
    b.words[KEYS] = (uint32_t)-526344;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(not(b.notice.linear.seen));
    b.words[KEYS]--;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(i64, b.notice.linear.value, -526345 * INT64_C(4080)));
}

Test(notice, words_that_changed)
{
    bed b;
    bed_open(&b, 0x03000001);
    b.words[KEYS] = b.words[KEYS + KEY_WORDS] = 100;
    b.words[KEYS + 2] = b.words[KEYS + KEY_WORDS + 2] = 100;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(u32, b.result.first_changed, UNIT + 6));
    cr_assert(eq(u32, b.result.end_changed, UNIT + 9));
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(u32, b.result.first_changed, 0));
    cr_assert(eq(u32, b.result.end_changed, 0));
    b.words[UNIT] = 7;
    b.words[UNIT + 7] = 7;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(u32, b.result.first_changed, UNIT), "the flag is cleared last");
    cr_assert(eq(u32, b.result.end_changed, UNIT + 8));
}

Test(notice, coefficient_wraps)
{
    bed b;
    bed_open(&b, 0x03000002);
    b.words[KEYS + 2] = 32767; /* z of point 0: c3 fits, c1 and c2 do not */
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(b.notice.coefficient.seen);
    cr_assert(eq(int, b.notice.coefficient.axis, 2));
    cr_assert(eq(i64, b.notice.coefficient.value, 3 * INT64_C(32767)));
    bed_open(&b, 0x03000002);
    b.words[KEYS] = (uint32_t)-10922; /* c2 = 32766 */
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(not(b.notice.coefficient.seen));
    bed_open(&b, 0x03000003);
    b.words[KEYS + 2 * KEY_WORDS] = 65536; /* c0 = -32768, c1 = 32768 */
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(i64, b.notice.coefficient.value, 32768));
}

Test(notice, product_of_a_cubic_wraps)
{
    bed b;
    bed_open(&b, 0x03000002);
    b.words[KEYS] = (uint32_t)-10000;
    b.call.rframe = -320; /* t = 11 times the whole way */
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(b.notice.step.seen);
    cr_assert(eq(i64, b.notice.step.value, 10000 * (352 * INT64_C(0xffff) / 32)));
    cr_assert(not(b.notice.coefficient.seen));
}

Test(notice, matrix_becomes_singular_once)
{
    bed b;
    bed_open(&b, 0x03000909);
    set_unit_matrix(&b);
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(b.notice.became_singular);
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(not(b.notice.became_singular));
    bed_open(&b, 0x03000111);
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(b.notice.became_singular, "rotated to the unit matrix, then scaled by 0");
}

/* ---- what single functions do wrong ---- */

/* A unit with t = (1000, 2000, 3000), rot = (11, 12, 13, pad 14), and a save key of 0x5a5a. */
static void bed_save(bed *b, uint32_t type)
{
    bed_open(b, type);
    for (uint32_t i = 0; i < 3; i++) {
        b->words[UNIT + HMD_UNIT_TRANSLATION / 4 + i] = 1000 * (i + 1);
    }
    for (uint32_t i = 0; i < 4; i++) {
        put16(b, 4 * UNIT + HMD_UNIT_ROTATION + 2 * i, (int)(11 + i));
    }
    memset(&b->words[INTR], 0x5a, 4 * (KEY_WORDS + 1));
    b->call.intr_off = 4 * INTR;
}

static void hold_saved(const bed *b, const int *halves, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        HOLD(get16(b, 4 * INTR + 2 * i) == halves[i], "%08x: saved half %u is %d, not %d",
             b->type.word, i, get16(b, 4 * INTR + 2 * i), halves[i]);
    }
}

enum { FILL = 0x5a5a };

Test(defects, none_is_saved_in_the_form_of_the_key)
{
    bed b;
    bed_save(&b, 0x0300090a);
    put16(&b, b.call.src_off, 40);
    put16(&b, b.call.dst_off, 40);
    put16(&b, b.call.src_off + 18, 4096);
    put16(&b, b.call.dst_off + 18, 4098);
    b.call.rframe = 32;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    hold_saved(&b, (const int[]){40, 0, 0, FILL, FILL, FILL, FILL, FILL, FILL, 4096, FILL}, 11);
    cr_assert(b.type.defect_name == NULL);
}

Test(defects, pad_is_saved)
{
    bed b;
    bed_save(&b, 0x03003010);
    put16(&b, b.call.src_off, 64);
    put16(&b, b.call.dst_off, 64);
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    hold_saved(&b, (const int[]){64, 0, 0, 14, FILL}, 5);
    cr_assert(eq(int, b.type.defect, HMD_DEFECT_SAVES_PAD));
}

Test(defects, translation_is_saved_as_rotation)
{
    bed b;
    bed_save(&b, 0x0300101b);
    for (uint32_t i = 0; i < 4; i++) { /* all q equal: the value is 4094 / 4096 of it */
        put16(&b, 4 * (KEYS + i * KEY_WORDS), 4096);
    }
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    cr_assert(eq(i32, (int32_t)b.words[UNIT + 6], 4094));
    hold_saved(&b, (const int[]){FILL, FILL, FILL, 4094, 0, 0, FILL}, 7);
}

Test(defects, rotation_is_saved_as_translation)
{
    static const uint32_t types[] = {0x03000901, 0x03000902};
    for (size_t i = 0; i < 2; i++) {
        bed b;
        bed_save(&b, types[i]);
        cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
        hold_saved(&b, (const int[]){11, 0, 12, 0, 13, 0}, 6);
    }
}

Test(defects, rotation_is_lost)
{
    static const uint32_t types[] = {0x03000023, 0x0300502b};
    for (size_t i = 0; i < 2; i++) {
        bed b;
        bed_open(&b, types[i]);
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t key = 4 * (KEYS + k * KEY_WORDS);
            put16(&b, key, 4096);
            put16(&b, key + b.type.parts[HMD_PART_ROTATION].off, 77);
        }
        cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
        cr_assert(eq(int, get16(&b, 4 * UNIT + HMD_UNIT_ROTATION), 4094));
        cr_assert(eq(int, get16(&b, 4 * UNIT + HMD_UNIT_MATRIX + 8), fx_cos(4094)));
    }
}

static uint32_t saved_word(uint32_t type)
{
    bed b;
    bed_save(&b, type);
    for (uint32_t i = 0; i < 16; i++) {
        cr_assert(hmd_image_put8(&b.image, 4 * UNIT + i, 0x11 + i));
    }
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    return b.words[INTR];
}

Test(defects, cells_are_saved_from_the_wrong_places)
{
    cr_assert(eq(u32, saved_word(0x03010171), 0x5a5a1817), "the half word behind the three");
    cr_assert(eq(u32, saved_word(0x03010172), 0x5a5a5a14), "the byte behind the three");
    cr_assert(eq(u32, saved_word(0x03010222), 0x5a5a0011), "cells 0 and 1, of which 1 is 0 now");
    cr_assert(eq(u32, saved_word(0x03010242), 0x5a001211));
    cr_assert(eq(u32, saved_word(0x03010212), 0x5a5a5a00));
    cr_assert(eq(u32, saved_word(0x03010142), 0x5a5a5a00));
    cr_assert(eq(u32, saved_word(0x03010371), 0x00000000));
    cr_assert(eq(u32, saved_word(0x03010372), 0x5a000000));
}

/* ---- history ---- */

static void hold_history(const bed *b, uint32_t h0, uint32_t h1, uint32_t h2, uint32_t h3)
{
    const uint32_t want[4] = {h0, h1, h2, h3};
    for (uint32_t i = 0; i < 4; i++) {
        HOLD(b->words[HISTORY + i] == want[i], "entry %u is %x, not %x", i, b->words[HISTORY + i],
             want[i]);
    }
}

Test(history, fills_up_forward)
{
    bed b;
    bed_open(&b, 0x03000003);
    memset(&b.words[HISTORY], 0, 16);
    const uint32_t src = BASE + b.call.src_off;
    const uint32_t dst = BASE + b.call.dst_off;
    b.call.rframe = 32;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_AGAIN));
    hold_history(&b, 0, 0, src, dst);
    b.words[HISTORY + 1] = src;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_AGAIN), "src is there already: taken back");
    hold_history(&b, 0, 0, src, dst);
}

Test(history, backward_is_the_mirror)
{
    bed b;
    bed_open(&b, 0x03000003);
    const uint32_t src = BASE + b.call.src_off;
    const uint32_t dst = BASE + b.call.dst_off;
    const uint32_t first = b.words[HISTORY];
    b.words[HISTORY + 1] = first;
    b.words[HISTORY + 2] = dst;
    b.call.speed = -16;
    b.call.rframe = 0;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE));
    hold_history(&b, src, dst, first, dst);
    b.words[HISTORY + 1] = src;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_AGAIN));
    hold_history(&b, src, first, 0, dst);
}

Test(history, empty_inside_a_segment)
{
    for (uint32_t i = 0; i < 4; i++) {
        bed b;
        bed_open(&b, 0x0300003b);
        b.words[HISTORY + i] = 0;
        cr_assert(eq(int, bed_run(&b), HMD_INTERP_EMPTY_HISTORY));
        cr_assert(eq(u64, b.result.off, i));
    }
}

Test(history, points_outside)
{
    static const uint32_t entries[] = {1,        BASE - 4, BASE + 4 * NUM_WORDS,
                                       BASE + 2, BASE - 8, 0xffffffff};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        bed b;
        bed_open(&b, 0x03000003);
        b.words[HISTORY + 3] = entries[i];
        HOLD(bed_run(&b) == HMD_INTERP_OUTSIDE, "entry %x", entries[i]);
        cr_assert(eq(int, b.result.place, HMD_PLACE_HISTORY));
        cr_assert(eq(u64, b.result.off, (uint32_t)(entries[i] - BASE)));
    }
}

/* ---- the edges of the image ---- */

/* Moves one address of the call to `off`. */
static void move(bed *b, hmd_interp_place place, uint32_t off)
{
    uint32_t *const fields[] = {
        [HMD_PLACE_SRC] = &b->call.src_off,      [HMD_PLACE_DST] = &b->call.dst_off,
        [HMD_PLACE_INTR] = &b->call.intr_off,    [HMD_PLACE_UPDATE] = &b->call.update_off,
        [HMD_PLACE_WORK] = &b->call.history_off,
    };
    *fields[place] = off;
}

/* Runs with the image's words in a block of exactly their length, for the sanitizers. */
static hmd_interp_end run_exact(bed *b, uint32_t num_words)
{
    uint32_t *exact = malloc(4 * (size_t)num_words);
    cr_assert(exact != NULL);
    memcpy(exact, b->words, 4 * (size_t)num_words);
    b->image.words = exact;
    b->image.num_words = num_words;
    const hmd_interp_end end = bed_run(b);
    free(exact);
    return end;
}

/* Bytes of the place that a function touches, from the description of the format. */
static uint32_t touched(const hmd_interp_type *t, hmd_interp_place place)
{
    uint32_t last = 0;
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        const hmd_interp_part *p = &t->parts[i];
        const bool lost = i == HMD_PART_ROTATION && t->defect == HMD_DEFECT_ROTATION_LOST;
        const uint32_t points = p->curve == HMD_CURVE_BEZIER && place == HMD_PLACE_SRC ? 3 : 1;
        if (p->curve != HMD_CURVE_NONE && p->curve != HMD_CURVE_SPLINE && !lost) {
            last = p->off + points * p->num_values * p->cell_len;
        }
    }
    return last;
}

/* A key that ends with the image is read; one that ends behind it is not. */
Test(edges, keys_at_the_end)
{
    uint32_t num = 0;
    for (uint32_t type = 0x03000000; type < 0x03020000; type++) {
        hmd_interp_type t;
        if (!hmd_interp_describe(&t, type)) {
            continue;
        }
        for (unsigned place = HMD_PLACE_SRC; place <= HMD_PLACE_DST; place++) {
            bed b;
            const uint32_t words = (touched(&t, place) + 3) / 4;
            bed_open(&b, type);
            move(&b, place, 4 * (NUM_WORDS - words));
            HOLD(run_exact(&b, NUM_WORDS) == HMD_INTERP_DONE, "%08x place %u", type, place);
            if (words > 0) {
                move(&b, place, 4 * (NUM_WORDS - words + 1));
                HOLD(run_exact(&b, NUM_WORDS) == HMD_INTERP_OUTSIDE && b.result.place == place &&
                         b.result.off >= 4 * NUM_WORDS,
                     "%08x place %u", type, place);
                num++;
            }
        }
    }
    cr_assert(gt(u32, num, 300));
}

/* Every address at every place around the end, unaligned ones too: done or refused. One that ends
 * behind the last address of all does not go on at the first. */
Test(edges, every_offset)
{
    static const uint32_t far[] = {0xffffffff, 0xfffffffc, 0xfffffff0, 0xffffffc0, 0x7fffffff};
    for (uint32_t type = 0x03000000; type < 0x03020000; type++) {
        hmd_interp_type t;
        if (!hmd_interp_describe(&t, type)) {
            continue;
        }
        for (unsigned place = HMD_PLACE_SRC; place <= HMD_PLACE_WORK; place++) {
            for (uint32_t i = 0; i < 100; i++) {
                bed b;
                bed_open(&b, type);
                b.call.intr_off = 4 * INTR;
                move(&b, place, i < 95 ? 4 * NUM_WORDS - 90 + i : far[i - 95]);
                const hmd_interp_end end = run_exact(&b, NUM_WORDS);
                HOLD(end != HMD_INTERP_OUTSIDE || b.result.place == place ||
                         b.result.place == HMD_PLACE_HISTORY,
                     "%08x: outside at place %u, not %u", type, b.result.place, place);
                HOLD(end == HMD_INTERP_OUTSIDE || place != HMD_PLACE_UPDATE || i < 95,
                     "%08x: %x came round to the start", type, far[i - 95]);
            }
        }
    }
}

Test(edges, unaligned)
{
    bed b;
    for (uint32_t shift = 1; shift < 4; shift++) {
        bed_open(&b, 0x03000001);
        b.call.src_off += shift;
        cr_assert(eq(int, bed_run(&b), HMD_INTERP_OUTSIDE));
        cr_assert(eq(int, b.result.place, HMD_PLACE_SRC));
        cr_assert(eq(u64, b.result.off, b.call.src_off));
    }
    bed_open(&b, 0x03000009);
    b.call.update_off += 2;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_OUTSIDE));
    cr_assert(eq(int, b.result.place, HMD_PLACE_UPDATE));
    bed_open(&b, 0x03010172);
    b.call.update_off += 3;
    cr_assert(eq(int, bed_run(&b), HMD_INTERP_DONE), "bytes may be anywhere");
}

Test(edges, unit_at_the_end)
{
    bed b;
    bed_open(&b, 0x03000001);
    b.call.update_off = 4 * NUM_WORDS - HMD_UNIT_TRANSLATION - 12;
    cr_assert(eq(int, run_exact(&b, NUM_WORDS), HMD_INTERP_DONE));
    b.call.update_off += 4;
    cr_assert(eq(int, run_exact(&b, NUM_WORDS), HMD_INTERP_OUTSIDE));
    cr_assert(eq(u64, b.result.off, 4 * NUM_WORDS));
}
