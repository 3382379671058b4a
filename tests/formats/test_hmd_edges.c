/* HMD at its edges: every budget and every size of memory, of files and of what they become in
 * memory; and single words that decide alone.
 */
#include "bench.h"

#include "forge/hmd.h"
#include "hmd/hmd.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0x80123450, STAGES = FORGE_HMD_PLAYING + 1, AS_FILE = STAGES };

static const char *const good[] = {
    "good-ground.forge",  "good-mime.forge",   "good-animation.forge", "good-images.forge",
    "good-devices.forge", "good-shared.forge", "good-envmap.forge"};
#define NUM_GOOD (sizeof good / sizeof good[0])

/* What differs: types are gone; parents are addresses as well; a file. */
static const unsigned stages[] = {FORGE_HMD_SCANNED, FORGE_HMD_COORDINATES, AS_FILE};
#define NUM_STAGES (sizeof stages / sizeof stages[0])

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
    uint64_t spent, spent_on_replay;
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
    const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink};
    const fh_verify_options options = {.stand_alone = true, .aligned = true, .ends_file = true};
    out->status = fh_hmd_format.verify(&out->asset, &out->model, &env,
                                       fh_cursor_make(file->data, file->len, 0), &options);
    const uint64_t left = work.left;
    if (out->model != NULL) {
        const fh_replay_options how = {.world = true};
        out->replay_status = fh_hmd_format.replay(&out->result, &env, out->model, &how);
    }
    out->spent = budget - work.left;
    out->spent_on_replay = left - work.left;
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
enum { MOST_RUNS = 400 };

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
    const uint64_t replay_step = whole.spent_on_replay / MOST_RUNS + 1;
    for (uint64_t short_of = 1; short_of < whole.spent_on_replay; short_of += replay_step) {
        do_run(&less, file, whole.spent - short_of, BENCH_ARENA);
        hold_less(&whole, &less, true, name, whole.spent - short_of);
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
    static const char *const bad[] = {"HMD0024.bad.forge", "HMD0052.bad.forge",
                                      "HMD0132-order.bad.forge", "HMD0287.bad.forge"};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (size_t s = 0; s < NUM_STAGES; s++) {
            const unsigned stage = stages[s];
            forge_buf file = build_at(load(good[i]), stage);
            hold_all(good[i], &file);
            forge_buf_free(&file);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        forge_buf file = build(load(bad[i]));
        hold_all(bad[i], &file);
        forge_buf_free(&file);
    }
    free(block);
}

/* ---- a piece of a sound file ---- */

/* Nothing follows: a part is never better than the whole. */
static void hold_cut_off(const char *name, const forge_buf *file, size_t len)
{
    const forge_buf part = {.data = file->data, .len = len};
    run got;
    do_run(&got, &part, BENCH_BUDGET, BENCH_ARENA);
    HOLD(got.asset.grade <= FH_GRADE_REFERENCES && got.asset.length <= len, "%s: %zu bytes", name,
         len);
    HOLD(got.status == FH_OK || got.model == NULL, "%s: %zu bytes", name, len);
    record_free(&got.told);
}

/* More bytes may follow: whatever there is of a sound file, it is not rejected, and what it asks
 * for is more than there is. Once all is there it is accepted. */
Test(hmd_edges, no_prefix_of_a_sound_file_is_rejected)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (size_t s = 0; s < NUM_STAGES; s++) {
            const unsigned stage = stages[s];
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
                if (len % 8 == 4) {
                    hold_cut_off(good[i], &file, len);
                }
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

/* Whatever the word says: the answer lies inside the bytes, and if more may follow, what is asked
 * for is more than there is. */
static void hold_word(const char *name, const forge_buf *file, size_t word)
{
    run first;
    do_run(&first, file, BENCH_BUDGET, BENCH_ARENA);
    HOLD(first.status != FH_INTERNAL && first.asset.length <= file->len, "%s: word %zu is 0x%x",
         name, word, get(file, word));
    for (size_t i = 0; i < first.told.num_findings; i++) {
        HOLD(first.told.findings[i].offset <= (int64_t)file->len, "%s: word %zu is 0x%x: %s", name,
             word, get(file, word), first.told.findings[i].rule->code);
    }
    HOLD((first.asset.grade >= FH_GRADE_REFERENCES) <= (first.model != NULL), "%s: word %zu", name,
         word);
    fh_arena arena = fh_arena_make(block, BENCH_ARENA);
    fh_budget work = {BENCH_BUDGET};
    fh_probe got;
    fh_hmd_format.probe(&got, fh_cursor_make(file->data, file->len, 0), FH_END_NONE, NULL, &arena,
                        &work);
    HOLD(got.verdict != FH_ACCEPT || got.length <= file->len, "%s: word %zu", name, word);
    HOLD(got.verdict != FH_MORE || got.length > file->len, "%s: word %zu", name, word);
    record_free(&first.told);
}

Test(hmd_edges, every_word_of_a_sound_file)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < NUM_GOOD; i++) {
        for (size_t s = 0; s < NUM_STAGES; s += 2) {
            forge_buf file = build_at(load(good[i]), stages[s]);
            for (size_t word = 2; word < file.len / 4; word++) {
                const uint32_t own = get(&file, word);
                const uint32_t num = (uint32_t)(file.len / 4);
                const uint32_t values[] = {
                    0,          own ^ 0x80000000, own + 1,    own - 1,
                    0xffffffff, own ^ 0x00010000, 0xfffffff0, own ^ 2,
                    0x80010000, own ^ 0x01000000, 0x9ffffff0, 0x80000000 | num};
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

/* Where memory begins in the kernel's 64 KiB, low numbers may be addresses. */
Test(hmd_edges, memory_that_begins_low)
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
Test(hmd_edges, parents_that_want_another_base)
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
Test(hmd_edges, headers_too_far_behind)
{
    verdict is = judge("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\n"
                       "zero 65600\nheaders\nlit: header !body !body !body !coords\n"
                       "body: primitive header=@lit\n",
                       FORGE_HMD_MAPPED, NULL);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0170"), 1), "%s", record_codes(&is.run.told));
    cr_expect(is.run.model == NULL);
    judge_end(&is);
    is = judge("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\n"
               "zero 65500\nheaders\nlit: header !body !body !body !coords\n"
               "body: primitive header=@lit\n",
               FORGE_HMD_MAPPED, NULL);
    cr_expect(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i64, is.run.asset.ram_address, BASE));
    judge_end(&is);
}

/* Primitives inside of each other that share their records are more than an honest file has room
 * for: that is work without end. */
Test(hmd_edges, primitives_that_share_records)
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

/* ---- replay ---- */

static const char *found_of(const run *of, const char *code)
{
    cr_assert(record_count(&of->told, code) == 1, "%s: codes are %s", code,
              record_codes(&of->told));
    return record_find(&of->told, code)->found;
}

/* Ten sequences whose periods are primes: together they come round after more than 2^64 frames,
 * and each of them has shown all it has after its own period. */
Test(hmd_edges, periods_that_only_meet_at_the_end_of_time)
{
    static const unsigned primes[] = {199, 211, 223, 227, 229, 233, 239, 241, 251, 197};
    char text[8192] = "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                      "motion: header * !table !control !params !lamp\n"
                      "dance: primitive header=@motion\nrecord 0x03800000\n";
    for (unsigned i = 0; i < 10; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "sequence section=4 offset=%u start=(s%u-control)\n", i, i);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "table: table 0x03010110\ncontrol:\n");
    for (unsigned i = 0; i < 10; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "s%u: key type=0 tframe=%u param=0\nkey type=0 tframe=%u param=1\n"
                       "jump to=(s%u-control)\n",
                       i, primes[i] / 2, primes[i] - primes[i] / 2, i);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "params: word 0 100\nlamp: zero 40\n");
    verdict is = judge(text, AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
    cr_expect(strncmp(found_of(&is.run, "HMD0288"), "at least 18446744073709551615 frames", 36) ==
                  0,
              "%s", found_of(&is.run, "HMD0288"));
    cr_expect(is.run.result.frames >= 251 && is.run.result.frames < 2 * 251, "%u frames",
              (unsigned)is.run.result.frames);
    judge_end(&is);
}

/* A chain that two blocks enter runs twice in a frame: the same motion takes half the frames. */
Test(hmd_edges, a_chain_that_runs_twice_in_a_frame)
{
    uint32_t frames[2];
    for (unsigned i = 0; i < 2; i++) {
        const edit once = {NULL, "blocks @dance @body 0", "blocks @dance @body 0", 0, 0, 0};
        const edit twice = {NULL, "blocks @dance @body 0", "blocks @dance @body @dance", 0, 0, 0};
        verdict is = judge(edited(i == 0 ? &once : &twice), AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
                  record_codes(&is.run.told));
        frames[i] = (uint32_t)is.run.result.frames;
        judge_end(&is);
    }
    cr_expect(frames[0] >= 60 && frames[1] >= 30 && frames[1] < frames[0], "%u and %u frames",
              frames[0], frames[1]);
}

/* Two animations, each with a primitive of its own: each plays its own sequences. */
Test(hmd_edges, two_animations)
{
    const edit two = {NULL,
                      "dance: primitive header=@motion\n",
                      "dance: primitive header=@motion next=@more\n",
                      "more: primitive header=@motion\nrecord 0x03800000\n"
                      "sequence section=5 offset=0 start=(glow-control)\n",
                      0,
                      0};
    char *text = edited(&two);
    static char all[1 << 16];
    const char *at = strstr(text, "params:");
    (void)snprintf(all, sizeof all,
                   "%.*sglow: key type=1 tframe=0 param=0\n"
                   "key type=1 tframe=4 param=1\njump to=(glow-control)\n%s",
                   (int)(at - text), text, at);
    char *table = strstr(all, "table 0x03000001");
    static char done[1 << 16];
    (void)snprintf(done, sizeof done, "%.*stable 0x03000001 0x03010110%s", (int)(table - all), all,
                   table + strlen("table 0x03000001"));
    verdict is = judge(done, AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
              record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0298"), 0), "%s", record_codes(&is.run.told));
    judge_end(&is);
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
Test(hmd_edges, lights_by_number)
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
Test(hmd_edges, animations_by_their_sequences)
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
Test(hmd_edges, animation_at_the_end_of_the_bytes)
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
Test(hmd_edges, a_header_of_many_words)
{
    cr_expect(eq(u32,
                 inferred_edit(NULL, "!params !coords !lamp",
                               "!params !coords !lamp !lamp !lamp !lamp !lamp !lamp !lamp !lamp "
                               "!lamp !lamp !lamp !lamp !lamp !lamp",
                               0),
                 0x03000000));
}

/* ---- the largest ---- */

/* As many bytes as an asset may have, and more: what lies behind is none of it. */
Test(hmd_edges, the_largest_asset)
{
    forge_buf file = build_at(dance, AS_FILE);
    uint8_t *bytes = calloc(1, FH_MAX_ASSET_LEN + 64);
    block = malloc(BENCH_ARENA);
    cr_assert(bytes != NULL && block != NULL);
    memcpy(bytes, file.data, file.len);
    for (size_t i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        fh_probe got;
        fh_hmd_format.probe(&got, fh_cursor_make(bytes, FH_MAX_ASSET_LEN + 64 * i, 0), FH_END_NONE,
                            NULL, &arena, &work);
        /* Nothing refers to the three words at its end. */
        cr_expect(got.verdict == FH_ACCEPT && got.length == file.len - 12, "%zu bytes", got.length);
    }
    free(bytes);
    forge_buf_free(&file);
    free(block);
}

/* ---- what else is played ---- */

/* Zeros behind the last word in use belong to a file, and to nothing else. */
Test(hmd_edges, padding_belongs_to_files)
{
    forge_buf file = build(dance);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        record told = {0};
        const fh_sink sink = record_sink(&told);
        const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink};
        const fh_verify_options options = {.aligned = true, .ends_file = i == 1};
        fh_asset asset;
        const void *model = NULL;
        cr_assert(fh_hmd_format.verify(&asset, &model, &env, fh_cursor_make(file.data, file.len, 0),
                                       &options) == FH_OK);
        cr_expect(eq(sz, asset.length, i == 1 ? file.len : file.len - 12));
        record_free(&told);
    }
    forge_buf_free(&file);
    free(block);
}

/* Vertices are changed and put back in a model without coordinates; nobody need watch. */
Test(hmd_edges, morphing_without_coordinates)
{
    verdict is = judge("hmd\nblocks @swell @back\ncoords: coordinates\nheaders\n"
                       "v: header !weights 1 3:0 !shapes !originals !points !normals\n"
                       "r: header 3:0 !shapes !originals !points !normals\n"
                       "swell: primitive header=@v\nrecord 0x04010020 (bulge-shapes)\n"
                       "back: primitive header=@r\nrecord 0x04010028 (sback-shapes)\n"
                       "weights: word 4096\n"
                       "shapes:\nbulge: shape\ndiff 0 (b0-bulge)\nnotify (f+2-shapes)\n"
                       "b0: deltas 0\nvec 0 -20 0\nsback: resets\nf: original 0 0 1\n"
                       "originals: zero 8\npoints: vec 1 2 3\nnormals: vec 0 0 -4096\n",
                       AS_FILE, NULL);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_STILL));
    const int64_t point = (int64_t)(find_word(&is.file, 0x00020001));
    /* x 1 and y 2 - 20 in one word. */
    const int64_t value = record_value(&is.run.told, "morphed_word", point, 0, "value");
    cr_expect(eq(u32, (uint32_t)value, 0xffee0001));
    fh_arena arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    fh_budget work = {BENCH_BUDGET};
    hmd_player player;
    cr_assert(hmd_player_open(&player, model, NULL, &work, &arena) == FH_OK);
    cr_expect(hmd_player_frame(&player) == HMD_PLAY_ON);
    cr_expect(eq(u32, player.image.words[point], 0x00020001));
    judge_end(&is);
}

/* A circle of parents is told and opened: each coordinate still has one place in the world. */
Test(hmd_edges, a_camera_on_a_circle_of_parents)
{
    verdict is = judge("hmd\nblocks @view 0 0 0\ncoords: coordinates\nunit parent=1\n"
                       "there: unit parent=0\nheaders\nfix: header !place !there\n"
                       "view: primitive header=@fix\nrecord 0x07020100\n"
                       "place: camera 1000 0 0 -500 -2000 0 0 0\n",
                       AS_FILE, NULL);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0024"), 1), "%s", record_codes(&is.run.told));
    cr_assert(is.run.model != NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_STILL));
    cr_expect(eq(i32, (int)is.run.asset.grade, FH_GRADE_STRUCTURE));
    for (int64_t unit = 0; unit < 2; unit++) {
        cr_expect(record_has_row(&is.run.told, "world", unit, 0));
    }
    judge_end(&is);
}

/* A sequence that counts blocks up: told, and no row shows what is no data. */
Test(hmd_edges, a_sequence_over_the_head)
{
    const edit over = {NULL, "!coords !lamp", "!coords 0x80000000", 0, 0, 0};
    char *text = edited(&over);
    static char all[1 << 16];
    const char *at = strstr(text, "sequence coord=0 start=(sway-control)");
    (void)snprintf(all, sizeof all, "%.*ssequence section=5 offset=3 start=0%s", (int)(at - text),
                   text, at + strlen("sequence coord=0 start=(sway-control)"));
    char *table = strstr(all, "table 0x03000001");
    memcpy(table, "table 0x03010110", strlen("table 0x03010110"));
    verdict is = judge(all, AS_FILE, NULL);
    cr_expect(record_count(&is.run.told, "HMD0227") >= 1, "%s", record_codes(&is.run.told));
    cr_assert(is.run.model != NULL);
    cr_expect(record_has_row(&is.run.told, "word", 3, 0) == false);
    judge_end(&is);
}

/* Index 0xffff is never found: a key there is the end. */
Test(hmd_edges, the_last_descriptor_is_an_end)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=4 offset=0 start=65533\n"
                       "table: table 0x03010110\ncontrol:\n"
                       "repeat 65537\nkey type=0 tframe=4 param=0\nendrepeat\n"
                       "params: word 5 6\nlamp: word 0 0\nzero 280000\n",
                       AS_FILE, NULL);
    cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0240"), 0), "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
    judge_end(&is);
}

/* Shared polygons whose numbers lead from the calculated elements into the others behind them. */
Test(hmd_edges, numbers_beyond_the_calculated_elements)
{
    verdict is = judge("hmd\nblocks 0 @body @skin\ncoords: coordinates\nunit\nheaders\n"
                       "first: header !faces !points !results !normals !shades !coords\n"
                       "body: primitive header=@first\n"
                       "record 0x01800000 3 0 0 3 0 0\n"
                       "skin: primitive header=@first\nrecord 0x0100000c (faces-faces)\n"
                       "faces: packet 0x00c rgb 1 2 3 n 0 1 4 v 0 1 4\n"
                       "results: zero 24\n"
                       "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                       "shades: zero 24\n"
                       "normals:\nvec 0 0 -4096\nvec 0 0 -4096\nvec 0 0 -4096\n",
                       AS_FILE, NULL);
    /* They stay within what lies one behind the other, but nothing calculates them. */
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0086"), 0), "%s", record_codes(&is.run.told));
    cr_expect(record_count(&is.run.told, "HMD0103") >= 1, "%s", record_codes(&is.run.told));
    judge_end(&is);
}
