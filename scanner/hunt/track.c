#include "hunt/track.h"

#include "hunt/remark.h"
#include "hunt/run_rules.h"
#include "source/image_rules.h"

#include <assert.h>

void fh_track_free(fh_track *track)
{
    fh_window_free(&track->window);
    fh_fate_drop(track->claim.fate);
    track->claim.fate = NULL;
}

static bool is_stopped(const fh_track *track)
{
    return fh_hunt_is_over(track->hunt);
}

/* Places of hostile bytes may lie side by side, and what each costs is bounded together; asking
 * whether the user wants an end would cost more than most of them. */
enum { PLACES_PER_QUESTION = 256 };

static bool is_over(fh_track *track)
{
    const fh_hunt *hunt = track->hunt;
    if (track->num_places++ % PLACES_PER_QUESTION == 0) {
        return is_stopped(track);
    }
    return hunt->sink_failed || hunt->no_memory || hunt->is_stopped;
}

/* Of no asset. */
static void pass_on(fh_track *track, const fh_finding *finding, int64_t raw_off)
{
    fh_ahead_finding(track->hunt, finding, NULL, raw_off, false);
}

/* Ends the claim: what was seen inside the asset is told now that all of it has been. */
static void close_claim(fh_track *track)
{
    fh_claim *claim = &track->claim;
    claim->is_open = claim->is_open && !claim->is_quiet;
    if (claim->is_open && claim->num_inside > 0) {
        fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0003], "places inside");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_s64(&text, claim->num_inside);
        fh_text_hex(fh_text_str(&text, ", the first at +"), (uint64_t)claim->first_inside, 1);
        finding.offset = claim->first_inside;
        fh_ahead_finding(track->hunt, &finding, claim->fate, claim->first_inside_raw, false);
    }
    if (claim->is_open && claim->cut_off != FH_UNKNOWN) {
        fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0009], "places inside");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_hex(fh_text_str(&text, "not tried behind +"), (uint64_t)claim->cut_off, 1);
        finding.offset = claim->cut_off;
        fh_ahead_finding(track->hunt, &finding, claim->fate, claim->cut_off_raw, true);
    }
    claim->is_open = false;
    fh_fate_drop(claim->fate);
    claim->fate = NULL;
}

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

/* Takes over a share of the fate; NULL: is_quiet says whether it is. */
static void open_claim(fh_track *track, const fh_format *format, int64_t start, size_t len,
                       fh_fate *fate, bool is_quiet)
{
    const fh_claim before = track->claim;
    const int64_t end = start + (int64_t)len;
    const bool overlaps = before.is_open && start < before.end;
    const int64_t new_from = overlaps ? before.end : start;
    if (overlaps && end <= before.end) {
        fh_fate_drop(fate);
        return;
    }
    close_claim(track);
    track->claim = (fh_claim){.is_open = true,
                              .start = start,
                              .end = end,
                              .place = fh_window_place(&track->window, start),
                              .fate = fate,
                              .is_quiet = is_quiet,
                              .format = format,
                              .budget_left = overlaps ? before.budget_left : FH_INSIDE_BUDGET_FLOOR,
                              .cut_off = FH_UNKNOWN};
    /* Work is paid for once a byte, however many assets share it. */
    track->claim.budget_left += FH_INSIDE_BUDGET_PER_BYTE * (uint64_t)(end - new_from);
}

/* What follows the window. */
static fh_end end_at(const fh_track *track, const fh_seam *seam)
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

/* Whether the file itself begins there. */
static bool is_at_start(const fh_track *track, int64_t start)
{
    return track->stream == FH_STREAM_PLAIN && start == 0 && !fh_hunt_is_memory(track->hunt);
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

/* Too few bits of it were demanded by checks: chance makes such things, but not as a file of just
 * that length. */
static bool is_weak(const fh_track *track, int64_t start, const fh_probe *probe,
                    const fh_seam *seam)
{
    const bool is_file =
        start == 0 && end_at(track, seam) == FH_END_FILE && probe->length == track->window.len;
    return probe->verdict == FH_ACCEPT && !is_file &&
           probe->evidence_bits < track->hunt->options->min_evidence;
}

static fh_lie lie_of(const fh_track *track, int64_t start, size_t len)
{
    fh_lie lie = {.stream_off = start, .len = len, .in = track->in};
    lie.runs = fh_window_runs(&track->window, &lie.num_runs, start, len);
    return lie;
}

static bool lies_in_claim(const fh_track *track, int64_t start)
{
    return track->claim.is_open && start < track->claim.end;
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
    if (!is_at_start(track, wish->start)) {
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
        open_claim(track, wish->format, wish->start, wish->len, fate, false);
    }
}

static void accept(fh_track *track, const fh_format *format, size_t pos, const fh_probe *probe,
                   const fh_seam *seam)
{
    fh_hunt *hunt = track->hunt;
    const fh_end end = end_at(track, seam);
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
    if (is_at_start(track, start)) {
        hunt->at_start = format;
    }
    const bool is_kept = !fh_is_scattered(track->stream) && keep_part(track, &wish);
    if (!is_kept && is_weak(track, start, probe, seam)) {
        fh_hunt_note_weak(hunt, format, probe->evidence_bits,
                          fh_window_place(&track->window, start).raw_off);
        return;
    }
    if (is_kept) {
        open_claim(track, format, start, len, NULL, false);
    } else {
        examine(track, &wish, seam);
    }
}

/* What a stream of scattered sectors has in a row is left to the stream that has it so as well. */
static void leave_to_main(fh_track *track, const fh_format *format, int64_t start,
                          const fh_probe *probe)
{
    if (probe->verdict != FH_ACCEPT || lies_in_claim(track, start)) {
        return;
    }
    const fh_lie lie = lie_of(track, start, probe->length);
    fh_ahead_settle(track->hunt); /* whatever was told before it counts as the first */
    fh_tell_later(track->hunt, format, &lie);
    open_claim(track, format, start, probe->length, NULL, true);
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
    pass_on(track, &finding, place.raw_off);
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

static void cut_off(fh_track *track, int64_t start)
{
    if (track->claim.cut_off == FH_UNKNOWN) {
        track->claim.cut_off = start - track->claim.start;
        track->claim.cut_off_raw = fh_window_place(&track->window, start).raw_off;
    }
}

/* An asset that shares bytes with the one before it is examined, for those, on the account of that
 * one, so that a pile of overlapping assets costs no more than its bytes. */
static bool may_examine(fh_track *track, int64_t start)
{
    fh_budget budget = {track->claim.budget_left};
    if (!lies_in_claim(track, start)) {
        return true;
    }
    const int64_t shared = track->claim.end - start;
    const bool is_paid = fh_pay(&budget, FH_INSIDE_BUDGET_PER_BYTE * (uint64_t)shared);
    track->claim.budget_left = budget.left;
    if (!is_paid) {
        cut_off(track, start);
    }
    return is_paid;
}

/* The work of the search is spent: what begins here is given up. */
static void tell_starved(fh_track *track, const fh_format *format, int64_t start)
{
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0010], format->name);
    track->hunt->hit_limit = true;
    if (is_at_start(track, start)) {
        track->hunt->at_start = format; /* nobody knows that the file's name lies */
    }
    if (track->hunt->num_starved++ >= (int64_t)FH_MAX_FINDINGS_PER_RULE) {
        return; /* counted; told with their number at the end of the source */
    }
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "given up");
    pass_on(track, &finding, fh_window_place(&track->window, start).raw_off);
}

/* Inside an accepted asset probing is paid from the asset's own budget. Where nothing is left to
 * pay with, nothing is read: even what a probe reads before it finds that out adds up. */
static bool may_probe(fh_track *track, const fh_format *format, int64_t start, fh_budget *budget)
{
    if (!lies_in_claim(track, start)) {
        *budget = (fh_budget){track->search_left};
        if (track->search_left == 0) {
            tell_starved(track, format, start);
        }
        return track->search_left > 0;
    }
    *budget = (fh_budget){track->claim.budget_left};
    if (track->claim.budget_left == 0) {
        cut_off(track, start);
        return false;
    }
    return true;
}

/* Counts a reading that lies inside the claimed asset; true if it does. */
static bool is_inside(fh_track *track, int64_t start, size_t len)
{
    fh_claim *claim = &track->claim;
    if (!lies_in_claim(track, start) || start + (int64_t)len > claim->end) {
        return false;
    }
    if (claim->num_inside++ == 0) {
        claim->first_inside = start - claim->start;
        claim->first_inside_raw = fh_window_place(&track->window, start).raw_off;
    }
    return true;
}

typedef enum decision { DECIDED, UNDECIDED } decision;

/* Acts on what the probe says of a place; what is still undecided is not asked here. */
static void decide(fh_track *track, const fh_format *format, size_t pos, const fh_probe *probe,
                   const fh_seam *seam)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    if (is_in_main(track, pos, probe)) {
        leave_to_main(track, format, start, probe);
    } else if (probe->verdict == FH_MORE) {
        tell_too_long(track, format, pos);
    } else if (probe->verdict == FH_ACCEPT && !is_inside(track, start, probe->length) &&
               (is_weak(track, start, probe, seam) || may_examine(track, start))) {
        accept(track, format, pos, probe, seam);
    } else if (probe->verdict == FH_REJECT && probe->near_miss && !lies_in_claim(track, start)) {
        note_near_miss(track, format, pos, probe, seam);
    } else if (probe->verdict == FH_REJECT && probe->is_part && !lies_in_claim(track, start) &&
               !fh_is_scattered(track->stream)) {
        accept_part(track, format, pos, probe->length);
    }
}

/* The bytes that a candidate is judged by: no more than an asset can have. */
static fh_cursor candidate_bytes(const fh_track *track, size_t pos)
{
    const fh_cursor rest = fh_window_cursor(&track->window, pos);
    return rest.size <= FH_MAX_ASSET_LEN ? rest : fh_cursor_sub(&rest, 0, FH_MAX_ASSET_LEN);
}

/* Notes that a candidate cannot be decided yet. */
static decision wait_for(fh_track *track, size_t pos, size_t have, size_t wanted)
{
    const size_t more = 2 * have < FH_MAX_ASSET_LEN ? 2 * have : FH_MAX_ASSET_LEN;
    track->want = pos + (wanted > more ? wanted : more);
    return UNDECIDED;
}

/* What of a probe's cost is booked: an asset pays for itself, but no more than it may cost when it
 * is examined. Cheap bytes may lead into much work. */
static uint64_t booked(const fh_probe *probe, bool is_asset, uint64_t cost)
{
    const uint64_t own = is_asset ? fh_budget_for(probe->length, 0).left : 0;
    return cost > own ? cost - own : 0;
}

/* Books the work of a probe: on the asset inside which it was made, or on the search. A probe that
 * could not decide has worked, too: it is asked again with more bytes. */
static void pay(fh_track *track, const fh_format *format, int64_t start, const fh_probe *probe,
                bool is_asset, uint64_t left)
{
    const bool is_spent = probe->verdict == FH_REJECT && probe->status == FH_LIMIT;
    if (lies_in_claim(track, start)) {
        track->claim.budget_left = left;
        if (is_spent) {
            cut_off(track, start);
        }
        return;
    }
    track->search_left -= booked(probe, is_asset, track->search_left - left);
    if (is_spent) {
        tell_starved(track, format, start);
    }
}

/* Tries one format at one place. */
static decision try_format(fh_track *track, const fh_format *format, size_t pos,
                           const fh_seam *seam)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    const fh_cursor bytes = candidate_bytes(track, pos);
    const bool is_all = pos + bytes.size == track->window.len;
    fh_budget budget;
    fh_probe probe;
    if (!may_probe(track, format, start, &budget)) {
        return DECIDED;
    }
    if (!fh_exam_probe(&track->hunt->exam, &probe, format, bytes,
                       is_all ? end_at(track, seam) : FH_END_NONE, &track->window.memo, &budget)) {
        track->hunt->no_memory = true;
        return DECIDED;
    }
    const bool is_asset = probe.verdict == FH_ACCEPT && !is_weak(track, start, &probe, seam);
    pay(track, format, start, &probe, is_asset, budget.left);
    if (probe.verdict == FH_MORE && probe.length <= FH_MAX_ASSET_LEN) {
        return wait_for(track, pos, bytes.size, probe.length);
    }
    decide(track, format, pos, &probe, seam);
    return DECIDED;
}

/* Tells whether one of the format's magics is the word at a position of the window. */
static bool has_magic(const fh_track *track, const fh_format *format, size_t pos, uint32_t word)
{
    const int64_t distance = track->window.origin + (int64_t)pos - track->base;
    if (!track->hunt->options->every_offset && (distance & (format->alignment - 1)) != 0) {
        return false; /* a power of two */
    }
    for (size_t i = 0; i < format->num_magics; i++) {
        if ((word & format->magics[i].mask) == format->magics[i].value) {
            return true;
        }
    }
    return false;
}

/* Tells whether a place was judged already: where a text begins its file, and within a text, which
 * has the same magic again and again. */
static bool is_judged(const fh_track *track, const fh_format *format, size_t pos)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    return format->is_text && ((track->is_begun && start == 0) ||
                               (lies_in_claim(track, start) && track->claim.format == format));
}

/* Where the asset begins that has a magic at *pos; false if none does that is not judged yet. */
static bool locate(const fh_track *track, const fh_format *format, size_t *pos)
{
    if (format->locate == NULL) {
        return !is_judged(track, format, *pos);
    }
    const size_t from = *pos > FH_LOOK_BEHIND ? *pos - FH_LOOK_BEHIND : 0;
    size_t start = 0;
    if (is_judged(track, format, *pos)) {
        return false; /* what begins in front of it would hold it as well */
    }
    if (!format->locate(&start, fh_window_cursor(&track->window, from), *pos - from)) {
        return false;
    }
    *pos = from + start;
    return !is_judged(track, format, *pos);
}

static decision try_place(fh_track *track, size_t pos, const fh_seam *seam)
{
    const fh_hunt_options *options = track->hunt->options;
    fh_cursor cur = fh_window_cursor(&track->window, pos);
    const uint32_t word = fh_cursor_u32(&cur);
    for (size_t i = 0; i < options->num_formats; i++) {
        size_t start = pos;
        if (has_magic(track, options->formats[i], pos, word) && !is_over(track) &&
            locate(track, options->formats[i], &start) &&
            try_format(track, options->formats[i], start, seam) == UNDECIDED) {
            return UNDECIDED;
        }
    }
    return DECIDED;
}

/* A text may begin a file in ways that no magic covers: with blank lines, or in another form. */
static decision try_start(fh_track *track, const fh_seam *seam)
{
    const fh_hunt_options *options = track->hunt->options;
    if (track->stream != FH_STREAM_PLAIN || track->window.origin != 0 || track->is_begun ||
        fh_hunt_is_memory(track->hunt)) {
        return DECIDED;
    }
    for (size_t i = 0; i < options->num_formats && !is_stopped(track); i++) {
        if (options->formats[i]->is_text &&
            try_format(track, options->formats[i], 0, seam) == UNDECIDED) {
            return UNDECIDED;
        }
    }
    track->is_begun = true;
    return DECIDED;
}

/* Decides every place that can be decided. seam: what the window ends at, NULL while more comes. */
static void search(fh_track *track, const fh_seam *seam)
{
    if (track->base == FH_UNKNOWN || is_stopped(track) || try_start(track, seam) == UNDECIDED) {
        return; /* no byte has come, or the first ones do not suffice */
    }
    fh_sieve_run run = fh_lures_begin(&track->lures, track->scan, &track->window, track->base);
    while (!is_over(track) && fh_sieve_next(&run, &track->scan)) {
        if (track->claim.is_open &&
            track->window.origin + (int64_t)track->scan >= track->claim.end) {
            close_claim(track);
        }
        if (try_place(track, track->scan, seam) == UNDECIDED) {
            return;
        }
        track->scan++;
    }
    track->want = track->scan + 4;
}

void fh_track_init(fh_track *track, fh_hunt *hunt, fh_stream stream)
{
    *track = (fh_track){.hunt = hunt,
                        .stream = stream,
                        .base = FH_UNKNOWN,
                        .search_left = FH_SEARCH_BUDGET_FLOOR,
                        .in = {.stream = stream < FH_STREAM_CHANNEL ? stream : FH_STREAM_CHANNEL}};
    fh_window_init(&track->window, hunt->options->every_offset ? 1 : 4);
    fh_lures_set(&track->lures, track->hunt->options->formats, track->hunt->options->num_formats,
                 track->hunt->options->every_offset);
}

/* The windows of interleaved pairs share what they may hold: the one that would go beyond is
 * decided with what it has. */
static void make_room(fh_track *track, const fh_piece *piece)
{
    fh_hunt *hunt = track->hunt;
    if (track->stream < FH_STREAM_CHANNEL ||
        hunt->channel_bytes + piece->len <= FH_MAX_CHANNEL_BYTES) {
        return;
    }
    const fh_seam seam = {.stream = track->stream,
                          .reason = FH_SEAM_LIMIT,
                          .stream_off = piece->stream_off,
                          .raw_off = piece->raw_off,
                          .lba = piece->lba};
    hunt->num_channel_cuts++;
    fh_track_seam(track, &seam);
}

/* Counts what the window of an interleaved pair holds more, or less, than before. */
static void count_room(fh_track *track, size_t before)
{
    if (track->stream >= FH_STREAM_CHANNEL) {
        track->hunt->channel_bytes -= before;
        track->hunt->channel_bytes += track->window.len;
    }
}

static void append(fh_track *track, const fh_piece *piece);

void fh_track_piece(fh_track *track, const fh_piece *piece)
{
    if (is_stopped(track)) {
        return;
    }
    if (track->stream >= FH_STREAM_CHANNEL) {
        track->in.file = piece->sector.file;
        track->in.channel = piece->sector.channel;
    }
    make_room(track, piece);
    append(track, piece);
}

static void append(fh_track *track, const fh_piece *piece)
{
    fh_window *window = &track->window;
    const size_t len = window->len;
    const size_t behind = track->scan < FH_LOOK_BEHIND ? track->scan : FH_LOOK_BEHIND;
    const size_t done = track->scan - behind;
    const size_t dropped = fh_window_drop(window, done - done % window->memo.unit);
    track->scan -= dropped;
    track->want = track->want < dropped ? 0 : track->want - dropped;
    if (track->base == FH_UNKNOWN) {
        track->base = piece->stream_off;
    }
    if (!fh_window_append(window, piece)) {
        track->hunt->no_memory = true;
        return;
    }
    count_room(track, len);
    track->search_left += FH_SEARCH_BUDGET_PER_BYTE * (uint64_t)piece->len;
    /* A sector at a time would make a search of each; half a chunk is worth one. */
    if (window->len >= track->want && window->len - track->scan >= FH_READER_CHUNK / 2) {
        search(track, NULL);
    }
}

void fh_track_skip(fh_track *track, int64_t sectors)
{
    fh_window_skip(&track->window, sectors);
}

void fh_track_seam(fh_track *track, const fh_seam *seam)
{
    const size_t len = track->window.len;
    search(track, seam);
    close_claim(track);
    fh_window_clear(&track->window);
    count_room(track, len);
    track->scan = 0;
    track->want = 0;
    track->base = FH_UNKNOWN;
    fh_lures_set(&track->lures, track->hunt->options->formats, track->hunt->options->num_formats,
                 track->hunt->options->every_offset);
}
