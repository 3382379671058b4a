#include "forge/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

forge_buf forge_buf_make(size_t limit)
{
    return (forge_buf){.limit = limit};
}

void forge_buf_free(forge_buf *buf)
{
    free(buf->data);
    *buf = forge_buf_make(buf->limit);
}

/* Doubling, so that appending byte by byte costs constant time; never past the limit. */
static size_t better_room(const forge_buf *buf, size_t need)
{
    size_t room = buf->room < FIRST_ROOM ? FIRST_ROOM : buf->room;
    while (room < need) {
        room = room > buf->limit / 2 ? buf->limit : room * 2;
    }
    return room;
}

/* Returns the place for len more bytes, or NULL with the state set. */
static uint8_t *grow(forge_buf *buf, size_t len)
{
    assert(buf->len <= buf->limit);
    if (buf->state != FORGE_BUF_OK) {
        return NULL;
    }
    if (buf->limit - buf->len < len) {
        buf->state = FORGE_BUF_FULL;
        return NULL;
    }
    if (buf->data == NULL || buf->room - buf->len < len) {
        size_t room = better_room(buf, buf->len + len);
        uint8_t *data = realloc(buf->data, room);
        if (data == NULL) {
            buf->state = FORGE_BUF_NO_MEMORY;
            return NULL;
        }
        buf->data = data;
        buf->room = room;
    }
    uint8_t *at = buf->data + buf->len;
    buf->len += len;
    return at;
}

void forge_buf_bytes(forge_buf *buf, const void *bytes, size_t len)
{
    uint8_t *at = grow(buf, len);
    if (at != NULL && len > 0) {
        memcpy(at, bytes, len);
    }
}

void forge_buf_fill(forge_buf *buf, uint8_t value, size_t len)
{
    uint8_t *at = grow(buf, len);
    if (at != NULL) {
        memset(at, value, len);
    }
}

void forge_buf_u8(forge_buf *buf, uint8_t value)
{
    forge_buf_bytes(buf, &value, 1);
}

void forge_buf_u16(forge_buf *buf, uint16_t value)
{
    uint8_t bytes[2];
    forge_put_u16(bytes, value);
    forge_buf_bytes(buf, bytes, sizeof bytes);
}

void forge_buf_u32(forge_buf *buf, uint32_t value)
{
    uint8_t bytes[4];
    forge_put_u32(bytes, value);
    forge_buf_bytes(buf, bytes, sizeof bytes);
}

void forge_put_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value & 0xffU);
    bytes[1] = (uint8_t)(value >> 8);
}

void forge_put_u32(uint8_t *bytes, uint32_t value)
{
    forge_put_u16(bytes, (uint16_t)(value & 0xffffU));
    forge_put_u16(bytes + 2, (uint16_t)(value >> 16));
}

void forge_put_u16be(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)(value & 0xffU);
}

void forge_put_u32be(uint8_t *bytes, uint32_t value)
{
    forge_put_u16be(bytes, (uint16_t)(value >> 16));
    forge_put_u16be(bytes + 2, (uint16_t)(value & 0xffffU));
}
