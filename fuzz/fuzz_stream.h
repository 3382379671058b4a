/* What must be true of the streams of a source, whatever its bytes are:
 *   - every piece has bytes, lies inside the source, and has its bytes from there;
 *   - the pieces of a stream follow each other without a gap, and no byte of the source is handed
 *     out twice in the streams that sectors go into by their form;
 *   - each byte is claimed once: the coverage sums up to the source, and its runs rise;
 *   - what was counted of each stream is what was handed out;
 *   - findings have a message of one line, and their offsets lie in the source.
 */
#ifndef FUZZ_STREAM_H
#define FUZZ_STREAM_H

#include "fuzz_support.h"

#include "source/stream.h"

/* A source that is held against its bytes. Its sink is for fh_source_stream and the like. */
typedef struct fuzz_stream {
    fuzz_sum sum; /* of all that was said */
    fh_stream_sink sink;
    const uint8_t *bytes; /* borrowed */
    size_t size;

    /* Private. */
    fh_coverage *coverage;
    uint8_t *seen; /* 1 for each byte that was handed out */
    int64_t ends[FH_STREAM_NUM];
    int64_t lens[FH_STREAM_NUM];
} fuzz_stream;

/* fuzz_stream_begin prepares for a source; only one is under way at a time. */
void fuzz_stream_begin(fuzz_stream *stream, const uint8_t *bytes, size_t size);

/* fuzz_stream_end checks what must hold when all was read. counts may be NULL. */
void fuzz_stream_end(fuzz_stream *stream, const fh_source_counts *counts);

#endif
