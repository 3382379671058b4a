/* Seen: what of a window was sifted before the search came to it. Internal to the hunt.
 *
 * Pieces of a stream are appended to its window; where the thread that reads has seen their bytes
 * in the source (hunt/sights.h), the places in them are taken over, and what reaches over the seam
 * between two of these pieces is looked at here. The search then goes from place to place: sifting
 * what nobody has seen, and stopping at what is known of the rest. It stops at the same places
 * whatever was seen.
 */
#ifndef FH_HUNT_SEEN_H
#define FH_HUNT_SEEN_H

#include "hunt/sights.h"
#include "hunt/window.h"

/* Places that may be known at a time, those of four chunks full of text, and spans of the stream
 * that all places of are known; one ends where a sector lies across two chunks. More than that is
 * left to the search. A track that has such pieces keeps 256 KiB for the places. */
enum { FH_SEEN_PLACES = 32768, FH_SEEN_SPANS = 16 };

typedef struct fh_seen_span {
    int64_t from, to; /* stream offsets of the places */
} fh_seen_span;

typedef struct fh_seen {
    int64_t *places; /* owned; stream offsets, rising */
    size_t num_places;
    fh_seen_span spans[FH_SEEN_SPANS]; /* rising, none touches the next one */
    size_t num_spans;
    size_t hint; /* where the places of the last piece ended among those of its chunk */
} fh_seen;

void fh_seen_free(fh_seen *seen);

/* fh_seen_piece takes over what was seen of the piece that the window ends with: len bytes that lie
 * in the source at raw_off in a row. base is the stream offset that alignment counts from, at most
 * that of the window. Where there is no room for it, or no memory, it is not taken over. */
void fh_seen_piece(fh_seen *seen, const fh_sights *sights, const fh_window *window, int64_t base,
                   int64_t raw_off, size_t len);

/* fh_seen_drop forgets what lies in front of a stream offset; fh_seen_clear everything. */
void fh_seen_drop(fh_seen *seen, int64_t before);
void fh_seen_clear(fh_seen *seen);

/* A search through a window, which with all others stays as it is, from position `scan` on. It goes
 * from part to part: those that were seen, and those in between, which are sifted. */
typedef struct fh_seen_run {
    const fh_seen *seen;
    const fh_lures *lures;
    const fh_window *window;
    int64_t base;
    size_t at;          /* the next position to look at */
    size_t end;         /* of the part that it lies in, or `at` if that has not begun */
    bool is_known;      /* that part was seen */
    size_t span, place; /* the next of each */
    fh_sieve_run sieve; /* of the part, if it was not seen */
} fh_seen_run;

/* fh_seen_next goes on to the next place as fh_sieve_next does, and ends as it does. */
void fh_seen_begin(fh_seen_run *run, const fh_seen *seen, const fh_lures *lures,
                   const fh_window *window, int64_t base, size_t scan);
bool fh_seen_next(fh_seen_run *run, size_t *place);

#endif
