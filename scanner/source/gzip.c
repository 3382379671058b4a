#include "source/gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ZLIB_WINDOW_BITS 15        /* the largest window; a header of zlib */
#define GZIP_WINDOW_BITS (15 + 16) /* and one of gzip */
#define RESERVED_FLAGS 0xe0u
#define DEFLATE 8u
#define ZLIB_LARGEST 0x78u    /* deflate with the largest window: what everybody writes */
#define ZLIB_DICTIONARY 0x20u /* a flag: it needs one that nobody has here */

/* Bytes that must come out for something to be taken for zlib, unless all of it is fewer. What is
 * none hardly lasts for a hundred: distances lead to before its start. */
enum { ZLIB_PROOF = 4096 };

typedef struct frame {
    const char *name;
    bool has_parts; /* one may follow the other */
} frame;

static const frame gzip_frame = {"gzip", true};
static const frame zlib_frame = {"zlib", false};

typedef struct gzip_box {
    const frame *frame;
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

/* Whether what is there unpacks: to its end, or long enough. */
static bool unpacks(const fh_cursor *window)
{
    uint8_t out[ZLIB_PROOF];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)window->base, /* zlib does not write there */
                       .avail_in = (uInt)window->size};
    if (inflateInit2(&stream, ZLIB_WINDOW_BITS) != Z_OK) {
        return true; /* no memory: who opens it says so */
    }
    stream.next_out = out;
    stream.avail_out = sizeof out;
    const int code = inflate(&stream, Z_NO_FLUSH);
    const bool is_proof =
        code == Z_STREAM_END || code == Z_MEM_ERROR || (code == Z_OK && stream.avail_out == 0);
    (void)inflateEnd(&stream);
    return is_proof;
}

bool fh_zlib_is(const fh_cursor *window)
{
    fh_cursor cur = *window;
    const uint32_t method = fh_cursor_u8(&cur);
    const uint32_t flags = fh_cursor_u8(&cur);
    return !cur.failed && method == ZLIB_LARGEST && (method * 256 + flags) % 31 == 0 &&
           (flags & ZLIB_DICTIONARY) == 0 && unpacks(window);
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
    if (!gzip->frame->has_parts || gzip->feed.bytes[0] != 0x1f) {
        fh_fault(tape->faults, FH_IMG0041, gzip->feed.off, "bytes behind the end",
                 gzip->frame->has_parts ? "neither zeros nor another part of gzip" : "no zeros",
                 "");
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
    fh_fault(tape->faults, is_check ? FH_IMG0043 : FH_IMG0041, gzip->feed.off, gzip->frame->name,
             why, "");
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
            return fh_feed_ended(&gzip->feed, tape, gzip->frame->name);
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

static fh_box_status open_frame(fh_box *box, const frame *kind, int window_bits)
{
    gzip_box *gzip = calloc(1, sizeof *gzip);
    if (gzip == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    gzip->frame = kind;
    gzip->feed = fh_feed_make(box->from);
    if (inflateInit2(&gzip->stream, window_bits) != Z_OK) {
        free(gzip);
        return FH_BOX_NO_MEMORY;
    }
    box->self = gzip;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    return FH_BOX_OK;
}

fh_box_status fh_gzip_open(fh_box *box)
{
    return open_frame(box, &gzip_frame, GZIP_WINDOW_BITS);
}

fh_box_status fh_zlib_open(fh_box *box)
{
    return open_frame(box, &zlib_frame, ZLIB_WINDOW_BITS);
}
