/* Where a file has holes: bytes that were never written, and are 0 without a place on the disk.
 *
 * Read, they are copied by the system from pages that it clears for the purpose and keeps. Images
 * of disks and dumps of memory may be holes for the most part, so who reads asks first whether the
 * next bytes are one (lseek with SEEK_DATA and SEEK_HOLE): of a hole each time, for it may become
 * shorter with its file while it is read; of what was written once, up to the next hole. What the
 * system does not tell counts as written.
 */
#ifndef FH_SOURCE_HOLES_H
#define FH_SOURCE_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Whoever goes back begins anew with zeros. */
typedef struct fh_holes {
    off_t data_to; /* from where was asked last, up to here nothing is asked */
} fh_holes;

/* fh_holes_has tells whether a file may have any. */
bool fh_holes_has(const struct stat *st);

/* fh_holes_skip takes the descriptor over a hole where it stands: *len is how many bytes of it, at
 * most max, or 0 where there is none. false: the descriptor cannot be moved, errno says why, and
 * nobody knows where it stands. */
bool fh_holes_skip(fh_holes *holes, int fd, size_t max, size_t *len);

#endif
