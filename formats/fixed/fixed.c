#include "fixed/fixed.h"

#include "fixed/sine_table.h"

#include <assert.h>

/* S[i] of the full table, i = 0..4095, from its first quarter. */
static int32_t sine(unsigned i)
{
    const unsigned half = i & 2047;
    const int32_t value = quarter_sine[half <= 1024 ? half : 2048 - half];
    return i < 2048 ? value : -value;
}

int32_t fx_sin(int32_t angle)
{
    return angle >= 0 ? sine((unsigned)angle & 4095) : -sine((unsigned)-angle & 4095);
}

int32_t fx_cos(int32_t angle)
{
    const unsigned magnitude = (unsigned)(angle < 0 ? -angle : angle);
    return sine((magnitude + 1024) & 4095);
}

/* Right shifts of negative numbers are arithmetic with both compilers of this project; a test
 * holds that. Products of two sines and of a sine and a product fit 32 bits. */
static int32_t product(int32_t a, int32_t b)
{
    return (a * b) >> 12;
}

static int32_t negative_product(int32_t a, int32_t b)
{
    return (-(a * b)) >> 12;
}

typedef struct angles {
    int32_t sx, cx, sy, cy, sz, cz;
} angles;

/* One function an order, in the words of the library: where it rounds a product before the next
 * one, and where it negates before or after rounding, differs from order to order. */
static void rotate_xyz(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->cz, -a->sy);
    const int32_t q = product(a->sz, -a->sy);
    m[0] = product(a->cz, a->cy);
    m[1] = negative_product(a->sz, a->cy);
    m[2] = a->sy;
    m[3] = product(a->sz, a->cx) - product(p, a->sx);
    m[4] = product(a->cz, a->cx) + product(q, a->sx);
    m[5] = negative_product(a->cy, a->sx);
    m[6] = product(a->sz, a->sx) + product(p, a->cx);
    m[7] = product(a->cz, a->sx) - product(q, a->cx);
    m[8] = product(a->cy, a->cx);
}

static void rotate_xzy(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->sz, a->cy);
    const int32_t q = product(a->sz, a->sy);
    m[0] = product(a->cz, a->cy);
    m[1] = -a->sz;
    m[2] = product(a->cz, a->sy);
    m[3] = product(a->sx, a->sy) + product(p, a->cx);
    m[4] = product(a->cx, a->cz);
    m[5] = product(q, a->cx) - product(a->sx, a->cy);
    m[6] = product(p, a->sx) - product(a->cx, a->sy);
    m[7] = product(a->sx, a->cz);
    m[8] = product(a->cx, a->cy) + product(q, a->sx);
}

static void rotate_yxz(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->sy, a->sx);
    const int32_t q = product(a->cy, a->sx);
    m[0] = product(a->cy, a->cz) + product(p, a->sz);
    m[1] = -product(a->cy, a->sz) + product(p, a->cz);
    m[2] = product(a->sy, a->cx);
    m[3] = product(a->sz, a->cx);
    m[4] = product(a->cz, a->cx);
    m[5] = -a->sx;
    m[6] = -product(a->sy, a->cz) + product(q, a->sz);
    m[7] = product(a->sy, a->sz) + product(q, a->cz);
    m[8] = product(a->cy, a->cx);
}

static void rotate_yzx(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->sz, a->cx);
    const int32_t q = product(a->sz, a->sx);
    m[0] = product(a->cz, a->cy);
    m[1] = product(a->sx, a->sy) - product(p, a->cy);
    m[2] = product(q, a->cy) + product(a->sy, a->cx);
    m[3] = a->sz;
    m[4] = product(a->cx, a->cz);
    m[5] = negative_product(a->sx, a->cz);
    m[6] = negative_product(a->cz, a->sy);
    m[7] = product(p, a->sy) + product(a->cy, a->sx);
    m[8] = product(a->cx, a->cy) - product(q, a->sy);
}

static void rotate_zxy(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->sx, a->sy);
    const int32_t q = product(a->sx, a->cy);
    m[0] = product(a->cz, a->cy) - product(p, a->sz);
    m[1] = negative_product(a->sz, a->cx);
    m[2] = product(a->cz, a->sy) + product(q, a->sz);
    m[3] = product(a->sz, a->cy) + product(p, a->cz);
    m[4] = product(a->cz, a->cx);
    m[5] = product(a->sz, a->sy) - product(q, a->cz);
    m[6] = negative_product(a->cx, a->sy);
    m[7] = a->sx;
    m[8] = product(a->cx, a->cy);
}

static void rotate_zyx(int32_t m[9], const angles *a)
{
    const int32_t p = product(a->sx, a->sy);
    const int32_t q = product(a->sy, a->cx);
    m[0] = product(a->cy, a->cz);
    m[1] = product(p, a->cz) - product(a->sz, a->cx);
    m[2] = product(q, a->cz) + product(a->sx, a->sz);
    m[3] = product(a->sz, a->cy);
    m[4] = product(p, a->sz) + product(a->cx, a->cz);
    m[5] = product(q, a->sz) - product(a->sx, a->cz);
    m[6] = -a->sy;
    m[7] = product(a->sx, a->cy);
    m[8] = product(a->cx, a->cy);
}

void fx_rotate(fx_matrix *matrix, const int16_t angle[3], fx_order order)
{
    static void (*const orders[FX_NUM_ORDERS])(int32_t *, const angles *) = {
        [FX_XYZ] = rotate_xyz, [FX_XZY] = rotate_xzy, [FX_YXZ] = rotate_yxz,
        [FX_YZX] = rotate_yzx, [FX_ZXY] = rotate_zxy, [FX_ZYX] = rotate_zyx};
    assert(order < FX_NUM_ORDERS);
    const angles a = {fx_sin(angle[0]), fx_cos(angle[0]), fx_sin(angle[1]),
                      fx_cos(angle[1]), fx_sin(angle[2]), fx_cos(angle[2])};
    int32_t m[9];
    orders[order](m, &a);
    for (unsigned i = 0; i < 9; i++) {
        matrix->m[i / 3][i % 3] = fx_w16(m[i]);
    }
}

bool fx_scale(fx_matrix *matrix, const int32_t scale[3])
{
    bool fits = true;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            const int64_t exact = ((int64_t)matrix->m[r][c] * scale[c]) >> 12;
            const int32_t wrapped = fx_w32((int64_t)matrix->m[r][c] * scale[c]) >> 12;
            matrix->m[r][c] = fx_w16(wrapped);
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
 * coprocessor multiplies 16 bits at a time; of a component above 2^30 it loses the rest of the high
 * part. *exact is what would come out without that loss, before it is wrapped at 32 bits. */
static int32_t transform_long(int64_t *exact, const int16_t row[3], const int32_t t[3])
{
    int64_t high = 0;
    int64_t whole_high = 0;
    int64_t low = 0;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t sign = t[i] < 0 ? -1 : 1;
        const int64_t magnitude = t[i] * sign;
        const int64_t upper = sign * (magnitude >> 15);
        high += (int64_t)row[i] * fx_w16(upper);
        whole_high += row[i] * upper;
        low += row[i] * (sign * (magnitude & 0x7fff));
    }
    *exact = 8 * whole_high + (low >> 12);
    return fx_w32(8 * high + (low >> 12));
}

void fx_transform(int32_t out[3], const fx_matrix *matrix, const int32_t vector[3])
{
    for (unsigned r = 0; r < 3; r++) {
        int64_t exact;
        out[r] = transform_long(&exact, matrix->m[r], vector);
    }
}

bool fx_combine(fx_matrix *world, const fx_matrix *parent, const fx_matrix *local)
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
        int64_t exact;
        const int64_t t = (int64_t)transform_long(&exact, parent->m[r], local->t) + parent->t[r];
        world->t[r] = fx_w32(t);
        fits = fits && world->t[r] == exact + parent->t[r];
    }
    return fits;
}

void fx_inverse(fx_matrix *inverse, const fx_matrix *matrix)
{
    fx_matrix turned = {.t = {0}};
    int32_t t[3];
    for (unsigned i = 0; i < 9; i++) {
        turned.m[i / 3][i % 3] = matrix->m[i % 3][i / 3];
    }
    fx_transform(t, &turned, matrix->t);
    for (unsigned i = 0; i < 3; i++) {
        turned.t[i] = fx_w32(-(int64_t)t[i]);
    }
    *inverse = turned;
}

/* The root of a number below 2^26, rounded down, from its highest bit on. */
static int32_t root_of(int32_t value)
{
    int32_t root = 0;
    for (int32_t bit = 1 << 12; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= value) {
            root += bit;
        }
    }
    return root;
}

static unsigned leading_zeros(int32_t value)
{
    unsigned zeros = 0;
    assert(value > 0); /* so some bit is set */
    while ((uint32_t)value >> (31 - zeros) == 0) {
        zeros++;
    }
    return zeros;
}

/* The library takes the upper 6 to 8 bits, at an even place, to a table of 4096 sqrt(i / 64) for
 * i = 64..255, rounded down, which is the root of i 2^18. */
bool fx_sqrt(int32_t *root, int32_t value)
{
    if (value < -1) {
        return false;
    }
    if (value <= 0) {
        *root = 0;
        return true;
    }
    const unsigned zeros = leading_zeros(value) & ~1u;
    const int32_t i = zeros >= 24 ? value << (zeros - 24) : value >> (24 - zeros);
    *root = (root_of(i << 18) << ((31 - zeros) >> 1)) >> 12;
    return true;
}

int32_t fx_square(const int32_t vector[3])
{
    int64_t sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        sum += fx_w32((int64_t)vector[i] * vector[i]);
    }
    return fx_w32(sum);
}

bool fx_is_singular(const int16_t m[3][3])
{
    const int64_t minor0 = (int64_t)m[1][1] * m[2][2] - (int64_t)m[1][2] * m[2][1];
    const int64_t minor1 = (int64_t)m[1][0] * m[2][2] - (int64_t)m[1][2] * m[2][0];
    const int64_t minor2 = (int64_t)m[1][0] * m[2][1] - (int64_t)m[1][1] * m[2][0];
    return m[0][0] * minor0 - m[0][1] * minor1 + m[0][2] * minor2 == 0;
}
