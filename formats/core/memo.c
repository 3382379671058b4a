#include "core/memo.h"

#include <assert.h>
#include <string.h>

static uint32_t *entry(const fh_memo *memo, uint64_t offset)
{
    if (memo->steps == NULL || offset < memo->origin) {
        return NULL;
    }
    assert(memo->unit > 0);
    const uint64_t distance = offset - memo->origin;
    if (distance % memo->unit != 0 || distance / memo->unit >= memo->num_steps) {
        return NULL;
    }
    return &memo->steps[distance / memo->unit];
}

void fh_memo_note(fh_memo *memo, uint64_t offset, uint32_t steps)
{
    uint32_t *at = entry(memo, offset);
    if (at != NULL && steps < UINT32_MAX) {
        *at = steps + 1;
        memo->is_used = true;
    }
}

bool fh_memo_find(const fh_memo *memo, uint64_t offset, uint32_t *steps)
{
    const uint32_t *at = entry(memo, offset);
    if (at == NULL || *at == 0) {
        return false;
    }
    *steps = *at - 1;
    return true;
}

void fh_memo_move(fh_memo *memo, uint64_t origin)
{
    assert(origin >= memo->origin && (origin - memo->origin) % memo->unit == 0);
    const uint64_t distance = (origin - memo->origin) / memo->unit;
    memo->origin = origin;
    if (!memo->is_used || distance == 0) {
        return;
    }
    const size_t gone = distance < memo->num_steps ? (size_t)distance : memo->num_steps;
    const size_t kept = memo->num_steps - gone;
    memmove(memo->steps, memo->steps + gone, kept * sizeof *memo->steps);
    memset(memo->steps + kept, 0, gone * sizeof *memo->steps);
    memo->is_used = kept > 0;
}
