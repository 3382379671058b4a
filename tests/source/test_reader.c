#include "bench.h"
#include "source/load.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/sha.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const size_t mib = (size_t)1 << 20;

static uint8_t *some_bytes(size_t len)
{
    image img = image_make();
    byte_run out = {0};
    image_random(&out, &img, len);
    return out.data;
}

/* Reads all that is left and holds it against data; returns the last status. */
static fh_reader_status read_all(fh_reader *reader, const uint8_t *data, size_t len)
{
    size_t off = 0;
    for (;;) {
        const uint8_t *got = NULL;
        size_t got_len = 0;
        fh_reader_status status = fh_reader_next(reader, &got, &got_len);
        if (status != FH_READER_OK) {
            cr_assert(got == NULL);
            cr_assert(eq(sz, off, len));
            return status;
        }
        cr_assert(got_len > 0 && got_len <= FH_READER_CHUNK && off + got_len <= len);
        cr_assert(got_len == FH_READER_CHUNK || off + got_len == len);
        cr_assert(memcmp(got, data + off, got_len) == 0);
        off += got_len;
    }
}

static void check_hash(const fh_reader *reader, const uint8_t *data, size_t len)
{
    uint8_t want[32];
    uint8_t got[32];
    SHA256(data, len, want);
    cr_assert(fh_reader_sha256(reader, got));
    cr_assert(memcmp(want, got, 32) == 0);
}

static void check_file(size_t len, bool peek)
{
    uint8_t *data = some_bytes(len);
    char path[64];
    int fd = bench_file(data, len, path);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    if (peek) {
        fh_cursor window = fh_reader_peek(&reader);
        cr_assert(eq(sz, window.size, len < FH_READER_WINDOW ? len : FH_READER_WINDOW));
        cr_assert(window.size == 0 || memcmp(window.base, data, window.size) == 0);
    }
    cr_assert(len == 0 || fh_reader_size(&reader) == (int64_t)len);
    cr_assert(eq(int, (int)read_all(&reader, data, len), FH_READER_END));
    cr_assert(eq(i64, reader.size_read, (int64_t)len));
    cr_assert(eq(i64, fh_reader_size(&reader), (int64_t)len));
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_NONE));
    check_hash(&reader, data, len);
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

Test(reader, sizes_around_the_chunk_and_the_window)
{
    const size_t sizes[] = {0,       1,   mib / 2 - 1, mib / 2, mib / 2 + 1,
                            mib - 1, mib, mib + 1,     3 * mib};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_file(sizes[i], true);
        check_file(sizes[i], false);
    }
}

/* Every chunk is read to where a page begins: an AMD EPYC copies three times slower to 16 bytes
 * behind it, which is where malloc would have put it. */
Test(reader, chunks_begin_where_pages_do)
{
    enum { PAGE_LEN = 4096 };
    uint8_t *data = some_bytes(3 * mib);
    char path[64];
    int fd = bench_file(data, 3 * mib, path);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    const uint8_t *got = NULL;
    size_t len = 0;
    size_t num = 0;
    while (fh_reader_next(&reader, &got, &len) == FH_READER_OK) {
        cr_assert(eq(sz, (uintptr_t)got % PAGE_LEN, 0));
        num++;
    }
    cr_assert(eq(sz, num, 3 * mib / FH_READER_CHUNK));
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

/* Each time with as much of what came before as is asked for, wherever in the block it lies, and
 * still when all chunks are read that are read ahead. */
static void check_kept(fh_reader *reader, const uint8_t *data, size_t len, const size_t *keeps,
                       size_t num_keeps)
{
    const uint8_t *got = NULL;
    size_t got_len = 0;
    size_t off = 0;
    for (size_t i = 0; off < len; i++) {
        const size_t keep = off == 0 ? 0 : keeps[i % num_keeps];
        cr_assert(eq(int, (int)fh_reader_next_behind(reader, keep, &got, &got_len), FH_READER_OK));
        const size_t left = len - off;
        if (reader->prefetch != NULL) {
            fh_prefetch_wait(reader->prefetch);
        }
        cr_assert(eq(sz, got_len, keep + (left < FH_READER_CHUNK ? left : FH_READER_CHUNK)));
        cr_assert(memcmp(got, data + off - keep, got_len) == 0);
        off += got_len - keep;
        cr_assert(eq(i64, reader->size_read, (int64_t)off));
    }
    const uint8_t *last = got;
    const size_t last_len = got_len;
    const fh_reader_status end = fh_reader_next_behind(reader, 1, &got, &got_len);
    cr_assert(eq(int, (int)end, FH_READER_END));
    cr_assert(got == last && got_len == last_len);
    cr_assert(memcmp(last, data + len - last_len, last_len) == 0);
}

Test(reader, chunks_behind_what_is_kept)
{
    static const size_t keeps[][3] = {{0, 0, 0},
                                      {1, 1, 1},
                                      {FH_READER_KEEP, FH_READER_KEEP, FH_READER_KEEP},
                                      {FH_READER_KEEP, 0, 12345}};
    static const size_t lens[] = {3 << 20, (5 << 20) + 77};
    for (size_t i = 0; i < 2 * sizeof lens / sizeof lens[0]; i++) {
        const size_t len = lens[i / 2];
        uint8_t *data = some_bytes(len);
        char path[64];
        int fd = bench_file(data, len, path);
        for (size_t k = 0; k < sizeof keeps / sizeof keeps[0]; k++) {
            fh_reader reader;
            cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
            reader.is_helped = i % 2 == 0;
            if (k % 2 != 0) { /* looked at, and begun once more */
                (void)fh_reader_peek(&reader);
                check_kept(&reader, data, len, keeps[k], sizeof keeps[k] / sizeof keeps[k][0]);
                cr_assert(fh_reader_restart(&reader));
            }
            check_kept(&reader, data, len, keeps[k], sizeof keeps[k] / sizeof keeps[k][0]);
            check_hash(&reader, data, len);
            fh_reader_close(&reader);
        }
        close(fd);
        free(data);
    }
}

static void check_error(const char *path, int error)
{
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_ERROR));
    cr_assert(eq(int, reader.error, error));
    cr_assert(eq(str, reader.error_text, strerror(error)));
    cr_assert(eq(i64, reader.error_off, 0));
    const uint8_t *got = NULL;
    size_t len = 0;
    cr_assert(eq(sz, fh_reader_peek(&reader).size, 0));
    cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &len), FH_READER_ERROR));
    fh_reader_close(&reader);
}

/* With a thread that hashes, which must not see the bytes that come after, and again from the first
 * byte when it is behind. */
Test(reader, hash_beside_the_reading)
{
    const size_t sizes[] = {1, mib, mib + 1, 5 * mib / 2, 9 * mib + 77};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *data = some_bytes(sizes[i]);
        char path[64];
        int fd = bench_file(data, sizes[i], path);
        fh_reader reader;
        cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
        reader.is_helped = true;
        for (int turn = 0; turn < 2; turn++) {
            cr_assert(eq(int, (int)read_all(&reader, data, sizes[i]), FH_READER_END));
            check_hash(&reader, data, sizes[i]);
            cr_assert(fh_reader_restart(&reader));
        }
        const uint8_t *got = NULL;
        size_t got_len = 0;
        cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &got_len), FH_READER_OK));
        check_hash(&reader, data, got_len); /* in the midst */
        fh_reader_close(&reader);
        close(fd);
        free(data);
    }
}

/* Chunks that are read already, or just being read, are forgotten. */
Test(reader, begun_again_while_chunks_are_read_ahead)
{
    enum { MOST_CHUNKS = 14 };
    const size_t len = MOST_CHUNKS * FH_READER_CHUNK + 77;
    uint8_t *data = some_bytes(len);
    char path[64];
    int fd = bench_file(data, len, path);
    for (int num = 1; num <= MOST_CHUNKS; num++) {
        fh_reader reader;
        const uint8_t *got = NULL;
        size_t got_len = 0;
        cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
        reader.is_helped = true;
        for (int i = 0; i < num; i++) {
            cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &got_len), FH_READER_OK));
            cr_assert(eq(sz, got_len, FH_READER_CHUNK));
            cr_assert(memcmp(got, data + (size_t)i * FH_READER_CHUNK, got_len) == 0);
        }
        cr_assert(fh_reader_restart(&reader));
        cr_assert(eq(int, (int)read_all(&reader, data, len), FH_READER_END));
        check_hash(&reader, data, len);
        fh_reader_close(&reader);
    }
    close(fd);
    free(data);
}

/* Looks at chunks that are read ahead. */
typedef struct watcher {
    const uint8_t *data;
    _Atomic int64_t at; /* the chunk that is being looked at, or FH_UNKNOWN */
    _Atomic int num_looks, num_forgotten;
    _Atomic bool is_wrong;
    unsigned pause_us;
    bool is_ready;
    bool seen[64];
} watcher;

static bool prepare(void *user)
{
    const watcher *w = user;
    return w->is_ready;
}

static void look(void *user, int64_t off, const uint8_t *bytes, size_t len)
{
    watcher *w = user;
    const size_t chunk = (size_t)off / FH_READER_CHUNK;
    w->at = off;
    usleep(w->pause_us);
    if (memcmp(bytes, w->data + off, len) != 0 || w->seen[chunk]) {
        w->is_wrong = true;
    }
    w->seen[chunk] = true;
    w->num_looks++;
    w->at = FH_UNKNOWN;
}

static void forget(void *user)
{
    watcher *w = user;
    memset(w->seen, 0, sizeof w->seen);
    w->num_forgotten++;
}

/* Nobody has a chunk while it is looked at, none is looked at twice or with other bytes, and none
 * once nobody wants to see them. */
Test(reader, chunks_that_are_looked_at)
{
    enum { NUM = 30, TIMES = 3 };
    const size_t len = NUM * FH_READER_CHUNK + 77;
    uint8_t *data = some_bytes(len);
    char path[64];
    int fd = bench_file(data, len, path);
    watcher w = {.data = data, .at = FH_UNKNOWN, .pause_us = 300, .is_ready = true};
    const fh_lookout lookout = {prepare, look, forget, &w};
    fh_reader reader;
    const uint8_t *got = NULL;
    size_t got_len = 0;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    reader.is_helped = true;
    reader.lookout = &lookout;
    for (int turn = 0; turn < TIMES; turn++) {
        for (int i = 0; i < NUM; i++) {
            cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &got_len), FH_READER_OK));
            cr_assert(ne(i64, (int64_t)w.at, (int64_t)(size_t)i * (int64_t)FH_READER_CHUNK));
            usleep(i % 3 == 0 ? 1500 : 0);
        }
        cr_assert(fh_reader_restart(&reader));
        cr_assert(eq(int, (int)w.num_forgotten, turn + 1));
    }
    cr_assert(gt(int, (int)w.num_looks, 0));
    for (int i = 0; i < NUM / 2; i++) {
        cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &got_len), FH_READER_OK));
    }
    fh_reader_look_no_more(&reader);
    const int num_looks = w.num_looks;
    cr_assert(eq(i64, (int64_t)w.at, FH_UNKNOWN));
    while (fh_reader_next(&reader, &got, &got_len) == FH_READER_OK) {
        usleep(1000);
    }
    cr_assert(eq(int, (int)w.num_looks, num_looks));
    cr_assert(not(w.is_wrong));
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

/* Who is not ready is shown nothing, and reading goes on. */
Test(reader, chunks_that_nobody_is_ready_to_look_at)
{
    enum { NUM = 12 };
    const size_t len = NUM * FH_READER_CHUNK;
    uint8_t *data = some_bytes(len);
    char path[64];
    int fd = bench_file(data, len, path);
    watcher w = {.data = data, .at = FH_UNKNOWN};
    const fh_lookout lookout = {prepare, look, forget, &w};
    fh_reader reader;
    const uint8_t *got = NULL;
    size_t got_len = 0;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    reader.is_helped = true;
    reader.lookout = &lookout;
    int num = 0;
    for (; fh_reader_next(&reader, &got, &got_len) == FH_READER_OK; num++) {
        usleep(1000);
    }
    cr_assert(eq(int, num, NUM));
    cr_assert(eq(int, (int)w.num_looks, 0));
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

/* What is cut off while it is read ends there, whatever was asked for behind it. */
Test(reader, cut_while_chunks_are_read_ahead)
{
    const size_t len = 12 * FH_READER_CHUNK;
    uint8_t *data = some_bytes(len);
    char path[64];
    int fd = bench_file(data, len, path);
    fh_reader reader;
    const uint8_t *got = NULL;
    size_t got_len = 0;
    size_t seen = 0;
    fh_reader_status status = FH_READER_OK;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    reader.is_helped = true;
    for (int num = 0; status == FH_READER_OK; num++) {
        if (num == 6) {
            cr_assert(ftruncate(fd, (off_t)(7 * FH_READER_CHUNK + 5)) == 0);
        }
        status = fh_reader_next(&reader, &got, &got_len);
        if (status == FH_READER_OK) {
            cr_assert(memcmp(got, data + seen, got_len) == 0);
            seen += got_len;
        }
    }
    cr_assert(eq(int, (int)status, FH_READER_END));
    cr_assert(ge(sz, seen, 7 * FH_READER_CHUNK + 5));
    cr_assert(le(sz, seen, 10 * FH_READER_CHUNK)); /* what was read ahead by then, and one more */
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_SHORTER));
    cr_assert(eq(i64, reader.size_read, (int64_t)seen));
    check_hash(&reader, data, seen);
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

/* Who does not want the hash gets the bytes all the same. */
Test(reader, no_hash_is_asked_for)
{
    uint8_t *data = some_bytes(3 * mib);
    char path[64];
    int fd = bench_file(data, 3 * mib, path);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    reader.skips_hash = true;
    reader.is_helped = true;
    cr_assert(eq(int, (int)read_all(&reader, data, 3 * mib), FH_READER_END));
    check_hash(&reader, data, 0);
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

Test(reader, missing_file)
{
    check_error("/nowhere/at/all", ENOENT);
    check_error("", ENOENT);
}

Test(reader, directory)
{
    check_error("/", EISDIR);
}

Test(reader, no_permission)
{
    if (geteuid() == 0) {
        cr_skip_test("root may read everything");
    }
    char name[] = "/tmp/fh-reader-XXXXXX";
    int fd = mkstemp(name);
    cr_assert(fd >= 0 && fchmod(fd, 0) == 0);
    check_error(name, EACCES);
    unlink(name);
    close(fd);
}

/* The first page of the address space cannot be read. */
Test(reader, error_while_reading)
{
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, "/proc/self/mem", NULL, NULL), FH_READER_OK));
    cr_assert(eq(sz, fh_reader_peek(&reader).size, 0));
    const uint8_t *got = NULL;
    size_t len = 0;
    for (int i = 0; i < 2; i++) {
        cr_assert(eq(int, (int)fh_reader_next(&reader, &got, &len), FH_READER_ERROR));
    }
    cr_assert(eq(int, reader.error, EIO));
    cr_assert(eq(i64, reader.error_off, 0));
    fh_reader_close(&reader);
}

static void check_change(size_t before, size_t after)
{
    size_t most = before > after ? before : after;
    uint8_t *data = calloc(most, 1);
    char path[64];
    int fd = bench_file(data, before, path);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    fh_reader_peek(&reader);
    cr_assert(ftruncate(fd, (off_t)after) == 0);
    cr_assert(eq(int, (int)read_all(&reader, data, after), FH_READER_END));
    const fh_drift drift = fh_reader_drift(&reader);
    cr_assert(eq(int, (int)drift.kind, after < before ? FH_DRIFT_SHORTER : FH_DRIFT_LONGER));
    cr_assert(eq(i64, drift.size, (int64_t)after));
    cr_assert(eq(i64, reader.stat_size, (int64_t)before));
    cr_assert(eq(i64, fh_reader_size(&reader), (int64_t)after));
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

Test(reader, file_shrinks)
{
    check_change(3 * mib, 2 * mib + 5);
}

Test(reader, file_grows)
{
    check_change(2 * mib, 3 * mib + 5);
}

/* Somebody cuts what was read already, and it grows again: the end alone does not tell. */
Test(reader, file_is_cut_and_grows_again)
{
    uint8_t *data = calloc(3 * mib, 1);
    char path[64];
    int fd = bench_file(data, 3 * mib, path);
    const struct timespec times[] = {{1000, 0}, {1000, 0}};
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    fh_reader_peek(&reader);
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_NONE));
    cr_assert(ftruncate(fd, 0) == 0);
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_SHORTER));
    cr_assert(ftruncate(fd, (off_t)(3 * mib)) == 0 && futimens(fd, times) == 0);
    cr_assert(eq(int, (int)read_all(&reader, data, 3 * mib), FH_READER_END));
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_WRITTEN));
    fh_reader_close(&reader);
    close(fd);
    free(data);
}

/* Where a descriptor stood is byte 0: what lies in front of it does not count. */
Test(reader, descriptor_not_at_its_start_is_cut)
{
    char path[64];
    int fd = bench_file((const uint8_t *)"headtail", 8, path);
    cr_assert(lseek(fd, 4, SEEK_SET) == 4 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, "-", NULL, NULL), FH_READER_OK));
    cr_assert(ftruncate(fd, 6) == 0);
    cr_assert(eq(i64, fh_reader_drift(&reader).size, 2));
    cr_assert(ftruncate(fd, 3) == 0);
    cr_assert(eq(i64, fh_reader_drift(&reader).size, 0));
    fh_reader_close(&reader);
    close(fd);
}

/* Whole files are judged: also one that only grew may not have been written to its end. */
static int loaded_fd;
static int num_asked;
static int64_t new_len; /* negative: another time */

static bool meddle(void *user)
{
    static const struct timespec times[] = {{1000, 0}, {1000, 0}};
    (void)user;
    if (num_asked++ == 3) {
        const int done = new_len < 0 ? futimens(loaded_fd, times) : ftruncate(loaded_fd, new_len);
        cr_assert(done == 0);
    }
    return false;
}

Test(load, file_that_changes)
{
    static const struct {
        int64_t len;
        const char *error;
    } cases[] = {{2 * mib + 5, "it became shorter while it was read; try again"},
                 {4 * mib, "it grew while it was read; try again"},
                 {-1, "somebody wrote to it while it was read; try again"}};
    const fh_stop stop = {meddle, NULL};
    uint8_t *data = calloc(3 * mib, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[64];
        fh_file file = {0};
        num_asked = 0;
        new_len = cases[i].len;
        loaded_fd = bench_file(data, 3 * mib, path);
        cr_assert(eq(int, (int)fh_file_load(&file, path, &stop), FH_LOAD_ERROR));
        cr_assert(eq(str, file.error, (char *)cases[i].error));
        num_asked = 4; /* it keeps still */
        cr_assert(eq(int, (int)fh_file_load(&file, path, &stop), FH_LOAD_OK));
        fh_file_free(&file);
        close(loaded_fd);
    }
    free(data);
}

static void on_alarm(int number)
{
    (void)number;
}

/* Signals that interrupt reads every millisecond, short reads, and a descriptor that says EAGAIN.
 */
static void check_pipe(bool nonblocking)
{
    size_t len = mib + mib / 2 + 77;
    uint8_t *data = some_bytes(len);
    bench_feed_stdin(data, len, 40013, 2000);
    if (nonblocking) {
        cr_assert(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) == 0);
    }
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval every = {{0, 1000}, {0, 1000}};
    struct itimerval never = {{0, 0}, {0, 0}};
    cr_assert(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &every, NULL) == 0);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, "-", NULL, NULL), FH_READER_OK));
    cr_assert(eq(i64, reader.stat_size, FH_UNKNOWN));
    cr_assert(eq(sz, fh_reader_peek(&reader).size, FH_READER_WINDOW));
    cr_assert(eq(i64, fh_reader_size(&reader), FH_UNKNOWN));
    cr_assert(eq(int, (int)read_all(&reader, data, len), FH_READER_END));
    cr_assert(eq(i64, fh_reader_size(&reader), (int64_t)len));
    cr_assert(setitimer(ITIMER_REAL, &never, NULL) == 0);
    check_hash(&reader, data, len);
    fh_reader_close(&reader);
    free(data);
}

Test(reader, pipe_with_short_reads_and_signals)
{
    check_pipe(false);
}

Test(reader, pipe_that_does_not_block)
{
    check_pipe(true);
}

/* Standard input that somebody has read from already counts from there. */
Test(reader, descriptor_not_at_its_start)
{
    char path[64];
    int fd = bench_file((const uint8_t *)"headtail", 8, path);
    cr_assert(lseek(fd, 4, SEEK_SET) == 4 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, "-", NULL, NULL), FH_READER_OK));
    cr_assert(eq(i64, reader.stat_size, 4));
    cr_assert(eq(int, (int)read_all(&reader, (const uint8_t *)"tail", 4), FH_READER_END));
    cr_assert(eq(int, (int)fh_reader_drift(&reader).kind, FH_DRIFT_NONE));
    fh_reader_close(&reader);
}

static bool stop_third(void *user)
{
    int *calls = user;
    return ++*calls >= 3;
}

Test(reader, stops_when_told)
{
    char path[64];
    int fd = bench_file(NULL, 0, path);
    cr_assert(ftruncate(fd, (off_t)1 << 40) == 0);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    cr_assert(eq(i64, reader.stat_size, (int64_t)1 << 40));
    int calls = 0;
    reader.stop = stop_third;
    reader.stop_user = &calls;
    const uint8_t *got = NULL;
    size_t len = 0;
    fh_reader_status status = FH_READER_OK;
    while (status == FH_READER_OK) {
        status = fh_reader_next(&reader, &got, &len);
    }
    cr_assert(eq(int, (int)status, FH_READER_STOPPED));
    cr_assert(eq(i64, reader.size_read, 2 * (int64_t)FH_READER_CHUNK));
    fh_reader_close(&reader);
    close(fd);
}
