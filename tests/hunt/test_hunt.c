/* The hunt: what it finds in sources made for it, and what that costs. */
#include "field.h"

#include "hunt/extract.h"
#include "hunt/hash.h"
#include "hunt/track_impl.h"
#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNIT " r 0 0 0 s 4096 4096 4096 t 0 0 0\n"
static const char small[] = "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT;
enum { SMALL_LEN = 8 + 8 + 4 + 36, CHUNK = 512 << 10, JUNK = 0xff };

Test(hunt, candidates_at_all_alignments)
{
    for (int every = 0; every < 2; every++) {
        for (size_t off = 0; off < 16; off++) {
            field f;
            field_open(&f);
            f.options.every_offset = every != 0;
            put_fill(&f.source, JUNK, off);
            put_tod(&f.source, small);
            put_fill(&f.source, JUNK, 5);
            field_hunt(&f);
            const bool want = every != 0 || off % 4 == 0;
            HOLD(f.status == FH_HUNT_OK && strcmp(f.told.record.status, "complete") == 0, "status");
            HOLD(f.num_assets == (want ? 1 : 0), "offset %zu: %zu assets", off, f.num_assets);
            HOLD(!want || (f.assets[0].raw == (int64_t)off && f.assets[0].len == SMALL_LEN),
                 "place");
            HOLD(!want || (strcmp(f.assets[0].grade, "replayed") == 0 && f.assets[0].has_replay),
                 "grade");
            HOLD(field_count(&f, "TOD0011") == (want && off % 4 != 0 ? 1 : 0), "TOD0011");
            HOLD(!want || off % 4 == 0 || field_find(&f, "TOD0011")->raw == (int64_t)off,
                 "its place");
            field_close(&f);
        }
    }
}

/* Across the seam of two chunks in every way, and at the very end of the source. */
static void hold_at_edge(int at, bool behind, bool every)
{
    field f;
    field_open(&f);
    f.options.every_offset = every;
    put_fill(&f.source, JUNK, (size_t)(CHUNK + at));
    put_tod(&f.source, small);
    put_fill(&f.source, JUNK, behind ? CHUNK + 3 : 0);
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK && f.num_assets == 1, "at %d: %zu assets", at, f.num_assets);
    HOLD(f.assets[0].raw == CHUNK + at && f.assets[0].len == SMALL_LEN, "at %d", at);
    field_close(&f);
}

Test(hunt, assets_at_the_edges_of_chunks)
{
    for (int at = -SMALL_LEN - 4; at <= 8; at++) {
        for (int behind = 0; behind < 2; behind++) {
            if (at % 4 == 0) {
                hold_at_edge(at, behind != 0, false);
            }
            hold_at_edge(at, behind != 0, true);
        }
    }
}

Test(hunt, an_asset_of_several_chunks)
{
    field f;
    field_open(&f);
    put_fill(&f.source, JUNK, 12);
    const size_t before = f.source.len;
    put_tod(&f.source, "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
                       "repeat 48000\nframe +\ncoord 1 diff t 1 0 0\nendrepeat");
    const size_t len = f.source.len - before;
    put_tod(&f.source, small);
    cr_assert(gt(sz, len, 1 << 20));
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(eq(sz, f.num_assets, 2));
    cr_assert(eq(i64, f.assets[0].raw, 12));
    cr_assert(eq(i64, f.assets[0].len, (int64_t)len));
    cr_assert(eq(i64, f.assets[1].raw, (int64_t)(12 + len)));
    cr_assert(eq(i64, f.assets[1].len, SMALL_LEN));
    cr_assert(eq(str, f.assets[0].grade, "replayed"));
    cr_assert(eq(sz, f.num_findings, 0));
    field_close(&f);
}

Test(hunt, adjacent_assets)
{
    field f;
    field_open(&f);
    for (int i = 0; i < 50; i++) {
        put_tod(&f.source, small);
    }
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 50));
    for (int i = 0; i < 50; i++) {
        HOLD(f.assets[i].raw == i * SMALL_LEN, "asset %d", i);
    }
    cr_assert(eq(sz, f.num_findings, 0));
    field_close(&f);
}

/* ---- texts, whose magic may stand at any byte ---- */

#define CHANNEL(name, value) "(" name "(kf 0 " value "))"
#define VECTOR(name, x, y, z) CHANNEL(name ".x", x) CHANNEL(name ".y", y) CHANNEL(name ".z", z)
static const char tra[] =
    ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 1)(bone(name \"a\")" VECTOR(
        "translate", "0", "0", "0") VECTOR("scale", "100", "100", "100")
        VECTOR("rotate", "0", "0", "1") CHANNEL("roll", "0") "))\n";
enum { TRA_LEN = sizeof tra - 1 };

static void open_for_all(field *f)
{
    field_open(f);
    f->options.formats = fh_formats;
    f->options.num_formats = fh_num_formats;
}

/* Every other asset is a TOD at a multiple of 4, the texts between them stand anywhere. */
Test(hunt, texts_between_aligned_assets)
{
    for (size_t shift = 0; shift < 8; shift++) {
        field f;
        open_for_all(&f);
        for (int i = 0; i < 40; i++) {
            put_tod(&f.source, small);
            put_fill(&f.source, JUNK, shift);
            put(&f.source, tra, TRA_LEN);
            put_fill(&f.source, JUNK, 3 + (0 - (f.source.len + 3)) % 4);
        }
        field_hunt(&f);
        HOLD(f.status == FH_HUNT_OK && f.num_assets == 80 && f.num_findings == 0,
             "shift %zu: %zu assets, %zu findings", shift, f.num_assets, f.num_findings);
        for (size_t i = 1; i < f.num_assets; i++) {
            HOLD(f.assets[i].raw > f.assets[i - 1].raw, "order of asset %zu", i);
            HOLD(f.assets[i].len == (i % 2 == 0 ? SMALL_LEN : TRA_LEN), "length of asset %zu", i);
            HOLD(strcmp(f.assets[i].grade, "replayed") == 0, "grade of asset %zu", i);
        }
        field_close(&f);
    }
}

/* Across the seam of two chunks in every way, at the end of the source, and behind a window whose
 * front is no multiple of anything. */
Test(hunt, texts_at_the_edges_of_chunks)
{
    for (int at = -TRA_LEN - 4; at <= 8; at += 3) {
        for (int is_last = 0; is_last < 2; is_last++) {
            field f;
            open_for_all(&f);
            put_fill(&f.source, JUNK, (size_t)(CHUNK + at));
            put(&f.source, tra, TRA_LEN);
            put_fill(&f.source, JUNK, is_last != 0 ? 0 : CHUNK + 3);
            put(&f.source, tra, is_last != 0 ? 0 : TRA_LEN);
            field_hunt(&f);
            HOLD(f.num_assets == (is_last != 0 ? 1 : 2), "at %d: %zu assets", at, f.num_assets);
            HOLD(f.assets[0].raw == CHUNK + at && f.assets[0].len == TRA_LEN, "at %d", at);
            field_close(&f);
        }
    }
}

static void put_units(bytes *to, const char *text, bool is_big)
{
    for (; *text != '\0'; text++) {
        const uint8_t unit[2] = {is_big ? 0 : (uint8_t)*text, is_big ? (uint8_t)*text : 0};
        put(to, unit, 2);
    }
}

/* A file may begin with a text in any form, and another one may follow. */
Test(hunt, texts_that_begin_a_file)
{
    static const char *const fronts[] = {"", "\xef\xbb\xbf", "\r\n\n", "\xff\xfe", "\xfe\xff", "x"};
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        field f;
        open_for_all(&f);
        put(&f.source, fronts[i], strlen(fronts[i]));
        if (i == 3 || i == 4) {
            put_units(&f.source, tra, i == 4);
        } else {
            put(&f.source, tra, TRA_LEN);
        }
        const int64_t len = (int64_t)f.source.len;
        put_units(&f.source, tra, false);
        field_hunt(&f);
        HOLD(f.num_assets == 2 && field_count(&f, "RUN0003") == 0, "front %zu", i);
        HOLD(f.assets[0].raw == (i == 5 ? 1 : 0) && f.assets[0].len == (i == 5 ? len - 1 : len),
             "front %zu: %lld bytes at %lld", i, (long long)f.assets[0].len,
             (long long)f.assets[0].raw);
        HOLD(f.assets[1].raw == len && f.assets[1].len == 2 * TRA_LEN, "behind front %zu", i);
        field_close(&f);
    }
}

/* One frame whose packets carry whole files. */
static const char nest[] = "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
                           "packet 1 9 0 0x40050 1 0x20005 0 0x01080002 0x02020002 7\n"
                           "packet 1 9 0 0x40050 1 0x20005 0 0x01080002 0x02020002 7\n";

Test(hunt, nested_readings_are_counted)
{
    field f;
    field_open(&f);
    put_fill(&f.source, JUNK, 4);
    put_tod(&f.source, nest);
    put_tod(&f.source, small);
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 2));
    cr_assert(eq(sz, field_count(&f, "RUN0003"), 1));
    const told_finding *inside = field_find(&f, "RUN0003");
    cr_assert(eq(str, (char *)inside->found, "2, the first at +0x3c"));
    cr_assert(eq(i64, inside->asset, 0));
    cr_assert(eq(i64, inside->raw, 4 + 0x3c));
    cr_assert(eq(i64, inside->offset, 0x3c));
    field_close(&f);
}

/* The last packet of the first file is the header of a second, which goes on behind it. */
Test(hunt, overlapping_assets)
{
    field f;
    field_open(&f);
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, 1);
    put_u32(&f.source, 0x30008);
    put_u32(&f.source, 0);
    put_u32(&f.source, 0x01080001);
    put_u32(&f.source, 0x02020001);
    put_u32(&f.source, 7);
    put_u32(&f.source, 0x03090001);
    const int64_t second = (int64_t)f.source.len;
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, 1);
    put_u32(&f.source, 0x10003);
    put_u32(&f.source, 0);
    put_u32(&f.source, 0x01080002);
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 2));
    cr_assert(eq(i64, f.assets[1].raw, second));
    cr_assert(eq(i64, f.assets[1].len, 20));
    const told_finding *overlap = field_find(&f, "RUN0004");
    cr_assert(eq(i64, overlap->asset, 1));
    cr_assert(eq(str, (char *)overlap->found, "8 bytes shared with the asset at 0x0"));
    field_close(&f);
}

/* So many bytes of frames: 32 of the largest, one of the rest. */
static void put_words(bytes *to, uint32_t num_words)
{
    put_u32(to, 0x40050);
    put_u32(to, (num_words - 2 + 65534) / 65535);
    for (uint32_t left = num_words - 2, i = 0; left > 0; i++) {
        const uint32_t size = left < 65535 ? left : 65535;
        uint32_t body = size - 2;
        if (i == 0) { /* something that sets */
            body--;
        }
        put_u32(to, size | ((body + 254) / 255 + (i == 0 ? 1 : 0)) << 16);
        put_u32(to, i);
        if (i == 0) {
            put_u32(to, 0x01080001);
        }
        while (body > 0) {
            const uint32_t len = body < 255 ? body : 255;
            put_u32(to, len << 24 | 0x00090001);
            put_fill(to, JUNK, (len - 1) * 4);
            body -= len;
        }
        left -= size;
    }
}

Test(hunt, the_longest_asset_and_one_that_is_longer)
{
    for (uint32_t extra = 0; extra < 2; extra++) {
        field f;
        field_open(&f);
        f.options.replay = false;
        put_fill(&f.source, JUNK, 8);
        put_words(&f.source, (8u << 20) / 4 + extra);
        put_tod(&f.source, small);
        field_hunt(&f);
        HOLD(f.status == FH_HUNT_OK, "status");
        HOLD(f.num_assets == (extra == 0 ? 2 : 1), "%u words more: %zu assets", extra,
             f.num_assets);
        HOLD(f.assets[0].len == (extra == 0 ? 8 << 20 : SMALL_LEN), "length %d",
             (int)f.assets[0].len);
        HOLD(field_count(&f, "RUN0002") == extra, "RUN0002");
        HOLD(f.told.hit_limit == (extra != 0) &&
                 strcmp(f.told.record.status, extra ? "limit" : "complete") == 0,
             "limit");
        HOLD(extra == 0 || field_find(&f, "RUN0002")->raw == 8, "place");
        field_close(&f);
    }
}

Test(hunt, near_misses_are_told_twenty_times_and_counted)
{
    for (size_t num = 1; num < 30; num += 7) {
        field f;
        field_open(&f);
        for (size_t i = 0; i < num; i++) {
            put_tod(&f.source, "tod resolution=4\nframe 0\nmodel 1 2\nmodel 3 4\nframe 1 size=1");
        }
        field_hunt(&f);
        HOLD(f.num_assets == 0 && f.status == FH_HUNT_OK, "assets");
        HOLD(field_count(&f, "RUN0006") == (num <= 20 ? num : 21), "%zu of %zu",
             field_count(&f, "RUN0006"), num);
        HOLD(strcmp(f.findings[0].found, "1 sound frame, 48 bits, then TOD0021 at +0x20") == 0,
             "%s", f.findings[0].found);
        HOLD(f.findings[0].raw == 0 && f.findings[0].asset == FH_UNKNOWN, "place");
        HOLD(num <= 20 ||
                 strcmp(f.findings[20].found, num == 22 ? "2, not listed" : "9, not listed") == 0,
             "rest");
        field_close(&f);
    }
}

/* What has too little evidence is counted, the best one told, and nothing claimed by it. */
Test(hunt, readings_with_too_little_evidence)
{
    static const char weak[] = "tod resolution=4\nframe 0\nmodel 1 2";
    static const char strong[] = "tod resolution=4\nframe 0\nmodel 1 2\nmodel 2 3";
    for (uint32_t least = 40; least <= 49; least++) {
        field f;
        field_open(&f);
        f.options.min_evidence = least;
        put_fill(&f.source, 0xee, 64);
        put_tod(&f.source, weak);
        put_fill(&f.source, 0xee, 64);
        put_tod(&f.source, strong);
        put_fill(&f.source, 0xee, 64);
        put_tod(&f.source, weak);
        field_hunt(&f);
        const size_t num_weak = least <= 40 ? 0 : least <= 48 ? 2 : 3;
        HOLD(f.status == FH_HUNT_OK && f.num_assets == 3 - num_weak, "%u: %zu assets", least,
             f.num_assets);
        HOLD(f.told.num_weak == (int64_t)num_weak, "counted");
        HOLD(field_count(&f, "RUN0011") == (num_weak > 0 ? 1 : 0), "RUN0011");
        HOLD(num_weak == 0 || strcmp(field_find(&f, "RUN0011")->found,
                                     num_weak == 2 ? "2, the best a tod with 40 bits at 0x40"
                                                   : "3, the best a tod with 48 bits at 0x98") == 0,
             "%s", field_find(&f, "RUN0011")->found);
        field_close(&f);
    }
}

/* A file that an asset fills needs no evidence: where it ends is one more thing that is right. */
Test(hunt, a_small_asset_that_is_a_file)
{
    for (size_t behind = 0; behind <= 4; behind += 4) {
        field f;
        field_open(&f);
        f.options.min_evidence = 1000;
        put_tod(&f.source, "tod resolution=4\nframe 0\nmodel 1 2");
        put_fill(&f.source, 0, behind);
        field_hunt(&f);
        HOLD(f.num_assets == (behind == 0 ? 1 : 0), "%zu behind", behind);
        HOLD(field_count(&f, "RUN0011") == (behind == 0 ? 0 : 1), "%zu behind", behind);
        field_close(&f);
    }
}

enum { MOST_UNITS_A_BYTE = 64 };

static void hold_work(const field *f, uint64_t most_units_a_byte)
{
    HOLD(f->units <= most_units_a_byte * f->source.len,
         "%llu units of work for %zu bytes: %llu a byte", (unsigned long long)f->units,
         f->source.len, (unsigned long long)(f->units / f->source.len));
}

Test(hunt, thousands_of_false_magics)
{
    field f;
    field_open(&f);
    for (uint32_t i = 0; i < 300000; i++) {
        put_u32(&f.source, 0x00000050 | i << 16);
    }
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(eq(sz, f.num_assets, 0));
    cr_assert(eq(sz, f.num_findings, 0));
    hold_work(&f, MOST_UNITS_A_BYTE);
    field_close(&f);
}

/* A frame with the header of a file in its last packet. */
static void put_link(bytes *to, uint32_t number, uint32_t count)
{
    put_u32(to, 0x30008);
    put_u32(to, number);
    put_u32(to, 0x01080001);
    put_u32(to, 0x02020001);
    put_u32(to, 7);
    put_u32(to, 0x03090001);
    put_u32(to, 0x40050);
    put_u32(to, count);
}

Test(hunt, a_long_chain_with_many_entrances_that_breaks)
{
    enum { NUM = 5000 };
    field f;
    field_open(&f);
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, NUM + 1);
    for (uint32_t i = 0; i < NUM; i++) {
        put_link(&f.source, i, NUM - i);
    }
    put_fill(&f.source, JUNK, CHUNK * 2);
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(eq(sz, f.num_assets, 0));
    hold_work(&f, MOST_UNITS_A_BYTE);
    field_close(&f);
}

/* The same at the end of the source with counts that cannot be true: each says how many frames are
 * sound, and looks for itself. */
Test(hunt, a_long_chain_with_many_impossible_counts)
{
    enum { NUM = 4000 };
    field f;
    field_open(&f);
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, 1000000);
    for (uint32_t i = 0; i < NUM; i++) {
        put_link(&f.source, i, 1000000);
    }
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 0));
    hold_work(&f, MOST_UNITS_A_BYTE);
    field_close(&f);
}

/* Every entrance is a sound file that ends one frame behind the one before it. */
Test(hunt, a_long_chain_of_overlapping_assets)
{
    enum { NUM = 600 };
    field f;
    field_open(&f);
    f.options.replay = false;
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, NUM);
    for (uint32_t i = 0; i < 2 * NUM; i++) {
        put_link(&f.source, i, i < NUM ? NUM : 0);
    }
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    /* The floor of an asset's account pays for so many bytes that are shared. */
    const uint64_t most = 4 * f.source.len + (FH_INSIDE_BUDGET_FLOOR / FH_INSIDE_BUDGET_PER_BYTE);
    cr_expect(le(u64, f.examined_bytes, most),
              "%llu bytes examined, %zu assets told, of a source of %zu bytes",
              (unsigned long long)f.examined_bytes, f.num_assets, f.source.len);
    hold_work(&f, MOST_UNITS_A_BYTE);
    field_close(&f);
}

/* Every entrance leads into a chain that is longer than any asset can be. */
Test(hunt, a_chain_that_is_too_long_with_many_entrances)
{
    enum { NUM = 5000 };
    field f;
    field_open(&f);
    f.options.replay = false;
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, 1000000);
    for (uint32_t i = 0; i < NUM; i++) {
        put_link(&f.source, i, 1000000);
    }
    for (uint32_t i = 0; f.source.len < (8u << 20) + 2 * CHUNK; i++) {
        put_u32(&f.source, 0x10003);
        put_u32(&f.source, NUM + i);
        put_u32(&f.source, 0x01080001);
    }
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(gt(sz, field_count(&f, "RUN0002"), 0));
    hold_work(&f, MOST_UNITS_A_BYTE); /* each walk to the end costs a quarter of a unit a byte */
    field_close(&f);
}

/* A small asset whose payload is the header of a large one must not keep that from being found, nor
 * pay for it. */
Test(hunt, a_large_asset_that_begins_inside_a_small_one)
{
    enum { NUM_FRAMES = 20, NUM_PACKETS = 60000, PREFIX = 24 };
    field f;
    field_open(&f);
    f.options.replay = false;
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, 1);
    put_u32(&f.source, 0x20006); /* 6 words, 2 packets */
    put_u32(&f.source, 0);
    put_u32(&f.source, 0x01080001); /* create */
    put_u32(&f.source, 0x03090001); /* user-defined, with two words: */
    put_u32(&f.source, 0x40050);
    put_u32(&f.source, NUM_FRAMES);
    for (uint32_t i = 0; i < NUM_FRAMES; i++) {
        put_u32(&f.source, (uint32_t)NUM_PACKETS << 16 | (NUM_PACKETS + 2));
        put_u32(&f.source, i);
        for (uint32_t k = 0; k < NUM_PACKETS; k++) {
            put_u32(&f.source, k == 0 && i == 0 ? 0x01080001 : 0x01090001);
        }
    }
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(eq(sz, f.num_assets, 2));
    cr_assert(eq(i64, f.assets[1].raw, PREFIX));
    cr_assert(eq(i64, f.assets[1].len, (int64_t)f.source.len - PREFIX));
    cr_assert(eq(sz, field_count(&f, "RUN0004"), 1));
    cr_assert(eq(sz, field_count(&f, "RUN0009"), 0));
    field_close(&f);
}

static const char model[] = "hmd\nblocks 0 @body 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                            "args: header !polygons !vertices !normals !coords\n"
                            "body: primitive header=@args\nrecord 0x00800008 (side-polygons)\n"
                            "polygons:\nside: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                            "vertices:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                            "normals:\nvec 0 0 -4096\n";

/* Every seven words an HMD whose primitive headers are one common section, so many bytes behind
 * them: each has to be walked over before it is seen that no block of it has a primitive. */
static void put_models(bytes *to, uint32_t num_models, size_t between)
{
    enum { WORDS = 7 };
    for (uint32_t i = 0; i < num_models; i++) {
        put_u32(to, 0x50);
        put_u32(to, 0);
        put_u32(to, WORDS * (num_models - i) + (uint32_t)between / 4);
        put_u32(to, 2);
        put_u32(to, 0);
        put_u32(to, 0);
        put_u32(to, 0);
    }
}

/* As long as the rest. */
static void put_headers(bytes *to, uint32_t num_headers)
{
    put_u32(to, num_headers);
    put_fill(to, 0, (size_t)4 * num_headers);
}

static void put_common_headers(bytes *to, uint32_t num_models, uint32_t num_headers)
{
    put_models(to, num_models, 0);
    put_headers(to, num_headers);
}

/* What the search of one format may cost, with the second looks, and one asset besides. */
static uint64_t most_search(size_t len)
{
    return FH_SEARCH_BUDGET_FLOOR + FH_AGAIN_BUDGET_FLOOR +
           FH_SEARCH_BUDGET_PER_BYTE * (uint64_t)len;
}

static uint64_t most_own(size_t len)
{
    return FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * (uint64_t)len;
}

/* The last finding tells of all places that have none of their own: how many there are, and from
 * where to where they lie. */
static void hold_starved_range(const field *f, int64_t last)
{
    const told_finding *before = NULL;
    const told_finding *range = NULL;
    for (size_t i = 0; i < f->num_findings; i++) {
        if (strcmp(f->findings[i].code, "RUN0010") == 0) {
            before = range;
            range = &f->findings[i];
        }
    }
    HOLD(before != NULL, "no range");
    char wanted[FH_EVIDENCE_LEN];
    (void)snprintf(wanted, sizeof wanted, "%lld, up to 0x%04llx",
                   (long long)((last - before->raw) / 28), (unsigned long long)last);
    cr_assert(eq(str, (char *)range->field, "further places"));
    cr_assert(eq(str, (char *)range->found, wanted));
    cr_assert(eq(i64, range->raw, before->raw + 28));
}

Test(hunt, headers_that_thousands_of_models_share)
{
    enum { NUM_MODELS = 2000, NUM_HEADERS = 200000 };
    field f;
    field_open_for(&f, "hmd");
    put_fill(&f.source, JUNK, 4);
    const size_t first = f.source.len;
    put_hmd(&f.source, model);
    const size_t len = f.source.len - first;
    put_common_headers(&f.source, NUM_MODELS, NUM_HEADERS);
    put_fill(&f.source, JUNK, (size_t)2 * CHUNK);
    const size_t second = f.source.len;
    put_hmd(&f.source, model);
    put_fill(&f.source, JUNK, 64);
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK && f.told.hit_limit, "status %d", (int)f.status);
    cr_assert(eq(str, (char *)f.told.record.status, "limit"));
    const uint64_t most = most_search(f.source.len) + 2 * most_own(len);
    HOLD(f.units <= most && f.units > FH_SEARCH_BUDGET_FLOOR, "%llu units of work, not %llu",
         (unsigned long long)f.units, (unsigned long long)most);
    HOLD((uint64_t)NUM_MODELS * NUM_HEADERS > 4 * most, "the source is too small for the test");
    cr_assert(eq(sz, field_count(&f, "RUN0010"), FH_MAX_FINDINGS_PER_RULE + 1));
    /* The last ones were looked at again, and are known to be nothing. */
    hold_starved_range(&f, (int64_t)(first + len + 28 * (NUM_MODELS - 1 - FH_AGAIN_VAIN)));
    const told_finding *starved = field_find(&f, "RUN0010");
    HOLD(starved->asset == FH_UNKNOWN && starved->raw > (int64_t)(first + len) &&
             starved->raw < (int64_t)(first + len + 28 * NUM_MODELS),
         "at %lld", (long long)starved->raw);
    HOLD(f.num_assets == 2, "%zu assets", f.num_assets);
    cr_assert(eq(i64, f.assets[0].raw, (int64_t)first));
    cr_assert(eq(i64, f.assets[0].len, (int64_t)len));
    cr_assert(eq(i64, f.assets[1].raw, (int64_t)second));
    cr_assert(eq(i64, f.assets[1].len, (int64_t)len));
    field_close(&f);
}

/* Behind places that have spent everything an asset has what the bytes in front of it pay; one of
 * another format has an account of its own, however near it lies. */
Test(hunt, what_leads_far_away_hides_nothing_behind_it)
{
    enum { NUM_MODELS = 2000, NUM_HEADERS = 100000 };
    field f;
    field_open_for(&f, "hmd");
    put_fill(&f.source, JUNK, 4);
    put_common_headers(&f.source, NUM_MODELS, NUM_HEADERS);
    const size_t first = f.source.len;
    put_hmd(&f.source, model);
    put_fill(&f.source, JUNK, 64);
    field_hunt(&f);
    HOLD(field_find(&f, "RUN0010")->raw < (int64_t)first, "the models were to be given up");
    HOLD(f.num_assets == 1 && f.assets[0].raw == (int64_t)first, "%zu assets", f.num_assets);
    field_close(&f);
    const fh_format *both[] = {fh_format_find("hmd"), fh_format_find("tod")};
    bytes between = {0};
    put_tod(&between, small);
    field_open(&f);
    f.options.formats = both;
    f.options.num_formats = 2;
    put_fill(&f.source, JUNK, 4);
    put_models(&f.source, NUM_MODELS, between.len);
    const size_t second = f.source.len;
    put_tod(&f.source, small);
    put_headers(&f.source, NUM_HEADERS);
    field_hunt(&f);
    HOLD(field_find(&f, "RUN0010")->raw < (int64_t)second, "the models were to be given up");
    HOLD(f.num_assets == 1 && f.assets[0].raw == (int64_t)second, "%zu assets", f.num_assets);
    field_close(&f);
    free(between.data);
}

/* A model whose records all draw the same run of packets: work that grows with the square of its
 * length. normals: word of their section, 0 = behind the rest. */
static void put_square_model(bytes *to, uint32_t num, uint32_t normals)
{
    const uint32_t record = 25 + 8 + 3;
    const uint32_t packets = record + 3 * num;
    const uint32_t vertices = packets + 3 * num;
    const uint32_t front[] = {0x50, 0, 28, 3, 0, 33, 0, 1};
    for (size_t i = 0; i < sizeof front / sizeof front[0]; i++) {
        put_u32(to, front[i]);
    }
    put_fill(to, 0, 4 * 20);
    put_u32(to, 1);
    put_u32(to, 3);
    put_u32(to, 0x80000000u | packets);
    put_u32(to, 0x80000000u | vertices);
    put_u32(to, 0x80000000u | (normals > 0 ? normals : vertices + 6));
    put_u32(to, 0xffffffff);
    put_u32(to, 29);
    put_u32(to, 0x80000000u | num);
    for (uint32_t i = 0; i < num; i++) {
        put_u32(to, 0x00000008);
        put_u32(to, 0x80000002u | num << 16);
        put_u32(to, 0);
    }
    for (uint32_t i = 0; i < num; i++) {
        put_u32(to, 0x20000000);
        put_u32(to, 0);
        put_u32(to, 0);
    }
    put_fill(to, 0, 4 * 8);
}

/* An accepted asset pays for its probe, but only as much as it may cost itself. */
Test(hunt, models_with_more_work_than_bytes)
{
    enum { NUM_MODELS = 12, NUM_PACKETS = 1600 };
    field f;
    field_open_for(&f, "hmd");
    for (int i = 0; i < NUM_MODELS; i++) {
        put_square_model(&f.source, NUM_PACKETS, 0);
    }
    field_hunt(&f);
    HOLD(f.num_assets > 0, "no asset at all");
    HOLD(field_count(&f, "RUN0010") > 0, "what was given up is told");
    const uint64_t most =
        most_search(f.source.len) + 2 * most_own(f.source.len / NUM_MODELS) * f.num_assets;
    HOLD(f.units <= most, "%llu units for %zu bytes", (unsigned long long)f.units, f.source.len);
    field_close(&f);
}

/* Models that spend everything, directly in front of what lies between them and the headers that
 * they share. Returns where that begins. */
static size_t put_row(field *f, const bytes *between)
{
    enum { NUM_MODELS = 400, NUM_HEADERS = 100000 };
    field_open_for(f, "hmd");
    f->options.replay = false;
    put_fill(&f->source, JUNK, 4);
    put_models(&f->source, NUM_MODELS, between->len);
    const size_t first = f->source.len;
    put(&f->source, between->data, between->len);
    put_headers(&f->source, NUM_HEADERS);
    return first;
}

enum { DEAR_PACKETS = 300 };

static size_t dear_len(void)
{
    bytes one = {0};
    put_square_model(&one, DEAR_PACKETS, 0);
    const size_t len = one.len;
    bytes_free(&one);
    return len;
}

/* Models that cost far more than their bytes pay, directly behind bytes that have spent everything:
 * all are found, in their order, wherever the source ends. */
Test(hunt, what_costs_much_directly_behind_a_row)
{
    enum { MOST = 5 };
    const size_t len = dear_len();
    for (size_t num = 1; num <= MOST; num += MOST - 1) {
        field f;
        bytes dear = {0};
        for (size_t i = 0; i < num; i++) {
            put_square_model(&dear, DEAR_PACKETS, 0);
        }
        const size_t first = put_row(&f, &dear);
        field_hunt(&f);
        HOLD(f.num_assets == num, "%zu of %zu models", f.num_assets, num);
        for (size_t i = 0; i < num; i++) {
            cr_assert(eq(i64, f.assets[i].raw, (int64_t)(first + len * i)));
        }
        HOLD(field_find(&f, "RUN0010")->raw < (int64_t)first, "the row is given up");
        const uint64_t most = most_search(f.source.len) + 3 * num * most_own(len);
        HOLD(f.units <= most, "%llu units", (unsigned long long)f.units);
        field_close(&f);
        bytes_free(&dear);
    }
}

/* What is found behind a place that is put off is told behind it, or not at all if it lies inside:
 * the word of the normals says how far the model reaches. */
Test(hunt, what_lies_behind_or_inside_of_what_is_put_off)
{
    const fh_format *both[] = {fh_format_find("hmd"), fh_format_find("tod")};
    const size_t len = dear_len();
    for (int is_inside = 0; is_inside < 2; is_inside++) {
        field f;
        bytes dear = {0};
        put_square_model(&dear, DEAR_PACKETS, is_inside != 0 ? (uint32_t)len / 4 + 1000 : 0);
        put_tod(&dear, small);
        const int64_t first = (int64_t)put_row(&f, &dear);
        f.options.formats = both;
        f.options.num_formats = 2;
        field_hunt(&f);
        HOLD(f.num_assets == (is_inside != 0 ? 1 : 2), "%zu assets", f.num_assets);
        cr_assert(eq(i64, f.assets[0].raw, first));
        HOLD(is_inside != 0 || f.assets[1].raw == first + (int64_t)len, "at %lld",
             (long long)f.assets[1].raw);
        cr_assert(eq(sz, field_count(&f, "RUN0003"), is_inside != 0 ? 1 : 0));
        cr_assert(eq(sz, field_count(&f, "RUN0004"), 0));
        field_close(&f);
        bytes_free(&dear);
    }
}

/* A place that is not kept, because what was put off before turns out to hold it, is judged as one
 * inside: behind the end of that there may be another place before it would have been its turn. */
Test(hunt, what_cannot_be_paid_for_inside_of_what_was_put_off)
{
    enum { BEHIND = 40000 };
    const size_t len = dear_len();
    field f;
    bytes dear = {0};
    put_square_model(&dear, DEAR_PACKETS, 2 * (uint32_t)len / 4 + 1000);
    put_square_model(&dear, DEAR_PACKETS, 0);
    const size_t first = put_row(&f, &dear);
    f.source.data[first + len + BEHIND] = 0x50;
    put_fill(&f.source, 0, (size_t)5 * CHUNK);
    field_hunt(&f);
    HOLD(f.num_assets == 1 && f.assets[0].raw == (int64_t)first, "%zu assets", f.num_assets);
    cr_assert(eq(sz, field_count(&f, "RUN0003"), 1));
    field_close(&f);
    bytes_free(&dear);
}

/* Until the last bytes of a model have come a second look waits for them as a first one does. The
 * row's own headers are few enough to be there before. */
Test(hunt, what_is_put_off_waits_for_its_bytes)
{
    enum { FAR = 3 * CHUNK / 8 };
    field f;
    bytes dear = {0};
    put_square_model(&dear, DEAR_PACKETS, FAR);
    const int64_t first = (int64_t)put_row(&f, &dear);
    put_fill(&f.source, 0, (size_t)4 * CHUNK);
    field_hunt(&f);
    HOLD(f.num_assets == 1 && f.assets[0].raw == first, "%zu assets", f.num_assets);
    HOLD(f.assets[0].len > 4 * FAR, "%lld bytes", (long long)f.assets[0].len);
    field_close(&f);
    bytes_free(&dear);
}

/* Rows without end, each with an asset directly behind it: all of these are found, for the second
 * look at a row leaves enough for the one behind the next. */
Test(hunt, an_asset_behind_each_of_many_rows)
{
    enum { NUM_ROWS = 12, NUM_MODELS = 500, NUM_HEADERS = 20000 };
    const bytes nothing = {0};
    const size_t len = dear_len();
    field f;
    int64_t places[NUM_ROWS];
    (void)put_row(&f, &nothing);
    for (int i = 0; i < NUM_ROWS; i++) {
        put_models(&f.source, NUM_MODELS, len);
        places[i] = (int64_t)f.source.len;
        put_square_model(&f.source, DEAR_PACKETS, 0);
        put_headers(&f.source, NUM_HEADERS);
    }
    field_hunt(&f);
    HOLD(f.num_assets == NUM_ROWS, "%zu assets", f.num_assets);
    for (int i = 0; i < NUM_ROWS; i++) {
        cr_assert(eq(i64, f.assets[i].raw, places[i]));
    }
    HOLD(f.units <= most_search(f.source.len) + 3 * NUM_ROWS * most_own(len), "%llu units",
         (unsigned long long)f.units);
    field_close(&f);
}

/* Rows that spend the pot of the second looks, too: the work stays in its bounds, and a model whose
 * bytes pay for it is found behind them. */
Test(hunt, rows_that_spend_even_what_is_put_by)
{
    enum { NUM_ROWS = 40, NUM_HEADERS = 300000, BETWEEN = 4096 };
    field f;
    field_open_for(&f, "hmd");
    put_fill(&f.source, JUNK, 4);
    for (int i = 0; i < NUM_ROWS; i++) {
        put_models(&f.source, 2, (size_t)(NUM_ROWS - 1 - i) * (2 * 28 + BETWEEN) + BETWEEN);
        put_fill(&f.source, 0, BETWEEN);
    }
    put_headers(&f.source, NUM_HEADERS);
    const int64_t first = (int64_t)f.source.len;
    put_hmd(&f.source, model);
    put_fill(&f.source, JUNK, 64);
    field_hunt(&f);
    HOLD(f.num_assets == 1 && f.assets[0].raw == first, "%zu assets", f.num_assets);
    HOLD(f.units <= most_search(f.source.len), "%llu units", (unsigned long long)f.units);
    field_close(&f);
}

/* The normals lie in the second chunk: until they are there nothing is decided, and what was looked
 * at is looked at again. */
Test(hunt, a_model_that_is_looked_at_again_and_again)
{
    enum { NUM_PACKETS = 3000, NORMALS = 3 * CHUNK / 8 };
    field f;
    field_open_for(&f, "hmd");
    put_square_model(&f.source, NUM_PACKETS, NORMALS);
    put_fill(&f.source, 0, (size_t)3 * CHUNK - f.source.len);
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK && f.told.hit_limit, "status %d", (int)f.status);
    HOLD(f.num_assets == 0 && field_count(&f, "RUN0010") == 1, "%zu assets", f.num_assets);
    HOLD(f.units <= most_search(f.source.len), "%llu units", (unsigned long long)f.units);
    field_close(&f);
}

/* ---- ends that are not the source's ---- */

static void put_everything(bytes *to)
{
    put_fill(to, JUNK, 8);
    put_tod(to, nest);
    put_tod(to, small);
    put_tod(to, "tod\nframe 0\nmodel 1 2\nmodel 3 4\nframe 1 size=1");
    put_fill(to, JUNK, 64);
    put_tod(to, nest);
}

/* A nest with two readings inside, and one more that goes past its end. */
static void put_nest_with_overlap(bytes *to)
{
    put_u32(to, 0x40050);
    put_u32(to, 1);
    put_u32(to, 0x3000f);
    put_u32(to, 0);
    put_u32(to, 0x01080001);
    put_u32(to, 0x09090001); /* user-defined: a whole file */
    put_u32(to, 0x40050);
    put_u32(to, 1);
    put_u32(to, 0x20005);
    put_u32(to, 0);
    put_u32(to, 0x01080002);
    put_u32(to, 0x02020002);
    put_u32(to, 7);
    put_u32(to, 0);
    put_u32(to, 0x03090001); /* user-defined: a header */
    put_u32(to, 0x40050);
    put_u32(to, 1);
    put_u32(to, 0x10003); /* behind the outer file: the frame of the header */
    put_u32(to, 0);
    put_u32(to, 0x01080002);
}

static void hold_every_failure(void (*fill)(bytes *))
{
    field f;
    field_open(&f);
    fill(&f.source);
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK, "whole");
    const int64_t num_calls = f.num_calls;
    HOLD(num_calls >= 5, "%d calls", (int)num_calls);
    for (int64_t i = 0; i < num_calls; i++) {
        f.fail_at = i;
        field_hunt(&f);
        HOLD(f.status == FH_HUNT_SINK, "call %d: status %d", (int)i, f.status);
        for (size_t k = 0; k < f.num_findings && f.num_late > 0; k++) {
            cr_log_warn("%s", f.findings[k].code);
        }
        HOLD(f.num_late == 0, "the sink was called again after its call %d failed: %s", (int)i,
             f.num_findings > 0 ? f.findings[f.num_findings - 1].code : "");
    }
    f.fail_at = num_calls;
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK, "behind the last call");
    field_close(&f);
}

Test(hunt, a_sink_that_fails_at_every_call)
{
    hold_every_failure(put_everything);
}

Test(hunt, a_sink_that_fails_at_an_overlapping_asset)
{
    hold_every_failure(put_nest_with_overlap);
}

Test(hunt, a_stop_at_every_poll)
{
    field f;
    field_open(&f);
    for (int i = 0; i < 5; i++) {
        put_fill(&f.source, JUNK, CHUNK);
        put_tod(&f.source, small);
    }
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 5));
    const int64_t num_polls = f.num_polls;
    cr_assert(ge(i64, num_polls, 5));
    for (int64_t i = 0; i < num_polls; i++) {
        f.stop_at = i;
        field_hunt(&f);
        /* The first poll of the reader comes while it looks at the first bytes. */
        HOLD(f.status == FH_HUNT_STOPPED || (i == 0 && f.status == FH_HUNT_UNREADABLE) ||
                 f.num_polls == num_polls,
             "poll %d: status %d", (int)i, f.status);
        HOLD(f.num_polls <= i + 3, "poll %d: still polled %d times", (int)i, (int)f.num_polls);
    }
    field_close(&f);
}

/* An asset that was cut by the stop is not damaged: its other half was not read. */
Test(hunt, a_stop_makes_no_damage)
{
    field f;
    field_open(&f);
    put_fill(&f.source, JUNK, 1024);
    put_tod(&f.source, "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
                       "repeat 160000\nframe +\ncoord 1 diff t 1 0 0\nendrepeat");
    field_hunt(&f);
    cr_assert(eq(sz, f.num_assets, 1));
    const int64_t num_polls = f.num_polls;
    for (int64_t i = 1; i < num_polls; i++) {
        f.stop_at = i;
        field_hunt(&f);
        HOLD(f.num_assets == 1 || field_count(&f, "RUN0006") == 0,
             "stopped at poll %d: '%s' of a sound asset", (int)i, field_find(&f, "RUN0006")->found);
    }
    field_close(&f);
}

Test(hunt, sources_that_cannot_be_read_or_are_empty)
{
    field f;
    field_open(&f);
    field_hunt_path(&f, "there/is/no/such/file");
    cr_assert(eq(int, (int)f.status, FH_HUNT_UNREADABLE));
    cr_assert(eq(i64, f.num_calls, 0));
    cr_assert(ne(chr, f.told.error[0], '\0'));
    cr_assert(eq(str, (char *)f.told.record.status, "unreadable"));
    field_hunt(&f);
    cr_assert(eq(int, (int)f.status, FH_HUNT_OK));
    cr_assert(eq(sz, field_count(&f, "IMG0001"), 1));
    field_close(&f);
}

/* A file named as an animation is held against its name. */
Test(hunt, names_that_lie)
{
    char dir[] = P_tmpdir "/framehound-XXXXXX";
    char path[sizeof dir + 16];
    HOLD(mkdtemp(dir) != NULL, "directory");
    for (int i = 0; i < 4; i++) {
        field f;
        field_open(&f);
        f.options.formats = fh_formats; /* the registry knows no others by their names */
        put_fill(&f.source, JUNK, i == 1 ? 4 : 0);
        put_tod(&f.source, small);
        f.source.len -= i == 2 ? 4 : 0;
        snprintf(path, sizeof path, "%s/%s", dir, i == 3 ? "a.bin" : "a.TOD");
        FILE *file = fopen(path, "wb");
        HOLD(file != NULL && fwrite(f.source.data, 1, f.source.len, file) == f.source.len &&
                 fclose(file) == 0,
             "file");
        field_hunt_path(&f, path);
        HOLD(field_count(&f, "RUN0005") == (i == 1 || i == 2 ? 1 : 0), "case %d", i);
        HOLD(unlink(path) == 0, "unlink");
        field_close(&f);
    }
    HOLD(rmdir(dir) == 0, "rmdir");
}

Test(hunt, extract_reads_an_asset_again)
{
    char dir[] = P_tmpdir "/framehound-XXXXXX";
    char path[sizeof dir + 16];
    HOLD(mkdtemp(dir) != NULL, "directory");
    bytes source = {0};
    put_fill(&source, JUNK, CHUNK - 20);
    put_tod(&source, small);
    put_fill(&source, JUNK, 100);
    snprintf(path, sizeof path, "%s/a", dir);
    FILE *file = fopen(path, "wb");
    HOLD(file != NULL && fwrite(source.data, 1, source.len, file) == source.len &&
             fclose(file) == 0,
         "file");
    uint8_t out[SMALL_LEN];
    char why[256] = "";
    fh_piece_record piece = {0, CHUNK - 20, SMALL_LEN};
    fh_extract_wish wish = {path, FH_LAYOUT_AUTO, &piece, 1};
    HOLD(fh_extract(out, &wish, why, sizeof why), "%s", why);
    HOLD(memcmp(out, source.data + CHUNK - 20, SMALL_LEN) == 0, "bytes");
    uint8_t hash[FH_SHA256_LEN];
    char hex[65];
    HOLD(fh_hash_bytes(hash, out, SMALL_LEN), "hash");
    for (int i = 0; i < 32; i++) {
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    }
    HOLD(fh_extract_matches(out, SMALL_LEN, hex), "hash matches");
    out[5] ^= 1;
    HOLD(!fh_extract_matches(out, SMALL_LEN, hex), "hash differs");
    piece.raw_offset = (int64_t)source.len - 10;
    HOLD(!fh_extract(out, &wish, why, sizeof why), "past the end");
    HOLD(strcmp(why, "the source has changed since it was scanned, and the asset is no longer "
                     "whole where it was; scan it again") == 0,
         "%s", why);
    HOLD(unlink(path) == 0 && rmdir(dir) == 0, "unlink");
    HOLD(!fh_extract(out, &wish, why, sizeof why) && why[0] != '\0', "no file");
    bytes_free(&source);
}
