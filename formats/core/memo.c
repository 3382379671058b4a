#include "core/memo.h"

#include <assert.h>

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
