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
