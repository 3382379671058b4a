/* A CHD as a container, read from a file of which the system cannot read all. What CHDs may hold,
 * and how they lie, is in tests/e2e/chd.py. */
#include "source/chd_box.h"
#include "source/image_rules.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <string.h>

enum { HUNK = 4096, NUM_HUNKS = 4, CHD_HEADER = 124 };

/* A tape that can be read anywhere but in one hunk, where the system fails as a bad disk does. */
typedef struct scratched {
    const uint8_t *bytes;
    size_t len;
    size_t pos;
    size_t bad; /* offset of the hunk; the length if there is none */
} scratched;

/* As a tape of a file: its error stays. */
static bool seek_scratched(fh_tape *tape, int64_t off)
{
    ((scratched *)tape->self)->pos = (size_t)off;
    return tape->error == 0;
}

static fh_tape_status read_scratched(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    scratched *s = tape->self;
    const size_t left = s->len - s->pos;
    const size_t num = left < max ? left : max;
    if (tape->error != 0) {
        return FH_TAPE_ERROR;
    }
    if (s->pos >= s->bad && s->pos < s->bad + HUNK) {
        return fh_tape_fail(tape, EIO);
    }
    if (num == 0) {
        return FH_TAPE_END;
    }
    memcpy(to, s->bytes + s->pos, num);
    s->pos += num;
    *len = num;
    return FH_TAPE_OK;
}

static void put_big(uint8_t *to, size_t len, uint64_t value)
{
    while (len-- > 0) {
        to[len] = (uint8_t)value;
        value >>= 8;
    }
}

/* A CHD of version 5 whose hunks are stored: its header, its map, and from HUNK on its bytes. */
static void make_chd(uint8_t *out)
{
    memset(out, 0, HUNK);
    memcpy(out, "MComprHD", 8);
    put_big(out + 8, 4, CHD_HEADER);
    put_big(out + 12, 4, 5);
    put_big(out + 32, 8, (uint64_t)NUM_HUNKS * HUNK);
    put_big(out + 40, 8, CHD_HEADER);
    put_big(out + 56, 4, HUNK);
    put_big(out + 60, 4, 512);
    for (size_t i = 0; i < NUM_HUNKS; i++) {
        put_big(out + CHD_HEADER + 4 * i, 4, i + 1);
        memset(out + (i + 1) * HUNK, (int)('a' + i), HUNK);
    }
}

/* What comes out of a CHD, and what its tape and its faults say then. */
typedef struct unpacked {
    uint8_t bytes[NUM_HUNKS * HUNK];
    size_t len;
    fh_tallies faults;
    int error;
} unpacked;

static void read_all(unpacked *u, fh_box *box)
{
    fh_tape tape = {.faults = &u->faults};
    fh_tape_status status = FH_TAPE_OK;
    while (status == FH_TAPE_OK && u->len < sizeof u->bytes) {
        size_t len = 0;
        status = box->read(box, &tape, &len, u->bytes + u->len, sizeof u->bytes - u->len);
        u->len += len;
    }
    size_t more = 0;
    uint8_t byte = 0;
    cr_assert(eq(sz, u->len, sizeof u->bytes));
    cr_assert(eq(int, (int)box->read(box, &tape, &more, &byte, 1), FH_TAPE_END));
}

static void unpack(unpacked *u, const uint8_t *bytes, size_t len, size_t bad)
{
    static const fh_stop never = {NULL, NULL};
    scratched s = {bytes, len, 0, bad};
    const fh_tape tape = {
        .read = read_scratched, .seek = seek_scratched, .self = &s, .fd = -1, .size = (int64_t)len};
    fh_reader reader;
    fh_member member;
    *u = (unpacked){0};
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    fh_box box = {.from = &reader, .faults = &u->faults};
    cr_assert(eq(int, (int)fh_chd_box_open(&box), FH_BOX_OK));
    cr_assert(eq(int, (int)box.next(&box, &member), FH_BOX_OK));
    read_all(u, &box);
    box.close(&box);
    u->error = reader.tape.error;
    fh_reader_close(&reader);
}

static void has_only(const fh_tallies *faults, int rule)
{
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        cr_assert(eq(u64, faults->rules[i].count, i == rule ? 1 : 0), "%s",
                  fh_image_rules.rules[i].code);
    }
}

/* The hunks around it come out, and nobody may take the file for read. */
Test(chd_box, a_chd_is_read_behind_a_hunk_that_cannot_be)
{
    static uint8_t bytes[(NUM_HUNKS + 1) * HUNK];
    static unpacked u;
    make_chd(bytes);
    unpack(&u, bytes, sizeof bytes, sizeof bytes);
    has_only(&u.faults, -1);
    cr_assert(memcmp(u.bytes, bytes + HUNK, u.len) == 0);
    cr_assert(eq(int, u.error, 0));
    unpack(&u, bytes, sizeof bytes, (size_t)2 * HUNK);
    has_only(&u.faults, FH_IMG0001);
    memset(bytes + (size_t)2 * HUNK, 0, HUNK);
    cr_assert(memcmp(u.bytes, bytes + HUNK, u.len) == 0);
    cr_assert(eq(int, u.error, EIO));
}
