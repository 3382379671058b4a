/* TMD: every kind of polygon, number by number.
 *
 * A head of 3 words, 7 words an object, and what they lead to. The words of a polygon are, in this
 * order: a texture position for each corner if it has an image; a colour, or one for each corner;
 * and in half words the numbers of its vertices, a number of a normal in front of the first one, or
 * of each. Offsets count from the first object.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 128, MOST_TOLD = 8, HEAD_LEN = 12, OBJECT_LEN = 28, ELEMENT_LEN = 8 };
enum { NUM_VERTICES = 8, NUM_NORMALS = 4 };

/* ---- what was told ---- */

static struct {
    fh_scene_mesh meshes[MOST_TOLD];
    fh_scene_triangle triangles[MOST_TOLD];
    size_t of_mesh[MOST_TOLD]; /* of each triangle */
    size_t num_meshes, num_triangles;
    const char *why;
    uint64_t at;
    uint64_t spent;
} told;

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    (void)user;
    HOLD(told.num_meshes < MOST_TOLD, "so many meshes");
    told.meshes[told.num_meshes++] = *mesh;
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    (void)user;
    HOLD(told.num_triangles < MOST_TOLD && told.num_meshes > 0, "a triangle too many");
    told.of_mesh[told.num_triangles] = told.num_meshes - 1;
    told.triangles[told.num_triangles++] = *triangle;
}

typedef struct tmd {
    uint32_t words[MOST_WORDS];
    size_t num;
} tmd;

static void add(tmd *to, uint32_t word)
{
    HOLD(to->num < MOST_WORDS, "the test has no room for it");
    to->words[to->num++] = word;
}

/* In a block of its own size, so that a sanitizer sees a byte too far. */
static fh_status read_bytes(const tmd *from, size_t len)
{
    static const fh_scene_sink sink = {.mesh = on_mesh, .triangle = on_triangle};
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {.budget = &budget};
    uint8_t *bytes = malloc(len + 1);
    HOLD(bytes != NULL, "the test is out of memory");
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (uint8_t)(from->words[i / 4] >> (8 * (i % 4)));
    }
    told.num_meshes = told.num_triangles = 0;
    told.why = "?";
    told.at = 99;
    const fh_status status = fh_format_find("tod")->scene->models->describe(
        &env, &sink, fh_cursor_make(bytes, len, 0), &told.why, &told.at);
    told.spent = BENCH_BUDGET - budget.left;
    free(bytes);
    return status;
}

static fh_status read_all(const tmd *from)
{
    return read_bytes(from, 4 * from->num);
}

/* ---- models ---- */

/* No two parts of any vertices or normals are the same, and no pad is 0. */
static int position_of(unsigned vertex, unsigned part)
{
    return (part == 1 ? -1 : 1) * (int)(1000 * part + 10 * vertex + 3);
}

static int normal_of(unsigned normal, unsigned part)
{
    return (part == 2 ? -1 : 1) * (int)(512 * (part + 1) + 64 * normal);
}

static void add_element(tmd *to, int (*of)(unsigned number, unsigned part), unsigned number)
{
    const uint32_t x = (uint32_t)of(number, 0) & 0xffff;
    const uint32_t y = (uint32_t)of(number, 1) & 0xffff;
    const uint32_t z = (uint32_t)of(number, 2) & 0xffff;
    add(to, x | y << 16);
    add(to, z | (uint32_t)(77 + number) << 16);
}

/* What a polygon is. */
enum { QUAD = 1, LIT = 2, SMOOTH = 4, GRADED = 8, IMAGE = 16, DOUBLE = 32, GLASS = 64 };

typedef struct kind {
    uint32_t head; /* mode, flags, words that follow, words that it becomes */
    uint32_t words[12];
    unsigned is;
} kind;

/* Colours of the corners: blue, green, red, and a byte in front that means nothing. */
#define C0 0x20ff4011
#define C1 0x33028004
#define C2 0x4410c0a0
#define C3 0x55a1b2c3
/* Texture positions. */
#define T0 0x12345678
#define T1 0x9abcdef0
#define T2 0x0fedcba9
#define T3 0x87654321

/* What the corners name. A half word that is left over names nothing. */
static const unsigned vertices[4] = {5, 2, 7, 4};
static const unsigned normals[4] = {2, 0, 3, 1};
static const uint32_t colours[4] = {C0, C1, C2, C3};

#define FLAT_3 0x00050002, 0x00070002
#define FLAT_4 0x00050002, 0x00070002, 0xffff0004
#define SMOOTH_3 0x00050002, 0x00020000, 0x00070003
#define SMOOTH_4 0x00050002, 0x00020000, 0x00070003, 0x00040001
#define UNLIT_3 0x00020005, 0xffff0007
#define UNLIT_4 0x00020005, 0x00040007

static const kind kinds[] = {
    {0x20000304, {C0, FLAT_3}, LIT},
    {0x28000405, {C0, FLAT_4}, LIT | QUAD},
    {0x30000406, {C0, SMOOTH_3}, LIT | SMOOTH},
    {0x38000508, {C0, SMOOTH_4}, LIT | SMOOTH | QUAD},
    {0x20040506, {C0, C1, C2, FLAT_3}, LIT | GRADED},
    {0x28040708, {C0, C1, C2, C3, FLAT_4}, LIT | GRADED | QUAD},
    {0x30040606, {C0, C1, C2, SMOOTH_3}, LIT | GRADED | SMOOTH},
    {0x38040808, {C0, C1, C2, C3, SMOOTH_4}, LIT | GRADED | SMOOTH | QUAD},
    {0x24000507, {T0, T1, T2, FLAT_3}, LIT | IMAGE},
    {0x2c000709, {T0, T1, T2, T3, FLAT_4}, LIT | IMAGE | QUAD},
    {0x34000609, {T0, T1, T2, SMOOTH_3}, LIT | IMAGE | SMOOTH},
    {0x3c00080c, {T0, T1, T2, T3, SMOOTH_4}, LIT | IMAGE | SMOOTH | QUAD},
    {0x21010304, {C0, UNLIT_3}, 0},
    {0x29010305, {C0, UNLIT_4}, QUAD},
    {0x31010506, {C0, C1, C2, UNLIT_3}, GRADED},
    {0x39010608, {C0, C1, C2, C3, UNLIT_4}, GRADED | QUAD},
    {0x25010607, {T0, T1, T2, C0, UNLIT_3}, IMAGE},
    {0x2d010709, {T0, T1, T2, T3, C0, UNLIT_4}, IMAGE | QUAD},
    {0x35010809, {T0, T1, T2, C0, C1, C2, UNLIT_3}, IMAGE | GRADED},
    {0x3d010a0c, {T0, T1, T2, T3, C0, C1, C2, C3, UNLIT_4}, IMAGE | GRADED | QUAD},
    {0x20020304, {C0, FLAT_3}, LIT | DOUBLE},
    {0x20060506, {C0, C1, C2, FLAT_3}, LIT | GRADED | DOUBLE},
    {0x21030304, {C0, UNLIT_3}, DOUBLE},
    {0x22000304, {C0, FLAT_3}, LIT | GLASS},
    {0x27010607, {T0, T1, T2, C0, UNLIT_3}, IMAGE | GLASS},
    {0x23030304, {C0, UNLIT_3}, DOUBLE | GLASS},
};

/* Two models: a triangle of vertices and a normal of its own, and one of the kind. The vertices of
 * the second are the last bytes. */
enum { FIRST_LEN = 4 * 4 + 3 * ELEMENT_LEN + ELEMENT_LEN, FIRST = 2 * OBJECT_LEN };

static void add_object(tmd *to, uint32_t points, uint32_t num_points, uint32_t turns,
                       uint32_t num_turns, uint32_t primitives)
{
    const uint32_t words[] = {points, num_points, turns, num_turns, primitives, 1, 0xfffffff4};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        add(to, words[i]);
    }
}

static void add_polygon(tmd *to, uint32_t head, const uint32_t *words)
{
    add(to, head);
    for (uint32_t i = 0; i < (head >> 8 & 0xff); i++) {
        add(to, words[i]);
    }
}

static void add_elements(tmd *to, int (*of)(unsigned number, unsigned part), unsigned first,
                         unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        add_element(to, of, first + i);
    }
}

static tmd model_of(const kind *is)
{
    static const uint32_t triangle[] = {C3, 0x00000000, 0x00020001};
    tmd out = {.words = {0x41, 0, 2}, .num = 3};
    const uint32_t points = FIRST + 4 * 4, turns = points + 3 * ELEMENT_LEN;
    const uint32_t primitive = FIRST + FIRST_LEN,
                   own_turns = primitive + 4 + (is->head >> 6 & 0x3fc);
    add_object(&out, points, 3, turns, 1, FIRST);
    add_object(&out, own_turns + NUM_NORMALS * ELEMENT_LEN, NUM_VERTICES, own_turns, NUM_NORMALS,
               primitive);
    add_polygon(&out, 0x20000304, triangle);
    add_elements(&out, position_of, 20, 3);
    add_elements(&out, normal_of, 9, 1);
    add_polygon(&out, is->head, is->words);
    add_elements(&out, normal_of, 0, NUM_NORMALS);
    add_elements(&out, position_of, 0, NUM_VERTICES);
    return out;
}

/* ---- polygons ---- */

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* What is lit and has an image has no colour of its own, and leaves the image as it is. */
static double colour_of(const kind *is, unsigned corner, unsigned part)
{
    const bool is_neutral = (is->is & (LIT | IMAGE)) == (LIT | IMAGE);
    const uint32_t own = colours[(is->is & GRADED) != 0 ? corner : 0];
    return ((is_neutral ? 0x808080 : own) >> (8 * part) & 0xff) /
           ((is->is & IMAGE) != 0 ? 128.0 : 255.0);
}

static void hold_corner(const kind *is, const fh_scene_corner *got, unsigned corner)
{
    const unsigned vertex = vertices[corner];
    const unsigned normal = normals[(is->is & SMOOTH) != 0 ? corner : 0];
    const bool is_lit = (is->is & LIT) != 0;
    HOLD(got->vertex == vertex, "%x: vertex %u", is->head, got->vertex);
    HOLD(!is_lit || got->normal_number == normal, "%x: normal %u", is->head, got->normal_number);
    HOLD(got->joint == FH_SCENE_NONE, "%x: a joint", is->head);
    HOLD(same(got->uv[0], 0) && same(got->uv[1], 0), "%x: images are not in the file", is->head);
    for (unsigned i = 0; i < 3; i++) {
        const double part = is_lit ? normal_of(normal, i) / 4096.0 : 0;
        HOLD(same(got->position[i], position_of(vertex, i)), "%x: corner %u at %g", is->head,
             corner, got->position[i]);
        HOLD(same(got->colour[i], colour_of(is, corner, i)), "%x: corner %u of colour %g", is->head,
             corner, got->colour[i]);
        HOLD(same(got->normal[i], part), "%x: corner %u with normal %g", is->head, corner,
             got->normal[i]);
    }
}

/* Corners 0 1 2 go round clockwise on the screen, and so do 1 3 2: seen with y up they are told the
 * other way round. */
static void hold_kind(const kind *is)
{
    static const unsigned order[2][3] = {{0, 2, 1}, {1, 2, 3}};
    const size_t num = (is->is & QUAD) != 0 ? 2 : 1;
    HOLD(told.num_triangles == 1 + num, "%x: %zu triangles", is->head, told.num_triangles);
    for (size_t i = 0; i < num; i++) {
        const fh_scene_triangle *triangle = &told.triangles[1 + i];
        HOLD(told.of_mesh[1 + i] == 1, "%x: of the second model", is->head);
        HOLD(triangle->image == FH_SCENE_NONE, "%x: an image", is->head);
        HOLD(triangle->is_lit == ((is->is & LIT) != 0), "%x: lit", is->head);
        HOLD(triangle->is_double_sided == ((is->is & DOUBLE) != 0), "%x: double", is->head);
        HOLD(triangle->is_glass == ((is->is & GLASS) != 0), "%x: glass", is->head);
        for (unsigned k = 0; k < 3; k++) {
            hold_corner(is, &triangle->corners[k], order[i][k]);
        }
    }
}

Test(tod_tmd, every_kind_of_polygon)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const tmd model = model_of(&kinds[i]);
        const fh_status status = read_all(&model);
        HOLD(status == FH_OK && told.why == NULL, "%x: %s", kinds[i].head, fh_status_name(status));
        hold_kind(&kinds[i]);
    }
}

/* Models are numbered from 1, in the order of the table, and each has vertices of its own. */
Test(tod_tmd, every_object_is_a_model)
{
    const tmd model = model_of(&kinds[0]);
    cr_assert(eq(int, read_all(&model), FH_OK));
    cr_assert(eq(sz, told.num_meshes, 2));
    for (unsigned i = 0; i < 2; i++) {
        cr_expect(eq(int, told.meshes[i].owner, FH_SCENE_OF_MODEL));
        cr_expect(eq(u32, told.meshes[i].id, i + 1));
        cr_expect(eq(u64, told.meshes[i].offset, HEAD_LEN + OBJECT_LEN * i));
    }
    const fh_scene_corner *corner = &told.triangles[0].corners[1]; /* the third one */
    cr_expect(eq(u32, corner->vertex, 2));
    cr_expect(same(corner->position[1], position_of(22, 1)), "%g", corner->position[1]);
    cr_expect(same(corner->normal[2], normal_of(9, 2) / 4096.0), "%g", corner->normal[2]);
    cr_expect(same(corner->colour[0], 0xc3 / 255.0), "%g", corner->colour[0]);
}

/* ---- faults ---- */

enum { OBJECT_1 = 3, OBJECT_2 = 10, VERTICES = 1, NORMALS_OFF = 2, NORMALS = 3 };
enum { PRIMITIVE_2 = (HEAD_LEN + FIRST + FIRST_LEN) / 4 };

/* What was wrong is told with its place, and what is right is told all the same. */
Test(tod_tmd, faults_are_told_with_their_place)
{
    const struct {
        size_t word;
        uint32_t value;
        const char *why;
        uint64_t at;
        size_t num_meshes, num_triangles;
    } cases[] = {
        /* One vertex or normal less than is named. */
        {OBJECT_2 + VERTICES, 7, "not there", 4 * (PRIMITIVE_2 + 1), 2, 1},
        {OBJECT_2 + NORMALS, 2, "not there", 4 * (PRIMITIVE_2 + 1), 2, 1},
        {OBJECT_1 + VERTICES, 2, "not there", HEAD_LEN + FIRST + 4, 2, 1},
        {OBJECT_1 + NORMALS, 0, "not there", HEAD_LEN + FIRST + 4, 2, 1},
        /* One element more than there is room for. */
        {OBJECT_2 + VERTICES, NUM_VERTICES + 1, "vertices or normals", 4 * OBJECT_2, 1, 1},
        {OBJECT_1 + VERTICES, 1000, "vertices or normals", 4 * OBJECT_1, 1, 1},
        {OBJECT_1 + NORMALS, 1000, "vertices or normals", 4 * OBJECT_1, 1, 1},
        {OBJECT_1 + NORMALS_OFF, 0xfffffff8, "vertices or normals", 4 * OBJECT_1, 1, 1},
        /* A line, a polygon of another length, one that has a word less. */
        {PRIMITIVE_2, 0x40000304, "no polygon", 4 * PRIMITIVE_2, 2, 1},
        {PRIMITIVE_2, 0x00000304, "no polygon", 4 * PRIMITIVE_2, 2, 1},
        {PRIMITIVE_2, 0x20000404, "no polygon", 4 * PRIMITIVE_2, 2, 1},
        {PRIMITIVE_2, 0x20000204, "no polygon", 4 * PRIMITIVE_2, 2, 1},
        {PRIMITIVE_2, 0x2000ff04, "a primitive leads past", 4 * PRIMITIVE_2, 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tmd model = model_of(&kinds[0]);
        model.words[cases[i].word] = cases[i].value;
        const fh_status status = read_all(&model);
        cr_expect(eq(int, status, FH_CORRUPT), "case %zu: %s", i, fh_status_name(status));
        HOLD(told.why != NULL && strstr(told.why, cases[i].why) != NULL, "case %zu: %s", i,
             told.why);
        cr_expect(eq(u64, told.at, cases[i].at), "case %zu", i);
        cr_expect(eq(sz, told.num_meshes, cases[i].num_meshes), "case %zu", i);
        cr_expect(eq(sz, told.num_triangles, cases[i].num_triangles), "case %zu", i);
    }
}

/* Of several things that are wrong the first one is told. */
Test(tod_tmd, the_first_fault_is_told)
{
    tmd model = model_of(&kinds[0]);
    model.words[OBJECT_1 + VERTICES] = 2;
    model.words[PRIMITIVE_2] = 0x40000304;
    cr_assert(eq(int, read_all(&model), FH_CORRUPT));
    cr_expect(strstr(told.why, "not there") != NULL, "%s", told.why);
    cr_expect(eq(u64, told.at, HEAD_LEN + FIRST + 4));
}

Test(tod_tmd, other_files_are_told_apart)
{
    tmd model = model_of(&kinds[0]);
    cr_expect(eq(int, read_bytes(&model, HEAD_LEN - 1), FH_NOT_THIS_FORMAT));
    cr_expect(eq(u64, told.at, 0));
    for (uint32_t id = 0x40; id <= 0x42; id += 2) {
        model.words[0] = id;
        cr_expect(eq(int, read_all(&model), FH_NOT_THIS_FORMAT));
        cr_expect(eq(u64, told.at, 0));
        cr_expect(strstr(told.why, "begin") != NULL, "%s", told.why);
    }
    model.words[0] = 0x41;
    model.words[1] = 1;
    cr_expect(eq(int, read_all(&model), FH_NOT_THIS_FORMAT));
    cr_expect(eq(u64, told.at, 4));
    cr_expect(strstr(told.why, "addresses") != NULL, "%s", told.why);
    model.words[1] = 2; /* of the flags only the first bit means something */
    cr_expect(eq(int, read_all(&model), FH_OK));
}

/* A table of objects that just fits, and one that lacks a byte. */
Test(tod_tmd, the_table_of_objects)
{
    tmd model = {.words = {0x41, 0, 2}, .num = OBJECT_2 + 7};
    cr_expect(eq(int, read_all(&model), FH_OK));
    cr_expect(eq(sz, told.num_meshes, 2));
    cr_expect(eq(int, read_bytes(&model, 4 * model.num - 1), FH_CORRUPT));
    cr_expect(eq(sz, told.num_meshes, 1));
    cr_expect(eq(u64, told.at, 4 * OBJECT_2));
    cr_expect(strstr(told.why, "table") != NULL, "%s", told.why);
    /* No vertices, at the very end and behind it. */
    model.words[OBJECT_1] = FIRST;
    cr_expect(eq(int, read_all(&model), FH_OK));
    model.words[OBJECT_1] = FIRST + 1;
    cr_expect(eq(int, read_all(&model), FH_CORRUPT));
    cr_expect(eq(u64, told.at, 4 * OBJECT_1));
}

/* 16 units a polygon, and nothing for what has none. */
Test(tod_tmd, what_it_costs)
{
    tmd model = model_of(&kinds[0]);
    cr_expect(eq(int, read_all(&model), FH_OK));
    cr_expect(eq(u64, told.spent, 32));
    model.words[OBJECT_1 + 5] = 0;
    cr_expect(eq(int, read_all(&model), FH_OK));
    cr_expect(eq(u64, told.spent, 16));
}
