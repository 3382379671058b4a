#include "source/holes.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

/* Blocks of st_blocks have 512 bytes, whatever those of the file system have. */
enum { STAT_BLOCK = 512 };

bool fh_holes_has(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_blocks < st->st_size / STAT_BLOCK;
}

/* Where the hole at a byte ends; the byte itself if there is none, -1 if that cannot be told. The
 * end of the file is asked for first: what somebody appends between the questions lies behind it.
 */
static off_t end_of_hole(int fd, off_t at)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    const off_t data = lseek(fd, at, SEEK_DATA);
    return data < 0 && errno == ENXIO ? end : data;
}

bool fh_holes_skip(fh_holes *holes, int fd, size_t max, size_t *len)
{
    const off_t at = lseek(fd, 0, SEEK_CUR);
    *len = 0;
    if (at < holes->data_to) {
        return at >= 0;
    }
    const off_t end = end_of_hole(fd, at);
    if (end > at) {
        const uint64_t run = (uint64_t)(end - at);
        *len = run < max ? (size_t)run : max;
    } else {
        const off_t hole = end == at ? lseek(fd, at, SEEK_HOLE) : -1;
        holes->data_to = hole > at ? hole : INT64_MAX;
    }
    const off_t to = at + (off_t)*len;
    return lseek(fd, to, SEEK_SET) == to;
}
