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
    char path[] = P_tmpdir "/framehound-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "wb");
    HOLD(file != NULL && fwrite(f.source.data, 1, f.source.len, file) == f.source.len &&
             fclose(file) == 0,
         "file");
    long num_failed = 0;
    for (fails_at = 0;; fails_at++) {
        int told = 0;
        const fh_hunt_sink sink = {&told, take_asset, take_finding};
        fh_hunt_source source;
        num_asked = 0;
        is_armed = true;
        const fh_hunt_status status = fh_hunt_run(&source, path, &f.options, &sink);
        is_armed = false;
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
    field_close(&f);
}
