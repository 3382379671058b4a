/* Lures: the words that a search stops at. Internal to the hunt.
 *
 * Every format says which words its assets have. Where one word is a case of another they are
 * looked for together; each lure is looked for by itself, so that a rare one costs no more than one
 * pass over the bytes. A lure is only a place to look at: what stands there is for the formats to
 * say.
 */
#ifndef FH_HUNT_LURES_H
#define FH_HUNT_LURES_H

#include "core/format.h"
#include "hunt/window.h"

typedef struct fh_lure {
    fh_magic magic;
    unsigned alignment;
    int64_t next;  /* stream offset of the next place; nothing in front of it is left to find */
    bool is_found; /* there is one at `next`; else it is where looking goes on */
} fh_lure;

enum { FH_MAX_LURES = 16 };

typedef struct fh_lures {
    fh_lure lures[FH_MAX_LURES];
    size_t num;
} fh_lures;

/* fh_lures_set takes the magics of the formats and begins to look. every_offset: not only at the
 * formats' alignments. */
void fh_lures_set(fh_lures *lures, const fh_format *const *formats, size_t num_formats,
                  bool every_offset);

/* fh_lures_find moves *scan, a position in the window, to the nearest place of any lure, or to the
 * first one where some could still lie with more bytes; false when there is none in the window.
 * base is the stream offset that alignment counts from. */
bool fh_lures_find(fh_lures *lures, size_t *scan, const fh_window *window, int64_t base);

#endif
