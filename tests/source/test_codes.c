/* EDC and ECC against the forge, which computes them by another way. */
#include "forge/sector.h"
#include "source/codes.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const struct {
    forge_sector_kind forged;
    fh_sector_kind kind;
    uint32_t stride;
    size_t data_off;
} kinds[] = {
    {FORGE_MODE1, FH_SECTOR_MODE1, 2352, 16}, {FORGE_FORM1, FH_SECTOR_FORM1, 2352, 24},
    {FORGE_FORM2, FH_SECTOR_FORM2, 2352, 24}, {FORGE_FORM1, FH_SECTOR_FORM1, 2336, 8},
    {FORGE_FORM2, FH_SECTOR_FORM2, 2336, 8},  {FORGE_FORM1, FH_SECTOR_FORM1, 2448, 24},
};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

static void build(uint8_t *out, size_t k, uint32_t seed)
{
    forge_sector sector = {.kind = kinds[k].forged, .lba = 4711, .sub = {1, 2, FORGE_DATA, 0}};
    if (kinds[k].forged == FORGE_FORM2) {
        sector.sub.submode = FORGE_FORM2_BIT;
    }
    for (size_t i = 0; i < sizeof sector.user; i++) {
        seed = seed * 1664525u + 1013904223u;
        sector.user[i] = (uint8_t)(seed >> 24);
    }
    forge_sector_build(out, &sector, kinds[k].stride);
}

static fh_codes check(const uint8_t *sector, size_t k, size_t len)
{
    const fh_cursor cur = fh_cursor_make(sector, len, 0);
    return fh_codes_check(&cur, kinds[k].stride, kinds[k].kind);
}

Test(codes, right_as_the_forge_builds_them)
{
    uint8_t sector[FORGE_MAX_STRIDE];
    for (size_t k = 0; k < NUM_KINDS; k++) {
        for (uint32_t seed = 0; seed < 50; seed++) {
            build(sector, k, seed);
            const fh_codes codes = check(sector, k, kinds[k].stride);
            const bool has_ecc = kinds[k].kind != FH_SECTOR_FORM2;
            cr_assert(eq(int, codes.edc, FH_CODE_RIGHT));
            cr_assert(eq(int, codes.ecc, has_ecc ? FH_CODE_RIGHT : FH_CODE_NONE));
        }
    }
}

/* Every single bit of the user data, by the EDC. */
Test(codes, one_bit_of_the_data)
{
    uint8_t sector[FORGE_MAX_STRIDE];
    for (size_t k = 0; k < NUM_KINDS; k++) {
        build(sector, k, 7);
        for (size_t bit = 0; bit < 8u * 2048u; bit += 97) {
            sector[kinds[k].data_off + bit / 8] ^= (uint8_t)(1u << bit % 8);
            const fh_codes codes = check(sector, k, kinds[k].stride);
            cr_assert(eq(int, codes.edc, FH_CODE_WRONG));
            cr_assert(ne(u32, codes.edc_stored, codes.edc_computed));
            cr_assert(ne(int, codes.ecc, FH_CODE_WRONG)); /* one fault is told once */
            sector[kinds[k].data_off + bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
}

/* Every byte of the parity, with its place as stored. */
Test(codes, one_byte_of_the_parity)
{
    uint8_t sector[FORGE_MAX_STRIDE];
    for (size_t k = 0; k < NUM_KINDS; k++) {
        const size_t before = kinds[k].stride == 2336 ? 16 : 0;
        if (kinds[k].kind == FH_SECTOR_FORM2) {
            continue;
        }
        build(sector, k, 3);
        for (size_t off = 0x81c - before; off < 2352 - before; off++) {
            const uint8_t was = sector[off];
            sector[off] ^= 0x10;
            const fh_codes codes = check(sector, k, kinds[k].stride);
            cr_assert(eq(int, codes.edc, FH_CODE_RIGHT));
            cr_assert(eq(int, codes.ecc, FH_CODE_WRONG));
            cr_assert(eq(sz, codes.ecc_off, off));
            cr_assert(codes.is_q == (off + before >= 0x8c8));
            cr_assert(eq(u8, codes.ecc_stored, was ^ 0x10));
            cr_assert(eq(u8, codes.ecc_computed, was));
            sector[off] = was;
        }
    }
}

Test(codes, left_out_is_no_damage)
{
    uint8_t sector[FORGE_MAX_STRIDE];
    for (int fill = 0; fill < 3; fill++) {
        build(sector, 1, 5);
        memset(sector + 0x81c, fill, 276);
        cr_assert(eq(int, check(sector, 1, 2352).edc, FH_CODE_RIGHT));
        cr_assert(eq(int, check(sector, 1, 2352).ecc, FH_CODE_FILL));
        memset(sector + 0x818, fill, 4);
        const fh_codes codes = check(sector, 1, 2352);
        cr_assert(eq(int, codes.edc, FH_CODE_FILL));
        cr_assert(eq(int, codes.ecc, FH_CODE_FILL));
        cr_assert(eq(u8, codes.ecc_stored, fill));
    }
    build(sector, 2, 5);
    memset(sector + 0x92c, 0, 4);
    cr_assert(eq(int, check(sector, 2, 2352).edc, FH_CODE_NONE)); /* optional */
    memset(sector + 0x92c, 1, 4);
    cr_assert(eq(int, check(sector, 2, 2352).edc, FH_CODE_FILL));
}

/* Zeros throughout are right as well as they are a fill. */
Test(codes, zeros_are_right)
{
    uint8_t sector[2352] = {0};
    const fh_codes codes = check(sector, 1, sizeof sector);
    cr_assert(eq(int, codes.edc, FH_CODE_RIGHT));
    cr_assert(eq(int, codes.ecc, FH_CODE_RIGHT));
}

Test(codes, cut_sectors_are_not_judged)
{
    uint8_t sector[FORGE_MAX_STRIDE];
    build(sector, 1, 9);
    for (size_t len = 0; len < 2352; len += 7) {
        const fh_codes codes = check(sector, 1, len);
        cr_assert(eq(int, codes.edc, len < 0x81c ? FH_CODE_NONE : FH_CODE_RIGHT));
        cr_assert(eq(int, codes.ecc, FH_CODE_NONE));
    }
}
