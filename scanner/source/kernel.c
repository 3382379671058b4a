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

/* Two of the last three vectors are there in any case, so one of two places has a load. */
static bool may_begin(const uint8_t *at)
{
    return word_at(at + 0xa0) >> 21 == 0x1e0u || word_at(at + 0xb0) >> 21 == 0x1e0u;
}

size_t fh_kernel_find(const fh_cursor *bytes, size_t from)
{
    if (bytes->size < VECTORS_END) {
        return SIZE_MAX;
    }
    for (size_t off = from; off <= bytes->size - VECTORS_END; off++) {
        if (may_begin(bytes->base + off) && begins_ram(bytes->base + off)) {
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
