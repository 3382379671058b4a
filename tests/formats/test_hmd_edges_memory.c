/* HMD in memory at its edges: what the program has made of a file, and what of it is understood. */
#include "hmd_edges.h"

#include "hmd/hmd.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void scanned_type(forge_buf *file)
{
    const hmd_model *model = NULL;
    run first;
    do_run(&first, file, BENCH_BUDGET, BENCH_ARENA);
    model = first.model;
    cr_assert(model != NULL);
    put(file, model->records[1].off, 0x00020008);
    record_free(&first.told);
}

/* The scan reports types and the program replaces them one by one: in the lowest segment what
 * stands there may be either, and a type that the library has is a type. */
Test(hmd_edges_memory, a_scanned_type_may_still_be_a_type)
{
    verdict is = judge(dance, FORGE_HMD_SCANNED, scanned_type);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(u32, model->records[1].type, 0x00020008));
    cr_expect(model->records[1].is_inferred == false);
    judge_end(&is);
}

static void low_super(forge_buf *file)
{
    put(file, 4 + 3 + 1 + 19, BASE + 4);
}

/* A parent among the first words of the asset is no unit, and none that the program made. */
Test(hmd_edges_memory, a_parent_in_the_head_is_no_unit)
{
    verdict is = judge(dance, FORGE_HMD_COORDINATES, low_super);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0176"), 1), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

static void early_table(forge_buf *file)
{
    put(file, find_word(file, 6) + 2, 0x80010000); /* behind the size, and the size again */
}

/* An address below the base is a pointer, but to nothing of the asset. */
Test(hmd_edges_memory, a_table_before_the_asset)
{
    verdict is = judge(dance, FORGE_HMD_MAPPED, early_table);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0205"), 1), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

static void type_in_table(forge_buf *file)
{
    put(file, find_word(file, 0x03000001), 0x00020008);
}

/* A type of another category in the interpolation table is no address of a function. */
Test(hmd_edges_memory, a_type_in_the_table_is_no_address)
{
    verdict is = judge(dance, FORGE_HMD_MAPPED, type_in_table);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0213"), 1), "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0174"), 0), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* Two image records of both kinds whose types have become one driver, the null driver: what each of
 * them is shows in its size. */
Test(hmd_edges_memory, uploaded_images_share_a_driver)
{
    const forge_hmd_driver drivers[] = {{0x02000000, 0x80090000}, {0x02000001, 0x80090000}};
    const forge_hmd_memory memory = {
        .base = BASE, .stage = FORGE_HMD_SCANNED, .drivers = drivers, .num_drivers = 2};
    forge_buf file = build(load("good-images.forge"));
    forge_error err = {0};
    run got;
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    const hmd_model *model = got.model;
    cr_assert(model != NULL, "%s", record_codes(&got.told));
    cr_expect(eq(u32, model->records[0].type, 0x02000000));
    cr_expect(eq(u32, model->records[1].type, 0x02000001));
    cr_expect(model->records[0].category == HMD_IMAGES && model->records[1].is_inferred);
    record_free(&got.told);
    forge_buf_free(&file);
    free(block);
}

/* The library has 571 drivers: of more addresses than 1024 the rest is not looked at. */
Test(hmd_edges_memory, more_addresses_than_drivers)
{
    verdict is = judge("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\nheaders\n"
                       "lit: header !body !body !body\n"
                       "body: primitive header=@lit\nrepeat 1100\nrecord 0x00000000 0\nendrepeat\n",
                       FORGE_HMD_SCANNED, NULL);
    run again;
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    for (uint32_t i = 0; i < model->num_records; i++) {
        put(&is.file, model->records[i].off, 0x80040000 + 4 * (model->num_records - i));
    }
    do_run(&again, &is.file, BENCH_BUDGET, BENCH_ARENA);
    model = again.model;
    cr_assert(model != NULL, "%s", record_codes(&again.told));
    cr_expect(eq(u32, model->num_aliases, 1024));
    cr_expect(eq(u32, model->num_records, 1100));
    record_free(&again.told);
    judge_end(&is);
}

/* Where memory begins in the kernel's 64 KiB, low numbers may be addresses. */
Test(hmd_edges_memory, memory_that_begins_low)
{
    forge_buf file = build(load("good-mime.forge"));
    forge_error err = {0};
    const forge_hmd_memory memory = {.base = 0x80008000, .stage = FORGE_HMD_COORDINATES};
    run got;
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    cr_expect(eq(i64, got.asset.ram_address, 0x80008000));
    cr_expect(record_count(&got.told, "HMD0171") >= 1, "%s", record_codes(&got.told));
    record_free(&got.told);
    for (size_t word = 2; word < file.len / 4; word++) {
        const uint32_t own = get(&file, word);
        put(&file, word, 0x80000010);
        hold_word("low", &file, word);
        put(&file, word, own);
    }
    forge_buf_free(&file);
    free(block);
}

static void wrong_supers(forge_buf *file)
{
    for (size_t i = 1; i < 3; i++) {
        put(file, 4 + 5 + 1 + 20 * i + 19, get(file, 4 + 5 + 1 + 20 * i + 19) + 8);
    }
}

/* Two parents that want another base: the first is told. */
Test(hmd_edges_memory, parents_that_want_another_base)
{
    verdict is = judge("hmd\nblocks 0 @body 0 0 0\ncoords: coordinates\nunit\nunit parent=0\n"
                       "unit parent=1\nheaders\nlit: header !faces !points !normals !coords\n"
                       "body: primitive header=@lit\nrecord 0x00800008 (faces-faces)\n"
                       "faces: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                       "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                       "normals:\nvec 0 0 -4096\n",
                       FORGE_HMD_COORDINATES, wrong_supers);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0170"), 1), "%s", record_codes(&is.run.told));
    cr_expect(eq(i64, record_find(&is.run.told, "HMD0170")->offset, 4 * (4 + 5 + 1 + 20 + 19)));
    judge_end(&is);
}

/* The headers are looked for so far behind the coordinates, and no farther. */
Test(hmd_edges_memory, headers_too_far_behind)
{
    verdict is = judge("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\n"
                       "zero 65540\nheaders\nlit: header !body !body !body !coords\n"
                       "body: primitive header=@lit\n",
                       FORGE_HMD_MAPPED, NULL);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0170"), 1), "%s", record_codes(&is.run.told));
    cr_expect(is.run.model == NULL);
    judge_end(&is);
    is = judge("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\n"
               "zero 65536\nheaders\nlit: header !body !body !body !coords\n"
               "body: primitive header=@lit\n",
               FORGE_HMD_MAPPED, NULL);
    cr_expect(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i64, is.run.asset.ram_address, BASE));
    judge_end(&is);
}

/* Primitives inside of each other that share their records are more than an honest file has room
 * for: that is work without end. */
Test(hmd_edges_memory, primitives_that_share_records)
{
    enum { NUM = 60, TAIL = 60 };
    char text[16384] = "hmd\nblocks 0 @p0 0\ncoords: coordinates\nunit\n"
                       "headers\nlit: header !p0 !p0 !p0\n";
    for (unsigned i = 0; i < NUM; i++) {
        const size_t len = strlen(text);
        char next[32] = "";
        if (i + 1 < NUM) {
            (void)snprintf(next, sizeof next, " next=@p%u", i + 1);
        }
        /* The record behind each leads over the other primitives to the tail. */
        (void)snprintf(text + len, sizeof text - len,
                       "p%u: primitive header=@lit count=%u%s\nword 0 0x%x\n", i, TAIL, next,
                       0x80000001 + 5 * (NUM - 1 - i));
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "repeat %u\nword 0 0x80000001\nendrepeat\n", TAIL);
    verdict is = judge(text, AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.status, FH_LIMIT), "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0297"), 1), "%s", record_codes(&is.run.told));
    cr_expect(is.run.model == NULL);
    judge_end(&is);
}

static void leave_memory(forge_buf *file)
{
    const uint32_t lamp = BASE + (uint32_t)file->len - 12;
    const size_t first = find_word(file, lamp);
    put(file, first, 0x9ffffff0);
    put(file, find_word(file, lamp), 0x9ffffff4);
}

/* Two pointers lead out of memory: both are told, the first is the one that speaks for the asset.
 */
Test(hmd_edges_memory, pointers_out_of_memory)
{
    const edit two = {NULL, "!params !coords !lamp", "!params !coords !lamp !lamp", 0, 0, 0};
    verdict is = judge(edited(&two), FORGE_HMD_MAPPED, leave_memory);
    cr_expect(record_count(&is.run.told, "HMD0171") == 2, "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* END in the place of the fourth key: what stands behind is no way on. */
static void end_early(forge_buf *file)
{
    put(file, find_word(file, 0xc0800000) - 1, 0xc0800000);
}

/* An entry of a history that is no key, where there are descriptors that nothing leads to. */
Test(hmd_edges_memory, a_history_beside_what_is_not_reached)
{
    verdict is = judge(load("HMD0296.bad.forge"), AS_FILE, end_early);
    cr_expect(record_count(&is.run.told, "HMD0296") >= 1, "%s", record_codes(&is.run.told));
    cr_expect(record_count(&is.run.told, "HMD0250") == 1, "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* The second argument of the first header leads behind all that is the asset's. */
static void lead_behind(forge_buf *file)
{
    enum { BEHIND = 0x400 };
    const size_t len = file->len;
    file->data = realloc(file->data, len + 2 * BEHIND);
    cr_assert(file->data != NULL && len < BEHIND);
    memset(file->data + len, 0x5a, 2 * BEHIND);
    file->len = len + 2 * BEHIND;
    put(file, find_word(file, 5) + 2, BASE + BEHIND);
}

/* The header of a morph for joints may lead to weights of the program. Of a type that is no
 * morph's, but stands among them, nothing says so: where its header leads a part of the asset
 * begins. */
Test(hmd_edges_memory, weights_are_those_of_a_morph)
{
    const char *const text = "hmd\nblocks @bend 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                             "by: header !coords 0 2 1:0 !joints\n"
                             "bend: primitive header=@by\nrecord 0x%08x (elbow-joints)\n"
                             "joints:\nelbow: joint 0\ndelta 0 dv 0 300 0\nreset rpy\n";
    static const uint32_t types[] = {0x04010011, 0x04010012};
    for (size_t i = 0; i < 2; i++) {
        char full[2048];
        (void)snprintf(full, sizeof full, text, (unsigned)types[i]);
        verdict is = judge(full, FORGE_HMD_MAPPED, lead_behind);
        const hmd_model *model = is.run.model;
        cr_assert(model != NULL && model->num_records == 1, "%s", record_codes(&is.run.told));
        cr_expect(eq(u32, model->records[0].type, types[i]));
        cr_expect(eq(i32, model->records[0].category, HMD_MIME));
        cr_expect(eq(sz, is.run.asset.length, i == 0 ? is.file.len - 0x800 : 0x400));
        judge_end(&is);
    }
}

/* ---- inference ---- */

/* What a record's type is taken for from its shape, HMD_NO_TYPE where that is not told. */
static uint32_t inferred(const char *text, uint32_t record)
{
    verdict is = judge(text, FORGE_HMD_SCANNED, NULL);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL && model->num_records > record, "%s", record_codes(&is.run.told));
    const uint32_t type = model->records[record].type;
    judge_end(&is);
    return type;
}

static uint32_t inferred_edit(const char *file, const char *from, const char *to, uint32_t record)
{
    const edit what = {file, from, to, NULL, NULL, NULL};
    return inferred(edited(&what), record);
}

/* WORLD lights alone may be several in a record. */
Test(hmd_edges_memory, lights_by_number)
{
    const char *const lights = "hmd\nblocks @sun 0 0\ncoords: coordinates\nspot: unit\nheaders\n"
                               "world: header !lamps%s\nsun: primitive header=@world\n"
                               "record %s\n"
                               "lamps: light 255 255 255 0 0 -100 0 0 0\n"
                               "light 0 255 255 0 0 -100 0 0 0\n";
    char text[1024];
    (void)snprintf(text, sizeof text, lights, "", "0x07010200 0:0 1:7");
    cr_expect(eq(u32, inferred(text, 0), 0x07010200));
    (void)snprintf(text, sizeof text, lights, " !spot", "0x07020200 0:0 1:7");
    cr_expect(eq(u32, inferred(text, 0), HMD_NO_TYPE));
    (void)snprintf(text, sizeof text, lights, " !spot", "0x07020200 1:7");
    cr_expect(eq(u32, inferred(text, 0), 0x07020200));
}

/* An animation's sequences fill its record, unless it is the last of its primitive, and lie inside
 * of the bytes. */
Test(hmd_edges_memory, animations_by_their_sequences)
{
    const char *const one = "record 0x03800000\nsequence coord=0 start=(sway-control)\n";
    cr_expect(eq(u32, inferred_edit(NULL, one, one, 0), 0x03000000));
    cr_expect(eq(u32,
                 inferred_edit(NULL, one,
                               "record 0x03800000 size=9 count=1\n"
                               "sequence coord=0 start=(sway-control)\nword 0\n",
                               0),
                 0x03000000));
    cr_expect(eq(u32,
                 inferred_edit(NULL, one,
                               "record 0x03800000 count=1 0x04000001 7:1 0 0:16:255:255 0 0 0 0\n"
                               "record 0x00000000 0\n",
                               0),
                 HMD_NO_TYPE));
    cr_expect(eq(u32, inferred_edit(NULL, one, "record 0x03800000 count=0 1 2\n", 0), HMD_NO_TYPE));
}

/* The sequences that are counted lead out of the bytes. */
Test(hmd_edges_memory, animation_at_the_end_of_the_bytes)
{
    const char *const text = "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                             "motion: header * !table !control !params !coords\n"
                             "table: table 0x03000001\ncontrol:\n"
                             "key type=0 tframe=0 param=0\nkey type=0 tframe=8 param=3\nend\n"
                             "params:\nvalue 0x03000001 t 0 0 0\nvalue 0x03000001 t 0 9 0\n"
                             "dance: primitive header=@motion\nrecord 0x03800000 count=%u\n"
                             "sequence coord=0 start=0\n";
    char full[2048];
    (void)snprintf(full, sizeof full, text, 1);
    cr_expect(eq(u32, inferred(full, 0), 0x03000000));
    (void)snprintf(full, sizeof full, text, 2);
    cr_expect(eq(u32, inferred(full, 0), HMD_NO_TYPE));
}

/* More arguments than any other header has: only an animation may have them. */
Test(hmd_edges_memory, a_header_of_many_words)
{
    cr_expect(eq(u32,
                 inferred_edit(NULL, "!params !coords !lamp",
                               "!params !coords !lamp !lamp !lamp !lamp !lamp !lamp !lamp !lamp "
                               "!lamp !lamp !lamp !lamp !lamp !lamp",
                               0),
                 0x03000000));
}

/* Image records of both kinds, more than two: none of the kinds is the driver's. */
Test(hmd_edges_memory, three_images_share_a_driver)
{
    const forge_hmd_driver drivers[] = {{0x02000000, 0x80090000}, {0x02000001, 0x80090000}};
    const forge_hmd_memory memory = {
        .base = BASE, .stage = FORGE_HMD_SCANNED, .drivers = drivers, .num_drivers = 2};
    const edit three = {"good-images.forge",
                        "plain: primitive next=@palettes header=@sixteen\n",
                        "again: primitive next=@palettes header=@indexed\n"
                        "record 0x02000001 644:0 4:4 (four-images) 0:480 16:1 (few-cluts)\n"
                        "plain: primitive next=@again header=@sixteen\n",
                        0,
                        0,
                        0};
    forge_buf file = build(edited(&three));
    forge_error err = {0};
    run got;
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    const hmd_model *model = got.model;
    cr_assert(model != NULL, "%s", record_codes(&got.told));
    static const uint32_t types[] = {0x02000001, 0x02000000, 0x02000001};
    for (unsigned i = 0; i < 3; i++) {
        cr_expect(eq(u32, model->records[i].type, types[i]));
        cr_expect(model->records[i].is_inferred && model->records[i].category == HMD_IMAGES);
    }
    record_free(&got.told);
    forge_buf_free(&file);
    free(block);
}

/* More elements than any asset has words for. */
Test(hmd_edges_memory, a_precalculation_without_end)
{
    const char *const text = "hmd\nblocks 0 @body @skin\ncoords: coordinates\nunit\nheaders\n"
                             "first: header !faces !points !results !normals !shades !coords\n"
                             "body: primitive header=@first\n"
                             "record 0x01800000 %u 0 0 3 0 0\n"
                             "skin: primitive header=@first\nrecord 0x0100000c (faces-faces)\n"
                             "faces: packet 0x00c rgb 1 2 3 n 0 1 2 v 0 1 2\n"
                             "results: zero 24\n"
                             "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                             "shades: zero 24\n"
                             "normals:\nvec 0 0 -4096\nvec 0 0 -4096\nvec 0 0 -4096\n";
    char full[2048];
    (void)snprintf(full, sizeof full, text, 3u);
    cr_expect(eq(u32, inferred(full, 0), 0x01000000));
    (void)snprintf(full, sizeof full, text, 3u * (HMD_MOST_WORDS / 4));
    cr_expect(eq(u32, inferred(full, 0), HMD_NO_TYPE));
}

/* Records of polygons whose packets lie behind the bytes: more bytes would tell, but of so many no
 * more are asked for. */
Test(hmd_edges_memory, a_wait_that_is_too_long)
{
    forge_buf file = build_at(dance, FORGE_HMD_SCANNED);
    const size_t longest = (size_t)1 << 20;
    uint8_t *bytes = calloc(1, longest);
    block = malloc(BENCH_ARENA);
    cr_assert(bytes != NULL && block != NULL);
    const hmd_model *model = NULL;
    run first;
    do_run(&first, &file, BENCH_BUDGET, BENCH_ARENA);
    model = first.model;
    cr_assert(model != NULL);
    put(&file, model->records[1].off + 2, 0x00100000);
    record_free(&first.told);
    memcpy(bytes, file.data, file.len);
    for (size_t len = longest / 4; len <= longest; len *= 2) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        fh_probe got;
        fh_hmd_format.probe(&got, fh_cursor_make(bytes, len, 0), FH_END_NONE, NULL, &arena, &work);
        cr_expect(got.verdict != FH_REJECT);
        const bool is_waiting = got.verdict == FH_MORE && got.length == 2 * len;
        cr_expect(is_waiting == (len < longest), "%zu bytes: %d, %zu", len, (int)got.verdict,
                  got.length);
    }
    free(bytes);
    forge_buf_free(&file);
    free(block);
}

/* A morph's differences in the last words that any asset has: they are its own, or no morph's. */
Test(hmd_edges_memory, blocks_at_the_end_of_all)
{
    const char *const text = "hmd\nblocks @swell 0\ncoords: coordinates\nunit\nheaders\n"
                             "v: header !weights 1 3:0 !shapes !originals !points !normals\n"
                             "swell: primitive header=@v\nrecord 0x04010020 %u\n"
                             "weights: word 4096\n"
                             "shapes:\nbulge: shape\ndiff 0 (b0-bulge)\nnotify 0\n"
                             "b0: deltas 0\nvec 0 -20 0\n"
                             "originals: zero 8\npoints: vec 1 2 3\nnormals: vec 0 0 -4096\n";
    char full[2048];
    (void)snprintf(full, sizeof full, text, 0u);
    verdict first = judge(full, AS_FILE, NULL);
    const hmd_model *file = first.run.model;
    cr_assert(file != NULL, "%s", record_codes(&first.run.told));
    const uint32_t shapes = hmd_arg_of(file, hmd_header_of(file, &file->records[0]), 3).off;
    judge_end(&first);
    for (uint32_t back = 1; back <= 3; back++) {
        (void)snprintf(full, sizeof full, text, HMD_MOST_WORDS - back - shapes);
        verdict is = judge(full, FORGE_HMD_SCANNED, NULL);
        const hmd_model *model = is.run.model;
        cr_assert(model != NULL && model->num_records == 1, "%s", record_codes(&is.run.told));
        /* Without bytes there no difference is named: with room for the block it fits. */
        cr_expect(eq(i32, model->records[0].category, back == 1 ? HMD_CATEGORY_FOREIGN : HMD_MIME));
        judge_end(&is);
    }
}

/* A block of as many resets as there may be, in an asset near the largest: the last of them ends
 * where the longest asset does, or one word behind that. */
Test(hmd_edges_memory, resets_past_the_end_of_all)
{
    enum { MOST_RESETS = 0xffff, BLOCK_WORDS = 1 + 3 * MOST_RESETS };
    const char *const text = "hmd\nblocks 0 @back\ncoords: coordinates\nunit\nheaders\n"
                             "r: header 3:0 !shapes !originals !points !normals\n"
                             "back: primitive header=@r\nrecord 0x04010028 (far-shapes)\n"
                             "originals: zero 8\npoints: vec 1 2 3\nnormals: vec 0 0 -4096\n"
                             "shapes: zero %u\nfar: word 0xffff0000\n";
    char full[2048];
    (void)snprintf(full, sizeof full, text, 4u);
    forge_buf near = build(full);
    const uint32_t first = HMD_MOST_WORDS - BLOCK_WORDS;
    const uint32_t gap = first - (uint32_t)(near.len / 4 - 1);
    forge_buf_free(&near);
    for (uint32_t i = 0; i < 2; i++) {
        (void)snprintf(full, sizeof full, text, 4 * (1 + gap + i));
        verdict is = judge(full, FORGE_HMD_SCANNED, NULL);
        const hmd_model *model = is.run.model;
        cr_assert(model != NULL && model->num_records == 1, "%s", record_codes(&is.run.told));
        cr_expect(eq(i32, model->records[0].category, i == 0 ? HMD_MIME : HMD_CATEGORY_FOREIGN));
        judge_end(&is);
    }
}

/* A record that may be a run of packets as well as a light, whose header another one shares: not
 * even its category is known. In a header of its own it is no light. */
Test(hmd_edges_memory, polygons_or_a_light)
{
    const char *const text = "hmd\nblocks 0 @body @more\ncoords: coordinates\nunit\nheaders\n"
                             "lit: header !faces !points !normals\n"
                             "own: header !faces !points !normals\n"
                             "body: primitive header=@lit\nrecord 0x00000008 count=1 0\n"
                             "more: primitive header=@%s\nrecord 0x00000010 count=1 5\n"
                             "faces: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                             "packet 0x010 rgb 0 0 255 n 0 v 0 1 2 0\n"
                             "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                             "normals:\nvec 0 0 -4096\n";
    static const char *const headers[] = {"lit", "own"};
    static const int categories[] = {HMD_CATEGORY_FOREIGN, HMD_POLYGONS};
    for (size_t i = 0; i < 2; i++) {
        char full[2048];
        (void)snprintf(full, sizeof full, text, headers[i]);
        verdict is = judge(full, FORGE_HMD_SCANNED, NULL);
        const hmd_model *model = is.run.model;
        cr_assert(model != NULL && model->num_records == 2, "%s", record_codes(&is.run.told));
        cr_expect(eq(i32, model->records[0].category, categories[i]));
        judge_end(&is);
    }
}

/* Packets that lie last may be those of longer layouts, which leave the bytes at hand: many
 * more would tell. Where something follows it is plain which they are, and only padding is asked
 * for. */
Test(hmd_edges_memory, packets_at_the_end_of_the_bytes)
{
    const char *const text = "hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\nheaders\n"
                             "lit: header !faces !points !normals !coords\n"
                             "body: primitive header=@lit\nrecord 0x00800008 (faces-faces)\n"
                             "%s"
                             "normals:\nvec 0 0 -4096\n"
                             "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                             "%s";
    const char *const packet = "faces: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n";
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < 2; i++) {
        char full[2048];
        (void)snprintf(full, sizeof full, text, i == 0 ? packet : "", i == 0 ? "" : packet);
        forge_buf file = build_at(full, FORGE_HMD_SCANNED);
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        fh_probe got;
        fh_hmd_format.probe(&got, fh_cursor_make(file.data, file.len, 0), FH_END_NONE, NULL, &arena,
                            &work);
        cr_expect(eq(i32, (int)got.verdict, FH_MORE));
        cr_expect(eq(sz, got.length, i == 0 ? file.len + 1 : 2 * file.len));
        forge_buf_free(&file);
    }
    free(block);
}
