/* A motion: the poses of one replay, kept, and how two of them differ.
 *
 * Kept are the rows that a replay shows as changed, which say all: what a row tells of (its first
 * column) stays as it is until the next row of the same table for it. A motion owns all its memory.
 */
#ifndef FH_GATE_MOTION_H
#define FH_GATE_MOTION_H

#include "core/finding.h"
#include "core/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values (of 8 bytes) that are kept of one motion: 32 MiB. Real animations have some ten thousand;
 * a lock of more would be of no use to a person. */
#define FH_MAX_MOTION_VALUES ((size_t)4 << 20)

/* Tables and columns of a motion that is read from a file, and the bytes of their names. */
#define FH_MAX_MOTION_TABLES 16u
#define FH_MAX_MOTION_COLUMNS 64u
#define FH_MOTION_NAME_LEN 32u

typedef struct fh_motion_table {
    const fh_pose_table *origin; /* what a format calls it; NULL: it is from a file */
    char name[FH_MOTION_NAME_LEN];
    size_t num_columns;
    struct {
        char name[FH_MOTION_NAME_LEN];
        fh_column_type type;
    } columns[FH_MAX_MOTION_COLUMNS];
} fh_motion_table;

typedef struct fh_motion_row {
    uint32_t frame; /* index in frames */
    uint32_t table; /* index in tables */
    size_t values;  /* index of the first one */
} fh_motion_row;

typedef struct fh_motion {
    fh_motion_table tables[FH_MAX_MOTION_TABLES];
    size_t num_tables;
    fh_pose_frame *frames;
    size_t num_frames;
    size_t max_frames;
    fh_motion_row *rows;
    size_t num_rows;
    size_t max_rows;
    fh_pose_value *values;
    size_t num_values;
    size_t max_values;
    bool is_too_long; /* more values than are kept, or tables, columns, names too long */
    bool no_memory;
} fh_motion;

/* fh_motion_sink returns a sink that keeps what it gets in motion. Findings are not its business.
 */
fh_sink fh_motion_sink(fh_motion *motion);

/* fh_motion_frame begins a frame; fh_motion_add adds a row of the open frame, with num_columns
 * values. false where it is not kept; why is in motion. */
bool fh_motion_frame(fh_motion *motion, const fh_pose_frame *frame);
bool fh_motion_add(fh_motion *motion, size_t table, const fh_pose_value *values);

void fh_motion_free(fh_motion *motion);

/* A place where two motions differ. */
typedef struct fh_motion_gap {
    const char *table;   /* of one of the motions; "" in a difference of frames */
    const char *channel; /* likewise: the column, or "frames" */
    int64_t frame;       /* index of the frame, or FH_UNKNOWN */
    int64_t thing;       /* what the row tells of: first column */
    const char *row;     /* name of that column, of one of the motions */
    int64_t object;      /* the column "object" where the table has one, else `thing` */
    char was[40];        /* in the first motion; "nothing" where it has no such row */
    char is[40];         /* in the second one */
    double size;         /* how far apart; infinite where it cannot be said */
} fh_motion_gap;

typedef struct fh_motion_diff {
    uint64_t num; /* values that differ, each once for every frame in which either changes */
    fh_motion_gap first;
    fh_motion_gap largest;
    bool no_memory;
} fh_motion_diff;

/* fh_motion_compare compares two motions frame by frame. Values of columns that measure something
 * may be as far apart as tolerance says, in the unit of the column. */
void fh_motion_compare(fh_motion_diff *diff, const fh_motion *was, const fh_motion *is,
                       double tolerance);

#endif
