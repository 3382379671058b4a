/* A haul: the search of one file as a worker did it, to be told later by another thread.
 *
 * What the hunt tells is put into a parcel (reports/parcel.h) and played back with the same calls
 * in the same order. A haul owns its path and its parcel.
 */
#ifndef FH_SCANNER_HAUL_H
#define FH_SCANNER_HAUL_H

#include "hunt/hunt.h"
#include "reports/parcel.h"

#include <stdatomic.h>

/* Bytes of records of one file that wait in memory; more of them wait in a temporary file. Four
 * times as many hauls wait as there are workers. */
#define FH_HAUL_MEMORY ((size_t)256 << 10)

typedef struct fh_haul {
    char *path;
    fh_parcel parcel;
    int64_t num_left_out; /* links and devices in containers */

    /* How far the worker is; any thread may look. */
    _Atomic int64_t bytes;
    _Atomic int64_t size;
    _Atomic int64_t assets;

    int64_t num_handles; /* assets of the open source */
} fh_haul;

/* fh_haul_make copies the path; false: no memory. */
bool fh_haul_make(fh_haul *haul, const char *path) FH_MUST_USE;
void fh_haul_free(fh_haul *haul);

/* fh_haul_fill searches the path; the options' progress is not called. */
void fh_haul_fill(fh_haul *haul, const fh_hunt_options *options);

/* fh_haul_is_whole tells whether all that was found could be kept. */
bool fh_haul_is_whole(const fh_haul *haul);

/* fh_haul_play tells it. A false of the sink ends the source as it would end the hunt, and one of
 * the visitor everything. Returns 0, or the errno of a failure to read it back, ENOMEM if there is
 * no memory for it: a source may have begun then and not ended. */
int fh_haul_play(const fh_haul *haul, const fh_hunt_sink *sink, const fh_hunt_visitor *visitor);

#endif
