/* The bytes around a field, for people: a hex dump with the field in brackets, or the line of a
 * text with a caret under the column.
 *
 *   0x0000ca38  +0x0000  50 00 04 00 0b 00 00 00 [24 00 05 00]00 00 00 00  |P.......$.......|
 *
 * The first number is where the row lies in the source, the second where in the asset. Where bytes
 * of the field are missing because the source ends, -- stands for each. What is not printable ASCII
 * is a dot.
 */
#ifndef FH_REPORTS_FIELD_VIEW_H
#define FH_REPORTS_FIELD_VIEW_H

#include "reports/out.h"

#include <stdbool.h>
#include <stddef.h>

/* What is looked at: bytes are the asset's from its first one on; the field has field_len of them
 * from field_off on, and may lie behind the last one. */
typedef struct fh_field_view {
    const uint8_t *bytes;
    size_t len;
    size_t field_off;
    size_t field_len;
    const char *indent;
    /* Where a byte of the asset lies in the source, or a negative number. */
    int64_t (*place)(void *user, size_t off);
    void *user;
} fh_field_view;

/* fh_view_hex writes four rows of 16 bytes at most: that of the field, one in front, the rest
 * behind. */
void fh_view_hex(fh_out *out, const fh_field_view *view);

/* fh_view_line writes the line in which the field lies, 76 characters of it around the field, and a
 * caret below. false, and nothing is written, where that is no line of ASCII text, or
 * an empty one. */
bool fh_view_line(fh_out *out, const fh_field_view *view);

/* fh_view_field writes what is short enough to stand below a finding: the line of a text, which may
 * be UTF-16, as fh_view_line does, or else the row of 16 bytes with the field; below it a caret and
 * behind that the label, which is the name of the field. */
void fh_view_field(fh_out *out, const fh_field_view *view, bool is_text, const char *label);

#endif
