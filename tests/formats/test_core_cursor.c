/* The cursor: what every byte of input is read through. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

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
    } cases[] = {{0xff00, 0x6600, 4},
                 {0xff, 0x65, 4},
                 {0x0f, 0x05, 4},
                 {0xff000000, 0x68000000, 4},
                 {0xff0000, 0x670000, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cur = fh_cursor_make(text, 8, 0);
        HOLD(fh_cursor_find_word(&cur, cases[i].mask, cases[i].value, 1) && cur.pos == cases[i].at,
             "case %zu: at %zu", i, cur.pos);
    }
}

/* Whether the first byte is there or not, alone or again and again. */
Test(cursor, find_word_looks_at_nothing_behind_the_end)
{
    static const char *const texts[] = {"............", ".P..........", "PPPPPPPPPPPP"};
    static const uint32_t masks[] = {0xffffffff, 0xffffff0f};
    for (size_t i = 0; i < 3; i++) {
        for (size_t size = 0; size <= 12; size++) {
            for (size_t step = 1; step <= 9; step++) {
                fh_cursor cur = fh_cursor_make(at_the_brink(texts[i], size), size, 0);
                HOLD(!fh_cursor_find_word(&cur, masks[step % 2], 0x50 & masks[step % 2], step),
                     "size %zu step %zu", size, step);
                cur.pos = 0;
                HOLD(!fh_cursor_find_word(&cur, masks[0], 0x50, step), "size %zu step %zu", size,
                     step);
            }
        }
    }
}

Test(cursor, peek)
{
    const uint8_t room[] = {0, 0x7f, 0x80, 0xff};
    for (size_t size = 0; size <= sizeof room; size++) {
        uint8_t *exact = malloc(size > 0 ? size : 1); /* a sanitizer sees a read behind it */
        HOLD(exact != NULL, "memory");
        memcpy(exact, room, size);
        fh_cursor cur = fh_cursor_make(exact, size, 9);
        HOLD(fh_cursor_seek(&cur, size / 2), "seek");
        for (size_t off = 0; off < size; off++) {
            HOLD(fh_cursor_peek(&cur, off) == room[off], "size %zu off %zu", size, off);
        }
        HOLD(fh_cursor_peek(&cur, size) == FH_NO_BYTE, "size %zu", size);
        HOLD(fh_cursor_peek(&cur, SIZE_MAX) == FH_NO_BYTE, "size %zu", size);
        HOLD(cur.pos == size / 2 && !cur.failed, "it must not move");
        free(exact);
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
