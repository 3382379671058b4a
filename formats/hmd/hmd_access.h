/* A hand that reaches into the run-time image: the first access that leaves the image, or that the
 * budget does not cover, is remembered; from then on reads give 0 and writes do nothing. So an
 * evaluator may be written as the library's is, and asks for the outcome where it would go on.
 *
 * The hand borrows image and budget. Offsets are bytes from the asset's start, 64 bits wide, so
 * that sums of offsets from the data cannot wrap.
 */
#ifndef FH_HMD_ACCESS_H
#define FH_HMD_ACCESS_H

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

typedef struct hmd_access {
    hmd_image *image;
    fh_budget *budget;
    hmd_outcome outcome;
} hmd_access;

static inline hmd_access hmd_access_into(hmd_image *image, fh_budget *budget)
{
    return (hmd_access){image, budget, {HMD_EVAL_OK, 0}};
}

static inline bool hmd_access_ok(const hmd_access *access)
{
    return access->outcome.eval == HMD_EVAL_OK;
}

/* hmd_access_fail sets the outcome, unless there is one already. Always false. */
bool hmd_access_fail(hmd_access *access, hmd_eval eval, uint64_t off);

/* hmd_access_pay takes units from the budget; false when the hand failed, now or before. */
bool hmd_access_pay(hmd_access *access, uint64_t units) FH_MUST_USE;

/* hmd_access_words fails unless num words from word `first` on lie inside; false when the hand
 * failed, now or before. */
bool hmd_access_words(hmd_access *access, uint64_t first, uint64_t num) FH_MUST_USE;

uint16_t hmd_access_u16(hmd_access *access, uint64_t off);
uint32_t hmd_access_u32(hmd_access *access, uint64_t off);
int16_t hmd_access_s16(hmd_access *access, uint64_t off);
int32_t hmd_access_s32(hmd_access *access, uint64_t off);
void hmd_access_put16(hmd_access *access, uint64_t off, int32_t value); /* keeps the low 16 bits */
void hmd_access_put32(hmd_access *access, uint64_t off, int32_t value);

#endif
