#include "hunt/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void fh_window_init(fh_window *window, unsigned memo_unit)
{
    *window = (fh_window){.memo = {.unit = memo_unit}};
}

void fh_window_free(fh_window *window)
{
    free(window->bytes);
    free(window->runs);
    free(window->frames);
    free(window->memo.steps);
    *window = (fh_window){.memo = {.unit = window->memo.unit}};
}

/* Most windows never grow: each time leaves a hole in the heap. */
static bool grow_bytes(fh_window *window, size_t len)
{
    size_t max = window->max_len == 0 ? FH_READER_WINDOW : window->max_len;
    while (max < len) {
        max *= 2;
    }
    const size_t num_steps = max / window->memo.unit;
    uint8_t *bytes = realloc(window->bytes, max);
    if (bytes == NULL) {
        return false;
    }
    window->bytes = bytes;
    /* The notes are only a saving: a larger window begins without any. */
    uint32_t *steps = calloc(num_steps, sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    free(window->memo.steps);
    window->memo.steps = steps;
    window->memo.num_steps = num_steps;
    window->memo.is_used = false;
    window->memo.is_endless = false;
    window->max_len = max;
    return true;
}

static bool continues(const fh_window *window, const fh_piece *piece)
{
    if (window->num_runs == 0 || window->skipped > 0 || piece->lba != FH_UNKNOWN) {
        return false;
    }
    const fh_run *last = &window->runs[window->num_runs - 1];
    return last->lba == FH_UNKNOWN && last->claim == piece->claim && piece->repeated == 0 &&
           piece->raw_off - last->raw_off == piece->stream_off - last->stream_off &&
           (piece->user_off == FH_UNKNOWN
                ? last->user_off == FH_UNKNOWN
                : last->user_off != FH_UNKNOWN &&
                      piece->user_off - last->user_off == piece->stream_off - last->stream_off);
}

static bool has_codes(const fh_piece *piece)
{
    const fh_sector_kind kind = piece->sector.kind;
    return piece->sector.bytes != NULL &&
           (kind == FH_SECTOR_MODE1 || kind == FH_SECTOR_FORM1 || kind == FH_SECTOR_FORM2);
}

/* Room for one more run, and for its frame if frames are kept. */
static bool provide_run(fh_window *window, bool with_frames)
{
    size_t max = window->max_runs;
    if (window->num_runs == max) {
        max = max == 0 ? 512 : 2 * max;
        fh_run *runs = realloc(window->runs, max * sizeof *runs);
        if (runs == NULL) {
            return false;
        }
        window->runs = runs;
    }
    if (with_frames && (window->frames == NULL || max > window->max_runs)) {
        fh_frame *frames = realloc(window->frames, max * sizeof *frames);
        if (frames == NULL) {
            return false;
        }
        if (window->frames == NULL) {
            memset(frames, 0, max * sizeof *frames);
        }
        window->frames = frames;
    }
    window->max_runs = max;
    return true;
}

static void fill_frame(fh_frame *frame, const fh_piece *piece)
{
    frame->kind = has_codes(piece) ? piece->sector.kind : FH_SECTOR_NO_SYNC;
    frame->is_checked = false;
    if (frame->kind == FH_SECTOR_NO_SYNC) {
        return;
    }
    const size_t behind = piece->sector.data_off + piece->len;
    const size_t left = piece->sector.len - behind;
    assert(piece->sector.data_off <= FH_FRAME_HEAD && behind <= piece->sector.len);
    frame->head_len = piece->sector.data_off;
    frame->data_len = piece->len;
    frame->tail_len = left < FH_FRAME_TAIL ? left : FH_FRAME_TAIL;
    memcpy(frame->head, piece->sector.bytes, frame->head_len);
    memcpy(frame->tail, piece->sector.bytes + behind, frame->tail_len);
}

static bool append_run(fh_window *window, const fh_piece *piece)
{
    const bool with_frames = window->frames != NULL || has_codes(piece);
    if (continues(window, piece) && !with_frames) {
        return true;
    }
    if (!provide_run(window, with_frames)) {
        return false;
    }
    if (with_frames) {
        fill_frame(&window->frames[window->num_runs], piece);
    }
    window->runs[window->num_runs++] = (fh_run){.stream_off = piece->stream_off,
                                                .user_off = piece->user_off,
                                                .raw_off = piece->raw_off,
                                                .lba = piece->lba,
                                                .skipped = window->skipped,
                                                .repeated = piece->repeated,
                                                .damaged_lba = piece->damaged_lba,
                                                .main_off = piece->main_off,
                                                .claim = piece->claim};
    window->skipped = 0;
    return true;
}

bool fh_window_append(fh_window *window, const fh_piece *piece)
{
    if (window->max_len - window->len < piece->len &&
        !grow_bytes(window, window->len + piece->len)) {
        return false;
    }
    if (window->len == 0) {
        window->origin = piece->stream_off;
        window->memo.origin = (uint64_t)piece->stream_off;
    }
    assert(piece->stream_off == window->origin + (int64_t)window->len);
    if (!append_run(window, piece)) {
        return false;
    }
    memcpy(window->bytes + window->len, piece->bytes, piece->len);
    window->len += piece->len;
    return true;
}

void fh_window_skip(fh_window *window, int64_t sectors)
{
    window->skipped += sectors;
}

/* Index of the run that holds the offset; the first one if all begin behind it. */
static size_t find_run(const fh_run *runs, size_t num_runs, int64_t stream_off)
{
    size_t low = 0;
    size_t high = num_runs;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (runs[middle].stream_off <= stream_off) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Of num bytes at the front those that may go: a sector with codes goes as a whole. */
static size_t droppable(const fh_window *window, size_t num)
{
    if (window->frames == NULL || window->num_runs == 0 || num == window->len) {
        return num;
    }
    const size_t first = find_run(window->runs, window->num_runs, window->origin + (int64_t)num);
    const bool is_whole = window->frames[first].kind == FH_SECTOR_NO_SYNC;
    return is_whole ? num : (size_t)(window->runs[first].stream_off - window->origin);
}

static void drop_runs(fh_window *window)
{
    const size_t gone = find_run(window->runs, window->num_runs, window->origin);
    const size_t kept = window->num_runs - gone;
    memmove(window->runs, window->runs + gone, kept * sizeof *window->runs);
    if (window->frames != NULL) {
        memmove(window->frames, window->frames + gone, kept * sizeof *window->frames);
    }
    window->num_runs = kept;
}

size_t fh_window_drop(fh_window *window, size_t num)
{
    assert(num <= window->len);
    if (num < window->len - num) {
        return 0; /* nor will less of it be worth it */
    }
    num = droppable(window, num);
    const size_t kept = window->len - num;
    assert(num % window->memo.unit == 0);
    if (num == 0 || num < kept) {
        return 0;
    }
    if (kept > 0) {
        memmove(window->bytes, window->bytes + num, kept);
    }
    window->len = kept;
    window->origin += (int64_t)num;
    if (kept == 0) {
        window->num_runs = 0;
    } else {
        drop_runs(window);
    }
    fh_memo_move(&window->memo, (uint64_t)window->origin);
    return num;
}

void fh_window_clear(fh_window *window)
{
    const size_t len = window->len;
    window->len = 0;
    window->num_runs = 0;
    window->skipped = 0;
    window->memo.same = (fh_memo_range){0};
    if (window->memo.is_used) {
        /* What is noted lies in the window; streams of interleaved pairs end often. */
        const size_t num = len / window->memo.unit + 1;
        memset(window->memo.steps, 0,
               (num < window->memo.num_steps ? num : window->memo.num_steps) *
                   sizeof *window->memo.steps);
        window->memo.is_used = false;
        window->memo.is_endless = false;
    }
}

fh_cursor fh_window_cursor(const fh_window *window, size_t pos)
{
    const fh_cursor all = fh_cursor_make(window->bytes, window->len, (uint64_t)window->origin);
    return fh_cursor_sub(&all, pos, window->len - pos);
}

fh_place fh_runs_place(const fh_run *runs, size_t num_runs, int64_t stream_off)
{
    const fh_run *run = &runs[find_run(runs, num_runs, stream_off)];
    const int64_t distance = stream_off - run->stream_off;
    return (fh_place){.raw_off = run->raw_off + distance,
                      .user_off =
                          run->user_off == FH_UNKNOWN ? FH_UNKNOWN : run->user_off + distance,
                      .lba = run->lba};
}

fh_place fh_window_place(const fh_window *window, int64_t stream_off)
{
    if (window->num_runs == 0 || stream_off < window->origin ||
        stream_off > window->origin + (int64_t)window->len) {
        return (fh_place){FH_UNKNOWN, FH_UNKNOWN, FH_UNKNOWN};
    }
    return fh_runs_place(window->runs, window->num_runs, stream_off);
}

const fh_run *fh_window_runs(const fh_window *window, size_t *num, int64_t stream_off, size_t len)
{
    const size_t first = find_run(window->runs, window->num_runs, stream_off);
    const int64_t last_off = stream_off + (int64_t)(len > 0 ? len - 1 : 0);
    *num = find_run(window->runs, window->num_runs, last_off) - first + 1;
    return &window->runs[first];
}

static int64_t main_off(const fh_window *window, int64_t stream_off)
{
    const fh_run *run = &window->runs[find_run(window->runs, window->num_runs, stream_off)];
    return run->main_off + (stream_off - run->stream_off);
}

bool fh_window_is_in_main(const fh_window *window, int64_t stream_off, size_t len)
{
    assert(len > 0 && window->num_runs > 0);
    const int64_t distance = (int64_t)len - 1;
    return main_off(window, stream_off + distance) - main_off(window, stream_off) == distance;
}

const fh_codes *fh_window_codes(fh_window *window, size_t index, bool *is_new)
{
    *is_new = false;
    if (window->frames == NULL || window->frames[index].kind == FH_SECTOR_NO_SYNC) {
        return NULL;
    }
    fh_frame *frame = &window->frames[index];
    const int64_t pos = window->runs[index].stream_off - window->origin;
    if (!frame->is_checked && pos >= 0) {
        uint8_t sector[FH_FRAME_HEAD + FH_MODE2_LEN + FH_FRAME_TAIL];
        const size_t len = frame->head_len + frame->data_len + frame->tail_len;
        memcpy(sector, frame->head, frame->head_len);
        memcpy(sector + frame->head_len, window->bytes + pos, frame->data_len);
        memcpy(sector + frame->head_len + frame->data_len, frame->tail, frame->tail_len);
        /* A sector of 2336 bytes begins with its subheaders. */
        const uint32_t stride =
            frame->head_len < FH_SUBHEADER_OFF ? FH_STRIDE_2336 : FH_STRIDE_2352;
        const fh_cursor cur = fh_cursor_make(sector, len, 0);
        frame->codes = fh_codes_check(&cur, stride, frame->kind);
        frame->is_checked = true;
        *is_new = true;
    }
    return frame->is_checked ? &frame->codes : NULL;
}

int64_t fh_window_skipped(const fh_window *window, int64_t stream_off, size_t len)
{
    int64_t sectors = 0;
    if (window->num_runs == 0) {
        return 0;
    }
    for (size_t i = find_run(window->runs, window->num_runs, stream_off) + 1; i < window->num_runs;
         i++) {
        if (window->runs[i].stream_off >= stream_off + (int64_t)len) {
            break;
        }
        sectors += window->runs[i].skipped;
    }
    return sectors;
}
