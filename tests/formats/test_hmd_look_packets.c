/* The polygons of an HMD, to the corner: what the layouts of packets say, worked out anew. */
#include "hmd_look.h"

#include <stdio.h>

/* How many there are of everything in a packet; of a strip also in those behind the first. */
typedef struct shape {
    uint32_t type;
    unsigned corners, colours, normals;
    bool has_texture;
    unsigned more_colours, more_normals; /* 0 corners behind the first: no strip */
    bool is_strip;
} shape;

static const shape shapes[] = {
    {0x008, 3, 1, 1, false, 0, 0, false}, {0x009, 3, 0, 1, true, 0, 0, false},
    {0x00a, 3, 3, 1, false, 0, 0, false}, {0x00b, 3, 3, 1, true, 0, 0, false},
    {0x00c, 3, 1, 3, false, 0, 0, false}, {0x00d, 3, 0, 3, true, 0, 0, false},
    {0x00e, 3, 3, 3, false, 0, 0, false}, {0x00f, 3, 3, 3, true, 0, 0, false},
    {0x010, 4, 1, 1, false, 0, 0, false}, {0x011, 4, 0, 1, true, 0, 0, false},
    {0x012, 4, 4, 1, false, 0, 0, false}, {0x013, 4, 4, 1, true, 0, 0, false},
    {0x014, 4, 1, 4, false, 0, 0, false}, {0x015, 4, 0, 4, true, 0, 0, false},
    {0x016, 4, 4, 4, false, 0, 0, false}, {0x017, 4, 4, 4, true, 0, 0, false},
    {0x048, 3, 1, 0, false, 0, 0, false}, {0x049, 3, 1, 0, true, 0, 0, false},
    {0x04c, 3, 3, 0, false, 0, 0, false}, {0x04d, 3, 3, 0, true, 0, 0, false},
    {0x050, 4, 1, 0, false, 0, 0, false}, {0x051, 4, 1, 0, true, 0, 0, false},
    {0x054, 4, 4, 0, false, 0, 0, false}, {0x055, 4, 4, 0, true, 0, 0, false},
    {0x148, 3, 1, 0, false, 0, 0, false}, {0x149, 3, 1, 0, true, 0, 0, false},
    {0x14c, 3, 3, 0, false, 0, 0, false}, {0x14d, 3, 3, 0, true, 0, 0, false},
    {0x150, 4, 1, 0, false, 0, 0, false}, {0x151, 4, 1, 0, true, 0, 0, false},
    {0x154, 4, 4, 0, false, 0, 0, false}, {0x155, 4, 4, 0, true, 0, 0, false},
    {0x209, 3, 0, 1, true, 0, 0, false},  {0x20b, 3, 3, 1, true, 0, 0, false},
    {0x20d, 3, 0, 3, true, 0, 0, false},  {0x20f, 3, 3, 3, true, 0, 0, false},
    {0x211, 4, 0, 1, true, 0, 0, false},  {0x213, 4, 4, 1, true, 0, 0, false},
    {0x215, 4, 0, 4, true, 0, 0, false},  {0x217, 4, 4, 4, true, 0, 0, false},
    {0x249, 3, 1, 0, true, 0, 0, false},  {0x24d, 3, 3, 0, true, 0, 0, false},
    {0x251, 4, 1, 0, true, 0, 0, false},  {0x255, 4, 4, 0, true, 0, 0, false},
    {0x018, 3, 1, 1, false, 1, 1, true},  {0x019, 3, 0, 1, true, 0, 1, true},
    {0x01c, 3, 1, 3, false, 1, 3, true},  {0x01d, 3, 0, 3, true, 0, 3, true},
    {0x058, 3, 1, 0, false, 1, 0, true},  {0x059, 3, 1, 0, true, 1, 0, true},
    {0x05c, 3, 3, 0, false, 3, 0, true},  {0x05d, 3, 3, 0, true, 3, 0, true}};
enum { NUM_SHAPES = sizeof shapes / sizeof shapes[0], NUM_VECTORS = 6, NUM_STRIP = 4 };

/* Where the corners of the k-th packet take their values from. */
static unsigned vertex_of(unsigned corner)
{
    static const unsigned numbers[NUM_VECTORS] = {3, 1, 5, 0, 4, 2};
    return numbers[corner % NUM_VECTORS];
}

static unsigned normal_of(unsigned k, unsigned i)
{
    return (5 * k + i + 2) % NUM_VECTORS;
}

static unsigned colour_of(unsigned k, unsigned i, unsigned part)
{
    return 10 + 60 * k + 12 * i + 3 * part;
}

static unsigned uv_of(unsigned k, unsigned i, unsigned axis)
{
    return 2 + (7 * k + 5 * i + 3 * axis) % 50;
}

static unsigned num_packets(const shape *of)
{
    return of->is_strip ? NUM_STRIP : 1;
}

/* The image begins with the least position that anything uses. */
static unsigned least_uv(const shape *of, unsigned axis)
{
    unsigned least = 255;
    for (unsigned i = 0; i < num_packets(of) * of->corners; i++) {
        const unsigned at = uv_of(i / of->corners, i % of->corners, axis);
        least = at < least ? at : least;
    }
    return least;
}

static void add_numbers(writer *to, const char *name, unsigned k, unsigned num, unsigned per,
                        unsigned (*of)(unsigned k, unsigned i, unsigned part))
{
    char part[32];
    add(to, num > 0 ? name : "");
    for (unsigned i = 0; i < num * per; i++) {
        (void)snprintf(part, sizeof part, " %u", of(k, i / per, i % per));
        add(to, part);
    }
}

static unsigned normal_number(unsigned k, unsigned i, unsigned part)
{
    (void)part;
    return normal_of(k, i);
}

static unsigned vertex_number(unsigned first, unsigned i, unsigned part)
{
    (void)part;
    return vertex_of(first + i);
}

static void add_packet(writer *to, const shape *of, unsigned k)
{
    char line[64];
    const bool is_more = k > 0;
    (void)snprintf(line, sizeof line, of->is_strip ? "mesh 0x%x" : "packet 0x%x", of->type);
    add(to, is_more ? "strip" : line);
    add_numbers(to, " rgb", k, is_more ? of->more_colours : of->colours, 3, colour_of);
    add_numbers(to, " uv", k, of->has_texture ? of->corners : 0, 2, uv_of);
    add_numbers(to, " n", k, is_more ? of->more_normals : of->normals, 1, normal_number);
    add_numbers(to, " v", is_more ? k + 2 : 0, is_more ? 1 : of->corners, 1, vertex_number);
    add(to, of->has_texture ? " clut=0 page=0x10a" : "");
    add(to, (of->type & 0x200) != 0 ? " window=0xe2000000\n" : "\n");
}

static void hold_vector(const double is[3], unsigned number, double scale)
{
    for (unsigned i = 0; i < 3; i++) {
        const double wanted = (number * 100.0 + i * 10 + 1) * (number % 2 == 0 ? 1 : -1);
        HOLD(same(is[i] * scale, wanted), "%g", is[i]);
    }
}

/* One for all corners, or each its own. */
static unsigned which(unsigned num, unsigned i)
{
    return num == 1 ? 0 : i;
}

/* Corner i of the k-th packet. */
static void hold_corner(const fh_scene_corner *is, const shape *of, unsigned k, unsigned i,
                        uint32_t vectors_at)
{
    const unsigned colours = k > 0 ? of->more_colours : of->colours;
    const unsigned normals = k > 0 ? of->more_normals : of->normals;
    const fh_scene_image *image = &all.images[0].is;
    hold_vector(is->position, vertex_of(k + i), 1);
    HOLD(is->vertex == vectors_at + 2 * vertex_of(k + i), "0x%x: vertex", of->type);
    if (normals > 0) {
        const unsigned number = normal_of(k, which(normals, i));
        hold_vector(is->normal, number, 4096);
        HOLD(is->normal_number == vectors_at + 2 * (NUM_VECTORS + number), "0x%x", of->type);
    } else {
        HOLD(same(is->normal[0], 0) && is->normal_number == UINT32_MAX, "0x%x", of->type);
    }
    for (unsigned part = 0; part < 3; part++) {
        const double value = colours == 0 ? 128 : colour_of(k, which(colours, i), part);
        HOLD(same(is->colour[part], value / (of->has_texture ? 128 : 255)), "0x%x: colour %g",
             of->type, is->colour[part]);
    }
    for (unsigned axis = 0; axis < 2 && of->has_texture; axis++) {
        const double size = axis == 0 ? image->width : image->height;
        const double wanted = (uv_of(k, i, axis) - least_uv(of, axis) + 0.5) / size;
        HOLD(same(is->uv[axis], wanted), "0x%x: %g", of->type, is->uv[axis]);
    }
}

static bool is_corner(const fh_scene_corner *is, unsigned number, uint32_t vectors_at)
{
    return is->vertex == vectors_at + 2 * vertex_of(number);
}

/* Three corners of the k-th packet in this order, whichever is first. */
static void hold_triangle(const fh_scene_triangle *is, const shape *of, unsigned k,
                          const unsigned order[3], uint32_t vectors_at)
{
    unsigned first = 0;
    while (first < 3 && !is_corner(&is->corners[first], k + order[0], vectors_at)) {
        first++;
    }
    HOLD(first < 3, "0x%x: corner %u is not there", of->type, order[0]);
    for (unsigned i = 0; i < 3; i++) {
        hold_corner(&is->corners[(first + i) % 3], of, k, order[i], vectors_at);
    }
    HOLD(is->is_lit == (of->normals > 0) && !is->is_double_sided && !is->is_glass, "0x%x",
         of->type);
    HOLD((is->image != FH_SCENE_NONE) == of->has_texture, "0x%x: image", of->type);
}

static void add_vectors(writer *to)
{
    add(to, "vertices:\n");
    for (unsigned i = 0; i < 2 * NUM_VECTORS; i++) {
        char line[64];
        const int number = (int)(i % NUM_VECTORS);
        const int sign = number % 2 == 0 ? 1 : -1;
        (void)snprintf(line, sizeof line, "%svec %d %d %d\n", i == NUM_VECTORS ? "normals:\n" : "",
                       sign * (number * 100 + 1), sign * (number * 100 + 11),
                       sign * (number * 100 + 21));
        add(to, line);
    }
}

static const char ramp[] = "images:\npixels:\nrepeat 4096\nhalf $\nendrepeat\n";

static void hold_shape(const shape *of)
{
    static const unsigned faces_of[2][3] = {{0, 2, 1}, {1, 2, 3}};
    static const unsigned turned[3] = {0, 1, 2}; /* every other one of a strip */
    static writer text;
    char record[64];
    text.len = 0;
    add(&text, front);
    add(&text, "record 0x02000000 640:0 64:64 (pixels-images)\nmodel: primitive header=@lit\n");
    (void)snprintf(record, sizeof record, "record 0x%08x (faces-polygons)\npolygons:\nfaces:\n",
                   (of->type & 0x40 ? 0x00840000 : 0x00800000) | of->type);
    add(&text, record);
    for (unsigned k = 0; k < num_packets(of); k++) {
        add_packet(&text, of, k);
    }
    add(&text, ramp);
    add_vectors(&text);
    forge_buf file = build(text.text);
    describe(&file);
    const uint32_t at = (uint32_t)(file.len / 4) - 4 * NUM_VECTORS;
    const unsigned num = of->is_strip ? NUM_STRIP : of->corners - 2;
    HOLD(all.num_triangles == num, "0x%x: %zu triangles", of->type, all.num_triangles);
    for (unsigned i = 0; i < num; i++) {
        hold_triangle(&all.triangles[i], of, of->is_strip ? i : 0,
                      of->is_strip ? (i % 2 == 0 ? faces_of[0] : turned) : faces_of[i], at);
    }
    forge_buf_free(&file);
}

Test(hmd_look_packets, packets)
{
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        hold_shape(&shapes[i]);
    }
    forget();
}

/* One packet is there and one is not: the first is shown, and that there is more is said. */
Test(hmd_look_packets, packets_of_fewer)
{
    static writer text;
    text.len = 0;
    add(&text, front);
    add(&text, "record 0x02000000 640:0 4:1 (pixels-images)\nmodel: primitive header=@lit\n"
               "record 0x00840048 (faces-polygons) count=2\n"
               "vertices:\nvec 0 0 0\nvec 100 0 0\nvec 0 100 0\nnormals:\nvec 0 0 4096\n"
               "images:\npixels:\nzero 32\npolygons:\nfaces: packet 0x048 rgb 1 2 3 v 0 1 2\n");
    describe_text(text.text);
    cr_assert(eq(sz, all.num_triangles, 1));
    cr_assert(is_said("past the end"));
    forget();
}
