/* How two motions differ. Both are walked frame by frame; what a row told last of each thing is
 * remembered for either motion, and compared where one of them says something new. */
#include "gate/motion.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thing that rows tell of: table (of the first motion, or behind those of the second one) and
 * first column. */
typedef struct thing {
    uint32_t table;
    int64_t id;
} thing;

typedef struct comparison {
    const fh_motion *motions[2];
    size_t next_row[2];
    uint32_t tables[2][FH_MAX_MOTION_TABLES]; /* of each motion, as numbers that both share */
    thing *things;                            /* sorted */
    size_t num_things;
    const fh_motion_row **last[2]; /* what was told last, one a thing; NULL: nothing yet */
    size_t *touched;               /* things that the open frame says something of */
    size_t num_touched;
    uint32_t *touched_in; /* frame + 1 in which it was touched last, one a thing */
    double tolerance;
    fh_motion_diff *diff;
} comparison;

static int by_thing(const void *a, const void *b)
{
    const thing *one = a;
    const thing *other = b;
    if (one->table != other->table) {
        return one->table < other->table ? -1 : 1;
    }
    return (one->id > other->id) - (one->id < other->id);
}

static bool same_columns(const fh_motion_table *a, const fh_motion_table *b)
{
    bool same = a->num_columns == b->num_columns;
    for (size_t i = 0; same && i < a->num_columns; i++) {
        same = a->columns[i].type == b->columns[i].type &&
               strcmp(a->columns[i].name, b->columns[i].name) == 0;
    }
    return same;
}

/* Tables of one name and the same columns are the same; others have nothing in common. */
static void number_tables(comparison *both)
{
    const fh_motion *was = both->motions[0];
    const fh_motion *is = both->motions[1];
    for (uint32_t i = 0; i < was->num_tables; i++) {
        both->tables[0][i] = i;
    }
    for (uint32_t i = 0; i < is->num_tables; i++) {
        both->tables[1][i] = (uint32_t)was->num_tables + i;
        for (uint32_t k = 0; k < was->num_tables; k++) {
            if (strcmp(was->tables[k].name, is->tables[i].name) == 0 &&
                same_columns(&was->tables[k], &is->tables[i])) {
                both->tables[1][i] = k;
            }
        }
    }
}

static thing thing_of(const comparison *both, unsigned side, const fh_motion_row *row)
{
    return (thing){both->tables[side][row->table], both->motions[side]->values[row->values].i};
}

static bool list_things(comparison *both)
{
    size_t num = 0;
    both->things =
        calloc(both->motions[0]->num_rows + both->motions[1]->num_rows + 1, sizeof *both->things);
    if (both->things == NULL) {
        return false;
    }
    for (unsigned side = 0; side < 2; side++) {
        for (size_t i = 0; i < both->motions[side]->num_rows; i++) {
            both->things[num++] = thing_of(both, side, &both->motions[side]->rows[i]);
        }
    }
    qsort(both->things, num, sizeof *both->things, by_thing);
    for (size_t i = 0; i < num; i++) {
        if (i == 0 || by_thing(&both->things[i], &both->things[i - 1]) != 0) {
            both->things[both->num_things++] = both->things[i];
        }
    }
    const size_t room = both->num_things + 1;
    both->last[0] = calloc(room, sizeof(fh_motion_row *));
    both->last[1] = calloc(room, sizeof(fh_motion_row *));
    both->touched = calloc(room, sizeof *both->touched);
    both->touched_in = calloc(room, sizeof *both->touched_in);
    return both->last[0] != NULL && both->last[1] != NULL && both->touched != NULL &&
           both->touched_in != NULL;
}

static void put_value(char out[40], fh_column_type type, const fh_pose_value *value)
{
    if (value == NULL || (!fh_is_real_column(type) && value->i == FH_UNKNOWN)) {
        (void)snprintf(out, 40, "nothing");
    } else if (fh_is_real_column(type)) {
        (void)snprintf(out, 40, "%.17g", value->r);
    } else {
        (void)snprintf(out, 40, "%" PRId64, value->i);
    }
}

/* How far apart two values are; 0 where they are the same, infinite where there is no saying. */
static double distance(fh_column_type type, const fh_pose_value *a, const fh_pose_value *b)
{
    if (a == NULL || b == NULL) {
        return a == b ? 0.0 : INFINITY;
    }
    if (fh_is_real_column(type)) {
        const double apart = fabs(a->r - b->r);
        /* Bit for bit, so that what is no number, or infinite, may be the same as well. */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        return memcmp(&a->r, &b->r, sizeof a->r) == 0 ? 0.0 : isnan(apart) ? INFINITY : apart;
    }
    if (a->i == b->i) {
        return 0.0;
    }
    const bool measures = type == FH_COLUMN_INT && a->i != FH_UNKNOWN && b->i != FH_UNKNOWN;
    return measures ? fabs((double)a->i - (double)b->i) : INFINITY;
}

static bool is_within(const comparison *both, fh_column_type type, double apart)
{
    return apart == 0.0 || (type != FH_COLUMN_NAME && apart <= both->tolerance);
}

static void note(comparison *both, const fh_motion_gap *gap)
{
    fh_motion_diff *diff = both->diff;
    if (diff->num++ == 0) {
        diff->first = *gap;
        diff->largest = *gap;
    } else if (gap->size > diff->largest.size) {
        diff->largest = *gap;
    }
}

static const fh_motion_table *table_of(const comparison *both, const fh_motion_row *const rows[2])
{
    const unsigned side = rows[0] != NULL ? 0 : 1;
    return &both->motions[side]->tables[rows[side]->table];
}

/* What the format calls the thing itself, where its row is not its name. */
static int64_t object_of(const comparison *both, const fh_motion_row *const rows[2],
                         const fh_motion_table *table, size_t index)
{
    const unsigned side = rows[1] != NULL ? 1 : 0;
    for (size_t i = 0; i < table->num_columns; i++) {
        const int64_t id = both->motions[side]->values[rows[side]->values + i].i;
        if (strcmp(table->columns[i].name, "object") == 0 && id != FH_UNKNOWN) {
            return id;
        }
    }
    return both->things[index].id;
}

/* A thing that only one side has differs once and not in each of its columns. */
static void compare_thing(comparison *both, size_t index, uint32_t frame)
{
    const fh_motion_row *const rows[2] = {both->last[0][index], both->last[1][index]};
    const fh_motion_table *table = table_of(both, rows);
    const bool has_both = rows[0] != NULL && rows[1] != NULL;
    const size_t num = has_both ? table->num_columns : 1;
    for (size_t i = has_both && num > 1 ? 1 : 0; i < num; i++) {
        const fh_pose_value *values[2];
        for (unsigned side = 0; side < 2; side++) {
            values[side] =
                rows[side] == NULL ? NULL : &both->motions[side]->values[rows[side]->values + i];
        }
        const fh_column_type type = table->columns[i].type;
        const double apart = distance(type, values[0], values[1]);
        if (is_within(both, type, apart)) {
            continue;
        }
        fh_motion_gap gap = {.table = table->name,
                             .channel = table->columns[i].name,
                             .frame = frame,
                             .thing = both->things[index].id,
                             .row = table->columns[0].name,
                             .object = object_of(both, rows, table, index),
                             .size = apart};
        put_value(gap.was, type, values[0]);
        put_value(gap.is, type, values[1]);
        note(both, &gap);
    }
}

/* Takes the rows of a frame from one side. */
static void take_rows(comparison *both, unsigned side, uint32_t frame)
{
    const fh_motion *motion = both->motions[side];
    for (; both->next_row[side] < motion->num_rows; both->next_row[side]++) {
        const fh_motion_row *row = &motion->rows[both->next_row[side]];
        if (row->frame != frame) {
            return;
        }
        const thing key = thing_of(both, side, row);
        const thing *found =
            bsearch(&key, both->things, both->num_things, sizeof *both->things, by_thing);
        const size_t index = (size_t)(found - both->things);
        both->last[side][index] = row;
        if (both->touched_in[index] != frame + 1) {
            both->touched_in[index] = frame + 1;
            both->touched[both->num_touched++] = index;
        }
    }
}

static void compare_lengths(comparison *both)
{
    const size_t was = both->motions[0]->num_frames;
    const size_t is = both->motions[1]->num_frames;
    fh_motion_gap gap = {
        .table = "", .channel = "frames", .frame = FH_UNKNOWN, .thing = FH_UNKNOWN};
    if (was != is) {
        gap.size = INFINITY;
        (void)snprintf(gap.was, sizeof gap.was, "%zu frames", was);
        (void)snprintf(gap.is, sizeof gap.is, "%zu frames", is);
        note(both, &gap);
    }
}

/* The number of a frame says when it is shown: rows that are the same at another time are another
 * motion. Numbers are no measure of a channel; no tolerance holds for them. */
static void compare_numbers(comparison *both, uint32_t frame)
{
    const uint32_t was = both->motions[0]->frames[frame].number;
    const uint32_t is = both->motions[1]->frames[frame].number;
    fh_motion_gap gap = {
        .table = "", .channel = "frame number", .frame = frame, .thing = FH_UNKNOWN};
    if (was != is) {
        gap.size = fabs((double)was - (double)is);
        (void)snprintf(gap.was, sizeof gap.was, "%" PRIu32, was);
        (void)snprintf(gap.is, sizeof gap.is, "%" PRIu32, is);
        note(both, &gap);
    }
}

void fh_motion_compare(fh_motion_diff *diff, const fh_motion *was, const fh_motion *is,
                       double tolerance)
{
    comparison both = {.motions = {was, is}, .tolerance = tolerance, .diff = diff};
    *diff = (fh_motion_diff){0};
    number_tables(&both);
    if (list_things(&both)) {
        const size_t num = was->num_frames < is->num_frames ? was->num_frames : is->num_frames;
        for (uint32_t frame = 0; frame < num; frame++) {
            both.num_touched = 0;
            compare_numbers(&both, frame);
            take_rows(&both, 0, frame);
            take_rows(&both, 1, frame);
            for (size_t i = 0; i < both.num_touched; i++) {
                compare_thing(&both, both.touched[i], frame);
            }
        }
        compare_lengths(&both);
    } else {
        diff->no_memory = true;
    }
    free(both.things);
    free(both.last[0]);
    free(both.last[1]);
    free(both.touched);
    free(both.touched_in);
}
