/* Where: one place in a source, in all the ways in which a place is told.
 *
 * A file or device is read at random: its layout, the sector of the place and those beside it, and
 * the directory tree. What lies in a container, or comes through a pipe, is read once to its end,
 * and what is needed of it is kept (source/keep.h). An fh_where owns files and memory until
 * fh_where_close.
 */
#ifndef FH_SCANNER_WHERE_H
#define FH_SCANNER_WHERE_H

#include "address_wish.h"
#include "source/files.h"
#include "source/keep.h"
#include "source/memory.h"
#include "source/raw_file.h"

typedef struct fh_where {
    fh_raw_file raw;
    char *path; /* owned; not NULL: of the source, which lies in a container that was named */
    int64_t size;
    fh_layout layout;
    fh_keep keep;
    bool has_files; /* the source is an image */
    bool has_tree;  /* whose directory tree is known */
    fh_files files;
    bool has_memory; /* it holds main RAM, as it lies */
    fh_memory memory;
    bool is_faulty; /* FH_WHERE_UNREADABLE: a file or device, which the system cannot read */
    char error[160];
} fh_where;

typedef enum fh_where_status {
    FH_WHERE_OK = 0,
    FH_WHERE_UNREADABLE, /* see error */
    FH_WHERE_CHANGED,    /* what was read may be of no state of it; see error */
    FH_WHERE_STOPPED,
    FH_WHERE_NO_MEMORY
} fh_where_status;

typedef struct fh_where_how {
    fh_layout_choice layout;
    bool as_it_lies;  /* a container is itself the source, and not what is in it */
    bool keeps_pipes; /* what can be read only once is not read, but unreadable */
    fh_stop stop;
} fh_where_how;

/* fh_where_open opens the source at path: a file, "-", or a member as a scan calls it. A container
 * in which there is one source stands for it. In all cases close it. */
fh_where_status fh_where_open(fh_where *where, const char *path,
                              const fh_where_how *how) FH_MUST_USE;
void fh_where_close(fh_where *where);

/* fh_where_find turns an address into a raw offset, FH_UNKNOWN if the source has no such place. */
int64_t fh_where_find(fh_where *where, const fh_address_wish *wish);

/* fh_where_still is FH_WHERE_OK if the source is as it was when it was opened, or longer; else
 * FH_WHERE_CHANGED, and what was found and told may be wrong. */
fh_where_status fh_where_still(fh_where *where) FH_MUST_USE;

/* fh_where_is_cut tells whether there may be such a place all the same: it is a path, and a limit
 * left out some of the directory tree (IMG0033), or the tree has passed unkept (IMG0082). */
bool fh_where_is_cut(const fh_where *where, const fh_address_wish *wish);

/* A place. What there is none of is FH_UNKNOWN, NULL or empty. */
typedef struct fh_spot {
    int64_t raw_off;
    int64_t sector;    /* its number in the image */
    const char *kind;  /* of the sector: "Mode 2 Form 1" */
    const char *field; /* of the sector: "user data" */
    int64_t user_off;
    int64_t lba;
    int64_t sector_off; /* byte in the user data of the sector */
    char iso_path[FH_ISO_MAX_PATH];
    int64_t iso_off;
    bool is_directory; /* what lies there is a directory of the tree */
    char joliet_path[FH_ISO_MAX_PATH];
    int64_t ram_address; /* as programs use it */
} fh_spot;

/* fh_where_tell tells all of a raw offset, which must lie in the source. */
void fh_where_tell(fh_where *where, fh_spot *out, int64_t raw_off);

#endif
