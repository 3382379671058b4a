/* Camerawork files built from the description language, which README.md documents.
 *
 * Works in memory; the caller owns the bytes. Nothing here is shared with the decoders: the columns
 * are written down a second time.
 */
#ifndef FORGE_CAMERAWORK_H
#define FORGE_CAMERAWORK_H

#include "forge/buf.h"
#include "forge/error.h"

/* The largest file the command line builds; a repeat can ask for anything. */
enum { FORGE_CAMERAWORK_LIMIT = 16 * 1024 * 1024 };

/* forge_camerawork_text builds the file that text describes, at most limit bytes. The caller frees
 * out whatever the result is; on failure its bytes mean nothing. */
bool forge_camerawork_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                           size_t limit) FORGE_MUST_USE;

#endif
