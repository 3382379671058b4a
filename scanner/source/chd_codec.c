#include "source/chd_codec.h"

#include "source/chd_pack.h"
#include "source/ecc.h"
#include "source/huffman.h"

#include <stdlib.h>
#include <string.h>

struct fh_chd_codec {
    size_t hunk_len;
    uint8_t *parts; /* hunk_len bytes: the sectors of a hunk, then its subchannels */
    fh_huffman tree;
};

fh_chd_codec *fh_chd_codec_new(size_t hunk_len)
{
    fh_chd_codec *codec = calloc(1, sizeof *codec);
    uint8_t *parts = malloc(hunk_len);
    if (codec == NULL || parts == NULL) {
        free(codec);
        free(parts);
        return NULL;
    }
    codec->hunk_len = hunk_len;
    codec->parts = parts;
    return codec;
}

void fh_chd_codec_free(fh_chd_codec *codec)
{
    if (codec != NULL) {
        free(codec->parts);
        free(codec);
    }
}

typedef fh_chd_unpacked unpacker(fh_chd_codec *codec, const fh_chd_job *job);

static fh_chd_unpacked unpack_zlib(fh_chd_codec *codec, const fh_chd_job *job)
{
    (void)codec;
    return fh_chd_inflate(job);
}

static fh_chd_unpacked unpack_lzma(fh_chd_codec *codec, const fh_chd_job *job)
{
    (void)codec;
    return fh_chd_unlzma(job);
}

static fh_chd_unpacked unpack_zstd(fh_chd_codec *codec, const fh_chd_job *job)
{
    (void)codec;
    return fh_chd_unzstd(job);
}

static fh_chd_unpacked unpack_huff(fh_chd_codec *codec, const fh_chd_job *job)
{
    fh_bits bits = fh_bits_make(job->packed, job->len);
    if (!fh_huffman_read_coded(&codec->tree, &bits, FH_HUFFMAN_MAX_SYMBOLS, FH_HUFFMAN_MAX_BITS)) {
        return FH_CHD_BROKEN;
    }
    for (size_t i = 0; i < job->out_len; i++) {
        job->out[i] = (uint8_t)fh_huffman_symbol(&codec->tree, &bits);
    }
    return bits.overrun ? FH_CHD_OTHER_SIZE : FH_CHD_UNPACKED;
}

static fh_chd_unpacked unpack_flac(fh_chd_codec *codec, const fh_chd_job *job)
{
    (void)codec;
    if (job->len == 0 || (job->packed[0] != 'L' && job->packed[0] != 'B')) {
        return FH_CHD_BROKEN;
    }
    fh_chd_job frames = {job->packed + 1, job->len - 1, job->out, job->out_len};
    size_t used = 0;
    return fh_chd_unflac(&frames, job->packed[0] == 'B', &used);
}

/* ---- discs ------------------------------------------------------------------------------------
 */

static const uint8_t sync[12] = {0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0};

/* Where the two parts of a hunk lie, packed and unpacked. */
typedef struct cd_parts {
    size_t frames;
    fh_chd_job sectors;
    fh_chd_job subcode;
} cd_parts;

static cd_parts part(const fh_chd_codec *codec, const fh_chd_job *job)
{
    size_t frames = job->out_len / FH_CHD_FRAME_LEN;
    size_t sectors_len = frames * FH_CHD_SECTOR_LEN;
    return (cd_parts){
        .frames = frames,
        .sectors = {.out = codec->parts, .out_len = sectors_len},
        .subcode = {.out = codec->parts + sectors_len, .out_len = frames * FH_CHD_SUBCODE_LEN},
    };
}

static void join(const cd_parts *parts, uint8_t *out)
{
    for (size_t i = 0; i < parts->frames; i++) {
        uint8_t *frame = out + i * FH_CHD_FRAME_LEN;
        memcpy(frame, parts->sectors.out + i * FH_CHD_SECTOR_LEN, FH_CHD_SECTOR_LEN);
        memcpy(frame + FH_CHD_SECTOR_LEN, parts->subcode.out + i * FH_CHD_SUBCODE_LEN,
               FH_CHD_SUBCODE_LEN);
    }
}

static void restore_ecc(const cd_parts *parts, const uint8_t *marks, uint8_t *out)
{
    for (size_t i = 0; i < parts->frames; i++) {
        if ((marks[i / 8] >> (i % 8) & 1) != 0) {
            uint8_t *sector = out + i * FH_CHD_FRAME_LEN;
            memcpy(sector, sync, sizeof sync);
            fh_ecc_write(sector);
        }
    }
}

/* Cuts the packed bytes at the length that stands behind the marks. */
static bool cut(cd_parts *parts, const fh_chd_job *job)
{
    size_t marks_len = (parts->frames + 7) / 8;
    size_t width = job->out_len < 65536 ? 2 : 3;
    fh_cursor cur = fh_cursor_make(job->packed, job->len, 0);
    fh_cursor_skip(&cur, marks_len);
    size_t len = 0;
    for (size_t i = 0; i < width; i++) {
        len = len << 8 | fh_cursor_u8(&cur);
    }
    if (cur.failed || len > fh_cursor_left(&cur)) {
        return false;
    }
    parts->sectors.packed = job->packed + cur.pos;
    parts->sectors.len = len;
    parts->subcode.packed = parts->sectors.packed + len;
    parts->subcode.len = fh_cursor_left(&cur) - len;
    return true;
}

static fh_chd_unpacked unpack_cd(fh_chd_codec *codec, const fh_chd_job *job,
                                 fh_chd_unpacked (*sectors)(const fh_chd_job *),
                                 fh_chd_unpacked (*subcode)(const fh_chd_job *))
{
    cd_parts parts = part(codec, job);
    if (parts.frames * FH_CHD_FRAME_LEN != job->out_len || !cut(&parts, job)) {
        return FH_CHD_BROKEN;
    }
    fh_chd_unpacked result = sectors(&parts.sectors);
    if (result == FH_CHD_UNPACKED) {
        result = subcode(&parts.subcode);
    }
    if (result == FH_CHD_UNPACKED) {
        join(&parts, job->out);
        restore_ecc(&parts, job->packed, job->out);
    }
    return result;
}

static fh_chd_unpacked unpack_cdzl(fh_chd_codec *codec, const fh_chd_job *job)
{
    return unpack_cd(codec, job, fh_chd_inflate, fh_chd_inflate);
}

static fh_chd_unpacked unpack_cdlz(fh_chd_codec *codec, const fh_chd_job *job)
{
    return unpack_cd(codec, job, fh_chd_unlzma, fh_chd_inflate);
}

static fh_chd_unpacked unpack_cdzs(fh_chd_codec *codec, const fh_chd_job *job)
{
    return unpack_cd(codec, job, fh_chd_unzstd, fh_chd_unzstd);
}

static fh_chd_unpacked unpack_cdfl(fh_chd_codec *codec, const fh_chd_job *job)
{
    cd_parts parts = part(codec, job);
    if (parts.frames * FH_CHD_FRAME_LEN != job->out_len) {
        return FH_CHD_BROKEN;
    }
    parts.sectors.packed = job->packed;
    parts.sectors.len = job->len;
    size_t used = 0;
    fh_chd_unpacked result = fh_chd_unflac(&parts.sectors, true, &used);
    if (result == FH_CHD_UNPACKED) {
        parts.subcode.packed = job->packed + used;
        parts.subcode.len = job->len - used;
        result = fh_chd_inflate(&parts.subcode);
    }
    if (result == FH_CHD_UNPACKED) {
        join(&parts, job->out);
    }
    return result;
}

/* ---- by name ----------------------------------------------------------------------------------
 */

/* "avhu" packs the films of laser discs; there is no library for it. */
static fh_chd_unpacked unpack_none(fh_chd_codec *codec, const fh_chd_job *job)
{
    (void)codec;
    (void)job;
    return FH_CHD_NOT_BUILT_IN;
}

static const struct {
    uint32_t tag;
    unpacker *unpack;
} codecs[] = {
    {FH_CHD_TAG('z', 'l', 'i', 'b'), unpack_zlib}, {FH_CHD_TAG('l', 'z', 'm', 'a'), unpack_lzma},
    {FH_CHD_TAG('z', 's', 't', 'd'), unpack_zstd}, {FH_CHD_TAG('h', 'u', 'f', 'f'), unpack_huff},
    {FH_CHD_TAG('f', 'l', 'a', 'c'), unpack_flac}, {FH_CHD_TAG('c', 'd', 'z', 'l'), unpack_cdzl},
    {FH_CHD_TAG('c', 'd', 'l', 'z'), unpack_cdlz}, {FH_CHD_TAG('c', 'd', 'z', 's'), unpack_cdzs},
    {FH_CHD_TAG('c', 'd', 'f', 'l'), unpack_cdfl}, {FH_CHD_TAG('a', 'v', 'h', 'u'), unpack_none},
};

static unpacker *find_codec(uint32_t tag)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if (codecs[i].tag == tag) {
            return codecs[i].unpack;
        }
    }
    return NULL;
}

bool fh_chd_codec_is_known(uint32_t tag)
{
    return find_codec(tag) != NULL;
}

fh_chd_unpacked fh_chd_unpack(fh_chd_codec *codec, uint32_t tag, const uint8_t *packed, size_t len,
                              uint8_t *out)
{
    unpacker *unpack = find_codec(tag);
    fh_chd_job job = {packed, len, out, codec->hunk_len};
    return unpack == NULL ? FH_CHD_NOT_BUILT_IN : unpack(codec, &job);
}
