#include "tra/tra_world.h"

#include "core/double.h"

#include <assert.h>

void tra_space_times(tra_space *out, const tra_space *a, const tra_space *b)
{
    for (unsigned row = 0; row < 3; row++) {
        const double *m = a->matrix[row];
        for (unsigned col = 0; col < 3; col++) {
            out->matrix[row][col] = m[0] * b->matrix[0][col] + m[1] * b->matrix[1][col] +
                                    m[2] * b->matrix[2][col] + 0.0; /* no negative zero */
        }
        out->origin[row] =
            m[0] * b->origin[0] + m[1] * b->origin[1] + m[2] * b->origin[2] + a->origin[row] + 0.0;
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes a vector one of length 1; false if the square of its length is below the least. */
static bool normalise(double v[3], double least)
{
    const double square = dot(v, v);
    if (square < least) {
        return false;
    }
    const double length = fh_sqrt(square);
    for (unsigned i = 0; i < 3; i++) {
        v[i] /= length;
    }
    return true;
}

/* The part of y across z, of length 1; false where there is next to none: the direction would be
 * that of rounding errors. */
static bool put_across(double y[3], const double z[3])
{
    const double least = 1e-12; /* square of the sine of the angle between them */
    if (!normalise(y, TRA_NO_LENGTH_SQUARED)) {
        return false;
    }
    const double along = dot(y, z);
    for (unsigned i = 0; i < 3; i++) {
        y[i] -= along * z[i];
    }
    return normalise(y, least);
}

tra_rest tra_rest_of(tra_space *out, const tra_bac_bone *bone)
{
    double y[3];
    double z[3];
    double direction[3];
    for (unsigned i = 0; i < 3; i++) {
        out->origin[i] = bone->points[TRA_ORIGIN][i];
        z[i] = (double)bone->points[TRA_Z_POINT][i] - out->origin[i];
        y[i] = (double)bone->points[TRA_Y_POINT][i] - out->origin[i];
    }
    if (!normalise(z, TRA_NO_LENGTH_SQUARED)) {
        return TRA_REST_NONE;
    }
    if (!put_across(y, z)) {
        (void)tra_rotation(out->matrix, direction, z);
        return TRA_REST_OPEN;
    }
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3;
        const unsigned k = (i + 2) % 3;
        out->matrix[i][0] = y[j] * z[k] - y[k] * z[j]; /* X = Y x Z */
        out->matrix[i][1] = y[i];
        out->matrix[i][2] = z[i];
    }
    return TRA_REST_FIXED;
}

/* The inverse of a turn and a move. */
static void turn_back(tra_space *out, const tra_space *of)
{
    for (unsigned row = 0; row < 3; row++) {
        out->origin[row] = 0;
        for (unsigned col = 0; col < 3; col++) {
            out->matrix[row][col] = of->matrix[col][row];
            out->origin[row] -= of->matrix[col][row] * of->origin[col];
        }
    }
}

void tra_local_of(tra_space *out, const tra_bac *bac, uint32_t bone)
{
    tra_space own;
    tra_space parent;
    tra_space back;
    const uint32_t above = bac->bones[bone].parent;
    assert(bac->has_tree && bac->has_rest && (above == TRA_NONE || above < bone));
    const tra_rest rest = tra_rest_of(&own, &bac->bones[bone]);
    assert(rest != TRA_REST_NONE);
    (void)rest;
    if (above == TRA_NONE) {
        *out = own;
        return;
    }
    const tra_rest rest_above = tra_rest_of(&parent, &bac->bones[above]);
    assert(rest_above != TRA_REST_NONE);
    (void)rest_above;
    turn_back(&back, &parent);
    tra_space_times(out, &back, &own);
}
