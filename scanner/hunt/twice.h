/* Twice: assets that are found in two streams of one source. Internal to the hunt.
 *
 * The same bytes are one asset, told for the stream that found it first; the others are noted
 * (IMG0073). Two readings are the same if their format and the places of all their bytes in the
 * source are: a hash of these stands for each asset. One may also be noted before it is told, by a
 * stream that leaves it to another one.
 *
 * Owns a table of at most FH_MAX_TOLD assets.
 */
#ifndef FH_HUNT_TWICE_H
#define FH_HUNT_TWICE_H

#include "core/format.h"
#include "core/limits.h"
#include "core/record.h"
#include "hunt/window.h"

/* A stream, as it is told. */
typedef struct fh_second {
    fh_stream stream; /* FH_STREAM_CHANNEL stands for all of these */
    size_t file;      /* entry of the tree, or file number */
    uint8_t channel;
} fh_second;

typedef struct fh_met {
    uint64_t key;
    int64_t raw_off; /* of the first byte */
    int64_t handle;  /* FH_UNKNOWN: not told yet */
    int64_t num_seconds;
    fh_second second;  /* the first one */
    bool is_scattered; /* was told by a stream of scattered sectors */
} fh_met;

typedef struct fh_twice {
    fh_met *told; /* owned, in the order in which they were met */
    size_t num;
    size_t max;
    uint32_t *slots; /* owned; index + 1, a hash table */
    size_t num_slots;
    int64_t *starts; /* owned; after fh_twice_end the raw offsets of what is scattered, rising */
    size_t num_starts;
    int64_t num_left_out;
    bool no_memory;
} fh_twice;

/* The raw pieces of a range of a stream: at most one a run, joined where they follow each other. */
typedef struct fh_raw_pieces {
    const fh_run *runs; /* borrowed */
    size_t num_runs;
    int64_t start; /* stream offset of the range */
    int64_t off;   /* of the next piece */
    int64_t end;
} fh_raw_pieces;

fh_raw_pieces fh_raw_pieces_of(const fh_run *runs, size_t num_runs, int64_t stream_off, size_t len);

/* fh_raw_pieces_next returns the next piece; false at the end. */
bool fh_raw_pieces_next(fh_raw_pieces *pieces, fh_piece_record *out) FH_MUST_USE;

/* fh_twice_at returns the entry of an asset, a new one if it was not met before; NULL when there is
 * no room (num_left_out counts that) or no memory. It is valid until the next call. */
fh_met *fh_twice_at(fh_twice *twice, const fh_format *format, fh_raw_pieces pieces);

/* fh_twice_end is said when all was searched; false: no memory. fh_twice_begins then tells whether
 * an asset that scattered sectors hold begins at a raw offset. */
bool fh_twice_end(fh_twice *twice) FH_MUST_USE;
bool fh_twice_begins(const fh_twice *twice, int64_t raw_off);

/* fh_twice_is_told tells whether an asset that was told begins there, in whatever stream. */
bool fh_twice_is_told(const fh_twice *twice, int64_t raw_off);

void fh_twice_free(fh_twice *twice);

#endif
