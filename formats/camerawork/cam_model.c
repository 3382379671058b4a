#include "camerawork/cam_model.h"

#include <assert.h>

const fh_scan_style cam_style = {
    .marks = "", .has_line_ends = true, .most_units = CAM_MOST_LINE_UNITS};

unsigned cam_column_of(unsigned value)
{
    assert(value < CAM_VALUES);
    if (value < CAM_ANCHOR) {
        return value + 3;
    }
    return value < CAM_VEL ? value + 4 : value + 5;
}

int cam_value_of(unsigned column)
{
    assert(column >= 1 && column <= CAM_COLUMNS);
    if (column <= CAM_KEY || column == CAM_ANCHOR_KEY || column == CAM_STORED) {
        return -1;
    }
    if (column < CAM_ANCHOR_KEY) {
        return (int)column - 3;
    }
    return column < CAM_STORED ? (int)column - 4 : (int)column - 5;
}

const char *cam_column_name(unsigned column)
{
    static const char *const names[CAM_COLUMNS] = {"index",
                                                   "camera key",
                                                   "position x",
                                                   "position y",
                                                   "position z",
                                                   "target x",
                                                   "target y",
                                                   "target z",
                                                   "top x",
                                                   "top y",
                                                   "top z",
                                                   "anchor key",
                                                   "anchor x",
                                                   "anchor y",
                                                   "anchor z",
                                                   "velocity flag",
                                                   "velocity x",
                                                   "velocity y",
                                                   "velocity z",
                                                   "rate of target x",
                                                   "rate of target y",
                                                   "rate of target z",
                                                   "rate of top x",
                                                   "rate of top y",
                                                   "rate of top z"};
    assert(column >= 1 && column <= CAM_COLUMNS);
    return names[column - 1];
}

bool cam_is_finite(const cam_row *row, unsigned first, unsigned num)
{
    const uint32_t mask = (((uint32_t)1 << num) - 1) << first;
    return (row->not_finite & mask) == 0;
}

bool cam_camera_counts(const cam_row *row)
{
    return cam_is_finite(row, CAM_POS, 9) && (!row->is_stored || cam_is_finite(row, CAM_VEL, 9));
}

void cam_put(char text[FH_EVIDENCE_LEN], fh_value value)
{
    fh_text out = fh_text_make(text, FH_EVIDENCE_LEN);
    fh_value_write(&out, value);
}

/* Reads the row once more, up to the column. */
static size_t find_column(const cam_model *model, const cam_row *row, unsigned column)
{
    fh_scan scan = fh_scan_make(model->bytes, model->encoding, &cam_style);
    (void)fh_cursor_seek(&scan.cur, row->off);
    fh_token token = fh_scan_next(&scan);
    for (unsigned i = 1; i < column; i++) {
        token = fh_scan_next(&scan);
    }
    return token.off;
}

static fh_finding row_finding(const cam_check *check, enum cam_rule rule, const char *field,
                              const cam_row *row, unsigned column)
{
    fh_finding finding = fh_finding_make(&cam_rules[rule], field);
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    finding.frame = row - check->model->rows;
    finding.offset = (int64_t)row->off;
    fh_text_u64(fh_text_str(&text, "line "), (uint64_t)row->line + 1);
    if (column > 0) {
        fh_text_u64(fh_text_str(&text, ", value "), column);
        if (!fh_reporter_is_full(check->reporter, rule)) {
            finding.offset = (int64_t)find_column(check->model, row, column);
        }
    }
    return finding;
}

void cam_tell_row(const cam_check *check, enum cam_rule rule, const char *field, const cam_row *row,
                  unsigned column, fh_value found, fh_value expected)
{
    fh_finding finding = row_finding(check, rule, field, row, column);
    cam_put(finding.found, found);
    cam_put(finding.expected, expected);
    fh_reporter_tell(check->reporter, &finding);
}

void cam_tell_real(const cam_check *check, enum cam_rule rule, const char *field,
                   const cam_row *row, unsigned column, double found, fh_value expected)
{
    fh_finding finding = row_finding(check, rule, field, row, column);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    cam_text_real(&text, found);
    cam_put(finding.expected, expected);
    fh_reporter_tell(check->reporter, &finding);
}

void cam_text_real(fh_text *text, double value)
{
    const double largest = 1.7976931348623157e308;
    if (value > 0 || value < 0) {
        if (value > largest || value < -largest) {
            fh_text_str(text, value < 0 ? "-inf" : "inf");
        } else {
            fh_number_put_exp(text, value, 6);
        }
        return;
    }
    fh_text_str(text, value == value ? "0" : "nan");
}
