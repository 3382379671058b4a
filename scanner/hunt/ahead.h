/* Ahead: assets whose examination the search does not wait for. Internal to the hunt.
 *
 * Where an asset begins and ends is known before it is examined, so the search goes on behind it
 * while a crew (hunt/crew.h) examines it from a copy of its bytes. What is to be told of it, and
 * all that a track tells behind it, waits here and is told in the order in which it was met: by the
 * thread of the search, and with the same words whatever the number of threads.
 *
 * Assets of a source share a reserve of work (fh_exam). One that was examined ahead was so with
 * what was left of it then; that is as good as what is left in its turn as long as both are more
 * than any one may ask for. Where it is not, the asset is examined once more in its turn.
 *
 * What waits is bounded. Without a crew nothing does.
 */
#ifndef FH_HUNT_AHEAD_H
#define FH_HUNT_AHEAD_H

#include "hunt/crew.h"
#include "hunt/join.h"
#include "hunt/tell.h"

/* Assets that wait to be told, the bytes of their copies together, and items of all kinds. A crew
 * is never short of work with four for each thread on the machines that there are; the bytes are
 * what a scan may take beside its window. */
#define FH_MAX_AHEAD ((size_t)32)
#define FH_MAX_AHEAD_LEN ((size_t)1 << 20)
#define FH_MAX_AHEAD_ITEMS ((size_t)256)

/* What became of an asset, for those who have something to say of it later. */
typedef struct fh_fate {
    unsigned num_users; /* private */
    bool is_quiet;      /* it was not told, or for another stream, and what lies in it too */
    int64_t handle;     /* or FH_UNKNOWN */
} fh_fate;

/* What is said of an asset besides its own findings: because of where it lies, that it is cut off,
 * and how it is encoded. */
#define FH_MAX_EXTRAS (FH_MAX_REMARKS + 3)

/* An asset that was found. */
typedef struct fh_found {
    const fh_format *format;
    fh_cursor bytes;
    fh_exam_options options;
    fh_lie lie; /* all of it; its runs are borrowed */
    fh_finding extras[FH_MAX_EXTRAS];
    size_t num_extras;
} fh_found;

/* fh_ahead_asset has an asset examined and told, now or in its turn. Returns its fate, which holds
 * once it was told; give it back with fh_fate_drop. NULL: no memory, which the hunt knows. */
fh_fate *fh_ahead_asset(fh_hunt *hunt, const fh_found *found) FH_MUST_USE;

/* fh_ahead_finding tells a finding in its turn, of the asset with that fate unless it is quiet;
 * NULL: of none. hits_limit: it says that a limit was met. */
void fh_ahead_finding(fh_hunt *hunt, const fh_finding *finding, fh_fate *fate, int64_t raw_off,
                      bool hits_limit);

/* fh_ahead_drain tells what needs no waiting for, fh_ahead_settle everything. */
void fh_ahead_drain(fh_hunt *hunt);
void fh_ahead_settle(fh_hunt *hunt);

/* fh_ahead_free drops what waits; nobody is at work on it then. */
void fh_ahead_free(fh_hunt *hunt);

/* fh_fate_drop gives a fate back; NULL is allowed. */
void fh_fate_drop(fh_fate *fate);

#endif
