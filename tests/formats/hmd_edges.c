#include "hmd_edges.h"

#include "hmd/hmd.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {0};
    cr_assert(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s",
              err.line, err.text);
    return out;
}

/* A description as it is in memory at a stage, or AS_FILE. */
forge_buf build_at(const char *text, unsigned stage)
{
    forge_buf out = build(text);
    forge_error err = {0};
    const forge_hmd_memory memory = {.base = BASE, .stage = (forge_hmd_stage)stage};
    cr_assert(stage == AS_FILE || forge_hmd_map(out.data, &err, out.len, &memory), "%s", err.text);
    return out;
}

char *load(const char *name)
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

uint32_t get(const forge_buf *file, size_t word)
{
    const uint8_t *at = file->data + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void put(forge_buf *file, size_t word, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        file->data[4 * word + i] = (uint8_t)(value >> (8 * i));
    }
}

size_t find_word(const forge_buf *file, uint32_t value)
{
    size_t word = 0;
    while (word < file->len / 4 && get(file, word) != value) {
        word++;
    }
    cr_assert(word < file->len / 4, "no word is 0x%x", value);
    return word;
}

/* ---- runs ---- */

void *block;

/* Verifies, and replays what can be replayed, with so much work and memory. */
void do_run(run *out, const forge_buf *file, uint64_t budget, size_t memory)
{
    *out = (run){.replay_status = FH_OK};
    fh_arena arena = fh_arena_make(block, memory);
    fh_budget work = {budget};
    const fh_sink sink = record_sink(&out->told);
    fh_budget nothing = {0};
    const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink, .reserve = &nothing};
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

/* ---- one place ---- */

const char *const dance = "hmd\n"
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

char *edited(const edit *what)
{
    static char text[1 << 16];
    const char *base = what->file == NULL ? dance : load(what->file);
    const char *at = strstr(base, what->from);
    cr_assert(at != NULL, "%s has no '%s'", what->file == NULL ? "dance" : what->file, what->from);
    (void)snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - base), base, what->to,
                   at + strlen(what->from), what->tail != NULL ? what->tail : "");
    return text;
}

void hold_edit(const edit *what)
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

/* Whatever the word says: the answer lies inside the bytes, and if more may follow, what is asked
 * for is more than there is. */
void hold_word(const char *name, const forge_buf *file, size_t word)
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

/* ---- memory ---- */

verdict judge(const char *text, unsigned stage, void (*change)(forge_buf *file))
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

void judge_end(verdict *of)
{
    record_free(&of->run.told);
    forge_buf_free(&of->file);
    free(block);
}
