/* The TOD description language: text in, TOD file out. The language is documented in README.md.
 */
#ifndef FORGE_TOD_TEXT_H
#define FORGE_TOD_TEXT_H

#include "forge/error.h"
#include "forge/tod.h"

/* The largest file the command line builds; a repeat can ask for anything. */
enum { FORGE_TOD_LIMIT = 16 * 1024 * 1024 };

/* forge_tod_text builds the file that text describes, at most limit bytes. The caller frees tod
 * whatever the result is; on failure its bytes mean nothing. */
bool forge_tod_text(forge_tod *tod, forge_error *err, const char *text, size_t len,
                    size_t limit) FORGE_MUST_USE;

#endif
