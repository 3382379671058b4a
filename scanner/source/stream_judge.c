/* What the demultiplexer finds wrong with a source. */
#include "source/stream_impl.h"

#include <assert.h>

void fh_demux_add(fh_demux *d, fh_image_rule rule, int64_t raw_off, const char *field,
                  const char *unit, const char *expected)
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
static fh_tally *add_first(fh_demux *d, fh_image_rule rule, int64_t raw_off, const char *field)
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

void fh_judge_address(fh_demux *d, const fh_visit *at, const fh_address_step *step)
{
    fh_tally *tally =
        step->odd ? add_first(d, FH_IMG0005, fh_visit_raw(&at->bytes), "address") : NULL;
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

static void put_mode_evidence(fh_demux *d, const fh_visit *at)
{
    fh_tally *tally = add_first(d, FH_IMG0006, fh_visit_raw(&at->bytes), "mode");
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

static void judge_mode(fh_demux *d, const fh_visit *at)
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

static void judge_copies(fh_demux *d, const fh_visit *at)
{
    fh_tally *tally = at->sector.copies_differ
                          ? add_first(d, FH_IMG0007, fh_visit_raw(&at->bytes), "subheader")
                          : NULL;
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

/* Which of video, audio and data a sector is said to be: exactly one. */
static void judge_submode(fh_demux *d, const fh_visit *at)
{
    const unsigned mask = FH_SUBMODE_VIDEO | FH_SUBMODE_AUDIO | FH_SUBMODE_DATA;
    const unsigned said = at->sector.submode & mask;
    const fh_sector_kind kind = at->sector.kind;
    const bool has_subheader =
        (kind == FH_SECTOR_FORM1 || kind == FH_SECTOR_FORM2) && at->sector.data_len > 0;
    const bool is_one = said != 0 && (said & (said - 1)) == 0;
    fh_tally *tally = has_subheader && !at->sector.copies_differ && !is_one
                          ? add_first(d, FH_IMG0008, fh_visit_raw(&at->bytes), "submode")
                          : NULL;
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text_hex(&found, at->sector.submode, 2);
    fh_text_str(&found, said == 0 ? ", none" : ", several");
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&expected, "one of video, audio and data");
}

/* A run of sectors without sync is over: say so unless it was an audio track. */
void fh_judge_lost_end(fh_demux *d)
{
    fh_lost_run run = d->lost;
    d->lost = (fh_lost_run){0};
    if (run.sectors == 0 || run.sectors >= FH_MIN_TRACK_SECTORS) {
        return;
    }
    fh_demux_add(d, FH_IMG0004, run.raw_off, "sync", "sectors", "00, ten times ff, 00");
    d->tallies.rules[FH_IMG0004].count += run.sectors - 1;
}

void fh_judge_layout(fh_demux *d)
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

void fh_judge_rest(fh_demux *d, const fh_cursor *rest)
{
    static const struct {
        fh_image_rule rule;
        const char *field;
    } rules[] = {{FH_IMG0003, "rest"}, {FH_IMG0015, "sector"}};
    fh_sector sector;
    if (fh_part_is_foreign(d, fh_part_of(d))) {
        return; /* no multiple of these sectors is to be expected */
    }
    fh_sector_read(&sector, rest, d->layout->stride, &d->habit);
    size_t num = sector.kind == FH_SECTOR_NO_SYNC ? 1 : 2;
    for (size_t i = 0; i < num; i++) {
        fh_tally *tally =
            fh_tally_add(&d->tallies, rules[i].rule, fh_visit_raw(rest), rules[i].field);
        assert(tally != NULL);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_u64(&found, rest->size), " bytes");
        fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(fh_text_u64(&expected, d->layout->stride), " bytes");
    }
}

static void judge_mode0(fh_demux *d, const fh_visit *at)
{
    const size_t rest = at->bytes.size - FH_HEADER_END;
    const fh_cursor content = fh_cursor_sub(&at->bytes, FH_HEADER_END, rest);
    fh_tally *tally = fh_cursor_all_zero(&content, content.size)
                          ? NULL
                          : add_first(d, FH_IMG0078, fh_visit_raw(&at->bytes), "content");
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    if (at->lba == FH_UNKNOWN) {
        fh_text_str(&found, "LBA unknown");
    } else {
        put_lba(&found, at->lba);
    }
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&expected, "zeros");
}

void fh_judge_sector(fh_demux *d, const fh_visit *at)
{
    fh_part_judge_sector(d, at);
    judge_mode(d, at);
    judge_copies(d, at);
    judge_submode(d, at);
    if (at->sector.kind == FH_SECTOR_MODE0) {
        judge_mode0(d, at);
    }
}

static void put_chunk(fh_text *text, const fh_movie_chunk *chunk)
{
    fh_text_u64(fh_text_str(text, "frame "), chunk->frame);
    fh_text_u64(fh_text_str(text, ", chunk "), chunk->chunk);
    if (chunk->num_chunks > 0) {
        fh_text_u64(fh_text_str(text, " of "), chunk->num_chunks);
    }
}

void fh_judge_movie(fh_demux *d, const fh_movie_fault *fault)
{
    fh_tally *tally =
        fault->is_fault ? add_first(d, FH_IMG0074, fault->raw_off, "movie chunk") : NULL;
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    put_chunk(&found, &fault->found);
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    put_chunk(&expected, &fault->expected);
    fh_text_str(&expected, fault->is_end ? " behind it" : "");
}
