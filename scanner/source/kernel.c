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

/* addiu (or ori) R, zero, lo; jr R; nop; nop: the jumps of OpenBIOS, whose kernel lies low. */
static bool is_short_vector(const uint8_t *at)
{
    const uint32_t load = word_at(at);
    const uint32_t reg = load >> 16 & 31u;
    return (load >> 21 == 9u << 5 || load >> 21 == 13u << 5) && reg != 0 && (load & 0xffffu) != 0 &&
           (load & 3u) == 0 && word_at(at + 4) == (reg << 21 | 8u) && word_at(at + 8) == 0 &&
           word_at(at + 12) == 0;
}

/* lui R, hi; addiu (or ori) R, R, lo; jr R; nop. */
static bool is_long_vector(const uint8_t *at)
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
        const uint8_t *vector = at + places[i];
        num += is_long_vector(vector) || is_short_vector(vector) ? 1 : 0;
    }
    return num >= MIN_VECTORS;
}

bool fh_kernel_has_vectors(const fh_cursor *bytes, size_t off)
{
    return off <= bytes->size && bytes->size - off >= VECTORS_END && begins_ram(bytes->base + off);
}

/* The first place from `from` to `last` of a jump to a register and an empty instruction; SIZE_MAX
 * if there is none. */
static size_t find_jump(const uint8_t *base, size_t from, size_t last)
{
    enum { JUMP = 8, REG_MASK = 0x03e00000 };
    while (from <= last) {
        const uint8_t *at = memchr(base + from, JUMP, last - from + 1);
        if (at == NULL) {
            break;
        }
        if (at[1] == 0 && (word_at(at) & ~(uint32_t)REG_MASK) == JUMP && word_at(at + 4) == 0) {
            return (size_t)(at - base);
        }
        from = (size_t)(at - base) + 1;
    }
    return SIZE_MAX;
}

/* Two of the last three vectors are there in any case, so one of the middle two is: only where one
 * of these may jump, the rest is looked at. The offset found is not less than `from`, and no place
 * in front of it can have been passed over but by as much as these jumps lie apart. */
size_t fh_kernel_find(const fh_cursor *bytes, size_t from)
{
    static const size_t jumps[] = {0xb8, 0xb4, 0xa8, 0xa4}; /* of a long vector, of a short one */
    enum { NUM_JUMPS = sizeof jumps / sizeof jumps[0], APART = 0xb8 - 0xa4 };
    if (bytes->size < VECTORS_END || from > bytes->size - VECTORS_END) {
        return SIZE_MAX;
    }
    const size_t last = bytes->size - VECTORS_END;
    size_t at = find_jump(bytes->base, from + jumps[NUM_JUMPS - 1], last + jumps[0]);
    for (; at != SIZE_MAX; at = find_jump(bytes->base, at + 1, last + jumps[0])) {
        for (unsigned i = 0; i < NUM_JUMPS; i++) {
            size_t off = at < from + jumps[i] ? SIZE_MAX : at - jumps[i];
            if (off > last || !begins_ram(bytes->base + off)) {
                continue;
            }
            for (off = off - from < APART ? from : off - APART; !begins_ram(bytes->base + off);) {
                off++;
            }
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
