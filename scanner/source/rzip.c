#include "source/rzip.h"

#include "source/limits.h"
#include "source/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_LEN = 20, VERSION_AT = 6, ZLIB = 1, ZSTD = 2 };

typedef struct rzip_box {
    fh_feed feed;
    fh_codec codec;
    uint32_t chunk_len; /* unpacked; the last is shorter */
    uint64_t left;      /* bytes to come */
    bool is_begun;
    fh_unpacked chunk;
    size_t pos; /* in the chunk */
} rzip_box;

bool fh_rzip_is(const fh_cursor *window)
{
    return window->size >= HEADER_LEN && memcmp(window->base, "#RZIPv", VERSION_AT) == 0 &&
           (window->base[VERSION_AT] == ZLIB || window->base[VERSION_AT] == ZSTD) &&
           window->base[VERSION_AT + 1] == '#';
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    rzip_box *rzip = box->self;
    if (rzip->is_begun) {
        return FH_BOX_END;
    }
    rzip->is_begun = true;
    *member = (fh_member){
        .is_bytes = true,
        .size = rzip->left <= (uint64_t)INT64_MAX ? (int64_t)rzip->left : FH_UNKNOWN,
    };
    return FH_BOX_OK;
}

static fh_tape_status corrupt(const rzip_box *rzip, fh_tape *tape, fh_image_rule rule,
                              const char *found)
{
    fh_fault(tape->faults, rule, rzip->feed.off, "chunk", found, "");
    return fh_tape_break(tape, found);
}

static fh_tape_status judge(rzip_box *rzip, fh_tape *tape, fh_unpack_status status)
{
    switch (status) {
    case FH_UNPACK_STOPPED:
        return FH_TAPE_STOPPED;
    case FH_UNPACK_NO_MEMORY:
        return fh_tape_fail(tape, ENOMEM);
    case FH_UNPACK_FULL:
        return corrupt(rzip, tape, FH_IMG0046, "more comes out than a chunk has");
    case FH_UNPACK_BROKEN:
        return corrupt(rzip, tape, FH_IMG0041, rzip->chunk.why);
    case FH_UNPACK_CUT:
        return rzip->feed.status == FH_READER_OK
                   ? corrupt(rzip, tape, FH_IMG0041, "packed bytes that end too early")
                   : fh_feed_ended(&rzip->feed, tape, "chunk");
    case FH_UNPACK_OK:
        break;
    }
    return rzip->chunk.len > 0 ? FH_TAPE_OK
                               : corrupt(rzip, tape, FH_IMG0041, "nothing comes out of it");
}

static fh_tape_status read_chunk(rzip_box *rzip, fh_tape *tape)
{
    uint8_t head[4];
    free(rzip->chunk.bytes);
    rzip->chunk = (fh_unpacked){0};
    rzip->pos = 0;
    if (!fh_feed_get(&rzip->feed, head, sizeof head)) {
        return fh_feed_ended(&rzip->feed, tape, "chunk");
    }
    fh_cursor cur = fh_cursor_make(head, sizeof head, 0);
    const int64_t len = fh_cursor_u32(&cur);
    const int64_t end = rzip->feed.off + len;
    const size_t most = rzip->left < rzip->chunk_len ? (size_t)rzip->left : rzip->chunk_len;
    const fh_tape_status status =
        judge(rzip, tape, fh_unpack(&rzip->chunk, &rzip->feed, rzip->codec, len, most));
    if (status == FH_TAPE_OK && !fh_feed_skip(&rzip->feed, end - rzip->feed.off)) {
        return fh_feed_ended(&rzip->feed, tape, "chunk");
    }
    return status;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    rzip_box *rzip = box->self;
    if (rzip->left == 0) {
        return FH_TAPE_END;
    }
    if (rzip->pos == rzip->chunk.len) {
        const fh_tape_status status = read_chunk(rzip, tape);
        if (status != FH_TAPE_OK) {
            return status;
        }
    }
    const size_t there = rzip->chunk.len - rzip->pos;
    *len = there < max ? there : max;
    memcpy(to, rzip->chunk.bytes + rzip->pos, *len);
    rzip->pos += *len;
    rzip->left -= *len;
    return FH_TAPE_OK;
}

static void close_box(fh_box *box)
{
    rzip_box *rzip = box->self;
    if (rzip != NULL) {
        free(rzip->chunk.bytes);
    }
    free(rzip);
}

static fh_box_status judge_header(const rzip_box *rzip, fh_box *box)
{
    if (!fh_unpack_knows(rzip->codec)) {
        fh_fault(box->faults, FH_IMG0047, VERSION_AT, box->kind->name,
                 "this program was built without the library for it", "");
        return FH_BOX_OTHER;
    }
    if (rzip->chunk_len == 0 || rzip->chunk_len > FH_RZIP_MAX_CHUNK_LEN || rzip->left == 0) {
        fh_fault(box->faults, FH_IMG0041, 8, "RZIP header", "lengths that cannot be", "");
        return FH_BOX_BROKEN;
    }
    return FH_BOX_OK;
}

fh_box_status fh_rzip_open(fh_box *box)
{
    uint8_t header[HEADER_LEN];
    rzip_box *rzip = calloc(1, sizeof *rzip);
    if (rzip == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    rzip->feed = fh_feed_make(box->from);
    box->self = rzip;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    if (!fh_feed_get(&rzip->feed, header, sizeof header)) {
        return fh_feed_broke(&rzip->feed, box->faults, "RZIP header");
    }
    fh_cursor cur = fh_cursor_make(header, sizeof header, 0);
    (void)fh_cursor_seek(&cur, 8);
    rzip->codec = header[VERSION_AT] == ZLIB ? FH_CODEC_DEFLATE : FH_CODEC_ZSTD;
    rzip->chunk_len = fh_cursor_u32(&cur);
    rzip->left = fh_cursor_u32(&cur);
    rzip->left |= (uint64_t)fh_cursor_u32(&cur) << 32;
    return judge_header(rzip, box);
}
