/* A track: the search in one stream of a source. Internal to the hunt. */
#ifndef FH_HUNT_TRACK_H
#define FH_HUNT_TRACK_H

#include "hunt/exam.h"
#include "hunt/hunt.h"
#include "hunt/naming.h"
#include "hunt/window.h"

/* What the tracks of a source share. */
typedef struct fh_hunt {
    const fh_hunt_options *options;
    const fh_hunt_sink *sink;
    const char *path;
    fh_exam exam;
    fh_naming naming;
    int64_t num_assets;
    int64_t num_near_misses; /* whose structure broke */
    int64_t num_cut;         /* which a seam cut off */
    int64_t num_too_long;
    int64_t num_starved; /* candidates given up because the work for the search was spent */
    bool hit_limit;
    const fh_format *at_start; /* of what begins at byte 0 of a plain source, or NULL */
    bool sink_failed;
    bool is_stopped; /* by the user */
    bool no_memory;
} fh_hunt;

/* The accepted asset that reaches farthest so far. */
typedef struct fh_claim {
    bool is_open;
    int64_t start, end; /* stream offsets */
    fh_place place;
    int64_t handle;
    const fh_format *format;
    uint64_t budget_left; /* work for what begins inside it */
    int64_t cut_off;      /* where that was spent, or FH_UNKNOWN */
    int64_t num_inside;
    int64_t first_inside; /* offset in the asset */
    int64_t first_inside_raw;
    int64_t cut_off_raw;
} fh_claim;

/* What the search looks for: the magic that one or several formats have in common. Every lure is
 * looked for by itself, so that a rare one costs no more than one pass over the bytes. */
typedef struct fh_lure {
    fh_magic magic;
    int64_t next;  /* stream offset of the next place; nothing in front of it is left to find */
    bool is_found; /* there is one at `next`; else it is where looking goes on */
} fh_lure;

enum { FH_MAX_LURES = 16 };

typedef struct fh_track {
    fh_hunt *hunt;
    fh_stream stream;
    fh_window window;
    fh_lure lures[FH_MAX_LURES];
    size_t num_lures;
    bool is_begun; /* what begins the stream was tried */
    size_t scan;   /* position in the window of the next candidate */
    size_t want;   /* bytes of the window needed to go on */
    int64_t base;  /* stream offset that alignment counts from */
    fh_claim claim;
    uint64_t search_left; /* work for candidates that lie in no asset */
} fh_track;

/* fh_hunt_is_stopped tells whether the user wants the work to end; once said it stays so. */
bool fh_hunt_is_stopped(fh_hunt *hunt);

void fh_track_init(fh_track *track, fh_hunt *hunt, fh_stream stream);
void fh_track_free(fh_track *track);

void fh_track_piece(fh_track *track, const fh_piece *piece);
void fh_track_skip(fh_track *track, int64_t sectors);

/* fh_track_seam decides all that is left: nothing that follows belongs to it. */
void fh_track_seam(fh_track *track, const fh_seam *seam);

#endif
