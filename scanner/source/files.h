/* The files of an image: its sectors and its directory tree put together.
 *
 * Read once, before the image is searched; then any byte of the source has a file or none. While
 * the image is read forwards its sectors are held against the tree (fh_files_sector).
 *
 * How bytes of a file are counted (image format sheet, section 4.2): 2048 for each sector, unless
 * the XA attributes of its record, or its first sector, say Form 2 or interleaved, or the record
 * says nothing and one of its sectors is of Form 2; then each sector counts as much as its own form
 * holds. Sectors of another file number than the first one are none of an interleaved XA file.
 *
 * An fh_files owns its memory until fh_files_close, which may be called twice.
 */
#ifndef FH_SOURCE_FILES_H
#define FH_SOURCE_FILES_H

#include "source/disc.h"
#include "source/iso_map.h"

/* Bits of fh_iso_file.forms. */
#define FH_FILE_FORM1 0x01u
#define FH_FILE_FORM2 0x02u

/* A place up to which the bytes of a file were counted. */
typedef struct fh_files_count {
    size_t file;
    int64_t number;  /* sectors of the file */
    int64_t bytes;   /* in them; of an interleaved XA file in those of its own number */
    uint8_t xa_file; /* which is that of the first one */
} fh_files_count;

typedef struct fh_files {
    fh_disc disc;
    fh_iso iso;
    fh_iso_map map;
    fh_tallies tallies; /* what is wrong with the tree: to be told when the image was read */

    /* Private. */
    bool has_map;
    int64_t count_left;       /* sectors that may yet be counted */
    fh_files_count counts[2]; /* for Form 1 and Form 2: each goes forwards only */
    size_t audit_file;        /* of the last sector */
    uint8_t audit_number;
    uint8_t audit_channel;
    bool audit_is_data; /* its record, or its first sector, says Form 1 */
} fh_files;

/* fh_files_open reads the tree of an image of size bytes. false: no memory; close it then, too. */
bool fh_files_open(fh_files *files, const fh_layout *layout, int64_t size, fh_disc_bytes read,
                   void *user) FH_MUST_USE;
void fh_files_close(fh_files *files);

/* fh_files_open_kept does so for an image that was read forwards (source/keep.h). */
bool fh_files_open_kept(fh_files *files, const fh_layout *layout, int64_t size,
                        struct fh_keep *keep) FH_MUST_USE;

typedef struct fh_files_place {
    size_t file;     /* in the primary tree, or FH_ISO_NO_FILE */
    int64_t offset;  /* byte of the file, or FH_UNKNOWN where that cannot be counted */
    int64_t block;   /* by which directories name the sector, or FH_UNKNOWN */
    bool is_data;    /* the byte is user data of a sector */
    size_t behind;   /* file in whose last sector it lies, behind the end of the file */
    uint32_t extent; /* of the file, where there is one */
} fh_files_place;

/* fh_files_at tells of a raw offset which file it lies in. */
void fh_files_at(fh_files *files, fh_files_place *out, int64_t raw_off);

/* fh_files_has tells whether a raw offset lies in the file of another place: in that extent, or in
 * what the map gives for it. */
bool fh_files_has(fh_files *files, const fh_files_place *place, int64_t raw_off);

/* fh_files_locate returns the raw offset of a byte of a file, or FH_UNKNOWN. */
int64_t fh_files_locate(fh_files *files, size_t file, int64_t offset);

/* fh_files_sector holds a sector against the tree: IMG0013, IMG0075, IMG0076, IMG0077. lba is
 * FH_UNKNOWN where it is not to be believed. */
void fh_files_sector(fh_files *files, const fh_sector *sector, int64_t raw_off, int64_t lba);

/* fh_files_is_mixed tells of a file whose sectors were held against the tree whether they are of
 * both forms. Sound does not count. */
bool fh_files_is_mixed(const fh_iso_file *file);

#endif
