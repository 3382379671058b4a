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
} fh_account;

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
    fh_account accounts[FH_MAX_LURED]; /* in the order of the formats of the hunt */
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
