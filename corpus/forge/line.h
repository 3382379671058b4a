/* One line of a description: words, numbers and key=value options.
 *
 * The languages of the forge are line based. forge_line_read cuts the next line of a text into
 * words; '#' starts a comment, double quotes hold a word with blanks together. A word of the form
 * key=value is an option: it may stand anywhere behind the first word and is taken by its key, the
 * other words are taken in order. forge_line_end complains of whatever was not taken.
 *
 * Words point into the text, which the caller keeps alive. All errors carry the line's number.
 */
#ifndef FORGE_LINE_H
#define FORGE_LINE_H

#include "forge/error.h"

#include <stddef.h>
#include <stdint.h>

/* A packet has at most 254 words of payload; twice that leaves room for names and options. */
enum { FORGE_MAX_WORDS = 512 };

typedef struct forge_word {
    const char *at; /* borrowed */
    size_t len;
    bool quoted;
    bool option; /* has a '=' outside of quotes, behind the first word */
    bool taken;
} forge_word;

typedef struct forge_line {
    forge_error *err; /* borrowed */
    unsigned number;  /* from 1 */
    bool has_index;   /* inside a repeat: '$' may be used */
    int64_t index;    /* what '$' stands for */
    size_t num_words;
    size_t next; /* first word that was not yet looked at by forge_line_next */
    forge_word words[FORGE_MAX_WORDS];
} forge_line;

/* A number's legal range, and what it is called in messages. */
typedef struct forge_range {
    const char *name;
    int64_t min;
    int64_t max;
} forge_range;

/* forge_line_read splits the line that starts at text[*pos] and moves *pos behind it. The caller
 * has set err and number. An empty line has no words. */
bool forge_line_read(forge_line *line, const char *text, size_t len, size_t *pos) FORGE_MUST_USE;

/* forge_line_next takes the next word that is no option; NULL at the end of the line. */
const forge_word *forge_line_next(forge_line *line);
/* forge_line_peek looks at that word without taking it. */
const forge_word *forge_line_peek(const forge_line *line);
/* forge_line_accept takes the next word if it is name. */
bool forge_line_accept(forge_line *line, const char *name);

/* forge_line_number takes the next word as a number in the range. */
bool forge_line_number(forge_line *line, forge_range range, int64_t *out) FORGE_MUST_USE;
/* forge_line_numbers takes num numbers. */
bool forge_line_numbers(forge_line *line, forge_range range, size_t num,
                        int64_t *out) FORGE_MUST_USE;

/* forge_line_option takes key=value and stores its value; false if the line has no such option. */
bool forge_line_option(forge_line *line, const char *key, forge_word *value);
/* forge_line_option_number takes a numeric option; *found says whether it was there, and *out is
 * left alone when it was not. The range's name is the key. found may be NULL. */
bool forge_line_option_number(forge_line *line, forge_range range, int64_t *out,
                              bool *found) FORGE_MUST_USE;

/* forge_line_end fails if any word of the line was not taken. */
bool forge_line_end(forge_line *line) FORGE_MUST_USE;

/* forge_line_fail reports what is wrong with this line; always false. */
bool forge_line_fail(forge_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* forge_word_is compares a word with a name. */
bool forge_word_is(const forge_word *word, const char *name);
/* forge_word_number reads a word as a number: the one number parser of the forge. Decimal or 0x
 * hexadecimal with an optional sign, or $, $+K, $-K for the index of the innermost repeat. */
bool forge_word_number(forge_line *line, const forge_word *word, forge_range range,
                       int64_t *out) FORGE_MUST_USE;

/* For "%.*s" in messages: a word's length, cut to what a message can bear. */
int forge_word_width(const forge_word *word);

#endif
