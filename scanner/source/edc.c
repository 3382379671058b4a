#include "source/edc.h"

#include <assert.h>
#include <pthread.h>

/* Entry i is eight steps of x = (x >> 1) ^ (x & 1 ? 0xd8018001 : 0) from i; a test computes it. */
static const uint32_t table[256] = {
    0x00000000u, 0x90910101u, 0x91210201u, 0x01b00300u, 0x92410401u, 0x02d00500u, 0x03600600u,
    0x93f10701u, 0x94810801u, 0x04100900u, 0x05a00a00u, 0x95310b01u, 0x06c00c00u, 0x96510d01u,
    0x97e10e01u, 0x07700f00u, 0x99011001u, 0x09901100u, 0x08201200u, 0x98b11301u, 0x0b401400u,
    0x9bd11501u, 0x9a611601u, 0x0af01700u, 0x0d801800u, 0x9d111901u, 0x9ca11a01u, 0x0c301b00u,
    0x9fc11c01u, 0x0f501d00u, 0x0ee01e00u, 0x9e711f01u, 0x82012001u, 0x12902100u, 0x13202200u,
    0x83b12301u, 0x10402400u, 0x80d12501u, 0x81612601u, 0x11f02700u, 0x16802800u, 0x86112901u,
    0x87a12a01u, 0x17302b00u, 0x84c12c01u, 0x14502d00u, 0x15e02e00u, 0x85712f01u, 0x1b003000u,
    0x8b913101u, 0x8a213201u, 0x1ab03300u, 0x89413401u, 0x19d03500u, 0x18603600u, 0x88f13701u,
    0x8f813801u, 0x1f103900u, 0x1ea03a00u, 0x8e313b01u, 0x1dc03c00u, 0x8d513d01u, 0x8ce13e01u,
    0x1c703f00u, 0xb4014001u, 0x24904100u, 0x25204200u, 0xb5b14301u, 0x26404400u, 0xb6d14501u,
    0xb7614601u, 0x27f04700u, 0x20804800u, 0xb0114901u, 0xb1a14a01u, 0x21304b00u, 0xb2c14c01u,
    0x22504d00u, 0x23e04e00u, 0xb3714f01u, 0x2d005000u, 0xbd915101u, 0xbc215201u, 0x2cb05300u,
    0xbf415401u, 0x2fd05500u, 0x2e605600u, 0xbef15701u, 0xb9815801u, 0x29105900u, 0x28a05a00u,
    0xb8315b01u, 0x2bc05c00u, 0xbb515d01u, 0xbae15e01u, 0x2a705f00u, 0x36006000u, 0xa6916101u,
    0xa7216201u, 0x37b06300u, 0xa4416401u, 0x34d06500u, 0x35606600u, 0xa5f16701u, 0xa2816801u,
    0x32106900u, 0x33a06a00u, 0xa3316b01u, 0x30c06c00u, 0xa0516d01u, 0xa1e16e01u, 0x31706f00u,
    0xaf017001u, 0x3f907100u, 0x3e207200u, 0xaeb17301u, 0x3d407400u, 0xadd17501u, 0xac617601u,
    0x3cf07700u, 0x3b807800u, 0xab117901u, 0xaaa17a01u, 0x3a307b00u, 0xa9c17c01u, 0x39507d00u,
    0x38e07e00u, 0xa8717f01u, 0xd8018001u, 0x48908100u, 0x49208200u, 0xd9b18301u, 0x4a408400u,
    0xdad18501u, 0xdb618601u, 0x4bf08700u, 0x4c808800u, 0xdc118901u, 0xdda18a01u, 0x4d308b00u,
    0xdec18c01u, 0x4e508d00u, 0x4fe08e00u, 0xdf718f01u, 0x41009000u, 0xd1919101u, 0xd0219201u,
    0x40b09300u, 0xd3419401u, 0x43d09500u, 0x42609600u, 0xd2f19701u, 0xd5819801u, 0x45109900u,
    0x44a09a00u, 0xd4319b01u, 0x47c09c00u, 0xd7519d01u, 0xd6e19e01u, 0x46709f00u, 0x5a00a000u,
    0xca91a101u, 0xcb21a201u, 0x5bb0a300u, 0xc841a401u, 0x58d0a500u, 0x5960a600u, 0xc9f1a701u,
    0xce81a801u, 0x5e10a900u, 0x5fa0aa00u, 0xcf31ab01u, 0x5cc0ac00u, 0xcc51ad01u, 0xcde1ae01u,
    0x5d70af00u, 0xc301b001u, 0x5390b100u, 0x5220b200u, 0xc2b1b301u, 0x5140b400u, 0xc1d1b501u,
    0xc061b601u, 0x50f0b700u, 0x5780b800u, 0xc711b901u, 0xc6a1ba01u, 0x5630bb00u, 0xc5c1bc01u,
    0x5550bd00u, 0x54e0be00u, 0xc471bf01u, 0x6c00c000u, 0xfc91c101u, 0xfd21c201u, 0x6db0c300u,
    0xfe41c401u, 0x6ed0c500u, 0x6f60c600u, 0xfff1c701u, 0xf881c801u, 0x6810c900u, 0x69a0ca00u,
    0xf931cb01u, 0x6ac0cc00u, 0xfa51cd01u, 0xfbe1ce01u, 0x6b70cf00u, 0xf501d001u, 0x6590d100u,
    0x6420d200u, 0xf4b1d301u, 0x6740d400u, 0xf7d1d501u, 0xf661d601u, 0x66f0d700u, 0x6180d800u,
    0xf111d901u, 0xf0a1da01u, 0x6030db00u, 0xf3c1dc01u, 0x6350dd00u, 0x62e0de00u, 0xf271df01u,
    0xee01e001u, 0x7e90e100u, 0x7f20e200u, 0xefb1e301u, 0x7c40e400u, 0xecd1e501u, 0xed61e601u,
    0x7df0e700u, 0x7a80e800u, 0xea11e901u, 0xeba1ea01u, 0x7b30eb00u, 0xe8c1ec01u, 0x7850ed00u,
    0x79e0ee00u, 0xe971ef01u, 0x7700f000u, 0xe791f101u, 0xe621f201u, 0x76b0f300u, 0xe541f401u,
    0x75d0f500u, 0x7460f600u, 0xe4f1f701u, 0xe381f801u, 0x7310f900u, 0x72a0fa00u, 0xe231fb01u,
    0x71c0fc00u, 0xe151fd01u, 0xe0e1fe01u, 0x7070ff00u,
};

static uint32_t step(uint32_t code, uint32_t byte)
{
    return (code >> 8) ^ table[(code ^ byte) & 0xff];
}

/* Eight bytes at a time: slices[n] is the table for a byte that n more follow. */
enum { SLICES = 8 };
static uint32_t slices[SLICES][256];
static pthread_once_t is_sliced = PTHREAD_ONCE_INIT;

static void make_slices(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        slices[0][i] = table[i];
        for (size_t n = 1; n < SLICES; n++) {
            slices[n][i] = step(slices[n - 1][i], 0);
        }
    }
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
    (void)pthread_once(&is_sliced, make_slices);
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
