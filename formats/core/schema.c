#include "core/schema.h"

#include <assert.h>
#include <string.h>

const char *fh_kind_name(fh_field_kind kind)
{
    static const char *const names[FH_NUM_KINDS] = {
        [FH_KIND_VALUE] = "value",     [FH_KIND_NAME] = "name",   [FH_KIND_COUNT] = "count",
        [FH_KIND_POINTER] = "pointer", [FH_KIND_FLAGS] = "flags", [FH_KIND_COLOUR] = "colour",
        [FH_KIND_DATA] = "data",       [FH_KIND_PAD] = "unused",
    };
    assert(kind < FH_NUM_KINDS);
    return names[kind];
}

size_t fh_item_len(const fh_item *item)
{
    static const uint8_t lens[] = {
        [FH_ITEM_U8] = 1,     [FH_ITEM_U16] = 2,    [FH_ITEM_U32] = 4,
        [FH_ITEM_S8] = 1,     [FH_ITEM_S16] = 2,    [FH_ITEM_S32] = 4,
        [FH_ITEM_STRUCT] = 0, [FH_ITEM_SWITCH] = 0, [FH_ITEM_LET] = 0,
    };
    return lens[item->type];
}

int fh_item_number(const fh_struct *of, size_t item)
{
    int number = 0;
    bool is_only = true;
    for (size_t i = 0; i < of->num_items; i++) {
        if (i != item && strcmp(of->items[i].name, of->items[item].name) == 0) {
            number += i < item ? 1 : 0;
            is_only = false;
        }
    }
    return is_only ? -1 : number;
}

/* ---- rules ------------------------------------------------------------------------------------
 */

/* How a place compares to "in.name", or to "in" where there is no name: below 0, 0, above 0. */
static int compare_place(const char *place, const char *in, const char *name)
{
    const size_t len = strlen(in);
    const int order = strncmp(place, in, len);
    if (order != 0) {
        return order;
    }
    if (name == NULL || place[len] != '.') {
        return (unsigned char)place[len] - (name == NULL ? 0 : '.');
    }
    return strcmp(place + len + 1, name);
}

const char *fh_governing(const fh_governance *of, const char *in, const char *name)
{
    size_t first = 0;
    size_t end = of == NULL ? 0 : of->num;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const int order = compare_place(of->rows[middle].place, in, name);
        if (order == 0) {
            return of->rows[middle].rules;
        }
        first = order < 0 ? middle + 1 : first;
        end = order < 0 ? end : middle;
    }
    return NULL;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Nothing else that a table holds stands behind the letters. */
static bool is_word(char c)
{
    return c >= 'a' || is_digit(c) || c == '_' || c == '.';
}

static size_t word_len(const char *text)
{
    size_t len = 0;
    while (is_word(text[len])) {
        len++;
    }
    return len;
}

/* Operators in falling order of how tight they bind; those of two characters stand before those
 * they begin with. */
static const struct {
    const char *text;
    uint8_t len;
    uint8_t rank; /* higher binds tighter; 0 is a parenthesis */
} operators[] = {
    {"*", 1, 5},  {"/", 1, 5},  {"%", 1, 5}, {"+", 1, 4}, {"-", 1, 4},   {"==", 2, 3}, {"!=", 2, 3},
    {"<=", 2, 3}, {">=", 2, 3}, {"<", 1, 3}, {">", 1, 3}, {"and", 3, 2}, {"or", 2, 1},
};
enum { NUM_OPERATORS = sizeof operators / sizeof operators[0], PARENTHESIS = NUM_OPERATORS };

static size_t operator_at(const char *text)
{
    size_t i = 0;
    while (strncmp(text, operators[i].text, operators[i].len) != 0) {
        i++;
        assert(i < NUM_OPERATORS);
    }
    return i;
}

static fh_lex_kind kind_at(const char *text)
{
    if (is_word(text[0])) {
        const size_t len = word_len(text);
        const bool is_operator = (len == 3 && strncmp(text, "and", len) == 0) ||
                                 (len == 2 && strncmp(text, "or", len) == 0);
        return is_operator ? FH_LEX_OPERATOR : is_digit(text[0]) ? FH_LEX_NUMBER : FH_LEX_NAME;
    }
    switch (text[0]) {
    case '\0':
        return FH_LEX_END;
    case ',':
        return FH_LEX_COMMA;
    case '(':
        return FH_LEX_OPEN;
    case ')':
        return FH_LEX_CLOSE;
    default:
        return FH_LEX_OPERATOR;
    }
}

fh_lex fh_lex_next(const char **text)
{
    while (**text == ' ') {
        (*text)++;
    }
    fh_lex token = {kind_at(*text), *text, 1};
    if (token.kind == FH_LEX_END) {
        token.len = 0;
    } else if (is_word(**text)) {
        token.len = word_len(*text);
    } else if (token.kind == FH_LEX_OPERATOR) {
        token.len = operators[operator_at(*text)].len;
    }
    *text += token.len;
    return token;
}

static int64_t number_of(const fh_lex *token)
{
    int64_t number = 0;
    const bool is_hex = token->len > 2 && token->text[1] == 'x';
    for (size_t i = is_hex ? 2 : 0; i < token->len; i++) {
        const char c = token->text[i];
        number = number * (is_hex ? 16 : 10) + (is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return number;
}

/* What does not fit is 0, as a division by nothing is: numbers of the bytes have 32 bits, and no
 * table multiplies three of them. */
static int64_t apply_arithmetic(char operator, int64_t a, int64_t b)
{
    int64_t out = 0;
    switch (operator) {
    case '*':
        return __builtin_mul_overflow(a, b, &out) ? 0 : out;
    case '/':
        return b > 0 ? a / b : 0;
    case '%':
        return b > 0 ? a % b : 0;
    case '+':
        return __builtin_add_overflow(a, b, &out) ? 0 : out;
    default:
        return __builtin_sub_overflow(a, b, &out) ? 0 : out;
    }
}

static bool apply_comparison(const char *operator, int64_t a, int64_t b)
{
    const bool or_equal = operator[1] == '=';
    switch (operator[0]) {
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return a < b || (or_equal && a == b);
    case '>':
        return a > b || (or_equal && a == b);
    case 'a':
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

typedef struct work {
    int64_t values[FH_SCHEMA_OPERANDS];
    size_t operators[FH_SCHEMA_OPERANDS];
    size_t num_values, num_operators;
} work;

static void apply(work *run)
{
    const size_t which = run->operators[--run->num_operators];
    assert(which < NUM_OPERATORS && run->num_values >= 2);
    const int64_t b = run->values[--run->num_values];
    const int64_t a = run->values[run->num_values - 1];
    run->values[run->num_values - 1] = operators[which].rank > 3
                                           ? apply_arithmetic(operators[which].text[0], a, b)
                                           : apply_comparison(operators[which].text, a, b);
}

static void push_operator(work *run, size_t which)
{
    while (run->num_operators > 0 && run->operators[run->num_operators - 1] != PARENTHESIS &&
           operators[run->operators[run->num_operators - 1]].rank >= operators[which].rank) {
        apply(run);
    }
    assert(run->num_operators < FH_SCHEMA_OPERANDS);
    run->operators[run->num_operators++] = which;
}

static void push_value(work *run, int64_t value)
{
    assert(run->num_values < FH_SCHEMA_OPERANDS);
    run->values[run->num_values++] = value;
}

static void close(work *run)
{
    while (run->operators[run->num_operators - 1] != PARENTHESIS) {
        apply(run);
        assert(run->num_operators > 0);
    }
    run->num_operators--;
}

int64_t fh_schema_value(const char **text, fh_name_value value, void *user)
{
    work run = {.num_values = 0};
    fh_lex token = fh_lex_next(text);
    while (token.kind != FH_LEX_END && token.kind != FH_LEX_COMMA) {
        if (token.kind == FH_LEX_NUMBER) {
            push_value(&run, number_of(&token));
        } else if (token.kind == FH_LEX_NAME) {
            push_value(&run, value(user, token.text, token.len));
        } else if (token.kind == FH_LEX_OPERATOR) {
            push_operator(&run, operator_at(token.text));
        } else if (token.kind == FH_LEX_OPEN) {
            assert(run.num_operators < FH_SCHEMA_OPERANDS);
            run.operators[run.num_operators++] = PARENTHESIS;
        } else {
            close(&run);
        }
        token = fh_lex_next(text);
    }
    while (run.num_operators > 0) {
        apply(&run);
    }
    assert(run.num_values == 1);
    return run.values[0];
}
