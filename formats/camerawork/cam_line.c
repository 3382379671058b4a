#include "camerawork/cam_line.h"

#include <assert.h>
#include <string.h>

enum { FIRST_HIGH = 0x80 };

/* The range of floats, as doubles. */
#define SMALLEST_FLOAT 1.1754943508222875e-38
#define LARGEST_FLOAT 3.4028234663852886e38

void cam_text_begin(cam_text *text, fh_cursor bytes, fh_budget *budget)
{
    *text = (cam_text){.budget = budget};
    text->scan = fh_scan_open(bytes, &cam_style, &text->bom_len);
}

static size_t unit_len(const cam_text *text)
{
    return fh_scan_unit_len(text->scan.encoding);
}

bool cam_text_at_end(const cam_text *text)
{
    return fh_cursor_left(&text->scan.cur) < unit_len(text);
}

/* The character at an offset, which lies in the text. */
static int32_t unit_at(const cam_text *text, size_t off)
{
    return fh_scan_unit_at(text->scan.cur, text->scan.encoding, off);
}

static void count(cam_count *what, const cam_line *line, size_t off, unsigned column)
{
    if (what->num++ == 0) {
        what->line = line->number;
        what->column = column;
        what->off = off;
    }
}

/* ---- columns ---- */

static enum cam_rule rule_of_fault(fh_number_fault fault, bool is_integer)
{
    switch (fault) {
    case FH_NUMBER_GOOD:
        return CAM_NUM_RULES;
    case FH_NUMBER_NOT_FINITE:
        return is_integer ? CAM0003 : CAM0005;
    case FH_NUMBER_HEX:
    case FH_NUMBER_COMMA:
    case FH_NUMBER_GROUPS:
    case FH_NUMBER_QUOTES:
        return CAM0022;
    default:
        return is_integer ? CAM0003 : CAM0004;
    }
}

static int32_t read_integer(cam_column *column, const char *text, size_t len, bool is_flag)
{
    const fh_integer number = fh_number_int(text, len);
    column->rule = rule_of_fault(number.fault, true);
    column->is_bad = true;
    if (column->rule != CAM_NUM_RULES) {
        return 0;
    }
    if (number.is_outside) {
        column->rule = CAM0024;
    } else if (is_flag && number.value != 0 && number.value != 1) {
        column->rule = CAM0006;
    } else {
        column->is_bad = false;
        column->is_plain = !number.has_leading_zero && (number.sign == 0 || number.value < 0);
        column->rule = column->is_plain ? CAM_NUM_RULES : CAM0023;
    }
    return number.value;
}

static double size_of(double value)
{
    return value < 0 ? -value : value;
}

static void judge_form(cam_column *column, const fh_real *number, const char *text, size_t len)
{
    const bool has_digits = number->num_int == 1 && number->has_point && number->num_fraction == 6;
    column->has_form = number->has_point || number->exponent != 0;
    column->is_plain = has_digits && number->sign != '+' && number->exponent == 'e' &&
                       number->exponent_sign != 0 &&
                       (number->num_exponent == 2 || number->num_exponent == 3);
    column->is_short = column->is_plain && number->num_exponent == 2;
    column->is_padded = column->is_plain && number->num_exponent == 3 && text[len - 3] == '0';
    column->is_out_of_float = !number->is_zero && (size_of(number->value) < SMALLEST_FLOAT ||
                                                   size_of(number->value) > LARGEST_FLOAT);
}

/* Reads a number; false if it cannot be computed with. */
static bool read_real(cam_column *column, double *value, const char *text, size_t len)
{
    const fh_real number = fh_number_real(text, len);
    column->rule = rule_of_fault(number.fault, false);
    *value = 0;
    if (column->rule != CAM_NUM_RULES) {
        column->is_bad = column->rule != CAM0005;
        column->has_form = memchr(text, '#', len) != NULL;
        column->is_plain = column->has_form;
        return false;
    }
    judge_form(column, &number, text, len);
    if (number.is_huge) {
        column->rule = CAM0029;
        column->is_out_of_float = false;
        return false;
    }
    *value = number.value;
    return true;
}

static void set_flag(cam_row *row, unsigned column, int32_t value)
{
    if (column == CAM_INDEX) {
        row->index = value;
    } else if (column == CAM_KEY) {
        row->is_key = value == 1;
    } else if (column == CAM_ANCHOR_KEY) {
        row->is_anchor_key = value == 1;
    } else {
        row->is_stored = value == 1;
    }
}

static void read_column(const cam_text *text, cam_line *line, unsigned number)
{
    char buf[CAM_MOST_LINE_UNITS + 1];
    cam_column *column = &line->columns[number - 1];
    const size_t len = fh_scan_read(&text->scan, &column->token, buf, sizeof buf);
    const int value = cam_value_of(number);
    if (value < 0) {
        set_flag(&line->row, number, read_integer(column, buf, len, number != CAM_INDEX));
    } else if (!read_real(column, &line->row.values[value], buf, len)) {
        line->row.not_finite |= (uint32_t)1 << value;
    }
}

/* ---- lines ---- */

/* Leaves of a word what stands in front of its first character above 127. */
static void trim_high(const cam_text *text, fh_token *token)
{
    uint32_t num = 0;
    while (unit_at(text, token->off + num * unit_len(text)) < FIRST_HIGH) {
        assert(num < token->num_units);
        num++;
    }
    token->num_units = num;
}

static void add_column(const cam_text *text, cam_line *line, const fh_token *token)
{
    const size_t gap = token->off - line->text_end;
    if (line->num_columns > 0 && (gap != unit_len(text) || unit_at(text, line->text_end) != ' ')) {
        count(&line->separators, line, line->text_end, line->num_columns);
    } else if (line->num_columns == 0 && gap > 0) {
        count(&line->margins, line, line->off, 1);
    }
    if (line->num_columns < CAM_COLUMNS) {
        line->columns[line->num_columns] = (cam_column){.token = *token, .rule = CAM_NUM_RULES};
    }
    line->num_columns++;
    line->text_end = token->off + token->num_units * unit_len(text);
    if (line->num_columns <= CAM_COLUMNS) {
        read_column(text, line, line->num_columns);
    }
}

static cam_line_end kind_of_end(const cam_text *text, const fh_token *token)
{
    if (token->num_units == 2) {
        return CAM_ENDS_CRLF;
    }
    return unit_at(text, token->off) == '\n' ? CAM_ENDS_LF : CAM_ENDS_CR;
}

/* Ends the line at a token that is not its own. */
static void end_line(const cam_text *text, cam_line *line, const fh_token *token)
{
    line->end = token->off;
    if (token->kind == FH_TOKEN_LINE_END) {
        line->ends = kind_of_end(text, token);
        line->end = text->scan.cur.pos;
        line->may_go_on = token->at_end;
    } else if (token->kind == FH_TOKEN_END) {
        line->ends = CAM_ENDS_BYTES;
        line->end = text->scan.cur.size; /* with half a UTF-16 unit, if there is one */
        line->may_go_on = true;
    } else {
        line->ends = token->kind == FH_TOKEN_CONTROL ? CAM_ENDS_CONTROL : CAM_ENDS_LONG;
    }
    if (line->num_columns > 0 && token->off > line->text_end && line->ends != CAM_ENDS_LONG) {
        count(&line->margins, line, line->text_end, line->num_columns);
    }
}

/* Takes a word; false when the line ends in it. */
static bool take_word(const cam_text *text, cam_line *line, fh_token *token)
{
    if (token->has_high) {
        trim_high(text, token);
        line->ends = CAM_ENDS_HIGH;
    }
    if (token->num_units > 0) {
        add_column(text, line, token);
    }
    line->end = token->off + token->num_units * unit_len(text);
    return !token->has_high;
}

/* Reads tokens to the end of the line, or to what ends it. */
static void read_tokens(cam_text *text, cam_line *line)
{
    for (;;) {
        const size_t before = text->scan.cur.pos;
        fh_token token = fh_scan_next(&text->scan);
        if (!fh_pay(text->budget, 1 + text->scan.cur.pos - before)) {
            line->ends = CAM_ENDS_LIMIT;
            line->end = token.off;
            return;
        }
        if (token.kind != FH_TOKEN_WORD) {
            end_line(text, line, &token);
        }
        const size_t own = token.kind == FH_TOKEN_WORD ? token.num_units : 0;
        if ((token.off - line->off) / unit_len(text) + own > CAM_MOST_LINE_UNITS) {
            line->ends = CAM_ENDS_LONG;
            line->end = token.off;
            line->may_go_on = false;
            return;
        }
        if (token.kind != FH_TOKEN_WORD || !take_word(text, line, &token)) {
            return;
        }
    }
}

void cam_text_line(cam_text *text, cam_line *line)
{
    const size_t off = text->scan.cur.pos;
    line->number = text->line++;
    line->off = off;
    line->text_end = off;
    line->end = off;
    line->ends = CAM_ENDS_BYTES;
    line->may_go_on = false;
    line->num_columns = 0;
    line->separators = (cam_count){0};
    line->margins = (cam_count){0};
    line->row = (cam_row){.off = (uint32_t)off, .line = line->number};
    read_tokens(text, line);
    line->is_row = line->num_columns == CAM_COLUMNS && line->ends < CAM_ENDS_LONG;
    for (unsigned i = 0; i < CAM_COLUMNS && line->is_row; i++) {
        line->is_row = !line->columns[i].is_bad;
    }
    if (line->ends >= CAM_ENDS_CONTROL && line->ends <= CAM_ENDS_LONG) {
        (void)fh_cursor_seek(&text->scan.cur, line->end);
    }
}

/* Zeros end in front of the end of their line: who asks at one of each line pays for each once. */
bool cam_text_is_padding(const cam_text *text, size_t off, bool *is_spent)
{
    fh_cursor rest = text->scan.cur;
    (void)fh_cursor_seek(&rest, off);
    size_t num = 0;
    bool is_zero = true;
    while (is_zero && fh_cursor_left(&rest) > 0) {
        is_zero = fh_cursor_u8(&rest) == 0;
        num++;
    }
    *is_spent = !fh_pay(text->budget, num);
    return is_zero && !*is_spent;
}

bool cam_text_is_over(cam_rest *known, const cam_text *text, size_t off)
{
    if (off < known->end) {
        return known->is_empty;
    }
    size_t end = off;
    int32_t c = unit_at(text, end);
    while (c == ' ' || c == '\t' || fh_is_line_end(c)) {
        end += unit_len(text);
        c = unit_at(text, end);
    }
    known->end = end + 1;
    known->is_spent = !fh_pay(text->budget, 1 + (uint64_t)(end - off));
    known->is_empty = !known->is_spent && cam_text_is_padding(text, end, &known->is_spent);
    return known->is_empty;
}

void cam_text_skip(cam_text *text)
{
    size_t before = text->scan.cur.pos;
    fh_token token = fh_scan_next(&text->scan);
    while (token.kind != FH_TOKEN_LINE_END && token.kind != FH_TOKEN_END &&
           fh_pay(text->budget, 1 + text->scan.cur.pos - before)) {
        before = text->scan.cur.pos;
        token = fh_scan_next(&text->scan);
    }
}

bool cam_line_has_end(const cam_line *line)
{
    return line->ends <= CAM_ENDS_CR;
}

bool cam_line_is_blank(const cam_line *line)
{
    return line->num_columns == 0 && line->ends <= CAM_ENDS_BYTES;
}

bool cam_line_is_comment(const cam_text *text, const cam_line *line)
{
    if (line->num_columns == 0) {
        return false;
    }
    return strchr("0123456789+-.\"", unit_at(text, line->columns[0].token.off)) == NULL;
}

bool cam_line_index(const cam_line *line, int32_t *index)
{
    if (line->num_columns == 0 || line->columns[0].is_bad) {
        return false;
    }
    *index = line->row.index;
    return true;
}

static enum cam_rule fault_of_count(const cam_line *line)
{
    switch (line->ends) {
    case CAM_ENDS_CONTROL:
        return CAM0016;
    case CAM_ENDS_HIGH:
        return CAM0019;
    case CAM_ENDS_BYTES:
        return line->num_columns < CAM_COLUMNS ? CAM0002 : CAM0001;
    default:
        return CAM0001;
    }
}

enum cam_rule cam_line_fault(const cam_text *text, const cam_line *line, size_t *off)
{
    *off = line->off;
    if (cam_line_is_blank(line)) {
        return CAM0009;
    }
    if (line->ends == CAM_ENDS_LONG) {
        return CAM0018;
    }
    if (cam_line_is_comment(text, line)) {
        *off = line->columns[0].token.off;
        return CAM0010;
    }
    if (line->num_columns != CAM_COLUMNS) {
        const enum cam_rule rule = fault_of_count(line);
        *off = rule == CAM0016 || rule == CAM0019 ? line->end : line->off;
        return rule;
    }
    unsigned i = 0;
    while (!line->columns[i].is_bad) {
        i++;
        assert(i < CAM_COLUMNS);
    }
    *off = line->columns[i].token.off;
    return line->columns[i].rule;
}
