/* Camerawork: the sheet's numbers, closed forms, a second evaluator, and the edges of the reader.
 */
#include "bench.h"

#include "camerawork/cam_maths.h"
#include "camerawork/cam_model.h"
#include "forge/camerawork.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files and runs ---- */

static forge_buf built(const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    const bool is_good =
        forge_camerawork_text(&out, &err, text, strlen(text), FORGE_CAMERAWORK_LIMIT);
    HOLD(is_good, "line %u: %s\n%s", err.line, err.text, text);
    return out;
}

static const fh_format *camerawork(void)
{
    const fh_format *format = fh_format_find("camerawork");
    HOLD(format != NULL, "the format is in the registry");
    return format;
}

static const fh_verify_options whole_file = {.stand_alone = true, .aligned = true};

static void open_cam(bench *b)
{
    bench_open(b);
    b->format = camerawork();
}

static void run_bytes(bench *b, const forge_buf *bytes, double time_step)
{
    const fh_replay_options options = {.time_step = time_step};
    bench_verify(b, bytes->data, bytes->len, whole_file);
    if (b->model != NULL) {
        bench_replay(b, &options);
        HOLD(b->replay_status == FH_OK, "it can be replayed");
    }
}

static void run_text(bench *b, const char *text, double time_step)
{
    forge_buf bytes = built(text);
    run_bytes(b, &bytes, time_step);
    forge_buf_free(&bytes);
}

static const pose *row_of(const record *of, const char *table, uint32_t frame)
{
    for (size_t i = 0; i < of->num_poses; i++) {
        if (of->poses[i].frame == frame && strcmp(of->poses[i].table->name, table) == 0) {
            return &of->poses[i];
        }
    }
    return NULL;
}

static int64_t bits_at(const record *of, const char *table, uint32_t frame, const char *column)
{
    const pose *row = row_of(of, table, frame);
    HOLD(row != NULL, "no row of %s in frame %u", table, frame);
    for (size_t i = 0; i < row->table->num_columns; i++) {
        if (strcmp(row->table->columns[i].name, column) == 0) {
            return row->values[i];
        }
    }
    cr_fatal("%s has no column %s", table, column);
    return 0;
}

static double value_at(const record *of, const char *table, uint32_t frame, const char *column)
{
    const int64_t bits = bits_at(of, table, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void vector_at(double out[3], const record *of, uint32_t frame, const char *name)
{
    for (int i = 0; i < 3; i++) {
        char column[32];
        (void)snprintf(column, sizeof column, "%s_%c", name, "xyz"[i]);
        out[i] = value_at(of, "camera", frame, column);
    }
}

static void near(double found, double wanted, double most, const char *what, uint32_t frame)
{
    HOLD(fabs(found - wanted) <= most, "%s of frame %u: %.17g, not %.17g", what, frame, found,
         wanted);
}

/* ---- the sheet's numbers ---- */

static const char sheet[] = "camerawork\n"
                            "row key stored=0 pos 0 0 10\nrow\n"
                            "row key stored=0 pos 4 0 10\nrow\nrow\nrow\n"
                            "row key stored=0 pos 0 0 10\n";

Test(camerawork, automatic_velocities_give_the_path_of_the_sheet)
{
    static const double wanted[] = {0, 2.5, 4, 3.5625, 2.5, 1.1875, 0};
    bench b;
    open_cam(&b);
    for (int i = 0; i < 2; i++) {
        run_text(&b, sheet, i == 0 ? 1 : 100);
        cr_assert(eq(u32, b.result.frames, 7));
        for (uint32_t k = 0; k < 7; k++) {
            near(value_at(&b.replay, "camera", k, "position_x"), wanted[k], 1e-14, "x", k);
        }
    }
    bench_close(&b);
}

Test(camerawork, stored_velocities_hang_on_the_step)
{
    static const char text[] = "camerawork\nrow key pos 0 0 10 vel 1 0 0\nrow\n"
                               "row key pos 4 0 10 vel -1 0 0\n";
    bench b;
    open_cam(&b);
    run_text(&b, text, 0);
    near(value_at(&b.replay, "camera", 1, "position_x"), 2.5, 0, "x", 1);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0062"), 1));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0066"), 0));
    run_text(&b, text, 100);
    near(value_at(&b.replay, "camera", 1, "position_x"), 52, 0, "x", 1);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0062"), 0));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0066"), 1), "48 beyond a box of 4");
    bench_close(&b);
}

/* ---- closed forms ---- */

Test(camerawork, a_straight_line_is_straight)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nline 101 10 0 0 0 100 50 -25\n", 0);
    for (uint32_t i = 0; i < 101; i++) {
        near(value_at(&b.replay, "camera", i, "position_x"), i, 1e-12, "x", i);
        near(value_at(&b.replay, "camera", i, "position_y"), i / 2.0, 1e-12, "y", i);
        near(value_at(&b.replay, "camera", i, "position_z"), i / -4.0, 1e-12, "z", i);
        cr_assert(eq(i64, bits_at(&b.replay, "camera", i, "is_key"), i % 10 == 0 ? 1 : 0));
    }
    bench_close(&b);
}

/* A cubic Hermite piece is off by at most h^4 / 384 of the fourth derivative, which is radius
 * times angle^4 on a circle; six digits are printed. */
Test(camerawork, a_circle_is_round_within_the_bound_of_the_cubic)
{
    const double turn = 2 * 3.14159265358979323846 / 72;
    const double bound = 10 * pow(6 * turn, 4) / 384 + 1e-5;
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\ncircle 73 6 10 360\n", 0);
    for (uint32_t i = 0; i < 73; i++) {
        double target[3];
        near(value_at(&b.replay, "camera", i, "position_x"), 10 * cos(i * turn), bound, "x", i);
        near(value_at(&b.replay, "camera", i, "position_z"), 10 * sin(i * turn), bound, "z", i);
        vector_at(target, &b.replay, i, "target");
        near(target[0], -cos(i * turn), bound / 10, "target x", i);
        near(target[2], -sin(i * turn), bound / 10, "target z", i);
    }
    bench_close(&b);
}

/* ---- a second evaluator ---- */

typedef struct simple_key {
    uint32_t row;
    bool is_stored;
    double at[9];
    double rate[9];
} simple_key;

/* The cubic in Bezier form, by cutting corners. */
static double corner_cut(double a, double rate_a, double b, double rate_b, double u)
{
    double c[4] = {a, a + rate_a / 3, b - rate_b / 3, b};
    for (int num = 3; num > 0; num--) {
        for (int i = 0; i < num; i++) {
            c[i] = (1 - u) * c[i] + u * c[i + 1];
        }
    }
    return c[0];
}

static void slope(double *out, const simple_key *keys, size_t num, size_t k, double step)
{
    const simple_key *a = k > 0 ? &keys[k - 1] : &keys[k];
    const simple_key *b = k + 1 < num ? &keys[k + 1] : &keys[k];
    for (int i = 0; i < 9; i++) {
        out[i] = keys[k].is_stored ? keys[k].rate[i]
                 : num == 1        ? 0
                                   : (b->at[i] - a->at[i]) / ((b->row - a->row) * step);
    }
}

/* The largest of the terms that the cubic sums up. Whatever the form, its rounding errors are a few
 * units in the last place of these, for all weights are at most 1; where the terms cancel the
 * result is small and the errors are not, so that they cannot be measured by it. */
static double largest_term(double a, double rate_a, double b, double rate_b)
{
    return fmax(fmax(fabs(a), fabs(b)), fmax(fabs(rate_a), fabs(rate_b)));
}

/* Evaluates a row between the keys or at one of them; size gets the largest term of each part. */
static void other_evaluation(double out[9], double size[9], const simple_key *keys, size_t num,
                             uint32_t row, double step)
{
    size_t k = 0;
    while (k + 1 < num && keys[k + 1].row <= row) {
        k++;
    }
    if (row <= keys[0].row || row >= keys[num - 1].row || keys[k].row == row) {
        memcpy(out, keys[row <= keys[0].row ? 0 : k].at, 9 * sizeof *out);
        memset(size, 0, 9 * sizeof *size); /* there is nothing to compute */
        return;
    }
    double from[9];
    double to[9];
    slope(from, keys, num, k, step);
    slope(to, keys, num, k + 1, step);
    const double span = (keys[k + 1].row - keys[k].row) * step;
    const double u = (double)(row - keys[k].row) / (keys[k + 1].row - keys[k].row);
    for (int i = 0; i < 9; i++) {
        const double rate_a = from[i] * span;
        const double rate_b = to[i] * span;
        out[i] = corner_cut(keys[k].at[i], rate_a, keys[k + 1].at[i], rate_b, u);
        size[i] = largest_term(keys[k].at[i], rate_a, keys[k + 1].at[i], rate_b);
    }
}

typedef struct writer {
    char *text;
    size_t len;
    size_t room;
} writer;

static void put(writer *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    to->len += (size_t)vsnprintf(to->text + to->len, to->room - to->len, format, args);
    va_end(args);
    HOLD(to->len < to->room, "the test's text is too long");
}

static double random_value(dice *d)
{
    return (double)((int)dice_below(d, 2000001) - 1000000) / 100000;
}

/* A value of any size: terms of a cubic that have nothing in common, or next to everything. */
static double harsh_value(dice *d, double other)
{
    switch (dice_below(d, 4)) {
    case 0:
        return -other * (1 + ((double)dice_below(d, 21) - 10) / 1000000);
    case 1:
        return random_value(d) * pow(10, (int)dice_below(d, 81) - 40);
    default:
        return random_value(d) * pow(10, (int)dice_below(d, 7) - 3);
    }
}

/* A key's directions point anywhere; their lengths are near 1. */
static void random_direction(dice *d, double out[3])
{
    double length = 0;
    while (length < 0.1) {
        for (int i = 0; i < 3; i++) {
            out[i] = random_value(d);
        }
        length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = floor(out[i] / length * 100000) / 100000;
    }
}

static void put_group(writer *to, const char *name, const double *values)
{
    put(to, " %s %.6e %.6e %.6e", name, values[0], values[1], values[2]);
}

static void random_key(dice *d, simple_key *key, const simple_key *before, bool is_harsh)
{
    for (int k = 0; k < 9; k++) {
        const double at = before == NULL ? 1 : before->at[k];
        key->at[k] = is_harsh && k < 3 ? harsh_value(d, at) : random_value(d);
        key->rate[k] = is_harsh ? harsh_value(d, key->at[k]) : random_value(d) / 10;
    }
    random_direction(d, key->at + 3);
    random_direction(d, key->at + 6);
}

static size_t random_file(dice *d, writer *to, simple_key *keys, uint32_t num_rows, bool is_harsh)
{
    size_t num = 0;
    put(to, "camerawork%s%s\n", dice_below(d, 2) == 0 ? " eol=crlf" : "",
        dice_below(d, 2) == 0 ? " form=e3" : "");
    for (uint32_t i = 0; i < num_rows; i++) {
        if (dice_below(d, 3) != 0 && !(num == 0 && i + 1 == num_rows)) {
            put(to, "row\n");
            continue;
        }
        simple_key *key = &keys[num++];
        *key = (simple_key){.row = i, .is_stored = dice_below(d, 2) == 0};
        random_key(d, key, num > 1 ? key - 1 : NULL, is_harsh);
        put(to, "row key stored=%d", key->is_stored ? 1 : 0);
        put_group(to, "pos", key->at);
        put_group(to, "target", key->at + 3);
        put_group(to, "top", key->at + 6);
        put_group(to, "vel", key->rate);
        put_group(to, "dtarget", key->rate + 3);
        put_group(to, "dtop", key->rate + 6);
        put(to, "\n");
    }
    return num;
}

/* What is printed with six digits is what the keys are. */
static void as_printed(double *values, int num)
{
    for (int i = 0; i < num; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%.6e", values[i]);
        values[i] = strtod(text, NULL);
    }
}

static double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* How far the two forms may be apart, over the size of their largest term. */
#define MOST_APART 1e-12

/* A direction of length `length` is as far off as its longest part, over its length, and as its
 * length is. */
static void compare_directions(const record *of, const double wanted[9], const double size[9],
                               uint32_t row)
{
    for (int part = 1; part < 3; part++) {
        const double *at = wanted + 3 * part;
        const double *most = size + 3 * part;
        const bool is_own = largest_term(most[0], most[1], most[2], 0) <= 0;
        const double length = is_own ? 1 : length_of(at);
        const double bound = MOST_APART * largest_term(most[0], most[1], most[2], 0) / length;
        double found[3];
        vector_at(found, of, row, part == 1 ? "target" : "top");
        for (int i = 0; i < 3 && length > 1e-6; i++) {
            near(found[i], at[i] / length, bound, "direction", row);
        }
    }
}

static void compare_row(const record *of, const simple_key *keys, size_t num, uint32_t row,
                        double step)
{
    double wanted[9];
    double size[9];
    double found[3];
    other_evaluation(wanted, size, keys, num, row, step);
    vector_at(found, of, row, "position");
    for (int i = 0; i < 3; i++) {
        near(found[i], wanted[i], MOST_APART * size[i], "position", row);
    }
    compare_directions(of, wanted, size, row);
}

static void compare_sides(const record *of, uint32_t row)
{
    double target[3];
    double right[3];
    double up[3];
    vector_at(target, of, row, "target");
    vector_at(right, of, row, "right");
    vector_at(up, of, row, "up");
    if (bits_at(of, "camera", row, "held") > 1) {
        return;
    }
    near(length_of(right), 1, 1e-14, "length of right", row);
    near(length_of(up), 1, 1e-14, "length of up", row);
    near(right[0] * up[0] + right[1] * up[1] + right[2] * up[2], 0, 1e-14, "right and up", row);
    near(right[0] * target[0] + right[1] * target[1] + right[2] * target[2], 0, 1e-9,
         "right and target", row);
}

static void compare_files(dice *d, int num_rounds, bool is_harsh)
{
    static const double steps[] = {1, 0.125, 100, 1e-6, 12345.678};
    static simple_key keys[64];
    static char text[65536];
    bench b;
    open_cam(&b);
    for (int round = 0; round < num_rounds; round++) {
        writer to = {text, 0, sizeof text};
        const uint32_t num_rows = 2 + dice_below(d, 60);
        const size_t num = random_file(d, &to, keys, num_rows, is_harsh);
        const double step = steps[round % (is_harsh ? 5 : 2)];
        for (size_t i = 0; i < num; i++) {
            as_printed(keys[i].at, 9);
            as_printed(keys[i].rate, 9);
        }
        run_text(&b, text, step);
        HOLD(b.result.frames == num_rows, "%s", text);
        HOLD(is_harsh || BENCH_BUDGET - b.budget.left < 128 * b.asset.length,
             "half of what a byte may cost suffices");
        for (uint32_t row = 0; row < num_rows; row++) {
            compare_row(&b.replay, keys, num, row, step);
            if (!is_harsh) {
                compare_sides(&b.replay, row);
            }
        }
    }
    bench_close(&b);
}

Test(camerawork, random_paths_are_those_of_another_evaluator)
{
    dice d = {20050404};
    compare_files(&d, 400, false);
}

/* Terms of sizes from 1e-40 to 1e40, and such as cancel each other. */
Test(camerawork, harsh_paths_are_those_of_another_evaluator)
{
    dice d = {985};
    compare_files(&d, 1000, true);
}

Test(camerawork, twice_gives_the_same_bits)
{
    bench a;
    bench b;
    open_cam(&a);
    open_cam(&b);
    run_text(&a, "camerawork\ncircle 301 7 10 700\n", 0);
    run_text(&b, "camerawork\ncircle 301 7 10 700\n", 0);
    cr_assert(record_equal(&a.verify, &b.verify));
    cr_assert(record_equal(&a.replay, &b.replay));
    bench_close(&a);
    bench_close(&b);
}

/* ---- maths ---- */

Test(camerawork, lengths_are_right_at_any_size)
{
    const double huge[3] = {3e200, 0, 4e200};
    const double tiny[3] = {3e-300, -4e-300, 0};
    const double largest[3] = {1.7e308, 1.7e308, 0};
    double unit[3];
    near(cam_length(huge) / 5e200, 1, 1e-15, "length", 0);
    near(cam_length(tiny) / 5e-300, 1, 1e-15, "length", 0);
    cr_assert(cam_normalise(unit, largest));
    near(unit[0], sqrt(0.5), 1e-15, "unit", 0);
    cr_assert(not(cam_normalise(unit, tiny)));
}

static double poly_at(const cam_poly *poly, double u)
{
    cam_poly c = *poly;
    for (unsigned num = c.degree; num > 0; num--) {
        for (unsigned i = 0; i < num; i++) {
            c.c[i] = (1 - u) * c.c[i] + u * c.c[i + 1];
        }
    }
    return c.c[0];
}

Test(camerawork, the_least_value_of_a_polynomial_is_found)
{
    dice d = {11};
    for (int round = 0; round < 3000; round++) {
        fh_budget budget = {1 << 20};
        cam_poly poly = {.degree = 1 + dice_below(&d, CAM_MOST_DEGREE)};
        double sampled = 1e300;
        double at = -1;
        for (unsigned i = 0; i <= poly.degree; i++) {
            poly.c[i] = random_value(&d);
        }
        for (int i = 0; i <= 500; i++) {
            const double value = poly_at(&poly, i / 500.0);
            sampled = value < sampled ? value : sampled;
        }
        const double least = cam_poly_least(&poly, 1e300, &at, &budget);
        HOLD(least <= sampled + 1e-6 * (1 + fabs(sampled)), "not above any sample");
        HOLD(fabs(poly_at(&poly, at) - least) < 1e-12, "it is taken where it is said to be");
        HOLD(at >= 0 && at <= 1 && budget.left > 0, "within the range, and in bounds");
    }
}

/* The largest coefficient: no value is larger, and rounding errors are a few units of its last
 * place. */
static double size_of(const cam_poly *poly)
{
    double most = 0;
    for (unsigned i = 0; i <= poly->degree; i++) {
        most = fmax(most, fabs(poly->c[i]));
    }
    return most;
}

Test(camerawork, products_of_polynomials_are_products)
{
    dice d = {13};
    for (int round = 0; round < 500; round++) {
        const cam_poly a = cam_poly_hermite(random_value(&d), random_value(&d), random_value(&d),
                                            random_value(&d));
        const cam_poly b = cam_poly_hermite(random_value(&d), random_value(&d), random_value(&d),
                                            random_value(&d));
        const cam_poly c = cam_poly_product(&a, &b);
        const cam_poly e = cam_poly_product(&c, &c);
        for (int i = 0; i <= 10; i++) {
            const double u = i / 10.0;
            const double wanted = poly_at(&a, u) * poly_at(&b, u);
            const double most = size_of(&a) * size_of(&b);
            near(poly_at(&c, u), wanted, MOST_APART * most, "product", 0);
            near(poly_at(&e, u), wanted * wanted, MOST_APART * most * most, "square", 0);
        }
    }
}

/* ---- what lies between rows ---- */

Test(camerawork, a_direction_that_vanishes_between_rows_is_found)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 1), "at row 1.5");
    cr_assert(eq(i64, record_find(&b.replay, "CAM0060")->frame, 1));
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 0), "no row is touched");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0.003 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0), "0.0015 at the least");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0.0019 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 1), "0.00095 at the least");
    run_text(&b, "camerawork\nrow key\nrow key target 0 0 1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0), "there is nothing between");
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow key target 0 1 0 top 0 0 -1\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0061"), 1), "parallel at row 1.5");
    bench_close(&b);
}

Test(camerawork, what_has_no_direction_is_held)
{
    double right[3];
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow key\nrow\nrow key target 0 0 1\n", 0);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 2));
    near(value_at(&b.replay, "camera", 1, "target_z"), -1, 0, "target z", 1);
    vector_at(right, &b.replay, 1, "right");
    near(right[0], 1, 0, "right x", 1);
    run_text(&b, "camerawork\nrow key\nrow\nrow key target 0 1 0 top 0 0 -1\n", 0);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 4));
    near(value_at(&b.replay, "camera", 1, "right_x"), 1, 0, "right x", 1);
    run_text(&b, "camerawork\nrow key\nrow\nrow\nrow\nrow key top 0 -1 0\n", 0);
    for (uint32_t row = 1; row < 4; row++) {
        cr_assert(eq(i64, bits_at(&b.replay, "camera", row, "held"), row == 2 ? 8 : 0));
        near(value_at(&b.replay, "camera", row, "top_y"), row == 3 ? -1 : 1, 0, "top y", row);
        near(value_at(&b.replay, "camera", row, "up_y"), row == 3 ? -1 : 1, 0, "up y", row);
    }
    bench_close(&b);
}

Test(camerawork, outside_of_the_keys_their_values_are_held)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow\nrow key pos 1 0 0\nrow\nrow key pos 2 0 0\nrow anchored\n", 0);
    near(value_at(&b.replay, "camera", 0, "position_x"), 1, 0, "x", 0);
    near(value_at(&b.replay, "camera", 4, "position_x"), 2, 0, "x", 4);
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 0, "held"), 1));
    cr_assert(eq(i64, bits_at(&b.replay, "camera", 1, "held"), 0));
    cr_assert(eq(i64, bits_at(&b.replay, "anchor", 0, "held"), 1));
    cr_assert(eq(i64, bits_at(&b.replay, "anchor", 4, "is_key"), 1));
    bench_close(&b);
}

Test(camerawork, segments_at_a_key_that_is_no_number_are_left_out)
{
    bench b;
    open_cam(&b);
    run_text(&b,
             "camerawork\nrow key\nrow\nrow key c3=nan\nrow\nrow key pos 1 0 0 stored=0\nrow\n"
             "row key pos 3 0 0 stored=0\n",
             0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0064"), 1));
    for (uint32_t i = 0; i < 7; i++) {
        const bool is_there = row_of(&b.replay, "camera", i) != NULL;
        HOLD(is_there == (i == 0 || i >= 4), "frame %u", i);
    }
    /* The key behind takes its velocity from the neighbour that is a number. */
    near(value_at(&b.replay, "camera", 5, "position_x"), 2, 0, "x", 5);
    /* Velocities that are not used may be anything. */
    run_text(&b, "camerawork\nrow key c17=inf stored=0\nrow\nrow key\n", 0);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0064"), 0));
    bench_close(&b);
}

Test(camerawork, without_keys_nothing_is_evaluated)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow\nrow\n", 0);
    cr_assert(eq(u32, b.result.frames, 0));
    cr_assert(eq(int, b.result.state, FH_REPLAY_STILL));
    cr_assert(eq(u32, b.asset.objects, 0));
    run_text(&b, "camerawork\nrow anchored\nrow\n", 0);
    cr_assert(eq(u32, b.result.frames, 2));
    cr_assert(eq(u32, b.asset.objects, 1));
    bench_close(&b);
}

Test(camerawork, only_changes_are_shown_if_wanted)
{
    forge_buf bytes = built("camerawork\nrow key anchored\nrow\nrow\nrow key anchored\n");
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, whole_file);
    bench_replay(&b, &(fh_replay_options){.changes_only = true});
    cr_assert(eq(sz, b.replay.num_frames, 4));
    cr_assert(eq(sz, b.replay.num_poses, 6), "keys, and the first row between them, of both lists");
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* ---- text ---- */

static fh_probe probe_at(const uint8_t *bytes, size_t len, uint64_t origin, fh_end end,
                         uint64_t budget_left)
{
    fh_budget budget = {budget_left};
    fh_probe out;
    camerawork()->probe(&out, fh_cursor_make(bytes, len, origin), end, NULL, NULL, &budget);
    return out;
}

Test(camerawork, a_probe_asks_for_more_until_the_rows_break_off)
{
    forge_buf bytes = built("camerawork\nrow key\nrow\nrow key\ntext \"the end\"\n");
    const size_t rows = bytes.len - strlen("the end\n");
    for (size_t len = 0; len < bytes.len; len++) {
        const fh_probe open = probe_at(bytes.data, len, 64, FH_END_NONE, 1 << 20);
        HOLD(open.verdict == FH_MORE && open.length > len, "%zu bytes", len);
    }
    const fh_probe open = probe_at(bytes.data, bytes.len, 64, FH_END_NONE, 1 << 20);
    cr_assert(eq(int, open.verdict, FH_ACCEPT));
    cr_assert(eq(sz, open.length, rows));
    const fh_probe closed = probe_at(bytes.data, rows - 1, 64, FH_END_STREAM, 1 << 20);
    cr_assert(eq(int, closed.verdict, FH_ACCEPT), "without a line end");
    forge_buf_free(&bytes);
}

Test(camerawork, inside_a_source_rows_are_no_file_on_their_own)
{
    forge_buf one = built("camerawork\nrow key\n");
    forge_buf odd = built("camerawork form=given\nrow key\nrow\nrow key\n");
    forge_buf rows = built("camerawork\nrow 9 key\nrow\nrow key\nrow\n");
    cr_assert(eq(int, probe_at(one.data, one.len, 0, FH_END_FILE, 1 << 20).verdict, FH_ACCEPT));
    cr_assert(eq(int, probe_at(one.data, one.len, 4, FH_END_FILE, 1 << 20).verdict, FH_REJECT));
    cr_assert(eq(int, probe_at(odd.data, odd.len, 4, FH_END_FILE, 1 << 20).verdict, FH_ACCEPT),
              "defaults are printed whatever the form is");
    /* Row 10, from its second digit on, reads as a row 0. */
    const uint8_t *ten = memchr(rows.data, '\n', rows.len);
    HOLD(ten != NULL && memcmp(ten + 1, "10 ", 3) == 0, "row 10 is there");
    const size_t off = (size_t)(ten + 2 - rows.data);
    const fh_probe inner = probe_at(rows.data + off, rows.len - off, off, FH_END_FILE, 1 << 20);
    cr_assert(eq(int, inner.verdict, FH_REJECT));
    cr_assert(eq(str, (char *)inner.rule->code, "CAM0008"));
    cr_assert(not(inner.near_miss));
    forge_buf_free(&one);
    forge_buf_free(&odd);
    forge_buf_free(&rows);
}

Test(camerawork, indices_go_up_to_the_largest_int)
{
    bench b;
    open_cam(&b);
    run_text(&b, "camerawork\nrow 2147483646 key\nrow key\n", 0);
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0007 0047 0042"));
    run_text(&b, "camerawork\nrow 2147483647 key\nrow c1=2147483648\n", 0);
    cr_assert(eq(sz, record_count(&b.verify, "CAM0024"), 1));
    cr_assert(eq(int, b.asset.grade, FH_GRADE_CANDIDATE));
    run_text(&b, "camerawork\nrow -1 key\nrow key\n", 0);
    cr_assert(eq(sz, record_count(&b.verify, "CAM0007"), 1));
    bench_close(&b);
}

Test(camerawork, rows_beyond_the_limit_are_not_evaluated)
{
    static const char format[] =
        "camerawork form=given\nset pos 0 0 1 target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0\n"
        "set dtarget 0 0 0 dtop 0 0 0\nrow key pos 0.0 0 1\nrepeat %u\nrow\nendrepeat\n";
    char text[512];
    bench b;
    open_cam(&b);
    (void)snprintf(text, sizeof text, format, CAM_MOST_ROWS - 1);
    run_text(&b, text, 0);
    cr_assert(eq(int, b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, b.result.frames, CAM_MOST_ROWS));
    (void)snprintf(text, sizeof text, format, CAM_MOST_ROWS);
    run_text(&b, text, 0);
    cr_assert(eq(int, b.result.state, FH_REPLAY_STOPPED));
    cr_assert(eq(u32, b.result.frames, CAM_MOST_ROWS));
    cr_assert(eq(sz, record_count(&b.replay, "CAM0063"), 1));
    bench_close(&b);
}

Test(camerawork, a_spent_budget_is_told)
{
    forge_buf bytes = built("camerawork\ncircle 101 10 10 90\n");
    uint64_t least = 0;
    for (uint64_t left = 0; left < 200000; left += 97) {
        const fh_probe probe = probe_at(bytes.data, bytes.len, 0, FH_END_FILE, left);
        if (probe.verdict == FH_ACCEPT) {
            least = left;
            break;
        }
        HOLD(probe.status == FH_LIMIT && strcmp(probe.rule->code, "CAM0063") == 0, "%u",
             (unsigned)left);
    }
    HOLD(least > 0 && least < 2 * bytes.len, "a probe costs less than twice its bytes");
    for (uint64_t left = 0; left < 200000; left += 997) {
        bench b;
        open_cam(&b);
        const fh_sink sink = record_sink(&b.verify);
        fh_budget budget = {left};
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        const fh_env env = {&b.arena, &budget, &sink};
        const fh_status status = b.format->verify(
            &b.asset, &b.model, &env, fh_cursor_make(bytes.data, bytes.len, 0), &whole_file);
        HOLD(status == FH_OK || (status == FH_LIMIT && record_count(&b.verify, "CAM0063") == 1),
             "%u", (unsigned)left);
        bench_close(&b);
    }
    forge_buf_free(&bytes);
}

Test(camerawork, unknown_profiles_and_steps_are_refused)
{
    forge_buf bytes = built("camerawork\nrow key\nrow key\n");
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, whole_file);
    bench_replay(&b, &(fh_replay_options){.profile = "1.31"});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.time_step = -1});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.time_step = INFINITY});
    cr_assert(eq(int, b.replay_status, FH_UNSUPPORTED));
    bench_replay(&b, &(fh_replay_options){.profile = "hermite"});
    cr_assert(eq(int, b.replay_status, FH_OK));
    bench_close(&b);
    forge_buf_free(&bytes);
}

Test(camerawork, numbers_are_shown_with_six_digits)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1, "1.000000e+00"},
                 {-0.5, "-5.000000e-01"},
                 {9.9999999, "1.000000e+01"},
                 {1.25e100, "1.250000e+100"},
                 {1.7976931348623157e308, "1.797693e+308"},
                 {5e-324, "4.940656e-324"},
                 {0, "0"},
                 {INFINITY, "inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[64];
        fh_text text = fh_text_make(buf, sizeof buf);
        cam_text_real(&text, cases[i].value);
        cr_expect(eq(str, buf, (char *)cases[i].text));
    }
}
