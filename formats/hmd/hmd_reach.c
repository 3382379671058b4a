#include "hmd/hmd_reach.h"

bool hmd_reach_fail(hmd_reach *reach, hmd_eval eval, uint64_t off)
{
    if (hmd_reach_ok(reach)) {
        reach->outcome.eval = eval;
        reach->outcome.off = off < UINT32_MAX ? (uint32_t)off : UINT32_MAX;
    }
    return false;
}

bool hmd_reach_pay(hmd_reach *reach, uint64_t units)
{
    if (!hmd_reach_ok(reach)) {
        return false;
    }
    return fh_pay(reach->budget, units) || hmd_reach_fail(reach, HMD_EVAL_LIMIT, 0);
}

bool hmd_reach_words(hmd_reach *reach, uint64_t first, uint64_t num)
{
    const uint64_t all = reach->image->num_words;
    if (!hmd_reach_ok(reach)) {
        return false;
    }
    if (first <= all && num <= all - first) {
        return true;
    }
    return hmd_reach_fail(reach, HMD_EVAL_OUTSIDE, 4 * (first > all ? first : all));
}

/* Whether a cell may be asked for at all: 64 bits of offset must fit the image's 32. */
static bool narrow(const hmd_reach *reach, uint64_t off)
{
    return hmd_reach_ok(reach) && off <= UINT32_MAX;
}

uint16_t hmd_reach_u16(hmd_reach *reach, uint64_t off)
{
    uint16_t value;
    if (narrow(reach, off) && hmd_image_u16(reach->image, (uint32_t)off, &value)) {
        return value;
    }
    hmd_reach_fail(reach, HMD_EVAL_OUTSIDE, off);
    return 0;
}

uint32_t hmd_reach_u32(hmd_reach *reach, uint64_t off)
{
    uint32_t value;
    if (narrow(reach, off) && hmd_image_u32(reach->image, (uint32_t)off, &value)) {
        return value;
    }
    hmd_reach_fail(reach, HMD_EVAL_OUTSIDE, off);
    return 0;
}

int16_t hmd_reach_s16(hmd_reach *reach, uint64_t off)
{
    return (int16_t)hmd_reach_u16(reach, off);
}

int32_t hmd_reach_s32(hmd_reach *reach, uint64_t off)
{
    return (int32_t)hmd_reach_u32(reach, off);
}

/* The bits of a signed number, without a conversion that changes its value unsaid. */
static uint32_t bits(int32_t value)
{
    return (uint32_t)((int64_t)value & 0xffffffff);
}

void hmd_reach_put16(hmd_reach *reach, uint64_t off, int32_t value)
{
    if (!narrow(reach, off) ||
        !hmd_image_put16(reach->image, (uint32_t)off, bits(value) & 0xffff)) {
        hmd_reach_fail(reach, HMD_EVAL_OUTSIDE, off);
    }
}

void hmd_reach_put32(hmd_reach *reach, uint64_t off, int32_t value)
{
    if (!narrow(reach, off) || !hmd_image_put32(reach->image, (uint32_t)off, bits(value))) {
        hmd_reach_fail(reach, HMD_EVAL_OUTSIDE, off);
    }
}
