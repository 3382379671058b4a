/* Strings that come from input, made safe to show.
 *
 * Paths, names and messages may hold anything: escape sequences that a terminal would obey, line
 * breaks that would forge a line of a report, bytes that are no UTF-8. Every writer sends them
 * through one of these functions.
 *
 * Taken for unsafe: control characters (C0, DEL, C1), the marks that turn the direction of writing,
 * line and paragraph separators, the byte order mark, and every byte that is not part of valid
 * UTF-8.
 */
#ifndef FH_REPORTS_ESCAPE_H
#define FH_REPORTS_ESCAPE_H

#include "core/text.h"
#include "reports/out.h"

/* fh_escape_text writes str for people. Unsafe characters become \n, \r, \t, \xNN (below 0x80, and
 * bytes that are no UTF-8) or \uNNNN; a backslash is doubled, so that the result is unambiguous. */
void fh_escape_text(fh_out *out, const char *str);

/* fh_escape_into does the same into a text. */
void fh_escape_into(fh_text *text, const char *str);

/* fh_escape_json writes str as a JSON string with its quotes, or null for NULL. Unsafe characters
 * become \uNNNN. JSON cannot hold a byte that is no UTF-8: each one becomes \ufffd, the replacement
 * character, which no reader can mistake for a character of the input. */
void fh_escape_json(fh_out *out, const char *str);

/* fh_escape_csv writes str as a quoted cell of RFC 4180, with unsafe characters as in text; nothing
 * for NULL, which so differs from the empty text. */
void fh_escape_csv(fh_out *out, const char *str);

#endif
