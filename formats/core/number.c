#include "core/number.h"

#include "core/big.h"
#include "core/double.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

static bool is_sign(char c)
{
    return c == '+' || c == '-';
}

/* The sign in front, or 0. */
static char sign_of(const char *text, size_t len)
{
    if (len > 0 && is_sign(text[0])) {
        return text[0];
    }
    return '\0';
}

static uint32_t digit_of(char c)
{
    assert(fh_is_digit(c));
    return (uint32_t)(c - '0');
}

const char *fh_number_fault_name(fh_number_fault fault)
{
    static const char *const names[] = {
        [FH_NUMBER_GOOD] = "a number",
        [FH_NUMBER_EMPTY] = "nothing",
        [FH_NUMBER_NOT_FINITE] = "not finite",
        [FH_NUMBER_HEX] = "a hexadecimal number",
        [FH_NUMBER_COMMA] = "a number with a comma",
        [FH_NUMBER_GROUPS] = "a number with parted digits",
        [FH_NUMBER_QUOTES] = "text in quotes",
        [FH_NUMBER_SIGNS] = "a number with two signs",
        [FH_NUMBER_NO_EXPONENT] = "a number whose exponent has no digits",
        [FH_NUMBER_FRACTION] = "a number with a point or an exponent",
        [FH_NUMBER_REST] = "a number with something behind it",
        [FH_NUMBER_WORD] = "no number",
    };
    assert(fault <= FH_NUMBER_WORD);
    return names[fault];
}

/* ---- what is no number ---- */

static bool begins_with(const char *text, size_t len, const char *word)
{
    size_t i = 0;
    while (word[i] != '\0') {
        if (i == len || fh_ascii_lower(text[i]) != word[i]) {
            return false;
        }
        i++;
    }
    return true;
}

/* By shape and not by list: run-times round the letters behind the '#' as if they were digits. */
static bool is_not_finite(const char *text, size_t len)
{
    return begins_with(text, len, "inf") || begins_with(text, len, "nan") ||
           (len >= 3 && fh_is_digit(text[0]) && text[1] == '.' && text[2] == '#');
}

/* How many characters at the start are a number without an exponent; 0 if there is none. */
static size_t mantissa_len(const char *text, size_t len)
{
    size_t num_digits = 0;
    size_t i = 0;
    for (bool has_point = false; i < len; i++) {
        if (fh_is_digit(text[i])) {
            num_digits++;
        } else if (text[i] == '.' && !has_point) {
            has_point = true;
        } else {
            break;
        }
    }
    return num_digits == 0 ? 0 : i;
}

static fh_number_fault fault_behind_sign(const char *text, size_t len)
{
    const size_t num = mantissa_len(text, len);
    if (num == 0) {
        return FH_NUMBER_WORD;
    }
    const char *rest = text + num;
    const size_t left = len - num;
    assert(left > 0); /* or it were a number */
    const bool has_e = fh_ascii_lower(rest[0]) == 'e';
    if (has_e && (left == 1 || (left == 2 && is_sign(rest[1])))) {
        return FH_NUMBER_NO_EXPONENT;
    }
    if (rest[0] == ',') {
        return FH_NUMBER_COMMA;
    }
    if (rest[0] == '\'' || rest[0] == '_') {
        return FH_NUMBER_GROUPS;
    }
    return FH_NUMBER_REST;
}

/* The name of what is not a number; the text is known not to be one. */
static fh_number_fault name_fault(const char *text, size_t len)
{
    if (len == 0) {
        return FH_NUMBER_EMPTY;
    }
    if (memchr(text, '"', len) != NULL) {
        return FH_NUMBER_QUOTES;
    }
    const size_t sign = is_sign(text[0]) ? 1 : 0;
    const char *at = text + sign;
    const size_t left = len - sign;
    if (sign > 0 && left > 0 && is_sign(at[0])) {
        return FH_NUMBER_SIGNS;
    }
    if (is_not_finite(at, left)) {
        return FH_NUMBER_NOT_FINITE;
    }
    if (begins_with(at, left, "0x")) {
        return FH_NUMBER_HEX;
    }
    return left > 1 && at[0] == ',' && fh_is_digit(at[1]) ? FH_NUMBER_COMMA
                                                          : fault_behind_sign(at, left);
}

/* ---- integers ---- */

/* The cap keeps the sum far from overflow, and behind it the sum is beyond the range of either
 * sign: that of negative numbers goes one further. */
static int64_t sum_digits(const char *text, size_t len)
{
    int64_t sum = 0;
    for (size_t i = 0; i < len; i++) {
        if (sum <= (int64_t)INT32_MAX + 1) {
            sum = sum * 10 + digit_of(text[i]);
        }
    }
    return sum;
}

static bool is_all_digits(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!fh_is_digit(text[i])) {
            return false;
        }
    }
    return len > 0;
}

fh_integer fh_number_int(const char *text, size_t len)
{
    fh_integer out = {.fault = FH_NUMBER_GOOD};
    out.sign = sign_of(text, len);
    const size_t skip = out.sign == '\0' ? 0 : 1;
    if (!is_all_digits(text + skip, len - skip)) {
        const bool is_real = fh_number_real(text, len).fault == FH_NUMBER_GOOD;
        out.fault = is_real ? FH_NUMBER_FRACTION : name_fault(text, len);
        return out;
    }
    out.num_digits = (uint32_t)(len - skip);
    out.has_leading_zero = out.num_digits > 1 && text[skip] == '0';
    int64_t value = sum_digits(text + skip, len - skip);
    value = out.sign == '-' ? -value : value;
    out.is_outside = value < INT32_MIN || value > INT32_MAX;
    if (out.is_outside) {
        value = value < 0 ? INT32_MIN : INT32_MAX;
    }
    out.value = (int32_t)value;
    return out;
}

/* ---- decimal to binary ---- */

/* No number that lies half way between two doubles has more than 767 significant digits; of those
 * behind the 800th it only matters whether one is not 0. */
enum { MOST_DIGITS = 800 };

/* The number 0.d1 d2 d3 ... * 10^point, the first digit not 0. */
typedef struct decimal {
    const char *text; /* behind the sign */
    size_t first;     /* place of d1 in it */
    size_t end;       /* behind the last digit */
    int64_t point;
    bool is_zero;
} decimal;

/* The number bits * 2^power, bit 63 set, and whether a little more than that. */
typedef struct binary {
    uint64_t bits;
    int32_t power;
    bool is_more;
} binary;

/* Reads the digits that count into a big number; returns how many decimal places they were. */
static uint32_t read_digits(fh_big *to, const decimal *from)
{
    uint32_t num = 0;
    bool is_more = false;
    for (size_t i = from->first; i < from->end; i++) {
        if (from->text[i] == '.') {
            continue;
        }
        if (num == MOST_DIGITS) {
            is_more = is_more || from->text[i] != '0';
            continue;
        }
        fh_big_multiply(to, 10, digit_of(from->text[i]));
        num++;
    }
    if (is_more) {
        fh_big_multiply(to, 10, 1);
        num++;
    }
    return num;
}

/* The first 64 bits of top / below, by long division. */
static binary divide(fh_big *top, fh_big *below)
{
    const uint32_t top_bits = fh_big_bits(top);
    const uint32_t below_bits = fh_big_bits(below);
    binary out = {.power = (int32_t)top_bits - (int32_t)below_bits};
    if (top_bits < below_bits) {
        fh_big_shift_left(top, below_bits - top_bits);
    } else {
        fh_big_shift_left(below, top_bits - below_bits);
    }
    if (fh_big_is_less(top, below)) {
        fh_big_shift_left(top, 1);
        out.power--;
    }
    for (unsigned i = 0; i < 64; i++) {
        out.bits <<= 1;
        if (!fh_big_is_less(top, below)) {
            fh_big_subtract(top, below);
            out.bits |= 1;
        }
        fh_big_shift_left(top, 1);
    }
    out.power -= 63;
    out.is_more = top->num > 0;
    return out;
}

/* The same for numbers below 2^60, which most are. */
static binary divide_small(uint64_t top, uint64_t below)
{
    binary out = {.power = 0};
    assert(top > 0 && below > 0 && (top | below) >> 60 == 0);
    while (top < below) {
        top <<= 1;
        out.power--;
    }
    while (top >= below << 1) {
        below <<= 1;
        out.power++;
    }
    for (unsigned i = 0; i < 64; i++) {
        const bool fits = top >= below;
        out.bits = out.bits << 1 | (fits ? 1u : 0u);
        top = (fits ? top - below : top) << 1;
    }
    out.power -= 63;
    out.is_more = top > 0;
    return out;
}

/* Up to 17 digits and 10^17 are below 2^60. */
static bool convert_small(binary *out, const decimal *from)
{
    enum { MOST = 17 };
    uint64_t top = 0;
    uint64_t below = 1;
    int64_t scale = from->point;
    uint32_t num = 0;
    for (size_t i = from->first; i < from->end; i++) {
        if (from->text[i] != '.') {
            if (++num > MOST) {
                return false;
            }
            top = top * 10 + digit_of(from->text[i]);
            scale--;
        }
    }
    if (scale > 0 || scale < -MOST) {
        return false;
    }
    for (; scale < 0; scale++) {
        below *= 10;
    }
    *out = divide_small(top, below);
    return true;
}

static binary convert(const decimal *from)
{
    binary out;
    if (convert_small(&out, from)) {
        return out;
    }
    fh_big top;
    fh_big below;
    fh_big_set(&top, 0);
    fh_big_set(&below, 1);
    const int64_t scale = from->point - (int64_t)read_digits(&top, from);
    fh_big_multiply_by_5_to(scale < 0 ? &below : &top, (uint32_t)(scale < 0 ? -scale : scale));
    out = divide(&top, &below);
    out.power += (int32_t)scale;
    return out;
}

/* A binary floating point format: its precision, and the power of its smallest number. */
typedef struct shape {
    unsigned precision;
    int32_t least;
    int32_t most_exponent; /* biased; of infinity */
} shape;

static const shape double_shape = {53, -1074, 2047};
static const shape single_shape = {24, -149, 255};

/* The bits of the nearest number of that shape, without its sign. */
static uint64_t round_to(const shape *to, const binary *from)
{
    int32_t drop = 64 - (int32_t)to->precision;
    if (from->power + drop < to->least) {
        drop = to->least - from->power;
    }
    if (drop > 64) {
        return 0;
    }
    uint64_t kept = drop == 64 ? 0 : from->bits >> drop;
    const uint64_t half = (uint64_t)1 << (drop - 1);
    const uint64_t rest = drop == 64 ? from->bits : from->bits & (half | (half - 1));
    if (rest > half || (rest == half && (from->is_more || (kept & 1) != 0))) {
        kept++;
    }
    const uint64_t one = (uint64_t)1 << (to->precision - 1);
    if (kept < one) {
        return kept; /* below the smallest normal number */
    }
    /* Where rounding carried into a further bit the sum carries into the exponent. */
    const int64_t exponent = (int64_t)from->power + drop - to->least + 1;
    const uint64_t infinite = (uint64_t)to->most_exponent << (to->precision - 1);
    if (exponent >= to->most_exponent) {
        return infinite;
    }
    const uint64_t bits = ((uint64_t)exponent << (to->precision - 1)) + (kept - one);
    return bits < infinite ? bits : infinite;
}

static float as_single(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Beyond these powers of ten nothing but infinity and 0 is left. */
enum { HIGHEST_POINT = 310, LOWEST_POINT = -330 };

static void set_values(fh_real *out, const decimal *from)
{
    const uint64_t infinite = (uint64_t)2047 << 52;
    uint64_t wide = 0;
    uint64_t narrow = 0;
    if (!from->is_zero && from->point > HIGHEST_POINT) {
        wide = infinite;
        narrow = (uint64_t)255 << 23;
    } else if (!from->is_zero && from->point >= LOWEST_POINT) {
        const binary value = convert(from);
        wide = round_to(&double_shape, &value);
        narrow = round_to(&single_shape, &value);
    }
    out->is_huge = wide == infinite;
    if (out->sign == '-') {
        wide |= (uint64_t)1 << 63;
        narrow |= (uint64_t)1 << 31;
    }
    out->value = fh_double_of(wide);
    out->single = as_single(narrow);
}

/* ---- floating point ---- */

static size_t count_digits(const char *text, size_t len, size_t from)
{
    size_t num = 0;
    while (from + num < len && fh_is_digit(text[from + num])) {
        num++;
    }
    return num;
}

/* Reads the exponent at the place; false if there is something else. */
static bool read_exponent(fh_real *out, int64_t *power, const char *text, size_t len, size_t at)
{
    const int64_t most = 1000000; /* far beyond any number of digits that a text has */
    if (at == len) {
        return true;
    }
    out->exponent = text[at];
    if (fh_ascii_lower(text[at++]) != 'e') {
        return false;
    }
    if (at < len && is_sign(text[at])) {
        out->exponent_sign = text[at++];
    }
    out->num_exponent = (uint32_t)count_digits(text, len, at);
    for (size_t i = at; i < at + out->num_exponent; i++) {
        *power = *power >= most ? most : *power * 10 + digit_of(text[i]);
    }
    *power = out->exponent_sign == '-' ? -*power : *power;
    return out->num_exponent > 0 && at + out->num_exponent == len;
}

/* Where the digits that count begin and end, and what the point stands for. */
static decimal find_digits(const fh_real *shape_of, const char *text, int64_t power)
{
    const size_t end =
        (size_t)shape_of->num_int + (shape_of->has_point ? 1 : 0) + (size_t)shape_of->num_fraction;
    decimal out = {.text = text, .end = end, .point = power + shape_of->num_int};
    while (out.first < end && (text[out.first] == '0' || text[out.first] == '.')) {
        out.point -= text[out.first] == '0' ? 1 : 0;
        out.first++;
    }
    while (out.end > out.first && (text[out.end - 1] == '0' || text[out.end - 1] == '.')) {
        out.end--;
    }
    out.is_zero = out.first == end;
    return out;
}

fh_real fh_number_real(const char *text, size_t len)
{
    fh_real out = {.fault = FH_NUMBER_GOOD};
    out.sign = sign_of(text, len);
    const size_t skip = out.sign == '\0' ? 0 : 1;
    const char *at = text + skip;
    const size_t left = len - skip;
    int64_t power = 0;
    out.num_int = (uint32_t)count_digits(at, left, 0);
    out.has_point = out.num_int < left && at[out.num_int] == '.';
    if (out.has_point) {
        out.num_fraction = (uint32_t)count_digits(at, left, (size_t)out.num_int + 1);
    }
    const size_t used = (size_t)out.num_int + (out.has_point ? 1 : 0) + out.num_fraction;
    if (out.num_int + out.num_fraction == 0 || !read_exponent(&out, &power, at, left, used)) {
        return (fh_real){.fault = name_fault(text, len)};
    }
    const decimal digits = find_digits(&out, at, power);
    out.is_zero = digits.is_zero;
    set_values(&out, &digits);
    return out;
}
