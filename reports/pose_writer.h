/* Poses, written as text, CSV or JSON.
 *
 * The writer is a sink for the frames and rows of one replay. It holds the rows of one frame, in a
 * table each, and writes them when the next frame begins; its memory is bounded by the largest
 * frame. It owns that memory until fh_pose_writer_end, borrows the FILE and the header until then,
 * and the tables (constants of a format) as well.
 *
 * A number that is not known (FH_UNKNOWN), and a real that is infinite or no number, is null in
 * JSON, an empty field in CSV and "-" in text. Reals have 17 significant digits in JSON and CSV,
 * enough to read the same double back, and a point whatever the locale.
 *
 * text  for people: rows in columns, grouped by frame and table.
 *
 * csv   one kind of line for each table, told apart by the first column:
 *           table,frame,number,slot,id
 *           object,0,0,1,17
 *       A line that begins with "table" names the columns of the table whose first row follows at
 *       once. frame is the index in the file from 0, number what the file calls the frame. A frame
 *       without rows leaves no line.
 *
 * json  one document:
 *           {"path": ..., "format": ..., "evaluator": ..., "frames": [
 *           {"index": 0, "number": 0, "object": [{"slot": 1, "id": 17}]}]}
 *       A table without rows in a frame is not a member of that frame.
 */
#ifndef FH_REPORTS_POSE_WRITER_H
#define FH_REPORTS_POSE_WRITER_H

#include "core/pose.h"
#include "core/sink.h"
#include "reports/out.h"

#include <stdbool.h>

/* More tables than any format has; a row of one more is an error of the writer. */
#define FH_POSE_WRITER_TABLES 16u

typedef enum fh_pose_form { FH_POSE_TEXT = 0, FH_POSE_CSV, FH_POSE_JSON } fh_pose_form;

typedef struct fh_pose_header {
    const char *path;
    const char *format;
    const char *evaluator; /* may be NULL */
} fh_pose_header;

/* Rows of one table in the open frame. */
typedef struct fh_pose_rows {
    const fh_pose_table *table;
    fh_pose_value *values; /* num_rows times table->num_columns, owned */
    size_t num_rows;
    size_t capacity; /* rows */
    bool named;      /* csv: its columns were named */
} fh_pose_rows;

typedef struct fh_pose_writer {
    fh_out out;
    fh_pose_form form;
    bool in_frame;
    uint64_t num_frames;
    fh_pose_frame frame; /* the open one */
    fh_pose_rows rows[FH_POSE_WRITER_TABLES];
    size_t num_tables;
} fh_pose_writer;

/* fh_pose_put_json writes a value as it stands in JSON. */
void fh_pose_put_json(fh_out *out, const fh_column *column, fh_pose_value value);

void fh_pose_writer_begin(fh_pose_writer *writer, FILE *file, fh_pose_form form,
                          const fh_pose_header *header);

/* fh_pose_writer_sink returns a sink that lives as long as the writer stays where it is. Findings
 * are not its business. */
fh_sink fh_pose_writer_sink(fh_pose_writer *writer);

/* fh_pose_writer_end writes what is left, frees the memory and returns 0 or the errno of the first
 * failure: of a write, or ENOMEM. */
int fh_pose_writer_end(fh_pose_writer *writer) FH_MUST_USE;

#endif
