/* What the arena promises, for arenas of every size. Proved of the code by WP: what it hands out
 * lies inside the block, behind everything handed out before, and no number wraps.
 */
#include "core/arena.h"

#include <stdalign.h>
#include <string.h>

/* WP knows no _Alignof; this is what it is on x86-64. */
#undef alignof
#define alignof(type) ((size_t)16)

/*@ predicate sound(fh_arena *arena) =
      \valid_read(arena) && arena->used <= arena->size &&
      (arena->base == \null || arena->size == 0 || \valid(arena->base + (0 .. arena->size - 1)));
*/

/* The gap behind a table, which only the address sanitizer's build has. */
/*@ assigns \nothing;
    ensures \result == 0;
*/
static size_t guard(uint8_t *block, size_t len, size_t room);

/*@ requires \valid(arena) && sound(arena) && elem_len > 0;
    assigns arena->used;
    ensures sound(arena);
    ensures \result == \null ==> arena->used == \old(arena->used);
    ensures \result != \null ==> \old(arena->used) + num * elem_len <= arena->used;
    ensures \result != \null ==>
              (uint8_t *)\result + num * elem_len == arena->base + arena->used;
    ensures \result != \null ==>
              arena->base + \old(arena->used) <= (uint8_t *)\result <= arena->base + arena->used;
    ensures \result != \null ==>
              (num * elem_len == 0 ||
               \valid((uint8_t *)\result + (0 .. num * elem_len - 1)));
*/
void *fh_arena_room(fh_arena *arena, size_t num, size_t elem_len);

/*@ requires \valid(arena) && sound(arena) && elem_len > 0;
    requires \separated(arena, arena->base + (0 .. arena->size - 1));
    assigns arena->used, arena->base[0 .. arena->size - 1];
    ensures sound(arena);
    ensures \result == \null ==> arena->used == \old(arena->used);
    ensures \result != \null ==> \old(arena->used) + num * elem_len <= arena->used;
    ensures \result != \null ==>
              (uint8_t *)\result + num * elem_len == arena->base + arena->used;
    ensures \result != \null ==>
              arena->base + \old(arena->used) <= (uint8_t *)\result <= arena->base + arena->used;
*/
void *fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);

/*@ requires \valid_read(arena);
    assigns \nothing;
    ensures \result == arena->used;
*/
size_t fh_arena_mark(const fh_arena *arena);

/*@ requires \valid(arena) && sound(arena) && mark <= arena->used;
    assigns arena->used;
    ensures sound(arena) && arena->used == mark;
*/
void fh_arena_reset(fh_arena *arena, size_t mark);

/*@ requires \valid(arena);
    assigns *arena;
    ensures sound(arena) && arena->size == 0 && arena->used == 0;
*/
void fh_arena_return(fh_arena *arena);

/* What the C standard says of it, of bytes. */
/*@ requires num == 0 || \valid(to + (0 .. num - 1));
    assigns to[0 .. num - 1];
*/
static void proof_memset(uint8_t *to, int byte, size_t num);
#define memset proof_memset

#include "core/arena.c"
