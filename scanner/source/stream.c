#include "source/stream_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A sector is visited when those behind it are there that may tell what it is. */
#define AHEAD_SECTORS ((size_t)FH_MOVIE_REACH + 1)

static_assert((AHEAD_SECTORS + 1) * (size_t)FH_STRIDE_MAX <= FH_READER_KEEP &&
                  FH_READER_KEEP <= FH_READER_CHUNK,
              "sectors that wait for those behind them are handed out once more");

const char *fh_seam_name(fh_seam_reason reason)
{
    static const char *const names[] = {
        [FH_SEAM_JUMP] = "missing sectors",
        [FH_SEAM_KIND] = "another kind of track",
        [FH_SEAM_LAYOUT] = "sector layout lost or found again",
        [FH_SEAM_TRACK] = "the end of a track",
        [FH_SEAM_CHANNEL] = "the end of a channel",
        [FH_SEAM_FILE] = "the end of a file",
        [FH_SEAM_LIMIT] = "the memory for channels",
        [FH_SEAM_END] = "end of the source",
    };
    return names[reason];
}

/* ---- handing out ---- */

static fh_stream channel_stream(size_t slot)
{
    return (fh_stream)(FH_STREAM_CHANNEL + slot);
}

static void put_seam(fh_demux *d, fh_stream stream, fh_seam_reason reason, int64_t lba)
{
    fh_lane *to = &d->lanes[stream];
    if (to->open && d->sink->seam != NULL) {
        fh_seam seam = {.stream = stream,
                        .reason = reason,
                        .stream_off = to->stream_off,
                        .raw_off = d->raw_off,
                        .lba = lba};
        d->sink->seam(d->sink->user, &seam);
    }
    to->open = false;
}

static void put_sector_seams(fh_demux *d, fh_seam_reason reason, int64_t lba)
{
    put_seam(d, FH_STREAM_DATA, reason, lba);
    put_seam(d, FH_STREAM_FORM2, reason, lba);
    for (size_t i = 0; d->channels.num_open > 0; i++) {
        assert(i < FH_MAX_CHANNELS);
        if (fh_channels_end(&d->channels, i)) {
            put_seam(d, channel_stream(i), reason, lba);
        }
    }
}

static void put_piece(fh_demux *d, fh_piece *piece)
{
    if (piece->len == 0) {
        return;
    }
    fh_lane *to = &d->lanes[piece->stream];
    piece->stream_off = to->stream_off;
    d->sink->piece(d->sink->user, piece);
    to->stream_off += (int64_t)piece->len;
    to->open = true;
    to->repeated = 0;
    d->counts.bytes[piece->stream] += (int64_t)piece->len;
}

static void put_raw(fh_demux *d, const fh_cursor *bytes, fh_sector_claim claim)
{
    put_piece(d, &(fh_piece){.stream = FH_STREAM_RAW,
                             .user_off = FH_UNKNOWN,
                             .raw_off = fh_visit_raw(bytes),
                             .lba = FH_UNKNOWN,
                             .damaged_lba = FH_UNKNOWN,
                             .bytes = bytes->base,
                             .len = bytes->size,
                             .claim = claim});
}

static void put_data(fh_demux *d, const fh_visit *at, fh_stream stream, int64_t bytes_per_sector)
{
    fh_lane *to = &d->lanes[stream];
    int64_t skipped = d->index - to->last_index - 1 - to->repeated;
    if (to->open && skipped > 0 && d->sink->skip != NULL) {
        d->sink->skip(d->sink->user, stream, skipped);
    }
    fh_cursor data = fh_cursor_sub(&at->bytes, at->sector.data_off, at->sector.data_len);
    put_piece(d, &(fh_piece){.stream = stream,
                             .user_off = bytes_per_sector * d->index,
                             .raw_off = fh_visit_raw(&data),
                             .lba = at->lba,
                             .main_off = d->main_off,
                             .bytes = data.base,
                             .len = data.size,
                             .claim = at->claim,
                             .repeated = to->open ? to->repeated : 0,
                             .damaged_lba = at->damaged_lba,
                             .sector = {at->sector.kind, at->bytes.base, at->bytes.size,
                                        at->sector.data_off, at->sector.file, at->sector.channel}});
    to->last_index = d->index;
}

/* A sector that went into FH_STREAM_DATA goes into the stream of its pair as well, if there is one.
 */
static void put_channel(fh_demux *d, const fh_visit *at, const fh_cursor *ahead)
{
    if (!d->sink->has_channels || at->sector.kind != FH_SECTOR_FORM1) {
        return;
    }
    for (size_t i = 0; fh_channels_expire(&d->channels, &i, d->index);) {
        put_seam(d, channel_stream(i), FH_SEAM_CHANNEL, at->lba);
    }
    size_t slot = 0;
    if (fh_channels_take(&d->channels, &slot, &at->sector, d->index, ahead, d->layout->stride)) {
        put_data(d, at, channel_stream(slot), (int64_t)FH_DATA_LEN);
    }
}

/* ---- sectors ---- */

static fh_cursor part(const fh_cursor *whole, size_t off, size_t max_len)
{
    size_t left = whole->size - off;
    return fh_cursor_sub(whole, off, left < max_len ? left : max_len);
}

/* The address of the sector, and a seam where addresses jump. */
static void place(fh_demux *d, fh_visit *at, const fh_cursor *ahead)
{
    if (!at->sector.has_header) {
        bool by_position = d->layout->stride == FH_STRIDE_2048 ||
                           (d->layout->stride == FH_STRIDE_2336 && d->layout->has_iso);
        at->lba = fh_part_of(d) != NULL ? fh_part_lba(d, fh_visit_raw(&at->bytes))
                  : by_position         ? d->layout->first_lba + d->index
                                        : FH_UNKNOWN;
        return;
    }
    const fh_cursor next = part(ahead, 0, d->layout->stride);
    fh_address_step step = fh_address_next(&d->address, d->index, at->sector.header_lba,
                                           fh_sector_lba(&next, d->layout->stride));
    at->lba = step.lba;
    at->damaged_lba = !step.damaged            ? FH_UNKNOWN
                      : step.lba != FH_UNKNOWN ? step.lba
                                               : step.expected;
    fh_judge_address(d, at, &step);
    if (step.jump) {
        put_sector_seams(d, FH_SEAM_JUMP, at->lba);
    }
}

static bool is_lost(fh_sector_kind kind)
{
    return kind == FH_SECTOR_NO_SYNC || kind == FH_SECTOR_BAD_MODE;
}

/* Seams where the kind of track changes. Forms alternate inside a track (section 2). */
static void note_track(fh_demux *d, fh_visit *at)
{
    fh_sector_kind track = at->sector.kind == FH_SECTOR_FORM2 ? FH_SECTOR_FORM1 : at->sector.kind;
    if (is_lost(track)) {
        put_sector_seams(d, FH_SEAM_LAYOUT, at->lba);
        return;
    }
    put_seam(d, FH_STREAM_RAW, FH_SEAM_LAYOUT, at->lba);
    if (track != d->track) {
        put_sector_seams(d, FH_SEAM_KIND, at->lba);
        at->is_other_track = d->track != FH_SECTOR_NO_SYNC;
    }
    d->track = track;
}

static int64_t bytes_per_sector(fh_sector_kind kind)
{
    static const size_t lens[FH_SECTOR_NUM_KINDS] = {
        [FH_SECTOR_MODE1] = FH_DATA_LEN,  [FH_SECTOR_FORM1] = FH_DATA_LEN,
        [FH_SECTOR_FORM2] = FH_FORM2_LEN, [FH_SECTOR_MODE2] = FH_MODE2_LEN,
        [FH_SECTOR_COOKED] = FH_DATA_LEN,
    };
    return (int64_t)lens[kind];
}

static fh_stream stream_of(fh_sector_kind kind)
{
    return kind == FH_SECTOR_FORM2 ? FH_STREAM_FORM2 : FH_STREAM_DATA;
}

static void leave_out(fh_demux *d, const fh_visit *at, const char *what)
{
    fh_demux_add(d, FH_IMG0014, fh_visit_raw(&at->bytes), what, "sectors", "");
}

static void hand_out(fh_demux *d, const fh_visit *at, const fh_cursor *ahead)
{
    const fh_sector_kind kind = at->sector.kind;
    switch (at->claim) {
    case FH_CLAIM_AUDIO:
    case FH_CLAIM_LOST:
    case FH_CLAIM_OUTSIDE:
        put_raw(d, &at->bytes, at->claim);
        break;
    case FH_CLAIM_XA_AUDIO:
        leave_out(d, at, "XA audio");
        d->counts.xa_audio++;
        break;
    case FH_CLAIM_MOVIE:
        leave_out(d, at, "movie");
        break;
    case FH_CLAIM_REPEATED:
        fh_demux_add(d, FH_IMG0017, fh_visit_raw(&at->bytes), "sector", "sectors", "");
        d->lanes[stream_of(kind)].repeated++;
        break;
    case FH_CLAIM_DATA:
    case FH_CLAIM_EMPTY:
    case FH_CLAIM_FORM2:
        d->main_off = d->lanes[FH_STREAM_DATA].stream_off;
        put_data(d, at, stream_of(kind), bytes_per_sector(kind));
        put_channel(d, at, ahead);
        break;
    default: /* Mode 0 has no user data */
        break;
    }
}

static void cover(fh_demux *d, fh_sector_claim claim, const fh_cursor *bytes, int64_t lba,
                  bool is_sector)
{
    if (d->sink->coverage != NULL && bytes->size > 0) {
        fh_coverage_add(d->sink->coverage, claim, fh_visit_raw(bytes), (int64_t)bytes->size, lba,
                        is_sector);
    }
}

static void begin_track(fh_demux *d, int64_t raw_off)
{
    if (d->sink->coverage != NULL) {
        fh_coverage_track_begin(d->sink->coverage, raw_off);
    }
}

/* A run of sectors without sync is an audio track once it is long enough for one. */
static void count_lost(fh_demux *d, fh_visit *at)
{
    if (d->lost.sectors++ == 0) {
        d->lost.raw_off = fh_visit_raw(&at->bytes);
    }
    at->claim = d->lost.sectors > FH_MIN_TRACK_SECTORS ? FH_CLAIM_AUDIO : FH_CLAIM_LOST;
    cover(d, at->claim, &at->bytes, at->lba, true);
    if (d->lost.sectors == FH_MIN_TRACK_SECTORS && d->sink->coverage != NULL) {
        fh_coverage_make_audio(d->sink->coverage);
    }
}

static void count(fh_demux *d, fh_visit *at)
{
    d->counts.sectors++;
    d->counts.kinds[at->sector.kind]++;
    const fh_track_part *in = fh_part_of(d);
    if (at->sector.kind == FH_SECTOR_NO_SYNC && (in == NULL || !in->is_gap)) {
        count_lost(d, at);
        return;
    }
    if (at->is_other_track || d->lost.sectors >= FH_MIN_TRACK_SECTORS) {
        begin_track(d, fh_visit_raw(&at->bytes));
    }
    fh_judge_lost_end(d);
    cover(d, at->claim, &at->bytes, at->lba, true);
}

/* ---- tracks of a control file ---- */

/* Goes to the part in which the next byte lies. Nothing crosses the end of a track. */
static void enter_parts(fh_demux *d)
{
    while (fh_part_end(d) <= d->raw_off) {
        fh_part_judge_end(d);
        fh_judge_lost_end(d);
        put_sector_seams(d, FH_SEAM_TRACK, FH_UNKNOWN);
        put_seam(d, FH_STREAM_RAW, FH_SEAM_TRACK, FH_UNKNOWN);
        d->address = fh_address_make();
        d->last_mode = -1;
        d->habit = FH_SECTOR_NO_HABIT;
        d->track = FH_SECTOR_NO_SYNC;
        d->num_repeats = 0;
        d->num_begun++;
        fh_part_judge_begin(d);
        if (d->index > 0) {
            begin_track(d, d->raw_off);
        }
    }
}

static void count_without_sync(fh_demux *d)
{
    d->counts.sectors++;
    d->counts.kinds[FH_SECTOR_NO_SYNC]++;
    d->index++;
}

/* Bytes of tracks whose sectors are others: those of data are searched as they lie. */
static void visit_foreign(fh_demux *d, const fh_cursor *bytes)
{
    for (size_t off = 0; off < bytes->size;) {
        enter_parts(d);
        const int64_t left = fh_part_end(d) - d->raw_off;
        const size_t rest = bytes->size - off;
        const fh_cursor some =
            fh_cursor_sub(bytes, off, left < (int64_t)rest ? (size_t)left : rest);
        const bool is_audio = fh_part_is_audio(fh_part_of(d));
        cover(d, is_audio ? FH_CLAIM_AUDIO : FH_CLAIM_OUTSIDE, &some, FH_UNKNOWN, false);
        if (!is_audio) {
            put_raw(d, &some, FH_CLAIM_OUTSIDE);
        }
        off += some.size;
        d->raw_off += (int64_t)some.size;
    }
    count_without_sync(d);
}

/* A sector of an audio track; false if it is one of data, against what was said. */
static bool visit_audio(fh_demux *d, const fh_cursor *bytes)
{
    fh_sector sector;
    fh_sector_read(&sector, bytes, d->layout->stride, &d->habit);
    if (sector.kind != FH_SECTOR_NO_SYNC) {
        return false;
    }
    const int64_t lba = fh_part_lba(d, d->raw_off);
    cover(d, FH_CLAIM_AUDIO, bytes, lba, true);
    if (d->sink->sector != NULL) {
        d->sink->sector(d->sink->user, &sector, bytes, lba);
    }
    put_sector_seams(d, FH_SEAM_LAYOUT, FH_UNKNOWN);
    count_without_sync(d);
    d->raw_off += (int64_t)bytes->size;
    return true;
}

/* What the control file takes care of; false: a sector like all others. */
static bool visit_track(fh_demux *d, const fh_cursor *bytes)
{
    enter_parts(d);
    const fh_track_part *in = fh_part_of(d);
    if (fh_part_is_foreign(d, in)) {
        visit_foreign(d, bytes);
        return true;
    }
    return fh_part_is_audio(in) && visit_audio(d, bytes);
}

/* ahead covers what is there of the sectors behind it, possibly nothing. */
static void visit_sector(fh_demux *d, const fh_cursor *bytes, const fh_cursor *ahead)
{
    if (visit_track(d, bytes)) {
        return;
    }
    fh_visit at = {.bytes = *bytes, .damaged_lba = FH_UNKNOWN, .is_repeated = d->num_repeats > 0};
    fh_sector_read_first(&at.sector, &d->habit, bytes, ahead, d->layout->stride);
    place(d, &at, ahead);
    note_track(d, &at);
    fh_judge_sector(d, &at);
    at.claim = fh_claim_sector(d, &at, ahead);
    d->num_repeats = at.is_repeated ? d->num_repeats - 1 : fh_claim_repeats(d, &at, ahead);
    count(d, &at);
    if (d->sink->sector != NULL) {
        d->sink->sector(d->sink->user, &at.sector, bytes, at.lba);
    }
    hand_out(d, &at, ahead);
    fh_sector_note(&d->habit, &at.sector);
    d->index++;
    d->raw_off += (int64_t)bytes->size;
}

/* A rest that begins like a sector is one, cut; other bytes belong to no layout. */
static void visit_rest(fh_demux *d, const fh_cursor *rest)
{
    fh_sector sector;
    fh_sector_read(&sector, rest, d->layout->stride, &d->habit);
    if (sector.kind != FH_SECTOR_NO_SYNC) {
        fh_cursor nothing = fh_cursor_make(NULL, 0, 0);
        visit_sector(d, rest, &nothing);
        return;
    }
    put_sector_seams(d, FH_SEAM_LAYOUT, FH_UNKNOWN);
    enter_parts(d);
    const bool is_audio = fh_part_is_audio(fh_part_of(d));
    cover(d, is_audio ? FH_CLAIM_AUDIO : FH_CLAIM_OUTSIDE, rest, FH_UNKNOWN, false);
    if (!is_audio) {
        put_raw(d, rest, FH_CLAIM_OUTSIDE);
    }
    d->raw_off += (int64_t)rest->size;
}

/* Bytes that have to be there for a sector to be visited: its own, and as many behind it as may
 * matter. */
static size_t needed(const fh_demux *d)
{
    return (AHEAD_SECTORS + 1) * (size_t)d->layout->stride;
}

/* What a sector says of itself will be asked for soon, and comes from the other processor's cache.
 */
static void fetch(const fh_cursor *bytes, size_t off)
{
    if (off < bytes->size) {
        __builtin_prefetch(fh_cursor_sub(bytes, off, 1).base);
    }
}

/* Visits sectors as long as so many bytes are there from their start on. Returns how many bytes
 * were visited. */
static size_t visit_sectors(fh_demux *d, const fh_cursor *from, size_t least)
{
    const size_t stride = d->layout->stride;
    size_t off = 0;
    for (; from->size - off >= least; off += stride) {
        fh_cursor bytes = part(from, off, stride);
        fetch(from, off + (AHEAD_SECTORS + 1) * stride);
        enter_parts(d);
        /* What lies behind the end of the track proves nothing. */
        const int64_t left = fh_part_end(d) - d->raw_off - (int64_t)stride;
        const size_t most = AHEAD_SECTORS * stride;
        fh_cursor ahead = part(from, off + stride,
                               left < 0               ? 0
                               : left < (int64_t)most ? (size_t)left
                                                      : most);
        visit_sector(d, &bytes, &ahead);
    }
    return off;
}

/* Visits sectors as long as so many bytes are there from their start on; the others wait for the
 * next chunk. */
static void take_sectors(fh_demux *d, const fh_cursor *bytes, size_t least)
{
    d->rest = part(bytes, visit_sectors(d, bytes, least), bytes->size);
}

/* ---- the pass ---- */

static void take_plain(fh_demux *d, const fh_cursor *chunk)
{
    cover(d, FH_CLAIM_PLAIN, chunk, FH_UNKNOWN, false);
    put_piece(d, &(fh_piece){.stream = FH_STREAM_PLAIN,
                             .user_off = d->raw_off,
                             .raw_off = d->raw_off,
                             .lba = FH_UNKNOWN,
                             .damaged_lba = FH_UNKNOWN,
                             .bytes = chunk->base,
                             .len = chunk->size,
                             .claim = FH_CLAIM_PLAIN});
    d->raw_off += (int64_t)chunk->size;
}

/* The bytes of the chunk that lie before the first sector. */
static size_t take_prefix(fh_demux *d, const fh_cursor *chunk)
{
    if (d->raw_off >= d->layout->start) {
        return 0;
    }
    uint64_t left = (uint64_t)(d->layout->start - d->raw_off);
    fh_cursor prefix = part(chunk, 0, left < chunk->size ? (size_t)left : chunk->size);
    cover(d, FH_CLAIM_OUTSIDE, &prefix, FH_UNKNOWN, false);
    put_raw(d, &prefix, FH_CLAIM_OUTSIDE);
    d->raw_off += (int64_t)prefix.size;
    return prefix.size;
}

static bool has_sectors(const fh_demux *d)
{
    return d->layout->stride != FH_STRIDE_PLAIN;
}

/* bytes begin with those that wait. */
static void take(fh_demux *d, const fh_cursor *bytes)
{
    if (!has_sectors(d)) {
        take_plain(d, bytes);
        return;
    }
    size_t off = take_prefix(d, bytes);
    fh_cursor sectors = part(bytes, off, bytes->size);
    take_sectors(d, &sectors, needed(d));
}

static fh_source_status pump(fh_demux *d, fh_reader *reader)
{
    static const fh_source_status ends[] = {[FH_READER_END] = FH_SOURCE_OK,
                                            [FH_READER_ERROR] = FH_SOURCE_READ_ERROR,
                                            [FH_READER_STOPPED] = FH_SOURCE_STOPPED};
    for (;;) {
        if (d->sink->stop != NULL && d->sink->stop(d->sink->user)) {
            return FH_SOURCE_STOPPED;
        }
        const uint8_t *bytes = NULL;
        size_t len = 0;
        fh_reader_status status = fh_reader_next_behind(reader, d->rest.size, &bytes, &len);
        if (status != FH_READER_OK) {
            return ends[status];
        }
        fh_cursor chunk = fh_cursor_make(bytes, len, (uint64_t)d->raw_off);
        take(d, &chunk);
    }
}

static void finish(fh_demux *d, fh_source_status status)
{
    if (has_sectors(d)) {
        const fh_cursor left = d->rest;
        take_sectors(d, &left, d->layout->stride);
        const fh_cursor rest = d->rest;
        if (rest.size > 0 && status == FH_SOURCE_OK) {
            enter_parts(d); /* it may be the next part that is no multiple */
            fh_judge_rest(d, &rest);
        }
        if (rest.size > 0) {
            visit_rest(d, &rest);
        }
        fh_judge_lost_end(d);
        fh_part_judge_end(d);
        if (status == FH_SOURCE_OK) {
            fh_part_judge_rest(d);
        }
    }
    for (size_t i = 0; i < FH_MOVIE_REACH; i++) {
        const fh_movie_fault fault = fh_movies_end(&d->movies, i);
        fh_judge_movie(d, &fault);
    }
    for (unsigned stream = 0; stream < FH_STREAM_NUM; stream++) {
        put_seam(d, (fh_stream)stream, FH_SEAM_END, FH_UNKNOWN);
    }
    if (d->sink->finding != NULL) {
        fh_tallies_tell(&d->tallies, d->sink->user, d->sink->finding);
    }
}

fh_source_status fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                  const fh_layout *layout, const fh_stream_sink *sink)
{
    assert(reader->size_read == 0 && sink->piece != NULL);
    fh_demux d = {.sink = sink,
                  .layout = layout,
                  .habit = FH_SECTOR_NO_HABIT,
                  .last_mode = -1,
                  .address = fh_address_make()};
    if (!fh_parts_take(&d, reader->tracks)) {
        return FH_SOURCE_NO_MEMORY;
    }
    fh_judge_layout(&d);
    fh_source_status status = pump(&d, reader);
    finish(&d, status);
    free(d.parts);
    if (counts != NULL) {
        *counts = d.counts;
    }
    return status;
}
