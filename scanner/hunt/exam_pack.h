/* An examination as bytes: what is to be examined, and what came of it, between two processes of
 * the same program. What comes back is not trusted; see hunt/pack.h.
 */
#ifndef FH_HUNT_EXAM_PACK_H
#define FH_HUNT_EXAM_PACK_H

#include "hunt/exam.h"
#include "hunt/pack.h"

/* What fh_exam_run takes; the bytes travel behind it. Companions and further receivers of poses
 * do not travel. */
typedef struct fh_exam_order {
    const fh_format *format;
    uint64_t origin; /* of the bytes */
    size_t len;
    fh_exam_options options;
    bool has_reserve;
    fh_budget reserve;
} fh_exam_order;

/* fh_exam_put_order appends an order; fh_exam_get_order reads it. false: it is none. Strings lie
 * in the bytes. */
void fh_exam_put_order(fh_packed *out, const fh_exam_order *order);
bool fh_exam_get_order(fh_exam_order *out, fh_cursor in) FH_MUST_USE;

/* fh_exam_put_results appends what an exam has of its last run, and what its reserve has left. */
void fh_exam_put_results(fh_packed *out, const fh_exam *exam);

/* fh_exam_get_results makes an exam as if it had run for that order on these bytes, and books on
 * its reserve. received is taken over in any case. false: it is no result of that order, or there
 * is no memory; the exam has no results then. */
bool fh_exam_get_results(fh_exam *exam, const fh_exam_order *order, fh_cursor bytes,
                         uint8_t *received, size_t len) FH_MUST_USE;

#endif
