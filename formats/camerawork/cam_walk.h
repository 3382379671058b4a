/* The run of rows that an asset is.
 *
 * The same walk serves the search and the decoder. It takes rows as long as each has the index
 * behind that of the row before. A line that carries the right index but is no row is the asset's
 * tail: it is cut or damaged, belongs to the asset and ends it. Anything else is not the asset's.
 *
 * A search looks for the first characters of row 0, "0 0 " or "0 1 " (or TABs), at every offset.
 * They also stand within rows and within other text, and a probe cannot look back for the line end
 * in front. That there are two rows with indices 0 and 1, each with 25 columns, whole tokens, and 0
 * or 1 in three places, is what makes a find one; elsewhere than at the start of a source the first
 * number must have the form that the program writes. At its start any form will do (the sheet
 * accepts all decimal numbers in a file of its own), but whole numbers, and a single row, are too
 * little among other lines: they must begin with row 0, and be all that there is but for blank
 * lines and NUL bytes. A single row of whole numbers could be anything, and is camerawork only
 * where it is asked to be.
 */
#ifndef FH_CAM_WALK_H
#define FH_CAM_WALK_H

#include "camerawork/cam_line.h"
#include "core/format.h"

typedef enum cam_step {
    CAM_STEP_ROW, /* line is a row of the asset */
    CAM_STEP_BAD, /* line is one of a joined text that is no row */
    CAM_STEP_END, /* the asset is over; line is valid if has_line, and is its tail if has_tail */
    CAM_STEP_MORE /* more bytes may come, and it hangs on them */
} cam_step;

typedef struct cam_walk {
    cam_text text;
    bool at_end;    /* nothing follows the bytes */
    bool is_joined; /* put together from parts: lines may be damaged, rows may be missing */
    bool is_inside; /* the bytes do not begin where their source does */
    bool is_named;  /* a file that is said to be camerawork: numbers may have any form */
    uint32_t num_rows;
    int32_t first_index;
    int64_t next_index;
    uint32_t num_missing; /* rows of a joined text that are not there */
    size_t end;           /* of the asset */
    bool is_over;
    bool has_line;  /* what ended the walk is a line, not the end of the bytes */
    bool has_tail;  /* that line is the asset's tail */
    bool is_open;   /* the last row, or the tail, has no line end */
    bool has_forms; /* some number of the first row has a point or an exponent */
    bool is_plain;  /* the first number of the first row is as the program writes it */
    bool is_finite; /* that number is one, in whatever form */
    bool is_all;    /* the rows could be alone, and nothing follows them as far as is known */
    bool is_limit;  /* the budget is spent */
    uint32_t evidence;
    cam_line line; /* read last */
} cam_walk;

/* cam_walk_begin starts at bytes.pos 0. A joined text, or a named file, is said to be one
 * afterwards.
 */
void cam_walk_begin(cam_walk *walk, fh_cursor bytes, bool at_end, fh_budget *budget);

/* cam_walk_step reads the next line. */
cam_step cam_walk_step(cam_walk *walk);

/* cam_walk_is_enough tells, after the end, whether the rows are an asset: two, or one alone in a
 * source. */
bool cam_walk_is_enough(const cam_walk *walk);

/* cam_walk_fault returns what keeps the rows from being one, and where. */
enum cam_rule cam_walk_fault(const cam_walk *walk, size_t *off);

/* cam_probe is the probe of the format. */
void cam_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget);

#endif
