/* The runs of bytes of an asset in its source: what a tool needs that knows nothing of sectors. In
 * an image of raw sectors an asset that is longer than the user data of one lies in several runs,
 * with what a sector has besides between them. */
#ifndef FH_REPORTS_RUNS_H
#define FH_REPORTS_RUNS_H

#include "core/record.h"

/* A run: len bytes of the asset from asset_offset on, in the source from raw_offset on. Where that
 * is not known, raw_offset is FH_UNKNOWN and the run goes to the end of its piece. */
typedef struct fh_run {
    int64_t asset_offset;
    int64_t raw_offset;
    int64_t len;
} fh_run;

/* Where the runs of an asset are at; private. */
typedef struct fh_runs {
    const fh_asset_record *asset; /* borrowed */
    int64_t stride;               /* bytes a sector; 0: all bytes of the source are user data */
    int64_t phase;                /* of user data in a sector; FH_UNKNOWN: not known */
    size_t next_piece;
    fh_run rest; /* of the piece */
} fh_runs;

/* fh_runs_begin begins with the runs of an asset in a source of that layout. */
void fh_runs_begin(fh_runs *runs, const fh_asset_record *asset, const char *layout);

/* fh_runs_next yields the next run, in the order of the asset. */
bool fh_runs_next(fh_runs *runs, fh_run *run) FH_MUST_USE;

#endif
