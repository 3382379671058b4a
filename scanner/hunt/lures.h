/* Lures: the words that a search stops at. Internal to the hunt.
 *
 * Every format says which words its assets have. Where one word is a case of another they are
 * looked for together, and all of them in one pass (see hunt/sieve.h). A lure is only a place to
 * look at: what stands there is for the formats to say.
 */
#ifndef FH_HUNT_LURES_H
#define FH_HUNT_LURES_H

#include "hunt/sieve.h"
#include "hunt/window.h"

enum { FH_MAX_LURES = 16 };

typedef struct fh_lures {
    fh_lure lures[FH_MAX_LURES];
    size_t num;
    fh_sieve sieve;
} fh_lures;

/* fh_lures_set takes the magics of the formats. every_offset: not only at the formats' alignments.
 * The lures must then stay where they are. */
void fh_lures_set(fh_lures *lures, const fh_format *const *formats, size_t num_formats,
                  bool every_offset);

/* fh_lures_begin begins a search through a window, which then has to stay as it is, from the
 * position scan on: fh_sieve_next finds one place of a lure after the other. base is the stream
 * offset that alignment counts from, at most that of the window. */
fh_sieve_run fh_lures_begin(const fh_lures *lures, size_t scan, const fh_window *window,
                            int64_t base);

#endif
