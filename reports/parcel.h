/* A parcel: the records of one or more sources on their way, in the order in which they were put.
 *
 * What a thread finds is told by another one, and what a store gathers is written later; between
 * both it waits here, in memory as far as a bound, and behind that in a temporary file without a
 * name (in SQLITE_TMPDIR, TMPDIR or /var/tmp, which SQLite asks in this order, too). A parcel owns
 * copies of all that was put into it, but for the rules of findings, which last as long as the
 * program. Lines, columns and excerpts of findings are left out.
 *
 * One thread at a time may use a parcel.
 */
#ifndef FH_REPORTS_PARCEL_H
#define FH_REPORTS_PARCEL_H

#include "core/record.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fh_parcel_kind {
    FH_PARCEL_BEGIN = 0, /* of a source; its path */
    FH_PARCEL_ASSET,
    FH_PARCEL_FINDING,
    FH_PARCEL_COVERAGE,
    FH_PARCEL_BASE,
    FH_PARCEL_END /* of the source */
} fh_parcel_kind;

/* How the work on a source ended; its numbers and texts are those of whoever puts it. */
typedef struct fh_parcel_end {
    fh_source_record source;
    const char *error;
    int64_t outcome;
    int64_t num_weak;
    bool hit_limit;
} fh_parcel_end;

/* One thing that was put; what is not of its kind is all zero. */
typedef struct fh_parcel_item {
    fh_parcel_kind kind;
    const char *path;
    fh_asset_record asset;
    fh_replay_record replay; /* of the asset, which leads here */
    fh_finding_record finding;
    fh_coverage_record coverage;
    int64_t base;
    fh_parcel_end end;
} fh_parcel_item;

typedef struct fh_parcel {
    size_t most; /* bytes in memory */
    int error;   /* an errno: something that was put is lost, and so is all behind it */

    /* Private. */
    uint8_t *bytes; /* behind those in the file; owned */
    size_t len;
    size_t max_len;
    int file;         /* -1: there is none */
    int64_t file_len; /* bytes in it */
} fh_parcel;

/* fh_parcel_make returns an empty parcel that keeps at most so many bytes in memory, and one item
 * more. */
fh_parcel fh_parcel_make(size_t most);
void fh_parcel_free(fh_parcel *parcel);

/* Each puts one item behind the others; false, and an error, where that was not possible. */
bool fh_parcel_begin(fh_parcel *parcel, const char *path) FH_MUST_USE;
bool fh_parcel_asset(fh_parcel *parcel, const fh_asset_record *asset) FH_MUST_USE;
bool fh_parcel_finding(fh_parcel *parcel, const fh_finding_record *finding) FH_MUST_USE;
bool fh_parcel_coverage(fh_parcel *parcel, const fh_coverage_record *coverage) FH_MUST_USE;
bool fh_parcel_base(fh_parcel *parcel, int64_t base) FH_MUST_USE;
bool fh_parcel_end_source(fh_parcel *parcel, const fh_parcel_end *end) FH_MUST_USE;

/* fh_parcel_len returns the place where the next item will begin. */
int64_t fh_parcel_len(const fh_parcel *parcel);

/* fh_parcel_cut removes what was put from that place on. */
void fh_parcel_cut(fh_parcel *parcel, int64_t len);

/* Reads items one after the other. */
typedef struct fh_parcel_reader {
    const fh_parcel *parcel; /* borrowed; nothing may be put while it is read */
    int64_t at;
    int error; /* an errno */

    /* Private. */
    uint8_t *block; /* of the file, from block_at on; owned */
    size_t block_len;
    size_t max_block;
    int64_t block_at;
} fh_parcel_reader;

/* fh_parcel_read begins at a place where an item begins. */
fh_parcel_reader fh_parcel_read(const fh_parcel *parcel, int64_t at);

/* fh_parcel_next fills item with the next one, whose pointers live until the next call; false at
 * the end, and on an error. */
bool fh_parcel_next(fh_parcel_reader *reader, fh_parcel_item *item) FH_MUST_USE;
void fh_parcel_read_end(fh_parcel_reader *reader);

#endif
