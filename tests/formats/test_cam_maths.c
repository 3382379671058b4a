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

/* One component is enough to tell the size; what is infinite has an infinite length. */
Test(maths, lengths_of_one_component)
{
    static const double sizes[] = {1e300, 1e-300, 5e-324, 1.7e308, 1, 1e100, INFINITY};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (unsigned k = 0; k < 3; k++) {
            double vector[3] = {0, 0, 0};
            vector[k] = -sizes[i];
            HOLD(cam_length(vector) >= sizes[i] && cam_length(vector) <= sizes[i], "%g at %u: %g",
                 sizes[i], k, cam_length(vector));
        }
    }
}

Test(maths, directions_of_the_shortest_and_the_longest)
{
    static const double shortest[3] = {0, CAM_SHORTEST, 0};
    static const double shorter[3] = {0, CAM_SHORTEST * 0.999999, 0};
    static const double longest[3] = {1.7e308, -1.6e308, 1.5e308};
    const double length = sqrt(1.7 * 1.7 + 1.6 * 1.6 + 1.5 * 1.5);
    double out[4] = {7, 7, 7, 7}; /* one more than is written */
    cr_assert(not(cam_normalise(out, shorter)));
    cr_assert(eq(dbl, out[1], 7.0));
    cr_assert(cam_normalise(out, shortest));
    cr_assert(eq(dbl, out[1], 1.0));
    cr_assert(cam_normalise(out, longest));
    near(out[0], 1.7 / length, 1e-15, "x", 0);
    near(out[1], -1.6 / length, 1e-15, "y", 0);
    near(out[2], 1.5 / length, 1e-15, "z", 0);
    cr_assert(eq(dbl, out[3], 7.0));
}

Test(maths, values_of_a_polynomial)
{
    const cam_poly poly = {.degree = 2, .c = {1, -1, 1}}; /* (1 - 2u)^2 */
    const cam_poly line = {.degree = 1, .c = {2, 6}};
    cr_assert(eq(dbl, cam_poly_at(&poly, 0), 1.0));
    cr_assert(eq(dbl, cam_poly_at(&poly, 0.25), 0.25));
    cr_assert(eq(dbl, cam_poly_at(&poly, 0.5), 0.0));
    cr_assert(eq(dbl, cam_poly_at(&poly, 1), 1.0));
    cr_assert(eq(dbl, cam_poly_at(&line, 0.75), 5.0));
}

static double least_of(const cam_poly *poly, double bound, double *at)
{
    fh_budget budget = {1 << 20};
    return cam_poly_least(poly, bound, at, &budget);
}

/* What cannot get below the bound, or not by more than a ten millionth, is not searched; of equal
 * values the first is taken; and a part of 2^-44 is not cut any more. */
Test(maths, where_a_search_ends)
{
    const cam_poly dip = {.degree = 2, .c = {4, 0, 4}};
    const cam_poly flat = {.degree = 2, .c = {1, 1 - 1e-7, 1}};
    const cam_poly less_flat = {.degree = 2, .c = {1, 1 - 1.01e-7, 1}};
    const cam_poly third = {.degree = 2, .c = {1, -2, 4}}; /* (1 - 3u)^2 */
    double at = 77;
    cr_assert(eq(dbl, least_of(&dip, 0, &at), 4.0));
    cr_assert(eq(dbl, at, 0.0));
    cr_assert(eq(dbl, least_of(&dip, 1e-9, &at), 2.0));
    cr_assert(eq(dbl, at, 0.5));
    cr_assert(eq(dbl, least_of(&flat, 10, &at), 1.0));
    cr_assert(lt(dbl, least_of(&less_flat, 10, &at), 1.0));
    cr_assert(lt(dbl, least_of(&third, 10, &at), 1e-24));
    near(at, 1.0 / 3, 0x1p-44, "at", 0);
    cr_assert(eq(dbl, at * 0x1p44, floor(at * 0x1p44)));
}

/* The 25 columns without those of integers are the values, in their order. */
Test(model, columns_of_values)
{
    unsigned value = 0;
    for (unsigned column = 1; column <= CAM_COLUMNS; column++) {
        if (column == CAM_INDEX || column == CAM_KEY || column == CAM_ANCHOR_KEY ||
            column == CAM_STORED) {
            cr_assert(eq(int, cam_value_of(column), -1));
        } else {
            cr_assert(eq(int, cam_value_of(column), (int)value));
            cr_assert(eq(u32, cam_column_of(value), column));
            value++;
        }
    }
    cr_assert(eq(u32, value, CAM_VALUES));
}
