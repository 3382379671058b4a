/* The codecs of CHD: what a hunk was packed with, unpacked through the libraries that know it.
 *
 * Each codec packs one hunk by itself, whose length unpacked is known. Those with "cd" in front
 * take a hunk apart first: the sectors of all frames behind each other, then all subchannels; from
 * sectors whose sync and ECC are right they leave these out. Formats as in chdcodec.cpp of MAME:
 *
 *   zlib, lzma, zstd  bare deflate; bare LZMA, lc 3, lp 0, pb 2, without end mark; a zstd frame
 *   huff              a Huffman tree (source/huffman.h), then a code a byte
 *   flac              'L' or 'B', the byte order of what comes out, then FLAC frames, 2 x 16 bits
 *   cdzl, cdlz, cdzs  a bit a frame: sync and ECC were left out; length of the packed sectors, 2
 *                     bytes, or 3 in hunks of 65,536 bytes and more; sectors, then subchannels
 *                     (deflate; in cdzs zstd)
 *   cdfl              FLAC frames, samples big endian; then subchannels, deflate
 *
 * A library that was left out when the program was built makes its codecs FH_CHD_NOT_BUILT_IN.
 * Memory is bounded by the hunk: what a library asks for beyond that is capped (liblzma), follows
 * from the size of the output (zstd), or is at most 8 channels of a frame of 65,535 samples (FLAC).
 */
#ifndef FH_SOURCE_CHD_CODEC_H
#define FH_SOURCE_CHD_CODEC_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A frame: a sector of 2352 bytes and 96 of subchannel. */
#define FH_CHD_SECTOR_LEN 2352u
#define FH_CHD_SUBCODE_LEN 96u
#define FH_CHD_FRAME_LEN 2448u

/* A codec's name as it stands in the header. */
#define FH_CHD_TAG(a, b, c, d)                                                                     \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

typedef enum fh_chd_unpacked {
    FH_CHD_UNPACKED = 0,
    FH_CHD_NOT_BUILT_IN, /* or a codec that is not known at all */
    FH_CHD_BROKEN,       /* the codec's own format is violated */
    FH_CHD_OTHER_SIZE,   /* it ends before the hunk is full, or goes on behind it */
    FH_CHD_NO_MEMORY
} fh_chd_unpacked;

typedef struct fh_chd_codec fh_chd_codec; /* private: working memory */

/* fh_chd_codec_new makes the working memory for hunks of hunk_len bytes; NULL: no memory. */
fh_chd_codec *fh_chd_codec_new(size_t hunk_len);
void fh_chd_codec_free(fh_chd_codec *codec);

/* fh_chd_unpack unpacks the len bytes of `packed` into `out`, which takes one hunk. With any result
 * but FH_CHD_UNPACKED the bytes of out mean nothing. */
fh_chd_unpacked fh_chd_unpack(fh_chd_codec *codec, uint32_t tag, const uint8_t *packed, size_t len,
                              uint8_t *out);

/* fh_chd_codec_is_known tells whether there is such a codec, built in or not. */
bool fh_chd_codec_is_known(uint32_t tag);

#endif
