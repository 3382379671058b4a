/* The TRA4 description language: text in, TRA4 text out. The language is documented in README.md.
 */
#ifndef FORGE_TRA_TEXT_H
#define FORGE_TRA_TEXT_H

#include "forge/buf.h"
#include "forge/error.h"

#include <stddef.h>

/* The largest file the command line builds; a repeat can ask for anything. */
enum { FORGE_TRA_LIMIT = 16 * 1024 * 1024 };

/* forge_tra_text builds the text that a description describes, at most limit bytes. The caller
 * frees out whatever the result is; on failure its bytes mean nothing. */
bool forge_tra_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                    size_t limit) FORGE_MUST_USE;

#endif
