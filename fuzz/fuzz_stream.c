#include "fuzz_stream.h"

#include <stdlib.h>
#include <string.h>

/* A disc counts its time from two seconds before sector 0. */
enum { FIRST_ADDRESS = 150 };

static fh_coverage coverage;

static void note_bytes(fuzz_stream *stream, const fh_piece *piece)
{
    uint8_t *at = stream->seen + piece->raw_off;
    fuzz_demand(memchr(at, 1, piece->len) == NULL, "a byte is handed out once");
    memset(at, 1, piece->len);
}

static void check_piece(fuzz_stream *stream, const fh_piece *piece)
{
    fuzz_demand(piece->stream < FH_STREAM_NUM, "a stream is known");
    fuzz_demand(piece->len > 0 && piece->len <= FH_READER_CHUNK, "a piece has bytes");
    fuzz_demand(piece->raw_off >= 0 && (uint64_t)piece->raw_off <= stream->size &&
                    piece->len <= stream->size - (size_t)piece->raw_off,
                "a piece lies inside the source");
    fuzz_demand(memcmp(piece->bytes, stream->bytes + piece->raw_off, piece->len) == 0,
                "a piece has the bytes of its place");
    fuzz_demand(piece->stream_off == stream->ends[piece->stream], "pieces follow each other");
    fuzz_demand(piece->claim < FH_CLAIM_NUM, "a claim is known");
}

static void on_piece(void *user, const fh_piece *piece)
{
    fuzz_stream *stream = user;
    check_piece(stream, piece);
    stream->ends[piece->stream] += (int64_t)piece->len;
    stream->lens[piece->stream] += (int64_t)piece->len;
    if (piece->stream < FH_STREAM_FILE) {
        note_bytes(stream, piece);
    }
    fuzz_fold_number(&stream->sum, (int64_t)piece->stream);
    fuzz_fold_number(&stream->sum, piece->raw_off);
    fuzz_fold_number(&stream->sum, piece->user_off);
    fuzz_fold_number(&stream->sum, piece->lba);
    fuzz_fold_number(&stream->sum, (int64_t)piece->claim);
    fuzz_fold_number(&stream->sum, piece->repeated);
}

static void on_seam(void *user, const fh_seam *seam)
{
    fuzz_stream *stream = user;
    fuzz_demand(seam->stream_off == stream->ends[seam->stream], "a seam lies behind its stream");
    fuzz_demand(seam->raw_off >= 0 && (uint64_t)seam->raw_off <= stream->size,
                "a seam lies inside the source");
    fuzz_demand(fh_seam_name(seam->reason)[0] != '\0', "a reason has a name");
    fuzz_fold_number(&stream->sum, (int64_t)seam->reason);
    fuzz_fold_number(&stream->sum, seam->raw_off);
}

static void on_skip(void *user, fh_stream which, int64_t sectors)
{
    fuzz_stream *stream = user;
    fuzz_demand(sectors > 0, "a skip has sectors");
    fuzz_fold_number(&stream->sum, (int64_t)which);
    fuzz_fold_number(&stream->sum, sectors);
}

static void on_finding(void *user, const fh_finding *finding)
{
    fuzz_stream *stream = user;
    fuzz_demand(finding->offset == FH_UNKNOWN ||
                    (finding->offset >= 0 && (uint64_t)finding->offset <= stream->size),
                "a finding lies in the source");
    fuzz_fold_finding(&stream->sum, finding);
}

static void on_sector(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    fuzz_stream *stream = user;
    fuzz_demand(bytes->origin <= stream->size && bytes->size <= stream->size - bytes->origin,
                "a sector lies inside the source");
    fuzz_demand(sector->data_off <= bytes->size && sector->data_len <= bytes->size,
                "its user data lie inside the sector");
    fuzz_demand(lba == FH_UNKNOWN || lba >= -FIRST_ADDRESS, "an address is one");
    fuzz_fold_number(&stream->sum, (int64_t)sector->kind);
}

void fuzz_stream_begin(fuzz_stream *stream, const uint8_t *bytes, size_t size)
{
    static uint8_t *seen;
    static size_t max_seen;
    fuzz_demand(size < SIZE_MAX, "an input is shorter than memory");
    if (seen == NULL || max_seen < size + 1) {
        free(seen);
        max_seen = size + 1;
        seen = malloc(max_seen);
        if (seen == NULL) {
            fuzz_violated("the system has memory");
        }
    }
    memset(seen, 0, size + 1);
    memset(&coverage, 0, sizeof coverage);
    *stream = (fuzz_stream){
        .sum = FUZZ_SUM, .bytes = bytes, .size = size, .coverage = &coverage, .seen = seen};
    stream->sink = (fh_stream_sink){.user = stream,
                                    .piece = on_piece,
                                    .seam = on_seam,
                                    .skip = on_skip,
                                    .finding = on_finding,
                                    .coverage = &coverage,
                                    .sector = on_sector,
                                    .has_channels = true};
}

static int64_t sum_coverage(void)
{
    int64_t sum = 0;
    int64_t end = 0;
    for (size_t i = 0; i < coverage.num_runs; i++) {
        const fh_covered *run = &coverage.runs[i];
        fuzz_demand(run->raw_off >= end && run->len > 0, "runs of claims rise");
        end = run->raw_off + run->len;
        sum += run->len;
    }
    for (size_t i = 0; i < FH_CLAIM_NUM; i++) {
        sum += coverage.rest[i].len;
    }
    return sum;
}

void fuzz_stream_end(fuzz_stream *stream, const fh_source_counts *counts)
{
    fh_coverage_end(&coverage);
    fuzz_demand(sum_coverage() == (int64_t)stream->size, "each byte is claimed once");
    for (size_t i = 0; counts != NULL && i < FH_STREAM_NUM; i++) {
        fuzz_demand(counts->bytes[i] == stream->lens[i], "what is counted was handed out");
    }
    for (size_t i = 0; i < coverage.num_runs; i++) {
        fuzz_fold_number(&stream->sum, (int64_t)coverage.runs[i].claim);
        fuzz_fold_number(&stream->sum, coverage.runs[i].len);
    }
}
