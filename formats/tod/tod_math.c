#include "tod/tod_math.h"

#include "tod/tod_sine_table.h"

/* S[i] of the full table, i = 0..4095, from its first quarter. */
static int32_t sine(unsigned i)
{
    const unsigned half = i & 2047;
    const int32_t value = quarter_sine[half <= 1024 ? half : 2048 - half];
    return i < 2048 ? value : -value;
}

int32_t tod_sin(int32_t angle)
{
    return angle >= 0 ? sine((unsigned)angle & 4095) : -sine((unsigned)-angle & 4095);
}

int32_t tod_cos(int32_t angle)
{
    const unsigned magnitude = (unsigned)(angle < 0 ? -angle : angle);
    return sine((magnitude + 1024) & 4095);
}

/* Right shifts of negative numbers are arithmetic with both compilers of this project; a test
 * holds that. */
static int32_t product(int32_t a, int32_t b)
{
    return (a * b) >> 12;
}

static int32_t negative_product(int32_t a, int32_t b)
{
    return (-(a * b)) >> 12;
}

void tod_rotate(tod_matrix *matrix, const int16_t angle[3])
{
    const int32_t sx = tod_sin(angle[0]), cx = tod_cos(angle[0]);
    const int32_t sy = tod_sin(angle[1]), cy = tod_cos(angle[1]);
    const int32_t sz = tod_sin(angle[2]), cz = tod_cos(angle[2]);
    const int32_t a = product(cz, -sy);
    const int32_t b = product(sz, -sy);
    int16_t(*m)[3] = matrix->m;
    m[0][0] = tod_w16(product(cz, cy));
    m[0][1] = tod_w16(negative_product(sz, cy));
    m[0][2] = tod_w16(sy);
    m[1][0] = tod_w16(product(sz, cx) - product(a, sx));
    m[1][1] = tod_w16(product(cz, cx) + product(b, sx));
    m[1][2] = tod_w16(negative_product(cy, sx));
    m[2][0] = tod_w16(product(sz, sx) + product(a, cx));
    m[2][1] = tod_w16(product(cz, sx) - product(b, cx));
    m[2][2] = tod_w16(product(cy, cx));
}

bool tod_scale(tod_matrix *matrix, const int32_t scale[3])
{
    bool fits = true;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            const int64_t exact = ((int64_t)matrix->m[r][c] * scale[c]) >> 12;
            const int32_t wrapped = tod_w32((int64_t)matrix->m[r][c] * scale[c]) >> 12;
            matrix->m[r][c] = tod_w16(wrapped);
            fits = fits && matrix->m[r][c] == exact;
        }
    }
    return fits;
}

static int16_t clamp16(int64_t value, bool *fits)
{
    if (value < INT16_MIN || value > INT16_MAX) {
        *fits = false;
        return value < 0 ? INT16_MIN : INT16_MAX;
    }
    return (int16_t)value;
}

/* The library splits a long vector by sign and magnitude into a high and a low part, because its
 * coprocessor multiplies 16 bits at a time. */
static int64_t transform_long(const int16_t row[3], const int32_t t[3])
{
    int64_t high = 0;
    int64_t low = 0;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t sign = t[i] < 0 ? -1 : 1;
        const int64_t magnitude = t[i] * sign;
        high += row[i] * (sign * (magnitude >> 15));
        low += row[i] * (sign * (magnitude & 0x7fff));
    }
    return 8 * high + (low >> 12);
}

bool tod_combine(tod_matrix *world, const tod_matrix *parent, const tod_matrix *local)
{
    bool fits = true;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            int64_t sum = 0;
            for (unsigned k = 0; k < 3; k++) {
                sum += (int64_t)parent->m[r][k] * local->m[k][c];
            }
            world->m[r][c] = clamp16(sum >> 12, &fits);
        }
        const int64_t t = transform_long(parent->m[r], local->t) + parent->t[r];
        world->t[r] = tod_w32(t);
        fits = fits && world->t[r] == t;
    }
    return fits;
}

bool tod_is_singular(const int16_t m[3][3])
{
    const int64_t minor0 = (int64_t)m[1][1] * m[2][2] - (int64_t)m[1][2] * m[2][1];
    const int64_t minor1 = (int64_t)m[1][0] * m[2][2] - (int64_t)m[1][2] * m[2][0];
    const int64_t minor2 = (int64_t)m[1][0] * m[2][1] - (int64_t)m[1][1] * m[2][0];
    return m[0][0] * minor0 - m[0][1] * minor1 + m[0][2] * minor2 == 0;
}
