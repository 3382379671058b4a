/* The companion of an asset: the file that says what the asset belongs to, such as the model that
 * an animation moves.
 *
 * It is the one that the user names, for every asset that can have one, or else a file beside the
 * asset's, of the same name but for the extension. What kind it is only the format knows. Which
 * file was taken unasked, and why one was not, is for the caller to tell on standard error: several
 * threads may look for companions, each with an fh_beside of its own.
 */
#ifndef FH_SCANNER_BESIDE_H
#define FH_SCANNER_BESIDE_H

#include "cmd.h"
#include "source/load.h"

#include <limits.h>

/* Room for what there is to tell of a companion: two paths and a sentence. */
#define FH_BESIDE_TOLD_LEN ((size_t)2304)

typedef struct fh_beside {
    const char *asked;    /* value of the option: a path, "none", or NULL when it was not given */
    fh_file file;         /* owned; what was asked for, or what was found last */
    fh_cursor cursor;     /* over it */
    bool is_used;         /* by some asset */
    char found[PATH_MAX]; /* the file beside that was read last, or "" */
} fh_beside;

/* fh_beside_open reads the file that was asked for, if there is one. command is the one that runs.
 */
fh_exit fh_beside_open(fh_beside *beside, const char *command);

/* fh_beside_share returns one for another thread. It borrows what was asked for from opened, which
 * must stay open; what it finds by itself is its own, to be closed. */
fh_beside fh_beside_share(const fh_beside *opened);

/* fh_beside_ask sets asked, which is kept, to what a configuration says, and opens it if it is
 * another than before; only a regular file, for nobody who runs a check may have to wait for one.
 */
fh_exit fh_beside_ask(fh_beside *beside, const char *asked, const char *command);

/* fh_beside_find sets *out to the companion of an asset of that format in the file at path, NULL if
 * there is none, and adds to told what is to be told of it, one line at most, escaped. path NULL:
 * the asset is no file of its own, and has nothing beside it. The bytes stay until the next call.
 * Returns FH_EXIT_IO when a file beside could not be read. */
fh_exit fh_beside_find(fh_beside *beside, const fh_cursor **out, fh_text *told,
                       const fh_format *format, const char *path);

/* fh_beside_look is fh_beside_find for who does one file after the other: it complains of what is
 * to be told. */
fh_exit fh_beside_look(fh_beside *beside, const fh_cursor **out, const fh_format *format,
                       const char *path);

/* fh_beside_is tells whether path is the file that was asked for, or that was found beside. */
bool fh_beside_is(const fh_beside *beside, const char *path);

/* fh_beside_close frees the bytes. */
void fh_beside_close(fh_beside *beside);

#endif
