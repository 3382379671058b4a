#include "core/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#ifdef FH_ARENA_GUARDED
#include <sanitizer/asan_interface.h>

/* Returns the length of the gap behind a table. */
static size_t guard(uint8_t *block, size_t len, size_t room)
{
    const size_t gap = room - len < FH_ARENA_GAP_LEN ? room - len : FH_ARENA_GAP_LEN;
    ASAN_UNPOISON_MEMORY_REGION(block, len);
    ASAN_POISON_MEMORY_REGION(block + len, gap);
    return gap;
}
#else
#define ASAN_POISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))

static size_t guard(uint8_t *block, size_t len, size_t room)
{
    (void)block;
    (void)len;
    (void)room;
    return FH_ARENA_GAP_LEN;
}
#endif

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
    const size_t len = num * elem_len;
    arena->used += pad + len + guard(block, len, room);
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
    ASAN_POISON_MEMORY_REGION(arena->base + mark, arena->used - mark);
    arena->used = mark;
}

void fh_arena_return(fh_arena *arena)
{
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->size);
    *arena = (fh_arena){0};
}
