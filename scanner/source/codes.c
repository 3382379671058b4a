#include "source/codes.h"

#include "source/ecc.h"

#include <assert.h>
#include <string.h>

#define MODE_OFF 15u
#define P_OFF 0x81cu
#define Q_OFF 0x8c8u
#define ECC_LEN (FH_ECC_SECTOR_LEN - P_OFF)

static bool is_fill(const uint8_t *bytes, size_t len)
{
    return memcmp(bytes, bytes + 1, len - 1) == 0;
}

/* Compares what stands in the sector with what its bytes demand; the first difference is kept. */
static bool is_right(fh_codes *out, const uint8_t *raw)
{
    uint8_t sound[FH_ECC_SECTOR_LEN];
    memcpy(sound, raw, sizeof sound);
    fh_ecc_write(sound);
    for (size_t off = P_OFF; off < FH_ECC_SECTOR_LEN; off++) {
        if (raw[off] != sound[off]) {
            out->ecc_off = off;
            out->is_q = off >= Q_OFF;
            out->ecc_stored = raw[off];
            out->ecc_computed = sound[off];
            return false;
        }
    }
    return true;
}

/* Only bytes whose EDC is right tell what the ECC should be. */
static void judge_ecc(fh_codes *out, const uint8_t *raw)
{
    const bool is_filled = is_fill(raw + P_OFF, ECC_LEN);
    if (out->edc != FH_CODE_RIGHT) {
        out->ecc = is_filled ? FH_CODE_FILL : FH_CODE_UNJUDGED;
    } else if (is_right(out, raw)) {
        out->ecc = FH_CODE_RIGHT;
    } else {
        out->ecc = is_filled ? FH_CODE_FILL : FH_CODE_WRONG;
    }
}

static fh_code_verdict edc_verdict(const fh_edc_codes *edc)
{
    const uint32_t fill = (edc->stored & 0xff) * 0x01010101u;
    if (edc->verdict != FH_EDC_WRONG) {
        return edc->verdict == FH_EDC_RIGHT ? FH_CODE_RIGHT : FH_CODE_NONE;
    }
    return edc->stored == fill ? FH_CODE_FILL : FH_CODE_WRONG;
}

/* The sector as it stands in 2352 bytes. What a layout has not is not counted by its ECC. */
static void unfold(uint8_t raw[FH_ECC_SECTOR_LEN], const fh_cursor *sector, uint32_t stride,
                   fh_sector_kind kind)
{
    const size_t before = stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0;
    const size_t len = FH_ECC_SECTOR_LEN - before;
    assert(sector->size >= len);
    memset(raw, 0, before);
    memcpy(raw + before, sector->base, len);
    raw[MODE_OFF] = kind == FH_SECTOR_MODE1 ? raw[MODE_OFF] : 2;
}

fh_codes fh_codes_check(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind)
{
    const fh_edc_codes edc = fh_edc_codes_of(sector, stride, kind);
    const size_t before = stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0;
    const bool has_ecc = kind == FH_SECTOR_MODE1 || kind == FH_SECTOR_FORM1;
    fh_codes out = {
        .edc = edc_verdict(&edc), .edc_stored = edc.stored, .edc_computed = edc.computed};
    if (!has_ecc || out.edc == FH_CODE_NONE || sector->size < FH_ECC_SECTOR_LEN - before) {
        return out;
    }
    uint8_t raw[FH_ECC_SECTOR_LEN];
    unfold(raw, sector, stride, kind);
    judge_ecc(&out, raw);
    out.ecc_off -= out.ecc == FH_CODE_WRONG ? before : 0;
    out.ecc_stored = out.ecc == FH_CODE_FILL ? raw[P_OFF] : out.ecc_stored;
    return out;
}
