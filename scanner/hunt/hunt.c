#include "hunt/hunt.h"

#include "hunt/about.h"
#include "hunt/ahead.h"
#include "source/file_stream.h"
#include "source/image_rules.h"
#include "source/memory_stream.h"
#include "source/tracks.h"

#include <stdlib.h>

static void on_piece(void *user, const fh_piece *piece)
{
    fh_pass *pass = user;
    if (piece->stream >= FH_STREAM_CHANNEL) {
        pass->mixed_first = pass->mixed_end == 0 ? piece->raw_off : pass->mixed_first;
        pass->mixed_end = piece->raw_off + (int64_t)piece->len;
    }
    fh_track_piece(&pass->tracks[piece->stream], piece);
}

/* Where the user stopped the work is no end of the source: nothing is decided there. */
static void on_seam(void *user, const fh_seam *seam)
{
    fh_pass *pass = user;
    if (!fh_hunt_is_stopped(&pass->hunt)) {
        fh_track_seam(&pass->tracks[seam->stream], seam);
    }
}

static void on_skip(void *user, fh_stream stream, int64_t sectors)
{
    fh_track_skip(&((fh_pass *)user)->tracks[stream], sectors);
}

static void on_finding(void *user, const fh_finding *finding)
{
    fh_ahead_settle(&((fh_pass *)user)->hunt);
    fh_tell_source(&((fh_pass *)user)->hunt, finding);
}

static void on_sector(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    fh_pass *pass = user;
    fh_naming *naming = &pass->hunt.naming;
    const int64_t raw_off = (int64_t)bytes->origin;
    if (naming->is_open) {
        fh_files_sector(&naming->files, sector, raw_off, lba);
    } else if (naming->keeps && !fh_keep_sector(&naming->keep, sector, bytes, lba)) {
        pass->hunt.no_memory = true;
    }
    if (pass->hunt.options->check_sectors) {
        const fh_codes codes = fh_codes_check(bytes, pass->damage.stride, sector->kind);
        fh_damage_note(&pass->damage, FH_STREAM_DATA, &codes, raw_off, lba);
    }
}

static bool on_stop(void *user)
{
    fh_pass *pass = user;
    fh_hunt *hunt = &pass->hunt;
    const fh_hunt_options *options = hunt->options;
    fh_ahead_drain(hunt);
    if (options->progress != NULL) {
        const fh_hunt_progress progress = {pass->reader->size_read, fh_reader_size(pass->reader),
                                           hunt->num_assets};
        options->progress(options->user, &progress);
    }
    return hunt->sink_failed || hunt->no_memory || fh_hunt_is_stopped(&pass->hunt);
}

/* The reader asks too, and also while it waits for bytes. */
static bool on_reader_stop(void *user)
{
    return fh_hunt_is_stopped(&((fh_pass *)user)->hunt);
}

/* The image has passed: its tree is read, and what waited for it is told. */
static void end_hold(fh_pass *pass)
{
    fh_hunt *hunt = &pass->hunt;
    const fh_stop stop = {on_reader_stop, pass};
    fh_keep_status status = FH_KEEP_LOST;
    if (!hunt->naming.keeps || fh_hunt_is_over(hunt)) {
        return;
    }
    pass->is_crowded = pass->hold.is_released;
    if (!pass->is_crowded) {
        status = fh_naming_finish(&hunt->naming, hunt->path, pass->reader, &stop);
    }
    hunt->no_memory = hunt->no_memory || status == FH_KEEP_NO_MEMORY;
    if (!fh_hunt_is_over(hunt) && !fh_hold_release(&pass->hold, &hunt->naming, &stop)) {
        hunt->no_memory = hunt->no_memory || pass->hold.no_memory;
        hunt->sink_failed = !hunt->no_memory && !fh_hunt_is_stopped(hunt);
    }
    fh_about_scattered(pass);
}

/* The files whose sectors do not lie in a row, one by one. */
static void search_files(fh_pass *pass)
{
    fh_naming *naming = &pass->hunt.naming;
    const fh_stream_sink sink = {
        .user = pass, .piece = on_piece, .seam = on_seam, .skip = on_skip, .stop = on_stop};
    if (!naming->is_open || !naming->files.iso.has_volume) {
        return;
    }
    fh_file_streams streams = fh_file_streams_make(&naming->files, &sink);
    streams.mixed_first = pass->mixed_first;
    streams.mixed_end = pass->mixed_end;
    bool goes_on = true;
    for (size_t i = 0; i < naming->files.iso.primary.num_files && goes_on; i++) {
        if (fh_file_streams_wants(&streams, i)) {
            naming->file_off = streams.stream_off;
            pass->tracks[FH_STREAM_FILE].in.file = i;
            goes_on = fh_file_streams_put(&streams, i);
            fh_ahead_settle(&pass->hunt); /* while it is this file that assets are named by */
        }
    }
    fh_about_left_out(pass, streams.num_left_out, "files", " files not read to their end");
}

static fh_hunt_status stream_all(fh_pass *pass, const fh_layout *layout, const fh_memory_plan *plan)
{
    const fh_stream_sink sink = {.user = pass,
                                 .piece = on_piece,
                                 .seam = on_seam,
                                 .skip = on_skip,
                                 .finding = on_finding,
                                 .stop = on_stop,
                                 .coverage = &pass->coverage,
                                 .sector = on_sector,
                                 .has_channels = true};
    pass->damage.stride = layout->stride;
    const fh_source_status status =
        plan != NULL ? fh_memory_stream(&pass->hunt.memory, pass->reader, plan, &sink)
                     : fh_source_stream(pass->reader, NULL, layout, &sink);
    fh_ahead_settle(&pass->hunt);
    if (pass->hunt.sink_failed) {
        return FH_HUNT_SINK;
    }
    if (pass->hunt.no_memory || status == FH_SOURCE_NO_MEMORY) {
        return FH_HUNT_NO_MEMORY;
    }
    if (status == FH_SOURCE_STOPPED || pass->hunt.is_stopped) {
        return FH_HUNT_STOPPED;
    }
    fh_join_finish(&pass->hunt);
    search_files(pass);
    fh_tell_seconds(&pass->hunt);
    if (pass->hunt.no_memory || pass->hunt.is_stopped) {
        return pass->hunt.no_memory ? FH_HUNT_NO_MEMORY : FH_HUNT_STOPPED;
    }
    fh_about_left_out(pass, pass->hunt.num_channel_cuts, "interleaved streams", " times cut");
    fh_about_left_out(pass, pass->hunt.twice.num_left_out, "assets", " not compared");
    fh_damage_tell(&pass->hunt);
    end_hold(pass);
    if (pass->hunt.is_stopped) {
        return FH_HUNT_STOPPED;
    }
    if (pass->hunt.naming.raw.error != 0) { /* a part of the tree or of a file in it is missing */
        fh_reader_break(pass->reader, pass->hunt.naming.raw.error);
    }
    fh_about_coverage(pass);
    if (fh_hunt_is_memory(&pass->hunt)) {
        fh_about_start(pass, pass->hunt.memory.address);
    }
    fh_about_poll(pass);
    fh_about_source(pass, layout);
    if (pass->hunt.no_memory) {
        return FH_HUNT_NO_MEMORY;
    }
    if (pass->hunt.sink_failed) {
        return FH_HUNT_SINK;
    }
    return pass->reader->error == 0 && !fh_drift_breaks(pass->drift) ? FH_HUNT_OK : FH_HUNT_PARTIAL;
}

fh_hunt_status fh_hunt_unreadable(fh_hunt_source *source, const char *why)
{
    fh_text text = fh_text_make(source->error, sizeof source->error);
    fh_text_str(&text, why);
    source->record.status = "unreadable";
    return FH_HUNT_UNREADABLE;
}

/* A source without a byte: because it is empty, which is told, or because it cannot be read. */
static fh_reader_status nothing_to_read(fh_pass *pass)
{
    const uint8_t *bytes = NULL;
    size_t len = 0;
    const fh_reader_status status = fh_reader_next(pass->reader, &bytes, &len);
    if (status == FH_READER_ERROR && pass->reader->error == 0) {
        return FH_READER_OK; /* the faults of the content tell why */
    }
    if (status != FH_READER_END) {
        return status;
    }
    fh_finding finding = fh_source_finding(&fh_image_rules.rules[FH_IMG0001], "length", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "0 bytes");
    fh_tell_source(&pass->hunt, &finding);
    return FH_READER_END;
}

/* What was looked at already, or is not to be. */
static bool may_be_memory(const fh_pass *pass)
{
    const fh_layout_choice choice = pass->hunt.options->layout;
    const fh_tallies *faults = pass->reader->tape.faults;
    const bool is_known = faults != NULL && (faults->rules[FH_IMG0051].count > 0 ||
                                             faults->rules[FH_IMG0052].count > 0);
    return (choice == FH_LAYOUT_AUTO || choice == FH_LAYOUT_PLAIN) && !is_known &&
           pass->reader->tape.content != FH_CONTENT_PLAIN;
}

/* Whether the source is a memory, and of which sort. What is packed by itself comes here only if it
 * is searched as it lies. */
static bool plan_memory(fh_memory_plan *plan, const fh_pass *pass, const fh_cursor *window,
                        const fh_layout *layout)
{
    const fh_hunt_options *options = pass->hunt.options;
    *plan = (fh_memory_plan){0};
    if (!may_be_memory(pass)) {
        return false;
    }
    if (pass->reader->tape.content == FH_CONTENT_RAM) {
        return true;
    }
    plan->kind = fh_memory_of_reader(pass->reader, window);
    if (plan->kind != NULL && plan->kind->is_guess &&
        (layout->stride != FH_STRIDE_PLAIN || options->has_address)) {
        plan->kind = NULL; /* something better is known */
    }
    if (plan->kind != NULL && plan->kind->is_packed) {
        return false;
    }
    if (plan->kind == NULL || !plan->kind->is_state) {
        plan->has_address = options->has_address;
        plan->address = options->address;
    }
    return plan->kind != NULL || (plan->has_address && layout->stride == FH_STRIDE_PLAIN);
}

static const char *kind_of(const fh_pass *pass, const fh_layout *layout)
{
    const bool is_memory = fh_hunt_is_memory(&pass->hunt) || fh_base_is_agreed(&pass->hunt.poll);
    return is_memory ? "memory" : layout->stride == FH_STRIDE_PLAIN ? "file" : "image";
}

/* The layout by content; where that tells nothing, by what a control file says of the tracks. The
 * user's own word counts above both. */
static void find_layout(const fh_pass *pass, fh_layout *out, const fh_cursor *window)
{
    const fh_layout_choice asked = pass->hunt.options->layout;
    const fh_tracks *tracks = pass->reader->tracks;
    const int64_t size = fh_reader_size(pass->reader);
    fh_layout_find(out, asked, window, size);
    if (tracks == NULL || tracks->num_parts == 0) {
        return;
    }
    if (asked == FH_LAYOUT_AUTO && out->stride == FH_STRIDE_PLAIN) {
        fh_layout_find(out, fh_tracks_choice(tracks), window, size);
    }
    const fh_track_part *first = &tracks->parts[0];
    if (first->lba != FH_UNKNOWN && out->stride != FH_STRIDE_PLAIN) {
        const int64_t ahead = first->off == FH_UNKNOWN ? 0 : out->start - first->off;
        out->first_lba = first->lba + ahead / (int64_t)out->stride;
    }
}

/* The hash of the source, if it is wanted; false: there is no memory left. */
bool fh_hunt_hash(fh_hunt_source *source, const fh_reader *reader, const fh_hunt_options *options)
{
    if (options->skips_hash) {
        return true;
    }
    source->record.sha256 = source->sha256;
    return fh_reader_sha256(reader, source->sha256);
}

/* What a decoder of its container could not get is told, and came as zeros. */
static bool has_gaps(const fh_reader *reader)
{
    const fh_tallies *faults = reader->tape.faults;
    return faults != NULL && faults->rules[FH_IMG0001].count > 0;
}

static bool is_complete(const fh_reader *reader)
{
    return fh_reader_is_at_end(reader) && !has_gaps(reader);
}

static fh_hunt_status search_reader(fh_hunt_source *source, fh_pass *pass)
{
    const fh_cursor window = fh_reader_peek(pass->reader);
    fh_layout layout;
    const fh_reader_status first = window.size > 0 ? FH_READER_OK : nothing_to_read(pass);
    if (first == FH_READER_STOPPED) {
        return FH_HUNT_STOPPED;
    }
    if (first == FH_READER_ERROR) {
        return fh_hunt_unreadable(source, pass->reader->error_text);
    }
    find_layout(pass, &layout, &window);
    fh_memory_plan plan;
    const bool is_memory = plan_memory(&plan, pass, &window, &layout);
    if (is_memory) {
        fh_layout_find(&layout, FH_LAYOUT_PLAIN, &window, fh_reader_size(pass->reader));
    }
    pass->hunt.is_plain = layout.stride == FH_STRIDE_PLAIN;
    pass->hunt.source_len = fh_reader_size(pass->reader);
    source->record.layout = fh_layout_name(&layout);
    if (layout.stride != FH_STRIDE_PLAIN && !fh_is_only_audio(pass->reader) &&
        !fh_naming_open(&pass->hunt.naming, pass->hunt.path, &layout, pass->reader,
                        (int64_t)window.size)) {
        return FH_HUNT_NO_MEMORY;
    }
    if (pass->hunt.naming.keeps) {
        fh_hold_begin(&pass->hold, pass->hunt.sink);
        pass->hunt.hold = &pass->hold;
    }
    if (is_memory) {
        fh_reader_look_no_more(pass->reader); /* its pages do not lie as the source has them */
    } else {
        pass->hunt.sights = &pass->sights;
    }
    const fh_hunt_status status = stream_all(pass, &layout, is_memory ? &plan : NULL);
    source->record.kind = kind_of(pass, &layout);
    source->hit_limit = pass->hunt.hit_limit || pass->reader->tape.hit_limit;
    source->num_weak = pass->hunt.weak.num;
    source->record.size = pass->reader->size_read;
    if (!fh_hunt_hash(source, pass->reader, pass->hunt.options)) {
        return FH_HUNT_NO_MEMORY;
    }
    source->record.status = source->hit_limit           ? "limit"
                            : is_complete(pass->reader) ? "complete"
                                                        : "partial";
    if (status == FH_HUNT_PARTIAL) {
        source->record.status = "partial";
        fh_text text = fh_text_make(source->error, sizeof source->error);
        fh_text_str(&text, pass->reader->error != 0 ? pass->reader->error_text
                                                    : fh_drift_text(pass->drift));
    }
    return status;
}

void fh_hunt_begin(fh_hunt_source *source, const char *path)
{
    *source = (fh_hunt_source){.record = {.path = path,
                                          .kind = "file",
                                          .layout = "plain",
                                          .status = "complete",
                                          .size = FH_UNKNOWN}};
}

fh_hunt_status fh_hunt_reader(fh_hunt_source *source, const char *path, fh_reader *reader,
                              const fh_hunt_options *options, const fh_hunt_sink *sink)
{
    fh_hunt_begin(source, path);
    fh_pass *pass = calloc(1, sizeof *pass);
    if (pass == NULL) {
        return FH_HUNT_NO_MEMORY;
    }
    pass->hunt = (fh_hunt){.options = options,
                           .sink = sink,
                           .path = path,
                           .reserve = {FH_RESERVE},
                           .coverage = &pass->coverage,
                           .damage = &pass->damage};
    pass->hunt.exam.reserve = &pass->hunt.reserve;
    pass->reader = reader;
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        fh_track_init(&pass->tracks[i], &pass->hunt, (fh_stream)i);
    }
    const fh_stop before = {reader->stop, reader->stop_user};
    reader->stop = on_reader_stop;
    reader->stop_user = pass;
    reader->is_helped = options->is_helped;
    reader->skips_hash = options->skips_hash;
    fh_sights_init(&pass->sights, options->formats, options->num_formats, options->every_offset);
    reader->lookout = &pass->sights.lookout;
    const fh_hunt_status status = search_reader(source, pass);
    reader->stop = before.check;
    reader->stop_user = before.user;
    fh_reader_look_no_more(reader);
    fh_sights_free(&pass->sights);
    fh_ahead_free(&pass->hunt);
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        fh_track_free(&pass->tracks[i]);
    }
    fh_exam_free(&pass->hunt.exam);
    fh_naming_close(&pass->hunt.naming);
    fh_hold_free(&pass->hold);
    fh_join_free(&pass->hunt.join);
    fh_twice_free(&pass->hunt.twice);
    free(pass);
    return status;
}

fh_hunt_status fh_hunt_run(fh_hunt_source *source, const char *path, const fh_hunt_options *options,
                           const fh_hunt_sink *sink)
{
    fh_reader reader;
    fh_hunt_begin(source, path);
    const fh_reader_status opened = fh_reader_open(&reader, path, options->stop, options->user);
    fh_hunt_status status = FH_HUNT_STOPPED;
    if (opened == FH_READER_OK) {
        status = fh_hunt_reader(source, path, &reader, options, sink);
    } else if (opened == FH_READER_ERROR) {
        status = fh_hunt_unreadable(source, reader.error_text);
    }
    fh_reader_close(&reader);
    return status;
}
