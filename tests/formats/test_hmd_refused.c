/* HMD with each of its allocations refused in its turn: one small file for each thing that tables
 * are made for. The whole corpus is asked in test_exhaustion.c; this takes no time. */
#include "forge/hmd.h"

#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* ---- refusing allocations: the linker puts these in the place of the arena's ---- */

void *__real_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);
void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);
void *__real_fh_arena_room(fh_arena *arena, size_t num, size_t elem_len);
void *__wrap_fh_arena_room(fh_arena *arena, size_t num, size_t elem_len);

static unsigned num_allocs; /* so far */
static unsigned refused;    /* the one that gets nothing, counted from 1; 0: none */

void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len)
{
    return ++num_allocs == refused ? NULL : __real_fh_arena_alloc(arena, num, elem_len);
}

void *__wrap_fh_arena_room(fh_arena *arena, size_t num, size_t elem_len)
{
    return ++num_allocs == refused ? NULL : __real_fh_arena_room(arena, num, elem_len);
}

/* ---- what is asked ---- */

#define FRONT                                                                                      \
    "hmd\nblocks @dance 0\ncoords: coordinates\nunit t 0 0 1000\nunit t 0 0 0 parent=0\nheaders\n" \
    "motion: header * !table !control !params !coords\n"                                           \
    "dance: primitive header=@motion\nrecord 0x03800000\n"

/* One whose branches meet, and one where sequences write over each other's keys. */
static const char *const texts[] = {
    FRONT "sequence coord=0 start=0\nsequence coord=1 start=1 speed=8\n"
          "table: table 0x03000001\ncontrol:\nkey type=0 tframe=1 param=0\n"
          "key type=0 tframe=10 param=3\njump to=5 cnd=4\nkey type=0 tframe=10 param=0\n"
          "jump to=1\nkey type=0 tframe=4 param=0\njump to=1 cnd=7\njump to=3\n"
          "params:\nword 0 0 1000 100 0 1000\n",
    FRONT "sequence coord=0 start=0\nsequence section=3 offset=3 start=4\n"
          "table: table 0x03000001 0x03010110\ncontrol:\nkey type=0 tframe=0 param=0\n"
          "key type=0 tframe=10 param=3\nkey type=0 tframe=10 param=0\njump to=1\n"
          "key type=1 tframe=0 param=6\nkey type=1 tframe=7 param=7\nkey type=1 tframe=7 param=6\n"
          "jump to=5\nparams:\nword 0 0 1000 100 0 1000\nword 100 170\n",
};

static void verify(bench *b, const forge_buf *file, unsigned refuse)
{
    num_allocs = 0;
    refused = refuse;
    bench_verify(b, file->data, file->len, (fh_verify_options){.stand_alone = true});
    refused = 0;
}

/* An image of memory whose types are gone, and a scene of all that is told. */
static const char image[] =
    "hmd\nblocks 0 @body 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
    "lit: header !polygons !vertices !normals !coords\n"
    "body: primitive header=@lit\nrecord 0x00800008 (front-polygons)\n"
    "polygons:\nfront: packet 0x008 rgb 200 40 40 n 0 v 0 1 2\n"
    "vertices:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\nnormals: vec 0 0 -4096\n";

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), 1 << 20), "line %u: %s", err.line,
              err.text);
    return out;
}

static void replay(bench *b, unsigned refuse)
{
    num_allocs = 0;
    refused = refuse;
    bench_replay(b, &(fh_replay_options){.world = true});
    refused = 0;
}

/* Images with their colours, which are held against each other. */
static const char pictures[] =
    "hmd\nblocks @load 0\ncoords: coordinates\nunit\nheaders\n"
    "bitmaps: header !images !colours\n"
    "load: primitive header=@bitmaps\n"
    "record 0x02000001 640:0 4:4 0 0:480 16:1 0 640:2 4:4 0 0:480 16:1 0\n"
    "images: zero 32\ncolours: zero 32\n";

Test(hmd_refused, each_allocation_for_images)
{
    bench b;
    forge_buf file = {0};
    forge_error err = {.kind = FORGE_OK};
    cr_assert(forge_hmd_text(&file, &err, pictures, strlen(pictures), 1 << 20), "line %u: %s",
              err.line, err.text);
    bench_open(&b);
    b.format = fh_format_find("hmd");
    verify(&b, &file, 0);
    cr_assert(eq(int, b.status, FH_OK));
    const unsigned num = num_allocs;
    for (unsigned refuse = 1; refuse <= num; refuse++) {
        verify(&b, &file, refuse);
        HOLD(b.status == FH_NO_MEMORY && b.model == NULL, "allocation %u: %d", refuse, b.status);
    }
    free(file.data);
    bench_close(&b);
}

Test(hmd_refused, each_allocation)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bench b;
        forge_buf file = build(texts[i]);
        bench_open(&b);
        b.format = fh_format_find("hmd");
        verify(&b, &file, 0);
        cr_assert(eq(int, b.status, FH_OK));
        const unsigned num_of_verify = num_allocs;
        for (unsigned refuse = 1; refuse <= num_of_verify; refuse++) {
            verify(&b, &file, refuse);
            HOLD(b.status == FH_NO_MEMORY && b.model == NULL, "text %zu, allocation %u: %d", i,
                 refuse, b.status);
        }
        verify(&b, &file, 0);
        replay(&b, 0);
        cr_assert(eq(int, b.replay_status, FH_OK));
        cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
        const unsigned num_of_replay = num_allocs;
        cr_assert(gt(u32, num_of_replay, 25));
        for (unsigned refuse = 1; refuse <= num_of_replay; refuse++) {
            verify(&b, &file, 0);
            replay(&b, refuse);
            HOLD(b.replay_status == FH_NO_MEMORY, "text %zu, allocation %u of the replay: %d", i,
                 refuse, b.replay_status);
        }
        free(file.data);
        bench_close(&b);
    }
}

Test(hmd_refused, each_allocation_of_an_image)
{
    bench b;
    forge_buf file = build(image);
    forge_error err = {.kind = FORGE_OK};
    const forge_hmd_memory memory = {.base = 0x80123450, .stage = FORGE_HMD_SCANNED};
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    bench_open(&b);
    b.format = fh_format_find("hmd");
    verify(&b, &file, 0);
    cr_assert(eq(int, b.status, FH_OK));
    const unsigned num = num_allocs;
    cr_assert(gt(u32, num, 15));
    for (unsigned refuse = 1; refuse <= num; refuse++) {
        verify(&b, &file, refuse);
        HOLD(b.status == FH_NO_MEMORY && b.model == NULL, "allocation %u: %d", refuse, b.status);
    }
    free(file.data);
    bench_close(&b);
}

/* ---- scenes ---- */

static unsigned num_told;

static void on_about(void *user, const fh_scene_about *about)
{
    (void)user;
    (void)about;
    num_told++;
}

static void on_node(void *user, const fh_scene_node *node)
{
    (void)user;
    (void)node;
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    (void)user;
    (void)mesh;
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    (void)user;
    (void)triangle;
    num_told++;
}

static void on_remark(void *user, const char *text)
{
    (void)user;
    (void)text;
}

/* Without one of its tables nothing is shown. */
Test(hmd_refused, each_allocation_of_a_scene)
{
    static const fh_scene_sink sink = {.about = on_about,
                                       .node = on_node,
                                       .mesh = on_mesh,
                                       .triangle = on_triangle,
                                       .remark = on_remark};
    const fh_replay_options options = {.world = true};
    bench b;
    forge_buf file = build(image);
    bench_open(&b);
    b.format = fh_format_find("hmd");
    verify(&b, &file, 0);
    cr_assert(eq(int, b.status, FH_OK));
    unsigned num = 0;
    for (unsigned refuse = 0; refuse <= num; refuse++) {
        const fh_env env = {.arena = &b.arena, .budget = &b.budget};
        const size_t mark = fh_arena_mark(&b.arena);
        num_allocs = num_told = 0;
        refused = refuse;
        const fh_status status = b.format->scene->describe(&env, &sink, b.model, &options);
        refused = 0;
        num = refuse == 0 ? num_allocs : num;
        HOLD(status == (refuse == 0 ? FH_OK : FH_NO_MEMORY), "allocation %u: %d", refuse, status);
        HOLD(num_told == (refuse == 0 ? 2 : 0), "allocation %u: %u", refuse, num_told);
        fh_arena_reset(&b.arena, mark);
    }
    cr_assert(ge(u32, num, 3));
    free(file.data);
    bench_close(&b);
}
