/* Labels the bytes of a text: its lines, and the words in them. A format says what its words are by
 * a style. */
#ifndef FH_CORE_DESCRIBE_LINES_H
#define FH_CORE_DESCRIBE_LINES_H

#include "core/describe.h"

/* What a word is. Constants. */
typedef struct fh_line_word {
    const char *in;   /* what it belongs to, for the governance: with the name the place of a row */
    const char *name; /* NULL: nothing is known of it */
    const char *doc;  /* NULL: none */
} fh_line_word;

/* What is remembered between words. */
typedef struct fh_line_state {
    uint32_t number; /* words of the line in front of this one */
    bool is_big_endian;
    uint32_t own[4]; /* of the style; 0 in front of the first word */
} fh_line_state;

typedef struct fh_line_style {
    const char *marks; /* characters that are words by themselves; may be "" */
    char quote;        /* encloses a string, which is a word with its quotes; 0: there are none */
    char comment;      /* begins a comment, a word up to the end of its line; 0: there are none */
    /* word says what the next word is. Its text has zeros in it where it is UTF-16. NULL: words
     * are only numbered. */
    fh_line_word (*word)(fh_line_state *state, const uint8_t *text, size_t len);
    const fh_governance *governance; /* its struct "line" is a line as a whole; NULL: none */
} fh_line_style;

/* fh_describe_lines tells a group a line, with its line end, and in it a field a word. Words are
 * separated by blanks, tabs, commas, colons and equals signs; what begins with a digit, a sign or a
 * point is a number, all else a name. Zeros are passed over: they are half of a letter of UTF-16,
 * whose words are told with them. Returns as fh_describe does. */
FH_API fh_status fh_describe_lines(const fh_env *env, const fh_field_sink *out,
                                   const fh_line_style *style, fh_cursor bytes) FH_MUST_USE;

#endif
