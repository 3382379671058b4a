#include "core/big.h"
#include "core/double.h"
#include "core/never.h"
#include "core/number.h"

#include <assert.h>
#include <string.h>

enum { LEAST_POWER = -1074 };

/* A finite number's magnitude: mantissa * 2^power. */
typedef struct parts {
    uint64_t mantissa;
    int32_t power;
    bool is_negative;
} parts;

static parts parts_of(double value)
{
    const uint64_t bits = fh_bits_of(value);
    const uint64_t one = (uint64_t)1 << FH_MANTISSA_BITS;
    const int32_t exponent = fh_exponent_of(value);
    assert(exponent != FH_MOST_EXPONENT);
    return (parts){.mantissa = (bits & (one - 1)) | (exponent > 0 ? one : 0),
                   .power = LEAST_POWER + (exponent > 0 ? exponent - 1 : 0),
                   .is_negative = bits >> 63 != 0};
}

/* The integer nearest to value * 10^places, ties to even; places are not below 0. */
static void scale_up(fh_big *out, const parts *value, uint32_t places)
{
    const int32_t shift = value->power + (int32_t)places;
    fh_big_set(out, value->mantissa);
    fh_big_multiply_by_5_to(out, places);
    if (shift < 0) {
        fh_big_shift_right_rounded(out, (uint32_t)-shift);
    } else {
        fh_big_shift_left(out, (uint32_t)shift);
    }
}

/* The integer nearest to value / 10^places, ties to even. */
static uint64_t scale_down(const parts *value, uint32_t places)
{
    const int32_t shift = value->power - (int32_t)places;
    fh_big top;
    fh_big below;
    fh_big_set(&top, value->mantissa);
    fh_big_set(&below, 1);
    fh_big_multiply_by_5_to(&below, places);
    fh_big_shift_left(shift < 0 ? &below : &top, (uint32_t)(shift < 0 ? -shift : shift));
    return fh_big_quotient_rounded(&top, &below);
}

/* ---- with a fixed number of decimals ---- */

/* 2^1024 * 10^FH_NUMBER_MOST_DECIMALS has 373 digits; they are made nine at a time. */
enum { CHUNK_DIGITS = 9, MOST_CHUNKS = 42, MOST_DIGITS = CHUNK_DIGITS * MOST_CHUNKS };

/* The digits of a number, at least `least` of them, right-aligned and terminated; returns the first
 * one. */
static const char *digits_of(char out[MOST_DIGITS + 1], fh_big *number, size_t least)
{
    size_t at = MOST_DIGITS;
    out[at] = '\0';
    while (number->num > 0) {
        uint32_t chunk = fh_big_divide_small(number, 1000000000u);
        assert(at >= CHUNK_DIGITS);
        for (unsigned i = 0; i < CHUNK_DIGITS; i++) {
            out[--at] = "0123456789"[chunk % 10];
            chunk /= 10;
        }
    }
    while (MOST_DIGITS - at > least && out[at] == '0') {
        at++;
    }
    while (MOST_DIGITS - at < least) {
        out[--at] = '0';
    }
    return out + at;
}

fh_text *fh_number_put_fixed(fh_text *out, double value, unsigned decimals)
{
    char digits[MOST_DIGITS + 1];
    char whole[MOST_DIGITS + 1];
    fh_big number;
    const parts of = parts_of(value);
    assert(decimals <= FH_NUMBER_MOST_DECIMALS);
    scale_up(&number, &of, decimals);
    const char *text = digits_of(digits, &number, (size_t)decimals + 1);
    const size_t num_whole = strlen(text) - decimals;
    memcpy(whole, text, num_whole);
    whole[num_whole] = '\0';
    fh_text_str(fh_text_str(out, of.is_negative ? "-" : ""), whole);
    if (decimals > 0) {
        fh_text_str(fh_text_str(out, "."), text + num_whole);
    }
    return out;
}

static bool same_single(float a, float b)
{
    uint32_t a_bits;
    uint32_t b_bits;
    memcpy(&a_bits, &a, sizeof a_bits);
    memcpy(&b_bits, &b, sizeof b_bits);
    return a_bits == b_bits;
}

unsigned fh_number_decimals(float value, unsigned least)
{
    /* What is below half of the last decimal would be written as 0. */
    const double size = value < 0 ? -(double)value : (double)value;
    unsigned decimals = least;
    double bound = 1;
    for (unsigned i = 0; i < least; i++) {
        bound /= 10;
    }
    /* Floats lie at least 1.4e-45 apart, so that 45 decimals tell any of them. */
    for (; size > 0 && size < bound / 2; decimals++) {
        assert(decimals < FH_NUMBER_MOST_DECIMALS);
        bound /= 10;
    }
    for (; ALWAYS(decimals < FH_NUMBER_MOST_DECIMALS); decimals++) {
        char buf[MOST_DIGITS];
        fh_text text = fh_text_make(buf, sizeof buf);
        fh_number_put_fixed(&text, (double)value, decimals);
        if (same_single(fh_number_real(text.buf, text.len).single, value)) {
            break;
        }
    }
    return decimals;
}

/* ---- with an exponent ---- */

static uint64_t power_of_10(unsigned power)
{
    uint64_t out = 1;
    for (; power > 0; power--) {
        out *= 10;
    }
    return out;
}

/* The exponent of the first digit, or up to two less: 1233 / 4096 is a little less than log10 of 2.
 */
static int32_t guess_exponent(const parts *value)
{
    fh_big mantissa;
    fh_big_set(&mantissa, value->mantissa);
    const int32_t log2 = value->power + (int32_t)fh_big_bits(&mantissa) - 1;
    return (log2 + 4096) * 1233 / 4096 - 1233 - 1; /* nothing below 0 is divided */
}

/* The first `decimals` + 1 digits as a number, rounded, and the exponent of the first one. */
static uint64_t find_digits(int32_t *exponent, const parts *value, unsigned decimals)
{
    const uint64_t most = power_of_10(decimals + 1);
    uint64_t digits = most;
    *exponent = guess_exponent(value) - 1;
    while (digits >= most) {
        const int32_t places = (int32_t)decimals - ++*exponent;
        if (places < 0) {
            digits = scale_down(value, (uint32_t)-places);
        } else {
            fh_big number;
            scale_up(&number, value, (uint32_t)places);
            assert(number.num <= 2);
            digits = fh_big_low(&number);
        }
    }
    return digits;
}

static void put_exponent(fh_text *out, int32_t exponent)
{
    const uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    fh_text_str(fh_text_str(out, exponent < 0 ? "e-" : "e+"), size < 10 ? "0" : "");
    fh_text_u64(out, size);
}

fh_text *fh_number_put_exp(fh_text *out, double value, unsigned decimals)
{
    const parts of = parts_of(value);
    int32_t exponent = 0;
    uint64_t digits = 0;
    assert(decimals <= FH_NUMBER_MOST_EXP_DECIMALS);
    if (of.mantissa != 0) {
        digits = find_digits(&exponent, &of, decimals);
    }
    uint64_t unit = power_of_10(decimals);
    fh_text_u64(fh_text_str(out, of.is_negative ? "-" : ""), digits / unit);
    fh_text_str(out, decimals > 0 ? "." : "");
    while (unit >= 10) {
        unit /= 10;
        fh_text_u64(out, digits / unit % 10);
    }
    put_exponent(out, exponent);
    return out;
}
