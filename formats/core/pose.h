/* Poses: what replaying an animation yields, as rows of named columns.
 *
 * A format names its tables (for instance "object" and "light") and their columns once; a row is
 * then an array with one value a column, the first of which says whose row it is. Writers and
 * hashes need to know no more of a format.
 */
#ifndef FH_CORE_POSE_H
#define FH_CORE_POSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fh_column_type {
    FH_COLUMN_NAME, /* an integer that names something, counts or is a flag: near is another one */
    FH_COLUMN_INT,  /* an integer that measures something */
    FH_COLUMN_REAL
} fh_column_type;

/* fh_is_real_column tells which member of a value the column has. */
static inline bool fh_is_real_column(fh_column_type type)
{
    return type == FH_COLUMN_REAL;
}

typedef struct fh_column {
    const char *name; /* lower case, legal as JSON key and CSV heading */
    fh_column_type type;
} fh_column;

typedef struct fh_pose_table {
    const char *name;
    const fh_column *columns;
    size_t num_columns;
} fh_pose_table;

typedef union fh_pose_value {
    int64_t i; /* unless FH_COLUMN_REAL; FH_UNKNOWN where there is none */
    double r;  /* FH_COLUMN_REAL */
} fh_pose_value;

typedef struct fh_pose_frame {
    uint32_t index;  /* position in the file, from 0 */
    uint32_t number; /* what the file calls it */
} fh_pose_frame;

typedef struct fh_pose_row {
    const fh_pose_table *table;
    const fh_pose_value *values; /* table->num_columns of them, borrowed for the call */
} fh_pose_row;

#endif
