#include "source/stream.h"

#include "source/address.h"
#include "source/tally.h"
#include "source/tracks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Red Book: a track lasts at least four seconds of 75 sectors. Fewer sectors without sync in a row
 * are no audio track, but damage. */
#define MIN_TRACK_SECTORS 300

/* What is left of a chunk when a sector and its successor are not both there, and the next one. */
#define STAGE_LEN (FH_READER_CHUNK + 2 * (size_t)FH_STRIDE_MAX)

typedef struct lane {
    int64_t stream_off;
    int64_t last_index; /* sector of the last piece */
    bool open;          /* has pieces since its last seam */
} lane;

/* Sectors without sync, or without usable mode, that lie side by side. */
typedef struct lost_run {
    int64_t sectors;
    int64_t raw_off;
} lost_run;

/* What was seen of the part that a control file gives the sectors to. */
typedef struct part_state {
    int64_t sectors;
    int64_t with_sync;
    bool is_judged; /* its LBA was compared with a header */
} part_state;

typedef struct demux {
    const fh_stream_sink *sink;
    const fh_layout *layout;
    int64_t raw_off; /* of the next byte that was not handed out */
    int64_t index;   /* of the next sector */
    lane lanes[FH_STREAM_NUM];
    fh_sector_habit habit;
    fh_sector_kind track; /* of the last sector with a mode: FORM1 stands for FORM2 as well */
    int last_mode;        /* of the last sector, -1 if it had none */
    lost_run lost;
    fh_address address;
    fh_tallies tallies;
    fh_source_counts counts;
    fh_track_part *parts; /* owned; NULL where no control file says anything */
    size_t num_parts;
    size_t num_begun; /* the last one of them is where the next byte lies; 0: in front of all */
    uint32_t stated;  /* sector size of the first data track, as the control file has it */
    part_state part;
    uint8_t *stage; /* STAGE_LEN bytes, owned; NULL for plain sources */
    size_t stage_len;
} demux;

/* One sector on its way, with all that was found out about it. */
typedef struct visit {
    fh_cursor bytes;
    fh_sector sector;
    int64_t lba;
} visit;

const char *fh_seam_name(fh_seam_reason reason)
{
    static const char *const names[] = {
        [FH_SEAM_JUMP] = "missing sectors",
        [FH_SEAM_KIND] = "another kind of track",
        [FH_SEAM_LAYOUT] = "sector layout lost or found again",
        [FH_SEAM_TRACK] = "the end of a track",
        [FH_SEAM_END] = "end of the source",
    };
    return names[reason];
}

/* ---- handing out ---- */

static int64_t raw_of(const fh_cursor *bytes)
{
    return (int64_t)bytes->origin;
}

static void put_seam(demux *d, fh_stream stream, fh_seam_reason reason, int64_t lba)
{
    lane *to = &d->lanes[stream];
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

static void put_sector_seams(demux *d, fh_seam_reason reason, int64_t lba)
{
    put_seam(d, FH_STREAM_DATA, reason, lba);
    put_seam(d, FH_STREAM_FORM2, reason, lba);
}

static void put_piece(demux *d, fh_stream stream, const fh_cursor *bytes, int64_t user_off,
                      int64_t lba)
{
    if (bytes->size == 0) {
        return;
    }
    lane *to = &d->lanes[stream];
    fh_piece piece = {.stream = stream,
                      .stream_off = to->stream_off,
                      .user_off = user_off,
                      .raw_off = raw_of(bytes),
                      .lba = lba,
                      .bytes = bytes->base,
                      .len = bytes->size};
    d->sink->piece(d->sink->user, &piece);
    to->stream_off += (int64_t)bytes->size;
    to->open = true;
    d->counts.bytes[stream] += (int64_t)bytes->size;
}

static void put_raw(demux *d, const fh_cursor *bytes)
{
    put_piece(d, FH_STREAM_RAW, bytes, FH_UNKNOWN, FH_UNKNOWN);
}

static void put_data(demux *d, const visit *at, fh_stream stream, int64_t bytes_per_sector)
{
    lane *to = &d->lanes[stream];
    int64_t skipped = d->index - to->last_index - 1;
    if (to->open && skipped > 0 && d->sink->skip != NULL) {
        d->sink->skip(d->sink->user, stream, skipped);
    }
    fh_cursor data = fh_cursor_sub(&at->bytes, at->sector.data_off, at->sector.data_len);
    put_piece(d, stream, &data, bytes_per_sector * d->index, at->lba);
    to->last_index = d->index;
}

/* ---- judging ---- */

static void add(demux *d, fh_image_rule rule, int64_t raw_off, const char *field, const char *unit,
                const char *expected)
{
    fh_tally *tally = fh_tally_add(&d->tallies, rule, raw_off, field);
    if (tally == NULL) {
        return;
    }
    tally->unit = unit;
    fh_text text = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&text, expected);
}

/* Counts a sector; the tally, with empty evidence, if it is the first of its rule. */
static fh_tally *add_first(demux *d, fh_image_rule rule, int64_t raw_off, const char *field)
{
    fh_tally *tally = fh_tally_add(&d->tallies, rule, raw_off, field);
    if (tally != NULL) {
        tally->unit = "sectors";
    }
    return tally;
}

static void put_lba(fh_text *text, int64_t lba)
{
    fh_text_s64(fh_text_str(text, "LBA "), lba);
}

static void judge_address(demux *d, const visit *at, const fh_address_step *step)
{
    fh_tally *tally = step->odd ? add_first(d, FH_IMG0005, raw_of(&at->bytes), "address") : NULL;
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text_hex(&found, at->sector.address, 6);
    if (at->sector.header_lba != FH_UNKNOWN) {
        put_lba(fh_text_str(&found, ", "), at->sector.header_lba);
    }
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    if (step->expected != FH_UNKNOWN) {
        put_lba(&expected, step->expected);
    } else {
        fh_text_str(&expected, "minute, second and frame in BCD");
    }
}

static void put_mode_evidence(demux *d, const visit *at)
{
    fh_tally *tally = add_first(d, FH_IMG0006, raw_of(&at->bytes), "mode");
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text_u64(&found, at->sector.mode);
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    if (d->last_mode >= 0) {
        fh_text_s64(&expected, d->last_mode);
    } else {
        fh_text_str(&expected, "0, 1 or 2");
    }
}

static void judge_mode(demux *d, const visit *at)
{
    const fh_sector *sector = &at->sector;
    bool bad = sector->has_header && sector->mode > 2;
    bool changed = sector->has_header && d->last_mode >= 0 && sector->mode != d->last_mode;
    if (bad || changed) {
        put_mode_evidence(d, at);
    }
    /* A damaged byte must not make its sound successor look like a change. */
    if (!bad) {
        d->last_mode = sector->has_header ? sector->mode : -1;
    }
}

static void judge_copies(demux *d, const visit *at)
{
    fh_tally *tally =
        at->sector.copies_differ ? add_first(d, FH_IMG0007, raw_of(&at->bytes), "subheader") : NULL;
    if (tally == NULL) {
        return;
    }
    size_t off = d->layout->stride == FH_STRIDE_2336 ? 0 : FH_SUBHEADER_OFF;
    fh_cursor cur = fh_cursor_sub(&at->bytes, off, 8);
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    for (int i = 0; i < 8; i++) {
        fh_text_hex(i < 4 ? &found : &expected, fh_cursor_u8(&cur), 2);
        if (i % 4 < 3) {
            fh_text_str(i < 4 ? &found : &expected, " ");
        }
    }
}

/* A run of sectors without sync is over: say so unless it was an audio track. */
static void end_lost_run(demux *d)
{
    lost_run run = d->lost;
    d->lost = (lost_run){0};
    if (run.sectors == 0 || run.sectors >= MIN_TRACK_SECTORS) {
        return;
    }
    add(d, FH_IMG0004, run.raw_off, "sync", "sectors", "00, ten times ff, 00");
    d->tallies.rules[FH_IMG0004].count += run.sectors - 1;
}

static void judge_layout(demux *d)
{
    const fh_layout *layout = d->layout;
    if (layout->ambiguous) {
        fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0018, layout->start, "layout");
        assert(tally != NULL);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&found, layout->candidates);
    }
    if (layout->start > 0) {
        fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0019, 0, "prefix");
        assert(tally != NULL);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_s64(&found, layout->start), " bytes");
    }
}

/* ---- tracks of a control file ---- */

static const fh_track_part *part_of(const demux *d)
{
    return d->num_begun == 0 ? NULL : &d->parts[d->num_begun - 1];
}

static bool is_audio(const fh_track_part *part)
{
    return part != NULL && part->type->mode == 0;
}

/* Sectors of the part lie in step with those of the image, and have their size. */
static bool is_foreign(const demux *d, const fh_track_part *part)
{
    if (part == NULL) {
        return false;
    }
    const bool is_main = part->type->mode != 0 && part->type->stride == d->stated;
    const uint32_t stride = is_main ? d->layout->stride : part->type->stride;
    return stride != d->layout->stride || (part->off - d->layout->start) % (int64_t)stride != 0;
}

static fh_text *put_track(fh_text *text, const fh_track_part *part)
{
    return fh_text_u64(fh_text_str(text, "track "), part->number);
}

/* IMG0022, once a track: what its sectors are, against its type. */
static void contradict_mode(demux *d, const fh_track_part *part, int64_t raw_off, const char *found)
{
    fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0022, raw_off, "type of the track");
    if (tally == NULL) {
        return;
    }
    fh_text text = fh_text_make(tally->found, sizeof tally->found);
    fh_text_str(fh_text_str(put_track(&text, part), ": "), found);
    text = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&text, part->type->name);
}

static void add_track_tally(demux *d, fh_image_rule rule, const fh_track_part *part)
{
    fh_tally *tally = fh_tally_add(&d->tallies, rule, part->off, "track");
    if (tally != NULL) {
        tally->unit = "tracks";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(put_track(&text, part), ", "), part->type->name);
    }
}

static void end_part(demux *d)
{
    const fh_track_part *part = part_of(d);
    if (part != NULL && !part->is_gap && part->type->mode != 0 && d->part.sectors > 0 &&
        d->part.with_sync == 0 && d->layout->stride >= FH_STRIDE_2352 && !is_foreign(d, part)) {
        contradict_mode(d, part, part->off, "no sector with sync");
    }
    d->part = (part_state){0};
}

/* Goes to the part in which a raw offset lies. Nothing crosses the end of a track. */
static void enter_parts(demux *d, int64_t raw_off)
{
    while (d->num_begun < d->num_parts && d->parts[d->num_begun].off <= raw_off) {
        end_part(d);
        end_lost_run(d);
        put_sector_seams(d, FH_SEAM_TRACK, FH_UNKNOWN);
        put_seam(d, FH_STREAM_RAW, FH_SEAM_TRACK, FH_UNKNOWN);
        d->address = fh_address_make();
        d->last_mode = -1;
        d->habit = FH_SECTOR_NO_HABIT;
        const fh_track_part *part = &d->parts[d->num_begun++];
        if (is_audio(part) && !part->is_gap) {
            add_track_tally(d, FH_IMG0024, part);
        } else if (part->type->mode != 0 && !part->is_gap && is_foreign(d, part)) {
            add_track_tally(d, FH_IMG0091, part);
        }
    }
}

/* Where the part ends in which the next byte lies. */
static int64_t part_end(const demux *d)
{
    return d->num_begun < d->num_parts ? d->parts[d->num_begun].off : INT64_MAX;
}

static int64_t stated_lba(const demux *d, int64_t raw_off)
{
    const fh_track_part *part = part_of(d);
    if (part == NULL || part->lba == FH_UNKNOWN || is_foreign(d, part)) {
        return FH_UNKNOWN;
    }
    return part->lba + (raw_off - part->off) / (int64_t)d->layout->stride;
}

/* IMG0026, at the first sector of a part whose header can be believed. */
static void judge_lba(demux *d, const visit *at)
{
    const fh_track_part *part = part_of(d);
    const int64_t expected = stated_lba(d, raw_of(&at->bytes));
    if (part == NULL || d->part.is_judged || at->lba == FH_UNKNOWN || expected == FH_UNKNOWN) {
        return;
    }
    d->part.is_judged = true;
    if (at->lba == expected) {
        return;
    }
    fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0026, raw_of(&at->bytes), "address");
    if (tally != NULL) {
        tally->unit = "tracks";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        put_lba(fh_text_str(put_track(&text, part), ": "), expected);
        text = fh_text_make(tally->expected, sizeof tally->expected);
        put_lba(&text, at->lba);
    }
}

/* The type of the track, against the header of a sector. */
static void judge_type(demux *d, const visit *at)
{
    const fh_track_part *part = part_of(d);
    d->part.sectors++;
    if (part == NULL || part->is_gap || !at->sector.has_header || d->part.with_sync++ > 0) {
        return;
    }
    const uint8_t mode = at->sector.mode;
    if (part->type->mode == 0) {
        contradict_mode(d, part, raw_of(&at->bytes), "a sector of data");
    } else if ((mode == 1 || mode == 2) && part->type->mode != FH_MODE_ANY &&
               mode != part->type->mode) {
        contradict_mode(d, part, raw_of(&at->bytes), mode == 1 ? "Mode 1" : "Mode 2");
    }
}

static void judge_sizes(demux *d)
{
    for (size_t i = 0; i < d->num_parts && d->stated != d->layout->stride; i++) {
        const fh_track_part *part = &d->parts[i];
        if (part->type->mode != 0 && !part->is_gap) {
            char found[48];
            fh_text text = fh_text_make(found, sizeof found);
            fh_text_str(fh_text_u64(&text, d->layout->stride), " bytes a sector");
            contradict_mode(d, part, part->off, found);
            return;
        }
    }
}

/* IMG0023: tracks that begin where the file has ended. */
static void judge_ends(demux *d)
{
    for (size_t i = d->num_begun; i < d->num_parts; i++) {
        fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0023, d->raw_off, "index");
        if (tally != NULL) {
            tally->unit = "indexes";
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_s64(fh_text_str(put_track(&text, &d->parts[i]), " at byte "), d->parts[i].off);
            text = fh_text_make(tally->expected, sizeof tally->expected);
            fh_text_str(fh_text_s64(fh_text_str(&text, "less than "), d->raw_off), " bytes");
        }
    }
}

static bool take_parts(demux *d, const fh_tracks *tracks)
{
    if (tracks == NULL || tracks->num_parts == 0 || d->layout->stride == FH_STRIDE_PLAIN) {
        return true;
    }
    d->parts = calloc(tracks->num_parts, sizeof *d->parts);
    if (d->parts == NULL) {
        return false;
    }
    memcpy(d->parts, tracks->parts, tracks->num_parts * sizeof *d->parts);
    d->num_parts = tracks->num_parts;
    d->stated = fh_tracks_place(d->parts, d->num_parts, d->layout);
    judge_sizes(d);
    return true;
}

/* ---- sectors ---- */

/* The address of the sector, and a seam where addresses jump. */
static void place(demux *d, visit *at, const fh_sector *next)
{
    if (!at->sector.has_header) {
        bool by_position = d->layout->stride == FH_STRIDE_2048 ||
                           (d->layout->stride == FH_STRIDE_2336 && d->layout->has_iso);
        at->lba = part_of(d) != NULL ? stated_lba(d, raw_of(&at->bytes))
                  : by_position      ? d->layout->first_lba + d->index
                                     : FH_UNKNOWN;
        return;
    }
    fh_address_step step =
        fh_address_next(&d->address, d->index, at->sector.header_lba, next->header_lba);
    at->lba = step.lba;
    judge_address(d, at, &step);
    judge_lba(d, at);
    if (step.jump) {
        put_sector_seams(d, FH_SEAM_JUMP, at->lba);
    }
}

static bool is_lost(fh_sector_kind kind)
{
    return kind == FH_SECTOR_NO_SYNC || kind == FH_SECTOR_BAD_MODE;
}

/* Seams where the kind of track changes. Forms alternate inside a track (section 2). */
static void note_track(demux *d, const visit *at)
{
    fh_sector_kind track = at->sector.kind == FH_SECTOR_FORM2 ? FH_SECTOR_FORM1 : at->sector.kind;
    if (is_lost(track)) {
        put_sector_seams(d, FH_SEAM_LAYOUT, at->lba);
        return;
    }
    put_seam(d, FH_STREAM_RAW, FH_SEAM_LAYOUT, at->lba);
    if (track != d->track) {
        put_sector_seams(d, FH_SEAM_KIND, at->lba);
    }
    d->track = track;
}

static void hand_out(demux *d, const visit *at)
{
    switch (at->sector.kind) {
    case FH_SECTOR_NO_SYNC:
    case FH_SECTOR_BAD_MODE:
        put_raw(d, &at->bytes);
        break;
    case FH_SECTOR_FORM2:
        if (fh_sector_is_audio(&at->sector)) {
            add(d, FH_IMG0014, raw_of(&at->bytes), "XA audio", "sectors", "");
            d->counts.xa_audio++;
        } else {
            put_data(d, at, FH_STREAM_FORM2, (int64_t)FH_FORM2_LEN);
        }
        break;
    case FH_SECTOR_MODE2:
        put_data(d, at, FH_STREAM_DATA, (int64_t)FH_MODE2_LEN);
        break;
    case FH_SECTOR_MODE1:
    case FH_SECTOR_FORM1:
    case FH_SECTOR_COOKED:
        put_data(d, at, FH_STREAM_DATA, (int64_t)FH_DATA_LEN);
        break;
    default: /* Mode 0 has no user data */
        break;
    }
}

static void count(demux *d, const visit *at)
{
    d->counts.sectors++;
    d->counts.kinds[at->sector.kind]++;
    const bool is_gap = part_of(d) != NULL && part_of(d)->is_gap;
    if (at->sector.kind == FH_SECTOR_NO_SYNC && !is_gap) {
        if (d->lost.sectors++ == 0) {
            d->lost.raw_off = raw_of(&at->bytes);
        }
    } else {
        end_lost_run(d);
    }
}

/* Bytes of tracks whose sectors are others: those of data are searched as they lie. */
static void visit_foreign(demux *d, const fh_cursor *bytes)
{
    for (size_t off = 0; off < bytes->size;) {
        enter_parts(d, d->raw_off);
        const int64_t left = part_end(d) - d->raw_off;
        const size_t rest = bytes->size - off;
        const fh_cursor some =
            fh_cursor_sub(bytes, off, left < (int64_t)rest ? (size_t)left : rest);
        if (!is_audio(part_of(d))) {
            put_raw(d, &some);
        }
        off += some.size;
        d->raw_off += (int64_t)some.size;
    }
    d->counts.sectors++;
    d->counts.kinds[FH_SECTOR_NO_SYNC]++;
    d->index++;
}

/* A sector of an audio track; false if it is one of data, against what was said. */
static bool visit_audio(demux *d, const fh_cursor *bytes)
{
    fh_sector sector;
    fh_sector_read(&sector, bytes, d->layout->stride, &d->habit);
    if (sector.kind != FH_SECTOR_NO_SYNC) {
        return false;
    }
    d->counts.sectors++;
    d->counts.kinds[FH_SECTOR_NO_SYNC]++;
    if (d->sink->sector != NULL) {
        d->sink->sector(d->sink->user, &sector, raw_of(bytes), FH_UNKNOWN);
    }
    put_sector_seams(d, FH_SEAM_LAYOUT, FH_UNKNOWN);
    d->index++;
    d->raw_off += (int64_t)bytes->size;
    return true;
}

/* What the control file takes care of; false: a sector like all others. */
static bool visit_track(demux *d, const fh_cursor *bytes)
{
    enter_parts(d, d->raw_off);
    const fh_track_part *part = part_of(d);
    if (is_foreign(d, part)) {
        visit_foreign(d, bytes);
        return true;
    }
    return is_audio(part) && visit_audio(d, bytes);
}

/* next covers what is there of the sector behind it, possibly nothing. */
static void visit_sector(demux *d, const fh_cursor *bytes, const fh_cursor *next)
{
    visit at = {.bytes = *bytes};
    if (visit_track(d, bytes)) {
        return;
    }
    fh_sector_read(&at.sector, bytes, d->layout->stride, &d->habit);
    fh_sector behind;
    fh_sector_read(&behind, next, d->layout->stride, &d->habit);
    place(d, &at, &behind);
    note_track(d, &at);
    judge_type(d, &at);
    judge_mode(d, &at);
    judge_copies(d, &at);
    count(d, &at);
    if (d->sink->sector != NULL) {
        d->sink->sector(d->sink->user, &at.sector, raw_of(bytes), at.lba);
    }
    hand_out(d, &at);
    fh_sector_note(&d->habit, &at.sector);
    d->index++;
    d->raw_off += (int64_t)bytes->size;
}

static void judge_rest(demux *d, const fh_cursor *rest)
{
    static const struct {
        fh_image_rule rule;
        const char *field;
    } rules[] = {{FH_IMG0003, "rest"}, {FH_IMG0015, "sector"}};
    fh_sector sector;
    if (is_foreign(d, part_of(d))) {
        return; /* no multiple of these sectors is to be expected */
    }
    fh_sector_read(&sector, rest, d->layout->stride, &d->habit);
    size_t num = sector.kind == FH_SECTOR_NO_SYNC ? 1 : 2;
    for (size_t i = 0; i < num; i++) {
        fh_tally *tally = fh_tally_add(&d->tallies, rules[i].rule, raw_of(rest), rules[i].field);
        assert(tally != NULL);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_u64(&found, rest->size), " bytes");
        fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(fh_text_u64(&expected, d->layout->stride), " bytes");
    }
}

/* A rest that begins like a sector is one, cut; other bytes belong to no layout. */
static void visit_rest(demux *d, const fh_cursor *rest)
{
    fh_sector sector;
    fh_sector_read(&sector, rest, d->layout->stride, &d->habit);
    if (sector.kind != FH_SECTOR_NO_SYNC) {
        fh_cursor nothing = fh_cursor_make(NULL, 0, 0);
        visit_sector(d, rest, &nothing);
        return;
    }
    put_sector_seams(d, FH_SEAM_LAYOUT, FH_UNKNOWN);
    enter_parts(d, d->raw_off);
    if (!is_audio(part_of(d))) {
        put_raw(d, rest);
    }
    d->raw_off += (int64_t)rest->size;
}

static fh_cursor part(const fh_cursor *whole, size_t off, size_t max_len)
{
    size_t left = whole->size - off;
    return fh_cursor_sub(whole, off, left < max_len ? left : max_len);
}

/* Visits the sectors of the stage whose successors are there too. */
static void drain(demux *d, bool at_end)
{
    size_t stride = d->layout->stride;
    size_t needed = at_end ? stride : 2 * stride;
    fh_cursor stage = fh_cursor_make(d->stage, d->stage_len, (uint64_t)d->raw_off);
    size_t off = 0;
    for (; stage.size - off >= needed; off += stride) {
        fh_cursor bytes = part(&stage, off, stride);
        fh_cursor next = part(&stage, off + stride, stride);
        enter_parts(d, d->raw_off);
        if (part_end(d) <= d->raw_off + (int64_t)stride) {
            next = fh_cursor_make(NULL, 0, 0); /* of another track: its header proves nothing */
        }
        visit_sector(d, &bytes, &next);
    }
    fh_cursor rest = part(&stage, off, stage.size);
    if (rest.size > 0) {
        memmove(d->stage, rest.base, rest.size);
    }
    d->stage_len = rest.size;
}

/* ---- the pass ---- */

static void take_plain(demux *d, const fh_cursor *chunk)
{
    put_piece(d, FH_STREAM_PLAIN, chunk, d->raw_off, FH_UNKNOWN);
    d->raw_off += (int64_t)chunk->size;
}

/* The bytes of the chunk that lie before the first sector. */
static size_t take_prefix(demux *d, const fh_cursor *chunk)
{
    if (d->stage_len > 0 || d->raw_off >= d->layout->start) {
        return 0;
    }
    uint64_t left = (uint64_t)(d->layout->start - d->raw_off);
    fh_cursor prefix = part(chunk, 0, left < chunk->size ? (size_t)left : chunk->size);
    put_raw(d, &prefix);
    d->raw_off += (int64_t)prefix.size;
    return prefix.size;
}

static void take(demux *d, const fh_cursor *chunk)
{
    if (d->stage == NULL) {
        take_plain(d, chunk);
        return;
    }
    size_t off = take_prefix(d, chunk);
    fh_cursor rest = part(chunk, off, chunk->size);
    assert(rest.size <= STAGE_LEN - d->stage_len);
    if (rest.size > 0) {
        memcpy(d->stage + d->stage_len, rest.base, rest.size);
        d->stage_len += rest.size;
        drain(d, false);
    }
}

static fh_source_status pump(demux *d, fh_reader *reader)
{
    static const fh_source_status ends[] = {[FH_READER_END] = FH_SOURCE_OK,
                                            [FH_READER_ERROR] = FH_SOURCE_READ_ERROR,
                                            [FH_READER_STOPPED] = FH_SOURCE_STOPPED};
    for (int64_t off = reader->size_read;;) {
        if (d->sink->stop != NULL && d->sink->stop(d->sink->user)) {
            return FH_SOURCE_STOPPED;
        }
        const uint8_t *bytes = NULL;
        size_t len = 0;
        fh_reader_status status = fh_reader_next(reader, &bytes, &len);
        if (status != FH_READER_OK) {
            return ends[status];
        }
        fh_cursor chunk = fh_cursor_make(bytes, len, (uint64_t)off);
        off += (int64_t)len;
        take(d, &chunk);
    }
}

static void finish(demux *d, fh_source_status status)
{
    if (d->stage != NULL) {
        drain(d, true);
        fh_cursor rest = fh_cursor_make(d->stage, d->stage_len, (uint64_t)d->raw_off);
        if (rest.size > 0 && status == FH_SOURCE_OK) {
            judge_rest(d, &rest);
        }
        if (rest.size > 0) {
            visit_rest(d, &rest);
        }
        end_lost_run(d);
        end_part(d);
        if (status == FH_SOURCE_OK) {
            judge_ends(d);
        }
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
    demux d = {.sink = sink,
               .layout = layout,
               .habit = FH_SECTOR_NO_HABIT,
               .last_mode = -1,
               .address = fh_address_make()};
    if (layout->stride != FH_STRIDE_PLAIN) {
        d.stage = malloc(STAGE_LEN);
        if (d.stage == NULL) {
            return FH_SOURCE_NO_MEMORY;
        }
    }
    if (!take_parts(&d, reader->tracks)) {
        free(d.stage);
        return FH_SOURCE_NO_MEMORY;
    }
    judge_layout(&d);
    fh_source_status status = pump(&d, reader);
    finish(&d, status);
    free(d.stage);
    free(d.parts);
    if (counts != NULL) {
        *counts = d.counts;
    }
    return status;
}
