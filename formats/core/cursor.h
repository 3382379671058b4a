/* The cursor: the only code of the project that touches input bytes.
 *
 * A cursor reads a range of bytes that somebody else owns and keeps alive. Every read goes through
 * one check, `size - pos < n`, which never adds and so never wraps. A read that does not fit sets
 * the sticky `failed` flag, yields zero and leaves the position where it was; later reads go on
 * yielding what they can, so a decoder may read a whole structure and ask once.
 * Multi-byte numbers are little endian, the only byte order of the formats read here.
 */
#ifndef FH_CORE_CURSOR_H
#define FH_CORE_CURSOR_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fh_cursor {
    const uint8_t *base; /* borrowed */
    size_t size;         /* bytes readable from base */
    size_t pos;          /* 0..size */
    uint64_t origin;     /* what base[0] is called in messages: its offset in the asset or source */
    bool failed;         /* sticky: some read did not fit */
} fh_cursor;

/* fh_cursor_make covers size bytes at base. base may be NULL only if size is 0. */
FH_API fh_cursor fh_cursor_make(const void *base, size_t size, uint64_t origin);

/* fh_cursor_sub covers len bytes from offset off of parent (counted from the parent's start, not
 * its position). A range that does not fit gives an empty cursor whose failed flag is set. */
FH_API fh_cursor fh_cursor_sub(const fh_cursor *parent, size_t off, size_t len);

/* fh_cursor_left returns the number of bytes behind the position. */
FH_API size_t fh_cursor_left(const fh_cursor *cur);

/* fh_cursor_tell returns the absolute offset of the position: origin + pos. */
FH_API uint64_t fh_cursor_tell(const fh_cursor *cur);

/* fh_cursor_seek and fh_cursor_skip move the position; they fail like a read and return whether
 * the target lies inside. Seeking to the very end is legal. */
FH_API bool fh_cursor_seek(fh_cursor *cur, size_t off);
FH_API bool fh_cursor_skip(fh_cursor *cur, size_t len);

FH_API uint8_t fh_cursor_u8(fh_cursor *cur);
FH_API uint16_t fh_cursor_u16(fh_cursor *cur);
FH_API uint32_t fh_cursor_u32(fh_cursor *cur);
FH_API int16_t fh_cursor_s16(fh_cursor *cur);
FH_API int32_t fh_cursor_s32(fh_cursor *cur);

/* fh_cursor_peek returns the byte at an offset from the start, or FH_NO_BYTE where none lies; it
 * moves nothing, and failed is not touched. */
enum { FH_NO_BYTE = -1 };
FH_API int32_t fh_cursor_peek(const fh_cursor *cur, size_t off);

/* fh_cursor_find_word moves to the next place, in steps of `step` bytes from the position, where a
 * whole 32-bit word lies that equals value under mask. Without one it moves to the first place of
 * those steps where no whole word is left, and returns false; failed is not touched. */
FH_API bool fh_cursor_find_word(fh_cursor *cur, uint32_t mask, uint32_t value, size_t step);

/* fh_cursor_all_zero tells whether the next len bytes are there and all 0; it moves nothing. */
FH_API bool fh_cursor_all_zero(const fh_cursor *cur, size_t len);

#endif
