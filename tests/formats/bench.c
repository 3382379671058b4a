#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint32_t dice_next(dice *d)
{
    d->state += 0x9e3779b97f4a7c15u;
    uint64_t z = d->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 16);
}

uint32_t dice_below(dice *d, uint32_t num)
{
    return (uint32_t)(((uint64_t)dice_next(d) * num) >> 32);
}

const uint8_t *at_the_brink(const void *bytes, size_t len)
{
    static uint8_t *brink;
    if (brink == NULL) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *pages =
            mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        HOLD(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0, "two pages");
        brink = pages + page;
    }
    if (len > 0) {
        memcpy(brink - len, bytes, len);
    }
    return brink - len;
}

static void *room_for(void *block, size_t num, size_t *max, size_t len)
{
    if (num < *max) {
        return block;
    }
    *max = *max == 0 ? 64 : 2 * *max;
    block = realloc(block, *max * len);
    HOLD(block != NULL, "the test is out of memory");
    return block;
}

static void on_finding(void *user, const fh_finding *finding)
{
    record *to = user;
    to->findings =
        room_for(to->findings, to->num_findings, &to->max_findings, sizeof *to->findings);
    to->findings[to->num_findings++] = *finding;
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    record *to = user;
    to->frames = room_for(to->frames, to->num_frames, &to->max_frames, sizeof *to->frames);
    to->frames[to->num_frames++] = *frame;
}

static void on_pose(void *user, const fh_pose_row *row)
{
    record *to = user;
    to->poses = room_for(to->poses, to->num_poses, &to->max_poses, sizeof *to->poses);
    pose *at = &to->poses[to->num_poses++];
    HOLD(to->num_frames > 0, "a row comes before its frame");
    HOLD(row->table->num_columns <= MAX_COLUMNS, "more columns than the test has room for");
    *at = (pose){.frame = (uint32_t)to->num_frames - 1, .table = row->table};
    for (size_t i = 0; i < row->table->num_columns; i++) {
        at->values[i] = row->values[i].i;
    }
}

fh_sink record_sink(record *to)
{
    return (fh_sink){to, on_finding, on_frame, on_pose};
}

void record_free(record *of)
{
    free(of->findings);
    free(of->frames);
    free(of->poses);
    *of = (record){0};
}

const char *record_codes(const record *of)
{
    static char buf[4096];
    fh_text text = fh_text_make(buf, sizeof buf);
    for (size_t i = 0; i < of->num_findings; i++) {
        fh_text_str(fh_text_str(&text, i == 0 ? "" : " "), of->findings[i].rule->code + 3);
    }
    return buf;
}

size_t record_count(const record *of, const char *code)
{
    size_t num = 0;
    for (size_t i = 0; i < of->num_findings; i++) {
        num += strcmp(of->findings[i].rule->code, code) == 0 ? 1 : 0;
    }
    return num;
}

const fh_finding *record_find(const record *of, const char *code)
{
    for (size_t i = 0; i < of->num_findings; i++) {
        if (strcmp(of->findings[i].rule->code, code) == 0) {
            return &of->findings[i];
        }
    }
    cr_fatal("no finding %s", code);
    return NULL;
}

static bool same_finding(const fh_finding *a, const fh_finding *b)
{
    return a->rule == b->rule && strcmp(a->field, b->field) == 0 && a->offset == b->offset &&
           a->frame == b->frame && a->frame_number == b->frame_number && a->object == b->object &&
           strcmp(a->found, b->found) == 0 && strcmp(a->expected, b->expected) == 0 &&
           strcmp(a->context, b->context) == 0;
}

bool record_equal(const record *a, const record *b)
{
    if (a->num_findings != b->num_findings || a->num_frames != b->num_frames ||
        a->num_poses != b->num_poses) {
        return false;
    }
    for (size_t i = 0; i < a->num_findings; i++) {
        if (!same_finding(&a->findings[i], &b->findings[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < a->num_poses; i++) {
        if (a->poses[i].frame != b->poses[i].frame || a->poses[i].table != b->poses[i].table ||
            memcmp(a->poses[i].values, b->poses[i].values, sizeof a->poses[i].values) != 0) {
            return false;
        }
    }
    return true;
}

static const pose *last_row(const record *of, const char *table, int64_t key, uint32_t frame)
{
    const pose *found = NULL;
    for (size_t i = 0; i < of->num_poses; i++) {
        const pose *at = &of->poses[i];
        if (at->frame <= frame && at->values[0] == key && strcmp(at->table->name, table) == 0) {
            found = at;
        }
    }
    return found;
}

bool record_has_row(const record *of, const char *table, int64_t key, uint32_t frame)
{
    const pose *row = last_row(of, table, key, frame);
    return row != NULL && row->frame == frame;
}

int64_t record_value(const record *of, const char *table, int64_t key, uint32_t frame,
                     const char *column)
{
    const pose *row = last_row(of, table, key, frame);
    HOLD(row != NULL, "no row of %s for %d", table, (int)key);
    for (size_t i = 0; i < row->table->num_columns; i++) {
        if (strcmp(row->table->columns[i].name, column) == 0) {
            return row->values[i];
        }
    }
    cr_fatal("%s has no column %s", table, column);
    return 0;
}

void bench_open(bench *b)
{
    *b = (bench){.format = fh_format_find("tod"), .block = malloc(BENCH_ARENA)};
    HOLD(b->format != NULL && b->block != NULL, "the test is out of memory");
}

void bench_close(bench *b)
{
    record_free(&b->verify);
    record_free(&b->replay);
    free(b->block);
}

void bench_verify(bench *b, const void *bytes, size_t len, fh_verify_options options)
{
    record_free(&b->verify);
    b->arena = fh_arena_make(b->block, BENCH_ARENA);
    b->budget = (fh_budget){BENCH_BUDGET};
    const fh_sink sink = record_sink(&b->verify);
    const fh_env env = {&b->arena, &b->budget, &sink};
    b->status =
        b->format->verify(&b->asset, &b->model, &env, fh_cursor_make(bytes, len, 0), &options);
}

void bench_replay(bench *b, const fh_replay_options *options)
{
    record_free(&b->replay);
    const fh_sink sink = record_sink(&b->replay);
    const fh_env env = {&b->arena, &b->budget, &sink, b->reserve};
    HOLD(b->model != NULL, "nothing to replay");
    b->replay_status = b->format->replay(&b->result, &env, b->model, options);
}

fh_probe bench_probe(const void *bytes, size_t len, bool at_end)
{
    fh_budget budget = {BENCH_BUDGET};
    fh_probe probe;
    fh_format_find("tod")->probe(&probe, fh_cursor_make(bytes, len, 0), at_end, NULL, NULL,
                                 &budget);
    return probe;
}

forge_tod bench_build(const char *text)
{
    forge_tod tod;
    forge_error err = {.kind = FORGE_OK};
    const bool is_built = forge_tod_text(&tod, &err, text, strlen(text), FORGE_TOD_LIMIT);
    HOLD(is_built, "line %u: %s\n%s", err.line, err.text, text);
    return tod;
}

static void random_packet(forge_tod *tod, dice *d)
{
    static const uint8_t lens[] = {3, 0, 2, 2, 9, 0, 0, 0, 1};
    uint32_t payload[9];
    const uint16_t id = (uint16_t)(1 + dice_below(d, 6));
    const uint8_t type = (uint8_t)dice_below(d, 10);
    uint8_t flag = (uint8_t)dice_below(d, 16);
    for (int i = 0; i < 9; i++) {
        payload[i] = dice_below(d, 3) == 0 ? dice_next(d) : dice_below(d, 8);
    }
    size_t len = type < sizeof lens && lens[type] > 0 ? lens[type] - 1u : dice_below(d, 3);
    if (type == 1) {
        len =
            ((flag & 2) != 0 ? 3u : 0u) + ((flag & 4) != 0 ? 2u : 0u) + ((flag & 8) != 0 ? 3u : 0u);
    } else if (type == 6) {
        len = ((flag & 2) != 0 ? 3u : 0u) + ((flag & 4) != 0 ? 1u : 0u);
    } else if (type == 7) {
        flag = (uint8_t)(flag & 13);
        len = (flag & 1) != 0 ? ((flag & 4) != 0 ? 3u : 0u) + ((flag & 8) != 0 ? 3u : 0u)
                              : ((flag & 4) != 0 ? 6u : 0u) + ((flag & 8) != 0 ? 1u : 0u);
    } else if (type == 8) {
        flag = (uint8_t)(flag & 1);
    }
    forge_tod_packet(tod, id, type, flag, payload, len, NULL);
}

forge_tod bench_random(dice *d)
{
    forge_tod tod;
    forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50, .resolution = (uint16_t)dice_below(d, 5)},
                    1 << 20);
    const uint32_t num = 1 + dice_below(d, 8);
    for (uint32_t i = 0; i < num; i++) {
        forge_tod_frame(&tod, i, NULL);
        for (uint32_t k = dice_below(d, 5); k > 0; k--) {
            random_packet(&tod, d);
        }
    }
    forge_tod_finish(&tod);
    return tod;
}
