#include "core/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

fh_arena fh_arena_make(void *base, size_t size)
{
    assert(base != NULL || size == 0);
    assert((uintptr_t)base % alignof(max_align_t) == 0);
    return (fh_arena){.base = base, .size = size, .used = 0};
}

void *fh_arena_room(fh_arena *arena, size_t num, size_t elem_len)
{
    assert(elem_len > 0);
    const size_t align = alignof(max_align_t);
    const size_t pad = (align - arena->used % align) % align;
    if (arena->base == NULL || arena->size - arena->used < pad) {
        return NULL;
    }
    const size_t room = arena->size - arena->used - pad;
    if (num > room / elem_len) {
        return NULL;
    }
    //@ assert num * elem_len <= room;
    uint8_t *block = arena->base + arena->used + pad;
    arena->used += pad + num * elem_len;
    return block;
}

void *fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len)
{
    void *block = fh_arena_room(arena, num, elem_len);
    if (block != NULL) {
        memset(block, 0, num * elem_len);
    }
    return block;
}

size_t fh_arena_mark(const fh_arena *arena)
{
    return arena->used;
}

void fh_arena_reset(fh_arena *arena, size_t mark)
{
    assert(mark <= arena->used);
    arena->used = mark;
}
