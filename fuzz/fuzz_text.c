/* The scanner of texts and the readers and writers of numbers, on any text. The first byte chooses
 * the style of the tokens, eight bytes are a number that is written, the rest is the text. What
 * must be true:
 *   - tokens and the blanks between them tile the text, each inside its bounds, at the line and
 * column that counting says;
 *   - cutting the text changes no token but those that say that they could be longer;
 *   - the same characters as UTF-16, in either byte order, with a mark and without, give the same
 * tokens and the same numbers;
 *   - a text is the number that the C library says, to the last bit, or has a fault;
 *   - a number is written as the C library does it, and what is written is the same number again.
 */
#include "fuzz_support.h"

#include "camerawork/cam_model.h"
#include "core/number.h"
#include "core/scan.h"
#include "tra/tra_text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Three copies of the text, two of them twice as long. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)1 << 20,
                                   .memory_per_byte = 8,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 200};

enum { MOST_TEXT = 1 << 16, NUM_STYLES = 4, FIRST_HIGH = 0x80, LF = '\n', CR = '\r' };

static const fh_scan_style short_style = {.marks = "()=,",
                                          .comment = '#',
                                          .quote = '\'',
                                          .has_line_ends = true,
                                          .most_units = 7,
                                          .most_remark = 5};
static const fh_scan_style bare_style = {.marks = "", .has_form_feed = true, .most_units = 1};

typedef struct text {
    const uint8_t *bytes;
    size_t size;
    const fh_scan_style *style;
} text;

/* ---- tiles ---- */

/* Where counting says that a place is. */
typedef struct count {
    size_t at;
    uint32_t line, column;
    uint32_t num_lf, num_crlf, num_cr;
} count;

static void count_to(count *c, const text *of, size_t end)
{
    for (; c->at < end; c->at++) {
        const uint8_t byte = of->bytes[c->at];
        const bool is_cr = byte == CR;
        const bool is_pair = is_cr && c->at + 1 < of->size && of->bytes[c->at + 1] == LF;
        const bool is_second = byte == LF && c->at > 0 && of->bytes[c->at - 1] == CR;
        c->num_cr += is_cr && !is_pair;
        c->num_crlf += is_second;
        c->num_lf += byte == LF && !is_second;
        c->column++;
        if ((is_cr && !is_pair) || byte == LF) {
            c->line++;
            c->column = 1;
        }
    }
}

static bool is_blank(const text *of, size_t at)
{
    assert(at < of->size);
    const uint8_t byte = of->bytes[at];
    return byte == ' ' || byte == '\t' || (byte == '\f' && of->style->has_form_feed) ||
           ((byte == CR || byte == LF) && !of->style->has_line_ends);
}

static uint32_t bound_of(const text *of, const fh_token *token)
{
    const bool is_quoted = token->off != token->at.off;
    const bool is_comment = of->style->comment != '\0' && !is_quoted && token->off < of->size &&
                            of->bytes[token->off] == (uint8_t)of->style->comment;
    if (!is_comment) {
        return of->style->most_units;
    }
    return of->style->most_remark == 0 ? UINT32_MAX : of->style->most_remark;
}

static void check_extent(const text *of, const fh_token *token, size_t end)
{
    const bool is_quoted = token->off != token->at.off;
    const bool is_closed = token->kind == FH_TOKEN_STRING;
    const size_t text_end = (size_t)token->off + token->num_units;
    fuzz_demand(token->off == token->at.off + (is_quoted ? 1 : 0) &&
                    text_end + (is_closed ? 1 : 0) == end,
                "a token is its text, and its quotes");
    fuzz_demand(token->kind == FH_TOKEN_LINE_END || token->num_units <= bound_of(of, token),
                "a token has a bound");
    fuzz_demand(token->kind != FH_TOKEN_LONG || token->num_units == bound_of(of, token),
                "one that is longer is cut at its bound");
    fuzz_demand(!token->at_end || end == of->size, "a token that may go on ends with the text");
}

static void check_gap(const text *of, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        fuzz_demand(is_blank(of, i), "nothing but blanks lies between tokens");
    }
}

static void check_tiles(const text *of)
{
    fh_scan scan =
        fh_scan_make(fh_cursor_make(of->bytes, of->size, 0), FH_ENCODING_BYTES, of->style);
    count counted = {.line = 1, .column = 1};
    fh_token token;
    size_t end = 0;
    do {
        token = fh_scan_next(&scan);
        check_gap(of, end, token.at.off);
        count_to(&counted, of, token.at.off);
        fuzz_demand(token.at.line == counted.line && token.at.column == counted.column,
                    "a token stands in the line and column that counting says");
        end = scan.cur.pos;
        fuzz_demand(end > token.at.off || token.kind == FH_TOKEN_END, "a token has a length");
        check_extent(of, &token, end);
    } while (token.kind != FH_TOKEN_END);
    fuzz_demand(end == of->size, "tokens and blanks tile the text");
    fuzz_demand(scan.num_lf == counted.num_lf && scan.num_cr == counted.num_cr &&
                    scan.num_crlf == counted.num_crlf,
                "each line end is counted, as what it is");
    fuzz_demand(fh_scan_next(&scan).kind == FH_TOKEN_END, "behind the end is the end");
}

/* ---- cuts ---- */

static bool same_token(const fh_token *a, const fh_token *b)
{
    return a->kind == b->kind && a->at.line == b->at.line && a->at.column == b->at.column &&
           a->num_units == b->num_units && a->mark == b->mark && a->has_high == b->has_high;
}

static void check_cut(const text *of, size_t len)
{
    fh_scan whole =
        fh_scan_make(fh_cursor_make(of->bytes, of->size, 0), FH_ENCODING_BYTES, of->style);
    fh_scan cut = fh_scan_make(fh_cursor_make(of->bytes, len, 0), FH_ENCODING_BYTES, of->style);
    for (;;) {
        const fh_token token = fh_scan_next(&cut);
        if (token.at_end) {
            return;
        }
        const fh_token other = fh_scan_next(&whole);
        fuzz_demand(same_token(&token, &other) && token.off == other.off,
                    "a cut changes no token in front of it");
    }
}

/* ---- numbers ---- */

enum { MOST_NUMBER = 700 };

/* To the bit: 0 and -0 differ, and what is no number is the same as itself. */
static bool same_bits(double a, double b)
{
    uint64_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
}

static bool same_single(float a, float b)
{
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
}

/* The C library reads what is a number; it is asked for nothing else. */
static void check_real(const char *word, size_t len)
{
    const fh_real real = fh_number_real(word, len);
    fuzz_demand(fh_number_fault_name(real.fault)[0] != '\0', "a fault has a name");
    if (real.fault != FH_NUMBER_GOOD) {
        fuzz_demand(same_bits(real.value, 0), "what is no number has no value");
        return;
    }
    char *end = NULL;
    const double value = strtod(word, &end);
    fuzz_demand(end == word + len && same_bits(real.value, value), "a text is the nearest double");
    fuzz_demand(same_single(real.single, strtof(word, NULL)), "and the nearest single");
    fuzz_demand(real.is_huge == (isinf(value) != 0), "beyond the largest is said to be");
    fuzz_demand(!real.is_zero || value == 0, "a true zero is zero");
}

static void check_int(const char *word, size_t len)
{
    const fh_integer number = fh_number_int(word, len);
    if (number.fault != FH_NUMBER_GOOD) {
        fuzz_demand(number.value == 0, "what is no integer has no value");
        return;
    }
    const long long value = strtoll(word, NULL, 10);
    const long long nearer = value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
    fuzz_demand(number.value == nearer && number.is_outside == (value != nearer),
                "a text is the integer that it says");
    fuzz_demand(fh_number_real(word, len).fault == FH_NUMBER_GOOD, "an integer is a number");
}

/* Each way to write a number is that of the C library. */
static void check_form(double value, unsigned decimals, bool has_exponent)
{
    char own[MOST_NUMBER];
    char other[MOST_NUMBER];
    fh_text out = fh_text_make(own, sizeof own);
    if (has_exponent) {
        (void)fh_number_put_exp(&out, value, decimals);
        (void)snprintf(other, sizeof other, "%.*e", (int)decimals, value);
    } else {
        (void)fh_number_put_fixed(&out, value, decimals);
        (void)snprintf(other, sizeof other, "%.*f", (int)decimals, value);
    }
    fuzz_demand(strcmp(own, other) == 0, "a number is written as the C library does it");
    check_real(own, out.len);
}

static void check_single(float single)
{
    char own[MOST_NUMBER];
    fh_text out = fh_text_make(own, sizeof own);
    const unsigned decimals = fh_number_decimals(single, 6);
    fuzz_demand(decimals >= 6 && decimals <= FH_NUMBER_MOST_DECIMALS, "few decimals are enough");
    (void)fh_number_put_fixed(&out, (double)single, decimals);
    const fh_real read = fh_number_real(own, out.len);
    fuzz_demand(read.fault == FH_NUMBER_GOOD && same_single(read.single, single),
                "a single is read back from the decimals that it needs");
}

static void check_written(double value, unsigned choice)
{
    if (!isfinite(value)) {
        return;
    }
    check_form(value, choice % (FH_NUMBER_MOST_DECIMALS + 1), false);
    check_form(value, choice % (FH_NUMBER_MOST_EXP_DECIMALS + 1), true);
    const float single = (float)(fabs(value) > 3e38 ? 1 : value);
    check_single(single);
    if (fabs(value) >= 1) { /* 64 decimals hold the 17 digits that tell any two doubles apart */
        char own[MOST_NUMBER];
        fh_text out = fh_text_make(own, sizeof own);
        (void)fh_number_put_fixed(&out, value, FH_NUMBER_MOST_DECIMALS);
        fuzz_demand(same_bits(fh_number_real(own, out.len).value, value),
                    "a number is read back as it was written");
    }
}

/* ---- UTF-16 ---- */

static bool same_reals(const fh_real *a, const fh_real *b)
{
    return a->fault == b->fault && same_bits(a->value, b->value) &&
           same_single(a->single, b->single) && a->is_huge == b->is_huge && a->sign == b->sign;
}

static void check_word(const fh_scan *scan, const fh_token *token)
{
    char word[FH_SCAN_MOST_UNITS + 1];
    const size_t len = fh_scan_read(scan, token, word, sizeof word);
    const fh_real real = fh_scan_real(scan, token);
    const fh_real same = fh_number_real(word, len);
    fuzz_demand(same_reals(&real, &same), "a token is the number of its text");
    check_real(word, len);
    check_int(word, len);
    fuzz_demand(token->has_high || fh_scan_is(scan, token, word), "a token is its text");
    for (size_t i = 0; i < len; i++) {
        word[i] = fh_ascii_lower(word[i]);
    }
    fuzz_demand(token->has_high || fh_scan_is_but_case(scan, token, word),
                "and its text in the other case");
}

static void check_shown(const fh_scan *scan, const fh_token *token)
{
    char shown[FH_MESSAGE_LEN];
    fh_text out = fh_text_make(shown, sizeof shown);
    fh_scan_show(&out, scan, token);
    fh_text_put_place(&out, token->at);
    fuzz_demand_line(shown, "a token is shown in one line");
}

/* Bytes as units of two bytes each, behind a mark of so many bytes. */
static uint8_t *widen(const text *of, fh_encoding encoding, size_t bom_len)
{
    uint8_t *wide = malloc(bom_len + 2 * of->size + 1);
    fuzz_demand(wide != NULL, "the system has memory");
    const size_t low = encoding == FH_ENCODING_UTF16LE ? 0 : 1;
    if (bom_len == 2) {
        wide[low] = 0xff;
        wide[1 - low] = 0xfe;
    }
    for (size_t i = 0; i < of->size; i++) {
        wide[bom_len + 2 * i + low] = of->bytes[i];
        wide[bom_len + 2 * i + 1 - low] = 0;
    }
    return wide;
}

static void compare_numbers(const fh_scan *scan, const fh_token *token, const fh_scan *wide,
                            const fh_token *other)
{
    const fh_real real = fh_scan_real(scan, token);
    const fh_real wide_real = fh_scan_real(wide, other);
    fuzz_demand(same_reals(&real, &wide_real), "and the same numbers");
    fuzz_demand(fh_scan_int(scan, token).value == fh_scan_int(wide, other).value,
                "and the same integers");
    check_shown(wide, other);
}

/* reads: numbers are compared, too, which takes longest. */
static void compare_tokens(const text *of, fh_scan *wide, size_t bom_len, bool reads)
{
    fh_scan scan =
        fh_scan_make(fh_cursor_make(of->bytes, of->size, 0), FH_ENCODING_BYTES, of->style);
    const size_t unit_len = fh_scan_unit_len(wide->encoding);
    fh_token token;
    do {
        token = fh_scan_next(&scan);
        const fh_token other = fh_scan_next(wide);
        fuzz_demand(same_token(&token, &other) && token.at_end == other.at_end,
                    "UTF-16 gives the same tokens");
        fuzz_demand(other.off == bom_len + unit_len * token.off, "in their places");
        fuzz_demand(fh_scan_same_text(&scan, &token, wide, &other) &&
                        fh_scan_hash(&scan, &token) == fh_scan_hash(wide, &other),
                    "with the same text");
        if (reads && token.kind == FH_TOKEN_WORD) {
            compare_numbers(&scan, &token, wide, &other);
        }
    } while (token.kind != FH_TOKEN_END);
}

static void check_wide(const text *of, fh_encoding encoding, size_t bom_len, bool reads)
{
    uint8_t *wide = widen(of, encoding, bom_len);
    const fh_cursor bytes = fh_cursor_make(wide, bom_len + 2 * of->size, 0);
    fh_scan scan = fh_scan_make(bytes, encoding, of->style);
    size_t found_len = 0;
    if (bom_len > 0) {
        scan = fh_scan_open(bytes, of->style, &found_len);
        fuzz_demand(found_len == bom_len && scan.encoding == encoding, "a mark tells the encoding");
    }
    compare_tokens(of, &scan, bom_len, reads);
    if (of->size > 0 && of->bytes[0] != 0) {
        fuzz_demand(fh_scan_guess(bytes) == encoding || bom_len > 0,
                    "without one the first character does");
    }
    free(wide);
}

/* ---- places ---- */

static void check_words(const text *of)
{
    fh_scan scan =
        fh_scan_make(fh_cursor_make(of->bytes, of->size, 0), FH_ENCODING_BYTES, of->style);
    fh_token token = fh_scan_next(&scan);
    while (token.kind != FH_TOKEN_END) {
        check_shown(&scan, &token);
        if (token.kind == FH_TOKEN_WORD) {
            check_word(&scan, &token);
        }
        token = fh_scan_next(&scan);
    }
}

static void check_begin(const text *of, size_t at)
{
    const fh_cursor bytes = fh_cursor_make(of->bytes, of->size, 0);
    for (unsigned is_wide = 0; is_wide < 2; is_wide++) {
        const size_t begin = fh_scan_begin(bytes, at, is_wide != 0);
        fuzz_demand(begin <= at && at - begin <= 3, "a text begins with its first character");
    }
    fh_encoding encoding = FH_ENCODING_BYTES;
    fuzz_demand(fh_scan_bom(bytes, &encoding) <= 3, "a mark is short");
    fuzz_demand(fh_scan_unit_at(bytes, encoding, of->size) == FH_NO_UNIT,
                "no unit lies behind the bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const fh_scan_style *const styles[NUM_STYLES] = {&tra_style, &cam_style, &short_style,
                                                            &bare_style};
    double value = 0;
    if (size <= sizeof value || size > MOST_TEXT) {
        return 0;
    }
    fuzz_begin();
    const unsigned choice = data[0];
    memcpy(&value, data + 1, sizeof value);
    const size_t len = size - 1 - sizeof value;
    uint8_t *copy = fuzz_have(malloc(len + (len == 0)));
    memcpy(copy, data + 1 + sizeof value, len);
    const text of = {copy, len, styles[choice % NUM_STYLES]};
    check_tiles(&of);
    check_cut(&of, len / 2);
    check_cut(&of, len - (len > 0));
    check_words(&of);
    check_begin(&of, len / 2);
    const bool is_big = (choice & 0x80) != 0;
    check_wide(&of, FH_ENCODING_UTF16LE, 0, !is_big);
    check_wide(&of, FH_ENCODING_UTF16BE, 0, is_big);
    check_wide(&of, FH_ENCODING_UTF16LE, 2, false);
    check_wide(&of, FH_ENCODING_UTF16BE, 2, false);
    check_written(value, choice / NUM_STYLES);
    free(copy);
    fuzz_end(&bounds, size);
    return 0;
}
