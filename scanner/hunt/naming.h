/* Naming: which file of a disc an asset lies in.
 *
 * The directory tree is read before the image is searched, where the source can be read at any
 * place; what is wrong with it is told when all was searched. Of an image that can only be read
 * forwards the sectors of directories are kept on the way (source/keep.h), and the tree is read
 * behind its end. Internal to the hunt.
 */
#ifndef FH_HUNT_NAMING_H
#define FH_HUNT_NAMING_H

#include "hunt/exam.h"
#include "source/files.h"
#include "source/keep.h"
#include "source/raw_file.h"
#include "source/reader.h"

typedef struct fh_naming {
    fh_raw_file raw;
    fh_files files;
    fh_keep keep;
    bool keeps;       /* the tree is to be read behind the end */
    bool is_open;     /* files are there, and have to be closed */
    int64_t file_off; /* stream offset at which the file begins that is read as FH_STREAM_FILE */
} fh_naming;

/* fh_naming_open reads the tree of the image at path; `consumed` is what the reader has read of it
 * already. Where the source cannot be read so, it keeps: every sector has then to be handed to
 * fh_keep_sector. A file of which only an error keeps it from being read so breaks the reader.
 * false: no memory. In all cases close it, before the reader. */
bool fh_naming_open(fh_naming *naming, const char *path, const fh_layout *layout, fh_reader *reader,
                    int64_t consumed) FH_MUST_USE;
void fh_naming_close(fh_naming *naming);

/* fh_naming_finish opens a naming that keeps, when the reader has read all. FH_KEEP_LOST: it stays
 * closed, for the tree is not to be had. */
fh_keep_status fh_naming_finish(fh_naming *naming, const char *path, fh_reader *reader,
                                const fh_stop *stop) FH_MUST_USE;

typedef struct fh_asset_name {
    char path[FH_ISO_MAX_PATH]; /* empty: in no file, or unknown */
    int64_t offset;             /* in the file, or FH_UNKNOWN */
} fh_asset_name;

/* fh_name_asset names the asset between two raw offsets, of its first and its last byte, and adds
 * what is to be said of it to the exam. Without files it has no name. */
void fh_name_asset(fh_naming *naming, fh_asset_name *out, fh_exam *exam, int64_t first_raw,
                   int64_t last_raw);

/* fh_name_in_file names the asset that the stream of a file holds at stream_off, and the source at
 * first_raw. Where the directory counts its bytes, that counts: the stream leaves out sound. */
void fh_name_in_file(fh_naming *naming, fh_asset_name *out, size_t file, int64_t stream_off,
                     int64_t first_raw);

#endif
