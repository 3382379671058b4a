#include "gate/motion.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **block, size_t *max, size_t num, size_t size)
{
    if (num < *max) {
        return true;
    }
    const size_t wanted = *max == 0 ? 64 : 2 * *max;
    void *grown = realloc(*block, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *block = grown;
    *max = wanted;
    return true;
}

static bool keep_name(char out[FH_MOTION_NAME_LEN], const char *name)
{
    const size_t len = strlen(name);
    if (len >= FH_MOTION_NAME_LEN) {
        return false;
    }
    memcpy(out, name, len + 1);
    return true;
}

static bool keep_table(fh_motion *motion, const fh_pose_table *table)
{
    if (motion->num_tables == FH_MAX_MOTION_TABLES || table->num_columns > FH_MAX_MOTION_COLUMNS) {
        return false;
    }
    fh_motion_table *own = &motion->tables[motion->num_tables];
    bool fits = keep_name(own->name, table->name);
    for (size_t i = 0; i < table->num_columns; i++) {
        own->columns[i].type = table->columns[i].type;
        fits = fits && keep_name(own->columns[i].name, table->columns[i].name);
    }
    own->num_columns = table->num_columns;
    own->origin = table;
    motion->num_tables += fits ? 1 : 0;
    return fits;
}

static size_t find_table(const fh_motion *motion, const char *name)
{
    size_t i = 0;
    while (i < motion->num_tables && strcmp(motion->tables[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool fh_motion_frame(fh_motion *motion, const fh_pose_frame *frame)
{
    if (motion->num_frames >= FH_MAX_MOTION_VALUES) {
        motion->is_too_long = true;
        return false;
    }
    void *frames = motion->frames;
    if (!grow(&frames, &motion->max_frames, motion->num_frames, sizeof *motion->frames)) {
        motion->no_memory = true;
        return false;
    }
    motion->frames = frames;
    motion->frames[motion->num_frames++] = *frame;
    return true;
}

bool fh_motion_add(fh_motion *motion, size_t table, const fh_pose_value *values)
{
    const size_t num = motion->tables[table].num_columns;
    void *rows = motion->rows;
    if (motion->num_values + num > FH_MAX_MOTION_VALUES || motion->num_frames == 0) {
        motion->is_too_long = true;
        return false;
    }
    if (!grow(&rows, &motion->max_rows, motion->num_rows, sizeof *motion->rows)) {
        motion->no_memory = true;
        return false;
    }
    motion->rows = rows;
    for (size_t i = 0; i < num; i++) {
        void *kept = motion->values;
        if (!grow(&kept, &motion->max_values, motion->num_values + i, sizeof *values)) {
            motion->no_memory = true;
            return false;
        }
        motion->values = kept;
        motion->values[motion->num_values + i] = values[i];
    }
    motion->rows[motion->num_rows++] =
        (fh_motion_row){(uint32_t)(motion->num_frames - 1), (uint32_t)table, motion->num_values};
    motion->num_values += num;
    return true;
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    fh_motion *motion = user;
    if (!motion->is_too_long && !motion->no_memory) {
        (void)fh_motion_frame(motion, frame);
    }
}

static void on_row(void *user, const fh_pose_row *row)
{
    fh_motion *motion = user;
    if (motion->is_too_long || motion->no_memory) {
        return;
    }
    const size_t table = find_table(motion, row->table->name);
    if (table == motion->num_tables && !keep_table(motion, row->table)) {
        motion->is_too_long = true;
        return;
    }
    (void)fh_motion_add(motion, table, row->values);
}

fh_sink fh_motion_sink(fh_motion *motion)
{
    return (fh_sink){.user = motion, .frame = on_frame, .pose = on_row};
}

void fh_motion_free(fh_motion *motion)
{
    free(motion->frames);
    free(motion->rows);
    free(motion->values);
    *motion = (fh_motion){0};
}
