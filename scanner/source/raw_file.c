#include "source/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_random(const struct stat *st)
{
    return S_ISREG(st->st_mode) || S_ISBLK(st->st_mode);
}

static bool use_standard_input(fh_raw_file *file, int64_t consumed)
{
    struct stat st;
    file->fd = STDIN_FILENO;
    const off_t at = fstat(file->fd, &st) == 0 && is_random(&st) ? lseek(file->fd, 0, SEEK_CUR) : -1;
    file->base = (int64_t)at - consumed;
    return at >= 0 && file->base >= 0;
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
    if (file->owns_fd && fstat(file->fd, &st) == 0 && is_random(&st)) {
        return true;
    }
    fh_raw_file_close(file);
    return false;
}

void fh_raw_file_close(fh_raw_file *file)
{
    if (file->owns_fd) {
        close(file->fd);
    }
    *file = (fh_raw_file){.fd = -1};
}

bool fh_raw_file_read(void *user, int64_t off, uint8_t *out, size_t len)
{
    const fh_raw_file *file = user;
    for (size_t done = 0; done < len;) {
        if (off < 0 || off > INT64_MAX - file->base - (int64_t)len) {
            return false;
        }
        const ssize_t got =
            pread(file->fd, out + done, len - done, (off_t)(file->base + off + (int64_t)done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}
