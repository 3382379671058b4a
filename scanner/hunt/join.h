/* Joining: parts of texts whose lines are numbered, kept until all of their source has been
 * searched, and then put in order. Internal to the hunt.
 *
 * A part is followed by another one of the same stream and style if nothing is missing between
 * them: the next line begins the other part, or the cut line between them is exactly one line when
 * its two sides are put together. Where only one part is left that can follow, they are joined, and
 * what is joined can follow nothing else; values are never looked at. Parts that lie one behind the
 * other with a damaged line between them are joined as well, and what is missing is said. Equal
 * parts are copies: the nearest behind is taken. Source: the rules for fragments of the camerawork
 * sheet.
 *
 * Bytes that are kept are owned here, at most FH_MAX_PART_BYTES of FH_MAX_PARTS parts.
 */
#ifndef FH_HUNT_JOIN_H
#define FH_HUNT_JOIN_H

#include "hunt/damage.h"
#include "hunt/exam.h"
#include "hunt/window.h"

struct fh_hunt;

/* What is said of an asset because of where it lies: overlap, sectors between, and damage. */
#define FH_MAX_REMARKS (2 + FH_MAX_DAMAGE_REMARKS)

#define FH_NO_PART UINT32_MAX

/* A part that could follow another one, and where the line between them is cut. */
typedef struct fh_follower {
    uint32_t part;
    fh_cut cut;
} fh_follower;

enum { FH_MOST_FOLLOWERS = 8 };

typedef struct fh_kept {
    const fh_format *format;
    fh_stream stream;
    int64_t origin; /* stream offset of bytes[0] */
    uint8_t *bytes; /* owned: what may be the head, the asset, what may be the tail */
    size_t len;
    fh_part part;     /* offsets in bytes */
    size_t asset_off; /* of what is told if the part stays alone */
    size_t asset_len; /* 0: it is too little to be told alone */
    fh_exam_options options;
    fh_run *runs; /* owned */
    size_t num_runs;
    fh_finding extras[FH_MAX_REMARKS]; /* what is said of it besides */
    size_t num_extras;
    uint64_t lines_hash;

    /* While they are put in order: indices of parts, or FH_NO_PART. */
    uint32_t copy_of;                         /* the first part with the same lines */
    uint32_t next;                            /* follows in the text */
    uint32_t before;                          /* precedes */
    fh_cut cut;                               /* between this one and the next */
    fh_follower followers[FH_MOST_FOLLOWERS]; /* that could, one of each group of copies */
    size_t num_followers;                     /* all of them */
    bool is_contested;   /* another part that nothing else can follow claims the same follower */
    uint32_t num_claims; /* parts that claim this one */
    int64_t differs;     /* number of a line that another part has otherwise, or FH_UNKNOWN */
    uint32_t other;      /* that part */
} fh_kept;

typedef struct fh_join {
    fh_kept *parts; /* owned */
    size_t num;
    size_t max;
    size_t num_bytes;
    size_t num_left_out; /* parts for which there was no room */
    bool is_spent;       /* the work for putting them in order is */
} fh_join;

/* A candidate that may be a part. */
typedef struct fh_join_wish {
    const fh_format *format;
    const fh_window *window;
    fh_stream stream;
    int64_t start; /* stream offset */
    size_t len;
    bool is_alone; /* it can be told alone */
    fh_exam_options options;
    const fh_finding *extras;
    size_t num_extras;
} fh_join_wish;

typedef enum fh_join_status {
    FH_JOIN_KEPT = 0, /* it will be told when the source has been searched */
    FH_JOIN_NO,       /* tell it now: it is no part, or there is no room */
    FH_JOIN_NO_MEMORY
} fh_join_status;

/* fh_join_add keeps a part. */
fh_join_status fh_join_add(fh_join *join, const fh_join_wish *wish) FH_MUST_USE;

/* fh_join_finish puts the parts in order and tells them all. */
void fh_join_finish(struct fh_hunt *hunt);

void fh_join_free(fh_join *join);

#endif
