#include "source/reader.h"

#include "core/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static_assert(FH_READER_WINDOW % FH_READER_CHUNK == 0, "the window is handed out in whole chunks");

static fh_reader_status fail(fh_reader *reader, int error)
{
    reader->error = error;
    reader->error_off = reader->size_read + (int64_t)(reader->block_len - reader->block_pos);
    fh_text text = fh_text_make(reader->error_text, sizeof reader->error_text);
    fh_text_str(&text, strerror(error));
    reader->pending = FH_READER_ERROR;
    return FH_READER_ERROR;
}

/* Devices have their size at their end only. Files of /proc call themselves empty and are not:
 * a size of 0 is as good as none. */
static int64_t size_ahead(int fd, const struct stat *st)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
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

static int open_path(fh_reader *reader, const char *path)
{
    if (strcmp(path, "-") == 0) {
        reader->fd = STDIN_FILENO;
        return 0;
    }
    do {
        if (reader->stop != NULL && reader->stop(reader->stop_user)) {
            return EINTR;
        }
        reader->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (reader->fd < 0 && errno == EINTR);
    reader->owns_fd = reader->fd >= 0;
    return reader->owns_fd ? 0 : errno;
}

static int look_at(fh_reader *reader)
{
    struct stat st;
    if (fstat(reader->fd, &st) != 0) {
        return errno;
    }
    if (S_ISDIR(st.st_mode)) {
        return EISDIR;
    }
    reader->stat_size = size_ahead(reader->fd, &st);
    /* Advice only: pipes refuse it, and nothing depends on it. */
    (void)posix_fadvise(reader->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

static int start_hash(fh_reader *reader)
{
    reader->block = malloc(FH_READER_WINDOW);
    reader->hash = EVP_MD_CTX_new();
    if (reader->block == NULL || reader->hash == NULL) {
        return ENOMEM;
    }
    return EVP_DigestInit_ex(reader->hash, EVP_sha256(), NULL) == 1 ? 0 : ENOSYS;
}

fh_reader_status fh_reader_open(fh_reader *reader, const char *path, bool (*stop)(void *user),
                                void *stop_user)
{
    *reader = (fh_reader){.stop = stop,
                          .stop_user = stop_user,
                          .fd = -1,
                          .stat_size = FH_UNKNOWN,
                          .error_off = FH_UNKNOWN};
    int error = open_path(reader, path);
    if (error == EINTR) {
        return FH_READER_STOPPED;
    }
    if (error == 0) {
        error = look_at(reader);
    }
    if (error == 0) {
        error = start_hash(reader);
    }
    return error == 0 ? FH_READER_OK : fail(reader, error);
}

void fh_reader_close(fh_reader *reader)
{
    if (reader->owns_fd) {
        close(reader->fd);
    }
    EVP_MD_CTX_free(reader->hash);
    free(reader->block);
    reader->fd = -1;
    reader->owns_fd = false;
    reader->hash = NULL;
    reader->block = NULL;
    reader->block_len = 0;
    reader->block_pos = 0;
    reader->pending = FH_READER_END;
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

/* Reads until the block holds `want` bytes or something ends it, which is then pending. */
static void fill(fh_reader *reader, size_t want)
{
    assert(want <= FH_READER_WINDOW);
    while (reader->block_len < want && reader->pending == FH_READER_OK) {
        if (reader->stop != NULL && reader->stop(reader->stop_user)) {
            reader->pending = FH_READER_STOPPED;
            return;
        }
        ssize_t got = read(reader->fd, reader->block + reader->block_len, want - reader->block_len);
        if (got > 0) {
            reader->block_len += (size_t)got;
        } else if (got == 0) {
            reader->pending = FH_READER_END;
        } else {
            int error = errno;
            if (!try_again(reader->fd, error)) {
                fail(reader, error);
            }
        }
    }
}

fh_cursor fh_reader_peek(fh_reader *reader)
{
    assert(reader->size_read == 0);
    fill(reader, FH_READER_WINDOW);
    return fh_cursor_make(reader->block, reader->block_len, 0);
}

fh_reader_status fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len)
{
    if (reader->block_pos == reader->block_len) {
        reader->block_pos = 0;
        reader->block_len = 0;
        fill(reader, FH_READER_CHUNK);
    }
    size_t left = reader->block_len - reader->block_pos;
    if (left == 0) {
        return reader->pending;
    }
    size_t num = left < FH_READER_CHUNK ? left : FH_READER_CHUNK;
    const uint8_t *start = reader->block + reader->block_pos;
    if (EVP_DigestUpdate(reader->hash, start, num) != 1) {
        return fail(reader, ENOSYS);
    }
    reader->block_pos += num;
    reader->size_read += (int64_t)num;
    *bytes = start;
    *len = num;
    return FH_READER_OK;
}

static int64_t size_held(const fh_reader *reader)
{
    return reader->size_read + (int64_t)(reader->block_len - reader->block_pos);
}

int64_t fh_reader_size(const fh_reader *reader)
{
    return reader->pending == FH_READER_END ? size_held(reader) : reader->stat_size;
}

bool fh_reader_size_changed(const fh_reader *reader)
{
    return reader->pending == FH_READER_END && reader->stat_size != FH_UNKNOWN &&
           size_held(reader) != reader->stat_size;
}

bool fh_reader_sha256(const fh_reader *reader, uint8_t out[FH_SHA256_LEN])
{
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    unsigned len = 0;
    bool done = copy != NULL && reader->hash != NULL &&
                EVP_MD_CTX_copy_ex(copy, reader->hash) == 1 &&
                EVP_DigestFinal_ex(copy, out, &len) == 1 && len == FH_SHA256_LEN;
    EVP_MD_CTX_free(copy);
    return done;
}
