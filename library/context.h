/* The inside of a context of the library. Internal to library/.
 *
 * A call begins with fh_hound_begin, which checks what was given, and ends with fh_hound_end;
 * in between its sink is the context's own copy, and the worst status so far is kept.
 */
#ifndef FH_LIBRARY_CONTEXT_H
#define FH_LIBRARY_CONTEXT_H

#include "framehound/framehound.h"
#include "hunt/hunt.h"
#include "hunt/rulebook.h"
#include "hunt/whole.h"
#include "source/load.h"

/* Room for the name of a profile, and for what went wrong. */
#define FH_PROFILE_LEN ((size_t)32)
#define FH_ERROR_LEN ((size_t)256)

struct framehound {
    /* From the options. */
    uint32_t flags;
    uint32_t min_evidence;
    const fh_format *formats[FH_MAX_RULE_TABLES];
    size_t num_formats;
    char profile[FH_PROFILE_LEN]; /* "": the default */
    fh_layout_choice layout;

    /* Memory that is used again. */
    fh_exam exam;   /* of checks */
    fh_exam player; /* of poses */
    fh_file file;
    framehound_column *columns; /* owned; of the table of the last row */
    framehound_value *values;   /* owned; as many */
    size_t max_columns;
    const fh_pose_table *table;

    /* Of the call that is under way. */
    bool is_busy;
    framehound_sink sink;
    framehound_status status;
    char error[FH_ERROR_LEN];
    const char *source;  /* path of what is searched */
    const fh_exam *seen; /* the examination of the next asset of a scan */
    int64_t num_assets;  /* told in this call */
    uint32_t ram_base;   /* of the source, if: */
    bool has_ram_base;
    fh_budget reserve;   /* of the poses of a source */
    fh_pose_frame frame; /* that is being told */
};

/* fh_take_struct copies a struct that begins with its size. false: it is smaller than its first
 * version, `least`, or says something in bytes beyond `size`, which are not known here. */
bool fh_take_struct(void *to, size_t size, size_t least, const void *from) FH_MUST_USE;

/* fh_hound_begin returns FRAMEHOUND_OK, or why the call cannot be: nothing was changed then but the
 * error text. sink is the program's. */
framehound_status fh_hound_begin(framehound *hound, const framehound_sink *sink) FH_MUST_USE;

/* fh_hound_refuse is the end of a call with an argument that is not allowed. */
framehound_status fh_hound_refuse(framehound *hound, const char *why);

/* fh_hound_note keeps the status if it is worse than those before; why may be "". */
void fh_hound_note(framehound *hound, framehound_status status, const char *why);

/* fh_hound_end returns the worst status. */
framehound_status fh_hound_end(framehound *hound);

/* fh_hound_is_over tells whether nothing more is to be told. */
bool fh_hound_is_over(const framehound *hound);

/* fh_hound_stop asks the program whether to stop; user is the context. */
bool fh_hound_stop(void *user);

#endif
