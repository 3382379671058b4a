#include "camerawork/cam_describe.h"

#include "camerawork/cam_model.h"
#include "core/describe_lines.h"

/* Columns in their order. Source: grammar of ZINDAIJI 0.985. */
static const fh_line_word columns[CAM_COLUMNS] = {
    {"row", "index", "of the row, from 0"},
    {"row", "camera_key", "1: the camera has a key here"},
    {"row", "position_x", NULL},
    {"row", "position_y", NULL},
    {"row", "position_z", NULL},
    {"row", "target_x", "the direction that the camera looks in"},
    {"row", "target_y", NULL},
    {"row", "target_z", NULL},
    {"row", "top_x", "the direction that is up"},
    {"row", "top_y", NULL},
    {"row", "top_z", NULL},
    {"row", "anchor_key", "1: the anchor has a key here"},
    {"row", "anchor_x", NULL},
    {"row", "anchor_y", NULL},
    {"row", "anchor_z", NULL},
    {"row", "velocity_flag", "1: the nine columns behind it are used"},
    {"row", "velocity_x", NULL},
    {"row", "velocity_y", NULL},
    {"row", "velocity_z", NULL},
    {"row", "rate_of_target_x", NULL},
    {"row", "rate_of_target_y", NULL},
    {"row", "rate_of_target_z", NULL},
    {"row", "rate_of_top_x", NULL},
    {"row", "rate_of_top_y", NULL},
    {"row", "rate_of_top_z", NULL},
};

static fh_line_word column_of(fh_line_state *state, const uint8_t *text, size_t len)
{
    static const fh_line_word extra = {"row", "extra", "no column of a row"};
    (void)text;
    (void)len;
    return state->number < CAM_COLUMNS ? columns[state->number] : extra;
}

static const fh_line_style style = {.marks = "", .word = column_of, .governance = &cam_governance};

fh_status cam_describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes)
{
    return fh_describe_lines(env, out, &style, bytes);
}
