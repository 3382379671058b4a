/* What all records of a memory image are taken for together: what is known of where things begin,
 * what one driver's records share, how far they reach, and how far the run-time has come.
 */
#include "hmd_hand.h"

#include "hmd/hmd_checks.h"
#include "hmd/hmd_infer.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define LIST(...) (const uint32_t[]){__VA_ARGS__}, NUM(((const uint32_t[]){__VA_ARGS__}))

/* An address in the image. */
#define AT(word) (0x80000000u | (HAND_BASE + 4 * (uint32_t)(word)))
#define XY(x, y) ((uint32_t)(y) << 16 | (uint32_t)(x))

enum { LEFT = 0x80040000, RIGHT = 0x80040100, VERTICES = 600, NORMALS = 700 };

/* ---- where things begin ---- */

/* A triangle with a texture that, if nothing ended it, might as well be one with a normal for each
 * corner. */
static void put_triangle(hand *h, uint32_t at)
{
    hand_put_all(h, at, LIST(0, 0, 0, XY(1, 1), XY(1, 1), XY(1, 1)));
}

static hmd_record *add_triangle(hand *h)
{
    const uint32_t lit = hand_add_header(h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
    put_triangle(h, 200);
    hand_add_primitive(h, 100, lit);
    return hand_add_driver(h, LEFT, 1, LIST(0));
}

Test(hmd_types, a_triangle_that_nothing_ends)
{
    static hand h;
    hand_open_image(&h);
    const hmd_record *record = add_triangle(&h);
    cr_assert(hmd_infer(&h.check));
    cr_expect(eq(u32, record->type, HMD_NO_TYPE));
    cr_expect(eq(u8, record->category, HMD_POLYGONS));
}

/* A primitive ends it, whichever it is. */
Test(hmd_types, primitives_are_known_starts)
{
    for (uint32_t i = 0; i < 2; i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t lit = hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
        put_triangle(&h, 200);
        for (uint32_t p = 0; p < 2; p++) {
            hand_add_primitive(&h, p == i ? 205 : 300, lit);
            if (p != i) {
                (void)hand_add_driver(&h, LEFT, 1, LIST(0));
            }
        }
        hand_put(&h, 205, 0);
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u32, h.records[0].type, 0x00000009), "%u", i);
        cr_expect(h.records[0].is_inferred);
    }
}

/* So does whatever an argument of a header leads to, but no number. */
Test(hmd_types, arguments_are_known_starts)
{
    for (uint32_t i = 0; i < 4; i++) {
        static hand h;
        hand_open_image(&h);
        const hmd_record *record = add_triangle(&h);
        uint32_t args[3] = {5, 5, 5};
        args[i % 3] = i < 3 ? AT(205) : 205;
        (void)hand_add_header(&h, args, 3);
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u32, record->type, i < 3 ? 0x00000009 : HMD_NO_TYPE), "%u", i);
    }
}

/* So do the packets of another record, wherever its index leads; the upper byte is no part of it.
 */
Test(hmd_types, runs_are_known_starts)
{
    static const struct {
        uint32_t data[2];
        size_t num;
        bool is_end;
    } rows[] = {{{5}, 1, true},
                {{4}, 1, false},
                {{6}, 1, false},
                {{5u << 24 | 5}, 1, true},
                {{5, 0}, 2, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const hmd_record *record = add_triangle(&h);
        hand_add_primitive(&h, 130, hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS))));
        (void)hand_add_driver(&h, RIGHT, 1, rows[i].data, rows[i].num);
        cr_assert(hmd_infer(&h.check));
        cr_expect(rows[i].is_end == (record->type == 0x00000009), "%zu: 0x%08x", i, record->type);
    }
}

/* The sections of vertices that follow each other count as one, and those of normals, whichever
 * argument of a header leads there; the index of a packet may be as high as all of them allow. */
Test(hmd_types, sections_of_polygons_join)
{
    enum { OTHER = 900 };
    static const struct {
        bool is_shared, is_normal;
        uint32_t num, arg;
        bool joins;
    } rows[] = {
        {false, false, 3, 1, true}, {false, false, 3, 0, false}, {false, false, 3, 2, false},
        {false, true, 3, 2, true},  {false, true, 3, 1, false},  {false, false, 5, 1, true},
        {false, false, 5, 2, true}, {false, false, 5, 3, false}, {false, true, 5, 3, true},
        {false, true, 5, 4, true},  {false, true, 5, 2, false},  {false, true, 5, 0, false},
        {true, false, 3, 1, true},  {true, true, 3, 2, true},    {true, false, 5, 1, true},
        {true, false, 5, 2, true},  {true, true, 5, 3, true},    {true, true, 5, 4, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t own = rows[i].is_shared
                                 ? hand_add_header(&h, LIST(AT(200), AT(OTHER), AT(VERTICES),
                                                            AT(OTHER), AT(NORMALS)))
                                 : hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
        uint32_t args[5];
        for (uint32_t a = 0; a < rows[i].num; a++) {
            args[a] = AT(OTHER + 10 * (a + 1));
        }
        args[rows[i].arg] = AT((rows[i].is_normal ? NORMALS : VERTICES) + 10);
        const uint32_t next = hand_add_header(&h, args, rows[i].num);
        (void)hand_add_header(&h, LIST(AT(204), AT(VERTICES + 30), AT(NORMALS + 30)));
        /* One packet, of whose corners the last has number 7: there are five in the section. */
        hand_put_all(&h, 200,
                     LIST(0x30000000, XY(1, 1), XY(1, 1),
                          XY(rows[i].is_normal ? 7 : 1, rows[i].is_normal ? 1 : 7)));
        hand_add_primitive(&h, 100, own);
        (void)hand_add_driver(&h, LEFT, 1, LIST(0));
        hand_add_primitive(&h, 130, next);
        (void)hand_add_driver(&h, RIGHT, 1, LIST(0));
        cr_assert(hmd_infer(&h.check));
        const bool fits = h.records[0].category == (rows[i].is_shared ? HMD_SHARED : HMD_POLYGONS);
        cr_expect(fits == rows[i].joins, "%zu: 0x%08x", i, h.records[0].type);
    }
}

/* The sections of what are no polygons join nothing: a ground has five too, an image two. */
Test(hmd_types, sections_of_others_do_not_join)
{
    for (uint32_t i = 0; i < 3; i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t own = hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
        const uint32_t next =
            i == 0
                ? hand_add_header(&h, LIST(AT(800), AT(VERTICES + 10), AT(820), AT(830), AT(840)))
            : i == 1 ? hand_add_header(&h, LIST(AT(800), AT(VERTICES + 10)))
                     : hand_add_header(&h, LIST(AT(800), AT(VERTICES + 10), AT(820)));
        (void)hand_add_header(&h, LIST(AT(204), AT(VERTICES + 30), AT(NORMALS + 30)));
        hand_put_all(&h, 200, LIST(0x30000000, XY(1, 1), XY(1, 1), XY(1, 7)));
        hand_add_primitive(&h, 100, own);
        (void)hand_add_driver(&h, LEFT, 1, LIST(0));
        hand_add_primitive(&h, 130, next);
        if (i == 1) {
            (void)hand_add_driver(&h, RIGHT, 1, LIST(0));
        } else {
            (void)hand_add_driver(&h, RIGHT, 0, LIST(0, 0, 0));
        }
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, h.records[0].category, HMD_CATEGORY_FOREIGN), "%u", i);
    }
}

/* ---- drivers ---- */

/* A record that has not been scanned is none of a driver's, whatever its type looks like. */
Test(hmd_types, a_type_that_is_not_an_address_yet)
{
    static hand h;
    hand_open_image(&h);
    (void)add_triangle(&h);
    hmd_record *other = hand_add_driver(&h, LEFT, 1, LIST(5));
    other->type = LEFT;
    hand_put(&h, other->off + 1, HMD_MSB | hand_get(&h, other->off + 1));
    (void)hand_add_driver(&h, RIGHT, 1, LIST(5));
    cr_assert(hmd_infer(&h.check));
    cr_assert(eq(u32, h.model.num_aliases, 2));
    cr_expect(eq(u32, h.model.aliases[0].num_records, 1));
    cr_expect(eq(u32, h.model.aliases[1].num_records, 1));
    cr_expect(eq(u32, other->type, LEFT));
    cr_expect(other->is_inferred == false);
}

/* Drivers are kept in the order of their addresses, each with as many records as it has. */
Test(hmd_types, drivers_in_order)
{
    static const uint32_t drivers[] = {3, 1, 3, 2, 5, 3, 4, 1};
    static hand h;
    hand_open_image(&h);
    hand_add_primitive(&h, 100, hand_add_header(&h, LIST(5)));
    for (size_t i = 0; i < NUM(drivers); i++) {
        (void)hand_add_driver(&h, LEFT + 4 * drivers[i], 1, LIST(0));
    }
    cr_assert(hmd_infer(&h.check));
    cr_assert(eq(u32, h.model.num_aliases, 5));
    static const uint32_t nums[] = {2, 1, 3, 1, 1};
    for (uint32_t i = 0; i < NUM(nums); i++) {
        cr_expect(eq(u32, h.model.aliases[i].address, LEFT + 4 * (i + 1)));
        cr_expect(eq(u32, h.model.aliases[i].num_records, nums[i]));
        cr_expect(eq(u32, h.model.aliases[i].type, HMD_NO_TYPE));
        cr_expect(hmd_alias_of(&h.model, LEFT + 4 * (i + 1)) == &h.model.aliases[i]);
    }
    cr_expect(hmd_alias_of(&h.model, LEFT) == NULL);
    cr_expect(hmd_alias_of(&h.model, LEFT + 4 * 6) == NULL);
}

/* What fits one record of a driver and not the other is not its type. */
Test(hmd_types, records_of_one_driver)
{
    for (uint32_t second = 0; second < 2; second++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t lit = hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
        (void)hand_add_header(&h, LIST(AT(204), AT(208)));
        hand_put_all(&h, 200, LIST(0x30000000, XY(1, 1), XY(1, 1), XY(1, 1)));
        hand_put_all(&h, 204,
                     LIST(second == 0 ? 0x30000000 : 0x38000000, XY(1, 1), XY(1, 1), XY(1, 1)));
        hand_add_primitive(&h, 100, lit);
        (void)hand_add_driver(&h, LEFT, 1, LIST(0));
        (void)hand_add_driver(&h, LEFT, 1, LIST(4));
        cr_assert(hmd_infer(&h.check));
        for (uint32_t i = 0; i < 2; i++) {
            cr_expect(eq(u32, h.records[i].type, second == 0 ? 0x0000000c : HMD_NO_TYPE), "%u", i);
        }
    }
}

/* ---- images ---- */

/* Images of both kinds behind one driver; another driver's records say nothing of it. */
Test(hmd_types, images_behind_one_driver)
{
    static const uint32_t plain[] = {XY(640, 0), XY(16, 8), 0};
    static const uint32_t indexed[] = {XY(640, 0), XY(16, 8), 0, XY(0, 480), XY(16, 1), 0};
    for (unsigned kinds = 0; kinds < 4; kinds++) {
        for (unsigned has_other = 0; has_other < 2; has_other++) {
            static hand h;
            hand_open_image(&h);
            const uint32_t images = hand_add_header(&h, LIST(AT(400), AT(500)));
            const uint32_t lit = hand_add_header(&h, LIST(AT(200), AT(VERTICES), AT(NORMALS)));
            for (unsigned i = 0; i < 2; i++) {
                hand_add_primitive(&h, 100 + 20 * i, images);
                (kinds >> i & 1) == 0 ? hand_add_driver(&h, LEFT, 1, plain, 3)
                                      : hand_add_driver(&h, LEFT, 1, indexed, 6);
            }
            if (has_other == 1) {
                hand_add_primitive(&h, 150, lit);
                (void)hand_add_driver(&h, RIGHT, 1, LIST(0));
            }
            cr_assert(hmd_infer(&h.check));
            for (unsigned i = 0; i < 2; i++) {
                cr_expect(eq(u32, h.records[i].type, 0x02000000 | (kinds >> i & 1)), "%u", kinds);
                cr_expect(eq(u8, h.records[i].category, HMD_IMAGES));
                cr_expect(h.records[i].is_inferred);
            }
            const bool is_one_type = kinds == 0 || kinds == 3;
            cr_expect(
                eq(u32, h.model.aliases[0].type, is_one_type ? h.records[0].type : HMD_NO_TYPE));
            cr_expect(eq(u8, h.model.aliases[0].category, HMD_IMAGES));
        }
    }
}

/* Where no type fits both, since the longer one is not its primitive's last, they are images still.
 */
Test(hmd_types, images_in_one_primitive)
{
    static hand h;
    hand_open_image(&h);
    hand_add_primitive(&h, 100, hand_add_header(&h, LIST(AT(400), AT(500))));
    (void)hand_add_driver(&h, LEFT, 1, LIST(XY(640, 0), XY(16, 8), 0, XY(0, 480), XY(16, 1), 0));
    (void)hand_add_driver(&h, LEFT, 1, LIST(XY(640, 0), XY(16, 8), 0));
    cr_assert(hmd_infer(&h.check));
    cr_expect(eq(u32, h.records[0].type, 0x02000001));
    cr_expect(eq(u32, h.records[1].type, 0x02000000));
    cr_expect(eq(u32, h.model.aliases[0].type, HMD_NO_TYPE));
    cr_expect(eq(u8, h.model.aliases[0].category, HMD_IMAGES));
}

/* Whatever work there is, it is not spent on more packets than that allows: what has not been
 * looked at to the end is not known. */
Test(hmd_types, packets_without_end)
{
    for (uint32_t count = 50; count <= 0x7000; count += 0x7000 - 50) {
        static hand h;
        hand_open_image(&h);
        const uint32_t lit = hand_add_header(&h, LIST(AT(800), AT(VERTICES), AT(NORMALS)));
        hand_add_primitive(&h, 100, lit);
        for (uint32_t i = 0; i < 6; i++) {
            (void)hand_add_driver(&h, LEFT, count, LIST(0));
        }
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, h.records[0].category, count == 50 ? HMD_POLYGONS : HMD_CATEGORY_FOREIGN));
    }
}

/* ---- reach ---- */

/* Projection or camera: that cannot be seen where a header is shared. The coordinate behind the
 * parameters is a camera's, which has eight words of them; lights with one are no cameras. */
Test(hmd_types, devices_that_share_a_header)
{
    static const struct {
        bool is_light, has_unit;
        uint32_t num;
    } rows[] = {{false, true, 8}, {false, false, 1}, {true, true, 1}, {true, false, 1}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t header = rows[i].has_unit ? hand_add_header(&h, LIST(AT(900), AT(HAND_UNIT)))
                                                 : hand_add_header(&h, LIST(AT(900)));
        hand_add_primitive(&h, 100, header);
        const uint32_t light = XY(1, 0);
        (void)hand_add_driver(&h, LEFT, rows[i].is_light ? 1 : 0, &light, rows[i].is_light ? 1 : 0);
        (void)hand_add_driver(&h, RIGHT, rows[i].is_light ? 1 : 0, &light,
                              rows[i].is_light ? 1 : 0);
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, h.records[0].category, HMD_DEVICE), "%zu", i);
        cr_expect(eq(u32, h.records[0].type, HMD_NO_TYPE), "%zu", i);
        cr_expect(eq(u32, h.model.least_end, 900 + rows[i].num), "%zu", i);
        cr_expect(h.records[0].cut_as == 0);
    }
}

/* What is cut off whatever the type is, is cut; up to the last word of the bytes it is not. */
Test(hmd_types, the_least_end_at_the_end_of_the_bytes)
{
    for (uint32_t past = 0; past < 2; past++) {
        static hand h;
        hand_open_image(&h);
        hand_add_primitive(&h, 100, hand_add_header(&h, LIST(AT(HAND_WORDS - 1 + past))));
        (void)hand_add_driver(&h, LEFT, 0, NULL, 0);
        (void)hand_add_driver(&h, RIGHT, 0, NULL, 0);
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, h.records[0].category, HMD_DEVICE));
        cr_expect(eq(u32, h.model.least_end, HAND_WORDS));
        cr_expect(h.records[0].cut_as == (past == 1 ? 1 + h.records[0].category : 0));
        cr_expect(eq(u64, h.check.wanted, 0));
    }
}

/* ---- interpolation tables ---- */

enum { TABLE = 800 };

static hmd_record *add_animation(hand *h, uint32_t table)
{
    const uint32_t header = hand_add_header(h, LIST(4, table, AT(400), AT(500)));
    hand_add_primitive(h, 100, header);
    hmd_record *record =
        hand_add_driver(h, 0x03000000, 1, LIST(0x04000001, 1 << 16 | 7, 0, 0, 0, 0, 0));
    record->type = 0x03000000;
    record->category = HMD_ANIMATION;
    return record;
}

/* A function that has become an address cannot be played; what stands behind the table, or behind
 * the most types that any has, is none of its functions. */
Test(hmd_types, functions_of_tables)
{
    static const struct {
        uint32_t num, at, word;
        bool is_lost;
    } rows[] = {
        {1, 0, LEFT, true},        {2, 1, LEFT, true},           {1, 1, LEFT, false},
        {0, 0, LEFT, false},       {HMD_MSB | 1, 0, LEFT, true}, {HMD_MSB | 1, 1, LEFT, false},
        {1, 0, 0x03000001, false}, {1, 0, 0x80000001, false},    {200, 127, LEFT, true},
        {200, 128, LEFT, false},   {128, 127, LEFT, true},       {128, 128, LEFT, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const hmd_record *record = add_animation(&h, AT(TABLE));
        hand_put(&h, TABLE, rows[i].num);
        hand_put(&h, TABLE + 1 + rows[i].at, rows[i].word);
        cr_assert(hmd_infer(&h.check));
        cr_expect(record->is_unplayable == rows[i].is_lost, "%zu", i);
    }
}

/* ---- stages ---- */

/* Each of the fields that a player writes into a sequence, alone, says that it plays. */
Test(hmd_types, sequences_that_play)
{
    static const struct {
        uint32_t word, value;
        bool is_playing;
    } rows[] = {{0, 0x04000001, false}, {2, 1, true},       {2, 1 << 16, true},
                {3, 0x00000105, false}, {4, 5, false},      {4, 1 << 16, true},
                {5, 1, true},           {5, 1 << 16, true}, {6, 5, false},
                {6, 5 << 16, false},    {6, 1u << 24, true}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const hmd_record *record = add_animation(&h, AT(TABLE));
        hand_put(&h, record->off + 2 + rows[i].word, rows[i].value);
        const unsigned marks = hmd_stage_marks(&h.check);
        cr_expect(rows[i].is_playing == (marks >> HMD_STAGE_PLAYING & 1), "%zu: %x", i, marks);
    }
}

/* So does each word of a world matrix, and the stamp, of any coordinate; but nothing else of it. */
Test(hmd_types, world_matrices)
{
    for (uint32_t unit = 0; unit < HAND_UNITS; unit++) {
        for (uint32_t word = 0; word < HMD_UNIT_WORDS; word++) {
            static hand h;
            hand_open_image(&h);
            hand_put(&h, HAND_UNIT + HMD_UNIT_WORDS * unit + word, 1);
            const bool is_played = word == 0 || (word >= 9 && word < 17);
            const unsigned marks = hmd_stage_marks(&h.check);
            cr_expect(is_played == (marks >> HMD_STAGE_PLAYING & 1), "%u", word);
        }
    }
}

/* ---- what leads out of the bytes ---- */

/* Packets of polygons, far behind their section's start, or the parameters of a light at its start:
 * where that leads out of the bytes both do, and what is told is of the one that does so least. */
Test(hmd_types, records_of_two_categories_that_lead_out)
{
    static const struct {
        uint32_t first;
        uint8_t cut_as;
    } rows[] = {{HAND_WORDS - 1, HMD_DEVICE + 1}, {300, 0}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t header =
            hand_add_header(&h, LIST(AT(rows[i].first), AT(VERTICES), AT(NORMALS)));
        hand_add_primitive(&h, 100, header);
        const hmd_record *record = hand_add_driver(&h, LEFT, 1, LIST(XY(0, 1)));
        (void)hand_add_driver(&h, RIGHT, 0, NULL, 0); /* another one has the same header */
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, record->cut_as, rows[i].cut_as), "%zu: %d, category %d", i, record->cut_as,
                  record->category);
    }
}

/* The parameters of an ambient light at word 256 of their section, or a triangle at its start that
 * is to be divided, whose last vertex leads just as far: the two are tried in this order, and what
 * is told is of the first. */
Test(hmd_types, records_of_two_categories_that_lead_out_as_far)
{
    enum { SECTION = 900, PARAMETER = 256, LAST_SECTION = SECTION + 51 };
    static const struct {
        uint32_t vertex;
        uint8_t cut_as;
    } rows[] = {{101, HMD_POLYGONS + 1}, {102, HMD_DEVICE + 1}, {103, HMD_DEVICE + 1}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t header =
            hand_add_header(&h, LIST(AT(SECTION), AT(LAST_SECTION), AT(NORMALS)));
        hand_put_all(&h, SECTION, LIST(0x20000000, XY(0, 1), XY(2, rows[i].vertex)));
        hand_add_primitive(&h, 100, header);
        const hmd_record *record = hand_add_driver(&h, LEFT, 1, LIST(XY(0, PARAMETER)));
        (void)hand_add_driver(&h, RIGHT, 0, NULL, 0); /* another one has the same header */
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, record->category, HMD_CATEGORY_FOREIGN));
        cr_expect(eq(u8, record->cut_as, rows[i].cut_as), "vertex %u: %d", rows[i].vertex,
                  record->cut_as);
    }
}

/* The word of a light, taken for the index of packets, leads far out of the bytes. Where the header
 * is one of polygons more bytes might tell; but a light that turns with a coordinate has no packets
 * to wait for. */
Test(hmd_types, only_polygons_are_waited_for)
{
    for (uint32_t is_light = 0; is_light < 2; is_light++) {
        static hand h;
        hand_open_image(&h);
        const uint32_t header = is_light == 1
                                    ? hand_add_header(&h, LIST(AT(300), AT(HAND_UNIT)))
                                    : hand_add_header(&h, LIST(AT(300), AT(VERTICES), AT(NORMALS)));
        hand_add_primitive(&h, 100, header);
        const hmd_record *record = hand_add_driver(&h, LEFT, 1, LIST(XY(0, 1)));
        h.check.at_end = false;
        cr_assert(hmd_infer(&h.check));
        cr_expect(eq(u8, record->category, is_light == 1 ? HMD_DEVICE : HMD_POLYGONS));
        cr_expect(eq(u64, h.check.wanted, is_light == 1 ? 0 : 2 * sizeof h.bytes));
    }
}

/* Each category has a rule of its own for that, whether the record is known to be of it or not. */
Test(hmd_types, what_is_told_of_records_that_lead_out)
{
    static const char *const codes[HMD_NUM_CATEGORIES] = {
        "HMD0083", "HMD0083", "HMD0110", "HMD0205", "HMD0120", "HMD0140", "HMD0083", "HMD0155"};
    for (unsigned category = 0; category < HMD_NUM_CATEGORIES; category++) {
        static hand h;
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_reporter reporter;
        hand_open_image(&h);
        hmd_record *record = add_triangle(&h);
        record->cut_as = (uint8_t)(1 + category);
        cr_assert(fh_reporter_open(&reporter, &h.arena, &sink, hmd_rules, HMD_NUM_RULES) == FH_OK);
        h.check.reporter = &reporter;
        hmd_check_memory(&h.check);
        const fh_finding *finding = record_find(&told, codes[category]);
        cr_assert(finding != NULL, "%u: %s", category, record_codes(&told));
        cr_expect(eq(str, (char *)finding->field, "data of any type that fits"));
        cr_expect(eq(i64, finding->offset, 4 * record->off));
        record_free(&told);
    }
}
