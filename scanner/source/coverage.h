/* Coverage: what became of every byte of a source.
 *
 * Each sector has one claim, the first of the table "Who claims a sector" that fits (image format
 * sheet, section 2.1); what is no sector has one too, so that the claims sum up to the source. The
 * demultiplexer adds sectors in their order. Neighbours with the same claim are one run. The first
 * FH_MAX_COVERAGE_RUNS runs are kept one by one, the others summed by claim. Owns nothing; it may
 * be read at any time, also while it grows.
 */
#ifndef FH_SOURCE_COVERAGE_H
#define FH_SOURCE_COVERAGE_H

#include "source/limits.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fh_sector_claim {
    FH_CLAIM_DATA = 0, /* user data, searched */
    FH_CLAIM_EMPTY,    /* user data, all bytes equal: searched, for it may lie inside an asset */
    FH_CLAIM_FORM2,    /* Form 2 without legal audio coding: searched, as a stream of its own */
    FH_CLAIM_XA_AUDIO,
    FH_CLAIM_MOVIE,
    FH_CLAIM_MODE0,
    FH_CLAIM_REPEATED, /* the same as the sector before it, address and all */
    FH_CLAIM_AUDIO,    /* a CD audio track; searched, for nothing but its length tells it, unless a
                          control file says so */
    FH_CLAIM_LOST,     /* no sync or no mode, and no audio track: searched as it lies */
    FH_CLAIM_OUTSIDE,  /* bytes of an image before the first sector or behind the last one */
    FH_CLAIM_PLAIN,    /* all bytes of a source that is no image */
    FH_CLAIM_RAM,      /* main RAM of a dump or a save state: searched */
    FH_CLAIM_MIRROR,   /* the same once more: not searched */
    FH_CLAIM_STATE,    /* of a save state all but main RAM: not searched */
    FH_CLAIM_NUM
} fh_sector_claim;

/* fh_claim_name returns a claim as the database calls it, such as "xa_audio". */
const char *fh_claim_name(fh_sector_claim claim);

typedef struct fh_covered {
    fh_sector_claim claim;
    int64_t raw_off; /* FH_UNKNOWN for a sum of several runs */
    int64_t len;     /* bytes of the source */
    int64_t first_lba;
    int64_t sectors;     /* 0 where there are none */
    int64_t runs;        /* that are summed here, else 1 */
    int64_t asset_bytes; /* of assets in it; what two of them share counts for both */
} fh_covered;

/* Sectors by claim of a stretch of one kind. */
typedef struct fh_coverage_track {
    int64_t raw_off;
    int64_t sectors[FH_CLAIM_NUM];
} fh_coverage_track;

typedef struct fh_coverage { /* all zero at the start */
    fh_covered runs[FH_MAX_COVERAGE_RUNS];
    size_t num_runs;
    fh_covered rest[FH_CLAIM_NUM]; /* of the runs that had no room */
    fh_covered open;               /* the last run; len 0: none yet */
    fh_coverage_track tracks[FH_MAX_TRACKS];
    size_t num_tracks; /* 0 before the first sector; what goes beyond belongs to the last one */
} fh_coverage;

/* fh_coverage_add adds len bytes: one sector, or bytes that are none (is_sector false). */
void fh_coverage_add(fh_coverage *coverage, fh_sector_claim claim, int64_t raw_off, int64_t len,
                     int64_t lba, bool is_sector);

/* fh_coverage_track begins another track with the next sector, at raw_off. */
void fh_coverage_track_begin(fh_coverage *coverage, int64_t raw_off);

/* fh_coverage_make_audio says that the last run, of lost sectors, is an audio track, which is a
 * track of its own. */
void fh_coverage_make_audio(fh_coverage *coverage);

/* fh_coverage_asset says that an asset has len bytes at raw_off, in something claimed so. */
void fh_coverage_asset(fh_coverage *coverage, fh_sector_claim claim, int64_t raw_off, int64_t len);

/* fh_coverage_end ends the last run; nothing may be added after that. */
void fh_coverage_end(fh_coverage *coverage);

#endif
