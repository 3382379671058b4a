/* CHD: disc images of "Compressed Hunks of Data", version 5, read forwards or hunk by hunk.
 *
 * A CHD holds a run of bytes cut into hunks of equal size, each packed by itself or equal to
 * another, a map of them, metadata, and checksums: a CRC-16 a hunk, a SHA-1 of the data, and one of
 * that and the metadata. What comes out is
 *   of a disc (tracks in the metadata, units of 2448 bytes): the bytes of the .bin that chdman
 *   extractcd writes: tracks one behind the other without their padding, each sector as long as its
 *   track's type says, audio little endian; subchannels only if they are asked for;
 *   of anything else: the bytes as they are.
 *
 * Memory: one hunk, packed and unpacked, and 16 bytes for each hunk of the file. Everything is
 * bounded by the numbers in source/limits.h, whatever the file says.
 *
 * What is wrong is counted in the tallies (IMG0001, IMG0041 to IMG0049), at the offset in the CHD.
 * A hunk that cannot be had becomes zeros of its length, is told, and its bytes are among the lost
 * ones. A hunk that was stored as it is and has another CRC-16 is delivered as it stands and told.
 * Version 5 only: a file of another version, or whose header or map cannot be read, is refused.
 * Sources: image format sheet, section 5.1; chd.cpp and cdrom.cpp of MAME.
 */
#ifndef FH_SOURCE_CHD_H
#define FH_SOURCE_CHD_H

#include "source/chd_tracks.h"
#include "source/limits.h"
#include "source/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fh_chd_status {
    FH_CHD_OK = 0,
    FH_CHD_AGAIN,   /* nothing yet: call again */
    FH_CHD_END,     /* every byte has been read */
    FH_CHD_REFUSED, /* the tallies say why */
    FH_CHD_NO_SPACE /* no memory */
} fh_chd_status;

/* Where the bytes of the file come from. read_at fills all of len bytes, which lie inside size, or
 * returns false. */
typedef struct fh_chd_input {
    bool (*read_at)(void *user, uint64_t off, uint8_t *out, size_t len);
    void *user;
    uint64_t size;
} fh_chd_input;

typedef struct fh_chd_range {
    uint64_t off; /* in what comes out */
    uint64_t len;
} fh_chd_range;

typedef struct fh_chd fh_chd; /* private */

#define FH_CHD_MAGIC_LEN 8u

/* fh_chd_is tells whether these bytes, the first of a file, are those of a CHD. */
bool fh_chd_is(const uint8_t *bytes, size_t len);

/* fh_chd_open reads header, map and metadata. *out is NULL unless it returns FH_CHD_OK, and is then
 * the caller's, to be closed. The input's callback and the tallies are borrowed until that. */
fh_chd_status fh_chd_open(fh_chd **out, const fh_chd_input *input, bool with_subcode,
                          fh_tallies *tallies) FH_MUST_USE;
void fh_chd_close(fh_chd *chd);

/* fh_chd_tell_to has what is found from now on counted elsewhere. */
void fh_chd_tell_to(fh_chd *chd, fh_tallies *tallies);

/* fh_chd_size returns the number of bytes that come out. */
uint64_t fh_chd_size(const fh_chd *chd);

/* fh_chd_tracks returns the tracks of a disc in order; none for anything else. Borrowed. */
const fh_chd_track *fh_chd_tracks(const fh_chd *chd, size_t *num);

/* fh_chd_read reads on, up to max bytes (not 0); *len is at least 1 with FH_CHD_OK. At the end the
 * SHA-1 is checked, unless bytes were lost or there is none. FH_CHD_AGAIN comes where much padding
 * had to be read for that and a caller may want to look whether it should stop. */
fh_chd_status fh_chd_read(fh_chd *chd, uint8_t *out, size_t max, size_t *len) FH_MUST_USE;

/* fh_chd_read_at reads from anywhere; what is read forwards is not disturbed. */
fh_chd_status fh_chd_read_at(fh_chd *chd, uint64_t off, uint8_t *out, size_t max,
                             size_t *len) FH_MUST_USE;

/* fh_chd_lost returns the ranges read forwards so far that are zeros because their hunks could not
 * be had, in order, at most FH_CHD_MAX_LOST of them, and the sum of all. Borrowed until the next
 * read. */
const fh_chd_range *fh_chd_lost(const fh_chd *chd, size_t *num, uint64_t *bytes);

#endif
