#include "reports/query_text.h"

#include "reports/escape.h"

#include <inttypes.h>
#include <string.h>

/* Digits of a hash that people are shown: enough to tell a thousand million assets apart. */
#define SHOWN_DIGITS 16u

/* Columns of text and of numbers, unless their names are longer. */
#define TEXT_WIDTH 10u
#define NUMBER_WIDTH 9u

/* What is shown of one value. */
#define SHOWN_LEN ((size_t)1024)

/* ---- text ---- */

static bool is_hash(const char *name)
{
    const size_t len = strlen(name);
    return len >= 6 && strcmp(name + len - 6, "sha256") == 0;
}

static size_t width_of(const fh_answer_cell *cell)
{
    const size_t usual = is_hash(cell->name) ? SHOWN_DIGITS
                         : cell->is_number   ? NUMBER_WIDTH
                                             : TEXT_WIDTH;
    const size_t len = strlen(cell->name);
    return len > usual ? len : usual;
}

/* The last column ends the line, and needs no room behind it. */
static void put_cell(fh_out *out, const fh_answer_cell *cell, const char *shown, bool is_last)
{
    const int width = is_last && !cell->is_number ? 0 : (int)width_of(cell);
    fh_out_fmt(out, cell->is_number ? "%*s%s" : "%-*s%s", width, shown, is_last ? "\n" : "  ");
}

static void text_cell(fh_out *out, const fh_answer_cell *cell, bool is_last)
{
    char shown[SHOWN_LEN];
    char digits[SHOWN_DIGITS + 1] = "";
    const char *value = cell->text == NULL ? "-" : cell->text;
    if (is_hash(cell->name)) {
        memcpy(digits, value, strnlen(value, SHOWN_DIGITS));
        value = digits;
    }
    fh_text text = fh_text_make(shown, sizeof shown);
    fh_escape_into(&text, value);
    put_cell(out, cell, shown, is_last);
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
    for (size_t i = 0; i < num_cells; i++) {
        if (text->format == FH_QUERY_TEXT) {
            put_cell(&text->out, &cells[i], cells[i].name, i + 1 == num_cells);
        } else if (text->format == FH_QUERY_CSV) {
            fh_out_str(&text->out, cells[i].name);
            fh_out_str(&text->out, i + 1 == num_cells ? "\r\n" : ",");
        }
    }
}

void fh_query_text_row(fh_query_text *text, const fh_answer_cell *cells, size_t num_cells)
{
    for (size_t i = 0; i < num_cells && text->format != FH_QUERY_JSON; i++) {
        if (text->format == FH_QUERY_TEXT) {
            text_cell(&text->out, &cells[i], i + 1 == num_cells);
        } else {
            csv_cell(&text->out, &cells[i]);
            fh_out_str(&text->out, i + 1 == num_cells ? "\r\n" : ",");
        }
    }
    if (text->format == FH_QUERY_JSON) {
        json_row(text, cells, num_cells);
    }
    text->num_rows++;
}

int fh_query_text_end(fh_query_text *text)
{
    if (text->format == FH_QUERY_TEXT) {
        fh_out_count(&text->out, text->num_rows, "row");
        fh_out_str(&text->out, "\n");
    } else if (text->format == FH_QUERY_JSON) {
        fh_out_fmt(&text->out, "%s], \"summary\": {\"rows\": %" PRIu64 "}}\n",
                   text->num_rows > 0 ? "\n" : "", text->num_rows);
    }
    return fh_out_end(&text->out);
}
