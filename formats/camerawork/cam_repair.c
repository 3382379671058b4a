#include "camerawork/cam_repair.h"

#include "camerawork/cam_line.h"

#include "core/double.h"
#include "core/never.h"

#include <string.h>

/* All but the index keep every value to the last bit, so that nothing moves otherwise. */
const fh_mend cam_mends[CAM_NUM_MENDS] = {
    {&cam_rules[CAM0007], true},  {&cam_rules[CAM0008], true},  {&cam_rules[CAM0009], true},
    {&cam_rules[CAM0011], false}, {&cam_rules[CAM0012], false}, {&cam_rules[CAM0013], false},
    {&cam_rules[CAM0014], false}, {&cam_rules[CAM0015], false}, {&cam_rules[CAM0017], false},
    {&cam_rules[CAM0020], false}, {&cam_rules[CAM0022], true},  {&cam_rules[CAM0023], false},
    {&cam_rules[CAM0025], false}, {&cam_rules[CAM0026], false}, {&cam_rules[CAM0027], false},
    {&cam_rules[CAM0028], false},
};

enum { SIX_DIGITS = 6 };

/* A row by its index alone. */
typedef struct place {
    bool is_row;
    int32_t index;
    fh_token token;
} place;

typedef struct repair {
    const fh_edit_sink *out;
    cam_text text;
    cam_rest rest; /* whether blank lines are behind the last row */
    fh_line_ends ends;
    uint32_t num_padded; /* exponents of three digits where two suffice */
    uint32_t num_short;
    bool has_last; /* the last line is a row without a line end */
    size_t last_end;
    bool is_last_plain, is_last_padded;
    place places[3]; /* of the last three lines that are not blank */
    uint32_t num_places;
    bool is_spent; /* the budget is */
} repair;

static void edit(repair *run, enum cam_rule rule, const char *field, size_t off, size_t old_len,
                 const char *text)
{
    fh_edit_tell(run->out, &cam_rules[rule], field, off, old_len, text, strlen(text));
}

/* ---- columns ---- */

static void mend_integer(repair *run, const cam_column *column)
{
    char buf[32];
    fh_text text = fh_text_make(buf, sizeof buf);
    const fh_integer number = fh_scan_int(&run->text.scan, &column->token);
    if (column->rule != CAM0023) {
        return;
    }
    edit(run, CAM0023, "integer", column->token.off, column->token.num_units,
         fh_text_s64(&text, number.value)->buf);
}

/* A decimal comma in a number that is otherwise as the program writes it is the point: digits are
 * never parted behind the first one. Quotes around a sound number are no part of it. */
static void mend_writing(repair *run, const cam_column *column)
{
    char buf[CAM_MOST_LINE_UNITS + 1];
    const fh_token *token = &column->token;
    size_t len = fh_scan_read(&run->text.scan, token, buf, sizeof buf);
    const size_t comma = buf[0] == '-' ? 2 : 1;
    if (len > comma + SIX_DIGITS + 1 && buf[comma] == ',' && buf[comma + SIX_DIGITS + 1] == 'e') {
        buf[comma] = '.';
        if (fh_number_real(buf, len).fault == FH_NUMBER_GOOD) {
            edit(run, CAM0022, "number", token->off + comma, 1, ".");
        }
        return;
    }
    if (len > 2 && buf[0] == '"' && buf[len - 1] == '"' &&
        fh_number_real(buf + 1, len - 2).fault == FH_NUMBER_GOOD) {
        edit(run, CAM0022, "number", token->off, 1, "");
        edit(run, CAM0022, "number", token->off + len - 1, 1, "");
    }
}

/* Of a sound number: the form that the program writes, where six digits are enough for the very
 * same number. */
static void mend_form(repair *run, const cam_column *column)
{
    char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    const fh_real number = fh_scan_real(&run->text.scan, &column->token);
    fh_number_put_exp(&text, number.value, SIX_DIGITS);
    if (fh_bits_of(fh_number_real(buf, text.len).value) == fh_bits_of(number.value)) {
        edit(run, CAM0012, "number", column->token.off, column->token.num_units, buf);
    }
}

static void mend_real(repair *run, const cam_column *column)
{
    const fh_token *token = &column->token;
    run->num_padded += column->is_padded ? 1 : 0;
    run->num_short += column->is_short ? 1 : 0;
    if (column->rule == CAM0022) {
        mend_writing(run, column);
    } else if (column->rule != CAM_NUM_RULES) {
        return;
    } else if (column->is_padded) {
        edit(run, CAM0013, "exponent", token->off + token->num_units - 3, 1, "");
    } else if (!column->is_plain) {
        mend_form(run, column);
    }
}

static void mend_columns(repair *run, const cam_line *line)
{
    size_t behind = line->off;
    for (unsigned i = 0; i < CAM_COLUMNS; i++) {
        const cam_column *column = &line->columns[i];
        fh_cursor gap = run->text.scan.cur;
        (void)fh_cursor_seek(&gap, behind);
        const size_t len = column->token.off - behind;
        if (i == 0 && len > 0) {
            edit(run, CAM0025, "margin", behind, len, "");
        } else if (i > 0 && (len != 1 || fh_cursor_u8(&gap) != ' ')) {
            edit(run, CAM0011, "separator", behind, len, " ");
        }
        if (cam_value_of(i + 1) < 0) {
            mend_integer(run, column);
        } else {
            mend_real(run, column);
        }
        behind = column->token.off + column->token.num_units;
    }
}

/* ---- lines ---- */

static size_t end_len(const cam_line *line)
{
    return !cam_line_has_end(line) ? 0 : line->ends == CAM_ENDS_CRLF ? 2 : 1;
}

/* An index between two neighbours that differ by two, or in front of row 1, has one value. */
static void mend_index(repair *run, const place *last, const place *here, const place *next)
{
    char buf[32];
    fh_text text = fh_text_make(buf, sizeof buf);
    if (!here->is_row || !next->is_row || (last != NULL && !last->is_row)) {
        return;
    }
    const int64_t wanted = last == NULL ? 0 : (int64_t)last->index + 1;
    if (next->index == wanted + 1 && here->index != wanted) {
        edit(run, last == NULL ? CAM0007 : CAM0008, "index", here->token.off, here->token.num_units,
             fh_text_s64(&text, wanted)->buf);
    }
}

static void add_place(repair *run, const cam_line *line)
{
    place *here = &run->places[run->num_places % 3];
    *here = (place){.is_row = line->num_columns == CAM_COLUMNS};
    if (here->is_row) {
        here->is_row = cam_line_index(line, &here->index);
        here->token = line->columns[0].token;
    }
    if (run->num_places >= 1) {
        mend_index(run, run->num_places == 1 ? NULL : &run->places[(run->num_places - 2) % 3],
                   &run->places[(run->num_places - 1) % 3], here);
    }
    run->num_places++;
}

static void mend_line(repair *run, const cam_line *line)
{
    const size_t end = line->end - end_len(line);
    run->has_last = false;
    if (cam_line_is_blank(line)) {
        const bool is_behind =
            line->number > 0 && cam_text_is_over(&run->rest, &run->text, line->off);
        /* Rows are numbered, so that no row is lost with it. */
        edit(run, is_behind ? CAM0025 : CAM0009, "blank line", line->off, line->end - line->off,
             "");
        return;
    }
    add_place(run, line);
    if (line->num_columns != CAM_COLUMNS || cam_line_is_comment(&run->text, line)) {
        return;
    }
    mend_columns(run, line);
    if (end > line->text_end) {
        edit(run, CAM0025, "margin", line->text_end, end - line->text_end, "");
    }
    if (line->ends == CAM_ENDS_BYTES) {
        const cam_column *last = &line->columns[CAM_COLUMNS - 1];
        run->has_last = true;
        run->last_end = line->end;
        run->is_last_plain = last->is_plain && last->rule == CAM_NUM_RULES;
        run->is_last_padded = last->is_padded;
    }
}

/* Zeros up to the end of the file, behind a whole row: no text has them. Behind a row that is cut
 * they may stand for the rest of it. */
static bool mend_padding(repair *run, const cam_line *line)
{
    bool is_spent = false;
    const bool is_cut = line->num_columns > 0 && (line->num_columns != CAM_COLUMNS ||
                                                  !line->columns[CAM_COLUMNS - 1].is_plain);
    if (line->ends != CAM_ENDS_CONTROL || is_cut ||
        !cam_text_is_padding(&run->text, line->end, &is_spent)) {
        return false;
    }
    edit(run, CAM0017, "NUL bytes", line->end, run->text.scan.cur.size - line->end, "");
    return true;
}

/* Reads line after line; what no line can hold is left alone. */
static void mend_lines(repair *run)
{
    cam_line line;
    while (!cam_text_at_end(&run->text)) {
        cam_text_line(&run->text, &line);
        if (line.ends == CAM_ENDS_LIMIT) {
            run->is_spent = true;
            return;
        }
        if (mend_padding(run, &line)) {
            return;
        }
        if (line.ends < CAM_ENDS_CONTROL) {
            mend_line(run, &line);
        } else {
            add_place(run, &line);
            cam_text_skip(&run->text);
        }
    }
}

/* ---- line ends ---- */

/* A last row without a line end is whole if its last number has as many digits as the others. */
static void mend_last(repair *run)
{
    const bool is_alike = run->is_last_padded ? run->num_short == 0 : run->num_padded == 0;
    if (run->has_last && run->is_last_plain && is_alike) {
        edit(run, CAM0015, "line end", run->last_end, 0, run->ends.is_crlf ? "\r\n" : "\n");
    }
}

fh_status cam_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options)
{
    repair run = {.out = out};
    (void)options;
    cam_text_begin(&run.text, bytes, env->budget);
    if (run.text.scan.encoding != FH_ENCODING_BYTES) {
        return fh_edit_narrow(out, &cam_rules[CAM0020], &run.text.scan, env->arena, env->budget);
    }
    if (run.text.bom_len > 0) {
        edit(&run, CAM0026, "byte order mark", 0, run.text.bom_len, "");
    }
    mend_lines(&run);
    /* What line ends mean does not hang on their kind; they become what most of them are. */
    if (!fh_edit_line_ends(&run.ends, out, &cam_rules[CAM0014], &cam_rules[CAM0027], bytes,
                           run.text.bom_len, bytes.size, env->budget)) {
        return FH_LIMIT;
    }
    mend_last(&run);
    /* Whoever spent all on the lines could not have paid for their ends. */
    return NEVER(run.is_spent) ? FH_LIMIT : FH_OK;
}
