#include "source/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_random(const struct stat *st)
{
    if (S_ISREG(st->st_mode) || S_ISBLK(st->st_mode)) {
        return true;
    }
    errno = S_ISDIR(st->st_mode) ? EISDIR : ESPIPE;
    return false;
}

/* The end of a device is found by going there; the place where readers stand is put back. */
static bool find_size(fh_raw_file *file, const struct stat *st)
{
    const off_t at = lseek(file->fd, 0, SEEK_CUR);
    off_t end = st->st_size;
    if (at >= 0 && S_ISBLK(st->st_mode)) {
        end = lseek(file->fd, 0, SEEK_END);
        if (lseek(file->fd, at, SEEK_SET) != at) {
            return false;
        }
    }
    file->size = (int64_t)end - file->base;
    file->is_file = S_ISREG(st->st_mode);
    file->was = fh_file_state_of(st);
    return at >= 0 && end >= 0;
}

static bool use_standard_input(fh_raw_file *file, int64_t consumed)
{
    struct stat st;
    file->fd = STDIN_FILENO;
    if (fstat(file->fd, &st) != 0 || !is_random(&st)) {
        return false;
    }
    file->base = (int64_t)lseek(file->fd, 0, SEEK_CUR) - consumed;
    return file->base >= 0 && find_size(file, &st);
}

bool fh_raw_file_open(fh_raw_file *file, const char *path, int64_t consumed)
{
    struct stat st;
    *file = (fh_raw_file){.fd = -1};
    if (strcmp(path, "-") == 0) {
        return use_standard_input(file, consumed);
    }
    /* Opening a pipe a second time would wait, and take its bytes. */
    if (stat(path, &st) != 0 || !is_random(&st)) {
        return false;
    }
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    file->owns_fd = file->fd >= 0;
    if (file->owns_fd && fstat(file->fd, &st) == 0 && is_random(&st) && find_size(file, &st)) {
        return true;
    }
    const int error = errno;
    fh_raw_file_close(file);
    errno = error;
    return false;
}

void fh_raw_file_close(fh_raw_file *file)
{
    if (file->owns_fd) {
        close(file->fd);
    }
    *file = (fh_raw_file){.fd = -1};
}

fh_drift fh_raw_file_drift(const fh_raw_file *file)
{
    return file->is_file ? fh_file_drift(file->fd, &file->was)
                         : (fh_drift){FH_DRIFT_NONE, FH_UNKNOWN};
}

bool fh_raw_file_read(void *user, int64_t off, uint8_t *out, size_t len)
{
    fh_raw_file *file = user;
    for (size_t done = 0; done < len;) {
        if (off < 0 || off > INT64_MAX - file->base - (int64_t)len) {
            return false;
        }
        const ssize_t got =
            pread(file->fd, out + done, len - done, (off_t)(file->base + off + (int64_t)done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            file->error = got < 0 ? errno : file->error;
            return false;
        }
    }
    return true;
}
