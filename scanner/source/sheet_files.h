/* The image files of a sheet: looked up beside it, and opened nowhere else.
 *
 * A name is first tried as it stands, then without its folders, for those are often of the machine
 * where the sheet was made; each part in its own case, then in any (of several, the first by its
 * bytes). Names that begin at a root or contain `..`, and links that lead out of the folder of the
 * sheet, are not followed (IMG0021). What is a sheet or a container itself is no image either.
 * Source: image format sheet, section 7 line 8.
 */
#ifndef FH_SOURCE_SHEET_FILES_H
#define FH_SOURCE_SHEET_FILES_H

#include "source/sheet.h"

#define FH_SHEET_MAX_PATH ((size_t)4096)

typedef struct fh_sheet_image {
    char path[FH_SHEET_MAX_PATH]; /* the folder of the sheet, and what the file is called in it */
    fh_tracks tracks;             /* num_parts 0: nothing is known of them; borrowed of the sheet */
    int64_t size;
} fh_sheet_image;

/* A walk through the files of a sheet. */
typedef struct fh_sheet_walk {
    const char *path; /* of the sheet; borrowed */
    fh_sheet *sheet;  /* borrowed; the LBAs of its parts become those of the disc */
    fh_tallies *faults;
    size_t next;
    int64_t sectors;  /* of all files before the next one, or FH_UNKNOWN */
    int64_t num_lost; /* files that are not there or cannot be used */
} fh_sheet_walk;

fh_sheet_walk fh_sheet_walk_make(const char *path, fh_sheet *sheet, fh_tallies *faults);

/* fh_sheet_next gives the next image file that can be read; false: there is none. What is wrong
 * with others is told in the faults. Files of sound are passed over. */
bool fh_sheet_next(fh_sheet_walk *walk, fh_sheet_image *out) FH_MUST_USE;

/* fh_sheet_audit adds what is to be said of files beside an image: IMG0029. One that is there, or
 * may be, and cannot be looked at counts as lost. */
void fh_sheet_audit(fh_sheet_walk *walk, const fh_sheet_image *image);

/* fh_sheet_look hands out the path of each image file that scanning path as a sheet would read;
 * none where it is no sheet, or cannot be read. */
void fh_sheet_look(const char *path, void *user, void (*image)(void *user, const char *path));

#endif
