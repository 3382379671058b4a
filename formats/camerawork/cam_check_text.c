#include "camerawork/cam_check_text.h"

/* Where something is: the line, from 1 as editors count, and which of its values if it is one. */
static void put_place(fh_finding *finding, uint32_t line, unsigned column)
{
    fh_text text = fh_text_make(finding->context, sizeof finding->context);
    fh_text_u64(fh_text_str(&text, "line "), (uint64_t)line + 1);
    if (column > 0) {
        fh_text_u64(fh_text_str(&text, ", value "), column);
    }
}

static void tell_line(cam_text_check *check, enum cam_rule rule, const char *field,
                      const cam_line *line, size_t off, fh_value found, fh_value expected)
{
    fh_finding finding = fh_finding_make(&cam_rules[rule], field);
    finding.offset = (int64_t)off;
    put_place(&finding, line->number, 0);
    cam_put(finding.found, found);
    cam_put(finding.expected, expected);
    fh_reporter_tell(check->reporter, &finding);
}

static void tell_token(cam_text_check *check, enum cam_rule rule, const char *field,
                       const cam_line *line, unsigned column, const char *expected)
{
    fh_finding finding = fh_finding_make(&cam_rules[rule], field);
    const fh_token *token = &line->columns[column - 1].token;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    finding.offset = (int64_t)token->off;
    put_place(&finding, line->number, column);
    fh_scan_show(&text, &check->text->scan, token);
    cam_put(finding.expected, fh_words(expected));
    fh_reporter_tell(check->reporter, &finding);
}

/* Told once a file: how often, and where first. */
static void tell_count(cam_text_check *check, enum cam_rule rule, const char *field,
                       const cam_count *count, const char *expected)
{
    if (count->num == 0) {
        return;
    }
    fh_finding finding = fh_finding_make(&cam_rules[rule], field);
    finding.offset = (int64_t)count->off;
    put_place(&finding, count->line, count->column);
    cam_put(finding.found, fh_dec(count->num, ", the first here"));
    cam_put(finding.expected, fh_words(expected));
    fh_reporter_tell(check->reporter, &finding);
}

/* The same of tokens: the first one is shown. */
static void tell_tokens(cam_text_check *check, enum cam_rule rule, const char *field,
                        const cam_count *count, const char *expected)
{
    if (count->num == 0) {
        return;
    }
    fh_finding finding = fh_finding_make(&cam_rules[rule], field);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_scan scan = check->text->scan;
    (void)fh_cursor_seek(&scan.cur, count->off);
    const fh_token token = fh_scan_next(&scan);
    finding.offset = (int64_t)count->off;
    put_place(&finding, count->line, count->column);
    fh_text_str(fh_text_u64(&text, count->num), ", the first ");
    fh_scan_show(&text, &scan, &token);
    cam_put(finding.expected, fh_words(expected));
    fh_reporter_tell(check->reporter, &finding);
}

static void add_count(cam_count *to, const cam_count *from)
{
    if (to->num == 0) {
        *to = *from;
    } else {
        to->num += from->num;
    }
}

static void count_column(cam_count *to, const cam_line *line, unsigned column)
{
    if (to->num++ == 0) {
        to->line = line->number;
        to->column = column;
        to->off = line->columns[column - 1].token.off;
    }
}

static void count_end(cam_text_check *check, const cam_line *line)
{
    const cam_count here = {1, line->number, 0, line->text_end};
    if (!cam_line_has_end(line)) {
        return;
    }
    const uint32_t num = check->num_ends[0] + check->num_ends[1] + check->num_ends[2];
    if (num == 0) {
        check->first_end = line->ends;
    } else if (line->ends != check->first_end) {
        add_count(&check->other_end, &here);
    }
    if (line->ends == CAM_ENDS_CR) {
        add_count(&check->crs, &here);
    }
    check->num_ends[line->ends]++;
}

static void check_index(cam_text_check *check, const cam_line *line)
{
    int32_t index = 0;
    if (!cam_line_index(line, &index)) {
        check->index += check->has_index && check->index < INT32_MAX ? 1 : 0;
        check->has_index = true; /* go on as if it were right */
        return;
    }
    const size_t off = line->columns[0].token.off;
    if (!check->has_index && index != 0 && check->stand_alone) {
        tell_line(check, CAM0007, "index", line, off, fh_dec(index, ""), fh_dec(0, ""));
    } else if (check->has_index && index != (int64_t)check->index + 1 && !check->is_joined) {
        tell_line(check, CAM0008, "index", line, off, fh_dec(index, ""),
                  fh_dec((int64_t)check->index + 1, ""));
    }
    check->has_index = true;
    check->index = index;
}

static const char *expectation(enum cam_rule rule)
{
    switch (rule) {
    case CAM0003:
        return "an integer";
    case CAM0006:
        return "0 or 1";
    case CAM0023:
        return "digits, the first one not 0";
    case CAM0024:
        return "at most 2147483647";
    default:
        return "a decimal number";
    }
}

static void check_column(cam_text_check *check, const cam_line *line, unsigned number)
{
    const cam_column *column = &line->columns[number - 1];
    const char *name = cam_column_name(number);
    if (column->rule != CAM_NUM_RULES) {
        tell_token(check, column->rule, name, line, number, expectation(column->rule));
    }
    if (column->is_out_of_float) {
        tell_token(check, CAM0021, name, line, number, "the range of normal floats");
    }
    const bool is_number = cam_value_of(number) >= 0 && !column->is_bad;
    if (is_number && !column->is_plain && column->rule != CAM0005) {
        count_column(&check->forms, line, number);
    }
    if (column->is_padded) {
        count_column(&check->padded, line, number);
    } else if (column->is_short) {
        count_column(&check->two_digits, line, number);
    }
}

/* Of a line end whose first byte is the last of the file. */
static bool has_half_end(const cam_text *text)
{
    const fh_cursor *cur = &text->scan.cur;
    return text->scan.encoding == FH_ENCODING_UTF16LE &&
           fh_is_line_end(fh_scan_unit_at(*cur, FH_ENCODING_BYTES, cur->pos));
}

/* A row whose last number may lack digits, or only its line end. */
static void check_open_row(cam_text_check *check, const cam_line *line)
{
    const cam_column *last = &line->columns[CAM_COLUMNS - 1];
    const bool is_file_end =
        (check->stand_alone || check->ends_file) && line->ends == CAM_ENDS_BYTES;
    const bool is_whole = last->is_plain && !last->is_bad;
    if (line->ends == CAM_ENDS_LIMIT) {
        return; /* its line end may follow */
    }
    if (is_file_end && is_whole) {
        check->has_half_end = has_half_end(check->text);
        tell_line(check, CAM0015, "line end", line, last->token.off,
                  fh_words(check->has_half_end ? "half of it" : "missing"),
                  fh_words("LF or CR LF"));
    } else {
        tell_token(check, CAM0057, "last number", line, CAM_COLUMNS,
                   "a whole number and a line end");
    }
}

static void check_columns(cam_text_check *check, const cam_line *line)
{
    for (unsigned i = 1; i <= CAM_COLUMNS; i++) {
        check_column(check, line, i);
    }
    if (!cam_line_has_end(line)) {
        check_open_row(check, line);
    }
}

static void tell_num_columns(cam_text_check *check, const cam_line *line)
{
    const bool is_cut = !cam_line_has_end(line) && line->num_columns < CAM_COLUMNS;
    tell_line(check, is_cut ? CAM0002 : CAM0001, "number of columns", line,
              line->columns[0].token.off, fh_dec(line->num_columns, ""), fh_dec(CAM_COLUMNS, ""));
}

/* Where a byte ends the line that is no text, cam_check_stop has a word for it. */
static void check_count(cam_text_check *check, const cam_line *line)
{
    if (cam_line_has_end(line) || line->ends == CAM_ENDS_BYTES) {
        tell_num_columns(check, line);
    }
}

/* Behind the last row a blank line puts no other one out of its place. */
static void check_blank(cam_text_check *check, const cam_line *line)
{
    const cam_count here = {1, line->number, 0, line->off};
    const bool is_behind = check->stand_alone && line->number > 0 &&
                           cam_text_is_over(&check->rest, check->text, line->off);
    if (is_behind) {
        add_count(&check->margins, &here);
    } else if (!check->rest.is_spent) {
        tell_line(check, CAM0009, "columns", line, line->off, fh_words("none"),
                  fh_dec(CAM_COLUMNS, ""));
    }
}

void cam_check_line(cam_text_check *check, const cam_line *line)
{
    count_end(check, line);
    if (cam_line_is_blank(line)) {
        check_blank(check, line);
        return;
    }
    if (line->num_columns == 0 || line->ends == CAM_ENDS_LONG) {
        return; /* cam_check_stop has a word for it */
    }
    if (cam_line_is_comment(check->text, line)) {
        tell_token(check, CAM0010, "first word", line, 1, "an index");
        return;
    }
    check_index(check, line);
    add_count(&check->separators, &line->separators);
    add_count(&check->margins, &line->margins);
    if (line->num_columns == CAM_COLUMNS) {
        check_columns(check, line);
    } else {
        check_count(check, line);
    }
}

void cam_check_missing(cam_text_check *check, const cam_line *line, int32_t first)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_text_s64(&text, first);
    if (first + 1 < line->row.index) {
        fh_text_s64(fh_text_str(&text, " to "), (int64_t)line->row.index - 1);
    }
    tell_line(check, CAM0053, "missing indices", line, line->columns[0].token.off, fh_words(found),
              fh_words("none"));
}

void cam_check_fragment(cam_text_check *check, int64_t first, int64_t last, const cam_line *cut)
{
    static const cam_line at_start = {.number = 0};
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    if (first == 0 && cut == NULL) {
        return;
    }
    fh_text_s64(fh_text_str(fh_text_s64(&text, first), " to "), last);
    if (cut != NULL) {
        fh_text_u64(fh_text_str(&text, ", and "), cut->num_columns);
        fh_text_str(&text, " columns without a line end");
    }
    tell_line(check, CAM0050, "indices", cut != NULL ? cut : &at_start, cut != NULL ? cut->off : 0,
              fh_words(found), fh_words("0 to the last, and whole lines"));
}

void cam_check_tail(cam_text_check *check, const cam_line *line)
{
    if (cam_line_has_end(line)) {
        cam_check_line(check, line);
    }
}

/* The byte that ends a line without being part of it. */
static uint32_t byte_at(const cam_text *text, size_t off)
{
    return (uint32_t)fh_scan_unit_at(text->scan.cur, text->scan.encoding, off);
}

/* Tells of a rest that is all 0, or that nobody paid for; false if it is not. */
static bool tell_padding(cam_text_check *check, const cam_line *line, size_t off)
{
    if (!cam_text_is_padding(check->text, off, &check->rest.is_spent)) {
        return check->rest.is_spent;
    }
    tell_line(check, CAM0017, "NUL bytes", line, off,
              fh_dec((int64_t)(check->text->scan.cur.size - off), ""), fh_dec(0, ""));
    return true;
}

bool cam_check_stop(cam_text_check *check, const cam_line *line)
{
    if (line->ends == CAM_ENDS_LONG) {
        tell_line(check, CAM0018, "characters", line, line->off,
                  fh_dec_after("more than ", CAM_MOST_LINE_UNITS, ""), fh_words("less than 400"));
    } else if (line->ends == CAM_ENDS_HIGH) {
        tell_line(check, CAM0019, "byte", line, line->end, fh_hex(byte_at(check->text, line->end)),
                  fh_words("ASCII"));
    } else {
        const uint32_t byte = byte_at(check->text, line->end);
        if (byte == 0 && tell_padding(check, line, line->end)) {
            if (!check->rest.is_spent && line->num_columns > 0 &&
                line->num_columns != CAM_COLUMNS) {
                tell_num_columns(check, line);
            }
            return false;
        }
        tell_line(check, CAM0016, "byte", line, line->end, fh_hex(byte),
                  fh_words("text or the end of the file"));
    }
    return true;
}

void cam_check_limit(cam_text_check *check, const cam_line *line)
{
    tell_line(check, CAM0063, "work budget", line, line->off, fh_words("spent"),
              fh_words("work in proportion to the length"));
}

void cam_check_nothing(cam_text_check *check)
{
    fh_finding finding = fh_finding_make(&cam_rules[CAM0002], "number of columns");
    finding.offset = 0;
    cam_put(finding.found, fh_dec(0, ""));
    cam_put(finding.expected, fh_dec(CAM_COLUMNS, ""));
    fh_reporter_tell(check->reporter, &finding);
}

/* Whether the last line that was read has its end in front of the half character. */
static bool is_line_ended(const cam_text *text)
{
    const fh_cursor *cur = &text->scan.cur;
    const size_t unit_len = fh_scan_unit_len(text->scan.encoding);
    return cur->pos >= unit_len &&
           fh_is_line_end(fh_scan_unit_at(*cur, text->scan.encoding, cur->pos - unit_len));
}

/* Of CR LF all but the last byte. */
static bool lacks_half_lf(const cam_text *text, const cam_line *last)
{
    const fh_cursor *cur = &text->scan.cur;
    return text->scan.encoding == FH_ENCODING_UTF16LE && last->ends == CAM_ENDS_CR &&
           fh_scan_unit_at(*cur, FH_ENCODING_BYTES, cur->pos) == '\n';
}

void cam_check_half(cam_text_check *check, const cam_line *last)
{
    const cam_text *text = check->text;
    fh_cursor cur = text->scan.cur;
    const size_t off = cur.pos;
    const cam_line line = {.number = is_line_ended(text) ? text->line : last->number};
    if (fh_cursor_left(&cur) == 0 || check->has_half_end) {
        return;
    }
    if (lacks_half_lf(text, last)) {
        tell_line(check, CAM0015, "line end", last, off, fh_words("half of it"),
                  fh_words("LF or CR LF"));
    } else if (!tell_padding(check, &line, off)) {
        tell_line(check, CAM0016, "byte", &line, off, fh_hex(fh_cursor_u8(&cur)),
                  fh_words("a whole UTF-16 unit"));
    }
}

static void tell_encoding(cam_text_check *check)
{
    fh_finding finding = fh_finding_make(&cam_rules[CAM0020], "encoding");
    finding.offset = 0;
    if (check->text->scan.encoding != FH_ENCODING_BYTES) {
        cam_put(finding.found, fh_words(fh_encoding_name(check->text->scan.encoding)));
        cam_put(finding.expected, fh_words("ASCII"));
        fh_reporter_tell(check->reporter, &finding);
    }
    if (check->text->bom_len > 0) {
        finding = fh_finding_make(&cam_rules[CAM0026], "bytes in front of the first line");
        finding.offset = 0;
        cam_put(finding.found, fh_dec((int64_t)check->text->bom_len, ""));
        cam_put(finding.expected, fh_dec(0, ""));
        fh_reporter_tell(check->reporter, &finding);
    }
}

static void tell_ends(cam_text_check *check)
{
    if (check->other_end.num > 0) {
        fh_finding finding = fh_finding_make(&cam_rules[CAM0014], "line ends");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        finding.offset = (int64_t)check->other_end.off;
        put_place(&finding, check->other_end.line, 0);
        fh_text_str(fh_text_u64(&text, check->num_ends[0]), " LF, ");
        fh_text_str(fh_text_u64(&text, check->num_ends[1]), " CR LF, ");
        fh_text_str(fh_text_u64(&text, check->num_ends[2]), " CR");
        cam_put(finding.expected, fh_words("one kind"));
        fh_reporter_tell(check->reporter, &finding);
    }
    tell_count(check, CAM0027, "number of lines that end in CR", &check->crs, "LF or CR LF");
}

void cam_check_whole(cam_text_check *check)
{
    const bool is_mixed = check->padded.num > 0 && check->two_digits.num > 0;
    const bool is_padded_later = check->padded.off > check->two_digits.off;
    tell_encoding(check);
    tell_count(check, CAM0011, "number of separators", &check->separators, "one blank");
    tell_count(check, CAM0025, "number of margins", &check->margins, "none");
    tell_tokens(check, CAM0012, "number of them", &check->forms, "numbers like 1.000000e+00");
    tell_tokens(check, CAM0013, "number of them", &check->padded, "two digits below 1e+100");
    if (is_mixed) {
        tell_tokens(check, CAM0028, "number of those of the second kind",
                    is_padded_later ? &check->padded : &check->two_digits, "one kind");
    }
    tell_ends(check);
}
