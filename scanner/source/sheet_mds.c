#include "source/sheet_impl.h"

#include <string.h>

enum {
    HEADER_LEN = 0x58,
    SESSION_LEN = 0x18,
    BLOCK_LEN = 0x50,
    INDEX_LEN = 8,
    MEDIUM_DVD = 0x10,
    LEAD_IN = 0xa0,
    MOST_SESSIONS = 99
};
static const char magic[] = "MEDIA DESCRIPTOR";

/* No image is larger than this: two layers of the largest optical disc. */
#define MOST_OFF ((uint64_t)256 << 30)

typedef struct mds {
    fh_sheet *sheet;
    const fh_cursor *bytes;
    fh_tallies *faults;
    fh_sheet_file *file;
    int64_t end; /* of the track before in the file, or FH_UNKNOWN */
} mds;

static void fault(mds *m, fh_image_rule rule, int64_t off, const char *field, int64_t found,
                  const char *expected)
{
    fh_tally *tally = fh_tally_add(m->faults, rule, off, field);
    if (m->file != NULL) {
        m->file->is_doubtful = true;
    }
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_s64(&text, found);
        text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(&text, expected);
    }
}

/* A block of the sheet; false, and a fault, if it lies outside. */
static bool block_at(mds *m, fh_cursor *out, uint64_t off, size_t len, const char *field)
{
    if (off > m->bytes->size || len > m->bytes->size - (size_t)off) {
        fault(m, FH_IMG0020, (int64_t)m->bytes->size, field, (int64_t)off,
              "a place inside the file");
        return false;
    }
    *out = fh_cursor_sub(m->bytes, (size_t)off, len);
    return true;
}

static uint32_t u32_at(const fh_cursor *block, size_t off)
{
    fh_cursor cur = fh_cursor_sub(block, off, 4);
    return fh_cursor_u32(&cur);
}

static uint16_t u16_at(const fh_cursor *block, size_t off)
{
    fh_cursor cur = fh_cursor_sub(block, off, 2);
    return fh_cursor_u16(&cur);
}

static uint8_t u8_at(const fh_cursor *block, size_t off)
{
    fh_cursor cur = fh_cursor_sub(block, off, 1);
    return fh_cursor_u8(&cur);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* UTF-8 of one 16-bit character; 0: it is none that a name can have by itself. */
static size_t encode(char out[3], uint32_t c)
{
    if (c == 0 || (c >= 0xd800 && c < 0xe000)) {
        return 0;
    }
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | ((c >> 6) & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

/* Up to the terminating zero; false if it is not there, or no name. */
static bool read_name(const mds *m, char out[FH_SHEET_MAX_NAME], uint32_t off, bool is_wide)
{
    fh_cursor cur = *m->bytes;
    size_t len = 0;
    cur.failed = false;
    if (!fh_cursor_seek(&cur, off)) {
        return false;
    }
    while (len + 3 < FH_SHEET_MAX_NAME) {
        const uint32_t c = is_wide ? fh_cursor_u16(&cur) : fh_cursor_u8(&cur);
        if (cur.failed || c == 0) {
            out[len] = '\0';
            return !cur.failed && len > 0;
        }
        const size_t more = is_wide ? encode(out + len, c) : 1;
        if (!is_wide) {
            out[len] = (char)c;
        }
        if (more == 0) {
            return false;
        }
        len += more;
    }
    return false;
}

static bool name_file(mds *m, char name[FH_SHEET_MAX_NAME], uint32_t off)
{
    fh_cursor block;
    if (off == 0) {
        memcpy(name, "*.mdf", sizeof "*.mdf");
        return true;
    }
    if (!block_at(m, &block, off, 5, "name block")) {
        return false;
    }
    if (!read_name(m, name, u32_at(&block, 0), u8_at(&block, 4) != 0)) {
        fault(m, FH_IMG0020, (int64_t)off, "name", u32_at(&block, 0), "a name that ends with 0");
        return false;
    }
    return true;
}

/* "*.mdf" stands for the name of the sheet. */
static void add_file(mds *m, const char *name, int64_t at)
{
    const bool is_extension = name[0] == '*' && name[1] == '.';
    const char *from = name + (is_extension ? 1 : 0);
    m->file = fh_sheet_add_file(m->sheet, (fh_word){from, strlen(from)}, at);
    m->end = FH_UNKNOWN;
    if (m->file != NULL) {
        m->file->is_extension = is_extension;
    }
}

static bool is_called(const fh_sheet_file *file, const char *name)
{
    return file->is_extension ? name[0] == '*' && strcmp(file->name, name + 1) == 0
                              : strcmp(file->name, name) == 0;
}

/* The file that a track lies in; a new one where the name changes. */
static bool choose_file(mds *m, uint32_t name_off)
{
    char name[FH_SHEET_MAX_NAME];
    if (!name_file(m, name, name_off)) {
        return false;
    }
    if (m->file == NULL || !is_called(m->file, name)) {
        add_file(m, name, (int64_t)name_off);
    }
    return m->file != NULL;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* The upper half of the mode byte has no meaning. */
static const fh_track_type *type_of(uint8_t mode, uint16_t sector_len)
{
    switch (mode & 0x0f) {
    case 0x9:
        return fh_track_type_of(0, sector_len);
    case 0xa:
        return fh_track_type_of(1, sector_len);
    case 0xb:
    case 0xc:
    case 0xd:
        return fh_track_type_of(2, sector_len);
    default:
        return NULL;
    }
}

static void add_part(mds *m, const fh_track_part *part)
{
    if (!fh_sheet_add_part(m->sheet, part)) {
        fault(m, FH_IMG0025, FH_UNKNOWN, "tracks", FH_MAX_TRACK_PARTS, "at most 99 tracks");
    }
}

/* Sectors between the end of one track and the beginning of the next belong to the next. */
static void add_gap(mds *m, const fh_track_part *part)
{
    const bool is_first = m->file->num_parts == 0 && part->off > 0;
    if (!is_first && (m->end == FH_UNKNOWN || part->off <= m->end)) {
        return;
    }
    fh_track_part gap = *part;
    gap.is_gap = true;
    gap.off = is_first ? 0 : m->end;
    gap.lba = part->lba - (part->off - gap.off) / part->type->stride;
    add_part(m, &gap);
}

static int64_t length_of(mds *m, uint32_t index_off)
{
    fh_cursor block;
    if (index_off == 0 || !block_at(m, &block, index_off, INDEX_LEN, "index block")) {
        return FH_UNKNOWN;
    }
    return u32_at(&block, 4);
}

static void add_track(mds *m, const fh_cursor *block, int64_t at)
{
    const uint32_t number = u8_at(block, 4);
    const uint64_t off = u32_at(block, 0x28) | (uint64_t)u32_at(block, 0x2c) << 32;
    const fh_track_type *type = type_of(u8_at(block, 0), u16_at(block, 16));
    if (!choose_file(m, u32_at(block, 0x34))) {
        return;
    }
    if (type == NULL || off > MOST_OFF) {
        fault(m, FH_IMG0020, at, type == NULL ? "mode and sector size" : "offset of the track",
              type == NULL ? u8_at(block, 0) : (int64_t)(off & INT64_MAX),
              type == NULL ? "those of a track" : "at most 256 GiB");
        return;
    }
    const fh_track_part part = {
        .number = number, .type = type, .off = (int64_t)off, .lba = (int32_t)u32_at(block, 0x24)};
    const size_t num = m->file->num_parts;
    if (num > 0 && part.off < m->sheet->parts[m->sheet->num_parts - 1].off) {
        fault(m, FH_IMG0023, at, "offset of the track", part.off, "one behind the track before");
        return;
    }
    add_gap(m, &part);
    add_part(m, &part);
    const int64_t sectors = length_of(m, u32_at(block, 12));
    m->end = sectors == FH_UNKNOWN ? FH_UNKNOWN : part.off + sectors * type->stride;
}

static void take_block(mds *m, const fh_cursor *block, int64_t at, uint32_t *last)
{
    const uint32_t point = u8_at(block, 4);
    if (point >= LEAD_IN) {
        return;
    }
    if (point < 1 || point > FH_MAX_TRACKS || (*last != 0 && point != *last + 1)) {
        fh_tally *tally = fh_tally_add(m->faults, FH_IMG0025, at, "track");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_u64(&text, point);
            text = fh_text_make(tally->expected, sizeof tally->expected);
            fh_text_str(&text, "one more each time, 1 to 99");
        }
    }
    *last = point;
    add_track(m, block, at);
}

static void read_session(mds *m, const fh_cursor *session, uint32_t *last)
{
    const uint32_t num = u8_at(session, 10);
    const uint64_t first = u32_at(session, 20);
    for (uint32_t i = 0; i < num; i++) {
        fh_cursor block;
        const uint64_t at = first + (uint64_t)i * BLOCK_LEN;
        if (!block_at(m, &block, at, BLOCK_LEN, "data block")) {
            return;
        }
        take_block(m, &block, (int64_t)at, last);
    }
}

static void read_sessions(mds *m, const fh_cursor *header)
{
    const uint32_t num = u16_at(header, 0x14);
    const uint64_t first = u32_at(header, 0x50);
    uint32_t last = 0;
    if (num > 1) {
        fh_tally *tally = fh_tally_add(m->faults, FH_IMG0028, 0x14, "sessions");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_u64(&text, num);
        }
    }
    if (num < 1 || num > MOST_SESSIONS) {
        fault(m, FH_IMG0020, 0x14, "sessions", num, "1 to 99");
        return;
    }
    for (uint32_t i = 0; i < num; i++) {
        fh_cursor session;
        if (!block_at(m, &session, first + (uint64_t)i * SESSION_LEN, SESSION_LEN, "session")) {
            return;
        }
        read_session(m, &session, &last);
    }
}

/* A disc that is no CD has no tracks, and of other versions nothing is known but the name. */
static bool has_tracks(mds *m, const fh_cursor *header)
{
    const uint8_t version = u8_at(header, 0x10);
    if (version != 1) {
        fault(m, FH_IMG0048, 0x10, "version", version, "1");
        return false;
    }
    return u16_at(header, 0x12) < MEDIUM_DVD;
}

void fh_mds_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults)
{
    mds m = {.sheet = sheet, .bytes = bytes, .faults = faults, .end = FH_UNKNOWN};
    fh_tally *tally = fh_tally_add(faults, FH_IMG0027, 0, "control file");
    const fh_cursor header = fh_cursor_sub(bytes, 0, HEADER_LEN);
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, "MDS");
    }
    sheet->lba_is_whole = true;
    if (has_tracks(&m, &header)) {
        read_sessions(&m, &header);
    }
    if (sheet->num_files == 0) {
        add_file(&m, "*.mdf", 0);
    }
}

bool fh_mds_is(const fh_cursor *bytes)
{
    return bytes->size >= HEADER_LEN && memcmp(bytes->base, magic, sizeof magic - 1) == 0;
}
