/* Limits of the readers of sources, with the reason for each number. */
#ifndef FH_SOURCE_LIMITS_H
#define FH_SOURCE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Volume descriptors that are looked at: image format sheet, section 4.1. */
#define FH_ISO_MAX_DESCRIPTORS 64u

/* Directory records of one tree. A disc has 333,000 sectors and a file with content takes one at
 * least; trees of games have a few thousand files. */
#define FH_ISO_MAX_RECORDS ((size_t)1 << 18)

/* Bytes of all names of one tree, as they are kept: 64 for each record. */
#define FH_ISO_MAX_NAMES ((size_t)16 << 20)

/* Directory sectors that are read for one tree. Records have at least 34 bytes, so those above fit
 * in 4,400 sectors; a directory may be much longer than what stands in it. */
#define FH_ISO_MAX_SECTORS 32768u

/* Levels below the root. ECMA-119 has 7, discs that ignore it are known with 20. */
#define FH_ISO_MAX_DEPTH 64u

/* A path with its terminating zero. What every system can take. */
#define FH_ISO_MAX_PATH ((size_t)4096)

/* Sectors of one path table. It has at most 65,535 directories (their numbers have 16 bits), and a
 * record of usual length has 22 bytes. */
#define FH_ISO_MAX_TABLE_SECTORS 1024u

/* Interleaved extents (bytes 26 and 27 of a record). They are looked through one by one where
 * others are found by their place; real discs hardly have any. */
#define FH_ISO_MAX_INTERLEAVED 4096u

#endif
