/* The core: what every decoder stands on. */
#include "bench.h"

#include "core/memo.h"
#include "core/record.h"
#include "core/report.h"
#include "core/shown.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cursor ---- */

/* Bytes with the top bit set and clear in every place of a word. */
static const uint8_t bytes[12] = {0x81, 0x02, 0x83, 0x84, 0x05, 0x06,
                                  0xff, 0xff, 0xff, 0xff, 0x7f, 0x80};

enum { READ_U8, READ_U16, READ_U32, READ_S16, READ_S32, NUM_READS };
static const size_t read_len[NUM_READS] = {1, 2, 4, 2, 4};

static int64_t read_by(fh_cursor *cur, int how)
{
    switch (how) {
    case READ_U8:
        return fh_cursor_u8(cur);
    case READ_U16:
        return fh_cursor_u16(cur);
    case READ_U32:
        return fh_cursor_u32(cur);
    case READ_S16:
        return fh_cursor_s16(cur);
    default:
        return fh_cursor_s32(cur);
    }
}

/* The same number, by multiplication and subtraction. */
static int64_t expect_at(size_t pos, int how)
{
    int64_t value = 0;
    for (size_t i = read_len[how]; i > 0; i--) {
        value = value * 256 + bytes[pos + i - 1];
    }
    if (how == READ_S16 && value >= 32768) {
        value -= 65536;
    }
    if (how == READ_S32 && value >= 2147483648) {
        value -= 4294967296;
    }
    return value;
}

Test(cursor, every_read_at_every_position_of_every_size)
{
    for (size_t size = 0; size <= sizeof bytes; size++) {
        for (size_t pos = 0; pos <= size; pos++) {
            for (int how = 0; how < NUM_READS; how++) {
                uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees a byte too far */
                memcpy(exact + 1, bytes, size);
                fh_cursor cur = fh_cursor_make(exact + 1, size, 1000);
                HOLD(fh_cursor_seek(&cur, pos), "seek");
                const int64_t got = read_by(&cur, how);
                const bool fits = size - pos >= read_len[how];
                HOLD(got == (fits ? expect_at(pos, how) : 0), "size %zu pos %zu read %d", size, pos,
                     how);
                HOLD(cur.pos == (fits ? pos + read_len[how] : pos), "position");
                HOLD(cur.failed == !fits, "flag");
                HOLD(fh_cursor_tell(&cur) == 1000 + cur.pos, "tell");
                HOLD(fh_cursor_left(&cur) == size - cur.pos, "left");
                free(exact);
            }
        }
    }
}

Test(cursor, failure_is_sticky_and_later_reads_go_on)
{
    fh_cursor cur = fh_cursor_make(bytes, 3, 0);
    cr_assert(eq(u32, fh_cursor_u32(&cur), 0));
    cr_assert(cur.failed);
    cr_assert(eq(u16, fh_cursor_u16(&cur), 0x0281));
    cr_assert(eq(u8, fh_cursor_u8(&cur), 0x83));
    cr_assert(cur.failed);
    cr_assert(fh_cursor_seek(&cur, 0));
    cr_assert(cur.failed, "moving must not mend it");
}

Test(cursor, seek_and_skip_at_the_edges)
{
    fh_cursor cur = fh_cursor_make(bytes, 8, 0);
    cr_assert(fh_cursor_seek(&cur, 8));
    cr_assert(eq(sz, fh_cursor_left(&cur), 0));
    cr_assert(fh_cursor_skip(&cur, 0));
    cr_assert(not(cur.failed));
    const size_t wrong[] = {9, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        cur = fh_cursor_make(bytes, 8, 0);
        HOLD(fh_cursor_seek(&cur, 3), "seek");
        HOLD(!fh_cursor_seek(&cur, wrong[i]) && cur.failed && cur.pos == 3, "seek %zu", wrong[i]);
        cur.failed = false;
        HOLD(!fh_cursor_skip(&cur, wrong[i]) && cur.failed && cur.pos == 3, "skip %zu", wrong[i]);
        cur.failed = false;
        HOLD(!fh_cursor_skip(&cur, 6) && cur.failed && cur.pos == 3, "skip one too far");
        HOLD(fh_cursor_skip(&cur, 5) && cur.pos == 8, "skip to the end");
    }
}

Test(cursor, sub_ranges)
{
    fh_cursor all = fh_cursor_make(bytes, sizeof bytes, 5000);
    HOLD(fh_cursor_seek(&all, 7), "seek");
    all.failed = true;
    for (size_t off = 0; off <= sizeof bytes + 1; off++) {
        for (size_t len = 0; len <= sizeof bytes + 1; len++) {
            fh_cursor sub = fh_cursor_sub(&all, off, len);
            const bool fits = off <= sizeof bytes && len <= sizeof bytes - off;
            HOLD(sub.failed == !fits, "off %zu len %zu", off, len);
            HOLD(sub.size == (fits ? len : 0) && sub.pos == 0, "size");
            HOLD(!fits || sub.origin == 5000 + off, "origin");
            HOLD(!fits || len == 0 || sub.base == bytes + off, "base");
            HOLD(fits || fh_cursor_u8(&sub) == 0, "reads of a failed range");
        }
    }
    cr_assert(eq(sz, all.pos, 7), "the parent does not move");
    cr_assert(fh_cursor_sub(&all, SIZE_MAX, 1).failed);
    cr_assert(fh_cursor_sub(&all, 1, SIZE_MAX).failed);
    cr_assert(fh_cursor_sub(&all, SIZE_MAX, SIZE_MAX).failed);
    fh_cursor none = fh_cursor_make(NULL, 0, 9);
    cr_assert(not(fh_cursor_sub(&none, 0, 0).failed));
    cr_assert(fh_cursor_sub(&none, 0, 1).failed);
    cr_assert(eq(u64, fh_cursor_tell(&none), 9));
}

/* find_word against a search that is too simple to be wrong. */
Test(cursor, find_word_in_every_step_and_size)
{
    uint8_t room[40];
    for (size_t size = 0; size <= sizeof room; size++) {
        for (size_t step = 1; step <= 9; step++) {
            for (size_t place = 0; place <= sizeof room; place++) {
                memset(room, 0, sizeof room);
                if (place + 4 <= sizeof room) {
                    memcpy(room + place, "\x50\x00\xee\xdd", 4);
                }
                for (size_t from = 0; from <= size && from < 6; from++) {
                    fh_cursor cur = fh_cursor_make(room, size, 77);
                    HOLD(fh_cursor_seek(&cur, from), "seek");
                    const bool found = fh_cursor_find_word(&cur, 0xff00ffff, 0xdd000050, step);
                    size_t want = from;
                    while (want + 4 <= size && want != place) {
                        want += step;
                    }
                    const bool there = want + 4 <= size;
                    want = want > size ? size : want;
                    HOLD(found == there && cur.pos == want && !cur.failed,
                         "size %zu step %zu place %zu from %zu: %d at %zu", size, step, place, from,
                         found, cur.pos);
                }
            }
        }
    }
}

/* The first byte is there again and again, the rest of the word is not. */
Test(cursor, find_word_of_which_only_the_first_byte_is_there)
{
    static const uint8_t text[] = {0x50, 1, 2, 0x50, 0x50, 0, 3, 4};
    for (size_t len = 4; len <= sizeof text; len++) {
        fh_cursor cur = fh_cursor_make(text, len, 0);
        HOLD(!fh_cursor_find_word(&cur, 0xff00ffff, 0xdd000050, 1) && cur.pos == len - 3,
             "%d bytes", (int)len);
    }
    fh_cursor cur = fh_cursor_make(text, sizeof text, 0);
    cr_assert(fh_cursor_find_word(&cur, 0xff00ffff, 0x04000050, 1));
    cr_assert(eq(sz, cur.pos, 4));
}

Test(cursor, find_word_compares_only_masked_bits)
{
    fh_cursor cur = fh_cursor_make(bytes, 4, 0);
    cr_assert(fh_cursor_find_word(&cur, 0, 0, SIZE_MAX));
    cr_assert(eq(sz, cur.pos, 0));
    cr_assert(not(fh_cursor_find_word(&cur, 0xffff, 0x10281, SIZE_MAX)));
    cr_assert(eq(sz, cur.pos, 4));
    /* In every step, with the first byte in the mask, a part of it, or none of it. */
    static const uint8_t text[] = "abcdefgh";
    static const struct {
        uint32_t mask, value;
        size_t at;
    } cases[] = {
        {0xff00, 0x6600, 4}, {0xff, 0x65, 4}, {0x0f, 0x05, 4}, {0xff000000, 0x68000000, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cur = fh_cursor_make(text, 8, 0);
        HOLD(fh_cursor_find_word(&cur, cases[i].mask, cases[i].value, 1) && cur.pos == cases[i].at,
             "case %zu: at %zu", i, cur.pos);
    }
}

Test(cursor, all_zero)
{
    uint8_t room[6];
    for (size_t dirty = 0; dirty <= sizeof room; dirty++) {
        memset(room, 0, sizeof room);
        if (dirty < sizeof room) {
            room[dirty] = 0x80;
        }
        for (size_t pos = 0; pos <= sizeof room; pos++) {
            for (size_t len = 0; len <= sizeof room + 1; len++) {
                fh_cursor cur = fh_cursor_make(room, sizeof room, 0);
                HOLD(fh_cursor_seek(&cur, pos), "seek");
                const bool fits = len <= sizeof room - pos;
                const bool clean = dirty < pos || dirty >= pos + len;
                HOLD(fh_cursor_all_zero(&cur, len) == (fits && clean), "dirty %zu pos %zu len %zu",
                     dirty, pos, len);
                HOLD(cur.pos == pos && !cur.failed, "it must not move");
            }
        }
    }
}

/* ---- what the code takes for granted ---- */

Test(compiler, signed_numbers_are_as_the_code_assumes)
{
    volatile uint32_t u32 = 0x80000000u;
    volatile uint16_t u16 = 0x8001u;
    volatile int32_t negative = -1;
    volatile int32_t odd = -4097;
    cr_assert(eq(i32, (int32_t)u32, INT32_MIN));
    cr_assert(eq(i32, (int16_t)u16, -32767));
    cr_assert(eq(i32, negative >> 12, -1));
    cr_assert(eq(i32, odd >> 12, -2));
    cr_assert(eq(i64, (int64_t)odd >> 12, -2));
    cr_assert(eq(i32, odd / 4096, -1));
    cr_assert(eq(i64, FH_UNKNOWN, INT64_MIN));
}

/* ---- arena ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

Test(arena, aligned_zeroed_and_never_past_its_end)
{
    static alignas(max_align_t) uint8_t block[512];
    for (size_t size = 0; size <= sizeof block; size += 7) {
        memset(block, 0xaa, sizeof block);
        fh_arena arena = fh_arena_make(block, size);
        size_t end = 0;
        for (size_t len = 1;; len++) {
            const size_t used = arena.used;
            uint8_t *at = fh_arena_alloc(&arena, 1, len);
            if (at == NULL) {
                HOLD(arena.used == used, "a failed allocation must not take anything");
                break;
            }
            const size_t off = (size_t)(at - block);
            HOLD(off % alignof(max_align_t) == 0, "alignment");
            HOLD(off >= end && off - end < alignof(max_align_t), "overlap or waste");
            end = off + len;
            HOLD(end <= size, "past the end");
            end += least(size - end, FH_ARENA_GAP_LEN);
            HOLD(arena.used == end, "%zu used of %zu", arena.used, end);
            for (size_t i = 0; i < len; i++) {
                HOLD(at[i] == 0, "not zeroed");
                at[i] = 0xbb;
            }
        }
        fh_arena_return(&arena);
        for (size_t i = size; i < sizeof block; i++) {
            HOLD(block[i] == 0xaa, "written behind the arena");
        }
    }
}

Test(arena, exact_fit_and_overflowing_products)
{
    static alignas(max_align_t) uint8_t block[64];
    fh_arena arena = fh_arena_make(block, sizeof block);
    cr_assert(fh_arena_alloc(&arena, SIZE_MAX, SIZE_MAX) == NULL);
    cr_assert(fh_arena_alloc(&arena, SIZE_MAX / 2 + 1, 2) == NULL);
    cr_assert(fh_arena_alloc(&arena, 2, SIZE_MAX / 2 + 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 65, 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 1, 65) == NULL);
    cr_assert(fh_arena_alloc(&arena, 4, 16) != NULL);
    cr_assert(eq(sz, arena.used, 64));
    cr_assert(fh_arena_alloc(&arena, 1, 1) == NULL);
    cr_assert(fh_arena_alloc(&arena, 0, 1) == block + 64, "nothing always fits");
}

Test(arena, padding_that_does_not_fit)
{
    static alignas(max_align_t) uint8_t block[32];
    fh_arena arena = fh_arena_make(block, 20);
    cr_assert(fh_arena_alloc(&arena, 17, 1) != NULL);
    cr_assert(eq(sz, arena.used, 17 + least(3, FH_ARENA_GAP_LEN)));
    cr_assert(fh_arena_alloc(&arena, 0, 1) == NULL);
}

Test(arena, mark_reset_and_none)
{
    static alignas(max_align_t) uint8_t block[64 + 2 * FH_ARENA_GAP_LEN];
    fh_arena arena = fh_arena_make(block, sizeof block);
    uint8_t *first = fh_arena_alloc(&arena, 5, 1);
    const size_t mark = fh_arena_mark(&arena);
    uint8_t *second = fh_arena_alloc(&arena, 40, 1);
    cr_assert(second == first + 16 + FH_ARENA_GAP_LEN);
    memset(second, 0xff, 40);
    cr_assert(fh_arena_alloc(&arena, 17, 1) == NULL);
    fh_arena_reset(&arena, mark);
    cr_assert(eq(sz, arena.used, mark));
    uint8_t *again = fh_arena_alloc(&arena, 40, 1);
    cr_assert(again == second);
    cr_assert(eq(int, again[39], 0), "zeroed again");
    fh_arena none = fh_arena_make(NULL, 0);
    cr_assert(fh_arena_alloc(&none, 1, 1) == NULL);
    cr_assert(fh_arena_alloc(&none, 0, 1) == NULL);
}

#ifdef FH_ARENA_GUARDED
#include <sanitizer/asan_interface.h>

Test(arena, a_gap_and_what_was_given_back_may_not_be_touched)
{
    static alignas(max_align_t) uint8_t block[256];
    fh_arena arena = fh_arena_make(block, sizeof block);
    const uint8_t *first = fh_arena_alloc(&arena, 5, 1);
    const size_t mark = fh_arena_mark(&arena);
    const uint8_t *second = fh_arena_room(&arena, 3, 4);
    cr_assert(not(__asan_address_is_poisoned(first + 4)));
    cr_assert(__asan_address_is_poisoned(first + 5));
    cr_assert(__asan_address_is_poisoned(first + FH_ARENA_GAP_LEN - 1)); /* it counts in eights */
    cr_assert(not(__asan_address_is_poisoned(second + 11)));
    cr_assert(__asan_address_is_poisoned(second + 12));
    fh_arena_reset(&arena, mark);
    cr_assert(__asan_address_is_poisoned(second));
    cr_assert(not(__asan_address_is_poisoned(first + 4)));
    fh_arena_return(&arena);
    cr_assert(__asan_region_is_poisoned(block, sizeof block) == NULL);
    cr_assert(arena.base == NULL);
}
#else
/* Nothing is lost where nothing is guarded. */
Test(arena, there_are_no_gaps)
{
    static alignas(max_align_t) uint8_t block[32];
    fh_arena arena = fh_arena_make(block, sizeof block);
    cr_assert(fh_arena_alloc(&arena, 16, 1) == block);
    cr_assert(fh_arena_alloc(&arena, 16, 1) == block + 16);
    fh_arena_return(&arena);
    cr_assert(arena.base == NULL);
}
#endif

/* ---- budget ---- */

Test(budget, pays_exactly)
{
    fh_budget budget = {10};
    cr_assert(fh_pay(&budget, 0));
    cr_assert(fh_pay(&budget, 4));
    cr_assert(fh_pay(&budget, 6));
    cr_assert(eq(u64, budget.left, 0));
    cr_assert(fh_pay(&budget, 0));
    cr_assert(not(fh_pay(&budget, 1)));
    budget.left = 9;
    cr_assert(not(fh_pay(&budget, UINT64_MAX)));
    cr_assert(eq(u64, budget.left, 0), "what cannot be paid takes all");
}

/* ---- text ---- */

Test(text, cut_at_every_size)
{
    const char *whole = "0123456789abcdefghij";
    const size_t len = strlen(whole);
    for (size_t size = 4; size < 30; size++) {
        char buf[40];
        memset(buf, '!', sizeof buf);
        fh_text text = fh_text_make(buf, size);
        HOLD(fh_text_str(&text, whole) == &text, "strings of calls");
        const bool fits = len < size;
        HOLD(text.cut == !fits, "size %zu", size);
        HOLD(strlen(buf) == (fits ? len : size - 1), "size %zu: %s", size, buf);
        HOLD(memcmp(buf, whole, fits ? len : size - 4) == 0, "size %zu: %s", size, buf);
        HOLD(fits || strcmp(buf + size - 4, "...") == 0, "size %zu: %s", size, buf);
        HOLD(buf[size] == '!', "written behind the buffer");
        char before[40];
        memcpy(before, buf, sizeof buf);
        fh_text_u64(fh_text_s64(fh_text_hex(fh_text_str(&text, ""), 0, 0), -1), 7);
        HOLD(text.cut || strcmp(buf + len, "0x0-17") == 0, "goes on: %s", buf);
        HOLD(fits || memcmp(before, buf, sizeof buf) == 0, "a cut is the end");
        HOLD(buf[size] == '!', "written behind the buffer");
    }
}

static const char *decimal(int64_t value)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_s64(&text, value);
    return buf;
}

static const char *hex(uint64_t value, unsigned digits)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_hex(&text, value, digits);
    return buf;
}

Test(text, numbers)
{
    char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    cr_assert(eq(str, buf, ""));
    fh_text_u64(&text, UINT64_MAX);
    cr_assert(eq(str, buf, "18446744073709551615"));
    cr_assert(eq(str, (char *)decimal(INT64_MIN), "-9223372036854775808"));
    cr_assert(eq(str, (char *)decimal(INT64_MAX), "9223372036854775807"));
    cr_assert(eq(str, (char *)decimal(0), "0"));
    cr_assert(eq(str, (char *)decimal(-1), "-1"));
    cr_assert(eq(str, (char *)hex(0, 0), "0x0"));
    cr_assert(eq(str, (char *)hex(0, 8), "0x00000000"));
    cr_assert(eq(str, (char *)hex(0xabc, 3), "0xabc"));
    cr_assert(eq(str, (char *)hex(0xabc, 4), "0x0abc"));
    cr_assert(eq(str, (char *)hex(UINT64_MAX, 1), "0xffffffffffffffff"));
    cr_assert(eq(str, (char *)hex(1, 24), "0x000000000000000000000001"));
    for (int64_t value = -100000; value <= 100000; value += 37) {
        char want[32];
        snprintf(want, sizeof want, "%lld", (long long)value);
        HOLD(strcmp(decimal(value), want) == 0, "%s", want);
    }
}

/* ---- memo ---- */

Test(memo, a_range_has_two_ends)
{
    fh_memo memo = {0};
    const fh_memo_range range = {.kind = 3, .first = 10, .last = 20};
    cr_assert(fh_memo_in_range(NULL, 3, 10) == NULL);
    fh_memo_note_range(NULL, &range);
    cr_assert(fh_memo_in_range(&memo, 3, 10) == NULL);
    fh_memo_note_range(&memo, &range);
    cr_assert(fh_memo_in_range(&memo, 2, 15) == NULL, "of another kind");
    for (uint64_t at = 0; at < 30; at++) {
        const bool is_in = at >= 10 && at <= 20;
        HOLD((fh_memo_in_range(&memo, 3, at) == &memo.same) == is_in, "%d", (int)at);
    }
}

Test(memo, keeps_what_lies_in_its_range)
{
    uint32_t steps[8] = {0};
    fh_memo memo = {.steps = steps, .num_steps = 8, .origin = 100, .unit = 4};
    uint32_t got = 99;
    cr_assert(not(fh_memo_find(&memo, 100, &got)));
    cr_assert(eq(u32, got, 99), "failure changes no output");
    const uint64_t outside[] = {0, 96, 99, 101, 103, 129, 132, 1000, UINT64_MAX, UINT64_MAX - 3};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        fh_memo_note(&memo, outside[i], 5);
        HOLD(!memo.is_used, "noted %llu", (unsigned long long)outside[i]);
        HOLD(!fh_memo_find(&memo, outside[i], &got), "found %llu", (unsigned long long)outside[i]);
    }
    for (uint64_t off = 100; off < 132; off += 4) {
        fh_memo_note(&memo, off, (uint32_t)(off - 100) / 4);
    }
    cr_assert(memo.is_used);
    for (uint64_t off = 100; off < 132; off += 4) {
        HOLD(fh_memo_find(&memo, off, &got) && got == (off - 100) / 4, "offset %d", (int)off);
    }
    fh_memo_note(&memo, 100, UINT32_MAX);
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, 0), "a number that cannot be kept is not");
    fh_memo_note(&memo, 100, INT32_MAX);
    cr_assert(not(fh_memo_find_endless(&memo, 100, &got)), "nor does it become another");
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, 0));
    fh_memo_note(&memo, 100, INT32_MAX - 1);
    cr_assert(fh_memo_find(&memo, 100, &got));
    cr_assert(eq(u32, got, INT32_MAX - 1));
}

Test(memo, endless_chains_are_apart_from_broken_ones)
{
    uint32_t steps[16] = {0};
    fh_memo memo = {.steps = steps, .num_steps = 16, .origin = 1000, .unit = 4};
    uint32_t got = 77;
    cr_assert(not(fh_memo_find_endless(&memo, 1000, &got)));
    fh_memo_begin_endless(&memo, 1000, 9000, 4000);
    fh_memo_note_endless(&memo, 1004, 5);
    fh_memo_note(&memo, 1008, 6);
    fh_memo_note_endless(&memo, 1008, 7); /* a break is known already */
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    cr_assert(eq(u32, got, 5));
    cr_assert(not(fh_memo_find(&memo, 1004, &got)));
    cr_assert(fh_memo_find(&memo, 1008, &got));
    cr_assert(eq(u32, got, 6));
    cr_assert(not(fh_memo_find_endless(&memo, 1008, &got)));
    cr_assert(not(fh_memo_find_endless(&memo, 2000, &got)), "outside the range");
    /* Nor is what is known already written over, nor noted what no chain is so long for. */
    fh_memo_note_endless(&memo, 1004, 9);
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    cr_assert(eq(u32, got, 5));
    fh_memo_note_endless(&memo, 1012, 0x7fffffff);
    cr_assert(not(fh_memo_find_endless(&memo, 1012, &got)));
    fh_memo_note_endless(&memo, 1012, 0x7ffffffe);
    cr_assert(fh_memo_find_endless(&memo, 1012, &got));
    cr_assert(eq(u32, got, 0x7ffffffe));
    fh_memo_note_endless(&memo, 1002, 5); /* between two entries */
    fh_memo_note_endless(&memo, 5000, 5);
    cr_assert(not(fh_memo_find_endless(&memo, 5000, &got)));
    fh_memo_note(&memo, 1016, 0x80000000);
    cr_assert(not(fh_memo_find(&memo, 1016, &got)));
    /* Another chain: what is known goes no further than the shorter of both. */
    fh_memo_begin_endless(&memo, 1000, 8000, 4000);
    cr_assert(eq(u64, memo.endless_to, 8000));
    fh_memo_begin_endless(&memo, 1000, 9500, 4000);
    cr_assert(eq(u64, memo.endless_to, 8000));
    cr_assert(fh_memo_find_endless(&memo, 1004, &got));
    /* From here on too little is left of the old ones. */
    fh_memo_begin_endless(&memo, 4001, 12001, 4000);
    cr_assert(eq(u64, memo.endless_to, 12001));
    cr_assert(not(fh_memo_find_endless(&memo, 1004, &got)));
    cr_assert(fh_memo_find(&memo, 1008, &got));
}

Test(memo, moves_by_every_distance)
{
    for (unsigned unit = 1; unit <= 4; unit += 3) {
        for (uint64_t distance = 0; distance < 12; distance++) {
            uint32_t steps[8] = {0};
            fh_memo memo = {.steps = steps, .num_steps = 8, .origin = 40, .unit = unit};
            for (uint64_t i = 0; i < 8; i++) {
                fh_memo_note(&memo, 40 + i * unit, (uint32_t)i + 10);
            }
            fh_memo_move(&memo, 40 + distance * unit);
            HOLD(memo.origin == 40 + distance * unit, "origin");
            HOLD(memo.is_used == (distance < 8), "used after %d", (int)distance);
            for (uint64_t i = 0; i < 24; i++) {
                uint32_t got = 0;
                const bool want = i >= distance && i < 8;
                HOLD(fh_memo_find(&memo, 40 + i * unit, &got) == want && (!want || got == i + 10),
                     "distance %d entry %d", (int)distance, (int)i);
            }
        }
    }
}

Test(memo, without_a_block_or_a_note)
{
    fh_memo none = {.unit = 4};
    uint32_t got = 0;
    fh_memo_note(&none, 0, 1);
    cr_assert(not(fh_memo_find(&none, 0, &got)));
    fh_memo_move(&none, 400);
    cr_assert(eq(u64, none.origin, 400));
    uint32_t steps[2] = {0};
    fh_memo empty = {.steps = steps, .num_steps = 2, .unit = 4};
    fh_memo_move(&empty, 4);
    cr_assert(not(empty.is_used));
}

/* ---- reports ---- */

static const fh_rule some_rules[3] = {
    {"XXX0001", FH_ERROR, "title one", "", "", ""},
    {"XXX0002", FH_NOTE, "title two", "", "", ""},
    {"XXX0003", FH_WARNING, "title three", "", "", ""},
};

static fh_finding blank(const fh_rule *rule)
{
    return fh_finding_make(rule, "field");
}

Test(finding, begins_with_nothing_known)
{
    fh_finding finding = fh_finding_make(&some_rules[0], "size");
    const int64_t numbers[] = {finding.offset, finding.frame, finding.frame_number, finding.object};
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(i64, numbers[i], FH_UNKNOWN));
    }
    cr_assert(finding.rule == &some_rules[0]);
    cr_assert(eq(str, (char *)finding.field, "size"));
    cr_assert(finding.found[0] == '\0' && finding.expected[0] == '\0' &&
              finding.context[0] == '\0');
    fh_finding_evidence(&finding, fh_dec(3, " words"), fh_words("none"));
    cr_assert(eq(str, finding.found, "3 words"));
    cr_assert(eq(str, finding.expected, "none"));
}

Test(reporter, tells_twenty_and_counts_the_rest)
{
    static alignas(max_align_t) uint8_t block[64];
    for (uint32_t num = 0; num < 45; num++) {
        record got = {0};
        const fh_sink sink = record_sink(&got);
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_reporter reporter;
        HOLD(fh_reporter_open(&reporter, &arena, &sink, some_rules, 3) == FH_OK, "open");
        const fh_finding finding = blank(&some_rules[1]);
        for (uint32_t i = 0; i < num; i++) {
            fh_reporter_tell(&reporter, &finding);
        }
        HOLD(fh_reporter_count(&reporter, 1) == num && fh_reporter_count(&reporter, 0) == 0,
             "count");
        HOLD(got.num_findings == (num < 20 ? num : 20), "told %zu of %u", got.num_findings, num);
        fh_reporter_close(&reporter);
        HOLD(got.num_findings == (num < 21 ? num : 21), "closed with %zu of %u", got.num_findings,
             num);
        if (num > 20) {
            char want[32];
            snprintf(want, sizeof want, "%u, not listed", num - 20);
            HOLD(strcmp(got.findings[20].found, want) == 0, "%s", got.findings[20].found);
            HOLD(got.findings[20].rule == &some_rules[1] && got.findings[20].frame == FH_UNKNOWN,
                 "rule");
            fh_reporter_close(&reporter);
            HOLD(got.num_findings == 21, "closing twice");
        }
        record_free(&got);
    }
}

Test(reporter, its_counter_does_not_wrap_and_a_sink_may_be_deaf)
{
    static alignas(max_align_t) uint8_t block[64];
    const fh_sink deaf = {0};
    fh_arena arena = fh_arena_make(block, sizeof block);
    fh_reporter reporter;
    cr_assert(eq(int, (int)fh_reporter_open(&reporter, &arena, &deaf, some_rules, 3), FH_OK));
    const fh_finding finding = blank(&some_rules[2]);
    fh_reporter_tell(&reporter, &finding);
    reporter.counts[2] = UINT32_MAX - 1;
    fh_reporter_tell(&reporter, &finding);
    fh_reporter_tell(&reporter, &finding);
    cr_assert(eq(u32, fh_reporter_count(&reporter, 2), UINT32_MAX));
    fh_reporter_close(&reporter);
    fh_arena full = fh_arena_make(block, 11);
    cr_assert(eq(int, (int)fh_reporter_open(&reporter, &full, &deaf, some_rules, 3), FH_NO_MEMORY));
}

/* ---- findings ---- */

static const char *message(const fh_finding *finding)
{
    static char buf[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_finding_message(&text, finding);
    return buf;
}

Test(finding, message_with_every_set_of_parts)
{
    for (unsigned parts = 0; parts < 64; parts++) {
        fh_finding finding = blank(&some_rules[0]);
        char want[256] = "title one: field";
        const char *lead = " (";
        if ((parts & 1) != 0) {
            strcpy(finding.found, "7");
            strcat(want, " is 7");
        }
        if ((parts & 2) != 0) {
            strcpy(finding.expected, "8");
            strcat(want, ", expected 8");
        }
        const char *const places[] = {"frame 3", "number -4", "packet 5", "object 6"};
        finding.frame = (parts & 4) != 0 ? 3 : FH_UNKNOWN;
        finding.frame_number = (parts & 8) != 0 ? -4 : FH_UNKNOWN;
        strcpy(finding.context, (parts & 16) != 0 ? "packet 5" : "");
        finding.object = (parts & 32) != 0 ? 6 : FH_UNKNOWN;
        for (unsigned i = 0; i < 4; i++) {
            if ((parts & 4u << i) != 0) {
                strcat(strcat(want, lead), places[i]);
                lead = ", ";
            }
        }
        if (parts >= 4) {
            strcat(want, ")");
        }
        HOLD(strcmp(message(&finding), want) == 0, "%s", message(&finding));
    }
}

static const char *value_text(fh_value value)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(&text, value);
    return buf;
}

Test(finding, values)
{
    cr_assert(eq(str, (char *)value_text(fh_nothing()), ""));
    cr_assert(eq(str, (char *)value_text(fh_words("some words")), "some words"));
    cr_assert(eq(str, (char *)value_text(fh_dec(-12, " words")), "-12 words"));
    cr_assert(eq(str, (char *)value_text(fh_dec_after("at most ", 3, " left")), "at most 3 left"));
    cr_assert(eq(str, (char *)value_text(fh_hex(0xffffffff)), "0xffffffff"));
    cr_assert(eq(str, (char *)value_text(fh_hex(0)), "0x0"));
}

Test(names, every_enum_has_its_words)
{
    static const char *const statuses[] = {"ok",        "not this format", "truncated",
                                           "corrupt",   "unsupported",     "limit",
                                           "no memory", "internal error"};
    static const char *const grades[] = {"candidate", "structure", "references", "replayed"};
    static const char *const states[] = {"complete", "assumed", "stopped", "still", "broken"};
    static const char *const severities[] = {"note", "warning", "error"};
    for (int i = 0; i < 8; i++) {
        cr_assert(eq(str, (char *)fh_status_name((fh_status)i), (char *)statuses[i]));
    }
    for (int i = 0; i < 4; i++) {
        cr_assert(eq(str, (char *)fh_grade_name((fh_grade)i), (char *)grades[i]));
    }
    for (int i = 0; i < 3; i++) {
        cr_assert(eq(str, (char *)fh_severity_name((fh_severity)i), (char *)severities[i]));
    }
    for (int i = 0; i < 5; i++) {
        cr_assert(eq(str, (char *)fh_replay_state_name((fh_replay_state)i), (char *)states[i]));
    }
}

/* ---- registry ---- */

Test(registry, finds_by_name_and_by_path)
{
    const fh_format *tod = fh_format_find("tod");
    cr_assert(tod != NULL);
    cr_assert(fh_format_find("TOD") == NULL);
    cr_assert(fh_format_find("") == NULL);
    cr_assert(fh_format_find("todd") == NULL);
    static const char *const yes[] = {"a.tod", "a.TOD", "a.ToD", ".tod", "x/y.z/a.b.tod", "/a.tOd"};
    static const char *const no[] = {"",        "tod",    "a.",    "a.to",    "a.todd",
                                     "a.tod/b", "a.tod.", "a.tmd", "a.t\xcf", "a.tod/",
                                     "a.[od",   "a.@od",  "a/b"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        HOLD(fh_format_by_path(yes[i]) == tod, "%s", yes[i]);
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        HOLD(fh_format_by_path(no[i]) == NULL, "%s", no[i]);
    }
}

Test(registry, every_format_is_whole_and_its_rules_are_in_order)
{
    cr_assert(fh_num_formats >= 1);
    for (size_t i = 0; i < fh_num_formats; i++) {
        const fh_format *format = fh_formats[i];
        HOLD(fh_format_find(format->name) == format, "%s is found by its name", format->name);
        HOLD(format->title != NULL && format->extensions[0] != NULL && format->profiles[0] != NULL,
             "%s lacks something", format->name);
        HOLD(format->probe != NULL && format->verify != NULL && format->replay != NULL,
             "functions");
        HOLD(format->num_magics > 0 && format->alignment > 0, "magic");
        for (size_t k = 0; k < format->num_magics; k++) {
            HOLD((format->magics[k].value & ~format->magics[k].mask) == 0, "magic %zu", k);
        }
        for (size_t k = 0; k < format->num_rules; k++) {
            const fh_rule *rule = &format->rules[k];
            HOLD(rule->severity <= FH_ERROR && rule->title[0] != '\0' &&
                     rule->explanation[0] != '\0' && rule->source[0] != '\0' &&
                     rule->mend[0] != '\0',
                 "%s lacks something", rule->code);
            HOLD(strlen(rule->code) == 7, "%s", rule->code);
            HOLD(k == 0 || strcmp(rule[-1].code, rule->code) < 0, "%s is out of order", rule->code);
        }
    }
}

/* ---- rows that are shown ---- */

static const fh_column thing_columns[] = {{"thing", FH_COLUMN_INT}, {"place", FH_COLUMN_REAL}};
static const fh_pose_table thing_table = {"thing", thing_columns, 2};

/* Shows a row of one thing in a frame of its own. */
static void show_thing(fh_shown *shown, size_t thing, int64_t number, double place)
{
    const fh_pose_value row[2] = {{.i = number}, {.r = place}};
    fh_pass_frame(shown->sink, &(fh_pose_frame){0, 0});
    fh_shown_row(shown, thing, row);
}

Test(shown, rows_are_left_out_only_where_changes_are_wanted)
{
    static alignas(max_align_t) uint8_t block[256];
    for (int i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_shown shown;
        record got = {0};
        const fh_sink sink = record_sink(&got);
        const bool changes_only = i == 1;
        cr_assert(eq(int, (int)fh_shown_make(&shown, &arena, &sink, &thing_table, 2, changes_only),
                     FH_OK));
        show_thing(&shown, 0, 0, 0.5);
        show_thing(&shown, 1, 1, 0.5);
        show_thing(&shown, 0, 7, 0.5); /* only the first column is another one */
        show_thing(&shown, 0, 0, -0.0);
        show_thing(&shown, 0, 0, 0.0); /* other bits */
        cr_assert(eq(sz, got.num_poses, changes_only ? 4 : 5));
        cr_assert(eq(i64, fh_shown_last(&shown, 1)[0].i, 1));
        record_free(&got);
    }
}

Test(shown, what_is_gone_is_said_once)
{
    static alignas(max_align_t) uint8_t block[256];
    for (int i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_shown shown;
        record got = {0};
        const fh_sink sink = record_sink(&got);
        cr_assert(
            eq(int, (int)fh_shown_make(&shown, &arena, &sink, &thing_table, 2, i == 1), FH_OK));
        fh_shown_gone(&shown, 1); /* it never was */
        show_thing(&shown, 1, 1, 2);
        fh_shown_gone(&shown, 1);
        fh_shown_gone(&shown, 1);
        cr_assert(eq(sz, got.num_poses, i == 1 ? 2 : 1));
        if (i == 1) {
            cr_assert(eq(i64, got.poses[1].values[0], 1));
            cr_assert(eq(i64, got.poses[1].values[1], FH_UNKNOWN));
        }
        show_thing(&shown, 1, 1, 2); /* back again, and as it was */
        cr_assert(eq(sz, got.num_poses, i == 1 ? 3 : 2));
        record_free(&got);
    }
}

Test(shown, a_full_arena_and_a_deaf_sink)
{
    static alignas(max_align_t) uint8_t block[64];
    fh_arena arena = fh_arena_make(block, sizeof block);
    const fh_sink deaf = {.user = NULL};
    fh_shown shown;
    cr_assert(
        eq(int, (int)fh_shown_make(&shown, &arena, &deaf, &thing_table, 100, false), FH_NO_MEMORY));
    arena = fh_arena_make(block, sizeof block);
    cr_assert(eq(int, (int)fh_shown_make(&shown, &arena, &deaf, &thing_table, 1, true), FH_OK));
    show_thing(&shown, 0, 0, 3);
    fh_shown_gone(&shown, 0);
    cr_assert(not(shown.is_shown[0]));
}
