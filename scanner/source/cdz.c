#include "source/cdz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAGIC_LEN ((size_t)4)
#define BLOCK_MAX ((size_t)64 << 10)
#define PACKED_MAX ((size_t)128 << 10) /* zlib never makes so much of a block */
#define OLD_CHUNKS 2u                  /* where they have no names: cue sheet, image */

typedef struct cdz_box {
    fh_feed feed;
    uint8_t version;
    bool is_ready;       /* the head of a chunk was read, and it was not handed out */
    uint32_t num_chunks; /* begun so far */
    const char *name;    /* of this one */
    int64_t size;        /* unpacked, or FH_UNKNOWN */
    int64_t end;         /* behind the chunk; FH_UNKNOWN: it does not say */
    uint32_t blocks;     /* of it that were not read */
    bool is_lost;        /* where the next block begins is not known */
    z_stream stream;
    bool has_stream;
    size_t pos; /* in out */
    size_t len; /* of what is in out */
    uint8_t packed[PACKED_MAX];
    uint8_t out[BLOCK_MAX];
} cdz_box;

bool fh_cdz_is(const fh_cursor *window)
{
    return window->size > MAGIC_LEN && memcmp(window->base, "CDZ", 3) == 0 && window->base[3] <= 1;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static const char *name_of(const uint8_t id[4])
{
    static const char *const names[][2] = {
        {"CUE", "disc.cue"}, {"BIN", "disc.bin"}, {"CCD", "disc.ccd"}, {"MDS", "disc.mds"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (memcmp(id, names[i][0], 3) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

static fh_box_status other(cdz_box *cdz, fh_box *box, const char *what)
{
    fh_fault(box->faults, FH_IMG0040, cdz->feed.off, "CDZ chunk", what, "packed by zlib");
    return FH_BOX_OTHER;
}

static int64_t size_of(uint64_t size)
{
    return size > INT64_MAX ? FH_UNKNOWN : (int64_t)size;
}

/* The letters and the length, which only the newer kind has. */
static fh_box_status read_name(cdz_box *cdz, fh_box *box)
{
    uint8_t bytes[12];
    cdz->end = FH_UNKNOWN;
    if (cdz->version == 0) {
        cdz->name = cdz->num_chunks == 0 ? "disc.cue" : "disc.bin";
        return FH_BOX_OK;
    }
    if (!fh_feed_get(&cdz->feed, bytes, sizeof bytes)) {
        return fh_feed_broke(&cdz->feed, box->faults, "CDZ chunk");
    }
    fh_cursor cur = fh_cursor_make(bytes, sizeof bytes, 0);
    (void)fh_cursor_skip(&cur, 4);
    const uint64_t low = fh_cursor_u32(&cur);
    const uint64_t len = low | (uint64_t)fh_cursor_u32(&cur) << 32;
    cdz->name = name_of(bytes);
    if (cdz->name == NULL || len > (uint64_t)(INT64_MAX - cdz->feed.off)) {
        return other(cdz, box, "of a kind or length that is not known");
    }
    cdz->end = cdz->feed.off + (int64_t)len;
    return FH_BOX_OK;
}

/* How much comes out of it, and of how many blocks. */
static fh_box_status read_sizes(cdz_box *cdz, fh_box *box)
{
    uint8_t bytes[16];
    if (!fh_feed_get(&cdz->feed, bytes, 4)) {
        return fh_feed_broke(&cdz->feed, box->faults, "CDZ chunk");
    }
    const bool is_marked = memcmp(bytes, "ZLIB", 4) == 0;
    if (!is_marked && cdz->version > 0) {
        return other(cdz, box, "packed by another method");
    }
    if (!fh_feed_get(&cdz->feed, bytes + 4, is_marked ? 12 : 4)) {
        return fh_feed_broke(&cdz->feed, box->faults, "CDZ chunk");
    }
    fh_cursor cur = fh_cursor_make(bytes, is_marked ? 16 : 8, 0);
    (void)fh_cursor_skip(&cur, is_marked ? 4 : 0);
    uint64_t size = fh_cursor_u32(&cur);
    size |= is_marked ? (uint64_t)fh_cursor_u32(&cur) << 32 : 0;
    cdz->size = size_of(size);
    cdz->blocks = fh_cursor_u32(&cur);
    cdz->is_lost = false;
    cdz->pos = cdz->len = 0;
    cdz->num_chunks++;
    return FH_BOX_OK;
}

static fh_box_status read_head(cdz_box *cdz, fh_box *box)
{
    fh_box_status status = read_name(cdz, box);
    if (status == FH_BOX_OK) {
        status = read_sizes(cdz, box);
    }
    cdz->is_ready = status == FH_BOX_OK;
    return status;
}

/* The two numbers in front of a block; false: there are none. */
static bool read_block_head(cdz_box *cdz, uint32_t *packed_len, uint32_t *len)
{
    uint8_t bytes[8];
    if (!fh_feed_get(&cdz->feed, bytes, sizeof bytes)) {
        return false;
    }
    fh_cursor cur = fh_cursor_make(bytes, sizeof bytes, 0);
    *packed_len = fh_cursor_u32(&cur);
    *len = fh_cursor_u32(&cur);
    cdz->blocks--;
    return true;
}

/* Goes behind the chunk, whatever of it was read. */
static fh_box_status leave_chunk(cdz_box *cdz, fh_box *box)
{
    while (cdz->end == FH_UNKNOWN && cdz->blocks > 0 && !cdz->is_lost) {
        uint32_t packed_len = 0;
        uint32_t len = 0;
        if (!read_block_head(cdz, &packed_len, &len) ||
            !fh_feed_skip(&cdz->feed, (int64_t)packed_len)) {
            return fh_feed_broke(&cdz->feed, box->faults, "CDZ block");
        }
    }
    if (cdz->end == FH_UNKNOWN) {
        return cdz->is_lost || cdz->num_chunks == OLD_CHUNKS ? FH_BOX_END : FH_BOX_OK;
    }
    if (cdz->end < cdz->feed.off) {
        fh_fault_sizes(box->faults, FH_IMG0045, cdz->feed.off, "end of a CDZ chunk", cdz->end,
                       cdz->feed.off);
        return FH_BOX_BROKEN;
    }
    return fh_feed_skip(&cdz->feed, cdz->end - cdz->feed.off)
               ? FH_BOX_OK
               : fh_feed_broke(&cdz->feed, box->faults, "CDZ chunk");
}

static fh_box_status go_on(cdz_box *cdz, fh_box *box)
{
    const fh_box_status status = leave_chunk(cdz, box);
    if (status != FH_BOX_OK) {
        return status;
    }
    if (cdz->version > 0 && !fh_feed_more(&cdz->feed) && cdz->feed.status == FH_READER_END) {
        return FH_BOX_END;
    }
    return read_head(cdz, box);
}

/* The first chunk was looked for when the box was opened. */
static fh_box_status next(fh_box *box, fh_member *member)
{
    cdz_box *cdz = box->self;
    const fh_box_status status = cdz->is_ready ? FH_BOX_OK : go_on(cdz, box);
    if (status != FH_BOX_OK) {
        return status == FH_BOX_OTHER ? FH_BOX_END : status;
    }
    cdz->is_ready = false;
    *member = (fh_member){.is_bytes = true, .name = cdz->name, .size = cdz->size};
    return FH_BOX_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static fh_tape_status inflate_block(cdz_box *cdz, fh_tape *tape, size_t packed_len, size_t len)
{
    z_stream *stream = &cdz->stream;
    const int64_t off = cdz->feed.off - (int64_t)packed_len;
    if (inflateReset(stream) != Z_OK) {
        return fh_tape_fail(tape, ENOMEM);
    }
    stream->next_in = cdz->packed;
    stream->avail_in = (uInt)packed_len;
    stream->next_out = cdz->out;
    stream->avail_out = (uInt)BLOCK_MAX;
    const int code = inflate(stream, Z_FINISH);
    if (code == Z_MEM_ERROR) {
        return fh_tape_fail(tape, ENOMEM);
    }
    if (code == Z_DATA_ERROR || code == Z_NEED_DICT) {
        const char *why = stream->msg != NULL ? stream->msg : "not zlib";
        fh_fault(tape->faults, FH_IMG0041, off, "CDZ block", why, "");
        return fh_tape_break(tape, why);
    }
    const size_t made = BLOCK_MAX - stream->avail_out;
    if (code != Z_STREAM_END || made != len) {
        fh_fault_sizes(tape->faults, FH_IMG0046, off, "CDZ block", (int64_t)made, (int64_t)len);
        return fh_tape_break(tape, "a block unpacks to another size");
    }
    cdz->pos = 0;
    cdz->len = len;
    return FH_TAPE_OK;
}

static fh_tape_status read_block(cdz_box *cdz, fh_tape *tape)
{
    uint32_t packed_len = 0;
    uint32_t len = 0;
    if (!read_block_head(cdz, &packed_len, &len)) {
        return fh_feed_ended(&cdz->feed, tape, "CDZ block");
    }
    if (packed_len > PACKED_MAX || len > BLOCK_MAX) {
        cdz->is_lost = true;
        fh_fault_sizes(tape->faults, FH_IMG0041, cdz->feed.off, "length of a CDZ block",
                       (int64_t)(len > BLOCK_MAX ? len : packed_len), (int64_t)BLOCK_MAX);
        return fh_tape_break(tape, "a block is too long");
    }
    if (!fh_feed_get(&cdz->feed, cdz->packed, packed_len)) {
        return fh_feed_ended(&cdz->feed, tape, "CDZ block");
    }
    return inflate_block(cdz, tape, packed_len, len);
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    cdz_box *cdz = box->self;
    while (cdz->pos == cdz->len) {
        if (cdz->blocks == 0) {
            return FH_TAPE_END;
        }
        const fh_tape_status status = read_block(cdz, tape);
        if (status != FH_TAPE_OK) {
            return status;
        }
    }
    const size_t left = cdz->len - cdz->pos;
    const size_t num = left < max ? left : max;
    memcpy(to, cdz->out + cdz->pos, num);
    cdz->pos += num;
    *len = num;
    return FH_TAPE_OK;
}

static void close_box(fh_box *box)
{
    cdz_box *cdz = box->self;
    if (cdz != NULL && cdz->has_stream) {
        (void)inflateEnd(&cdz->stream);
    }
    free(cdz);
}

fh_box_status fh_cdz_open(fh_box *box)
{
    uint8_t magic[MAGIC_LEN];
    cdz_box *cdz = calloc(1, sizeof *cdz);
    if (cdz == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    box->self = cdz;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    cdz->feed = fh_feed_make(box->from);
    cdz->has_stream = inflateInit(&cdz->stream) == Z_OK;
    if (!cdz->has_stream) {
        return FH_BOX_NO_MEMORY;
    }
    if (!fh_feed_get(&cdz->feed, magic, sizeof magic)) {
        return fh_feed_broke(&cdz->feed, box->faults, "CDZ");
    }
    cdz->version = magic[3];
    return read_head(cdz, box);
}
