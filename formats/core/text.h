/* Text in a buffer of fixed size, without the C library's formatted output and its locale.
 *
 * Functions return their first argument so that calls can be strung together. Text that does not
 * fit is cut; the last three characters are then "..." so that a cut is never mistaken for the
 * whole. The buffer is always terminated.
 */
#ifndef FH_CORE_TEXT_H
#define FH_CORE_TEXT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* fh_is_digit and fh_is_line_end tell what a character is: a byte, a UTF-16 unit, or a number that
 * stands for no character. */
static inline bool fh_is_digit(int64_t c)
{
    return c >= '0' && c <= '9';
}

static inline bool fh_is_line_end(int64_t c)
{
    return c == '\n' || c == '\r';
}

/* fh_ascii_lower turns A to Z into a to z and nothing else, whatever the locale is. */
static inline char fh_ascii_lower(char c)
{
    static const char lower[] = "abcdefghijklmnopqrstuvwxyz";
    if (c < 'A' || c > 'Z') {
        return c;
    }
    return lower[c - 'A'];
}

/* fh_same_but_case compares two strings, not looking at the case of ASCII letters. */
FH_API bool fh_same_but_case(const char *a, const char *b);

typedef struct fh_text {
    char *buf; /* borrowed */
    size_t size;
    size_t len;
    bool cut;
} fh_text;

/* fh_text_make starts an empty text in buf. size must be at least 4. */
FH_API fh_text fh_text_make(char *buf, size_t size);

FH_API fh_text *fh_text_str(fh_text *text, const char *str);
FH_API fh_text *fh_text_u64(fh_text *text, uint64_t value);
FH_API fh_text *fh_text_s64(fh_text *text, int64_t value);

/* fh_text_hex writes 0x and at least `digits` lower-case digits. */
FH_API fh_text *fh_text_hex(fh_text *text, uint64_t value, unsigned digits);

#endif
