/* A whole file: what it is by its content, what its name promises, and what is wrong with it.
 *
 * `framehound check` and the library go through here. The bytes are those of the file, or its first
 * FH_MAX_ASSET_LEN where it is longer. Between the two steps the caller may look for a companion of
 * the format.
 */
#ifndef FH_HUNT_WHOLE_H
#define FH_HUNT_WHOLE_H

#include "hunt/exam.h"

typedef enum fh_whole_kind {
    FH_WHOLE_ASSET = 0, /* to be examined */
    FH_WHOLE_NONE,      /* no asset, and by its name it need not be one */
    FH_WHOLE_EMPTY,
    FH_WHOLE_TOO_LONG, /* longer than any asset */
    FH_WHOLE_NO_MEMORY /* the system had none to find out */
} fh_whole_kind;

typedef struct fh_whole {
    fh_whole_kind kind;
    const fh_format *format;  /* of FH_WHOLE_ASSET, else NULL */
    const fh_format *by_name; /* what the name promises and the content is not, or NULL */
} fh_whole;

/* The formats that may be found; num 0: all of the registry. */
typedef struct fh_format_choice {
    const fh_format *const *formats;
    size_t num;
} fh_format_choice;

/* fh_format_of_content returns the format whose asset begins the bytes, whole or plainly damaged,
 * or NULL. One that takes too much work to tell is that format's: verifying it says so. false: the
 * system had no memory to find out. */
bool fh_format_of_content(const fh_format **out, fh_cursor bytes) FH_MUST_USE;

/* fh_whole_look says what there is. path NULL: the bytes have no name. */
fh_whole fh_whole_look(fh_exam *exam, const char *path, fh_cursor bytes, bool is_too_long,
                       const fh_format_choice *choice);

/* fh_whole_run examines what it is and adds what is to be said of the file as a whole; what is no
 * asset has only that. false when the system had no memory. */
bool fh_whole_run(fh_exam *exam, const fh_whole *whole, fh_cursor bytes,
                  const fh_exam_options *options) FH_MUST_USE;

/* fh_exam_record fills the record of an asset that is a file of its own. *replay is part of it. */
void fh_exam_record(fh_asset_record *out, fh_replay_record *replay, const fh_exam *exam);

/* fh_exam_hit_limit tells whether a limit ended the last examination. */
bool fh_exam_hit_limit(const fh_exam *exam);

#endif
