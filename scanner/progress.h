/* Progress of long work, on standard error: bytes, rate, time left, what was found so far. */
#ifndef FH_SCANNER_PROGRESS_H
#define FH_SCANNER_PROGRESS_H

#include "hunt/hunt.h"

#include <time.h>

typedef enum fh_progress_mode {
    FH_PROGRESS_AUTO = 0, /* on a terminal, and only for work that takes a while */
    FH_PROGRESS_ALWAYS,
    FH_PROGRESS_NEVER,
    FH_PROGRESS_JSON /* one object a line */
} fh_progress_mode;

typedef struct fh_progress {
    fh_progress_mode mode;
    const char *path;
    struct timespec start;
    double last_shown; /* seconds since start */
    bool is_shown;     /* there is a line to wipe */
} fh_progress;

bool fh_progress_parse(fh_progress_mode *out, const char *name) FH_MUST_USE;

/* fh_progress_begin starts with a source; what is not wanted is decided here. */
void fh_progress_begin(fh_progress *progress, fh_progress_mode mode, const char *path);
void fh_progress_show(fh_progress *progress, const fh_hunt_progress *state);

/* fh_progress_wipe clears the line, before other output and at the end. */
void fh_progress_wipe(fh_progress *progress);

#endif
