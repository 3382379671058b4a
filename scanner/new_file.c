#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The place itself, behind links; a path that is not there yet stays as it is. */
static int find_place(char out[PATH_MAX], const char *path)
{
    struct stat there;
    if (lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) {
        return realpath(path, out) == NULL ? errno : 0;
    }
    const size_t len = strlen(path);
    if (len == 0 || len >= PATH_MAX) {
        return len == 0 ? ENOENT : ENAMETOOLONG;
    }
    memcpy(out, path, len + 1);
    return 0;
}

static int open_beside(fh_new_file *file)
{
    static const char tail[] = ".XXXXXX";
    const size_t len = strlen(file->path);
    if (len + sizeof tail > sizeof file->temporary) {
        return ENAMETOOLONG;
    }
    memcpy(file->temporary, file->path, len);
    memcpy(file->temporary + len, tail, sizeof tail);
    const int fd = mkostemp(file->temporary, O_CLOEXEC);
    if (fd < 0) {
        file->temporary[0] = '\0';
        return errno;
    }
    file->file = fdopen(fd, "wb");
    if (file->file == NULL) {
        const int error = errno;
        (void)close(fd);
        return error;
    }
    return 0;
}

int fh_new_file_begin(fh_new_file *file, const char *path, mode_t mode)
{
    struct stat there;
    file->file = NULL;
    file->path[0] = '\0';
    file->temporary[0] = '\0';
    int error = find_place(file->path, path);
    if (error != 0) {
        return error;
    }
    if (stat(file->path, &there) == 0) {
        if (!S_ISREG(there.st_mode)) {
            return S_ISDIR(there.st_mode) ? EISDIR : EINVAL;
        }
        mode = there.st_mode & 07777;
    } else {
        const mode_t mask = umask(0);
        (void)umask(mask);
        mode &= ~mask;
    }
    error = open_beside(file);
    if (error == 0 && fchmod(fileno(file->file), mode) != 0) {
        error = errno;
    }
    if (error != 0) {
        fh_new_file_drop(file);
    }
    return error;
}

int fh_new_file_begin_any(fh_new_file *file, const char *path, mode_t mode)
{
    struct stat there;
    if (stat(path, &there) != 0 || !(S_ISCHR(there.st_mode) || S_ISFIFO(there.st_mode))) {
        return fh_new_file_begin(file, path, mode);
    }
    file->path[0] = '\0';
    file->temporary[0] = '\0';
    file->file = fopen(path, "we");
    return file->file == NULL ? errno : 0;
}

int fh_new_file_commit(fh_new_file *file)
{
    errno = 0;
    int error = fflush(file->file) != 0 || ferror(file->file) != 0 ? EIO : 0;
    if (error != 0 && errno != 0) {
        error = errno;
    }
    if (fclose(file->file) != 0 && error == 0) {
        error = errno;
    }
    file->file = NULL;
    if (error == 0 && file->temporary[0] != '\0' && rename(file->temporary, file->path) != 0) {
        error = errno;
    }
    if (error == 0) {
        file->temporary[0] = '\0';
    }
    fh_new_file_drop(file);
    return error;
}

void fh_new_file_drop(fh_new_file *file)
{
    if (file->file != NULL) {
        (void)fclose(file->file);
        file->file = NULL;
    }
    if (file->temporary[0] != '\0') {
        (void)unlink(file->temporary);
        file->temporary[0] = '\0';
    }
}

bool fh_write_all(int fd, const void *bytes, size_t len)
{
    const uint8_t *from = bytes;
    size_t at = 0;
    while (at < len) {
        const ssize_t written = write(fd, from + at, len - at);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written < 0 ? 0 : (size_t)written;
    }
    return true;
}
