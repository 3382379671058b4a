/* A track: the search in one stream of a source. Internal to the hunt.
 *
 * It owns its window and a share of the fate of its claim; the hunt is borrowed. Its parts are
 * listed in hunt/track_impl.h.
 */
#ifndef FH_HUNT_TRACK_H
#define FH_HUNT_TRACK_H

#include "hunt/ahead.h"
#include "hunt/lures.h"
#include "hunt/seen.h"
#include "hunt/tell.h"
#include "hunt/window.h"

/* The accepted asset that reaches farthest so far. */
typedef struct fh_claim {
    bool is_open;
    int64_t start, end; /* stream offsets */
    fh_place place;
    fh_fate *fate; /* a share; NULL: it is kept as a part and not told yet, or it is quiet */
    const fh_format *format;
    uint64_t budget_left; /* work for what begins inside it */
    int64_t cut_off;      /* where that was spent, or FH_UNKNOWN */
    int64_t num_inside;
    int64_t first_inside; /* offset in the asset */
    int64_t first_inside_raw;
    int64_t cut_off_raw;
    bool is_quiet; /* it is told for another stream, and what lies inside it too */
} fh_claim;

/* Work for the candidates of one format that lie in no asset. */
typedef struct fh_account {
    uint64_t left;
    int64_t paid_to; /* the bytes of the stream up to there have paid */
    /* The same for those that are put off. */
    uint64_t again_left;
    int64_t again_paid_to;
    unsigned num_vain; /* of them, looked at in a row and not found to be an asset */
} fh_account;

/* A place that could not be paid for, and is looked at again: see track_again.c. */
typedef struct fh_put_off {
    const fh_format *format;
    int64_t start;
    bool is_judged; /* it was looked at again, and the probe says what it is */
    fh_probe probe;
} fh_put_off;

/* Of one format, and of all. Inside an asset few places begin like one; a row of hostile ones is as
 * long as its maker likes. */
enum { FH_PUT_OFF_EACH = 4, FH_MAX_PUT_OFF = 16 };

typedef struct fh_track {
    fh_hunt *hunt;
    fh_stream stream;
    fh_window window;
    fh_lures lures;
    fh_seen seen;
    bool is_begun; /* what begins the stream was tried */
    size_t scan;   /* position in the window of the next candidate */
    size_t want;   /* bytes of the window needed to go on */
    int64_t base;  /* stream offset that alignment counts from */
    fh_claim claim;
    fh_account accounts[FH_MAX_LURED];  /* in the order of the formats of the hunt */
    fh_put_off put_off[FH_MAX_PUT_OFF]; /* in the order in which they were met */
    size_t num_put_off;
    uint64_t num_places; /* that were looked at, or nearly: for the question whether to go on */
    fh_second in;        /* what is searched, for IMG0073 */
} fh_track;

/* fh_track_init makes a track of a stream of which nothing has come; free it in all cases. */
void fh_track_init(fh_track *track, fh_hunt *hunt, fh_stream stream);
void fh_track_free(fh_track *track);

/* fh_track_piece takes the next bytes of the stream and searches what can be; fh_track_skip notes
 * sectors of other streams in front of those that come next. */
void fh_track_piece(fh_track *track, const fh_piece *piece);
void fh_track_skip(fh_track *track, int64_t sectors);

/* fh_track_seam decides all that is left: nothing that follows belongs to it. */
void fh_track_seam(fh_track *track, const fh_seam *seam);

#endif
