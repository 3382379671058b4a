#include "source/edc.h"

#include <assert.h>

/* Eight bytes are taken at a time: slices[n] is the table for a byte that n more follow. Entry i of
 * the first is eight steps of x = (x >> 1) ^ (x & 1 ? 0xd8018001 : 0) from i, and each of the
 * others eight steps more; so an entry is the sum of those for its bits, which stand here. A test
 * computes them. */
#define BIT(i, n, entry) (((i) >> (n)&1u) != 0 ? (entry) : 0u)
#define ENTRY(i, a, b, c, d, e, f, g, h)                                                           \
    BIT(i, 0, a)                                                                                   \
    ^BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^ BIT(i, 6, g) ^     \
        BIT(i, 7, h)
#define FOUR(i, ...)                                                                               \
    ENTRY((i), __VA_ARGS__), ENTRY((i) + 1u, __VA_ARGS__), ENTRY((i) + 2u, __VA_ARGS__),           \
        ENTRY((i) + 3u, __VA_ARGS__)
#define SIXTEEN(i, ...)                                                                            \
    FOUR((i), __VA_ARGS__), FOUR((i) + 4u, __VA_ARGS__), FOUR((i) + 8u, __VA_ARGS__),              \
        FOUR((i) + 12u, __VA_ARGS__)
#define MANY(i, ...)                                                                               \
    SIXTEEN((i), __VA_ARGS__), SIXTEEN((i) + 16u, __VA_ARGS__), SIXTEEN((i) + 32u, __VA_ARGS__),   \
        SIXTEEN((i) + 48u, __VA_ARGS__)
#define SLICE(...)                                                                                 \
    MANY(0u, __VA_ARGS__), MANY(64u, __VA_ARGS__), MANY(128u, __VA_ARGS__), MANY(192u, __VA_ARGS__)

enum { SLICES = 8 };
static const uint32_t slices[SLICES][256] = {
    {SLICE(0x90910101u, 0x91210201u, 0x92410401u, 0x94810801u, 0x99011001u, 0x82012001u,
           0xb4014001u, 0xd8018001u)},
    {SLICE(0x90019000u, 0x90002003u, 0x90034005u, 0x90058009u, 0x90080011u, 0x90130021u,
           0x90250041u, 0x90490081u)},
    {SLICE(0x00900190u, 0x01200320u, 0x02400640u, 0x04800c80u, 0x09001900u, 0x12003200u,
           0x24006400u, 0x4800c800u)},
    {SLICE(0x41000001u, 0x82000002u, 0xb4030007u, 0xd805000du, 0x00090019u, 0x00120032u,
           0x00240064u, 0x004800c8u)},
    {SLICE(0x90d00101u, 0x91a30201u, 0x93450401u, 0x96890801u, 0x9d111001u, 0x8a212001u,
           0xa4414001u, 0xf8818001u)},
    {SLICE(0x9001d100u, 0x9000a203u, 0x90024405u, 0x90078809u, 0x900c1011u, 0x901b2021u,
           0x90354041u, 0x90698081u)},
    {SLICE(0x009001d1u, 0x012003a2u, 0x02400744u, 0x04800e88u, 0x09001d10u, 0x12003a20u,
           0x24007440u, 0x4800e880u)},
    {SLICE(0x65904101u, 0xcb208202u, 0x26420407u, 0x4c84080eu, 0x9908101cu, 0x8213203bu,
           0xb4254075u, 0xd84980e9u)},
};

static uint32_t step(uint32_t code, uint32_t byte)
{
    return (code >> 8) ^ slices[0][(code ^ byte) & 0xff];
}

static uint32_t step_word(size_t behind, uint32_t word)
{
    return slices[behind + 3][word & 0xff] ^ slices[behind + 2][word >> 8 & 0xff] ^
           slices[behind + 1][word >> 16 & 0xff] ^ slices[behind][word >> 24];
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t fh_edc_more(uint32_t code, const uint8_t *bytes, size_t len)
{
    size_t i = 0;
    for (; len - i >= SLICES; i += SLICES) {
        code = step_word(4, code ^ word_at(bytes + i)) ^ step_word(0, word_at(bytes + i + 4));
    }
    for (; i < len; i++) {
        code = step(code, bytes[i]);
    }
    return code;
}

uint32_t fh_edc(const fh_cursor *bytes, size_t off, size_t len)
{
    const fh_cursor cur = fh_cursor_sub(bytes, off, len);
    assert(!cur.failed);
    return fh_edc_more(0, cur.base, cur.size);
}

/* Offsets in a sector of 2352 bytes: section 2 of the image format sheet. */
typedef struct range {
    size_t off;
    size_t len;
    size_t stored_off;
    bool optional;
} range;

static const range ranges[FH_SECTOR_NUM_KINDS] = {
    [FH_SECTOR_MODE1] = {0, 0x810, 0x810, false},
    [FH_SECTOR_FORM1] = {0x10, 0x808, 0x818, false},
    [FH_SECTOR_FORM2] = {0x10, 0x91c, 0x92c, true},
};

fh_edc_codes fh_edc_codes_of(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind)
{
    fh_edc_codes out = {.verdict = FH_EDC_ABSENT};
    range at = ranges[kind];
    size_t missing = stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0;
    if (at.len == 0 || at.off < missing) {
        return out;
    }
    fh_cursor cur = *sector;
    cur.failed = false;
    if (!fh_cursor_seek(&cur, at.stored_off - missing)) {
        return out;
    }
    out.stored = fh_cursor_u32(&cur);
    if (cur.failed || (at.optional && out.stored == 0)) {
        return out;
    }
    out.computed = fh_edc(sector, at.off - missing, at.len);
    out.verdict = out.stored == out.computed ? FH_EDC_RIGHT : FH_EDC_WRONG;
    return out;
}

fh_edc_verdict fh_edc_check(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind)
{
    return fh_edc_codes_of(sector, stride, kind).verdict;
}
