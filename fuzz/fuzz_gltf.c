/* An asset, or models beside one, of any bytes, written as glTF. The first byte says which: 0 to 3
 * a format of the registry, 4 the models that a TOD's objects look like; then the bytes. What must
 * be true:
 *   - the arena that the scanner provides suffices to tell what there is to see;
 *   - what is told twice is the same, also when the arena held other bytes before;
 *   - a glTF in binary form says how long it is, in multiples of 4, and begins with its text;
 *   - written as text it is longer than nothing and ends with a line.
 */
#include "fuzz_support.h"

#include "core/format.h"
#include "hunt/exam.h"
#include "registry/registry.h"
#include "reports/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

/* The arena is the largest part, and the pictures of a model's video memory; a triangle of 12 bytes
 * may become three vertices of 64. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)64 << 20,
                                   .memory_per_byte = 4096,
                                   .milliseconds = 4000,
                                   .milliseconds_per_kib = 200};

enum { NUM_FORMATS = 4, MODELS = 4 };

static const char *const names[NUM_FORMATS] = {"tod", "hmd", "tra", "camerawork"};

/* ---- what is told, folded ---- */

static void fold_reals(fuzz_sum *sum, const double *reals, size_t num)
{
    fuzz_fold(sum, reals, num * sizeof *reals);
}

static void on_about(void *user, const fh_scene_about *about)
{
    fold_reals(user, &about->rate, 1);
}

static void on_node(void *user, const fh_scene_node *node)
{
    fuzz_fold_number(user, node->id);
    fuzz_fold_text(user, node->name);
    fold_reals(user, &node->matrix[0][0], 9);
}

static void on_image(void *user, const fh_scene_image *image)
{
    fuzz_fold(user, image->pixels, (size_t)image->width * image->height * 4);
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    fuzz_fold_number(user, mesh->id);
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    for (unsigned i = 0; i < 3; i++) {
        fold_reals(user, triangle->corners[i].position, 3);
        fold_reals(user, triangle->corners[i].normal, 3);
        fold_reals(user, triangle->corners[i].uv, 2);
        fold_reals(user, triangle->corners[i].colour, 3);
    }
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    fold_reals(user, &weight->value, 1);
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    fold_reals(user, delta->by, 3);
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    fold_reals(user, cubic->frame, 2);
    fold_reals(user, &cubic->slope[0][0], 6);
}

static void on_remark(void *user, const char *text)
{
    fuzz_demand_line(text, "a remark is one line");
    fuzz_fold_text(user, text);
}

/* ---- describing ---- */

typedef struct asset {
    const fh_format *format;
    fh_cursor bytes;
    const void *model; /* NULL: the bytes are models */
} asset;

static fh_status describe(const asset *of, const fh_scene_sink *out, uint8_t fill)
{
    const fh_replay_options options = {.time_step = 0};
    const size_t len = fh_arena_len(of->bytes.size);
    uint8_t *block = fuzz_have(malloc(len));
    const char *why = NULL;
    uint64_t at = 0;
    memset(block, fill, len < ((size_t)1 << 22) ? len : (size_t)1 << 22);
    fh_arena arena = fh_arena_make(block, len);
    fh_budget budget = fh_budget_for(of->bytes.size, 0);
    const fh_env env = {&arena, &budget, NULL};
    const fh_scene *scene = of->format->scene;
    const fh_status status = of->model != NULL
                                 ? scene->describe(&env, out, of->model, &options)
                                 : scene->models->describe(&env, out, of->bytes, &why, &at);
    fuzz_demand(status != FH_NO_MEMORY && status != FH_INTERNAL, "the arena suffices");
    fuzz_demand(of->model != NULL || (status == FH_OK || status == FH_LIMIT) == (why == NULL) ||
                    status == FH_LIMIT,
                "it is said why models are none");
    fuzz_demand(at <= UINT64_C(1) << 40, "and where");
    free(block);
    return status;
}

static void check_twice(const asset *of)
{
    fuzz_sum sums[2] = {FUZZ_SUM, FUZZ_SUM};
    fh_status status[2];
    for (unsigned i = 0; i < 2; i++) {
        const fh_scene_sink sink = {&sums[i],    on_about,  on_node,  on_image, on_mesh,
                                    on_triangle, on_weight, on_delta, on_cubic, on_remark};
        status[i] = describe(of, &sink, i == 0 ? 0 : 0xa5);
    }
    fuzz_demand(status[0] == status[1] && sums[0] == sums[1], "what is told twice is the same");
}

/* ---- writing ---- */

static uint32_t word_at(const char *bytes, size_t off)
{
    uint32_t word = 0;
    for (size_t i = 0; i < 4; i++) {
        word |= (uint32_t)(uint8_t)bytes[off + i] << (8 * i);
    }
    return word;
}

static void check_file(const char *bytes, size_t len, bool is_binary)
{
    if (is_binary) {
        fuzz_demand(len >= 20 && len % 4 == 0, "a .glb has a length in words");
        fuzz_demand(memcmp(bytes, "glTF", 4) == 0 && word_at(bytes, 8) == len, "and says it");
        fuzz_demand(bytes[20] == '{', "and begins with its text");
    } else {
        fuzz_demand(len > 2 && bytes[0] == '{' && bytes[len - 1] == '\n', "a .gltf is a text");
    }
}

static void replay_into(const asset *of, fh_arena *arena, fh_gltf *gltf)
{
    const fh_replay_options options = {.world = of->format->scene->wants_world};
    fh_replay_result result;
    const fh_sink sink = fh_gltf_sink(gltf);
    fh_budget budget = fh_budget_for(of->bytes.size, 0);
    const fh_env env = {arena, &budget, &sink};
    fuzz_demand(of->format->replay(&result, &env, of->model, &options) == FH_OK,
                "what verify gave a model for can be replayed");
}

static void write_once(const asset *of, fh_arena *arena, bool is_binary)
{
    const fh_gltf_header header = {"a", of->format->name, NULL, 0, FH_UNKNOWN, 0};
    char *text = NULL;
    size_t len = 0;
    fh_gltf *gltf = fh_gltf_open();
    FILE *out = open_memstream(&text, &len);
    fuzz_demand(gltf != NULL && out != NULL, "the system has memory");
    fh_gltf_begin(gltf, of->format->scene, &header);
    const fh_scene_sink scene = fh_gltf_scene_sink(gltf);
    if (of->model != NULL) {
        replay_into(of, arena, gltf);
    }
    (void)describe(of, &scene, 0);
    const int error = fh_gltf_write(gltf, out, is_binary);
    fuzz_demand(fclose(out) == 0 && error == 0, "it is written");
    check_file(text, len, is_binary);
    fh_gltf_close(gltf);
    free(text);
}

static void check_asset(asset *of, bool is_binary)
{
    const fh_verify_options whole = {.stand_alone = true, .aligned = true};
    const size_t len = fh_arena_len(of->bytes.size);
    uint8_t *block = fuzz_have(malloc(len));
    fh_asset told;
    fh_arena arena = fh_arena_make(block, len);
    fh_budget budget = fh_budget_for(of->bytes.size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody};
    const fh_status status = of->format->verify(&told, &of->model, &env, of->bytes, &whole);
    if (status != FH_INTERNAL && of->model != NULL) {
        check_twice(of);
        write_once(of, &arena, is_binary);
    }
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] % 8 > MODELS || size > FH_MAX_ASSET_LEN) {
        return 0;
    }
    fuzz_begin();
    /* A block of its own, so that reading behind the end is seen. */
    uint8_t *bytes = fuzz_have(malloc(size > 1 ? size - 1 : 1));
    memcpy(bytes, data + 1, size - 1);
    const unsigned kind = data[0] % 8;
    asset of = {fh_format_find(kind == MODELS ? "tod" : names[kind]),
                fh_cursor_make(bytes, size - 1, 0), NULL};
    if (kind == MODELS) {
        check_twice(&of);
        write_once(&of, NULL, (data[0] & 8) != 0);
    } else {
        check_asset(&of, (data[0] & 8) != 0);
    }
    free(bytes);
    fuzz_end(&bounds, size);
    return 0;
}
