/* Unpacking of a whole block into memory, through zlib, libzstd or liblzma.
 *
 * For what is small and must be looked at as a whole. The memory is taken as bytes come out and
 * never exceeds what the caller allows, whatever the packed bytes announce.
 */
#ifndef FH_SOURCE_UNPACK_H
#define FH_SOURCE_UNPACK_H

#include "source/box.h"

typedef enum fh_codec {
    FH_CODEC_STORED = 0,
    FH_CODEC_DEFLATE, /* raw, or in a frame of zlib or gzip */
    FH_CODEC_ZSTD,
    FH_CODEC_XZ
} fh_codec;

typedef enum fh_unpack_status {
    FH_UNPACK_OK = 0, /* the packed stream came to its end */
    FH_UNPACK_FULL,   /* more comes out than is allowed */
    FH_UNPACK_CUT,    /* the packed bytes end before */
    FH_UNPACK_BROKEN, /* `why` says what the library does */
    FH_UNPACK_STOPPED,
    FH_UNPACK_NO_MEMORY
} fh_unpack_status;

typedef struct fh_unpacked {
    uint8_t *bytes; /* owned by the caller, also after a failure; NULL if there are none */
    size_t len;
    char why[128];
} fh_unpacked;

/* fh_unpack_knows tells whether the library of a codec was built in. */
bool fh_unpack_knows(fh_codec codec);

/* fh_unpack unpacks the next packed_len bytes of the feed, at most max. What came out before a
 * failure is in out. */
fh_unpack_status fh_unpack(fh_unpacked *out, fh_feed *feed, fh_codec codec, int64_t packed_len,
                           size_t max) FH_MUST_USE;

/* fh_unpack_libraries appends the libraries and versions: ", libzstd 1.5.4, liblzma 5.4.1". */
void fh_unpack_libraries(fh_text *out);

#endif
