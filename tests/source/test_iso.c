/* Trees in memory, the map against plain search, sectors at random. */
#include "bench.h"

#include "source/files.h"
#include "source/raw_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUM_BLOCKS = 64, ROOT = 20 };

/* A volume in memory. */
typedef struct disc {
    uint8_t blocks[NUM_BLOCKS][2048];
    size_t at; /* in the directory that is being written */
    int64_t num_reads;
} disc;

static void both32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
        to[7 - i] = (uint8_t)(value >> (8 * i));
    }
}

static size_t put_record(uint8_t *to, const char *name, size_t name_len, uint32_t block,
                         uint32_t size, uint8_t flags)
{
    const size_t len = 33 + name_len + (name_len % 2 == 0 ? 1 : 0);
    to[0] = (uint8_t)len;
    both32(to + 2, block);
    both32(to + 10, size);
    to[25] = flags;
    to[28] = 1;
    to[31] = 1;
    to[32] = (uint8_t)name_len;
    memcpy(to + 33, name, name_len);
    return len;
}

static void begin_directory(disc *d, uint32_t block, uint32_t parent)
{
    d->at = put_record(d->blocks[block], "\0", 1, block, 2048, 2);
    d->at += put_record(d->blocks[block] + d->at, "\1", 1, parent, 2048, 2);
}

static uint8_t *add(disc *d, uint32_t dir, const char *name, uint32_t block, uint32_t size,
                    uint8_t flags)
{
    uint8_t *to = d->blocks[dir] + d->at;
    d->at += put_record(to, name, strlen(name), block, size, flags);
    return to;
}

static void put_descriptor(disc *d, uint32_t block, uint8_t type, uint32_t root)
{
    uint8_t *to = d->blocks[block];
    to[0] = type;
    memcpy(to + 1, "CD001\1", 6);
    both32(to + 80, NUM_BLOCKS);
    memcpy(to + 120, "\1\0\0\1\1\0\0\1\0\x08\x08\0", 12);
    both32(to + 132, 10);
    to[140] = 19;
    to[151] = 18;
    put_record(to + 156, "\0", 1, root, 2048, 2);
}

/* A volume with an empty root and sound path tables. */
static disc *make_disc(void)
{
    disc *d = calloc(1, sizeof *d);
    cr_assert(ne(ptr, d, NULL));
    put_descriptor(d, 16, 1, ROOT);
    memcpy(d->blocks[17], "\377CD001\1", 7);
    memcpy(d->blocks[19], "\1\0\x14\0\0\0\1\0\0", 10);
    memcpy(d->blocks[18], "\1\0\0\0\0\x14\0\1\0", 10);
    begin_directory(d, ROOT, ROOT);
    return d;
}

static bool read_block(void *user, int64_t block, uint8_t out[2048])
{
    disc *d = user;
    d->num_reads++;
    if (block < 0 || block >= NUM_BLOCKS) {
        return false;
    }
    memcpy(out, d->blocks[block], 2048);
    return true;
}

static int64_t raw_off(void *user, int64_t block, size_t off)
{
    (void)user;
    return block < 0 || block >= NUM_BLOCKS ? FH_UNKNOWN : block * 2048 + (int64_t)off;
}

static fh_iso read_disc(disc *d, fh_tallies *tallies)
{
    const fh_iso_source source = {
        .user = d, .read = read_block, .raw_off = raw_off, .end_block = NUM_BLOCKS};
    fh_iso iso;
    *tallies = (fh_tallies){0};
    cr_assert(fh_iso_read(&iso, tallies, &source));
    return iso;
}

static void only(const fh_tallies *tallies, int rule)
{
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        const bool is_told = tallies->rules[i].count > 0;
        cr_assert(eq(int, is_told, i == rule), "%s: %d times, %s; %s", fh_image_rules.rules[i].code,
                  (int)tallies->rules[i].count, tallies->rules[i].found, tallies->rules[i].field);
    }
}

static void path_is(const fh_iso_tree *tree, size_t file, const char *expected)
{
    char path[FH_ISO_MAX_PATH];
    fh_iso_path(path, tree, file);
    cr_assert(strcmp(path, expected) == 0, "%s, not %s", path, expected);
}

Test(iso, a_sound_tree)
{
    disc *d = make_disc();
    fh_tallies tallies;
    uint8_t *xa = add(d, ROOT, "A.TXT;1", 30, 5000, 0);
    xa[0] += 14;
    memcpy(xa + 40, "\0\0\0\0\x0d\x55XA\3\0\0\0\0", 14);
    d->at += 14;
    add(d, ROOT, "B;1", 40, 2048, 0x80);
    add(d, ROOT, "B;1", 50, 100, 0);
    add(d, ROOT, "C.TXT;2", 0, 0, 0)[1] = 3;
    fh_iso iso = read_disc(d, &tallies);
    only(&tallies, -1);
    cr_assert(iso.has_volume && iso.primary.is_whole && !iso.primary.is_cut && !iso.has_joliet);
    cr_assert(eq(sz, iso.primary.num_files, 4));
    path_is(&iso.primary, 0, "/");
    path_is(&iso.primary, 1, "/A.TXT");
    path_is(&iso.primary, 2, "/B");
    path_is(&iso.primary, 3, "/C.TXT;2");
    const fh_iso_file *files = iso.primary.files;
    cr_assert(files[1].has_xa && files[1].xa_attributes == 0x0d55 && files[1].xa_file == 3);
    cr_assert(eq(u64, files[2].size, 2148));
    cr_assert(eq(u32, files[2].num_extents, 2));
    cr_assert(eq(i64, iso.primary.extents[files[2].first_extent + 1].blocks_before, 1));
    cr_assert(eq(i64, iso.primary.extents[files[3].first_extent].first, 3));
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/B"), 2));
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/B;1"), 2));
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/C.TXT"), FH_ISO_NO_FILE));
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/C.TXT;2"), 3));
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/"), 0));
    fh_iso_free(&iso);
    free(d);
}

Test(iso, names_are_one_name_whatever_they_hold)
{
    disc *d = make_disc();
    fh_tallies tallies;
    add(d, ROOT, "A/B%\x1b\xc3\xa4;1", 30, 1, 0);
    fh_iso iso = read_disc(d, &tallies);
    path_is(&iso.primary, 1, "/A%2fB%25%1b%c3%a4");
    cr_assert(eq(sz, fh_iso_find(&iso.primary, "/A%2fB%25%1b%c3%a4"), 1));
    fh_iso_free(&iso);
    free(d);
}

Test(iso, joliet_names_files_a_second_time)
{
    disc *d = make_disc();
    fh_tallies tallies;
    memcpy(d->blocks[24], d->blocks[17], 2048);
    put_descriptor(d, 17, 2, 21);
    memcpy(d->blocks[17] + 88, "%/E", 3);
    memcpy(d->blocks[18], "\1\0\0\0\0\x14\0\1\0", 10);
    /* The terminator takes the place of a path table; the tables move. */
    memcpy(d->blocks[25], d->blocks[18], 2048);
    memcpy(d->blocks[18], d->blocks[24], 2048);
    d->blocks[16][151] = 25;
    memcpy(d->blocks[26], "\1\0\x15\0\0\0\1\0\0", 10);
    memcpy(d->blocks[27], "\1\0\0\0\0\x15\0\1\0", 10);
    d->blocks[17][140] = 26;
    d->blocks[17][151] = 27;
    add(d, ROOT, "A.TXT;1", 30, 5000, 0);
    add(d, ROOT, "B.TXT;1", 40, 10, 0);
    add(d, ROOT, "C.TXT;1", 40, 10, 0);
    begin_directory(d, 21, 21);
    d->at += put_record(d->blocks[21] + d->at, "\xd8\x3d\xde\x00\0a\0/\xdc\x00", 10, 30, 5000, 0);
    d->at += put_record(d->blocks[21] + d->at, "\0b", 2, 40, 10, 0);
    fh_iso iso = read_disc(d, &tallies);
    cr_assert(iso.has_joliet);
    cr_assert(eq(u32, iso.primary.files[1].second, 1));
    path_is(&iso.joliet, 1,
            "/\xf0\x9f\x98\x80"
            "a%2f\xef\xbf\xbd");
    /* Two files lie at that place: which of them has the name is not known. */
    cr_assert(eq(u32, iso.primary.files[2].second, FH_ISO_NO_FILE));
    cr_assert(eq(u32, iso.primary.files[3].second, FH_ISO_NO_FILE));
    cr_assert(eq(i64, tallies.rules[FH_IMG0039].count, 1));
    cr_assert(eq(i64, tallies.rules[FH_IMG0034].count, 1));
    cr_assert(eq(i64, tallies.rules[FH_IMG0032].count, 0));
    cr_assert(eq(i64, tallies.rules[FH_IMG0081].count, 0));
    fh_iso_free(&iso);
    free(d);
}

Test(iso, interleaved_files_do_not_share)
{
    disc *d = make_disc();
    fh_tallies tallies;
    memcpy(add(d, ROOT, "A;1", 30, 4 * 2048, 0) + 26, "\1\1", 2);
    memcpy(add(d, ROOT, "B;1", 31, 4 * 2048, 0) + 26, "\1\1", 2);
    fh_iso iso = read_disc(d, &tallies);
    fh_iso_map map;
    only(&tallies, -1);
    cr_assert(fh_iso_map_make(&map, &iso.primary));
    for (int64_t block = 28; block < 42; block++) {
        fh_iso_hit hit = {0};
        const bool is_found = fh_iso_map_find(&map, &hit, block);
        cr_assert(eq(int, is_found, block >= 30 && block <= 37));
        if (is_found) {
            cr_assert(eq(u32, hit.file, block % 2 == 0 ? 1 : 2));
            cr_assert(eq(i64, hit.number, (block - 30) / 2));
            const fh_iso_extent *extent = &iso.primary.extents[hit.extent];
            cr_assert(eq(i64, fh_iso_nth(extent, hit.number), block));
        }
    }
    fh_iso_map_free(&map);
    fh_iso_free(&iso);
    free(d);
}

/* ---- the map ---- */

/* What the map must find, by looking at every extent. */
static const fh_iso_extent *look(const fh_iso_tree *tree, uint32_t *file, int64_t block)
{
    const fh_iso_extent *best = NULL;
    for (uint32_t i = 0; i < tree->num_files; i++) {
        const fh_iso_extent *extent = &tree->extents[i];
        if (extent->size > 0 && fh_iso_number(extent, block) != FH_UNKNOWN &&
            (best == NULL || extent->first > best->first)) {
            best = extent;
            *file = i;
        }
    }
    return best;
}

Test(iso_map, finds_what_a_plain_search_finds)
{
    uint32_t seed = 1;
    for (int round = 0; round < 200; round++) {
        fh_iso_file files[40] = {0};
        fh_iso_extent extents[40] = {0};
        const size_t num = (size_t)round % 40;
        for (uint32_t i = 0; i < num; i++) {
            seed = seed * 1664525u + 1013904223u;
            files[i] = (fh_iso_file){.first_extent = i, .num_extents = 1};
            extents[i] = (fh_iso_extent){.first = seed >> 26,
                                         .size = (seed >> 12 & 15) * 1000,
                                         .unit = seed >> 8 & 3,
                                         .gap = seed >> 10 & 3};
        }
        const fh_iso_tree tree = {
            .files = files, .num_files = num, .extents = extents, .num_extents = num};
        fh_iso_map map;
        cr_assert(fh_iso_map_make(&map, &tree));
        for (int64_t block = -1; block < 120; block++) {
            fh_iso_hit hit = {0};
            uint32_t file = 0;
            const fh_iso_extent *expected = look(&tree, &file, block);
            const bool is_found = fh_iso_map_find(&map, &hit, block);
            cr_assert(eq(int, is_found, expected != NULL), "round %d block %d", round, (int)block);
            const bool is_same = !is_found || hit.file == file;
            cr_assert(is_same, "round %d block %d: %u, not %u", round, (int)block, hit.file, file);
        }
        fh_iso_map_free(&map);
    }
}

/* ---- more blocks than a volume can have ---- */

static bool read_endless(void *user, int64_t off, uint8_t *out, size_t len)
{
    const disc *d = user;
    for (size_t i = 0; i < len; i++) {
        const int64_t at = off + (int64_t)i;
        out[i] = at < (int64_t)sizeof d->blocks ? d->blocks[at / 2048][at % 2048] : 0;
    }
    return true;
}

/* The number of a block has 32 bits, and the last one that they can say is none. */
Test(files, a_directory_at_the_last_number)
{
    disc *d = make_disc();
    const fh_layout layout = {.stride = FH_STRIDE_2048, .has_iso = true};
    fh_files files;
    (void)add(d, ROOT, "D", UINT32_MAX, 2048, 2);
    cr_assert(fh_files_open(&files, &layout, ((int64_t)UINT32_MAX + 10) * 2048, read_endless, d));
    cr_assert(eq(i64, files.tallies.rules[FH_IMG0032].count, 1));
    cr_assert(eq(sz, files.iso.primary.num_files, 2));
    fh_files_close(&files);
    free(d);
}

/* ---- sectors at random ---- */

static bool read_image(void *user, int64_t off, uint8_t *out, size_t len)
{
    const image *img = user;
    if (off < 0 || (size_t)off > img->raw.len || img->raw.len - (size_t)off < len) {
        return false;
    }
    memcpy(out, img->raw.data + off, len);
    return true;
}

static fh_disc open_image(image *img)
{
    const fh_cursor window = fh_cursor_make(img->raw.data, img->raw.len, 0);
    fh_layout layout;
    fh_disc disc_of;
    fh_layout_find(&layout, FH_LAYOUT_AUTO, &window, (int64_t)img->raw.len);
    cr_assert(fh_disc_open(&disc_of, &layout, (int64_t)img->raw.len, read_image, img));
    return disc_of;
}

Test(disc, finds_every_sector_that_the_forward_pass_believes)
{
    image img = image_make();
    int lba = -150;
    for (int part = 0; part < 9; part++) {
        image_run(&img, (spec){.stride = 2352, .mode = 2, .lba = lba, .stream = FH_STREAM_DATA},
                  37);
        lba += 37 + part * 11; /* sectors are missing between the parts */
    }
    result res = bench_run(&img, FH_LAYOUT_AUTO);
    fh_disc on = open_image(&img);
    cr_assert(on.has_lba && on.first_lba == -150);
    cr_assert(eq(i64, on.num_sectors, 9 * 37));
    for (int64_t i = 0; i < on.num_sectors; i++) {
        fh_disc_sector at;
        cr_assert(fh_disc_at(&on, &at, i));
        cr_assert(eq(i64, at.lba, res.lbas[i]), "sector %d", (int)i);
        cr_assert(fh_disc_find(&on, &at, res.lbas[i]) && at.index == i, "sector %d", (int)i);
    }
    fh_disc_sector at;
    cr_assert(not(fh_disc_find(&on, &at, -151)));
    cr_assert(not(fh_disc_find(&on, &at, lba + 500)));
    cr_assert(not(fh_disc_find(&on, &at, -150 + 2 * 37 + 5))); /* missing */
    fh_disc_close(&on);
    bench_free(&res);
    image_free(&img);
}

Test(disc, a_damaged_header_is_found_by_its_neighbours)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2448, .mode = 1, .lba = 0}, 20);
    spec bad = {.stride = 2448, .mode = 1, .lba = 20, .bad_address = true};
    image_add(&img, &bad);
    image_run(&img, (spec){.stride = 2448, .mode = 1, .lba = 21}, 20);
    fh_disc on = open_image(&img);
    fh_disc_sector at;
    cr_assert(fh_disc_find(&on, &at, 20) && at.index == 20 && at.lba == FH_UNKNOWN);
    cr_assert(eq(i64, fh_disc_address(&on, &at), 20));
    fh_disc_close(&on);
    image_free(&img);
}

/* Sectors without an address, and pairs of sectors with one that is too low or too high: whoever
 * asks for what is not there is led all over the image. */
Test(disc, addresses_are_not_looked_for_forever)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 1, .lba = 0}, 32);
    for (int i = 0; i < 40; i++) {
        spec bad = {.stride = 2352, .mode = 1, .lba = 0, .bad_address = true};
        for (int k = 0; k < 14; k++) {
            image_add(&img, &bad);
        }
        image_run(&img, (spec){.stride = 2352, .mode = 1, .lba = i < 20 ? 1000 : 300000}, 2);
    }
    fh_disc on = open_image(&img);
    fh_disc_sector at;
    int64_t num = 0;
    while (!fh_disc_is_spent(&on) && num < 100000) {
        cr_assert(not(fh_disc_find(&on, &at, 200000 + num++)));
    }
    cr_assert(num > 100 && num < 100000, "%d", (int)num);
    cr_assert(not(fh_disc_find(&on, &at, 200000)));
    cr_assert(fh_disc_find(&on, &at, 7) && at.index == 7, "what lies in its place is found");
    cr_assert(fh_disc_is_spent(&on));
    fh_disc_rest(&on);
    cr_assert(not(fh_disc_is_spent(&on)));
    fh_disc_close(&on);
    image_free(&img);
}

Test(disc, headers_that_are_all_equal_give_no_address)
{
    image img = image_make();
    for (int i = 0; i < 30; i++) {
        image_run(&img, (spec){.stride = 2352, .mode = 2, .lba = 7}, 1);
    }
    fh_disc on = open_image(&img);
    fh_disc_sector at;
    cr_assert(not(on.has_lba));
    cr_assert(fh_disc_find(&on, &at, 12) && at.index == 12 && at.lba == FH_UNKNOWN);
    cr_assert(eq(i64, fh_disc_address(&on, &at), 12));
    fh_disc_close(&on);
    image_free(&img);
}

Test(disc, the_last_sector_may_be_cut)
{
    image img = image_make();
    image_run(&img, (spec){.stride = 2352, .mode = 2}, 20);
    for (size_t len = 18 * 2352; len <= 20 * 2352; len += 147) {
        img.raw.len = len;
        fh_disc on = open_image(&img);
        uint8_t bytes[2048];
        const int64_t whole = (int64_t)(len / 2352);
        const bool has_more = len % 2352 >= 16;
        cr_assert(eq(i64, on.num_sectors, whole + (has_more ? 1 : 0)));
        cr_assert(fh_disc_block(&on, whole - 1, bytes));
        cr_assert(eq(int, fh_disc_block(&on, whole, bytes), len % 2352 >= 24 + 2048));
        fh_disc_close(&on);
    }
    image_free(&img);
}

Test(raw_file, only_what_can_be_read_anywhere)
{
    char path[64];
    fh_raw_file file;
    uint8_t bytes[4];
    const int fd = bench_file((const uint8_t *)"0123456789", 10, path);
    cr_assert(fh_raw_file_open(&file, path, 0));
    cr_assert(eq(i64, file.size, 10));
    cr_assert(fh_raw_file_read(&file, 6, bytes, 4) && memcmp(bytes, "6789", 4) == 0);
    cr_assert(not(fh_raw_file_read(&file, 7, bytes, 4)));
    cr_assert(not(fh_raw_file_read(&file, -1, bytes, 1)));
    cr_assert(not(fh_raw_file_read(&file, INT64_MAX, bytes, 1)));
    fh_raw_file_close(&file);
    cr_assert(ge(int, dup2(fd, 0), 0));
    cr_assert(eq(i64, lseek(0, 5, SEEK_SET), 5));
    cr_assert(fh_raw_file_open(&file, "-", 3));
    cr_assert(file.base == 2 && file.size == 8);
    cr_assert(fh_raw_file_read(&file, 0, bytes, 2) && bytes[0] == '2');
    fh_raw_file_close(&file);
    cr_assert(eq(i64, lseek(0, 0, SEEK_CUR), 5));
    close(fd);
    cr_assert(not(fh_raw_file_open(&file, "/", 0)));
    cr_assert(eq(int, errno, EISDIR));
    cr_assert(not(fh_raw_file_open(&file, "/nowhere/at/all", 0)));
    cr_assert(eq(int, errno, ENOENT));
    int ends[2];
    cr_assert(eq(int, pipe(ends), 0));
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    cr_assert(not(fh_raw_file_open(&file, path, 0)));
    cr_assert(eq(int, errno, ESPIPE));
}
