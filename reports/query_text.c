#include "reports/query_text.h"

#include "core/number.h"
#include "reports/escape.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Digits of a hash that people are shown: enough to tell a thousand million assets apart. */
#define SHOWN_DIGITS 16u

/* No column is made wider than this for the sake of those behind it. */
#define MOST_WIDTH 100u

/* What is shown of one value. */
#define SHOWN_LEN ((size_t)1024)

/* ---- text ---- */

static bool is_hash(const char *name)
{
    const size_t len = strlen(name);
    return len >= 6 && strcmp(name + len - 6, "sha256") == 0;
}

static bool is_real(const fh_answer_cell *cell)
{
    return cell->is_number && cell->text != NULL && strchr(cell->text, '.') != NULL &&
           strchr(cell->text, 'e') == NULL;
}

/* shown_of writes what people see of a value into a buffer of SHOWN_LEN, ended by NUL. */
static void shown_of(char *shown, const fh_answer_cell *cell)
{
    char digits[SHOWN_DIGITS + 1] = "";
    char real[32];
    const char *value = cell->text == NULL ? "-" : cell->text;
    if (is_hash(cell->name)) {
        memcpy(digits, value, strnlen(value, SHOWN_DIGITS));
        value = digits;
    } else if (is_real(cell)) {
        (void)snprintf(real, sizeof real, "%.2f", fh_number_real(value, strlen(value)).value);
        value = real;
    }
    fh_text text = fh_text_make(shown, SHOWN_LEN);
    fh_escape_into(&text, value);
}

/* The last column ends the line, and needs no room behind it. */
static void put_line(fh_query_text *text, const char *values)
{
    for (size_t i = 0; i < text->num_cells; i++) {
        const bool is_last = i + 1 == text->num_cells;
        const int width = is_last && !text->is_number[i] ? 0 : (int)text->widths[i];
        fh_out_fmt(&text->out, text->is_number[i] ? "%*s%s" : "%-*s%s", width, values,
                   is_last ? "\n" : "  ");
        values += strlen(values) + 1;
    }
}

/* From here on rows are written as they come. */
static void let_flow(fh_query_text *text)
{
    for (size_t at = 0; at < text->kept_len;) {
        put_line(text, text->kept + at);
        for (size_t i = 0; i < text->num_cells; i++) {
            at += strlen(text->kept + at) + 1;
        }
    }
    text->kept_len = 0;
    text->is_flowing = true;
}

static void widen(fh_query_text *text, size_t i, const char *shown)
{
    const size_t len = strlen(shown);
    const unsigned wanted = len > MOST_WIDTH ? MOST_WIDTH : (unsigned)len;
    if (wanted > text->widths[i]) {
        text->widths[i] = wanted;
    }
}

static void text_row(fh_query_text *text, const fh_answer_cell *cells)
{
    static_assert(FH_QUERY_KEPT >= FH_STORE_MAX_CELLS * SHOWN_LEN, "a row fits");
    if (text->kept_len > FH_QUERY_KEPT - text->num_cells * SHOWN_LEN) {
        let_flow(text);
    }
    size_t len = text->kept_len;
    for (size_t i = 0; i < text->num_cells; i++) {
        char *shown = text->kept + len;
        shown_of(shown, &cells[i]);
        if (!text->is_flowing) {
            widen(text, i, shown);
            text->is_number[i] = text->is_number[i] || cells[i].is_number;
        }
        len += strlen(shown) + 1;
    }
    if (text->is_flowing) {
        put_line(text, text->kept);
    } else {
        text->kept_len = len;
    }
}

static void text_columns(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells)
{
    text->num_cells = num_cells;
    for (size_t i = 0; i < num_cells; i++) {
        fh_text name = fh_text_make(text->kept + text->kept_len, SHOWN_LEN);
        fh_text_str(&name, cells[i].name);
        widen(text, i, text->kept + text->kept_len);
        text->kept_len += strlen(text->kept + text->kept_len) + 1;
    }
}

/* ---- JSON ---- */

static bool is_json_number(const fh_answer_cell *cell)
{
    return cell->is_number && strspn(cell->text, "-0123456789.e+") == strlen(cell->text);
}

static void json_row(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells)
{
    fh_out *out = &text->out;
    fh_out_str(out, text->num_rows > 0 ? ",\n{" : "\n{");
    for (size_t i = 0; i < num_cells; i++) {
        fh_out_fmt(out, "%s\"%s\": ", i > 0 ? ", " : "", cells[i].name);
        if (is_json_number(&cells[i])) {
            fh_out_str(out, cells[i].text);
        } else {
            fh_escape_json(out, cells[i].text);
        }
    }
    fh_out_str(out, "}");
}

/* ---- CSV ---- */

static void csv_cell(fh_out *out, const fh_answer_cell *cell)
{
    if (cell->is_number) {
        fh_out_str(out, cell->text);
    } else {
        fh_escape_csv(out, cell->text);
    }
}

/* ---- all ---- */

void fh_query_text_begin(fh_query_text *text, FILE *file, fh_query_format format, const char *name,
                         const char *value)
{
    *text = (fh_query_text){.out = fh_out_make(file), .format = format};
    if (format == FH_QUERY_JSON) {
        fh_out_fmt(&text->out, "{\"type\": \"query\", \"name\": \"%s\", \"value\": ", name);
        fh_escape_json(&text->out, value);
        fh_out_str(&text->out, ", \"rows\": [");
    }
}

void fh_query_text_columns(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells)
{
    if (text->format == FH_QUERY_TEXT) {
        text_columns(text, cells, num_cells);
    }
    for (size_t i = 0; i < num_cells && text->format == FH_QUERY_CSV; i++) {
        fh_out_str(&text->out, cells[i].name);
        fh_out_str(&text->out, i + 1 == num_cells ? "\r\n" : ",");
    }
}

void fh_query_text_row(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells)
{
    for (size_t i = 0; i < num_cells && text->format == FH_QUERY_CSV; i++) {
        csv_cell(&text->out, &cells[i]);
        fh_out_str(&text->out, i + 1 == num_cells ? "\r\n" : ",");
    }
    if (text->format == FH_QUERY_TEXT) {
        text_row(text, cells);
    } else if (text->format == FH_QUERY_JSON) {
        json_row(text, cells, num_cells);
    }
    text->num_rows++;
}

int fh_query_text_end(fh_query_text *text)
{
    if (text->format == FH_QUERY_TEXT) {
        let_flow(text);
        fh_out_count(&text->out, text->num_rows, "row");
        fh_out_str(&text->out, "\n");
    } else if (text->format == FH_QUERY_JSON) {
        fh_out_fmt(&text->out, "%s], \"summary\": {\"rows\": %" PRIu64 "}}\n",
                   text->num_rows > 0 ? "\n" : "", text->num_rows);
    }
    return fh_out_end(&text->out);
}
