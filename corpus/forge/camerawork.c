#include "forge/camerawork.h"

#include "forge/line.h"
#include "forge/repeat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_COLUMNS = 25, TOKEN_LEN = 64, MOST_BLANKS = 8192, MOST_ROWS = 1 << 20 };

#define FULL_CIRCLE 6.283185307179586476925

typedef enum form { FORM_E2, FORM_E3, FORM_GIVEN } form;
typedef enum line_end { END_LF, END_CRLF, END_CR, END_NONE } line_end;
typedef enum encoding { BYTES, UTF16LE, UTF16BE } encoding;

/* A column: a number that is printed, or a token that is copied. */
typedef struct value {
    bool is_token;
    double number;
    const char *at; /* borrowed: of the description */
    size_t len;
} value;

typedef struct script {
    forge_line line;
    forge_repeat repeat;
    const char *text;
    size_t len;
    size_t pos;
    size_t limit;
    forge_buf out; /* characters; encoded at the end */
    form form;
    line_end end;
    encoding encoding;
    bool has_bom;
    bool is_begun;
    bool has_cut;
    bool cut_keeps;
    int64_t cut_len;
    int64_t next_index;
    value defaults[NUM_COLUMNS];
} script;

/* ---- numbers ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits into a number, at most 15 that count, which a double holds exactly. */
static size_t read_digits(const char *at, size_t len, double *number, int *num)
{
    size_t i = 0;
    while (i < len && is_digit(at[i]) && *num < 15) {
        *number = *number * 10 + (at[i] - '0');
        *num += *number > 0 ? 1 : 0;
        i++;
    }
    return i;
}

static size_t read_exponent(const char *at, size_t len, int *power)
{
    const size_t sign = len > 1 && (at[1] == '-' || at[1] == '+') ? 2 : 1;
    double number = 0;
    int num = 0;
    const size_t used = len > sign ? read_digits(at + sign, len - sign, &number, &num) : 0;
    if (used == 0 || number > 400) {
        return 0;
    }
    *power += at[1] == '-' ? -(int)number : (int)number;
    return sign + used;
}

/* Decimal numbers of up to 15 digits, correctly rounded as long as one power of ten of up to 22
 * does it. Everything else is a token. */
static bool read_number(const char *at, size_t len, double *out)
{
    const size_t sign = len > 0 && at[0] == '-' ? 1 : 0;
    double number = 0;
    int num = 0;
    int power = 0;
    size_t i = sign + read_digits(at + sign, len - sign, &number, &num);
    size_t num_digits = i - sign;
    if (i < len && at[i] == '.') {
        const size_t used = read_digits(at + i + 1, len - i - 1, &number, &num);
        power = -(int)used;
        num_digits += used;
        i += 1 + used;
    }
    if (num_digits > 0 && i < len && at[i] == 'e') {
        i += read_exponent(at + i, len - i, &power);
    }
    if (num_digits == 0 || i != len) {
        return false;
    }
    number = power < 0 ? number / pow(10, -power) : number * pow(10, power);
    *out = sign > 0 ? -number : number;
    return true;
}

/* %e as the run-times print it, with at least two or three digits of the exponent. */
static void print_number(const script *s, char text[TOKEN_LEN], double number)
{
    (void)snprintf(text, TOKEN_LEN, "%.6e", number);
    char *e = strchr(text, 'e');
    if (e != NULL && s->form == FORM_E3 && strlen(e) == 4) {
        memmove(e + 3, e + 2, 3);
        e[2] = '0';
    }
}

/* ---- groups of columns ---- */

typedef struct group {
    const char *name;
    unsigned first; /* column, from 1 */
} group;

static const group groups[] = {{"pos", 3},  {"target", 6},   {"top", 9},  {"anchor", 13},
                               {"vel", 17}, {"dtarget", 20}, {"dtop", 23}};

static bool take_value(script *s, value *out)
{
    const forge_word *word = forge_line_next(&s->line);
    if (word == NULL) {
        return forge_line_fail(&s->line, "a value is missing, expected three in a group");
    }
    *out = (value){.is_token = true, .at = word->at, .len = word->len};
    if (word->len > 0 && word->at[0] == '$') {
        int64_t number = 0;
        const forge_range range = {"value", INT32_MIN, INT32_MAX};
        out->is_token = false;
        if (!forge_word_number(&s->line, word, range, &number)) {
            return false;
        }
        out->number = (double)number;
        return true;
    }
    out->is_token =
        word->quoted || s->form == FORM_GIVEN || !read_number(word->at, word->len, &out->number);
    return true;
}

/* Takes `pos X Y Z` and the like, as many as there are. */
static bool take_groups(script *s, value columns[NUM_COLUMNS])
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (!forge_line_accept(&s->line, groups[i].name)) {
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            if (!take_value(s, &columns[groups[i].first - 1 + k])) {
                return false;
            }
        }
        i = (size_t)-1; /* groups come in any order */
    }
    return true;
}

static void set_numbers(value columns[NUM_COLUMNS], unsigned first, double x, double y, double z)
{
    const double numbers[3] = {x, y, z};
    for (unsigned i = 0; i < 3; i++) {
        columns[first - 1 + i] = (value){.number = numbers[i]};
    }
}

/* ---- rows ---- */

static void put_str(script *s, const char *text)
{
    forge_buf_bytes(&s->out, text, strlen(text));
}

static void put_end(script *s, line_end end)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", ""};
    put_str(s, ends[end]);
}

/* What a row says besides its values. */
typedef struct row {
    value columns[NUM_COLUMNS];
    int64_t index;
    bool is_key;
    bool is_anchored;
    int64_t stored; /* column 16 */
    int64_t num;    /* columns that are written */
    int64_t tab;    /* the column in front of which a TAB stands */
    int64_t wide;   /* the column in front of which two blanks stand */
    int64_t front;  /* blanks in front of the first column */
    int64_t back;   /* and behind the last */
    line_end end;
} row;

static row make_row(const script *s)
{
    row out = {.index = s->next_index, .num = NUM_COLUMNS, .end = s->end, .stored = -1};
    memcpy(out.columns, s->defaults, sizeof out.columns);
    return out;
}

/* An integer column, unless an option has given it as a token. */
static void set_integer(row *of, unsigned column, int64_t number)
{
    value *out = &of->columns[column - 1];
    if (!out->is_token) {
        out->number = (double)number;
    }
}

static bool is_integer(unsigned column)
{
    return column == 1 || column == 2 || column == 12 || column == 16;
}

static void put_column(script *s, const row *of, unsigned column)
{
    char text[TOKEN_LEN];
    const value *what = column <= NUM_COLUMNS ? &of->columns[column - 1] : NULL;
    if (what != NULL && what->is_token) {
        forge_buf_bytes(&s->out, what->at, what->len);
        return;
    }
    if (what != NULL && is_integer(column)) {
        (void)snprintf(text, sizeof text, "%.0f", what->number);
    } else {
        print_number(s, text, what == NULL ? 0 : what->number);
    }
    put_str(s, text);
}

static void put_row(script *s, row *of)
{
    set_integer(of, 1, of->index);
    set_integer(of, 2, of->is_key ? 1 : 0);
    set_integer(of, 12, of->is_anchored ? 1 : 0);
    set_integer(of, 16, of->stored >= 0 ? of->stored : of->is_key ? 1 : 0);
    forge_buf_fill(&s->out, ' ', (size_t)of->front);
    for (unsigned i = 1; i <= of->num; i++) {
        if (i > 1) {
            put_str(s, of->tab == i ? "\t" : of->wide == i ? "  " : " ");
        }
        put_column(s, of, i);
    }
    forge_buf_fill(&s->out, ' ', (size_t)of->back);
    put_end(s, of->end);
    s->next_index = of->index + 1;
}

static bool take_choice(script *s, const char *key, const char *const *names, int num, int *out)
{
    forge_word word;
    if (!forge_line_option(&s->line, key, &word)) {
        return true;
    }
    for (int i = 0; i < num; i++) {
        if (forge_word_is(&word, names[i])) {
            *out = i;
            return true;
        }
    }
    return forge_line_fail(&s->line, "%s=%.*s is unknown, expected %s or the like", key,
                           forge_word_width(&word), word.at, names[0]);
}

static bool take_end(script *s, line_end *out)
{
    static const char *const names[] = {"lf", "crlf", "cr", "none"};
    int choice = (int)*out;
    const bool is_good = take_choice(s, "eol", names, 4, &choice);
    *out = (line_end)choice;
    return is_good;
}

/* cK=TOKEN gives a column as it is. */
static bool take_tokens(script *s, row *of)
{
    for (unsigned i = 1; i <= NUM_COLUMNS; i++) {
        char key[8];
        forge_word word;
        (void)snprintf(key, sizeof key, "c%u", i);
        if (forge_line_option(&s->line, key, &word)) {
            of->columns[i - 1] = (value){.is_token = true, .at = word.at, .len = word.len};
        }
    }
    return true;
}

static bool take_layout(script *s, row *of)
{
    const struct {
        const char *name;
        int64_t least, most;
        int64_t *to;
    } options[] = {{"stored", 0, 1, &of->stored},
                   {"columns", 1, 64, &of->num},
                   {"tab", 2, 64, &of->tab},
                   {"wide", 2, 64, &of->wide},
                   {"front", 0, MOST_BLANKS, &of->front},
                   {"back", 0, MOST_BLANKS, &of->back}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const forge_range range = {options[i].name, options[i].least, options[i].most};
        if (!forge_line_option_number(&s->line, range, options[i].to, NULL)) {
            return false;
        }
    }
    return take_end(s, &of->end) && take_tokens(s, of);
}

/* N, + or +K in front of a row. */
static bool take_index(script *s, row *of)
{
    const forge_range range = {"index", INT32_MIN, INT32_MAX};
    const forge_word *word = forge_line_peek(&s->line);
    if (word == NULL || word->len == 0 || word->quoted) {
        return true;
    }
    if (forge_line_accept(&s->line, "+")) {
        return true;
    }
    if (word->at[0] == '+') {
        int64_t add = 0;
        const bool is_good = forge_line_number(&s->line, range, &add);
        of->index = of->index - 1 + add;
        return is_good;
    }
    if (is_digit(word->at[0]) || word->at[0] == '-' || word->at[0] == '$') {
        return forge_line_number(&s->line, range, &of->index);
    }
    return true;
}

static bool do_row(script *s)
{
    row of = make_row(s);
    if (!take_index(s, &of)) {
        return false;
    }
    of.is_key = forge_line_accept(&s->line, "key");
    of.is_anchored = forge_line_accept(&s->line, "anchored");
    if (!take_groups(s, of.columns) || !take_layout(s, &of) || !forge_line_end(&s->line)) {
        return false;
    }
    put_row(s, &of);
    return true;
}

static bool do_set(script *s)
{
    return take_groups(s, s->defaults) && forge_line_end(&s->line);
}

/* ---- paths by formula ---- */

/* The first rows of `line` and `circle`: how many rows, and every how many of them is a key. */
typedef struct course {
    int64_t num;
    int64_t every;
    double step;    /* time between two rows */
    double args[6]; /* of the formula */
} course;

static bool take_reals(script *s, double *out, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const forge_word *word = forge_line_next(&s->line);
        if (word == NULL || word->quoted || !read_number(word->at, word->len, &out[i])) {
            return forge_line_fail(&s->line, "a number is missing, expected %zu of them", num);
        }
    }
    return true;
}

static bool take_course(script *s, course *out, size_t num_args)
{
    const forge_range rows = {"number of rows", 2, MOST_ROWS};
    const forge_range every = {"rows from key to key", 1, MOST_ROWS};
    forge_word step;
    out->step = 1;
    if (!forge_line_number(&s->line, rows, &out->num) ||
        !forge_line_number(&s->line, every, &out->every) || !take_reals(s, out->args, num_args)) {
        return false;
    }
    if (forge_line_option(&s->line, "step", &step) &&
        !(read_number(step.at, step.len, &out->step) && out->step > 0)) {
        return forge_line_fail(&s->line, "step is not a number above 0");
    }
    return forge_line_end(&s->line);
}

static row make_place(const script *s, const course *of, int64_t i)
{
    row out = make_row(s);
    const bool is_end = i == 0 || i + 1 == of->num;
    out.is_key = is_end || i % of->every == 0;
    out.is_anchored = is_end;
    return out;
}

/* From one point to the other at a steady speed. */
static bool do_line(script *s)
{
    course of;
    if (!take_course(s, &of, 6)) {
        return false;
    }
    const double *from = of.args;
    const double *to = of.args + 3;
    const double time = (double)(of.num - 1) * of.step;
    for (int64_t i = 0; i < of.num; i++) {
        row place = make_place(s, &of, i);
        const double u = (double)i / (double)(of.num - 1);
        for (unsigned k = 0; k < 3; k++) {
            place.columns[2 + k] = (value){.number = from[k] + u * (to[k] - from[k])};
            place.columns[16 + k] = (value){.number = (to[k] - from[k]) / time};
        }
        put_row(s, &place);
    }
    return true;
}

/* Around the origin in the plane y = 0, looking at it, up along y. */
static bool do_circle(script *s)
{
    course of;
    if (!take_course(s, &of, 2)) {
        return false;
    }
    const double radius = of.args[0];
    const double turn = of.args[1] / 360 * FULL_CIRCLE / (double)(of.num - 1);
    const double speed = turn / of.step;
    for (int64_t i = 0; i < of.num; i++) {
        row place = make_place(s, &of, i);
        const double x = cos(turn * (double)i);
        const double z = sin(turn * (double)i);
        set_numbers(place.columns, 3, radius * x, 0, radius * z);
        set_numbers(place.columns, 6, -x, 0, -z);
        set_numbers(place.columns, 17, -radius * speed * z, 0, radius * speed * x);
        set_numbers(place.columns, 20, speed * z, 0, -speed * x);
        put_row(s, &place);
    }
    return true;
}

/* ---- anything else ---- */

static bool do_text(script *s)
{
    line_end end = s->end;
    const forge_word *word = forge_line_next(&s->line);
    if (word != NULL) {
        forge_buf_bytes(&s->out, word->at, word->len);
    }
    if (!take_end(s, &end) || !forge_line_end(&s->line)) {
        return false;
    }
    put_end(s, end);
    return true;
}

static bool do_byte(script *s)
{
    const forge_range range = {"byte", 0, UINT8_MAX};
    do {
        int64_t byte = 0;
        if (!forge_line_number(&s->line, range, &byte)) {
            return false;
        }
        forge_buf_u8(&s->out, (uint8_t)byte);
    } while (forge_line_peek(&s->line) != NULL);
    return forge_line_end(&s->line);
}

static bool take_len(script *s, int64_t *out)
{
    const forge_range range = {"number of bytes", 0, FORGE_CAMERAWORK_LIMIT};
    return forge_line_number(&s->line, range, out) && forge_line_end(&s->line);
}

static bool do_zero(script *s)
{
    int64_t num = 0;
    if (!take_len(s, &num)) {
        return false;
    }
    forge_buf_fill(&s->out, 0, (size_t)num);
    return true;
}

static bool do_cut(script *s)
{
    s->cut_keeps = forge_line_accept(&s->line, "to");
    s->has_cut = true;
    return forge_repeat_outside(&s->repeat, &s->line, "cut") && take_len(s, &s->cut_len);
}

static bool do_repeat(script *s)
{
    return forge_repeat_begin(&s->repeat, &s->line, s->pos);
}

static bool do_endrepeat(script *s)
{
    return forge_repeat_end(&s->repeat, &s->line, &s->pos);
}

static bool do_begin(script *s)
{
    static const char *const forms[] = {"e2", "e3", "given"};
    static const char *const encodings[] = {"bytes", "utf16le", "utf16be"};
    static const char *const answers[] = {"no", "yes"};
    int of_form = 0;
    int of_encoding = 0;
    int bom = 0;
    if (s->is_begun) {
        return forge_line_fail(&s->line, "'camerawork' again: a description has one");
    }
    if (!take_choice(s, "form", forms, 3, &of_form) ||
        !take_choice(s, "encoding", encodings, 3, &of_encoding) ||
        !take_choice(s, "bom", answers, 2, &bom) || !take_end(s, &s->end) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    s->form = (form)of_form;
    s->encoding = (encoding)of_encoding;
    s->has_bom = bom == 1;
    s->is_begun = true;
    return true;
}

/* ---- statements ---- */

typedef struct statement {
    const char *name;
    bool (*run)(script *s);
} statement;

static const statement statements[] = {{"camerawork", do_begin},
                                       {"row", do_row},
                                       {"set", do_set},
                                       {"line", do_line},
                                       {"circle", do_circle},
                                       {"text", do_text},
                                       {"byte", do_byte},
                                       {"zero", do_zero},
                                       {"cut", do_cut},
                                       {"repeat", do_repeat},
                                       {"endrepeat", do_endrepeat}};

static bool buffer_is_well(script *s)
{
    if (s->out.state == FORGE_BUF_FULL) {
        return forge_line_fail(&s->line, "the file grows past the output limit of %zu bytes",
                               s->limit);
    }
    return s->out.state == FORGE_BUF_OK ||
           forge_fail(s->line.err, FORGE_IO, s->line.number, "out of memory");
}

static bool run_statement(script *s)
{
    const forge_word *name = forge_line_next(&s->line);
    const size_t num = sizeof statements / sizeof statements[0];
    size_t i = 0;
    while (name != NULL && i < num && !forge_word_is(name, statements[i].name)) {
        i++;
    }
    if (name == NULL || i == num) {
        return forge_line_fail(&s->line,
                               "unknown statement, expected one such as camerawork, row, set, "
                               "line, circle or text");
    }
    if (!s->is_begun && i != 0) {
        return forge_line_fail(&s->line, "'%s' before 'camerawork'", statements[i].name);
    }
    if (s->has_cut) {
        return forge_line_fail(&s->line, "'%s' behind cut, expected the end of the description",
                               statements[i].name);
    }
    return statements[i].run(s) && buffer_is_well(s);
}

static bool step(script *s)
{
    if (!forge_repeat_step(&s->repeat, &s->line) ||
        !forge_line_read(&s->line, s->text, s->len, &s->pos)) {
        return false;
    }
    return s->line.num_words == 0 || run_statement(s);
}

/* Every character becomes a unit of the encoding. */
static bool encode(script *s, forge_buf *out)
{
    const bool is_big = s->encoding == UTF16BE;
    if (s->has_bom) {
        static const char *const marks[] = {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"};
        forge_buf_bytes(out, marks[s->encoding], s->encoding == BYTES ? 3 : 2);
    }
    for (size_t i = 0; i < s->out.len; i++) {
        if (is_big) {
            forge_buf_u8(out, 0);
        }
        forge_buf_u8(out, s->out.data[i]);
        if (s->encoding == UTF16LE) {
            forge_buf_u8(out, 0);
        }
    }
    if (out->state != FORGE_BUF_OK) {
        return forge_line_fail(&s->line, "the file grows past the output limit of %zu bytes",
                               s->limit);
    }
    return true;
}

static bool finish(script *s, forge_buf *out)
{
    if (!forge_repeat_closed(&s->repeat, &s->line)) {
        return false;
    }
    if (!s->is_begun) {
        return forge_line_fail(&s->line, "nothing is described, expected 'camerawork' first");
    }
    if (!encode(s, out)) {
        return false;
    }
    if (s->has_cut && (size_t)s->cut_len > out->len) {
        return forge_line_fail(&s->line, "the file is shorter than that");
    }
    if (s->has_cut) {
        out->len = s->cut_keeps ? (size_t)s->cut_len : out->len - (size_t)s->cut_len;
    }
    return true;
}

bool forge_camerawork_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                           size_t limit)
{
    *out = forge_buf_make(limit);
    script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->out = forge_buf_make(limit);
    s->line.err = err;
    s->text = text;
    s->len = len;
    s->limit = limit;
    set_numbers(s->defaults, 3, 0, 0, 10);
    set_numbers(s->defaults, 6, 0, 0, -1);
    set_numbers(s->defaults, 9, 0, 1, 0);
    bool ok = true;
    while (ok && s->pos < len) {
        ok = step(s);
    }
    ok = ok && finish(s, out);
    forge_buf_free(&s->out);
    free(s);
    return ok;
}
