/* Labels the bytes of a text: its lines, and the words in them, by where they stand. What the words
 * mean, such a text says itself. */
#ifndef FH_CORE_DESCRIBE_LINES_H
#define FH_CORE_DESCRIBE_LINES_H

#include "core/describe.h"

/* fh_describe_lines tells a group a line, with its line end, and in it a field a word. Words are
 * separated by blanks, tabs, commas, colons and equals signs; what begins with a digit, a sign or a
 * point is a number, all else a name. Zeros are passed over: they are half of a letter of UTF-16,
 * whose words are told with them. Returns as fh_describe does. */
FH_API fh_status fh_describe_lines(const fh_env *env, const fh_field_sink *out,
                                   fh_cursor bytes) FH_MUST_USE;

#endif
