#include "hunt/extract.h"

#include "core/text.h"
#include "hunt/hash.h"
#include "source/opener.h"
#include "source/stream.h"

#include <string.h>

typedef struct extract_job {
    const fh_extract_wish *wish;
    uint8_t *out;
    size_t len;       /* bytes so far */
    bool is_begun;    /* the first byte was met */
    fh_stream stream; /* in which the asset lies */
    char *why;
    size_t why_size;
} extract_job;

static void on_piece(void *user, const fh_piece *piece)
{
    extract_job *job = user;
    const fh_extract_wish *wish = job->wish;
    size_t from = 0;
    if (!job->is_begun) {
        const int64_t distance = wish->raw_off - piece->raw_off;
        if (distance < 0 || distance >= (int64_t)piece->len) {
            return;
        }
        from = (size_t)distance;
        job->is_begun = true;
        job->stream = piece->stream;
    } else if (piece->stream != job->stream) {
        return;
    }
    const size_t wanted = wish->len - job->len;
    const size_t len = piece->len - from < wanted ? piece->len - from : wanted;
    memcpy(job->out + job->len, piece->bytes + from, len);
    job->len += len;
}

static bool on_stop(void *user)
{
    const extract_job *job = user;
    return job->len == job->wish->len;
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
    if (status == FH_SOURCE_READ_ERROR && job->len < job->wish->len) {
        explain(job->why, job->why_size, reader->error_text);
    }
    return false;
}

bool fh_extract(uint8_t *out, const fh_extract_wish *wish, char *why, size_t why_size)
{
    extract_job job = {.wish = wish, .out = out, .why = why, .why_size = why_size};
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
    return job.len == wish->len;
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
