/* Numbers in text: read exactly as the C library reads them, and written exactly as its printf
 * writes them. And the square root: exactly that of the machine. */
#include "bench.h"

#include "core/big.h"
#include "core/double.h"
#include "core/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

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
    HOLD(fh_bits_of(got.value) == fh_bits_of(strtod(text, NULL)), "%s: %.17g", text, got.value);
    HOLD(word_of(got.single) == word_of(strtof(text, NULL)), "%s: %.9g", text, (double)got.single);
    HOLD(got.is_huge == (isinf(got.value) != 0), "%s: huge", text);
}

static void hold_numbers(const char *const *texts, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        hold_number(texts[i]);
    }
}

/* The last of the 64 bits that are held says alone that it is more than half way. */
Test(number, more_than_half_way_by_the_last_bit)
{
    hold_number("9223372036854776832");
    hold_number("9223372036854776833");
    hold_number("9223372586610589696");
    hold_number("9223372586610589697");
}

/* Exactly half way, with the even number below and above; a little more than that, by less than the
 * 64 bits that are held tell: by the digits, or by what a long division leaves over. */
Test(number, half_way_and_a_little_more)
{
    static const char *const texts[] = {
        "9007199254740993",   "9007199254740995",   "16777217",          "16777219",
        "9007199254740993.5", "9007199254740992.5", "6950129430109e-18", "7316008383796e-18",
        "3867190071858e-18",  "4233069025545e-18"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hold_number(texts[i]);
    }
}

/* What follows is read as the C library reads it. */
Test(number, ordinary_texts)
{
    static const char *const texts[] = {"0",        "-0",       "+0.0",      "1",  "100.000000",
                                        "0.000026", "1e-005",   "5.",        ".5", "0.1",
                                        "0.3",      "6.138396", "178.997116"};
    hold_numbers(texts, sizeof texts / sizeof texts[0]);
}

Test(number, the_ends_of_doubles)
{
    static const char *const texts[] = {"0e999999999",
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
                                        "2.225073858507201e-308"};
    hold_numbers(texts, sizeof texts / sizeof texts[0]);
}

Test(number, the_ends_and_steps_of_singles)
{
    static const char *const texts[] = {"3.4028234663852886e38",
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
                                        "16777217",
                                        "16777217.000000000000000000000000001",
                                        "16777216.9999999999999999999"};
    hold_numbers(texts, sizeof texts / sizeof texts[0]);
}

Test(number, the_steps_of_doubles)
{
    static const char *const texts[] = {"9007199254740993",
                                        "9007199254740992.9999999999",
                                        "9007199254740993.0000000000000000000000000000000000001",
                                        "123456789012345678901234567890",
                                        "1e23",
                                        "8.5e22",
                                        "7.2057594037927933e16",
                                        "99999999999999974834176",
                                        "1e17",
                                        "123456789012345678e-18"};
    hold_numbers(texts, sizeof texts / sizeof texts[0]);
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
static void hold_halfway(double low, double high)
{
    char text[2048];
    long double half = ((long double)low + (long double)high) / 2;
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
        hold_halfway(low, nextafter(low, INFINITY));
        const float single = (float)ldexp((double)dice_next(&d), (int)dice_below(&d, 240) - 185);
        if (isfinite(single)) {
            hold_halfway((double)single, (double)nextafterf(single, INFINITY));
        }
    }
    for (int i = 0; i < 60; i++) {
        hold_halfway(ldexp(i, -1074), ldexp(i + 1, -1074));
        hold_halfway(ldexp(i, -149), ldexp(i + 1, -149));
        hold_halfway(ldexp((double)(1ull << 52) - i, -1074),
                     ldexp((double)(1ull << 52) - i + 1, -1074));
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
            HOLD(fh_bits_of(fh_number_real(text, strlen(text)).value) == bits, "%s", text);
        }
        if (isfinite(single)) {
            (void)snprintf(text, sizeof text, "%.9g", (double)single);
            HOLD(word_of(fh_number_real(text, strlen(text)).single) == word, "%s", text);
        }
    }
}

static void hold_faults(const char *text, fh_number_fault as_real, fh_number_fault as_integer)
{
    const size_t len = strlen(text);
    const fh_real real = fh_number_real(text, len);
    const fh_integer integer = fh_number_int(text, len);
    HOLD(real.fault == as_real, "%s: %s", text, fh_number_fault_name(real.fault));
    HOLD(integer.fault == as_integer, "%s: %s", text, fh_number_fault_name(integer.fault));
    HOLD(real.fault == FH_NUMBER_GOOD || fh_bits_of(real.value) == 0, "%s: value", text);
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
                 {"1.#", FH_NUMBER_NOT_FINITE, FH_NUMBER_NOT_FINITE},
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
                 {"+-", FH_NUMBER_SIGNS, FH_NUMBER_SIGNS},
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
                 {"1ex", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1e+x", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1E5,0", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1,", FH_NUMBER_COMMA, FH_NUMBER_COMMA},
                 {",", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {",x", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"x,5", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"1x#", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"1.x", FH_NUMBER_REST, FH_NUMBER_REST},
                 {"x.#IND", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"in", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {".", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"e5", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-.e5", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"true", FH_NUMBER_WORD, FH_NUMBER_WORD},
                 {"-5", FH_NUMBER_GOOD, FH_NUMBER_GOOD}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hold_faults(cases[i].text, cases[i].real, cases[i].integer);
    }
}

/* What lies behind the text is not looked at. */
Test(number, faults_are_those_of_the_text_alone)
{
    static const char *const texts[][2] = {{"+,5", "+,"}, {"-0x1", "-0"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const size_t len = strlen(texts[i][1]);
        const fh_real cut = fh_number_real(texts[i][0], len);
        HOLD(cut.fault == fh_number_real(texts[i][1], len).fault, "%s", texts[i][1]);
        HOLD(cut.fault != fh_number_real(texts[i][0], strlen(texts[i][0])).fault, "%s",
             texts[i][0]);
    }
}

static bool same_real(const fh_real *a, const fh_real *b)
{
    return a->fault == b->fault && fh_bits_of(a->value) == fh_bits_of(b->value) &&
           word_of(a->single) == word_of(b->single) && a->is_huge == b->is_huge &&
           a->is_zero == b->is_zero && a->sign == b->sign && a->has_point == b->has_point &&
           a->num_int == b->num_int && a->num_fraction == b->num_fraction &&
           a->exponent == b->exponent && a->exponent_sign == b->exponent_sign &&
           a->num_exponent == b->num_exponent;
}

static bool same_integer(const fh_integer *a, const fh_integer *b)
{
    return a->fault == b->fault && a->is_outside == b->is_outside && a->value == b->value &&
           a->sign == b->sign && a->num_digits == b->num_digits &&
           a->has_leading_zero == b->has_leading_zero;
}

/* Every beginning of a text is what it is alone, whatever stands behind it. */
Test(number, ends_with_its_text)
{
    static const char *const texts[] = {"-12.5e+34", "00.00E-05", "1.#INF", "+-1", "--1",
                                        "+inf",      "nan(ind)",  "0x1f",   ".5",  "..5",
                                        ",5",        "1,5",       "1_0",    "1e5", "\"1\""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            const char *alone = (const char *)at_the_brink(texts[i], len);
            const fh_real real = fh_number_real(texts[i], len);
            const fh_real real_alone = fh_number_real(alone, len);
            const fh_integer integer = fh_number_int(texts[i], len);
            const fh_integer integer_alone = fh_number_int(alone, len);
            HOLD(same_real(&real, &real_alone) && same_integer(&integer, &integer_alone),
                 "%.*s of %s", (int)len, texts[i], texts[i]);
        }
    }
}

/* Behind the 800th digit it matters whether one is not 0: half way between two doubles, the even
 * one is taken, and the other one a little beyond. */
Test(number, digits_that_are_only_asked_for)
{
    static const char *const ends[] = {"", "0", "1", "01", "10", "11", "0000000001", "1000000000"};
    char text[1024];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        (void)snprintf(text, sizeof text, "9007199254740993.%0784d%s", 0, ends[i]);
        hold_number(text);
        const double value = fh_number_real(text, strlen(text)).value;
        HOLD(value == (strchr(ends[i], '1') == NULL ? 9007199254740992.0 : 9007199254740994.0),
             "%s behind: %.17g", ends[i], value);
    }
}

static fh_big big_of(uint32_t high, uint32_t middle, uint32_t low)
{
    fh_big out;
    fh_big_set(&out, (uint64_t)high << 32 | middle);
    fh_big_shift_left(&out, 32);
    if (low > 0) {
        fh_big_multiply(&out, 1, low);
    }
    return out;
}

Test(big, halves_go_to_the_even_number)
{
    static const struct {
        uint32_t high, middle, low, bits;
        uint64_t wanted;
    } cases[] = {{0, 0, 5, 0, 5},
                 {0, 0, 4, 1, 2},
                 {0, 0, 5, 1, 2},
                 {0, 0, 7, 1, 4},
                 {0, 0, 5, 2, 1},
                 {0, 0, 6, 2, 2},
                 {0, 0, 1, 1, 0},
                 {0, 0, 3, 1, 2},
                 {0, 0, 1, 2, 0},
                 {0, 0, 1, 200, 0},
                 {3, 0, 0, 66, 1},
                 {1, 0x80000000, 0, 64, 2},
                 {0, 0x80000000, 0, 64, 0},
                 {0, 0x80000000, 1, 64, 1},
                 {0, 0x80000001, 0, 64, 1},
                 {2, 0x80000000, 0, 64, 2},
                 {2, 0x80000000, 1, 64, 3},
                 {0xffffffff, 0xffffffff, 0xffffffff, 32, 0},
                 {1, 2, 3, 32, (uint64_t)1 << 32 | 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fh_big number = big_of(cases[i].high, cases[i].middle, cases[i].low);
        fh_big_shift_right_rounded(&number, cases[i].bits);
        HOLD(fh_big_low(&number) == cases[i].wanted, "case %zu: %llu", i,
             (unsigned long long)fh_big_low(&number));
    }
}

Test(big, nothing_is_a_number_too)
{
    fh_big nothing;
    fh_big seven;
    fh_big_set(&nothing, 0);
    fh_big_set(&seven, 7);
    cr_assert(eq(u64, fh_big_low(&nothing), 0));
    cr_assert(fh_big_is_less(&nothing, &seven) && !fh_big_is_less(&seven, &nothing));
    cr_assert(not(fh_big_is_less(&nothing, &nothing)));
    cr_assert(eq(u64, fh_big_quotient_rounded(&nothing, &seven), 0));
    fh_big_set(&nothing, 0);
    cr_assert(eq(u32, fh_big_divide_small(&nothing, 7), 0));
    fh_big_shift_left(&nothing, 100);
    cr_assert(eq(sz, nothing.num, 0));
}

Test(big, bits_are_counted_up_to_the_highest)
{
    for (uint32_t bit = 0; bit < 32 * FH_BIG_LIMBS; bit++) {
        fh_big number;
        fh_big_set(&number, 1);
        fh_big_shift_left(&number, bit);
        HOLD(fh_big_bits(&number) == bit + 1, "%u bits, not %u", fh_big_bits(&number), bit + 1);
    }
}

/* All of the room is there to be used, and may be given up at once. */
Test(big, numbers_that_fill_their_room)
{
    enum { TOP = 32 * FH_BIG_LIMBS - 1 };
    fh_big number;
    fh_big one;
    for (uint32_t bits = 1; bits <= TOP + 100; bits++) {
        fh_big_set(&number, 1);
        fh_big_shift_left(&number, TOP);
        fh_big_shift_right_rounded(&number, bits);
        HOLD(bits <= TOP ? fh_big_bits(&number) == TOP - bits + 1 : number.num == 0, "%u bits",
             bits);
    }
    for (uint32_t limbs = 1; limbs < FH_BIG_LIMBS; limbs++) {
        fh_big_set(&number, 1);
        fh_big_shift_left(&number, 32 * limbs);
        fh_big_shift_right_rounded(&number, 32 * (limbs + 1));
        HOLD(number.num == 0, "%u limbs", limbs);
    }
    fh_big_set(&one, 1);
    fh_big_set(&number, 1);
    fh_big_shift_left(&number, TOP);
    cr_assert(eq(u64, fh_big_quotient_rounded(&one, &number), 0));
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
    cr_assert(eq(chr, fh_number_int("-", 1).sign, '-'));
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
                 {"-21474836480", INT32_MIN, true, false, 11, '-'},
                 {"21474836480", INT32_MAX, true, false, 11, 0},
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

/* ---- writing ---- */

enum { ROOM = 512 };

typedef fh_text *(*put_function)(fh_text *, double, unsigned);

static void hold_as_printf(put_function put, const char *form, double value, unsigned decimals)
{
    char got[ROOM];
    char want[ROOM];
    fh_text text = fh_text_make(got, sizeof got);
    HOLD(put(&text, value, decimals) == &text, "calls can be strung together");
    (void)snprintf(want, sizeof want, form, (int)decimals, value);
    HOLD(strcmp(got, want) == 0, "%a with %u decimals: %s, not %s", value, decimals, got, want);
}

static void hold_both(double value, unsigned decimals)
{
    hold_as_printf(fh_number_put_exp, "%.*e", value, decimals);
    hold_as_printf(fh_number_put_fixed, "%.*f", value, decimals);
}

/* Any finite double: every exponent is as likely as any other. */
static double any_double(dice *d)
{
    double value = INFINITY;
    while (!isfinite(value)) {
        const uint64_t bits = (uint64_t)dice_next(d) << 32 | dice_next(d);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

static float any_single(dice *d)
{
    float value = INFINITY;
    while (!isfinite(value)) {
        const uint32_t bits = dice_next(d);
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

Test(number, any_double_is_written_as_printf_does, .timeout = 120)
{
    dice d = {1};
    for (int i = 0; i < 1000000; i++) {
        hold_as_printf(fh_number_put_exp, "%.*e", any_double(&d), 6);
    }
    for (int i = 0; i < 100000; i++) {
        hold_both(any_double(&d), dice_below(&d, FH_NUMBER_MOST_EXP_DECIMALS + 1));
        hold_as_printf(fh_number_put_fixed, "%.*f", any_double(&d),
                       dice_below(&d, FH_NUMBER_MOST_DECIMALS + 1));
    }
}

Test(number, numbers_as_files_hold_them_are_written_as_printf_does, .timeout = 120)
{
    dice d = {2};
    for (int i = 0; i < 1000000; i++) {
        const double value = ((double)dice_next(&d) - 2147483648.0) / (1 + dice_next(&d) % 100000);
        hold_as_printf(fh_number_put_fixed, "%.*f", value, 6);
        hold_as_printf(fh_number_put_fixed, "%.*f", (float)value, 6);
    }
}

/* Half way between two numbers of so many digits: the even one is taken. */
Test(number, ties_go_to_the_even_digit)
{
    dice d = {3};
    for (int i = 0; i < 200000; i++) {
        const unsigned places = dice_below(&d, 16);
        const double value = ldexp((double)(2 * (uint64_t)dice_next(&d) + 1), -(int)places - 1);
        hold_both(value, places < 15 ? places : 14);
        hold_as_printf(fh_number_put_exp, "%.*e", 5 + 10 * (double)dice_below(&d, 1000000),
                       dice_below(&d, 7));
    }
    hold_both(0.5, 0);
    hold_both(1.5, 0);
    hold_both(2.5, 0);
    hold_both(0.0000005, 6);
    hold_both(1.0000005, 6);
}

Test(number, the_edges_are_written_as_printf_does)
{
    static const double edges[] = {0.0,
                                   1.0,
                                   9.9999995,
                                   9.9999994999999,
                                   9.99999949999999985,
                                   99.9999995,
                                   0.99999995,
                                   999999.5,
                                   9999999.5,
                                   99999995.0,
                                   0.1,
                                   1e-5,
                                   1e15,
                                   1e16,
                                   1e22,
                                   1e23,
                                   1e100,
                                   9.9999999e99,
                                   1e200,
                                   1e307,
                                   1e308,
                                   DBL_MAX,
                                   DBL_MIN,
                                   DBL_TRUE_MIN,
                                   2 * DBL_TRUE_MIN,
                                   FLT_MAX,
                                   FLT_MIN,
                                   FLT_TRUE_MIN,
                                   2.2250738585072009e-308,
                                   4503599627370496.5,
                                   9007199254740993.0};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        for (unsigned decimals = 0; decimals <= FH_NUMBER_MOST_EXP_DECIMALS; decimals++) {
            hold_both(edges[i], decimals);
            hold_both(-edges[i], decimals);
            hold_both(nextafter(edges[i], INFINITY) < INFINITY ? nextafter(edges[i], INFINITY) : 1,
                      decimals);
            hold_both(nextafter(edges[i], 0), decimals);
        }
        hold_as_printf(fh_number_put_fixed, "%.*f", edges[i], FH_NUMBER_MOST_DECIMALS);
    }
    for (int power = -324; power <= 308; power++) {
        char text[16];
        (void)snprintf(text, sizeof text, "1e%d", power);
        const double value = fh_number_real(text, strlen(text)).value;
        hold_both(value, 6);
        hold_both(nextafter(value, 0), 6);
    }
}

/* As few decimals as will do: with one less another number is read, unless there are least. */
static void hold_decimals(float value)
{
    char text[ROOM];
    const unsigned num = fh_number_decimals(value, 6);
    (void)snprintf(text, sizeof text, "%.*f", (int)num, (double)value);
    const float back = fh_number_real(text, strlen(text)).single;
    HOLD(num >= 6 && num <= 53, "%a: %u decimals", (double)value, num);
    HOLD(memcmp(&back, &value, sizeof back) == 0, "%a is read back from %s", (double)value, text);
    if (num > 6) {
        (void)snprintf(text, sizeof text, "%.*f", (int)num - 1, (double)value);
        const float less = fh_number_real(text, strlen(text)).single;
        HOLD(memcmp(&less, &value, sizeof less) != 0, "%a: %s would do", (double)value, text);
    }
}

Test(number, singles_get_the_decimals_that_they_need, .timeout = 120)
{
    static const float edges[] = {0.0f,    -0.0f,         1.0f,   100.0f,      0.1f,
                                  1e-7f,   9.9999999e-8f, 1e-45f, FLT_MIN,     FLT_MAX,
                                  7e-45f,  0.0000005f,    5e-7f,  16777216.0f, -3.4e38f,
                                  1.5e-6f, 1e-6f,         9e-7f,  0.333333343f};
    dice d = {4};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        hold_decimals(edges[i]);
        hold_decimals(-edges[i]);
    }
    for (int i = 0; i < 50000; i++) {
        hold_decimals(any_single(&d));
        hold_decimals((float)(((double)dice_next(&d) - 2147483648.0) / 1e7));
    }
    cr_assert(eq(uint, fh_number_decimals(100.0f, 6), 6));
    cr_assert(eq(uint, fh_number_decimals(6.138396f, 6), 6));
    cr_assert(eq(uint, fh_number_decimals(0.1234567f, 6), 7));
}

/* ---- square roots ---- */

static void hold_root(double value)
{
    const double got = fh_sqrt(value);
    const double want = sqrt(value);
    HOLD(memcmp(&got, &want, sizeof got) == 0, "root of %a: %a, not %a", value, got, want);
}

Test(root, of_special_numbers)
{
    static const double special[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     0.25,
                                     0.5,
                                     1.5,
                                     1e-24,
                                     1e77,
                                     1e-300,
                                     1e300,
                                     DBL_TRUE_MIN,
                                     2 * DBL_TRUE_MIN,
                                     3 * DBL_TRUE_MIN,
                                     DBL_MIN,
                                     1e-320,
                                     DBL_MAX,
                                     INFINITY,
                                     9007199254740991.0,
                                     9007199254740993.0};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        hold_root(special[i]);
        hold_root(nextafter(special[i], 0));
        hold_root(nextafter(special[i], INFINITY));
    }
    cr_assert(fh_sqrt(-1) == 0 && fh_sqrt(-0.0) == 0 && fh_sqrt(NAN) == 0 &&
              fh_sqrt(-INFINITY) == 0);
    cr_assert(eq(u64, fh_bits_of(fh_sqrt(-0.0)), 0), "without a sign");
}

Test(root, of_any_number, .timeout = 120)
{
    dice d = {7};
    for (int i = 0; i < 1000000; i++) {
        hold_root(fabs(any_double(&d)));
        hold_root(ldexp((double)dice_next(&d) * 4294967296.0 + dice_next(&d),
                        (int)dice_below(&d, 400) - 250));
        const double root = (double)(dice_next(&d) >> 5);
        HOLD(fh_sqrt(root * root) == root, "square of %g", root);
        hold_root(nextafter(root * root, dice_below(&d, 2) == 0 ? 0 : INFINITY));
    }
    for (int i = 0; i < 100000; i++) { /* below the smallest normal number */
        hold_root(ldexp((double)dice_next(&d), -1074 + (int)dice_below(&d, 21)));
    }
}
