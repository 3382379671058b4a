#include "hmd/hmd_access.h"

bool hmd_access_fail(hmd_access *access, hmd_eval eval, uint64_t off)
{
    if (hmd_access_ok(access)) {
        access->outcome.eval = eval;
        access->outcome.off = off < UINT32_MAX ? (uint32_t)off : UINT32_MAX;
    }
    return false;
}

bool hmd_access_pay(hmd_access *access, uint64_t units)
{
    if (!hmd_access_ok(access)) {
        return false;
    }
    return fh_pay(access->budget, units) ? true : hmd_access_fail(access, HMD_EVAL_LIMIT, 0);
}

bool hmd_access_words(hmd_access *access, uint64_t first, uint64_t num)
{
    const uint64_t all = access->image->num_words;
    if (!hmd_access_ok(access)) {
        return false;
    }
    if (first <= all && num <= all - first) {
        return true;
    }
    return hmd_access_fail(access, HMD_EVAL_OUTSIDE, 4 * (first > all ? first : all));
}

/* Whether a cell may be asked for at all: 64 bits of offset must fit the image's 32. */
static bool narrow(const hmd_access *access, uint64_t off)
{
    return hmd_access_ok(access) && off <= UINT32_MAX;
}

uint16_t hmd_access_u16(hmd_access *access, uint64_t off)
{
    uint16_t value;
    if (narrow(access, off) && hmd_image_u16(access->image, (uint32_t)off, &value)) {
        return value;
    }
    hmd_access_fail(access, HMD_EVAL_OUTSIDE, off);
    return 0;
}

uint32_t hmd_access_u32(hmd_access *access, uint64_t off)
{
    uint32_t value;
    if (narrow(access, off) && hmd_image_u32(access->image, (uint32_t)off, &value)) {
        return value;
    }
    hmd_access_fail(access, HMD_EVAL_OUTSIDE, off);
    return 0;
}

int16_t hmd_access_s16(hmd_access *access, uint64_t off)
{
    return (int16_t)hmd_access_u16(access, off);
}

int32_t hmd_access_s32(hmd_access *access, uint64_t off)
{
    return (int32_t)hmd_access_u32(access, off);
}

/* The bits of a signed number, without a conversion that changes its value unsaid. */
static uint32_t bits(int32_t value)
{
    return (uint32_t)((int64_t)value & 0xffffffff);
}

void hmd_access_put16(hmd_access *access, uint64_t off, int32_t value)
{
    if (!narrow(access, off) ||
        !hmd_image_put16(access->image, (uint32_t)off, bits(value) & 0xffff)) {
        hmd_access_fail(access, HMD_EVAL_OUTSIDE, off);
    }
}

void hmd_access_put32(hmd_access *access, uint64_t off, int32_t value)
{
    if (!narrow(access, off) || !hmd_image_put32(access->image, (uint32_t)off, bits(value))) {
        hmd_access_fail(access, HMD_EVAL_OUTSIDE, off);
    }
}
