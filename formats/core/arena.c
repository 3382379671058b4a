#include "core/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

/* Under the address sanitizer there is a gap behind each table that nothing may touch, and so is
 * what was given back: a table that is run over is seen, as one of malloc's would be. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FH_ARENA_GUARDED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(FH_ARENA_GUARDED)
#define FH_ARENA_GUARDED
#endif
#ifdef FH_ARENA_GUARDED
#include <sanitizer/asan_interface.h>
enum { GAP_LEN = 32 };
#else
#define ASAN_POISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
enum { GAP_LEN = 0 };
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
    const size_t gap = room - len < GAP_LEN ? room - len : GAP_LEN;
    arena->used += pad + len + gap;
    ASAN_UNPOISON_MEMORY_REGION(block, len);
    ASAN_POISON_MEMORY_REGION(block + len, gap);
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
