/* SOURCE@ADDRESS: the bytes at a place of a source, for the commands that look at one place.
 *
 * SOURCE is what a scan calls one, and may lie in a container; ADDRESS is one of where.h, a bare
 * number being a raw offset. An fh_aim owns files and memory until fh_aim_free.
 */
#ifndef FH_SCANNER_AIM_H
#define FH_SCANNER_AIM_H

#include "cmd.h"
#include "hunt/gather.h"
#include "where.h"

typedef struct fh_aim {
    fh_layout_choice layout; /* set by the caller, as it wishes */
    const char *path;        /* of the source */
    const char *address;     /* borrowed from the argument */
    fh_address_wish wish;
    bool is_member;
    bool has_where;
    fh_where where;   /* if it can be read at random */
    fh_gather gather; /* the bytes around the place */
    char *kept;       /* private */
} fh_aim;

/* fh_aim_is_one tells whether an argument ends with @ and an address; a file may be called so all
 * the same. */
bool fh_aim_is_one(const char *argument);

/* fh_aim_split takes the argument apart, and complains in the name of a command where it cannot.
 * The layout is left as it is. In all cases free it. */
fh_exit fh_aim_split(fh_aim *aim, const char *command, const char *argument) FH_MUST_USE;

/* fh_aim_gather reads the bytes around the place. FH_EXIT_FINDINGS, after a complaint, where there
 * is no such place. */
fh_exit fh_aim_gather(fh_aim *aim) FH_MUST_USE;

/* fh_aim_spot tells all addresses of a position of the window that was gathered. */
void fh_aim_spot(fh_aim *aim, fh_spot *spot, size_t pos);

void fh_aim_free(fh_aim *aim);

#endif
