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
    ROW_MAX = 42,    /* bytes of a track */
    CD_SECTOR = 2352,
    CD_SUBCHANNEL = 96,
    PREGAP = 150
};

typedef struct nrg {
    fh_raw_file *file;
    fh_sheet *sheet;
    fh_tallies *faults;
    int64_t end;     /* of the sectors: where the first chunk lies */
    int64_t sectors; /* of all parts so far */
    int64_t taken;   /* where the last track that was recorded by itself ends */
    uint32_t track;  /* number of the last one */
    int error;       /* errno: bytes that are there could not be read */
} nrg;

/* A kind of chunk that says where tracks lie. */
typedef struct chunk_kind chunk_kind;
struct chunk_kind {
    const char *tag;
    /* Adds the track of a row; false: it cannot be understood, nor can those behind it. */
    bool (*add)(nrg *n, const uint8_t *bytes, const chunk_kind *kind, int64_t at);
    uint32_t head; /* bytes in front of the rows */
    size_t row;    /* bytes of a track */
    size_t width;  /* of an offset */
};

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

static void add_part(nrg *n, const fh_track_type *type, int64_t off, int64_t end, bool is_gap,
                     int64_t lba)
{
    const fh_track_part part = {
        .number = n->track, .type = type, .is_gap = is_gap, .off = off, .lba = lba};
    if (off < end && !fh_sheet_add_part(n->sheet, &part)) {
        fault(n, FH_IMG0025, off, "tracks", n->track, "at most 99");
    }
}

/* One of an image that begins at 00:00:00 and leaves nothing out. */
static void add_stored(nrg *n, const fh_track_type *type, int64_t off, int64_t end, bool is_gap)
{
    add_part(n, type, off, end, is_gap, n->sectors - PREGAP);
    n->sectors += (end - off) / (int64_t)type->stride;
}

/* Tells what is wrong with an offset: one that does not rise, or lies where no sectors are. */
static bool is_place(nrg *n, uint64_t off, int64_t least, int64_t at)
{
    if (off <= (uint64_t)n->end && (int64_t)off >= least) {
        return true;
    }
    fault(n, FH_IMG0023, at, "offset of the track", (int64_t)(off & INT64_MAX),
          "offsets that rise up to the first chunk");
    return false;
}

/* Where the last part begins, or ended if that is known: the next one may not lie in front. */
static int64_t least_place(const nrg *n)
{
    const fh_sheet_file *file = &n->sheet->files[0];
    const int64_t last = file->num_parts == 0 ? 0 : n->sheet->parts[n->sheet->num_parts - 1].off;
    return n->taken > last ? n->taken : last;
}

static void unknown_mode(nrg *n, uint32_t mode, int64_t at)
{
    fault(n, FH_IMG0020, at, "mode of the track", mode, "a mode that is known");
}

/* ---- tracks of a disc recorded at once --------------------------------------------------------
 */

/* The three offsets: pregap, start, end. */
static bool add_track(nrg *n, const uint8_t *bytes, size_t width, int64_t at)
{
    const uint32_t sector_len = (uint32_t)big(bytes + 12, 2);
    const fh_track_type *type = type_of(bytes[14], sector_len);
    int64_t last = least_place(n);
    uint64_t offs[3] = {0};
    n->track++;
    if (type == NULL) {
        unknown_mode(n, bytes[14], at);
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        offs[i] = big(bytes + TRACK_HEAD + i * width, width);
        if (!is_place(n, offs[i], last, at)) {
            return false;
        }
        last = (int64_t)offs[i];
    }
    add_stored(n, type, (int64_t)offs[0], (int64_t)offs[1], true);
    add_stored(n, type, (int64_t)offs[1], (int64_t)offs[2], false);
    return true;
}

/* ---- tracks recorded one by one ---------------------------------------------------------------
 */

/* These rows do not say how large a sector is: the mode does. */
static uint32_t sector_len_of(uint32_t mode)
{
    return mode >= 15 ? CD_SECTOR + CD_SUBCHANNEL : CD_SECTOR;
}

/* Offset, length, mode, and in all but the oldest the address on the disc. */
static bool add_single(nrg *n, const uint8_t *bytes, const chunk_kind *kind, int64_t at)
{
    const uint64_t off = big(bytes, kind->width);
    const uint64_t len = big(bytes + kind->width, kind->width);
    const uint8_t *behind = bytes + 2 * kind->width;
    const uint32_t mode = (uint32_t)big(behind, 4);
    const fh_track_type *type =
        mode > UINT8_MAX ? NULL : type_of((uint8_t)mode, sector_len_of(mode));
    const int64_t last = least_place(n);
    n->track++;
    if (type == NULL) {
        unknown_mode(n, mode, at);
        return false;
    }
    const uint64_t end = len > UINT64_MAX - off ? UINT64_MAX : off + len;
    if (!is_place(n, off, last, at) || !is_place(n, end, (int64_t)off, at)) {
        return false;
    }
    if ((int64_t)off > last) { /* bytes of no track: their content alone decides */
        const fh_track_type *any = fh_track_type_of(FH_MODE_ANY, type->stride);
        add_part(n, any != NULL ? any : type, last, (int64_t)off, true, FH_UNKNOWN);
    }
    const bool has_lba = kind->row > 2 * kind->width + 4;
    const int64_t lba = has_lba ? (int64_t)(int32_t)(uint32_t)big(behind + 4, 4) : FH_UNKNOWN;
    add_part(n, type, (int64_t)off, (int64_t)end, false, lba);
    n->taken = (int64_t)end;
    return true;
}

/* ---- chunks of tracks -------------------------------------------------------------------------
 */

static bool add_dao(nrg *n, const uint8_t *bytes, const chunk_kind *kind, int64_t at)
{
    return add_track(n, bytes, kind->width, at);
}

static const chunk_kind chunk_kinds[] = {
    {"DAOX", add_dao, DAO_HEAD, TRACK_HEAD + 3 * 8, 8},
    {"DAOI", add_dao, DAO_HEAD, TRACK_HEAD + 3 * 4, 4},
    {"ETN2", add_single, 0, 32, 8},
    {"ETNF", add_single, 0, 20, 4},
    {"TINF", add_single, 0, 12, 4},
};

static const chunk_kind *kind_of(const uint8_t tag[4])
{
    for (size_t i = 0; i < sizeof chunk_kinds / sizeof chunk_kinds[0]; i++) {
        if (memcmp(tag, chunk_kinds[i].tag, 4) == 0) {
            return &chunk_kinds[i];
        }
    }
    return NULL;
}

static void read_tracks(nrg *n, int64_t off, uint32_t len, const chunk_kind *kind)
{
    const size_t row = kind->row;
    uint8_t bytes[ROW_MAX];
    for (uint32_t at = kind->head; at + row <= len && n->track < FH_MAX_TRACKS;
         at += (uint32_t)row) {
        if (!read_bytes(n, off + at, bytes, row) || !kind->add(n, bytes, kind, off + at)) {
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
        const chunk_kind *kind = kind_of(head);
        if (memcmp(head, "END!", 4) == 0) {
            return;
        }
        if (kind != NULL) {
            if (num_sessions++ > 0) {
                tell_sessions(n, off);
            }
            read_tracks(n, off + CHUNK_HEAD, len, kind);
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
    fh_sheet_tell_format(faults, n.end, "NRG");
    (void)fh_sheet_add_file(n.sheet, (fh_word){"", 0}, n.end);
    n.sheet->files[0].end = n.end;
    read_chunks(&n);
    *out = n.sheet;
    return n.error;
}
