#include "source/files.h"

#include <assert.h>
#include <string.h>

/* Sectors that are counted for the offsets in files of several forms: each sector of the image so
 * many times, and a few more for small images. Two streams that are searched side by side need two
 * each; a hostile tree could want them counted for every asset. */
enum { COUNTS_PER_SECTOR = 8, COUNTS_FLOOR = 65536 };

/* ---- opening ---- */

static bool read_block(void *user, int64_t block, uint8_t out[FH_ISO_BLOCK_LEN])
{
    return fh_disc_block(user, block, out);
}

static int64_t raw_off_of(void *user, int64_t block, size_t off)
{
    fh_disc_sector at;
    return fh_disc_find(user, &at, block) && at.sector.data_len > off
               ? at.raw_off + (int64_t)(at.sector.data_off + off)
               : FH_UNKNOWN;
}

/* The volume of a disc begins with LBA 0; that of a later track or session with its first one. */
static int64_t session_of(fh_disc *disc)
{
    uint8_t bytes[FH_DATA_LEN];
    const bool is_later = disc->has_lba && disc->first_lba > 0;
    const bool at_zero =
        is_later && fh_disc_block(disc, 16, bytes) && memcmp(bytes + 1, "CD001", 5) == 0;
    return is_later && !at_zero ? disc->first_lba : 0;
}

/* Behind the last block that a volume may have: their number has 32 bits. */
static int64_t end_block_of(const fh_disc *disc)
{
    return disc->end_lba < (int64_t)UINT32_MAX ? disc->end_lba : (int64_t)UINT32_MAX;
}

/* Addresses were looked for so long in vain that some sectors were not found. */
static void tell_astray(fh_files *files)
{
    fh_tally *tally = fh_tally_add(&files->tallies, FH_IMG0033, FH_UNKNOWN, "addresses of sectors");
    files->iso.primary.is_cut = true;
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, "looked for in ");
        fh_text_str(fh_text_u64(&text, FH_DISC_MAX_ASTRAY), " sectors that have others");
    }
}

static void tell_left_out(fh_files *files, const char *field, int64_t num)
{
    fh_tally *tally = fh_tally_add(&files->tallies, FH_IMG0033, FH_UNKNOWN, field);
    files->iso.primary.is_cut = true;
    if (tally != NULL) {
        tally->unit = "places";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_s64(&text, num), " left out");
    }
}

static bool read_tree(fh_files *files)
{
    const fh_iso_source source = {.user = &files->disc,
                                  .read = read_block,
                                  .raw_off = raw_off_of,
                                  .session_block = session_of(&files->disc),
                                  .end_block = end_block_of(&files->disc)};
    files->counts[0].file = FH_ISO_NO_FILE;
    files->counts[1].file = FH_ISO_NO_FILE;
    files->count_left = COUNTS_PER_SECTOR * files->disc.num_sectors + COUNTS_FLOOR;
    if (!fh_iso_read(&files->iso, &files->tallies, &source)) {
        return false;
    }
    if (fh_disc_is_spent(&files->disc)) {
        tell_astray(files);
        fh_disc_rest(&files->disc);
    }
    files->has_map = true;
    if (!fh_iso_map_make(&files->map, &files->iso.primary)) {
        return false;
    }
    if (files->map.num_left_out > 0) {
        tell_left_out(files, "interleaved extents", (int64_t)files->map.num_left_out);
    }
    return true;
}

bool fh_files_open(fh_files *files, const fh_layout *layout, int64_t size, fh_disc_bytes read,
                   void *user)
{
    *files = (fh_files){.audit_file = FH_ISO_NO_FILE};
    return fh_disc_open(&files->disc, layout, size, read, user) && read_tree(files);
}

bool fh_files_open_kept(fh_files *files, const fh_layout *layout, int64_t size,
                        struct fh_keep *keep)
{
    *files = (fh_files){.audit_file = FH_ISO_NO_FILE};
    fh_disc_open_kept(&files->disc, layout, size, keep);
    return read_tree(files);
}

void fh_files_close(fh_files *files)
{
    if (files->has_map) {
        fh_iso_map_free(&files->map);
        files->has_map = false;
    }
    fh_iso_free(&files->iso);
    fh_disc_close(&files->disc);
}

/* ---- counting ---- */

static const fh_iso_extent *extent_at(const fh_files *files, size_t index)
{
    return &files->iso.primary.extents[index];
}

/* How many bytes a sector counts in a file of several forms. */
static int64_t form_len(fh_sector_kind kind)
{
    return kind == FH_SECTOR_FORM2   ? (int64_t)FH_FORM2_LEN
           : kind == FH_SECTOR_MODE2 ? (int64_t)FH_MODE2_LEN
                                     : (int64_t)FH_DATA_LEN;
}

static int64_t num_blocks(const fh_files *files, const fh_iso_file *file)
{
    const fh_iso_extent *last = extent_at(files, file->first_extent + file->num_extents - 1);
    return last->blocks_before + fh_iso_extent_blocks(last);
}

/* The extent that has the block of that number. */
static const fh_iso_extent *extent_of(const fh_files *files, const fh_iso_file *file,
                                      int64_t number)
{
    size_t low = file->first_extent;
    size_t high = low + file->num_extents;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (extent_at(files, middle)->blocks_before <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return extent_at(files, low);
}

static int64_t block_of(const fh_files *files, const fh_iso_file *file, int64_t number)
{
    const fh_iso_extent *extent = extent_of(files, file, number);
    return fh_iso_nth(extent, number - extent->blocks_before);
}

/* Pays for looking at a sector; false: enough was counted. */
static bool may_count(fh_files *files)
{
    if (files->count_left == 0) {
        return false;
    }
    if (--files->count_left == 0) {
        tell_left_out(files, "offsets in files of several forms", 1);
    }
    return true;
}

/* Whether one of its sectors is of Form 2. Where the first ones are of Mode 1 none is. */
static bool has_form2(fh_files *files, const fh_iso_file *file)
{
    const int64_t num = num_blocks(files, file);
    fh_disc_sector at;
    for (int64_t i = 0; i < num; i++) {
        if (!may_count(files) || !fh_disc_find(&files->disc, &at, block_of(files, file, i)) ||
            at.sector.kind == FH_SECTOR_MODE1) {
            return false;
        }
        if (at.sector.kind == FH_SECTOR_FORM2) {
            return true;
        }
    }
    return false;
}

enum { COUNTED_NOT_YET = 0, COUNTED_BY_BLOCKS, COUNTED_BY_FORMS };

static bool find_counting(fh_files *files, const fh_iso_file *file)
{
    fh_disc_sector at;
    const int64_t first = extent_at(files, file->first_extent)->first;
    if (files->disc.layout.stride == FH_STRIDE_2048) {
        return false;
    }
    if ((file->xa_attributes & (FH_XA_FORM2 | FH_XA_INTERLEAVED)) != 0 ||
        (fh_disc_find(&files->disc, &at, first) &&
         form_len(at.sector.kind) != (int64_t)FH_DATA_LEN)) {
        return true;
    }
    return (file->xa_attributes & FH_XA_FORM1) == 0 && has_form2(files, file);
}

static bool is_by_forms(fh_files *files, size_t file)
{
    fh_iso_file *entry = &files->iso.primary.files[file];
    if (entry->counting == COUNTED_NOT_YET) {
        entry->counting = find_counting(files, entry) ? COUNTED_BY_FORMS : COUNTED_BY_BLOCKS;
    }
    return entry->counting == COUNTED_BY_FORMS;
}

/* Files that are told from others by the number in the subheaders. */
static bool is_by_number(const fh_iso_file *file)
{
    return file->has_xa && (file->xa_attributes & FH_XA_INTERLEAVED) != 0;
}

/* Goes one sector of the file on; false where it cannot be read, or enough was counted. */
static bool count_on(fh_files *files, fh_files_count *count)
{
    const fh_iso_file *file = &files->iso.primary.files[count->file];
    fh_disc_sector at;
    if (!may_count(files) ||
        !fh_disc_find(&files->disc, &at, block_of(files, file, count->number))) {
        return false;
    }
    if (count->number == 0) {
        count->xa_file = at.sector.file;
    }
    const bool is_own = !is_by_number(file) || at.sector.file == count->xa_file;
    count->number++;
    count->bytes += is_own ? form_len(at.sector.kind) : 0;
    return true;
}

/* The bytes before the sector of that number in a file of several forms, or FH_UNKNOWN. */
static int64_t bytes_before(fh_files *files, size_t file, int64_t number, bool is_form2)
{
    fh_files_count *count = &files->counts[is_form2 ? 1 : 0];
    if (count->file != file || count->number > number) {
        *count = (fh_files_count){.file = file};
    }
    while (count->number < number) {
        if (!count_on(files, count)) {
            return FH_UNKNOWN;
        }
    }
    return count->bytes;
}

/* ---- places ---- */

/* Fills in the file of a byte that lies `within` the user data of a sector. */
static void place_in_file(fh_files *files, fh_files_place *out, const fh_iso_hit *hit,
                          const fh_sector *sector, int64_t within)
{
    const fh_iso_extent *extent = extent_at(files, hit->extent);
    out->extent = hit->extent;
    out->file = hit->file;
    if (is_by_forms(files, hit->file)) {
        const int64_t before =
            bytes_before(files, hit->file, hit->number, sector->kind == FH_SECTOR_FORM2);
        out->offset = before == FH_UNKNOWN ? FH_UNKNOWN : before + within;
        return;
    }
    const int64_t in_extent = (hit->number - extent->blocks_before) * (int64_t)FH_DATA_LEN + within;
    if (in_extent >= (int64_t)extent->size) {
        out->behind = hit->file;
        out->file = FH_ISO_NO_FILE;
    } else if (form_len(sector->kind) == (int64_t)FH_DATA_LEN) {
        out->offset = (int64_t)extent->before + in_extent;
    }
}

/* The byte within the user data of its sector, or FH_UNKNOWN. */
static int64_t within_data(fh_files *files, fh_disc_sector *at, int64_t raw_off)
{
    const int64_t index = fh_disc_index(&files->disc, raw_off);
    if (index == FH_UNKNOWN || !fh_disc_at(&files->disc, at, index)) {
        at->index = FH_UNKNOWN;
        return FH_UNKNOWN;
    }
    const int64_t within = raw_off - at->raw_off - (int64_t)at->sector.data_off;
    return within >= 0 && within < (int64_t)at->sector.data_len ? within : FH_UNKNOWN;
}

/* The file of a sector: where several share its block by their numbers the one that has its number,
 * if there is one. */
static bool find_file(const fh_files *files, fh_iso_hit *out, const fh_sector *sector,
                      int64_t block)
{
    if (!fh_iso_map_find(&files->map, out, block)) {
        return false;
    }
    fh_iso_hit hit = *out;
    for (unsigned i = 0; i < FH_ISO_MAX_SHARING; i++) {
        const fh_iso_file *file = &files->iso.primary.files[hit.file];
        if (!is_by_number(file)) {
            return true;
        }
        if (file->xa_file == sector->file) {
            *out = hit;
            return true;
        }
        if (!fh_iso_map_next(&files->map, &hit, block)) {
            return true;
        }
    }
    return true;
}

void fh_files_at(fh_files *files, fh_files_place *out, int64_t raw_off)
{
    fh_disc_sector at = {.index = FH_UNKNOWN};
    const int64_t within = within_data(files, &at, raw_off);
    const fh_sector sector = at.sector;
    *out = (fh_files_place){.file = FH_ISO_NO_FILE,
                            .offset = FH_UNKNOWN,
                            .block = FH_UNKNOWN,
                            .is_data = within != FH_UNKNOWN,
                            .behind = FH_ISO_NO_FILE};
    if (at.index == FH_UNKNOWN) {
        return;
    }
    fh_iso_hit hit;
    out->block = fh_disc_address(&files->disc, &at);
    if (out->is_data && out->block != FH_UNKNOWN && find_file(files, &hit, &sector, out->block)) {
        place_in_file(files, out, &hit, &sector, within);
    }
}

bool fh_files_has(fh_files *files, const fh_files_place *place, int64_t raw_off)
{
    fh_disc_sector at = {.index = FH_UNKNOWN};
    fh_files_place other;
    fh_files_at(files, &other, raw_off);
    if (other.file == place->file || other.block == FH_UNKNOWN) {
        return other.file == place->file;
    }
    /* Another file may lie inside this one. */
    const fh_iso_extent *extent = extent_at(files, place->extent);
    const int64_t number = fh_iso_number(extent, other.block);
    const int64_t within = within_data(files, &at, raw_off);
    if (number == FH_UNKNOWN || within == FH_UNKNOWN) {
        return false;
    }
    return is_by_forms(files, place->file) ||
           (number - extent->blocks_before) * (int64_t)FH_DATA_LEN + within < (int64_t)extent->size;
}

/* The raw offset of a byte of the user data of a block. */
static int64_t raw_in_block(fh_files *files, int64_t block, int64_t within)
{
    fh_disc_sector at;
    if (!fh_disc_find(&files->disc, &at, block) || within >= (int64_t)at.sector.data_len) {
        return FH_UNKNOWN;
    }
    return at.raw_off + (int64_t)at.sector.data_off + within;
}

static int64_t locate_by_forms(fh_files *files, size_t file, int64_t offset)
{
    const fh_iso_file *entry = &files->iso.primary.files[file];
    const int64_t num = num_blocks(files, entry);
    fh_files_count count = {.file = file};
    while (count.number < num) {
        const fh_files_count before = count;
        if (!count_on(files, &count)) {
            return FH_UNKNOWN;
        }
        if (count.bytes > offset) {
            return raw_in_block(files, block_of(files, entry, before.number),
                                offset - before.bytes);
        }
    }
    return FH_UNKNOWN;
}

int64_t fh_files_locate(fh_files *files, size_t file, int64_t offset)
{
    const fh_iso_file *entry = &files->iso.primary.files[file];
    if (offset < 0) {
        return FH_UNKNOWN;
    }
    if (is_by_forms(files, file)) {
        return locate_by_forms(files, file, offset);
    }
    for (uint32_t i = 0; i < entry->num_extents; i++) {
        const fh_iso_extent *extent = extent_at(files, entry->first_extent + i);
        const int64_t in_extent = offset - (int64_t)extent->before;
        if (in_extent >= 0 && in_extent < (int64_t)extent->size) {
            const int64_t block = fh_iso_nth(extent, in_extent / (int64_t)FH_DATA_LEN);
            return raw_in_block(files, block, in_extent % (int64_t)FH_DATA_LEN);
        }
    }
    return FH_UNKNOWN;
}

/* ---- sectors against the tree ---- */

/* A place in a file that a sector contradicts; the tally, if it is the first of its rule. */
static fh_tally *contradict(fh_files *files, fh_image_rule rule, int64_t raw_off, const char *field)
{
    fh_tally *tally = fh_tally_add(&files->tallies, rule, raw_off, field);
    if (tally != NULL) {
        tally->unit = "sectors";
    }
    return tally;
}

static void put_path(const fh_files *files, fh_tally *tally, size_t file, const char *what)
{
    char path[FH_ISO_MAX_PATH];
    if (tally != NULL) {
        fh_iso_path(path, &files->iso.primary, file);
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(fh_text_str(&text, what), " in "), path);
    }
}

static void put_pair(fh_text *text, uint8_t file, uint8_t channel)
{
    fh_text_u64(fh_text_str(text, "file "), file);
    fh_text_u64(fh_text_str(text, ", channel "), channel);
}

/* IMG0075: sectors of one file have one file number and channel, unless streams are interleaved. */
static void audit_stream(fh_files *files, const fh_sector *sector, int64_t raw_off)
{
    if (sector->file == files->audit_number && sector->channel == files->audit_channel) {
        return;
    }
    fh_tally *tally = contradict(files, FH_IMG0075, raw_off, "subheader");
    if (tally != NULL) {
        char path[FH_ISO_MAX_PATH];
        fh_iso_path(path, &files->iso.primary, files->audit_file);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        put_pair(&found, sector->file, sector->channel);
        fh_text_str(fh_text_str(&found, " in "), path);
        fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
        put_pair(&expected, files->audit_number, files->audit_channel);
    }
}

enum { SUBMODE_END_OF_FILE = 0x80 };

/* IMG0076. Where streams are interleaved each of them has an end of its own. */
static void audit_end(fh_files *files, const fh_sector *sector, int64_t raw_off, bool is_last)
{
    const bool is_end = (sector->submode & SUBMODE_END_OF_FILE) != 0;
    if (is_end != is_last) {
        put_path(files, contradict(files, FH_IMG0076, raw_off, "end of file bit"),
                 files->audit_file, is_last ? "not set in the last sector" : "set before the end");
    }
}

/* IMG0077: attributes that name one form, and a sector of the other. */
static void audit_attributes(fh_files *files, const fh_sector *sector, int64_t raw_off)
{
    const fh_iso_file *file = &files->iso.primary.files[files->audit_file];
    const uint16_t wrong = sector->kind == FH_SECTOR_FORM2 ? FH_XA_FORM1 : FH_XA_FORM2;
    const uint16_t forms = file->xa_attributes & (FH_XA_FORM1 | FH_XA_FORM2);
    const bool is_mixed = (file->xa_attributes & FH_XA_INTERLEAVED) != 0;
    if (forms == wrong && !is_mixed) {
        put_path(files, contradict(files, FH_IMG0077, raw_off, "form"), files->audit_file,
                 sector->kind == FH_SECTOR_FORM2 ? "a sector of Form 2" : "a sector of Form 1");
    } else if (file->xa_file != sector->file && !is_mixed) {
        fh_tally *tally = contradict(files, FH_IMG0077, raw_off, "file number");
        put_path(files, tally, files->audit_file, "another one");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->expected, sizeof tally->expected);
            fh_text_u64(&text, file->xa_file);
        }
    }
}

/* Whether a file is to be of Form 1: as its record says, or as its first sector is. */
static bool is_data_file(const fh_iso_file *file, const fh_sector *first)
{
    const unsigned others = FH_XA_FORM2 | FH_XA_INTERLEAVED | FH_XA_AUDIO;
    return (file->xa_attributes & others) == 0 &&
           ((file->xa_attributes & FH_XA_FORM1) != 0 || first->kind == FH_SECTOR_FORM1);
}

/* Notes of which form the sectors of the file are that may hold an asset: its own, without sound.
 */
static void note_form(fh_iso_file *file, const fh_sector *sector)
{
    if (!fh_sector_is_audio(sector) && (!is_by_number(file) || file->xa_file == sector->file)) {
        file->forms |= sector->kind == FH_SECTOR_FORM2 ? FH_FILE_FORM2 : FH_FILE_FORM1;
    }
}

bool fh_files_is_mixed(const fh_iso_file *file)
{
    return file->forms == (FH_FILE_FORM1 | FH_FILE_FORM2);
}

void fh_files_sector(fh_files *files, const fh_sector *sector, int64_t raw_off, int64_t lba)
{
    const bool has_subheader = sector->kind == FH_SECTOR_FORM1 || sector->kind == FH_SECTOR_FORM2;
    const int64_t block =
        lba != FH_UNKNOWN || files->disc.has_lba ? lba : fh_disc_index(&files->disc, raw_off);
    fh_iso_hit hit;
    if (!has_subheader || sector->copies_differ || block == FH_UNKNOWN ||
        !fh_iso_map_find(&files->map, &hit, block)) {
        return;
    }
    fh_iso_file *file = &files->iso.primary.files[hit.file];
    const bool is_mixed = (file->xa_attributes & FH_XA_INTERLEAVED) != 0;
    note_form(file, sector);
    if (hit.file != files->audit_file) {
        files->audit_file = hit.file;
        files->audit_is_data = is_data_file(file, sector);
        files->audit_number = sector->file;
        files->audit_channel = sector->channel;
    }
    if (files->audit_is_data && sector->kind == FH_SECTOR_FORM2) {
        put_path(files, contradict(files, FH_IMG0013, raw_off, "form"), hit.file,
                 "a sector of Form 2");
    }
    if (!is_mixed) {
        audit_stream(files, sector, raw_off);
        audit_end(files, sector, raw_off, hit.number + 1 == num_blocks(files, file));
    }
    if (file->has_xa) {
        audit_attributes(files, sector, raw_off);
    }
}
