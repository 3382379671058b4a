#include "core/describe_lines.h"

#include "core/never.h"

#include <string.h>

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

static bool is_between(uint8_t byte)
{
    static const char between[] = {' ', '\t', ',', ':', '=', '\0'};
    return memchr(between, byte, sizeof between) != NULL;
}

static fh_field_kind kind_of(uint8_t first)
{
    const bool is_number =
        (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
    return is_number ? FH_KIND_VALUE : FH_KIND_NAME;
}

static size_t end_of_line(const fh_cursor *bytes, size_t at)
{
    size_t end = at;
    while (end < bytes->size && bytes->base[end] != '\n') {
        end++;
    }
    return end < bytes->size ? end + 1 : end;
}

static bool is_mark(const fh_line_style *style, uint8_t byte)
{
    return byte != '\0' && strchr(style->marks, byte) != NULL;
}

/* Where the string or comment ends that begins at `at`, at the latest with the line. */
static size_t end_of_quoted(const fh_line_style *style, const fh_cursor *bytes, size_t at,
                            size_t end)
{
    const bool is_string = bytes->base[at] == (uint8_t)style->quote;
    at++;
    while (at < end && !is_line_end(bytes->base[at])) {
        at++;
        if (is_string && bytes->base[at - 1] == (uint8_t)style->quote) {
            break;
        }
    }
    return at;
}

static bool begins_quoted(const fh_line_style *style, uint8_t byte)
{
    return byte != '\0' && (byte == (uint8_t)style->quote || byte == (uint8_t)style->comment);
}

/* Where the word ends that begins at `at`; there, if none does. A zero belongs to the word it
 * stands in. */
static size_t end_of_word(const fh_line_style *style, const fh_cursor *bytes, size_t at, size_t end)
{
    const size_t first = at;
    if (begins_quoted(style, bytes->base[at])) {
        at = end_of_quoted(style, bytes, at, end);
    } else if (is_mark(style, bytes->base[at])) {
        at++;
    } else {
        while (at < end && !is_line_end(bytes->base[at]) && !is_between(bytes->base[at]) &&
               !is_mark(style, bytes->base[at]) && !begins_quoted(style, bytes->base[at])) {
            do {
                at++;
            } while (at < end && bytes->base[at] == '\0');
        }
        return at;
    }
    /* A mark is one byte, what is quoted at least one. */
    while (ALWAYS(at > first) && at < end && bytes->base[at] == '\0') {
        at++;
    }
    return at;
}

/* In UTF-16, big endian, the zero of a letter stands in front of it. */
static bool has_zeros_in_front(const fh_cursor *bytes)
{
    const uint8_t *base = bytes->base;
    return bytes->size >= 2 && base[1] != 0 &&
           (base[0] == 0 || (base[0] == 0xfe && base[1] == 0xff));
}

static void tell_word(const fh_field_sink *out, const fh_line_style *style, fh_line_state *state,
                      const fh_cursor *bytes, size_t first, size_t end)
{
    const fh_line_word of = style->word == NULL
                                ? (fh_line_word){NULL, NULL, NULL}
                                : style->word(state, bytes->base + first, end - first);
    const bool is_shifted = state->is_big_endian && first > 0 && bytes->base[first - 1] == '\0';
    const size_t off = is_shifted ? first - 1 : first;
    const bool has_next = state->is_big_endian && end - first > 1 && bytes->base[end - 1] == '\0';
    const fh_field word = {
        .name = of.name == NULL ? "word" : of.name,
        .number = of.name == NULL ? (int)state->number : -1,
        .index = FH_UNKNOWN,
        .depth = 1,
        .kind = kind_of(bytes->base[first]),
        .doc = of.doc,
        .in = of.in,
        .rules = of.name == NULL ? NULL : fh_governing(style->governance, of.in, of.name),
        .off = off,
        .len = (has_next ? end - 1 : end) - off};
    out->field(out->user, &word);
    state->number++;
}

/* The words between two bytes. */
static void tell_words(const fh_field_sink *out, const fh_line_style *style, fh_line_state *state,
                       const fh_cursor *bytes, size_t at, size_t end)
{
    state->number = 0;
    while (at < end) {
        const size_t word_end = end_of_word(style, bytes, at, end);
        if (word_end > at) {
            tell_word(out, style, state, bytes, at, word_end);
        }
        at = word_end > at ? word_end : at + 1;
    }
}

fh_status fh_describe_lines(const fh_env *env, const fh_field_sink *out, const fh_line_style *style,
                            fh_cursor bytes)
{
    fh_line_state state = {.is_big_endian = has_zeros_in_front(&bytes)};
    const char *rules = fh_governing(style->governance, "line", NULL);
    size_t at = 0;
    for (int64_t i = 0; at < bytes.size; i++) {
        const size_t end = end_of_line(&bytes, at);
        const fh_field line = {
            .name = "lines", .number = -1, .index = i, .type = "line", .rules = rules, .off = at};
        if (!fh_pay(env->budget, end - at)) {
            return FH_LIMIT;
        }
        out->begin(out->user, &line);
        tell_words(out, style, &state, &bytes, at, end);
        out->end(out->user, end);
        at = end;
    }
    return FH_OK;
}
