/* Whether the hunt finds an asset among other bytes.
 *
 * The bytes are laid into a file in memory, with noise around them that no format's asset begins
 * in: bytes above 127 that are in no magic. The file is searched as a scan does it, for one format.
 * It is a plain one, and then another plain one, in which they lie across a border of the reader's
 * chunks, or the raw image of a disc of Mode 1 or of Mode 2 Form 1, in which they lie across a
 * border of sectors or of chunks, in a file or in none. The choice says in which, and where: a text
 * begins at any byte, what is none at a multiple of its alignment.
 */
#ifndef FUZZ_FOUND_H
#define FUZZ_FOUND_H

#include "core/format.h"

#include <stdint.h>

/* fuzz_is_found tells whether an asset of exactly the bytes is found at its place, in its sector
 * and in its file, replayed; if it is not replayed by itself, there is nothing to find: that is
 * true. */
bool fuzz_is_found(const fh_format *format, const uint8_t *bytes, size_t len, uint64_t choice);

#endif
