#include "source/spool.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LEN ((size_t)4 << 20)

typedef struct spool {
    fh_tape rest; /* what follows the bytes kept; owned */
    uint8_t *bytes;
    size_t len;
    size_t max_len;
    size_t pos;
    bool is_whole;        /* the rest has been read to its end, well or not: */
    fh_tape_status after; /* how it ended */
} spool;

static fh_tape_status read_spool(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    spool *s = tape->self;
    const size_t left = s->len - s->pos;
    if (left > 0) {
        *len = left < max ? left : max;
        memcpy(to, s->bytes + s->pos, *len);
        s->pos += *len;
        return FH_TAPE_OK;
    }
    const fh_tape_status status = s->is_whole ? s->after : s->rest.read(&s->rest, len, to, max);
    tape->error = s->rest.error;
    tape->hit_limit = s->rest.hit_limit;
    memcpy(tape->error_text, s->rest.error_text, sizeof tape->error_text);
    return status;
}

static bool seek_spool(fh_tape *tape, int64_t off)
{
    spool *s = tape->self;
    if (off < 0 || (uint64_t)off > s->len) {
        return false;
    }
    s->pos = (size_t)off;
    return true;
}

static void close_spool(fh_tape *tape)
{
    spool *s = tape->self;
    fh_tape_close(&s->rest);
    free(s->bytes);
    free(s);
}

static bool has_room(spool *s, size_t max)
{
    if (s->len < s->max_len) {
        return true;
    }
    size_t grown = s->max_len == 0 ? FIRST_LEN : 2 * s->max_len;
    grown = grown < max ? grown : max;
    if (grown == s->max_len) {
        return false;
    }
    uint8_t *bytes = realloc(s->bytes, grown);
    if (bytes == NULL) {
        return false;
    }
    s->bytes = bytes;
    s->max_len = grown;
    return true;
}

/* Reads on while there is room; false: stopped. */
static bool fill(spool *s, const fh_stop *stop, size_t max)
{
    while (!s->is_whole && has_room(s, max)) {
        size_t len = 0;
        if (fh_stop_now(stop)) {
            return false;
        }
        s->after = s->rest.read(&s->rest, &len, s->bytes + s->len, s->max_len - s->len);
        if (s->after == FH_TAPE_OK) {
            s->len += len;
        } else if (s->after != FH_TAPE_AGAIN) {
            s->is_whole = true;
        }
    }
    return s->after != FH_TAPE_STOPPED;
}

bool fh_spool(fh_reader *reader, size_t *used, size_t max)
{
    const fh_stop stop = {reader->stop, reader->stop_user};
    const size_t held = reader->block_len;
    spool *s = calloc(1, sizeof *s);
    *used = 0;
    if (s == NULL || reader->size_read != 0 || held > max) {
        free(s);
        return true;
    }
    s->bytes = malloc(held > 0 ? held : 1);
    if (s->bytes == NULL) {
        free(s);
        return true;
    }
    memcpy(s->bytes, reader->block, held); /* the window was read already */
    s->len = held;
    s->max_len = held;
    s->pos = held;
    s->rest = reader->tape;
    reader->tape.self = s;
    reader->tape.read = read_spool;
    reader->tape.close = close_spool;
    const bool is_ok = fill(s, &stop, max);
    if (s->is_whole && s->after == FH_TAPE_END) {
        reader->tape.seek = seek_spool;
        reader->tape.size = (int64_t)s->len;
    }
    *used = s->max_len;
    return is_ok;
}
