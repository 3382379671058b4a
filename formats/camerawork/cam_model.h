/* A camerawork file as a flat table of its rows.
 *
 * Reading and judging are kept apart: cam_line reads a line, cam_walk finds the run of rows that
 * is the asset, cam_verify fills this table; the checks of values and the replay only look at it.
 * Where a column stands is not kept: who wants to tell it reads the row once more. Everything lies
 * in the arena of the candidate. Source of the layout: grammar of ZINDAIJI 0.985.
 */
#ifndef FH_CAM_MODEL_H
#define FH_CAM_MODEL_H

#include "camerawork/cam_rules.h"
#include "core/budget.h"
#include "core/cursor.h"
#include "core/report.h"
#include "core/scan.h"

#include <stdbool.h>

enum {
    CAM_COLUMNS = 25,
    CAM_VALUES = 21,            /* columns that are no integers, in their order */
    CAM_MOST_LINE_UNITS = 4096, /* the longest that the program can write has about 335 */
    CAM_LEAST_ROW_LEN = 50      /* 25 characters, 24 blanks, a line end */
};

/* Rows that are evaluated: more than the longest asset has room for if the program wrote them (of
 * 281 bytes or more each). */
#define CAM_MOST_ROWS 32768u

/* Rows that may be missing in a text that was put together: those of 70 memory pages. */
#define CAM_MOST_MISSING 1024u

/* Columns as the grammar numbers them, from 1. */
enum { CAM_INDEX = 1, CAM_KEY = 2, CAM_POSITION = 3, CAM_ANCHOR_KEY = 12, CAM_STORED = 16 };

/* Where the vectors begin in the values of a row. */
enum {
    CAM_POS = 0,
    CAM_TARGET = 3,
    CAM_TOP = 6,
    CAM_ANCHOR = 9,
    CAM_VEL = 12,
    CAM_TARGET_RATE = 15,
    CAM_TOP_RATE = 18
};

typedef struct cam_row {
    double values[CAM_VALUES];
    uint32_t off;        /* of the line, bytes from the start of the asset */
    uint32_t line;       /* from 0 */
    int32_t index;       /* column 1 */
    uint32_t not_finite; /* bit k: values[k] is none */
    bool is_key;         /* column 2: of the camera */
    bool is_anchor_key;  /* column 12 */
    bool is_stored;      /* column 16: velocities are those of columns 17 to 25 */
    bool is_missing;     /* of a text that was put together: nothing else is known of it; off and
                            line are those of the row behind it */
} cam_row;

typedef struct cam_model {
    fh_cursor bytes; /* the asset alone */
    fh_encoding encoding;
    uint32_t num_rows;
    cam_row *rows;
} cam_model;

/* cam_column_of returns the column (from 1) of a value, cam_value_of the value of a column, or -1
 * for an integer. */
unsigned cam_column_of(unsigned value);
int cam_value_of(unsigned column);

/* cam_column_name returns what a column means: "target y". */
const char *cam_column_name(unsigned column);

/* cam_is_finite tells whether num values from `first` on are numbers. */
bool cam_is_finite(const cam_row *row, unsigned first, unsigned num);

/* cam_camera_counts tells whether all values that the camera of a key is evaluated from are
 * numbers; velocities are not among them where they are not used. */
bool cam_camera_counts(const cam_row *row);

/* What the checks share. */
typedef struct cam_check {
    const cam_model *model;
    fh_reporter *reporter;
    fh_budget *budget;
} cam_check;

/* The style of the scanner. */
extern const fh_scan_style cam_style;

/* cam_put writes a value into a field of a finding. */
void cam_put(char text[FH_EVIDENCE_LEN], fh_value value);

/* cam_tell_row reports something about a column of a row. Column 0 is the row as a whole. */
void cam_tell_row(const cam_check *check, enum cam_rule rule, const char *field, const cam_row *row,
                  unsigned column, fh_value found, fh_value expected);

/* cam_tell_real is cam_tell_row with a real number found: shown with six digits, unit behind. */
void cam_tell_real(const cam_check *check, enum cam_rule rule, const char *field,
                   const cam_row *row, unsigned column, double found, fh_value expected);

/* cam_text_real appends a number in the form d.dddddde+dd, "inf" or "nan". */
void cam_text_real(fh_text *text, double value);

#endif
