/* What an HMD looks like, to the corner, texel and difference: what the layouts of packets, the
 * graphics processor's texture pages and windows, ground and MIMe say, worked out anew.
 */
#include "bench.h"

#include "forge/hmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VRAM_WIDTH = 1024,
    VRAM_HEIGHT = 512,
    PAGE = 256,
    MOST_TRIANGLES = 4096,
    MOST_IMAGES = 1100,
    MOST_MORPHS = 64,
    ARENA = 12 << 20
};

/* ---- what is told ---- */

typedef struct picture {
    fh_scene_image is;
    uint8_t *pixels;
} picture;

static struct {
    fh_scene_triangle triangles[MOST_TRIANGLES];
    picture images[MOST_IMAGES];
    fh_scene_weight weights[MOST_MORPHS];
    fh_scene_delta deltas[MOST_MORPHS];
    size_t num_triangles, num_images, num_weights, num_deltas;
    char remarks[4096];
} all;

static void on_about(void *user, const fh_scene_about *about)
{
    (void)user;
    (void)about;
}

static void on_node(void *user, const fh_scene_node *node)
{
    (void)user;
    (void)node;
}

static void on_image(void *user, const fh_scene_image *image)
{
    const size_t len = (size_t)image->width * image->height * 4;
    (void)user;
    HOLD(all.num_images < MOST_IMAGES && image->id == all.num_images, "an image too many");
    picture *to = &all.images[all.num_images++];
    *to = (picture){*image, malloc(len)};
    memcpy(to->pixels, image->pixels, len);
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    (void)user;
    (void)mesh;
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    (void)user;
    HOLD(all.num_triangles < MOST_TRIANGLES, "a triangle too many");
    all.triangles[all.num_triangles++] = *triangle;
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    (void)user;
    HOLD(all.num_weights < MOST_MORPHS, "a weight too many");
    all.weights[all.num_weights++] = *weight;
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    (void)user;
    HOLD(all.num_deltas < MOST_MORPHS, "a difference too many");
    all.deltas[all.num_deltas++] = *delta;
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    (void)user;
    (void)cubic;
}

static void on_remark(void *user, const char *text)
{
    const size_t len = strlen(all.remarks);
    (void)user;
    (void)snprintf(all.remarks + len, sizeof all.remarks - len, "%s\n", text);
}

static const fh_scene_sink sink = {NULL,        on_about,  on_node,  on_image, on_mesh,
                                   on_triangle, on_weight, on_delta, on_cubic, on_remark};

static void forget(void)
{
    for (size_t i = 0; i < all.num_images; i++) {
        free(all.images[i].pixels);
    }
    all.num_triangles = all.num_images = all.num_weights = all.num_deltas = 0;
    all.remarks[0] = 0;
}

static bool is_said(const char *part)
{
    return strstr(all.remarks, part) != NULL;
}

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

static void describe(const forge_buf *file)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("hmd");
    bench_verify(&b, file->data, file->len,
                 (fh_verify_options){.stand_alone = true, .aligned = true});
    cr_assert(b.model != NULL, "%s", record_codes(&b.verify));
    void *block = malloc(ARENA);
    fh_arena arena = fh_arena_make(block, ARENA);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {&arena, &budget, NULL};
    const fh_replay_options options = {0};
    forget();
    cr_assert(eq(int, b.format->scene->describe(&env, &sink, b.model, &options), FH_OK));
    free(block);
    bench_close(&b);
}

static void describe_text(const char *text)
{
    forge_buf file = build(text);
    describe(&file);
    forge_buf_free(&file);
}

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* ---- texels ---- */

/* Text that is put together. */
typedef struct writer {
    char text[1 << 16];
    size_t len;
} writer;

static void add(writer *to, const char *text)
{
    const size_t len = strlen(text);
    cr_assert(to->len + len < sizeof to->text);
    memcpy(to->text + to->len, text, len + 1);
    to->len += len;
}

static const char front[] = "hmd\nblocks @load @model 0\ncoords: coordinates\nunit\nheaders\n"
                            "bitmaps: header !images 0\n"
                            "lit: header !polygons !vertices !normals !coords\n"
                            "load: primitive header=@bitmaps\n";
static const char model[] = "model: primitive header=@lit\nrecord 0x00840249 (faces-polygons)\n"
                            "polygons:\nfaces:\n";
static const char vectors[] =
    "vertices:\nvec 0 0 0\nvec 100 0 0\nvec 0 100 0\nnormals:\nvec 0 0 4096\n";

/* A packet of a triangle with a texture and a window, over these texels. */
typedef struct face {
    uint32_t page, clut, window;
    uint8_t low[2], high[2];
    bool is_glass;
} face;

static void add_face(writer *to, const face *of)
{
    char line[256];
    (void)snprintf(line, sizeof line,
                   "packet 0x249 window=%u rgb 128 128 128 uv %d %d %d %d %d %d v 0 1 2 clut=%u "
                   "page=%u code=0x%x\n",
                   of->window, of->low[0], of->low[1], of->high[0], of->high[1], of->low[0],
                   of->high[1], of->clut, of->page, of->is_glass ? 0x26 : 0x24);
    add(to, line);
}

static uint16_t *vram; /* VRAM_WIDTH x VRAM_HEIGHT */

/* The half word that the graphics processor finds there. A window's five bits count eights of
 * texels: those of the mask are those of the offset, whatever the position says. */
static uint16_t texel_at(const face *of, uint32_t u, uint32_t v)
{
    const uint32_t mask[2] = {of->window % 32 * 8, of->window / 32 % 32 * 8};
    const uint32_t offset[2] = {of->window / 1024 % 32 * 8, of->window / 32768 % 32 * 8};
    const uint32_t depth = of->page / 128 % 4; /* 4 bits, 8 bits, 16 bits, and again 16 */
    const uint32_t per_half = depth == 0 ? 4 : depth == 1 ? 2 : 1;
    u = (u & (mask[0] ^ 0xff)) | (offset[0] & mask[0]);
    v = (v & (mask[1] ^ 0xff)) | (offset[1] & mask[1]);
    const uint32_t x = of->page % 16 * 64 + u / per_half;
    const uint32_t y = of->page / 16 % 2 * PAGE + v;
    const uint16_t half = vram[y * VRAM_WIDTH + x % VRAM_WIDTH];
    if (per_half == 1) {
        return half;
    }
    const uint32_t index =
        per_half == 4 ? (uint32_t)half >> (u % 4 * 4) & 0xf : (uint32_t)half >> (u % 2 * 8) & 0xff;
    return vram[of->clut / 64 % 512 * VRAM_WIDTH + (of->clut % 64 * 16 + index) % VRAM_WIDTH];
}

static void hold_pixel(const uint8_t *pixel, uint16_t texel, bool is_glass)
{
    for (unsigned i = 0; i < 3; i++) {
        const unsigned five = texel >> (5 * i) & 31;
        HOLD(pixel[i] == (five * 8 | five / 4), "colour %u of 0x%x is %d", i, texel, pixel[i]);
    }
    HOLD(pixel[3] == (texel == 0                    ? 0
                      : is_glass && texel >= 0x8000 ? 128
                                                    : 255),
         "0x%x is %d", texel, pixel[3]);
}

static void hold_image(const picture *is, const face *of)
{
    const uint32_t width = of->high[0] - of->low[0] + 1u;
    const uint32_t height = of->high[1] - of->low[1] + 1u;
    bool has_holes = false;
    bool has_glass = false;
    HOLD(is->is.width == width && is->is.height == height, "%u x %u", is->is.width, is->is.height);
    for (uint32_t v = 0; v < height; v++) {
        for (uint32_t u = 0; u < width; u++) {
            const uint16_t texel = texel_at(of, of->low[0] + u, of->low[1] + v);
            hold_pixel(is->pixels + 4 * (v * width + u), texel, of->is_glass);
            has_holes = has_holes || texel == 0;
            has_glass = has_glass || (of->is_glass && texel >= 0x8000);
        }
    }
    HOLD(is->is.has_holes == has_holes && is->is.has_glass == has_glass, "holes and glass");
}

/* Every depth, both rows of pages, colour tables at the edges, windows with all bits; keys that
 * differ in one bit only. */
static const face faces[] = {
    {0x000, 0x0000, 0, {0, 0}, {31, 15}, false},
    {0x00a, 0x7800, 0, {3, 7}, {90, 9}, false},
    {0x01f, 0x7fff, 0, {0, 250}, {255, 255}, false},
    {0x02a, 0x7801, 0, {0, 0}, {7, 7}, true},
    {0x08a, 0x7840, 0, {16, 1}, {23, 3}, false},
    {0x09e, 0x403f, 0, {0, 0}, {255, 3}, true},
    {0x10a, 0, 0, {0, 0}, {200, 5}, false},
    {0x11f, 0, 0, {60, 200}, {255, 202}, true},
    {0x182, 0, 0, {0, 0}, {40, 1}, false},
    {0x193, 0, 0, {17, 34}, {50, 40}, false},
    {0x10a, 0, 0, {0, 0}, {200, 5}, true}, /* glass apart from the same without */
    {0x10a, 1, 0, {1, 1}, {1, 1}, false},  /* one texel; its page does not need a table */
    {0x10b, 1, 0, {0, 0}, {0, 0}, false},  /* the first */
    {0x10b, 2, 0, {255, 255}, {255, 255}, false},
    {0x00a, 0x7801, 0xe2000001, {0, 0}, {31, 15}, false},
    {0x00a, 0x7801, 0xe206231c, {0, 0}, {255, 40}, false}, /* 32 x 64 at 64, 96 */
    {0x08a, 0x7840, 0xe20fffff, {8, 16}, {40, 30}, false},
    {0x10a, 0x7840, 0xe20003e0, {0, 100}, {20, 140}, false},
    {0x10a, 0x7840, 0xe200001f, {100, 0}, {140, 20}, false},
    {0x10a, 0x7840, 0xe2055550, {0, 0}, {70, 200}, false},
    {0x10a, 0x7840, 0xe20aaaaa, {0, 0}, {70, 200}, false},
    {0x10c, 0x0000, 0xe2080000, {0, 0}, {9, 9}, false}, /* the highest bit of a window */
    {0x10c, 0x0000, 0xe2000001, {0, 0}, {9, 9}, false}, /* and the lowest */
    {0x10c, 0x8000, 0xe2000000, {0, 0}, {9, 9}, false}, /* of a colour table */
    {0x10c, 0x0001, 0xe2000000, {0, 0}, {9, 9}, false},
    {0x810c, 0x0000, 0xe2000000, {0, 0}, {9, 9}, false}, /* and of a page */
    {0x10c, 0x0000, 0xe2000000, {0, 0}, {9, 9}, false}};
enum { NUM_FACES = sizeof faces / sizeof faces[0] };

static void fill_vram(forge_buf *file)
{
    const size_t len = (size_t)VRAM_WIDTH * VRAM_HEIGHT * 2;
    dice d = {7};
    vram = malloc(len);
    for (size_t i = 0; i < len / 2; i++) {
        const uint32_t value = dice_next(&d);
        vram[i] = (uint16_t)(value % 8 == 0 ? value >> 8 & 1 : value >> 8);
        file->data[file->len - len + 2 * i] = (uint8_t)vram[i];
        file->data[file->len - len + 2 * i + 1] = (uint8_t)(vram[i] >> 8);
    }
}

/* A video memory full of noise, with much black and nearly black in it. */
Test(hmd_looks, texels)
{
    static writer text;
    add(&text, front);
    add(&text, "record 0x02000000 0:0 1024:512 (pixels-images)\n");
    add(&text, model);
    for (size_t i = 0; i < NUM_FACES; i++) {
        add_face(&text, &faces[i]);
    }
    add(&text, vectors);
    add(&text, "images:\npixels: zero 1048576\n");
    forge_buf file = build(text.text);
    fill_vram(&file);
    describe(&file);
    cr_assert(eq(sz, all.num_triangles, NUM_FACES));
    cr_assert(eq(sz, all.num_images, NUM_FACES));
    for (size_t i = 0; i < NUM_FACES; i++) {
        const fh_scene_triangle *triangle = &all.triangles[i];
        HOLD(triangle->image < all.num_images, "face %zu", i);
        HOLD(triangle->is_glass == faces[i].is_glass, "face %zu", i);
        hold_image(&all.images[triangle->image], &faces[i]);
    }
    forget();
    free(vram);
    forge_buf_free(&file);
}

/* A texture shows where a texel of it and its colour were both put there. */
Test(hmd_looks, loaded)
{
    static const struct {
        const char *load;
        face of;
        bool is_told;
    } cases[] = {
        {"640:0 4:1 (pixels-images)", {0x00a, 0x7800, 0, {0, 0}, {3, 0}, false}, false},
        {"0:480 16:1 (pixels-images)", {0x00a, 0x7800, 0, {0, 0}, {3, 0}, false}, false},
        {"640:0 4:1 (pixels-images) 0:480 16:1 (pixels-images)",
         {0x00a, 0x7800, 0, {0, 0}, {3, 0}, false},
         true},
        {"640:0 4:1 (pixels-images)", {0x10a, 0, 0, {0, 0}, {9, 9}, false}, true},
        {"640:0 4:1 (pixels-images)", {0x10a, 0, 0, {3, 0}, {9, 9}, false}, true},
        {"640:0 4:1 (pixels-images)", {0x10a, 0, 0, {4, 0}, {9, 9}, false}, false},
        {"640:0 4:1 (pixels-images)", {0x10a, 0, 0, {0, 1}, {9, 9}, false}, false},
        {"1023:511 1:1 (pixels-images)", {0x11f, 0, 0, {63, 255}, {63, 255}, false}, true},
        {"1020:508 4:4 (pixels-images)", {0x11f, 0, 0, {60, 252}, {60, 252}, false}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static writer text;
        text.len = 0;
        add(&text, front);
        add(&text, "record 0x02000000 ");
        add(&text, cases[i].load);
        add(&text, "\n");
        add(&text, model);
        add_face(&text, &cases[i].of);
        add(&text, vectors);
        add(&text, "images:\npixels:\nrepeat 16\nhalf $+0x1111\nendrepeat\n");
        describe_text(text.text);
        cr_assert(eq(sz, all.num_images, cases[i].is_told ? 1 : 0), "case %zu", i);
        cr_assert(eq(int, is_said("not in the file"), !cases[i].is_told), "case %zu", i);
        const uint32_t image = all.triangles[0].image;
        cr_assert(eq(u32, image, cases[i].is_told ? 0 : FH_SCENE_NONE), "case %zu", i);
    }
    forget();
}

/* ---- packets ---- */

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

Test(hmd_looks, packets)
{
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        hold_shape(&shapes[i]);
    }
    forget();
}

/* ---- ground ---- */

/* Five vertices to a row; the rows begin at the third vertex and at the second one of the next
 * line; behind one vertex and one entry of the grid that nobody uses. */
enum { X0 = -150, Y0 = -100, WIDTH = 70, HEIGHT = 30, LINE = 5, BASE = 1 };

static const struct {
    unsigned idx, cells;
} rows[] = {{2, 2}, {6, 3}};

static const int heights[] = {99, 0, 7, -3, 12, 4, 9, 31, -8, 2, 11, 5, -6, 17, 23, 1};

static const char ground_front[] =
    "hmd\nblocks @load @land 0\ncoords: coordinates\nunit\nheaders\n"
    "bitmaps: header !images 0\n"
    "field_of: header !grounds !grids !heights !normals%s\n"
    "load: primitive header=@bitmaps\nrecord 0x02000000 640:0 64:64 (pixels-images)\n"
    "land: primitive header=@field_of\nrecord 0x0580000%d (field-grounds) 0 0\n"
    "grounds:\nzero 4\nfield: ground -150 -100 70 30 %d 3 base=1\nrow 2 2\nrow 6 3\n"
    "heights: half 99 0 7 -3 12 4 9 31 -8 2 11 5 -6 17 23 1\n"
    "images:\npixels:\nrepeat 4096\nhalf $\nendrepeat\n"
    "normals:\nvec 0 0 4096\nvec 0 2048 -4096\nvec 1024 0 0\n";

/* The number of the entry: those of a row have one entry less than the heights. */
static unsigned entry_of(unsigned row, unsigned cell)
{
    return BASE + rows[row].idx - row + cell;
}

static const fh_scene_corner *corner_of(size_t cell, unsigned corner)
{
    static const unsigned where[4][2] = {{0, 0}, {0, 2}, {0, 1}, {1, 2}};
    return &all.triangles[2 * cell + where[corner][0]].corners[where[corner][1]];
}

static void hold_place(const fh_scene_corner *is, unsigned row, unsigned cell, unsigned corner,
                       unsigned line)
{
    const unsigned right = corner % 2;
    const unsigned down = corner / 2;
    const unsigned column = (line == 0 ? 0 : rows[row].idx % line) + cell;
    HOLD(same(is->position[0], X0 + WIDTH * (int)(column + right)), "x is %g", is->position[0]);
    HOLD(same(is->position[1], Y0 + HEIGHT * (int)(row + down)), "y is %g", is->position[1]);
    HOLD(same(is->position[2], heights[BASE + rows[row].idx + cell + right + down * line]),
         "z is %g", is->position[2]);
    HOLD(is->vertex == UINT32_MAX, "it is no vertex that morphs");
}

static void hold_normal(const fh_scene_corner *is, unsigned number)
{
    static const double vectors_are[3][3] = {{0, 0, 1}, {0, 0.5, -1}, {0.25, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        HOLD(same(is->normal[i], vectors_are[number][i]), "normal %u", number);
    }
}

/* Colours, from the second entry of the grid on: 10 + 20 i, 3, 200 - i. */
static void hold_flat(unsigned line)
{
    for (unsigned cell = 0; cell < 5; cell++) {
        const unsigned row = cell < rows[0].cells ? 0 : 1;
        const unsigned at = cell - (row == 0 ? 0 : rows[0].cells);
        const unsigned entry = entry_of(row, at);
        for (unsigned i = 0; i < 4; i++) {
            const fh_scene_corner *corner = corner_of(cell, i);
            hold_place(corner, row, at, i, line);
            hold_normal(corner, entry % 3);
            HOLD(same(corner->colour[0], entry * 20 / 255.0) &&
                     same(corner->colour[1], 3 / 255.0) &&
                     same(corner->colour[2], (200 - (int)entry) / 255.0),
                 "cell %u", cell);
        }
    }
}

Test(hmd_looks, flat_ground)
{
    static const unsigned lines[] = {LINE, 0}; /* none: all is in the first column */
    for (size_t k = 0; k < 2; k++) {
        static writer text;
        text.len = 0;
        (void)snprintf(text.text, sizeof text.text, ground_front, "", 0, lines[k]);
        text.len = strlen(text.text);
        add(&text, "grids:\n");
        for (unsigned i = 0; i <= entry_of(1, 2); i++) {
            char line[64];
            (void)snprintf(line, sizeof line, "cell flat %u 3 %u %u\n", 20 * i, 200 - i, i % 3);
            add(&text, line);
        }
        describe_text(text.text);
        cr_assert(eq(sz, all.num_triangles, 10));
        cr_assert(eq(str, all.remarks, ""));
        hold_flat(lines[k]);
    }
    forget();
}

/* The last entry of the grid is the last word of the file. */
Test(hmd_looks, textured_ground)
{
    static const unsigned uv[2][4][2] = {{{8, 3}, {23, 3}, {8, 40}, {22, 39}},
                                         {{30, 9}, {44, 1}, {31, 20}, {45, 22}}};
    static writer text;
    (void)snprintf(text.text, sizeof text.text, ground_front, " !corners", 1, LINE);
    text.len = strlen(text.text);
    add(&text, "corners: corners 8 3 23 3 8 40 22 39 clut=0x12 page=0x10a\n"
               "corners 30 9 44 1 31 20 45 22 clut=0x34 page=0x10a\ngrids:\n");
    for (unsigned i = 0; i <= entry_of(1, 2); i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "cell textured %u %u\n", i % 3, i % 2);
        add(&text, line);
    }
    describe_text(text.text);
    cr_assert(eq(sz, all.num_triangles, 10));
    cr_assert(eq(sz, all.num_images, 2));
    cr_assert(eq(str, all.remarks, ""));
    for (unsigned cell = 0; cell < 5; cell++) {
        const unsigned row = cell < rows[0].cells ? 0 : 1;
        const unsigned at = cell - (row == 0 ? 0 : rows[0].cells);
        const unsigned entry = entry_of(row, at);
        const picture *image = &all.images[all.triangles[cell * 2].image];
        const unsigned low[2] = {entry % 2 == 0 ? 8 : 30, entry % 2 == 0 ? 3 : 1};
        HOLD(image->is.width == 16 && image->is.height == (entry % 2 == 0 ? 38 : 22), "cell %u",
             cell);
        for (unsigned i = 0; i < 4; i++) {
            const fh_scene_corner *corner = corner_of(cell, i);
            const unsigned u = uv[entry % 2][i][0] - low[0];
            const unsigned v = uv[entry % 2][i][1] - low[1];
            hold_place(corner, row, at, i, LINE);
            hold_normal(corner, entry % 3);
            HOLD(same(corner->uv[0], (u + 0.5) / 16) &&
                     same(corner->uv[1], (v + 0.5) / image->is.height),
                 "cell %u, corner %u", cell, i);
            HOLD(same(corner->colour[0], 1), "neutral");
        }
        for (unsigned i = 0; i < image->is.width * image->is.height; i++) {
            const unsigned texel = (low[1] + i / 16) * 64 + low[0] + i % 16;
            hold_pixel(image->pixels + 4 * i, (uint16_t)texel, false);
        }
    }
    forget();
}

/* ---- MIMe ---- */

static const char morph_front[] =
    "hmd\nblocks @swell 0 0\ncoords: coordinates\nunit\nheaders\n"
    "by_vertex: header %s 3 0x1234:0 !shapes !originals !vertices !normals\n"
    "by_normal: header %s 3 0x0234:0 !shapes !originals !vertices !normals\n"
    "swell: primitive header=@by_vertex next=@shade\nrecord 0x04010020 %s\n"
    "shade: primitive header=@by_normal\nrecord 0x04010021 %s\n"
    "originals: zero 32\n"
    "weights: word 0xffff0800 4096 -2048\n"
    "normals:\nvec 0 0 4096\nvec 0 4096 0\nvec 4096 0 0\n";

static void describe_morph(const char *weights, const char *vertex, const char *normal,
                           const char *rest)
{
    static writer text;
    const int len =
        snprintf(text.text, sizeof text.text, morph_front, weights, weights, vertex, normal);
    text.len = (size_t)len;
    add(&text, rest);
    describe_text(text.text);
}

typedef struct difference {
    unsigned key;
    bool is_normal;
    unsigned number;
    double by[3];
} difference;

static void hold_differences(const difference *wanted, size_t num, const uint32_t weights[2],
                             const uint32_t places[2])
{
    cr_assert(eq(sz, all.num_deltas, num));
    for (size_t i = 0; i < num; i++) {
        const fh_scene_delta *is = &all.deltas[i];
        const difference *of = &wanted[i];
        cr_assert(eq(u32, is->weight, weights[of->is_normal] + of->key), "difference %zu", i);
        cr_assert(eq(int, is->is_normal, of->is_normal), "difference %zu", i);
        cr_assert(eq(u32, is->number, places[of->is_normal] + 2 * of->number));
        for (unsigned k = 0; k < 3; k++) {
            cr_assert(eq(dbl, is->by[k], of->by[k]), "difference %zu", i);
        }
    }
}

/* The last vector of a difference is the end of the file, and so is the last vertex it is for. */
Test(hmd_looks, morphing)
{
    static const char rest[] = "shapes:\nlight: shape\ndiff 2 (light2-light)\n"
                               "light2: deltas 1\nvec 4096 -1024 0\nvec 0 0 2048\n"
                               "bulge: shape\ndiff 0 (bulge0-bulge)\ndiff 2 (bulge2-bulge)\n"
                               "bulge0: deltas 0\nvec 1 -20 30\nvec 10 -10 0\n"
                               "dent: shape\ndiff 1 (bulge2-dent)\n"
                               "vertices:\nvec 1 1 1\nvec 2 2 2\nvec 3 3 3\n"
                               "bulge2: deltas 1\nvec -5 5 6\nvec 7 8 -32768\n";
    static const difference wanted[] = {{0, false, 0, {1, -20, 30}}, {0, false, 1, {10, -10, 0}},
                                        {2, false, 1, {-5, 5, 6}},   {2, false, 2, {7, 8, -32768}},
                                        {1, false, 1, {-5, 5, 6}},   {1, false, 2, {7, 8, -32768}},
                                        {2, true, 1, {1, -0.25, 0}}, {2, true, 2, {0, 0, 0.5}}};
    static const double values[] = {0.5, 1, -0.5}; /* the lower half, 4096 = 1 */
    for (int is_given = 0; is_given < 2; is_given++) {
        describe_morph(is_given ? "0" : "!weights", "(bulge-shapes) (dent-shapes)",
                       "(light-shapes)", rest);
        const uint32_t vertices = all.deltas[0].number;
        const uint32_t normals = all.deltas[6].number - 2;
        const uint32_t places[2] = {vertices, normals};
        const uint32_t in_file = places[1] - 3; /* right in front of the normals */
        const uint32_t weights[2] = {is_given ? 0x80123400 : in_file,
                                     is_given ? 0x80023400 : in_file};
        cr_assert(eq(sz, all.num_weights, 6));
        for (unsigned i = 0; i < 6; i++) {
            cr_assert(eq(u32, all.weights[i].id, weights[i / 3] + i % 3));
            cr_assert(eq(u32, all.weights[i].key, i % 3));
            cr_assert(eq(dbl, all.weights[i].value, is_given ? 0 : values[i % 3]));
        }
        hold_differences(wanted, sizeof wanted / sizeof wanted[0], weights, places);
        cr_assert(eq(int, is_said("program"), is_given));
        cr_assert(not(is_said("past the end")));
    }
    forget();
}

/* What has no difference may be the last thing in the file: a block, and the data of a key. Bits
 * of keys that there are not, and more bits than differences, add none. */
Test(hmd_looks, morphing_ends)
{
    static const struct {
        const char *rest;
        size_t num;
    } cases[] = {
        {"bulge: shape n=0 flags=0\n", 0},
        {"bulge: shape\ndiff 0 (none-bulge)\nnone: deltas 0 count=0\n", 0},
        {"bulge: shape\ndiff 0 1\n", 0}, /* its flags, taken for data, have no vector */
        {"bulge: shape flags=8\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 0},
        {"bulge: shape flags=12\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
        {"bulge: shape flags=7\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
        {"bulge: shape flags=4\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rest[512];
        (void)snprintf(rest, sizeof rest, "vertices:\nvec 1 1 1\nvec 2 2 2\nshapes:\n%s",
                       cases[i].rest);
        describe_morph("!weights", "(bulge-shapes)", "", rest);
        cr_assert(eq(sz, all.num_deltas, cases[i].num), "case %zu", i);
        cr_assert(not(is_said("past the end")), "case %zu", i);
    }
    forget();
}

/* The last vertices are the end of the file, and all of them have a difference. */
Test(hmd_looks, morphing_of_the_last)
{
    describe_morph("!weights", "(bulge-shapes)", "",
                   "shapes:\nbulge: shape\ndiff 0 (one-bulge)\none: deltas 0 count=2\nvec 1 2 3\n"
                   "vec 4 5 6\nvertices:\nvec 1 1 1\nvec 2 2 2\n");
    cr_assert(eq(sz, all.num_deltas, 2));
    cr_assert(not(is_said("past the end")));
    forget();
}

/* A record that has fewer blocks than it counts. */
Test(hmd_looks, morphing_of_fewer)
{
    describe_morph("!weights", "(bulge-shapes) count=3", "",
                   "shapes:\nbulge: shape\ndiff 0 (one-bulge)\none: deltas 0 count=1\nvec 1 2 3\n"
                   "vertices:\nvec 1 1 1\n");
    cr_assert(eq(sz, all.num_deltas, 1));
    cr_assert(not(is_said("past the end")));
    forget();
}

/* One packet is there and one is not: the first is shown, and that there is more is said. */
Test(hmd_looks, packets_of_fewer)
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
