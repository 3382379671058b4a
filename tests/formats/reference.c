#include "reference.h"

#include <math.h>

int64_t reference_shift(int64_t value, unsigned bits)
{
    const int64_t unit = (int64_t)1 << bits;
    const int64_t quotient = value / unit;
    return value % unit < 0 ? quotient - 1 : quotient;
}

int64_t reference_wrap(int64_t value, unsigned bits)
{
    const int64_t range = (int64_t)1 << bits;
    int64_t rest = value % range;
    if (rest < 0) {
        rest += range;
    }
    return rest >= range / 2 ? rest - range : rest;
}

int64_t reference_sine(int64_t i)
{
    static int64_t table[4096];
    static bool is_filled;
    for (int k = 0; k < 4096 && !is_filled; k++) {
        table[k] = llround(4096.0 * sin(2.0 * acos(-1.0) * k / 4096.0));
    }
    is_filled = true;
    return table[i];
}

int64_t reference_sin(int64_t angle)
{
    return angle >= 0 ? reference_sine(angle % 4096) : -reference_sine(-angle % 4096);
}

int64_t reference_cos(int64_t angle)
{
    return reference_sine(((angle < 0 ? -angle : angle) + 1024) % 4096);
}

void reference_rotation(int64_t out[3][3], const int64_t angle[3])
{
    const int64_t sx = reference_sin(angle[0]), cx = reference_cos(angle[0]);
    const int64_t sy = reference_sin(angle[1]), cy = reference_cos(angle[1]);
    const int64_t sz = reference_sin(angle[2]), cz = reference_cos(angle[2]);
#define P(x, y) reference_shift((x) * (y), 12)
#define N(x, y) reference_shift(-((x) * (y)), 12)
    const int64_t a = P(cz, -sy);
    const int64_t b = P(sz, -sy);
    const int64_t rows[3][3] = {
        {P(cz, cy), N(sz, cy), sy},
        {P(sz, cx) - P(a, sx), P(cz, cx) + P(b, sx), N(cy, sx)},
        {P(sz, sx) + P(a, cx), P(cz, sx) - P(b, cx), P(cy, cx)},
    };
#undef P
#undef N
    for (int i = 0; i < 9; i++) {
        out[i / 3][i % 3] = reference_wrap(rows[i / 3][i % 3], 16);
    }
}

/* The high part is a half word of the coprocessor; with `is_whole` it has room for all of it. */
static int64_t reference_long(const int16_t row[3], const int32_t v[3], bool is_whole)
{
    int64_t high = 0, low = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t sign = v[i] < 0 ? -1 : 1;
        const int64_t magnitude = v[i] < 0 ? -(int64_t)v[i] : v[i];
        const int64_t part = sign * (magnitude / 32768);
        high += row[i] * (is_whole ? part : reference_wrap(part, 16));
        low += row[i] * sign * (magnitude % 32768);
    }
    return 8 * high + reference_shift(low, 12);
}

bool reference_combine(int64_t m[3][3], int64_t t[3], const fx_matrix *p, const fx_matrix *c)
{
    bool fits = true;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            const int64_t sum = (int64_t)p->m[r][0] * c->m[0][k] +
                                (int64_t)p->m[r][1] * c->m[1][k] + (int64_t)p->m[r][2] * c->m[2][k];
            const int64_t exact = reference_shift(sum, 12);
            m[r][k] = exact < -32768 ? -32768 : exact > 32767 ? 32767 : exact;
            fits = fits && m[r][k] == exact;
        }
        t[r] = reference_wrap(reference_long(p->m[r], c->t, false) + p->t[r], 32);
        fits = fits && t[r] == reference_long(p->m[r], c->t, true) + p->t[r];
    }
    return fits;
}
