#include "mutate_change.h"

#include <assert.h>
#include <string.h>

size_t below(change *c, size_t num)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (size_t)(c->random >> 16) % num;
}

bool one_of(change *c, move *const *moves, size_t num)
{
    return moves[below(c, num)](c);
}

/* ---- bytes ---- */

bool put_in(change *c, size_t off, const uint8_t *bytes, size_t len)
{
    if (off > c->size || len > c->max - c->size) {
        return false;
    }
    memmove(c->data + off + len, c->data + off, c->size - off);
    memcpy(c->data + off, bytes, len);
    c->size += len;
    return true;
}

void take_out(change *c, size_t off, size_t len)
{
    memmove(c->data + off, c->data + off + len, c->size - off - len);
    c->size -= len;
}

uint32_t number_at(const uint8_t *at, size_t len)
{
    uint32_t value = 0;
    for (size_t i = 0; i < len && i < WORD_LEN; i++) {
        value |= (uint32_t)at[i] << (8 * i);
    }
    return value;
}

void put_number(uint8_t *at, size_t len, uint32_t value)
{
    for (size_t i = 0; i < len && i < WORD_LEN; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

/* ---- what counts ---- */

void tell_kept(change *c)
{
    c->told = (fuzz_change){.claim = FUZZ_KEPT};
}

void tell_broken(change *c, size_t off, size_t len, const void *right, size_t right_len)
{
    assert(right_len <= sizeof c->told.right);
    c->told = (fuzz_change){.claim = FUZZ_BROKE, .off = off, .len = len, .right_len = right_len};
    memcpy(c->told.right, right, right_len);
}

/* What a number becomes; false if it cannot be told in its bytes. Its highest bit may be a flag,
 * and stays. */
static bool counted(uint32_t *out, const change *c, const part_count *of, bool is_more,
                    uint32_t least)
{
    const uint64_t most = of->len >= WORD_LEN ? UINT32_MAX : (UINT64_C(1) << (8 * of->len)) - 1;
    if (of->off > c->size || of->len > c->size - of->off) {
        return false;
    }
    const uint64_t old = number_at(c->data + of->off, of->len);
    const uint64_t value = is_more ? old + of->less : old < of->less ? 0 : old - of->less;
    *out = (uint32_t)value;
    const uint64_t flag = most / 2 + 1;
    return (is_more || old >= of->less) && value <= most && (value & flag) == (old & flag) &&
           (value & ~flag) >= least;
}

bool count_part(change *c, const part_count *counts, bool is_more, uint32_t least,
                place_after *moved, const void *user)
{
    uint32_t values[PART_COUNTS] = {0};
    size_t num = 0;
    for (size_t i = 0; i < PART_COUNTS && counts[i].len > 0; i++) {
        if (!counted(&values[i], c, &counts[i], is_more, least)) {
            return false;
        }
        num++;
    }
    const bool is_wrong = below(c, EACH_WRONG) == 0 && num > 0;
    const size_t left = is_wrong ? below(c, num) : num;
    tell_kept(c);
    for (size_t i = 0; i < num; i++) {
        if (i != left) {
            put_number(c->data + counts[i].off, counts[i].len, values[i]);
        } else {
            uint8_t right[WORD_LEN];
            put_number(right, sizeof right, values[i]);
            tell_broken(c, moved(user, counts[i].off), counts[i].len, right, counts[i].len);
        }
    }
    return true;
}
