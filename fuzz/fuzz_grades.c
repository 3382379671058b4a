#include "fuzz_oracles.h"

#include <string.h>

/* Nothing is left of the word that is wrong, or only a part of it, which may be right: 0.0 of 0.0e,
 * half a character of UTF-16. Where no word is wrong, the text lacked its end, and ends sooner now.
 */
static bool is_word_cut(const uint8_t *data, int64_t error, size_t len)
{
    for (size_t at = error < 0 ? len : (size_t)error; at < len; at++) {
        if (strchr(" \t\r\n", data[at]) != NULL && data[at] != '\0') {
            return false;
        }
    }
    return true;
}

/* A line that is wrong as a whole, for it has too many characters or columns, is cut, and may be
 * right now. UTF-16 has another byte behind its line ends. */
static bool is_line_cut(const uint8_t *data, int64_t error, size_t len)
{
    static const char ends[] = "\r\n";
    if (error < 0 || (size_t)error > len) {
        return false;
    }
    size_t at = (size_t)error;
    while (at > 0 && memchr(" \t", data[at - 1], 3) != NULL) { /* a margin, or one of UTF-16 */
        at--;
    }
    const bool is_start = at == 0 || memchr(ends, data[at - 1], 2) != NULL ||
                          (at > 1 && memchr(ends, data[at - 2], 2) != NULL);
    return is_start && memchr(data + at, '\n', len - at) == NULL;
}

/* A blank line is wrong in front of others, and no harm behind the last one: it may be that now. */
static bool is_blank_line_last(const uint8_t *data, int64_t error, size_t len)
{
    size_t at = error < 0 ? len : (size_t)error;
    while (at < len && strchr(" \t\r\n", data[at]) != NULL) { /* or half a character of UTF-16 */
        at++;
    }
    return at >= len;
}

/* No part of an asset is better than the whole. Of a whole file, what is wrong behind the asset is
 * judged, too: two texts in one file, or a text and what is none, are a damaged file, and its grade
 * is that of its structure (CAM0016, CAM0008: the numbers of the rows go on where the file does).
 * Where the cut takes away what is wrong, the rest is a sound file, and the higher grade is right.
 * In memory an asset is as long as its pointers say, and what they lead to behind the cut is not
 * known to be anything: what was wrong with it is not wrong any more, wherever it is told. The
 * README has the list of what is exempt. */
void oracle_part(const fh_format *format, fh_cursor bytes, const run_outcome *seen, size_t len)
{
    size_t used = 0;
    run_outcome part;
    const uint8_t *data = bytes.base;
    uint8_t *copy = run_copy(data, len);
    run_file(&part, &used, format, fh_cursor_make(copy, len, 0), &run_as_the_scanner);
    run_release(copy);
    const bool is_freed = seen->asset.grade == FH_GRADE_STRUCTURE && seen->asset.length < len &&
                          seen->verify.last_error >= (int64_t)len;
    const bool is_freed_memory = seen->asset.grade == FH_GRADE_STRUCTURE &&
                                 seen->asset.ram_address != FH_UNKNOWN && len < seen->asset.length;
    const bool is_freed_text = format->is_text && seen->asset.grade <= FH_GRADE_STRUCTURE &&
                               (is_word_cut(data, seen->verify.last_error, len) ||
                                is_line_cut(data, seen->verify.last_error, len) ||
                                is_blank_line_last(data, seen->verify.last_error, len));
    run_demand(run_was_cut_short(seen) || is_freed || is_freed_memory || is_freed_text ||
                   run_grade(&part) <= run_grade(seen),
               "cutting does not raise the grade");
}

/* What follows an asset that needs nothing behind it makes it no better. (Others may find there
 * what they refer to.) */
void oracle_longer(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                   uint64_t choice)
{
    enum { MOST_MORE = 64 };
    size_t used = 0;
    run_outcome longer;
    if (run_probe(format, bytes, FH_END_NONE, NULL).verdict != FH_ACCEPT) {
        return;
    }
    const size_t len = bytes.size + 1 + (size_t)(choice % MOST_MORE);
    uint8_t *copy = run_copy_with(bytes.base, bytes.size, len - bytes.size);
    for (size_t i = bytes.size; i < len; i++) {
        choice = run_hash(choice, &i, sizeof i);
        copy[i] = (uint8_t)(choice >> 20);
    }
    run_file(&longer, &used, format, fh_cursor_make(copy, len, 0), &run_as_the_scanner);
    run_release(copy);
    const bool is_freed = seen->asset.grade == FH_GRADE_STRUCTURE &&
                          seen->verify.last_error >= (int64_t)seen->asset.length;
    run_demand(run_was_cut_short(seen) || is_freed || run_grade(&longer) <= run_grade(seen),
               "appending does not raise the grade");
}
