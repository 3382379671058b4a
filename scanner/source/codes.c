#include "source/codes.h"

#include <assert.h>
#include <string.h>

#define RAW_LEN 2352u
#define HEADER_OFF 12u
#define HEADER_LEN 4u
#define P_OFF 0x81cu
#define Q_OFF 0x8c8u
#define ECC_LEN (RAW_LEN - P_OFF)

/* One of the two codes: num vectors of `len` bytes each, counted from byte 12. */
typedef struct code_shape {
    size_t num;
    size_t len;
    size_t column; /* distance of the first bytes of two vectors of one byte lane */
    size_t step;   /* distance of two bytes of one vector */
    size_t size;   /* bytes covered, at which positions wrap */
    size_t off;    /* of the parity in the sector */
} code_shape;

static const code_shape p_shape = {86, 24, 2, 86, (size_t)86 * 24, P_OFF};
static const code_shape q_shape = {52, 43, 86, 88, (size_t)52 * 43, Q_OFF};

/* Multiplication by 2 in GF(256) with polynomial 0x11d. */
static uint8_t doubled(uint8_t a)
{
    return (uint8_t)((a << 1) ^ ((a & 0x80u) != 0 ? 0x1d : 0));
}

typedef struct gf_tables {
    uint8_t by2[256];
    uint8_t over3[256]; /* division by 3: the inverse of a -> 2a + a */
} gf_tables;

static void make_tables(gf_tables *to)
{
    for (unsigned i = 0; i < 256; i++) {
        to->by2[i] = doubled((uint8_t)i);
        to->over3[to->by2[i] ^ i] = (uint8_t)i;
    }
}

/* The two parity bytes of vector `index`. */
static void parity(uint8_t out[2], const uint8_t *bytes, const code_shape *shape, size_t index,
                   const gf_tables *gf)
{
    size_t at = index / 2 * shape->column + index % 2;
    uint8_t a = 0;
    uint8_t b = 0;
    for (size_t i = 0; i < shape->len; i++) {
        const uint8_t byte = bytes[at];
        a = gf->by2[a ^ byte];
        b ^= byte;
        at += shape->step;
        at -= at >= shape->size ? shape->size : 0;
    }
    out[0] = gf->over3[gf->by2[a] ^ b];
    out[1] = out[0] ^ b;
}

/* Compares the parity that stands in the sector with that of its bytes; Q covers the P that stands
 * there. false, with the first difference, if it is wrong. */
static bool judge_parity(fh_codes *out, const uint8_t *raw, const code_shape *shape,
                         const gf_tables *gf)
{
    for (size_t i = 0; i < shape->num; i++) {
        uint8_t computed[2];
        parity(computed, raw + HEADER_OFF, shape, i, gf);
        for (size_t k = 0; k < 2; k++) {
            const size_t off = shape->off + k * shape->num + i;
            if (raw[off] != computed[k]) {
                out->ecc_off = off;
                out->is_q = shape == &q_shape;
                out->ecc_stored = raw[off];
                out->ecc_computed = computed[k];
                return false;
            }
        }
    }
    return true;
}

static bool is_fill(const uint8_t *bytes, size_t len)
{
    return memcmp(bytes, bytes + 1, len - 1) == 0;
}

/* Only bytes whose EDC is right tell what the ECC should be. */
static void judge_ecc(fh_codes *out, const uint8_t *raw)
{
    const bool is_filled = is_fill(raw + P_OFF, ECC_LEN);
    if (out->edc != FH_CODE_RIGHT) {
        out->ecc = is_filled ? FH_CODE_FILL : FH_CODE_UNJUDGED;
        return;
    }
    gf_tables gf;
    make_tables(&gf);
    const bool is_right =
        judge_parity(out, raw, &p_shape, &gf) && judge_parity(out, raw, &q_shape, &gf);
    out->ecc = is_right ? FH_CODE_RIGHT : is_filled ? FH_CODE_FILL : FH_CODE_WRONG;
}

static fh_code_verdict edc_verdict(const fh_edc_codes *edc)
{
    const uint32_t fill = (edc->stored & 0xff) * 0x01010101u;
    if (edc->verdict != FH_EDC_WRONG) {
        return edc->verdict == FH_EDC_RIGHT ? FH_CODE_RIGHT : FH_CODE_NONE;
    }
    return edc->stored == fill ? FH_CODE_FILL : FH_CODE_WRONG;
}

/* The sector as it stands in 2352 bytes; what a layout has not is 0, as the ECC counts it. */
static void unfold(uint8_t raw[RAW_LEN], const fh_cursor *sector, uint32_t stride,
                   fh_sector_kind kind)
{
    const size_t before = stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0;
    const size_t len = RAW_LEN - before;
    assert(sector->size >= len);
    memset(raw, 0, before);
    memcpy(raw + before, sector->base, len);
    if (kind != FH_SECTOR_MODE1) {
        memset(raw + HEADER_OFF, 0, HEADER_LEN);
    }
}

fh_codes fh_codes_check(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind)
{
    const fh_edc_codes edc = fh_edc_codes_of(sector, stride, kind);
    const size_t before = stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0;
    const bool has_ecc = kind == FH_SECTOR_MODE1 || kind == FH_SECTOR_FORM1;
    fh_codes out = {
        .edc = edc_verdict(&edc), .edc_stored = edc.stored, .edc_computed = edc.computed};
    if (!has_ecc || out.edc == FH_CODE_NONE || sector->size < RAW_LEN - before) {
        return out;
    }
    uint8_t raw[RAW_LEN];
    unfold(raw, sector, stride, kind);
    judge_ecc(&out, raw);
    out.ecc_off -= out.ecc == FH_CODE_WRONG ? before : 0;
    out.ecc_stored = out.ecc == FH_CODE_FILL ? raw[P_OFF] : out.ecc_stored;
    return out;
}
