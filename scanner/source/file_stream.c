#include "source/file_stream.h"

#include "source/movies.h"

enum { SUBMODE_END_OF_FILE = 0x80, POLL_SECTORS = 64 };

/* A file on its way. */
typedef struct walk {
    fh_file_streams *to;
    const fh_iso_file *file;
    int64_t last_index; /* of the sector read last, FH_UNKNOWN: none */
    int64_t put_index;  /* of the one handed out last since the last seam, FH_UNKNOWN: none */
    bool is_over;       /* the sink wants no more, or the work is spent */
} walk;

fh_file_streams fh_file_streams_make(fh_files *files, const fh_stream_sink *sink)
{
    return (fh_file_streams){.files = files,
                             .sink = sink,
                             .work_left = FH_FILE_WORK_PER_SECTOR * files->disc.num_sectors +
                                          FH_FILE_WORK_FLOOR};
}

static const fh_iso_extent *extent_at(const fh_file_streams *to, const fh_iso_file *file,
                                      uint32_t number)
{
    return &to->files->iso.primary.extents[file->first_extent + number];
}

/* ---- which files ---- */

/* Whether something lies between its sectors, or an extent ends within one. */
static bool is_scattered(const fh_file_streams *to, const fh_iso_file *file)
{
    for (uint32_t i = 0; i < file->num_extents; i++) {
        const fh_iso_extent *extent = extent_at(to, file, i);
        const bool is_last = i + 1 == file->num_extents;
        if (fh_iso_is_interleaved(extent) && extent->gap > 0 &&
            fh_iso_extent_blocks(extent) > extent->unit) {
            return true;
        }
        if (!is_last && (extent->size % FH_DATA_LEN != 0 ||
                         fh_iso_extent_end(extent) != extent_at(to, file, i + 1)->first)) {
            return true;
        }
    }
    return false;
}

static bool is_by_number(const fh_file_streams *to, const fh_iso_file *file)
{
    return file->has_xa && (file->xa_attributes & FH_XA_INTERLEAVED) != 0 &&
           file->num_extents == 1 && to->files->disc.layout.stride != FH_STRIDE_2048;
}

static bool is_wanted_whole(const fh_file_streams *to, const fh_iso_file *file)
{
    return !fh_iso_is_directory(file) && file->num_extents > 0 &&
           (is_scattered(to, file) || fh_files_is_mixed(file));
}

size_t fh_file_streams_count(fh_files *files)
{
    const fh_file_streams streams = fh_file_streams_make(files, NULL);
    size_t num = 0;
    for (size_t i = 0; i < files->iso.primary.num_files; i++) {
        const fh_iso_file *file = &files->iso.primary.files[i];
        num += is_wanted_whole(&streams, file);
    }
    return num;
}

bool fh_file_streams_wants(fh_file_streams *streams, size_t index)
{
    const fh_iso_file *file = &streams->files->iso.primary.files[index];
    if (is_wanted_whole(streams, file)) {
        return true;
    }
    if (fh_iso_is_directory(file) || file->num_extents == 0 || !is_by_number(streams, file) ||
        streams->mixed_first >= streams->mixed_end) {
        return false;
    }
    fh_disc_sector at;
    const fh_iso_extent *extent = extent_at(streams, file, 0);
    if (!fh_disc_find(&streams->files->disc, &at, extent->first)) {
        return false;
    }
    const int64_t most = FH_CHANNEL_REACH * fh_iso_extent_blocks(extent) *
                         (int64_t)streams->files->disc.layout.stride;
    return at.raw_off < streams->mixed_end && at.raw_off + most > streams->mixed_first;
}

/* ---- handing out ---- */

static void put_seam(walk *at, fh_seam_reason reason, int64_t raw_off, int64_t lba)
{
    const fh_stream_sink *sink = at->to->sink;
    if (at->put_index != FH_UNKNOWN && sink->seam != NULL) {
        const fh_seam seam = {.stream = FH_STREAM_FILE,
                              .reason = reason,
                              .stream_off = at->to->stream_off,
                              .raw_off = raw_off,
                              .lba = lba};
        sink->seam(sink->user, &seam);
    }
    at->put_index = FH_UNKNOWN;
}

static bool is_left_out(const fh_disc_sector *at, const fh_cursor *data)
{
    fh_movie_chunk chunk;
    return fh_sector_is_audio(&at->sector) || fh_movie_read(&chunk, data);
}

/* At most max_len bytes of the sector. */
static void put_sector(walk *to, const fh_disc_sector *at, size_t max_len)
{
    const fh_stream_sink *sink = to->to->sink;
    const size_t len = at->sector.data_len < max_len ? at->sector.data_len : max_len;
    const fh_cursor data = fh_cursor_sub(&at->bytes, at->sector.data_off, len);
    const bool is_form2 = at->sector.kind == FH_SECTOR_FORM2;
    if (len == 0 || is_left_out(at, &data)) {
        return;
    }
    if (at->sector.kind == FH_SECTOR_MODE2) {
        put_seam(to, FH_SEAM_KIND, at->raw_off, at->lba);
        return;
    }
    const int64_t skipped = to->put_index == FH_UNKNOWN ? 0 : at->index - to->put_index - 1;
    if (skipped > 0 && sink->skip != NULL) {
        sink->skip(sink->user, FH_STREAM_FILE, skipped);
    }
    const fh_piece piece = {
        .stream = FH_STREAM_FILE,
        .stream_off = to->to->stream_off,
        .user_off = (int64_t)(is_form2 ? FH_FORM2_LEN : FH_DATA_LEN) * at->index,
        .raw_off = at->raw_off + (int64_t)at->sector.data_off,
        .lba = at->lba,
        /* Forms are in different streams otherwise: an own range for Form 2. */
        .main_off = (int64_t)FH_DATA_LEN * at->index + (is_form2 ? INT64_MAX / 2 : 0),
        .bytes = data.base,
        .len = len,
        .claim = is_form2 ? FH_CLAIM_FORM2 : FH_CLAIM_DATA,
        .damaged_lba = FH_UNKNOWN,
        .sector = {at->sector.kind, at->bytes.base, at->bytes.size, at->sector.data_off,
                   at->sector.file, at->sector.channel}};
    sink->piece(sink->user, &piece);
    to->to->stream_off += (int64_t)len;
    to->put_index = at->index;
}

/* ---- reading ---- */

/* Pays for reading a sector of that number; false: the work is spent, or nothing more wanted. */
static bool may_read(walk *at, int64_t index)
{
    fh_file_streams *to = at->to;
    const int64_t step = at->last_index == FH_UNKNOWN ? -1 : index - at->last_index;
    const int64_t cost = step > 0 && step < FH_FILE_JUMP / 2 ? 1 : 1 + FH_FILE_JUMP;
    at->last_index = index;
    if (cost > to->work_left) {
        to->num_left_out++;
        at->is_over = true;
        return false;
    }
    to->work_left -= cost;
    if (index % POLL_SECTORS == 0 && to->sink->stop != NULL && to->sink->stop(to->sink->user)) {
        at->is_over = true;
    }
    return !at->is_over;
}

static bool read_block(walk *at, fh_disc_sector *out, int64_t block)
{
    fh_disc *disc = &at->to->files->disc;
    if (!may_read(at, block) || fh_disc_find(disc, out, block)) {
        return !at->is_over;
    }
    at->last_index = FH_UNKNOWN; /* it was looked for all over the disc */
    return false;
}

static void put_extent(walk *at, const fh_iso_extent *extent, bool is_last)
{
    const int64_t num = fh_iso_extent_blocks(extent);
    const int64_t end = at->to->files->disc.end_lba;
    fh_disc_sector sector;
    for (int64_t i = 0; i < num && !at->is_over && fh_iso_nth(extent, i) < end; i++) {
        const int64_t left = (int64_t)extent->size - i * (int64_t)FH_DATA_LEN;
        const bool is_cut = !is_last && left < (int64_t)FH_DATA_LEN;
        if (read_block(at, &sector, fh_iso_nth(extent, i))) {
            put_sector(at, &sector, is_cut ? (size_t)left : SIZE_MAX);
        } else if (!at->is_over) {
            put_seam(at, FH_SEAM_JUMP, FH_UNKNOWN, fh_iso_nth(extent, i));
        }
    }
    if (fh_iso_extent_end(extent) > end) {
        put_seam(at, FH_SEAM_JUMP, FH_UNKNOWN, end);
    }
}

/* The sectors of the number of the first one. */
static void put_by_number(walk *at, const fh_iso_extent *extent)
{
    fh_disc *disc = &at->to->files->disc;
    fh_disc_sector sector;
    if (!may_read(at, extent->first) || !fh_disc_find(disc, &sector, extent->first)) {
        return;
    }
    const uint8_t number = sector.sector.file;
    int64_t left = fh_iso_extent_blocks(extent);
    int64_t last = sector.index;
    for (int64_t i = last; i - last <= FH_CHANNEL_REACH && left > 0; i++) {
        if (!may_read(at, i) || !fh_disc_at(disc, &sector, i)) {
            return;
        }
        const bool has_number =
            sector.sector.kind == FH_SECTOR_FORM1 || sector.sector.kind == FH_SECTOR_FORM2;
        if (has_number && sector.sector.file == number) {
            put_sector(at, &sector, SIZE_MAX);
            last = i;
            left = (sector.sector.submode & SUBMODE_END_OF_FILE) != 0 ? 0 : left - 1;
        }
    }
}

bool fh_file_streams_put(fh_file_streams *streams, size_t index)
{
    const fh_iso_file *file = &streams->files->iso.primary.files[index];
    walk at = {.to = streams, .file = file, .last_index = FH_UNKNOWN, .put_index = FH_UNKNOWN};
    if (is_scattered(streams, file) || !is_by_number(streams, file)) {
        for (uint32_t i = 0; i < file->num_extents && !at.is_over; i++) {
            put_extent(&at, extent_at(streams, file, i), i + 1 == file->num_extents);
        }
    } else {
        put_by_number(&at, extent_at(streams, file, 0));
    }
    put_seam(&at, FH_SEAM_FILE, FH_UNKNOWN, FH_UNKNOWN);
    return streams->sink->stop == NULL || !streams->sink->stop(streams->sink->user);
}
