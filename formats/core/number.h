/* Numbers in text, read and written exactly: what a format's decimal integer and decimal floating
 * point mean, whatever the locale, the C library and the machine's floating point would make of
 * them.
 *
 * A text is consumed whole or it is no number; what it is instead has a name. Floating point is
 * decimal: [+-]? ( digits ("." digits?)? | "." digits ) ( [eE] [+-]? digits )?. The results are the
 * nearest double and, from the decimal text and not from the double, the nearest single-precision
 * number, ties to even, by integer arithmetic alone. Likewise a double is written as the decimal
 * number of so many digits that is nearest to it, ties to even, as a good printf does.
 */
#ifndef FH_CORE_NUMBER_H
#define FH_CORE_NUMBER_H

#include "core/status.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a text is no number of the kind that was asked for. */
typedef enum fh_number_fault {
    FH_NUMBER_GOOD = 0,
    FH_NUMBER_EMPTY,
    FH_NUMBER_NOT_FINITE,  /* inf, nan, 1.#IND and their relatives, in any case, with any tail */
    FH_NUMBER_HEX,         /* 0x1f, 0x1p3 */
    FH_NUMBER_COMMA,       /* a decimal comma, or commas between digits */
    FH_NUMBER_GROUPS,      /* digits parted by ' or _ */
    FH_NUMBER_QUOTES,      /* double quotes in it */
    FH_NUMBER_SIGNS,       /* more than one sign in front */
    FH_NUMBER_NO_EXPONENT, /* 1e, 1e+ */
    FH_NUMBER_FRACTION,    /* sound as floating point where an integer is asked for */
    FH_NUMBER_REST,        /* a number, and then something else */
    FH_NUMBER_WORD         /* no number at all */
} fh_number_fault;

/* fh_number_fault_name says it in words: "a hexadecimal number". */
FH_API const char *fh_number_fault_name(fh_number_fault fault);

typedef struct fh_integer {
    fh_number_fault fault;
    bool is_outside;       /* not in -2147483648..2147483647; value is then the nearer end */
    int32_t value;         /* 0 where there is a fault */
    char sign;             /* '+', '-' or 0 */
    uint32_t num_digits;   /* as written */
    bool has_leading_zero; /* more than one digit, and the first is 0 */
} fh_integer;

typedef struct fh_real {
    fh_number_fault fault;
    double value; /* nearest double; infinite where is_huge; 0 where there is a fault */
    float single; /* nearest single-precision number; infinite where it is too large for one */
    bool is_huge; /* beyond the largest double, rounded */
    bool is_zero; /* every digit is 0: the value is a true zero and not a tiny number */
    char sign;    /* '+', '-' or 0 */
    bool has_point;
    uint32_t num_int; /* digits in front of the point, as written */
    uint32_t num_fraction;
    char exponent;      /* 'e', 'E' or 0 */
    char exponent_sign; /* '+', '-' or 0 */
    uint32_t num_exponent;
} fh_real;

/* fh_number_int reads a text of len characters as an integer: [+-]? digits. */
FH_API fh_integer fh_number_int(const char *text, size_t len);

/* fh_number_real reads a text of len characters as decimal floating point. */
FH_API fh_real fh_number_real(const char *text, size_t len);

/* fh_number_put_fixed appends a finite number in the form of printf's "%.*f", a sign only in front
 * of negative numbers and negative zero. The text must have room for up to 309 digits, the point,
 * the sign and the decimals. */
#define FH_NUMBER_MOST_DECIMALS 64u
FH_API fh_text *fh_number_put_fixed(fh_text *out, double value, unsigned decimals);

/* fh_number_put_exp appends a finite number in the form of "%.*e": one digit, the point, decimals,
 * and an exponent of two digits or three. */
#define FH_NUMBER_MOST_EXP_DECIMALS 15u
FH_API fh_text *fh_number_put_exp(fh_text *out, double value, unsigned decimals);

/* fh_number_decimals returns how many decimals, at least `least`, fh_number_put_fixed must write so
 * that the same single-precision number is read back. The value is finite. 53 always suffice: the
 * first digit of the smallest one is the 45th decimal, and nine digits tell any two apart. */
FH_API unsigned fh_number_decimals(float value, unsigned least);

#endif
