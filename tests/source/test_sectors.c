#include "bench.h"
#include "source/edc.h"

#include <string.h>

static fh_sector read_one(const image *img, uint32_t stride, const fh_sector_habit *habit)
{
    fh_cursor all = fh_cursor_make(img->raw.data, img->raw.len, 0);
    fh_sector out;
    fh_sector_read(&out, &all, stride, habit);
    cr_assert(eq(i64, fh_sector_lba(&all, stride), out.header_lba));
    return out;
}

typedef struct kind_case {
    spec sector;
    fh_sector_kind kind;
    size_t off;
    size_t len;
    fh_edc_verdict edc;
} kind_case;

Test(sectors, kinds_in_every_stride)
{
    const kind_case cases[] = {
        {{.mode = 0}, FH_SECTOR_MODE0, 0, 0, FH_EDC_ABSENT},
        {{.mode = 1, .edc = true}, FH_SECTOR_MODE1, 16, 2048, FH_EDC_RIGHT},
        {{.mode = 1}, FH_SECTOR_MODE1, 16, 2048, FH_EDC_WRONG},
        {{.mode = 2, .edc = true}, FH_SECTOR_FORM1, 24, 2048, FH_EDC_RIGHT},
        {{.mode = 2}, FH_SECTOR_FORM1, 24, 2048, FH_EDC_WRONG},
        {{.mode = 2, .form2 = true, .edc = true}, FH_SECTOR_FORM2, 24, 2324, FH_EDC_RIGHT},
        {{.mode = 2, .form2 = true}, FH_SECTOR_FORM2, 24, 2324, FH_EDC_ABSENT},
        {{.mode = 2, .no_xa = true}, FH_SECTOR_MODE2, 16, 2336, FH_EDC_ABSENT},
        {{.mode = 3}, FH_SECTOR_BAD_MODE, 0, 0, FH_EDC_ABSENT},
        {{.no_sync = true}, FH_SECTOR_NO_SYNC, 0, 0, FH_EDC_ABSENT},
    };
    const uint32_t strides[] = {2352, 2368, 2448};
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    for (size_t i = 0; i < 3 * sizeof cases / sizeof cases[0]; i++) {
        kind_case at = cases[i / 3];
        at.sector.stride = strides[i % 3];
        at.sector.lba = 4350;
        image img = image_make();
        image_add(&img, &at.sector);
        fh_sector sector = read_one(&img, at.sector.stride, &habit);
        cr_assert(eq(int, (int)sector.kind, (int)at.kind));
        cr_assert(eq(sz, sector.data_off, at.off));
        cr_assert(eq(sz, sector.data_len, at.len));
        cr_assert(not(sector.cut));
        cr_assert(eq(i64, sector.header_lba, at.sector.no_sync ? FH_UNKNOWN : 4350));
        fh_cursor bytes = fh_cursor_make(img.raw.data, img.raw.len, 0);
        fh_edc_verdict edc = fh_edc_check(&bytes, at.sector.stride, at.kind);
        cr_assert(eq(int, (int)edc, (int)at.edc));
        image_free(&img);
    }
}

Test(sectors, kinds_of_2336_and_2048)
{
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    for (int form2 = 0; form2 < 2; form2++) {
        image img = image_make();
        image_add(&img, &(spec){.stride = 2336, .mode = 2, .form2 = form2, .edc = true});
        fh_sector sector = read_one(&img, 2336, &habit);
        cr_assert(eq(int, (int)sector.kind, form2 ? FH_SECTOR_FORM2 : FH_SECTOR_FORM1));
        cr_assert(eq(sz, sector.data_off, 8));
        cr_assert(eq(sz, sector.data_len, form2 ? 2324 : 2048));
        fh_cursor bytes = fh_cursor_make(img.raw.data, img.raw.len, 0);
        cr_assert(fh_edc_check(&bytes, 2336, sector.kind) == FH_EDC_RIGHT);
        cr_assert(fh_edc_check(&bytes, 2336, FH_SECTOR_MODE1) == FH_EDC_ABSENT);
        image_free(&img);
    }
    image img = image_make();
    image_add(&img, &(spec){.stride = 2048});
    fh_sector sector = read_one(&img, 2048, &habit);
    cr_assert(eq(int, (int)sector.kind, FH_SECTOR_COOKED));
    cr_assert(eq(sz, sector.data_len, 2048));
    image_free(&img);
}

Test(sectors, every_cut_length_stays_inside)
{
    const spec specs[] = {{.stride = 2352, .mode = 1},
                          {.stride = 2352, .mode = 2},
                          {.stride = 2448, .mode = 2, .form2 = true},
                          {.stride = 2352, .mode = 2, .no_xa = true},
                          {.stride = 2336, .mode = 2},
                          {.stride = 2048}};
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        image img = image_make();
        image_add(&img, &specs[i]);
        size_t whole = read_one(&img, specs[i].stride, &habit).data_len;
        for (size_t len = 0; len < img.raw.len; len++) {
            fh_cursor bytes = fh_cursor_make(img.raw.data, len, 0);
            fh_sector at;
            fh_sector_read(&at, &bytes, specs[i].stride, &habit);
            cr_assert(eq(i64, fh_sector_lba(&bytes, specs[i].stride), at.header_lba));
            cr_assert(at.data_off + at.data_len <= len);
            cr_assert(at.data_len <= whole || at.kind == FH_SECTOR_FORM1);
            cr_assert(at.has_header == (len >= 16 && specs[i].stride > 2336));
            cr_assert(at.kind == FH_SECTOR_NO_SYNC || at.cut || at.data_len == whole);
        }
        image_free(&img);
    }
}

Test(sectors, damaged_subheader_goes_by_edc_then_by_the_neighbour)
{
    fh_sector_habit habit = {.mode = 2, .xa = true, .form = FH_SECTOR_FORM1};
    const struct {
        spec sector;
        fh_sector_kind before;
        fh_sector_kind want;
    } cases[] = {
        {{.form2 = true, .edc = true}, FH_SECTOR_FORM1, FH_SECTOR_FORM2},
        {{.form2 = false, .edc = true}, FH_SECTOR_FORM2, FH_SECTOR_FORM1},
        {{.form2 = false}, FH_SECTOR_FORM1, FH_SECTOR_FORM1},
        {{.form2 = true}, FH_SECTOR_FORM1, FH_SECTOR_FORM1},
        {{.form2 = false}, FH_SECTOR_FORM2, FH_SECTOR_FORM2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spec at = cases[i].sector;
        at.stride = 2352;
        at.mode = 2;
        at.differ = true;
        habit.form = cases[i].before;
        image img = image_make();
        image_add(&img, &at);
        fh_sector sector = read_one(&img, 2352, &habit);
        cr_assert(sector.copies_differ);
        cr_assert(eq(int, (int)sector.kind, (int)cases[i].want));
        image_free(&img);
    }
}

Test(sectors, damaged_mode_is_that_of_the_neighbour)
{
    for (uint8_t mode = 0; mode <= 2; mode++) {
        static const fh_sector_kind want[] = {FH_SECTOR_MODE0, FH_SECTOR_MODE1, FH_SECTOR_FORM1};
        fh_sector_habit habit = FH_SECTOR_NO_HABIT;
        image img = image_make();
        image_add(&img, &(spec){.stride = 2352, .mode = 2});
        img.raw.data[15] = 0x77;
        habit.mode = mode;
        cr_assert(eq(int, (int)read_one(&img, 2352, &habit).kind, (int)want[mode]));
        image_free(&img);
    }
}

Test(sectors, addresses)
{
    const struct {
        uint32_t address;
        int64_t lba;
    } cases[] = {{0x000200, 0},          {0x000216, 16},         {0x010000, 4350},
                 {0x000000, -150},       {0x000174, -1},         {0x995974, 449849},
                 {0x000275, FH_UNKNOWN}, {0x006000, FH_UNKNOWN}, {0x0a0000, FH_UNKNOWN},
                 {0xa00000, FH_UNKNOWN}, {0x000a00, FH_UNKNOWN}, {0x00000a, FH_UNKNOWN},
                 {0xffffff, FH_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert(eq(i64, fh_sector_address_lba(cases[i].address), cases[i].lba));
    }
}

/* The table against the polynomial, through codes of one byte. */
Test(sectors, edc_table)
{
    for (unsigned i = 0; i < 256; i++) {
        uint32_t want = i;
        for (int bit = 0; bit < 8; bit++) {
            want = (want >> 1) ^ ((want & 1) != 0 ? 0xd8018001u : 0);
        }
        uint8_t byte = (uint8_t)i;
        fh_cursor cur = fh_cursor_make(&byte, 1, 0);
        cr_assert(eq(u32, fh_edc(&cur, 0, 1), want));
    }
}

/* Bytes that are taken eight at a time count as one by one, wherever they begin and end. */
Test(edc, of_all_lengths)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 151 + 43);
    }
    for (size_t from = 0; from < 9; from++) {
        uint32_t want = 0;
        for (size_t len = 0; from + len < sizeof bytes; len++) {
            const fh_cursor cur = fh_cursor_make(bytes, sizeof bytes, 0);
            cr_assert(eq(u32, fh_edc(&cur, from, len), want));
            cr_assert(eq(u32,
                         fh_edc_more(fh_edc_more(0, bytes + from, len / 2), bytes + from + len / 2,
                                     len - len / 2),
                         want));
            want ^= bytes[from + len];
            for (int step = 0; step < 8; step++) {
                want = (want >> 1) ^ ((want & 1) != 0 ? 0xd8018001u : 0);
            }
        }
    }
}
