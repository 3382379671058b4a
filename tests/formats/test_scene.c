/* What there is to see: nodes, triangles, texels, morphing and cubics are those of the bytes, from
 * whatever bytes; and nothing is told with too little work or memory.
 */
#include "bench.h"

#include "forge/bac_text.h"
#include "forge/camerawork.h"
#include "forge/hmd.h"
#include "forge/tra_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, MOST_REMARKS = 32, PIXELS_LEN = 256 * 256 * 4, ARENA_LEN = 8 << 20 };

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Everything that was told. */
typedef struct told {
    fh_scene_about about;
    fh_scene_node nodes[16];
    char names[16][256];
    fh_scene_triangle triangles[MOST];
    fh_scene_mesh meshes[MOST]; /* of each triangle */
    fh_scene_mesh mesh;
    fh_scene_image images[8];
    uint8_t pixels[8][PIXELS_LEN];
    fh_scene_weight weights[MOST];
    fh_scene_delta deltas[MOST];
    fh_scene_cubic cubics[16];
    const char *remarks[MOST_REMARKS];
    size_t num_nodes, num_triangles, num_meshes, num_images, num_weights, num_deltas, num_cubics,
        num_remarks;
} told;

static told all;

/* The counts alone: the rest is large, and not looked at. */
static void forget(void)
{
    all.num_nodes = all.num_triangles = all.num_meshes = all.num_images = 0;
    all.num_weights = all.num_deltas = all.num_cubics = all.num_remarks = 0;
}

static void on_about(void *user, const fh_scene_about *about)
{
    (void)user;
    all.about = *about;
}

static void on_node(void *user, const fh_scene_node *node)
{
    const size_t at = all.num_nodes++;
    (void)user;
    if (at < 16) {
        all.nodes[at] = *node;
        (void)snprintf(all.names[at], sizeof all.names[at], "%s",
                       node->name == NULL ? "-" : node->name);
    }
}

static void on_image(void *user, const fh_scene_image *image)
{
    const size_t at = all.num_images++;
    (void)user;
    HOLD(image->id == at, "images are numbered in order");
    HOLD(image->width >= 1 && image->width <= 256 && image->height >= 1 && image->height <= 256,
         "%u x %u", image->width, image->height);
    if (at < 8) {
        all.images[at] = *image;
        memcpy(all.pixels[at], image->pixels, (size_t)image->width * image->height * 4);
    }
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    (void)user;
    all.mesh = *mesh;
    all.num_meshes++;
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    const size_t at = all.num_triangles++;
    (void)user;
    HOLD(all.num_meshes > 0, "a triangle is part of a mesh");
    HOLD(triangle->image == FH_SCENE_NONE || triangle->image < all.num_images,
         "an image that was not told");
    for (unsigned i = 0; i < 3; i++) {
        const fh_scene_corner *corner = &triangle->corners[i];
        HOLD(fabs(corner->position[0]) <= 1e8 && corner->colour[0] >= 0 && corner->colour[0] < 2,
             "a corner is a place");
        HOLD(corner->uv[0] >= 0 && corner->uv[0] <= 1 && corner->uv[1] >= 0 && corner->uv[1] <= 1,
             "texture positions lie in the image");
    }
    if (at < MOST) {
        all.triangles[at] = *triangle;
        all.meshes[at] = all.mesh;
    }
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    (void)user;
    if (all.num_weights++ < MOST) {
        all.weights[all.num_weights - 1] = *weight;
    }
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    (void)user;
    if (all.num_deltas++ < MOST) {
        all.deltas[all.num_deltas - 1] = *delta;
    }
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    (void)user;
    if (all.num_cubics++ < 16) {
        all.cubics[all.num_cubics - 1] = *cubic;
    }
}

static void on_remark(void *user, const char *text)
{
    (void)user;
    for (size_t i = 0; i < all.num_remarks; i++) {
        HOLD(strcmp(all.remarks[i], text) != 0, "said twice: %s", text);
    }
    HOLD(all.num_remarks < MOST_REMARKS, "so many remarks");
    all.remarks[all.num_remarks++] = text;
}

static const fh_scene_sink sink = {NULL,        on_about,  on_node,  on_image, on_mesh,
                                   on_triangle, on_weight, on_delta, on_cubic, on_remark};

static bool is_said(const char *part)
{
    for (size_t i = 0; i < all.num_remarks; i++) {
        if (strstr(all.remarks[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

static uint64_t spent; /* by the last description */
static size_t used;

static fh_status describe_with(const bench *b, uint64_t work, size_t memory, double step)
{
    static uint8_t *block;
    if (block == NULL) {
        block = malloc(ARENA_LEN);
    }
    fh_arena arena = fh_arena_make(block, memory);
    fh_budget budget = {work};
    const fh_env env = {&arena, &budget, NULL};
    const fh_replay_options options = {.time_step = step};
    forget();
    const fh_status status = b->format->scene->describe(&env, &sink, b->model, &options);
    spent = work - budget.left;
    used = arena.used;
    return status;
}

static fh_status describe(const bench *b)
{
    return describe_with(b, BENCH_BUDGET, ARENA_LEN, 0);
}

/* ---- assets ---- */

static void open_format(bench *b, const char *name)
{
    bench_open(b);
    b->format = fh_format_find(name);
    HOLD(b->format != NULL, "no %s", name);
}

static char *load(const char *family, const char *name)
{
    char path[4096];
    static char text[1 << 16];
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    (void)snprintf(path, sizeof path, "%s/corpus/%s/%s", root != NULL ? root : ".", family, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    return text;
}

static forge_buf build_hmd(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

static const fh_verify_options alone = {.stand_alone = true, .aligned = true};

static forge_buf open_hmd(bench *b, const char *name)
{
    forge_buf file = build_hmd(load("hmd", name));
    open_format(b, "hmd");
    bench_verify(b, file.data, file.len, alone);
    cr_assert(b->model != NULL);
    return file;
}

static void close_with(bench *b, forge_buf *file)
{
    bench_close(b);
    forge_buf_free(file);
}

/* ---- polygons ---- */

static const fh_scene_triangle *triangle_of(size_t i)
{
    cr_assert(i < all.num_triangles);
    return &all.triangles[i];
}

/* Along the front's axis: above 0 where the corners go round counterclockwise seen from where the
 * normal points. */
static double turn_of(const fh_scene_triangle *of)
{
    double a[3];
    double b[3];
    for (unsigned i = 0; i < 3; i++) {
        a[i] = of->corners[1].position[i] - of->corners[0].position[i];
        b[i] = of->corners[2].position[i] - of->corners[0].position[i];
    }
    const double *n = of->corners[0].normal;
    return n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) +
           n[2] * (a[0] * b[1] - a[1] * b[0]);
}

Test(scene, hmd_polygons)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-images.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(all.about.is_y_down && !all.about.is_held && all.about.is_rate_assumed);
    cr_assert(eq(sz, all.num_nodes, 1));
    cr_assert(eq(sz, all.num_triangles, 3));
    cr_assert(eq(sz, all.num_images, 2));
    const fh_scene_triangle *first = triangle_of(0);
    cr_assert(first->is_lit && !first->is_double_sided && !first->is_glass);
    cr_assert(eq(int, all.meshes[0].owner, FH_SCENE_OF_NODE));
    cr_assert(eq(u32, all.meshes[0].id, 0));
    cr_assert(same(first->corners[0].position[0], -100) &&
              same(first->corners[0].position[1], -100));
    for (size_t i = 0; i < 3; i++) {
        cr_assert(turn_of(triangle_of(i)) > 0, "triangle %zu", i);
        cr_assert(eq(dbl, triangle_of(i)->corners[0].normal[2], -1));
        cr_assert(eq(dbl, triangle_of(i)->corners[0].colour[0], 1), "neutral");
    }
    close_with(&b, &file);
}

/* VRAM at 640, y holds 0x1000 + 4 y + x; read as 4 bits: the low digit of that, two zeros, one; the
 * colour table holds 0x4000 + i. */
Test(scene, hmd_texels)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-images.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    bool is_seen = false;
    for (size_t i = 0; i < all.num_images; i++) {
        const fh_scene_image *image = &all.images[i];
        if (image->width != 16) {
            cr_assert(eq(u32, image->width, 8));
            cr_assert(image->has_holes, "the table of 8 bits begins with black");
            continue;
        }
        is_seen = true;
        cr_assert(eq(u32, image->height, 4));
        for (uint32_t y = 0; y < 4; y++) {
            for (uint32_t x = 0; x < 16; x++) {
                const uint8_t *pixel = all.pixels[i] + 4 * (16 * y + x);
                const uint32_t index = x % 4 == 0 ? 4 * y + x / 4 : x % 4 == 3 ? 1 : 0;
                cr_assert(eq(u8, pixel[0], (uint8_t)(index << 3 | index >> 2)));
                cr_assert(eq(u8, pixel[1], 0));
                cr_assert(eq(u8, pixel[2], 132));
                cr_assert(eq(u8, pixel[3], 255));
            }
        }
    }
    cr_assert(is_seen);
    close_with(&b, &file);
}

Test(scene, hmd_every_packet)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-all-polygons.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    size_t num_glass = 0;
    cr_assert(gt(sz, all.num_triangles, 50));
    for (size_t i = 0; i < all.num_triangles; i++) {
        num_glass += triangle_of(i)->is_glass ? 1 : 0;
    }
    cr_assert(is_said("textures that are not in the file"));
    (void)num_glass;
    close_with(&b, &file);
    file = open_hmd(&b, "good-driver-bits.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    size_t num_double = 0;
    for (size_t i = 0; i < all.num_triangles; i++) {
        num_double += triangle_of(i)->is_double_sided ? 1 : 0;
        num_glass += triangle_of(i)->is_glass ? 1 : 0;
    }
    cr_assert(num_double > 0 && num_double < all.num_triangles);
    cr_assert(gt(sz, num_glass, 0));
    close_with(&b, &file);
}

/* Further triangles of a strip share two vertices with the one before, and all face one way. */
Test(scene, hmd_strip)
{
    static const char text[] = "hmd\nblocks 0 @model 0\ncoords: coordinates\nunit\nheaders\n"
                               "lit: header !polygons !vertices !normals !coords\n"
                               "model: primitive header=@lit\nrecord 0x0080001c (strip-polygons)\n"
                               "polygons:\nstrip: mesh 0x01c rgb 9 9 9 n 0 0 0 v 0 1 2\n"
                               "strip rgb 9 9 9 n 0 0 0 v 3\nstrip rgb 9 9 9 n 0 0 0 v 4\n"
                               "vertices:\nvec 0 0 0\nvec 0 100 0\nvec 100 0 0\nvec 100 100 0\n"
                               "vec 200 0 0\nnormals:\nvec 0 0 4096\n";
    bench b;
    forge_buf file = build_hmd(text);
    open_format(&b, "hmd");
    bench_verify(&b, file.data, file.len, alone);
    cr_assert(b.model != NULL);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(eq(sz, all.num_triangles, 3), "%zu", all.num_triangles);
    const double side = turn_of(triangle_of(0));
    for (size_t i = 0; i < 3; i++) {
        cr_assert(turn_of(triangle_of(i)) * side > 0, "triangle %zu", i);
    }
    close_with(&b, &file);
}

Test(scene, hmd_shared)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-shared.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(gt(sz, all.num_triangles, 30));
    for (size_t i = 0; i < all.num_triangles; i++) {
        cr_assert(eq(int, all.meshes[i].owner, FH_SCENE_OF_JOINTS));
        for (unsigned k = 0; k < 3; k++) {
            const fh_scene_corner *corner = &triangle_of(i)->corners[k];
            cr_assert(eq(u32, corner->joint, corner->position[1] > 0 ? 1 : 0));
        }
    }
    close_with(&b, &file);
}

Test(scene, hmd_ground)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-ground.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(gt(sz, all.num_triangles, 1));
    cr_assert(eq(sz, all.num_triangles % 2, 0));
    close_with(&b, &file);
}

Test(scene, hmd_envmap_and_devices)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-envmap.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(is_said("environment maps"));
    close_with(&b, &file);
    file = open_hmd(&b, "good-devices.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(is_said("ambient"));
    close_with(&b, &file);
}

Test(scene, hmd_morph)
{
    bench b;
    forge_buf file = open_hmd(&b, "good-mime.forge");
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(is_said("axes kind") && is_said("rounding"));
    cr_assert(gt(sz, all.num_deltas, 0));
    bool has_normal = false;
    bool has_vertex = false;
    for (size_t i = 0; i < all.num_deltas; i++) {
        bool is_known = false;
        for (size_t k = 0; k < all.num_weights; k++) {
            is_known = is_known || all.weights[k].id == all.deltas[i].weight;
        }
        cr_assert(is_known, "a delta of a weight that was told");
        has_normal = has_normal || all.deltas[i].is_normal;
        has_vertex = has_vertex || !all.deltas[i].is_normal;
    }
    cr_assert(has_normal && has_vertex);
    cr_assert(not(is_said("program")));
    close_with(&b, &file);
    file = open_hmd(&b, "HMD0131.bad.forge"); /* weights of the program */
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(is_said("program"));
    for (size_t k = 0; k < all.num_weights; k++) {
        cr_assert(all.weights[k].id >= 0x80000000u && same(all.weights[k].value, 0));
    }
    close_with(&b, &file);
}

/* ---- any bytes ---- */

static void put(uint8_t *bytes, size_t word, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) {
        bytes[4 * word + i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t get(const uint8_t *bytes, size_t word)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++) {
        value |= (uint32_t)bytes[4 * word + i] << (8 * i);
    }
    return value;
}

static const char *const good[] = {
    "good-ground.forge",       "good-mime.forge",    "good-images.forge",
    "good-devices.forge",      "good-shared.forge",  "good-envmap.forge",
    "good-all-polygons.forge", "good-pyramid.forge", "HMD0131.bad.forge"};

/* Every word becomes what is too large, too small, or one off: what has a model is described. */
Test(scene, hmd_any_word, .timeout = 240)
{
    bench b;
    size_t num = 0;
    open_format(&b, "hmd");
    for (size_t f = 0; f < sizeof good / sizeof good[0]; f++) {
        forge_buf file = build_hmd(load("hmd", good[f]));
        const size_t stride = file.len / 4 > 300 ? 7 : 2;
        for (size_t word = 0; word < file.len / 4; word += stride) {
            const uint32_t was = get(file.data, word);
            const uint32_t becomes[] = {0, ~(uint32_t)0, was + 1, was ^ (1u << 31), was + 0x10000};
            for (size_t i = 0; i < sizeof becomes / sizeof becomes[0]; i++) {
                put(file.data, word, becomes[i]);
                bench_verify(&b, file.data, file.len, alone);
                if (b.model != NULL) {
                    const fh_status status = describe(&b);
                    HOLD(status == FH_OK || status == FH_LIMIT, "%s word %zu: %s", good[f], word,
                         fh_status_name(status));
                    num++;
                }
            }
            put(file.data, word, was);
        }
        forge_buf_free(&file);
    }
    cr_assert(gt(sz, num, 1000), "%zu", num);
    bench_close(&b);
}

/* Cut off anywhere. */
Test(scene, hmd_cut)
{
    bench b;
    open_format(&b, "hmd");
    for (size_t f = 0; f < sizeof good / sizeof good[0]; f++) {
        forge_buf file = build_hmd(load("hmd", good[f]));
        for (size_t len = file.len - 4; len > 40; len -= 4) {
            uint8_t *part = malloc(len); /* so that a checker sees what is read behind it */
            memcpy(part, file.data, len);
            bench_verify(&b, part, len, alone);
            if (b.model != NULL) {
                cr_assert(eq(int, describe(&b), FH_OK));
            }
            free(part);
        }
        forge_buf_free(&file);
    }
    bench_close(&b);
}

/* ---- what is left out ---- */

/* The corpus's description with a part of it replaced. */
static char *swap(char *text, const char *from, const char *to)
{
    static char out[1 << 16];
    const char *at = strstr(text, from);
    cr_assert(at != NULL, "%s", from);
    (void)snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static bool describe_text(bench *b, const char *text)
{
    forge_buf file = build_hmd(text);
    open_format(b, "hmd");
    bench_verify(b, file.data, file.len, alone);
    const bool has_model = b->model != NULL;
    if (has_model) {
        cr_assert(eq(int, describe(b), FH_OK));
    }
    close_with(b, &file);
    return has_model;
}

Test(scene, hmd_left_out)
{
    static const struct {
        const char *name, *from, *to, *said;
    } cases[] = {
        {"good-ground.forge", "blocks 0 @plain @painted 0", "blocks @plain 0 @painted 0",
         "without a coordinate"},
        {"good-ground.forge", "!heights !normals !textures", "!heights !normals 0", "past the end"},
        {"good-images.forge", "640:0 4:4", "640:0 4:0", "empty"},
        {"good-images.forge", "640:0 4:4", "640:0 0:4", "empty"},
        {"good-images.forge", "640:0 4:4", "640:510 4:4", "empty"},
        {"good-images.forge", "640:0 4:4", "1022:0 4:4", "empty"},
        {"good-images.forge", "blocks @plain @model 0", "blocks @model 0 0",
         "without a coordinate"},
        {"good-mime.forge", "by_vertex: header !weights 2", "by_vertex: header 0 2", "program"},
        {"good-mime.forge", "by_vertex: header !weights 2", "by_vertex: header !weights 33",
         "past the end"},
        {"good-mime.forge", "!originals !vertices !normals\nby_normal",
         "!originals 0 !normals\nby_normal", "past the end"},
        {"good-mime.forge", "record 0x04010020 (bulge-shapes)", "record 0x04010020 0x7ffffff0",
         "past the end"},
        {"good-mime.forge", "record 0x04010020 (bulge-shapes)", "record 0x04010020 0x7fff0",
         "past the end"},
        {"good-shared.forge", "blocks 0 @upper @lower @skin", "blocks @upper 0 @lower @skin",
         "without a coordinate"},
        {"good-shared.forge",
         "record 0x01000000 %bottom (bottom-vertices)/2 2 %bottomn "
         "(bottomn-normals)/2 2",
         "record 0x01000000 %bottom", "nothing calculates"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        const char *text = swap(load("hmd", cases[i].name), cases[i].from, cases[i].to);
        const bool has_model = describe_text(&b, text);
        cr_assert(has_model, "case %zu has no model", i);
        cr_assert(is_said(cases[i].said), "case %zu: %s", i, cases[i].said);
    }
}

/* 0x8001 is half transparent where the polygon is; 0x0001 is not; 0 is nothing. */
Test(scene, hmd_glass)
{
    static const char text[] =
        "hmd\nblocks @plain @model 0\ncoords: coordinates\nunit\nheaders\n"
        "sixteen: header !images 0\nlit: header !polygons !vertices !normals !coords\n"
        "plain: primitive header=@sixteen\nrecord 0x02000000 640:0 4:1 (pixels-images)\n"
        "model: primitive header=@lit\nrecord 0x00a40049 (panes-polygons)\n"
        "record 0x00040049 (walls-polygons)\n"
        "polygons:\npanes: packet 0x049 rgb 128 128 128 uv 0 0 3 0 0 0 v 0 1 2 clut=0 page=%s\n"
        "walls: packet 0x049 rgb 128 128 128 uv 0 0 3 0 0 0 v 0 1 2 clut=0 page=%s\n"
        "vertices:\nvec 0 0 0\nvec 100 0 0\nvec 0 100 0\nnormals:\nvec 0 0 4096\n"
        "images:\npixels:\nhalf 0x8001\nhalf 0x0001\nhalf 0x0000\nhalf 0xffff\n";
    static const char *const pages[] = {"0x10a", "0x12a"}; /* 16 bits; half and half, or added */
    for (size_t k = 0; k < 2; k++) {
        char made[2048];
        bench b;
        (void)snprintf(made, sizeof made, text, pages[k], pages[k]);
        cr_assert(describe_text(&b, made));
        cr_assert(eq(sz, all.num_images, 2));
        cr_assert(eq(int, is_said("semi-transparency"), k == 1));
        for (size_t i = 0; i < 2; i++) {
            const bool is_pane = all.images[triangle_of(i)->image].has_glass;
            const uint8_t *pixels = all.pixels[triangle_of(i)->image];
            cr_assert(same(is_pane, triangle_of(i)->is_glass) && same(is_pane, i == 0));
            cr_assert(eq(u8, pixels[3], is_pane ? 0x80 : 0xff));
            cr_assert(pixels[7] == 0xff && pixels[11] == 0 && pixels[12] == 0xff);
        }
    }
}

/* So many colour tables that some must share a place in the table, and some find none. */
Test(scene, hmd_many_textures)
{
    static char text[1 << 17];
    int len = snprintf(text, sizeof text,
                       "hmd\nblocks @plain @model 0\ncoords: coordinates\nunit\nheaders\n"
                       "sixteen: header !images 0\n"
                       "lit: header !polygons !vertices !normals !coords\n"
                       "plain: primitive header=@sixteen\n"
                       "record 0x02000000 0:0 1024:1 (pixels-images)\n"
                       "model: primitive header=@lit\nrecord 0x00840049 (walls-polygons)\n"
                       "polygons:\nwalls:\n");
    for (int i = 0; i < 1040; i++) {
        len += snprintf(text + len, sizeof text - (size_t)len,
                        "packet 0x049 rgb 9 9 9 uv 0 0 1 0 0 0 v 0 1 2 clut=%d page=0x%x\n", i,
                        i % 2 == 0 ? 0x100 : 0x10f);
    }
    (void)snprintf(text + len, sizeof text - (size_t)len,
                   "vertices:\nvec 0 0 0\nvec 100 0 0\nvec 0 100 0\nnormals:\nvec 0 0 4096\n"
                   "images:\npixels:\nrepeat 1024\nhalf 0x1234\nendrepeat\n");
    bench b;
    cr_assert(describe_text(&b, text));
    cr_assert(eq(sz, all.num_triangles, 1040));
    cr_assert(eq(sz, all.num_images, 1024));
    cr_assert(is_said("more than 1024"));
    size_t num_bare = 0;
    for (size_t i = 0; i < 1040; i++) {
        num_bare += triangle_of(i)->image == FH_SCENE_NONE ? 1 : 0;
    }
    cr_assert(eq(sz, num_bare, 16));
}

/* With less work than it takes everything ends with a limit; with less memory likewise. */
static void starve(const bench *b)
{
    cr_assert(eq(int, describe(b), FH_OK));
    const uint64_t work = spent;
    const size_t memory = used;
    const uint64_t step = work / 400 + 1;
    for (uint64_t less = 0; less < work; less += step) {
        HOLD(describe_with(b, less, ARENA_LEN, 0) == FH_LIMIT, "%llu of %llu units",
             (unsigned long long)less, (unsigned long long)work);
    }
    if (work > 0) {
        cr_assert(eq(int, describe_with(b, work - 1, ARENA_LEN, 0), FH_LIMIT));
    }
    for (size_t less = 0; less + 64 < memory; less += less < 32768 ? 128 : memory / 64 + 1) {
        cr_assert(eq(int, describe_with(b, BENCH_BUDGET, less, 0), FH_NO_MEMORY));
    }
}

Test(scene, hmd_starved)
{
    bench b;
    for (size_t f = 0; f < sizeof good / sizeof good[0]; f++) {
        forge_buf file = open_hmd(&b, good[f]);
        starve(&b);
        close_with(&b, &file);
    }
}

/* ---- TOD and its models ---- */

static bool place_row(fh_scene_pose *out, const fh_format *format, const char *table,
                      const int64_t *values, size_t num)
{
    static const fh_column columns[32] = {{"x", FH_COLUMN_INT}};
    const fh_pose_table is = {table, columns, num};
    fh_pose_value row[32];
    for (size_t i = 0; i < num; i++) {
        row[i].i = values[i];
    }
    const fh_pose_row given = {&is, row};
    return format->scene->place(out, &given);
}

Test(scene, tod)
{
    bench b;
    fh_scene_pose pose;
    forge_tod file = bench_build("tod resolution=4\nframe 0\ncreate 1\n");
    open_format(&b, "tod");
    bench_verify(&b, file.out.data, file.out.len, alone);
    cr_assert(b.model != NULL);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(all.about.is_held && all.about.is_y_down && same(all.about.rate, 15));
    const int64_t object[26] = {
        3, 17, (int64_t)1 << 31, FH_UNKNOWN, 2, 4096, 0, 0, 0, 2048, 0, 0, 0, -4096, 10, 20, 30};
    cr_assert(place_row(&pose, b.format, "object", object, 26));
    cr_assert(pose.kind == FH_SCENE_NODE && pose.id == 3 && pose.tenant == 17 && pose.parent == 2 &&
              pose.model == FH_SCENE_NONE && pose.is_hidden);
    cr_assert(same(pose.matrix[1][1], 0.5) && same(pose.origin[2], 30));
    cr_assert(place_row(&pose, b.format, "world", object, 14));
    cr_assert(eq(int, pose.kind, FH_SCENE_WORLD));
    const int64_t light[7] = {1, 1, 2, 3, 255, 0, 51};
    cr_assert(place_row(&pose, b.format, "light", light, 7));
    cr_assert(same(pose.vector[2], -3) && same(pose.colour[2], 0.2));
    cr_assert(not(place_row(&pose, b.format, "other", light, 7)));
    forge_tod_free(&file);
    file = bench_build("tod resolution=0\nframe 0\ncreate 1\n");
    bench_verify(&b, file.out.data, file.out.len, alone);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(eq(dbl, all.about.rate, 60), "a resolution of 0 is taken for 1");
    forge_tod_free(&file);
    bench_close(&b);
}

typedef struct tmd {
    uint32_t words[256];
    size_t num;
} tmd;

static fh_status read_tmd(const tmd *from, size_t len, uint64_t work, const char **why,
                          uint64_t *at)
{
    uint8_t *bytes = malloc(len + 1);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (uint8_t)(from->words[i / 4] >> (8 * (i % 4)));
    }
    fh_budget budget = {work};
    const fh_env env = {NULL, &budget, NULL};
    forget();
    const fh_status status = fh_format_find("tod")->scene->models->describe(
        &env, &sink, fh_cursor_make(bytes, len, 0), why, at);
    spent = work - budget.left;
    free(bytes);
    return status;
}

static void add_words(tmd *to, const uint32_t *words, size_t num)
{
    memcpy(to->words + to->num, words, num * sizeof *words);
    to->num += num;
}

#define ADD(to, ...)                                                                               \
    add_words(to, (const uint32_t[]){__VA_ARGS__},                                                 \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* One model: four vertices of a square, a normal, and a polygon of each kind. */
static tmd make_tmd(size_t *num_polygons)
{
    tmd out = {.num = 0};
    const uint32_t primitives = 28 + 4 * 8 + 8;
    ADD(&out, 0x41, 0, 1, 28, 4, 28 + 4 * 8, 1, primitives, 16, 0);
    ADD(&out, 0, 0, 100, 0, 100u << 16, 0, 100u << 16 | 100, 0); /* vertices */
    ADD(&out, 0, (uint32_t)-4096 & 0xffff);                      /* the normal */
    /* Lit: flat and smooth, one colour and one a corner, triangles and quadrangles. */
    ADD(&out, 0x20000304, 0x200000ff, 0x00000000, 0x00020001);
    ADD(&out, 0x20040504, 1, 2, 3, 0x00000000, 0x00020001);
    ADD(&out, 0x30000404, 0x300000ff, 0x00000000, 0x00010000, 0x00020000);
    ADD(&out, 0x30040604, 1, 2, 3, 0x00000000, 0x00010000, 0x00020000);
    ADD(&out, 0x28000404, 0x280000ff, 0x00000000, 0x00020001, 0x00000003);
    ADD(&out, 0x38000505, 0x380000ff, 0x00000000, 0x00010000, 0x00020000, 0x00030000);
    ADD(&out, 0x24000505, 0, 0, 0, 0x00000000, 0x00020001);
    ADD(&out, 0x34000606, 0, 0, 0, 0x00000000, 0x00010000, 0x00020000);
    ADD(&out, 0x2c000707, 0, 0, 0, 0, 0x00000000, 0x00020001, 0x00000003);
    ADD(&out, 0x3c000808, 0, 0, 0, 0, 0x00000000, 0x00010000, 0x00020000, 0x00030000);
    /* Unlit, half transparent, double-sided. */
    ADD(&out, 0x23030303, 0x230000ff, 0x00010000, 0x00000002);
    ADD(&out, 0x30010505, 1, 2, 3, 0x00010000, 0x00000002);
    ADD(&out, 0x25010606, 0, 0, 0, 0x00808080, 0x00010000, 0x00000002);
    ADD(&out, 0x34010808, 0, 0, 0, 1, 2, 3, 0x00010000, 0x00000002);
    ADD(&out, 0x29010303, 0x290000ff, 0x00010000, 0x00030002);
    ADD(&out, 0x3d010a0a, 0, 0, 0, 0, 1, 2, 3, 4, 0x00010000, 0x00030002);
    *num_polygons = 16;
    return out;
}

Test(scene, tmd_polygons)
{
    size_t num = 0;
    const tmd model = make_tmd(&num);
    const char *why = "?";
    uint64_t at = 1;
    cr_assert(eq(int, read_tmd(&model, 4 * model.num, BENCH_BUDGET, &why, &at), FH_OK),
              "%s at %llu", why, (unsigned long long)at);
    cr_assert(why == NULL);
    cr_assert(eq(sz, all.num_triangles, num + 6));
    cr_assert(same(all.meshes[0].owner, FH_SCENE_OF_MODEL) && same(all.meshes[0].id, 1));
    for (size_t i = 0; i < all.num_triangles; i++) {
        const fh_scene_triangle *is = triangle_of(i);
        const bool is_lit = i < 14;
        cr_assert(eq(int, is->is_lit, is_lit), "triangle %zu", i);
        if (is_lit) {
            cr_assert(turn_of(is) > 0, "triangle %zu", i);
        }
    }
    cr_assert(triangle_of(14)->is_double_sided && triangle_of(14)->is_glass);
    cr_assert(same(triangle_of(0)->corners[0].colour[0], 1) &&
              same(triangle_of(0)->corners[0].colour[1], 0));
    for (uint64_t less = 0; less < 16 * 16; less++) {
        cr_assert(eq(int, read_tmd(&model, 4 * model.num, less, &why, &at), FH_LIMIT));
    }
}

Test(scene, tmd_faults)
{
    size_t num = 0;
    const char *why = NULL;
    uint64_t at = 0;
    const struct {
        size_t word;
        uint32_t value;
        fh_status status;
        const char *why;
    } cases[] = {
        {0, 0x42, FH_NOT_THIS_FORMAT, "begin"},
        {1, 1, FH_NOT_THIS_FORMAT, "addresses"},
        {2, 100, FH_CORRUPT, "past"},
        {3, 0xfffffff0, FH_CORRUPT, "vertices"},
        {4, 0xffffffff, FH_CORRUPT, "vertices"},
        {6, 0xffffffff, FH_CORRUPT, "normals"},
        {4, 2, FH_CORRUPT, "not there"},
        {6, 0, FH_CORRUPT, "not there"},
        {7, 0xfffffff0, FH_CORRUPT, "primitives lead past"},
        {8, 0xffffffff, FH_CORRUPT, "past"},
        {20, 0x20000204, FH_CORRUPT, "layout"},
        {20, 0x40000304, FH_CORRUPT, "layout"},
        {20, 0x2000ff04, FH_CORRUPT, "past"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tmd model = make_tmd(&num);
        model.words[cases[i].word] = cases[i].value;
        const fh_status status = read_tmd(&model, 4 * model.num, BENCH_BUDGET, &why, &at);
        cr_assert(eq(int, status, cases[i].status), "case %zu: %s", i, fh_status_name(status));
        cr_assert(why != NULL && strstr(why, cases[i].why) != NULL, "case %zu: %s", i, why);
    }
    const tmd model = make_tmd(&num);
    for (size_t len = 0; len < 4 * model.num; len++) {
        const fh_status status = read_tmd(&model, len, BENCH_BUDGET, &why, &at);
        cr_assert(eq(int, status, len < 12 ? FH_NOT_THIS_FORMAT : FH_CORRUPT), "%zu bytes", len);
        cr_assert(at <= 4 * model.num);
    }
    tmd none = {.words = {0x41, 0, 0}, .num = 3};
    cr_assert(eq(int, read_tmd(&none, 12, BENCH_BUDGET, &why, &at), FH_OK), "no models");
}

/* ---- TRA4 ---- */

static forge_buf build_tra(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_tra_text(&out, &err, text, strlen(text), FORGE_TRA_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

Test(scene, tra)
{
    bench b;
    fh_scene_pose pose;
    forge_buf file = build_tra(load("tra", "TRA0120.good.forge"));
    const char *model_text = load("tra", "model.bac.forge");
    forge_buf model = {0};
    forge_error err = {0};
    cr_assert(forge_bac_text(&model, &err, model_text, strlen(model_text), FORGE_BAC_LIMIT));
    const fh_cursor beside = fh_cursor_make(model.data, model.len, 0);
    open_format(&b, "tra");
    bench_verify(&b, file.data, file.len, alone);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(eq(sz, all.num_nodes, 2));
    cr_assert(same_text(all.names[0], "hip") && same_text(all.names[1], "leg"));
    cr_assert(not(all.nodes[1].has_rest));
    cr_assert(is_said("--bac"));
    starve(&b);
    fh_verify_options with = alone;
    with.companion = &beside;
    bench_verify(&b, file.data, file.len, with);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(all.nodes[0].has_rest && all.nodes[0].parent == FH_SCENE_NONE);
    cr_assert(all.nodes[1].has_rest && all.nodes[1].parent == 0);
    cr_assert(not(is_said("--bac")));
    const int64_t row[23] = {5};
    cr_assert(place_row(&pose, b.format, "bone", row, 23));
    cr_assert(same(pose.id, 5) && same(pose.kind, FH_SCENE_NODE));
    cr_assert(not(place_row(&pose, b.format, "dynamic", row, 1)));
    close_with(&b, &file);
    forge_buf_free(&model);
}

/* A model of another number of bones, or without rest poses, is none here; a name that is no sound
 * UTF-16, or that is not there, is none; dynamic polygons are not shown. */
Test(scene, tra_without)
{
    static const char *const names[] = {"TRA0120.bad.forge", "TRA0127.bad.forge",
                                        "TRA0128.bad.forge", "TRA0026.bad.forge"};
    bench b;
    open_format(&b, "tra");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = load("tra", names[i]);
        char bac[128] = "";
        const char *line = strstr(text, "# bac: ");
        if (line != NULL) {
            (void)sscanf(line, "# bac: %127s", bac);
        }
        forge_buf file = build_tra(text);
        forge_buf model = {0};
        forge_error err = {0};
        fh_cursor beside = {0};
        fh_verify_options with = alone;
        if (bac[0] != 0) {
            const char *model_text = load("tra", bac);
            cr_assert(
                forge_bac_text(&model, &err, model_text, strlen(model_text), FORGE_BAC_LIMIT));
            beside = fh_cursor_make(model.data, model.len, 0);
            with.companion = &beside;
        }
        bench_verify(&b, file.data, file.len, with);
        if (b.model != NULL) {
            cr_assert(eq(int, describe(&b), FH_OK));
            cr_assert(is_said("--bac"), "%s", names[i]);
        }
        forge_buf_free(&file);
        forge_buf_free(&model);
    }
    forge_buf file =
        build_tra("tra\nmagic\nhead\nfigure 11\nbone \"hip\"\ndynamic\nkgf 0 0 true\n");
    bench_verify(&b, file.data, file.len, alone);
    cr_assert(b.model != NULL);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(is_said("dynamic polygons"));
    close_with(&b, &file);
}

/* Bones whose names are half a pair of UTF-16, and a bone that has none. */
Test(scene, tra_names)
{
    bench b;
    forge_buf file = build_tra("tra\nmagic\nhead\nfigure 11\nbone \"hip\"\n");
    uint8_t *wide = malloc(2 * file.len + 2);
    wide[0] = 0xff;
    wide[1] = 0xfe;
    for (size_t i = 0; i < file.len; i++) {
        wide[2 * i + 2] = file.data[i];
        wide[2 * i + 3] = file.data[i] == 'h' && file.data[i + 1] == 'i' ? 0xd8 : 0;
    }
    open_format(&b, "tra");
    bench_verify(&b, wide, 2 * file.len + 2, alone);
    cr_assert(b.model != NULL);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(same(all.num_nodes, 1) && same_text(all.names[0], "-"));
    free(wide);
    char *at = memmem(file.data, file.len, "( name \"hip\" )", strlen("( name \"hip\" )"));
    cr_assert(at != NULL);
    memset(at, ' ', strlen("( name \"hip\" )"));
    bench_verify(&b, file.data, file.len, alone);
    cr_assert(b.model != NULL);
    cr_assert(eq(int, describe(&b), FH_OK));
    cr_assert(same(all.num_nodes, 1) && same_text(all.names[0], "-"));
    close_with(&b, &file);
}

/* ---- rows ---- */

Test(scene, hmd_rows)
{
    bench b;
    fh_scene_pose pose;
    open_format(&b, "hmd");
    const int64_t unit[17] = {3, -1, 4096, 0, 0, 0, 2048, 0, 0, 0, -4096, 7, 8, 9};
    cr_assert(place_row(&pose, b.format, "coordinate", unit, 17));
    cr_assert(pose.kind == FH_SCENE_NODE && pose.id == 3 && pose.parent == FH_SCENE_NONE);
    cr_assert(same(pose.matrix[1][1], 0.5) && same(pose.origin[2], 9));
    const int64_t child[17] = {4, 3, 4096};
    cr_assert(place_row(&pose, b.format, "morphed_coordinate", child, 17));
    cr_assert(eq(u32, pose.parent, 3));
    const int64_t camera[14] = {0, 4096, 0, 0, 0, 4096, 0, 0, 0, 4096, 1, 2, 3, 240};
    cr_assert(place_row(&pose, b.format, "camera", camera, 14));
    cr_assert(pose.kind == FH_SCENE_VIEW && same(pose.value, 2) && same(pose.origin[0], 1));
    const int64_t light[7] = {2, 0, 0, 4096, 4080, 0, 2040};
    cr_assert(place_row(&pose, b.format, "light", light, 7));
    cr_assert(pose.id == 2 && same(pose.vector[2], 4096) && same(pose.colour[2], 0.5));
    const int64_t word[2] = {77, 0x12345000};
    cr_assert(place_row(&pose, b.format, "word", word, 2));
    cr_assert(pose.kind == FH_SCENE_WEIGHT && pose.id == 77 && same(pose.value, 5));
    cr_assert(not(place_row(&pose, b.format, "sequence", unit, 11)));
    bench_close(&b);
}

Test(scene, camerawork_rows)
{
    static const fh_column columns[32] = {{"x", FH_COLUMN_REAL}};
    static const fh_pose_table tables[] = {
        {"camera", columns, 18}, {"anchor", columns, 6}, {"other", columns, 1}};
    const fh_scene *scene = fh_format_find("camerawork")->scene;
    fh_pose_value values[18] = {{.i = 0}};
    fh_scene_pose pose;
    for (unsigned i = 1; i < 18; i++) {
        values[i].r = i == 10 || i == 14 ? 1 : i < 4 ? i : 0; /* right along x, up along y */
    }
    const fh_pose_row camera = {&tables[0], values};
    cr_assert(scene->place(&pose, &camera));
    cr_assert(eq(int, pose.kind, FH_SCENE_CAMERA));
    for (unsigned i = 0; i < 9; i++) {
        cr_assert(same(pose.matrix[i / 3][i % 3], i % 4 == 0 ? 1 : 0));
    }
    cr_assert(same(pose.origin[2], 3));
    const fh_pose_row anchor = {&tables[1], values};
    cr_assert(scene->place(&pose, &anchor));
    cr_assert(pose.kind == FH_SCENE_NODE && same(pose.origin[1], 2) && same(pose.matrix[2][2], 1));
    const fh_pose_row other = {&tables[2], values};
    cr_assert(not(scene->place(&pose, &other)));
}

/* ---- camerawork ---- */

static forge_buf build_cam(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_camerawork_text(&out, &err, text, strlen(text), FORGE_CAMERAWORK_LIMIT),
              "line %u: %s", err.line, err.text);
    return out;
}

/* Half way between its keys a cubic is where the evaluator says. */
Test(scene, camerawork)
{
    bench b;
    static const char *const names[] = {"CAM0062.good.forge", "CAM0064.bad.forge",
                                        "CAM0063.bad.forge"};
    open_format(&b, "camerawork");
    for (size_t i = 0; i < 3; i++) {
        forge_buf file = build_cam(load("camerawork", names[i]));
        bench_verify(&b, file.data, file.len, alone);
        cr_assert(b.model != NULL);
        cr_assert(eq(int, describe_with(&b, BENCH_BUDGET, ARENA_LEN, i == 0 ? 0.0 : 2.0), FH_OK));
        cr_assert(same(all.num_nodes, 1) && same_text(all.names[0], "anchor"));
        for (size_t k = 0; k < all.num_cubics && k < 16; k++) {
            cr_assert(all.cubics[k].frame[1] > all.cubics[k].frame[0]);
        }
        if (i < 2) {
            starve(&b);
        }
        forge_buf_free(&file);
    }
    bench_close(&b);
}

/* Frames are rows: a velocity by time is one by row as often as the step has units of time. */
Test(scene, camerawork_velocities)
{
    static const double steps[] = {0, 0.5, 1, 4};
    bench b;
    forge_buf file = build_cam("camerawork\nrow key vel 1 2 -4\nrow\nrow key pos 9 0 10\n");
    open_format(&b, "camerawork");
    bench_verify(&b, file.data, file.len, alone);
    for (size_t i = 0; i < 4; i++) {
        const double step = i == 0 ? 1 : steps[i];
        cr_assert(eq(int, describe_with(&b, BENCH_BUDGET, ARENA_LEN, steps[i]), FH_OK));
        cr_assert(eq(sz, all.num_cubics, 1));
        const fh_scene_cubic *cubic = &all.cubics[0];
        cr_assert(same(cubic->slope[0][0], step) && same(cubic->slope[0][1], 2 * step) &&
                  same(cubic->slope[0][2], -4 * step) && same(cubic->slope[1][0], 0));
        cr_assert(same(cubic->frame[1], 2) && same(cubic->at[1][0], 9));
    }
    forge_buf_free(&file);
    bench_close(&b);
}
