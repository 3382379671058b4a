#include "camerawork/cam_replay.h"

#include "camerawork/cam_path.h"
#include "core/double.h"
#include "core/shown.h"

#include <assert.h>
#include <string.h>

const char *const cam_profile_names[] = {"hermite", NULL};
const char *const cam_evaluator_names[] = {"camerawork-hermite 1"};

#define REAL_COLUMN(name)                                                                          \
    {                                                                                              \
        name, FH_COLUMN_REAL                                                                       \
    }
#define NAME_COLUMN(name)                                                                          \
    {                                                                                              \
        name, FH_COLUMN_NAME                                                                       \
    }
#define INT_COLUMN(name)                                                                           \
    {                                                                                              \
        name, FH_COLUMN_INT                                                                        \
    }
#define VECTOR_COLUMNS(name) REAL_COLUMN(name "_x"), REAL_COLUMN(name "_y"), REAL_COLUMN(name "_z")

static const fh_column camera_columns[] = {NAME_COLUMN("row"),       VECTOR_COLUMNS("position"),
                                           VECTOR_COLUMNS("target"), VECTOR_COLUMNS("top"),
                                           VECTOR_COLUMNS("right"),  VECTOR_COLUMNS("up"),
                                           NAME_COLUMN("is_key"),    NAME_COLUMN("held")};
static const fh_column anchor_columns[] = {NAME_COLUMN("row"), VECTOR_COLUMNS("position"),
                                           NAME_COLUMN("is_key"), NAME_COLUMN("held")};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
enum {
    NUM_CAMERA_COLUMNS = LENGTH(camera_columns),
    NUM_ANCHOR_COLUMNS = LENGTH(anchor_columns),
    COST_OF_ROW = 64
};

static const fh_pose_table camera_table = {"camera", camera_columns, NUM_CAMERA_COLUMNS};
static const fh_pose_table anchor_table = {"anchor", anchor_columns, NUM_ANCHOR_COLUMNS};

enum { HELD_OUTSIDE = 1, HELD_TARGET = 2, HELD_SIDES = 4, HELD_TOP = 8 };

#define NEAR_ZERO 1e-3
#define LEAST_SINE 1e-6
#define SHORTEST_TOP 1e-6 /* relative to what it is elsewhere between the keys */
#define MOST_OVERSHOOT 10.0
#define PRINTED_UNIT 1e-6 /* the last digit of the program's numbers */
#define NO_BOUND 1.7976931348623157e308

/* One list on its way through the rows. */
typedef struct track {
    cam_path path;
    uint32_t next;  /* the first key that is not behind the row */
    fh_shown shown; /* the one row that there is at a time */
} track;

typedef struct replay {
    const cam_model *model;
    const fh_sink *sink;
    const fh_replay_options *options;
    cam_check check;
    track camera;
    track anchor;
    /* The last directions that there were. */
    double target[3], top[3], right[3], up[3];
} replay;

/* ---- what is said of keys and segments ---- */

static const cam_row *row_of(const cam_path *path, uint32_t key)
{
    return &path->model->rows[path->keys[key].row];
}

static unsigned first_bad_column(const cam_row *row, unsigned first, unsigned num)
{
    for (unsigned i = first; i < first + num; i++) {
        if (!cam_is_finite(row, i, 1)) {
            return cam_column_of(i);
        }
    }
    return 0;
}

static void check_holes(replay *run, const cam_path *path, bool is_anchor)
{
    for (uint32_t i = 0; i < path->num_keys; i++) {
        const cam_row *row = row_of(path, i);
        if (!path->keys[i].is_hole) {
            continue;
        }
        unsigned column =
            is_anchor ? first_bad_column(row, CAM_ANCHOR, 3) : first_bad_column(row, CAM_POS, 9);
        column = column == 0 ? first_bad_column(row, CAM_VEL, 9) : column;
        cam_tell_row(&run->check, CAM0064, cam_column_name(column), row, column,
                     fh_words("not finite"), fh_words("a number"));
    }
}

/* The grammar does not say what happens outside of the keys: a motion that starts at once there is
 * worth a note, one that starts with the file is not. */
static void check_one_sided(replay *run, const cam_path *path)
{
    const uint32_t last = path->num_keys - 1;
    for (uint32_t i = 0; i<path->num_keys; i += last> 0 ? last : 1) {
        const cam_key *key = &path->keys[i];
        const bool is_end = key->row == 0 || key->row + 1 == run->model->num_rows;
        if (key->is_one_sided && !is_end) {
            cam_tell_row(&run->check, CAM0067, i == 0 ? "first key" : "last key", row_of(path, i),
                         0, fh_words("inside of the file"),
                         fh_words(i == 0 ? "the first row" : "the last row"));
        }
    }
}

static bool is_segment(const cam_path *path, uint32_t first)
{
    return !path->keys[first].is_hole && !path->keys[first + 1].is_hole;
}

static bool has_rate(const cam_key *key)
{
    for (unsigned i = 0; i < CAM_CAMERA_PARTS; i++) {
        if (cam_size(key->rate[i]) > 0) {
            return true;
        }
    }
    return false;
}

static void check_time_step(replay *run)
{
    const cam_path *path = &run->camera.path;
    for (uint32_t i = 0; i + 1 < path->num_keys && !(run->options->time_step > 0); i++) {
        const cam_key *key = &path->keys[i];
        for (unsigned k = 0; k < 2 && is_segment(path, i); k++) {
            if (key[k].is_stored && has_rate(&key[k])) {
                cam_tell_row(&run->check, CAM0062, "first key with a stored velocity",
                             row_of(path, i + k), 17,
                             fh_dec_after("that of row ", row_of(path, i + k)->index, ""),
                             fh_words("a step interval (--time-step)"));
                return;
            }
        }
    }
}

/* Three components, and how large they get at most: vectors of any size are judged alike. */
static double read_vector(cam_poly out[3], const cam_path *path, uint32_t first, unsigned part)
{
    double most = 0;
    for (unsigned i = 0; i < 3; i++) {
        out[i] = cam_path_poly(path, first, part + i);
        for (unsigned k = 0; k <= out[i].degree; k++) {
            const double size = cam_size(out[i].c[k]);
            most = size > most || !cam_is_number(size) ? size : most;
        }
    }
    return most;
}

static cam_poly dot_poly(const cam_poly a[3], const cam_poly b[3])
{
    cam_poly sum = cam_poly_product(&a[0], &b[0]);
    for (unsigned i = 1; i < 3; i++) {
        const cam_poly part = cam_poly_product(&a[i], &b[i]);
        sum = cam_poly_add(&sum, 1, &part);
    }
    return sum;
}

static cam_poly minor_poly(const cam_poly a[3], const cam_poly b[3], unsigned k, unsigned l)
{
    const cam_poly plus = cam_poly_product(&a[k], &b[l]);
    const cam_poly minus = cam_poly_product(&a[l], &b[k]);
    return cam_poly_add(&plus, -1, &minus);
}

static void cross_poly(cam_poly out[3], const cam_poly a[3], const cam_poly b[3])
{
    out[0] = minor_poly(a, b, 1, 2);
    out[1] = minor_poly(a, b, 2, 0);
    out[2] = minor_poly(a, b, 0, 1);
}

static void divide_all(cam_poly out[3], double by)
{
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k <= out[i].degree; k++) {
            out[i].c[k] /= by;
        }
    }
}

/* Tells something about a place between two keys. */
static void tell_between(replay *run, enum cam_rule rule, const char *field, uint32_t first,
                         double at, double found, const char *expected)
{
    const cam_path *path = &run->camera.path;
    const cam_key *key = &path->keys[first];
    const double row = (double)key->row + at * (double)(key[1].row - key->row);
    const uint32_t before = (uint32_t)row;
    const uint32_t last = key[1].row;
    cam_tell_real(&run->check, rule, field, &run->model->rows[before < last ? before : last], 0,
                  found, fh_words(expected));
}

static bool is_good_key(const cam_row *row)
{
    const double *target = &row->values[CAM_TARGET];
    return cam_length(target) >= NEAR_ZERO && cam_sine(target, &row->values[CAM_TOP]) >= LEAST_SINE;
}

/* The sine of the angle between two interpolated vectors. */
static double sine_at(const cam_poly a[3], const cam_poly b[3], double u)
{
    double x[3];
    double y[3];
    for (unsigned i = 0; i < 3; i++) {
        x[i] = cam_poly_at(&a[i], u);
        y[i] = cam_poly_at(&b[i], u);
    }
    return cam_sine(x, y);
}

/* Target does not vanish between the keys; both vectors are scaled so that their coefficients are
 * at most 1. */
static void check_parallel(replay *run, uint32_t first, const cam_poly target[3],
                           const cam_poly top[3])
{
    cam_poly cross[3];
    double at = 0;
    const double shortest = SHORTEST_TOP * SHORTEST_TOP;
    const cam_poly target_squared = dot_poly(target, target);
    const cam_poly top_squared = dot_poly(top, top);
    const double least = cam_poly_least(&top_squared, shortest, &at, run->check.budget);
    if (least < shortest) {
        tell_between(run, CAM0061, "least length of top, relative to the largest", first, at,
                     fh_sqrt(least), "a direction");
        return;
    }
    cross_poly(cross, target, top);
    const cam_poly sine = dot_poly(cross, cross);
    const cam_poly both = cam_poly_product(&target_squared, &top_squared);
    const cam_poly gap = cam_poly_add(&sine, -LEAST_SINE * LEAST_SINE, &both);
    if (cam_poly_least(&gap, 0, &at, run->check.budget) < 0) {
        tell_between(run, CAM0061, "least sine of the angle", first, at, sine_at(target, top, at),
                     "at least 0.000001");
    }
}

static void check_directions(replay *run, uint32_t first)
{
    const cam_path *path = &run->camera.path;
    cam_poly target[3];
    cam_poly top[3];
    double at = 0;
    if (!is_good_key(row_of(path, first)) || !is_good_key(row_of(path, first + 1))) {
        return; /* that is told of the key */
    }
    const double target_size = read_vector(target, path, first, CAM_TARGET);
    const double top_size = read_vector(top, path, first, CAM_TOP);
    if (!cam_is_number(target_size) || !cam_is_number(top_size)) {
        return; /* CAM0065 */
    }
    divide_all(target, target_size);
    divide_all(top, top_size);
    const double bound = NEAR_ZERO / target_size;
    const cam_poly squared = dot_poly(target, target);
    const double least = cam_poly_least(&squared, bound * bound, &at, run->check.budget);
    if (least < bound * bound) {
        tell_between(run, CAM0060, "least length of target", first, at,
                     fh_sqrt(least) * target_size, "at least 0.001");
    } else {
        check_parallel(run, first, target, top);
    }
}

/* How far a component leaves the box of its ends, and the size of the box. */
static double excess_of(const cam_poly *poly, double *box, double *at, fh_budget *budget)
{
    const double a = poly->c[0];
    const double b = poly->c[poly->degree];
    const double low = a < b ? a : b;
    const double high = a < b ? b : a;
    const cam_poly zero = {.degree = poly->degree};
    const cam_poly turned = cam_poly_add(&zero, -1, poly);
    double high_at = 0;
    const double below = low - cam_poly_least(poly, NO_BOUND, at, budget);
    const double above = -cam_poly_least(&turned, NO_BOUND, &high_at, budget) - high;
    *box = high - low;
    *at = above > below ? high_at : *at;
    return above > below ? above : below;
}

/* Whether a stored velocity carries the camera away from where a key is. */
static bool is_driven(const cam_key *key)
{
    return key->is_stored && (key->rate[0] != 0 || key->rate[1] != 0 || key->rate[2] != 0);
}

/* How far a camera may be from where a number with six digits behind the point says. */
static double printed_least(const cam_key *key)
{
    double most = 1;
    for (unsigned i = 0; i < 3; i++) {
        const double at = key->at[CAM_POS + i];
        const double size = at < 0 ? -at : at;
        most = size > most ? size : most;
    }
    return most * PRINTED_UNIT;
}

/* Of a box without size every way out that its numbers show is too far. Where automatic velocities
 * lead out of one, that is not for a wrong interval: the path does not hang on it. */
static void tell_overshoot(replay *run, uint32_t first, double at, double excess, double box)
{
    const cam_key *keys = &run->camera.path.keys[first];
    const double factor = excess / box;
    if (box > 0 && factor > MOST_OVERSHOOT && cam_is_number(factor)) {
        tell_between(run, CAM0066, "way outside over the size of the box", first, at, factor,
                     "at most 10");
    } else if (!(box > 0) && excess > printed_least(keys) && cam_is_number(excess) &&
               (is_driven(&keys[0]) || is_driven(&keys[1]))) {
        tell_between(run, CAM0066, "way outside of a box without size", first, at, excess,
                     "at most the last digit that is printed");
    }
}

static void check_overshoot(replay *run, uint32_t first)
{
    double box = 0;
    double excess = 0;
    double place = 0;
    for (unsigned i = 0; i < 3; i++) {
        const cam_poly poly = cam_path_poly(&run->camera.path, first, CAM_POS + i);
        double side = 0;
        double at = 0;
        const double out = excess_of(&poly, &side, &at, run->check.budget);
        box = side > box ? side : box;
        place = out > excess ? at : place;
        excess = out > excess ? out : excess;
    }
    if (run->check.budget->left == 0) {
        return; /* the search may have ended anywhere */
    }
    tell_overshoot(run, first, place, excess, box);
}

static void check_segments(replay *run)
{
    const cam_path *path = &run->camera.path;
    for (uint32_t i = 0; i + 1 < path->num_keys; i++) {
        const bool has_between = path->keys[i + 1].row - path->keys[i].row > 1;
        if (has_between && is_segment(path, i)) {
            check_directions(run, i);
            check_overshoot(run, i);
        }
    }
}

/* ---- rows ---- */

/* The values of a list at a row: its key's own, those of the nearest key outside of the keys, or
 * what is interpolated. false where there are none. */
static bool evaluate(double *out, track *list, uint32_t row, bool *is_key, bool *is_held)
{
    const cam_path *path = &list->path;
    while (list->next < path->num_keys && path->keys[list->next].row < row) {
        list->next++;
    }
    const uint32_t next = list->next;
    *is_key = next < path->num_keys && path->keys[next].row == row;
    *is_held = !*is_key && (next == 0 || next == path->num_keys);
    if (path->num_keys == 0) {
        return false;
    }
    if (*is_key || *is_held) {
        const cam_key *key = &path->keys[next < path->num_keys ? next : next - 1];
        memcpy(out, key->at, path->num_parts * sizeof *out);
        return !key->is_hole;
    }
    if (!is_segment(path, next - 1)) {
        return false;
    }
    cam_path_between(out, path, next - 1, row);
    return true;
}

/* Tells the first component that is too large for a double; false if there is one. */
static bool check_overflow(replay *run, const double *values, unsigned num, uint32_t row,
                           unsigned first)
{
    for (unsigned i = 0; i < num; i++) {
        if (!cam_is_number(values[i])) {
            const unsigned column = cam_column_of(first + i);
            cam_tell_row(&run->check, CAM0065, cam_column_name(column), &run->model->rows[row],
                         column, fh_words("not finite"), fh_words("a number"));
            return false;
        }
    }
    return true;
}

static size_t put(fh_pose_value *row, size_t at, const double *values, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        row[at++].r = values[i];
    }
    return at;
}

/* The direction of a vector, or the last one that there was; false if that had to be taken. */
static bool make_direction(double out[3], double last[3], const double *vector)
{
    const bool is_one = cam_normalise(last, vector);
    memcpy(out, last, 3 * sizeof *out);
    return is_one;
}

/* Right and up of the row's target and top. Returns what had to be held. */
static int make_sides(replay *run, double *values, bool is_own)
{
    double target[3];
    double top[3];
    double right[3];
    double up[3];
    int held = make_direction(target, run->target, &values[CAM_TARGET]) ? 0 : HELD_TARGET;
    held |= make_direction(top, run->top, &values[CAM_TOP]) ? 0 : HELD_TOP;
    if (!is_own) {
        memcpy(&values[CAM_TARGET], target, sizeof target);
        memcpy(&values[CAM_TOP], top, sizeof top);
    }
    cam_cross(right, target, top);
    bool has_sides = cam_normalise(right, right);
    if (has_sides) {
        cam_cross(up, right, target);
        has_sides = cam_normalise(up, up);
    }
    if (!has_sides) {
        return held | HELD_SIDES;
    }
    memcpy(run->right, right, sizeof right);
    memcpy(run->up, up, sizeof up);
    return held;
}

static void show_camera(replay *run, uint32_t row)
{
    double values[CAM_CAMERA_PARTS];
    fh_pose_value out[NUM_CAMERA_COLUMNS];
    bool is_key = false;
    bool is_outside = false;
    if (!evaluate(values, &run->camera, row, &is_key, &is_outside) ||
        !check_overflow(run, values, CAM_CAMERA_PARTS, row, CAM_POS)) {
        return;
    }
    const int held = make_sides(run, values, is_key || is_outside);
    size_t at = 0;
    out[at++].i = run->model->rows[row].index;
    at = put(out, at, values, CAM_CAMERA_PARTS);
    at = put(out, at, run->right, 3);
    at = put(out, at, run->up, 3);
    out[at++].i = is_key ? 1 : 0;
    out[at++].i = held | (is_outside ? HELD_OUTSIDE : 0);
    assert(at == NUM_CAMERA_COLUMNS);
    fh_shown_row(&run->camera.shown, 0, out);
}

static void show_anchor(replay *run, uint32_t row)
{
    double values[CAM_ANCHOR_PARTS];
    fh_pose_value out[NUM_ANCHOR_COLUMNS];
    bool is_key = false;
    bool is_outside = false;
    if (!evaluate(values, &run->anchor, row, &is_key, &is_outside) ||
        !check_overflow(run, values, CAM_ANCHOR_PARTS, row, CAM_ANCHOR)) {
        return;
    }
    out[0].i = run->model->rows[row].index;
    (void)put(out, 1, values, CAM_ANCHOR_PARTS);
    out[4].i = is_key ? 1 : 0;
    out[5].i = is_outside ? HELD_OUTSIDE : 0;
    fh_shown_row(&run->anchor.shown, 0, out);
}

/* Returns how many rows were shown. */
static uint32_t show_rows(replay *run)
{
    const uint32_t most = run->camera.path.most_rows;
    for (uint32_t i = 0; i < most; i++) {
        if (!fh_pay(run->check.budget, COST_OF_ROW)) {
            return i;
        }
        const fh_pose_frame frame = {i, (uint32_t)run->model->rows[i].index};
        fh_pass_frame(run->sink, &frame);
        show_camera(run, i);
        show_anchor(run, i);
    }
    return most;
}

static void tell_limit(replay *run, uint32_t num)
{
    cam_tell_row(&run->check, CAM0063, "rows", &run->model->rows[num], 0,
                 fh_dec_after("", num, " evaluated"), fh_count(run->model->num_rows, "row"));
}

/* Rows that are missing are no keys: what they might have said is told once for each gap. */
static void check_missing(replay *run)
{
    const cam_model *model = run->model;
    for (uint32_t i = 1; i < model->num_rows; i++) {
        if (!model->rows[i].is_missing || model->rows[i - 1].is_missing) {
            continue;
        }
        uint32_t end = i;
        while (model->rows[end].is_missing) { /* the last row is there */
            end++;
        }
        cam_tell_row(&run->check, CAM0068, "missing rows", &model->rows[i], 0,
                     fh_dec_after("from row ", model->rows[i].index, " on"),
                     fh_count(end - i, "row"));
    }
}

static void check_path(replay *run)
{
    check_missing(run);
    check_time_step(run);
    check_holes(run, &run->camera.path, false);
    check_holes(run, &run->anchor.path, true);
    if (run->camera.path.num_keys > 0) {
        check_one_sided(run, &run->camera.path);
    }
    if (run->anchor.path.num_keys > 0) {
        check_one_sided(run, &run->anchor.path);
    }
    check_segments(run);
}

static fh_status prepare(replay *run, const fh_env *env, fh_reporter *reporter)
{
    const double given = run->options->time_step;
    const double step = given > 0 ? given : 1.0;
    const uint32_t num = run->model->num_rows;
    const uint32_t most = num < CAM_MOST_ROWS ? num : CAM_MOST_ROWS;
    run->check = (cam_check){run->model, reporter, env->budget};
    fh_status status = fh_reporter_open(reporter, env->arena, env->sink, cam_rules, CAM_NUM_RULES);
    if (status == FH_OK) {
        status = cam_path_make(&run->camera.path, run->model, env->arena, false, most, step);
    }
    if (status == FH_OK) {
        status = cam_path_make(&run->anchor.path, run->model, env->arena, true, most, step);
    }
    if (status == FH_OK) {
        status = fh_shown_make(&run->camera.shown, env->arena, run->sink, &camera_table, 1,
                               run->options->changes_only);
    }
    if (status == FH_OK) {
        status = fh_shown_make(&run->anchor.shown, env->arena, run->sink, &anchor_table, 1,
                               run->options->changes_only);
    }
    return status;
}

static bool is_known(const fh_replay_options *options)
{
    const char *profile = options->profile;
    return (profile == NULL || strcmp(profile, cam_profile_names[0]) == 0) &&
           cam_is_number(options->time_step) && options->time_step >= 0;
}

fh_status cam_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options)
{
    replay run = {.model = model, .sink = env->sink, .options = options};
    fh_reporter reporter;
    *result = (fh_replay_result){.state = FH_REPLAY_STILL, .evaluator = cam_evaluator_names[0]};
    if (!is_known(options)) {
        return FH_UNSUPPORTED;
    }
    const fh_status status = prepare(&run, env, &reporter);
    if (status != FH_OK) {
        return status;
    }
    if (run.camera.path.num_keys + run.anchor.path.num_keys > 0) {
        check_path(&run);
        result->frames = show_rows(&run);
        result->state = FH_REPLAY_COMPLETE;
    }
    if (result->frames < run.model->num_rows && result->state == FH_REPLAY_COMPLETE) {
        tell_limit(&run, result->frames);
        result->state = FH_REPLAY_STOPPED;
    }
    fh_reporter_close(&reporter);
    return FH_OK;
}
