#include "source/retroarch.h"

#include <string.h>

#define MAGIC "RASTATE\001"
#define MAGIC_LEN (sizeof MAGIC - 1)
#define BLOCK_HEAD_LEN 8u
#define ALIGNMENT 8u

/* RetroArch writes four kinds of blocks, each once. */
#define MOST_BLOCKS 64u

bool fh_retroarch_is(const fh_cursor *window)
{
    return window->size >= MAGIC_LEN + BLOCK_HEAD_LEN &&
           memcmp(window->base, MAGIC, MAGIC_LEN) == 0;
}

bool fh_retroarch_find(fh_retroarch_block *out, fh_cursor bytes)
{
    bool is_found = false;
    (void)fh_cursor_skip(&bytes, MAGIC_LEN);
    out->is_ended = false;
    for (unsigned i = 0; i < MOST_BLOCKS && fh_cursor_left(&bytes) >= BLOCK_HEAD_LEN; i++) {
        const uint8_t *mark = bytes.base + bytes.pos;
        (void)fh_cursor_skip(&bytes, 4);
        const uint32_t len = fh_cursor_u32(&bytes);
        const size_t fill = (ALIGNMENT - len % ALIGNMENT) % ALIGNMENT;
        if (!is_found && memcmp(mark, "MEM ", 4) == 0) {
            *out = (fh_retroarch_block){bytes.pos, len, false};
            is_found = true;
        }
        const bool is_last = memcmp(mark, "END ", 4) == 0;
        const bool is_whole = fh_cursor_skip(&bytes, len);
        out->is_ended = is_last || (is_whole && fh_cursor_left(&bytes) <= fill);
        if (out->is_ended || !is_whole || !fh_cursor_skip(&bytes, fill)) {
            break;
        }
    }
    return is_found;
}
