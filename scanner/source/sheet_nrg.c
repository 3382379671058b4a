#include "source/sheet_nrg.h"

#include "source/limits.h"
#include "source/sheet_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOOTER_LEN = 12,
    CHUNK_HEAD = 8,
    DAO_HEAD = 22,
    TRACK_HEAD = 18, /* code, sector size, mode and 3 bytes, before the three offsets */
    PREGAP = 150
};

typedef struct nrg {
    fh_raw_file *file;
    fh_sheet *sheet;
    fh_tallies *faults;
    int64_t end;     /* of the sectors: where the first chunk lies */
    int64_t sectors; /* of all parts so far */
    uint32_t track;  /* number of the last one */
    int error;       /* errno: bytes that are there could not be read */
} nrg;

/* false: they are not there, or cannot be read. */
static bool read_bytes(nrg *n, int64_t off, uint8_t *out, size_t len)
{
    if (off > n->file->size - (int64_t)len) {
        return false;
    }
    if (fh_raw_file_read(n->file, off, out, len)) {
        return true;
    }
    n->error = n->file->error != 0 ? n->file->error : EIO; /* it has become shorter */
    return false;
}

static uint64_t big(const uint8_t *at, size_t len)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static void fault(nrg *n, fh_image_rule rule, int64_t off, const char *field, int64_t found,
                  const char *expected)
{
    fh_tally *tally = fh_tally_add(n->faults, rule, off, field);
    n->sheet->files[0].is_doubtful = true;
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_s64(&text, found);
        text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(&text, expected);
    }
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static const fh_track_type *type_of(uint8_t mode, uint32_t sector_len)
{
    switch (mode) {
    case 0:
        return fh_track_type_of(1, FH_STRIDE_2048);
    case 3:
        return fh_track_type_of(2, FH_STRIDE_2336);
    case 5:
    case 6:
        return fh_track_type_of(FH_MODE_ANY, sector_len);
    case 7:
        return fh_track_type_of(0, FH_STRIDE_2352);
    case 15:
    case 17:
        return fh_track_type_of(FH_MODE_ANY, sector_len);
    case 16:
        return fh_track_type_of(0, sector_len);
    default:
        return NULL;
    }
}

static void add_part(nrg *n, const fh_track_type *type, int64_t off, int64_t end, bool is_gap)
{
    const fh_track_part part = {
        .number = n->track, .type = type, .is_gap = is_gap, .off = off, .lba = n->sectors - PREGAP};
    n->sectors += (end - off) / (int64_t)type->stride;
    if (off < end && !fh_sheet_add_part(n->sheet, &part)) {
        fault(n, FH_IMG0025, off, "tracks", n->track, "at most 99");
    }
}

/* The three offsets: pregap, start, end. */
static bool add_track(nrg *n, const uint8_t *bytes, size_t width, int64_t at)
{
    const uint32_t sector_len = (uint32_t)big(bytes + 12, 2);
    const fh_track_type *type = type_of(bytes[14], sector_len);
    const fh_sheet_file *file = &n->sheet->files[0];
    int64_t last = file->num_parts == 0 ? 0 : n->sheet->parts[n->sheet->num_parts - 1].off;
    uint64_t offs[3] = {0};
    n->track++;
    if (type == NULL) {
        fault(n, FH_IMG0020, at, "mode of the track", bytes[14], "a mode that is known");
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        offs[i] = big(bytes + TRACK_HEAD + i * width, width);
        if (offs[i] > (uint64_t)n->end || (int64_t)offs[i] < last) {
            fault(n, FH_IMG0023, at, "offset of the track", (int64_t)(offs[i] & INT64_MAX),
                  "offsets that rise up to the first chunk");
            return false;
        }
        last = (int64_t)offs[i];
    }
    add_part(n, type, (int64_t)offs[0], (int64_t)offs[1], true);
    add_part(n, type, (int64_t)offs[1], (int64_t)offs[2], false);
    return true;
}

static void read_tracks(nrg *n, int64_t off, uint32_t len, size_t width)
{
    const size_t row = TRACK_HEAD + 3 * width;
    uint8_t bytes[TRACK_HEAD + 24];
    for (uint32_t at = DAO_HEAD; at + row <= len && n->track < FH_MAX_TRACKS; at += (uint32_t)row) {
        if (!read_bytes(n, off + at, bytes, row) || !add_track(n, bytes, width, off + at)) {
            return;
        }
    }
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static void tell_sessions(nrg *n, int64_t off)
{
    fh_tally *tally = fh_tally_add(n->faults, FH_IMG0028, off, "sessions");
    if (tally != NULL) {
        tally->unit = "further sessions";
    }
}

static void read_chunks(nrg *n)
{
    uint8_t head[CHUNK_HEAD];
    int64_t off = n->end;
    int num_sessions = 0;
    for (unsigned i = 0; i < FH_NRG_MAX_CHUNKS; i++) {
        if (!read_bytes(n, off, head, sizeof head)) {
            fault(n, FH_IMG0020, off, "chunk", off, "chunks up to END!");
            return;
        }
        const uint32_t len = (uint32_t)big(head + 4, 4);
        const bool is_long = memcmp(head, "DAOX", 4) == 0;
        if (memcmp(head, "END!", 4) == 0) {
            return;
        }
        if (is_long || memcmp(head, "DAOI", 4) == 0) {
            if (num_sessions++ > 0) {
                tell_sessions(n, off);
            }
            read_tracks(n, off + CHUNK_HEAD, len, is_long ? 8 : 4);
        }
        off += CHUNK_HEAD + (int64_t)len;
    }
}

/* Where the footer says that the first chunk lies; FH_UNKNOWN: it is none. */
static int64_t first_chunk(nrg *n)
{
    static const char *const known[] = {"CUEX", "CUES", "DAOX", "DAOI", "ETN2", "ETNF", "TINF"};
    uint8_t footer[FOOTER_LEN];
    uint8_t tag[4];
    uint64_t off = UINT64_MAX;
    const int64_t size = n->file->size;
    if (size < FOOTER_LEN || !read_bytes(n, size - FOOTER_LEN, footer, sizeof footer)) {
        return FH_UNKNOWN;
    }
    if (memcmp(footer, "NER5", 4) == 0) {
        off = big(footer + 4, 8);
    } else if (memcmp(footer + 4, "NERO", 4) == 0) {
        off = big(footer + 8, 4);
    }
    if (off >= (uint64_t)size || !read_bytes(n, (int64_t)off, tag, sizeof tag)) {
        return FH_UNKNOWN;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (memcmp(tag, known[i], sizeof tag) == 0) {
            return (int64_t)off;
        }
    }
    return FH_UNKNOWN;
}

int fh_nrg_read(fh_sheet **out, fh_raw_file *file, fh_tallies *faults)
{
    nrg n = {.file = file, .faults = faults};
    *out = NULL;
    n.end = first_chunk(&n);
    if (n.end == FH_UNKNOWN) {
        return n.error;
    }
    n.sheet = calloc(1, sizeof *n.sheet);
    if (n.sheet == NULL) {
        return ENOMEM;
    }
    fh_tally *tally = fh_tally_add(faults, FH_IMG0027, n.end, "control data");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, "NRG");
    }
    (void)fh_sheet_add_file(n.sheet, (fh_word){"", 0}, n.end);
    read_chunks(&n);
    /* What lies behind the last track belongs to none: the chunks, above all. */
    *out = n.sheet;
    return n.error;
}
