#include "source/keep.h"

#include "source/iso_record.h"
#include "source/limits.h"
#include "source/opener.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NO_LBA INT32_MIN

/* Of fh_kept_sector.look: the kind, and bits. */
enum {
    LOOK_KIND = 0x0f,
    LOOK_COPIES_DIFFER = 0x10,
    LOOK_ODD_CODING = 0x20, /* no coding of audio */
    LOOK_HEADER = 0x40,
    LOOK_WANTED = 0x80 /* its user data were asked for */
};

enum { ODD_CODING = 0x02, FIRST_DESCRIPTOR = 16, LETTERS_NEEDED = 3 };

/* ---- sectors --------------------------------------------------------------------------------- */

static uint8_t look_of(const fh_sector *sector)
{
    fh_sector other = *sector;
    other.kind = FH_SECTOR_FORM2;
    other.submode = FH_SUBMODE_AUDIO;
    unsigned look = (unsigned)sector->kind;
    look |= sector->copies_differ ? LOOK_COPIES_DIFFER : 0;
    look |= fh_sector_is_audio(&other) ? 0 : LOOK_ODD_CODING;
    look |= sector->has_header ? LOOK_HEADER : 0;
    return (uint8_t)look;
}

static void restore(const fh_keep *keep, fh_disc_sector *out, size_t index)
{
    const fh_kept_sector *kept = &keep->sectors[index];
    const int64_t stride = (int64_t)keep->layout.stride;
    *out = (fh_disc_sector){.index = (int64_t)index,
                            .raw_off = keep->layout.start + (int64_t)index * stride,
                            .lba = kept->lba == NO_LBA ? FH_UNKNOWN : kept->lba,
                            .bytes = fh_cursor_make(NULL, 0, 0)};
    const int64_t left = keep->size - out->raw_off;
    out->sector.has_header = (kept->look & LOOK_HEADER) != 0;
    out->sector.copies_differ = (kept->look & LOOK_COPIES_DIFFER) != 0;
    out->sector.file = kept->file;
    out->sector.channel = kept->channel;
    out->sector.submode = kept->submode;
    out->sector.coding = (kept->look & LOOK_ODD_CODING) != 0 ? ODD_CODING : 0;
    out->sector.header_lba = FH_UNKNOWN;
    fh_sector_shape(&out->sector, (fh_sector_kind)(kept->look & LOOK_KIND), keep->layout.stride,
                    (size_t)(left < stride ? left : stride));
}

bool fh_keep_at(const fh_keep *keep, fh_disc_sector *out, int64_t index)
{
    if (index < 0 || (uint64_t)index >= keep->num_sectors) {
        return false;
    }
    restore(keep, out, (size_t)index);
    return true;
}

bool fh_keep_block(fh_keep *keep, const fh_disc_sector *at, uint8_t out[FH_DATA_LEN])
{
    fh_kept_sector *kept = &keep->sectors[at->index];
    if (kept->block == 0) {
        kept->look |= LOOK_WANTED;
        keep->num_missed++;
        return false;
    }
    memcpy(out, keep->blocks + (kept->block - 1) * FH_DATA_LEN, FH_DATA_LEN);
    return true;
}

static bool provide_sector(fh_keep *keep, size_t index)
{
    if (index >= keep->max_sectors) {
        const size_t doubled = index < 2048 ? 4096 : 2 * index;
        const size_t max = doubled < FH_KEEP_MAX_SECTORS ? doubled : FH_KEEP_MAX_SECTORS;
        fh_kept_sector *more = realloc(keep->sectors, max * sizeof *more);
        if (more == NULL) {
            return false;
        }
        keep->sectors = more;
        keep->max_sectors = max;
    }
    /* Sectors that were not told of are none of a data track. */
    for (; keep->num_sectors <= index; keep->num_sectors++) {
        keep->sectors[keep->num_sectors] = (fh_kept_sector){.lba = NO_LBA};
    }
    return true;
}

/* ---- user data ------------------------------------------------------------------------------- */

/* false: no memory. Beyond `most` nothing is kept. */
static bool keep_data(fh_keep *keep, size_t index, const fh_cursor *data, size_t most)
{
    if (keep->sectors[index].block != 0 || keep->num_blocks >= most) {
        return true;
    }
    if (keep->num_blocks == keep->max_blocks) {
        const size_t max = keep->max_blocks == 0 ? 64 : 2 * keep->max_blocks;
        uint8_t *more = realloc(keep->blocks, max * FH_DATA_LEN);
        if (more == NULL) {
            return false;
        }
        keep->blocks = more;
        keep->max_blocks = max;
    }
    memcpy(keep->blocks + keep->num_blocks * FH_DATA_LEN, data->base, FH_DATA_LEN);
    keep->sectors[index].block = (uint32_t)++keep->num_blocks;
    return true;
}

/* The 2048 bytes that a directory could read there; none: an empty cursor. */
static fh_cursor data_of(const fh_sector *sector, const fh_cursor *bytes)
{
    const bool has_data = sector->kind != FH_SECTOR_FORM2 && sector->data_len >= FH_DATA_LEN;
    return has_data ? fh_cursor_sub(bytes, sector->data_off, FH_DATA_LEN)
                    : fh_cursor_make(NULL, 0, 0);
}

/* ---- what is likely to be asked for ---------------------------------------------------------- */

static bool is_likely(const fh_keep *keep, int64_t address)
{
    const uint64_t at = (uint64_t)address; /* negative ones lie far behind all others */
    return keep->likely != NULL && at < FH_KEEP_MAX_SECTORS &&
           (keep->likely[at / 8] & 1u << (at % 8)) != 0;
}

/* Notes that blocks from first on, of so many bytes, may be of a directory. */
static void note_likely(fh_keep *keep, int64_t first, uint32_t len)
{
    int64_t num = ((int64_t)len + (int64_t)FH_DATA_LEN - 1) / (int64_t)FH_DATA_LEN;
    num = num < (int64_t)FH_ISO_MAX_SECTORS ? num : (int64_t)FH_ISO_MAX_SECTORS;
    num = num < keep->marks_left ? num : keep->marks_left;
    if (keep->likely == NULL) {
        keep->likely = calloc(FH_KEEP_MAX_SECTORS / 8, 1);
        keep->no_memory = keep->no_memory || keep->likely == NULL;
    }
    if (keep->likely == NULL || first < 0) {
        return;
    }
    keep->marks_left -= num;
    for (int64_t at = first; at < first + num && (uint64_t)at < FH_KEEP_MAX_SECTORS; at++) {
        keep->likely[at / 8] |= (uint8_t)(1u << (at % 8));
    }
}

static void note_extent(fh_keep *keep, const fh_iso_record *record)
{
    note_likely(keep, (int64_t)record->block.value + record->xar_len, record->size.value);
}

static int num_letters(const fh_cursor *data)
{
    static const char identifier[] = "CD001";
    fh_cursor cur = fh_cursor_sub(data, 1, sizeof identifier - 1);
    int num = 0;
    for (size_t i = 0; i + 1 < sizeof identifier; i++) {
        num += fh_cursor_u8(&cur) == (uint8_t)identifier[i] ? 1 : 0;
    }
    return num;
}

/* The tables and the root that a volume descriptor names, and the descriptor behind it. */
static void read_descriptor(fh_keep *keep, const fh_cursor *data, int64_t address)
{
    fh_iso_record root;
    const fh_cursor record = fh_cursor_sub(data, 156, 34);
    fh_cursor cur = fh_cursor_sub(data, 132, 24);
    const uint32_t table_len = fh_iso_both32(&cur).value;
    note_likely(keep, address + 1, 1);
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t block = fh_cursor_u32(&cur);
        note_likely(keep, i < 2 ? block : __builtin_bswap32(block), block == 0 ? 0 : table_len);
    }
    if (fh_iso_record_read(&root, &record) == FH_ISO_RECORD_OK) {
        note_extent(keep, &root);
    }
}

/* The directories that a sector of a directory names, itself included. */
static void read_records(fh_keep *keep, const fh_cursor *data)
{
    fh_cursor cur = *data;
    fh_iso_record record;
    for (;;) {
        const fh_iso_record_status status = fh_iso_record_read(&record, &cur);
        if (status == FH_ISO_RECORD_OK && (record.flags & FH_ISO_DIRECTORY) != 0) {
            note_extent(keep, &record);
        }
        if (status == FH_ISO_RECORD_END || status == FH_ISO_RECORD_SHORT ||
            !fh_cursor_skip(&cur, record.len)) {
            return;
        }
    }
}

/* A directory begins with a record of itself. */
static bool begins_directory(const fh_cursor *data, int64_t address)
{
    fh_iso_record self;
    return fh_iso_record_read(&self, data) == FH_ISO_RECORD_OK && fh_iso_is_special(&self, 0) &&
           (self.flags & FH_ISO_DIRECTORY) != 0 &&
           (int64_t)self.block.value + self.xar_len == address;
}

/* false: no memory. */
static bool consider(fh_keep *keep, size_t index, const fh_cursor *data, int64_t address)
{
    const bool is_descriptor = num_letters(data) >= LETTERS_NEEDED;
    const bool is_first = index == FIRST_DESCRIPTOR || address == FIRST_DESCRIPTOR;
    const bool is_directory = begins_directory(data, address);
    if (!is_descriptor && !is_first && !is_directory && !is_likely(keep, address)) {
        return true;
    }
    if (is_descriptor) {
        read_descriptor(keep, data, address);
    } else if (!is_first) {
        read_records(keep, data);
    }
    return !keep->no_memory && keep_data(keep, index, data, FH_KEEP_MAX_BLOCKS / 2);
}

/* ---- the passes ------------------------------------------------------------------------------ */

void fh_keep_begin(fh_keep *keep, const fh_layout *layout)
{
    assert(layout->stride != FH_STRIDE_PLAIN);
    *keep = (fh_keep){.layout = *layout, .marks_left = FH_KEEP_MAX_MARKS};
}

void fh_keep_free(fh_keep *keep)
{
    free(keep->sectors);
    free(keep->blocks);
    free(keep->likely);
    *keep = (fh_keep){.num_missed = 0};
}

static bool fits(int64_t lba)
{
    return lba > NO_LBA && lba <= INT32_MAX;
}

/* A sector that was asked for, met once more. */
static bool keep_wanted(fh_keep *keep, size_t index, const fh_cursor *data)
{
    if (index >= keep->num_sectors || (keep->sectors[index].look & LOOK_WANTED) == 0) {
        return true;
    }
    keep->sectors[index].look &= (uint8_t)~LOOK_WANTED;
    keep->num_missed -= keep->num_missed > 0 ? 1 : 0;
    return data->size == 0 || keep_data(keep, index, data, FH_KEEP_MAX_BLOCKS);
}

bool fh_keep_sector(fh_keep *keep, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    const fh_cursor data = data_of(sector, bytes);
    assert((int64_t)bytes->origin >= keep->layout.start);
    const size_t index =
        (size_t)((int64_t)bytes->origin - keep->layout.start) / keep->layout.stride;
    if (keep->is_again) {
        return keep_wanted(keep, index, &data);
    }
    if (index >= FH_KEEP_MAX_SECTORS) {
        keep->is_cut = true;
        return true;
    }
    if (!provide_sector(keep, index)) {
        return false;
    }
    keep->sectors[index] = (fh_kept_sector){.lba = fits(lba) ? (int32_t)lba : NO_LBA,
                                            .look = look_of(sector),
                                            .file = sector->file,
                                            .channel = sector->channel,
                                            .submode = sector->submode};
    return data.size == 0 || consider(keep, index, &data, fits(lba) ? lba : (int64_t)index);
}

typedef struct keep_pass {
    fh_keep *keep;
    const fh_stop *stop;
    bool no_memory;
    bool is_stopped;
} keep_pass;

static void on_piece(void *user, const fh_piece *piece)
{
    (void)user;
    (void)piece;
}

static void on_sector(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    keep_pass *pass = user;
    pass->no_memory = pass->no_memory || !fh_keep_sector(pass->keep, sector, bytes, lba);
}

static bool on_stop(void *user)
{
    keep_pass *pass = user;
    const bool is_done = pass->keep->is_again && pass->keep->num_missed == 0;
    pass->is_stopped = pass->is_stopped || fh_stop_now(pass->stop);
    return pass->is_stopped || pass->no_memory || is_done;
}

fh_source_status fh_keep_all(fh_keep *keep, fh_reader *reader, const fh_stop *stop)
{
    keep_pass pass = {.keep = keep, .stop = stop};
    const fh_stream_sink sink = {
        .user = &pass, .piece = on_piece, .stop = on_stop, .sector = on_sector};
    const fh_source_status status = fh_source_stream(reader, NULL, &keep->layout, &sink);
    if (pass.no_memory) {
        return FH_SOURCE_NO_MEMORY;
    }
    /* The user may have been heard by the reader alone; else nothing more was needed. */
    const bool is_enough = status == FH_SOURCE_STOPPED && !pass.is_stopped && !fh_stop_now(stop);
    return is_enough ? FH_SOURCE_OK : status;
}

typedef struct again_pass {
    fh_keep *keep;
    const fh_stop *stop;
    fh_source_status status;
} again_pass;

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    (void)path;
    again_pass *pass = user;
    pass->status = fh_keep_all(pass->keep, reader, pass->stop);
    return false;
}

/* Reads the source once more. */
static fh_keep_status read_again(fh_keep *keep, const char *path, const fh_stop *stop)
{
    again_pass pass = {.keep = keep, .stop = stop, .status = FH_SOURCE_OK};
    const fh_opener_sink sink = {.user = &pass, .source = on_source};
    fh_opener_result result;
    const size_t before = keep->num_blocks;
    keep->is_again = true;
    keep->num_missed = 0;
    for (size_t i = 0; i < keep->num_sectors; i++) {
        keep->num_missed += (keep->sectors[i].look & LOOK_WANTED) != 0 ? 1 : 0;
    }
    const fh_opener_status opened = fh_open_one(&result, path, stop, &sink);
    if (opened == FH_OPENER_STOPPED || pass.status == FH_SOURCE_STOPPED) {
        return FH_KEEP_STOPPED;
    }
    if (opened == FH_OPENER_NO_MEMORY || pass.status == FH_SOURCE_NO_MEMORY) {
        return FH_KEEP_NO_MEMORY;
    }
    return keep->num_blocks > before ? FH_KEEP_OK : FH_KEEP_LOST;
}

fh_keep_status fh_keep_open(fh_keep *keep, fh_files *files, int64_t size, const char *path,
                            fh_again *again, const fh_stop *stop)
{
    fh_keep_status status = keep->is_cut ? FH_KEEP_LOST : FH_KEEP_OK;
    keep->size = size;
    while (status == FH_KEEP_OK) {
        keep->num_missed = 0;
        const bool is_open = fh_files_open_kept(files, &keep->layout, size, keep);
        if (is_open && keep->num_missed == 0) {
            return FH_KEEP_OK;
        }
        fh_files_close(files);
        if (!is_open) {
            return FH_KEEP_NO_MEMORY;
        }
        if (again == NULL || again->left == 0) {
            return FH_KEEP_LOST;
        }
        again->left--;
        status = read_again(keep, path, stop);
    }
    return status;
}

void fh_keep_audit(const fh_keep *keep, fh_files *files)
{
    for (size_t i = 0; i < keep->num_sectors; i++) {
        fh_disc_sector at;
        restore(keep, &at, i);
        fh_files_sector(files, &at.sector, at.raw_off, at.lba);
    }
}
