#include "folder.h"

#include "core/text.h"
#include "new_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Temporary names that are tried: others belong to runs that were killed, or go on. */
#define MAX_TEMPORARY 100u

bool fh_folder_open(fh_folder *folder, const char *path, bool is_mute)
{
    *folder = (fh_folder){.fd = -1, .is_mute = is_mute};
    if (!is_mute && mkdir(path, 0777) != 0 && errno != EEXIST) {
        return false;
    }
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder->fd >= 0 || (is_mute && errno == ENOENT);
}

void fh_folder_close(fh_folder *folder)
{
    if (folder->fd >= 0) {
        (void)close(folder->fd);
        folder->fd = -1;
    }
}

/* ---- what is there ---- */

static bool has_bytes(int fd, const uint8_t *bytes, size_t len)
{
    uint8_t block[16384];
    size_t at = 0;
    while (at < len) {
        const size_t want = len - at < sizeof block ? len - at : sizeof block;
        const ssize_t got = read(fd, block, want);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0 || memcmp(block, bytes + at, (size_t)got) != 0) {
            return false;
        }
        at += (size_t)got;
    }
    return true;
}

/* A file of that name is the same only if it is a regular one with these bytes; a link is not
 * followed, and a pipe not waited for. */
static bool is_same(const fh_folder *folder, const char *name, const void *bytes, size_t len)
{
    struct stat file;
    const int fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const bool same = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size >= 0 &&
                      (uintmax_t)file.st_size == len && has_bytes(fd, bytes, len);
    (void)close(fd);
    return same;
}

/* FH_PUT_OK: nothing is there. */
static fh_put_status look(const fh_folder *folder, const char *name, const void *bytes, size_t len)
{
    struct stat file;
    if (folder->fd < 0) {
        return FH_PUT_OK;
    }
    if (fstatat(folder->fd, name, &file, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? FH_PUT_OK : FH_PUT_ERROR;
    }
    return is_same(folder, name, bytes, len) ? FH_PUT_THERE : FH_PUT_DIFFERS;
}

/* ---- writing ---- */

static int make_temporary(const fh_folder *folder, char name[64])
{
    int fd = -1;
    errno = EEXIST;
    for (unsigned i = 0; i < MAX_TEMPORARY && fd < 0 && errno == EEXIST; i++) {
        fh_text text = fh_text_make(name, 64);
        fh_text_s64(fh_text_str(&text, ".framehound-"), (int64_t)getpid());
        fh_text_u64(fh_text_str(&text, "-"), i);
        fh_text_str(&text, ".tmp");
        fd = openat(folder->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    return fd;
}

/* Gives the file its name, if no other has it. File systems that cannot rename so can make links,
 * or the other way about. */
static bool give_name(const fh_folder *folder, const char *temporary, const char *name)
{
    if (renameat2(folder->fd, temporary, folder->fd, name, RENAME_NOREPLACE) == 0) {
        return true;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return false;
    }
    return linkat(folder->fd, temporary, folder->fd, name, 0) == 0 &&
           unlinkat(folder->fd, temporary, 0) == 0;
}

static bool write_file(const fh_folder *folder, const char *name, const void *bytes, size_t len)
{
    char temporary[64];
    const int fd = make_temporary(folder, temporary);
    if (fd < 0) {
        return false;
    }
    bool good = fh_write_all(fd, bytes, len);
    int error = good ? 0 : errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !give_name(folder, temporary, name)) {
        good = false;
        error = errno;
    }
    if (!good) {
        (void)unlinkat(folder->fd, temporary, 0);
    }
    errno = error;
    return good;
}

fh_put_status fh_folder_put(const fh_folder *folder, const char *name, const void *bytes,
                            size_t len)
{
    assert(name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0);
    const fh_put_status before = look(folder, name, bytes, len);
    if (before != FH_PUT_OK || folder->is_mute) {
        return before;
    }
    if (write_file(folder, name, bytes, len)) {
        return FH_PUT_OK;
    }
    if (errno != EEXIST) {
        return FH_PUT_ERROR;
    }
    const fh_put_status meanwhile = look(folder, name, bytes, len);
    errno = EEXIST;
    return meanwhile == FH_PUT_OK ? FH_PUT_ERROR : meanwhile;
}

void fh_folder_take_back(const fh_folder *folder, const char *name)
{
    if (!folder->is_mute) {
        (void)unlinkat(folder->fd, name, 0);
    }
}

/* ---- replacing ---- */

fh_old_status fh_folder_look(const fh_folder *folder, struct stat *out, const char *name,
                             const void *bytes, size_t len)
{
    if (fstatat(folder->fd, name, out, AT_SYMLINK_NOFOLLOW) != 0) {
        return FH_OLD_DIFFERS;
    }
    if (S_ISLNK(out->st_mode)) {
        return FH_OLD_LINK;
    }
    if (!S_ISREG(out->st_mode)) {
        return FH_OLD_OTHER;
    }
    if (!is_same(folder, name, bytes, len)) {
        return FH_OLD_DIFFERS;
    }
    return out->st_nlink > 1 ? FH_OLD_LINKED : FH_OLD_SAME;
}

static bool is_untouched(const fh_folder *folder, const char *name, const struct stat *was)
{
    struct stat now;
    return fstatat(folder->fd, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == was->st_dev &&
           now.st_ino == was->st_ino && now.st_size == was->st_size &&
           now.st_mtim.tv_sec == was->st_mtim.tv_sec && now.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

/* Owner first: changing it takes bits of the mode away. */
static bool write_like(int fd, const struct stat *was, const void *bytes, size_t len)
{
    struct stat own;
    if (!fh_write_all(fd, bytes, len) || fstat(fd, &own) != 0) {
        return false;
    }
    if ((own.st_uid != was->st_uid || own.st_gid != was->st_gid) &&
        fchown(fd, was->st_uid, was->st_gid) != 0) {
        return false;
    }
    return fchmod(fd, was->st_mode & 07777) == 0 && fsync(fd) == 0;
}

bool fh_folder_replace(const fh_folder *folder, const char *name, const struct stat *was,
                       const void *bytes, size_t len)
{
    char temporary[64];
    const int fd = make_temporary(folder, temporary);
    if (fd < 0) {
        return false;
    }
    bool good = write_like(fd, was, bytes, len);
    int error = good ? 0 : errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !is_untouched(folder, name, was)) {
        good = false;
        error = ESTALE;
    }
    if (good && renameat(folder->fd, temporary, folder->fd, name) != 0) {
        good = false;
        error = errno;
    }
    if (!good) {
        (void)unlinkat(folder->fd, temporary, 0);
    }
    errno = error;
    return good;
}
