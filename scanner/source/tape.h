/* The tape: bytes that can be read forwards, wherever they come from.
 *
 * A file, a pipe, a member of an archive, a disc image that a decoder makes out of something else:
 * whoever reads (fh_reader) sees the same. A tape is a small struct that is handed over by value;
 * what it works on hangs at `self` and is freed by `close`. It belongs to whom it was handed.
 *
 * How a tape ends: FH_TAPE_END where its bytes end; FH_TAPE_ERROR where the system fails (`error`
 * is an errno) or where the content does (`error` is 0). In both cases error_text says why. What
 * is wrong with content is a finding of the image rules and kept in `faults`, also where reading
 * can go on. Errors and ends are sticky.
 */
#ifndef FH_SOURCE_TAPE_H
#define FH_SOURCE_TAPE_H

#include "core/finding.h"
#include "source/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

typedef enum fh_tape_status {
    FH_TAPE_OK = 0,
    FH_TAPE_AGAIN, /* nothing yet: ask whether to stop, then call again */
    FH_TAPE_END,
    FH_TAPE_ERROR,
    FH_TAPE_STOPPED /* the user wants the work to end */
} fh_tape_status;

/* What is known of the bytes of a tape before they are looked at. */
typedef enum fh_content {
    FH_CONTENT_ANY = 0,
    FH_CONTENT_RAM,  /* main RAM from its first byte on, whatever it looks like */
    FH_CONTENT_PLAIN /* no container and no memory: that was tried */
} fh_content;

/* How far a file has drifted from what it was when its reading began; what is worse comes later. */
typedef enum fh_drift_kind {
    FH_DRIFT_NONE = 0,
    FH_DRIFT_LONGER,  /* somebody may only have appended to it: what was read was all of it */
    FH_DRIFT_WRITTEN, /* its length is the same and its time is not, or it cannot be asked */
    FH_DRIFT_SHORTER
} fh_drift_kind;

typedef struct fh_drift {
    fh_drift_kind kind;
    int64_t size; /* another length than at the beginning, or FH_UNKNOWN */
} fh_drift;

/* fh_drift_breaks tells whether what was read is perhaps of no single state of the file, or not
 * all of it. */
static inline bool fh_drift_breaks(fh_drift drift)
{
    return drift.kind >= FH_DRIFT_WRITTEN;
}

/* fh_drift_worse returns the worse of two. */
static inline fh_drift fh_drift_worse(fh_drift a, fh_drift b)
{
    return b.kind > a.kind ? b : a;
}

/* fh_drift_text says what has happened, behind "cannot be read: "; "" for nothing. */
const char *fh_drift_text(fh_drift drift);

/* A file as it was once. */
typedef struct fh_file_state {
    int64_t size;
    struct timespec changed;
} fh_file_state;

/* fh_file_drift compares what is behind a descriptor now with what it was. */
fh_file_state fh_file_state_of(const struct stat *st);
fh_drift fh_file_drift(int fd, const fh_file_state *was);

typedef struct fh_tape fh_tape;
struct fh_tape {
    /* Fills up to max bytes (not 0) at `to`. FH_TAPE_OK: *len is 1 to max; else it is not
     * touched. */
    fh_tape_status (*read)(fh_tape *tape, size_t *len, uint8_t *to, size_t max);

    /* Goes to a byte, counted from where the tape began; false: it cannot. NULL: it never can. */
    bool (*seek)(fh_tape *tape, int64_t off);

    /* Reads len bytes from anywhere, of any_size, and disturbs nothing that is read forwards; false
     * if they are not all there. NULL: it cannot. */
    bool (*read_any)(fh_tape *tape, int64_t off, uint8_t *to, size_t len);
    int64_t any_size;

    /* What has become of what is read since the tape was made. NULL: not known. */
    fh_drift (*drift)(const fh_tape *tape);

    void (*close)(fh_tape *tape); /* may be NULL */
    void *self;
    int fd;       /* of a tape that is a descriptor, else unused */
    int64_t size; /* bytes ahead when it was opened, FH_UNKNOWN if that is not certain */
    int error;    /* errno, 0 = none */
    char error_text[128];
    fh_content content;
    bool hit_limit;     /* a limit of ours ended it; a fault says which */
    fh_tallies *faults; /* borrowed, lives as long as the tape; NULL: content cannot be wrong */
};

/* Whether the user wants the work to end. check may be NULL: never. */
typedef struct fh_stop {
    bool (*check)(void *user);
    void *user;
} fh_stop;

static inline bool fh_stop_now(const fh_stop *stop)
{
    return stop->check != NULL && stop->check(stop->user);
}

/* fh_tape_open_path makes a tape of the file at path, or of standard input for "-". FH_TAPE_OK,
 * FH_TAPE_ERROR, or FH_TAPE_STOPPED where opening itself waits (a pipe without a writer) and stop
 * says so; in all cases the tape must be closed. A directory is an error (EISDIR). */
fh_tape_status fh_tape_open_path(fh_tape *tape, const char *path, const fh_stop *stop) FH_MUST_USE;

/* fh_tape_is_file tells whether a tape is a regular file, which may be read by any thread. */
bool fh_tape_is_file(const fh_tape *tape);

/* fh_tape_of_bytes makes a tape of len bytes, which are borrowed for its life. */
fh_tape fh_tape_of_bytes(const uint8_t *bytes, size_t len);

/* fh_tape_close closes the tape if it is open; then it is at its end. */
void fh_tape_close(fh_tape *tape);

/* fh_tape_fail makes an errno the error of the tape and returns FH_TAPE_ERROR. */
fh_tape_status fh_tape_fail(fh_tape *tape, int error);

/* fh_tape_break says that the content is wrong, in words, and returns FH_TAPE_ERROR. The fault
 * itself is added by the caller. */
fh_tape_status fh_tape_break(fh_tape *tape, const char *why);

#endif
