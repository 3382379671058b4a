#include "camerawork/cam_maths.h"

#include "core/double.h"

#include <assert.h>

bool cam_is_number(double x)
{
    return fh_exponent_of(x) != FH_MOST_EXPONENT;
}

double cam_size(double x)
{
    return fh_double_of(fh_bits_of(x) & ~((uint64_t)1 << 63));
}

double cam_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cam_cross(double out[3], const double a[3], const double b[3])
{
    const double x = a[1] * b[2] - a[2] * b[1];
    const double y = a[2] * b[0] - a[0] * b[2];
    const double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* The power of two by which a vector is divided so that its squares are well within range. */
static double scale_of(const double a[3])
{
    int32_t most = 0;
    for (unsigned i = 0; i < 3; i++) {
        const int32_t exponent = fh_exponent_of(a[i]);
        most = exponent > most ? exponent : most;
    }
    const int32_t limit = 2 * FH_EXPONENT_BIAS - 1;
    most = most < 1 ? 1 : most > limit ? limit : most;
    return fh_double_of((uint64_t)most << FH_MANTISSA_BITS);
}

double cam_length(const double a[3])
{
    const double squared = cam_dot(a, a);
    if (squared > 1e-200 && squared < 1e200) {
        return fh_sqrt(squared);
    }
    const double scale = scale_of(a);
    const double small[3] = {a[0] / scale, a[1] / scale, a[2] / scale};
    return fh_sqrt(cam_dot(small, small)) * scale;
}

bool cam_normalise(double out[3], const double a[3])
{
    const double length = cam_length(a);
    if (!(length >= CAM_SHORTEST)) {
        return false;
    }
    if (!cam_is_number(length)) { /* only of components near the largest double */
        const double part[3] = {a[0] / 4, a[1] / 4, a[2] / 4};
        const double quarter = cam_length(part);
        for (unsigned i = 0; i < 3; i++) {
            out[i] = part[i] / quarter;
        }
        return cam_is_number(quarter);
    }
    for (unsigned i = 0; i < 3; i++) {
        out[i] = a[i] / length;
    }
    return true;
}

double cam_sine(const double a[3], const double b[3])
{
    double x[3];
    double y[3];
    double z[3];
    if (!cam_normalise(x, a) || !cam_normalise(y, b)) {
        return 0;
    }
    cam_cross(z, x, y);
    return cam_length(z);
}

double cam_cosine(const double a[3], const double b[3])
{
    double x[3];
    double y[3];
    if (!cam_normalise(x, a) || !cam_normalise(y, b)) {
        return 0;
    }
    return cam_size(cam_dot(x, y));
}

/* ---- polynomials ---- */

cam_poly cam_poly_hermite(double a, double rate_a, double b, double rate_b)
{
    return (cam_poly){3, {a, a + rate_a / 3, b - rate_b / 3, b}};
}

static double binomial(unsigned n, unsigned k)
{
    double value = 1;
    for (unsigned i = 0; i < k; i++) {
        value = value * (n - i) / (i + 1); /* exact: whole numbers all the way */
    }
    return value;
}

cam_poly cam_poly_product(const cam_poly *a, const cam_poly *b)
{
    cam_poly out = {.degree = a->degree + b->degree};
    assert(out.degree <= CAM_MOST_DEGREE);
    for (unsigned i = 0; i <= a->degree; i++) {
        for (unsigned k = 0; k <= b->degree; k++) {
            const double weight = binomial(a->degree, i) * binomial(b->degree, k);
            out.c[i + k] += weight / binomial(out.degree, i + k) * (a->c[i] * b->c[k]);
        }
    }
    return out;
}

cam_poly cam_poly_add(const cam_poly *a, double factor, const cam_poly *b)
{
    cam_poly out = {.degree = a->degree};
    assert(a->degree == b->degree);
    for (unsigned i = 0; i <= a->degree; i++) {
        out.c[i] = a->c[i] + factor * b->c[i];
    }
    return out;
}

double cam_poly_at(const cam_poly *poly, double u)
{
    cam_poly rest = *poly;
    for (unsigned n = rest.degree; n > 0; n--) {
        for (unsigned i = 0; i < n; i++) {
            rest.c[i] = (1 - u) * rest.c[i] + u * rest.c[i + 1];
        }
    }
    return rest.c[0];
}

/* A part of the curve. */
typedef struct piece {
    cam_poly poly;
    double from;
    double width;
} piece;

static double lower_bound(const cam_poly *poly)
{
    double least = poly->c[0];
    for (unsigned i = 1; i <= poly->degree; i++) {
        least = poly->c[i] < least ? poly->c[i] : least;
    }
    return least;
}

/* Cuts a piece in the middle (de Casteljau): it becomes the first half. */
static piece halve(piece *whole)
{
    cam_poly *first = &whole->poly;
    piece second = *whole;
    const unsigned n = first->degree;
    for (unsigned step = 1; step <= n; step++) {
        for (unsigned i = 0; i + step <= n; i++) {
            second.poly.c[i] = second.poly.c[i] / 2 + second.poly.c[i + 1] / 2;
        }
        first->c[step] = second.poly.c[0];
    }
    whole->width /= 2;
    second.width /= 2;
    second.from += second.width;
    return second;
}

/* The stack holds one half of each size; a minimum of a polynomial keeps few pieces alive. */
enum { MOST_PIECES = 48 };
#define SMALLEST_WIDTH 0x1p-44

typedef struct search {
    double least;
    double at;
    double bound;
} search;

static bool is_worth(const search *have, const piece *part)
{
    const double lower = lower_bound(&part->poly);
    return lower < have->bound && lower < have->least - 1e-7 * cam_size(have->least) &&
           part->width > SMALLEST_WIDTH;
}

static void note_value(search *have, double value, double at)
{
    if (value < have->least) {
        have->least = value;
        have->at = at;
    }
}

double cam_poly_least(const cam_poly *poly, double bound, double *at, fh_budget *budget)
{
    piece stack[MOST_PIECES];
    size_t num = 1;
    search have = {poly->c[0], 0, bound};
    stack[0] = (piece){*poly, 0, 1};
    const uint64_t cost = 8 + (uint64_t)poly->degree * poly->degree / 2;
    note_value(&have, poly->c[poly->degree], 1);
    while (num > 0 && fh_pay(budget, cost)) {
        piece part = stack[--num];
        if (!is_worth(&have, &part)) {
            continue;
        }
        assert(num + 2 <= MOST_PIECES);
        const piece second = halve(&part);
        note_value(&have, second.poly.c[0], second.from);
        stack[num++] = second;
        stack[num++] = part;
    }
    *at = have.at;
    return have.least;
}
