#include "fuzz_found.h"

#include "fuzz_disc.h"
#include "hunt/hunt.h"

#include <stdlib.h>
#include <string.h>

/* Zeros around a text, as in a sector that it does not fill: noise would be a part of its first or
 * last word. They are as many as no character of UTF-16 has. Where such a text begins at an even
 * offset, none of them is its own (fh_scan_begin). */
enum { MOST_FRONT = 4096, BEHIND = 512, NUM_ZEROS = 16 };

/* What is around the asset. */
typedef struct setting {
    unsigned mode; /* of the sectors of a disc; 0: a plain file */
    bool is_file;  /* of the disc */
    size_t border; /* byte of the image that the asset lies across */
} setting;

/* In a disc, borders of sectors: the first one is that of a sector, the second one lies inside. */
enum { SECTOR = 40 * FUZZ_DISC_SECTOR };
static const setting settings[] = {
    {0, false, MOST_FRONT}, {0, false, FH_READER_CHUNK}, {1, true, SECTOR},
    {1, false, SECTOR},     {1, true, FH_READER_CHUNK},  {2, true, SECTOR},
    {2, false, SECTOR},     {2, false, FH_READER_CHUNK},
};
enum { NUM_SETTINGS = sizeof settings / sizeof settings[0] };

typedef struct wanted {
    const char *format;
    const char *iso_path; /* NULL: it lies in none */
    int64_t off;
    int64_t len;
    int64_t lba;
    int64_t iso_off;
    bool is_found;
} wanted;

static bool is_same_path(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    wanted *of = user;
    of->is_found = of->is_found || (strcmp(asset->format, of->format) == 0 &&
                                    strcmp(asset->grade, fh_grade_name(FH_GRADE_REPLAYED)) == 0 &&
                                    asset->raw_offset == of->off && asset->length == of->len &&
                                    asset->lba == of->lba && asset->iso_offset == of->iso_off &&
                                    is_same_path(asset->iso_path, of->iso_path));
    *handle = 0;
    return true;
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    (void)user;
    (void)finding;
    return true;
}

static bool on_begin(void *user, const char *path)
{
    (void)user;
    (void)path;
    return true;
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    (void)user;
    (void)source;
    (void)status;
    return true;
}

static void fill_with_noise(uint8_t *out, size_t len, uint64_t choice)
{
    for (size_t i = 0; i < len; i++) {
        choice ^= choice << 13;
        choice ^= choice >> 7;
        choice ^= choice << 17;
        out[i] = (uint8_t)(0x80 | (choice >> 24 & 0x3f));
    }
}

static void search(wanted *of, const fh_format *format, const uint8_t *image, size_t len)
{
    const fh_hunt_options options = {.formats = &format,
                                     .num_formats = 1,
                                     .layout =
                                         of->lba == FH_UNKNOWN ? FH_LAYOUT_PLAIN : FH_LAYOUT_AUTO,
                                     .replay = true,
                                     .as_it_lies = true};
    const fh_hunt_sink sink = {.user = of, .asset = on_asset, .finding = on_finding};
    const fh_hunt_visitor visitor = {of, on_begin, on_end};
    int64_t num_left_out = 0;
    fh_hunt_bytes(&num_left_out, "image", image, len, &options, &sink, &visitor);
}

/* With the work of the scanner, which hashes each pose. */
static bool is_replayed(const fh_format *format, const uint8_t *bytes, size_t len)
{
    static fh_exam exam;
    const fh_exam_options options = {.aligned = true, .replay = true};
    if (!fh_exam_run(&exam, format, fh_cursor_make(bytes, len, 0), &options)) {
        abort();
    }
    const fh_grade grade = exam.asset.grade;
    fh_exam_forget(&exam);
    return grade == FH_GRADE_REPLAYED;
}

/* Bytes between two places at which the asset may begin. A character of UTF-16 has two. */
static size_t step_of(const fh_format *format, const uint8_t *bytes, size_t len)
{
    const bool is_wide =
        len > 1 && (bytes[0] == 0 || bytes[1] == 0 || bytes[0] == 0xff || bytes[0] == 0xfe);
    return !format->is_text ? format->alignment : is_wide ? 2 : 1;
}

/* Where the asset begins in the user data (in a plain file, in all of it): a few steps before the
 * border, so that it lies across it where it is long enough. */
static size_t chosen_start(const setting *in, size_t step, size_t len, uint64_t choice)
{
    const size_t border = in->mode == 0 ? in->border : fuzz_disc_user(in->mode, in->border);
    const size_t most = (len < MOST_FRONT / 2 ? len : MOST_FRONT / 2) / step;
    return border / step * step - step * (most == 0 ? 0 : (size_t)((choice >> 8) % most));
}

/* Noise with the asset in it. Owned by the caller. */
static uint8_t *surround(size_t *whole, const uint8_t *bytes, size_t len, size_t front,
                         size_t zeros, uint64_t choice)
{
    *whole = front + len + zeros + BEHIND;
    uint8_t *out = malloc(*whole);
    if (out == NULL) {
        abort();
    }
    fill_with_noise(out, *whole, choice | 1);
    memset(out + front - zeros, 0, zeros + len + zeros);
    memcpy(out + front, bytes, len);
    return out;
}

static bool is_found_in(const setting *in, const fh_format *format, const uint8_t *bytes,
                        size_t len, uint64_t choice)
{
    const size_t zeros = format->is_text ? NUM_ZEROS : 0;
    const size_t start = chosen_start(in, step_of(format, bytes, len), len, choice);
    fuzz_disc disc = {.mode = in->mode, .is_file = in->is_file};
    disc.lba = in->mode == 0 ? 0 : (uint32_t)(start / FUZZ_DISC_USER - 1);
    const size_t front = start - (size_t)disc.lba * FUZZ_DISC_USER;
    size_t whole = 0;
    uint8_t *around = surround(&whole, bytes, len, front, zeros, choice);
    wanted of = {.format = format->name,
                 .off = (int64_t)start,
                 .len = (int64_t)len,
                 .lba = FH_UNKNOWN,
                 .iso_off = FH_UNKNOWN};
    if (in->mode == 0) {
        search(&of, format, around, whole);
    } else {
        of.off = (int64_t)fuzz_disc_place(in->mode, start);
        of.lba = (int64_t)(start / FUZZ_DISC_USER);
        of.iso_path = in->is_file ? FUZZ_DISC_FILE : NULL;
        of.iso_off = in->is_file ? (int64_t)front : FH_UNKNOWN;
        fuzz_disc_make(&disc, around, whole);
        search(&of, format, disc.bytes, disc.len);
        free(disc.bytes);
    }
    free(around);
    return of.is_found;
}

/* Once in the smallest file, and once in one of the others. */
bool fuzz_is_found(const fh_format *format, const uint8_t *bytes, size_t len, uint64_t choice)
{
    return !is_replayed(format, bytes, len) ||
           (is_found_in(&settings[0], format, bytes, len, choice) &&
            is_found_in(&settings[1 + choice % (NUM_SETTINGS - 1)], format, bytes, len, choice));
}
