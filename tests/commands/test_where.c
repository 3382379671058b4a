/* A place of a source that changes: no answer that is of no state of it. */
#include "where.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEN = 64 * 2048 };

static bool never(void *user)
{
    (void)user;
    return false;
}

/* An image of blank sectors of 2048 bytes, as it is told to be. */
static int make_image(char path[64])
{
    const int fd = memfd_create("image", 0);
    cr_assert(fd >= 0 && ftruncate(fd, LEN) == 0);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void check(int64_t new_len, fh_where_status expected, const char *error)
{
    static const struct timespec times[] = {{1000, 0}, {1000, 0}};
    const fh_where_how how = {.layout = FH_LAYOUT_2048, .stop = {never, NULL}};
    char path[64];
    const int fd = make_image(path);
    fh_where where;
    cr_assert(eq(int, (int)fh_where_open(&where, path, &how), FH_WHERE_OK));
    cr_assert(eq(int, (int)fh_where_still(&where), FH_WHERE_OK));
    const int done = new_len < 0 ? futimens(fd, times) : ftruncate(fd, new_len);
    cr_assert(done == 0);
    cr_assert(eq(int, (int)fh_where_still(&where), (int)expected));
    cr_assert(eq(str, where.error, (char *)error));
    fh_where_close(&where);
    cr_assert(eq(int, (int)fh_where_open(&where, path, &how), FH_WHERE_OK), "it keeps still now");
    cr_assert(eq(int, (int)fh_where_still(&where), FH_WHERE_OK));
    fh_where_close(&where);
    close(fd);
}

Test(where, a_source_that_becomes_shorter)
{
    check(LEN / 2, FH_WHERE_CHANGED, "it became shorter while it was read");
}

Test(where, a_source_that_is_written_to)
{
    check(-1, FH_WHERE_CHANGED, "somebody wrote to it while it was read");
}

Test(where, a_source_that_grows)
{
    check(LEN + 2048, FH_WHERE_OK, "");
}
