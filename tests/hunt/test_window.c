/* The window: bytes of a stream and where they come from, against a model that keeps everything. */
#include "hunt/window.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#define HOLD(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            cr_fatal(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

static uint32_t dice(uint32_t *state, uint32_t num)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*state * num) >> 32);
}

enum { SECTOR = 2048, MOST = 3000 };

/* A byte of the stream as it was appended. */
typedef struct origin {
    int64_t raw, user, lba, skipped_before;
    uint8_t value;
} origin;

typedef struct model {
    origin *bytes; /* from stream offset 0 on */
    int64_t len;
    size_t max;
} model;

static bool append(fh_window *w, model *m, int64_t raw, int64_t user, int64_t lba, size_t len,
                   int64_t skipped, uint32_t *state)
{
    static uint8_t bytes[MOST];
    if (m->max < (size_t)m->len + len) {
        m->max = 2 * ((size_t)m->len + len);
        m->bytes = realloc(m->bytes, m->max * sizeof *m->bytes);
    }
    HOLD(m->bytes != NULL && len <= MOST, "memory");
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (uint8_t)dice(state, 256);
        m->bytes[(size_t)m->len + i] =
            (origin){raw + (int64_t)i, user == FH_UNKNOWN ? FH_UNKNOWN : user + (int64_t)i, lba,
                     i == 0 ? skipped : 0, bytes[i]};
    }
    const fh_piece piece = {.stream = FH_STREAM_DATA,
                            .stream_off = m->len,
                            .user_off = user,
                            .raw_off = raw,
                            .lba = lba,
                            .bytes = bytes,
                            .len = len};
    m->len += (int64_t)len;
    if (skipped > 0) {
        fh_window_skip(w, skipped);
    }
    return fh_window_append(w, &piece);
}

static void hold_window(const fh_window *w, const model *m, uint32_t *state)
{
    const fh_cursor all = fh_window_cursor(w, 0);
    HOLD(w->origin + (int64_t)w->len == m->len, "length");
    HOLD(all.size == w->len && all.origin == (uint64_t)w->origin, "cursor");
    for (int i = 0; i < 20 && w->len > 0; i++) {
        const size_t pos = dice(state, (uint32_t)w->len);
        const origin *want = &m->bytes[w->origin + (int64_t)pos];
        const fh_place got = fh_window_place(w, w->origin + (int64_t)pos);
        HOLD(w->bytes[pos] == want->value, "byte at %zu", pos);
        HOLD(got.raw_off == want->raw && got.user_off == want->user && got.lba == want->lba,
             "place at %zu: raw %lld, not %lld", pos, (long long)got.raw_off, (long long)want->raw);
        const size_t len = 1 + dice(state, (uint32_t)(w->len - pos));
        int64_t skipped = 0;
        for (size_t k = 1; k < len; k++) {
            skipped += want[k].skipped_before;
        }
        HOLD(fh_window_skipped(w, w->origin + (int64_t)pos, len) == skipped,
             "skipped in %zu from %zu", len, pos);
    }
    HOLD(fh_window_place(w, w->origin - 1).raw_off == FH_UNKNOWN, "before the window");
    HOLD(fh_window_place(w, m->len + 1).raw_off == FH_UNKNOWN, "behind the window");
}

/* Sectors of an image and plain runs, with skips, and drops of what is scanned. */
Test(window, random_appends_and_drops)
{
    uint32_t state = 1;
    for (int round = 0; round < 15; round++) {
        fh_window w;
        model m = {0};
        int64_t raw = dice(&state, 5000), user = 0, lba = 150;
        const bool sectors = round % 3 != 0;
        fh_window_init(&w, round % 2 == 0 ? 4 : 1);
        HOLD(fh_window_place(&w, 0).raw_off == FH_UNKNOWN && fh_window_skipped(&w, 0, 10) == 0,
             "empty");
        for (int i = 0; i < 120; i++) {
            const size_t len = sectors ? SECTOR : 4 * (1 + dice(&state, MOST / 4));
            const int64_t gap = dice(&state, 5) == 0 ? 1 + dice(&state, 3) : 0;
            raw += gap * 2352;
            user += gap * SECTOR;
            lba += gap;
            HOLD(append(&w, &m, raw, round % 5 == 4 ? FH_UNKNOWN : user, sectors ? lba : FH_UNKNOWN,
                        len, gap, &state),
                 "append");
            raw += sectors ? 2352 : (int64_t)len;
            user += (int64_t)len;
            lba++;
            hold_window(&w, &m, &state);
            if (dice(&state, 4) == 0) {
                const size_t num = w.len == 0 ? 0 : 4 * dice(&state, (uint32_t)(w.len / 4) + 1);
                const size_t kept = w.len - num;
                const size_t dropped = fh_window_drop(&w, num);
                HOLD(dropped == (num > 0 && num >= kept ? num : 0), "dropped %zu of %zu", dropped,
                     num);
                HOLD(w.memo.steps == NULL || w.memo.origin == (uint64_t)w.origin,
                     "the memo goes along");
                hold_window(&w, &m, &state);
            }
        }
        fh_window_free(&w);
        HOLD(w.bytes == NULL && w.len == 0, "freed");
        free(m.bytes);
    }
}

Test(window, one_run_for_bytes_that_go_on)
{
    static const uint8_t bytes[8];
    fh_window w;
    fh_window_init(&w, 4);
    fh_piece piece = {
        .stream_off = 0, .user_off = 0, .raw_off = 0, .lba = FH_UNKNOWN, .bytes = bytes, .len = 8};
    for (int i = 0; i < 1000; i++) {
        cr_assert(fh_window_append(&w, &piece));
        piece.stream_off += 8;
        piece.user_off += 8;
        piece.raw_off += 8;
    }
    cr_assert(eq(sz, w.num_runs, 1));
    piece.user_off += 8;
    cr_assert(fh_window_append(&w, &piece));
    cr_assert(eq(sz, w.num_runs, 2), "the user offset jumps");
    piece.stream_off += 8;
    piece.user_off = FH_UNKNOWN;
    piece.raw_off += 8;
    cr_assert(fh_window_append(&w, &piece));
    cr_assert(eq(sz, w.num_runs, 3), "the user offset is lost");
    piece.stream_off += 8;
    piece.raw_off += 8;
    cr_assert(fh_window_append(&w, &piece));
    cr_assert(eq(sz, w.num_runs, 3));
    piece.stream_off += 8;
    piece.raw_off += 9;
    cr_assert(fh_window_append(&w, &piece));
    cr_assert(eq(sz, w.num_runs, 4), "the raw offset jumps");
    fh_window_skip(&w, 2);
    piece.stream_off += 8;
    piece.raw_off += 8;
    cr_assert(fh_window_append(&w, &piece));
    cr_assert(eq(sz, w.num_runs, 5), "sectors lie between");
    cr_assert(eq(i64, fh_window_skipped(&w, 0, w.len), 2));
    fh_window_clear(&w);
    cr_assert(eq(sz, w.len, 0));
    cr_assert(eq(sz, w.num_runs, 0));
    cr_assert(eq(i64, fh_window_place(&w, 0).raw_off, FH_UNKNOWN));
    fh_window_free(&w);
}

Test(window, it_grows_to_the_longest_asset_and_the_memo_with_it)
{
    static uint8_t chunk[FH_READER_CHUNK];
    fh_window w;
    fh_window_init(&w, 4);
    fh_piece piece = {.lba = FH_UNKNOWN, .bytes = chunk, .len = sizeof chunk};
    uint32_t steps;
    for (int i = 0; i < 18; i++) {
        memset(chunk, i + 1, sizeof chunk);
        const bool grows = w.max_len - w.len < piece.len;
        const size_t noted = w.len;
        if (i > 0) {
            fh_memo_note(&w.memo, noted - 4, 7);
        }
        HOLD(fh_window_append(&w, &piece), "append");
        HOLD(i == 0 || fh_memo_find(&w.memo, noted - 4, &steps) == !grows,
             "a larger window begins without notes");
        HOLD(w.memo.num_steps == w.max_len / 4, "the memo covers the window");
        piece.stream_off += (int64_t)piece.len;
        piece.raw_off += (int64_t)piece.len;
        piece.user_off += (int64_t)piece.len;
    }
    for (size_t i = 0; i < w.len; i += 4096) {
        HOLD(w.bytes[i] == i / sizeof chunk + 1, "byte %zu", i);
    }
    fh_memo_note(&w.memo, w.len - 4, 9);
    const size_t len = w.len;
    cr_assert(eq(sz, fh_window_drop(&w, len - 4096), len - 4096));
    cr_assert(fh_memo_find(&w.memo, len - 4, &steps), "notes move with the bytes");
    cr_assert(eq(u32, steps, 9));
    cr_assert(eq(sz, fh_window_drop(&w, 4096), 4096));
    cr_assert(eq(sz, w.num_runs, 0));
    cr_assert(not(fh_memo_find(&w.memo, len - 4, &steps)));
    cr_assert(fh_window_append(
        &w,
        &(fh_piece){.stream_off = (int64_t)len, .lba = 7, .raw_off = 3, .bytes = chunk, .len = 8}));
    cr_assert(eq(i64, w.origin, (int64_t)len));
    cr_assert(eq(i64, fh_window_place(&w, (int64_t)len + 2).raw_off, 5));
    fh_memo_note(&w.memo, len, 1);
    fh_window_clear(&w);
    cr_assert(not(w.memo.is_used));
    fh_window_free(&w);
}
