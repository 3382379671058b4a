/* Rows of poses on their way to a sink, and those that were shown last.
 *
 * Whoever wants changes only gets a row when it differs from the one that was last shown for the
 * same thing: a slot, a coordinate, a light. The memory of that lies in the arena. The sink is
 * borrowed; what it does not want is not passed on.
 */
#ifndef FH_CORE_SHOWN_H
#define FH_CORE_SHOWN_H

#include "core/arena.h"
#include "core/sink.h"

/* The rows of one table, one for each thing that it tells of. */
typedef struct fh_shown {
    const fh_sink *sink;
    const fh_pose_table *table;
    fh_pose_value *rows; /* of each thing, what was shown last */
    bool *is_shown;
    bool changes_only;
} fh_shown;

/* fh_shown_make begins with nothing shown, for `num` things. FH_NO_MEMORY or FH_OK. */
FH_API fh_status fh_shown_make(fh_shown *shown, fh_arena *arena, const fh_sink *sink,
                               const fh_pose_table *table, size_t num,
                               bool changes_only) FH_MUST_USE;

/* fh_shown_last returns the row of a thing that was shown last. */
FH_API const fh_pose_value *fh_shown_last(const fh_shown *shown, size_t index);

/* fh_shown_row shows a row, unless only changes are wanted and it is the last one. */
FH_API void fh_shown_row(fh_shown *shown, size_t index, const fh_pose_value *row);

/* fh_shown_gone says that a thing is there no more. Where only changes are wanted and it was shown,
 * a row follows in which everything but its number (the first column) is unknown. */
FH_API void fh_shown_gone(fh_shown *shown, size_t index);

/* fh_same_row compares two rows of a table, to the bit, but for the first column: that says whose
 * they are. */
FH_API bool fh_same_row(const fh_pose_table *table, const fh_pose_value *a, const fh_pose_value *b);

/* fh_pass_frame and fh_pass_row hand a frame or a row to the sink if it wants such. */
FH_API void fh_pass_frame(const fh_sink *sink, const fh_pose_frame *frame);
FH_API void fh_pass_row(const fh_sink *sink, const fh_pose_table *table,
                        const fh_pose_value *values);

#endif
