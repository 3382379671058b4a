#include "fuzz_found.h"

#include "hunt/hunt.h"

#include <stdlib.h>
#include <string.h>

/* Zeros around a text, as in a sector that it does not fill: noise would be a part of its first or
 * last word. They are as many as no character of UTF-16 has. Where the text begins at an even
 * offset, none of them is its own (fh_scan_begin). */
enum { MOST_FRONT = 3072, BEHIND = 512, NUM_ZEROS = 16, PLACE_LEN = 4 };

typedef struct wanted {
    const char *format;
    int64_t off;
    int64_t len;
    bool is_found;
} wanted;

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    wanted *of = user;
    of->is_found = of->is_found || (strcmp(asset->format, of->format) == 0 &&
                                    strcmp(asset->grade, fh_grade_name(FH_GRADE_REPLAYED)) == 0 &&
                                    asset->raw_offset == of->off && asset->length == of->len);
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
                                     .layout = FH_LAYOUT_PLAIN,
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

bool fuzz_is_found(const fh_format *format, const uint8_t *bytes, size_t len, uint64_t choice)
{
    if (!is_replayed(format, bytes, len)) {
        return true;
    }
    const size_t zeros = format->is_text ? NUM_ZEROS : 0;
    const size_t front = (size_t)(choice % MOST_FRONT) / PLACE_LEN * PLACE_LEN + zeros;
    const size_t whole = front + len + zeros + BEHIND;
    uint8_t *image = malloc(whole);
    if (image == NULL) {
        abort();
    }
    fill_with_noise(image, whole, choice | 1);
    memset(image + front - zeros, 0, zeros + len + zeros);
    memcpy(image + front, bytes, len);
    wanted of = {format->name, (int64_t)front, (int64_t)len, false};
    search(&of, format, image, whole);
    free(image);
    return of.is_found;
}
