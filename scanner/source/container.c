#include "source/container.h"

#include "source/cdz.h"
#include "source/chd_box.h"
#include "source/ecm.h"
#include "source/gzip.h"
#include "source/pbp.h"
#include "source/rzip.h"
#include "source/state_box.h"
#include "source/unpack.h"

#include <string.h>
#include <zlib.h>

#ifdef FH_WITH_ARCHIVE
#include "source/archive.h"
#define ARCHIVE(open_with) .open = (open_with)
#else
#define ARCHIVE(open_with) .is_left_out = true
#define fh_archive_version() "no libarchive"
#endif

static bool begins(const fh_cursor *window, const char *magic, size_t len)
{
    return window->size >= len && memcmp(window->base, magic, len) == 0;
}

#define BEGINS(window, magic) begins((window), (magic), sizeof(magic) - 1)

/* A member, or the end of a zip without any. */
static bool is_zip(const fh_cursor *window)
{
    return window->size >= 22 &&
           (BEGINS(window, "PK\003\004") || BEGINS(window, "PK\005\006\0\0\0\0"));
}

static bool is_7z(const fh_cursor *window)
{
    return BEGINS(window, "7z\274\257\047\034") && window->size >= 32;
}

/* Octal digits of a field, up to a blank or zero; UINT32_MAX: there is something else. */
static uint32_t octal(fh_cursor cur, size_t len)
{
    uint32_t value = 0;
    bool is_over = false;
    for (size_t i = 0; i < len; i++) {
        const uint8_t c = fh_cursor_u8(&cur);
        if (c >= '0' && c <= '7' && !is_over) {
            value = value * 8 + (uint32_t)(c - '0');
        } else if (c == ' ' || c == 0) {
            is_over = value != 0;
        } else {
            return UINT32_MAX;
        }
    }
    return value;
}

/* `ustar` in its place, and the checksum of the header, which counts its own field as blanks. */
static bool is_tar(const fh_cursor *window)
{
    enum { HEADER = 512, MAGIC_AT = 257, SUM_AT = 148, SUM_LEN = 8 };
    if (window->size < HEADER || memcmp(window->base + MAGIC_AT, "ustar", 5) != 0) {
        return false;
    }
    fh_cursor cur = fh_cursor_sub(window, 0, HEADER);
    uint32_t sum = 0;
    for (size_t i = 0; i < HEADER; i++) {
        const uint8_t byte = fh_cursor_u8(&cur);
        sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : byte;
    }
    return octal(fh_cursor_sub(window, SUM_AT, SUM_LEN), SUM_LEN) == sum;
}

/* The portable forms: 6 digits of magic, and 104 hexadecimal ones. */
static bool is_cpio(const fh_cursor *window)
{
    if (!BEGINS(window, "070701") && !BEGINS(window, "070702")) {
        return false;
    }
    fh_cursor cur = fh_cursor_sub(window, 6, 104);
    while (fh_cursor_left(&cur) > 0) {
        const uint8_t c = fh_cursor_u8(&cur);
        if (strchr("0123456789abcdefABCDEF", c) == NULL || c == 0) {
            return false;
        }
    }
    return !cur.failed;
}

static bool is_ar(const fh_cursor *window)
{
    return BEGINS(window, "!<arch>\n");
}

static bool is_rar(const fh_cursor *window)
{
    return BEGINS(window, "Rar!\032\007\0");
}

static bool is_rar5(const fh_cursor *window)
{
    return BEGINS(window, "Rar!\032\007\001\0");
}

static bool is_cab(const fh_cursor *window)
{
    return BEGINS(window, "MSCF\0\0\0\0") && window->size >= 36;
}

/* `-lh5-` and its like at byte 2, and a level of the header that exists. */
static bool is_lha(const fh_cursor *window)
{
    const uint8_t *at = window->base;
    return window->size >= 24 && memcmp(at + 2, "-l", 2) == 0 && (at[4] == 'h' || at[4] == 'z') &&
           at[5] != 0 && strchr("01234567ds", at[5]) != NULL && at[6] == '-' && at[20] <= 3;
}

/* A level, then the start of a block or of the end: digits of pi, of its square root. */
static bool is_bzip2(const fh_cursor *window)
{
    return window->size >= 14 && BEGINS(window, "BZh") && window->base[3] >= '1' &&
           window->base[3] <= '9' &&
           (memcmp(window->base + 4, "1AY&SY", 6) == 0 ||
            memcmp(window->base + 4, "\027\162\105\070\120\220", 6) == 0);
}

static bool is_xz(const fh_cursor *window)
{
    return BEGINS(window, "\3757zXZ\0");
}

static bool is_lzip(const fh_cursor *window)
{
    return BEGINS(window, "LZIP\001");
}

static bool is_zstd(const fh_cursor *window)
{
    return BEGINS(window, "\050\265\057\375");
}

static bool is_lz4(const fh_cursor *window)
{
    return BEGINS(window, "\004\042\115\030");
}

/* The first that fits. */
const fh_box_kind fh_box_kinds[] = {
    {"zip", is_zip, ARCHIVE(fh_archive_open_zip)},
    {"7z", is_7z, ARCHIVE(fh_archive_open_7z), .seeks = true},
    {"gzip", fh_gzip_is, fh_gzip_open, .wraps = true, .suffix = ".gz"},
    {"zlib", fh_zlib_is, fh_zlib_open, .wraps = true, .suffix = ".z"},
    {"bzip2", is_bzip2, ARCHIVE(fh_archive_open_bzip2), .wraps = true, .suffix = ".bz2"},
    {"xz", is_xz, ARCHIVE(fh_archive_open_xz), .wraps = true, .suffix = ".xz"},
    {"lzip", is_lzip, ARCHIVE(fh_archive_open_lzip), .wraps = true, .suffix = ".lz"},
    {"zstd", is_zstd, ARCHIVE(fh_archive_open_zstd), .wraps = true, .suffix = ".zst"},
    {"lz4", is_lz4, ARCHIVE(fh_archive_open_lz4), .wraps = true, .suffix = ".lz4"},
    {"rar", is_rar, ARCHIVE(fh_archive_open_rar)},
    {"rar 5", is_rar5, ARCHIVE(fh_archive_open_rar5)},
    {"cab", is_cab, ARCHIVE(fh_archive_open_cab)},
    {"lha", is_lha, ARCHIVE(fh_archive_open_lha)},
    {"ar", is_ar, ARCHIVE(fh_archive_open_ar)},
    {"cpio", is_cpio, ARCHIVE(fh_archive_open_cpio), .bundles = true},
    {"tar", is_tar, ARCHIVE(fh_archive_open_tar), .bundles = true},
    {"rzip", fh_rzip_is, fh_rzip_open, .wraps = true, .suffix = ".rzip"},
    {"ecm", fh_ecm_is, fh_ecm_open, .wraps = true, .suffix = ".ecm"},
    {"pbp", fh_pbp_is, fh_pbp_open, .wraps = true, .suffix = ".pbp"},
    {"cdz", fh_cdz_is, fh_cdz_open},
    {"chd", fh_chd_box_is, fh_chd_box_open, .seeks = true, .wraps = true, .suffix = ".chd"},
    {"save state", fh_state_box_is_packed, fh_state_box_open_packed, .bundles = true},
    {"save state", fh_state_box_is_plain, fh_state_box_open_plain, .lies_plain = true,
     .bundles = true},
};
const size_t fh_num_box_kinds = sizeof fh_box_kinds / sizeof fh_box_kinds[0];

const fh_box_kind *fh_container_of(const fh_cursor *window)
{
    for (size_t i = 0; i < fh_num_box_kinds; i++) {
        if (fh_box_kinds[i].is(window)) {
            return &fh_box_kinds[i];
        }
    }
    return NULL;
}

void fh_container_libraries(fh_text *out)
{
    fh_text_str(fh_text_str(out, "zlib "), zlibVersion());
    fh_text_str(fh_text_str(out, ", "), fh_archive_version());
    fh_unpack_libraries(out);
}
