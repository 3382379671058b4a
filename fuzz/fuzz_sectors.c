/* An image of sectors, made of a few bytes (fuzz_image.h), and read in its own layout and, as the
 * first byte says, in one that the user would ask for. What must be true: all of fuzz_stream.h, and
 *   - reading twice says the same;
 *   - a sector that is mended (its ECC is computed again) stays as it is when that is done again,
 *     and its EDC stays right if it was;
 *   - a byte that the directory gives to a file lies in the image, also as the file counts it;
 *   - time and memory do not depend on what the sectors say.
 */
#include "fuzz_image.h"
#include "fuzz_stream.h"

#include "source/ecc.h"
#include "source/edc.h"
#include "source/files.h"

#include <string.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)64 << 20,
                                   .memory_per_byte = 256,
                                   .milliseconds = 4000,
                                   .milliseconds_per_kib = 20};

typedef struct whole {
    const uint8_t *bytes;
    size_t len;
} whole;

static bool read_at(void *user, int64_t off, uint8_t *out, size_t len)
{
    const whole *image = user;
    if (off < 0 || (uint64_t)off > image->len || len > image->len - (size_t)off) {
        return false;
    }
    memcpy(out, image->bytes + off, len);
    return true;
}

static void check_place(fh_files *files, int64_t raw_off, size_t size)
{
    fh_files_place place;
    fh_files_at(files, &place, raw_off);
    if (place.file == FH_ISO_NO_FILE) {
        return;
    }
    fuzz_demand(place.file < files->iso.primary.num_files, "a file is one of the tree");
    fuzz_demand(fh_files_has(files, &place, raw_off), "a byte lies in its own file");
    if (place.offset != FH_UNKNOWN) {
        const int64_t there = fh_files_locate(files, place.file, place.offset);
        fuzz_demand(there == FH_UNKNOWN || (there >= 0 && (uint64_t)there < size),
                    "a byte of a file lies in the image");
    }
}

static void check_files(const whole *image, const fh_layout *layout)
{
    static fh_files files;
    whole bytes = *image;
    fuzz_demand(fh_files_open(&files, layout, (int64_t)image->len, read_at, &bytes),
                "the system has memory");
    const size_t step = image->len / 16 + 1;
    for (size_t at = 0; at < image->len; at += step) {
        check_place(&files, (int64_t)at, image->len);
    }
    fh_files_close(&files);
}

static fuzz_sum stream_once(const whole *image, fh_layout_choice choice, fh_layout *layout)
{
    fuzz_stream stream;
    fh_reader reader;
    fh_source_counts counts = {0};
    const fh_stop never = {0};
    const fh_tape tape = fh_tape_of_bytes(image->bytes, image->len);
    fuzz_demand(fh_reader_open_tape(&reader, &tape, &never) == FH_READER_OK,
                "bytes in memory can be read");
    const fh_cursor window = fh_reader_peek(&reader);
    fh_layout_find(layout, choice, &window, fh_reader_size(&reader));
    fuzz_stream_begin(&stream, image->bytes, image->len);
    fuzz_demand(fh_source_stream(&reader, &counts, layout, &stream.sink) == FH_SOURCE_OK,
                "a source in memory is read to its end");
    fuzz_stream_end(&stream, &counts);
    fh_reader_close(&reader);
    return stream.sum;
}

static void check_ecc(const whole *image)
{
    uint8_t sector[FH_ECC_SECTOR_LEN];
    uint8_t again[FH_ECC_SECTOR_LEN];
    if (image->len < sizeof sector) {
        return;
    }
    memcpy(sector, image->bytes, sizeof sector);
    fh_ecc_write(sector);
    memcpy(again, sector, sizeof sector);
    fh_ecc_write(again);
    fuzz_demand(memcmp(sector, again, sizeof sector) == 0, "a mended sector stays as it is");
    const fh_cursor before = fh_cursor_make(image->bytes, sizeof sector, 0);
    const fh_cursor after = fh_cursor_make(sector, sizeof sector, 0);
    fuzz_demand(fh_edc_check(&before, FH_STRIDE_2352, FH_SECTOR_FORM1) ==
                    fh_edc_check(&after, FH_STRIDE_2352, FH_SECTOR_FORM1),
                "ECC does not touch what EDC covers");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    uint8_t *bytes = NULL;
    fh_layout layout;
    const fh_layout_choice choice = (fh_layout_choice)(fuzz_byte(&input) % (FH_LAYOUT_2448 + 1));
    const size_t len = fuzz_image(&bytes, &input);
    const whole image = {bytes, len};
    fuzz_begin();
    const fuzz_sum first = stream_once(&image, choice, &layout);
    if (layout.stride != FH_STRIDE_PLAIN) {
        check_files(&image, &layout);
    }
    fuzz_end(&bounds, len);
    fuzz_demand(stream_once(&image, choice, &layout) == first, "reading twice says the same");
    check_ecc(&image);
    return 0;
}
