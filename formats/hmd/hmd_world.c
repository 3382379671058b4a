#include "hmd/hmd_world.h"

#include <assert.h>

enum { UNIT_WORDS = 20 };

/* Puts the line from `unit` up to a placed unit or a root on a stack that grows down from the end
 * of the order. The stack never meets the placed part unless a unit is on it twice: a cycle. */
static bool climb(const hmd_world *world, uint32_t unit, uint32_t num_placed, uint32_t *top)
{
    *top = world->num;
    for (int64_t at = unit; at >= 0 && !world->saturated[at]; at = world->parent[at]) {
        if (*top == num_placed || world->parent[at] >= (int64_t)world->num) {
            return false;
        }
        world->order[--*top] = (uint32_t)at;
    }
    return true;
}

/* `saturated` marks the units that have their place meanwhile. */
bool hmd_world_sort(hmd_world *world)
{
    uint32_t num_placed = 0;
    for (uint32_t i = 0; i < world->num; i++) {
        world->saturated[i] = false;
    }
    for (uint32_t i = 0; i < world->num; i++) {
        uint32_t top;
        if (!climb(world, i, num_placed, &top)) {
            return false;
        }
        for (; top < world->num; top++) {
            world->saturated[world->order[top]] = true;
            world->order[num_placed++] = world->order[top];
        }
    }
    assert(num_placed == world->num);
    return true;
}

static int16_t low_half(uint32_t word)
{
    return fx_w16(word & 0xffff);
}

bool hmd_world_local(const hmd_image *image, uint32_t unit, fx_matrix *out)
{
    if (!hmd_image_has(image, unit, UNIT_WORDS)) {
        return false;
    }
    const uint32_t *word = &image->words[unit];
    for (uint32_t i = 0; i < 9; i++) { /* nine half words from word 1 on, low half first */
        out->m[i / 3][i % 3] = low_half(word[1 + i / 2] >> (16 * (i % 2)));
    }
    for (uint32_t i = 0; i < 3; i++) {
        out->t[i] = fx_w32(word[6 + i]);
    }
    return true;
}

hmd_outcome hmd_world_update(hmd_world *world, const hmd_image *image, fh_budget *budget)
{
    const uint64_t words = UNIT_WORDS * (uint64_t)world->num;
    world->num_saturated = 0;
    if (world->first_unit + words > image->num_words) {
        const uint64_t end = image->num_words;
        const uint64_t off = 4 * (end > world->first_unit ? end : world->first_unit);
        return (hmd_outcome){HMD_EVAL_OUTSIDE, off < UINT32_MAX ? (uint32_t)off : UINT32_MAX};
    }
    if (!fh_pay(budget, words)) {
        return (hmd_outcome){HMD_EVAL_LIMIT, 0};
    }
    for (uint32_t i = 0; i < world->num; i++) {
        const uint32_t unit = world->order[i];
        const int32_t parent = world->parent[unit];
        fx_matrix local = {.t = {0}};
        const bool inside = hmd_world_local(image, world->first_unit + UNIT_WORDS * unit, &local);
        assert(inside);
        (void)inside;
        world->matrix[unit] = local;
        world->saturated[unit] =
            parent >= 0 &&
            !fx_combine(&world->matrix[unit], &world->matrix[(uint32_t)parent], &local);
        world->num_saturated += world->saturated[unit] ? 1 : 0;
    }
    return (hmd_outcome){HMD_EVAL_OK, 0};
}
