/* How far an HMD reaches and who owns its words, to the word. */
#include "hmd_hand.h"

#include "hmd/hmd_reach.h"
#include "hmd/hmd_refs.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define LIST(...) (const uint32_t[]){__VA_ARGS__}, NUM(((const uint32_t[]){__VA_ARGS__}))
#define XY(x, y) ((uint32_t)(y) << 16 | (uint32_t)(x))

enum { VERTICES = 300, NORMALS = 400 };

static void cut(hand *h, uint32_t num_words)
{
    h->model.num_words = num_words;
    h->model.bytes = fh_cursor_make(h->bytes, (size_t)4 * num_words, 0);
}

static uint32_t end_of(hand *h)
{
    h->model.end = 0;
    hmd_reach_end(&h->check);
    return h->model.end;
}

/* ---- end ---- */

/* A camera of eight words that may be the last ones of the longest asset. */
Test(hmd_reach, a_camera_at_the_end_of_all)
{
    for (uint32_t past = 0; past < 2; past++) {
        static hand h;
        hand_open_file(&h);
        h.check.at_end = false;
        hand_add_primitive(&h, 100, hand_add_header(&h, LIST(TO(HMD_MOST_WORDS - 8 + past))));
        (void)hand_add_record(&h, 0x07010100, 0, NULL, 0);
        (void)end_of(&h);
        cr_expect(eq(i32, h.model.has_endless, past == 1));
        /* Where it begins is wanted still. */
        cr_expect(eq(u64, h.check.wanted, 4 * (uint64_t)(HMD_MOST_WORDS - 7 * past)));
    }
}

/* A sequence that the bytes end in goes on behind them. */
Test(hmd_reach, a_sequence_that_is_cut_off)
{
    for (uint32_t count = 0; count < 3; count++) {
        static hand h;
        hand_open_file(&h);
        h.check.at_end = false;
        hand_add_primitive(&h, 100, hand_add_header(&h, LIST(4, TO(150), TO(160), TO(170))));
        hmd_record *record = hand_add_record(&h, 0x03000000, count, NULL, 0);
        cut(&h, 180);
        record->off = 180 - 2 - 3;
        (void)end_of(&h);
        cr_expect(eq(u64, h.check.wanted, count == 0 ? 0 : 4 * (180 - 3 + 7)), "%u", count);
    }
}

/* ---- normals ---- */

typedef struct normal {
    int32_t x, y, z;
    uint32_t pad;
} normal;

static void put_normal(hand *h, uint32_t at, const normal *n)
{
    hand_put(h, at, XY(n->x & 0xffff, n->y & 0xffff));
    hand_put(h, at + 1, XY(n->z & 0xffff, n->pad));
}

static const normal unit = {0, 0, -4096, 0};
static const normal zero = {0, 0, 0, 0};
static const normal other = {1, 2, 3, 0};

/* Two triangles, each of which has a normal and as many vertices as are wanted; the first normals
 * are theirs. The vertices end at what is given. */
static void put_triangles(hand *h, uint32_t vertices_end)
{
    hand_open_file(h);
    const uint32_t lit = hand_add_header(h, LIST(TO(200), TO(VERTICES), TO(NORMALS)));
    (void)hand_add_header(h, LIST(TO(vertices_end)));
    hand_put_all(h, 200, LIST(0x20000000, XY(0, 0), XY(1, 2), 0x20000000, XY(1, 0), XY(2, 1)));
    hand_add_primitive(h, 100, lit);
    (void)hand_add_record(h, 0x00000008, 2, LIST(0));
    put_normal(h, NORMALS, &unit);
    put_normal(h, NORMALS + 2, &unit);
    for (uint32_t i = 0; i < 4; i++) {
        put_normal(h, NORMALS + 4 + 2 * i, &other);
    }
}

/* Behind the normals that are used there may be one for each polygon. */
Test(hmd_reach, normals_that_nobody_uses)
{
    static const struct {
        const normal *behind[3];
        uint32_t num, whole; /* that count, and if there are as many vertices as normals */
    } rows[] = {{{&other, &unit, &unit}, 0, 0}, {{&unit, &other, &unit}, 1, 1},
                {{&unit, &unit, &unit}, 2, 2},  {{&zero, &other, &unit}, 0, 0},
                {{&zero, &unit, &unit}, 2, 2},  {{&unit, &zero, &unit}, 1, 2},
                {{&zero, &zero, &unit}, 0, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        for (uint32_t num_vertices = 1; num_vertices <= 3; num_vertices++) {
            static hand h;
            put_triangles(&h, VERTICES + 2 * num_vertices);
            for (uint32_t k = 0; k < 3; k++) {
                put_normal(&h, NORMALS + 4 + 2 * k, rows[i].behind[k]);
            }
            const uint32_t num = num_vertices == 2 ? rows[i].whole : rows[i].num;
            cr_expect(eq(u32, end_of(&h), NORMALS + 4 + 2 * num), "%zu, %u", i, num_vertices);
        }
    }
}

/* A normal is 1.0 long, or up to the square root of 3 less where a number was cut off, and a little
 * more where it was rounded; behind its three numbers stands 0. */
Test(hmd_reach, lengths_of_normals)
{
    static const struct {
        normal vector;
        bool is_normal;
    } rows[] = {
        {{4096, 0, 0, 0}, true},     {{0, -4096, 0, 0}, true}, {{0, 0, 4096, 0}, true},
        {{4094, 0, 0, 0}, true},     {{4093, 0, 0, 0}, false}, {{0, 4093, 90, 0}, false},
        {{4097, 0, 0, 0}, true},     {{4098, 0, 0, 0}, false}, {{4097, 1, 0, 0}, false},
        {{0, 1, -4097, 0}, false},   {{4096, 0, 0, 1}, false}, {{2364, 2364, 2364, 0}, true},
        {{2364, 2364, 0, 0}, false}, {{0, 4094, 0, 0}, true},  {{0, 0, -4094, 0}, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_triangles(&h, VERTICES + 6);
        put_normal(&h, NORMALS + 4, &rows[i].vector);
        cr_expect(eq(u32, end_of(&h), NORMALS + 4 + (rows[i].is_normal ? 2 : 0)), "%zu", i);
    }
}

/* Where the bytes end before all normals have been looked at, more are asked for; not where one is
 * no normal, or there are enough. */
Test(hmd_reach, normals_that_are_cut_off)
{
    static const struct {
        const normal *behind[2];
        uint32_t num_words, wanted; /* behind the normals that are used */
    } rows[] = {{{&unit, &unit}, 4, 0},   {{&unit, &unit}, 3, 4},   {{&unit, &unit}, 2, 4},
                {{&unit, &unit}, 1, 4},   {{&unit, &unit}, 0, 4},   {{&unit, &other}, 4, 0},
                {{&other, &other}, 2, 0}, {{&other, &other}, 4, 0}, {{&unit, &other}, 3, 4},
                {{&zero, &unit}, 3, 4},   {{&unit, &zero}, 4, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        put_triangles(&h, VERTICES + 6);
        put_normal(&h, NORMALS + 4, rows[i].behind[0]);
        put_normal(&h, NORMALS + 6, rows[i].behind[1]);
        cut(&h, NORMALS + 4 + rows[i].num_words);
        h.check.at_end = false;
        (void)end_of(&h);
        const uint64_t wanted = rows[i].wanted == 0 ? 0 : NORMALS + 4 + rows[i].wanted;
        cr_expect(eq(u64, h.check.wanted, 4 * wanted), "%zu", i);
    }
}

/* One that is no normal decides, also where the bytes end behind it and there might be more. */
Test(hmd_reach, no_normal_at_the_end_of_the_bytes)
{
    for (uint32_t num = 0; num < 3; num++) {
        static hand h;
        put_triangles(&h, VERTICES + 6);
        h.records[0].count = 9; /* the packets behind the two are all zeros */
        for (uint32_t i = 0; i < num; i++) {
            put_normal(&h, NORMALS + 4 + 2 * i, &unit);
        }
        put_normal(&h, NORMALS + 4 + 2 * num, &other);
        cut(&h, NORMALS + 4 + 2 * num + 2);
        h.check.at_end = false;
        cr_expect(eq(u32, end_of(&h), NORMALS + 4 + 2 * num));
        cr_expect(eq(u64, h.check.wanted, 0), "%u", num);
    }
}

/* Vertices that do not begin in front of unused normals have no number, and so neither have the
 * normals: how many there are must not hang on how many bytes are at hand. */
Test(hmd_reach, normals_without_vertices_in_front)
{
    static const struct {
        uint32_t vertices, num; /* where they begin, and normals that belong to the file */
    } rows[] = {{NORMALS - 2, 1}, {NORMALS - 4, 2}, {NORMALS, 0}, {HMD_NONE, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        for (uint32_t num_words = NORMALS; num_words <= NORMALS + 6; num_words++) {
            static hand h;
            hand_open_file(&h);
            const uint32_t vertices =
                rows[i].vertices == HMD_NONE ? HMD_NONE : TO(rows[i].vertices);
            hand_add_primitive(&h, 100, hand_add_header(&h, LIST(TO(200), vertices, TO(NORMALS))));
            (void)hand_add_record(&h, 0x00800008, 0, LIST(0));
            for (uint32_t k = 0; k < 3; k++) {
                put_normal(&h, NORMALS + 2 * k, &unit);
            }
            cut(&h, num_words);
            h.check.at_end = false;
            const uint32_t whole = NORMALS + 2 * rows[i].num;
            const uint32_t inside = NORMALS + 2 * ((num_words - NORMALS) / 2);
            cr_expect(eq(u32, end_of(&h), whole < inside ? whole : inside), "%zu, %u", i,
                      num_words);
            cr_expect(eq(u64, h.check.wanted, num_words < whole ? 4 * (uint64_t)whole : 0),
                      "%zu, %u", i, num_words);
        }
    }
}

/* That a section begins where the normals end says nothing of them; a word that is used does. */
Test(hmd_reach, what_follows_the_normals)
{
    static hand h;
    put_triangles(&h, VERTICES + 6);
    put_normal(&h, NORMALS + 4, &unit);
    (void)hand_add_header(&h, LIST(TO(NORMALS + 4)));
    cr_expect(eq(u32, end_of(&h), NORMALS + 6));
    put_triangles(&h, VERTICES + 6);
    put_normal(&h, NORMALS + 5, &unit);
    hand_add_primitive(&h, 150, hand_add_header(&h, LIST(TO(NORMALS + 4))));
    (void)hand_add_record(&h, 0x07000100, 0, NULL, 0);
    cr_expect(eq(u32, end_of(&h), NORMALS + 5));
}

/* An image without an area takes no words: the normals are still what lies last. */
Test(hmd_reach, an_image_of_nothing_behind_the_normals)
{
    static hand h;
    put_triangles(&h, VERTICES + 6);
    put_normal(&h, NORMALS + 4, &unit);
    hand_add_primitive(&h, 150, hand_add_header(&h, LIST(TO(NORMALS + 4))));
    (void)hand_add_record(&h, 0x02000000, 1, LIST(XY(640, 0), XY(0, 8), 0));
    cr_expect(eq(u32, end_of(&h), NORMALS + 6));
}

/* ---- padding ---- */

Test(hmd_reach, padding)
{
    for (uint32_t num = 0; num <= 6; num++) {
        for (uint32_t filled = 0; filled <= num; filled++) {
            static hand h;
            hand_open_file(&h);
            cut(&h, 500 + num);
            h.model.end = 500;
            h.check.at_end = false;
            if (filled > 0) {
                hand_put(&h, 500 + filled - 1, 1);
            }
            const bool is_padding = num <= 4 && filled == 0;
            hmd_reach_padding(&h.check, FH_END_NONE);
            cr_expect(eq(u32, h.model.end, 500));
            cr_expect(eq(u64, h.check.wanted, is_padding ? 4 * (500 + num) + 1 : 0));
            hmd_reach_padding(&h.check, FH_END_STREAM);
            cr_expect(eq(u32, h.model.end, 500));
            hmd_reach_padding(&h.check, FH_END_FILE);
            cr_expect(eq(u32, h.model.end, is_padding ? 500 + num : 500));
        }
    }
}

/* ---- arguments in memory ---- */

/* An address in the image. */
#define AT(word) (0x80000000u | (HAND_BASE + 4 * (uint32_t)(word)))

/* Which argument may lead to the program's own weights, counted from 1. Of a morph whose type is
 * not known its header tells. */
Test(hmd_reach, arguments_of_weights)
{
    static const struct {
        uint32_t type;
        uint8_t category;
        uint32_t num;
        bool is_joint;
        uint8_t weights;
    } rows[] = {{0x04010010, HMD_MIME, 5, true, 2},
                {0x04010011, HMD_MIME, 5, true, 2},
                {0x04010018, HMD_MIME, 3, true, 0},
                {0x04010020, HMD_MIME, 7, false, 1},
                {0x04010021, HMD_MIME, 7, false, 1},
                {0x04010028, HMD_MIME, 5, false, 0},
                {0x04010012, HMD_MIME, 5, true, 0},
                {0x04010012, HMD_MIME, 7, false, 0},
                {HMD_NO_TYPE, HMD_MIME, 5, true, 2},
                {HMD_NO_TYPE, HMD_MIME, 5, false, 0},
                {HMD_NO_TYPE, HMD_MIME, 7, false, 1},
                {HMD_NO_TYPE, HMD_MIME, 6, true, 0},
                {HMD_NO_TYPE, HMD_MIME, 6, false, 0},
                {HMD_NO_TYPE, HMD_MIME, 8, false, 0},
                {HMD_NO_TYPE, HMD_MIME, 3, true, 0},
                {HMD_NO_TYPE, HMD_MIME, 4, true, 0},
                {HMD_NO_TYPE, HMD_CATEGORY_FOREIGN, 5, true, 0},
                {HMD_NO_TYPE, HMD_CATEGORY_FOREIGN, 7, false, 0},
                {HMD_NO_TYPE, HMD_DEVICE, 5, true, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t args[8] = {rows[i].is_joint ? AT(HAND_COORDINATES) : AT(300),
                                  AT(310),
                                  AT(320),
                                  AT(330),
                                  AT(340),
                                  AT(350),
                                  AT(360),
                                  AT(370)};
        hand_add_primitive(&h, 100, hand_add_header(&h, args, rows[i].num));
        hmd_record *record = hand_add_record(&h, rows[i].type, 0, NULL, 0);
        record->category = rows[i].category;
        (void)end_of(&h);
        cr_expect(eq(u8, h.headers[0].weights, rows[i].weights), "%zu", i);
    }
}

/* Weights that lie in the asset, or directly behind it, are its own. */
Test(hmd_reach, weights_behind_the_asset)
{
    for (uint32_t gap = 0; gap < 2; gap++) {
        for (uint32_t num = 31; num < 34; num++) {
            static hand h;
            hand_open_image(&h);
            hand_add_primitive(
                &h, 100,
                hand_add_header(&h, LIST(AT(HAND_COORDINATES), AT(500 + gap), num, 1, AT(500))));
            (void)hand_add_record(&h, 0x04010011, 0, NULL, 0);
            cr_expect(eq(u32, end_of(&h), gap == 0 && num <= 32 ? 500 + num : 500));
        }
    }
}

/* Numbers are none that lead anywhere, whatever they look like. */
Test(hmd_reach, numbers_in_memory)
{
    static const struct {
        uint32_t type, num;
        uint16_t numbers;
    } rows[] = {{0x03000000, 4, 1},      {0x04010010, 5, 1 << 2 | 1 << 3},
                {0x04010018, 3, 1 << 1}, {0x04010020, 7, 1 << 1 | 1 << 2},
                {0x04010028, 5, 1},      {0x00000008, 3, 0},
                {0x0600100c, 8, 0x1f00}};
    for (size_t i = 0; i < NUM(rows); i++) {
        for (uint32_t far = 0; far < rows[i].num; far++) {
            static hand h;
            hand_open_image(&h);
            uint32_t args[8];
            for (uint32_t k = 0; k < rows[i].num; k++) {
                args[k] = AT(k == far ? 900 : 300);
            }
            hand_add_primitive(&h, 100, hand_add_header(&h, args, rows[i].num));
            (void)hand_add_record(&h, rows[i].type, 0, NULL, 0);
            const uint32_t end = end_of(&h);
            cr_expect(eq(u16, h.headers[0].numbers, rows[i].numbers), "%zu", i);
            const bool is_weight = far + 1 == h.headers[0].weights;
            const bool is_number = (rows[i].numbers >> far & 1) != 0;
            const bool is_far = end >= 900;
            cr_expect(is_far != (is_weight || is_number), "%zu, %u: %u", i, far, end);
        }
    }
}

/* ---- owners ---- */

static void own_all(hand *h)
{
    hmd_reach_owners(&h->check);
    cr_assert(h->model.owner != NULL);
}

/* Sections of vertices go on until something else begins, be it the first primitive; coordinates
 * are no vertices, although an argument leads there. */
Test(hmd_reach, areas)
{
    static hand h;
    hand_open_file(&h);
    const uint32_t lit = hand_add_header(&h, LIST(TO(200), TO(VERTICES), TO(NORMALS)));
    const uint32_t bend = hand_add_header(&h, LIST(TO(HAND_COORDINATES), 0, 0, 0, TO(500)));
    hand_add_primitive(&h, VERTICES + 20, lit);
    (void)hand_add_record(&h, 0x00000008, 0, LIST(0));
    hand_add_primitive(&h, NORMALS + 20, bend);
    (void)hand_add_record(&h, 0x04010010, 0, NULL, 0);
    own_all(&h);
    static const struct {
        uint32_t first, num;
        enum hmd_owner owner;
        bool is_inside;
        uint32_t where;
    } rows[] = {{VERTICES, 20, HMD_OWNER_VERTEX, true, 0},
                {VERTICES, 20, HMD_OWNER_CALC_VERTEX, true, 0},
                {VERTICES, 21, HMD_OWNER_VERTEX, false, VERTICES + 20},
                {VERTICES, 20, HMD_OWNER_NORMAL, false, VERTICES},
                {VERTICES - 1, 2, HMD_OWNER_VERTEX, false, VERTICES - 1},
                {NORMALS, 20, HMD_OWNER_NORMAL, true, 0},
                {NORMALS, 21, HMD_OWNER_CALC_NORMAL, false, NORMALS + 20},
                {HAND_COORDINATES, 1, HMD_OWNER_VERTEX, false, HAND_COORDINATES},
                {HAND_COORDINATES + 30, 1, HMD_OWNER_VERTEX, false, HAND_COORDINATES + 30},
                {HAND_COORDINATES, 1, HMD_OWNER_NORMAL, false, HAND_COORDINATES},
                {0, 1, HMD_OWNER_VERTEX, false, 0},
                {HAND_WORDS, 5, HMD_OWNER_VERTEX, true, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        uint32_t where = 0;
        cr_expect(hmd_in_area(&h.model, rows[i].first, rows[i].num, rows[i].owner, &where) ==
                      rows[i].is_inside,
                  "%zu", i);
        cr_expect(eq(u32, where, rows[i].where), "%zu", i);
    }
}

/* Hostile headers lead to the first word, too. */
Test(hmd_reach, an_area_from_the_first_word_on)
{
    static hand h;
    hand_open_file(&h);
    hand_add_primitive(&h, 150, hand_add_header(&h, LIST(TO(200), TO(0), TO(NORMALS))));
    (void)hand_add_record(&h, 0x00000008, 0, LIST(0));
    own_all(&h);
    uint32_t where = 0;
    cr_expect(hmd_in_area(&h.model, 0, 150, HMD_OWNER_VERTEX, &where));
    cr_expect(hmd_in_area(&h.model, 0, 151, HMD_OWNER_VERTEX, &where) == false);
    cr_expect(eq(u32, where, 150));
}

/* A record is its primitive's as far as its driver steps; what it has too much is so only if nobody
 * else wants it. */
Test(hmd_reach, records_that_are_too_long)
{
    static hand h;
    hand_open_file(&h);
    const uint32_t camera = hand_add_header(&h, LIST(TO(104)));
    hand_add_primitive(&h, 100, camera);
    (void)hand_add_record(&h, 0x07010100, 0, LIST(0, 0, 0, 0, 0));
    own_all(&h);
    /* The camera's eight words: one of its own size, then five too much, then two behind all. */
    for (uint32_t i = 100; i < 112; i++) {
        const enum hmd_owner owner = i < 105 ? HMD_OWNER_PRIMITIVE : HMD_OWNER_DEVICE;
        cr_expect(eq(u8, h.model.owner[i], owner), "%u", i);
        cr_expect(eq(u8, h.model.second[i], i == 104 ? HMD_OWNER_DEVICE : HMD_OWNER_NOBODY), "%u",
                  i);
    }
    hand_open_file(&h);
    hand_add_primitive(&h, 100, hand_add_header(&h, LIST(TO(500))));
    (void)hand_add_record(&h, 0x07010100, 0, LIST(0, 0, 0, 0, 0));
    own_all(&h);
    for (uint32_t i = 100; i < 112; i++) {
        cr_expect(eq(u8, h.model.owner[i], i < 110 ? HMD_OWNER_PRIMITIVE : HMD_OWNER_NOBODY), "%u",
                  i);
    }
}
