/* The frame that RetroArch puts around the state of a core: `RASTATE` and the version 1, then
 * blocks of a mark of four letters, a length (u32, little endian) and as many bytes, filled up to a
 * multiple of 8; `END ` is the last. `MEM ` is what the core wrote, `ACHV` and `RPLY` are
 * RetroArch's own. Pure. Source: libretro/RetroArch, tasks/task_save.c.
 */
#ifndef FH_SOURCE_RETROARCH_H
#define FH_SOURCE_RETROARCH_H

#include "core/cursor.h"

#include <stdbool.h>

typedef struct fh_retroarch_block {
    size_t off; /* of the core's bytes */
    uint32_t len;
    bool is_ended; /* the blocks go on to the last one, or the end of the bytes */
} fh_retroarch_block;

/* fh_retroarch_is tells a frame, which may be cut, by its first bytes. */
bool fh_retroarch_is(const fh_cursor *window);

/* fh_retroarch_find finds the core's state in a frame; the block may go past the end of the bytes.
 * false: there is none. */
bool fh_retroarch_find(fh_retroarch_block *out, fh_cursor bytes) FH_MUST_USE;

#endif
