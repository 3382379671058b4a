#include "reports/field_view.h"

#include "reports/escape.h"

#include <inttypes.h>
#include <string.h>

enum { ROW_LEN = 16, NUM_ROWS = 4, MOST_COLUMNS = 76, COLUMNS_IN_FRONT = 38 };

enum { PLACE_COLUMNS = 12 }; /* of put_place */

/* Letters of a text in UTF-16 that are looked at: both sides of the field that may be shown. */
enum { MOST_WIDE = 2 * MOST_COLUMNS };

static bool is_printable(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f;
}

/* The letter that stands for a byte: two # or two : would begin a command to a build service that
 * reads its log (see escape.c), which an indent does not hide. */
static char letter_of(const uint8_t *bytes, size_t at, size_t len)
{
    const uint8_t byte = bytes[at];
    const bool is_pair = (byte == '#' || byte == ':') && at + 1 < len && bytes[at + 1] == byte;
    if (!is_printable(byte) || is_pair) {
        return '.';
    }
    return (char)byte;
}

static bool is_of_field(const fh_field_view *view, size_t off)
{
    return off >= view->field_off && off - view->field_off < view->field_len;
}

/* What stands in front of a byte: brackets take the place of blanks. */
static const char *mark_before(const fh_field_view *view, size_t off, bool is_first)
{
    const bool before = !is_first && is_of_field(view, off - 1);
    const bool here = is_of_field(view, off);
    return here && !before ? "[" : before && !here ? "]" : " ";
}

static void put_place(fh_out *out, const fh_field_view *view, size_t row)
{
    const int64_t place = view->place(view->user, row);
    if (place >= 0) {
        fh_out_fmt(out, "0x%08" PRIx64 "  ", (uint64_t)place);
    }
}

/* put_bytes writes a row from its bytes on. */
static void put_bytes(fh_out *out, const fh_field_view *view, size_t row)
{
    for (size_t i = 0; i < ROW_LEN; i++) {
        fh_out_str(out, mark_before(view, row + i, i == 0));
        if (row + i < view->len) {
            fh_out_fmt(out, "%02x", view->bytes[row + i]);
        } else {
            fh_out_str(out, is_of_field(view, row + i) ? "--" : "  ");
        }
    }
    fh_out_str(out, is_of_field(view, row + ROW_LEN - 1) ? "]" : " ");
    fh_out_str(out, " |");
    for (size_t i = 0; i < ROW_LEN && row + i < view->len; i++) {
        const char letter = letter_of(view->bytes, row + i, view->len);
        fh_out_bytes(out, &letter, 1);
    }
    fh_out_str(out, "|\n");
}

static void put_row(fh_out *out, const fh_field_view *view, size_t row)
{
    fh_out_str(out, view->indent);
    put_place(out, view, row);
    fh_out_fmt(out, "+0x%04zx  ", row);
    put_bytes(out, view, row);
}

void fh_view_hex(fh_out *out, const fh_field_view *view)
{
    const size_t row = view->field_off - view->field_off % ROW_LEN;
    const size_t first = row >= ROW_LEN ? row - ROW_LEN : 0;
    for (size_t i = 0; i < NUM_ROWS; i++) {
        const size_t at = first + i * ROW_LEN;
        if (at < view->len || at == row) {
            put_row(out, view, at);
        }
    }
}

static void put_label(fh_out *out, const char *label)
{
    if (label != NULL && label[0] != '\0') {
        fh_out_str(out, " ");
        fh_escape_text(out, label);
    }
    fh_out_str(out, "\n");
}

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

/* put_line does what fh_view_line does, with a label behind the caret. */
static bool put_line(fh_out *out, const fh_field_view *view, const char *label)
{
    const size_t at = view->field_off;
    size_t first = at < view->len ? at : view->len;
    if (at > view->len) {
        return false;
    }
    /* What is cut off at either side of the field is not looked at. */
    while (first > 0 && at - first < COLUMNS_IN_FRONT && !is_line_end(view->bytes[first - 1])) {
        first--;
    }
    size_t end = first;
    while (end < view->len && end - first < MOST_COLUMNS && !is_line_end(view->bytes[end])) {
        if (!is_printable(view->bytes[end]) && view->bytes[end] != '\t' && end != at) {
            return false;
        }
        end++;
    }
    if (end == first) {
        return false; /* the bytes around say more than an empty line */
    }
    fh_out_str(out, view->indent);
    for (size_t i = first; i < end; i++) {
        const char letter = letter_of(view->bytes, i, view->len);
        fh_out_bytes(out, view->bytes[i] == '\t' ? " " : &letter, 1);
    }
    fh_out_fmt(out, "\n%s%*s^", view->indent, (int)(at - first), "");
    put_label(out, label);
    return true;
}

bool fh_view_line(fh_out *out, const fh_field_view *view)
{
    return put_line(out, view, NULL);
}

/* In UTF-16 with letters of ASCII every second byte is zero. */
static bool is_wide(const fh_field_view *view, size_t *letter)
{
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < view->len; i++) {
        zeros[i % 2] += view->bytes[i] == 0 ? 1 : 0;
    }
    *letter = zeros[0] > zeros[1] ? 1 : 0;
    return view->len >= 4 && zeros[1 - *letter] >= view->len / 4 && zeros[*letter] == 0;
}

/* put_wide_line shows a line of UTF-16; what is no ASCII is a byte that is not printable. */
static bool put_wide_line(fh_out *out, const fh_field_view *view, const char *label)
{
    uint8_t letters[MOST_WIDE];
    size_t letter = 0;
    const size_t len = view->len / 2 < MOST_WIDE ? view->len / 2 : MOST_WIDE;
    if (!is_wide(view, &letter)) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const uint8_t byte = view->bytes[2 * i + letter];
        letters[i] = view->bytes[2 * i + 1 - letter] == 0 && byte < 0x80 ? byte : '?';
    }
    const fh_field_view narrow = {.bytes = letters,
                                  .len = len,
                                  .field_off = view->field_off / 2,
                                  .field_len = 1,
                                  .indent = view->indent};
    return put_line(out, &narrow, label);
}

/* The caret of a row stands below the first digit of the field. */
static void put_row_caret(fh_out *out, const fh_field_view *view, size_t row, const char *label)
{
    const int lead = view->place(view->user, row) >= 0 ? PLACE_COLUMNS : 0;
    const int column = lead + 3 * (int)(view->field_off - row) + 1;
    fh_out_fmt(out, "%s%*s^", view->indent, column, "");
    put_label(out, label);
}

void fh_view_field(fh_out *out, const fh_field_view *view, bool is_text, const char *label)
{
    const size_t row = view->field_off - view->field_off % ROW_LEN;
    if (is_text && (put_wide_line(out, view, label) || put_line(out, view, label))) {
        return;
    }
    fh_out_str(out, view->indent);
    put_place(out, view, row);
    put_bytes(out, view, row);
    put_row_caret(out, view, row, label);
}
