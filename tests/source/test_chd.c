/* The pieces of the decoder of CHD. Whole files, sound and lying, are in tests/e2e/chd.py. */
#include "source/chd.h"
#include "source/chd_codec.h"
#include "source/chd_map.h"
#include "source/ecc.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- ECC --------------------------------------------------------------------------------------
 */

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b != 0; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x11d : 0));
    }
    return product;
}

/* ECMA-130, annex A: a vector with its parities is a word of the code: as a polynomial it is 0 at 1
 * and at 2. */
static void check_vector(const uint8_t *bytes, size_t len)
{
    uint8_t at_1 = 0;
    uint8_t at_2 = 0;
    for (size_t i = 0; i < len; i++) {
        at_1 ^= bytes[i];
        at_2 = times(at_2, 2) ^ bytes[i];
    }
    cr_assert(eq(u8, at_1, 0));
    cr_assert(eq(u8, at_2, 0));
}

static void check_ecc(uint8_t mode)
{
    uint8_t sector[2352];
    for (size_t i = 0; i < sizeof sector; i++) {
        sector[i] = (uint8_t)(i * i * 7 + i / 13);
    }
    sector[15] = mode;
    fh_ecc_write(sector);
    if (mode == 2) {
        memset(sector + 12, 0, 4);
    }
    for (size_t column = 0; column < 86; column++) {
        uint8_t word[26];
        for (size_t row = 0; row < 26; row++) {
            word[row] = sector[12 + column + 86 * row];
        }
        check_vector(word, sizeof word);
    }
    for (size_t diagonal = 0; diagonal < 52; diagonal++) {
        uint8_t word[45];
        for (size_t i = 0; i < 43; i++) {
            size_t at = (44 * i + 43 * (diagonal / 2)) % 1118; /* in pairs of bytes */
            word[i] = sector[12 + 2 * at + diagonal % 2];
        }
        word[43] = sector[0x8c8 + diagonal];
        word[44] = sector[0x8c8 + 52 + diagonal];
        check_vector(word, sizeof word);
    }
}

Test(ecc, vectors_are_words_of_the_code)
{
    check_ecc(1);
    check_ecc(2);
}

Test(ecc, data_stay)
{
    uint8_t sector[2352];
    memset(sector, 0x5a, sizeof sector);
    fh_ecc_write(sector);
    for (size_t i = 0; i < sizeof sector; i++) {
        bool is_parity = i >= 0x81c && i < 0x930;
        cr_assert(is_parity || sector[i] == 0x5a);
    }
}

/* ---- bits and trees ---------------------------------------------------------------------------
 */

typedef struct pen {
    uint8_t bytes[1024];
    size_t bits;
} pen;

static void put(pen *to, uint32_t value, unsigned num)
{
    while (num-- > 0) {
        uint8_t bit = (uint8_t)(value >> num & 1);
        to->bytes[to->bits / 8] |= (uint8_t)(bit << (7 - to->bits % 8));
        to->bits++;
    }
}

static fh_bits bits_of(const pen *from)
{
    return fh_bits_make(from->bytes, (from->bits + 7) / 8);
}

Test(huffman, bits_come_from_the_top)
{
    const uint8_t bytes[] = {0xa5, 0x0f, 0xff, 0x00, 0x12};
    fh_bits bits = fh_bits_make(bytes, sizeof bytes);
    cr_assert(eq(u32, fh_bits_read(&bits, 0), 0));
    cr_assert(eq(u32, fh_bits_read(&bits, 3), 5));
    cr_assert(eq(u32, fh_bits_read(&bits, 32), 0x287ff800));
    cr_assert(eq(u32, fh_bits_read(&bits, 5), 0x12));
    cr_assert(not(bits.overrun));
    cr_assert(eq(u32, fh_bits_read(&bits, 1), 0));
    cr_assert(bits.overrun);
}

static bool read_tree(fh_huffman *tree, const uint8_t *lengths, size_t num)
{
    pen out = {0};
    for (size_t i = 0; i < num; i++) {
        put(&out, lengths[i], 4);
        if (lengths[i] == 1) {
            put(&out, 1, 4);
        }
    }
    fh_bits bits = bits_of(&out);
    return fh_huffman_read_runs(tree, &bits, (uint32_t)num, 8);
}

Test(huffman, longest_codes_are_the_smallest)
{
    fh_huffman *tree = malloc(sizeof *tree);
    const uint8_t lengths[16] = {2, 3, 0, 3, 1};
    cr_assert(read_tree(tree, lengths, 16));
    /* 3: 000, 001; 2: 01; 1: 1 */
    const uint8_t bytes[] = {0x05, 0x40}; /* 000 001 01 01 000000 */
    fh_bits bits = fh_bits_make(bytes, sizeof bytes);
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 1));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 3));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 0));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 0));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 1));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 1));
    cr_assert(not(bits.overrun));
    fh_huffman_symbol(tree, &bits);
    cr_assert(bits.overrun);
    free(tree);
}

Test(huffman, what_is_no_tree)
{
    fh_huffman *tree = malloc(sizeof *tree);
    const uint8_t odd[16] = {3, 3, 3, 2};
    const uint8_t crowded[16] = {1, 1, 1};
    const uint8_t deep[16] = {9, 9, 8};
    cr_assert(not(read_tree(tree, odd, 16)));
    cr_assert(not(read_tree(tree, crowded, 16)));
    cr_assert(not(read_tree(tree, deep, 16)));
    pen run = {0};
    put(&run, 1, 4);
    put(&run, 4, 4);
    put(&run, 14, 4); /* 17 of 16 symbols */
    fh_bits bits = bits_of(&run);
    cr_assert(not(fh_huffman_read_runs(tree, &bits, 16, 8)));
    bits = fh_bits_make(run.bytes, 1);
    cr_assert(not(fh_huffman_read_runs(tree, &bits, 16, 8)));
    free(tree);
}

Test(huffman, a_code_that_is_none)
{
    fh_huffman *tree = malloc(sizeof *tree);
    const uint8_t lengths[16] = {1};
    cr_assert(read_tree(tree, lengths, 16));
    const uint8_t bytes[] = {0x40};
    fh_bits bits = fh_bits_make(bytes, 1);
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 0));
    cr_assert(not(bits.overrun));
    fh_huffman_symbol(tree, &bits);
    cr_assert(bits.overrun);
    free(tree);
}

/* A tree of 256 codes of 8 bits each: symbol 9 of the small tree, and a run of it. */
Test(huffman, coded_lengths)
{
    fh_huffman *tree = malloc(sizeof *tree);
    pen out = {0};
    put(&out, 1, 3); /* symbol 0, the run: 1 bit */
    put(&out, 7, 3); /* from symbol 8 on: */
    put(&out, 0, 3); /* 8 has no code, */
    put(&out, 1, 3); /* 9 has one of 1 bit */
    put(&out, 7, 3); /* no further ones */
    put(&out, 1, 1); /* length 8, */
    put(&out, 0, 1); /* and again: */
    put(&out, 7, 3);
    put(&out, 255 - 9, 8);
    put(&out, 0x41, 8);
    fh_bits bits = bits_of(&out);
    cr_assert(fh_huffman_read_coded(tree, &bits, 256, 16));
    cr_assert(eq(u32, fh_huffman_symbol(tree, &bits), 0x41));
    cr_assert(not(bits.overrun));
    bits = fh_bits_make(out.bytes, 2);
    cr_assert(not(fh_huffman_read_coded(tree, &bits, 256, 16)));
    free(tree);
}

/* ---- map --------------------------------------------------------------------------------------
 */

Test(chd_map, crc16_of_the_usual_text)
{
    cr_assert(eq(u16, fh_chd_crc16(0xffff, (const uint8_t *)"123456789", 9), 0x29b1));
}

enum { UNIT = 100, HUNK = 400, LEN_BITS = 9, SELF_BITS = 4, PARENT_BITS = 7 };

static void put_tree(pen *out)
{
    for (int i = 0; i < 16; i++) {
        put(out, 4, 4);
    }
}

static const char *unpack(fh_chd_hunk *hunks, const pen *packed, uint32_t num, uint16_t *crc)
{
    fh_huffman *tree = malloc(sizeof *tree);
    fh_chd_map_header header = {
        (uint32_t)((packed->bits + 7) / 8), 0x123456, 0, LEN_BITS, SELF_BITS, PARENT_BITS};
    fh_chd_shape shape = {HUNK, UNIT, num};
    memset(hunks, 0, num * sizeof *hunks);
    const char *why = fh_chd_map_unpack(hunks, crc, &header, packed->bytes, &shape, tree);
    free(tree);
    return why;
}

typedef struct entry {
    uint8_t kind;
    uint64_t off;
    uint32_t len;
} entry;

Test(chd_map, every_kind)
{
    pen out = {0};
    put_tree(&out);
    const uint8_t kinds[] = {0, 3, 4, 5, 10, 9, 6, 12, 13, 11, 15};
    for (size_t i = 0; i < sizeof kinds; i++) {
        put(&out, kinds[i], 4);
    }
    put(&out, 300, LEN_BITS);
    put(&out, 0xabcd, 16);
    put(&out, 17, LEN_BITS);
    put(&out, 0x1234, 16);
    put(&out, 0x5678, 16);
    put(&out, 1, SELF_BITS);
    put(&out, 50, PARENT_BITS);
    fh_chd_hunk hunks[11];
    uint16_t crc = 0;
    cr_assert(unpack(hunks, &out, 11, &crc) == NULL);
    const entry want[] = {{0, 0x123456, 300},
                          {3, 0x123456 + 300, 17},
                          {FH_CHD_STORED, 0x123456 + 317, HUNK},
                          {FH_CHD_SELF, 1, 0},
                          {FH_CHD_SELF, 2, 0},
                          {FH_CHD_SELF, 2, 0},
                          {FH_CHD_PARENT, 50, 0},
                          {FH_CHD_PARENT, 50, 0},
                          {FH_CHD_PARENT, 54, 0},
                          {FH_CHD_PARENT, 36, 0},
                          {FH_CHD_UNKNOWN, 0x123456 + 717, 0}};
    for (size_t i = 0; i < 11; i++) {
        cr_assert(eq(u8, hunks[i].kind, want[i].kind));
        cr_assert(eq(u64, hunks[i].off, want[i].off));
        cr_assert(eq(u32, hunks[i].len, want[i].len));
        cr_assert(eq(int, hunks[i].has_crc, i < 3));
    }
    cr_assert(eq(u16, hunks[0].crc, 0xabcd));
    cr_assert(eq(u16, hunks[2].crc, 0x5678));
}

Test(chd_map, runs)
{
    pen out = {0};
    put_tree(&out);
    put(&out, 7, 4); /* 3 + 1 times kind 0, for none came before */
    put(&out, 1, 4);
    put(&out, 9, 4); /* SELF_0 */
    put(&out, 8, 4); /* 19 + 16 * 2 + 3 times it */
    put(&out, 2, 4);
    put(&out, 3, 4);
    put(&out, 10, 4); /* SELF_1 */
    put(&out, 7, 4);  /* 3 + 15 times, of which 4 fit */
    put(&out, 15, 4);
    for (int i = 0; i < 4; i++) {
        put(&out, 10, LEN_BITS);
        put(&out, 0, 16);
    }
    fh_chd_hunk hunks[64];
    uint16_t crc = 0;
    cr_assert(unpack(hunks, &out, 64, &crc) == NULL);
    for (size_t i = 0; i < 64; i++) {
        cr_assert(eq(u8, hunks[i].kind, i < 4 ? 0 : FH_CHD_SELF));
        cr_assert(eq(u64, hunks[i].off, i < 4 ? 0x123456 + 10 * i : i < 59 ? 0 : i - 58));
    }
}

Test(chd_map, cut_everywhere)
{
    pen out = {0};
    put_tree(&out);
    for (int i = 0; i < 8; i++) {
        put(&out, 0, 4);
    }
    for (int i = 0; i < 8; i++) {
        put(&out, 10, LEN_BITS);
        put(&out, 0xffff, 16);
    }
    fh_chd_hunk hunks[8];
    uint16_t crc = 0;
    size_t bits = out.bits;
    cr_assert(unpack(hunks, &out, 8, &crc) == NULL);
    for (out.bits = 0; out.bits + 7 < bits; out.bits += 8) {
        cr_assert(unpack(hunks, &out, 8, &crc) != NULL);
    }
}

Test(chd_map, fields_too_wide)
{
    fh_huffman *tree = malloc(sizeof *tree);
    pen out = {0};
    put_tree(&out);
    put(&out, 9, 4);
    const uint8_t widths[][3] = {{24, 32, 32}, {25, 0, 0}, {0, 33, 0}, {0, 0, 255}};
    for (size_t i = 0; i < 4; i++) {
        fh_chd_map_header header = {9, 0, 0, widths[i][0], widths[i][1], widths[i][2]};
        fh_chd_shape shape = {HUNK, UNIT, 1};
        fh_chd_hunk hunk = {0};
        uint16_t crc = 0;
        const char *why = fh_chd_map_unpack(&hunk, &crc, &header, out.bytes, &shape, tree);
        cr_assert(eq(int, why == NULL, i == 0));
    }
    free(tree);
}

Test(chd_map, plain)
{
    const uint8_t bytes[] = {0, 0, 0, 3, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    fh_chd_shape shape = {HUNK, UNIT, 3};
    fh_chd_hunk hunks[3] = {0};
    fh_chd_map_plain(hunks, bytes, &shape, false);
    cr_assert(eq(u64, hunks[0].off, 3 * HUNK));
    cr_assert(eq(u8, hunks[1].kind, FH_CHD_EMPTY));
    cr_assert(eq(u64, hunks[2].off, 0xffffffffull * HUNK));
    fh_chd_map_plain(hunks, bytes, &shape, true);
    cr_assert(eq(u8, hunks[1].kind, FH_CHD_PARENT));
    cr_assert(eq(u64, hunks[1].off, HUNK / UNIT));
}

/* ---- tracks -----------------------------------------------------------------------------------
 */

static const char *add_text(fh_chd_toc *toc, uint32_t tag, const char *text)
{
    return fh_chd_toc_add(toc, tag, (const uint8_t *)text, strlen(text) + 1);
}

#define CHT2 FH_CHD_TAG('C', 'H', 'T', '2')
#define CHTR FH_CHD_TAG('C', 'H', 'T', 'R')
#define CHGD FH_CHD_TAG('C', 'H', 'G', 'D')
#define CHGT FH_CHD_TAG('C', 'H', 'G', 'T')
#define CHCD FH_CHD_TAG('C', 'H', 'C', 'D')

Test(chd_tracks, texts)
{
    fh_chd_toc toc = {0};
    cr_assert(add_text(&toc, CHT2,
                       "TRACK:2 TYPE:AUDIO SUBTYPE:RW FRAMES:101 PREGAP:50 PGTYPE:VAUDIO "
                       "PGSUB:RW POSTGAP:0") == NULL);
    cr_assert(add_text(&toc, CHTR, "TRACK:1 TYPE:MODE1/2048 SUBTYPE:NONE FRAMES:10") == NULL);
    cr_assert(add_text(&toc, CHGD,
                       "TRACK:3 TYPE:MODE2_RAW SUBTYPE:NONE FRAMES:30 PAD:9 PREGAP:7 "
                       "PGTYPE:MODE1 PGSUB:NONE POSTGAP:0") == NULL);
    cr_assert(add_text(&toc, CHGT, "TRACK:4 TYPE:AUDIO SUBTYPE:NONE FRAMES:5 PAD:0") == NULL);
    cr_assert(add_text(&toc, FH_CHD_TAG('G', 'D', 'D', 'D'), "CYLS:1") == NULL);
    uint64_t frames = 0;
    cr_assert(eq(u32, fh_chd_toc_place(&toc, 0, &frames), 4));
    const fh_chd_track *track = toc.tracks;
    cr_assert(eq(u64, frames, 12 + 104 + 32 + 8));
    cr_assert(track[0].type == FH_CHD_MODE1 && track[0].sector_len == 2048);
    cr_assert(not(track[0].has_subcode || track[0].pregap_is_here || track[0].swaps));
    cr_assert(track[1].first_frame == 12 && track[1].off == 20480 && track[1].pregap == 50);
    cr_assert(track[1].has_subcode && track[1].pregap_is_here && track[1].swaps);
    cr_assert(track[2].frames == 21 && track[2].first_frame == 116);
    cr_assert(not(track[2].pregap_is_here));
    cr_assert(track[3].first_frame == 148 && track[3].off == 20480 + 2352 * (101 + 21));
    cr_assert(not(track[3].swaps));
    fh_chd_toc_place(&toc, 96, &frames);
    cr_assert(eq(u64, toc.tracks[1].off, 10 * (2048 + 96)));
}

Test(chd_tracks, bad_texts)
{
    const char *const texts[] = {
        "",
        "TRACK:",
        "TRACK:1",
        "TRACK:0 TYPE:AUDIO FRAMES:1",
        "TRACK:100 TYPE:AUDIO FRAMES:1",
        "TRACK:-1 TYPE:AUDIO FRAMES:1",
        "TRACK:1x TYPE:AUDIO FRAMES:1",
        "TRACK:99999999999999999999999 TYPE:AUDIO FRAMES:1",
        "TRACK:1 TYPE:MODE FRAMES:1",
        "TRACK:1 TYPE:AUDIO",
        "TRACK:1 TYPE:AUDIO FRAMES:",
        "TRACK:1 TYPE:AUDIO FRAMES:16777217",
        "TRACK:1 TYPE:AUDIO XFRAMES:3",
        "TRACK:1 TYPE:AUDIO FRAMES:3 PAD:4",
        "TRACK:1 TYPE:AUDIO FRAMES:3 PREGAP:z",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fh_chd_toc toc = {0};
        cr_assert(add_text(&toc, CHT2, texts[i]) != NULL, "%s", texts[i]);
    }
    fh_chd_toc toc = {0};
    cr_assert(add_text(&toc, CHT2, "TRACK:1 TYPE:AUDIO FRAMES:16777216") == NULL);
    cr_assert(add_text(&toc, CHT2, "TRACK:1 TYPE:AUDIO FRAMES:1") != NULL);
    uint64_t frames = 0;
    cr_assert(add_text(&toc, CHT2, "TRACK:3 TYPE:AUDIO FRAMES:1") == NULL);
    cr_assert(eq(u32, fh_chd_toc_place(&toc, 0, &frames), 1));
}

static void put_number(uint8_t *out, uint32_t value, bool is_big)
{
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (is_big ? 24 - 8 * i : 8 * i));
    }
}

static void fill_old(uint8_t *bytes, uint32_t num, bool is_big)
{
    memset(bytes, 0, 4 + 99 * 24);
    put_number(bytes, num, is_big);
    for (uint32_t i = 0; i < 2; i++) {
        put_number(bytes + 4 + 24 * i, i == 0 ? FH_CHD_MODE2_RAW : FH_CHD_AUDIO, is_big);
        put_number(bytes + 4 + 24 * i + 16, 11 + i, is_big);
    }
}

Test(chd_tracks, old_form)
{
    uint8_t bytes[4 + 99 * 24];
    for (int is_big = 0; is_big < 2; is_big++) {
        fh_chd_toc toc = {0};
        uint64_t frames = 0;
        fill_old(bytes, 2, is_big);
        cr_assert(fh_chd_toc_add(&toc, CHCD, bytes, sizeof bytes) == NULL);
        cr_assert(eq(u32, fh_chd_toc_place(&toc, 0, &frames), 2));
        cr_assert(toc.tracks[0].type == FH_CHD_MODE2_RAW && toc.tracks[0].frames == 11);
        cr_assert(toc.tracks[1].frames == 12 && toc.tracks[1].swaps);
        cr_assert(fh_chd_toc_add(&toc, CHCD, bytes, sizeof bytes - 1) != NULL);
        fill_old(bytes, 1000, is_big);
        cr_assert(fh_chd_toc_add(&toc, CHCD, bytes, sizeof bytes) != NULL);
        fh_chd_toc other = {0};
        fill_old(bytes, 1, is_big);
        put_number(bytes + 4, FH_CHD_NUM_TYPES, is_big);
        cr_assert(fh_chd_toc_add(&other, CHCD, bytes, sizeof bytes) != NULL);
    }
}

/* ---- recognition ------------------------------------------------------------------------------
 */

Test(chd, magic)
{
    cr_assert(fh_chd_is((const uint8_t *)"MComprHD", 8));
    cr_assert(not(fh_chd_is((const uint8_t *)"MComprHD", 7)));
    cr_assert(not(fh_chd_is((const uint8_t *)"MComprHd", 8)));
}

Test(chd, codecs_by_name)
{
    cr_assert(fh_chd_codec_is_known(FH_CHD_TAG('c', 'd', 'z', 's')));
    cr_assert(fh_chd_codec_is_known(FH_CHD_TAG('a', 'v', 'h', 'u')));
    cr_assert(not(fh_chd_codec_is_known(FH_CHD_TAG('c', 'd', 'x', 'x'))));
}
