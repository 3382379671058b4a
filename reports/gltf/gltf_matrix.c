#include "reports/gltf/gltf_matrix.h"

#include <math.h>
#include <string.h>

/* Sweeps that the iteration takes at most: it converges quadratically, 6 are the most that were
 * seen for matrices of any kind. */
#define MOST_SWEEPS 32
#define TINY 1e-14

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3])
{
    const double made[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
    memcpy(out, made, sizeof made);
}

/* Three vectors; as a matrix they are columns. */
typedef double columns[3][3];

static void columns_of(columns out, const double matrix[3][3])
{
    for (unsigned i = 0; i < 9; i++) {
        out[i % 3][i / 3] = matrix[i / 3][i % 3];
    }
}

static double determinant(columns of)
{
    double normal[3];
    cross(normal, of[0], of[1]);
    return dot(normal, of[2]);
}

/* The turn whose columns these are: orthonormal, right-handed. The largest of the four possible
 * divisors is taken. */
static void to_quaternion(double out[4], columns of)
{
    static const unsigned next[3] = {1, 2, 0};
    const double trace = of[0][0] + of[1][1] + of[2][2];
    if (trace > 0) {
        const double root = sqrt(trace + 1.0);
        out[3] = root / 2;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned j = next[i];
            const unsigned k = next[j];
            out[i] = (of[j][k] - of[k][j]) / (2 * root);
        }
    } else {
        unsigned i = of[1][1] > of[0][0] ? 1 : 0;
        i = of[2][2] > of[i][i] ? 2 : i;
        const unsigned j = next[i];
        const unsigned k = next[j];
        const double root = sqrt(fmax(1.0 + of[i][i] - of[j][j] - of[k][k], 0.0));
        out[i] = root / 2;
        out[j] = (of[i][j] + of[j][i]) / (2 * root);
        out[k] = (of[i][k] + of[k][i]) / (2 * root);
        out[3] = (of[j][k] - of[k][j]) / (2 * root);
    }
    const double length =
        sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (unsigned i = 0; i < 4; i++) {
        out[i] /= length;
    }
}

static void from_quaternion(double out[3][3], const double q[4])
{
    const double x = q[0];
    const double y = q[1];
    const double z = q[2];
    const double w = q[3];
    const double made[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                               {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                               {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(out, made, sizeof made);
}

static void multiply(double out[3][3], const double a[3][3], const double b[3][3])
{
    double made[3][3];
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            made[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
    memcpy(out, made, sizeof made);
}

void fh_gltf_compose(double matrix[3][3], const fh_gltf_parts *parts)
{
    double turn[3][3];
    double inner[3][3];
    from_quaternion(turn, parts->turn);
    from_quaternion(inner, parts->inner);
    for (unsigned i = 0; i < 9; i++) {
        turn[i / 3][i % 3] *= parts->scale[i % 3];
    }
    multiply(matrix, turn, inner);
}

static double largest(const double matrix[3][3])
{
    double most = 1.0;
    for (unsigned i = 0; i < 9; i++) {
        most = fmax(most, fabs(matrix[i / 3][i % 3]));
    }
    return most;
}

bool fh_gltf_split(fh_gltf_parts *out, const double matrix[3][3])
{
    columns of;
    double again[3][3];
    columns_of(of, matrix);
    *out = (fh_gltf_parts){.inner = {0, 0, 0, 1}};
    for (unsigned i = 0; i < 3; i++) {
        out->scale[i] = sqrt(dot(of[i], of[i]));
        if (!(out->scale[i] > TINY)) {
            return false;
        }
        for (unsigned k = 0; k < 3; k++) {
            of[i][k] /= out->scale[i];
        }
    }
    if (determinant(of) < 0) {
        out->scale[2] = -out->scale[2];
        for (unsigned k = 0; k < 3; k++) {
            of[2][k] = -of[2][k];
        }
    }
    to_quaternion(out->turn, of);
    fh_gltf_compose(again, out);
    for (unsigned i = 0; i < 9; i++) {
        const double apart = fabs(again[i / 3][i % 3] - matrix[i / 3][i % 3]);
        if (!(apart <= FH_GLTF_EXACT * largest(matrix))) {
            return false;
        }
    }
    return true;
}

/* Turns two columns of `of`, and those of `by` alike, until they are at a right angle. Returns
 * whether they were not. */
static bool make_square(columns of, columns by, unsigned p, unsigned q)
{
    const double a = dot(of[p], of[p]);
    const double b = dot(of[q], of[q]);
    const double c = dot(of[p], of[q]);
    if (fabs(c) <= TINY * sqrt(a * b)) {
        return false;
    }
    const double zeta = (b - a) / (2 * c);
    const double t = (zeta < 0 ? -1.0 : 1.0) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const double cosine = 1 / sqrt(1 + t * t);
    const double sine = cosine * t;
    columns *const both[2] = {(columns *)of, (columns *)by};
    for (unsigned i = 0; i < 6; i++) {
        double *x = &(*both[i / 3])[p][i % 3];
        double *y = &(*both[i / 3])[q][i % 3];
        const double old = *x;
        *x = cosine * old - sine * *y;
        *y = sine * old + cosine * *y;
    }
    return true;
}

static void unit_across(double out[3], const double to[3])
{
    const double axis[3] = {fabs(to[0]) < 0.6 ? 1.0 : 0.0, fabs(to[0]) < 0.6 ? 0.0 : 1.0, 0.0};
    cross(out, to, axis);
    const double length = sqrt(dot(out, out));
    for (unsigned i = 0; i < 3; i++) {
        out[i] /= length;
    }
}

/* Makes an orthonormal, right-handed set of directions out of columns at right angles, of which
 * some may be 0; scale becomes their lengths, with a sign where that is needed. */
static void make_turn(columns of, double scale[3])
{
    unsigned order[3] = {0, 1, 2};
    for (unsigned i = 0; i < 3; i++) {
        scale[i] = sqrt(dot(of[i], of[i]));
    }
    for (unsigned i = 0; i < 2; i++) { /* the longest one first */
        for (unsigned k = i + 1; k < 3; k++) {
            if (scale[order[k]] > scale[order[i]]) {
                const unsigned old = order[i];
                order[i] = order[k];
                order[k] = old;
            }
        }
    }
    const double least = scale[order[0]] * TINY;
    for (unsigned i = 0; i < 3; i++) {
        double *column = of[order[i]];
        const bool is_there = scale[order[i]] > least;
        for (unsigned k = 0; k < 3 && is_there; k++) {
            column[k] /= scale[order[i]];
        }
        if (!is_there && i == 0) {
            column[0] = 1.0;
            column[1] = column[2] = 0.0;
        } else if (!is_there && i == 1) {
            unit_across(column, of[order[0]]);
        } else if (!is_there) {
            cross(column, of[order[0]], of[order[1]]);
        }
    }
    if (determinant(of) < 0) {
        scale[order[2]] = -scale[order[2]];
        for (unsigned k = 0; k < 3; k++) {
            of[order[2]][k] = -of[order[2]][k];
        }
    }
}

void fh_gltf_decompose(fh_gltf_parts *out, const double matrix[3][3])
{
    columns of;
    columns by = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    columns_of(of, matrix);
    bool is_moving = true;
    for (unsigned i = 0; i < MOST_SWEEPS && is_moving; i++) {
        is_moving = make_square(of, by, 0, 1);
        is_moving = make_square(of, by, 0, 2) || is_moving;
        is_moving = make_square(of, by, 1, 2) || is_moving;
    }
    make_turn(of, out->scale);
    to_quaternion(out->turn, of);
    to_quaternion(out->inner, by);
    for (unsigned i = 0; i < 3; i++) { /* matrix * by = turned columns: the inner turn is back */
        out->inner[i] = 0.0 - out->inner[i];
    }
}

bool fh_gltf_turn_to(double turn[4], const double vector[3])
{
    const double length = sqrt(dot(vector, vector));
    turn[0] = turn[1] = turn[2] = 0.0;
    turn[3] = 1.0;
    if (!(length > 0)) {
        return false;
    }
    const double cosine = vector[2] / length;
    if (cosine < -1.0 + TINY) { /* straight back: any half turn across */
        turn[0] = 1.0;
        turn[3] = 0.0;
        return true;
    }
    const double half = sqrt((1.0 + cosine) * 2.0);
    turn[0] = 0.0 - vector[1] / length / half;
    turn[1] = vector[0] / length / half;
    turn[3] = half / 2.0;
    return true;
}

bool fh_gltf_invert(double matrix[3][3], double origin[3])
{
    columns of;
    double inverse[3][3];
    columns_of(of, matrix);
    const double by = determinant(of);
    if (!(fabs(by) > TINY)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        cross(inverse[i], of[(i + 1) % 3], of[(i + 2) % 3]);
        for (unsigned k = 0; k < 3; k++) {
            inverse[i][k] /= by;
        }
    }
    double moved[3];
    for (unsigned i = 0; i < 3; i++) {
        moved[i] = 0.0 - dot(inverse[i], origin);
    }
    memcpy(matrix, inverse, sizeof inverse);
    memcpy(origin, moved, sizeof moved);
    return true;
}
