/* The text scanner. What numbers its tokens are is test_number.c's business. */
#include "bench.h"

#include "core/scan.h"

#include <stdio.h>
#include <string.h>

static const fh_scan_style chunks = {.marks = "()",
                                     .comment = ';',
                                     .quote = '"',
                                     .has_form_feed = true,
                                     .most_units = 16,
                                     .most_remark = 20};
static const fh_scan_style rows = {.marks = "", .has_line_ends = true, .most_units = 16};

/* Writes the tokens of a text, one letter and place each. */
static const char *tokens_of(const void *bytes, size_t len, fh_encoding encoding,
                             const fh_scan_style *style)
{
    static char buf[4096];
    static const char letters[] = "$wmscnxol";
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_scan scan = fh_scan_make(fh_cursor_make(bytes, len, 0), encoding, style);
    for (unsigned num = 0; num < 100; num++) {
        const fh_token token = fh_scan_next(&scan);
        char shown[64];
        (void)snprintf(shown, sizeof shown, "%s%c%u:%u+%u=%u%s%s", num > 0 ? " " : "",
                       letters[token.kind], token.at.line, token.at.column, token.at.off,
                       token.num_units, token.has_high ? "h" : "", token.at_end ? "." : "");
        fh_text_str(&text, shown);
        if (token.kind == FH_TOKEN_END) {
            break;
        }
    }
    return buf;
}

#define BYTES(text) text, sizeof(text) - 1, FH_ENCODING_BYTES

Test(scan, tokens_and_places)
{
    cr_assert(eq(str, (char *)tokens_of(BYTES("( kf 0 1.5 )\n"), &chunks),
                 "m1:1+0=1 w1:3+2=2 w1:6+5=1 w1:8+7=3 m1:12+11=1 $2:1+13=0."));
    cr_assert(eq(str, (char *)tokens_of(BYTES("(kf\"a b\"x;no\ty)(\r\ry"), &chunks),
                 "m1:1+0=1 w1:2+1=2 s1:4+3=3 w1:9+8=1 c1:10+9=7 w3:1+18=1. $3:2+19=0."));
    cr_assert(eq(str, (char *)tokens_of(BYTES("\"\" \"a\n\"b\0\"c"), &chunks),
                 "s1:1+0=0 o1:4+3=1 o2:1+6=1 x2:3+8=1 o2:4+9=1. $2:6+11=0."));
    cr_assert(eq(str, (char *)tokens_of(BYTES("a\fb\vc\x7f\xe9;\xe9\1"), &chunks),
                 "w1:1+0=1 w1:3+2=1 x1:4+3=1 w1:5+4=1 x1:6+5=1 w1:7+6=1h c1:8+7=2h x1:10+9=1 "
                 "$1:11+10=0."));
    cr_assert(eq(str, (char *)tokens_of(BYTES(""), &chunks), "$1:1+0=0."));
}

Test(scan, rows_end_with_their_lines)
{
    cr_assert(eq(str, (char *)tokens_of(BYTES("0 \"x;\t1\r\n\n(2)\r3\r"), &rows),
                 "w1:1+0=1 w1:3+2=3 w1:7+6=1 n1:8+7=2 n2:1+9=1 w3:1+10=3 n3:4+13=1 w4:1+14=1 "
                 "n4:2+15=1. $5:1+16=0."));
    cr_assert(
        eq(str, (char *)tokens_of(BYTES("0\f1"), &rows), "w1:1+0=1 x1:2+1=1 w1:3+2=1. $1:4+3=0."));
}

Test(scan, long_tokens_are_cut)
{
    cr_assert(eq(str, (char *)tokens_of(BYTES("0123456789abcdef 0123456789abcdefg"), &chunks),
                 "w1:1+0=16 l1:18+17=16 w1:34+33=1. $1:35+34=0."));
    cr_assert(eq(str,
                 (char *)tokens_of(BYTES("\"0123456789abcdef\"\"0123456789abcdefg\""), &chunks),
                 "s1:1+0=16 l1:19+18=16 w1:36+35=1 o1:37+36=0. $1:38+37=0."));
    cr_assert(eq(str, (char *)tokens_of(BYTES(";123456789abcdefghijklm\n"), &chunks),
                 "l1:1+0=20 w1:21+20=3 $2:1+24=0."));
}

/* Every text reads the same in units of either kind, but for the offsets. */
Test(scan, utf16_reads_like_bytes)
{
    static const char text[] = "( a \"b c\" ; d\r\n)\n\"e\rf\x1g";
    uint8_t wide[2 * sizeof text];
    for (int is_big = 0; is_big < 2; is_big++) {
        for (size_t i = 0; i < sizeof text - 1; i++) {
            wide[2 * i] = is_big != 0 ? 0 : (uint8_t)text[i];
            wide[2 * i + 1] = is_big != 0 ? (uint8_t)text[i] : 0;
        }
        const fh_encoding encoding = is_big != 0 ? FH_ENCODING_UTF16BE : FH_ENCODING_UTF16LE;
        fh_scan a =
            fh_scan_make(fh_cursor_make(text, sizeof text - 1, 0), FH_ENCODING_BYTES, &chunks);
        fh_scan b = fh_scan_make(fh_cursor_make(wide, 2 * (sizeof text - 1), 0), encoding, &chunks);
        fh_token s, t;
        do {
            s = fh_scan_next(&a);
            t = fh_scan_next(&b);
            char x[32], y[32];
            HOLD(s.kind == t.kind && s.at.line == t.at.line && s.at.column == t.at.column &&
                     2 * s.at.off == t.at.off && 2 * s.off == t.off && s.num_units == t.num_units &&
                     s.mark == t.mark && s.at_end == t.at_end,
                 "token at %u", s.at.off);
            HOLD(fh_scan_read(&a, &s, x, sizeof x) == fh_scan_read(&b, &t, y, sizeof y) &&
                     strcmp(x, y) == 0,
                 "text at %u", s.at.off);
            HOLD(fh_scan_hash(&a, &s) == fh_scan_hash(&b, &t), "hash at %u", s.at.off);
        } while (s.kind != FH_TOKEN_END);
        HOLD(a.num_lf == 1 && a.num_crlf == 1 && a.num_cr == 1, "line ends");
        HOLD(b.num_lf == 1 && b.num_crlf == 1 && b.num_cr == 1, "line ends");
    }
    /* Half a unit at the end is nothing; a unit above 255 is a high one and no line end. */
    cr_assert(eq(str, (char *)tokens_of("a\0\x0a\x0a\x0a", 5, FH_ENCODING_UTF16LE, &chunks),
                 "w1:1+0=2h. $1:3+4=0."));
}

Test(scan, byte_order_marks)
{
    static const struct {
        const char *bytes;
        size_t len, mark;
        fh_encoding encoding, guess;
    } cases[] = {{"\xef\xbb\xbfx", 4, 3, FH_ENCODING_BYTES, FH_ENCODING_BYTES},
                 {"\xff\xfex\0", 4, 2, FH_ENCODING_UTF16LE, FH_ENCODING_BYTES},
                 {"\xfe\xff\0x", 4, 2, FH_ENCODING_UTF16BE, FH_ENCODING_BYTES},
                 {"\xef\xbb", 2, 0, FH_ENCODING_BYTES, FH_ENCODING_BYTES},
                 {"x\0", 2, 0, FH_ENCODING_BYTES, FH_ENCODING_UTF16LE},
                 {"\0x", 2, 0, FH_ENCODING_BYTES, FH_ENCODING_UTF16BE},
                 {"\0\0", 2, 0, FH_ENCODING_BYTES, FH_ENCODING_BYTES},
                 {"x", 1, 0, FH_ENCODING_BYTES, FH_ENCODING_BYTES},
                 {"", 0, 0, FH_ENCODING_BYTES, FH_ENCODING_BYTES}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_cursor cur = fh_cursor_make(cases[i].bytes, cases[i].len, 0);
        fh_encoding encoding = FH_ENCODING_BYTES;
        HOLD(fh_scan_bom(cur, &encoding) == cases[i].mark, "case %zu: mark", i);
        HOLD(encoding == cases[i].encoding, "case %zu: encoding", i);
        HOLD(fh_scan_guess(cur) == cases[i].guess, "case %zu: guess", i);
    }
}

/* Where a text begins whose first character, here the x, was found. */
Test(scan, where_a_text_begins)
{
    static const struct {
        const char *bytes;
        size_t len, at, begin;
        uint64_t origin;
        bool is_wide;
    } cases[] = {
        {"x", 1, 0, 0, 0, false},
        {"ax", 2, 1, 1, 0, false},
        {"\xef\xbb\xbfx", 4, 3, 0, 0, false},
        {"\xef\xbb\xbex", 4, 3, 3, 0, false},
        {"\xff\xfe?x", 4, 3, 3, 0, false},
        {"x\0", 2, 0, 0, 0, true},
        {"\xff\xfex\0", 4, 2, 0, 0, true},
        {"\xfe\xff\0x", 4, 3, 0, 0, true},
        {"\xff\xfe\0x", 4, 3, 2, 0, true}, /* the mark of the other order */
        {"\xfe\xffx\0", 4, 2, 2, 0, true},
        {"ax\0", 3, 1, 1, 0, true},
        {"\0x\0", 3, 1, 0, 0, true}, /* a zero byte at an even offset */
        {"\0x\0", 3, 1, 0, 1, true}, /* or alone */
        {"a\0x\0", 4, 2, 1, 0, true},
        {"\0\0x\0", 4, 2, 2, 0, true}, /* but the second half of another character */
        {"\0\0x\0", 4, 2, 1, 1, true},
        {"\n\0x\0", 4, 2, 2, 0, true}, /* or that of a line end */
        {"\r\0x\0", 4, 2, 2, 0, true},
        {"\r\0x\0", 4, 2, 1, 1, true},
        {"\n\0\0x", 4, 3, 2, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_cursor cur = fh_cursor_make(cases[i].bytes, cases[i].len, cases[i].origin);
        const size_t begin = fh_scan_begin(cur, cases[i].at, cases[i].is_wide);
        HOLD(begin == cases[i].begin, "case %zu: %zu", i, begin);
    }
}

Test(scan, a_scanner_begins_behind_the_mark)
{
    static const struct {
        const char *bytes;
        size_t len, mark;
        fh_encoding encoding;
    } cases[] = {
        {"\xef\xbb\xbfx", 4, 3, FH_ENCODING_BYTES}, {"\xff\xfex\0", 4, 2, FH_ENCODING_UTF16LE},
        {"\xfe\xff\0x", 4, 2, FH_ENCODING_UTF16BE}, {"x\0", 2, 0, FH_ENCODING_UTF16LE},
        {"\0x", 2, 0, FH_ENCODING_UTF16BE},         {"xy", 2, 0, FH_ENCODING_BYTES}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t mark = 77;
        fh_scan scan =
            fh_scan_open(fh_cursor_make(cases[i].bytes, cases[i].len, 0), &chunks, &mark);
        HOLD(mark == cases[i].mark && scan.encoding == cases[i].encoding, "case %zu", i);
        const fh_token token = fh_scan_next(&scan);
        HOLD(token.off == mark && fh_scan_unit(&scan, &token, 0) == 'x', "case %zu: the text", i);
    }
}

Test(scan, units_at_an_offset)
{
    static const char bytes[] = "\0x\1";
    const fh_cursor cur = fh_cursor_make(bytes, 3, 0);
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_BYTES, 2), 1));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_BYTES, 3), FH_NO_UNIT));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_BYTES, 4), FH_NO_UNIT));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_UTF16LE, 0), 0x7800));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_UTF16BE, 0), 'x'));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_UTF16BE, 1), 0x7801));
    cr_assert(eq(i32, fh_scan_unit_at(cur, FH_ENCODING_UTF16BE, 2), FH_NO_UNIT), "half a unit");
}

Test(scan, texts_of_tokens)
{
    static const char text[] = "Roll roll \"a\xe9\tb\" \"a\xe9\tb\" \"unclosed";
    fh_scan scan =
        fh_scan_make(fh_cursor_make(text, sizeof text - 1, 0), FH_ENCODING_BYTES, &chunks);
    const fh_token upper = fh_scan_next(&scan);
    const fh_token lower = fh_scan_next(&scan);
    const fh_token name = fh_scan_next(&scan);
    const fh_token same = fh_scan_next(&scan);
    const fh_token open = fh_scan_next(&scan);
    char buf[64];
    cr_assert(fh_scan_is(&scan, &lower, "roll") && !fh_scan_is(&scan, &upper, "roll"));
    cr_assert(fh_scan_is_but_case(&scan, &upper, "roll"));
    cr_assert(not(fh_scan_is(&scan, &lower, "rol") || fh_scan_is(&scan, &lower, "rolls")));
    cr_assert(fh_scan_begins(&scan, &lower, "") && fh_scan_begins(&scan, &lower, "rol") &&
              fh_scan_begins(&scan, &lower, "roll"));
    cr_assert(not(fh_scan_begins(&scan, &lower, "rolls") || fh_scan_begins(&scan, &lower, "rok") ||
                  fh_scan_begins(&scan, &upper, "rol")));
    cr_assert(fh_scan_same(&scan, &name, &same) && !fh_scan_same(&scan, &upper, &lower));
    cr_assert(eq(u32, fh_scan_hash(&scan, &name), fh_scan_hash(&scan, &same)));
    cr_assert(eq(sz, fh_scan_read(&scan, &name, buf, sizeof buf), 4));
    cr_assert(eq(str, buf, "a?\tb"));
    cr_assert(eq(sz, fh_scan_read(&scan, &name, buf, 3), 2));
    fh_text out = fh_text_make(buf, sizeof buf);
    fh_scan_show(&out, &scan, &name);
    cr_assert(eq(str, buf, "\"a\\xe9\\x09b\""));
    out = fh_text_make(buf, sizeof buf);
    fh_scan_show(&out, &scan, &open);
    fh_text_put_place(fh_text_str(&out, ", "), open.at);
    cr_assert(eq(str, buf, "\"unclosed, line 1, column 25"));
}

static fh_token token_of(fh_scan *scan, const void *bytes, size_t len, fh_encoding encoding,
                         const fh_scan_style *style)
{
    *scan = fh_scan_make(fh_cursor_make(bytes, len, 0), encoding, style);
    return fh_scan_next(scan);
}

/* 0x80 is the first that is none, and is like no character of a style or a text. */
Test(scan, what_is_ascii)
{
    static const fh_scan_style style = {.marks = "\x80", .most_units = 16};
    fh_scan scan;
    char buf[8];
    const fh_token high = token_of(&scan, BYTES("\x80"), &style);
    cr_assert(high.kind == FH_TOKEN_WORD && high.has_high);
    cr_assert(eq(sz, fh_scan_read(&scan, &high, buf, sizeof buf), 1));
    cr_assert(eq(str, buf, "?"));
    cr_assert(not(fh_scan_is(&scan, &high, "\x80") || fh_scan_begins(&scan, &high, "\x80")));
    const fh_token low = token_of(&scan, BYTES("~"), &style);
    cr_assert(low.kind == FH_TOKEN_WORD && !low.has_high && fh_scan_is(&scan, &low, "~"));
    const fh_token none = token_of(&scan, BYTES("\x7f"), &style);
    cr_assert(eq(int, (int)none.kind, FH_TOKEN_CONTROL));
}

Test(scan, texts_of_control_characters)
{
    fh_scan scan;
    const fh_token one = token_of(&scan, BYTES("\1"), &chunks);
    cr_assert(fh_scan_is(&scan, &one, "\1"));
    const fh_token zero = token_of(&scan, BYTES("\0"), &chunks);
    cr_assert(eq(u32, zero.num_units, 1));
    cr_assert(not(fh_scan_is(&scan, &zero, "\0")), "a zero ends a text");
}

/* The values are those of the authors of FNV-1a. */
Test(scan, the_hash_is_a_known_one)
{
    fh_scan scan;
    fh_token token = token_of(&scan, BYTES(""), &chunks);
    cr_assert(eq(u32, fh_scan_hash(&scan, &token), 0x811c9dc5));
    token = token_of(&scan, BYTES("a"), &chunks);
    cr_assert(eq(u32, fh_scan_hash(&scan, &token), 0xe40c292c));
    token = token_of(&scan, BYTES("foobar"), &chunks);
    cr_assert(eq(u32, fh_scan_hash(&scan, &token), 0xbf9cf968));
}

static const char *shown(const void *bytes, size_t len, fh_encoding encoding)
{
    static const fh_scan_style style = {.marks = "", .most_units = 64};
    static char buf[128];
    fh_scan scan;
    const fh_token token = token_of(&scan, bytes, len, encoding, &style);
    fh_text out = fh_text_make(buf, sizeof buf);
    fh_scan_show(&out, &scan, &token);
    return buf;
}

/* Units above a byte have four digits; of more than 40 units a part is shown. */
Test(scan, what_findings_show)
{
    cr_assert(eq(str, (char *)shown("\xff\0", 2, FH_ENCODING_UTF16LE), "\\xff"));
    cr_assert(eq(str, (char *)shown("\0\1", 2, FH_ENCODING_UTF16LE), "\\x0100"));
    cr_assert(eq(str, (char *)shown(BYTES("0123456789012345678901234567890123456789")),
                 "0123456789012345678901234567890123456789"));
    cr_assert(eq(str, (char *)shown(BYTES("01234567890123456789012345678901234567890")),
                 "0123456789012345678901234567890123456789..."));
}

/* Any bytes: every token lies behind the one before it, and the end comes. */
Test(scan, random_bytes)
{
    static const char alphabet[] = "()\"; \t\r\n\f\0a1.-\xe9\x7f";
    dice d = {4};
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[64];
        const size_t len = dice_below(&d, sizeof bytes);
        for (size_t k = 0; k < len; k++) {
            bytes[k] = (uint8_t)alphabet[dice_below(&d, sizeof alphabet - 1)];
        }
        const fh_encoding encoding = (fh_encoding)dice_below(&d, 3);
        fh_scan scan = fh_scan_make(fh_cursor_make(bytes, len, 0), encoding,
                                    dice_below(&d, 2) == 0 ? &chunks : &rows);
        size_t last = 0;
        fh_token token = fh_scan_next(&scan);
        for (; token.kind != FH_TOKEN_END; token = fh_scan_next(&scan)) {
            HOLD(token.at.off >= last && scan.cur.pos > token.at.off, "a token takes something");
            HOLD(token.off + token.num_units * fh_scan_unit_len(encoding) <= scan.cur.pos, "range");
            last = scan.cur.pos;
        }
        HOLD(len - scan.cur.pos < fh_scan_unit_len(encoding) && !scan.cur.failed, "the end");
    }
}
