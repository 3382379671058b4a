/* Of fuzz_text.c: what the scanner of texts and the readers and writers of numbers say is changed
 * on its way to the target. The linker puts the functions with __wrap_ before those of core/scan.c
 * and core/number.c. There is a text with words, numbers and a word that is too long.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include "core/number.h"
#include "core/scan.h"

#include <stdlib.h>
#include <string.h>

#define EXTENT "a token is its text, and its quotes"
#define PLACE "a token stands in the line and column that counting says"
#define LINE_ENDS "each line end is counted, as what it is"
#define INTEGER "a text is the integer that it says"
#define WRITTEN "a number is written as the C library does it"
#define TOKENS "UTF-16 gives the same tokens"
#define TEXT "with the same text"
#define MARK "a mark tells the encoding"

static const faulty_case cases[] = {
    {"none", NULL},
    {"token that is shorter", EXTENT},
    {"token that is quoted", EXTENT},
    {"token over its bound", "a token has a bound"},
    {"token that is cut too early", "one that is longer is cut at its bound"},
    {"token that may go on", "a token that may go on ends with the text"},
    {"token that is left out", "nothing but blanks lies between tokens"},
    {"token in another column", PLACE},
    {"token in another line", PLACE},
    {"token without a length", "a token has a length"},
    {"end in front of the end", "tokens and blanks tile the text"},
    {"LF that is not there", LINE_ENDS},
    {"CR that is not there", LINE_ENDS},
    {"CR LF that is not there", LINE_ENDS},
    {"token behind the end", "behind the end is the end"},
    {"cut that changes a token", "a cut changes no token in front of it"},
    {"cut that moves a token", "a cut changes no token in front of it"},
    {"fault without a name", "a fault has a name"},
    {"number of no number", "what is no number has no value"},
    {"another double", "a text is the nearest double"},
    {"another single", "and the nearest single"},
    {"huge number", "beyond the largest is said to be"},
    {"zero that is none", "a true zero is zero"},
    {"integer of no integer", "what is no integer has no value"},
    {"another integer", INTEGER},
    {"integer outside", INTEGER},
    {"integer that is no number", "an integer is a number"},
    {"another digit", WRITTEN},
    {"another exponent", WRITTEN},
    {"too few decimals", "few decimals are enough"},
    {"too many decimals", "few decimals are enough"},
    {"decimals that do not tell it", "a single is read back from the decimals that it needs"},
    {"another number read back", "a number is read back as it was written"},
    {"token of another number", "a token is the number of its text"},
    {"token of another text", "a token is its text"},
    {"token of another case", "and its text in the other case"},
    {"token shown in two lines", "a token is shown in one line"},
    {"no memory", "the system has memory"},
    {"wide number", "and the same numbers"},
    {"wide integer", "and the same integers"},
    {"wide token of another kind", TOKENS},
    {"wide token that may go on", TOKENS},
    {"wide token elsewhere", "in their places"},
    {"wide token of another text", TEXT},
    {"wide token of another hash", TEXT},
    {"mark of another length", MARK},
    {"mark of another encoding", MARK},
    {"first character of another encoding", "without one the first character does"},
    {"text that begins later", "a text begins with its first character"},
    {"text that begins far in front", "a text begins with its first character"},
    {"long mark", "a mark is short"},
    {"unit behind the bytes", "no unit lies behind the bytes"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
fh_token __wrap_fh_scan_next(fh_scan *scan);
fh_token __real_fh_scan_next(fh_scan *scan);
size_t __wrap_fh_scan_bom(fh_cursor bytes, fh_encoding *encoding);
size_t __real_fh_scan_bom(fh_cursor bytes, fh_encoding *encoding);
fh_scan __wrap_fh_scan_open(fh_cursor bytes, const fh_scan_style *style, size_t *bom_len);
fh_scan __real_fh_scan_open(fh_cursor bytes, const fh_scan_style *style, size_t *bom_len);
fh_encoding __wrap_fh_scan_guess(fh_cursor bytes);
fh_encoding __real_fh_scan_guess(fh_cursor bytes);
size_t __wrap_fh_scan_begin(fh_cursor bytes, size_t at, bool is_wide);
size_t __real_fh_scan_begin(fh_cursor bytes, size_t at, bool is_wide);
int32_t __wrap_fh_scan_unit_at(fh_cursor bytes, fh_encoding encoding, size_t off);
int32_t __real_fh_scan_unit_at(fh_cursor bytes, fh_encoding encoding, size_t off);
bool __wrap_fh_scan_is(const fh_scan *scan, const fh_token *token, const char *text);
bool __real_fh_scan_is(const fh_scan *scan, const fh_token *token, const char *text);
bool __wrap_fh_scan_is_but_case(const fh_scan *scan, const fh_token *token, const char *text);
bool __real_fh_scan_is_but_case(const fh_scan *scan, const fh_token *token, const char *text);
uint32_t __wrap_fh_scan_hash(const fh_scan *scan, const fh_token *token);
uint32_t __real_fh_scan_hash(const fh_scan *scan, const fh_token *token);
bool __wrap_fh_scan_same_text(const fh_scan *a_scan, const fh_token *a, const fh_scan *b_scan,
                              const fh_token *b);
bool __real_fh_scan_same_text(const fh_scan *a_scan, const fh_token *a, const fh_scan *b_scan,
                              const fh_token *b);
fh_integer __wrap_fh_scan_int(const fh_scan *scan, const fh_token *token);
fh_integer __real_fh_scan_int(const fh_scan *scan, const fh_token *token);
fh_real __wrap_fh_scan_real(const fh_scan *scan, const fh_token *token);
fh_real __real_fh_scan_real(const fh_scan *scan, const fh_token *token);
void __wrap_fh_scan_show(fh_text *out, const fh_scan *scan, const fh_token *token);
void __real_fh_scan_show(fh_text *out, const fh_scan *scan, const fh_token *token);
const char *__wrap_fh_number_fault_name(fh_number_fault fault);
const char *__real_fh_number_fault_name(fh_number_fault fault);
fh_integer __wrap_fh_number_int(const char *text, size_t len);
fh_integer __real_fh_number_int(const char *text, size_t len);
fh_real __wrap_fh_number_real(const char *text, size_t len);
fh_real __real_fh_number_real(const char *text, size_t len);
fh_text *__wrap_fh_number_put_fixed(fh_text *out, double value, unsigned decimals);
fh_text *__real_fh_number_put_fixed(fh_text *out, double value, unsigned decimals);
fh_text *__wrap_fh_number_put_exp(fh_text *out, double value, unsigned decimals);
fh_text *__real_fh_number_put_exp(fh_text *out, double value, unsigned decimals);
unsigned __wrap_fh_number_decimals(float value, unsigned least);
unsigned __real_fh_number_decimals(float value, unsigned least);

/* The target is at work: all of it is handed on otherwise. */
static struct {
    size_t len;        /* of the text */
    unsigned num_read; /* tokens */
    bool is_over;      /* the end was read */
    bool has_read_int; /* an integer was read last */
    unsigned num_put;  /* numbers that were written with a point */
} now;

void *__wrap_malloc(size_t size)
{
    return now.len > 0 && faulty_is("no memory") ? NULL : __real_malloc(size);
}

/* ---- tokens ---- */

static void spoil_word(fh_token *token, fh_scan *scan)
{
    const bool is_cut = token->kind == FH_TOKEN_LONG;
    token->num_units -= faulty_is("token that is shorter") ? 1 : 0;
    token->off += faulty_is("token that is quoted") ? 1 : 0;
    token->at.column += faulty_is("token in another column") ? 1 : 0;
    token->at.line += faulty_is("token in another line") ? 1 : 0;
    token->at_end = token->at_end || faulty_is("token that may go on");
    token->kind = faulty_is("token that is cut too early") ? FH_TOKEN_LONG : token->kind;
    if (faulty_is("token over its bound") && is_cut) {
        token->num_units++;
        scan->cur.pos++;
    }
    if (faulty_is("token without a length")) {
        scan->cur.pos = token->at.off;
    }
}

static fh_token next_of_whole(fh_scan *scan)
{
    now.num_read++;
    if (faulty_is("end in front of the end") && now.num_read == 1) {
        return (fh_token){.kind = FH_TOKEN_END, .at = {.line = 1, .column = 1}};
    }
    if (faulty_is("token that is left out") && now.num_read == 2) {
        (void)__real_fh_scan_next(scan);
    }
    fh_token token = __real_fh_scan_next(scan);
    if (token.kind == FH_TOKEN_END) {
        token.kind = now.is_over && faulty_is("token behind the end") ? FH_TOKEN_WORD : token.kind;
        now.is_over = true;
        scan->num_lf += faulty_is("LF that is not there") ? 1 : 0;
        scan->num_cr += faulty_is("CR that is not there") ? 1 : 0;
        scan->num_crlf += faulty_is("CR LF that is not there") ? 1 : 0;
    } else {
        spoil_word(&token, scan);
    }
    return token;
}

static void spoil_wide(fh_token *token)
{
    token->has_high = token->has_high != faulty_is("wide token of another kind");
    token->at_end = token->at_end != faulty_is("wide token that may go on");
    token->off += faulty_is("wide token elsewhere") ? 1 : 0;
}

fh_token __wrap_fh_scan_next(fh_scan *scan)
{
    if (scan->encoding == FH_ENCODING_BYTES && scan->cur.size == now.len) {
        return next_of_whole(scan);
    }
    fh_token token = __real_fh_scan_next(scan);
    if (scan->encoding == FH_ENCODING_BYTES) {
        token.num_units += faulty_is("cut that changes a token") ? 1 : 0;
        token.off += faulty_is("cut that moves a token") ? 1 : 0;
    } else {
        spoil_wide(&token);
    }
    return token;
}

bool __wrap_fh_scan_is(const fh_scan *scan, const fh_token *token, const char *text)
{
    return __real_fh_scan_is(scan, token, text) != faulty_is("token of another text");
}

bool __wrap_fh_scan_is_but_case(const fh_scan *scan, const fh_token *token, const char *text)
{
    return __real_fh_scan_is_but_case(scan, token, text) != faulty_is("token of another case");
}

uint32_t __wrap_fh_scan_hash(const fh_scan *scan, const fh_token *token)
{
    const bool is_other =
        scan->encoding != FH_ENCODING_BYTES && faulty_is("wide token of another hash");
    return __real_fh_scan_hash(scan, token) ^ (is_other ? 1 : 0);
}

bool __wrap_fh_scan_same_text(const fh_scan *a_scan, const fh_token *a, const fh_scan *b_scan,
                              const fh_token *b)
{
    return __real_fh_scan_same_text(a_scan, a, b_scan, b) !=
           faulty_is("wide token of another text");
}

void __wrap_fh_scan_show(fh_text *out, const fh_scan *scan, const fh_token *token)
{
    __real_fh_scan_show(out, scan, token);
    if (faulty_is("token shown in two lines")) {
        out->buf[0] = '\n';
    }
}

/* ---- places ---- */

size_t __wrap_fh_scan_bom(fh_cursor bytes, fh_encoding *encoding)
{
    return faulty_is("long mark") ? 4 : __real_fh_scan_bom(bytes, encoding);
}

fh_scan __wrap_fh_scan_open(fh_cursor bytes, const fh_scan_style *style, size_t *bom_len)
{
    fh_scan scan = __real_fh_scan_open(bytes, style, bom_len);
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    *bom_len += faulty_is("mark of another length") ? 1 : 0;
    scan.encoding = faulty_is("mark of another encoding") ? FH_ENCODING_BYTES : scan.encoding;
    return scan;
}

fh_encoding __wrap_fh_scan_guess(fh_cursor bytes)
{
    return faulty_is("first character of another encoding") ? FH_ENCODING_BYTES
                                                            : __real_fh_scan_guess(bytes);
}

size_t __wrap_fh_scan_begin(fh_cursor bytes, size_t at, bool is_wide)
{
    return faulty_is("text that begins later")          ? at + 1
           : faulty_is("text that begins far in front") ? at - 4
                                                        : __real_fh_scan_begin(bytes, at, is_wide);
}

int32_t __wrap_fh_scan_unit_at(fh_cursor bytes, fh_encoding encoding, size_t off)
{
    return faulty_is("unit behind the bytes") && off == bytes.size
               ? 0
               : __real_fh_scan_unit_at(bytes, encoding, off);
}

/* ---- numbers ---- */

fh_integer __wrap_fh_scan_int(const fh_scan *scan, const fh_token *token)
{
    fh_integer number = __real_fh_scan_int(scan, token);
    number.value += scan->encoding != FH_ENCODING_BYTES && faulty_is("wide integer") ? 1 : 0;
    return number;
}

fh_real __wrap_fh_scan_real(const fh_scan *scan, const fh_token *token)
{
    fh_real number = __real_fh_scan_real(scan, token);
    const bool is_wide = scan->encoding != FH_ENCODING_BYTES;
    number.value +=
        (is_wide && faulty_is("wide number")) || faulty_is("token of another number") ? 1 : 0;
    return number;
}

const char *__wrap_fh_number_fault_name(fh_number_fault fault)
{
    return faulty_is("fault without a name") ? "" : __real_fh_number_fault_name(fault);
}

fh_integer __wrap_fh_number_int(const char *text, size_t len)
{
    fh_integer number = __real_fh_number_int(text, len);
    const bool is_good = number.fault == FH_NUMBER_GOOD;
    now.has_read_int = true;
    number.value += !is_good && faulty_is("integer of no integer") ? 1 : 0;
    number.value += is_good && faulty_is("another integer") ? 1 : 0;
    number.is_outside = number.is_outside != (is_good && faulty_is("integer outside"));
    return number;
}

static void spoil_good(fh_real *number)
{
    enum { READ_BACK = 3 };
    number->value += faulty_is("another double") ? 1 : 0;
    number->value += now.num_put == READ_BACK && faulty_is("another number read back") ? 1 : 0;
    number->single += faulty_is("another single") ? 1 : 0;
    number->is_huge = number->is_huge != faulty_is("huge number");
    number->is_zero = number->is_zero || faulty_is("zero that is none");
}

fh_real __wrap_fh_number_real(const char *text, size_t len)
{
    fh_real number = __real_fh_number_real(text, len);
    if (now.has_read_int && faulty_is("integer that is no number")) {
        return (fh_real){.fault = (fh_number_fault)(FH_NUMBER_GOOD + 1)};
    }
    now.has_read_int = false;
    if (number.fault == FH_NUMBER_GOOD) {
        spoil_good(&number);
    } else if (faulty_is("number of no number")) {
        number.value = 1;
    }
    return number;
}

static void spoil_digit(fh_text *out, bool is_other)
{
    out->buf[0] = is_other ? '9' : out->buf[0];
}

fh_text *__wrap_fh_number_put_fixed(fh_text *out, double value, unsigned decimals)
{
    now.num_put++;
    fh_text *to = __real_fh_number_put_fixed(out, value, decimals);
    spoil_digit(out, faulty_is("another digit"));
    return to;
}

fh_text *__wrap_fh_number_put_exp(fh_text *out, double value, unsigned decimals)
{
    fh_text *to = __real_fh_number_put_exp(out, value, decimals);
    spoil_digit(out, faulty_is("another exponent"));
    return to;
}

unsigned __wrap_fh_number_decimals(float value, unsigned least)
{
    return faulty_is("too few decimals")               ? 5
           : faulty_is("too many decimals")            ? FH_NUMBER_MOST_DECIMALS + 1
           : faulty_is("decimals that do not tell it") ? 6
                                                       : __real_fh_number_decimals(value, least);
}

/* ---- the text ---- */

static void run(char **files)
{
    /* Its style has words of up to seven characters; the number needs seven decimals as a single.
     */
    static const char text[] = "one 12 0.5 abcdefghij (x)\nend ";
    static const double value = 1.0000001;
    uint8_t bytes[1 + sizeof value + sizeof text - 1] = {2};
    (void)files;
    memcpy(bytes + 1, &value, sizeof value);
    memcpy(bytes + 1 + sizeof value, text, sizeof text - 1);
    now.len = sizeof text - 1;
    (void)LLVMFuzzerTestOneInput(bytes, sizeof bytes);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
