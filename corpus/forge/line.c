#include "forge/line.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_WIDTH = 48 };

bool forge_line_fail(forge_line *line, const char *format, ...)
{
    char text[sizeof line->err->text];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return forge_fail(line->err, FORGE_BAD, line->number, "%s", text);
}

int forge_word_width(const forge_word *word)
{
    return word->len > SHOWN_WIDTH ? SHOWN_WIDTH : (int)word->len;
}

bool forge_word_is(const forge_word *word, const char *name)
{
    return !word->quoted && word->len == strlen(name) && memcmp(word->at, name, word->len) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool cut_quoted(forge_line *line, forge_word *word, const char *at, size_t left)
{
    const char *close = left > 1 ? memchr(at + 1, '"', left - 1) : NULL;
    if (close == NULL) {
        return forge_line_fail(line, "a quoted word is not closed: expected another '\"'");
    }
    *word = (forge_word){.at = at + 1, .len = (size_t)(close - at) - 1, .quoted = true};
    return true;
}

static void cut_plain(forge_word *word, const char *at, size_t left)
{
    size_t len = 0;
    while (len < left && !is_blank(at[len]) && at[len] != '#') {
        len++;
    }
    *word = (forge_word){.at = at, .len = len, .option = memchr(at, '=', len) != NULL};
}

static bool add_word(forge_line *line, const char *at, size_t left, size_t *used)
{
    if (line->num_words == FORGE_MAX_WORDS) {
        return forge_line_fail(line, "more than %d words on a line", FORGE_MAX_WORDS);
    }
    forge_word *word = &line->words[line->num_words];
    if (*at == '"') {
        if (!cut_quoted(line, word, at, left)) {
            return false;
        }
    } else {
        cut_plain(word, at, left);
    }
    word->option = word->option && line->num_words > 0;
    line->num_words++;
    *used = word->len + (word->quoted ? 2 : 0);
    return true;
}

static bool split(forge_line *line, const char *at, size_t len)
{
    for (size_t i = 0; i < len && at[i] != '#';) {
        if (is_blank(at[i])) {
            i++;
            continue;
        }
        size_t used = 0;
        if (!add_word(line, at + i, len - i, &used)) {
            return false;
        }
        i += used;
    }
    return true;
}

bool forge_line_read(forge_line *line, const char *text, size_t len, size_t *pos)
{
    assert(*pos < len);
    const char *at = text + *pos;
    const char *newline = memchr(at, '\n', len - *pos);
    size_t line_len = newline != NULL ? (size_t)(newline - at) : len - *pos;
    *pos += line_len + (newline != NULL ? 1 : 0);
    line->num_words = 0;
    line->next = 0;
    return split(line, at, line_len);
}

const forge_word *forge_line_peek(const forge_line *line)
{
    for (size_t i = line->next; i < line->num_words; i++) {
        if (!line->words[i].option) {
            return &line->words[i];
        }
    }
    return NULL;
}

const forge_word *forge_line_next(forge_line *line)
{
    const forge_word *word = forge_line_peek(line);
    if (word != NULL) {
        line->next = (size_t)(word - line->words) + 1;
        line->words[line->next - 1].taken = true;
    }
    return word;
}

bool forge_line_accept(forge_line *line, const char *name)
{
    const forge_word *word = forge_line_peek(line);
    if (word == NULL || !forge_word_is(word, name)) {
        return false;
    }
    (void)forge_line_next(line);
    return true;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 99;
}

/* Digits up to the end of the text. The cap keeps the value far from overflow and still beyond
 * every range of either language, so that a huge number is "out of range", not "no number". */
static bool read_digits(const char *at, size_t len, int64_t *out)
{
    const int64_t cap = (int64_t)1 << 48;
    int base = 10;
    if (len > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
        len -= 2;
    }
    int64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        int digit = digit_value(at[i]);
        if (digit >= base) {
            return false;
        }
        value = value >= cap ? cap : value * base + digit;
    }
    *out = value;
    return len > 0;
}

static bool read_signed(const char *at, size_t len, int64_t *out)
{
    bool negative = len > 0 && at[0] == '-';
    size_t skip = len > 0 && (at[0] == '-' || at[0] == '+') ? 1 : 0;
    if (!read_digits(at + skip, len - skip, out)) {
        return false;
    }
    *out = negative ? -*out : *out;
    return true;
}

/* $, $+K, $-K */
static bool read_index(const forge_line *line, const forge_word *word, int64_t *out)
{
    int64_t add = 0;
    if (word->len > 1) {
        bool has_sign = word->at[1] == '+' || word->at[1] == '-';
        if (!has_sign || !read_signed(word->at + 1, word->len - 1, &add)) {
            return false;
        }
    }
    *out = line->index + add;
    return true;
}

static bool read_number(const forge_line *line, const forge_word *word, int64_t *out)
{
    if (word->len > 0 && word->at[0] == '$') {
        return read_index(line, word, out);
    }
    return read_signed(word->at, word->len, out);
}

bool forge_word_number(forge_line *line, const forge_word *word, forge_range range, int64_t *out)
{
    const long long min = range.min;
    const long long max = range.max;
    int width = forge_word_width(word);
    if (word->len > 0 && word->at[0] == '$' && !line->has_index) {
        return forge_line_fail(line, "%s: '$' outside of a repeat, expected a number %lld..%lld",
                               range.name, min, max);
    }
    int64_t value = 0;
    if (word->quoted || !read_number(line, word, &value)) {
        return forge_line_fail(line, "%s: '%.*s' is not a number, expected %lld..%lld", range.name,
                               width, word->at, min, max);
    }
    if (value < range.min || value > range.max) {
        return forge_line_fail(line, "%s: %.*s is out of range, expected %lld..%lld", range.name,
                               width, word->at, min, max);
    }
    *out = value;
    return true;
}

bool forge_line_number(forge_line *line, forge_range range, int64_t *out)
{
    const forge_word *word = forge_line_next(line);
    if (word == NULL) {
        return forge_line_fail(line, "%s is missing, expected a number %lld..%lld", range.name,
                               (long long)range.min, (long long)range.max);
    }
    return forge_word_number(line, word, range, out);
}

bool forge_line_numbers(forge_line *line, forge_range range, size_t num, int64_t *out)
{
    for (size_t i = 0; i < num; i++) {
        if (!forge_line_number(line, range, &out[i])) {
            return false;
        }
    }
    return true;
}

/* An option that stands twice is taken once; the other stays and forge_line_end complains. */
bool forge_line_option(forge_line *line, const char *key, forge_word *value)
{
    size_t key_len = strlen(key);
    for (size_t i = 1; i < line->num_words; i++) {
        forge_word *word = &line->words[i];
        if (word->option && !word->taken && word->len > key_len && word->at[key_len] == '=' &&
            memcmp(word->at, key, key_len) == 0) {
            word->taken = true;
            *value = (forge_word){.at = word->at + key_len + 1, .len = word->len - key_len - 1};
            return true;
        }
    }
    return false;
}

bool forge_line_option_number(forge_line *line, forge_range range, int64_t *out, bool *found)
{
    forge_word value;
    bool present = forge_line_option(line, range.name, &value);
    if (found != NULL) {
        *found = present;
    }
    return !present || forge_word_number(line, &value, range, out);
}

bool forge_line_end(forge_line *line)
{
    for (size_t i = 1; i < line->num_words; i++) {
        const forge_word *word = &line->words[i];
        if (!word->taken) {
            return forge_line_fail(line, "'%.*s' is not expected here%s", forge_word_width(word),
                                   word->at, word->option ? ": unknown or repeated option" : "");
        }
    }
    return true;
}
