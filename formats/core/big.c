#include "core/big.h"

#include <assert.h>
#include <string.h>

void fh_big_set(fh_big *to, uint64_t value)
{
    to->num = 0;
    while (value != 0) {
        to->limb[to->num++] = (uint32_t)(value & UINT32_MAX);
        value >>= 32;
    }
}

static void push_limb(fh_big *to, uint32_t limb)
{
    if (limb != 0) {
        assert(to->num < FH_BIG_LIMBS);
        to->limb[to->num++] = limb;
    }
}

/* The highest limb is not 0. */
static void trim(fh_big *to)
{
    while (to->num > 0 && to->limb[to->num - 1] == 0) {
        to->num--;
    }
}

void fh_big_multiply(fh_big *to, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (size_t i = 0; i < to->num; i++) {
        carry += (uint64_t)to->limb[i] * factor;
        to->limb[i] = (uint32_t)(carry & UINT32_MAX);
        carry >>= 32;
    }
    push_limb(to, (uint32_t)carry);
}

void fh_big_multiply_by_5_to(fh_big *to, uint32_t power)
{
    enum { STEP = 13 }; /* 5^13 is the largest power below 2^32 */
    while (power >= STEP) {
        fh_big_multiply(to, 1220703125u, 0);
        power -= STEP;
    }
    while (power > 0) {
        fh_big_multiply(to, 5, 0);
        power--;
    }
}

uint32_t fh_big_bits(const fh_big *of)
{
    assert(of->num > 0);
    uint32_t bits = (uint32_t)(of->num - 1) * 32;
    for (uint32_t top = of->limb[of->num - 1]; top != 0; top >>= 1) {
        bits++;
    }
    return bits;
}

void fh_big_shift_left(fh_big *to, uint32_t bits)
{
    const size_t limbs = bits / 32;
    assert(to->num + limbs <= FH_BIG_LIMBS);
    memmove(to->limb + limbs, to->limb, to->num * sizeof to->limb[0]);
    memset(to->limb, 0, limbs * sizeof to->limb[0]);
    to->num = to->num == 0 ? 0 : to->num + limbs;
    const uint32_t rest = bits % 32;
    uint32_t carry = 0;
    for (size_t i = limbs; i < to->num; i++) {
        const uint64_t wide = (uint64_t)to->limb[i] << rest | carry;
        to->limb[i] = (uint32_t)(wide & UINT32_MAX);
        carry = (uint32_t)(wide >> 32);
    }
    push_limb(to, carry);
}

static bool bit_of(const fh_big *of, uint32_t bit)
{
    return bit / 32 < of->num && (of->limb[bit / 32] >> bit % 32 & 1) != 0;
}

/* Whether some bit is set below that one, which lies in the number. */
static bool has_bits_below(const fh_big *of, uint32_t bit)
{
    assert(bit / 32 < of->num);
    for (size_t i = 0; i < bit / 32; i++) {
        if (of->limb[i] != 0) {
            return true;
        }
    }
    return (of->limb[bit / 32] & (((uint32_t)1 << bit % 32) - 1)) != 0;
}

static void shift_right(fh_big *to, uint32_t bits)
{
    const size_t limbs = bits / 32 < to->num ? bits / 32 : to->num;
    const uint32_t rest = bits % 32;
    to->num -= limbs;
    memmove(to->limb, to->limb + limbs, to->num * sizeof to->limb[0]);
    for (size_t i = 0; i < to->num; i++) {
        const uint64_t above = i + 1 < to->num ? to->limb[i + 1] : 0;
        to->limb[i] = (uint32_t)((above << 32 | to->limb[i]) >> rest & UINT32_MAX);
    }
    trim(to);
}

void fh_big_shift_right_rounded(fh_big *to, uint32_t bits)
{
    if (bits == 0) {
        return;
    }
    const bool is_half = bit_of(to, bits - 1);
    const bool is_up = is_half && (has_bits_below(to, bits - 1) || bit_of(to, bits));
    shift_right(to, bits);
    if (is_up) {
        fh_big_multiply(to, 1, 1);
    }
}

bool fh_big_is_less(const fh_big *a, const fh_big *b)
{
    if (a->num != b->num) {
        return a->num < b->num;
    }
    for (size_t i = a->num; i > 0; i--) {
        if (a->limb[i - 1] != b->limb[i - 1]) {
            return a->limb[i - 1] < b->limb[i - 1];
        }
    }
    return false;
}

void fh_big_subtract(fh_big *from, const fh_big *what)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < from->num; i++) {
        const uint64_t take = (i < what->num ? what->limb[i] : 0) + borrow;
        borrow = from->limb[i] < take ? 1 : 0;
        from->limb[i] = (uint32_t)(((borrow << 32) + from->limb[i] - take) & UINT32_MAX);
    }
    assert(borrow == 0);
    trim(from);
}

uint32_t fh_big_divide_small(fh_big *to, uint32_t by)
{
    uint64_t rest = 0;
    for (size_t i = to->num; i > 0; i--) {
        rest = rest << 32 | to->limb[i - 1];
        to->limb[i - 1] = (uint32_t)(rest / by);
        rest %= by;
    }
    trim(to);
    return (uint32_t)rest;
}

uint64_t fh_big_quotient_rounded(fh_big *top, fh_big *below)
{
    const uint32_t top_bits = top->num == 0 ? 0 : fh_big_bits(top);
    const uint32_t below_bits = fh_big_bits(below);
    const uint32_t places = top_bits > below_bits ? top_bits - below_bits : 0;
    uint64_t out = 0;
    assert(places < 63);
    fh_big_shift_left(below, places);
    for (uint32_t i = 0; i <= places; i++) {
        out <<= 1;
        if (!fh_big_is_less(top, below)) {
            fh_big_subtract(top, below);
            out |= 1;
        }
        fh_big_shift_left(top, 1);
    }
    /* What is left stands doubled beside the divisor: more than it is more than a half. */
    const bool is_half = !fh_big_is_less(top, below);
    const bool is_more = fh_big_is_less(below, top);
    return out + (is_more || (is_half && (out & 1) != 0) ? 1 : 0);
}

uint64_t fh_big_low(const fh_big *of)
{
    const uint64_t low = of->num > 0 ? of->limb[0] : 0;
    const uint64_t high = of->num > 1 ? of->limb[1] : 0;
    return high << 32 | low;
}
