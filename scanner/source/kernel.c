#include "source/kernel.h"

#include <string.h>

#define VECTORS_END 0xd0u
#define MIN_VECTORS 3u

/* Memory has runs of unused bytes, text has none: of the first 64 KiB at least this part is 0. */
#define MIN_ZEROS (FH_KERNEL_LEN / 16)

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* lui R, hi; addiu (or ori) R, R, lo; jr R; nop. */
static bool is_vector(const uint8_t *at)
{
    const uint32_t load = word_at(at);
    const uint32_t add = word_at(at + 4);
    const uint32_t jump = word_at(at + 8);
    const uint32_t reg = load >> 16 & 31u;
    return load >> 21 == 0x1e0u && reg != 0 && (add >> 26 == 9u || add >> 26 == 13u) &&
           (add >> 21 & 31u) == reg && (add >> 16 & 31u) == reg && jump == (reg << 21 | 8u) &&
           word_at(at + 12) == 0;
}

static bool begins_ram(const uint8_t *at)
{
    static const size_t places[] = {0x80, 0xa0, 0xb0, 0xc0};
    unsigned num = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        num += is_vector(at + places[i]) ? 1 : 0;
    }
    return num >= MIN_VECTORS;
}

bool fh_kernel_has_vectors(const fh_cursor *bytes, size_t off)
{
    return off <= bytes->size && bytes->size - off >= VECTORS_END && begins_ram(bytes->base + off);
}

/* The last byte of a load into the upper half of a register. */
enum { LOAD_BYTE = 0x3c, LOAD_BYTE_OFF = 3 };

/* The first offset from `from` to `last` with a load at `place` behind it; SIZE_MAX if none has. */
static size_t find_load(const uint8_t *base, size_t place, size_t from, size_t last)
{
    const uint8_t *begin = base + place + LOAD_BYTE_OFF;
    const uint8_t *at = from <= last ? memchr(begin + from, LOAD_BYTE, last - from + 1) : NULL;
    return at == NULL ? SIZE_MAX : (size_t)(at - begin);
}

/* Two of the last three vectors are there in any case, so one of two places has a load: only where
 * one is, the rest is looked at. */
size_t fh_kernel_find(const fh_cursor *bytes, size_t from)
{
    static const size_t places[2] = {0xa0, 0xb0};
    size_t next[2] = {0, 0};
    if (bytes->size < VECTORS_END) {
        return SIZE_MAX;
    }
    const size_t last = bytes->size - VECTORS_END;
    for (size_t off = from; off <= last; off++) {
        for (unsigned i = 0; i < 2; i++) {
            next[i] = next[i] >= off && off > from ? next[i]
                                                   : find_load(bytes->base, places[i], off, last);
        }
        off = next[0] < next[1] ? next[0] : next[1];
        if (off == SIZE_MAX || begins_ram(bytes->base + off)) {
            return off;
        }
    }
    return SIZE_MAX;
}

const char *fh_kernel_text(const fh_cursor *bytes)
{
    static const char *const texts[] = {"PS-X Control PAD Driver", "PS-X Realtime Kernel",
                                        "KERNEL SETUP!"};
    const size_t len = bytes->size < FH_KERNEL_LEN ? bytes->size : FH_KERNEL_LEN;
    size_t zeros = 0;
    for (size_t i = 0; i < len; i++) {
        zeros += bytes->base[i] == 0 ? 1 : 0;
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && zeros >= MIN_ZEROS; i++) {
        if (memmem(bytes->base, len, texts[i], strlen(texts[i])) != NULL) {
            return texts[i];
        }
    }
    return NULL;
}
