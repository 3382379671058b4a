#include "source/duckstation.h"

#include "source/box.h"
#include "source/limits.h"

#include <string.h>

/* A file that only happens to begin with the four letters has no such version. */
#define MAX_VERSION 0xffffu

bool fh_duck_is(const fh_cursor *window)
{
    fh_cursor cur = *window;
    const bool is_magic = window->size >= 8 && memcmp(window->base, "DUCC", 4) == 0;
    (void)fh_cursor_skip(&cur, 4);
    const uint32_t version = fh_cursor_u32(&cur);
    return is_magic && version >= 1 && version <= MAX_VERSION;
}

static bool is_possible(const fh_duck_header *header, fh_tallies *faults)
{
    if (header->off < FH_DUCK_HEADER_LEN) {
        fh_fault_sizes(faults, FH_IMG0052, 212, "offset of the data", header->off,
                       (int64_t)FH_DUCK_HEADER_LEN);
        return false;
    }
    if (header->len == 0 || header->len > FH_STATE_MAX_LEN) {
        fh_fault_sizes(faults, FH_IMG0052, 208, "size of the data", header->len,
                       (int64_t)FH_STATE_MAX_LEN);
    }
    return true;
}

bool fh_duck_read(fh_duck_header *out, fh_cursor bytes, fh_tallies *faults)
{
    fh_cursor cur = bytes;
    if (bytes.size < FH_DUCK_HEADER_LEN) {
        fh_fault_sizes(faults, FH_IMG0052, 0, "header of the state", (int64_t)bytes.size,
                       (int64_t)FH_DUCK_HEADER_LEN);
        return false;
    }
    (void)fh_cursor_seek(&cur, 4);
    out->version = fh_cursor_u32(&cur);
    (void)fh_cursor_seek(&cur, 200);
    out->compression = fh_cursor_u32(&cur);
    out->packed_len = fh_cursor_u32(&cur);
    out->len = fh_cursor_u32(&cur);
    out->off = fh_cursor_u32(&cur);
    return is_possible(out, faults);
}
