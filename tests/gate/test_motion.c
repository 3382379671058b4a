/* Motions: what is kept of a replay, and how two of them differ. */
#include "gate/motion.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const fh_column columns[] = {{"row", FH_COLUMN_NAME},
                                    {"object", FH_COLUMN_NAME},
                                    {"x", FH_COLUMN_INT},
                                    {"angle", FH_COLUMN_REAL}};
static const fh_column others[] = {{"row", FH_COLUMN_NAME},
                                   {"object", FH_COLUMN_NAME},
                                   {"y", FH_COLUMN_INT},
                                   {"angle", FH_COLUMN_REAL}};
static const fh_column reals[] = {{"row", FH_COLUMN_NAME},
                                  {"object", FH_COLUMN_NAME},
                                  {"x", FH_COLUMN_REAL},
                                  {"angle", FH_COLUMN_REAL}};
static const fh_pose_table bones = {"bone", columns, 4};
static const fh_pose_table renamed = {"bone", others, 4};
static const fh_pose_table retyped = {"bone", reals, 4};
static const fh_pose_table shorter = {"bone", columns, 3};
static const fh_pose_table flags = {"flag", columns, 1};

typedef struct row {
    uint32_t frame;
    const fh_pose_table *table; /* NULL: a frame without rows */
    int64_t id;
    int64_t object;
    int64_t x;
    double angle;
} row;

static void put(const fh_sink *sink, const row *at)
{
    const fh_pose_value values[] = {
        {.i = at->id}, {.i = at->object}, {.i = at->x}, {.r = at->angle}};
    const fh_pose_row told = {at->table, values};
    if (at->table != NULL) {
        sink->pose(sink->user, &told);
    }
}

/* Rows with frames that rise from 0 on without a gap. */
static fh_motion *motion_of(const row *rows, size_t num)
{
    fh_motion *motion = calloc(1, sizeof *motion);
    cr_assert(motion != NULL);
    const fh_sink sink = fh_motion_sink(motion);
    for (size_t i = 0; i < num; i++) {
        if (i == 0 || rows[i].frame != rows[i - 1].frame) {
            const fh_pose_frame frame = {rows[i].frame, rows[i].frame + 1};
            sink.frame(sink.user, &frame);
        }
        put(&sink, &rows[i]);
    }
    return motion;
}

static void drop(fh_motion *motion)
{
    fh_motion_free(motion);
    free(motion);
}

/* ---- what differs ---- */

#define FRAME(n)                                                                                   \
    {                                                                                              \
        .frame = (n)                                                                               \
    }
#define BONE(n, id, object, x, angle)                                                              \
    {                                                                                              \
        (n), &bones, (id), (object), (x), (angle)                                                  \
    }

typedef struct sample {
    const char *name;
    row was[3];
    size_t num_was;
    row is[3];
    size_t num_is;
    double tolerance;
    uint64_t num;        /* of differences */
    const char *channel; /* of the first one */
    int64_t object;
    double size; /* of the largest one */
    const char *was_text;
    const char *is_text;
} sample;

static const sample samples[] = {
    {"the same", {BONE(0, 1, 7, 5, 0.5)}, 1, {BONE(0, 1, 7, 5, 0.5)}, 1, .num = 0},
    {"no number is itself", {BONE(0, 1, 7, 5, NAN)}, 1, {BONE(0, 1, 7, 5, NAN)}, 1, .num = 0},
    {"no number and one",
     {BONE(0, 1, 7, 5, NAN)},
     1,
     {BONE(0, 1, 7, 5, 0.5)},
     1,
     9,
     1,
     "angle",
     7,
     INFINITY,
     "nan",
     "0.5"},
    {"a measure", {BONE(0, 1, 7, 5, 0)}, 1, {BONE(0, 1, 7, 8, 0)}, 1, 0, 1, "x", 7, 3, "5", "8"},
    {"a measure within", {BONE(0, 1, 7, 5, 0)}, 1, {BONE(0, 1, 7, 8, 0)}, 1, 3, .num = 0},
    {"a measure that is gone",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {BONE(0, 1, 7, FH_UNKNOWN, 0)},
     1,
     9,
     1,
     "x",
     7,
     INFINITY,
     "5",
     "nothing"},
    {"a measure that is new",
     {BONE(0, 1, 7, FH_UNKNOWN, 0)},
     1,
     {BONE(0, 1, 7, 5, 0)},
     1,
     9,
     1,
     "x",
     7,
     INFINITY,
     "nothing",
     "5"},
    {"a name is not near",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {BONE(0, 1, 8, 5, 0)},
     1,
     9,
     1,
     "object",
     8,
     INFINITY,
     "7",
     "8"},
    {"no object",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {BONE(0, 1, FH_UNKNOWN, 5, 0)},
     1,
     9,
     1,
     "object",
     1,
     INFINITY,
     "7",
     "nothing"},
    {"a row that is new",
     {FRAME(0)},
     1,
     {BONE(0, 1, 7, 5, 0)},
     1,
     9,
     1,
     "row",
     7,
     INFINITY,
     "nothing",
     "1"},
    {"a row that is gone",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {FRAME(0)},
     1,
     9,
     1,
     "row",
     7,
     INFINITY,
     "1",
     "nothing"},
    {"the largest is not the first",
     {BONE(0, 1, 7, 5, 0), BONE(1, 1, 7, 5, 0), BONE(2, 1, 7, 5, 0)},
     3,
     {BONE(0, 1, 7, 6, 0), BONE(1, 1, 7, 9, 0), BONE(2, 1, 7, 7, 0)},
     3,
     0,
     3,
     "x",
     7,
     4,
     "5",
     "6"},
    {"a frame more",
     {FRAME(0)},
     1,
     {FRAME(0), FRAME(1)},
     2,
     9,
     1,
     "frames",
     0,
     INFINITY,
     "1 frames",
     "2 frames"},
    {"another number", {FRAME(0)}, 1, {FRAME(4)}, 1, 9, 1, "frame number", 0, 4, "1", "5"},
    {"rows of one column",
     {{0, &flags, 3, 0, 0, 0}},
     1,
     {{0, &flags, 3, 0, 0, 0}, {0, &flags, 4, 0, 0, 0}},
     2,
     0,
     1,
     "row",
     4,
     INFINITY,
     "nothing",
     "4"},
    /* Tables of one name that are not the same have no rows in common. */
    {"a column less",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {{0, &shorter, 1, 7, 5, 0}},
     1,
     9,
     2,
     "row",
     7,
     INFINITY,
     "1",
     "nothing"},
    {"another name",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {{0, &renamed, 1, 7, 5, 0}},
     1,
     9,
     2,
     "row",
     7,
     INFINITY,
     "1",
     "nothing"},
    {"another type",
     {BONE(0, 1, 7, 5, 0)},
     1,
     {{0, &retyped, 1, 7, 5, 0}},
     1,
     9,
     2,
     "row",
     7,
     INFINITY,
     "1",
     "nothing"},
};

static void check_sample(const sample *at)
{
    fh_motion *was = motion_of(at->was, at->num_was);
    fh_motion *is = motion_of(at->is, at->num_is);
    fh_motion_diff diff;
    fh_motion_compare(&diff, was, is, at->tolerance);
    cr_expect(diff.num == at->num && !diff.no_memory, "%s: %lu", at->name, (unsigned long)diff.num);
    if (at->num > 0 && diff.num > 0) {
        cr_expect_str_eq(diff.first.channel, at->channel, "%s: %s", at->name, diff.first.channel);
        cr_expect_str_eq(diff.first.was, at->was_text, "%s: %s", at->name, diff.first.was);
        cr_expect_str_eq(diff.first.is, at->is_text, "%s: %s", at->name, diff.first.is);
        cr_expect(diff.first.thing == FH_UNKNOWN || diff.first.object == at->object, "%s: %ld",
                  at->name, (long)diff.first.object);
        cr_expect(diff.largest.size >= at->size && diff.largest.size <= at->size, "%s: %f",
                  at->name, diff.largest.size);
    }
    drop(was);
    drop(is);
}

Test(motion, differs_where_it_says)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        check_sample(&samples[i]);
    }
}

/* ---- what is not kept ---- */

static const fh_column long_names[] = {{"a_name_that_is_longer_than_any_column", FH_COLUMN_INT},
                                       {"x", FH_COLUMN_INT}};
static const fh_pose_table long_table = {"a_table_with_a_name_of_33_letters", columns, 1};
static const fh_pose_table long_column = {"bone", long_names, 2};
static const fh_pose_table wide = {"wide", columns, FH_MAX_MOTION_COLUMNS + 1};

/* A motion that is cut would be another one: nothing is kept behind what does not fit. */
Test(motion, what_does_not_fit_ends_it)
{
    const fh_pose_table *const tables[] = {&long_table, &long_column, &wide};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const row rows[] = {FRAME(0), {0, tables[i], 1, 2, 3, 4}, {1, &bones, 1, 2, 3, 4}};
        fh_motion *motion = motion_of(rows, 3);
        cr_expect(motion->is_too_long, "%zu", i);
        cr_expect(eq(sz, motion->num_rows, 0));
        cr_expect(eq(sz, motion->num_frames, 1));
        cr_expect(eq(sz, motion->num_tables, 0));
        drop(motion);
    }
}

Test(motion, has_so_many_tables)
{
    static char names[FH_MAX_MOTION_TABLES + 1][4];
    fh_motion *motion = calloc(1, sizeof *motion);
    cr_assert(motion != NULL);
    const fh_sink sink = fh_motion_sink(motion);
    const fh_pose_frame frame = {0, 0};
    sink.frame(sink.user, &frame);
    for (unsigned i = 0; i <= FH_MAX_MOTION_TABLES; i++) {
        cr_expect(not(motion->is_too_long));
        names[i][0] = 't';
        names[i][1] = (char)('a' + i);
        const fh_pose_table table = {names[i], columns, 4};
        put(&sink, &(row){0, &table, 1, 2, 3, 4});
    }
    cr_expect(motion->is_too_long);
    cr_expect(eq(sz, motion->num_tables, FH_MAX_MOTION_TABLES));
    cr_expect(eq(sz, motion->num_rows, FH_MAX_MOTION_TABLES));
    drop(motion);
}

/* Rows stand in frames. */
Test(motion, a_row_wants_a_frame)
{
    fh_motion *motion = calloc(1, sizeof *motion);
    cr_assert(motion != NULL);
    const fh_sink sink = fh_motion_sink(motion);
    put(&sink, &(row)BONE(0, 1, 2, 3, 4));
    cr_expect(motion->is_too_long);
    cr_expect(eq(sz, motion->num_rows, 0));
    drop(motion);
}

/* So long that the counts alone are looked at: nothing of it is read. */
Test(motion, is_so_long_at_most)
{
    const fh_pose_value values[4] = {{.i = 1}};
    const row rows[] = {BONE(0, 1, 2, 3, 4)};
    fh_motion *motion = motion_of(rows, 1);
    const size_t num = motion->num_values;
    motion->num_values = FH_MAX_MOTION_VALUES - 3;
    cr_expect(not(fh_motion_add(motion, 0, values)));
    cr_expect(motion->is_too_long);
    motion->num_values = num;
    motion->is_too_long = false;
    motion->num_frames = FH_MAX_MOTION_VALUES;
    const fh_pose_frame frame = {0, 0};
    cr_expect(not(fh_motion_frame(motion, &frame)));
    cr_expect(motion->is_too_long);
    drop(motion);
}
