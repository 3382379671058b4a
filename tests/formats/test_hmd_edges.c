/* HMD at its edges: every budget and every size of memory, of files and of what they become in
 * memory; and single words that decide alone.
 */
#include "bench.h"

#include "forge/hmd.h"
#include "hmd/hmd.h"
#include "hmd/hmd_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0x80123450, STAGES = FORGE_HMD_PLAYING + 1, AS_FILE = STAGES };

static const char *const good[] = {
    "good-ground.forge",  "good-mime.forge",   "good-animation.forge", "good-images.forge",
    "good-devices.forge", "good-shared.forge", "good-envmap.forge"};
#define NUM_GOOD (sizeof good / sizeof good[0])

/* ---- bytes ---- */

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

/* A description as it is in memory at a stage, or AS_FILE. */
static forge_buf build_at(const char *text, unsigned stage)
{
    forge_buf out = build(text);
    forge_error err = {0};
    const forge_hmd_memory memory = {.base = BASE, .stage = (forge_hmd_stage)stage};
    cr_assert(stage == AS_FILE || forge_hmd_map(out.data, &err, out.len, &memory), "%s", err.text);
    return out;
}

static char *load(const char *name)
{
    char path[4096];
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    (void)snprintf(path, sizeof path, "%s/corpus/hmd/%s", root != NULL ? root : ".", name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    static char text[1 << 16];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    return text;
}

/* ---- too little of everything ---- */

typedef struct run {
    record told;
    fh_status status;
    fh_asset asset;
    const void *model;
    fh_status replay_status; /* of a replay with what is left */
    fh_replay_result result;
    uint64_t spent;
    size_t used;
} run;

static void *block;

/* Verifies, and replays what can be replayed, with so much work and memory. */
static void do_run(run *out, const forge_buf *file, uint64_t budget, size_t memory)
{
    *out = (run){.replay_status = FH_OK};
    fh_arena arena = fh_arena_make(block, memory);
    fh_budget work = {budget};
    const fh_sink sink = record_sink(&out->told);
    const fh_env env = {&arena, &work, &sink};
    const fh_verify_options options = {.stand_alone = true, .aligned = true, .ends_file = true};
    out->status = fh_hmd_format.verify(&out->asset, &out->model, &env,
                                       fh_cursor_make(file->data, file->len, 0), &options);
    if (out->model != NULL) {
        const fh_replay_options how = {.world = true};
        out->replay_status = fh_hmd_format.replay(&out->result, &env, out->model, &how);
    }
    out->spent = budget - work.left;
    out->used = arena.used;
}

static bool is_told(const record *of, const fh_finding *what)
{
    for (size_t i = 0; i < of->num_findings; i++) {
        const fh_finding *at = &of->findings[i];
        if (at->rule == what->rule && at->offset == what->offset &&
            strcmp(at->field, what->field) == 0 && strcmp(at->found, what->found) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_limit(const fh_finding *what)
{
    return strcmp(what->rule->code, "HMD0297") == 0 || strcmp(what->rule->code, "HMD0289") == 0 ||
           strcmp(what->field, "number of further findings") == 0;
}

/* Whatever it had too little of, it says so, or its answer is the same as with enough. */
static void hold_less(const run *whole, const run *less, bool is_budget, const char *name,
                      uint64_t how)
{
    const bool is_stopped = less->status == FH_LIMIT || less->status == FH_NO_MEMORY;
    const fh_status wanted = is_budget ? FH_LIMIT : FH_NO_MEMORY;
    HOLD(less->status == whole->status || less->status == wanted, "%s with %u: status %d", name,
         (unsigned)how, (int)less->status);
    for (size_t i = 0; i < less->told.num_findings; i++) {
        const fh_finding *at = &less->told.findings[i];
        HOLD(is_limit(at) || is_told(&whole->told, at), "%s with %u: %s is not there: %s", name,
             (unsigned)how, at->rule->code, at->found);
    }
    if (is_stopped && less->status != whole->status) {
        HOLD(less->model == NULL && less->asset.grade <= FH_GRADE_STRUCTURE &&
                 less->asset.grade <= whole->asset.grade,
             "%s with %u: nothing is claimed", name, (unsigned)how);
        HOLD(!is_budget || record_count(&less->told, "HMD0297") == 1, "%s with %u: a finding", name,
             (unsigned)how);
        return;
    }
    HOLD(less->asset.grade == whole->asset.grade && less->asset.length == whole->asset.length,
         "%s with %u: grade %d", name, (unsigned)how, (int)less->asset.grade);
    const bool is_cut_short =
        is_budget ? less->result.state == FH_REPLAY_STOPPED : less->replay_status == FH_NO_MEMORY;
    HOLD(is_cut_short || (less->result.state == whole->result.state &&
                          less->result.frames == whole->result.frames),
         "%s with %u: replay ends in %d", name, (unsigned)how, (int)less->result.state);
}

/* At most so many of each. */
enum { MOST_RUNS = 1500 };

static void hold_all(const char *name, const forge_buf *file)
{
    run whole;
    run less;
    do_run(&whole, file, BENCH_BUDGET, BENCH_ARENA);
    const uint64_t step = whole.spent / MOST_RUNS + 1;
    for (uint64_t budget = 0; budget < whole.spent; budget += step) {
        do_run(&less, file, budget, BENCH_ARENA);
        hold_less(&whole, &less, true, name, budget);
        record_free(&less.told);
    }
    const size_t jump = whole.used / MOST_RUNS / 8 * 8 + 8;
    for (size_t memory = 0; memory < whole.used; memory += jump) {
        do_run(&less, file, BENCH_BUDGET, memory);
        hold_less(&whole, &less, false, name, memory);
        record_free(&less.told);
    }
    record_free(&whole.told);
}

/* Files and what they are in memory. */
Test(hmd_edges, every_budget_and_memory)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (unsigned stage = 0; stage <= AS_FILE; stage++) {
            forge_buf file = build_at(load(good[i]), stage);
            hold_all(good[i], &file);
            forge_buf_free(&file);
        }
    }
    free(block);
}

/* ---- a piece of a sound file ---- */

/* More bytes may follow: whatever there is of a sound file, it is not rejected, and what it asks
 * for is more than there is. Once all is there it is accepted. */
Test(hmd_edges, no_prefix_of_a_sound_file_is_rejected)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (unsigned stage = 0; stage <= AS_FILE; stage++) {
            forge_buf file = build_at(load(good[i]), stage);
            for (size_t len = 0; len <= file.len; len++) {
                fh_arena arena = fh_arena_make(block, BENCH_ARENA);
                fh_budget work = {BENCH_BUDGET};
                fh_probe got;
                fh_hmd_format.probe(&got, fh_cursor_make(file.data, len, 0), FH_END_NONE, NULL,
                                    &arena, &work);
                HOLD(got.verdict != FH_REJECT, "%s, stage %u, %zu bytes: %s at %zu", good[i], stage,
                     len, got.rule->code, got.reject_off);
                HOLD(got.verdict == FH_MORE ? got.length > len : got.length <= len,
                     "%s, stage %u: %zu of %zu bytes", good[i], stage, got.length, len);
                HOLD(got.verdict == FH_ACCEPT || len <= file.len, "%s is whole", good[i]);
            }
            forge_buf_free(&file);
        }
    }
    free(block);
}

/* ---- one word of a sound file ---- */

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

/* Whatever the word says: the answer is one, lies inside the bytes, and a file's own bytes are all
 * that it takes to come to it again. */
static void hold_word(const char *name, const forge_buf *file, size_t word)
{
    run first;
    run again;
    do_run(&first, file, BENCH_BUDGET, BENCH_ARENA);
    HOLD(first.status != FH_INTERNAL && first.asset.length <= file->len, "%s: word %zu is 0x%x",
         name, word, get(file, word));
    for (size_t i = 0; i < first.told.num_findings; i++) {
        HOLD(first.told.findings[i].offset <= (int64_t)file->len, "%s: word %zu is 0x%x: %s", name,
             word, get(file, word), first.told.findings[i].rule->code);
    }
    HOLD((first.asset.grade >= FH_GRADE_REFERENCES) <= (first.model != NULL), "%s: word %zu", name,
         word);
    do_run(&again, file, BENCH_BUDGET, BENCH_ARENA);
    HOLD(record_equal(&first.told, &again.told), "%s: word %zu is 0x%x", name, word,
         get(file, word));
    record_free(&first.told);
    record_free(&again.told);
}

Test(hmd_edges, every_word_of_a_sound_file)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (unsigned stage = FORGE_HMD_SCANNED; stage <= AS_FILE; stage++) {
            forge_buf file = build_at(load(good[i]), stage);
            for (size_t word = 2; word < file.len / 4; word++) {
                const uint32_t own = get(&file, word);
                const uint32_t num = (uint32_t)(file.len / 4);
                const uint32_t values[] = {0,          own ^ 0x80000000, own + 1,
                                           own - 1,    0xffffffff,       own ^ 0x00010000,
                                           0xfffffff0, own ^ 2,          0x80000000 | num};
                for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
                    put(&file, word, values[k]);
                    hold_word(good[i], &file, word);
                }
                put(&file, word, own);
            }
            forge_buf_free(&file);
        }
    }
    free(block);
}

/* ---- a sound file with one place that is not ---- */

static const char *const dance = "hmd\n"
                                 "blocks @dance @body 0\n"
                                 "coords: coordinates\n"
                                 "unit t 0 0 1000\n"
                                 "headers\n"
                                 "motion: header * !table !control !params !coords !lamp\n"
                                 "lit: header !polygons !vertices !normals !coords\n"
                                 "dance: primitive header=@motion\n"
                                 "record 0x03800000\n"
                                 "sequence coord=0 start=(sway-control)\n"
                                 "body: primitive header=@lit\n"
                                 "record 0x00800008 (triangle-polygons)\n"
                                 "table: table 0x03000001\n"
                                 "control:\n"
                                 "sway: key type=0 tframe=0 param=(sway0-params)\n"
                                 "sway_on: key type=0 tframe=30 param=(sway1-params)\n"
                                 "key type=0 tframe=30 param=(sway0-params)\n"
                                 "jump to=(sway_on-control)\n"
                                 "params:\n"
                                 "sway0: value 0x03000001 t -200 0 1000\n"
                                 "sway1: value 0x03000001 t 200 0 1000\n"
                                 "polygons:\n"
                                 "triangle: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                                 "vertices:\n"
                                 "vec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                                 "normals:\n"
                                 "vec 0 0 -4096\n"
                                 "lamp: word 0 0 0\n";

typedef struct edit {
    const char *file; /* NULL: dance */
    const char *from, *to;
    const char *tail; /* NULL: none; behind the last line */
    const char *code; /* told; with a '-' in front: not told */
    const char *said; /* part of what is found or expected */
} edit;

static char *edited(const edit *what)
{
    static char text[1 << 16];
    const char *base = what->file == NULL ? dance : load(what->file);
    const char *at = strstr(base, what->from);
    cr_assert(at != NULL, "%s has no '%s'", what->file == NULL ? "dance" : what->file, what->from);
    (void)snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - base), base, what->to,
                   at + strlen(what->from), what->tail != NULL ? what->tail : "");
    return text;
}

static void hold_edit(const edit *what)
{
    run got;
    forge_buf file = build(edited(what));
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    const bool is_denied = what->code[0] == '-';
    const char *code = what->code + (is_denied ? 1 : 0);
    bool is_said = false;
    for (size_t i = 0; i < got.told.num_findings; i++) {
        const fh_finding *at = &got.told.findings[i];
        is_said = is_said || (strcmp(at->rule->code, code) == 0 &&
                              (what->said == NULL || strstr(at->found, what->said) != NULL ||
                               strstr(at->expected, what->said) != NULL ||
                               strstr(at->field, what->said) != NULL));
    }
    cr_expect(is_said != is_denied, "%s -> %s: %s, %s; codes are %s", what->from, what->to,
              what->code, what->said != NULL ? what->said : "", record_codes(&got.told));
    record_free(&got.told);
    forge_buf_free(&file);
}

Test(hmd_edges, one_place_decides)
{
    static const edit edits[] = {
        /* A position 8 bytes behind a pointer that is not in the file. */
        {"good-envmap.forge", "!normals !tex1 !tex1", "!normals !last !tex1", "\nlast: word 0\n",
         "HMD0152", "before the end"},
        {"good-envmap.forge", "tex1: record 0x02000001 640:0", "tex1: record 0x02000001 640:512", 0,
         "HMD0152", NULL},
        {"good-envmap.forge", "!normals !tex1 !tex1", "!normals 0 !tex1", 0, "HMD0150", NULL},
        /* Entry base + idx - i + j of the grid is -1 for the first cell of the second row. */
        {"good-ground.forge", "row 0 3\nrow 4 3", "row 0 3\nrow 0 3", 0, "HMD0143", "-1"},
        {"good-ground.forge", "row 0 3\nrow 4 3", "row 0 3\nrow 4 0", 0, "-HMD0144", NULL},
        {"good-ground.forge", "flat: header !polygons !grids !heights !normals !coords",
         "flat: header !polygons !grids", 0, "HMD0042", NULL},
        {"good-ground.forge", "record 0x05000001", "record 0x05000002", 0, "HMD0067", NULL},
        {"good-mime.forge", "header !coords !weights 2 1:0 !joints", "header !coords !weights", 0,
         "HMD0042", NULL},
        {"good-mime.forge", "header !coords !weights 2 1:0 !joints", "header !coords", 0, "HMD0042",
         NULL},
        {"good-mime.forge", "header !weights 2 3:0 !shapes !originals !vertices !normals",
         "header !weights", 0, "HMD0042", NULL},
        {"good-mime.forge", "record 0x04010028 (shape_back-shapes)",
         "record 0x04010028 (shape_back-shapes) (shape_back-shapes)", 0, "-HMD0132", NULL},
        /* The same header twice: the half that is not 0 is told once. */
        {"good-mime.forge", "record 0x04010010 (elbow-joints)",
         "record 0x04010010 (elbow-joints)\nrecord 0x04010010 (elbow-joints)", 0, "-HMD0133", NULL},
        /* Put back before it is changed. */
        {"good-mime.forge", "blocks @bend @skin @skin2 @skin3 @unshade",
         "blocks @unshade @skin @skin2 @skin3 @bend", 0, "HMD0132", "reset of the elements"},
        {"good-pyramid.forge", "record 0x00000010", "record 0x0000010c", 0, "HMD0068", "no PST"},
        {"good-pyramid.forge", "record 0x00000010", "record 0x00000208", 0, "HMD0068", "no TILE"},
        {"good-shared.forge", "record 0x0104004c", "record 0x0104014c", 0, "HMD0068", "no PST"},
        /* The same place, but not the same rectangle. */
        {"good-images.forge", "648:0 4:4 (eight-images)", "644:0 4:3 (four-images)", 0, "HMD0115",
         NULL},
        {"good-images.forge", "indexed: header !images !cluts", "indexed: header !images", 0,
         "HMD0113", "a header of 1 word"},
        {"good-devices.forge", "record 0x07030100", "record 0x07040100", 0, "HMD0067", NULL},
        {NULL, "motion: header *", "motion: header 1", 0, "HMD0200", "1 word"},
        {NULL, "table 0x03000001", "table 0x03000001 count=200", 0, "HMD0210", NULL},
        /* The key that receives the value has a type that the table does not have, but no way
         * leads to it. */
        {NULL, "coord=0 start=(sway-control)\n", "coord=0 srcii=4 start=(sway-control)\n", 0,
         "-HMD0242", NULL},
        /* Played backwards. */
        {NULL, "coord=0 start=(sway-control)", "coord=0 speed=-16 ci=2 start=(sway-control)", 0,
         "HMD0231", NULL},
        /* A function that ignores the rotation of its key: no turn is told of it. */
        {NULL, "table 0x03000001", "table 0x03000023", 0, "HMD0215", NULL},
        /* A pre-calculation writes over packets: told of what writes. */
        {"good-shared.forge", "!vertices !points !normals !shades !coords",
         "!vertices !p00000c !normals !shades !coords", 0, "HMD0102", NULL},
        {"good-shared.forge", "!vertices !points !normals !shades !coords",
         "!vertices !p00000c !normals !shades !coords", 0, "-HMD0087", NULL},
    };
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        hold_edit(&edits[i]);
    }
    free(block);
}

/* Cells are saved from the first to the type's own: two or three bytes of a key of four. */
Test(hmd_edges, a_key_of_four_bytes_holds_what_saving_writes)
{
    static const char *const types[] = {"0x03010222", "0x03010242"};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < 2; i++) {
        char text[4096];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\n"
                       "record 0x03800000\n"
                       "sequence section=4 offset=0 srcii=3 start=0\n"
                       "table: table %s\n"
                       "control:\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=8 param=1\n"
                       "jump to=0\nkey type=0 tframe=0 param=2\n"
                       "params: word 1 2 3\nlamp: word 0 0\n",
                       types[i]);
        forge_buf file = build(text);
        run got;
        do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
        cr_expect(record_count(&got.told, "HMD0270") == 0 &&
                      record_count(&got.told, "HMD0215") == 1,
                  "%s", record_codes(&got.told));
        record_free(&got.told);
        forge_buf_free(&file);
    }
    free(block);
}

/* ---- long lists in evidence ---- */

static void hold_cut(const char *text, const char *code)
{
    run got;
    forge_buf file = build(text);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    cr_assert(record_count(&got.told, code) == 1, "%s", record_codes(&got.told));
    const char *found = record_find(&got.told, code)->found;
    cr_expect(strlen(found) == FH_EVIDENCE_LEN - 1 && strstr(found, "...") != NULL, "%s", found);
    record_free(&got.told);
    forge_buf_free(&file);
}

Test(hmd_edges, a_list_that_is_too_long_is_cut)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    hold_cut("hmd\nblocks 0\nrepeat 60\nblocks @body\nendrepeat\nblocks 0\n"
             "coords: coordinates\nrepeat 60\nunit\nendrepeat\n"
             "headers\nlit: header !body !body !body\n"
             "body: primitive header=@lit\n",
             "HMD0011");
    hold_cut("hmd\nblocks 0\nrepeat 60\nblocks @body\nendrepeat\nblocks 0\n"
             "coords: coordinates\nunit parent=59\nrepeat 59\nunit parent=$\nendrepeat\n"
             "headers\nlit: header !body !body !body\n"
             "body: primitive header=@lit\n",
             "HMD0024");
    char text[8192] = "hmd\nblocks 0 @p0 0\ncoords: coordinates\nunit\n"
                      "headers\nlit: header !p0 !p0 !p0\n";
    for (unsigned i = 0; i < 60; i++) {
        const size_t len = strlen(text);
        (void)snprintf(text + len, sizeof text - len, "p%u: primitive header=@lit next=@p%u\n", i,
                       (i + 1) % 60);
    }
    hold_cut(text, "HMD0052");
    free(block);
}

/* ---- memory ---- */

static size_t find_word(const forge_buf *file, uint32_t value)
{
    size_t word = 0;
    while (word < file->len / 4 && get(file, word) != value) {
        word++;
    }
    cr_assert(word < file->len / 4, "no word is 0x%x", value);
    return word;
}

typedef struct verdict {
    run run;
    forge_buf file;
} verdict;

static verdict judge(const char *text, unsigned stage, void (*change)(forge_buf *file))
{
    verdict out = {.file = build_at(text, stage)};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    if (change != NULL) {
        change(&out.file);
    }
    do_run(&out.run, &out.file, BENCH_BUDGET, BENCH_ARENA);
    return out;
}

static void judge_end(verdict *of)
{
    record_free(&of->run.told);
    forge_buf_free(&of->file);
    free(block);
}

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
Test(hmd_edges, a_scanned_type_may_still_be_a_type)
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
Test(hmd_edges, a_parent_in_the_head_is_no_unit)
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
Test(hmd_edges, a_table_before_the_asset)
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
Test(hmd_edges, a_type_in_the_table_is_no_address)
{
    verdict is = judge(dance, FORGE_HMD_MAPPED, type_in_table);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0213"), 1), "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0174"), 0), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* Two image records of both kinds whose types have become one driver, the null driver: what each of
 * them is shows in its size. */
Test(hmd_edges, uploaded_images_share_a_driver)
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
Test(hmd_edges, more_addresses_than_drivers)
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
