#include "bench.h"

#include <string.h>

static fh_layout find(const image *img, fh_layout_choice choice)
{
    size_t num = img->raw.len < FH_READER_WINDOW ? img->raw.len : FH_READER_WINDOW;
    fh_cursor window = fh_cursor_make(img->raw.data, num, 0);
    fh_layout out;
    fh_layout_find(&out, choice, &window, (int64_t)img->raw.len);
    return out;
}

static void check(const image *img, uint32_t stride, int64_t start)
{
    fh_layout out = find(img, FH_LAYOUT_AUTO);
    cr_assert(eq(u32, out.stride, stride));
    cr_assert(eq(i64, out.start, start));
    cr_assert(not(out.ambiguous));
}

Test(layout, names)
{
    const char *names[] = {"plain", "2048", "2336", "2352", "2368", "2448"};
    image img = image_make();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fh_layout_choice choice = FH_LAYOUT_AUTO;
        cr_assert(fh_layout_parse(&choice, names[i]));
        fh_layout out = find(&img, choice);
        cr_assert(strcmp(fh_layout_name(&out), names[i]) == 0);
    }
    fh_layout_choice choice = FH_LAYOUT_2048;
    cr_assert(fh_layout_parse(&choice, "auto") && choice == FH_LAYOUT_AUTO);
    const char *wrong[] = {"", "0", "2353", "2352 ", "raw", "AUTO"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert(not(fh_layout_parse(&choice, wrong[i])));
    }
}

Test(layout, raw_images_from_one_sector_on)
{
    const uint32_t strides[] = {2352, 2368, 2448};
    for (size_t i = 0; i < 3; i++) {
        for (int num = 1; num <= 6; num++) {
            for (uint8_t mode = 0; mode <= 2; mode++) {
                image img = image_make();
                image_run(&img, (spec){.stride = strides[i], .mode = mode}, num);
                check(&img, strides[i], 0);
                image_free(&img);
            }
        }
    }
}

Test(layout, raw_images_that_are_cut)
{
    for (size_t len = 2352 + 16; len < 5 * 2352; len += 97) {
        image img = image_make();
        image_run(&img, (spec){.stride = 2352, .mode = 2}, 5);
        img.raw.len = len;
        check(&img, 2352, 0);
        image_free(&img);
    }
}

Test(layout, prefixes)
{
    const size_t prefixes[] = {1, 44, 777, 2352, 65535};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        image img = image_make();
        image_junk(&img, prefixes[i], FH_STREAM_RAW);
        image_run(&img, (spec){.stride = 2352, .mode = 2}, 4);
        check(&img, 2352, (int64_t)prefixes[i]);
        image_free(&img);
    }
    image img = image_make();
    image_junk(&img, 65536, FH_STREAM_RAW);
    image_run(&img, (spec){.stride = 2352, .mode = 2}, 4);
    check(&img, 0, 0);
    image_free(&img);
}

Test(layout, damage_in_the_first_sectors_is_no_prefix)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2}, 20);
    img.raw.data[2352 + 5] = 0;
    check(&img, 2352, 0);
    img.raw.data[5] = 0;
    check(&img, 2352, 2 * 2352);
    image_free(&img);
}

Test(layout, odd_headers_of_four_sectors)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2, .bad_address = true}, 4);
    check(&img, 2352, 0);
    img.raw.len = 3 * 2352;
    check(&img, 0, 0);
    image_free(&img);
}

static void put_sync(image *img, size_t off)
{
    memcpy(img->raw.data + off, "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0", 12);
}

Test(layout, plain_files_with_a_few_syncs)
{
    image img = image_make();
    image_junk(&img, 200000, FH_STREAM_PLAIN);
    check(&img, 0, 0);
    put_sync(&img, 0);
    check(&img, 0, 0);
    put_sync(&img, 2352);
    put_sync(&img, 2 * 2352);
    check(&img, 0, 0);
    put_sync(&img, 4 * 2352);
    check(&img, 0, 0);
    put_sync(&img, img.raw.len - 2352);
    check(&img, 0, 0);
    image_free(&img);
}

Test(layout, short_plain_files_with_a_sync)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 1}, 2);
    img.raw.data[2352 + 3] = 0;
    for (size_t len = 0; len < 2600; len += len < 2340 ? 39 : 1) {
        img.raw.len = len;
        bool fits = len == 2352 || len == 2368 || len == 2448;
        check(&img, fits ? (uint32_t)len : 0, 0);
    }
    image_free(&img);
}

Test(layout, iso_images)
{
    const struct {
        uint32_t stride;
        size_t data_off;
    } cases[] = {{2048, 0}, {2336, 8}};
    for (size_t i = 0; i < 2; i++) {
        image img = image_make();
        image_run(&img, (spec){.stride = cases[i].stride, .mode = 2, .stream = FH_STREAM_DATA}, 30);
        if (i == 1) { /* subheaders that prove nothing */
            for (size_t k = 0; k < 30; k++) {
                memset(img.raw.data + k * 2336, 0, 8);
            }
        }
        check(&img, 0, 0);
        image_put_iso(&img, cases[i].stride, 0, cases[i].data_off, 22);
        check(&img, cases[i].stride, 0);
        cr_assert(find(&img, FH_LAYOUT_AUTO).has_iso);
        img.raw.data[22 * cases[i].stride + cases[i].data_off] = 0; /* no directory any more */
        check(&img, cases[i].stride, 0);
        image_free(&img);
    }
}

Test(layout, iso_image_behind_a_prefix_needs_its_directory)
{
    image img = image_make();
    image_junk(&img, 513, FH_STREAM_RAW);
    image_run(&img, (spec){.stride = 2048, .stream = FH_STREAM_DATA}, 30);
    image_put_iso(&img, 2048, 513, 0, 22);
    check(&img, 2048, 513);
    img.raw.data[513 + 22 * 2048] = 33;
    check(&img, 0, 0);
    image_free(&img);
}

/* What a file of the image holds, sector by sector, says nothing of the image. */
Test(layout, iso_images_with_raw_sectors_in_their_first_file)
{
    const struct {
        uint32_t stride;
        size_t data_off;
    } cases[] = {{2048, 0}, {2336, 8}};
    const uint32_t inner[] = {2352, 2368, 2448};
    for (size_t i = 0; i < 6; i++) {
        const uint32_t stride = cases[i / 3].stride;
        image img = image_make();
        image file = image_make();
        image_run(&img, (spec){.stride = stride, .mode = 2, .stream = FH_STREAM_DATA}, 60);
        image_run(&file, (spec){.stride = inner[i % 3], .mode = 2, .stream = FH_STREAM_DATA}, 20);
        memcpy(img.raw.data + 23 * stride, file.raw.data, file.raw.len);
        check(&img, inner[i % 3], (int64_t)(23 * stride));
        image_put_iso(&img, stride, 0, cases[i / 3].data_off, 22);
        check(&img, stride, 0);
        cr_assert(find(&img, FH_LAYOUT_AUTO).has_iso);
        cr_assert(eq(i64, find(&img, (fh_layout_choice)(FH_LAYOUT_2352 + i % 3)).start,
                     (int64_t)(23 * stride)));
        image_free(&img);
        image_free(&file);
    }
}

Test(layout, a_first_sync_counts_before_a_descriptor)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2, .stream = FH_STREAM_DATA}, 60);
    image_put_iso(&img, 2048, 0, 0, 22);
    check(&img, 2352, 0);
    image_free(&img);
}

/* All syncs of the first 64 KiB are lost, but the volume descriptor tells the layout. */
Test(layout, raw_image_by_its_descriptor)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2, .stream = FH_STREAM_DATA}, 40);
    image_put_iso(&img, 2352, 0, 24, 22);
    for (size_t i = 0; i < 30; i++) {
        img.raw.data[i * 2352 + 3] = 0;
    }
    check(&img, 2352, 0);
    image_free(&img);
}

Test(layout, subheaders)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2336, .mode = 2}, 15);
    check(&img, 0, 0);
    image_run(&img, (spec){.stride = 2336, .mode = 2, .form2 = true, .audio = true}, 25);
    check(&img, 2336, 0);
    cr_assert(not(find(&img, FH_LAYOUT_AUTO).has_iso));
    img.raw.data[20 * 2336] ^= 1; /* damage later on */
    check(&img, 2336, 0);
    img.raw.data[3 * 2336] ^= 1; /* but not among the first */
    check(&img, 0, 0);
    image_free(&img);
}

Test(layout, fills_are_no_subheaders)
{
    const int fills[] = {0x00, 0x01, 0x08, 0x20, 0xff};
    for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++) {
        image img = image_make();
        image_junk(&img, 20 * 2336, FH_STREAM_PLAIN);
        memset(img.raw.data, fills[k], img.raw.len);
        check(&img, 0, 0);
        for (size_t i = 0; i < img.raw.len; i += 4) { /* a period of four bytes */
            memcpy(img.raw.data + i, "\0\0\x08", 4);
        }
        check(&img, 0, 0);
        image_free(&img);
    }
}

Test(layout, ties_are_told_and_the_larger_sector_wins)
{
    image img = image_make();
    image_junk(&img, 4 * 2448 - 2352, FH_STREAM_RAW);
    for (size_t i = 0; i < 4; i++) {
        put_sync(&img, i * 2352);
        put_sync(&img, i * 2448);
    }
    img.raw.len = 3 * 2448 + 20;
    fh_layout out = find(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(u32, out.stride, 2448));
    cr_assert(out.ambiguous);
    cr_assert(eq(str, out.candidates, "2448 (score 4), 2352 (score 4)"));
    out = find(&img, FH_LAYOUT_2352);
    cr_assert(eq(u32, out.stride, 2352));
    cr_assert(not(out.ambiguous));
    image_free(&img);
}

Test(layout, choices_are_obeyed)
{
    image img = image_make();
    image_junk(&img, 44, FH_STREAM_RAW);
    image_run(&img, (spec){.stride = 2352, .mode = 2}, 8);
    cr_assert(eq(u32, find(&img, FH_LAYOUT_PLAIN).stride, 0));
    cr_assert(eq(i64, find(&img, FH_LAYOUT_PLAIN).start, 0));
    cr_assert(eq(u32, find(&img, FH_LAYOUT_2048).stride, 2048));
    cr_assert(eq(i64, find(&img, FH_LAYOUT_2048).start, 0));
    cr_assert(eq(i64, find(&img, FH_LAYOUT_2352).start, 44));
    cr_assert(eq(u32, find(&img, FH_LAYOUT_2448).stride, 2448));
    image_free(&img);
}

Test(layout, size_unknown)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2}, 4);
    fh_cursor window = fh_cursor_make(img.raw.data, img.raw.len, 0);
    fh_layout out;
    fh_layout_find(&out, FH_LAYOUT_AUTO, &window, FH_UNKNOWN);
    cr_assert(eq(u32, out.stride, 2352));
    image_free(&img);
}
