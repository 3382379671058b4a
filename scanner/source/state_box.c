#include "source/state_box.h"

#include "source/duckstation.h"
#include "source/limits.h"
#include "source/memory.h"
#include "source/unpack.h"

#include <stdlib.h>
#include <string.h>

typedef struct state_box {
    fh_feed feed;
    fh_unpacked state;
    fh_memory memory;
    bool has_ram; /* else memory is all of the state: it is searched as what it may be */
    bool is_begun;
    size_t pos; /* of memory, read so far */
} state_box;

static const fh_memory_kind *state_of(const fh_cursor *window)
{
    const fh_memory_kind *kind = fh_memory_of(window, FH_UNKNOWN);
    return kind != NULL && kind->is_state ? kind : NULL;
}

bool fh_state_box_is_packed(const fh_cursor *window)
{
    const fh_memory_kind *kind = state_of(window);
    return kind != NULL && kind->is_packed;
}

bool fh_state_box_is_plain(const fh_cursor *window)
{
    const fh_memory_kind *kind = state_of(window);
    return kind != NULL && !kind->is_packed;
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    state_box *self = box->self;
    if (self->is_begun) {
        return FH_BOX_END;
    }
    self->is_begun = true;
    *member = (fh_member){.name = self->has_ram ? FH_STATE_MEMBER : FH_STATE_REST,
                          .is_bytes = true,
                          .content = self->has_ram ? FH_CONTENT_RAM : FH_CONTENT_PLAIN,
                          .size = (int64_t)self->memory.len};
    return FH_BOX_OK;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    state_box *self = box->self;
    const size_t left = self->memory.len - self->pos;
    const size_t num = left < max ? left : max;
    (void)tape;
    if (num == 0) {
        return FH_TAPE_END;
    }
    memcpy(to, self->state.bytes + self->memory.off + self->pos, num);
    self->pos += num;
    *len = num;
    return FH_TAPE_OK;
}

static void close_box(fh_box *box)
{
    state_box *self = box->self;
    if (self != NULL) {
        free(self->state.bytes);
    }
    free(self);
}

static state_box *begin(fh_box *box)
{
    state_box *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->feed = fh_feed_make(box->from);
    box->self = self;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    return self;
}

static fh_cursor data_of(const state_box *self)
{
    return fh_cursor_make(self->state.bytes, self->state.len, 0);
}

static fh_box_status end_open(state_box *self, bool has_ram)
{
    self->has_ram = has_ram;
    if (!has_ram) {
        self->memory = (fh_memory){.len = self->state.len};
    }
    return self->memory.len > 0 ? FH_BOX_OK : FH_BOX_BROKEN;
}

/* ---- packed by itself ------------------------------------------------------------------------ */

/* The data must be as long as the header says, however the unpacking ended. */
static fh_box_status judge(const state_box *self, fh_box *box, const fh_duck_header *header,
                           fh_unpack_status status)
{
    switch (status) {
    case FH_UNPACK_STOPPED:
        return FH_BOX_STOPPED;
    case FH_UNPACK_NO_MEMORY:
        return FH_BOX_NO_MEMORY;
    case FH_UNPACK_BROKEN:
        fh_fault(box->faults, FH_IMG0052, self->feed.off, "packed data", self->state.why, "");
        return FH_BOX_OK;
    case FH_UNPACK_CUT:
        fh_fault_sizes(box->faults, FH_IMG0052, self->feed.off, "packed data",
                       self->feed.off - header->off, header->packed_len);
        break;
    case FH_UNPACK_FULL:
        fh_fault(box->faults, FH_IMG0052, 208, "size of the data", "more comes out",
                 "as many bytes as the header says");
        break;
    case FH_UNPACK_OK:
        break;
    }
    if (self->state.len != header->len) {
        fh_fault_sizes(box->faults, FH_IMG0052, 208, "data of the state", (int64_t)self->state.len,
                       header->len);
    }
    return FH_BOX_OK;
}

static fh_box_status unpack(state_box *self, fh_box *box, const fh_duck_header *header)
{
    static const fh_codec codecs[] = {FH_CODEC_STORED, FH_CODEC_DEFLATE, FH_CODEC_ZSTD,
                                      FH_CODEC_XZ};
    const uint32_t compression = header->compression;
    if (compression > FH_DUCK_XZ || !fh_unpack_knows(codecs[compression])) {
        char found[40];
        fh_text text = fh_text_make(found, sizeof found);
        fh_text_u64(fh_text_str(&text, "compression "), compression);
        fh_fault(box->faults, FH_IMG0047, 200, box->kind->name, found,
                 "deflate (1), zstd (2), xz (3), each with its library");
        return FH_BOX_OTHER;
    }
    const size_t max =
        header->len == 0 || header->len > FH_STATE_MAX_LEN ? FH_STATE_MAX_LEN : header->len;
    const fh_unpack_status status =
        fh_unpack(&self->state, &self->feed, codecs[compression], header->packed_len, max);
    return judge(self, box, header, status);
}

fh_box_status fh_state_box_open_packed(fh_box *box)
{
    uint8_t bytes[FH_DUCK_HEADER_LEN];
    fh_duck_header header;
    state_box *self = begin(box);
    if (self == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    if (!fh_feed_get(&self->feed, bytes, sizeof bytes)) {
        return fh_feed_broke(&self->feed, box->faults, "header of the state");
    }
    if (!fh_duck_read(&header, fh_cursor_make(bytes, sizeof bytes, 0), box->faults)) {
        return FH_BOX_BROKEN;
    }
    if (!fh_feed_skip(&self->feed, header.off - (int64_t)sizeof bytes)) {
        fh_fault_sizes(box->faults, FH_IMG0052, 212, "bytes in front of the data", self->feed.off,
                       header.off);
        return self->feed.status == FH_READER_STOPPED ? FH_BOX_STOPPED : FH_BOX_BROKEN;
    }
    const fh_box_status status = unpack(self, box, &header);
    if (status != FH_BOX_OK) {
        return status;
    }
    const bool has_ram =
        fh_memory_of_state(&self->memory, header.version, data_of(self), box->faults);
    if (has_ram) {
        fh_memory_tell(&self->memory, box->faults);
    }
    return end_open(self, has_ram);
}

/* ---- in a packed file ------------------------------------------------------------------------ */

fh_box_status fh_state_box_open_plain(fh_box *box)
{
    state_box *self = begin(box);
    if (self == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    const fh_cursor window = fh_reader_peek(box->from);
    const fh_memory_kind *kind = state_of(&window);
    switch (fh_unpack(&self->state, &self->feed, FH_CODEC_STORED, INT64_MAX, FH_STATE_MAX_LEN)) {
    case FH_UNPACK_STOPPED:
        return FH_BOX_STOPPED;
    case FH_UNPACK_NO_MEMORY:
        return FH_BOX_NO_MEMORY;
    default:
        break;
    }
    return end_open(self, kind != NULL &&
                              fh_memory_find(&self->memory, kind, data_of(self), box->faults));
}
