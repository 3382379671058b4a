#include "camerawork/cam_check_values.h"

#include "camerawork/cam_maths.h"

/* Of lengths: six digits of each component cost less than 1e-6. */
#define LENGTH_NOTE 1e-5
#define LENGTH_WARNING 1e-3
#define LENGTH_ERROR 1e-1
#define TOP_LENGTH_NOTE 1e-3
#define LEAST_SINE 1e-6
#define MOST_COSINE 1e-5      /* of vectors that should be perpendicular */
#define MOST_RATE_COSINE 1e-3 /* of rates, which are often differences */
#define FULL_CIRCLE 6.283185307179586
#define SAME_FACTOR 1e-3
/* On a circle, with keys at equal angles, the factor is constant as well: the angle between two
 * keys over its sine, from 1 to 2 for angles of up to 108 degrees. */
#define LEAST_FACTOR 0.9
#define MOST_FACTOR 1.9

enum { COST_OF_ROW = 64 };

typedef struct once {
    uint32_t num;
    const cam_row *first;
} once;

typedef struct values {
    cam_check *check;
    const cam_row *first_key;
    const cam_row *last_key;
    uint32_t num_keys;
    uint32_t num_anchor_keys;
    once tilted;     /* CAM0035 */
    once odd_others; /* CAM0037 */
    once flags;      /* CAM0043 */
    once unused;     /* CAM0044 */
} values;

static void count(once *what, const cam_row *row)
{
    if (what->num++ == 0) {
        what->first = row;
    }
}

static double off_one(double length)
{
    return cam_size(length - 1);
}

static bool is_no_direction(double length)
{
    return length < CAM_SHORTEST || off_one(length) > LENGTH_ERROR;
}

static bool is_no_top(const cam_row *row)
{
    const double *target = &row->values[CAM_TARGET];
    const double *top = &row->values[CAM_TOP];
    if (cam_length(top) < CAM_SHORTEST) {
        return true;
    }
    return cam_length(target) >= CAM_SHORTEST && cam_sine(target, top) < LEAST_SINE;
}

static void check_target(cam_check *check, const cam_row *row)
{
    const double length = cam_length(&row->values[CAM_TARGET]);
    const double off = off_one(length);
    enum cam_rule rule = CAM0030;
    if (!(off > LENGTH_NOTE)) {
        return;
    }
    if (is_no_direction(length)) {
        rule = CAM0032;
    } else if (off > LENGTH_WARNING) {
        rule = CAM0031;
    }
    cam_tell_real(check, rule, "length of target", row, 6, length, fh_dec(1, ""));
}

static void check_top(values *all, const cam_row *row)
{
    const double *target = &row->values[CAM_TARGET];
    const double *top = &row->values[CAM_TOP];
    const double length = cam_length(top);
    if (is_no_top(row)) {
        cam_tell_real(all->check, CAM0034, "sine of the angle to target", row, 9,
                      cam_sine(target, top), fh_words("at least 0.000001"));
        return;
    }
    if (off_one(length) > TOP_LENGTH_NOTE) {
        cam_tell_real(all->check, CAM0033, "length of top", row, 9, length, fh_dec(1, ""));
    }
    if (cam_cosine(target, top) > MOST_COSINE) {
        count(&all->tilted, row);
    }
}

static void check_rates(cam_check *check, const cam_row *row)
{
    const double *target = &row->values[CAM_TARGET];
    const double *top = &row->values[CAM_TOP];
    const double *target_rate = &row->values[CAM_TARGET_RATE];
    const double *top_rate = &row->values[CAM_TOP_RATE];
    const double target_cosine = cam_cosine(target, target_rate);
    const double top_cosine = cam_cosine(top, top_rate);
    if (target_cosine > MOST_RATE_COSINE) {
        cam_tell_real(check, CAM0036, "cosine of the angle", row, 20, target_cosine, fh_dec(0, ""));
    }
    if (top_cosine > MOST_RATE_COSINE && off_one(cam_length(top)) <= TOP_LENGTH_NOTE) {
        cam_tell_real(check, CAM0038, "cosine of the angle", row, 23, top_cosine, fh_dec(0, ""));
    }
    const double target_speed = cam_length(target_rate);
    const double top_speed = cam_length(top_rate);
    const bool is_target = target_speed >= top_speed;
    if (target_speed > FULL_CIRCLE || top_speed > FULL_CIRCLE) {
        cam_tell_real(check, CAM0039,
                      is_target ? "length of the rate of target" : "length of the rate of top", row,
                      is_target ? 20 : 23, is_target ? target_speed : top_speed,
                      fh_words("at most 6.283185"));
    }
}

static bool all_zero(const double *vector, unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        if (cam_size(vector[i]) > 0) {
            return false;
        }
    }
    return true;
}

static bool is_same_place(const double a[3], const double b[3])
{
    const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return all_zero(way, 3);
}

static void check_start(cam_check *check, const cam_row *row, const cam_row *next)
{
    if (row->is_stored && all_zero(&row->values[CAM_VEL], 9) && cam_is_finite(next, CAM_POS, 3) &&
        !is_same_place(&row->values[CAM_POS], &next->values[CAM_POS])) {
        cam_tell_row(check, CAM0045, "velocities", row, 17, fh_words("all 0"),
                     fh_dec_after("a way to the key of row ", next->index, ""));
    }
}

static void check_key(values *all, const cam_row *row)
{
    if (!cam_camera_counts(row)) {
        return; /* CAM0005, CAM0064 */
    }
    check_target(all->check, row);
    check_top(all, row);
    if (row->is_stored) {
        check_rates(all->check, row);
    } else if (!all_zero(&row->values[CAM_VEL], 9)) {
        count(&all->unused, row);
    }
    if (row->is_anchor_key && cam_is_finite(row, CAM_ANCHOR, 3) &&
        is_same_place(&row->values[CAM_POS], &row->values[CAM_ANCHOR])) {
        cam_tell_row(all->check, CAM0049, "distance", row, 13, fh_dec(0, ""), fh_words("above 0"));
    }
}

static void look_at_row(values *all, const cam_row *row)
{
    if (row->is_key != row->is_stored) {
        count(&all->flags, row);
    }
    all->num_anchor_keys += row->is_anchor_key ? 1 : 0;
    if (!row->is_key) {
        if (cam_is_finite(row, CAM_TARGET, 6) &&
            (is_no_direction(cam_length(&row->values[CAM_TARGET])) || is_no_top(row))) {
            count(&all->odd_others, row);
        }
        return;
    }
    if (all->last_key != NULL && cam_camera_counts(all->last_key)) {
        check_start(all->check, all->last_key, row);
    }
    all->first_key = all->num_keys == 0 ? row : all->first_key;
    all->last_key = row;
    all->num_keys++;
    check_key(all, row);
}

static void tell_once(const values *all, enum cam_rule rule, const char *field, const once *what,
                      unsigned column, const char *expected)
{
    if (what->num > 0) {
        cam_tell_row(all->check, rule, field, what->first, column,
                     fh_dec(what->num, ", the first here"), fh_words(expected));
    }
}

static void check_ends(const values *all)
{
    const cam_model *model = all->check->model;
    const cam_row *last = &model->rows[model->num_rows - 1];
    const bool is_first = !model->rows[0].is_key;
    if (is_first || !last->is_key) {
        const cam_row *key = is_first ? all->first_key : all->last_key;
        cam_tell_row(
            all->check, CAM0041, is_first ? "first key" : "last key", key, CAM_KEY,
            fh_dec_after("that of row ", key->index, ""),
            fh_dec_after("that of row ", is_first ? model->rows[0].index : last->index, ""));
    }
}

static void check_num_keys(const values *all)
{
    const cam_model *model = all->check->model;
    if (all->num_keys == 0) {
        cam_tell_row(all->check, CAM0040, "number of camera keys", &model->rows[0], CAM_KEY,
                     fh_dec_after("0 in ", model->num_rows, " rows"), fh_words("at least 1"));
    } else if (all->num_keys == 1) {
        cam_tell_row(all->check, CAM0046, "number of camera keys", all->first_key, CAM_KEY,
                     fh_dec(1, ""), fh_words("at least 2"));
    }
    if (all->num_keys > 0) {
        check_ends(all);
    }
    if (all->num_keys > 1 && all->num_keys == model->num_rows) {
        cam_tell_row(all->check, CAM0047, "number of camera keys", &model->rows[0], CAM_KEY,
                     fh_dec_after("", all->num_keys, ", that of the rows"), fh_nothing());
    }
    if (all->num_anchor_keys == 0) {
        cam_tell_row(all->check, CAM0042, "number of anchor keys", &model->rows[0], CAM_ANCHOR_KEY,
                     fh_dec(0, ""), fh_words("at least 1"));
    }
}

/* ---- the factor of stored velocities ---- */

typedef struct factor {
    const cam_row *keys[3]; /* the last three */
    uint32_t num;           /* inner keys so far */
    double value;           /* of the first of them */
    const cam_row *first;
    bool is_constant;
} factor;

/* Stored velocity over that of the neighbours; false if they do not go the same way. */
static bool factor_at(double *out, const factor *of)
{
    const cam_row *row = of->keys[1];
    const double steps = (double)((int64_t)of->keys[2]->index - of->keys[0]->index);
    const double *stored = &row->values[CAM_VEL];
    double way[3];
    double left[3];
    for (unsigned i = 0; i < 3; i++) {
        way[i] = (of->keys[2]->values[i] - of->keys[0]->values[i]) / steps;
    }
    *out = cam_dot(stored, way) / cam_dot(way, way);
    for (unsigned i = 0; i < 3; i++) {
        left[i] = stored[i] - *out * way[i];
    }
    return row->is_stored && cam_is_number(*out) &&
           cam_length(left) <= SAME_FACTOR * cam_length(stored);
}

static void add_to_factor(factor *of, const cam_row *row)
{
    double value = 0;
    of->keys[0] = of->keys[1];
    of->keys[1] = of->keys[2];
    of->keys[2] = row;
    if (of->keys[0] == NULL) {
        return;
    }
    of->is_constant = of->is_constant && factor_at(&value, of);
    if (of->num++ == 0) {
        of->value = value;
        of->first = of->keys[1];
    }
    of->is_constant =
        of->is_constant && cam_size(value - of->value) <= SAME_FACTOR * cam_size(of->value);
}

static void check_factor(const values *all)
{
    const cam_model *model = all->check->model;
    factor of = {.is_constant = true};
    for (uint32_t i = 0; i < model->num_rows && of.is_constant; i++) {
        const cam_row *row = &model->rows[i];
        if (row->is_key) {
            of.is_constant = cam_camera_counts(row);
            add_to_factor(&of, row);
        }
    }
    if (of.is_constant && of.num >= 2 && cam_size(of.value) > 0 &&
        (of.value < LEAST_FACTOR || of.value > MOST_FACTOR)) {
        cam_tell_real(all->check, CAM0048, "factor", of.first, 17, of.value, fh_dec(1, ""));
    }
}

bool cam_check_values(cam_check *check)
{
    const cam_model *model = check->model;
    values all = {.check = check};
    for (uint32_t i = 0; i < model->num_rows; i++) {
        if (!fh_pay(check->budget, COST_OF_ROW)) {
            cam_tell_row(check, CAM0063, "work budget", &model->rows[i], 0, fh_words("spent"),
                         fh_words("work in proportion to the length"));
            return false;
        }
        look_at_row(&all, &model->rows[i]);
    }
    check_num_keys(&all);
    check_factor(&all);
    tell_once(&all, CAM0035, "number of such keys", &all.tilted, 9, "0");
    tell_once(&all, CAM0037, "number of such rows", &all.odd_others, 6, "0");
    tell_once(&all, CAM0043, "number of such rows", &all.flags, CAM_STORED, "0");
    tell_once(&all, CAM0044, "number of such keys", &all.unused, 17, "0");
    return true;
}
