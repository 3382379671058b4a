#include "source/tape.h"

#include "source/holes.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

fh_tape_status fh_tape_break(fh_tape *tape, const char *why)
{
    fh_text text = fh_text_make(tape->error_text, sizeof tape->error_text);
    fh_text_str(&text, why);
    return FH_TAPE_ERROR;
}

fh_tape_status fh_tape_fail(fh_tape *tape, int error)
{
    tape->error = error;
    return fh_tape_break(tape, strerror(error));
}

void fh_tape_close(fh_tape *tape)
{
    if (tape->close != NULL) {
        tape->close(tape);
    }
    tape->close = NULL;
    tape->read = NULL;
    tape->seek = NULL;
    tape->drift = NULL;
    tape->self = NULL;
}

/* ---- files that change --------------------------------------------------------------------- */

const char *fh_drift_text(fh_drift drift)
{
    static const char *const texts[] = {
        [FH_DRIFT_NONE] = "",
        [FH_DRIFT_LONGER] = "it grew while it was read",
        [FH_DRIFT_WRITTEN] = "somebody wrote to it while it was read",
        [FH_DRIFT_SHORTER] = "it became shorter while it was read",
    };
    return texts[drift.kind];
}

fh_file_state fh_file_state_of(const struct stat *st)
{
    return (fh_file_state){(int64_t)st->st_size, st->st_mtim};
}

/* A file that cannot be asked is not known to have kept still. */
fh_drift fh_file_drift(int fd, const fh_file_state *was)
{
    struct stat now;
    if (fstat(fd, &now) != 0) {
        return (fh_drift){FH_DRIFT_WRITTEN, FH_UNKNOWN};
    }
    if ((int64_t)now.st_size != was->size) {
        const bool is_shorter = (int64_t)now.st_size < was->size;
        return (fh_drift){is_shorter ? FH_DRIFT_SHORTER : FH_DRIFT_LONGER, (int64_t)now.st_size};
    }
    const bool is_same =
        now.st_mtim.tv_sec == was->changed.tv_sec && now.st_mtim.tv_nsec == was->changed.tv_nsec;
    return (fh_drift){is_same ? FH_DRIFT_NONE : FH_DRIFT_WRITTEN, FH_UNKNOWN};
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Devices have their size at their end only. Files of /proc call themselves empty and are not:
 * a size of 0 is as good as none. */
static int64_t size_ahead(int fd, const struct stat *st, off_t at)
{
    if (at < 0) {
        return FH_UNKNOWN;
    }
    off_t end = st->st_size;
    if (S_ISBLK(st->st_mode)) {
        end = lseek(fd, 0, SEEK_END);
        if (lseek(fd, at, SEEK_SET) != at) {
            return FH_UNKNOWN;
        }
    } else if (!S_ISREG(st->st_mode)) {
        return FH_UNKNOWN;
    }
    return end > at ? (int64_t)(end - at) : FH_UNKNOWN;
}

/* Standard input may have been made non-blocking by whoever shares it. */
static bool try_again(int fd, int error)
{
    if (error == EAGAIN || error == EWOULDBLOCK) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        return poll(&wait, 1, -1) >= 0 || errno == EINTR;
    }
    return error == EINTR;
}

static fh_tape_status read_fd(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    if (tape->error != 0) {
        return FH_TAPE_ERROR;
    }
    ssize_t got = read(tape->fd, to, max);
    if (got > 0) {
        *len = (size_t)got;
        return FH_TAPE_OK;
    }
    if (got == 0) {
        return FH_TAPE_END;
    }
    int error = errno;
    return try_again(tape->fd, error) ? FH_TAPE_AGAIN : fh_tape_fail(tape, error);
}

/* The file as it was when the tape was made; where the descriptor stood is byte 0. What is known of
 * its holes goes along with the descriptor. */
typedef struct file_start {
    off_t at;
    fh_file_state state;
    fh_holes holes;
} file_start;

static fh_tape_status read_sparse(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    file_start *start = tape->self;
    size_t run = 0;
    if (tape->error != 0) {
        return FH_TAPE_ERROR;
    }
    if (!fh_holes_skip(&start->holes, tape->fd, max, &run)) {
        return fh_tape_fail(tape, errno);
    }
    if (run == 0) {
        return read_fd(tape, len, to, max);
    }
    memset(to, 0, run);
    *len = run;
    return FH_TAPE_OK;
}

static bool seek_fd(fh_tape *tape, int64_t off)
{
    file_start *start = tape->self;
    off_t to = 0;
    if (tape->error != 0 || off < 0 || __builtin_add_overflow(start->at, off, &to)) {
        return false;
    }
    if (lseek(tape->fd, to, SEEK_SET) != to) {
        (void)fh_tape_fail(tape, errno); /* nobody knows where it stands now */
        return false;
    }
    start->holes = (fh_holes){0};
    return true;
}

static fh_drift drift_of_fd(const fh_tape *tape)
{
    const file_start *start = tape->self;
    fh_drift drift = fh_file_drift(tape->fd, &start->state);
    if (drift.size != FH_UNKNOWN) {
        drift.size = drift.size > start->at ? drift.size - start->at : 0;
    }
    return drift;
}

static void close_fd(fh_tape *tape)
{
    if (tape->fd > STDIN_FILENO) {
        close(tape->fd);
    }
    free(tape->self);
    tape->fd = -1;
}

static int open_fd(fh_tape *tape, const char *path, const fh_stop *stop)
{
    if (strcmp(path, "-") == 0) {
        tape->fd = STDIN_FILENO;
        return 0;
    }
    do {
        if (fh_stop_now(stop)) {
            return EINTR;
        }
        tape->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (tape->fd < 0 && errno == EINTR);
    return tape->fd >= 0 ? 0 : errno;
}

/* Only of regular files is it known that going back yields the same bytes again. */
static int allow_seeking(fh_tape *tape, const struct stat *st, off_t at)
{
    if (!S_ISREG(st->st_mode)) {
        return 0;
    }
    file_start *start = malloc(sizeof *start);
    if (start == NULL) {
        return ENOMEM;
    }
    *start = (file_start){.at = at, .state = fh_file_state_of(st)};
    if (fh_holes_has(st)) {
        tape->read = read_sparse;
    }
    tape->self = start;
    tape->seek = seek_fd;
    tape->drift = drift_of_fd;
    return 0;
}

static int look_at(fh_tape *tape)
{
    struct stat st;
    if (fstat(tape->fd, &st) != 0) {
        return errno;
    }
    if (S_ISDIR(st.st_mode)) {
        return EISDIR;
    }
    const off_t at = lseek(tape->fd, 0, SEEK_CUR);
    if (at < 0 && S_ISREG(st.st_mode)) {
        return errno;
    }
    tape->size = size_ahead(tape->fd, &st, at);
    /* Advice only: pipes refuse it, and nothing depends on it. */
    (void)posix_fadvise(tape->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return allow_seeking(tape, &st, at);
}

fh_tape_status fh_tape_open_path(fh_tape *tape, const char *path, const fh_stop *stop)
{
    *tape = (fh_tape){.read = read_fd, .close = close_fd, .fd = -1, .size = FH_UNKNOWN};
    int error = open_fd(tape, path, stop);
    if (error == EINTR) {
        return FH_TAPE_STOPPED;
    }
    if (error == 0) {
        error = look_at(tape);
    }
    return error == 0 ? FH_TAPE_OK : fh_tape_fail(tape, error);
}

bool fh_tape_is_file(const fh_tape *tape)
{
    return tape->seek == seek_fd;
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct memory_run {
    const uint8_t *bytes;
    size_t len;
    size_t pos;
} memory_run;

static fh_tape_status read_memory(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    memory_run *run = tape->self;
    if (run == NULL) {
        return fh_tape_fail(tape, ENOMEM);
    }
    const size_t left = run->len - run->pos;
    const size_t num = left < max ? left : max;
    if (num == 0) {
        return FH_TAPE_END;
    }
    memcpy(to, run->bytes + run->pos, num);
    run->pos += num;
    *len = num;
    return FH_TAPE_OK;
}

static bool seek_memory(fh_tape *tape, int64_t off)
{
    memory_run *run = tape->self;
    if (run == NULL || off < 0 || (uint64_t)off > run->len) {
        return false;
    }
    run->pos = (size_t)off;
    return true;
}

static bool read_memory_at(fh_tape *tape, int64_t off, uint8_t *to, size_t len)
{
    const memory_run *run = tape->self;
    if (run == NULL || off < 0 || (uint64_t)off > run->len || len > run->len - (size_t)off) {
        return false;
    }
    if (len > 0) {
        memcpy(to, run->bytes + off, len);
    }
    return true;
}

static void close_memory(fh_tape *tape)
{
    free(tape->self);
}

fh_tape fh_tape_of_bytes(const uint8_t *bytes, size_t len)
{
    memory_run *run = malloc(sizeof *run);
    if (run != NULL) {
        *run = (memory_run){bytes, len, 0};
    }
    return (fh_tape){.read = read_memory,
                     .seek = seek_memory,
                     .read_any = read_memory_at,
                     .any_size = (int64_t)len,
                     .close = close_memory,
                     .self = run,
                     .fd = -1,
                     .size = (int64_t)len};
}
