#include "reports/field_view.h"

#include <inttypes.h>
#include <string.h>

enum { ROW_LEN = 16, NUM_ROWS = 4, MOST_COLUMNS = 76, COLUMNS_IN_FRONT = 38 };

static bool is_printable(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f;
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

static void put_row(fh_out *out, const fh_field_view *view, size_t row)
{
    const int64_t place = view->place(view->user, row);
    fh_out_str(out, view->indent);
    if (place >= 0) {
        fh_out_fmt(out, "0x%08" PRIx64 "  ", (uint64_t)place);
    }
    fh_out_fmt(out, "+0x%04zx  ", row);
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
        const char letter = is_printable(view->bytes[row + i]) ? (char)view->bytes[row + i] : '.';
        fh_out_bytes(out, &letter, 1);
    }
    fh_out_str(out, "|\n");
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

static bool is_line_end(uint8_t byte)
{
    return byte == '\n' || byte == '\r';
}

bool fh_view_line(fh_out *out, const fh_field_view *view)
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
        const char letter = is_printable(view->bytes[i]) ? (char)view->bytes[i] : '.';
        fh_out_bytes(out, view->bytes[i] == '\t' ? " " : &letter, 1);
    }
    fh_out_fmt(out, "\n%s%*s^\n", view->indent, (int)(at - first), "");
    return true;
}
