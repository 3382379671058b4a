/* Near misses: places that begin as an asset and break a rule of its structure.
 *
 * A source may hold any number of them. The deepest are kept, those with the most evidence in front
 * of the place where they broke, in a heap of fixed size with the shallowest on top; the others are
 * counted. Which ones are kept, and in which order they are told, does not depend on the order in
 * which they were met. Owns nothing. Internal to the hunt.
 */
#ifndef FH_HUNT_MISSES_H
#define FH_HUNT_MISSES_H

#include "core/format.h"
#include "source/stream.h"

typedef struct fh_miss {
    const fh_format *format;
    int64_t raw_off;   /* of its first byte */
    fh_probe probe;    /* the rejection */
    bool is_cut;       /* it lacks only bytes behind a seam of the stream */
    fh_seam seam;      /* of that */
    const char *cause; /* what else cut it off, constant; NULL: nothing */
} fh_miss;

typedef struct fh_misses {
    fh_miss kept[FH_MAX_FINDINGS_PER_RULE];
    size_t num_kept;
    int64_t num; /* of all that were met */
} fh_misses;

/* fh_miss_is_deeper tells whether a is told before b: more evidence, then more sound frames, then
 * the smaller offset, then the name of the format. */
bool fh_miss_is_deeper(const fh_miss *a, const fh_miss *b);

/* fh_put_seam writes what a stream ends at: "missing sectors before LBA 30". */
void fh_put_seam(fh_text *text, const fh_seam *seam);

/* fh_misses_add keeps the miss if it is one of the deepest. */
void fh_misses_add(fh_misses *misses, const fh_miss *miss);

/* fh_misses_sort puts what is kept in order, the deepest first; nothing may be added then. */
void fh_misses_sort(fh_misses *misses);

/* fh_miss_finding is what is told of one: RUN0006, IMG0072 where a seam cut it, or IMG0062 where
 * memory ended. The offset is
 * left out. */
fh_finding fh_miss_finding(const fh_miss *miss);

#endif
