#include "source/unpack.h"

#include "source/limits.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if FH_HAVE_ZSTD
#include <zstd.h>
#endif
#if FH_HAVE_LZMA
#include <lzma.h>
#endif

/* Bytes that are taken at a time. */
#define STEP ((size_t)256 << 10)

typedef struct packed {
    const uint8_t *bytes;
    size_t len;
} packed;

/* A codec at work: takes from `in`, puts up to room bytes to `to` and how many into *made.
 * FH_UNPACK_CUT: goes on with more of either. */
typedef struct coder coder;
struct coder {
    fh_unpack_status (*step)(coder *self, packed *in, uint8_t *to, size_t room, size_t *made);
    void (*close)(coder *self);
    char *why; /* of fh_unpacked */
    bool is_begun;
    z_stream zlib;
#if FH_HAVE_ZSTD
    ZSTD_DStream *zstd;
#endif
#if FH_HAVE_LZMA
    lzma_stream lzma;
#endif
};

static fh_unpack_status broken(coder *self, const char *why)
{
    fh_text text = fh_text_make(self->why, sizeof((fh_unpacked *)NULL)->why);
    fh_text_str(&text, why);
    return FH_UNPACK_BROKEN;
}

/* ---- stored ---------------------------------------------------------------------------------- */

static fh_unpack_status step_stored(coder *self, packed *in, uint8_t *to, size_t room, size_t *made)
{
    (void)self;
    *made = in->len < room ? in->len : room;
    memcpy(to, in->bytes, *made);
    in->bytes += *made;
    in->len -= *made;
    return FH_UNPACK_CUT;
}

/* ---- deflate --------------------------------------------------------------------------------- */

static void close_deflate(coder *self)
{
    if (self->is_begun) {
        (void)inflateEnd(&self->zlib);
    }
}

/* A frame of zlib has a checksum over its first two bytes, one of gzip begins with its magic. */
static int window_bits(const packed *in)
{
    const uint8_t *at = in->bytes;
    const bool is_framed =
        in->len >= 2 && (((at[0] & 15u) == 8 && (at[0] * 256u + at[1]) % 31 == 0) ||
                         (at[0] == 0x1f && at[1] == 0x8b));
    return is_framed ? 15 + 32 : -15;
}

static fh_unpack_status step_deflate(coder *self, packed *in, uint8_t *to, size_t room,
                                     size_t *made)
{
    z_stream *zlib = &self->zlib;
    if (!self->is_begun) {
        if (inflateInit2(zlib, window_bits(in)) != Z_OK) {
            return FH_UNPACK_NO_MEMORY;
        }
        self->is_begun = true;
    }
    zlib->next_in = (Bytef *)(uintptr_t)in->bytes; /* zlib does not write there */
    zlib->avail_in = (uInt)in->len;
    zlib->next_out = to;
    zlib->avail_out = (uInt)room;
    const int code = inflate(zlib, Z_NO_FLUSH);
    *made = room - zlib->avail_out;
    in->bytes += in->len - zlib->avail_in;
    in->len = zlib->avail_in;
    if (code == Z_OK || code == Z_BUF_ERROR) {
        return FH_UNPACK_CUT;
    }
    if (code == Z_MEM_ERROR) {
        return FH_UNPACK_NO_MEMORY;
    }
    return code == Z_STREAM_END ? FH_UNPACK_OK
                                : broken(self, zlib->msg != NULL ? zlib->msg : "not deflate");
}

/* ---- zstd ------------------------------------------------------------------------------------ */

#if FH_HAVE_ZSTD
static void close_zstd(coder *self)
{
    (void)ZSTD_freeDStream(self->zstd);
}

static fh_unpack_status step_zstd(coder *self, packed *in, uint8_t *to, size_t room, size_t *made)
{
    if (self->zstd == NULL) {
        self->zstd = ZSTD_createDStream();
        if (self->zstd == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(
                                      self->zstd, ZSTD_d_windowLogMax, FH_STATE_WINDOW_LOG))) {
            return FH_UNPACK_NO_MEMORY;
        }
    }
    ZSTD_inBuffer from = {in->bytes, in->len, 0};
    ZSTD_outBuffer out = {to, room, 0};
    const size_t code = ZSTD_decompressStream(self->zstd, &out, &from);
    *made = out.pos;
    in->bytes += from.pos;
    in->len -= from.pos;
    if (ZSTD_isError(code)) {
        return broken(self, ZSTD_getErrorName(code));
    }
    return code == 0 ? FH_UNPACK_OK : FH_UNPACK_CUT;
}
#endif

/* ---- xz -------------------------------------------------------------------------------------- */

#if FH_HAVE_LZMA
static void close_xz(coder *self)
{
    lzma_end(&self->lzma);
}

static const char *lzma_words(lzma_ret code)
{
    switch (code) {
    case LZMA_FORMAT_ERROR:
        return "not xz";
    case LZMA_MEMLIMIT_ERROR:
        return "it takes too much memory";
    case LZMA_OPTIONS_ERROR:
        return "options that are not known";
    default:
        return "damaged data";
    }
}

static fh_unpack_status step_xz(coder *self, packed *in, uint8_t *to, size_t room, size_t *made)
{
    if (!self->is_begun) {
        if (lzma_stream_decoder(&self->lzma, FH_STATE_XZ_MEMORY, 0) != LZMA_OK) {
            return FH_UNPACK_NO_MEMORY;
        }
        self->is_begun = true;
    }
    self->lzma.next_in = in->bytes;
    self->lzma.avail_in = in->len;
    self->lzma.next_out = to;
    self->lzma.avail_out = room;
    const lzma_ret code = lzma_code(&self->lzma, LZMA_RUN);
    *made = room - self->lzma.avail_out;
    in->bytes += in->len - self->lzma.avail_in;
    in->len = self->lzma.avail_in;
    if (code == LZMA_OK || code == LZMA_BUF_ERROR) {
        return FH_UNPACK_CUT;
    }
    if (code == LZMA_MEM_ERROR) {
        return FH_UNPACK_NO_MEMORY;
    }
    return code == LZMA_STREAM_END ? FH_UNPACK_OK : broken(self, lzma_words(code));
}
#endif

/* ---- the block ------------------------------------------------------------------------------- */

static bool set_codec(coder *self, fh_codec codec)
{
    switch (codec) {
    case FH_CODEC_STORED:
        self->step = step_stored;
        break;
    case FH_CODEC_DEFLATE:
        self->step = step_deflate;
        self->close = close_deflate;
        break;
    case FH_CODEC_ZSTD:
#if FH_HAVE_ZSTD
        self->step = step_zstd;
        self->close = close_zstd;
#endif
        break;
    case FH_CODEC_XZ:
#if FH_HAVE_LZMA
        self->step = step_xz;
        self->close = close_xz;
#endif
        break;
    }
    return self->step != NULL;
}

bool fh_unpack_knows(fh_codec codec)
{
    coder unused = {0};
    return set_codec(&unused, codec);
}

/* Room for another step; false: no memory. */
static bool make_room(fh_unpacked *out, size_t *room, size_t max)
{
    if (*room > out->len) {
        return true;
    }
    const size_t wanted = *room == 0 ? STEP : 2 * *room;
    const size_t size = wanted < max ? wanted : max;
    uint8_t *bytes = realloc(out->bytes, size);
    if (bytes == NULL) {
        return false;
    }
    out->bytes = bytes;
    *room = size;
    return true;
}

/* Whether anything comes out of a full block still; it is thrown away. */
static fh_unpack_status step_beyond(coder *self, packed *in, size_t *made)
{
    uint8_t rest[1];
    return self->step(self, in, rest, sizeof rest, made);
}

static fh_unpack_status step(fh_unpacked *out, coder *self, packed *in, size_t *room, size_t max)
{
    size_t made = 0;
    if (out->len == max) {
        const fh_unpack_status status = step_beyond(self, in, &made);
        return made > 0 ? FH_UNPACK_FULL : status;
    }
    if (!make_room(out, room, max)) {
        return FH_UNPACK_NO_MEMORY;
    }
    const fh_unpack_status status =
        self->step(self, in, out->bytes + out->len, *room - out->len, &made);
    out->len += made;
    return status;
}

/* Works until the bytes at hand are used up and nothing more comes out of them. */
static fh_unpack_status use_up(fh_unpacked *out, coder *self, packed *in, size_t *room, size_t max)
{
    for (;;) {
        const size_t left = in->len;
        const size_t len = out->len;
        const fh_unpack_status status = step(out, self, in, room, max);
        if (status != FH_UNPACK_CUT || (in->len == left && out->len == len)) {
            return status;
        }
    }
}

static fh_unpack_status run(fh_unpacked *out, coder *self, fh_feed *feed, int64_t packed_len,
                            size_t max)
{
    size_t room = 0;
    while (packed_len > 0 && fh_feed_more(feed)) {
        size_t len = feed->left < STEP ? feed->left : STEP;
        len = (int64_t)len < packed_len ? len : (size_t)packed_len;
        packed in = {feed->bytes, len};
        const fh_unpack_status status = use_up(out, self, &in, &room, max);
        if (!fh_feed_skip(feed, (int64_t)len)) {
            return FH_UNPACK_CUT;
        }
        packed_len -= (int64_t)len;
        if (status != FH_UNPACK_CUT) {
            return status;
        }
    }
    return feed->status == FH_READER_STOPPED ? FH_UNPACK_STOPPED : FH_UNPACK_CUT;
}

fh_unpack_status fh_unpack(fh_unpacked *out, fh_feed *feed, fh_codec codec, int64_t packed_len,
                           size_t max)
{
    coder self = {.why = out->why};
    *out = (fh_unpacked){0};
    if (!set_codec(&self, codec)) {
        return broken(&self, "not built in");
    }
    fh_unpack_status status = run(out, &self, feed, packed_len, max);
    if (codec == FH_CODEC_STORED && status == FH_UNPACK_CUT) {
        status = FH_UNPACK_OK; /* it ends where its bytes do; the caller knows how many there are */
    }
    if (self.close != NULL) {
        self.close(&self);
    }
    return status;
}

void fh_unpack_libraries(fh_text *out)
{
#if FH_HAVE_ZSTD
    fh_text_str(fh_text_str(out, ", libzstd "), ZSTD_versionString());
#else
    fh_text_str(out, ", no libzstd");
#endif
#if FH_HAVE_LZMA
    fh_text_str(fh_text_str(out, ", liblzma "), lzma_version_string());
#else
    fh_text_str(out, ", no liblzma");
#endif
}
