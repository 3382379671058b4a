#include "camerawork/cam_canonical.h"

#include "camerawork/cam_model.h"

/* Work of a row: 25 numbers, of which the largest and smallest take a long division. */
enum { COST_OF_ROW = 25 * 64 };

/* 11 characters of an integer, 14 of a number, with a blank or the line end each. */
enum { MOST_ROW = CAM_COLUMNS * 16 };

static int32_t integer_of(const cam_row *row, unsigned column)
{
    const bool flag = column == CAM_KEY          ? row->is_key
                      : column == CAM_ANCHOR_KEY ? row->is_anchor_key
                                                 : row->is_stored;
    return column == CAM_INDEX ? row->index : flag ? 1 : 0;
}

static void put_row(const fh_text_sink *out, const cam_row *row)
{
    char line[MOST_ROW];
    fh_text text = fh_text_make(line, sizeof line);
    for (unsigned column = 1; column <= CAM_COLUMNS; column++) {
        const int value = cam_value_of(column);
        fh_text_str(&text, column > 1 ? " " : "");
        if (value < 0) {
            fh_text_s64(&text, integer_of(row, column));
        } else {
            fh_number_put_exp(&text, row->values[value], 6);
        }
    }
    fh_text_str(&text, "\n");
    out->write(out->user, text.buf, text.len);
}

fh_status cam_canonical(const fh_env *env, const fh_text_sink *out, const void *model)
{
    const cam_model *from = model;
    if (!fh_pay(env->budget, 1 + COST_OF_ROW * (uint64_t)from->num_rows)) {
        return FH_LIMIT;
    }
    for (uint32_t i = 0; i < from->num_rows; i++) {
        if (!cam_is_finite(&from->rows[i], 0, CAM_VALUES)) {
            return FH_CORRUPT;
        }
    }
    for (uint32_t i = 0; i < from->num_rows; i++) {
        put_row(out, &from->rows[i]);
    }
    return FH_OK;
}
