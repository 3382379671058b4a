#include "core/shown.h"

#include <assert.h>
#include <string.h>

/* More columns than any table has. */
enum { MOST_COLUMNS = 64 };

void fh_pass_frame(const fh_sink *sink, const fh_pose_frame *frame)
{
    if (sink->frame != NULL) {
        sink->frame(sink->user, frame);
    }
}

void fh_pass_row(const fh_sink *sink, const fh_pose_table *table, const fh_pose_value *values)
{
    const fh_pose_row row = {table, values};
    if (sink->pose != NULL) {
        sink->pose(sink->user, &row);
    }
}

bool fh_same_row(const fh_pose_table *table, const fh_pose_value *a, const fh_pose_value *b)
{
    for (size_t i = 1; i < table->num_columns; i++) {
        if (a[i].i != b[i].i) { /* the bits of a real number */
            return false;
        }
    }
    return true;
}

fh_status fh_shown_make(fh_shown *shown, fh_arena *arena, const fh_sink *sink,
                        const fh_pose_table *table, size_t num, bool changes_only)
{
    assert(table->num_columns >= 1 && table->num_columns <= MOST_COLUMNS);
    *shown = (fh_shown){.sink = sink, .table = table, .changes_only = changes_only};
    shown->rows = fh_arena_alloc(arena, num, table->num_columns * sizeof *shown->rows);
    shown->is_shown = fh_arena_alloc(arena, num, sizeof *shown->is_shown);
    return shown->rows != NULL && shown->is_shown != NULL ? FH_OK : FH_NO_MEMORY;
}

static fh_pose_value *last_row(const fh_shown *shown, size_t index)
{
    return shown->rows + index * shown->table->num_columns;
}

const fh_pose_value *fh_shown_last(const fh_shown *shown, size_t index)
{
    return last_row(shown, index);
}

void fh_shown_row(fh_shown *shown, size_t index, const fh_pose_value *row)
{
    fh_pose_value *last = last_row(shown, index);
    if (shown->changes_only && shown->is_shown[index] && fh_same_row(shown->table, row, last)) {
        return;
    }
    memcpy(last, row, shown->table->num_columns * sizeof *row);
    shown->is_shown[index] = true;
    fh_pass_row(shown->sink, shown->table, row);
}

void fh_shown_gone(fh_shown *shown, size_t index)
{
    fh_pose_value row[MOST_COLUMNS];
    if (!shown->is_shown[index]) {
        return;
    }
    shown->is_shown[index] = false;
    row[0].i = (int64_t)index;
    for (size_t i = 1; i < shown->table->num_columns; i++) {
        row[i].i = FH_UNKNOWN;
    }
    if (shown->changes_only) {
        fh_pass_row(shown->sink, shown->table, row);
    }
}
