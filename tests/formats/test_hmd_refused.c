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
        forge_buf file = {0};
        forge_error err = {.kind = FORGE_OK};
        cr_assert(forge_hmd_text(&file, &err, texts[i], strlen(texts[i]), 1 << 20), "line %u: %s",
                  err.line, err.text);
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
