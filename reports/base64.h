/* Base64 (RFC 4648), the alphabet of its section 4. */
#ifndef FH_REPORTS_BASE64_H
#define FH_REPORTS_BASE64_H

#include "reports/out.h"

#include <stdbool.h>
#include <stddef.h>

/* fh_base64 writes bytes and returns how many characters that took. is_filled: with the = that
 * fills the last group up, as a URI of data wants it. */
uint64_t fh_base64(fh_out *out, const uint8_t *bytes, size_t len, bool is_filled);

#endif
