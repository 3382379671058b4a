/* A hand that reaches into the run-time image: the first access that leaves the image, or that the
 * budget does not cover, is remembered; from then on reads give 0 and writes do nothing. So an
 * evaluator may be written as the library's is, and asks for the outcome where it would go on.
 *
 * The hand borrows image and budget. Offsets are bytes from the asset's start, 64 bits wide, so
 * that sums of offsets from the data cannot wrap.
 */
#ifndef FH_HMD_REACH_H
#define FH_HMD_REACH_H

#include "core/budget.h"
#include "hmd/hmd_image.h"

typedef enum hmd_eval {
    HMD_EVAL_OK = 0,
    HMD_EVAL_OUTSIDE,     /* the library would have used memory outside the image */
    HMD_EVAL_UNSUPPORTED, /* legal or not, what the library does here is not modelled */
    HMD_EVAL_LIMIT        /* the budget is spent */
} hmd_eval;

typedef struct hmd_outcome {
    hmd_eval eval;
    uint32_t off; /* OUTSIDE: the byte of the first such access, at most UINT32_MAX; else 0 */
} hmd_outcome;

typedef struct hmd_reach {
    hmd_image *image;
    fh_budget *budget;
    hmd_outcome outcome;
} hmd_reach;

static inline hmd_reach hmd_reach_into(hmd_image *image, fh_budget *budget)
{
    return (hmd_reach){image, budget, {HMD_EVAL_OK, 0}};
}

static inline bool hmd_reach_ok(const hmd_reach *reach)
{
    return reach->outcome.eval == HMD_EVAL_OK;
}

/* hmd_reach_fail sets the outcome, unless there is one already. Always false. */
bool hmd_reach_fail(hmd_reach *reach, hmd_eval eval, uint64_t off);

/* hmd_reach_pay takes units from the budget; false when the hand failed, now or before. */
bool hmd_reach_pay(hmd_reach *reach, uint64_t units) FH_MUST_USE;

/* hmd_reach_words fails unless num words from word `first` on lie inside; false when the hand
 * failed, now or before. */
bool hmd_reach_words(hmd_reach *reach, uint64_t first, uint64_t num) FH_MUST_USE;

uint16_t hmd_reach_u16(hmd_reach *reach, uint64_t off);
uint32_t hmd_reach_u32(hmd_reach *reach, uint64_t off);
int16_t hmd_reach_s16(hmd_reach *reach, uint64_t off);
int32_t hmd_reach_s32(hmd_reach *reach, uint64_t off);
void hmd_reach_put16(hmd_reach *reach, uint64_t off, int32_t value); /* keeps the low 16 bits */
void hmd_reach_put32(hmd_reach *reach, uint64_t off, int32_t value);

#endif
