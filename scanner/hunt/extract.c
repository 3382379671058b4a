#include "hunt/extract.h"

#include "core/text.h"
#include "hunt/hash.h"
#include "source/opener.h"
#include "source/stream.h"

#include <stdlib.h>
#include <string.h>

/* A piece that is being read. */
typedef struct extract_part {
    size_t len;       /* bytes so far */
    bool is_begun;    /* the first byte was met */
    fh_stream stream; /* in which it lies */
} extract_part;

typedef struct extract_job {
    const fh_extract_wish *wish;
    extract_part *parts; /* one a piece of the wish */
    uint8_t *out;
    size_t num_done;
    char *why;
    size_t why_size;
} extract_job;

/* Takes what of the stream's piece belongs to one of the asset. */
static void take(extract_job *job, size_t index, const fh_piece *piece)
{
    const fh_piece_record *wanted = &job->wish->pieces[index];
    extract_part *part = &job->parts[index];
    const size_t left = (size_t)wanted->length - part->len;
    size_t from = 0;
    if (!part->is_begun) {
        const int64_t distance = wanted->raw_offset - piece->raw_off;
        if (distance < 0 || distance >= (int64_t)piece->len) {
            return;
        }
        from = (size_t)distance;
        part->is_begun = true;
        part->stream = piece->stream;
    } else if (piece->stream != part->stream || left == 0) {
        return;
    }
    const size_t len = piece->len - from < left ? piece->len - from : left;
    memcpy(job->out + wanted->asset_offset + (int64_t)part->len, piece->bytes + from, len);
    part->len += len;
    job->num_done += len == left ? 1 : 0;
}

static void on_piece(void *user, const fh_piece *piece)
{
    extract_job *job = user;
    for (size_t i = 0; i < job->wish->num_pieces; i++) {
        take(job, i, piece);
    }
}

static bool on_stop(void *user)
{
    const extract_job *job = user;
    return job->num_done == job->wish->num_pieces;
}

static void explain(char *why, size_t why_size, const char *reason)
{
    fh_text text = fh_text_make(why, why_size);
    fh_text_str(&text, reason);
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    (void)path;
    extract_job *job = user;
    const fh_cursor window = fh_reader_peek(reader);
    const fh_stream_sink sink = {.user = job, .piece = on_piece, .stop = on_stop};
    fh_layout layout;
    fh_layout_find(&layout, job->wish->layout, &window, fh_reader_size(reader));
    const fh_source_status status = fh_source_stream(reader, NULL, &layout, &sink);
    if (status == FH_SOURCE_READ_ERROR && !on_stop(job)) {
        explain(job->why, job->why_size, reader->error_text);
    }
    return false;
}

bool fh_extract(uint8_t *out, const fh_extract_wish *wish, char *why, size_t why_size)
{
    extract_job job = {.wish = wish, .out = out, .why = why, .why_size = why_size};
    job.parts = calloc(wish->num_pieces, sizeof *job.parts);
    if (job.parts == NULL) {
        explain(why, why_size, "out of memory");
        return false;
    }
    const fh_opener_sink sink = {.user = &job, .source = on_source};
    fh_opener_result result;
    explain(why, why_size,
            "the source has changed since it was scanned, and the asset is no longer whole where "
            "it was; scan it again");
    const fh_opener_status status = fh_open_one(&result, wish->path, &sink);
    if (status == FH_OPENER_ERROR) {
        explain(why, why_size, result.error_text);
    } else if (status == FH_OPENER_NO_MEMORY) {
        explain(why, why_size, "out of memory");
    }
    free(job.parts);
    return on_stop(&job);
}

bool fh_extract_matches(const uint8_t *bytes, size_t len, const char *sha256)
{
    uint8_t hash[FH_SHA256_LEN];
    char hex[2 * (size_t)FH_SHA256_LEN + 1];
    if (!fh_hash_bytes(hash, bytes, len)) {
        return false;
    }
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        hex[2 * i] = "0123456789abcdef"[hash[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[hash[i] & 15];
    }
    hex[sizeof hex - 1] = '\0';
    return strcmp(hex, sha256) == 0;
}
