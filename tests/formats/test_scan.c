/* The text scanner and its numbers. The numbers are held against the C library's, which rounds
 * correctly, on many random and nasty texts. */
#include "bench.h"

#include "core/scan.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- numbers ---- */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t word_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void hold_number(const char *text)
{
    const fh_real got = fh_number_real(text, strlen(text));
    HOLD(got.fault == FH_NUMBER_GOOD, "%s: %s", text, fh_number_fault_name(got.fault));
    HOLD(bits_of(got.value) == bits_of(strtod(text, NULL)), "%s: %.17g", text, got.value);
    HOLD(word_of(got.single) == word_of(strtof(text, NULL)), "%s: %.9g", text, (double)got.single);
    HOLD(got.is_huge == (isinf(got.value) != 0), "%s: huge", text);
}

Test(number, as_the_c_library_reads_it)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0.0",
                                        "0e999999999",
                                        "1",
                                        "100.000000",
                                        "0.000026",
                                        "1e-005",
                                        "5.",
                                        ".5",
                                        "1e308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "1.797693134862315807e308",
                                        "1.797693134862315808e308",
                                        "179769313486231580793e289",
                                        "1e309",
                                        "1e400",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "4.9e-324",
                                        "2.5e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "2.2250738585072014e-308",
                                        "2.2250738585072011e-308",
                                        "2.225073858507201e-308",
                                        "3.4028234663852886e38",
                                        "3.4028235677973366e38",
                                        "3.40282356779733661637e38",
                                        "3.40282356779733661638e38",
                                        "1.4e-45",
                                        "7e-46",
                                        "7.0064923216240853e-46",
                                        "7.0064923216240854e-46",
                                        "1.17549435e-38",
                                        "1.1754942807573643e-38",
                                        "1.1754943508222875e-38",
                                        "9007199254740993",
                                        "9007199254740992.9999999999",
                                        "9007199254740993.0000000000000000000000000000000000001",
                                        "16777217",
                                        "16777217.000000000000000000000000001",
                                        "16777216.9999999999999999999",
                                        "123456789012345678901234567890",
                                        "0.1",
                                        "0.3",
                                        "6.138396",
                                        "178.997116",
                                        "1e23",
                                        "8.5e22",
                                        "7.2057594037927933e16",
                                        "99999999999999974834176",
                                        "1e17",
                                        "123456789012345678e-18"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hold_number(texts[i]);
    }
}

/* Zeros by the hundred on either side of the point, and an exponent that takes them back. */
Test(number, long_texts)
{
    char text[2048];
    for (int num = 1; num < 900; num += 7) {
        (void)snprintf(text, sizeof text, "0.%0*d%se%d", num, 0, "123456789", num);
        hold_number(text);
        (void)snprintf(text, sizeof text, "1%0*de-%d", num, 0, num + 3);
        hold_number(text);
        (void)snprintf(text, sizeof text, "1%0*d.%0*d1e-%d", num, 0, num, 0, num);
        hold_number(text);
    }
}

/* Half way between two neighbours, exactly, a little above and a little below. */
static void hold_halfway(double low, double high, bool is_single)
{
    char text[2048];
    long double half = ((long double)low + (long double)high) / 2;
    (void)is_single;
    int len = snprintf(text, sizeof text - 64, "%.1200Lf", half);
    HOLD(len > 0 && len < (int)sizeof text - 64, "room");
    hold_number(text);
    (void)strcpy(text + len, "000000000000000000001");
    hold_number(text);
    while (len > 0 && (text[len - 1] == '0' || text[len - 1] == '.')) {
        len--;
    }
    text[len] = '\0';
    if (len > 0 && text[len - 1] >= '1') {
        text[len - 1]--;
        (void)strcpy(text + len, "99999999999999999999999");
        hold_number(text);
    }
}

Test(number, halfway_between_neighbours, .timeout = 60)
{
    dice d = {1};
    for (int i = 0; i < 4000; i++) {
        const int e = (int)dice_below(&d, 1200) - 1100;
        const double low =
            ldexp((double)dice_next(&d) + dice_next(&d) / 4294967296.0, e > 200 ? 200 : e);
        hold_halfway(low, nextafter(low, INFINITY), false);
        const float single = (float)ldexp((double)dice_next(&d), (int)dice_below(&d, 240) - 185);
        if (isfinite(single)) {
            hold_halfway((double)single, (double)nextafterf(single, INFINITY), true);
        }
    }
    for (int i = 0; i < 60; i++) {
        hold_halfway(ldexp(i, -1074), ldexp(i + 1, -1074), false);
        hold_halfway(ldexp(i, -149), ldexp(i + 1, -149), true);
        hold_halfway(ldexp((double)(1ull << 52) - i, -1074),
                     ldexp((double)(1ull << 52) - i + 1, -1074), false);
    }
}

static void random_digits(dice *d, char **at, uint32_t num)
{
    const uint32_t kind = dice_below(d, 4);
    for (uint32_t i = 0; i < num; i++) {
        *(*at)++ = kind == 0 ? '9' : kind == 1 && i > 0 ? '0' : (char)('0' + dice_below(d, 10));
    }
}

Test(number, two_million_random_texts, .timeout = 120)
{
    dice d = {2};
    for (int i = 0; i < 2000000; i++) {
        char text[1024];
        char *at = text;
        const uint32_t most = dice_below(&d, 1000) == 0 ? 400 : dice_below(&d, 2) == 0 ? 30 : 9;
        if (dice_below(&d, 3) == 0) {
            *at++ = dice_below(&d, 2) == 0 ? '-' : '+';
        }
        random_digits(&d, &at, 1 + dice_below(&d, most));
        if (dice_below(&d, 2) == 0) {
            *at++ = '.';
            random_digits(&d, &at, dice_below(&d, most));
        }
        *at = '\0';
        if (dice_below(&d, 2) == 0) {
            const int power = (int)dice_below(&d, 720) - 360;
            (void)snprintf(at, 16, "e%d", dice_below(&d, 2) == 0 ? power / 10 : power);
        }
        hold_number(text);
    }
}

Test(number, every_printed_double_and_float_comes_back, .timeout = 60)
{
    dice d = {3};
    for (int i = 0; i < 300000; i++) {
        const uint64_t bits = (uint64_t)dice_next(&d) << 32 | dice_next(&d);
        const uint32_t word = dice_next(&d);
        double value;
        float single;
        char text[64];
        memcpy(&value, &bits, sizeof value);
        memcpy(&single, &word, sizeof single);
        if (isfinite(value)) {
            (void)snprintf(text, sizeof text, "%.17g", value);
            HOLD(bits_of(fh_number_real(text, strlen(text)).value) == bits, "%s", text);
        }
        if (isfinite(single)) {
            (void)snprintf(text, sizeof text, "%.9g", (double)single);
            HOLD(word_of(fh_number_real(text, strlen(text)).single) == word, "%s", text);
        }
    }
}

Test(number, faults_have_names)
{
    static const struct {
        const char *text;
        fh_number_fault real, integer;
    } cases[] = {{"", FH_NUMBER_EMPTY, FH_NUMBER_EMPTY},
                 {"1.#IND", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"-1.#INF00e+000", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"1.#QNAN0e+000", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"1.#J", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"nan", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"-nan(ind)", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"Infinity", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"+INF", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
                 {"0x10", FH_NUMBER_HEX, FH_NUMBER_HEX},
                 {"-0X1p3", FH_NUMBER_HEX, FH_NUMBER_HEX},
                 {"1,5", FH_NUMBER_COMMA, FH_NUMBER_COMMA},
                 {",5", FH_NUMBER_COMMA, FH_NUMBER_COMMA},
                 {"1'000", FH_NUMBER_GROUPS, FH_NUMBER_GROUPS},
                 {"1_000.5", FH_NUMBER_GROUPS, FH_NUMBER_GROUPS},
                 {"\"1\"", FH_NUMBER_QUOTES, FH_NUMBER_QUOTES},
                 {"--1", FH_NUMBER_SIGNS, FH_NUMBER_SIGNS},
                 {"+-1", FH_NUMBER_SIGNS, FH_NUMBER_SIGNS},
                 {"1e", FH_NUMBER_NO_EXPONENT, FH_NUMBER_NO_EXPONENT},
                 {"1.5e+", FH_NUMBER_NO_EXPONENT, FH_NUMBER_NO_EXPONENT},
                 {"1.5", FH_NUMBER_GOOD, FH_NUMBER_FRACTION},
                 {"0.0", FH_NUMBER_GOOD, FH_NUMBER_FRACTION},
                 {"1e3", FH_NUMBER_GOOD, FH_NUMBER_FRACTION},
                 {"1.", FH_NUMBER_GOOD, FH_NUMBER_FRACTION},
                 {"1.0f", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1.2.3", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1e5x", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1-", FH_NUMBER_REST, FH_NUMBER_REST},
                 {".", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"e5", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-.e5", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"true", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-5", FH_NUMBER_GOOD, FH_NUMBER_GOOD}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t len = strlen(cases[i].text);
        const fh_real real = fh_number_real(cases[i].text, len);
        const fh_integer integer = fh_number_int(cases[i].text, len);
        HOLD(real.fault == cases[i].real, "%s: %s", cases[i].text,
             fh_number_fault_name(real.fault));
        HOLD(integer.fault == cases[i].integer, "%s: %s", cases[i].text,
             fh_number_fault_name(integer.fault));
        HOLD(real.fault == FH_NUMBER_GOOD || bits_of(real.value) == 0, "%s: value", cases[i].text);
    }
}

Test(number, forms_are_told)
{
    const fh_real a = fh_number_real("-01.250E+003", 12);
    cr_assert(eq(chr, a.sign, '-'));
    cr_assert(a.has_point && a.num_int == 2 && a.num_fraction == 3 && a.num_exponent == 3);
    cr_assert(a.exponent == 'E' && a.exponent_sign == '+' && !a.is_zero && !a.is_huge);
    cr_assert(eq(dbl, a.value, -1250.0));
    const fh_real b = fh_number_real("0.000e5", 7);
    cr_assert(b.is_zero && b.exponent == 'e' && b.exponent_sign == '\0' && b.sign == '\0');
    const fh_real c = fh_number_real("1e-4000", 7);
    cr_assert(not(c.is_zero));
    cr_assert(eq(dbl, c.value, 0.0));
    const fh_real e = fh_number_real("1e40", 4);
    cr_assert(isinf(e.single) && !e.is_huge);
}

Test(number, integers_and_their_range)
{
    static const struct {
        const char *text;
        int32_t value;
        bool is_outside, has_leading_zero;
        uint32_t num_digits;
        char sign;
    } cases[] = {{"0", 0, false, false, 1, 0},
                 {"-0", 0, false, false, 1, '-'},
                 {"+007", 7, false, true, 3, '+'},
                 {"2147483647", INT32_MAX, false, false, 10, 0},
                 {"2147483648", INT32_MAX, true, false, 10, 0},
                 {"-2147483648", INT32_MIN, false, false, 10, '-'},
                 {"-2147483649", INT32_MIN, true, false, 10, '-'},
                 {"99999999999999999999999999999", INT32_MAX, true, false, 29, 0},
                 {"000000000000000000000000000012", 12, false, true, 30, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_integer got = fh_number_int(cases[i].text, strlen(cases[i].text));
        HOLD(got.fault == FH_NUMBER_GOOD && got.value == cases[i].value &&
                 got.is_outside == cases[i].is_outside && got.sign == cases[i].sign &&
                 got.has_leading_zero == cases[i].has_leading_zero &&
                 got.num_digits == cases[i].num_digits,
             "%s: %d", cases[i].text, got.value);
    }
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
