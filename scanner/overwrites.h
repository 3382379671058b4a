/* Whether what a command writes would lie over what it reads.
 *
 * Names are compared by the files that they lead to (device and inode), links followed. What is not
 * there is the same as nothing. Owns nothing.
 */
#ifndef FH_SCANNER_OVERWRITES_H
#define FH_SCANNER_OVERWRITES_H

#include <stdbool.h>
#include <sys/stat.h>

/* fh_same_inode tells whether both are of one file. */
bool fh_same_inode(const struct stat *a, const struct stat *b);

/* fh_same_at tells whether both names lead to one file, device or pipe. */
bool fh_same_at(const char *a, const char *b);

/* fh_same_file tells whether both names lead to one regular file: devices and pipes keep nothing
 * that could be lost. */
bool fh_same_file(const char *a, const char *b);

/* fh_overwrites_source does so for the file that a source is in, whose name a member's begins with;
 * source NULL: none. */
bool fh_overwrites_source(const char *output, const char *source);

/* fh_overwrites_aimed does so for the source of SOURCE@ADDRESS; false of any other argument. */
bool fh_overwrites_aimed(const char *output, const char *command, const char *argument);

#endif
