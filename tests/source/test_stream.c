#include "bench.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const spec form1 = {.stride = 2352, .mode = 2, .stream = FH_STREAM_DATA};
static const spec mode1 = {.stride = 2352, .mode = 1, .stream = FH_STREAM_DATA};
static const spec form2 = {.stride = 2352, .mode = 2, .form2 = true, .stream = FH_STREAM_FORM2};
static const spec audio = {
    .stride = 2352, .mode = 2, .form2 = true, .audio = true, .stream = FH_STREAM_NUM};
static const spec lost = {.stride = 2352, .no_sync = true, .stream = FH_STREAM_RAW};

static spec at_lba(spec sector, int lba)
{
    sector.lba = lba;
    return sector;
}

static void no_rules(const result *res)
{
    bench_only_rules(res, NULL, 0);
}

static void done(image *img, result *res)
{
    bench_free(res);
    image_free(img);
}

Test(stream, every_layout_and_mode)
{
    const uint32_t strides[] = {2048, 2336, 2352, 2368, 2448};
    const int64_t none = FH_UNKNOWN;
    for (size_t i = 0; i < 5; i++) {
        for (uint8_t mode = strides[i] < 2352 ? 2 : 1; mode <= 2; mode++) {
            image img = image_make();
            spec sector = {.stride = strides[i], .mode = mode, .stream = FH_STREAM_DATA};
            image_run(&img, sector, 30);
            if (strides[i] == 2048) {
                image_put_iso(&img, 2048, 0, 0, 22);
            }
            result res = bench_run(&img, FH_LAYOUT_AUTO);
            cr_assert(eq(u32, res.layout.stride, strides[i]));
            cr_assert(eq(sz, res.num_lbas, 30));
            for (int64_t k = 0; k < 30; k++) {
                cr_assert(eq(i64, res.lbas[k], strides[i] == 2336 ? none : k));
            }
            cr_assert(eq(sz, res.num_events, 1));
            cr_assert(eq(sz, bench_seams(&res, FH_STREAM_DATA, FH_SEAM_END), 1));
            cr_assert(eq(i64, res.events[0].seam.raw_off, (int64_t)img.raw.len));
            no_rules(&res);
            done(&img, &res);
        }
    }
}

Test(stream, lba_of_2336_with_a_descriptor)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2336, .mode = 2, .stream = FH_STREAM_DATA}, 30);
    image_put_iso(&img, 2336, 0, 8, 22);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, res.lbas[29], 29));
    done(&img, &res);
}

Test(stream, plain_files)
{
    const size_t sizes[] = {0, 1, 100, 524288, 524289, 3000001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        image img = image_make();
        image_junk(&img, sizes[i], FH_STREAM_PLAIN);
        result res = bench_run(&img, FH_LAYOUT_AUTO);
        cr_assert(eq(u32, res.layout.stride, 0));
        cr_assert(eq(sz, res.num_events, sizes[i] > 0 ? 1 : 0));
        no_rules(&res);
        done(&img, &res);
    }
}

Test(stream, plain_file_with_one_fake_sync)
{
    image img = image_make();
    image_add(&img, &(spec){.stride = 2352, .mode = 1, .stream = FH_STREAM_NUM});
    image_random(&img.raw, &img, 100000);
    img.want[FH_STREAM_PLAIN].len = 0;
    image copy = image_make();
    image_junk(&copy, img.raw.len, FH_STREAM_PLAIN);
    memcpy(copy.raw.data, img.raw.data, img.raw.len);
    memcpy(copy.want[FH_STREAM_PLAIN].data, img.raw.data, img.raw.len);
    result res = bench_run(&copy, FH_LAYOUT_AUTO);
    cr_assert(eq(u32, res.layout.stride, 0));
    done(&copy, &res);
    image_free(&img);
}

/* The same disc must have the same user offsets in every layout. */
Test(stream, forms_alternate)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 12);
    image_run(&img, at_lba(form2, 12), 4);
    image_run(&img, at_lba(form1, 16), 4);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    for (int64_t i = 0; i < 20; i++) {
        cr_assert(eq(i64, res.lbas[i], i));
    }
    cr_assert(eq(sz, res.num_events, 3));
    cr_assert(res.events[0].is_skip);
    cr_assert(eq(int, (int)res.events[0].seam.stream, FH_STREAM_DATA));
    cr_assert(eq(i64, res.events[0].skipped, 4));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_FORM2], 4));
    no_rules(&res);
    done(&img, &res);
}

Test(stream, xa_audio_between_is_left_out)
{
    image img = image_make();
    for (int i = 0; i < 40; i += 8) {
        image_run(&img, at_lba(form1, i), 7);
        image_run(&img, at_lba(audio, i + 7), 1);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, res.counts.xa_audio, 5));
    cr_assert(eq(sz, res.num_events, 5)); /* four skips and the end */
    cr_assert(res.events[3].is_skip);
    ONLY_RULES(&res, FH_IMG0014);
    cr_assert(eq(i64, res.findings[FH_IMG0014].offset, 7 * 2352));
    cr_assert(eq(str, res.findings[FH_IMG0014].context, "5 sectors, first at raw offset 0x4050"));
    done(&img, &res);
}

Test(stream, missing_sectors_are_a_seam)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 6);
    image_run(&img, at_lba(form2, 6), 1);
    image_run(&img, at_lba(form1, 7), 1);
    image_run(&img, at_lba(form1, 100), 6);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_DATA, FH_SEAM_JUMP), 1));
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_FORM2, FH_SEAM_JUMP), 1));
    const fh_seam *seam = &res.events[1].seam;
    cr_assert(eq(i64, seam->lba, 100));
    cr_assert(eq(i64, seam->raw_off, 8 * 2352));
    cr_assert(eq(i64, seam->stream_off, 7 * 2048));
    cr_assert(eq(i64, res.lbas[8], 100));
    ONLY_RULES(&res, FH_IMG0005);
    cr_assert(eq(str, res.findings[FH_IMG0005].found, "0x000325, LBA 100"));
    cr_assert(eq(str, res.findings[FH_IMG0005].expected, "LBA 8"));
    done(&img, &res);
}

Test(stream, repeated_sectors_are_no_seam)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 6);
    image_run(&img, at_lba(form1, 5), 6);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    cr_assert(eq(i64, res.lbas[6], 5));
    ONLY_RULES(&res, FH_IMG0005);
    done(&img, &res);
}

Test(stream, equal_addresses_give_no_lba)
{
    image img = image_make();
    for (int i = 0; i < 20; i++) {
        image_add(&img, &form1);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    for (size_t i = 0; i < 20; i++) {
        cr_assert(eq(i64, res.lbas[i], FH_UNKNOWN));
    }
    cr_assert(eq(sz, res.num_events, 1));
    ONLY_RULES(&res, FH_IMG0005);
    cr_assert(eq(str, res.findings[FH_IMG0005].context, "19 sectors, first at raw offset 0x930"));
    done(&img, &res);
}

Test(stream, addresses_that_are_no_bcd)
{
    image img = image_make();
    spec sector = form1;
    sector.bad_address = true;
    image_run(&img, sector, 8);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, res.lbas[3], FH_UNKNOWN));
    cr_assert(eq(sz, res.num_events, 1));
    ONLY_RULES(&res, FH_IMG0005);
    cr_assert(eq(str, res.findings[FH_IMG0005].expected, "minute, second and frame in BCD"));
    done(&img, &res);
}

/* Every length of the last sector: what is there of its data belongs to the stream. */
Test(stream, last_sector_cut)
{
    const spec kinds[] = {form1, mode1, form2};
    for (size_t k = 0; k < 3; k++) {
        size_t off = k == 1 ? 16 : 24;
        size_t full = k == 2 ? 2324 : 2048;
        for (size_t len = 1; len < 2352; len += len < 30 ? 1 : 331) {
            image img = image_make();
            image_run(&img, kinds[k], 6);
            size_t kept = len < off ? 0 : len - off < full ? len - off : full;
            image_cut(&img, 5 * 2352 + len, kinds[k].stream, full - kept);
            if (len < 16) {
                byte_run *raw = &img.want[FH_STREAM_RAW];
                raw->data = memcpy(calloc(1, 16), img.raw.data + 5 * 2352, len);
                raw->len = len;
            }
            result res = bench_run(&img, FH_LAYOUT_AUTO);
            if (len < 16) {
                ONLY_RULES(&res, FH_IMG0003);
                cr_assert(eq(sz, bench_seams(&res, kinds[k].stream, FH_SEAM_LAYOUT), 1));
            } else {
                ONLY_RULES(&res, FH_IMG0003, FH_IMG0015);
                cr_assert(eq(sz, res.num_events, 1));
            }
            cr_assert(eq(i64, res.findings[FH_IMG0003].offset, 5 * 2352));
            done(&img, &res);
        }
    }
}

Test(stream, last_sector_of_2048_cut)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2048, .stream = FH_STREAM_DATA}, 30);
    image_put_iso(&img, 2048, 0, 0, 22);
    image_cut(&img, 29 * 2048 + 1, FH_STREAM_DATA, 2047);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, res.lbas[29], 29));
    ONLY_RULES(&res, FH_IMG0003, FH_IMG0015);
    done(&img, &res);
}

Test(stream, prefixes)
{
    const size_t prefixes[] = {44, 777, 60001};
    for (size_t i = 0; i < 3; i++) {
        image img = image_make();
        image_junk(&img, prefixes[i], FH_STREAM_RAW);
        image_run(&img, form1, 400);
        result res = bench_run(&img, FH_LAYOUT_AUTO);
        cr_assert(eq(i64, res.layout.start, (int64_t)prefixes[i]));
        cr_assert(eq(sz, bench_seams(&res, FH_STREAM_RAW, FH_SEAM_LAYOUT), 1));
        cr_assert(eq(sz, res.num_events, 2));
        cr_assert(eq(i64, res.lbas[399], 399));
        ONLY_RULES(&res, FH_IMG0019);
        done(&img, &res);
    }
}

/* A descriptor lets an image begin anywhere in the window, behind the first chunk too. */
Test(stream, prefix_longer_than_a_chunk)
{
    image img = image_make();
    image_junk(&img, 700001, FH_STREAM_RAW);
    image_run(&img, (spec){.stride = 2048, .stream = FH_STREAM_DATA}, 300);
    image_put_iso(&img, 2048, 700001, 0, 22);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, res.layout.start, 700001));
    ONLY_RULES(&res, FH_IMG0019);
    done(&img, &res);
}

Test(stream, lost_sectors)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 10);
    image_run(&img, lost, 3);
    image_run(&img, at_lba(form1, 13), 10);
    image_run(&img, lost, 1);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_DATA, FH_SEAM_LAYOUT), 2));
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_RAW, FH_SEAM_LAYOUT), 1));
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_RAW, FH_SEAM_END), 1));
    cr_assert(eq(i64, res.lbas[13], 13));
    ONLY_RULES(&res, FH_IMG0004);
    cr_assert(eq(i64, res.findings[FH_IMG0004].offset, 10 * 2352));
    cr_assert(eq(str, res.findings[FH_IMG0004].context, "4 sectors, first at raw offset 0x5be0"));
    done(&img, &res);
}

Test(stream, an_audio_track_is_no_damage)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 10);
    image_run(&img, lost, 300);
    image_run(&img, at_lba(form1, 310), 10);
    image_run(&img, lost, 299);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    ONLY_RULES(&res, FH_IMG0004);
    cr_assert(eq(i64, res.findings[FH_IMG0004].offset, 320 * 2352));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_NO_SYNC], 599));
    done(&img, &res);
}

Test(stream, kinds_of_track)
{
    image img = image_make();
    image_run(&img, at_lba(mode1, 0), 10);
    image_run(&img, at_lba((spec){.stride = 2352, .stream = FH_STREAM_NUM}, 10), 5);
    image_run(&img, at_lba(form1, 15), 10);
    image_run(&img, at_lba(mode1, 25), 10);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, bench_seams(&res, FH_STREAM_DATA, FH_SEAM_KIND), 2));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_MODE0], 5));
    ONLY_RULES(&res, FH_IMG0006, FH_IMG0078);
    cr_assert(eq(i64, res.findings[FH_IMG0006].offset, 10 * 2352));
    cr_assert(eq(str, res.findings[FH_IMG0006].context, "3 sectors, first at raw offset 0x5be0"));
    done(&img, &res);
}

Test(stream, damaged_mode_bytes)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 10);
    img.raw.data[4 * 2352 + 15] = 0x42;
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    ONLY_RULES(&res, FH_IMG0006);
    cr_assert(eq(str, res.findings[FH_IMG0006].found, "66"));
    cr_assert(eq(str, res.findings[FH_IMG0006].context, "1 sectors, first at raw offset 0x24c0"));
    done(&img, &res);
}

Test(stream, mode_that_nothing_tells)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 7, .stream = FH_STREAM_RAW}, 6);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    ONLY_RULES(&res, FH_IMG0006);
    done(&img, &res);
}

Test(stream, damaged_subheader)
{
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 10);
    img.raw.data[4 * 2352 + 18] ^= 0x20;
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    ONLY_RULES(&res, FH_IMG0007);
    cr_assert(eq(str, res.findings[FH_IMG0007].found, "0x00 0x00 0x28 0x00"));
    cr_assert(eq(str, res.findings[FH_IMG0007].expected, "0x00 0x00 0x08 0x00"));
    done(&img, &res);
}

Test(stream, mode2_without_xa)
{
    image img = image_make();
    spec sector = {.stride = 2352, .mode = 2, .no_xa = true, .stream = FH_STREAM_DATA};
    image_run(&img, sector, 8);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    cr_assert(eq(i64, res.lbas[7], 7));
    ONLY_RULES(&res, FH_IMG0007);
    done(&img, &res);
}

/* The user data of a sector begin with as many zeros as two subheaders have, or with another word
 * twice: that makes no XA sector of it, nor of those behind it. */
Test(stream, mode2_without_xa_that_begins_with_equal_words)
{
    static const uint8_t words[][4] = {
        {0}, {0, 0x10, 0, 0}, {0xff, 0xff, 0xff, 0xff}, {0, 0, 8, 0}};
    static const int places[][3] = {{5, 5, 5}, {0, 5, 9}, {4, 5, 6}, {0, 0, 11}};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < (i == 0 ? 4 : 1); k++) {
            image img = image_make();
            image_run(&img,
                      (spec){.stride = 2352, .mode = 2, .no_xa = true, .stream = FH_STREAM_DATA},
                      12);
            for (size_t j = 0; j < 3; j++) {
                const size_t at = (size_t)places[k][j];
                for (size_t n = 0; n < 8; n++) {
                    img.raw.data[2352 * at + 16 + n] = words[i][n % 4];
                    img.want[FH_STREAM_DATA].data[2336 * at + n] = words[i][n % 4];
                }
            }
            result res = bench_run(&img, FH_LAYOUT_AUTO);
            cr_assert(eq(sz, res.num_events, 1));
            cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_MODE2], 12));
            ONLY_RULES(&res, FH_IMG0007);
            done(&img, &res);
        }
    }
}

/* All zeros, as an asset may have them, are not the end of it either. */
Test(stream, mode2_without_xa_with_sectors_of_zeros)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2, .no_xa = true, .stream = FH_STREAM_DATA}, 40);
    memset(img.want[FH_STREAM_DATA].data + 2336 * 8, 0, 2336 * 20);
    for (size_t i = 8; i < 28; i++) {
        memset(img.raw.data + 2352 * i + 16, 0, 2336);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(sz, res.num_events, 1));
    cr_assert(eq(i64, res.counts.kinds[FH_SECTOR_MODE2], 40));
    done(&img, &res);
}

/* Subheaders of zeros, as some tools write them: one that is damaged is alone. */
Test(stream, subheaders_of_zeros)
{
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    image img = image_make();
    image_run(&img, at_lba(form1, 0), 20);
    for (size_t i = 0; i < 20; i++) {
        memset(img.raw.data + 2352 * i + 16, 0, 8);
    }
    img.raw.data[2352 * 1 + 17] = 1;
    img.raw.data[2352 * 9 + 17] = 1;
    for (size_t i = 0; i < 20; i++) {
        const fh_cursor bytes = fh_cursor_make(img.raw.data + 2352 * i, 2352, 0);
        fh_sector sector;
        fh_sector_read(&sector, &bytes, 2352, &habit);
        fh_sector_note(&habit, &sector);
        cr_assert(
            eq(int, (int)sector.kind, (int)(i == 1 || i == 9 ? FH_SECTOR_MODE2 : FH_SECTOR_FORM1)));
    }
    image_free(&img);
}

/* 512 KiB is no multiple of any raw sector size: sectors lie across the ends of chunks. */
static image long_image(uint32_t stride)
{
    image img = image_make();
    for (int i = 0; i < 1500; i += 10) {
        image_run(&img, (spec){.stride = stride, .mode = 2, .lba = i, .stream = FH_STREAM_DATA}, 8);
        image_run(&img,
                  (spec){.stride = stride,
                         .mode = 2,
                         .lba = i + 8,
                         .form2 = true,
                         .audio = true,
                         .stream = FH_STREAM_NUM},
                  1);
        image_run(&img, (spec){.stride = stride, .mode = 2, .lba = i + 9, .stream = FH_STREAM_DATA},
                  1);
    }
    return img;
}

static void check_long(const result *res, int64_t lba)
{
    cr_assert(eq(sz, res->num_lbas, 1500));
    cr_assert(eq(i64, res->lbas[1499], lba));
    ONLY_RULES(res, FH_IMG0014);
    cr_assert(eq(i64, res->counts.xa_audio, 150));
}

Test(stream, sectors_across_chunks)
{
    const uint32_t strides[] = {2352, 2368, 2448};
    for (size_t i = 0; i < 3; i++) {
        image img = image_make();
        image_run(&img, (spec){.stride = strides[i], .mode = 2, .stream = FH_STREAM_DATA}, 1500);
        result res = bench_run(&img, FH_LAYOUT_AUTO);
        cr_assert(eq(sz, res.num_events, 1));
        cr_assert(eq(sz, res.num_lbas, 1500));
        for (int64_t k = 0; k < 1500; k++) {
            cr_assert(eq(i64, res.lbas[k], k));
        }
        no_rules(&res);
        done(&img, &res);
    }
}

Test(stream, skips_across_chunks)
{
    image img = long_image(2352);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    check_long(&res, 1499);
    done(&img, &res);
}

Test(stream, standard_input_gives_the_same)
{
    image img = long_image(2352);
    result res = bench_pipe(&img, FH_LAYOUT_AUTO, 3001);
    check_long(&res, 1499);
    done(&img, &res);
}

Test(stream, standard_input_of_one_byte)
{
    image img = image_make();
    image_junk(&img, 1, FH_STREAM_PLAIN);
    result res = bench_pipe(&img, FH_LAYOUT_AUTO, 1);
    cr_assert(eq(i64, res.counts.bytes[FH_STREAM_PLAIN], 1));
    done(&img, &res);
}

/* A layout that does not fit, said by the user: everything still comes out somewhere. */
Test(stream, wrong_layout_loses_nothing)
{
    image img = image_make();
    image_junk(&img, 100000, FH_STREAM_RAW);
    result res = bench_run(&img, FH_LAYOUT_2352);
    ONLY_RULES(&res, FH_IMG0003, FH_IMG0004);
    cr_assert(eq(sz, res.num_events, 1));
    done(&img, &res);
}

typedef struct stopper {
    int64_t bytes;
    int64_t limit;
    int findings;
} stopper;

static void stop_piece(void *user, const fh_piece *piece)
{
    stopper *at = user;
    at->bytes += (int64_t)piece->len;
}

static void stop_finding(void *user, const fh_finding *finding)
{
    stopper *at = user;
    at->findings += finding->rule == &fh_image_rules.rules[FH_IMG0018] ? 1 : 0;
}

static bool stop_now(void *user)
{
    stopper *at = user;
    return at->bytes >= at->limit;
}

/* 1 TiB of holes: memory stays flat, and the work ends when it is told to. */
Test(stream, stops_in_a_sparse_file)
{
    int fd = memfd_create("sparse", 0);
    cr_assert(fd >= 0 && ftruncate(fd, (off_t)1 << 40) == 0);
    cr_assert(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    fh_reader reader;
    cr_assert(fh_reader_open(&reader, "-", NULL, NULL) == FH_READER_OK);
    fh_layout layout = {.stride = 2352, .ambiguous = true, .candidates = "this, that"};
    stopper at = {.limit = (int64_t)8 << 20};
    fh_stream_sink sink = {
        .user = &at, .piece = stop_piece, .finding = stop_finding, .stop = stop_now};
    cr_assert(fh_source_stream(&reader, NULL, &layout, &sink) == FH_SOURCE_STOPPED);
    cr_assert(at.bytes >= at.limit && at.bytes < at.limit + (1 << 20));
    cr_assert(eq(int, at.findings, 1));
    fh_reader_close(&reader);
    close(fd);
}

Test(stream, read_error)
{
    fh_reader reader;
    cr_assert(fh_reader_open(&reader, "/proc/self/mem", NULL, NULL) == FH_READER_OK);
    fh_layout layout = {.stride = 0};
    stopper at = {.limit = 1};
    fh_stream_sink sink = {.user = &at, .piece = stop_piece};
    cr_assert(fh_source_stream(&reader, NULL, &layout, &sink) == FH_SOURCE_READ_ERROR);
    cr_assert(eq(i64, at.bytes, 0));
    fh_reader_close(&reader);
}

Test(stream, names_of_seams)
{
    for (unsigned i = FH_SEAM_JUMP; i <= FH_SEAM_END; i++) {
        cr_assert(strlen(fh_seam_name((fh_seam_reason)i)) > 0);
    }
}

Test(rules, are_complete_and_in_order)
{
    cr_assert(eq(sz, fh_image_rules.num_rules, FH_IMG_NUM_RULES));
    cr_assert(strcmp(fh_image_rules.format, "image") == 0);
    for (size_t i = 0; i < fh_image_rules.num_rules; i++) {
        const fh_rule *rule = &fh_image_rules.rules[i];
        cr_assert(eq(sz, strlen(rule->code), 7));
        cr_assert(strlen(rule->explanation) > 80 && strlen(rule->mend) > 30);
        cr_assert(i == 0 || strcmp(rule[-1].code, rule->code) < 0);
        cr_assert(rule->title[strlen(rule->title) - 1] != '.');
    }
}
