/* What the cursor promises, for cursors of every size. Proved of the code by WP: with these, and
 * for callers who keep the demands, no read leaves the bytes and no number wraps.
 */
#include "core/cursor.h"
#include "core/budget.h"

#include <string.h>

/*@ predicate readable(uint8_t *base, integer size) =
      size == 0 || \valid_read(base + (0 .. size - 1));

    predicate sound(fh_cursor *cur) =
      \valid_read(cur) && cur->pos <= cur->size && readable(cur->base, cur->size) &&
      cur->origin + cur->size <= SIZE_MAX;

    predicate takes{L}(fh_cursor *cur, integer len) = \at(cur->size - cur->pos >= len, L);
*/

/*@ requires readable((uint8_t *)base, size) && (base != \null || size == 0);
    assigns \nothing;
    ensures \result.base == base && \result.size == size && \result.pos == 0;
    ensures \result.origin == origin && \result.failed == 0;
*/
fh_cursor fh_cursor_make(const void *base, size_t size, uint64_t origin);

/*@ requires pos <= size;
    assigns \nothing;
    ensures \result <==> pos + len <= size;
*/
static bool holds(size_t size, size_t pos, size_t len);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->failed;
    ensures \result <==> takes{Pre}(cur, len);
    ensures takes{Pre}(cur, len) ==> cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, len) ==> cur->failed == 1;
*/
static bool fits(fh_cursor *cur, size_t len);

/*@ requires \valid(cur) && sound(cur) && len <= 4;
    assigns cur->failed, cur->pos;
    ensures takes{Pre}(cur, len) ==>
              cur->pos == \old(cur->pos) + len && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, len) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
static uint32_t read_le(fh_cursor *cur, size_t len);

/*@ requires \valid_read(parent) && sound(parent);
    assigns \nothing;
    ensures off + len <= parent->size ==>
              \result.size == len && \result.failed == 0 &&
              (len == 0 || \result.base == parent->base + off);
    ensures off + len > parent->size ==> \result.size == 0 && \result.failed == 1;
    ensures \result.pos == 0 && readable(\result.base, \result.size);
    ensures \result.origin + \result.size <= SIZE_MAX;
*/
fh_cursor fh_cursor_sub(const fh_cursor *parent, size_t off, size_t len);

/*@ requires \valid_read(cur) && sound(cur);
    assigns \nothing;
    ensures \result == cur->size - cur->pos;
*/
size_t fh_cursor_left(const fh_cursor *cur);

/*@ requires \valid_read(cur) && sound(cur);
    assigns \nothing;
    ensures \result == cur->origin + cur->pos;
*/
uint64_t fh_cursor_tell(const fh_cursor *cur);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures \result <==> off <= cur->size;
    ensures off <= cur->size ==> cur->pos == off && cur->failed == \old(cur->failed);
    ensures off > cur->size ==> cur->pos == \old(cur->pos) && cur->failed == 1;
    ensures sound(cur);
*/
bool fh_cursor_seek(fh_cursor *cur, size_t off);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures \result <==> takes{Pre}(cur, len);
    ensures takes{Pre}(cur, len) ==>
              cur->pos == \old(cur->pos) + len && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, len) ==> cur->pos == \old(cur->pos) && cur->failed == 1;
    ensures sound(cur);
*/
bool fh_cursor_skip(fh_cursor *cur, size_t len);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures takes{Pre}(cur, 1) ==>
              cur->pos == \old(cur->pos) + 1 && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, 1) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
uint8_t fh_cursor_u8(fh_cursor *cur);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures takes{Pre}(cur, 2) ==>
              cur->pos == \old(cur->pos) + 2 && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, 2) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
uint16_t fh_cursor_u16(fh_cursor *cur);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures takes{Pre}(cur, 4) ==>
              cur->pos == \old(cur->pos) + 4 && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, 4) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
uint32_t fh_cursor_u32(fh_cursor *cur);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures takes{Pre}(cur, 2) ==>
              cur->pos == \old(cur->pos) + 2 && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, 2) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
int16_t fh_cursor_s16(fh_cursor *cur);

/*@ requires \valid(cur) && sound(cur);
    assigns cur->pos, cur->failed;
    ensures takes{Pre}(cur, 4) ==>
              cur->pos == \old(cur->pos) + 4 && cur->failed == \old(cur->failed);
    ensures !takes{Pre}(cur, 4) ==>
              cur->pos == \old(cur->pos) && cur->failed == 1 && \result == 0;
    ensures sound(cur);
*/
int32_t fh_cursor_s32(fh_cursor *cur);

/*@ requires \valid_read(cur) && sound(cur);
    assigns \nothing;
    ensures off < cur->size ==> \result == cur->base[off];
    ensures off >= cur->size ==> \result == -1;
*/
int32_t fh_cursor_peek(const fh_cursor *cur, size_t off);

/*@ requires \valid_read(at + (0 .. 3));
    assigns \nothing;
*/
static uint32_t word_at(const uint8_t *at);

/*@ requires num > 0 && step > 0 && (num - 1) * step + 4 <= SIZE_MAX;
    requires \valid_read(at + (0 .. (num - 1) * step + 3));
    assigns \nothing;
    ensures \result <= num;
*/
static size_t find_stepwise(const uint8_t *at, size_t num, uint32_t mask, uint32_t value,
                            size_t step);

/*@ requires num > 0 && num + 3 <= SIZE_MAX && \valid_read(at + (0 .. num + 2));
    assigns \nothing;
    ensures \result <= num;
*/
static size_t find_by_first(const uint8_t *at, size_t num, uint32_t mask, uint32_t value);

/*@ requires \valid(cur) && sound(cur) && step > 0;
    assigns cur->pos;
    ensures \old(cur->pos) <= cur->pos;
    ensures sound(cur);
*/
bool fh_cursor_find_word(fh_cursor *cur, uint32_t mask, uint32_t value, size_t step);

/*@ requires \valid_read(cur) && sound(cur);
    assigns \nothing;
    ensures \result ==> takes{Pre}(cur, len);
*/
bool fh_cursor_all_zero(const fh_cursor *cur, size_t len);

/*@ requires \valid(budget);
    assigns budget->left;
    ensures \result <==> \old(budget->left) >= units;
    ensures \result ==> budget->left == \old(budget->left) - units;
    ensures !\result ==> budget->left == 0;
*/
static inline bool fh_pay(fh_budget *budget, uint64_t units);

/* What the C standard says of it, of bytes. */
/*@ requires num == 0 || \valid_read(at + (0 .. num - 1));
    assigns \nothing;
    ensures \result == \null ||
              (\exists integer k; 0 <= k < num && \result == at + k);
*/
static const uint8_t *proof_memchr(const uint8_t *at, int byte, size_t num);
#define memchr proof_memchr

#include "core/cursor.c"
