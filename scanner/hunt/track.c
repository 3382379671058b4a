#include "hunt/track.h"

#include "hunt/rulebook.h"
#include "hunt/track_impl.h"

#include <assert.h>

static_assert(FH_MAX_LURED >= FH_MAX_RULE_TABLES, "as many formats as a hunt can have");

void fh_track_free(fh_track *track)
{
    fh_window_free(&track->window);
    fh_seen_free(&track->seen);
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

/* The bytes that a candidate is judged by: no more than an asset can have. */
static fh_cursor candidate_bytes(const fh_track *track, size_t pos)
{
    const fh_cursor rest = fh_window_cursor(&track->window, pos);
    return rest.size <= FH_MAX_ASSET_LEN ? rest : fh_cursor_sub(&rest, 0, FH_MAX_ASSET_LEN);
}

bool fh_track_probe(fh_track *track, fh_probe *out, const fh_format *format, int64_t start,
                    const fh_seam *seam, fh_budget *budget)
{
    const size_t pos = (size_t)(start - track->window.origin);
    const fh_cursor bytes = candidate_bytes(track, pos);
    const bool is_all = pos + bytes.size == track->window.len;
    if (!fh_exam_probe(&track->hunt->exam, out, format, bytes,
                       is_all ? fh_track_end_at(track, seam) : FH_END_NONE, &track->window.memo,
                       budget)) {
        track->hunt->no_memory = true;
        return false;
    }
    return true;
}

bool fh_track_waits(fh_track *track, int64_t start, const fh_probe *probe)
{
    const size_t pos = (size_t)(start - track->window.origin);
    const size_t twice = 2 * candidate_bytes(track, pos).size;
    const size_t more = twice < FH_MAX_ASSET_LEN ? twice : FH_MAX_ASSET_LEN;
    if (probe->verdict != FH_MORE || probe->length > FH_MAX_ASSET_LEN) {
        return false;
    }
    track->want = pos + (probe->length > more ? probe->length : more);
    return true;
}

/* Probes a place and pays for it; false when the system had no memory. Where nothing is left to pay
 * with the probe says so. */
static bool ask(fh_track *track, fh_probe *probe, const fh_format *format, int64_t start,
                const fh_seam *seam)
{
    fh_budget budget;
    *probe = (fh_probe){.verdict = FH_REJECT, .status = FH_LIMIT};
    if (!fh_track_may_probe(track, format, start, &budget)) {
        return true;
    }
    if (!fh_track_probe(track, probe, format, start, seam, &budget)) {
        return false;
    }
    const bool is_asset =
        probe->verdict == FH_ACCEPT && !fh_track_is_weak(track, start, probe, seam);
    fh_track_pay(track, format, start, probe, is_asset, budget.left);
    return true;
}

/* Whether the places that were put off are to be decided first: they lie in front of what is to be
 * told of this one, and it may lie in one of them, which pays for it then. */
static bool comes_behind_others(const fh_track *track, const fh_format *format, int64_t start,
                                const fh_probe *probe)
{
    if (fh_track_is_spent(probe)) {
        return !fh_track_lies_in_claim(track, start) &&
               fh_track_is_behind_gap(track, format, start);
    }
    const bool is_told = probe->verdict != FH_REJECT || probe->near_miss || probe->is_part;
    return is_told && track->num_put_off > 0;
}

static void act(fh_track *track, const fh_format *format, int64_t start, const fh_probe *probe,
                const fh_seam *seam)
{
    if (fh_track_is_spent(probe) && !fh_track_lies_in_claim(track, start)) {
        fh_track_put_off(track, format, start);
    } else {
        fh_track_decide(track, format, (size_t)(start - track->window.origin), probe, seam);
    }
}

/* Tries one format at one place. */
static fh_decision try_format(fh_track *track, const fh_format *format, size_t pos,
                              const fh_seam *seam)
{
    const int64_t start = track->window.origin + (int64_t)pos;
    fh_probe probe;
    if (!ask(track, &probe, format, start, seam)) {
        return FH_DECIDED;
    }
    if (comes_behind_others(track, format, start, &probe) &&
        !fh_track_waits(track, start, &probe)) {
        if (fh_track_look_again(track, seam) == FH_UNDECIDED) {
            return FH_UNDECIDED;
        }
        if (fh_track_lies_in_claim(track, start) && !ask(track, &probe, format, start, seam)) {
            return FH_DECIDED;
        }
    }
    if (fh_track_waits(track, start, &probe)) {
        return FH_UNDECIDED;
    }
    act(track, format, start, &probe, seam);
    return FH_DECIDED;
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
    return format->is_text &&
           ((track->is_begun && start == 0) ||
            (fh_track_lies_in_claim(track, start) && track->claim.format == format));
}

/* What `window`, all that is there, has from a position on. */
static fh_cursor rest_of(const fh_cursor *window, size_t pos)
{
    return fh_cursor_sub(window, pos, window->size - pos);
}

/* Where the asset begins that has a magic at *pos; false if none does that is not judged yet. */
static bool locate(const fh_track *track, const fh_format *format, const fh_cursor *window,
                   size_t *pos)
{
    if (is_judged(track, format, *pos)) {
        return false; /* what begins in front of it would hold it as well */
    }
    if (format->locate == NULL) {
        return true;
    }
    const size_t from = *pos > FH_LOOK_BEHIND ? *pos - FH_LOOK_BEHIND : 0;
    size_t start = 0;
    if (!format->locate(&start, rest_of(window, from), *pos - from)) {
        return false;
    }
    *pos = from + start;
    return !is_judged(track, format, *pos);
}

/* Tells whether the format may begin at a place that has one of its magics, as far as that costs
 * next to nothing to see. Where the stream ends there may be more to tell. */
static bool may_begin(const fh_format *format, const fh_cursor *window, size_t pos,
                      const fh_seam *seam)
{
    if (format->glance == NULL || seam != NULL) {
        return true;
    }
    const fh_cursor bytes = rest_of(window, pos);
    return format->glance(&bytes);
}

/* A word that the window has. */
static uint32_t word_at(const fh_cursor *window, size_t pos)
{
    fh_cursor at = *window;
    (void)fh_cursor_seek(&at, pos);
    return fh_cursor_u32(&at);
}

/* Places of hostile bytes may lie side by side, so what is done for each of them counts. */
static fh_decision try_place(fh_track *track, const fh_cursor *window, size_t pos,
                             const fh_seam *seam)
{
    const fh_hunt_options *options = track->hunt->options;
    const uint32_t word = word_at(window, pos);
    for (unsigned left = fh_lures_formats(&track->lures, word); left != 0; left &= left - 1) {
        const fh_format *format = options->formats[__builtin_ctz(left)];
        size_t start = pos;
        if (has_magic(track, format, pos, word) && may_begin(format, window, pos, seam) &&
            !is_over(track) && locate(track, format, window, &start) &&
            try_format(track, format, start, seam) == FH_UNDECIDED) {
            return FH_UNDECIDED;
        }
    }
    return FH_DECIDED;
}

/* A text may begin a file in ways that no magic covers: with blank lines, or in another form. */
static fh_decision try_start(fh_track *track, const fh_seam *seam)
{
    const fh_hunt_options *options = track->hunt->options;
    if (track->stream != FH_STREAM_PLAIN || track->window.origin != 0 || track->is_begun ||
        fh_hunt_is_memory(track->hunt)) {
        return FH_DECIDED;
    }
    for (size_t i = 0; i < options->num_formats && !is_stopped(track); i++) {
        if (options->formats[i]->is_text &&
            try_format(track, options->formats[i], 0, seam) == FH_UNDECIDED) {
            return FH_UNDECIDED;
        }
    }
    track->is_begun = true;
    return FH_DECIDED;
}

/* Decides every place that can be decided. seam: what the window ends at, NULL while more comes. */
static void search(fh_track *track, const fh_seam *seam)
{
    if (track->base == FH_UNKNOWN || is_stopped(track) || try_start(track, seam) == FH_UNDECIDED) {
        return; /* no byte has come, or the first ones do not suffice */
    }
    const fh_cursor window = fh_window_cursor(&track->window, 0);
    fh_seen_run run;
    fh_seen_begin(&run, &track->seen, &track->lures, &track->window, track->base, track->scan);
    while (!is_over(track) && fh_seen_next(&run, &track->scan)) {
        assert(window.base == track->window.bytes && window.size == track->window.len);
        if (track->claim.is_open &&
            track->window.origin + (int64_t)track->scan >= track->claim.end) {
            fh_track_close_claim(track);
        }
        if ((track->num_put_off > 0 && fh_track_look_back(track, false, seam) == FH_UNDECIDED) ||
            try_place(track, &window, track->scan, seam) == FH_UNDECIDED) {
            return;
        }
        track->scan++;
    }
    if (fh_track_look_back(track, false, seam) == FH_DECIDED) {
        track->want = track->scan + 4;
    }
}

void fh_track_init(fh_track *track, fh_hunt *hunt, fh_stream stream)
{
    *track = (fh_track){.hunt = hunt,
                        .stream = stream,
                        .base = FH_UNKNOWN,
                        .in = {.stream = stream < FH_STREAM_CHANNEL ? stream : FH_STREAM_CHANNEL}};
    for (size_t i = 0; i < hunt->options->num_formats; i++) {
        const bool is_text = hunt->options->formats[i]->is_text;
        track->accounts[i].left = is_text ? FH_SEARCH_BUDGET_TEXT : FH_SEARCH_BUDGET_FLOOR;
        track->accounts[i].again_left = FH_AGAIN_BUDGET_FLOOR;
    }
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

/* What the thread that reads has seen of the bytes. Those of files that are gathered are read by
 * another way. */
static void see(fh_track *track, const fh_piece *piece)
{
    const fh_sights *sights = track->hunt->sights;
    if (sights == NULL || track->stream == FH_STREAM_FILE) {
        return;
    }
    fh_seen_drop(&track->seen, track->window.origin + (int64_t)track->scan);
    fh_seen_piece(&track->seen, sights, &track->window, track->base, piece->raw_off, piece->len);
}

static void append(fh_track *track, const fh_piece *piece)
{
    fh_window *window = &track->window;
    const size_t len = window->len;
    const size_t needed = fh_track_needed(track);
    const size_t done = needed < FH_LOOK_BEHIND ? 0 : needed - FH_LOOK_BEHIND;
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
    see(track, piece);
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
    const fh_decision last = fh_track_look_back(track, true, seam);
    assert(last == FH_DECIDED); /* nothing more comes that could be waited for */
    (void)last;
    fh_track_close_claim(track);
    fh_window_clear(&track->window);
    fh_seen_clear(&track->seen);
    count_room(track, len);
    track->scan = 0;
    track->want = 0;
    track->base = FH_UNKNOWN;
}
