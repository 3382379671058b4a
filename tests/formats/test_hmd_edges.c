/* HMD at its edges: every budget and every size of memory, of files and of what they become in
 * memory; and single words that decide alone.
 */
#include "hmd_edges.h"

#include "hmd/hmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const good[] = {
    "good-ground.forge",  "good-mime.forge",   "good-animation.forge", "good-images.forge",
    "good-devices.forge", "good-shared.forge", "good-envmap.forge"};
#define NUM_GOOD (sizeof good / sizeof good[0])

/* What differs: types are gone; parents are addresses as well; a file. */
static const unsigned stages[] = {FORGE_HMD_SCANNED, FORGE_HMD_COORDINATES, AS_FILE};
#define NUM_STAGES (sizeof stages / sizeof stages[0])

/* ---- too little of everything ---- */

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

/* With less work it is played for fewer frames, and tells how many. */
static bool is_shortened(const fh_finding *what)
{
    return strcmp(what->rule->code, "HMD0288") == 0 && strstr(what->found, " are played") != NULL;
}

static bool is_limit(const fh_finding *what)
{
    return is_shortened(what) || strcmp(what->rule->code, "HMD0297") == 0 ||
           strcmp(what->rule->code, "HMD0289") == 0 ||
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
    const bool is_short = record_count(&less->told, "HMD0288") > 0 &&
                          is_shortened(record_find(&less->told, "HMD0288"));
    HOLD(is_cut_short || (less->result.state == whole->result.state &&
                          (is_short ? less->result.frames < whole->result.frames
                                    : less->result.frames == whole->result.frames)),
         "%s with %u: replay ends in %d", name, (unsigned)how, (int)less->result.state);
}

/* At most so many of each; all of them where much is guessed, where joints are put back, and of
 * what is small. */
enum { MOST_RUNS = 400, ALL_RUNS = 5000 };

static uint64_t most_of(const char *name, unsigned stage)
{
    const bool is_guessed = strcmp(name, "good-mime.forge") == 0 && stage == FORGE_HMD_SCANNED;
    const bool is_file = strchr(name, '.') != NULL;
    return is_guessed || !is_file || strcmp(name, "HMD0132-order.bad.forge") == 0 ? ALL_RUNS
                                                                                  : MOST_RUNS;
}

static void hold_all(const char *name, unsigned stage, const forge_buf *file)
{
    run whole;
    run less;
    do_run(&whole, file, BENCH_BUDGET, BENCH_ARENA);
    const uint64_t step = whole.spent / most_of(name, stage) + 1;
    for (uint64_t budget = 0; budget < whole.spent; budget += step) {
        do_run(&less, file, budget, BENCH_ARENA);
        hold_less(&whole, &less, true, name, budget);
        record_free(&less.told);
    }
    const uint64_t replay_step = whole.spent_on_replay / most_of(name, stage) + 1;
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
            hold_all(good[i], stage, &file);
            forge_buf_free(&file);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        forge_buf file = build(load(bad[i]));
        hold_all(bad[i], AS_FILE, &file);
        forge_buf_free(&file);
    }
    free(block);
}

/* What is paid for in few places only: a second section of vertices behind the first, the way from
 * a key to itself, a camera on what a joint moved after the world was seen. */
static const struct {
    const char *name, *text;
    unsigned stage;
} small[] = {
    {"two sections",
     "hmd\nblocks 0 @body @skin\ncoords: coordinates\nunit\nheaders\n"
     "first: header !faces !points !normals !coords\n"
     "second: header !sides !more !normals !coords\n"
     "body: primitive header=@first\nrecord 0x00800008 (faces-faces)\n"
     "skin: primitive header=@second\nrecord 0x00800008 (sides-sides)\n"
     "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
     "more:\nvec -200 0 0\nvec 200 0 0\nvec 0 -200 0\n"
     "normals:\nvec 0 0 -4096\n"
     "faces: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
     "sides: packet 0x008 rgb 0 255 0 n 0 v 0 1 2\n",
     FORGE_HMD_SCANNED},
    {"itself",
     "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
     "motion: header * !table !control !params !coords\n"
     "dance: primitive header=@motion\nrecord 0x03800000\nsequence coord=0 start=0\n"
     "table: table 0x03000001\ncontrol:\nkey type=0 tframe=0 param=0\n"
     "on: key type=0 tframe=4 param=0\nwork p2=0\njump to=(on-control)\n"
     "params: value 0x03000001 t 0 0 1000\n",
     AS_FILE},
    {"moved",
     "hmd\nblocks @bend 0 0 0\ncoords: coordinates\nunit t 0 0 1000\n"
     "there: unit rot 0 256 0 t 0 100 0 parent=0\nheaders\n"
     "by_angles: header !coords !weights 1 2:0 !joints\nfix: header !place !there\n"
     "bend: primitive header=@by_angles next=@view\nrecord 0x04010011 (wrist-joints)\n"
     "view: primitive header=@fix\nrecord 0x07020100\n"
     "weights: word 4096\njoints:\nwrist: joint 1\ndelta 0 dv 0 300 0\nreset rpy\n"
     "place: camera 1000 0 0 -500 -2000 0 0 0\n",
     AS_FILE},
    {"types of a table that are lost",
     "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
     "motion: header * !table !control !params !coords\n"
     "dance: primitive header=@motion\nrecord 0x03800000\nsequence coord=0 start=0\n"
     "table: table 0x03000001 0x03000002\ncontrol:\nkey type=0 tframe=4 param=0\n"
     "work p2=0\njump to=0\nparams: value 0x03000001 t 0 0 1000\n",
     FORGE_HMD_SCANNED},
    {"three enter a round",
     "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
     "motion: header * !table !control !params !coords\n"
     "dance: primitive header=@motion\nrecord 0x03800000\n"
     "sequence coord=0 start=(a-control)\nsequence coord=0 start=(b-control)\n"
     "sequence coord=0 start=(c-control)\n"
     "table: table 0x03000001\ncontrol:\na: key type=0 tframe=4 param=0\n"
     "b: key type=0 tframe=4 param=3\nc: key type=0 tframe=4 param=0\n"
     "jump to=(a-control)\n"
     "params: value 0x03000001 t 0 0 1000\nvalue 0x03000001 t 0 0 500\n",
     AS_FILE},
    {"forwards by odd steps",
     "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
     "motion: header * !table !control !params !coords\n"
     "dance: primitive header=@motion\nrecord 0x03800000\n"
     "sequence coord=0 speed=7 start=0\n"
     "table: table 0x03000001\ncontrol:\nkey type=0 tframe=4 param=0\n"
     "on: key type=0 tframe=4 param=3\nkey type=0 tframe=3 param=0\njump to=(on-control)\n"
     "params: value 0x03000001 t 0 0 1000\nvalue 0x03000001 t 0 0 500\n",
     AS_FILE},
    {"backwards by odd steps",
     "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
     "motion: header * !table !control !params !coords\n"
     "dance: primitive header=@motion\nrecord 0x03800000\n"
     "sequence coord=0 speed=-7 ci=3 start=(last-control)\n"
     "table: table 0x03000001\ncontrol:\njump to=(last-control)\n"
     "key type=0 tframe=4 param=0\nkey type=0 tframe=4 param=3\n"
     "last: key type=0 tframe=3 param=0\nend\n"
     "params: value 0x03000001 t 0 0 1000\nvalue 0x03000001 t 0 0 500\n",
     AS_FILE},
};

Test(hmd_edges, every_single_budget)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        forge_buf file = build_at(small[i].text, small[i].stage);
        hold_all(small[i].name, small[i].stage, &file);
        forge_buf_free(&file);
    }
    free(block);
}

/* So many coordinates that each hang on the next one that not all of them are named. */
enum { NUM_ROUND = 40 };

Test(hmd_edges, every_budget_of_a_circle)
{
    char text[4096] = "hmd\nblocks 0";
    for (unsigned i = 0; i < NUM_ROUND; i++) {
        (void)strcat(text, i == 0 ? " @model" : " 0");
    }
    (void)strcat(text, " 0\ncoords: coordinates\n");
    for (unsigned i = 0; i < NUM_ROUND; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "unit parent=%u\n",
                       (i + 1) % NUM_ROUND);
    }
    (void)strcat(text, "headers\nlit: header !polygons !vertices !normals !coords\n"
                       "model: primitive header=@lit\nrecord 0x00800008 (front-polygons)\n"
                       "polygons:\nfront: packet 0x008 rgb 200 40 40 n 0 v 0 1 2\n"
                       "vertices:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                       "normals:\nvec 0 0 -4096\n");
    forge_buf file = build(text);
    run whole;
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    do_run(&whole, &file, BENCH_BUDGET, BENCH_ARENA);
    cr_expect(eq(sz, record_count(&whole.told, "HMD0024"), 1), "%s", record_codes(&whole.told));
    record_free(&whole.told);
    hold_all("circle", AS_FILE, &file);
    forge_buf_free(&file);
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
static void hold_prefixes(const char *name, const char *text, unsigned stage)
{
    forge_buf file = build_at(text, stage);
    for (size_t len = 0; len <= file.len; len++) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        fh_probe got;
        fh_hmd_format.probe(&got, fh_cursor_make(file.data, len, 0), FH_END_NONE, NULL, &arena,
                            &work);
        HOLD(got.verdict != FH_REJECT, "%s, stage %u, %zu bytes: %s at %zu", name, stage, len,
             got.rule->code, got.reject_off);
        HOLD(got.verdict == FH_MORE ? got.length > len : got.length <= len,
             "%s, stage %u: %zu of %zu bytes", name, stage, got.length, len);
        if (len % 8 == 4) {
            hold_cut_off(name, &file, len);
        }
    }
    forge_buf_free(&file);
}

Test(hmd_edges, no_prefix_of_a_sound_file_is_rejected)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t s = 0; s < NUM_STAGES; s++) {
        for (size_t i = 0; i < NUM_GOOD; i++) {
            hold_prefixes(good[i], load(good[i]), stages[s]);
        }
        hold_prefixes("dance", dance, stages[s]);
    }
    free(block);
}

/* ---- one word of a sound file ---- */

/* Each word becomes a sixth of the values, and its neighbours others: EDGES_EACH is for all. */
Test(hmd_edges, every_word_of_a_sound_file)
{
    const size_t step = getenv("EDGES_EACH") == NULL ? 6 : 1;
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
                for (size_t k = word % step; k < sizeof values / sizeof values[0]; k += step) {
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

static void hold_edits(const edit *edits, size_t num)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < num; i++) {
        hold_edit(&edits[i]);
    }
    free(block);
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
        /* A pre-calculation writes over packets: told of what writes. */
        {"good-shared.forge", "!vertices !points !normals !shades !coords",
         "!vertices !p00000c !normals !shades !coords", 0, "HMD0102", NULL},
        {"good-shared.forge", "!vertices !points !normals !shades !coords",
         "!vertices !p00000c !normals !shades !coords", 0, "-HMD0087", NULL},
    };
    hold_edits(edits, sizeof edits / sizeof edits[0]);
}

Test(hmd_edges, one_place_of_an_animation_decides)
{
    static const edit edits[] = {
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
    };
    hold_edits(edits, sizeof edits / sizeof edits[0]);
}

Test(hmd_edges, sizes_are_held_against_what_drivers_read)
{
    static const edit edits[] = {
        {"good-mime.forge", "record 0x04010010 (elbow-joints)",
         "record 0x04010010 (elbow-joints) count=2", 0, "HMD0073", "at least 3"},
        {"good-mime.forge", "record 0x04010010 (elbow-joints)",
         "record 0x04010010 (elbow-joints) count=0", 0, "HMD0134", "1"},
        {"good-ground.forge", "record 0x05000001", "record 0x05000001 size=3", 0, "HMD0073", "4"},
        {"good-ground.forge", "record 0x05000001", "record 0x05000001 size=3", 0, "-HMD0064", NULL},
    };
    hold_edits(edits, sizeof edits / sizeof edits[0]);
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

/* The last thing in use ends 12 bytes before the longest asset does, and all that is there are
 * zeros: while more bytes may follow they are waited for, if an asset can have them. */
Test(hmd_edges, padding_up_to_the_longest_asset)
{
    char text[1024];
    const char *const base = "hmd\nblocks 0 @body\ncoords: coordinates\nunit\nheaders\n"
                             "lit: header !faces !points !normals !coords\n"
                             "body: primitive header=@lit\nrecord 0x00800008 (faces-faces)\n"
                             "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                             "normals:\nvec 0 0 -4096\nzero %u\n"
                             "faces: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\nzero 12\n";
    (void)snprintf(text, sizeof text, base, 4u);
    forge_buf file = build(text);
    const uint32_t gap = (uint32_t)(FH_MAX_ASSET_LEN - file.len);
    forge_buf_free(&file);
    (void)snprintf(text, sizeof text, base, 4 + gap);
    file = build(text);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL && file.len == FH_MAX_ASSET_LEN);
    for (size_t cut = 0; cut <= 4; cut += 4) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        fh_probe got;
        fh_hmd_format.probe(&got, fh_cursor_make(file.data, file.len - cut, 0), FH_END_NONE, NULL,
                            &arena, &work);
        cr_expect(eq(i32, (int)got.verdict, cut == 0 ? FH_ACCEPT : FH_MORE));
        cr_expect(eq(sz, got.length, cut == 0 ? file.len - 12 : file.len - cut + 1));
    }
    forge_buf_free(&file);
    free(block);
}
