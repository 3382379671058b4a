#include "reports/pose_writer.h"

#include "reports/escape.h"
#include "reports/real.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_DIGITS 6
#define TEXT_WIDTH 11 /* of a column, unless its name is longer: a sign and ten digits */

/* format_value returns false for a value that there is not; text then is left alone. */
static bool format_value(char text[FH_REAL_LEN], const fh_column *column, fh_pose_value value,
                         int num_digits)
{
    if (!fh_is_real_column(column->type) && value.i != FH_UNKNOWN) {
        fh_text number = fh_text_make(text, FH_REAL_LEN);
        fh_text_s64(&number, value.i);
        return true;
    }
    if (fh_is_real_column(column->type) && isfinite(value.r)) {
        fh_real_text(text, value.r, num_digits);
        return true;
    }
    return false;
}

/* Text */

static void text_begin(fh_out *out, const fh_pose_header *header)
{
    fh_escape_text(out, header->path);
    fh_out_str(out, ": ");
    fh_escape_text(out, header->format);
    if (header->evaluator != NULL) {
        fh_out_str(out, ", ");
        fh_escape_text(out, header->evaluator);
    }
    fh_out_str(out, "\n");
}

static int column_width(const fh_column *column)
{
    int len = (int)strlen(column->name);
    return len > TEXT_WIDTH ? len : TEXT_WIDTH;
}

static void text_row(fh_out *out, const fh_pose_table *table, const fh_pose_value *values)
{
    for (size_t i = 0; i < table->num_columns; i++) {
        char text[FH_REAL_LEN] = "-";
        (void)format_value(text, &table->columns[i], values[i], SHOWN_DIGITS);
        fh_out_fmt(out, "  %*s", column_width(&table->columns[i]), text);
    }
    fh_out_str(out, "\n");
}

static void text_table(fh_out *out, const fh_pose_rows *rows)
{
    const fh_pose_table *table = rows->table;
    fh_out_fmt(out, "  %s\n", table->name);
    for (size_t i = 0; i < table->num_columns; i++) {
        fh_out_fmt(out, "  %*s", column_width(&table->columns[i]), table->columns[i].name);
    }
    fh_out_str(out, "\n");
    for (size_t r = 0; r < rows->num_rows; r++) {
        text_row(out, table, rows->values + r * table->num_columns);
    }
}

static void text_frame(fh_pose_writer *writer)
{
    fh_out_fmt(&writer->out, "frame %" PRIu32 " (number %" PRIu32 ")\n", writer->frame.index,
               writer->frame.number);
    for (size_t t = 0; t < writer->num_tables; t++) {
        if (writer->rows[t].num_rows > 0) {
            text_table(&writer->out, &writer->rows[t]);
        }
    }
}

/* CSV */

static void csv_names(fh_out *out, const fh_pose_table *table)
{
    fh_out_str(out, "table,frame,number");
    for (size_t i = 0; i < table->num_columns; i++) {
        fh_out_fmt(out, ",%s", table->columns[i].name);
    }
    fh_out_str(out, "\n");
}

static void csv_row(fh_pose_writer *writer, const fh_pose_table *table, const fh_pose_value *values)
{
    fh_out_fmt(&writer->out, "%s,%" PRIu32 ",%" PRIu32, table->name, writer->frame.index,
               writer->frame.number);
    for (size_t i = 0; i < table->num_columns; i++) {
        char text[FH_REAL_LEN] = "";
        (void)format_value(text, &table->columns[i], values[i], FH_EXACT_DIGITS);
        fh_out_fmt(&writer->out, ",%s", text);
    }
    fh_out_str(&writer->out, "\n");
}

static void csv_frame(fh_pose_writer *writer)
{
    for (size_t t = 0; t < writer->num_tables; t++) {
        fh_pose_rows *rows = &writer->rows[t];
        if (rows->num_rows > 0 && !rows->named) {
            csv_names(&writer->out, rows->table);
            rows->named = true;
        }
        for (size_t r = 0; r < rows->num_rows; r++) {
            csv_row(writer, rows->table, rows->values + r * rows->table->num_columns);
        }
    }
}

/* JSON */

static void json_begin(fh_out *out, const fh_pose_header *header)
{
    fh_out_str(out, "{\"path\": ");
    fh_escape_json(out, header->path);
    fh_out_str(out, ", \"format\": ");
    fh_escape_json(out, header->format);
    fh_out_str(out, ", \"evaluator\": ");
    fh_escape_json(out, header->evaluator);
    fh_out_str(out, ", \"frames\": [");
}

void fh_pose_put_json(fh_out *out, const fh_column *column, fh_pose_value value)
{
    char text[FH_REAL_LEN] = "null";
    (void)format_value(text, column, value, FH_EXACT_DIGITS);
    fh_out_str(out, text);
}

static void json_row(fh_out *out, const fh_pose_table *table, const fh_pose_value *values)
{
    fh_out_str(out, "{");
    for (size_t i = 0; i < table->num_columns; i++) {
        fh_out_fmt(out, "%s\"%s\": ", i == 0 ? "" : ", ", table->columns[i].name);
        fh_pose_put_json(out, &table->columns[i], values[i]);
    }
    fh_out_str(out, "}");
}

static void json_table(fh_out *out, const fh_pose_rows *rows)
{
    fh_out_fmt(out, ", \"%s\": [", rows->table->name);
    for (size_t r = 0; r < rows->num_rows; r++) {
        fh_out_str(out, r == 0 ? "\n  " : ",\n  ");
        json_row(out, rows->table, rows->values + r * rows->table->num_columns);
    }
    fh_out_str(out, "]");
}

static void json_frame(fh_pose_writer *writer)
{
    fh_out_fmt(&writer->out, "%s\n{\"index\": %" PRIu32 ", \"number\": %" PRIu32,
               writer->num_frames == 0 ? "" : ",", writer->frame.index, writer->frame.number);
    for (size_t t = 0; t < writer->num_tables; t++) {
        if (writer->rows[t].num_rows > 0) {
            json_table(&writer->out, &writer->rows[t]);
        }
    }
    fh_out_str(&writer->out, "}");
}

/* The forms, in the order of fh_pose_form. */
static const struct {
    void (*begin)(fh_out *out, const fh_pose_header *header); /* NULL: nothing */
    void (*frame)(fh_pose_writer *writer);
    const char *end;
} forms[] = {
    [FH_POSE_TEXT] = {text_begin, text_frame, ""},
    [FH_POSE_CSV] = {NULL, csv_frame, ""},
    [FH_POSE_JSON] = {json_begin, json_frame, "]}\n"},
};

void fh_pose_writer_begin(fh_pose_writer *writer, FILE *file, fh_pose_form form,
                          const fh_pose_header *header)
{
    assert(form <= FH_POSE_JSON);
    *writer = (fh_pose_writer){.out = fh_out_make(file), .form = form};
    if (forms[form].begin != NULL) {
        forms[form].begin(&writer->out, header);
    }
}

static void close_frame(fh_pose_writer *writer)
{
    if (!writer->in_frame) {
        return;
    }
    forms[writer->form].frame(writer);
    writer->num_frames++;
    writer->in_frame = false;
    for (size_t t = 0; t < writer->num_tables; t++) {
        writer->rows[t].num_rows = 0;
    }
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    fh_pose_writer *writer = user;
    close_frame(writer);
    writer->frame = *frame;
    writer->in_frame = true;
}

static void fail(fh_pose_writer *writer, int error)
{
    if (writer->out.error == 0) {
        writer->out.error = error;
    }
}

/* rows_of finds the rows of a table by its name, which is what the output knows it by. */
static fh_pose_rows *rows_of(fh_pose_writer *writer, const fh_pose_table *table)
{
    for (size_t t = 0; t < writer->num_tables; t++) {
        if (strcmp(writer->rows[t].table->name, table->name) == 0) {
            assert(writer->rows[t].table->num_columns == table->num_columns);
            return &writer->rows[t];
        }
    }
    if (writer->num_tables == FH_POSE_WRITER_TABLES) {
        return NULL;
    }
    fh_pose_rows *rows = &writer->rows[writer->num_tables++];
    rows->table = table;
    return rows;
}

static bool make_room(fh_pose_rows *rows)
{
    if (rows->num_rows < rows->capacity) {
        return true;
    }
    size_t capacity = rows->capacity == 0 ? 16 : 2 * rows->capacity;
    fh_pose_value *values =
        reallocarray(rows->values, capacity, rows->table->num_columns * sizeof *values);
    if (values == NULL) {
        return false;
    }
    rows->values = values;
    rows->capacity = capacity;
    return true;
}

static void on_pose(void *user, const fh_pose_row *row)
{
    fh_pose_writer *writer = user;
    assert(writer->in_frame && row->table->num_columns > 0);
    if (writer->out.error != 0) {
        return;
    }
    fh_pose_rows *rows = rows_of(writer, row->table);
    if (rows == NULL || !make_room(rows)) {
        fail(writer, rows == NULL ? EOVERFLOW : ENOMEM);
        return;
    }
    size_t num_columns = row->table->num_columns;
    memcpy(rows->values + rows->num_rows * num_columns, row->values,
           num_columns * sizeof *row->values);
    rows->num_rows++;
}

fh_sink fh_pose_writer_sink(fh_pose_writer *writer)
{
    return (fh_sink){.user = writer, .finding = NULL, .frame = on_frame, .pose = on_pose};
}

int fh_pose_writer_end(fh_pose_writer *writer)
{
    close_frame(writer);
    fh_out_str(&writer->out, forms[writer->form].end);
    for (size_t t = 0; t < writer->num_tables; t++) {
        free(writer->rows[t].values);
        writer->rows[t].values = NULL;
    }
    writer->num_tables = 0;
    return fh_out_end(&writer->out);
}
