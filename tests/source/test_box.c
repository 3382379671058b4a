/* Containers that are unpacked by code of the project, and what holds for all of them. */
#include "bench.h"

#include "source/cdz.h"
#include "source/container.h"
#include "source/ecc.h"
#include "source/ecm.h"
#include "source/edc.h"
#include "source/gzip.h"
#include "source/limits.h"
#include "source/names.h"
#include "source/pbp.h"
#include "source/spool.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const fh_stop never = {NULL, NULL};

/* A tape of given bytes, a few at a time, that can only be read forwards. */
typedef struct trickle {
    const uint8_t *bytes;
    size_t left;
    size_t step;
} trickle;

static fh_tape_status read_trickle(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    trickle *t = tape->self;
    size_t num = t->left < t->step ? t->left : t->step;
    num = num < max ? num : max;
    if (num == 0) {
        return FH_TAPE_END;
    }
    memcpy(to, t->bytes, num);
    t->bytes += num;
    t->left -= num;
    *len = num;
    return FH_TAPE_OK;
}

static fh_tape forwards(trickle *t)
{
    return (fh_tape){.read = read_trickle, .self = t, .fd = -1, .size = FH_UNKNOWN};
}

/* What comes out of a box with one member. */
typedef struct unpacked {
    byte_run out;
    fh_tallies box_faults;
    fh_tallies faults;
    fh_box_status opened;
    fh_box_status found;
    fh_tape_status ended;
} unpacked;

static void put(byte_run *run, const void *bytes, size_t len)
{
    if (run->cap - run->len < len) {
        run->cap = 2 * (run->len + len);
        run->data = realloc(run->data, run->cap);
        cr_assert(run->data != NULL);
    }
    memcpy(run->data + run->len, bytes, len);
    run->len += len;
}

static void put_u32(byte_run *run, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    put(run, bytes, 4);
}

static void read_all(unpacked *u, fh_box *box, size_t step)
{
    uint8_t *to = malloc(step); /* exactly as long as is said */
    fh_tape tape = {.faults = &u->faults};
    while (u->ended == FH_TAPE_OK) {
        size_t len = 0;
        u->ended = box->read(box, &tape, &len, to, step);
        if (u->ended == FH_TAPE_OK) {
            cr_assert(len > 0 && len <= step);
            put(&u->out, to, len);
        } else {
            cr_assert(eq(sz, len, 0));
        }
    }
    free(to);
}

static unpacked unpack(fh_box_status (*open)(fh_box *), const byte_run *packed, size_t in_step,
                       size_t out_step)
{
    unpacked u = {0};
    trickle t = {packed->data, packed->len, in_step};
    const fh_tape tape = forwards(&t);
    fh_reader reader;
    fh_member member;
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    fh_box box = {.from = &reader, .faults = &u.box_faults};
    u.opened = open(&box);
    if (u.opened == FH_BOX_OK) {
        u.found = box.next(&box, &member);
        if (u.found == FH_BOX_OK) {
            cr_assert(member.is_bytes && (member.name == NULL || open == fh_cdz_open));
            read_all(&u, &box, out_step);
            const fh_box_status behind = box.next(&box, &member);
            /* Chunks of a CDZ stand by themselves: there may be more, or damage. */
            cr_assert(behind == FH_BOX_END || open == fh_cdz_open);
        }
    }
    if (box.close != NULL) {
        box.close(&box);
    }
    fh_reader_close(&reader);
    return u;
}

static void has_only(const unpacked *u, int rule)
{
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        const bool is_told = u->faults.rules[i].count > 0 || u->box_faults.rules[i].count > 0;
        cr_assert(is_told == (i == rule), "%s", fh_image_rules.rules[i].code);
    }
}

/* ---- ECM --------------------------------------------------------------------------------------
 */

static void put_number(byte_run *run, unsigned type, uint32_t num)
{
    uint32_t rest = num - 1;
    uint8_t byte = (uint8_t)(type | (rest & 31) << 2);
    rest >>= 5;
    while (rest != 0) {
        byte |= 128;
        put(run, &byte, 1);
        byte = (uint8_t)(rest & 127);
        rest >>= 7;
    }
    put(run, &byte, 1);
}

/* A sector of each kind as it is on a disc, and what ECM keeps of it. */
static void add_sector(byte_run *raw, byte_run *packed, unsigned type, uint8_t seed)
{
    uint8_t sector[2352] = {0};
    const size_t data = type == 1 ? 16 : 24;
    const size_t len = type == 3 ? 2324 : 2048;
    memset(sector + 1, 0xff, 10);
    sector[13] = 2;
    sector[14] = seed;
    sector[15] = type == 1 ? 1 : 2;
    for (size_t i = 0; i < len; i++) {
        sector[data + i] = (uint8_t)(seed + i * 7 + i / 255);
    }
    if (type > 1) {
        sector[18] = sector[22] = type == 3 ? 0x20 : 8;
    }
    const size_t from = type == 1 ? 0 : 16;
    const uint32_t code = fh_edc_more(0, sector + from, data + len - from);
    memcpy(sector + data + len,
           &(uint8_t[4]){(uint8_t)code, (uint8_t)(code >> 8), (uint8_t)(code >> 16),
                         (uint8_t)(code >> 24)},
           4);
    if (type != 3) {
        fh_ecc_write(sector);
    }
    put(raw, sector, sizeof sector);
    if (type > 1) {
        put_number(packed, 0, 16);
        put(packed, sector, 16);
    }
    put_number(packed, type, 1);
    put(packed, sector + (type == 1 ? 12 : 20), type == 1 ? 3 : 4);
    put(packed, sector + data, len);
}

static void make_ecm(byte_run *raw, byte_run *packed)
{
    put(packed, "ECM", 4);
    put_number(packed, 0, 5000);
    for (unsigned i = 0; i < 5000; i++) {
        const uint8_t byte = (uint8_t)(i * i);
        put(raw, &byte, 1);
        put(packed, &byte, 1);
    }
    for (unsigned i = 0; i < 9; i++) {
        add_sector(raw, packed, 1 + i % 3, (uint8_t)i);
    }
    put(packed, "\374\377\377\377\077", 5);
    put_u32(packed, fh_edc_more(0, raw->data, raw->len));
}

Test(box, ecm_rebuilds_what_was_left_out)
{
    const size_t steps[] = {1, 3, 2336, 100000};
    byte_run raw = {0};
    byte_run packed = {0};
    make_ecm(&raw, &packed);
    const fh_cursor window = fh_cursor_make(packed.data, packed.len, 0);
    cr_assert(fh_ecm_is(&window));
    for (size_t i = 0; i < 4; i++) {
        unpacked u = unpack(fh_ecm_open, &packed, steps[3 - i], steps[i]);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
        /* Sectors of Mode 2 come without their first 16 bytes, which come as bytes: nothing is
         * missing in the sum. */
        cr_assert(eq(sz, u.out.len, raw.len));
        cr_assert(memcmp(u.out.data, raw.data, raw.len) == 0);
        has_only(&u, -1);
        free(u.out.data);
    }
    free(raw.data);
    free(packed.data);
}

Test(box, ecm_that_is_cut_anywhere_is_told)
{
    byte_run raw = {0};
    byte_run packed = {0};
    make_ecm(&raw, &packed);
    for (size_t len = 4; len < packed.len; len += len < 100 || len + 100 > packed.len ? 1 : 97) {
        const byte_run part = {packed.data, len, len};
        unpacked u = unpack(fh_ecm_open, &part, 100000, 100000);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_ERROR));
        has_only(&u, FH_IMG0041);
        cr_assert(u.out.len <= raw.len);
        cr_assert(u.out.len == 0 || memcmp(u.out.data, raw.data, u.out.len) == 0);
        free(u.out.data);
    }
    packed.data[packed.len - 1] ^= 1;
    unpacked u = unpack(fh_ecm_open, &packed, 100000, 100000);
    cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
    has_only(&u, FH_IMG0043);
    free(u.out.data);
    free(raw.data);
    free(packed.data);
}

/* 32 bits are the most that a number may have, and they say the end. */
Test(box, ecm_number_of_too_many_bits)
{
    const struct {
        const char *head;
        size_t len;
        bool is_end;
    } heads[] = {{"\374\377\377\377\077", 5, true},
                 {"\374\377\377\377\177", 5, false},
                 {"\374\377\377\377\277\000", 6, false}};
    for (size_t i = 0; i < 3; i++) {
        byte_run packed = {0};
        put(&packed, "ECM", 4);
        put(&packed, heads[i].head, heads[i].len);
        put_u32(&packed, 0);
        unpacked u = unpack(fh_ecm_open, &packed, 1, 1);
        cr_assert(eq(int, (int)u.ended, (int)(heads[i].is_end ? FH_TAPE_END : FH_TAPE_ERROR)));
        has_only(&u, heads[i].is_end ? -1 : FH_IMG0041);
        free(packed.data);
    }
}

/* ---- PBP --------------------------------------------------------------------------------------
 */

#define BLOCK ((size_t)37632)

static void deflate_block(byte_run *to, const uint8_t *bytes)
{
    static uint8_t out[2 * BLOCK];
    z_stream stream = {0};
    cr_assert(deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = BLOCK;
    stream.next_out = out;
    stream.avail_out = sizeof out;
    cr_assert(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    put(to, out, stream.total_out);
    deflateEnd(&stream);
}

static void make_pbp(byte_run *raw, byte_run *packed)
{
    byte_run blocks = {0};
    uint8_t *head = calloc(1, 0x28 + 0x100000);
    memcpy(head, "\0PBP\0\0\1", 8);
    head[0x24] = 0x28;
    memcpy(head + 0x28, "PSISOIMG0000", 12);
    for (size_t i = 0; i < 5; i++) {
        uint8_t block[BLOCK];
        uint8_t *entry = head + 0x28 + 0x4000 + 32 * i;
        for (size_t k = 0; k < BLOCK; k++) {
            block[k] = (uint8_t)(k / 100 * (i + 1));
        }
        put(raw, block, BLOCK);
        for (unsigned k = 0; k < 4; k++) {
            entry[k] = (uint8_t)(blocks.len >> (8 * k));
        }
        const size_t before = blocks.len;
        if (i % 2 == 0) {
            deflate_block(&blocks, block);
        } else {
            put(&blocks, block, BLOCK);
        }
        entry[4] = (uint8_t)(blocks.len - before);
        entry[5] = (uint8_t)((blocks.len - before) >> 8);
    }
    put(packed, head, 0x28 + 0x100000);
    put(packed, blocks.data, blocks.len);
    free(blocks.data);
    free(head);
}

Test(box, pbp_packed_and_stored_blocks)
{
    byte_run raw = {0};
    byte_run packed = {0};
    make_pbp(&raw, &packed);
    const fh_cursor window = fh_cursor_make(packed.data, packed.len, 0);
    cr_assert(fh_pbp_is(&window));
    const size_t steps[] = {7, 100000};
    for (size_t i = 0; i < 2; i++) {
        unpacked u = unpack(fh_pbp_open, &packed, 1000 * steps[i], steps[1 - i]);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
        cr_assert(eq(sz, u.out.len, raw.len));
        cr_assert(memcmp(u.out.data, raw.data, raw.len) == 0);
        has_only(&u, -1);
        free(u.out.data);
    }
    free(raw.data);
    free(packed.data);
}

/* ---- gzip -------------------------------------------------------------------------------------
 */

static void add_gzip(byte_run *to, const uint8_t *bytes, size_t len)
{
    z_stream stream = {0};
    const size_t room = 2 * len + 100;
    uint8_t *out = malloc(room);
    cr_assert(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)len;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    cr_assert(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    put(to, out, stream.total_out);
    deflateEnd(&stream);
    free(out);
}

Test(box, gzip_of_several_parts)
{
    static uint8_t bytes[70000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    const size_t steps[] = {1, 511, 100000};
    byte_run packed = {0};
    add_gzip(&packed, bytes, 30000);
    add_gzip(&packed, bytes, 0);
    add_gzip(&packed, bytes + 30000, 40000);
    put(&packed, (const uint8_t[9]){0}, 9);
    const fh_cursor window = fh_cursor_make(packed.data, packed.len, 0);
    cr_assert(fh_gzip_is(&window));
    for (size_t i = 0; i < 3; i++) {
        unpacked u = unpack(fh_gzip_open, &packed, steps[i], steps[2 - i]);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
        cr_assert(eq(sz, u.out.len, sizeof bytes));
        cr_assert(memcmp(u.out.data, bytes, sizeof bytes) == 0);
        has_only(&u, -1);
        free(u.out.data);
    }
    for (size_t len = 18; len + 9 < packed.len; len += 101) {
        const byte_run part = {packed.data, len, len};
        unpacked u = unpack(fh_gzip_open, &part, 100000, 100000);
        cr_assert(u.out.len <= sizeof bytes);
        if (u.ended == FH_TAPE_ERROR) {
            has_only(&u, FH_IMG0041);
        } else {
            cr_assert(u.out.len == 30000); /* cut between two parts */
        }
        free(u.out.data);
    }
    free(packed.data);
}

/* ---- zlib -------------------------------------------------------------------------------------
 */

static void add_zlib(byte_run *to, const uint8_t *bytes, size_t len)
{
    uLongf room = compressBound((uLong)len);
    uint8_t *out = malloc(room);
    cr_assert(compress2(out, &room, bytes, (uLong)len, 9) == Z_OK);
    put(to, out, room);
    free(out);
}

/* Two bytes prove nothing: what follows them must unpack, to its end or far enough. */
Test(box, zlib_is_told_by_what_unpacks)
{
    static uint8_t bytes[70000];
    byte_run packed = {0};
    byte_run small = {0};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    add_zlib(&packed, bytes, sizeof bytes);
    add_zlib(&small, bytes, 100);
    const fh_cursor whole = fh_cursor_make(packed.data, packed.len, 0);
    cr_assert(fh_zlib_is(&whole));
    const fh_cursor cut = fh_cursor_make(packed.data, packed.len - 20, 0);
    cr_assert(fh_zlib_is(&cut));
    for (size_t len = 0; len <= small.len; len++) {
        const fh_cursor part = fh_cursor_make(small.data, len, 0);
        cr_assert(eq(int, fh_zlib_is(&part), len == small.len));
    }
    for (size_t steps = 1; steps < 100000; steps = 60 * steps + 7) {
        unpacked u = unpack(fh_zlib_open, &packed, steps, 100000 / steps);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
        cr_assert(eq(sz, u.out.len, sizeof bytes));
        cr_assert(memcmp(u.out.data, bytes, sizeof bytes) == 0);
        has_only(&u, -1);
        free(u.out.data);
    }
    free(packed.data);
    free(small.data);
}

/* Whatever stands behind the four headers that are sound, it is no zlib. */
Test(box, no_noise_is_taken_for_zlib)
{
    static const uint8_t flags[] = {0x01, 0x5e, 0x9c, 0xda};
    uint8_t bytes[20000];
    uint32_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) {
            seed = seed * 1664525u + 1013904223u;
            const uint8_t noise = (uint8_t)(seed >> 24);
            bytes[k] = i % 3 == 0 ? noise : i % 3 == 1 ? (uint8_t)(32 + noise % 95) : noise & 3;
        }
        bytes[0] = 0x78;
        bytes[1] = flags[i % 4];
        const fh_cursor window = fh_cursor_make(bytes, sizeof bytes, 0);
        cr_assert(not(fh_zlib_is(&window)), "%d", i);
    }
}

/* ---- CDZ --------------------------------------------------------------------------------------
 */

static void make_cdz(byte_run *packed, const uint8_t *bytes, size_t len)
{
    byte_run body = {0};
    put(&body, "ZLIB", 4);
    put_u32(&body, (uint32_t)len);
    put_u32(&body, 0);
    put_u32(&body, (uint32_t)((len + 65535) / 65536));
    for (size_t at = 0; at < len; at += 65536) {
        byte_run block = {0};
        const size_t num = len - at < 65536 ? len - at : 65536;
        add_zlib(&block, bytes + at, num);
        put_u32(&body, (uint32_t)block.len);
        put_u32(&body, (uint32_t)num);
        put(&body, block.data, block.len);
        free(block.data);
    }
    put(packed, "CDZ\1BIN", 8);
    put_u32(packed, (uint32_t)body.len);
    put_u32(packed, 0);
    put(packed, body.data, body.len);
    free(body.data);
}

Test(box, cdz_of_several_blocks)
{
    byte_run raw = {0};
    byte_run pbp = {0};
    byte_run packed = {0};
    make_pbp(&raw, &pbp);
    make_cdz(&packed, raw.data, raw.len);
    const fh_cursor window = fh_cursor_make(packed.data, packed.len, 0);
    cr_assert(fh_cdz_is(&window));
    const size_t steps[] = {7, 100000};
    for (size_t i = 0; i < 2; i++) {
        unpacked u = unpack(fh_cdz_open, &packed, 1000 * steps[i], steps[1 - i]);
        cr_assert(eq(int, (int)u.ended, FH_TAPE_END));
        cr_assert(eq(sz, u.out.len, raw.len));
        cr_assert(memcmp(u.out.data, raw.data, raw.len) == 0);
        has_only(&u, -1);
        free(u.out.data);
    }
    for (size_t len = 5; len < packed.len; len += 13) {
        const byte_run part = {packed.data, len, len};
        unpacked u = unpack(fh_cdz_open, &part, 100000, 100000);
        has_only(&u, FH_IMG0041);
        cr_assert(u.out.len < raw.len);
        free(u.out.data);
    }
    free(raw.data);
    free(pbp.data);
    free(packed.data);
}

/* ---- all that are ours, with bytes changed ----------------------------------------------------
 */

Test(box, changed_bytes_end_well)
{
    byte_run raw = {0};
    enum { NUM = 5 };
    byte_run files[NUM] = {0};
    make_ecm(&raw, &files[0]);
    make_pbp(&raw, &files[1]);
    add_gzip(&files[2], raw.data, raw.len);
    make_cdz(&files[3], raw.data, raw.len);
    add_zlib(&files[4], raw.data, raw.len);
    uint32_t seed = 1;
    for (int i = 0; i < 100 * NUM; i++) {
        static fh_box_status (*const open[NUM])(fh_box *) = {fh_ecm_open, fh_pbp_open, fh_gzip_open,
                                                             fh_cdz_open, fh_zlib_open};
        const byte_run *file = &files[i % NUM];
        byte_run changed = {malloc(file->len), file->len, file->len};
        memcpy(changed.data, file->data, file->len);
        for (int k = 0; k < 1 + i % 7; k++) {
            seed = seed * 1664525u + 1013904223u;
            const size_t most = i % 2 == 0 ? changed.len : 256;
            const size_t base = i % NUM == 1 && i % 2 == 1 ? 0x28 + 0x4000 : 0;
            changed.data[base + (seed >> 8) % (most - (i % 2 == 0 ? base : 0))] ^=
                (uint8_t)(1u << (seed & 7));
        }
        unpacked u = unpack(open[i % NUM], &changed, 60000, 60000);
        cr_assert(u.out.len < 40u << 20);
        if (u.opened == FH_BOX_OK && u.ended == FH_TAPE_ERROR) {
            int told = 0;
            for (int k = 0; k < FH_IMG_NUM_RULES; k++) {
                told += u.faults.rules[k].count > 0;
            }
            cr_assert(told > 0);
        }
        free(u.out.data);
        free(changed.data);
    }
    for (int i = 0; i < NUM; i++) {
        free(files[i].data);
    }
    free(raw.data);
}

/* ---- the table, names, the spool --------------------------------------------------------------
 */

Test(box, only_strong_magic_counts)
{
    uint8_t bytes[1024];
    for (size_t len = 0; len <= sizeof bytes; len += 64) {
        for (int fill = 0; fill < 256; fill += 5) {
            memset(bytes, fill, sizeof bytes);
            const fh_cursor window = fh_cursor_make(bytes, len, 0);
            cr_assert(fh_container_of(&window) == NULL);
        }
    }
    /* Every kind is told from bytes of any length, also where its magic is cut. */
    for (size_t i = 0; i < fh_num_box_kinds; i++) {
        for (size_t len = 0; len < 40; len++) {
            uint8_t *exact = calloc(1, len > 0 ? len : 1);
            const fh_cursor window = fh_cursor_make(exact, len, 0);
            cr_assert(not(fh_box_kinds[i].is(&window)));
            free(exact);
        }
        cr_assert(fh_box_kinds[i].name != NULL);
    }
}

static void check_name(fh_names *names, const char *name, int64_t index, const char *expected)
{
    char *path = fh_names_path(names, "box", name, index);
    cr_assert(path != NULL);
    cr_assert(eq(str, path, (char *)(uintptr_t)expected));
    free(path);
}

Test(box, names_are_unique_and_cannot_be_misread)
{
    fh_names names = {0};
    check_name(&names, "a", 1, "box!/a");
    check_name(&names, "a", 2, "box!/a#2");
    check_name(&names, NULL, 3, "box!/#3");
    check_name(&names, "", 4, "box!/#4");
    check_name(&names, "b!/c", 5, "box!/b%21/c");
    check_name(&names, "b%21/c", 6, "box!/b%21/c#6");
    check_name(&names, "d!", 7, "box!/d%21");
    check_name(&names, "!e", 8, "box!/!e");
    for (int64_t i = 9; i < 5000; i++) {
        char *path = fh_names_path(&names, "box", "a", i);
        cr_assert(path != NULL && strncmp(path, "box!/a#", 7) == 0);
        free(path);
    }
    cr_assert(eq(sz, names.num, 4999));
    fh_names_free(&names);
}

Test(box, wrapped_members_have_the_name_without_the_suffix)
{
    const char *const cases[][3] = {{"a/x.bin.gz", ".gz", "a/x.bin.gz!/x.bin"},
                                    {"X.GZ", ".gz", "X.GZ!/X"},
                                    {".gz", ".gz", ".gz!/data"},
                                    {"z!/x.gz", ".gz", "z!/x.gz!/x"},
                                    {"plain", ".gz", "plain!/data"},
                                    {"a.gz/x", ".gz", "a.gz/x!/data"},
                                    {"x", NULL, "x!/data"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = fh_names_wrapped(cases[i][0], cases[i][1]);
        cr_assert(path != NULL && strcmp(path, cases[i][2]) == 0, "%s", path);
        free(path);
    }
}

Test(box, spool_keeps_what_fits_and_loses_nothing)
{
    const size_t len = 3000000;
    uint8_t *data = malloc(len);
    for (size_t i = 0; i < len; i++) {
        data[i] = (uint8_t)(i * 31 + i / 257);
    }
    const size_t most[] = {0, FH_READER_WINDOW, len - 1, len, len + 1, 2 * len};
    for (size_t i = 0; i < 6; i++) {
        trickle t = {data, len, 65537};
        const fh_tape tape = forwards(&t);
        fh_reader reader;
        size_t used = 0;
        cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
        (void)fh_reader_peek(&reader);
        cr_assert(fh_spool(&reader, &used, most[i]));
        cr_assert(used <= most[i]);
        const bool can_seek = reader.tape.seek != NULL;
        cr_assert(can_seek == (most[i] > len));
        if (reader.tape.seek != NULL) {
            uint8_t byte = 0;
            fh_box box = {.from = &reader};
            cr_assert(eq(int, (int)fh_box_read_at(&box, &byte, (int64_t)len - 1, 1), FH_TAPE_OK));
            cr_assert(eq(u8, byte, data[len - 1]));
            cr_assert(eq(int, (int)fh_box_read_at(&box, &byte, (int64_t)len, 1), FH_TAPE_END));
            cr_assert(fh_reader_restart(&reader));
        }
        size_t off = 0;
        const uint8_t *bytes = NULL;
        size_t got = 0;
        while (fh_reader_next(&reader, &bytes, &got) == FH_READER_OK) {
            cr_assert(off + got <= len && memcmp(bytes, data + off, got) == 0);
            off += got;
        }
        cr_assert(eq(sz, off, len));
        fh_reader_close(&reader);
    }
    free(data);
}
