/* The BAC6 description language: text in, the BAC6 text of a model out, as far as an animation
 * needs one. The language is documented in README.md.
 */
#ifndef FORGE_BAC_TEXT_H
#define FORGE_BAC_TEXT_H

#include "forge/buf.h"
#include "forge/error.h"

#include <stddef.h>

/* The largest file the command line builds. */
enum { FORGE_BAC_LIMIT = 16 * 1024 * 1024 };

/* forge_bac_text builds the text that a description describes, at most limit bytes. The caller
 * frees out whatever the result is; on failure its bytes mean nothing. */
bool forge_bac_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                    size_t limit) FORGE_MUST_USE;

#endif
