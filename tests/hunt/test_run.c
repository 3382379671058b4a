/* What a hunt says about its own work: reading that fails, sources that change, limits. */
#include "field.h"

#include "registry/registry.h"
#include "source/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char small[] = "tod resolution=4\nframe 0\ncreate 1\nparent 1 0\n"
                            "coord 1 abs r 0 0 0 s 4096 4096 4096 t 0 0 0\n";

enum { LENGTH = 2 << 20, BREAK = 700001 };

/* An animation, and behind it a long stretch of what is none. */
static void make_source(field *f)
{
    field_open(f);
    put_tod(&f->source, small);
    put_fill(&f->source, 0x77, LENGTH - f->source.len);
}

/* ---- reading that fails ---- */

typedef struct torn_tape {
    const bytes *of;
    size_t pos;
    size_t break_at;
} torn_tape;

static fh_tape_status read_torn(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    torn_tape *torn = tape->self;
    const size_t end = torn->break_at < torn->of->len ? torn->break_at : torn->of->len;
    if (torn->pos == end) {
        return end < torn->of->len ? fh_tape_fail(tape, EIO) : FH_TAPE_END;
    }
    *len = end - torn->pos < max ? end - torn->pos : max;
    memcpy(to, torn->of->data + torn->pos, *len);
    torn->pos += *len;
    return FH_TAPE_OK;
}

static void hunt_torn(field *f, size_t break_at)
{
    torn_tape torn = {&f->source, 0, break_at};
    const fh_tape tape = {
        .read = read_torn, .self = &torn, .fd = -1, .size = (int64_t)f->source.len};
    field_hunt_tape(f, &tape);
}

Test(run, a_read_error_is_told_with_its_place)
{
    field f;
    make_source(&f);
    hunt_torn(&f, BREAK);
    HOLD(f.status == FH_HUNT_PARTIAL && strcmp(f.told.record.status, "partial") == 0, "partial");
    HOLD(f.num_assets == 1, "what came before it is recorded");
    HOLD(field_count(&f, "RUN0001") == 1, "told once");
    const told_finding *finding = field_find(&f, "RUN0001");
    HOLD(finding->asset == FH_UNKNOWN && finding->raw == BREAK, "at %lld", (long long)finding->raw);
    HOLD(strcmp(finding->found, strerror(EIO)) == 0, "%s", finding->found);
    hunt_torn(&f, SIZE_MAX);
    HOLD(f.status == FH_HUNT_OK && field_count(&f, "RUN0001") == 0, "a whole one is not torn");
    HOLD(f.num_assets == 1 && strcmp(f.told.record.status, "complete") == 0, "complete");
    field_close(&f);
}

/* As of a CHD, which goes on behind what the system could not read. */
Test(run, a_source_with_bytes_that_could_not_be_read_is_partial)
{
    static fh_tallies faults;
    field f;
    make_source(&f);
    torn_tape torn = {&f.source, 0, SIZE_MAX};
    const fh_tape tape = {.read = read_torn,
                          .self = &torn,
                          .fd = -1,
                          .size = (int64_t)f.source.len,
                          .faults = &faults};
    (void)fh_tally_add(&faults, FH_IMG0043, 0, "CRC-16 of a hunk");
    field_hunt_tape(&f, &tape);
    HOLD(strcmp(f.told.record.status, "complete") == 0, "damaged, and read all the same");
    torn.pos = 0;
    (void)fh_tally_add(&faults, FH_IMG0001, BREAK, "bytes of a hunk");
    field_hunt_tape(&f, &tape);
    HOLD(strcmp(f.told.record.status, "partial") == 0, "not all of it was read");
    HOLD(f.num_assets == 1 && f.status == FH_HUNT_OK, "what was is searched to its end");
    HOLD(field_count(&f, "RUN0001") == 0, "it does not end there");
    field_close(&f);
}

/* ---- a source that changes ---- */

static int open_file; /* that is being read */
static int64_t new_length;

static void change_length(void *user, const fh_hunt_progress *progress)
{
    (void)user;
    if (progress->bytes > 0 && new_length >= 0) {
        HOLD(ftruncate(open_file, new_length) == 0, "ftruncate");
        new_length = -1;
    }
}

/* A negative length: it keeps still. */
static void hunt_changing(field *f, int64_t length)
{
    char path[64];
    open_file = memfd_create("changing", 0);
    HOLD(open_file >= 0, "memfd");
    HOLD(write(open_file, f->source.data, f->source.len) == (ssize_t)f->source.len, "write");
    snprintf(path, sizeof path, "/proc/self/fd/%d", open_file);
    new_length = length;
    f->options.progress = change_length;
    field_hunt_path(f, path);
    close(open_file);
}

Test(run, a_source_that_becomes_shorter_is_told)
{
    field f;
    make_source(&f);
    hunt_changing(&f, LENGTH / 2 + 512);
    HOLD(f.status == FH_HUNT_PARTIAL && strcmp(f.told.record.status, "partial") == 0,
         "what was announced and not read is missing");
    HOLD(strcmp(f.told.error, "it became shorter while it was read") == 0, "%s", f.told.error);
    HOLD(f.num_assets == 1, "what was read is searched");
    HOLD(f.told.record.size == LENGTH / 2 + 512, "its size is what was read");
    const told_finding *finding = field_find(&f, "RUN0007");
    HOLD(finding->severity == FH_ERROR, "an error");
    HOLD(strcmp(finding->found, "1049088 bytes read") == 0, "%s", finding->found);
    HOLD(finding->raw == LENGTH / 2 + 512, "at its end, not %lld", (long long)finding->raw);
    HOLD(field_count(&f, "RUN0007") == 1 && f.num_findings == 1, "told once, and nothing else");
    hunt_changing(&f, -1);
    HOLD(f.status == FH_HUNT_OK && field_count(&f, "RUN0007") == 0, "one that keeps still is not");
    field_close(&f);
}

/* As a log does, to which somebody appends: it has been read, as far as it went. */
Test(run, a_source_that_grows_is_told)
{
    field f;
    make_source(&f);
    hunt_changing(&f, LENGTH + 100);
    HOLD(f.status == FH_HUNT_OK && strcmp(f.told.record.status, "complete") == 0, "complete");
    HOLD(f.num_assets == 1 && f.told.record.size == LENGTH + 100, "its size is what was read");
    HOLD(field_find(&f, "RUN0025")->severity == FH_WARNING, "a warning");
    HOLD(strcmp(field_find(&f, "RUN0025")->found, "2097252 bytes read") == 0, "%s",
         field_find(&f, "RUN0025")->found);
    HOLD(field_count(&f, "RUN0025") == 1 && f.num_findings == 1, "told once, and nothing else");
    hunt_changing(&f, -1);
    HOLD(field_count(&f, "RUN0025") == 0, "one that keeps still does not");
    field_close(&f);
}

/* Its end was read already when it is cut, or when somebody appends to it. */
Test(run, a_source_that_changes_its_length_behind_its_end_is_told)
{
    field f;
    field_open(&f);
    put_tod(&f.source, small);
    put_fill(&f.source, 0x77, 4096 - f.source.len);
    hunt_changing(&f, 1024);
    HOLD(f.status == FH_HUNT_PARTIAL && f.told.record.size == 4096, "all of it was read");
    HOLD(strcmp(field_find(&f, "RUN0007")->found, "1024 bytes now") == 0, "%s",
         field_find(&f, "RUN0007")->found);
    hunt_changing(&f, 5000);
    HOLD(f.status == FH_HUNT_OK && f.told.record.size == 4096, "nothing of it is missing");
    HOLD(strcmp(field_find(&f, "RUN0025")->found, "5000 bytes now") == 0, "%s",
         field_find(&f, "RUN0025")->found);
    field_close(&f);
}

static bool writes;

static void write_once(void *user, const fh_hunt_progress *progress)
{
    static const struct timespec times[] = {{1000, 0}, {1000, 0}};
    (void)user;
    if (progress->bytes > 0 && writes) {
        HOLD(pwrite(open_file, "x", 1, LENGTH - 1) == 1, "pwrite");
        HOLD(futimens(open_file, times) == 0, "futimens"); /* its clock may not have gone on */
        writes = false;
    }
}

static void hunt_written(field *f)
{
    char path[64];
    open_file = memfd_create("written", 0);
    HOLD(open_file >= 0, "memfd");
    HOLD(write(open_file, f->source.data, f->source.len) == (ssize_t)f->source.len, "write");
    snprintf(path, sizeof path, "/proc/self/fd/%d", open_file);
    f->options.progress = write_once;
    field_hunt_path(f, path);
    close(open_file);
}

Test(run, a_source_that_is_written_to_is_told)
{
    field f;
    make_source(&f);
    writes = true;
    hunt_written(&f);
    HOLD(f.num_assets == 1, "it is searched all the same");
    HOLD(f.status == FH_HUNT_PARTIAL && strcmp(f.told.record.status, "partial") == 0,
         "what was read is of no single state of it");
    HOLD(strcmp(f.told.error, "somebody wrote to it while it was read") == 0, "%s", f.told.error);
    HOLD(field_find(&f, "RUN0024")->severity == FH_ERROR, "an error");
    HOLD(field_count(&f, "RUN0024") == 1 && field_count(&f, "RUN0007") == 0, "told once");
    HOLD(field_find(&f, "RUN0024")->asset == FH_UNKNOWN, "of the source");
    hunt_written(&f);
    HOLD(f.status == FH_HUNT_OK && field_count(&f, "RUN0024") == 0, "one that keeps still is not");
    field_close(&f);
}

/* ---- limits ---- */

static fh_status limit_of_verify;

static fh_status verify_in_vain(fh_asset *asset, const void **model, const fh_env *env,
                                fh_cursor cur, const fh_verify_options *options)
{
    const fh_status status = fh_format_find("tod")->verify(asset, model, env, cur, options);
    return limit_of_verify == FH_OK ? status : limit_of_verify;
}

Test(run, an_asset_that_needs_too_much_is_told)
{
    static const fh_status limits[] = {FH_LIMIT, FH_NO_MEMORY};
    field f;
    make_source(&f);
    fh_format costly = *fh_format_find("tod");
    const fh_format *const formats[] = {&costly};
    costly.verify = verify_in_vain;
    f.options.formats = formats;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        limit_of_verify = limits[i];
        field_hunt(&f);
        HOLD(f.num_assets == 1 && f.told.hit_limit, "limit %zu", i);
        HOLD(field_find(&f, "RUN0008")->asset == 0, "it is told of the asset");
        HOLD(strcmp(field_find(&f, "RUN0008")->found, fh_status_name(limits[i])) == 0, "%s",
             field_find(&f, "RUN0008")->found);
        HOLD(strcmp(f.told.record.status, "limit") == 0, "%s", f.told.record.status);
    }
    limit_of_verify = FH_OK;
    field_hunt(&f);
    HOLD(f.num_assets == 1 && !f.told.hit_limit && field_count(&f, "RUN0008") == 0, "no limit");
    field_close(&f);
}
