#include "source/memory_stream.h"

#include "source/box.h"
#include "source/limits.h"

#include <stdlib.h>
#include <string.h>

typedef struct memory_pass {
    fh_memory *out;
    fh_reader *reader;
    const fh_memory_plan *plan;
    const fh_stream_sink *sink;
    fh_tallies faults;
    uint8_t *bytes; /* owned: the source, as far as it is held */
    size_t len;
    size_t max;
    const uint8_t *more; /* borrowed: of the last chunk, what was not held */
    size_t more_len;
    fh_reader_status status;
} memory_pass;

static bool is_stopped(const memory_pass *pass)
{
    return pass->sink->stop != NULL && pass->sink->stop(pass->sink->user);
}

/* Bytes that RAM can have from the first one's address on. */
static size_t room_of(const fh_memory_plan *plan)
{
    const uint32_t address = plan->has_address ? plan->address : FH_RAM_BASE;
    return FH_RAM_MAX_LEN - (address & FH_RAM_PHYSICAL) % FH_RAM_MAX_LEN;
}

/* Sources that are shorter cost no more than they have. */
static bool make_room(memory_pass *pass, size_t wanted, size_t most)
{
    if (wanted <= pass->max) {
        return true;
    }
    size_t size = pass->max == 0 ? FH_READER_WINDOW : 2 * pass->max;
    size = size < wanted ? wanted : size;
    size = size < most ? size : most;
    uint8_t *bytes = realloc(pass->bytes, size);
    if (bytes == NULL) {
        return false;
    }
    pass->bytes = bytes;
    pass->max = size;
    return true;
}

/* Reads until the source ends or `most` bytes of it are held. */
static bool hold(memory_pass *pass, size_t most)
{
    while (pass->len < most && pass->more_len == 0) {
        if (is_stopped(pass)) {
            pass->status = FH_READER_STOPPED;
            return true;
        }
        pass->status = fh_reader_next(pass->reader, &pass->more, &pass->more_len);
        if (pass->status != FH_READER_OK) {
            pass->more_len = 0;
            return true;
        }
        const size_t left = most - pass->len;
        const size_t num = pass->more_len < left ? pass->more_len : left;
        if (!make_room(pass, pass->len + num, most)) {
            return false;
        }
        memcpy(pass->bytes + pass->len, pass->more, num);
        pass->len += num;
        pass->more += num;
        pass->more_len -= num;
    }
    return true;
}

/* ---- handing out ----------------------------------------------------------------------------- */

static void cover(const memory_pass *pass, fh_sector_claim claim, int64_t raw_off, size_t len)
{
    if (pass->sink->coverage != NULL && len > 0) {
        fh_coverage_add(pass->sink->coverage, claim, raw_off, (int64_t)len, FH_UNKNOWN, false);
    }
}

/* Hands out len bytes from raw_off on, of the stream from stream_off on. */
static void put(const memory_pass *pass, fh_stream stream, const uint8_t *bytes, size_t len,
                int64_t raw_off, int64_t stream_off)
{
    const bool is_ram = stream == FH_STREAM_PLAIN && pass->out->product != NULL;
    const fh_sector_claim claim = is_ram ? FH_CLAIM_RAM : FH_CLAIM_PLAIN;
    cover(pass, claim, raw_off, len);
    for (size_t done = 0; done < len && !is_stopped(pass);) {
        const size_t num = len - done < FH_READER_CHUNK ? len - done : FH_READER_CHUNK;
        const int64_t off = stream_off + (int64_t)done;
        const fh_piece piece = {.stream = stream,
                                .stream_off = off,
                                .user_off = stream == FH_STREAM_RAW ? FH_UNKNOWN : off,
                                .raw_off = raw_off + (int64_t)done,
                                .lba = FH_UNKNOWN,
                                .damaged_lba = FH_UNKNOWN,
                                .claim = claim,
                                .bytes = bytes + done,
                                .len = num};
        pass->sink->piece(pass->sink->user, &piece);
        done += num;
    }
}

static void put_seam(const memory_pass *pass, fh_stream stream, int64_t stream_off, int64_t raw_off)
{
    const fh_seam seam = {stream, FH_SEAM_END, stream_off, raw_off, FH_UNKNOWN};
    if (pass->sink->seam != NULL && !is_stopped(pass)) {
        pass->sink->seam(pass->sink->user, &seam);
    }
}

/* The bytes behind those that are held, into a stream or nowhere. */
static void put_rest(memory_pass *pass, bool is_wanted, fh_stream stream, int64_t stream_off)
{
    const int64_t start = (int64_t)pass->len;
    int64_t raw_off = start;
    while (pass->status == FH_READER_OK) {
        if (is_stopped(pass)) {
            pass->status = FH_READER_STOPPED;
            return;
        }
        if (is_wanted && pass->more_len > 0) {
            put(pass, stream, pass->more, pass->more_len, raw_off, stream_off + raw_off - start);
        } else {
            cover(pass, FH_CLAIM_STATE, raw_off, pass->more_len);
        }
        raw_off += (int64_t)pass->more_len;
        pass->more_len = 0;
        pass->status = fh_reader_next(pass->reader, &pass->more, &pass->more_len);
        pass->more_len = pass->status == FH_READER_OK ? pass->more_len : 0;
    }
    const bool is_begun = raw_off + stream_off > start;
    if (is_wanted && is_begun && pass->status != FH_READER_STOPPED) {
        put_seam(pass, stream, stream_off + raw_off - start, raw_off);
    }
}

/* What a state has besides RAM is not searched, but where RAM was only guessed to be. */
static void put_others(const memory_pass *pass, size_t off, size_t len, int64_t stream_off)
{
    const bool is_guess = pass->plan->kind != NULL && pass->plan->kind->is_guess;
    if (!is_guess) {
        cover(pass, FH_CLAIM_STATE, (int64_t)off, len);
    } else if (len > 0) {
        put(pass, FH_STREAM_RAW, pass->bytes + off, len, (int64_t)off, stream_off);
        put_seam(pass, FH_STREAM_RAW, stream_off + (int64_t)len, (int64_t)(off + len));
    }
}

static void put_ram(memory_pass *pass)
{
    fh_memory *ram = pass->out;
    const uint8_t *bytes = pass->bytes + ram->off;
    const unsigned num = fh_memory_mirrors(ram, bytes);
    const size_t len = num > 1 ? FH_RAM_LEN : ram->len;
    if (num > 1) {
        fh_tally *tally =
            fh_tally_add(&pass->faults, FH_IMG0053, (int64_t)(ram->off + FH_RAM_LEN), "main RAM");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_str(fh_text_u64(&text, num), " times the same 2 MiB");
        }
    }
    const size_t end = ram->off + ram->len;
    ram->len = len;
    put_others(pass, 0, ram->off, 0);
    put(pass, FH_STREAM_PLAIN, bytes, len, (int64_t)ram->off, 0);
    put_seam(pass, FH_STREAM_PLAIN, (int64_t)len, (int64_t)(ram->off + len));
    cover(pass, FH_CLAIM_MIRROR, (int64_t)(ram->off + len), end - ram->off - len);
    put_others(pass, end, pass->len - end, (int64_t)ram->off);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool find(memory_pass *pass)
{
    const fh_memory_plan *plan = pass->plan;
    const fh_cursor bytes = fh_cursor_make(pass->bytes, pass->len, 0);
    const bool is_whole = pass->status != FH_READER_OK;
    if (plan->kind != NULL && plan->kind->is_guess && !is_whole) {
        return false;
    }
    if (plan->kind != NULL && !fh_memory_find(pass->out, plan->kind, bytes, &pass->faults)) {
        pass->out->product = NULL;
        return false;
    }
    if (plan->kind == NULL) {
        *pass->out = (fh_memory){"memory", NULL, 0, pass->len, FH_RAM_BASE};
    }
    if (plan->has_address) {
        pass->out->address = plan->address;
    }
    return true;
}

static void hand_out(memory_pass *pass)
{
    const bool is_state = pass->plan->kind != NULL && pass->plan->kind->is_state;
    if (find(pass)) {
        put_ram(pass);
        put_rest(pass, !is_state, FH_STREAM_RAW, 0);
    } else {
        put(pass, FH_STREAM_PLAIN, pass->bytes, pass->len, 0, 0);
        put_rest(pass, true, FH_STREAM_PLAIN, (int64_t)pass->len);
    }
}

fh_source_status fh_memory_stream(fh_memory *out, fh_reader *reader, const fh_memory_plan *plan,
                                  const fh_stream_sink *sink)
{
    memory_pass pass = {.out = out, .reader = reader, .plan = plan, .sink = sink};
    const bool is_state = plan->kind != NULL && (plan->kind->is_state || plan->kind->is_guess);
    *out = (fh_memory){0};
    if (!hold(&pass, is_state ? FH_STATE_MAX_LEN : room_of(plan))) {
        free(pass.bytes);
        return FH_SOURCE_NO_MEMORY;
    }
    const fh_reader_status held = pass.status;
    if (held != FH_READER_STOPPED) {
        hand_out(&pass);
    }
    free(pass.bytes);
    if (pass.status == FH_READER_STOPPED || is_stopped(&pass)) {
        return FH_SOURCE_STOPPED;
    }
    if (sink->finding != NULL) {
        fh_tallies_tell(&pass.faults, sink->user, sink->finding);
    }
    return pass.status == FH_READER_END ? FH_SOURCE_OK : FH_SOURCE_READ_ERROR;
}

const fh_memory_kind *fh_memory_of_reader(const fh_reader *reader, const fh_cursor *window)
{
    const int64_t size = fh_reader_size(reader);
    const fh_memory_kind *kind = fh_memory_of(window, size);
    const bool is_live = size == FH_UNKNOWN && reader->tape.fd >= 0;
    const bool is_wanted = kind == NULL || !kind->is_guess || (!is_live && reader->tracks == NULL);
    return is_wanted ? kind : NULL;
}
