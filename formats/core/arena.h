/* The arena: all the memory that decoding one candidate may use.
 *
 * One block, handed in by the caller, who owns and frees it. Allocation only moves forward; there
 * is no free, only going back to a mark. A full arena answers NULL and stays usable. What is
 * allocated is aligned for any type, and zeroed unless fh_arena_room is asked.
 */
#ifndef FH_CORE_ARENA_H
#define FH_CORE_ARENA_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/* Under the address sanitizer there is a gap behind each table that nothing may touch, and nothing
 * may touch what was given back: a table that is run over is seen, as one of malloc's would be. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FH_ARENA_GUARDED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FH_ARENA_GUARDED
#endif
#ifdef FH_ARENA_GUARDED
enum { FH_ARENA_GAP_LEN = 32 };
#else
enum { FH_ARENA_GAP_LEN = 0 };
#endif

typedef struct fh_arena {
    uint8_t *base; /* borrowed, aligned for any type */
    size_t size;
    size_t used;
} fh_arena;

/* fh_arena_make manages size bytes at base, which must be aligned for any type. */
FH_API fh_arena fh_arena_make(void *base, size_t size);

/* fh_arena_alloc returns room for num elements of elem_len bytes each, zeroed, or NULL when the
 * arena is too small for them. num may be 0: the result is then not NULL and must not be read. */
FH_API void *fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len) FH_MUST_USE;

/* fh_arena_room does the same, but what is in it is not known: for a large table of which little is
 * used, and nothing is read before it was written. */
FH_API void *fh_arena_room(fh_arena *arena, size_t num, size_t elem_len) FH_MUST_USE;

/* fh_arena_mark and fh_arena_reset give back everything allocated after the mark. */
FH_API size_t fh_arena_mark(const fh_arena *arena);
FH_API void fh_arena_reset(fh_arena *arena, size_t mark);

/* fh_arena_return gives the block back to its owner, who may fill it with something else; the arena
 * is of no use then. It need not be called before the block is freed, nor at all but where the
 * address sanitizer guards what is not allocated. */
FH_API void fh_arena_return(fh_arena *arena);

#endif
