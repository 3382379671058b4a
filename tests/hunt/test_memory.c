/* Memory that fails: every allocation of a hunt, one after the other. */
#include "field.h"

#include <stdio.h>
#include <stdlib.h>

void *__real_malloc(size_t len);
void *__real_calloc(size_t num, size_t len);
void *__real_realloc(void *block, size_t len);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t num, size_t len);
void *__wrap_realloc(void *block, size_t len);

static bool is_armed; /* the test's own allocations do not count */
static long num_asked, fails_at = -1;

static bool fails(void)
{
    return is_armed && num_asked++ == fails_at;
}

void *__wrap_malloc(size_t len)
{
    return fails() ? NULL : __real_malloc(len);
}

void *__wrap_calloc(size_t num, size_t len)
{
    return fails() ? NULL : __real_calloc(num, len);
}

void *__wrap_realloc(void *block, size_t len)
{
    return fails() ? NULL : __real_realloc(block, len);
}

static bool take_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    (void)asset;
    *handle = 1;
    ++*(int *)user;
    return true;
}

static bool take_finding(void *user, const fh_finding_record *finding)
{
    (void)finding;
    ++*(int *)user;
    return true;
}

static fh_hunt_status hunt_file(const field *f, const char *path, const fh_hunt_sink *sink)
{
    fh_hunt_source source;
    is_armed = true;
    const fh_hunt_status status = fh_hunt_run(&source, path, &f->options, sink);
    is_armed = false;
    return status;
}

/* The bytes as they come through a pipe: there is no file in which they could be read again. */
static fh_hunt_status hunt_forwards(const field *f, const char *path, const fh_hunt_sink *sink)
{
    (void)path;
    fh_hunt_source source;
    fh_reader reader;
    fh_tape tape = fh_tape_of_bytes(f->source.data, f->source.len);
    const fh_stop never = {NULL, NULL};
    tape.seek = NULL;
    tape.read_any = NULL;
    HOLD(fh_reader_open_tape(&reader, &tape, &never) == FH_READER_OK, "reader");
    is_armed = true;
    const fh_hunt_status status = fh_hunt_reader(&source, "no file", &reader, &f->options, sink);
    is_armed = false;
    fh_reader_close(&reader);
    return status;
}

typedef fh_hunt_status hunter(const field *f, const char *path, const fh_hunt_sink *sink);

/* Hunts again and again, and each time another allocation fails. */
static void fail_each(field *f, hunter *hunt)
{
    char path[] = P_tmpdir "/framehound-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "wb");
    HOLD(file != NULL && fwrite(f->source.data, 1, f->source.len, file) == f->source.len &&
             fclose(file) == 0,
         "file");
    long num_failed = 0;
    for (fails_at = 0;; fails_at++) {
        int told = 0;
        const fh_hunt_sink sink = {&told, take_asset, take_finding};
        num_asked = 0;
        const fh_hunt_status status = hunt(f, path, &sink);
        if (num_asked <= fails_at) {
            HOLD(status == FH_HUNT_OK, "nothing failed");
            break;
        }
        num_failed++;
        HOLD(status == FH_HUNT_NO_MEMORY || status == FH_HUNT_UNREADABLE,
             "allocation %ld of %ld: status %d, %d told", fails_at, num_asked, status, told);
    }
    remove(path);
    cr_assert(gt(int, (int)num_failed, 5));
}

Test(memory, every_allocation_of_a_hunt_fails_once)
{
    field f;
    field_open(&f);
    put_fill(&f.source, 0xff, 600 << 10);
    put_tod(&f.source, "tod\nframe 3\ncreate 1\nrepeat 30\nframe +2\nmodel 1 0x10000\nattr 1 0 "
                       "0x204\nlight 0\nkill 7\nlight 5 pad=1 rgb 1 2 3\nendrepeat");
    put_tod(&f.source,
            "tod\nframe 0\ncreate 1\nrepeat 30000\nframe +\ncoord 1 diff t 1 0 0\nendrepeat");
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK && f.num_assets == 2 && f.num_findings > 64, "whole: %zu",
         f.num_findings);
    fail_each(&f, hunt_file);
    field_close(&f);
}

/* ---- a disc ---- */

static void both32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
        to[7 - i] = (uint8_t)(value >> (8 * i));
    }
}

static uint8_t *put_record(uint8_t *to, uint8_t name, uint32_t block, uint32_t size, uint8_t flags)
{
    to[0] = 34;
    both32(to + 2, block);
    both32(to + 10, size);
    to[25] = flags;
    memcpy(to + 28, "\1\0\0\1\1", 5);
    to[33] = name;
    return to + 34;
}

/* A volume descriptor whose root, of 30 files and 3 directories, is all that there is of a tree. */
static void put_volume(uint8_t *disc, size_t at, uint8_t type, uint32_t root)
{
    uint8_t *to = disc + 2048 * at;
    to[0] = type;
    memcpy(to + 1, "CD001\1", 6);
    memcpy(to + 88, "%/E", 3);
    both32(to + 80, 40);
    memcpy(to + 120, "\1\0\0\1\1\0\0\1\0\x08\x08\0", 12);
    both32(to + 132, 10);
    to[140] = 19;
    to[151] = 20;
    (void)put_record(to + 156, 0, root, 2048, 2);
    uint8_t *in_root = disc + (size_t)2048 * root;
    in_root = put_record(put_record(in_root, 0, root, 2048, 2), 1, root, 2048, 2);
    for (uint8_t i = 0; i < 30; i++) {
        in_root = put_record(in_root, 'A' + i, 30, 100u + i, 0);
    }
    for (uint8_t i = 0; i < 3; i++) {
        in_root = put_record(in_root, 'a' + i, 24u + i, 2048, 2);
    }
}

Test(memory, every_allocation_of_a_hunt_on_a_disc_fails_once)
{
    static uint8_t disc[40 * 2048];
    field f;
    field_open(&f);
    put_volume(disc, 16, 1, 21);
    put_volume(disc, 17, 2, 22);
    memcpy(disc + 18 * 2048, "\377CD001\1", 7);
    put(&f.source, disc, sizeof disc);
    put_tod(&f.source,
            "tod\nframe 0\ncreate 1\nrepeat 30\nframe +\ncoord 1 diff t 1 0 0\nendrepeat");
    put_fill(&f.source, 0xff, 2048 - f.source.len % 2048);
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK && f.num_assets == 1 && field_count(&f, "IMG0039") == 1 &&
             field_count(&f, "IMG0035") == 1,
         "whole: %zu", f.num_findings);
    fail_each(&f, hunt_file);
    fail_each(&f, hunt_forwards);
    field_close(&f);
}
