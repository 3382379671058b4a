#include "core/memo.h"

#include <assert.h>
#include <string.h>

/* Marks the note of an endless chain. Chains of so many steps do not exist: an asset would be too
 * long. */
#define ENDLESS 0x80000000u

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
    if (at != NULL && steps < ENDLESS - 1) {
        *at = steps + 1;
        memo->is_used = true;
    }
}

void fh_memo_note_endless(fh_memo *memo, uint64_t offset, uint32_t steps)
{
    uint32_t *at = entry(memo, offset);
    if (at != NULL && *at == 0 && steps < ENDLESS - 1) {
        *at = (steps + 1) | ENDLESS;
        memo->is_used = true;
    }
}

void fh_memo_begin_endless(fh_memo *memo, uint64_t from, uint64_t to, uint64_t least)
{
    if (memo->is_endless && memo->endless_to - from < least) {
        for (size_t i = 0; i < memo->num_steps; i++) {
            memo->steps[i] = (memo->steps[i] & ENDLESS) != 0 ? 0 : memo->steps[i];
        }
        memo->is_endless = false;
    }
    memo->endless_to = memo->is_endless && memo->endless_to < to ? memo->endless_to : to;
    memo->is_endless = true;
}

bool fh_memo_find_endless(const fh_memo *memo, uint64_t offset, uint32_t *steps)
{
    const uint32_t *at = memo->is_endless ? entry(memo, offset) : NULL;
    if (at == NULL || (*at & ENDLESS) == 0) {
        return false;
    }
    *steps = (*at & ~ENDLESS) - 1;
    return true;
}

bool fh_memo_find(const fh_memo *memo, uint64_t offset, uint32_t *steps)
{
    const uint32_t *at = entry(memo, offset);
    if (at == NULL || *at == 0 || (*at & ENDLESS) != 0) {
        return false;
    }
    *steps = *at - 1;
    return true;
}

void fh_memo_note_range(fh_memo *memo, const fh_memo_range *range)
{
    assert(range->kind != 0 && range->first <= range->last);
    if (memo != NULL) {
        memo->same = *range;
    }
}

const fh_memo_range *fh_memo_in_range(const fh_memo *memo, unsigned kind, uint64_t offset)
{
    assert(kind != 0);
    if (memo == NULL || memo->same.kind != kind || offset < memo->same.first ||
        offset > memo->same.last) {
        return NULL;
    }
    return &memo->same;
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
