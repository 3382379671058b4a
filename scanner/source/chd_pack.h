/* The packing libraries behind the codecs of CHD, one function each.
 *
 * All of them unpack `len` bytes at `packed` into exactly `out_len` bytes at `out`. Private to
 * chd_codec.c. A library that is not built in answers FH_CHD_NOT_BUILT_IN.
 */
#ifndef FH_SOURCE_CHD_PACK_H
#define FH_SOURCE_CHD_PACK_H

#include "source/chd_codec.h"

typedef struct fh_chd_job {
    const uint8_t *packed;
    size_t len;
    uint8_t *out;
    size_t out_len;
} fh_chd_job;

fh_chd_unpacked fh_chd_inflate(const fh_chd_job *job);
fh_chd_unpacked fh_chd_unlzma(const fh_chd_job *job);
fh_chd_unpacked fh_chd_unzstd(const fh_chd_job *job);

/* fh_chd_unflac writes samples in the byte order asked for. *used is how many bytes of `packed` the
 * FLAC frames took: in cdfl the subchannels begin there. */
fh_chd_unpacked fh_chd_unflac(const fh_chd_job *job, bool big_endian, size_t *used);

#endif
