#include "source/sheet_cdi.h"

#include "core/cursor.h"
#include "source/limits.h"
#include "source/sheet_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_2 0x80000004u
#define VERSION_3 0x80000005u
#define VERSION_35 0x80000006u

enum {
    TAIL_LEN = 8,
    START_LEN = 36, /* sessions, tracks, and the mark of the first track in both its places */
    TRACKS_AT = 2,
    MARK_LEN = 20,
    MARK_AT = 8,
    LATE_MARK_AT = 16
};

/* 0; ENOENT: they are not there; or the errno of what could not be read. */
static int read_bytes(fh_raw_file *file, int64_t off, uint8_t *out, size_t len)
{
    if (off < 0 || off > file->size - (int64_t)len) {
        return ENOENT;
    }
    if (fh_raw_file_read(file, off, out, len)) {
        return 0;
    }
    return file->error != 0 ? file->error : EIO; /* it has become shorter */
}

/* Where the last bytes say that the footer begins; FH_UNKNOWN: they do not. */
static int64_t footer_of(const uint8_t tail[TAIL_LEN], int64_t size)
{
    fh_cursor cur = fh_cursor_make(tail, TAIL_LEN, 0);
    const uint32_t version = fh_cursor_u32(&cur);
    const int64_t place = (int64_t)fh_cursor_u32(&cur);
    if (version != VERSION_2 && version != VERSION_3 && version != VERSION_35) {
        return FH_UNKNOWN;
    }
    const int64_t off = version == VERSION_35 ? size - place : place;
    return off > 0 && off <= size - START_LEN - TAIL_LEN ? off : FH_UNKNOWN;
}

static bool is_footer(const uint8_t start[START_LEN])
{
    static const uint8_t mark[MARK_LEN] = {0, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
                                           0, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    return start[0] >= 1 && start[0] <= FH_MAX_TRACKS && start[TRACKS_AT] >= 1 &&
           start[TRACKS_AT] <= FH_MAX_TRACKS &&
           (memcmp(start + MARK_AT, mark, MARK_LEN) == 0 ||
            memcmp(start + LATE_MARK_AT, mark, MARK_LEN) == 0);
}

/* Where the footer begins, FH_UNKNOWN if there is none; *error as above. */
static int64_t find_footer(fh_raw_file *file, int *error)
{
    uint8_t tail[TAIL_LEN];
    uint8_t start[START_LEN];
    *error = read_bytes(file, file->size - TAIL_LEN, tail, sizeof tail);
    const int64_t off = *error == 0 ? footer_of(tail, file->size) : FH_UNKNOWN;
    if (off == FH_UNKNOWN) {
        return off;
    }
    *error = read_bytes(file, off, start, sizeof start);
    return *error == 0 && is_footer(start) ? off : FH_UNKNOWN;
}

int fh_cdi_read(fh_sheet **out, fh_raw_file *file, fh_tallies *faults)
{
    int error = 0;
    const int64_t off = find_footer(file, &error);
    *out = NULL;
    if (off == FH_UNKNOWN) {
        return error == ENOENT ? 0 : error;
    }
    fh_sheet *sheet = calloc(1, sizeof *sheet);
    if (sheet == NULL) {
        return ENOMEM;
    }
    (void)fh_sheet_add_file(sheet, (fh_word){"", 0}, off);
    sheet->files[0].end = off;
    fh_sheet_tell_format(faults, off, "CDI");
    *out = sheet;
    return 0;
}
