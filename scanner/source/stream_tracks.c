/* What a control file says of the tracks of an image, held against its sectors. */
#include "source/stream_impl.h"

#include <stdlib.h>
#include <string.h>

/* What lies behind all sectors. It is in step with none of them. */
static const fh_track_type control_data = {"control data", 1, FH_MODE_ANY};

const fh_track_part *fh_part_of(const fh_demux *d)
{
    return d->num_begun == 0 ? NULL : &d->parts[d->num_begun - 1];
}

bool fh_part_is_audio(const fh_track_part *part)
{
    return part != NULL && part->type->mode == 0;
}

bool fh_part_is_foreign(const fh_demux *d, const fh_track_part *part)
{
    if (part == NULL) {
        return false;
    }
    const bool is_main = part->type->mode != 0 && part->type->stride == d->stated;
    const uint32_t stride = is_main ? d->layout->stride : part->type->stride;
    return stride != d->layout->stride || (part->off - d->layout->start) % (int64_t)stride != 0;
}

int64_t fh_part_end(const fh_demux *d)
{
    return d->num_begun < d->num_parts ? d->parts[d->num_begun].off : INT64_MAX;
}

int64_t fh_part_lba(const fh_demux *d, int64_t raw_off)
{
    const fh_track_part *part = fh_part_of(d);
    if (part == NULL || part->lba == FH_UNKNOWN || fh_part_is_foreign(d, part)) {
        return FH_UNKNOWN;
    }
    return part->lba + (raw_off - part->off) / (int64_t)d->layout->stride;
}

/* ---- judging ---- */

static fh_text *put_track(fh_text *text, const fh_track_part *part)
{
    return fh_text_u64(fh_text_str(text, "track "), part->number);
}

static void put_lba(fh_text *text, int64_t lba)
{
    fh_text_s64(fh_text_str(text, "LBA "), lba);
}

/* IMG0022, once a track: what its sectors are, against its type. */
static void contradict_mode(fh_demux *d, const fh_track_part *part, int64_t raw_off,
                            const char *found)
{
    fh_tally *tally = fh_tally_add(&d->tallies, FH_IMG0022, raw_off, "type of the track");
    if (tally == NULL) {
        return;
    }
    tally->unit = "tracks";
    fh_text text = fh_text_make(tally->found, sizeof tally->found);
    fh_text_str(fh_text_str(put_track(&text, part), ": "), found);
    text = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&text, part->type->name);
}

static void add_track(fh_demux *d, fh_image_rule rule, const fh_track_part *part)
{
    fh_tally *tally = fh_tally_add(&d->tallies, rule, part->off, "track");
    if (tally != NULL) {
        tally->unit = "tracks";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(put_track(&text, part), ", "), part->type->name);
    }
}

static bool has_data_before(const fh_demux *d, const fh_track_part *part)
{
    for (const fh_track_part *other = d->parts; other != part; other++) {
        if (!other->is_gap && other->type->mode != 0) {
            return true;
        }
    }
    return false;
}

/* The sector size of the first data track, against the layout of the content. */
static void judge_size(fh_demux *d, const fh_track_part *part)
{
    if (part->type->mode != 0 && d->stated != d->layout->stride && !has_data_before(d, part)) {
        char found[48];
        fh_text text = fh_text_make(found, sizeof found);
        fh_text_str(fh_text_u64(&text, d->layout->stride), " bytes a sector");
        contradict_mode(d, part, part->off, found);
    }
}

/* Of a part that the source has: one behind its end is told there (fh_part_judge_rest). */
void fh_part_judge_begin(fh_demux *d)
{
    const fh_track_part *part = fh_part_of(d);
    d->part = (fh_part_state){0};
    if (part == NULL || part->is_gap) {
        return;
    }
    judge_size(d, part);
    if (fh_part_is_audio(part)) {
        add_track(d, FH_IMG0024, part);
    } else if (fh_part_is_foreign(d, part)) {
        add_track(d, FH_IMG0091, part);
    }
}

void fh_part_judge_end(fh_demux *d)
{
    const fh_track_part *part = fh_part_of(d);
    if (part != NULL && !part->is_gap && part->type->mode != 0 && d->part.sectors > 0 &&
        d->part.with_sync == 0 && d->layout->stride >= FH_STRIDE_2352 &&
        !fh_part_is_foreign(d, part)) {
        contradict_mode(d, part, part->off, "no sector with sync");
    }
}

/* IMG0026, at the first sector of a part whose header can be believed. */
static void judge_lba(fh_demux *d, const fh_visit *at)
{
    const fh_track_part *part = fh_part_of(d);
    const int64_t expected = fh_part_lba(d, fh_visit_raw(&at->bytes));
    if (part == NULL || d->part.is_judged || at->lba == FH_UNKNOWN || expected == FH_UNKNOWN) {
        return;
    }
    d->part.is_judged = true;
    fh_tally *tally = at->lba == expected ? NULL
                                          : fh_tally_add(&d->tallies, FH_IMG0026,
                                                         fh_visit_raw(&at->bytes), "address");
    if (tally != NULL) {
        tally->unit = "tracks";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        put_lba(fh_text_str(put_track(&text, part), ": "), expected);
        text = fh_text_make(tally->expected, sizeof tally->expected);
        put_lba(&text, at->lba);
    }
}

/* The type of the track, against the header of its first sector that has one. */
static void judge_type(fh_demux *d, const fh_visit *at)
{
    const fh_track_part *part = fh_part_of(d);
    d->part.sectors++;
    if (part == NULL || part->is_gap || !at->sector.has_header || d->part.with_sync++ > 0) {
        return;
    }
    const uint8_t mode = at->sector.mode;
    if (part->type->mode == 0) {
        contradict_mode(d, part, fh_visit_raw(&at->bytes), "a sector of data");
    } else if ((mode == 1 || mode == 2) && part->type->mode != FH_MODE_ANY &&
               mode != part->type->mode) {
        contradict_mode(d, part, fh_visit_raw(&at->bytes), mode == 1 ? "Mode 1" : "Mode 2");
    }
}

void fh_part_judge_sector(fh_demux *d, const fh_visit *at)
{
    if (at->sector.has_header) {
        judge_lba(d, at);
    }
    judge_type(d, at);
}

void fh_part_judge_rest(fh_demux *d)
{
    for (size_t i = d->num_begun; i < d->num_parts && d->parts[i].type != &control_data; i++) {
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

bool fh_parts_take(fh_demux *d, const fh_tracks *tracks)
{
    const size_t num = tracks == NULL ? 0 : tracks->num_parts;
    const bool has_end = tracks != NULL && tracks->end > d->layout->start;
    if ((num == 0 && !has_end) || d->layout->stride == FH_STRIDE_PLAIN) {
        return true;
    }
    d->parts = calloc(num + 1, sizeof *d->parts);
    if (d->parts == NULL) {
        return false;
    }
    if (num > 0) {
        memcpy(d->parts, tracks->parts, num * sizeof *d->parts);
    }
    d->stated = fh_tracks_place(d->parts, num, d->layout);
    d->num_parts = num;
    if (has_end) {
        d->parts[d->num_parts++] = (fh_track_part){
            .type = &control_data, .is_gap = true, .off = tracks->end, .lba = FH_UNKNOWN};
    }
    return true;
}
