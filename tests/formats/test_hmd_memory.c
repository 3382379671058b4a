/* HMD in memory: the base that its pointers give, how far the run-time has come, and what types are
 * inferred from addresses of drivers.
 */
#include "forge/hmd.h"
#include "hmd/hmd.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_packets.h"

#include "bench.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLAG_WORD = 1, HEADERS_WORD = 2, BLOCKS_WORD = 4, BASE = 0x00123450 };

static const char *const pyramid = "hmd\n"
                                   "blocks 0 @body @arm 0\n"
                                   "coords: coordinates\n"
                                   "unit t 0 0 1000\n"
                                   "unit t 5 0 0 parent=0\n"
                                   "%s"
                                   "headers\n"
                                   "model: header !polygons !vertices !normals !coords\n"
                                   "other: header !polygons !vertices !normals\n"
                                   "body: primitive header=@model\n"
                                   "record 0x00800008 (polygons-polygons)\n"
                                   "record 0x00000010 (base-polygons)\n"
                                   "arm: primitive header=@other\n"
                                   "record 0x00000010 (base-polygons)\n"
                                   "polygons:\n"
                                   "packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                                   "packet 0x008 rgb 0 255 0 n 0 v 0 2 3\n"
                                   "base:\n"
                                   "packet 0x010 rgb 128 128 128 n 0 v 1 2 3 0\n"
                                   "vertices:\n"
                                   "vec 0 -200 0\nvec -100 0 -100\nvec 100 0 -100\nvec 100 0 100\n"
                                   "normals:\n"
                                   "vec 0 -1832 -3663\n";

/* ---- bytes ---- */

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "%s", err.text);
    return out;
}

static forge_buf build_pyramid(const char *between)
{
    char text[4096];
    (void)snprintf(text, sizeof text, pyramid, between);
    return build(text);
}

static void map(forge_buf *file, uint32_t base, forge_hmd_stage stage)
{
    forge_error err = {0};
    const forge_hmd_memory memory = {.base = base, .stage = stage};
    cr_assert(forge_hmd_map(file->data, &err, file->len, &memory), "%s", err.text);
}

static uint32_t get(const forge_buf *file, size_t word)
{
    const uint8_t *at = file->data + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put(forge_buf *file, size_t word, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        file->data[4 * word + i] = (uint8_t)(value >> (8 * i));
    }
}

/* ---- asset under test ---- */

static void verify(bench *b, const forge_buf *file)
{
    b->format = &fh_hmd_format;
    bench_verify(b, file->data, file->len, (fh_verify_options){.aligned = true});
}

static const fh_finding *only(const bench *b, const char *code)
{
    cr_assert(eq(sz, record_count(&b->verify, code), 1), "%s: codes are %s", code,
              record_codes(&b->verify));
    return record_find(&b->verify, code);
}

static const hmd_model *model_of(const bench *b)
{
    cr_assert(b->model != NULL, "codes are %s", record_codes(&b->verify));
    return b->model;
}

/* ---- base ---- */

static void hold_base(const char *between, uint32_t base)
{
    bench b = {0};
    bench_open(&b);
    for (forge_hmd_stage stage = FORGE_HMD_MAPPED; stage <= FORGE_HMD_PLAYING; stage++) {
        forge_buf file = build_pyramid(between);
        map(&file, base, stage);
        verify(&b, &file);
        HOLD(b.asset.ram_address == (int64_t)base, "base is 0x%llx, not 0x%x",
             (unsigned long long)b.asset.ram_address, base);
        HOLD(b.asset.length == file.len, "length %zu", b.asset.length);
        HOLD(b.asset.grade == FH_GRADE_REFERENCES, "codes are %s", record_codes(&b.verify));
        forge_buf_free(&file);
    }
    bench_close(&b);
}

Test(hmd_memory, base_is_found_in_every_segment)
{
    hold_base("", BASE);
    hold_base("", 0x80000000 | BASE);
    hold_base("", 0xa0000000 | BASE);
    hold_base("", 0x80010000);
    hold_base("", 0x807f0000);
}

Test(hmd_memory, base_is_found_when_other_words_follow_the_coordinates)
{
    hold_base("word 1 2 3\n", 0x80000000 | BASE);
    hold_base("repeat 500\nword 0x80123460 3\nendrepeat\n", 0xa0000000 | BASE);
}

/* A MIMe whose weights the program keeps behind the asset, or in front of it, or nowhere, and one
 * with its own as the last words. */
Test(hmd_memory, weights_of_the_program_are_no_part_of_the_asset)
{
    static const char *const texts[] = {
        "hmd\nblocks @bend 0 @back\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
        "by: header !coords %s 2 1:0 !joints\nof: header !coords 1:0 !joints\n"
        "bend: primitive header=@by\nrecord 0x04010011 (elbow-joints)\n"
        "back: primitive header=@of\nrecord 0x04010019 (elbow-joints)\n"
        "joints:\nelbow: joint 0\ndelta 0 dv 0 300 0\nreset rpy\n%s",
        "hmd\nblocks @bend 0 @back\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
        "by: header %s 2 1:0 !shapes !kept !points !points\nof: header 1:0 !shapes !kept !points "
        "!points\n"
        "bend: primitive header=@by\nrecord 0x04010020 (bulge-shapes)\n"
        "back: primitive header=@of\nrecord 0x04010028 (back0-shapes)\n"
        "points:\nvec 1 2 3\nkept: zero 8\n"
        "shapes:\nbulge: shape flags=1\ndiff 0 (d0-bulge)\nnotify (r0+2-shapes)\n"
        "d0: deltas 0\nvec 0 -20 0\nback0: resets\nr0: original 0 0 1\n%s"};
    bench b = {0};
    bench_open(&b);
    for (size_t i = 0; i < 2; i++) {
        for (forge_hmd_stage stage = FORGE_HMD_MAPPED; stage <= FORGE_HMD_PLAYING; stage++) {
            for (unsigned k = 0; k < 4; k++) {
                char text[2048];
                (void)snprintf(text, sizeof text, texts[i], k == 3 ? "!own" : "0",
                               k == 3 ? "own: word 5 6\n" : "");
                forge_buf file = build(text);
                const size_t len = file.len;
                map(&file, 0x80000000 | BASE, stage);
                const size_t at = i == 0 ? 29 + 2 : 29 + 1; /* behind the size of the header */
                if (k == 1 || k == 2) {
                    put(&file, at, (0x80000000 | BASE) + (k == 1 ? 0x400 : 0u - 0x400));
                }
                file.data = realloc(file.data, len + 0x1000);
                memset(file.data + len, 0x5a, 0x1000);
                file.len = len + 0x1000;
                verify(&b, &file);
                HOLD(b.asset.length == len, "%zu %u %u: length %zu, not %zu: %s", i, stage, k,
                     b.asset.length, len, record_codes(&b.verify));
                HOLD(record_count(&b.verify, "HMD0041") + record_count(&b.verify, "HMD0130") == 0,
                     "codes are %s", record_codes(&b.verify));
                forge_buf_free(&file);
            }
        }
    }
    bench_close(&b);
}

/* Of the words of a MIMe header two are numbers: those are no pointers, whatever stands there. */
Test(hmd_memory, numbers_that_look_like_addresses_do_not_move_the_end)
{
    static const struct {
        size_t word;
        bool is_number;
    } places[] = {{29, false}, {31, true}, {32, true}};
    bench b = {0};
    bench_open(&b);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        forge_buf file =
            build("hmd\nblocks @bend 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                  "by: header !coords 0 2 1:0 !joints\n"
                  "bend: primitive header=@by\nrecord 0x04010011 (elbow-joints)\n"
                  "joints:\nelbow: joint 0\ndelta 0 dv 0 300 0\nreset rpy\n");
        const size_t len = file.len;
        map(&file, 0x80000000 | BASE, FORGE_HMD_MAPPED);
        put(&file, places[i].word, (0x80000000 | BASE) + 0x400);
        file.data = realloc(file.data, len + 0x1000);
        memset(file.data + len, 0x5a, 0x1000);
        file.len = len + 0x1000;
        verify(&b, &file);
        cr_expect(eq(sz, b.asset.length, places[i].is_number ? len : 0x400), "word %zu: %s",
                  places[i].word, record_codes(&b.verify));
        forge_buf_free(&file);
    }
    bench_close(&b);
}

Test(hmd_memory, file_has_no_address)
{
    bench b = {0};
    forge_buf file = build_pyramid("");
    bench_open(&b);
    verify(&b, &file);
    cr_assert(eq(i64, b.asset.ram_address, FH_UNKNOWN));
    cr_assert(eq(sz, record_count(&b.verify, "HMD0004"), 0));
    bench_close(&b);
    forge_buf_free(&file);
}

Test(hmd_memory, hidden_block_is_followed)
{
    bench b = {0};
    forge_buf file = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_COORDINATES);
    put(&file, BLOCKS_WORD + 1, get(&file, BLOCKS_WORD + 1) & 0x7fffffff);
    bench_open(&b);
    verify(&b, &file);
    cr_assert(eq(i32, (int)b.asset.grade, FH_GRADE_REFERENCES), "%s", record_codes(&b.verify));
    cr_assert(eq(u32, model_of(&b)->num_primitives, 2));
    bench_close(&b);
    forge_buf_free(&file);
}

Test(hmd_memory, mirrors_are_folded_where_they_are_used)
{
    bench b = {0};
    forge_buf file = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_MAPPED);
    put(&file, BLOCKS_WORD + 1, get(&file, BLOCKS_WORD + 1) + 0x200000);
    bench_open(&b);
    verify(&b, &file);
    cr_assert(eq(i32, (int)b.asset.grade, FH_GRADE_REFERENCES), "%s", record_codes(&b.verify));
    cr_assert(model_of(&b)->is_folded);
    cr_assert(eq(i64, b.asset.ram_address, 0x80000000 | BASE));
    bench_close(&b);
    forge_buf_free(&file);
}

/* Rejected with HMD0170, and not found. */
static void hold_disagreement(forge_buf *file, size_t at)
{
    bench b = {0};
    bench_open(&b);
    verify(&b, file);
    HOLD(b.model == NULL && b.asset.grade == FH_GRADE_CANDIDATE, "codes are %s",
         record_codes(&b.verify));
    HOLD(only(&b, "HMD0170")->offset == (int64_t)(4 * at), "at 0x%llx",
         (unsigned long long)only(&b, "HMD0170")->offset);
    bench_close(&b);
}

Test(hmd_memory, pointers_that_want_another_base)
{
    forge_buf file = build_pyramid("");
    const size_t body = get(&file, BLOCKS_WORD + 1);
    const size_t arm = get(&file, BLOCKS_WORD + 2);
    map(&file, 0x80000000 | BASE, FORGE_HMD_COORDINATES);
    put(&file, body + 1, get(&file, body + 1) + 0x1000);
    put(&file, arm + 1, get(&file, arm + 1) + 0x1000);
    hold_disagreement(&file, body + 1);
    forge_buf_free(&file);

    file = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_COORDINATES);
    const size_t super = BLOCKS_WORD + 4 + 1 + 20 + 19;
    put(&file, super, get(&file, super) + 8);
    hold_disagreement(&file, super);
    forge_buf_free(&file);

    file = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_MAPPED);
    put(&file, HEADERS_WORD, 0x40123450);
    hold_disagreement(&file, HEADERS_WORD);
    forge_buf_free(&file);
}

/* ---- stages ---- */

static void hold_stage(forge_buf *file, hmd_stage stage, const char *name, const char *missing)
{
    bench b = {0};
    bench_open(&b);
    verify(&b, file);
    HOLD(model_of(&b)->stage == stage, "stage %d", (int)model_of(&b)->stage);
    HOLD(strcmp(only(&b, "HMD0172")->found, name) == 0, "%s", only(&b, "HMD0172")->found);
    HOLD(strcmp(only(&b, "HMD0172")->expected, missing) == 0, "%s", only(&b, "HMD0172")->expected);
    bench_close(&b);
}

Test(hmd_memory, stage_is_the_highest_that_left_marks)
{
    static const struct {
        forge_hmd_stage forge;
        hmd_stage stage;
        const char *name;
    } stages[] = {{FORGE_HMD_MAPPED, HMD_STAGE_MAPPED, "mapped"},
                  {FORGE_HMD_SCANNED, HMD_STAGE_SCANNED, "scanned"},
                  {FORGE_HMD_COORDINATES, HMD_STAGE_COORDINATES, "coordinates mapped"}};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        forge_buf file = build_pyramid("");
        map(&file, 0x80000000 | BASE, stages[i].forge);
        hold_stage(&file, stages[i].stage, stages[i].name, "");
        put(&file, BLOCKS_WORD + 4 + 1, 1); /* the stamp of the first coordinate */
        hold_stage(&file, HMD_STAGE_PLAYING, "playing",
                   i == 0   ? "marks missing: records are not all scanned, supers are no addresses"
                   : i == 1 ? "marks missing: supers are no addresses"
                            : "");
        forge_buf_free(&file);
    }
}

Test(hmd_memory, header_that_lost_its_last_word_is_walked)
{
    bench b = {0};
    forge_buf file = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_COORDINATES);
    bench_open(&b);
    verify(&b, &file);
    cr_assert(eq(u32, model_of(&b)->num_headers, 2));
    cr_assert(model_of(&b)->headers[0].is_split && !model_of(&b)->headers[1].is_split);
    cr_assert(eq(u32, model_of(&b)->headers[0].num_words, 4));
    cr_assert(eq(i64, only(&b, "HMD0175")->offset, 4 * (int64_t)model_of(&b)->headers[0].off));
    bench_close(&b);
    forge_buf_free(&file);
}

Test(hmd_memory, mapping_that_was_interrupted_is_told)
{
    bench b = {0};
    forge_buf file = build_pyramid("");
    const size_t arm = get(&file, BLOCKS_WORD + 2);
    forge_buf before = build_pyramid("");
    map(&file, 0x80000000 | BASE, FORGE_HMD_MAPPED);
    put(&file, BLOCKS_WORD + 2, (uint32_t)arm);
    for (size_t i = arm; i < arm + 3; i++) {
        put(&file, i, get(&before, i));
    }
    bench_open(&b);
    verify(&b, &file);
    cr_assert(eq(sz, record_count(&b.verify, "HMD0173"), 2), "%s", record_codes(&b.verify));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0173")->found, "1 done, 1 not"));
    cr_assert(eq(i64, record_find(&b.verify, "HMD0173")->offset, 4 * (int64_t)(arm + 2)));
    cr_assert(eq(sz, b.asset.length, file.len));
    bench_close(&b);
    forge_buf_free(&before);
    forge_buf_free(&file);
}

/* ---- types ---- */

typedef struct tally {
    unsigned files, whole, addresses, typed, categories, wrong;
} tally;

/* Whether a record's inferred type says the same of its data as its true one. What cannot be seen
 * in the data: driver bits; of environment maps which of the reflections; whether a
 * pre-calculation lights its normals. */
static bool says_the_same(const hmd_record *seen, const hmd_record *true_one)
{
    const bool is_shared = true_one->category == HMD_SHARED ||
                           (true_one->category == HMD_ENVMAP && (true_one->type & 0xf00) == 0x100);
    if (true_one->category == HMD_ENVMAP && !is_shared) {
        return seen->category == HMD_ENVMAP &&
               hmd_packet_layout_of(seen->type) == hmd_packet_layout_of(true_one->type);
    }
    if (is_shared) {
        const bool is_calculation = (true_one->type & 0xff) == 0;
        /* Lit flat shared packets have no library layout; real ones are laid out as Gouraud. */
        const bool has_layout = hmd_packet_layout_of(true_one->type) != NULL;
        return seen->category == HMD_SHARED && ((seen->type & 0xff) == 0) == is_calculation &&
               (is_calculation || !has_layout ||
                hmd_packet_layout_of(seen->type) == hmd_packet_layout_of(true_one->type));
    }
    return seen->category == true_one->category &&
           (seen->type & 0xffff) == (true_one->type & 0xffff);
}

static bool is_right(const hmd_record *seen, const hmd_record *true_one)
{
    if (seen->type != HMD_NO_TYPE) {
        return says_the_same(seen, true_one);
    }
    return seen->category == HMD_CATEGORY_FOREIGN || seen->category == true_one->category ||
           (seen->category == HMD_SHARED && true_one->category == HMD_ENVMAP);
}

static void compare_types(tally *sum, const char *name, const hmd_model *seen,
                          const hmd_model *true_one)
{
    HOLD(seen->num_records == true_one->num_records, "%s: %u records", name, seen->num_records);
    for (uint32_t i = 0; i < seen->num_records; i++) {
        const bool ok = is_right(&seen->records[i], &true_one->records[i]);
        sum->wrong += ok ? 0 : 1;
        cr_expect(ok, "%s: record %u is 0x%08x, inferred 0x%08x, category %u", name, i,
                  true_one->records[i].type, seen->records[i].type, seen->records[i].category);
    }
    for (uint32_t i = 0; i < seen->num_aliases; i++) {
        sum->addresses++;
        sum->typed += seen->aliases[i].type != HMD_NO_TYPE ? 1 : 0;
        sum->categories += seen->aliases[i].category != HMD_CATEGORY_FOREIGN ? 1 : 0;
    }
}

/* The file as it is, then scanned, and held against each other. Random bytes follow both. */
static void compare_stages(tally *sum, const char *name, const forge_buf *file)
{
    const size_t room = file->len + 4096;
    forge_buf plain = {.data = malloc(room), .len = file->len};
    forge_buf mapped = {.data = malloc(room), .len = file->len};
    dice d = {.state = 7};
    bench a = {0};
    bench b = {0};
    cr_assert(plain.data != NULL && mapped.data != NULL);
    memcpy(plain.data, file->data, file->len);
    memcpy(mapped.data, file->data, file->len);
    map(&mapped, 0x80000000 | BASE, FORGE_HMD_SCANNED);
    for (size_t i = file->len; i < room; i++) {
        plain.data[i] = mapped.data[i] = (uint8_t)dice_next(&d);
    }
    plain.len = mapped.len = room;
    bench_open(&a);
    bench_open(&b);
    verify(&a, &plain);
    verify(&b, &mapped);
    compare_types(sum, name, model_of(&b), model_of(&a));
    HOLD(b.asset.length <= a.asset.length, "%s: %zu bytes", name, b.asset.length);
    sum->files++;
    sum->whole += b.asset.length == a.asset.length ? 1 : 0;
    bench_close(&a);
    bench_close(&b);
    free(plain.data);
    free(mapped.data);
}

static forge_buf load(const char *folder, const char *name)
{
    char path[4096];
    forge_buf out = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    cr_assert(fseek(file, 0, SEEK_END) == 0);
    out.len = (size_t)ftell(file);
    out.data = malloc(out.len + 1);
    rewind(file);
    cr_assert(out.data != NULL && fread(out.data, 1, out.len, file) == out.len);
    out.data[out.len] = 0;
    (void)fclose(file);
    return out;
}

static bool ends_in(const char *name, const char *end)
{
    const size_t len = strlen(name);
    return len > strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

/* Every file of a folder whose name ends so. */
static tally compare_folder(const char *folder, const char *begin, const char *end, bool is_text)
{
    tally sum = {0};
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, begin, strlen(begin)) != 0 || !ends_in(entry->d_name, end)) {
            continue;
        }
        forge_buf file = load(folder, entry->d_name);
        if (is_text) {
            forge_buf text = file;
            file = build((const char *)text.data);
            free(text.data);
        }
        compare_stages(&sum, entry->d_name, &file);
        free(file.data);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    cr_log_info("%u files, %u whole; %u addresses: %u typed, %u with a category, %u wrong",
                sum.files, sum.whole, sum.addresses, sum.typed, sum.categories, sum.wrong);
    return sum;
}

Test(hmd_memory, no_type_of_a_sound_description_is_inferred_wrongly)
{
    char folder[4096];
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    if (root == NULL) {
        cr_skip_test("no source root");
    }
    (void)snprintf(folder, sizeof folder, "%s/corpus/hmd", root);
    const tally sum = compare_folder(folder, "good-", ".forge", true);
    cr_assert(sum.files > 0 && sum.wrong == 0);
}

Test(hmd_memory, no_type_of_a_real_file_is_inferred_wrongly)
{
    char folder[4096];
    const char *shared = getenv("FRAMEHOUND_SHARED");
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    (void)snprintf(folder, sizeof folder, "%s%s/samples/hmd", shared != NULL ? shared : root,
                   shared != NULL ? "" : "/../shared");
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        cr_skip_test("no samples in %s", folder);
    }
    (void)closedir(dir);
    const tally sum = compare_folder(folder, "", ".hmd", false);
    cr_assert(sum.files == 45 && sum.wrong == 0);
    /* Measured: what could be told before stays so. */
    cr_assert(sum.typed >= 302 && sum.categories == sum.addresses, "%u of %u", sum.typed,
              sum.addresses);
}

static const char *const moving = "hmd\n"
                                  "blocks @moves 0 0\n"
                                  "coords: coordinates\n"
                                  "unit\n"
                                  "headers\n"
                                  "motion: header 5 !table !control !parameters !coords\n"
                                  "moves: primitive header=@motion\n"
                                  "record 0x03800000 count=1\n"
                                  "sequence coord=0 start=0\n"
                                  "table: table 0x03000001\n"
                                  "control:\n"
                                  "key type=0 tframe=0 param=0\n"
                                  "key type=0 tframe=8 param=3\n"
                                  "end\n"
                                  "parameters:\n"
                                  "value 0x03000001 t 0 0 0\n"
                                  "value 0x03000001 t 0 9 0\n";

Test(hmd_memory, animation_without_its_functions_cannot_be_played)
{
    bench b = {0};
    bench_open(&b);
    for (forge_hmd_stage stage = FORGE_HMD_MAPPED; stage <= FORGE_HMD_COORDINATES; stage++) {
        forge_buf file = build(moving);
        map(&file, 0x80000000 | BASE, stage);
        verify(&b, &file);
        HOLD(model_of(&b)->num_records == 1, "%u records", model_of(&b)->num_records);
        HOLD(model_of(&b)->records[0].category == HMD_ANIMATION, "stage %d", (int)stage);
        HOLD(model_of(&b)->records[0].is_unplayable == (stage == FORGE_HMD_COORDINATES), "stage %d",
             (int)stage);
        forge_buf_free(&file);
    }
    bench_close(&b);
}

/* ---- hostile bytes ---- */

Test(hmd_memory, damaged_words_do_no_harm)
{
    dice d = {.state = 99};
    bench b = {0};
    bench_open(&b);
    for (unsigned round = 0; round < 3000; round++) {
        forge_buf file = build_pyramid("");
        map(&file, 0x80000000 | BASE, (forge_hmd_stage)dice_below(&d, 4));
        for (unsigned i = dice_below(&d, 4) + 1; i > 0; i--) {
            const uint32_t values[] = {dice_next(&d), 0, 0xffffffff, dice_below(&d, 64),
                                       0x80000000 | (BASE + 4 * dice_below(&d, 128))};
            put(&file, 2 + dice_below(&d, (uint32_t)(file.len / 4) - 2), values[dice_below(&d, 5)]);
        }
        verify(&b, &file);
        HOLD(b.status != FH_INTERNAL, "round %u", round);
        HOLD(b.asset.length <= file.len, "round %u", round);
        forge_buf_free(&file);
    }
    bench_close(&b);
}
