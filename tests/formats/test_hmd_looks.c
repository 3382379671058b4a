/* The images of an HMD, to the texel: what the graphics processor's texture pages, colour tables
 * and windows say, worked out anew.
 */
#include "hmd_look.h"

#include <stdio.h>
#include <stdlib.h>

enum { VRAM_WIDTH = 1024, VRAM_HEIGHT = 512, PAGE = 256 };

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

/* Textures are found by their numbers, in a table with twice as many places: those of which the
 * number leads to an even place may fill all of these, and one more still finds that there is no
 * room. */
static bool leads_to_even(uint32_t clut)
{
    const uint64_t number = (uint64_t)clut << 17;
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40) % 2 == 0;
}

Test(hmd_looks, textures_that_want_the_same_places)
{
    enum { MOST_TEXTURES = 1024 };
    static const char packet[] = "packet 0x049 rgb 1 1 1 uv 0 0 0 0 0 0 v 0 1 2 clut=%u\n";
    static char text[1 << 18];
    const size_t size = sizeof text;
    unsigned num = 0;
    size_t len = (size_t)snprintf(text, size,
                                  "%srecord 0x02000000 0:0 1:1 (pixel-images)\n"
                                  "model: primitive header=@lit\n"
                                  "record 0x00840049 (faces-polygons)\npolygons:\nfaces:\n",
                                  front);
    for (uint32_t clut = 0; num <= MOST_TEXTURES; clut++) {
        if (leads_to_even(clut)) {
            len += (size_t)snprintf(text + len, size - len, packet, clut);
            num++;
        }
    }
    (void)snprintf(text + len, size - len, "%simages:\npixel: word 0\n", vectors);
    describe_text(text);
    cr_assert(eq(sz, all.num_triangles, MOST_TEXTURES + 1));
    cr_assert(is_said("more than 1024 textures"));
    forget();
}
