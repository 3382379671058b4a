/* Who claims a sector: movies by their chunks, copies by their addresses, sums by track. */
#include "bench.h"
#include "source/movies.h"

#include <stdlib.h>
#include <string.h>

static const spec form1 = {.stride = 2352, .mode = 2, .stream = FH_STREAM_DATA};
static const spec form2 = {.stride = 2352, .mode = 2, .form2 = true, .stream = FH_STREAM_FORM2};
static const spec audio = {
    .stride = 2352, .mode = 2, .form2 = true, .audio = true, .stream = FH_STREAM_NUM};
static const spec lost = {.stride = 2352, .no_sync = true, .stream = FH_STREAM_RAW};

/* A chunk as it stands in user data. */
typedef struct chunk {
    uint16_t type, number, num;
    uint32_t frame, len;
    uint16_t width, height;
    uint8_t channel;
} chunk;

static const chunk first = {
    .type = 0x8001, .number = 0, .num = 3, .frame = 1, .len = 6000, .width = 320, .height = 240};

static void put16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *to, uint32_t value)
{
    put16(to, value);
    put16(to + 2, value >> 16);
}

static void put_chunk(uint8_t *data, const chunk *of)
{
    put16(data, 0x160);
    put16(data + 2, of->type);
    put16(data + 4, of->number);
    put16(data + 6, of->num);
    put32(data + 8, of->frame);
    put32(data + 12, of->len);
    put16(data + 16, of->width);
    put16(data + 18, of->height);
}

/* Appends a sector with a chunk; data tells whether its bytes are to come out as data. */
static void add_chunk(image *img, int lba, chunk of, bool data)
{
    spec sector = form1;
    sector.lba = lba;
    image_add(img, &sector);
    uint8_t *raw = img->raw.data + img->raw.len - 2352;
    raw[17] = raw[21] = of.channel;
    put_chunk(raw + 24, &of);
    byte_run *want = &img->want[FH_STREAM_DATA];
    if (data) {
        put_chunk(want->data + want->len - 2048, &of);
    } else {
        want->len -= 2048;
    }
}

static chunk at(uint32_t frame, uint16_t number)
{
    chunk of = first;
    of.frame = frame;
    of.number = number;
    return of;
}

static void add_data(image *img, int lba, int num)
{
    spec sector = form1;
    sector.lba = lba;
    image_run(img, sector, num);
}

/* Frames first to last, each of three chunks. Returns the next LBA. */
static int add_movie(image *img, int lba, uint32_t from, uint32_t to)
{
    for (uint32_t frame = from; frame <= to; frame++) {
        for (uint16_t i = 0; i < 3; i++) {
            add_chunk(img, lba++, at(frame, i), false);
        }
    }
    return lba;
}

static int64_t claimed(const result *res, fh_sector_claim claim)
{
    int64_t sectors = 0;
    for (size_t i = 0; i < res->coverage->num_runs; i++) {
        const fh_covered *run = &res->coverage->runs[i];
        sectors += run->claim == claim ? run->sectors : 0;
    }
    return sectors + res->coverage->rest[claim].sectors;
}

static void done(image *img, result *res)
{
    bench_free(res);
    image_free(img);
}

/* ---- movies ---- */

Test(claims, a_movie_is_left_out)
{
    image img = image_make();
    add_data(&img, 0, 10);
    const int lba = add_movie(&img, 10, 1, 4);
    add_data(&img, lba, 10);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    ONLY_RULES(&res, FH_IMG0014);
    cr_assert(eq(str, (char *)res.findings[FH_IMG0014].field, "movie"));
    cr_assert(eq(str, res.findings[FH_IMG0014].context, "12 sectors, first at raw offset 0x5be0"));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), 12));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_DATA), 20));
    cr_assert(eq(sz, res.num_events, 2)); /* a skip and the end: an asset may go on behind it */
    cr_assert(eq(i64, res.events[0].skipped, 12));
    done(&img, &res);
}

/* One sector that looks like a chunk, what is no picture, and types of programs stay data. */
Test(claims, what_only_looks_like_a_movie_is_data)
{
    chunk wrong[] = {first, first, first, first, first, first};
    wrong[1].type = 0x8000;
    wrong[2].width = wrong[2].height = 0; /* polygons */
    wrong[3].number = 3;
    wrong[4].len = 3 * 2016 + 1;
    wrong[5].width = 1025;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        image img = image_make();
        add_data(&img, 0, 10);
        const int num = i == 0 ? 1 : 40;
        for (int k = 0; k < num; k++) {
            chunk of = wrong[i];
            of.frame += (uint32_t)k / 3;
            of.number = i == 3 ? 3 : (uint16_t)(k % 3);
            add_chunk(&img, 10 + k, of, true);
        }
        add_data(&img, 10 + num, 10);
        result res = bench_run(&img, FH_LAYOUT_AUTO);
        bench_only_rules(&res, NULL, 0);
        cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), 0), "%zu", i);
        done(&img, &res);
    }
}

/* The next chunk is looked for in 32 sectors, of the same channel. */
Test(claims, the_reach_of_a_successor)
{
    for (int gap = 30; gap <= 33; gap++) {
        image img = image_make();
        const bool near = gap < 32;
        add_data(&img, 0, 10);
        add_chunk(&img, 10, at(1, 0), !near);
        add_data(&img, 11, gap);
        add_chunk(&img, 11 + gap, at(1, 1), !near);
        add_data(&img, 12 + gap, 40);
        result res = bench_run(&img, FH_LAYOUT_AUTO);
        cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), near ? 2 : 0), "%d", gap);
        cr_assert(res.found[FH_IMG0074] == near);
        done(&img, &res);
    }
}

Test(claims, another_channel_is_no_successor)
{
    image img = image_make();
    add_data(&img, 0, 10);
    for (uint16_t i = 0; i < 3; i++) {
        chunk of = at(1, i);
        of.channel = (uint8_t)(i + 1);
        add_chunk(&img, 10 + i, of, true);
    }
    add_data(&img, 13, 10);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    bench_only_rules(&res, NULL, 0);
    done(&img, &res);
}

/* Two movies in two channels, data and sound, sector by sector. */
Test(claims, interleaved_channels)
{
    image img = image_make();
    add_data(&img, 0, 4);
    int lba = 4;
    for (uint16_t i = 0; i < 60; i++) {
        chunk of = at(1 + i / 3, i % 3);
        of.channel = 1;
        add_chunk(&img, lba++, of, false);
        add_data(&img, lba++, 1);
        of = at(8 + i / 3, i % 3);
        of.channel = 31;
        add_chunk(&img, lba++, of, false);
        spec sound = audio;
        sound.lba = lba++;
        image_add(&img, &sound);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), 120));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_XA_AUDIO), 60));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_DATA), 64));
    done(&img, &res);
}

static void expect_fault(image *img, const char *found, const char *expected)
{
    result res = bench_run(img, FH_LAYOUT_AUTO);
    if (found == NULL) {
        cr_assert(not(res.found[FH_IMG0074]));
    } else {
        cr_assert(res.found[FH_IMG0074]);
        cr_assert(eq(str, res.findings[FH_IMG0074].found, (char *)found));
        cr_assert(eq(str, res.findings[FH_IMG0074].expected, (char *)expected));
    }
    done(img, &res);
}

Test(claims, chunks_missing_or_out_of_order)
{
    image img = image_make();
    int lba = add_movie(&img, 0, 1, 2);
    add_chunk(&img, lba++, at(3, 0), false);
    add_chunk(&img, lba++, at(3, 2), false);
    lba = add_movie(&img, lba, 4, 5);
    expect_fault(&img, "frame 3, chunk 2 of 3", "frame 3, chunk 1 of 3");

    img = image_make(); /* a frame */
    lba = add_movie(&img, 0, 1, 2);
    add_movie(&img, lba, 4, 5);
    expect_fault(&img, "frame 4, chunk 0 of 3", "frame 3, chunk 0");

    img = image_make(); /* its beginning */
    add_data(&img, 0, 4);
    add_chunk(&img, 4, at(1, 1), false);
    add_chunk(&img, 5, at(1, 2), false);
    expect_fault(&img, "frame 1, chunk 1 of 3", "frame 1, chunk 0 of 3");

    img = image_make(); /* its end */
    lba = add_movie(&img, 0, 1, 2);
    add_chunk(&img, lba++, at(3, 0), false);
    add_data(&img, lba, 40);
    expect_fault(&img, "frame 3, chunk 0 of 3", "frame 3, chunk 1 of 3 behind it");

    img = image_make(); /* another movie behind a whole one is sound */
    lba = add_movie(&img, 0, 1, 2);
    add_movie(&img, lba, 1, 2);
    expect_fault(&img, NULL, NULL);
}

/* 512 KiB hold 222 sectors: wherever a chunk of the reader ends, its successor is seen. */
Test(claims, movies_across_the_chunks_of_the_reader)
{
    image img = image_make();
    int lba = 0;
    for (int i = 0; i < 60; i++) {
        add_data(&img, lba, 11);
        lba = add_movie(&img, lba + 11, 1, 1);
        add_data(&img, lba, i % 5 + 1);
        lba += i % 5 + 1;
    }
    result res = bench_pipe(&img, FH_LAYOUT_AUTO, 70001);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), 180));
    done(&img, &res);
}

Test(claims, movies_without_headers)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2048, .stream = FH_STREAM_DATA}, 30);
    image_put_iso(&img, 2048, 0, 0, 22);
    for (uint16_t i = 0; i < 6; i++) {
        image_run(&img, (spec){.stride = 2048, .stream = FH_STREAM_NUM}, 1);
        const chunk of = at(1 + i / 3, i % 3);
        put_chunk(img.raw.data + img.raw.len - 2048, &of);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_MOVIE), 6));
    ONLY_RULES(&res, FH_IMG0014);
    done(&img, &res);
}

/* ---- the other claims ---- */

Test(claims, sound_of_illegal_coding_is_searched)
{
    image img = image_make();
    image_run(&img, form1, 6);
    spec sector = form2;
    sector.audio = true;
    sector.lba = 6;
    image_run(&img, sector, 2);
    img.raw.data[6 * 2352 + 19] = img.raw.data[6 * 2352 + 23] = 0x02;
    img.raw.data[7 * 2352 + 19] = img.raw.data[7 * 2352 + 23] = 0x55; /* legal, with emphasis */
    img.want[FH_STREAM_FORM2].len -= 2324;
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_FORM2), 1));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_XA_AUDIO), 1));
    done(&img, &res);
}

/* Empty sectors are counted, and come out all the same. */
Test(claims, empty_sectors_are_searched)
{
    image img = image_make();
    image_run(&img, form1, 9);
    for (size_t i = 3; i < 6; i++) {
        memset(img.raw.data + i * 2352 + 24, (int)(i * 50), 2048);
        memset(img.want[FH_STREAM_DATA].data + i * 2048, (int)(i * 50), 2048);
    }
    img.raw.data[5 * 2352 + 24 + 2047] ^= 1; /* but for its last byte */
    img.want[FH_STREAM_DATA].data[5 * 2048 + 2047] ^= 1;
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_EMPTY), 2));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_DATA), 7));
    cr_assert(eq(sz, res.num_events, 1));
    bench_only_rules(&res, NULL, 0);
    done(&img, &res);
}

static void copy_sector(image *img, size_t from)
{
    uint8_t sector[2352];
    memcpy(sector, img->raw.data + from * 2352, sizeof sector);
    spec room = form1;
    room.stream = FH_STREAM_NUM;
    image_add(img, &room);
    memcpy(img->raw.data + img->raw.len - 2352, sector, sizeof sector);
}

Test(claims, copies_of_a_sector_are_left_out)
{
    image img = image_make();
    add_data(&img, 0, 8);
    copy_sector(&img, 7);
    copy_sector(&img, 7);
    add_data(&img, 8, 8);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_REPEATED), 2));
    cr_assert(eq(sz, res.num_events, 1)); /* no skip: nothing of another stream lies there */
    ONLY_RULES(&res, FH_IMG0005, FH_IMG0017);
    cr_assert(eq(str, res.findings[FH_IMG0017].context, "2 sectors, first at raw offset 0x4980"));
    done(&img, &res);
}

/* Where all headers behind the first sectors are alike, equal bytes are no copies. */
Test(claims, equal_sectors_with_equal_headers_are_kept)
{
    image img = image_make();
    add_data(&img, 0, 8);
    for (int i = 0; i < 40; i++) {
        spec sector = form1;
        sector.lba = 8;
        image_add(&img, &sector);
        uint8_t *raw = img.raw.data + img.raw.len - 2352;
        memset(raw + 24, 0, 2048);
        byte_run *want = &img.want[FH_STREAM_DATA];
        memset(want->data + want->len - 2048, 0, 2048);
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_REPEATED), 0));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_EMPTY), 40));
    done(&img, &res);
}

/* ---- sums ---- */

static void expect_whole(const result *res)
{
    int64_t len = 0;
    for (size_t i = 0; i < res->coverage->num_runs; i++) {
        cr_assert(eq(i64, res->coverage->runs[i].raw_off, len));
        len += res->coverage->runs[i].len;
    }
    for (size_t i = 0; i < FH_CLAIM_NUM; i++) {
        len += res->coverage->rest[i].len;
    }
    cr_assert(eq(i64, len, (int64_t)res->img->raw.len));
}

static void add_track(image *img, spec sector, int lba, int num)
{
    sector.lba = lba;
    image_run(img, sector, num);
}

Test(claims, tracks_and_audio)
{
    image img = image_make();
    image_junk(&img, 44, FH_STREAM_RAW);
    add_track(&img, form1, 0, 400);
    add_track(&img, lost, 0, 300);
    add_track(&img, form1, 700, 10);
    add_track(&img, lost, 0, 299);
    add_track(&img, (spec){.stride = 2352, .mode = 1, .stream = FH_STREAM_DATA}, 1009, 10);
    image_junk(&img, 13, FH_STREAM_RAW);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    const fh_coverage *got = res.coverage;
    cr_assert(eq(sz, got->num_tracks, 4));
    cr_assert(eq(i64, got->tracks[0].sectors[FH_CLAIM_DATA], 400));
    cr_assert(eq(i64, got->tracks[0].sectors[FH_CLAIM_LOST], 0));
    cr_assert(eq(i64, got->tracks[1].raw_off, 44 + 400 * 2352));
    cr_assert(eq(i64, got->tracks[1].sectors[FH_CLAIM_AUDIO], 300));
    cr_assert(eq(i64, got->tracks[2].sectors[FH_CLAIM_DATA], 10));
    cr_assert(eq(i64, got->tracks[2].sectors[FH_CLAIM_LOST], 299));
    cr_assert(eq(i64, got->tracks[3].sectors[FH_CLAIM_DATA], 10));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_OUTSIDE), 0));
    cr_assert(eq(sz, got->num_runs, 7));
    expect_whole(&res);
    done(&img, &res);
}

/* More runs than are kept: the others are summed, and nothing is lost. */
Test(claims, runs_beyond_the_limit_are_summed)
{
    image img = image_make();
    for (int i = 0; i < 1200; i += 2) {
        add_track(&img, form1, i, 1);
        add_track(&img, audio, i + 1, 1);
    }
    add_track(&img, form2, 1200, 3);
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    const fh_coverage *got = res.coverage;
    cr_assert(eq(sz, got->num_runs, FH_MAX_COVERAGE_RUNS));
    cr_assert(eq(i64, got->rest[FH_CLAIM_DATA].runs, 600 - 512));
    cr_assert(eq(i64, got->rest[FH_CLAIM_FORM2].sectors, 3));
    cr_assert(eq(i64, got->rest[FH_CLAIM_FORM2].raw_off, FH_UNKNOWN));
    cr_assert(eq(i64, claimed(&res, FH_CLAIM_XA_AUDIO), 600));
    expect_whole(&res);
    done(&img, &res);
}

Test(claims, bytes_of_assets)
{
    fh_coverage *c = calloc(1, sizeof *c);
    fh_coverage_add(c, FH_CLAIM_DATA, 0, 100, 0, true);
    fh_coverage_add(c, FH_CLAIM_EMPTY, 100, 100, 1, true);
    fh_coverage_asset(c, FH_CLAIM_DATA, 99, 1);
    fh_coverage_asset(c, FH_CLAIM_EMPTY, 100, 20);
    fh_coverage_end(c);
    fh_coverage_asset(c, FH_CLAIM_EMPTY, 199, 3);
    cr_assert(eq(i64, c->runs[0].asset_bytes, 1));
    cr_assert(eq(i64, c->runs[1].asset_bytes, 23));
    free(c);
}

Test(claims, have_names)
{
    for (unsigned i = 0; i < FH_CLAIM_NUM; i++) {
        for (unsigned k = 0; k < i; k++) {
            cr_assert(
                strcmp(fh_claim_name((fh_sector_claim)i), fh_claim_name((fh_sector_claim)k)) != 0);
        }
    }
}
