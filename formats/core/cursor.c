#include "core/cursor.h"

#include <assert.h>
#include <string.h>

fh_cursor fh_cursor_make(const void *base, size_t size, uint64_t origin)
{
    assert(base != NULL || size == 0);
    return (fh_cursor){.base = base, .size = size, .pos = 0, .origin = origin, .failed = false};
}

/* The one bounds check, of a position inside. Nothing is added, so nothing can wrap. */
static bool holds(size_t size, size_t pos, size_t len)
{
    assert(pos <= size);
    return size - pos >= len;
}

static bool fits(fh_cursor *cur, size_t len)
{
    if (!holds(cur->size, cur->pos, len)) {
        cur->failed = true;
        return false;
    }
    return true;
}

/* The one place where input bytes are read as a number. */
static uint32_t read_le(fh_cursor *cur, size_t len)
{
    if (!fits(cur, len)) {
        return 0;
    }
    uint32_t value = 0;
    /*@ loop invariant 0 <= i <= len;
        loop assigns i, value;
        loop variant len - i; */
    for (size_t i = 0; i < len; i++) {
        //@ assert i == 0 || i == 1 || i == 2 || i == 3;
        value |= (uint32_t)cur->base[cur->pos + i] << (8 * i);
    }
    cur->pos += len;
    return value;
}

fh_cursor fh_cursor_sub(const fh_cursor *parent, size_t off, size_t len)
{
    if (off > parent->size || !holds(parent->size, off, len)) {
        return (fh_cursor){.base = NULL, .size = 0, .origin = parent->origin, .failed = true};
    }
    /* Of an empty range no address is formed: nothing may be added to NULL, not even 0. */
    return fh_cursor_make(len == 0 ? NULL : parent->base + off, len, parent->origin + off);
}

size_t fh_cursor_left(const fh_cursor *cur)
{
    return cur->size - cur->pos;
}

uint64_t fh_cursor_tell(const fh_cursor *cur)
{
    return cur->origin + cur->pos;
}

bool fh_cursor_seek(fh_cursor *cur, size_t off)
{
    if (off > cur->size) {
        cur->failed = true;
        return false;
    }
    cur->pos = off;
    return true;
}

bool fh_cursor_skip(fh_cursor *cur, size_t len)
{
    if (!fits(cur, len)) {
        return false;
    }
    cur->pos += len;
    return true;
}

uint8_t fh_cursor_u8(fh_cursor *cur)
{
    return (uint8_t)read_le(cur, 1);
}

uint16_t fh_cursor_u16(fh_cursor *cur)
{
    return (uint16_t)read_le(cur, 2);
}

uint32_t fh_cursor_u32(fh_cursor *cur)
{
    return read_le(cur, 4);
}

/* Out-of-range conversion to a signed type is implementation defined; both compilers of this
 * project define it as two's complement, which a test holds. */
int16_t fh_cursor_s16(fh_cursor *cur)
{
    return (int16_t)(uint16_t)read_le(cur, 2);
}

int32_t fh_cursor_s32(fh_cursor *cur)
{
    return (int32_t)read_le(cur, 4);
}

int32_t fh_cursor_peek(const fh_cursor *cur, size_t off)
{
    return off < cur->size ? cur->base[off] : FH_NO_BYTE;
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The first of num places, step bytes apart, at which the word is; num if there is none. */
static size_t find_stepwise(const uint8_t *at, size_t num, uint32_t mask, uint32_t value,
                            size_t step)
{
    /*@ loop invariant 0 <= i <= num;
        loop assigns i;
        loop variant num - i; */
    for (size_t i = 0; i < num; i++) {
        //@ assert 0 <= i * step <= (num - 1) * step;
        if ((word_at(at + i * step) & mask) == value) {
            return i;
        }
    }
    return num;
}

/* The same for neighbouring places where the word's first byte is wholly known: memchr finds that
 * byte many bytes at a time. */
static size_t find_by_first(const uint8_t *at, size_t num, uint32_t mask, uint32_t value)
{
    /*@ loop invariant 0 <= i <= num;
        loop assigns i;
        loop variant num - i; */
    for (size_t i = 0; i < num; i++) {
        const uint8_t *found = memchr(at + i, (int)(value & 0xff), num - i);
        if (found == NULL) {
            return num;
        }
        i = (size_t)(found - at);
        if ((word_at(found) & mask) == value) {
            return i;
        }
    }
    return num;
}

bool fh_cursor_find_word(fh_cursor *cur, uint32_t mask, uint32_t value, size_t step)
{
    assert(step > 0);
    const size_t left = cur->size - cur->pos;
    if (left < 4) {
        return false;
    }
    const uint8_t *from = cur->base + cur->pos;
    const size_t num = (left - 4) / step + 1; /* places with a whole word */
    const size_t found = step == 1 && (mask & 0xff) == 0xff
                             ? find_by_first(from, num, mask, value)
                             : find_stepwise(from, num, mask, value, step);
    if (found < num) {
        cur->pos += found * step;
        return true;
    }
    /* The place behind the last one may lie behind the end. */
    const size_t last = (num - 1) * step;
    cur->pos = left - last < step ? cur->size : cur->pos + last + step;
    return false;
}

bool fh_cursor_all_zero(const fh_cursor *cur, size_t len)
{
    if (!holds(cur->size, cur->pos, len)) {
        return false;
    }
    /*@ loop invariant 0 <= i <= len;
        loop assigns i;
        loop variant len - i; */
    for (size_t i = 0; i < len; i++) {
        if (cur->base[cur->pos + i] != 0) {
            return false;
        }
    }
    return true;
}
