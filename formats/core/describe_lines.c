#include "core/describe_lines.h"

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

/* The words between two bytes; a zero belongs to the word it stands in. */
static void tell_words(const fh_field_sink *out, const fh_cursor *bytes, size_t at, size_t end)
{
    int number = 0;
    while (at < end) {
        const size_t first = at;
        while (at < end && !is_line_end(bytes->base[at]) &&
               (!is_between(bytes->base[at]) || (bytes->base[at] == '\0' && at > first))) {
            at++;
        }
        if (at == first) {
            at++;
            continue;
        }
        const fh_field word = {.name = "word",
                               .number = number,
                               .index = FH_UNKNOWN,
                               .depth = 1,
                               .kind = kind_of(bytes->base[first]),
                               .off = first,
                               .len = at - first};
        out->field(out->user, &word);
        number++;
    }
}

fh_status fh_describe_lines(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    size_t at = 0;
    for (int64_t i = 0; at < bytes.size; i++) {
        const size_t end = end_of_line(&bytes, at);
        const fh_field line = {
            .name = "lines", .number = -1, .index = i, .type = "line", .off = at};
        if (!fh_pay(env->budget, end - at)) {
            return FH_LIMIT;
        }
        out->begin(out->user, &line);
        tell_words(out, &bytes, at, end);
        out->end(out->user, end);
        at = end;
    }
    return FH_OK;
}
