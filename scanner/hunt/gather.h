/* Gathering: the bytes around one place of a source, as the hunt would see them there: of its
 * stream only (that of its (file, channel) pair where pairs are interleaved), from at most
 * FH_LOOK_BEHIND bytes and a chunk in front of the place up to the longest asset behind it, or to
 * the seam that no asset may cross.
 *
 * The source is read forwards from its start, so it may be a member of a container as well. What is
 * gathered owns memory until fh_gather_free.
 */
#ifndef FH_HUNT_GATHER_H
#define FH_HUNT_GATHER_H

#include "core/format.h"
#include "hunt/window.h"
#include "source/opener.h"

typedef enum fh_gather_unit {
    FH_GATHER_RAW = 0, /* byte of the source */
    FH_GATHER_USER,    /* byte of its user data */
    FH_GATHER_LBA      /* byte `offset` of the user data of a sector */
} fh_gather_unit;

typedef struct fh_gather_wish {
    const char *path;
    bool as_it_lies; /* the file at path, even if it is a container */
    fh_layout_choice layout;
    fh_gather_unit unit;
    int64_t number;
    int64_t offset; /* of FH_GATHER_LBA */
    fh_stop stop;
} fh_gather_wish;

typedef enum fh_gather_status {
    FH_GATHER_OK = 0,
    FH_GATHER_NO_PLACE,   /* no user data lie there */
    FH_GATHER_UNREADABLE, /* see error */
    FH_GATHER_CHANGED,    /* what was read may be of no state of it; see error */
    FH_GATHER_STOPPED,
    FH_GATHER_NO_MEMORY
} fh_gather_status;

typedef struct fh_gather {
    fh_window window;
    size_t pos;   /* of the place, in the window */
    int64_t base; /* stream offset that alignment counts from */
    fh_stream stream;
    fh_layout layout;
    bool has_end; /* the window ends at a seam */
    fh_seam_reason reason;
    char error[160];
} fh_gather;

/* fh_gather_at fills out; in all cases free it. */
fh_gather_status fh_gather_at(fh_gather *out, const fh_gather_wish *wish) FH_MUST_USE;
void fh_gather_free(fh_gather *gather);

/* fh_gather_bytes covers what a candidate at a position of the window may be judged by; *end is
 * what follows it. */
fh_cursor fh_gather_bytes(const fh_gather *gather, fh_end *end, size_t pos);

#endif
