/* The disc: sectors of an image read at random, by number and by address.
 *
 * For what the one forward pass cannot do: reading a directory before what it names, and turning
 * one address into another. Bytes come from a callback, so that a file and a container are alike.
 * A sector is judged together with the eight before it, as the forward pass would judge it.
 *
 * Addresses (image format sheet, sections 1 and 3.1): of sectors with headers, from the headers of
 * runs that rise by one; of 2048-byte images, and of 2336 with a volume descriptor, the position.
 * Where there are neither, has_lba is false and the position counts as address: of use for finding
 * what a directory names, but not to be reported.
 *
 * An fh_disc owns a buffer of some sectors until fh_disc_close.
 */
#ifndef FH_SOURCE_DISC_H
#define FH_SOURCE_DISC_H

#include "source/layout.h"

/* Reads len bytes at a raw offset of the source; false if they are not all there. */
typedef bool (*fh_disc_bytes)(void *user, int64_t off, uint8_t *out, size_t len);

typedef struct fh_disc {
    fh_layout layout;
    int64_t size;        /* bytes of the source */
    int64_t num_sectors; /* whole ones, and one that is cut */
    bool has_lba;
    int64_t first_lba; /* of sector 0 */
    int64_t end_lba;   /* behind the last sector */

    /* Private. */
    fh_disc_bytes read;
    void *user;
    struct fh_keep *keep; /* borrowed; not NULL: the image has passed, and this is kept of it */
    uint8_t *buffer;      /* owned */
    int64_t buffer_index;
    int64_t buffer_num;
    int64_t shift;       /* LBA - index, where it was found last */
    uint32_t num_astray; /* sectors that were looked at for addresses and had others */
} fh_disc;

typedef struct fh_disc_sector {
    int64_t index;
    int64_t raw_off;
    int64_t lba; /* FH_UNKNOWN where it cannot be believed, or has_lba is false */
    fh_sector sector;
    fh_cursor bytes; /* of the sector; borrowed until the next call; none of what is kept */
} fh_disc_sector;

/* fh_disc_open prepares an image of size bytes whose layout is not plain. false: no memory. */
bool fh_disc_open(fh_disc *disc, const fh_layout *layout, int64_t size, fh_disc_bytes read,
                  void *user) FH_MUST_USE;
void fh_disc_close(fh_disc *disc);

/* fh_disc_open_kept does so for an image that was read forwards (source/keep.h). */
void fh_disc_open_kept(fh_disc *disc, const fh_layout *layout, int64_t size, struct fh_keep *keep);

/* fh_disc_at reads the sector of that number; false if it cannot be read. */
bool fh_disc_at(fh_disc *disc, fh_disc_sector *out, int64_t index) FH_MUST_USE;

/* fh_disc_find reads the sector of that address; false if the image does not have it, or it lies
 * elsewhere than expected and FH_DISC_MAX_ASTRAY sectors were looked at in vain since the last
 * fh_disc_rest. fh_disc_is_spent tells whether they were. */
bool fh_disc_find(fh_disc *disc, fh_disc_sector *out, int64_t lba) FH_MUST_USE;
bool fh_disc_is_spent(const fh_disc *disc);
void fh_disc_rest(fh_disc *disc);

/* fh_disc_block reads the 2048 user bytes of the sector of that address; false if there is none,
 * or it is cut, or has no such data. */
bool fh_disc_block(fh_disc *disc, int64_t lba, uint8_t out[FH_DATA_LEN]) FH_MUST_USE;

/* fh_disc_address returns the address by which directories name the sector: its LBA, or where
 * that is unknown the one that fits its position. */
int64_t fh_disc_address(fh_disc *disc, const fh_disc_sector *at);

/* fh_disc_index returns the number of the sector that a raw offset lies in, FH_UNKNOWN outside. */
int64_t fh_disc_index(const fh_disc *disc, int64_t raw_off);

#endif
