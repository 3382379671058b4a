#include "core/scan.h"

#include <assert.h>

enum { LF = 0x0a, FF = 0x0c, CR = 0x0d, TAB = 0x09, FIRST_HIGH = 0x80 };

const char *fh_encoding_name(fh_encoding encoding)
{
    static const char *const names[] = {"bytes", "UTF-16, little endian", "UTF-16, big endian"};
    assert(encoding <= FH_ENCODING_UTF16BE);
    return names[encoding];
}

size_t fh_scan_unit_len(fh_encoding encoding)
{
    return encoding == FH_ENCODING_BYTES ? 1 : 2;
}

fh_scan fh_scan_make(fh_cursor bytes, fh_encoding encoding, const fh_scan_style *style)
{
    assert(bytes.size <= UINT32_MAX && style->most_units <= FH_SCAN_MOST_UNITS);
    fh_scan scan = {.cur = bytes, .encoding = encoding, .style = style, .line = 1};
    scan.cur.pos = 0;
    return scan;
}

size_t fh_scan_bom(fh_cursor bytes, fh_encoding *encoding)
{
    static const struct {
        uint32_t mask, value;
        size_t len;
        fh_encoding encoding;
    } marks[] = {{0xffffff, 0xbfbbef, 3, FH_ENCODING_BYTES},
                 {0xffff, 0xfeff, 2, FH_ENCODING_UTF16LE},
                 {0xffff, 0xfffe, 2, FH_ENCODING_UTF16BE}};
    uint32_t first = 0;
    bytes.pos = 0;
    for (unsigned i = 0; i < 3 && fh_cursor_left(&bytes) > 0; i++) {
        first |= (uint32_t)fh_cursor_u8(&bytes) << (8 * i);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if ((first & marks[i].mask) == marks[i].value) {
            *encoding = marks[i].encoding;
            return marks[i].len;
        }
    }
    return 0;
}

fh_encoding fh_scan_guess(fh_cursor bytes)
{
    bytes.pos = 0;
    const unsigned first = fh_cursor_u8(&bytes);
    const unsigned second = fh_cursor_u8(&bytes);
    if (bytes.failed || (first == 0) == (second == 0)) {
        return FH_ENCODING_BYTES;
    }
    return first == 0 ? FH_ENCODING_UTF16BE : FH_ENCODING_UTF16LE;
}

fh_scan fh_scan_open(fh_cursor bytes, const fh_scan_style *style, size_t *bom_len)
{
    fh_encoding encoding = fh_scan_guess(bytes);
    *bom_len = fh_scan_bom(bytes, &encoding);
    fh_scan scan = fh_scan_make(bytes, encoding, style);
    (void)fh_cursor_seek(&scan.cur, *bom_len);
    return scan;
}

static bool has_bom(fh_cursor bytes, size_t at, size_t len, fh_encoding encoding)
{
    fh_encoding found = FH_ENCODING_BYTES;
    if (at < len) {
        return false;
    }
    return fh_scan_bom(fh_cursor_sub(&bytes, at - len, len), &found) == len && found == encoding;
}

static bool is_zero(fh_cursor bytes, size_t at)
{
    return fh_scan_unit_at(bytes, FH_ENCODING_BYTES, at) == 0;
}

static bool is_line_end_at(fh_cursor bytes, size_t at)
{
    return fh_is_line_end(fh_scan_unit_at(bytes, FH_ENCODING_BYTES, at));
}

size_t fh_scan_begin(fh_cursor bytes, size_t at, bool is_wide)
{
    bytes.pos = 0;
    if (!is_wide) {
        return has_bom(bytes, at, 3, FH_ENCODING_BYTES) ? at - 3 : at;
    }
    if (has_bom(bytes, at, 2, FH_ENCODING_UTF16LE)) {
        return at - 2;
    }
    if (at == 0 || !is_zero(bytes, at - 1)) {
        return at;
    }
    if (has_bom(bytes, at - 1, 2, FH_ENCODING_UTF16BE)) {
        return at - 3;
    }
    const bool is_alone = at < 2 || (!is_zero(bytes, at - 2) && !is_line_end_at(bytes, at - 2));
    return is_alone || (bytes.origin + at - 1) % 2 == 0 ? at - 1 : at;
}

/* ---- units ---- */

/* The one place where text is read. */
static int32_t unit_at(const fh_cursor *bytes, fh_encoding encoding, size_t off)
{
    const int32_t first = fh_cursor_peek(bytes, off);
    if (encoding == FH_ENCODING_BYTES || first == FH_NO_BYTE) {
        return first;
    }
    const int32_t second = fh_cursor_peek(bytes, off + 1);
    if (second == FH_NO_BYTE) {
        return FH_NO_UNIT;
    }
    return encoding == FH_ENCODING_UTF16LE ? first | second << 8 : first << 8 | second;
}

int32_t fh_scan_unit_at(fh_cursor bytes, fh_encoding encoding, size_t off)
{
    return unit_at(&bytes, encoding, off);
}

static int32_t peek(const fh_scan *scan)
{
    return unit_at(&scan->cur, scan->encoding, scan->cur.pos);
}

/* Of a unit that is there. */
static void take(fh_scan *scan)
{
    (void)fh_cursor_skip(&scan->cur, fh_scan_unit_len(scan->encoding));
    scan->line_units++;
}

static bool is_blank(const fh_scan *scan, int32_t unit)
{
    return unit == ' ' || unit == TAB || (unit == FF && scan->style->has_form_feed);
}

/* Of a unit that is no line end. */
static bool is_control(const fh_scan *scan, int32_t unit)
{
    return (unit < ' ' || unit == 0x7f) && !is_blank(scan, unit);
}

/* Of a unit that is no control character. Every character of a word is asked, and there are two
 * marks at most: a call would cost more than they do. */
static bool is_mark(const fh_scan *scan, int32_t unit)
{
    for (const char *mark = scan->style->marks; *mark != '\0'; mark++) {
        if (unit < FIRST_HIGH && unit == *mark) {
            return true;
        }
    }
    return false;
}

static bool is_comment(const fh_scan *scan, int32_t unit)
{
    return scan->style->comment != '\0' && unit == scan->style->comment;
}

static bool is_quote(const fh_scan *scan, int32_t unit)
{
    return scan->style->quote != '\0' && unit == scan->style->quote;
}

static void take_line_end(fh_scan *scan)
{
    const bool is_cr = peek(scan) == CR;
    take(scan);
    if (is_cr && peek(scan) == LF) {
        take(scan);
        scan->num_crlf++;
    } else if (is_cr) {
        scan->num_cr++;
    } else {
        scan->num_lf++;
    }
    scan->line++;
    scan->line_units = 0;
}

/* ---- tokens ---- */

fh_text_place fh_scan_place(const fh_scan *scan)
{
    return (fh_text_place){(uint32_t)scan->cur.pos, scan->line, scan->line_units + 1};
}

static fh_token begin_token(const fh_scan *scan, fh_token_kind kind)
{
    const fh_text_place at = fh_scan_place(scan);
    return (fh_token){.kind = kind, .at = at, .off = at.off};
}

static void skip_blanks(fh_scan *scan)
{
    for (;;) {
        const int32_t unit = peek(scan);
        if (is_blank(scan, unit)) {
            take(scan);
        } else if (fh_is_line_end(unit) && !scan->style->has_line_ends) {
            take_line_end(scan);
        } else {
            return;
        }
    }
}

/* Takes units up to one that ends the token, at most `most` of them; true if that is all. */
static bool take_while(fh_scan *scan, fh_token *token, bool (*goes_on)(const fh_scan *, int32_t),
                       uint32_t most)
{
    int32_t unit = peek(scan);
    while (unit != FH_NO_UNIT && goes_on(scan, unit)) {
        if (token->num_units == most) {
            token->kind = FH_TOKEN_LONG;
            return false;
        }
        token->has_high = token->has_high || unit >= FIRST_HIGH;
        token->num_units++;
        take(scan);
        unit = peek(scan);
    }
    token->at_end = unit == FH_NO_UNIT;
    return true;
}

static bool goes_on_in_word(const fh_scan *scan, int32_t unit)
{
    return unit > ' ' && unit != 0x7f && !is_mark(scan, unit) && !is_comment(scan, unit) &&
           !is_quote(scan, unit);
}

static bool goes_on_in_string(const fh_scan *scan, int32_t unit)
{
    return !fh_is_line_end(unit) && !is_control(scan, unit) && !is_quote(scan, unit);
}

static bool goes_on_in_comment(const fh_scan *scan, int32_t unit)
{
    return !fh_is_line_end(unit) && !is_control(scan, unit);
}

static fh_token take_one(fh_scan *scan, fh_token_kind kind, int32_t unit)
{
    fh_token token = begin_token(scan, kind);
    token.mark = (uint16_t)unit;
    token.num_units = 1;
    take(scan);
    return token;
}

static fh_token take_string(fh_scan *scan)
{
    fh_token token = begin_token(scan, FH_TOKEN_STRING);
    take(scan);
    token.off = (uint32_t)scan->cur.pos;
    if (take_while(scan, &token, goes_on_in_string, scan->style->most_units)) {
        if (is_quote(scan, peek(scan))) {
            take(scan);
        } else {
            token.kind = FH_TOKEN_OPEN;
        }
    }
    return token;
}

static fh_token take_comment(fh_scan *scan)
{
    fh_token token = begin_token(scan, FH_TOKEN_COMMENT);
    const uint32_t most = scan->style->most_remark;
    (void)take_while(scan, &token, goes_on_in_comment, most == 0 ? UINT32_MAX : most);
    return token;
}

static fh_token take_word(fh_scan *scan)
{
    fh_token token = begin_token(scan, FH_TOKEN_WORD);
    (void)take_while(scan, &token, goes_on_in_word, scan->style->most_units);
    return token;
}

static fh_token take_line_end_token(fh_scan *scan)
{
    fh_token token = begin_token(scan, FH_TOKEN_LINE_END);
    const bool is_cr = peek(scan) == CR;
    take_line_end(scan);
    token.num_units = (uint32_t)((scan->cur.pos - token.off) / fh_scan_unit_len(scan->encoding));
    token.at_end = is_cr && token.num_units == 1 && peek(scan) == FH_NO_UNIT;
    return token;
}

fh_token fh_scan_next(fh_scan *scan)
{
    skip_blanks(scan);
    const int32_t unit = peek(scan);
    if (unit == FH_NO_UNIT) {
        fh_token token = begin_token(scan, FH_TOKEN_END);
        token.at_end = true;
        return token;
    }
    if (fh_is_line_end(unit)) {
        return take_line_end_token(scan);
    }
    if (is_control(scan, unit)) {
        return take_one(scan, FH_TOKEN_CONTROL, unit);
    }
    if (is_mark(scan, unit)) {
        return take_one(scan, FH_TOKEN_MARK, unit);
    }
    if (is_comment(scan, unit)) {
        return take_comment(scan);
    }
    return is_quote(scan, unit) ? take_string(scan) : take_word(scan);
}

/* ---- the text of tokens ---- */

/* One of its units, all of which are there. */
static int32_t unit_of(const fh_scan *scan, const fh_token *token, uint32_t index)
{
    return unit_at(&scan->cur, scan->encoding,
                   token->off + index * fh_scan_unit_len(scan->encoding));
}

size_t fh_scan_read(const fh_scan *scan, const fh_token *token, char *buf, size_t size)
{
    assert(size > 0);
    uint32_t num = 0;
    while (num < token->num_units && num < size - 1) {
        const int32_t unit = unit_of(scan, token, num);
        buf[num++] = (char)(unit < FIRST_HIGH ? unit : '?');
    }
    buf[num] = '\0';
    return num;
}

uint32_t fh_scan_unit(const fh_scan *scan, const fh_token *token, uint32_t index)
{
    assert(index < token->num_units);
    return (uint32_t)unit_of(scan, token, index);
}

static bool is_char(char c, char wanted, bool any_case)
{
    return c == wanted || (any_case && fh_ascii_lower(c) == fh_ascii_lower(wanted));
}

static bool is_text(const fh_scan *scan, const fh_token *token, const char *text, bool any_case)
{
    for (uint32_t i = 0; i < token->num_units; i++) {
        const int32_t unit = unit_of(scan, token, i);
        if (text[i] == '\0' || unit >= FIRST_HIGH || !is_char((char)unit, text[i], any_case)) {
            return false;
        }
    }
    return text[token->num_units] == '\0';
}

bool fh_scan_begins(const fh_scan *scan, const fh_token *token, const char *text)
{
    uint32_t i = 0;
    /* cppcheck-suppress arrayIndexThenCheck ; it is the token that ends with num_units */
    for (; text[i] != '\0' && i < token->num_units; i++) {
        const int32_t unit = unit_of(scan, token, i);
        if (unit >= FIRST_HIGH || unit != text[i]) {
            return false;
        }
    }
    return text[i] == '\0';
}

bool fh_scan_is(const fh_scan *scan, const fh_token *token, const char *text)
{
    return is_text(scan, token, text, false);
}

bool fh_scan_is_but_case(const fh_scan *scan, const fh_token *token, const char *text)
{
    return is_text(scan, token, text, true);
}

bool fh_scan_same(const fh_scan *scan, const fh_token *a, const fh_token *b)
{
    return fh_scan_same_text(scan, a, scan, b);
}

bool fh_scan_same_text(const fh_scan *a_scan, const fh_token *a, const fh_scan *b_scan,
                       const fh_token *b)
{
    if (a->num_units != b->num_units) {
        return false;
    }
    for (uint32_t i = 0; i < a->num_units; i++) {
        if (unit_of(a_scan, a, i) != unit_of(b_scan, b, i)) {
            return false;
        }
    }
    return true;
}

uint32_t fh_scan_hash(const fh_scan *scan, const fh_token *token)
{
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */
    for (uint32_t i = 0; i < token->num_units; i++) {
        const uint64_t mixed = hash ^ (uint32_t)unit_of(scan, token, i);
        hash = (uint32_t)(mixed * 0x01000193u & UINT32_MAX);
    }
    return hash;
}

fh_integer fh_scan_int(const fh_scan *scan, const fh_token *token)
{
    char text[FH_SCAN_MOST_UNITS + 1];
    return fh_number_int(text, fh_scan_read(scan, token, text, sizeof text));
}

fh_real fh_scan_real(const fh_scan *scan, const fh_token *token)
{
    char text[FH_SCAN_MOST_UNITS + 1];
    return fh_number_real(text, fh_scan_read(scan, token, text, sizeof text));
}

/* ---- for findings ---- */

static void show_unit(fh_text *out, int32_t unit)
{
    if (unit >= ' ' && unit < 0x7f) {
        const char one[2] = {(char)unit, '\0'};
        fh_text_str(out, one);
        return;
    }
    static const char digits[] = "0123456789abcdef";
    fh_text_str(out, "\\x");
    for (int shift = unit > 0xff ? 12 : 4; shift >= 0; shift -= 4) {
        const char one[2] = {digits[(uint32_t)unit >> shift & 15], '\0'};
        fh_text_str(out, one);
    }
}

void fh_scan_show(fh_text *out, const fh_scan *scan, const fh_token *token)
{
    enum { MOST_SHOWN = 40 };
    const bool is_string = token->kind == FH_TOKEN_STRING || token->kind == FH_TOKEN_OPEN;
    const char quote[2] = {scan->style->quote, '\0'};
    if (token->kind == FH_TOKEN_END) {
        fh_text_str(out, "the end of the data");
        return;
    }
    fh_text_str(out, is_string ? quote : "");
    for (uint32_t i = 0; i < token->num_units && i < MOST_SHOWN; i++) {
        show_unit(out, unit_of(scan, token, i));
    }
    fh_text_str(out, token->num_units > MOST_SHOWN ? "..." : "");
    fh_text_str(out, token->kind == FH_TOKEN_STRING ? quote : "");
}

void fh_text_put_place(fh_text *out, fh_text_place at)
{
    fh_text_u64(fh_text_str(out, "line "), at.line);
    fh_text_u64(fh_text_str(out, ", column "), at.column);
}
