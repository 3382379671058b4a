/* Whether the hunt finds an asset among other bytes.
 *
 * The bytes are laid into an image in memory, at a place that the choice says, with noise around
 * them that no format's asset begins in: bytes above 127 that are in no magic. The image is
 * searched as a scan does it, for one format.
 */
#ifndef FUZZ_FOUND_H
#define FUZZ_FOUND_H

#include "core/format.h"

#include <stdint.h>

/* fuzz_is_found tells whether an asset of exactly the bytes is found at its place, replayed; if it
 * is not replayed by itself, there is nothing to find, and that is true, too. */
bool fuzz_is_found(const fh_format *format, const uint8_t *bytes, size_t len, uint64_t choice);

#endif
