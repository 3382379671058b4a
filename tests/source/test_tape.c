#include "bench.h"

#include "source/holes.h"
#include "source/reader.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const fh_stop never = {NULL, NULL};

/* A tape of a few bytes at a time that ends as it is told, and counts its closings. */
typedef struct script {
    size_t left;
    size_t step;
    fh_tape_status end;
    bool waits; /* every other call yields nothing yet */
    unsigned calls;
    unsigned closed;
} script;

static fh_tape_status read_script(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    script *s = tape->self;
    if (s->waits && s->calls++ % 2 == 0) {
        return FH_TAPE_AGAIN;
    }
    const size_t most = s->left < s->step ? s->left : s->step;
    if (most == 0) {
        return s->end == FH_TAPE_ERROR ? fh_tape_break(tape, "the content is wrong") : s->end;
    }
    *len = most < max ? most : max;
    memset(to, 'x', *len);
    s->left -= *len;
    return FH_TAPE_OK;
}

static void close_script(fh_tape *tape)
{
    ((script *)tape->self)->closed++;
}

static fh_tape tape_of(script *s)
{
    return (fh_tape){
        .read = read_script, .close = close_script, .self = s, .fd = -1, .size = FH_UNKNOWN};
}

static fh_reader_status drain(fh_reader *reader)
{
    const uint8_t *bytes = NULL;
    size_t len = 0;
    fh_reader_status status = FH_READER_OK;
    while (status == FH_READER_OK) {
        status = fh_reader_next(reader, &bytes, &len);
    }
    return status;
}

Test(tape, ends_as_it_says)
{
    const struct {
        fh_tape_status tape;
        fh_reader_status reader;
    } ends[] = {{FH_TAPE_END, FH_READER_END},
                {FH_TAPE_ERROR, FH_READER_ERROR},
                {FH_TAPE_STOPPED, FH_READER_STOPPED}};
    for (size_t i = 0; i < 6; i++) {
        script s = {.left = 1500000,
                    .step = i < 3 ? 7919 : 2000000,
                    .end = ends[i % 3].tape,
                    .waits = i < 3};
        const fh_tape tape = tape_of(&s);
        fh_reader reader;
        cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
        cr_assert(eq(sz, fh_reader_peek(&reader).size, FH_READER_WINDOW));
        cr_assert(eq(int, (int)drain(&reader), (int)ends[i % 3].reader));
        cr_assert(eq(i64, reader.size_read, 1500000));
        cr_assert(eq(int, reader.error, 0));
        if (ends[i % 3].tape == FH_TAPE_ERROR) {
            cr_assert(eq(i64, reader.error_off, 1500000));
            cr_assert(eq(str, reader.error_text, "the content is wrong"));
        }
        fh_reader_close(&reader);
        fh_reader_close(&reader);
        cr_assert(eq(u32, s.closed, 1));
    }
}

static void check_restart(fh_reader *reader, const uint8_t *data, size_t len)
{
    uint8_t want[32];
    uint8_t got[32];
    SHA256(data, len, want);
    for (int i = 0; i < 2; i++) {
        cr_assert(eq(int, (int)drain(reader), FH_READER_END));
        cr_assert(eq(i64, reader->size_read, (int64_t)len));
        cr_assert(fh_reader_sha256(reader, got));
        cr_assert(memcmp(want, got, 32) == 0);
        cr_assert(fh_reader_restart(reader));
        cr_assert(eq(i64, reader->size_read, 0));
    }
    const fh_cursor window = fh_reader_peek(reader);
    cr_assert(window.size > 0 && memcmp(window.base, data, window.size) == 0);
}

Test(tape, memory_and_files_can_be_read_again)
{
    const size_t sizes[] = {1, FH_READER_CHUNK, FH_READER_WINDOW, FH_READER_WINDOW + 1, 3000000};
    for (size_t i = 0; i < 5; i++) {
        uint8_t *data = malloc(sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) {
            data[k] = (uint8_t)(k * 7 + k / 251);
        }
        const fh_tape tape = fh_tape_of_bytes(data, sizes[i]);
        fh_reader reader;
        cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
        check_restart(&reader, data, sizes[i]);
        fh_reader_close(&reader);
        char path[64];
        int fd = bench_file(data, sizes[i], path);
        cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
        check_restart(&reader, data, sizes[i]);
        fh_reader_close(&reader);
        close(fd);
        free(data);
    }
}

/* What was read into the window is still there; what lies behind it of a pipe is gone. */
Test(tape, a_pipe_can_be_read_again_inside_the_window)
{
    for (size_t over = 0; over < 2; over++) {
        script s = {.left = FH_READER_WINDOW - 1 + over, .step = 100000, .end = FH_TAPE_END};
        const fh_tape tape = tape_of(&s);
        fh_reader reader;
        cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
        (void)fh_reader_peek(&reader);
        const uint8_t *bytes = NULL;
        size_t len = 0;
        cr_assert(eq(int, (int)fh_reader_next(&reader, &bytes, &len), FH_READER_OK));
        cr_assert(fh_reader_restart(&reader));
        cr_assert(eq(int, (int)drain(&reader), FH_READER_END));
        cr_assert(eq(i64, reader.size_read, (int64_t)(FH_READER_WINDOW - 1 + over)));
        if (over == 0) {
            cr_assert(fh_reader_restart(&reader));
        } else {
            cr_assert(not(fh_reader_restart(&reader)));
            cr_assert(eq(i64, reader.size_read, (int64_t)(FH_READER_WINDOW - 1 + over)));
        }
        fh_reader_close(&reader);
    }
}

Test(tape, seeks_from_where_it_began)
{
    char path[64];
    int fd = bench_file((const uint8_t *)"headtail", 8, path);
    cr_assert(lseek(fd, 4, SEEK_SET) == 4 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    fh_tape tape;
    uint8_t byte = 0;
    size_t len = 0;
    cr_assert(eq(int, (int)fh_tape_open_path(&tape, "-", &never), FH_TAPE_OK));
    cr_assert(eq(i64, tape.size, 4));
    cr_assert(tape.seek != NULL && tape.seek(&tape, 2));
    cr_assert(eq(int, (int)tape.read(&tape, &len, &byte, 1), FH_TAPE_OK));
    cr_assert(eq(u8, byte, 'i'));
    cr_assert(not(tape.seek(&tape, -1)));
    cr_assert(not(tape.seek(&tape, INT64_MAX)));
    fh_tape_close(&tape);
}

/* ---- holes ---- */

enum { MIB = 1 << 20, SPARSE_LEN = 9 * MIB + 5000, NUM_WRITTEN = 4 };

/* Where the sparse file has bytes; it ends with a hole. */
static const struct {
    off_t at;
    size_t len;
} written[NUM_WRITTEN] = {
    {2 * MIB + 100, 1}, {4 * MIB - 3, 70000}, {5 * MIB, MIB}, {8 * MIB, 4096}};

/* Makes the file, and the same bytes in memory, which the caller frees. */
static uint8_t *make_sparse(int *fd, char path[64])
{
    uint8_t *data = calloc(SPARSE_LEN, 1);
    *fd = bench_file(data, 0, path);
    for (size_t i = 0; i < NUM_WRITTEN; i++) {
        for (size_t k = 0; k < written[i].len; k++) {
            data[(size_t)written[i].at + k] = (uint8_t)(k * 13 + i + 1);
        }
        const ssize_t done = pwrite(*fd, data + written[i].at, written[i].len, written[i].at);
        cr_assert(eq(sz, (size_t)done, written[i].len));
    }
    cr_assert(eq(int, ftruncate(*fd, SPARSE_LEN), 0));
    return data;
}

/* So that whoever reads it again skips them again. */
static void check_holes_again(const char *path)
{
    fh_tape tape;
    uint8_t *bytes = malloc(SPARSE_LEN);
    cr_assert(eq(int, (int)fh_tape_open_path(&tape, path, &never), FH_TAPE_OK));
    for (int i = 0; i < 2; i++) {
        size_t len = 0;
        cr_assert(tape.seek(&tape, 0));
        cr_assert(eq(int, (int)tape.read(&tape, &len, bytes, SPARSE_LEN), FH_TAPE_OK));
        cr_assert(len >= MIB && len <= (size_t)written[0].at); /* the hole alone */
        for (fh_tape_status status = FH_TAPE_OK; status == FH_TAPE_OK;) {
            status = tape.read(&tape, &len, bytes, SPARSE_LEN);
        }
    }
    fh_tape_close(&tape);
    free(bytes);
}

Test(tape, a_file_with_holes_reads_as_its_bytes)
{
    int fd = -1;
    char path[64];
    uint8_t *data = make_sparse(&fd, path);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open(&reader, path, NULL, NULL), FH_READER_OK));
    check_restart(&reader, data, SPARSE_LEN);
    fh_reader_close(&reader);
    check_holes_again(path);
    close(fd);
    free(data);
}

/* What is skipped was not written, most of what was not is, and the descriptor is behind it. */
Test(tape, holes_are_where_nothing_was_written)
{
    int fd = -1;
    char path[64];
    uint8_t *data = make_sparse(&fd, path);
    struct stat st;
    fh_holes holes = {0};
    off_t in_holes = 0;
    cr_assert(eq(int, fstat(fd, &st), 0));
    cr_assert(fh_holes_has(&st));
    cr_assert(eq(i64, lseek(fd, 0, SEEK_SET), 0));
    for (off_t at = 0; at < SPARSE_LEN;) {
        size_t run = 0;
        cr_assert(fh_holes_skip(&holes, fd, MIB / 2, &run));
        cr_assert(run <= MIB / 2);
        for (size_t k = 0; k < run; k++) {
            cr_assert(at + (off_t)k < SPARSE_LEN && data[at + (off_t)k] == 0);
        }
        in_holes += (off_t)run;
        at += (off_t)run;
        cr_assert(eq(i64, lseek(fd, 0, SEEK_CUR), at));
        if (run == 0) {
            at = lseek(fd, 4096, SEEK_CUR);
        }
    }
    cr_assert(in_holes > 6 * MIB && in_holes < SPARSE_LEN - MIB);
    close(fd);
    free(data);
}

/* As with read: what a file has lost is not told to be there. */
Test(tape, a_hole_ends_with_its_file)
{
    int fd = -1;
    char path[64];
    free(make_sparse(&fd, path));
    fh_holes holes = {0};
    size_t run = 0;
    cr_assert(eq(i64, lseek(fd, SPARSE_LEN - 1000, SEEK_SET), SPARSE_LEN - 1000));
    cr_assert(fh_holes_skip(&holes, fd, 600, &run));
    cr_assert(eq(sz, run, 600));
    cr_assert(eq(int, ftruncate(fd, SPARSE_LEN - 300), 0));
    cr_assert(fh_holes_skip(&holes, fd, 600, &run));
    cr_assert(eq(sz, run, 100));
    cr_assert(fh_holes_skip(&holes, fd, 600, &run));
    cr_assert(eq(sz, run, 0));
    cr_assert(eq(i64, lseek(fd, 0, SEEK_CUR), SPARSE_LEN - 300));
    close(fd);
}

Test(tape, what_cannot_be_moved_is_told)
{
    fh_holes holes = {0};
    size_t run = 1;
    cr_assert(not(fh_holes_skip(&holes, -1, 50, &run)));
    cr_assert(eq(sz, run, 0));
    cr_assert(eq(int, errno, EBADF));
}

Test(tape, a_file_without_holes_is_not_asked)
{
    char path[64];
    uint8_t data[70000];
    memset(data, 'x', sizeof data);
    const int fd = bench_file(data, sizeof data, path);
    struct stat st;
    cr_assert(eq(int, fstat(fd, &st), 0));
    cr_assert(not(fh_holes_has(&st)));
    close(fd);
}
