/* The repair of one file in memory: the edits that its format is certain of are made, and what
 * comes out is judged again before it counts.
 *
 * A repair is kept only if the structure of the whole then holds, if the findings it is for are
 * gone, if nothing as bad is found that was not found before, and if the motion is the same, unless
 * the damage itself may have changed it. The edits of all rules of one severity are tried together,
 * errors first, and one rule at a time where that does not do. An fh_repair is used again and
 * again; its memory belongs to it until fh_repair_free.
 */
#ifndef FH_HUNT_REPAIR_H
#define FH_HUNT_REPAIR_H

#include "hunt/exam.h"

/* Bytes that were changed, of the same number before and after. */
typedef struct fh_change {
    size_t off;
    size_t len;
    const fh_rule *rule;
    const char *field;
} fh_change;

/* Why a rule was not mended. */
typedef enum fh_refusal {
    FH_REFUSED_NOT = 0,
    FH_REFUSED_UNTOLD, /* other findings hide it, if it is one */
    FH_REFUSED_BROKEN, /* what comes out is no asset whose structure holds */
    FH_REFUSED_STAYS,  /* its findings would stay */
    FH_REFUSED_NEW,    /* another rule would be broken: see `other` */
    FH_REFUSED_MOTION, /* the motion would change */
    FH_REFUSED_LIMIT   /* the result would take too much work or room to judge */
} fh_refusal;

/* What became of a rule of the format. */
typedef struct fh_mended {
    const fh_rule *rule;
    uint32_t num_edits; /* that were made */
    fh_refusal refusal;
    const fh_rule *other;
} fh_mended;

typedef enum fh_repair_status {
    FH_REPAIR_OK = 0,
    FH_REPAIR_LIMIT, /* a limit stopped the search for repairs; those that were made hold */
    FH_REPAIR_NO_MEMORY
} fh_repair_status;

typedef struct fh_repair {
    /* Results of the last run. */
    uint8_t *bytes; /* owned; as they were given if nothing was mended */
    size_t len;
    bool is_changed;
    bool is_same_len;  /* nothing moved: every change has the offset that it had in the file */
    bool has_moved;    /* the motion is another one than before */
    bool plays_now;    /* it could not be replayed before, and now it can */
    fh_mended *mended; /* owned, one for each rule that the format mends, in its order */
    size_t num_mended;
    fh_change *changes; /* owned, in the order in which they were made */
    size_t num_changes;

    /* Private. */
    size_t max_changes, max_mended;
    fh_exam exam;
    struct fh_repair_edit *edits;
    size_t num_edits, max_edits;
    uint8_t *pool; /* new bytes of the edits */
    size_t pool_len, max_pool;
    fh_repair_status status;
} fh_repair;

/* fh_repair_run mends what it can of a whole file, whose bytes must not be those of this repair:
 * they are freed first. options say how it is judged. */
fh_repair_status fh_repair_run(fh_repair *repair, const fh_format *format, fh_cursor bytes,
                               const fh_exam_options *options) FH_MUST_USE;

void fh_repair_free(fh_repair *repair);

/* fh_refusal_text says why in words, behind "TOD0021 is not mended: ". */
const char *fh_refusal_text(fh_refusal refusal);

#endif
