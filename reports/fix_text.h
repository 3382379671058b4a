/* What a repair changes, for people and for patch: a unified diff of a text, and of binary data
 * each change by its offset and field, with the bytes in hexadecimal.
 *
 *   --- walk.tod
 *   +++ walk.tod (mended)
 *   0x00000020  frame size  TOD0022
 *     - 05 00
 *     + 04 00
 */
#ifndef FH_REPORTS_FIX_TEXT_H
#define FH_REPORTS_FIX_TEXT_H

#include "core/rules.h"
#include "reports/out.h"

#include <stdbool.h>
#include <stddef.h>

/* A change whose bytes are as many as before. */
typedef struct fh_fix_change {
    size_t off, len;
    const char *code;
    const char *field;
} fh_fix_change;

/* A file before and after; all is borrowed. */
typedef struct fh_fix_view {
    const char *path;
    const uint8_t *before;
    size_t before_len;
    const uint8_t *after;
    size_t after_len;
    bool is_terminal; /* what a terminal could obey is shown as \xNN, and patch cannot read it */
} fh_fix_view;

/* fh_fix_bytes writes the changes of binary data, which must be of one length. */
void fh_fix_bytes(fh_out *out, const fh_fix_view *view, const fh_fix_change *changes, size_t num);

/* fh_fix_lines writes a unified diff and returns 0; ENOMEM without memory, EILSEQ where a byte is
 * 0, which no text has: nothing is then written. */
int fh_fix_lines(fh_out *out, const fh_fix_view *view) FH_MUST_USE;

/* fh_fix_lengths says how many bytes become how many, where nothing else can be shown. */
void fh_fix_lengths(fh_out *out, const fh_fix_view *view);

#endif
