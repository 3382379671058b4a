#include "camerawork/cam_locate.h"

#include "core/scan.h"

#include <assert.h>

enum {
    MOST_DIGITS = 10,
    MOST_ROW = 400 /* characters; the longest that the program can write has about 335 */
};

/* Characters around the blank or TAB in front of the flag, which has number 0. In UTF-16 of either
 * byte order a zero byte lies between any two. */
typedef struct around {
    fh_cursor bytes;
    size_t at;
    bool is_wide;
} around;

/* The offset of a character that is not the blank; in front of the bytes it is negative. */
static int64_t offset_of(const around *text, int number)
{
    assert(number != 0);
    return (int64_t)text->at + (int64_t)number * (text->is_wide ? 2 : 1);
}

/* The bytes end in front of this character, which stands behind the blank: nobody knows what it is.
 */
static bool is_unknown(const around *text, int number)
{
    assert(number > 0);
    return (uint64_t)offset_of(text, number) >= text->bytes.size;
}

static int32_t byte_at(const around *text, int64_t off)
{
    return off < 0 ? FH_NO_UNIT : fh_scan_unit_at(text->bytes, FH_ENCODING_BYTES, (size_t)off);
}

/* A character, or FH_NO_UNIT where none can stand or the bytes end. */
static int32_t character(const around *text, int number)
{
    const int64_t off = offset_of(text, number);
    if (text->is_wide && byte_at(text, number < 0 ? off + 1 : off - 1) != 0) {
        return FH_NO_UNIT;
    }
    return byte_at(text, off);
}

/* A number as the program writes it, or how its run-time writes one that is none. */
static bool is_number_at(const around *text, int number)
{
    if (character(text, number) == '-') {
        number++;
    }
    static const char form[] = "d.dddddde";
    for (int i = 0; form[i] != '\0'; i++) {
        const int32_t c = character(text, number + i);
        if (is_unknown(text, number + i) || (i == 2 && c == '#')) {
            return true;
        }
        if (form[i] == 'd' ? !fh_is_digit(c) : c != form[i]) {
            return false;
        }
    }
    return true;
}

static bool is_separator(int32_t c)
{
    return c == ' ' || c == '\t';
}

static bool is_flag_at(const around *text, int number)
{
    const int32_t flag = character(text, number);
    return is_unknown(text, number) ||
           ((flag == '0' || flag == '1') &&
            (is_separator(character(text, number + 1)) || is_unknown(text, number + 1)));
}

static int64_t value_of(const around *text, int from, int to)
{
    int64_t value = 0;
    for (int i = from; i < to; i++) {
        value = 10 * value + (int64_t)(character(text, i) - '0');
    }
    return value;
}

/* The index of the next row, or -1. */
static int64_t next_index(const around *text)
{
    int i = 1;
    while (i < MOST_ROW && !fh_is_line_end(character(text, i)) &&
           character(text, i) != FH_NO_UNIT) {
        i++;
    }
    if (!fh_is_line_end(character(text, i))) {
        return -1;
    }
    const bool is_crlf = character(text, i) == '\r' && character(text, i + 1) == '\n';
    i += is_crlf ? 2 : 1;
    int end = i;
    while (end - i < MOST_DIGITS && fh_is_digit(character(text, end))) {
        end++;
    }
    return end > i && is_separator(character(text, end)) ? value_of(text, i, end) : -1;
}

/* Digits of something else may stand in front of those of the index: the next row tells. */
static int first_own_digit(const around *text, int first)
{
    const int64_t next = next_index(text);
    for (int i = first; i < 0 && next > 0; i++) {
        const bool is_form = character(text, i) != '0' || i == -1;
        if (is_form && value_of(text, i, 0) == next - 1) {
            return i;
        }
    }
    return first;
}

/* The digits from `first` on are an exponent: the flag is that of another column. */
static bool is_exponent(const around *text, int first)
{
    const int32_t sign = character(text, first - 1);
    return (sign == '+' || sign == '-') && character(text, first - 2) == 'e' &&
           fh_is_digit(character(text, first - 3));
}

bool cam_locate(size_t *start, fh_cursor bytes, size_t at)
{
    around text = {.bytes = bytes, .at = at};
    text.is_wide = character(&text, 1) == 0;
    if (!is_number_at(&text, 3)) { /* of zeros and ones in a row no other costs less to see */
        return false;
    }
    int first = 0;
    while (first > -MOST_DIGITS && fh_is_digit(character(&text, first - 1))) {
        first--;
    }
    const int32_t before = character(&text, first - 1);
    if (first == 0 || is_exponent(&text, first) || !is_flag_at(&text, 1)) {
        return false;
    }
    if (!fh_is_line_end(before) && before != 0) {
        first = first_own_digit(&text, first);
    }
    const size_t units = (size_t)-first;
    *start = fh_scan_begin(bytes, at - units * (text.is_wide ? 2 : 1), text.is_wide);
    return true;
}
