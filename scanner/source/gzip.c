#include "source/gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WINDOW_BITS (15 + 16) /* the largest window; a header of gzip */
#define RESERVED_FLAGS 0xe0u
#define DEFLATE 8u

typedef struct gzip_box {
    fh_feed feed;
    z_stream stream;
    bool is_begun; /* the member was handed out */
    bool is_open;  /* a part is being read */
    bool is_done;
    int failed; /* what zlib said together with the last bytes that came out, else 0 */
} gzip_box;

bool fh_gzip_is(const fh_cursor *window)
{
    fh_cursor cur = *window;
    const bool is_magic = fh_cursor_u16(&cur) == 0x8b1f && fh_cursor_u8(&cur) == DEFLATE;
    return is_magic && (fh_cursor_u8(&cur) & RESERVED_FLAGS) == 0 && fh_cursor_skip(&cur, 6);
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    gzip_box *gzip = box->self;
    if (gzip->is_begun) {
        return FH_BOX_END;
    }
    gzip->is_begun = true;
    *member = (fh_member){.is_bytes = true, .size = FH_UNKNOWN};
    return FH_BOX_OK;
}

/* Behind a part: another one, zeros that fill up a block of a tape, or the end. */
static bool find_part(gzip_box *gzip, fh_tape *tape)
{
    while (fh_feed_more(&gzip->feed) && gzip->feed.bytes[0] == 0) {
        if (!fh_feed_skip(&gzip->feed, 1)) {
            return false;
        }
    }
    if (!fh_feed_more(&gzip->feed)) {
        return false;
    }
    if (gzip->feed.bytes[0] != 0x1f) {
        fh_fault(tape->faults, FH_IMG0041, gzip->feed.off, "bytes behind the end",
                 "neither zeros nor another part of gzip", "");
        return false;
    }
    return inflateReset(&gzip->stream) == Z_OK;
}

static fh_tape_status wrong(gzip_box *gzip, fh_tape *tape, int code)
{
    const char *why = gzip->stream.msg != NULL ? gzip->stream.msg : "not deflate";
    if (code == Z_MEM_ERROR) {
        return fh_tape_fail(tape, ENOMEM);
    }
    const bool is_check = strstr(why, "check") != NULL && strncmp(why, "incorrect ", 10) == 0 &&
                          strstr(why, "header") == NULL;
    gzip->is_done = true;
    fh_fault(tape->faults, is_check ? FH_IMG0043 : FH_IMG0041, gzip->feed.off, "gzip", why, "");
    return is_check ? FH_TAPE_END : fh_tape_break(tape, why);
}

/* Unpacks what lies in the feed. Z_BUF_ERROR: nothing came out, and more is wanted. */
static int inflate_some(gzip_box *gzip, size_t *len, uint8_t *to, size_t max)
{
    z_stream *stream = &gzip->stream;
    const size_t offered = gzip->feed.left < (1u << 30) ? gzip->feed.left : (1u << 30);
    const size_t room = max < (1u << 30) ? max : (1u << 30);
    stream->next_in = (Bytef *)(uintptr_t)gzip->feed.bytes; /* zlib does not write there */
    stream->avail_in = (uInt)offered;
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    const int code = inflate(stream, Z_NO_FLUSH);
    *len = room - stream->avail_out;
    const bool is_taken = fh_feed_skip(&gzip->feed, (int64_t)(offered - stream->avail_in));
    return is_taken ? code : Z_STREAM_ERROR;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    gzip_box *gzip = box->self;
    for (;;) {
        if (gzip->is_done || gzip->failed != 0) {
            return gzip->is_done ? FH_TAPE_END : wrong(gzip, tape, gzip->failed);
        }
        if (!gzip->is_open) {
            gzip->is_open = gzip->feed.off == 0 || find_part(gzip, tape);
            gzip->is_done = !gzip->is_open;
            continue;
        }
        if (!fh_feed_more(&gzip->feed)) {
            return fh_feed_ended(&gzip->feed, tape, "gzip");
        }
        size_t num = 0;
        const int code = inflate_some(gzip, &num, to, max);
        gzip->is_open = code != Z_STREAM_END;
        gzip->failed = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR ? code : 0;
        if (num > 0) {
            *len = num;
            return FH_TAPE_OK;
        }
    }
}

static void close_box(fh_box *box)
{
    gzip_box *gzip = box->self;
    if (gzip != NULL) {
        (void)inflateEnd(&gzip->stream);
    }
    free(gzip);
}

fh_box_status fh_gzip_open(fh_box *box)
{
    gzip_box *gzip = calloc(1, sizeof *gzip);
    if (gzip == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    gzip->feed = fh_feed_make(box->from);
    if (inflateInit2(&gzip->stream, GZIP_WINDOW_BITS) != Z_OK) {
        free(gzip);
        return FH_BOX_NO_MEMORY;
    }
    box->self = gzip;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    return FH_BOX_OK;
}
