#include "hmd_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 12 << 20 };

looks all;

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

void forget(void)
{
    for (size_t i = 0; i < all.num_images; i++) {
        free(all.images[i].pixels);
    }
    all.num_triangles = all.num_images = all.num_weights = all.num_deltas = 0;
    all.remarks[0] = 0;
}

bool is_said(const char *part)
{
    return strstr(all.remarks, part) != NULL;
}

forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

void describe(const forge_buf *file)
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

void describe_text(const char *text)
{
    forge_buf file = build(text);
    describe(&file);
    forge_buf_free(&file);
}

bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

void add(writer *to, const char *text)
{
    const size_t len = strlen(text);
    cr_assert(to->len + len < sizeof to->text);
    memcpy(to->text + to->len, text, len + 1);
    to->len += len;
}

const char front[] = "hmd\nblocks @load @model 0\ncoords: coordinates\nunit\nheaders\n"
                     "bitmaps: header !images 0\n"
                     "lit: header !polygons !vertices !normals !coords\n"
                     "load: primitive header=@bitmaps\n";

void hold_pixel(const uint8_t *pixel, uint16_t texel, bool is_glass)
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
