#include "source/reader.h"

#include "core/text.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Chunks of the block. Bytes at the end of the chunk before the one in hand may be wanted, too. */
enum { NUM_CHUNKS = FH_READER_WINDOW / FH_READER_CHUNK + 1, NUM_IN_USE = 2 };
#define BLOCK_LEN (NUM_CHUNKS * FH_READER_CHUNK)
static_assert(FH_READER_WINDOW % FH_READER_CHUNK == 0, "the window is handed out in whole chunks");
static_assert(NUM_CHUNKS - NUM_IN_USE <= FH_PREFETCH_MOST, "all that are free may be read");

int64_t fh_reader_held(const fh_reader *reader)
{
    return reader->size_read + (int64_t)(reader->block_len - reader->block_pos);
}

static fh_reader_status fail(fh_reader *reader, int error, const char *why)
{
    reader->error = error;
    reader->error_off = fh_reader_held(reader);
    fh_text text = fh_text_make(reader->error_text, sizeof reader->error_text);
    fh_text_str(&text, why);
    reader->pending = FH_READER_ERROR;
    return FH_READER_ERROR;
}

/* What malloc returns for this much lies 16 bytes behind the start of a page. An AMD EPYC takes
 * three times as long to copy from the page cache to there as to where a page begins. */
enum { BLOCK_ALIGNMENT = 4096 };
static_assert(FH_READER_CHUNK % BLOCK_ALIGNMENT == 0 && FH_READER_KEEP % BLOCK_ALIGNMENT == 0,
              "every chunk of the block begins as it does");

/* In front of the block there is room for what is kept of its last chunk. */
static int start_block(fh_reader *reader)
{
    reader->room = aligned_alloc(BLOCK_ALIGNMENT, FH_READER_KEEP + BLOCK_LEN);
    reader->block = reader->room == NULL ? NULL : reader->room + FH_READER_KEEP;
    reader->digest = fh_digest_open();
    return reader->block != NULL && reader->digest != NULL ? 0 : ENOMEM;
}

fh_reader_status fh_reader_open_tape(fh_reader *reader, const fh_tape *tape, const fh_stop *stop)
{
    *reader = (fh_reader){.stop = stop->check,
                          .stop_user = stop->user,
                          .tape = *tape,
                          .stat_size = tape->size,
                          .error_off = FH_UNKNOWN};
    int error = start_block(reader);
    return error == 0 ? FH_READER_OK : fail(reader, error, strerror(error));
}

fh_reader_status fh_reader_open(fh_reader *reader, const char *path, bool (*stop)(void *user),
                                void *stop_user)
{
    const fh_stop ask = {stop, stop_user};
    fh_tape tape;
    const fh_tape_status opened = fh_tape_open_path(&tape, path, &ask);
    const fh_reader_status status = fh_reader_open_tape(reader, &tape, &ask);
    if (opened == FH_TAPE_STOPPED) {
        return FH_READER_STOPPED;
    }
    return opened == FH_TAPE_OK ? status : fail(reader, tape.error, tape.error_text);
}

void fh_reader_close(fh_reader *reader)
{
    fh_prefetch_free(reader->prefetch);
    fh_tape_close(&reader->tape);
    reader->prefetch = NULL;
    fh_digest_free(reader->digest);
    free(reader->room);
    reader->digest = NULL;
    reader->room = NULL;
    reader->block = NULL;
    reader->block_len = 0;
    reader->block_pos = 0;
    reader->pending = FH_READER_END;
}

bool fh_reader_restart(fh_reader *reader)
{
    if (reader->prefetch != NULL) {
        fh_prefetch_wait(reader->prefetch);
    }
    const bool can_seek = reader->tape.seek != NULL && reader->tape.seek(&reader->tape, 0);
    if (!can_seek && reader->size_read != (int64_t)reader->block_pos) {
        return false;
    }
    if (!fh_digest_restart(reader->digest)) {
        return false;
    }
    if (can_seek) {
        reader->block_start = 0;
        reader->block_len = 0;
        reader->pending = FH_READER_OK;
    }
    if (can_seek && reader->prefetch != NULL) {
        fh_prefetch_forget(reader->prefetch); /* it is read once more */
    }
    reader->block_pos = 0;
    reader->size_read = 0;
    if (reader->tape.error != 0 && reader->error == 0) { /* of who read without the reader */
        fail(reader, reader->tape.error, reader->tape.error_text);
    }
    return true;
}

void fh_reader_look_no_more(fh_reader *reader)
{
    if (reader->prefetch != NULL) {
        fh_prefetch_look_no_more(reader->prefetch);
    }
    reader->lookout = NULL;
}

void fh_reader_break(fh_reader *reader, int error)
{
    if (reader->error == 0) {
        fail(reader, error, strerror(error));
    }
}

static void take_in(fh_reader *reader, fh_tape_status status, size_t len, size_t want)
{
    assert(len <= want - reader->block_len && (len > 0 || status != FH_TAPE_OK));
    reader->block_len += len;
    switch (status) {
    case FH_TAPE_OK:
    case FH_TAPE_AGAIN:
        break;
    case FH_TAPE_END:
        reader->pending = FH_READER_END;
        break;
    case FH_TAPE_STOPPED:
        reader->pending = FH_READER_STOPPED;
        break;
    case FH_TAPE_ERROR:
        fail(reader, reader->tape.error, reader->tape.error_text);
        break;
    }
}

/* Reads until the block holds `want` bytes or something ends it, which is then pending. */
static void fill(fh_reader *reader, size_t want)
{
    uint8_t *block = reader->block + reader->block_start;
    assert(reader->block_start + want <= BLOCK_LEN);
    while (reader->block_len < want && reader->pending == FH_READER_OK) {
        if (reader->stop != NULL && reader->stop(reader->stop_user)) {
            reader->pending = FH_READER_STOPPED;
            return;
        }
        size_t len = 0;
        fh_tape_status status = FH_TAPE_OK;
        if (reader->prefetch == NULL || !fh_prefetch_take(reader->prefetch, &status, &len)) {
            status = reader->tape.read(&reader->tape, &len, block + reader->block_len,
                                       want - reader->block_len);
        }
        take_in(reader, status, len, want);
    }
}

fh_cursor fh_reader_peek(fh_reader *reader)
{
    assert(reader->size_read == 0);
    fill(reader, FH_READER_WINDOW);
    return fh_cursor_make(reader->block, reader->block_len, 0);
}

/* The place of the chunk that comes so many behind what is in the block. */
static uint8_t *chunk_behind(const fh_reader *reader, size_t num)
{
    const size_t end = reader->block_start + reader->block_len;
    return reader->block + (end + num * FH_READER_CHUNK) % BLOCK_LEN;
}

/* Has as many of the next chunks read as there is room for beside the one that was handed out last
 * and the one before it, which their taker has. The digest may be at those two, but no longer when
 * they are read over. */
static void ask_ahead(fh_reader *reader)
{
    if (reader->prefetch == NULL || reader->pending != FH_READER_OK ||
        reader->block_pos != reader->block_len || reader->block_len % FH_READER_CHUNK != 0) {
        return;
    }
    for (unsigned num = fh_prefetch_num(reader->prefetch); num < NUM_CHUNKS - NUM_IN_USE; num++) {
        const int64_t off = reader->size_read + num * (int64_t)FH_READER_CHUNK;
        fh_prefetch_ask(reader->prefetch, off, chunk_behind(reader, num), FH_READER_CHUNK);
    }
}

/* Goes to the chunk of the block that has not been in use for longest. */
static void turn(fh_reader *reader)
{
    if (reader->is_helped && !reader->skips_hash) {
        fh_digest_help(reader->digest); /* a source of one window is not worth a thread */
    }
    if (reader->is_helped && reader->prefetch == NULL && fh_tape_is_file(&reader->tape)) {
        reader->prefetch = fh_prefetch_open(&reader->tape, reader->digest, reader->lookout);
    }
    fh_digest_settle(reader->digest, 1);
    reader->block_start = (size_t)(chunk_behind(reader, 0) - reader->block);
    reader->block_pos = 0;
    reader->block_len = 0;
}

/* The end of the chunk in front of the one at `start`, which may lie at the other end of the block.
 */
static const uint8_t *bytes_before(const fh_reader *reader, const uint8_t *start, size_t keep)
{
    if (start == reader->block && keep > 0) {
        memcpy(reader->room + FH_READER_KEEP - keep, reader->block + BLOCK_LEN - keep, keep);
    }
    return start - keep;
}

fh_reader_status fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len)
{
    return fh_reader_next_behind(reader, 0, bytes, len);
}

fh_reader_status fh_reader_next_behind(fh_reader *reader, size_t keep, const uint8_t **bytes,
                                       size_t *len)
{
    assert(keep <= FH_READER_KEEP && (int64_t)keep <= reader->size_read);
    /* The last block stays, so that a source that fits into the window can be read again. */
    if (reader->block_pos == reader->block_len && reader->pending == FH_READER_OK) {
        turn(reader);
        fill(reader, FH_READER_CHUNK);
    }
    size_t left = reader->block_len - reader->block_pos;
    if (left == 0) {
        return reader->pending;
    }
    size_t num = left < FH_READER_CHUNK ? left : FH_READER_CHUNK;
    const uint8_t *start = reader->block + reader->block_start + reader->block_pos;
    if (!reader->skips_hash && !fh_digest_add(reader->digest, start, num)) {
        return fail(reader, ENOSYS, strerror(ENOSYS));
    }
    reader->block_pos += num;
    reader->size_read += (int64_t)num;
    ask_ahead(reader);
    *bytes = bytes_before(reader, start, keep);
    *len = keep + num;
    return FH_READER_OK;
}

int64_t fh_reader_size(const fh_reader *reader)
{
    return reader->pending == FH_READER_END ? fh_reader_held(reader) : reader->stat_size;
}

bool fh_reader_is_at_end(const fh_reader *reader)
{
    return reader->pending == FH_READER_END && reader->block_pos == reader->block_len;
}

/* Where the end was met. A file that was cut and has grown again looks like one that only grew, and
 * the end of a device is known from nothing else. */
static fh_drift drift_by_end(const fh_reader *reader)
{
    const int64_t held = fh_reader_held(reader);
    if (reader->pending != FH_READER_END || reader->stat_size == FH_UNKNOWN ||
        held == reader->stat_size) {
        return (fh_drift){FH_DRIFT_NONE, FH_UNKNOWN};
    }
    return (fh_drift){held < reader->stat_size ? FH_DRIFT_SHORTER : FH_DRIFT_LONGER, held};
}

fh_drift fh_reader_drift(const fh_reader *reader)
{
    const fh_drift by_end = drift_by_end(reader);
    return reader->tape.drift == NULL ? by_end
                                      : fh_drift_worse(by_end, reader->tape.drift(&reader->tape));
}

bool fh_reader_sha256(const fh_reader *reader, uint8_t out[FH_SHA256_LEN])
{
    return reader->digest != NULL && fh_digest_end(reader->digest, out);
}
