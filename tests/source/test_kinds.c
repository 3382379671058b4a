/* What the first bytes of a container say, chunks of movies, packed blocks, what is kept of an
 * image that passes, tapes of memory: cases that images do not have by chance. */
#include "source/container.h"
#include "source/keep.h"
#include "source/kernel.h"
#include "source/limits.h"
#include "source/movies.h"
#include "source/names.h"
#include "source/spool.h"
#include "source/tally.h"
#include "source/tracks.h"
#include "source/unpack.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- containers ------------------------------------------------------------------------------ */

typedef struct change {
    size_t at;
    uint8_t byte;
} change;

typedef struct head {
    const char *kind; /* NULL: none */
    const char *bytes;
    size_t len;  /* of bytes */
    size_t size; /* with what follows, `fill` */
    char fill;
    change change; /* of one byte, unless it is 0 at 0 */
} head;

#define HEAD(kind, bytes, ...)                                                                     \
    {                                                                                              \
        kind, bytes, sizeof(bytes) - 1, __VA_ARGS__                                                \
    }
#define LHA "..-lh5-"

static const head heads[] = {
    HEAD("7z", "7z\274\257\047\034", 32, 0),
    HEAD(NULL, "7z\274\257\047\034", 31, 0),
    HEAD("cpio", "070701", 110, 'f'),
    HEAD("cpio", "070702", 110, '0'),
    HEAD(NULL, "070703", 110, '0'),
    HEAD(NULL, "070701", 109, '0'),
    HEAD(NULL, "070701", 110, '0', {109, 'g'}),
    HEAD(NULL, "070701", 110, '0', {60, 0}),
    HEAD("cab", "MSCF\0\0\0\0", 36, 0),
    HEAD(NULL, "MSCF\0\0\0\0", 35, 0),
    HEAD("lha", LHA, 24, 1),
    HEAD(NULL, LHA, 23, 1),
    HEAD("lha", LHA, 24, 1, {4, 'z'}),
    HEAD(NULL, LHA, 24, 1, {4, 'q'}),
    HEAD("lha", LHA, 24, 1, {5, 'd'}),
    HEAD(NULL, LHA, 24, 1, {5, 0}),
    HEAD(NULL, LHA, 24, 1, {5, '9'}),
    HEAD(NULL, LHA, 24, 1, {6, '+'}),
    HEAD(NULL, LHA, 24, 1, {20, 4}),
    HEAD("bzip2", "BZh91AY&SY", 14, 0),
    HEAD("bzip2", "BZh1\027\162\105\070\120\220", 14, 0),
    HEAD(NULL, "BZh91AY&SY", 13, 0),
    HEAD(NULL, "BZh01AY&SY", 14, 0),
    HEAD(NULL, "BZh:1AY&SY", 14, 0),
    HEAD(NULL, "BZh91AY&SX", 14, 0),
    HEAD("zip", "PK\005\006\0\0\0\0", 22, 0),
    HEAD(NULL, "PK\005\006\0\0\0\0", 21, 0),
    HEAD(NULL, "PK\005\006\0\0\1\0", 22, 0),
};

static const char *kind_of(const uint8_t *bytes, size_t size)
{
    const fh_cursor window = fh_cursor_make(bytes, size, 0);
    const fh_box_kind *kind = fh_container_of(&window);
    return kind == NULL ? "none" : kind->name;
}

Test(kinds, are_told_by_their_first_bytes)
{
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const head *at = &heads[i];
        uint8_t *bytes = malloc(at->size); /* no more, so that sanitizers see what is read */
        cr_assert(bytes != NULL);
        memset(bytes, at->fill, at->size);
        memcpy(bytes, at->bytes, at->len);
        if (at->change.at > 0) {
            bytes[at->change.at] = at->change.byte;
        }
        cr_expect_str_eq(kind_of(bytes, at->size), at->kind == NULL ? "none" : at->kind, "%zu: %s",
                         i, kind_of(bytes, at->size));
        free(bytes);
    }
}

/* The letters of "ustar" and eight blanks add up to octal 1457; and what is no such number. */
Test(kinds, a_tar_has_its_checksum)
{
    static const struct {
        const char *sum;
        bool is_tar;
    } sums[] = {
        {"0001457\0", true},     {"  1457 \0", true},     {"1457 1  ", false},
        {"1459\0\0\0\0", false}, {"1456\0\0\0\0", false}, {"\0\0\0\0\0\0\0\0", false},
        {"1457x\0\0\0", false},  {"1457/\0\0\0", false},
    };
    uint8_t bytes[512] = {0};
    memcpy(bytes + 257, "ustar", 5);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        memcpy(bytes + 148, sums[i].sum, 8);
        cr_expect(eq(int, strcmp(kind_of(bytes, 512), "tar") == 0, sums[i].is_tar), "%zu", i);
    }
}

/* ---- movies ---------------------------------------------------------------------------------- */

enum { CHUNK_HEAD = 32 };

static void put_u16(uint8_t *to, unsigned value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static void put_chunk(uint8_t *to, fh_movie_chunk chunk, unsigned width, unsigned height)
{
    memset(to, 0, CHUNK_HEAD);
    put_u16(to, 0x0160);
    put_u16(to + 2, 0x8001);
    put_u16(to + 4, chunk.chunk);
    put_u16(to + 6, chunk.num_chunks);
    put_u16(to + 8, chunk.frame);
    put_u16(to + 12, 100);
    put_u16(to + 16, width);
    put_u16(to + 18, height);
}

Test(kinds, chunks_of_movies_have_a_picture)
{
    static const struct {
        unsigned width;
        unsigned height;
        bool is_one;
    } sizes[] = {{1, 1, true},     {1024, 512, true}, {0, 1, false},
                 {1025, 1, false}, {1, 0, false},     {1, 513, false}};
    uint8_t bytes[CHUNK_HEAD];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        fh_movie_chunk chunk;
        put_chunk(bytes, (fh_movie_chunk){1, 0, 2}, sizes[i].width, sizes[i].height);
        const fh_cursor data = fh_cursor_make(bytes, sizeof bytes, 0);
        cr_expect(eq(int, fh_movie_read(&chunk, &data), sizes[i].is_one), "%zu", i);
    }
}

typedef struct ahead {
    const char *name;
    uint32_t stride;
    fh_sector_kind kind;
    fh_movie_chunk next;
    change change;
    bool succeeds;
} ahead;

static const fh_movie_chunk first_chunk = {7, 0, 3};

/* The sector ahead lies at 2352 with file 1, channel 2 and the next chunk, unless it is changed. */
static const ahead aheads[] = {
    {"the next chunk", 2352, FH_SECTOR_FORM1, {7, 1, 3}, {0}, true},
    {"another chunk", 2352, FH_SECTOR_FORM1, {7, 2, 3}, {0}, false},
    {"another frame", 2352, FH_SECTOR_FORM1, {8, 1, 3}, {0}, false},
    {"another number of chunks", 2352, FH_SECTOR_FORM1, {7, 1, 4}, {0}, false},
    {"another file", 2352, FH_SECTOR_FORM1, {7, 1, 3}, {16, 9}, false},
    {"another channel", 2352, FH_SECTOR_FORM1, {7, 1, 3}, {17, 9}, false},
    {"another form", 2352, FH_SECTOR_FORM1, {7, 1, 3}, {18, FH_SUBMODE_FORM2}, false},
    {"no sync", 2352, FH_SECTOR_FORM1, {7, 1, 3}, {5, 0}, false},
    {"Mode 1 has no channels", 2352, FH_SECTOR_MODE1, {7, 1, 3}, {0}, true},
    {"a short sector", 2336, FH_SECTOR_FORM1, {7, 1, 3}, {0}, true},
    {"a short sector of another file", 2336, FH_SECTOR_FORM1, {7, 1, 3}, {1, 9}, false},
    {"nothing but data", 2048, FH_SECTOR_COOKED, {7, 1, 3}, {0}, true},
};

static size_t put_sector(uint8_t *bytes, const ahead *at)
{
    static const uint8_t sync[FH_SYNC_LEN] = {0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    static const uint8_t subheader[] = {1, 2, FH_SUBMODE_DATA, 0};
    size_t off = 0;
    if (at->stride == FH_STRIDE_2352) {
        memcpy(bytes, sync, sizeof sync);
        off = FH_HEADER_END;
    }
    if (at->stride != FH_STRIDE_2048 && at->kind != FH_SECTOR_MODE1) {
        memcpy(bytes + off, subheader, 4);
        memcpy(bytes + off + 4, subheader, 4);
        off += 8;
    }
    put_chunk(bytes + off, at->next, 320, 240);
    return off;
}

Test(kinds, chunks_of_movies_are_followed)
{
    for (size_t i = 0; i < sizeof aheads / sizeof aheads[0]; i++) {
        const ahead *at = &aheads[i];
        uint8_t bytes[2352] = {0};
        const size_t off = put_sector(bytes, at);
        if (at->change.at > 0) {
            bytes[at->change.at - (at->stride == FH_STRIDE_2336 ? 1 : 0)] = at->change.byte;
        }
        const fh_sector sector = {.kind = at->kind,
                                  .data_off = off,
                                  .data_len = FH_DATA_LEN,
                                  .has_header = at->stride == FH_STRIDE_2352,
                                  .file = 1,
                                  .channel = 2,
                                  .submode = FH_SUBMODE_DATA};
        const fh_cursor window = fh_cursor_make(bytes, at->stride, 0);
        cr_expect(
            eq(int, fh_movie_succeeds(&first_chunk, &sector, &window, at->stride), at->succeeds),
            "%s", at->name);
    }
}

static fh_movie movie_at(uint8_t file, uint8_t channel, int64_t index, fh_movie_chunk chunk)
{
    return (fh_movie){
        .is_open = true, .file = file, .channel = channel, .index = index, .last = chunk};
}

Test(kinds, a_channel_waits_for_its_chunk)
{
    fh_movies movies = {0};
    fh_movie_fault faults[2];
    const fh_movie movie = movie_at(1, 2, 10, first_chunk);
    const fh_movie_chunk next = {7, 1, 3};
    fh_movies_add(&movies, faults, &movie);
    const struct {
        uint8_t file;
        uint8_t channel;
        int64_t index;
        bool is_expected;
    } cases[] = {
        {1, 2, 11, true},  {1, 2, 10 + FH_MOVIE_REACH, true},  {1, 2, 11 + FH_MOVIE_REACH, false},
        {3, 2, 11, false}, {1, 2 + FH_MOVIE_REACH, 11, false}, {1, 3, 11, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_sector sector = {.file = cases[i].file, .channel = cases[i].channel};
        cr_expect(eq(int, fh_movies_expects(&movies, &sector, cases[i].index, &next),
                     cases[i].is_expected),
                  "%zu", i);
    }
}

/* Behind the last chunk of a frame another movie may begin, with frame 0 or 1. */
Test(kinds, a_movie_begins_with_its_first_frame)
{
    static const struct {
        fh_movie_chunk chunk;
        bool is_fault;
    } cases[] = {{{8, 0, 5}, false},
                 {{1, 0, 5}, false},
                 {{0, 0, 5}, false},
                 {{9, 0, 5}, true},
                 {{1, 1, 5}, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fh_movies movies = {0};
        fh_movie_fault faults[2];
        const fh_movie before = movie_at(1, 2, 10, (fh_movie_chunk){7, 2, 3});
        const fh_movie now = movie_at(1, 2, 11, cases[i].chunk);
        fh_movies_add(&movies, faults, &before);
        fh_movies_add(&movies, faults, &now);
        cr_expect(eq(int, faults[1].is_fault, cases[i].is_fault), "%zu", i);
        cr_expect(not(faults[0].is_fault));
    }
}

/* ---- tracks ---------------------------------------------------------------------------------- */

Test(kinds, tracks_say_what_an_image_is_like)
{
    static const struct {
        uint8_t mode;
        uint32_t stride;
        fh_layout_choice choice;
    } cases[] = {{1, FH_STRIDE_2048, FH_LAYOUT_2048}, {2, FH_STRIDE_2336, FH_LAYOUT_2336},
                 {2, FH_STRIDE_2352, FH_LAYOUT_2352}, {0, FH_STRIDE_2352, FH_LAYOUT_2352},
                 {1, FH_STRIDE_2448, FH_LAYOUT_2448}, {1, 1000, FH_LAYOUT_AUTO}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_track_type type = {"A", cases[i].stride, cases[i].mode};
        const fh_track_part part = {.number = 1, .type = &type, .off = 0, .lba = 0};
        const fh_tracks tracks = {&part, 1};
        cr_expect(eq(int, (int)fh_tracks_choice(&tracks), (int)cases[i].choice), "%zu", i);
    }
    const fh_tracks none = {NULL, 0};
    cr_expect(eq(int, (int)fh_tracks_choice(&none), FH_LAYOUT_AUTO));
}

/* ---- packed blocks --------------------------------------------------------------------------- */

static bool stop_now(void *user)
{
    return *(const bool *)user;
}

typedef struct block {
    const char *name;
    fh_codec codec;
    const char *bytes;
    size_t len;
    int64_t packed_len;
    size_t max;
    fh_unpack_status status;
    size_t made;
    const char *why;
} block;

#define BLOCK(name, codec, bytes, ...)                                                             \
    {                                                                                              \
        name, codec, bytes, sizeof(bytes) - 1, sizeof(bytes) - 1, __VA_ARGS__                      \
    }

static const block blocks[] = {
    BLOCK("stored", FH_CODEC_STORED, "abc", 9, FH_UNPACK_OK, 3, ""),
    BLOCK("stored, full", FH_CODEC_STORED, "abc", 3, FH_UNPACK_OK, 3, ""),
    BLOCK("stored, too long", FH_CODEC_STORED, "abc", 2, FH_UNPACK_FULL, 2, ""),
    BLOCK("nothing", FH_CODEC_DEFLATE, "", 9, FH_UNPACK_CUT, 0, ""),
    BLOCK("a byte", FH_CODEC_DEFLATE, "\x78", 9, FH_UNPACK_CUT, 0, ""),
    BLOCK("deflate", FH_CODEC_DEFLATE, "KLJ\6\0", 9, FH_UNPACK_OK, 3, ""),
    BLOCK("zlib", FH_CODEC_DEFLATE, "\x78\x9cKLJ\6\0\2M\1'", 9, FH_UNPACK_OK, 3, ""),
    BLOCK("no zlib", FH_CODEC_DEFLATE, "\x78\x9dKLJ\6\0\2M\1'", 9, FH_UNPACK_BROKEN, 0, ""),
    BLOCK("no gzip", FH_CODEC_DEFLATE, "\x1f\x8cKLJ\6\0", 9, FH_UNPACK_BROKEN, 0, ""),
    BLOCK("a dictionary", FH_CODEC_DEFLATE, "\x78\x20\1\2\3\4KLJ\6\0", 9, FH_UNPACK_BROKEN, 0,
          "not deflate"),
    BLOCK("no xz", FH_CODEC_XZ, "no xz at all, but text", 9, FH_UNPACK_BROKEN, 0, "not xz"),
    BLOCK("no zstd", FH_CODEC_ZSTD, "no zstd at all, but text", 9, FH_UNPACK_BROKEN, 0, ""),
};

static fh_unpack_status unpack(fh_unpacked *out, const block *at, bool is_stopped)
{
    fh_reader reader;
    uint8_t *copy = malloc(at->len + 1);
    bool stops = false;
    const fh_stop stop = {stop_now, &stops};
    cr_assert(copy != NULL);
    memcpy(copy, at->bytes, at->len);
    const fh_tape tape = fh_tape_of_bytes(copy, at->len);
    cr_assert(fh_reader_open_tape(&reader, &tape, &stop) == FH_READER_OK);
    stops = is_stopped;
    fh_feed feed = fh_feed_make(&reader);
    const fh_unpack_status status = fh_unpack(out, &feed, at->codec, at->packed_len, at->max);
    fh_reader_close(&reader);
    free(copy);
    return status;
}

static void check_block(const block *at)
{
    fh_unpacked out;
    if (!fh_unpack_knows(at->codec)) {
        return; /* the library was not built in */
    }
    cr_expect(eq(int, (int)unpack(&out, at, false), (int)at->status), "%s: %s", at->name, out.why);
    cr_expect(eq(sz, out.len, at->made), "%s", at->name);
    cr_expect(strncmp(out.why, at->why, strlen(at->why)) == 0, "%s: %s", at->name, out.why);
    free(out.bytes);
}

Test(kinds, blocks_are_unpacked)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        check_block(&blocks[i]);
    }
}

static void put_crc(uint8_t *to, const uint8_t *from, size_t len)
{
    const unsigned long crc = crc32(crc32(0, NULL, 0), from, (uInt)len);
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(crc >> (8 * i));
    }
}

/* The head of an xz with one block, of a filter and its one byte of properties. */
static void check_xz(uint8_t filter, uint8_t properties, const char *why)
{
    uint8_t bytes[64] = {0xfd, '7', 'z', 'X', 'Z', 0, 0, 0};
    put_crc(bytes + 8, bytes + 6, 2);
    bytes[12] = 2; /* 12 bytes of head */
    bytes[14] = filter;
    bytes[15] = 1;
    bytes[16] = properties;
    put_crc(bytes + 20, bytes + 12, 8);
    const block at = {why,          FH_CODEC_XZ, (const char *)bytes, sizeof bytes,
                      sizeof bytes, 9,           FH_UNPACK_BROKEN,    0,
                      why};
    check_block(&at);
}

Test(kinds, blocks_of_xz_say_what_is_wrong)
{
    check_xz(0x21, 40, "it takes too much memory");
    check_xz(0x21, 41, "options that are not known");
    check_xz(0x21, 8, "damaged data");
}

/* A reader that is stopped at once still has the bytes of its window. */
Test(kinds, blocks_end_with_the_program)
{
    const block at = {
        .codec = FH_CODEC_STORED, .bytes = "abc", .len = 3, .packed_len = 9, .max = 9};
    fh_unpacked out;
    cr_expect(eq(int, (int)unpack(&out, &at, true), FH_UNPACK_STOPPED));
    free(out.bytes);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static const fh_layout cooked = {.stride = FH_STRIDE_2048};
static uint8_t sector_bytes[FH_DATA_LEN];

static bool keep_sector(fh_keep *keep, size_t index, int64_t lba, size_t len)
{
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    fh_sector sector;
    const fh_cursor bytes = fh_cursor_make(sector_bytes, len, index * FH_DATA_LEN);
    fh_sector_read(&sector, &bytes, FH_STRIDE_2048, &habit);
    return fh_keep_sector(keep, &sector, &bytes, lba);
}

Test(kinds, sectors_are_kept_by_their_number)
{
    fh_keep keep;
    fh_disc_sector at;
    fh_keep_begin(&keep, &cooked);
    keep.size = 5 * (int64_t)FH_DATA_LEN;
    cr_assert(keep_sector(&keep, 2, 2, FH_DATA_LEN));
    cr_assert(keep_sector(&keep, 3, (int64_t)INT32_MAX + 1, FH_DATA_LEN));
    cr_assert(keep_sector(&keep, 4, FH_UNKNOWN, 100));
    cr_expect(not(fh_keep_at(&keep, &at, -1)));
    cr_expect(not(fh_keep_at(&keep, &at, 5)));
    cr_assert(fh_keep_at(&keep, &at, 1)); /* told of by nobody */
    cr_expect(eq(i64, at.lba, FH_UNKNOWN));
    cr_assert(fh_keep_at(&keep, &at, 2));
    cr_expect(eq(i64, at.lba, 2));
    cr_assert(fh_keep_at(&keep, &at, 3));
    cr_expect(eq(i64, at.lba, FH_UNKNOWN)); /* no address that a disc could have */
    fh_keep_free(&keep);
}

/* A hundred sectors pass, and then the last is asked for, which is not kept. */
static void miss_the_last(fh_keep *keep, fh_disc_sector *at, uint8_t data[FH_DATA_LEN])
{
    fh_keep_begin(keep, &cooked);
    keep->size = 100 * (int64_t)FH_DATA_LEN;
    for (size_t i = 0; i < 100; i++) {
        cr_assert(keep_sector(keep, i, (int64_t)i, FH_DATA_LEN));
    }
    cr_assert(fh_keep_at(keep, at, 99));
    cr_expect(not(fh_keep_block(keep, at, data)));
}

/* What was asked for in vain is taken when it passes again, once; nothing else is. */
Test(kinds, sectors_that_were_missed_are_kept_the_second_time)
{
    fh_keep keep;
    fh_disc_sector at;
    uint8_t data[FH_DATA_LEN];
    miss_the_last(&keep, &at, data);
    cr_expect(eq(i64, keep.num_missed, 1));
    keep.is_again = true;
    cr_expect(keep_sector(&keep, 98, 98, FH_DATA_LEN));
    cr_expect(keep_sector(&keep, 200, 200, FH_DATA_LEN)); /* it has grown meanwhile */
    cr_expect(eq(i64, keep.num_missed, 1));
    sector_bytes[0] = 7;
    cr_expect(keep_sector(&keep, 99, 99, FH_DATA_LEN));
    cr_expect(eq(i64, keep.num_missed, 0));
    cr_expect(keep_sector(&keep, 99, 99, FH_DATA_LEN));
    cr_expect(fh_keep_block(&keep, &at, data));
    cr_expect(eq(u8, data[0], 7));
    fh_keep_free(&keep);
}

/* One that is cut the second time has no data, and counts as met. */
Test(kinds, sectors_that_are_cut_are_not_kept)
{
    fh_keep keep;
    fh_disc_sector at;
    uint8_t data[FH_DATA_LEN];
    miss_the_last(&keep, &at, data);
    keep.is_again = true;
    keep.num_missed = 0; /* by another question */
    cr_expect(keep_sector(&keep, 99, 99, 100));
    cr_expect(eq(i64, keep.num_missed, 0));
    cr_expect(not(fh_keep_block(&keep, &at, data)));
    fh_keep_free(&keep);
}

Test(kinds, images_that_are_too_long_have_no_tree)
{
    const fh_stop never = {NULL, NULL};
    fh_keep keep;
    fh_files files = {0};
    fh_keep_begin(&keep, &cooked);
    cr_expect(keep_sector(&keep, FH_KEEP_MAX_SECTORS, 0, FH_DATA_LEN));
    cr_expect(keep.is_cut);
    cr_expect(eq(sz, keep.num_sectors, 0));
    cr_expect(eq(int, (int)fh_keep_open(&keep, &files, 0, "-", NULL, &never), FH_KEEP_LOST));
    fh_keep_free(&keep);
}

static fh_source_status keep_with(const fh_stop *reading, const fh_stop *keeping, bool is_again)
{
    static uint8_t bytes[64 * FH_DATA_LEN];
    fh_reader reader;
    fh_keep keep;
    const fh_tape tape = fh_tape_of_bytes(bytes, sizeof bytes);
    cr_assert(fh_reader_open_tape(&reader, &tape, reading) == FH_READER_OK);
    fh_keep_begin(&keep, &cooked);
    keep.is_again = is_again;
    const fh_source_status status = fh_keep_all(&keep, &reader, keeping);
    fh_keep_free(&keep);
    fh_reader_close(&reader);
    return status;
}

static fh_source_status keep_all(bool stops, bool is_again)
{
    bool no = false;
    const fh_stop reading = {stop_now, &no};
    const fh_stop keeping = {stop_now, &stops};
    return keep_with(&reading, &keeping, is_again);
}

/* An end because all was met is none of the program. */
Test(kinds, keeping_ends_with_the_program)
{
    cr_expect(eq(int, (int)keep_all(false, false), FH_SOURCE_OK));
    cr_expect(eq(int, (int)keep_all(false, true), FH_SOURCE_OK));
    cr_expect(eq(int, (int)keep_all(true, false), FH_SOURCE_STOPPED));
    cr_expect(eq(int, (int)keep_all(true, true), FH_SOURCE_STOPPED));
}

static bool stop_after_some(void *user)
{
    return --*(int *)user < 0;
}

/* Whoever asks whether to go on, the reader or who keeps. */
Test(kinds, keeping_ends_whenever_it_is_asked_to)
{
    int left = -1;
    for (int most = 0; most < 100 && left < 0; most++) {
        const fh_stop stop = {stop_after_some, &left};
        left = most;
        const fh_source_status status = keep_with(&stop, &stop, false);
        cr_expect(left < 0 ? status == FH_SOURCE_STOPPED : status == FH_SOURCE_OK, "%d: status %d",
                  most, (int)status);
    }
    cr_expect(left >= 0);
}

/* ---- memory as a tape ------------------------------------------------------------------------ */

Test(kinds, bytes_are_a_tape)
{
    uint8_t to[8] = {0};
    size_t len = 0;
    fh_tape tape = fh_tape_of_bytes((const uint8_t *)"hello", 5);
    cr_expect(tape.seek(&tape, 5));
    cr_expect(eq(int, (int)tape.read(&tape, &len, to, 8), FH_TAPE_END));
    cr_expect(not(tape.seek(&tape, 6)));
    cr_expect(not(tape.seek(&tape, -1)));
    cr_expect(tape.seek(&tape, 3));
    cr_expect(eq(int, (int)tape.read(&tape, &len, to, 8), FH_TAPE_OK));
    cr_expect(eq(sz, len, 2));
    cr_expect(tape.read_any(&tape, 5, to, 0));
    cr_expect(tape.read_any(&tape, 1, to, 4));
    cr_expect(memcmp(to, "ello", 4) == 0);
    cr_expect(not(tape.read_any(&tape, 1, to, 5)));
    cr_expect(not(tape.read_any(&tape, 6, to, 0)));
    cr_expect(not(tape.read_any(&tape, -1, to, 1)));
    fh_tape_close(&tape);
}

/* One for which there was no memory says so, and is closed like any other. */
Test(kinds, bytes_without_memory_are_no_tape)
{
    uint8_t to[8];
    size_t len = 0;
    fh_tape tape = fh_tape_of_bytes((const uint8_t *)"hello", 5);
    free(tape.self);
    tape.self = NULL;
    cr_expect(not(tape.seek(&tape, 0)));
    cr_expect(not(tape.read_any(&tape, 0, to, 1)));
    cr_expect(eq(int, (int)tape.read(&tape, &len, to, 8), FH_TAPE_ERROR));
    fh_tape_close(&tape);
}

static void open_bytes(fh_reader *reader, const char *bytes, const bool *stops)
{
    const fh_tape tape = fh_tape_of_bytes((const uint8_t *)bytes, strlen(bytes));
    const fh_stop stop = {stop_now, (void *)(uintptr_t)stops};
    cr_assert(fh_reader_open_tape(reader, &tape, &stop) == FH_READER_OK);
}

Test(kinds, a_spool_is_a_tape_that_seeks)
{
    fh_reader reader;
    size_t used = 0;
    const bool stops = false;
    open_bytes(&reader, "hello", &stops);
    cr_assert(fh_spool(&reader, &used, 1 << 20));
    cr_expect(eq(i64, reader.tape.size, 5));
    cr_assert(reader.tape.seek != NULL);
    cr_expect(not(reader.tape.seek(&reader.tape, 6)));
    cr_expect(not(reader.tape.seek(&reader.tape, -1)));
    cr_expect(reader.tape.seek(&reader.tape, 5));
    fh_reader_close(&reader);
}

/* A reader that has given bytes away, and one whose window is longer, stay as they are. */
Test(kinds, a_spool_begins_at_the_start)
{
    fh_reader reader;
    const uint8_t *bytes = NULL;
    size_t len = 0;
    size_t used = 9;
    const bool stops = false;
    open_bytes(&reader, "hello", &stops);
    cr_assert(eq(sz, fh_reader_peek(&reader).size, 5));
    cr_assert(fh_spool(&reader, &used, 4));
    cr_expect(eq(sz, used, 0));
    cr_assert(fh_reader_next(&reader, &bytes, &len) == FH_READER_OK && len == 5);
    cr_assert(fh_spool(&reader, &used, 1 << 20));
    cr_expect(eq(sz, used, 0));
    fh_reader_close(&reader);
    open_bytes(&reader, "", &stops);
    cr_assert(fh_spool(&reader, &used, 1 << 20));
    cr_expect(eq(i64, reader.tape.size, 0));
    fh_reader_close(&reader);
}

Test(kinds, a_spool_is_stopped)
{
    fh_reader reader;
    size_t used = 0;
    bool stops = false;
    open_bytes(&reader, "hello", &stops);
    stops = true;
    cr_expect(not(fh_spool(&reader, &used, 1 << 20)));
    fh_reader_close(&reader);
}

/* ---- names and words ------------------------------------------------------------------------- */

static void check_wrapped(const char *box, const char *suffix, const char *path)
{
    char *found = fh_names_wrapped(box, suffix);
    cr_assert(found != NULL);
    cr_expect_str_eq(found, path, "%s", found);
    free(found);
}

Test(kinds, what_is_wrapped_has_the_name_of_the_box)
{
    char box[FH_BOX_MAX_NAME + 8] = "";
    check_wrapped("a/b.tod.GZ", ".gz", "a/b.tod.GZ!/b.tod");
    check_wrapped("b.tod", ".gz", "b.tod!/data");
    check_wrapped(".gz", ".gz", ".gz!/data");
    check_wrapped("b.tod", NULL, "b.tod!/data");
    memset(box, 'x', sizeof box - 1);
    memcpy(box + sizeof box - 4, ".gz", 4);
    char *found = fh_names_wrapped(box, ".gz");
    cr_assert(found != NULL);
    cr_expect_str_eq(found + strlen(found) - 6, "!/data");
    free(found);
}

Test(kinds, words_are_plain)
{
    char text[] = "a\tb\x7f\x1f c\n";
    fh_tally_plain(text);
    cr_expect_str_eq(text, "a?b?? c?");
}

/* ---- the kernel ------------------------------------------------------------------------------ */

enum { VECTORS = 0xd0 };

static void put_word(uint8_t *to, uint32_t word)
{
    put_u16(to, word & 0xffffu);
    put_u16(to + 2, word >> 16);
}

/* lui k0, 0; addiu k0, k0, 0xc80; jr k0; nop. */
static void put_vector(uint8_t *to)
{
    put_word(to, 0x3c1a0000u);
    put_word(to + 4, 0x275a0c80u);
    put_word(to + 8, 0x03400008u);
    put_word(to + 12, 0);
}

Test(kinds, vectors_jump_where_they_load)
{
    static const struct {
        size_t at; /* a word of two of the vectors */
        uint32_t word;
        bool is_one;
    } cases[] = {
        {0, 0x3c1a0000u, true},  {0, 0x3c000000u, false}, {0, 0x3c3a0000u, false},
        {4, 0x375a0c80u, true},  {4, 0x275b0c80u, false}, {4, 0x277a0c80u, false},
        {4, 0x2b5a0c80u, false}, {8, 0x03600008u, false}, {12, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[VECTORS] = {0};
        static const size_t places[] = {0x80, 0xa0, 0xb0, 0xc0};
        for (size_t k = 0; k < 4; k++) {
            put_vector(bytes + places[k]);
        }
        put_word(bytes + 0xa0 + cases[i].at, cases[i].word);
        put_word(bytes + 0xc0 + cases[i].at, cases[i].word);
        const fh_cursor window = fh_cursor_make(bytes, sizeof bytes, 0);
        cr_expect(eq(int, fh_kernel_has_vectors(&window, 0), cases[i].is_one), "%zu", i);
        cr_expect(not(fh_kernel_has_vectors(&window, 1)));
        cr_expect(not(fh_kernel_has_vectors(&window, sizeof bytes + 1)));
        cr_expect(eq(sz, fh_kernel_find(&window, 0), cases[i].is_one ? 0 : SIZE_MAX), "%zu", i);
        cr_expect(eq(sz, fh_kernel_find(&window, 1), SIZE_MAX));
    }
}

Test(kinds, a_short_kernel_has_words_among_zeros)
{
    static const char word[] = "KERNEL SETUP!";
    uint8_t *bytes = calloc(1, FH_KERNEL_LEN);
    cr_assert(bytes != NULL);
    memcpy(bytes + 100, word, sizeof word);
    const fh_cursor whole = fh_cursor_make(bytes, FH_KERNEL_LEN, 0);
    const fh_cursor part = fh_cursor_make(bytes, FH_KERNEL_LEN / 8, 0);
    const fh_cursor start = fh_cursor_make(bytes, 200, 0);
    cr_assert(fh_kernel_text(&whole) != NULL && fh_kernel_text(&part) != NULL);
    cr_expect_str_eq(fh_kernel_text(&whole), word);
    cr_expect_str_eq(fh_kernel_text(&part), word);
    cr_expect(fh_kernel_text(&start) == NULL); /* too few zeros */
    free(bytes);
}
