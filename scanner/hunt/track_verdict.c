/* What becomes of a place of a track once its probe has judged it. */
#include "hunt/track_impl.h"

#include "hunt/remark.h"
#include "hunt/run_rules.h"
#include "source/image_rules.h"

/* ---- what is said of an asset because of where it lies ---- */

/* What the sectors say of the asset; of all of them something else may be said besides. */
static size_t remark_damage(fh_finding out[FH_MAX_DAMAGE_REMARKS], fh_track *track, int64_t start,
                            size_t len)
{
    const fh_damage_place at = {&track->window, track->stream, start, len};
    const bool checks_all = track->hunt->options->check_sectors;
    return fh_damage_remark(out, checks_all ? NULL : track->hunt->damage, &at);
}

/* What is said of an asset because of where it lies. Returns how many. */
static size_t remark(fh_finding out[FH_MAX_REMARKS], fh_track *track, int64_t start, size_t len)
{
    const fh_claim *claim = &track->claim;
    size_t num = 0;
    if (claim->is_open && start < claim->end) {
        fh_finding *finding = &out[num++];
        *finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0004], "first bytes");
        fh_text text = fh_text_make(finding->found, sizeof finding->found);
        fh_text_str(fh_text_s64(&text, claim->end - start), " bytes shared with the asset");
        if (claim->place.raw_off != FH_UNKNOWN) {
            fh_text_hex(fh_text_str(&text, " at "), (uint64_t)claim->place.raw_off, 1);
        }
        finding->offset = 0;
    }
    const int64_t sectors = fh_window_skipped(&track->window, start, len);
    if (sectors > 0) {
        fh_finding *finding = &out[num++];
        *finding = fh_finding_make(&fh_image_rules.rules[FH_IMG0071], "sectors of other streams");
        fh_text text = fh_text_make(finding->found, sizeof finding->found);
        fh_text_str(fh_text_s64(&text, sectors), " between its bytes");
        finding->offset = 0;
    }
    return num + remark_damage(out + num, track, start, len);
}

/* A text that ends where its stream does, at sectors that are missing, may have gone on. Other
 * formats say how long they are. */
static bool is_cut_off(fh_finding *out, const fh_track *track, const fh_format *format,
                       const fh_seam *seam, size_t end)
{
    if (seam == NULL || seam->reason == FH_SEAM_END || seam->reason == FH_SEAM_FILE ||
        !format->is_text || end != track->window.len || track->stream == FH_STREAM_RAW) {
        return false;
    }
    *out = fh_finding_make(&fh_image_rules.rules[FH_IMG0072], "last byte");
    fh_text text = fh_text_make(out->found, sizeof out->found);
    fh_put_seam(&text, seam);
    out->offset = 0;
    return true;
}

/* ---- assets ---- */

fh_end fh_track_end_at(const fh_track *track, const fh_seam *seam)
{
    if (seam == NULL) {
        return FH_END_NONE;
    }
    const bool is_file = track->stream == FH_STREAM_PLAIN && seam->reason == FH_SEAM_END &&
                         !fh_hunt_is_memory(track->hunt);
    return is_file ? FH_END_FILE : FH_END_STREAM;
}

static fh_exam_options options_for(const fh_track *track, const fh_format *format, int64_t start,
                                   bool ends_file)
{
    return (fh_exam_options){.stand_alone = false,
                             .ends_file = ends_file,
                             .aligned = (start - track->base) % format->alignment == 0,
                             .replay = track->hunt->options->replay};
}

/* Keeps what may be a part of an asset; true if it is not to be told now. */
static bool keep_part(fh_track *track, const fh_join_wish *wish)
{
    const bool is_all =
        track->stream == FH_STREAM_PLAIN && wish->start == 0 && wish->options.ends_file;
    if (wish->format->joining == NULL || is_all) {
        return false;
    }
    const fh_join_status status = fh_join_add(&track->hunt->join, wish);
    track->hunt->no_memory = track->hunt->no_memory || status == FH_JOIN_NO_MEMORY;
    return status != FH_JOIN_NO;
}

bool fh_track_is_weak(const fh_track *track, int64_t start, const fh_probe *probe,
                      const fh_seam *seam)
{
    const bool is_file = start == 0 && fh_track_end_at(track, seam) == FH_END_FILE &&
                         probe->length == track->window.len;
    return probe->verdict == FH_ACCEPT && !is_file &&
           probe->evidence_bits < track->hunt->options->min_evidence;
}

static fh_lie lie_of(const fh_track *track, int64_t start, size_t len)
{
    fh_lie lie = {.stream_off = start, .len = len, .in = track->in};
    lie.runs = fh_window_runs(&track->window, &lie.num_runs, start, len);
    return lie;
}

/* What is said of an asset besides what its examination says. */
static size_t gather_extras(fh_finding out[FH_MAX_EXTRAS], const fh_track *track,
                            const fh_join_wish *wish, const fh_seam *seam)
{
    const size_t pos = (size_t)(wish->start - track->window.origin);
    size_t num = 0;
    for (; num < wish->num_extras; num++) {
        out[num] = wish->extras[num];
    }
    if (is_cut_off(&out[num], track, wish->format, seam, pos + wish->len)) {
        num++;
    }
    if (!fh_track_is_at_start(track, wish->start)) {
        num +=
            fh_encoding_remarks(out + num, wish->format, fh_window_cursor(&track->window, 0), pos);
    }
    return num;
}

/* What lies inside a candidate that cannot be examined is no more an asset than it would be if it
 * could. */
static void examine(fh_track *track, const fh_join_wish *wish, const fh_seam *seam)
{
    const fh_cursor rest =
        fh_window_cursor(&track->window, (size_t)(wish->start - track->window.origin));
    fh_found found = {.format = wish->format,
                      .bytes = fh_cursor_sub(&rest, 0, wish->len),
                      .options = wish->options,
                      .lie = lie_of(track, wish->start, wish->len)};
    found.num_extras = gather_extras(found.extras, track, wish, seam);
    fh_fate *fate = fh_ahead_asset(track->hunt, &found);
    if (fate != NULL) {
        fh_track_open_claim(track, wish->format, wish->start, wish->len, fate, false);
    }
}

static void accept(fh_track *track, const fh_format *format, size_t pos, const fh_probe *probe,
                   const fh_seam *seam)
{
    fh_hunt *hunt = track->hunt;
    const fh_end end = fh_track_end_at(track, seam);
    const int64_t start = track->window.origin + (int64_t)pos;
    const size_t len = probe->length;
    const fh_cursor rest = fh_window_cursor(&track->window, pos);
    fh_finding remarks[FH_MAX_REMARKS];
    const size_t num_remarks = remark(remarks, track, start, len);
    const fh_join_wish wish = {
        format,
        &track->window,
        track->stream,
        start,
        len,
        true,
        options_for(track, format, start, end == FH_END_FILE && len == rest.size),
        remarks,
        num_remarks};
    if (fh_track_is_at_start(track, start)) {
        hunt->at_start = format;
    }
    const bool is_kept = !fh_is_scattered(track->stream) && keep_part(track, &wish);
    if (!is_kept && fh_track_is_weak(track, start, probe, seam)) {
        fh_hunt_note_weak(hunt, format, probe->evidence_bits,
                          fh_window_place(&track->window, start).raw_off);
        return;
    }
    if (is_kept) {
        fh_track_open_claim(track, format, start, len, NULL, false);
    } else {
        examine(track, &wish, seam);
    }
}

/* What a stream of scattered sectors has in a row is left to the stream that has it so as well. */
static void leave_to_main(fh_track *track, const fh_format *format, int64_t start,
                          const fh_probe *probe)
{
    if (probe->verdict != FH_ACCEPT || fh_track_lies_in_claim(track, start)) {
        return;
    }
    const fh_lie lie = lie_of(track, start, probe->length);
    fh_ahead_settle(track->hunt); /* whatever was told before it counts as the first */
    fh_tell_later(track->hunt, format, &lie);
    fh_track_open_claim(track, format, start, probe->length, NULL, true);
}

static bool is_in_main(const fh_track *track, size_t pos, const fh_probe *probe)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    const size_t rest = track->window.len - pos;
    const size_t judged = probe->verdict == FH_REJECT ? probe->reject_off + 1 : probe->length;
    return fh_is_scattered(track->stream) &&
           fh_window_is_in_main(&track->window, start, judged < rest ? judged : rest);
}

/* What is too little to be an asset may be a part of one. */
static void accept_part(fh_track *track, const fh_format *format, size_t pos, size_t len)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    fh_finding remarks[FH_MAX_DAMAGE_REMARKS];
    const size_t num_remarks = remark_damage(remarks, track, start, len);
    const fh_join_wish wish = {.format = format,
                               .window = &track->window,
                               .stream = track->stream,
                               .start = start,
                               .len = len,
                               .options = options_for(track, format, start, false),
                               .extras = remarks,
                               .num_extras = num_remarks};
    (void)keep_part(track, &wish);
}

/* ---- what is none ---- */

static void tell_too_long(fh_track *track, const fh_format *format, size_t pos)
{
    const fh_place place = fh_window_place(&track->window, track->window.origin + (int64_t)pos);
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0002], format->name);
    track->hunt->hit_limit = true;
    if (track->hunt->num_too_long++ >= FH_MAX_FINDINGS_PER_RULE) {
        return; /* counted; told with their number at the end of the source */
    }
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "no end in sight");
    fh_ahead_finding(track->hunt, &finding, NULL, place.raw_off, false);
}

/* A page of memory may have been given to something else: what fails then does so at its start. */
static bool is_cut_by_page(const fh_track *track, size_t pos, const fh_probe *probe)
{
    enum { PAGE_LEN = 4096 };
    const int64_t start = track->window.origin + (int64_t)pos;
    return fh_hunt_is_memory(track->hunt) && track->stream == FH_STREAM_PLAIN &&
           probe->reject_off > 0 &&
           (track->hunt->memory.address + start + (int64_t)probe->reject_off) % PAGE_LEN == 0;
}

/* Where a miss is to be kept, by what cut it off. */
static fh_misses *find_cut(fh_track *track, fh_miss *miss, size_t pos, const fh_seam *seam)
{
    fh_hunt *hunt = track->hunt;
    const bool is_short = seam != NULL && miss->probe.status == FH_TRUNCATED;
    const bool in_memory = fh_hunt_is_memory(hunt) && track->stream == FH_STREAM_PLAIN;
    if (is_short && in_memory) {
        miss->cause = "the end of the memory";
        return &hunt->ended;
    }
    if (is_short && seam->reason != FH_SEAM_END) {
        miss->is_cut = true;
        miss->seam = *seam;
        return &hunt->cut;
    }
    if (is_cut_by_page(track, pos, &miss->probe)) {
        miss->cause = "a page of memory";
        return &hunt->ended;
    }
    return &hunt->near_misses;
}

/* A candidate with sound frames that breaks off: by the seam, if it lacks only bytes there. */
static void note_near_miss(fh_track *track, const fh_format *format, size_t pos,
                           const fh_probe *probe, const fh_seam *seam)
{
    const fh_place place = fh_window_place(&track->window, track->window.origin + (int64_t)pos);
    fh_miss miss = {.format = format, .raw_off = place.raw_off, .probe = *probe};
    fh_misses_add(find_cut(track, &miss, pos, seam), &miss);
}

/* ---- all of it ---- */

/* What a file begins with may be known by its name, and be nothing that can be read. */
static void note_relative(fh_track *track, const fh_format *format, int64_t start,
                          const fh_probe *probe)
{
    if (probe->verdict == FH_REJECT && probe->status == FH_UNSUPPORTED &&
        fh_track_is_at_start(track, start)) {
        track->hunt->at_start = format;
    }
}

void fh_track_decide(fh_track *track, const fh_format *format, size_t pos, const fh_probe *probe,
                     const fh_seam *seam)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    note_relative(track, format, start, probe);
    if (is_in_main(track, pos, probe)) {
        leave_to_main(track, format, start, probe);
    } else if (probe->verdict == FH_MORE) {
        tell_too_long(track, format, pos);
    } else if (probe->verdict == FH_ACCEPT && !fh_track_is_inside(track, start, probe->length) &&
               (fh_track_is_weak(track, start, probe, seam) ||
                fh_track_may_examine(track, start))) {
        accept(track, format, pos, probe, seam);
    } else if (probe->verdict == FH_REJECT && probe->near_miss &&
               !fh_track_lies_in_claim(track, start)) {
        note_near_miss(track, format, pos, probe, seam);
    } else if (probe->verdict == FH_REJECT && probe->is_part &&
               !fh_track_lies_in_claim(track, start) && !fh_is_scattered(track->stream)) {
        accept_part(track, format, pos, probe->length);
    }
}
