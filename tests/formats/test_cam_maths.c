/* The maths of camerawork: vectors, polynomials, and numbers as they are shown. */
#include "cam_bench.h"

#include "camerawork/cam_maths.h"
#include "camerawork/cam_model.h"

#include <math.h>

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

Test(maths, what_has_no_direction)
{
    static const double none[3] = {0, 0, 0};
    static const double one[3] = {0, 3, 0};
    static const double back[3] = {0, -2, 0};
    cr_assert(cam_cosine(none, one) <= 0 && cam_cosine(one, none) <= 0);
    cr_assert(cam_sine(none, one) <= 0 && cam_sine(one, none) <= 0);
    cr_assert(eq(dbl, cam_cosine(one, back), 1.0));
}

Test(maths, the_least_value_within_a_budget)
{
    /* (1 - 2u)^2: 0 in the middle, 1 at both ends. */
    const cam_poly poly = {.degree = 2, .c = {1, -1, 1}};
    for (uint64_t units = 0; units < 200; units++) {
        double at = 77;
        fh_budget budget = {units};
        const double least = cam_poly_least(&poly, 10, &at, &budget);
        HOLD(least <= 1 && (least >= 1 || units >= 10), "%d units: %g", (int)units, least);
        HOLD(units < 10 || least <= 0, "%d units: %g", (int)units, least);
        HOLD(fabs((1 - 2 * at) * (1 - 2 * at) - least) < 1e-12, "at %g", at);
    }
}

static const char *shown(double value)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    cam_text_real(&text, value);
    return buf;
}

Test(maths, what_is_no_number_is_shown)
{
    cr_assert(eq(str, (char *)shown(INFINITY), "inf"));
    cr_assert(eq(str, (char *)shown(-INFINITY), "-inf"));
    cr_assert(eq(str, (char *)shown(NAN), "nan"));
    cr_assert(eq(str, (char *)shown(-0.0), "0"));
    cr_assert(eq(str, (char *)shown(-1.7976931348623157e308), "-1.797693e+308"));
}

/* Three components in front of one that is not the vector's. */
typedef struct fenced {
    double at[3];
    double fence;
} fenced;

/* The length of what is not finite is not either, and that of the largest is. */
Test(maths, lengths_at_the_ends_of_the_range)
{
    for (unsigned i = 0; i < 3; i++) {
        double one[3] = {0, 0, 0};
        one[i] = 1e300;
        near(cam_length(one) / 1e300, 1, 1e-15, "length", i);
        one[i] = -1.7976931348623157e308;
        near(cam_length(one) / 1.7976931348623157e308, 1, 0, "length", i);
        one[i] = 5e-324;
        near(cam_length(one) / 5e-324, 1, 0, "length", i);
        one[i] = -INFINITY;
        cr_assert(isinf(cam_length(one)), "%u", i);
        one[(i + 1) % 3] = 1e308;
        cr_assert(isinf(cam_length(one)), "%u", i);
    }
}

/* 1e-12 is the shortest vector that has a direction. */
Test(maths, directions_at_the_ends_of_the_range)
{
    static const fenced shortest = {{0, -1e-12, 0}, 1};
    static const fenced shorter = {{0, -9.99e-13, 0}, 1};
    /* 12, 15 and 16 are the sides of a box whose diagonal is 25. */
    static const fenced huge = {{1.2e308, -1.5e308, 1.6e308}, 7};
    fenced unit = {{7, 7, 7}, 77};
    cr_assert(cam_normalise(unit.at, shortest.at));
    near(unit.at[1], -1, 0, "y", 0);
    cr_assert(not(cam_normalise(unit.at, shorter.at)));
    near(unit.at[1], -1, 0, "y, untouched", 0);
    cr_assert(cam_normalise(unit.at, huge.at));
    near(unit.at[0], 0.48, 1e-15, "x", 0);
    near(unit.at[1], -0.6, 1e-15, "y", 0);
    near(unit.at[2], 0.64, 1e-15, "z", 0);
    near(unit.fence, 77, 0, "what is behind it", 0);
}

Test(maths, the_value_of_a_polynomial)
{
    dice d = {17};
    for (unsigned degree = 1; degree <= CAM_MOST_DEGREE; degree++) {
        cam_poly poly = {.degree = degree};
        for (unsigned i = 0; i <= degree; i++) {
            poly.c[i] = random_value(&d);
        }
        for (int i = 0; i <= 8; i++) {
            near(cam_poly_at(&poly, i / 8.0), poly_at(&poly, i / 8.0), 1e-13, "value", degree);
        }
    }
}

/* What is not below the bound is not searched for, and of equal values the first is taken. */
Test(maths, least_values_that_are_not_searched_for)
{
    const cam_poly bowl = {.degree = 2, .c = {3, 2, 3}}; /* 2.5 in the middle */
    const cam_poly flat = {.degree = 3, .c = {1, 1, 1, 1}};
    fh_budget budget = {1000};
    double at = 77;
    near(cam_poly_least(&bowl, 2, &at, &budget), 3, 0, "least", 0);
    near(at, 0, 0, "at", 0);
    near(cam_poly_least(&bowl, 2.0000001, &at, &budget), 2.5, 0, "least", 0);
    near(at, 0.5, 0, "at", 0);
    near(cam_poly_least(&flat, 10, &at, &budget), 1, 0, "least", 0);
    near(at, 0, 0, "at", 0);
}

/* (u - 2^-45)^2 is 0 between two places that are 2^-44 apart: there the search ends. */
Test(maths, the_smallest_piece)
{
    const double root = ldexp(1, -45);
    const cam_poly poly = {.degree = 2,
                           .c = {root * root, root * root - root, (1 - root) * (1 - root)}};
    fh_budget budget = {1 << 20};
    double at = 77;
    near(cam_poly_least(&poly, 10, &at, &budget) / (root * root), 1, 1e-6, "least", 0);
    cr_assert(at <= 0 || at >= 2 * root);
}

/* Columns as the sheet lists them, and what of them are values. */
Test(model, columns_and_values)
{
    unsigned num = 0;
    for (unsigned column = 1; column <= CAM_COLUMNS; column++) {
        if (column == 1 || column == 2 || column == 12 || column == 16) {
            cr_assert(eq(int, cam_value_of(column), -1));
            continue;
        }
        HOLD(cam_value_of(column) == (int)num && cam_column_of(num) == column, "column %u", column);
        num++;
    }
    cr_assert(eq(uint, num, CAM_VALUES));
}
