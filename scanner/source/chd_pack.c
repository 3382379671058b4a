#include "source/chd_pack.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

fh_chd_unpacked fh_chd_inflate(const fh_chd_job *job)
{
    z_stream stream = {0};
    /* zlib's interface is older than const; it does not write there. */
    memcpy(&stream.next_in, &job->packed, sizeof stream.next_in);
    if (job->len > UINT_MAX || job->out_len > UINT_MAX ||
        inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return FH_CHD_NO_MEMORY;
    }
    stream.avail_in = (uInt)job->len;
    stream.next_out = job->out;
    stream.avail_out = (uInt)job->out_len;
    int status = inflate(&stream, Z_FINISH);
    bool is_full = stream.avail_out == 0;
    inflateEnd(&stream);
    if (status == Z_STREAM_END) {
        return is_full ? FH_CHD_UNPACKED : FH_CHD_OTHER_SIZE;
    }
    if (status == Z_MEM_ERROR) {
        return FH_CHD_NO_MEMORY;
    }
    return status == Z_BUF_ERROR ? FH_CHD_OTHER_SIZE : FH_CHD_BROKEN;
}

#if FH_HAVE_LZMA
#include <lzma.h>

/* The decoder's own tables, and a dictionary of one hunk (at most 1 MiB). */
#define LZMA_MEMORY ((uint64_t)16 << 20)

enum { ALONE_HEADER_LEN = 13, LC3_LP0_PB2 = 93, LEAST_DICTIONARY = 4096 };

static void put_le(uint8_t *out, uint64_t value, unsigned len)
{
    for (unsigned i = 0; i < len; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

/* Parameters, dictionary and length stand in front of an .lzma file; CHD leaves them out. No
 * distance can reach back behind the first byte that comes out, so a dictionary of the output's
 * size always suffices, whatever the writer's was. */
static void make_header(uint8_t header[ALONE_HEADER_LEN], size_t out_len)
{
    header[0] = LC3_LP0_PB2;
    put_le(header + 1, out_len > LEAST_DICTIONARY ? out_len : LEAST_DICTIONARY, 4);
    put_le(header + 5, out_len, 8);
}

fh_chd_unpacked fh_chd_unlzma(const fh_chd_job *job)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    uint8_t header[ALONE_HEADER_LEN];
    make_header(header, job->out_len);
    if (lzma_alone_decoder(&stream, LZMA_MEMORY) != LZMA_OK) {
        return FH_CHD_NO_MEMORY;
    }
    stream.next_out = job->out;
    stream.avail_out = job->out_len;
    stream.next_in = header;
    stream.avail_in = sizeof header;
    lzma_ret status = lzma_code(&stream, LZMA_RUN);
    if (status == LZMA_OK) {
        stream.next_in = job->packed;
        stream.avail_in = job->len;
        status = lzma_code(&stream, LZMA_FINISH);
    }
    bool is_whole = stream.avail_out == 0 && stream.avail_in == 0;
    lzma_end(&stream);
    if (status == LZMA_STREAM_END) {
        return is_whole ? FH_CHD_UNPACKED : FH_CHD_OTHER_SIZE;
    }
    if (status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR) {
        return FH_CHD_NO_MEMORY;
    }
    return status == LZMA_DATA_ERROR ? FH_CHD_BROKEN : FH_CHD_OTHER_SIZE;
}
#else
fh_chd_unpacked fh_chd_unlzma(const fh_chd_job *job)
{
    (void)job;
    return FH_CHD_NOT_BUILT_IN;
}
#endif

#if FH_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

fh_chd_unpacked fh_chd_unzstd(const fh_chd_job *job)
{
    size_t len = ZSTD_decompress(job->out, job->out_len, job->packed, job->len);
    if (!ZSTD_isError(len)) {
        return len == job->out_len ? FH_CHD_UNPACKED : FH_CHD_OTHER_SIZE;
    }
    switch (ZSTD_getErrorCode(len)) {
    case ZSTD_error_memory_allocation:
        return FH_CHD_NO_MEMORY;
    case ZSTD_error_dstSize_tooSmall:
    case ZSTD_error_srcSize_wrong:
        return FH_CHD_OTHER_SIZE;
    default:
        return FH_CHD_BROKEN;
    }
}
#else
fh_chd_unpacked fh_chd_unzstd(const fh_chd_job *job)
{
    (void)job;
    return FH_CHD_NOT_BUILT_IN;
}
#endif

#if FH_HAVE_FLAC
#include <FLAC/stream_decoder.h>

enum { STREAMINFO_LEN = 42, SAMPLE_LEN = 4 };

/* What a FLAC file begins with and CHD leaves out: 44,100 Hz, 2 channels of 16 bits, blocks of any
 * size, length and checksum unknown. */
static const uint8_t streaminfo[STREAMINFO_LEN] = {
    'f',  'L',  'a',  'C',  0x80, 0x00, 0x00, 0x22, 0x00, 0x10, 0xff,
    0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0xc4, 0x42, 0xf0,
};

typedef struct flac_reader {
    const fh_chd_job *job;
    size_t pos; /* in streaminfo and the packed bytes behind it */
    size_t out_pos;
    bool big_endian;
    bool is_broken;
    bool is_long; /* more came out than the hunk takes */
} flac_reader;

static size_t take(const flac_reader *at, uint8_t *out, size_t max)
{
    const uint8_t *from = streaminfo;
    size_t left = STREAMINFO_LEN;
    size_t skip = at->pos;
    if (at->pos >= STREAMINFO_LEN) {
        from = at->job->packed;
        left = at->job->len;
        skip -= STREAMINFO_LEN;
    }
    size_t len = left - skip < max ? left - skip : max;
    memcpy(out, from + skip, len);
    return len;
}

static FLAC__StreamDecoderReadStatus read_packed(const FLAC__StreamDecoder *decoder,
                                                 FLAC__byte buffer[], size_t *len, void *user)
{
    (void)decoder;
    flac_reader *at = user;
    *len = take(at, buffer, *len);
    at->pos += *len;
    return *len == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
                     : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static FLAC__StreamDecoderTellStatus tell(const FLAC__StreamDecoder *decoder, FLAC__uint64 *pos,
                                          void *user)
{
    (void)decoder;
    const flac_reader *at = user;
    *pos = at->pos;
    return FLAC__STREAM_DECODER_TELL_STATUS_OK;
}

static void put_sample(flac_reader *at, FLAC__int32 sample)
{
    uint8_t *out = at->job->out + at->out_pos;
    out[at->big_endian ? 0 : 1] = (uint8_t)((uint32_t)sample >> 8);
    out[at->big_endian ? 1 : 0] = (uint8_t)sample;
    at->out_pos += 2;
}

static FLAC__StreamDecoderWriteStatus write_samples(const FLAC__StreamDecoder *decoder,
                                                    const FLAC__Frame *frame,
                                                    const FLAC__int32 *const buffer[], void *user)
{
    (void)decoder;
    flac_reader *at = user;
    if (frame->header.channels != 2 || frame->header.bits_per_sample != 16) {
        at->is_broken = true;
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    }
    if (frame->header.blocksize > (at->job->out_len - at->out_pos) / SAMPLE_LEN) {
        at->is_long = true;
        return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    }
    for (uint32_t i = 0; i < frame->header.blocksize; i++) {
        put_sample(at, buffer[0][i]);
        put_sample(at, buffer[1][i]);
    }
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

/* libFLAC would skip what is damaged and go on behind it; here nothing may be missing. */
static void note_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status,
                       void *user)
{
    (void)decoder;
    (void)status;
    flac_reader *at = user;
    at->is_broken = true;
}

/* One step takes at most one frame; each takes bytes, or the decoder is at its end. */
static void decode(FLAC__StreamDecoder *decoder, flac_reader *at)
{
    while (at->out_pos < at->job->out_len && !at->is_broken && !at->is_long) {
        if (!FLAC__stream_decoder_process_single(decoder) ||
            FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_END_OF_STREAM) {
            return;
        }
    }
}

static fh_chd_unpacked judge(const flac_reader *at)
{
    if (at->is_broken) {
        return FH_CHD_BROKEN;
    }
    return at->out_pos == at->job->out_len ? FH_CHD_UNPACKED : FH_CHD_OTHER_SIZE;
}

fh_chd_unpacked fh_chd_unflac(const fh_chd_job *job, bool big_endian, size_t *used)
{
    flac_reader at = {.job = job, .big_endian = big_endian};
    FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
    if (decoder == NULL) {
        return FH_CHD_NO_MEMORY;
    }
    fh_chd_unpacked result = FH_CHD_NO_MEMORY;
    if (FLAC__stream_decoder_init_stream(decoder, read_packed, NULL, tell, NULL, NULL,
                                         write_samples, NULL, note_error,
                                         &at) == FLAC__STREAM_DECODER_INIT_STATUS_OK) {
        decode(decoder, &at);
        FLAC__uint64 end = 0;
        bool is_known = FLAC__stream_decoder_get_decode_position(decoder, &end);
        result = judge(&at);
        if (result == FH_CHD_UNPACKED && (!is_known || end < STREAMINFO_LEN)) {
            result = FH_CHD_BROKEN;
        }
        *used = result == FH_CHD_UNPACKED ? (size_t)end - STREAMINFO_LEN : 0;
    }
    FLAC__stream_decoder_delete(decoder);
    return result;
}
#else
fh_chd_unpacked fh_chd_unflac(const fh_chd_job *job, bool big_endian, size_t *used)
{
    (void)job;
    (void)big_endian;
    *used = 0;
    return FH_CHD_NOT_BUILT_IN;
}
#endif
