/* Sectors: checksums against a real disc, layouts against the standards. */
#include "forge/buf.h"
#include "forge/image.h"
#include "forge/sector.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder of real files: named by FRAMEHOUND_SHARED, else beside the source root. */
static FILE *open_shared(const char *name)
{
    char path[4096];
    const char *shared = getenv("FRAMEHOUND_SHARED");
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    if (shared != NULL) {
        snprintf(path, sizeof path, "%s/%s", shared, name);
    } else {
        snprintf(path, sizeof path, "%s/../shared/%s", root != NULL ? root : ".", name);
    }
    return fopen(path, "rb");
}

static uint32_t stored_edc(const uint8_t *raw)
{
    return raw[0x818] | raw[0x819] << 8 | raw[0x81a] << 16 | (uint32_t)raw[0x81b] << 24;
}

static int32_t lba_of(const uint8_t *raw)
{
    int parts[3];
    for (int i = 0; i < 3; i++) {
        parts[i] = (raw[12 + i] >> 4) * 10 + (raw[12 + i] & 15);
    }
    return (parts[0] * 60 + parts[1]) * 75 + parts[2] - 150;
}

/* One byte of that image is no code word: in LBA 7 the first Q parity byte of diagonal 23 is stored
 * as 0x8e, while its data, its second parity byte and all of P ask for 0xfa. */
static bool is_known_damage(int32_t lba, size_t at, uint8_t stored)
{
    return lba == 7 && at == 0x8df && stored == 0x8e;
}

static void assert_rebuilt(const uint8_t *raw)
{
    uint8_t built[FORGE_MAX_STRIDE];
    forge_sector sector = {.kind = FORGE_FORM1, .lba = lba_of(raw)};
    sector.sub = (forge_subheader){raw[16], raw[17], raw[18], raw[19]};
    memcpy(sector.user, raw + 24, FORGE_FORM1_LEN);
    forge_sector_build(built, &sector, FORGE_SECTOR_LEN);
    for (size_t i = 0; i < FORGE_SECTOR_LEN; i++) {
        if (!is_known_damage(sector.lba, i, raw[i])) {
            cr_assert(eq(u8, built[i], raw[i]), "LBA %d, byte %zu", (int)sector.lba, i);
        }
    }
}

/* A real sector is taken apart and built again: sync, header, subheader, EDC and ECC must all
 * come out as they were pressed. The image has 12 sectors whose EDC was computed at all. */
Test(forge_sector, real_sectors_are_rebuilt_byte_by_byte)
{
    uint8_t raw[FORGE_SECTOR_LEN];
    uint32_t right = 0;
    FILE *file = open_shared("samples/discs/psxsnake.bin");
    if (file == NULL) {
        cr_skip("the shared samples are not here");
    }
    while (fread(raw, 1, sizeof raw, file) == sizeof raw) {
        bool form2 = (raw[18] & 0x20) != 0;
        if (raw[15] == 2 && !form2 && forge_edc(raw + 16, 0x808) == stored_edc(raw)) {
            assert_rebuilt(raw);
            right++;
        }
    }
    fclose(file);
    cr_assert(ge(u32, right, 12));
}

/* "123456789" under the polynomial of ECMA-130; the value is CRC-32/CD-ROM-EDC of the CRC
 * catalogues. */
Test(forge_sector, edc_check_value)
{
    cr_assert(eq(u32, forge_edc((const uint8_t *)"123456789", 9), 0x6ec2edc4));
}

Test(forge_sector, header_is_bcd_and_counted_from_two_seconds)
{
    static const struct {
        int32_t lba;
        uint8_t msf[3];
    } cases[] = {
        {-150, {0x00, 0x00, 0x00}}, {0, {0x00, 0x02, 0x00}},      {16, {0x00, 0x02, 0x16}},
        {4350, {0x01, 0x00, 0x00}}, {449849, {0x99, 0x59, 0x74}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t built[FORGE_MAX_STRIDE];
        forge_sector sector = {.kind = FORGE_MODE0, .lba = cases[i].lba};
        forge_sector_build(built, &sector, FORGE_SECTOR_LEN);
        cr_assert(eq(int, memcmp(built + 12, cases[i].msf, 3), 0), "case %zu", i);
    }
}

Test(forge_sector, narrow_strides_are_cut_out_of_the_wide_ones)
{
    uint8_t wide[FORGE_MAX_STRIDE];
    uint8_t built[FORGE_MAX_STRIDE];
    forge_sector sector = {.kind = FORGE_FORM1, .lba = 100, .sub = {.submode = FORGE_DATA}};
    memset(sector.user, 0x5a, sizeof sector.user);
    forge_sector_build(wide, &sector, 2448);
    forge_sector_build(built, &sector, 2336);
    cr_assert(eq(int, memcmp(built, wide + 16, 2336), 0));
    forge_sector_build(built, &sector, 2048);
    cr_assert(eq(int, memcmp(built, wide + 24, 2048), 0));
    for (size_t i = 2352; i < 2448; i++) {
        cr_assert(eq(u8, wide[i], 0));
    }
}

Test(forge_sector, damage_touches_only_its_field)
{
    static const struct {
        forge_damage what;
        size_t from;
        size_t to;
    } cases[] = {
        {FORGE_BAD_SYNC, 0, 12},
        {FORGE_BAD_HEADER, 12, 15},
        {FORGE_BAD_EDC, 0x818, 0x81c},
        {FORGE_BAD_ECC, 0x81c, 0x930},
    };
    uint8_t good[FORGE_MAX_STRIDE];
    forge_sector sector = {.kind = FORGE_FORM1, .lba = 7};
    forge_sector_build(good, &sector, FORGE_SECTOR_LEN);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bad[FORGE_MAX_STRIDE];
        memcpy(bad, good, FORGE_SECTOR_LEN);
        forge_sector_damage(bad, FORGE_FORM1, FORGE_SECTOR_LEN, cases[i].what);
        for (size_t at = 0; at < FORGE_SECTOR_LEN; at++) {
            bool inside = at >= cases[i].from && at < cases[i].to;
            cr_assert(eq(int, bad[at] != good[at], inside), "case %zu, byte %zu", i, at);
        }
    }
}

/* ---- streaming ---- */

typedef struct counter {
    uint64_t len;
    size_t largest;
    uint64_t refuse_at;
} counter;

static bool count(void *ctx, const uint8_t *bytes, size_t len)
{
    counter *c = ctx;
    (void)bytes;
    c->len += len;
    c->largest = len > c->largest ? len : c->largest;
    return c->len < c->refuse_at;
}

static forge_image *long_image(forge_error *err)
{
    forge_image *image =
        forge_image_new(&(forge_image_options){.stride = 2352, .mode = 2, .first_lba = 0});
    cr_assert(ne(ptr, image, NULL));
    cr_assert(forge_image_audio(image, err, 30000, 0x33));
    cr_assert(forge_image_gap(image, err, 1));
    return image;
}

Test(forge_image, bytes_are_streamed_sector_by_sector)
{
    forge_error err = {.kind = FORGE_OK};
    counter c = {.refuse_at = UINT64_MAX};
    forge_image *image = long_image(&err);
    cr_assert(forge_image_write(image, &err, count, &c));
    cr_assert(eq(u64, c.len, (uint64_t)30001 * 2352));
    cr_assert(le(sz, c.largest, 4096));
    forge_image_free(image);
}

Test(forge_image, a_sink_that_refuses_ends_the_work)
{
    forge_error err = {.kind = FORGE_OK};
    counter c = {.refuse_at = 5 * 2352};
    forge_image *image = long_image(&err);
    cr_assert(not(forge_image_write(image, &err, count, &c)));
    cr_assert(eq(int, (int)err.kind, FORGE_IO));
    cr_assert(eq(u64, c.len, 5 * 2352));
    forge_image_free(image);
}

Test(forge_image, memory_sources_are_copied)
{
    forge_error err = {.kind = FORGE_OK};
    counter c = {.refuse_at = UINT64_MAX};
    forge_source source;
    uint8_t bytes[] = {1, 2, 3};
    forge_image *image =
        forge_image_new(&(forge_image_options){.stride = 2048, .mode = 1, .first_lba = 0});
    cr_assert(forge_source_memory(&source, &err, bytes, sizeof bytes));
    cr_assert(forge_image_hidden(image, &err, source, 2047));
    cr_assert(forge_image_write(image, &err, count, &c));
    cr_assert(eq(u64, c.len, 2 * 2048));
    forge_image_free(image);
}
