/* Kept: what is kept of an image that is read forwards, so that its directories can be read when
 * all of it has passed, and each of its bytes be named.
 *
 * Of every sector it is kept what it is (12 bytes). Of some their user data are kept, too: volume
 * descriptors, path tables and directories, known by what named them before, or by a directory's
 * first record, which is its own. What a tree asks for beyond that is noted, and read in further
 * passes if the image can be opened again: each pass finds at least one level of the tree.
 *
 * An fh_keep owns its memory until fh_keep_free; all zero it is empty, and fh_keep_free is allowed.
 */
#ifndef FH_SOURCE_KEEP_H
#define FH_SOURCE_KEEP_H

#include "source/files.h"
#include "source/stream.h"

typedef struct fh_kept_sector {
    int32_t lba;    /* INT32_MIN: unknown */
    uint32_t block; /* number of its user data, from 1; 0: not kept */
    uint8_t look;   /* the kind, and bits */
    uint8_t file;
    uint8_t channel;
    uint8_t submode;
} fh_kept_sector;

typedef struct fh_keep {
    fh_layout layout;
    int64_t num_missed; /* blocks that were asked for, and are not there */
    bool is_cut;        /* a limit left sectors out: no tree can be read */

    /* Private. */
    fh_kept_sector *sectors; /* owned, by their number in the image */
    size_t num_sectors;
    size_t max_sectors;
    uint8_t *blocks; /* owned */
    size_t num_blocks;
    size_t max_blocks;
    uint8_t *likely; /* owned; a bit for each address at which a directory or the like may lie */
    int64_t marks_left;
    int64_t size; /* of the image */
    bool is_again;
    bool no_memory;
} fh_keep;

/* fh_keep_begin prepares for an image whose layout is not plain. */
void fh_keep_begin(fh_keep *keep, const fh_layout *layout);
void fh_keep_free(fh_keep *keep);

/* fh_keep_sector keeps what is to be kept of the next sector, as fh_stream_sink.sector gets it.
 * false: no memory. */
bool fh_keep_sector(fh_keep *keep, const fh_sector *sector, const fh_cursor *bytes,
                    int64_t lba) FH_MUST_USE;

typedef enum fh_keep_status {
    FH_KEEP_OK = 0,
    FH_KEEP_LOST, /* a part of the tree has passed unkept, or a limit was met */
    FH_KEEP_STOPPED,
    FH_KEEP_NO_MEMORY
} fh_keep_status;

/* fh_keep_open reads the tree when all `size` bytes of the image have passed. path is where they
 * can be read again, where reader->again allows it. FH_KEEP_OK: files use the keep until they are
 * closed; else they are closed. */
fh_keep_status fh_keep_open(fh_keep *keep, fh_files *files, int64_t size, const char *path,
                            fh_again *again, const fh_stop *stop) FH_MUST_USE;

/* fh_keep_audit holds all sectors against the tree, as fh_files_sector does on the way. */
void fh_keep_audit(const fh_keep *keep, fh_files *files);

/* fh_keep_all reads a source from its first byte to its end and keeps what is to be kept. */
fh_source_status fh_keep_all(fh_keep *keep, fh_reader *reader, const fh_stop *stop) FH_MUST_USE;

/* For fh_disc: fh_keep_at returns a sector by its number, without its bytes; fh_keep_block copies
 * its user data. */
bool fh_keep_at(const fh_keep *keep, fh_disc_sector *out, int64_t index);
bool fh_keep_block(fh_keep *keep, const fh_disc_sector *at, uint8_t out[FH_DATA_LEN]);

#endif
