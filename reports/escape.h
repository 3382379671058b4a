/* Strings that come from input, made safe to show.
 *
 * Paths, names and messages may hold anything: escape sequences that a terminal would obey, line
 * breaks that would forge a line of a report, bytes that are no UTF-8. Every writer sends them
 * through one of these functions.
 *
 * Taken for unsafe: control characters (C0, DEL, C1), the marks that turn the direction of writing,
 * line and paragraph separators, the byte order mark, and every byte that is not part of valid
 * UTF-8; and the first of two # or of two :, with which commands to a build service begin.
 */
#ifndef FH_REPORTS_ESCAPE_H
#define FH_REPORTS_ESCAPE_H

#include "core/text.h"
#include "reports/out.h"

#include <stdbool.h>

/* fh_escape_text writes str for people. Unsafe characters become \n, \r, \t, \xNN (below 0x80, and
 * bytes that are no UTF-8) or \uNNNN; a backslash is doubled, so that the result is unambiguous. */
void fh_escape_text(fh_out *out, const char *str);

/* fh_escape_into does the same into a text. */
void fh_escape_into(fh_text *text, const char *str);

/* fh_escape_json writes str as a JSON string with its quotes, or null for NULL. Unsafe characters
 * become \uNNNN. JSON cannot hold a byte that is no UTF-8: each one becomes \ufffd, the replacement
 * character, which no reader can mistake for a character of the input. */
void fh_escape_json(fh_out *out, const char *str);

/* fh_escape_script writes the same for JSON that stands in a script of HTML: < > and & become
 * \u003c, \u003e and \u0026, so that no text can end the script, begin a comment or another one. */
void fh_escape_script(fh_out *out, const char *str);

/* fh_escape_csv writes str as a quoted cell of RFC 4180, with unsafe characters as in text; nothing
 * for NULL, which so differs from the empty text. In front of what a program for tables would take
 * for a formula (= + - @ at its beginning, and no number) stands a '. */
void fh_escape_csv(fh_out *out, const char *str);

/* fh_escape_xml writes str for people into XML, as text or in an attribute: as in text, and with
 * the entities of XML. What is left is allowed in XML 1.0, which has no way to write control
 * characters. */
void fh_escape_xml(fh_out *out, const char *str);

/* fh_escape_uri writes the bytes of str as part of the path of a URI (RFC 3986): all but letters,
 * digits, - . _ ~ and / are percent-encoded, so that the path can be had back byte for byte. */
void fh_escape_uri(fh_out *out, const char *str);

/* fh_escape_command writes str into a command of a GitHub workflow, with %, CR and LF as %25, %0D
 * and %0A; in the value of a property, : and , likewise. Other unsafe characters become \xNN or
 * \uNNNN; a backslash stays as it is, so that paths are found. */
void fh_escape_command(fh_out *out, const char *str, bool is_property);

#endif
