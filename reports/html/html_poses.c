#include "html.h"

#include "core/pose.h"
#include "html_limits.h"
#include "reports/escape.h"
#include "reports/pose_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a table in one frame. */
typedef struct rows {
    fh_pose_value *values; /* owned */
    size_t num;
    size_t capacity;
} rows;

typedef struct table {
    const fh_pose_table *table;
    rows now;
    rows before; /* of the last frame that was written */
} table;

typedef struct recorder {
    fh_out out; /* of the frames, into memory */
    table tables[FH_POSE_WRITER_TABLES];
    size_t num_tables;
    bool in_frame;
    bool is_full;
    bool no_memory;
    fh_pose_frame frame;
    uint64_t num_frames;
    uint64_t num_kept;
    uint64_t num_rows; /* of the frames that are kept */
} recorder;

/* Values of the same bits are the same: zero and minus zero, and no numbers, are told apart. */
static bool is_same_row(const table *of, size_t row)
{
    const size_t num = of->table->num_columns;
    return row < of->before.num && memcmp(of->now.values + row * num, of->before.values + row * num,
                                          num * sizeof *of->now.values) == 0;
}

static void put_row(fh_out *out, const fh_pose_table *of, const fh_pose_value *values)
{
    for (size_t i = 0; i < of->num_columns; i++) {
        fh_out_str(out, i == 0 ? "[" : ",");
        fh_pose_put_json(out, &of->columns[i], values[i]);
    }
    fh_out_str(out, "]");
}

static void put_same(fh_out *out, size_t num, bool *is_first)
{
    if (num > 0) {
        fh_out_fmt(out, "%s%zu", *is_first ? "" : ",", num);
        *is_first = false;
    }
}

static void put_table(fh_out *out, const table *of)
{
    size_t num_same = 0;
    bool is_first = true;
    fh_out_str(out, ",[");
    for (size_t row = 0; row < of->now.num; row++) {
        if (is_same_row(of, row)) {
            num_same++;
            continue;
        }
        put_same(out, num_same, &is_first);
        num_same = 0;
        fh_out_str(out, is_first ? "" : ",");
        put_row(out, of->table, of->now.values + row * of->table->num_columns);
        is_first = false;
    }
    put_same(out, num_same, &is_first);
    fh_out_str(out, "]");
}

static uint64_t num_rows_of(const recorder *to)
{
    uint64_t num = 0;
    for (size_t i = 0; i < to->num_tables; i++) {
        num += to->tables[i].now.num;
    }
    return num;
}

/* The frame is written, or, where there is no room for it, taken back: nothing behind it is kept.
 */
static void close_frame(recorder *to)
{
    if (!to->in_frame || to->is_full || to->no_memory) {
        to->in_frame = false;
        return;
    }
    const long start = ftell(to->out.file);
    fh_out_fmt(&to->out, "%s[%" PRIu32, to->num_kept == 0 ? "" : ",\n", to->frame.number);
    for (size_t i = 0; i < to->num_tables; i++) {
        put_table(&to->out, &to->tables[i]);
    }
    fh_out_str(&to->out, "]");
    to->in_frame = false;
    to->num_rows += num_rows_of(to);
    to->is_full = ftell(to->out.file) > FH_HTML_MAX_POSES || to->num_rows > FH_HTML_MAX_ROWS;
    if (to->is_full) {
        to->no_memory = to->no_memory || fseek(to->out.file, start, SEEK_SET) != 0;
        return;
    }
    to->num_kept++;
    for (size_t i = 0; i < to->num_tables; i++) {
        const rows before = to->tables[i].before;
        to->tables[i].before = to->tables[i].now;
        to->tables[i].now = before;
    }
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    recorder *to = user;
    close_frame(to);
    to->frame = *frame;
    to->in_frame = true;
    to->num_frames++;
    for (size_t i = 0; i < to->num_tables; i++) {
        to->tables[i].now.num = 0;
    }
}

static table *table_of(recorder *to, const fh_pose_table *wanted)
{
    for (size_t i = 0; i < to->num_tables; i++) {
        if (strcmp(to->tables[i].table->name, wanted->name) == 0) {
            return &to->tables[i];
        }
    }
    assert(to->num_tables < FH_POSE_WRITER_TABLES); /* more than any format has */
    to->tables[to->num_tables].table = wanted;
    return &to->tables[to->num_tables++];
}

static bool make_room(rows *at, size_t num_columns)
{
    if (at->num < at->capacity) {
        return true;
    }
    const size_t capacity = at->capacity == 0 ? 16 : 2 * at->capacity;
    fh_pose_value *values = reallocarray(at->values, capacity, num_columns * sizeof *values);
    if (values == NULL) {
        return false;
    }
    at->values = values;
    at->capacity = capacity;
    return true;
}

static void on_pose(void *user, const fh_pose_row *row)
{
    recorder *to = user;
    assert(to->in_frame && row->table->num_columns > 0);
    if (to->is_full || to->no_memory) {
        return;
    }
    table *of = table_of(to, row->table);
    const size_t num = row->table->num_columns;
    if (!make_room(&of->now, num)) {
        to->no_memory = true;
        return;
    }
    memcpy(of->now.values + of->now.num * num, row->values, num * sizeof *row->values);
    of->now.num++;
}

static void put_columns(fh_out *out, const recorder *to)
{
    fh_out_str(out, "[");
    for (size_t i = 0; i < to->num_tables; i++) {
        const fh_pose_table *of = to->tables[i].table;
        fh_out_fmt(out, "%s[\"%s\",[", i == 0 ? "" : ",", of->name);
        for (size_t k = 0; k < of->num_columns; k++) {
            fh_out_fmt(out, "%s\"%s\"", k == 0 ? "" : ",", of->columns[k].name);
        }
        fh_out_str(out, "]]");
    }
    fh_out_str(out, "]");
}

static void put_played(fh_out *out, const fh_detail_played *played, const recorder *to)
{
    fh_out_str(out, "{\"status\":");
    fh_escape_script(out, played->status);
    fh_out_str(out, ",\"why\":");
    fh_escape_script(out, played->why);
    fh_out_str(out, ",\"evaluator\":");
    fh_escape_script(out, played->evaluator);
    fh_out_fmt(out, ",\"world\":%s,\"total\":%" PRIu64 ",\"kept\":%" PRIu64,
               played->has_world ? "true" : "false", to->num_frames, to->num_kept);
    fh_out_str(out, ",\"tables\":");
    put_columns(out, to);
    fh_out_str(out, ",\"frames\":[");
}

static void free_recorder(recorder *to)
{
    for (size_t i = 0; i < to->num_tables; i++) {
        free(to->tables[i].now.values);
        free(to->tables[i].before.values);
    }
}

void fh_html_poses(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    char *text = NULL;
    size_t len = 0;
    fh_detail_played played = {0};
    recorder to = {.num_tables = 0};
    if (!fh_out_to_memory(&to.out, &text, &len)) {
        *no_memory = true;
        fh_out_str(out, "null");
        return;
    }
    const fh_sink sink = {.user = &to, .frame = on_frame, .pose = on_pose};
    detail->play(detail->user, &played, &sink);
    close_frame(&to);
    *no_memory = *no_memory || to.no_memory || fh_out_end(&to.out) != 0;
    if (fclose(to.out.file) != 0 || text == NULL) {
        *no_memory = true;
        len = 0;
    }
    put_played(out, &played, &to);
    fh_out_bytes(out, text == NULL ? "" : text, len);
    fh_out_str(out, "]}");
    free(text);
    free_recorder(&to);
}
