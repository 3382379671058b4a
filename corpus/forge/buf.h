/* A growable buffer of bytes with a limit, the output of every builder held in memory.
 *
 * The buffer owns its bytes; forge_buf_free gives them back and leaves an empty buffer. Appending
 * past the limit, or when memory is short, sets a sticky state and appends nothing from then on,
 * so a builder may write a whole structure and ask once. Numbers are written little endian unless
 * the name says otherwise.
 */
#ifndef FORGE_BUF_H
#define FORGE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum forge_buf_state {
    FORGE_BUF_OK = 0,
    FORGE_BUF_FULL,     /* the limit would have been passed */
    FORGE_BUF_NO_MEMORY /* the machine has no more */
} forge_buf_state;

typedef struct forge_buf {
    uint8_t *data; /* owned; NULL while nothing was written */
    size_t len;
    size_t room;
    size_t limit;
    forge_buf_state state;
} forge_buf;

/* forge_buf_make returns an empty buffer that takes at most limit bytes. */
forge_buf forge_buf_make(size_t limit);
void forge_buf_free(forge_buf *buf);

void forge_buf_bytes(forge_buf *buf, const void *bytes, size_t len);
void forge_buf_fill(forge_buf *buf, uint8_t value, size_t len);
void forge_buf_u8(forge_buf *buf, uint8_t value);
void forge_buf_u16(forge_buf *buf, uint16_t value);
void forge_buf_u32(forge_buf *buf, uint32_t value);

/* forge_put_* store a number at bytes, which the caller has made large enough. */
void forge_put_u16(uint8_t *bytes, uint16_t value);
void forge_put_u32(uint8_t *bytes, uint32_t value);
void forge_put_u16be(uint8_t *bytes, uint16_t value);
void forge_put_u32be(uint8_t *bytes, uint32_t value);

#endif
