/* The inside of the opener, shared by its files only: opener.c (from the path to the last source),
 * opener_level.c (how a level begins and ends), opener_box.c (containers and their members),
 * opener_sheet.c (control files and their images) and opener_wanted.c (which sources are wanted).
 *
 * An opener has a stack of levels: the file, a member of it, a member of that ... The one on top is
 * worked on. Each owns what it holds, until it is popped; whatever fails ends the work by
 * fh_opener_end, and the levels that are left are popped then.
 */
#ifndef FH_SOURCE_OPENER_IMPL_H
#define FH_SOURCE_OPENER_IMPL_H

#include "source/box.h"
#include "source/limits.h"
#include "source/names.h"
#include "source/opener.h"
#include "source/sheet_files.h"

typedef struct fh_opener fh_opener;

/* A control file that is being walked through. */
typedef struct fh_opener_sheet {
    fh_sheet *sheet; /* owned */
    fh_sheet_walk walk;
    fh_sheet_image image; /* the one that is open, or was */
} fh_opener_sheet;

/* A run of bytes that is being read: the file, a member, a member of a member ... */
typedef struct fh_opener_level {
    fh_opener *all;
    struct fh_opener_level *outer; /* whose member it is; NULL: the file */
    char *path;                    /* owned */
    fh_reader reader;
    fh_tallies faults;
    const fh_box_kind *kind; /* NULL: not looked at yet, or: */
    fh_opener_sheet *run;    /* owned; of a control file */
    bool is_image;           /* of a control file, not to be looked into */
    fh_sheet *own;           /* owned; control data in the file itself, or NULL */
    fh_tracks own_tracks;    /* in it */
    fh_box box;
    fh_names names;
    int64_t num_seen; /* members of all sorts */
    int64_t yielded;  /* bytes of its members */
    bool is_broken;   /* it, or one of them */
    bool is_merged;   /* has its container's path and is told as part of it */
    bool hit_limit;
    size_t spooled;

    /* Of the member that this level is. */
    int64_t announced; /* bytes, or FH_UNKNOWN */
    int64_t produced;
    fh_tape_status ended; /* sticky */
} fh_opener_level;

struct fh_opener {
    const fh_opener_options *options;
    const fh_opener_sink *sink;
    fh_opener_result *result;
    fh_opener_level *levels[FH_BOX_MAX_DEPTH];
    size_t depth;
    int64_t produced; /* by all members */
    int64_t num_members;
    size_t spooled;
    size_t num_found; /* of those that are wanted */
    bool is_path;     /* what is opened is a file that can be opened again, and has others beside */
    bool is_spent;    /* a limit that holds for all levels was met */
    fh_again again;
    bool is_over;
    fh_opener_status status;
};

/* ---- opener_level.c ---- */

/* fh_opener_end ends the work, for the reason that the status says. */
void fh_opener_end(fh_opener *all, fh_opener_status status);

/* fh_opener_push puts a level on top, of which no byte was read yet; it takes the path over. NULL:
 * no memory, for which the work has ended; a path that is NULL is a lack of it as well. */
fh_opener_level *fh_opener_push(fh_opener *all, fh_opener_level *outer, char *path);

/* fh_opener_pop closes the top level and frees it. What is told as part of its container is added
 * to that. */
void fh_opener_pop(fh_opener *all);

/* The three ends of a level; it is gone then, unless the work has ended. fh_opener_search hands it
 * out as a source, if it is wanted. fh_opener_finish tells a container that was walked through.
 * fh_opener_fall_back is for one that little or nothing came out of: its bytes are searched as they
 * lie, if they can be had again. */
void fh_opener_search(fh_opener_level *top);
void fh_opener_finish(fh_opener_level *top);
void fh_opener_fall_back(fh_opener_level *top);

/* ---- opener_box.c ---- */

/* fh_opener_kind_of returns the container that a level is, NULL if none that would be entered;
 * window is its first bytes. */
const fh_box_kind *fh_opener_kind_of(const fh_opener_level *top, const fh_cursor *window);

/* fh_opener_merge makes an archive that is all there is in a compressed file one container with it
 * (.tar.gz). false: no memory, for which the work has ended. */
bool fh_opener_merge(fh_opener_level *top);

/* fh_opener_enter opens a container, or ends the level if it cannot be. */
void fh_opener_enter(fh_opener_level *top);

/* fh_opener_next_member takes the next member of the container on top, which may become a level, or
 * ends the level where there is none. */
void fh_opener_next_member(fh_opener_level *top);

/* ---- opener_sheet.c ---- */

/* fh_opener_enter_sheet begins the walk through a control file; false: it is none, or there is no
 * memory, for which the work has ended. */
bool fh_opener_enter_sheet(fh_opener_level *top, const fh_cursor *window);

/* fh_opener_next_image makes the next image file that the control file on top names a level, or
 * ends the level where there is none. */
void fh_opener_next_image(fh_opener_level *top);

/* fh_opener_look_behind reads what an image has behind its sectors: one with control data there
 * knows its tracks itself. Who wants one source knows where in it to look. */
void fh_opener_look_behind(fh_opener_level *top);

/* ---- opener_wanted.c ---- */

/* fh_opener_wants tells whether a source, or something in it, is wanted; fh_opener_is_the_one
 * whether a level itself is. */
bool fh_opener_wants(const fh_opener *all, const char *path);
bool fh_opener_is_the_one(const fh_opener_level *top);

#endif
