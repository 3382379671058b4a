#include "tod/tod_lives.h"

#include "core/limits.h"

#include <assert.h>

/* Another file has created the objects, and may have given them parents. */
static void assume(tod_lives *lives)
{
    for (uint32_t i = 0; i < lives->size; i++) {
        lives->slots[i] = (tod_life){.live = true, .object = i, .parent = TOD_UNDER_OTHERS};
        lives->first[i] = (int32_t)i;
    }
}

fh_status tod_lives_open(tod_lives *lives, fh_arena *arena, const tod_model *model)
{
    *lives = (tod_lives){.is_given = !model->creates,
                         .size = model->creates ? FH_PLAYER_SLOTS : model->num_objects};
    lives->slots = fh_arena_alloc(arena, lives->size, sizeof *lives->slots);
    lives->first = fh_arena_alloc(arena, model->num_objects, sizeof *lives->first);
    if (lives->slots == NULL || lives->first == NULL) {
        return FH_NO_MEMORY;
    }
    if (lives->is_given) {
        assume(lives);
        return FH_OK;
    }
    for (uint32_t i = 0; i < model->num_objects; i++) {
        lives->first[i] = TOD_NOWHERE;
    }
    return FH_OK;
}

int32_t tod_lives_create(tod_lives *lives, uint32_t object)
{
    uint32_t at = 0;
    while (at < lives->size && lives->slots[at].live) {
        at++;
    }
    if (at == lives->size) {
        return TOD_NOWHERE;
    }
    tod_life *life = &lives->slots[at];
    const uint32_t num_children = life->num_children; /* of the one before it; they hang on here */
    *life = (tod_life){
        .live = true, .object = object, .parent = TOD_UNDER_WORLD, .num_children = num_children};
    const int32_t first = lives->first[object];
    if (first == TOD_NOWHERE || (int32_t)at < first) {
        lives->first[object] = (int32_t)at;
    }
    return (int32_t)at;
}

/* The first slot from `at` on with the object's id. */
static int32_t find_from(const tod_lives *lives, uint32_t at, uint32_t object)
{
    for (; at < lives->size; at++) {
        if (lives->slots[at].live && lives->slots[at].object == object) {
            return (int32_t)at;
        }
    }
    return TOD_NOWHERE;
}

static void leave(tod_lives *lives, int32_t parent)
{
    if (parent >= 0) {
        assert(lives->slots[parent].num_children > 0);
        lives->slots[parent].num_children--;
    }
}

int32_t tod_lives_kill(tod_lives *lives, uint32_t object)
{
    const int32_t at = lives->first[object];
    assert(at != TOD_NOWHERE && lives->slots[at].live);
    lives->slots[at].live = false;
    leave(lives, lives->slots[at].parent);
    lives->first[object] =
        lives->is_given ? TOD_NOWHERE : find_from(lives, (uint32_t)at + 1, object);
    return at;
}

void tod_lives_hang(tod_lives *lives, int32_t slot, int32_t parent)
{
    assert(lives->slots[slot].live);
    leave(lives, lives->slots[slot].parent);
    lives->slots[slot].parent = parent;
    if (parent >= 0) {
        lives->slots[parent].num_children++;
    }
}
