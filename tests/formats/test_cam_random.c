/* Camerawork: the evaluator against a second one, on paths made at random. */
#include "cam_bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
