/* The sinks: how findings, poses and text leave a decoder.
 *
 * Callbacks get their argument for the duration of the call only. Any of them may be NULL. A sink
 * that fails (a full disk) remembers that itself; decoding goes on.
 */
#ifndef FH_CORE_SINK_H
#define FH_CORE_SINK_H

#include "core/finding.h"
#include "core/pose.h"

#include <stdbool.h>

typedef struct fh_sink {
    void *user;
    void (*finding)(void *user, const fh_finding *finding);
    void (*frame)(void *user, const fh_pose_frame *frame); /* before the rows of each frame */
    void (*pose)(void *user, const fh_pose_row *row);
    bool tells_all; /* findings of a rule are told however many there are */
} fh_sink;

/* Where a text goes, piece by piece; no piece is terminated. */
typedef struct fh_text_sink {
    void *user;
    void (*write)(void *user, const char *text, size_t len);
} fh_text_sink;

#endif
