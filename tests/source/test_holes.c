/* What happens to a file between two questions of where its holes are. */
#include "source/holes.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, APPENDED = 3 };

/* What somebody else does behind the first of the questions for the end of the file and for its
 * data, which the linker sends through here. */
static void (*meanwhile)(int fd);
static unsigned num_asked;

off_t __real_lseek64(int fd, off_t off, int whence);
off_t __wrap_lseek64(int fd, off_t off, int whence);
off_t __wrap_lseek64(int fd, off_t off, int whence)
{
    const off_t to = __real_lseek64(fd, off, whence);
    const int error = errno;
    if (whence == SEEK_DATA || whence == SEEK_END) {
        num_asked++;
        if (num_asked == 1) {
            meanwhile(fd);
        }
    }
    errno = error;
    return to;
}

static void append(int fd)
{
    cr_assert(eq(i64, pwrite(fd, "log", APPENDED, MIB), APPENDED));
}

static void nothing(int fd)
{
    (void)fd;
}

/* A file that is a hole of one MiB, and what is told of it where `happens` comes between. */
static size_t hole_with(void (*happens)(int))
{
    const int fd = memfd_create("holes", 0);
    cr_assert(fd >= 0);
    cr_assert(eq(int, ftruncate(fd, MIB), 0));
    fh_holes holes = {0};
    size_t len = 0;
    meanwhile = happens;
    num_asked = 0;
    cr_assert(fh_holes_skip(&holes, fd, (size_t)4 * MIB, &len));
    cr_assert(eq(uint, num_asked, 2)); /* both were asked through here */
    cr_assert(eq(i64, lseek(fd, 0, SEEK_CUR), (off_t)len));
    close(fd);
    return len;
}

Test(holes, a_hole_at_the_end_is_as_long_as_the_file)
{
    cr_assert(eq(sz, hole_with(nothing), MIB));
}

/* The bytes are no hole, and would be passed over as zeros. */
Test(holes, what_is_appended_between_the_questions_is_in_no_hole)
{
    cr_assert(eq(sz, hole_with(append), MIB));
}
