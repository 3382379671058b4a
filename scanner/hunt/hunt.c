#include "hunt/hunt.h"

#include "hunt/run_rules.h"
#include "hunt/track.h"
#include "registry/registry.h"
#include "source/file_stream.h"
#include "source/image_rules.h"
#include "source/memory_stream.h"
#include "source/opener.h"
#include "source/stream.h"
#include "source/tracks.h"

#include <stdlib.h>
#include <string.h>

typedef struct hunt_pass {
    fh_hunt hunt;
    fh_reader *reader;
    fh_track tracks[FH_STREAM_NUM];
    fh_coverage coverage;
    fh_damage damage;
    int64_t mixed_first, mixed_end; /* raw offsets between which pairs were interleaved */
    fh_hold hold;
    bool is_crowded; /* it could not hold all */
} hunt_pass;

fh_finding_record fh_finding_to_record(const fh_finding *finding, char message[FH_MESSAGE_LEN])
{
    fh_text text = fh_text_make(message, FH_MESSAGE_LEN);
    fh_finding_message(&text, finding);
    return (fh_finding_record){.asset = FH_UNKNOWN,
                               .rule = finding->rule,
                               .severity = finding->rule->severity,
                               .raw_offset = FH_UNKNOWN,
                               .asset_offset = finding->offset,
                               .frame = finding->frame,
                               .object = finding->object,
                               .field = finding->field,
                               .found = finding->found,
                               .expected = finding->expected,
                               .message = message};
}

static void on_piece(void *user, const fh_piece *piece)
{
    hunt_pass *pass = user;
    if (piece->stream >= FH_STREAM_CHANNEL) {
        pass->mixed_first = pass->mixed_end == 0 ? piece->raw_off : pass->mixed_first;
        pass->mixed_end = piece->raw_off + (int64_t)piece->len;
    }
    fh_track_piece(&pass->tracks[piece->stream], piece);
}

/* Where the user stopped the work is no end of the source: nothing is decided there. */
static void on_seam(void *user, const fh_seam *seam)
{
    hunt_pass *pass = user;
    if (!fh_hunt_is_stopped(&pass->hunt)) {
        fh_track_seam(&pass->tracks[seam->stream], seam);
    }
}

static void on_skip(void *user, fh_stream stream, int64_t sectors)
{
    fh_track_skip(&((hunt_pass *)user)->tracks[stream], sectors);
}

/* A finding of the source: its offset is that in the source. */
static void tell_source(fh_hunt *hunt, const fh_finding *finding)
{
    if (hunt->sink_failed) {
        return;
    }
    char message[FH_MESSAGE_LEN];
    fh_finding_record record = fh_finding_to_record(finding, message);
    record.raw_offset = finding->offset;
    record.asset_offset = FH_UNKNOWN;
    fh_send_finding(hunt, &record);
}

static void on_finding(void *user, const fh_finding *finding)
{
    tell_source(&((hunt_pass *)user)->hunt, finding);
}

static void on_sector(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    hunt_pass *pass = user;
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
    hunt_pass *pass = user;
    const fh_hunt *hunt = &pass->hunt;
    const fh_hunt_options *options = hunt->options;
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
    return fh_hunt_is_stopped(&((hunt_pass *)user)->hunt);
}

static fh_finding source_finding(const fh_rule *rule, const char *field, int64_t offset)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = offset;
    return finding;
}

/* What is wrong with the content that the bytes are made of. */
static void tell_faults(hunt_pass *pass)
{
    if (pass->reader->tape.faults != NULL) {
        fh_tallies_tell(pass->reader->tape.faults, pass, on_finding);
    }
}

static void tell_read_error(hunt_pass *pass)
{
    fh_finding finding =
        source_finding(&fh_run_rules.rules[FH_RUN0001], "read", pass->reader->error_off);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, pass->reader->error_text);
    tell_source(&pass->hunt, &finding);
}

static void tell_size_change(hunt_pass *pass)
{
    fh_finding finding = source_finding(&fh_run_rules.rules[FH_RUN0007], "length", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, pass->reader->size_read), " bytes read");
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_s64(&text, pass->reader->stat_size), " bytes");
    tell_source(&pass->hunt, &finding);
}

static fh_finding change_finding(void)
{
    fh_finding finding =
        source_finding(&fh_run_rules.rules[FH_RUN0024], "time of change", FH_UNKNOWN);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "another one at the end");
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, "that of the beginning");
    return finding;
}

/* What was searched may be of no single state of the source. */
static void tell_change(hunt_pass *pass)
{
    if (fh_reader_size_changed(pass->reader)) {
        tell_size_change(pass);
    } else if (fh_reader_has_changed(pass->reader)) {
        const fh_finding finding = change_finding();
        tell_source(&pass->hunt, &finding);
    }
}

static bool is_wanted(const fh_hunt *hunt, const fh_format *format)
{
    for (size_t i = 0; i < hunt->options->num_formats; i++) {
        if (hunt->options->formats[i] == format) {
            return true;
        }
    }
    return false;
}

/* A file that is called an animation and does not begin with one. */
static void tell_wrong_name(hunt_pass *pass, const fh_layout *layout)
{
    const fh_format *format = fh_format_by_path(pass->hunt.path);
    if (format == NULL || !is_wanted(&pass->hunt, format) || pass->hunt.at_start == format) {
        return;
    }
    fh_finding finding = source_finding(&fh_run_rules.rules[FH_RUN0005], "content", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, layout->stride == FH_STRIDE_PLAIN ? "not a whole " : "a disc image, not a ");
    fh_text_str(&text, format->name);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_str(&text, "a whole "), format->name);
    tell_source(&pass->hunt, &finding);
}

/* The deepest near misses, in that order. */
static void tell_misses(fh_hunt *hunt, fh_misses *misses)
{
    fh_misses_sort(misses);
    for (size_t i = 0; i < misses->num_kept; i++) {
        if (fh_twice_is_told(&hunt->twice, misses->kept[i].raw_off)) {
            misses->num--; /* it is whole in another stream */
            continue;
        }
        fh_finding finding = fh_miss_finding(&misses->kept[i]);
        finding.offset = misses->kept[i].raw_off;
        tell_source(hunt, &finding);
    }
}

static void tell_weak(fh_hunt *hunt)
{
    const fh_weak *weak = &hunt->weak;
    if (weak->num == 0) {
        return;
    }
    fh_finding finding = source_finding(&fh_run_rules.rules[FH_RUN0011], "readings", weak->raw_off);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, weak->num), ", the best a ");
    fh_text_u64(fh_text_str(fh_text_str(&text, weak->format->name), " with "), weak->bits);
    fh_text_hex(fh_text_str(&text, " bits at "), (uint64_t)weak->raw_off, 1);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_u64(fh_text_str(&text, "at least "), hunt->options->min_evidence), " bits");
    tell_source(hunt, &finding);
}

static bool is_only_audio(const fh_reader *reader)
{
    return reader->tracks != NULL && reader->tracks->num_parts > 0 &&
           !fh_tracks_have_data(reader->tracks);
}

/* What is wrong with the directory tree, or that it could not be read. */
static void tell_tree(hunt_pass *pass, const fh_layout *layout)
{
    if (pass->hunt.naming.is_open) {
        fh_tallies_tell(&pass->hunt.naming.files.tallies, pass, on_finding);
    } else if (layout->stride != FH_STRIDE_PLAIN && !is_only_audio(pass->reader)) {
        fh_finding finding =
            source_finding(&fh_image_rules.rules[FH_IMG0082], "directory tree", FH_UNKNOWN);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(&text, pass->is_crowded
                               ? "not waited for: there are more findings than can wait"
                               : "not kept when it passed");
        tell_source(&pass->hunt, &finding);
    }
}

/* What lies behind the end of a search that went forwards cannot be put together any more. */
static void tell_scattered(hunt_pass *pass)
{
    fh_naming *naming = &pass->hunt.naming;
    const size_t num = naming->is_open ? fh_file_streams_count(&naming->files) : 0;
    if (num > 0) {
        fh_finding finding = source_finding(&fh_image_rules.rules[FH_IMG0083], "files", FH_UNKNOWN);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(fh_text_s64(&text, (int64_t)num), " in an image that is only read forwards");
        tell_source(&pass->hunt, &finding);
    }
}

/* The image has passed: its tree is read, and what waited for it is told. */
static void end_hold(hunt_pass *pass)
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
    tell_scattered(pass);
}

static void tell_about_source(hunt_pass *pass, const fh_layout *layout, fh_source_status status)
{
    tell_faults(pass);
    if (status == FH_SOURCE_READ_ERROR && pass->reader->error != 0) {
        tell_read_error(pass);
    }
    tell_change(pass);
    fh_tell_further(&pass->hunt, pass->hunt.num_too_long, &fh_run_rules.rules[FH_RUN0002]);
    tell_misses(&pass->hunt, &pass->hunt.cut);
    fh_tell_further(&pass->hunt, pass->hunt.cut.num, &fh_image_rules.rules[FH_IMG0072]);
    tell_misses(&pass->hunt, &pass->hunt.ended);
    fh_tell_further(&pass->hunt, pass->hunt.ended.num, &fh_image_rules.rules[FH_IMG0062]);
    tell_misses(&pass->hunt, &pass->hunt.near_misses);
    fh_tell_further(&pass->hunt, pass->hunt.near_misses.num, &fh_run_rules.rules[FH_RUN0006]);
    tell_weak(&pass->hunt);
    fh_tell_further(&pass->hunt, pass->hunt.num_starved, &fh_run_rules.rules[FH_RUN0010]);
    for (int i = 0; i < 3; i++) {
        fh_tell_further(&pass->hunt, pass->hunt.num_lost[i], &fh_run_rules.rules[FH_RUN0030 + i]);
    }
    tell_wrong_name(pass, layout);
    tell_tree(pass, layout);
}

/* A dump that begins somewhere else than at address 0. */
static void tell_start(hunt_pass *pass, uint32_t address)
{
    if ((address & FH_RAM_PHYSICAL) % FH_RAM_MAX_LEN == 0) {
        return;
    }
    fh_finding finding = source_finding(&fh_image_rules.rules[FH_IMG0056], "first byte", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_hex(&text, address, 8);
    tell_source(&pass->hunt, &finding);
}

/* What the assets of a plain source say of where it lay; assets without an own address get theirs
 * if all say the same. */
static void tell_poll(hunt_pass *pass)
{
    fh_hunt *hunt = &pass->hunt;
    const bool is_agreed = fh_base_is_agreed(&hunt->poll);
    if (hunt->poll.num == 0) {
        return;
    }
    fh_finding finding = source_finding(&fh_image_rules.rules[is_agreed ? FH_IMG0054 : FH_IMG0055],
                                        "address of the first byte", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_base_tell(&text, &hunt->poll);
    tell_source(hunt, &finding);
    if (!is_agreed) {
        return;
    }
    const uint32_t base = hunt->poll.bases[0].address;
    tell_start(pass, FH_RAM_BASE + base);
    if (hunt->sink->base != NULL && !hunt->sink_failed) {
        hunt->sink_failed = !hunt->sink->base(hunt->sink->user, base);
    }
}

static void put_counts(char *out, size_t size, const fh_coverage_track *track, bool searched)
{
    fh_text text = fh_text_make(out, size);
    for (unsigned i = 0; i < FH_CLAIM_NUM; i++) {
        const bool is_searched = i <= FH_CLAIM_FORM2;
        if (track->sectors[i] > 0 && is_searched == searched) {
            fh_text_str(&text, text.len > 0 ? ", " : "");
            fh_text_str(&text, fh_claim_name((fh_sector_claim)i));
            fh_text_s64(fh_text_str(&text, " "), track->sectors[i]);
        }
    }
}

/* The streams of animations are the value found; all else stands behind it. */
static void tell_tracks(hunt_pass *pass)
{
    for (size_t i = 0; i < pass->coverage.num_tracks; i++) {
        const fh_coverage_track *track = &pass->coverage.tracks[i];
        fh_finding finding =
            source_finding(&fh_image_rules.rules[FH_IMG0070], "sectors", track->raw_off);
        put_counts(finding.found, sizeof finding.found, track, true);
        put_counts(finding.context, sizeof finding.context, track, false);
        tell_source(&pass->hunt, &finding);
    }
}

static void tell_run(hunt_pass *pass, const fh_covered *run)
{
    const fh_coverage_record record = {.claim = fh_claim_name(run->claim),
                                       .raw_offset = run->raw_off,
                                       .length = run->len,
                                       .first_lba = run->first_lba,
                                       .sectors = run->sectors,
                                       .runs = run->runs,
                                       .asset_bytes = run->asset_bytes};
    const fh_hunt_sink *sink = pass->hunt.sink;
    if (sink->coverage != NULL && !pass->hunt.sink_failed && run->runs > 0) {
        pass->hunt.sink_failed = !sink->coverage(sink->user, &record);
    }
}

static void tell_coverage(hunt_pass *pass)
{
    fh_coverage_end(&pass->coverage);
    for (size_t i = 0; i < pass->coverage.num_runs; i++) {
        tell_run(pass, &pass->coverage.runs[i]);
    }
    for (size_t i = 0; i < FH_CLAIM_NUM; i++) {
        tell_run(pass, &pass->coverage.rest[i]);
    }
    tell_tracks(pass);
}

/* What a limit left out of the streams of scattered sectors. */
static void tell_left_out(hunt_pass *pass, int64_t num, const char *field, const char *what)
{
    if (num == 0) {
        return;
    }
    fh_finding finding = source_finding(&fh_image_rules.rules[FH_IMG0083], field, FH_UNKNOWN);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, num), what);
    tell_source(&pass->hunt, &finding);
    pass->hunt.hit_limit = true;
}

/* The files whose sectors do not lie in a row, one by one. */
static void search_files(hunt_pass *pass)
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
        }
    }
    tell_left_out(pass, streams.num_left_out, "files", " files not read to their end");
}

static fh_hunt_status stream_all(hunt_pass *pass, const fh_layout *layout,
                                 const fh_memory_plan *plan)
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
    tell_left_out(pass, pass->hunt.num_channel_cuts, "interleaved streams", " times cut");
    tell_left_out(pass, pass->hunt.twice.num_left_out, "assets", " not compared");
    fh_damage_tell(&pass->hunt);
    end_hold(pass);
    if (pass->hunt.is_stopped) {
        return FH_HUNT_STOPPED;
    }
    tell_coverage(pass);
    if (fh_hunt_is_memory(&pass->hunt)) {
        tell_start(pass, pass->hunt.memory.address);
    }
    tell_poll(pass);
    tell_about_source(pass, layout, status);
    if (pass->hunt.no_memory) {
        return FH_HUNT_NO_MEMORY;
    }
    if (pass->hunt.sink_failed) {
        return FH_HUNT_SINK;
    }
    return pass->reader->error == 0 ? FH_HUNT_OK : FH_HUNT_PARTIAL;
}

static fh_hunt_status unreadable(fh_hunt_source *source, const char *why)
{
    fh_text text = fh_text_make(source->error, sizeof source->error);
    fh_text_str(&text, why);
    source->record.status = "unreadable";
    return FH_HUNT_UNREADABLE;
}

/* A source without a byte: because it is empty, which is told, or because it cannot be read. */
static fh_reader_status nothing_to_read(hunt_pass *pass)
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
    fh_finding finding = source_finding(&fh_image_rules.rules[FH_IMG0001], "length", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "0 bytes");
    tell_source(&pass->hunt, &finding);
    return FH_READER_END;
}

/* What was looked at already, or is not to be. */
static bool may_be_memory(const hunt_pass *pass)
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
static bool plan_memory(fh_memory_plan *plan, const hunt_pass *pass, const fh_cursor *window,
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
    plan->kind = fh_memory_of(window, fh_reader_size(pass->reader));
    if (plan->kind != NULL && plan->kind->is_packed) {
        return false;
    }
    if (plan->kind == NULL || !plan->kind->is_state) {
        plan->has_address = options->has_address;
        plan->address = options->address;
    }
    return plan->kind != NULL || (plan->has_address && layout->stride == FH_STRIDE_PLAIN);
}

static const char *kind_of(const hunt_pass *pass, const fh_layout *layout)
{
    const bool is_memory = fh_hunt_is_memory(&pass->hunt) || fh_base_is_agreed(&pass->hunt.poll);
    return is_memory ? "memory" : layout->stride == FH_STRIDE_PLAIN ? "file" : "image";
}

/* The layout by content; where that tells nothing, by what a control file says of the tracks. The
 * user's own word counts above both. */
static void find_layout(const hunt_pass *pass, fh_layout *out, const fh_cursor *window)
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
static bool take_hash(fh_hunt_source *source, const fh_reader *reader,
                      const fh_hunt_options *options)
{
    if (options->skips_hash) {
        return true;
    }
    source->record.sha256 = source->sha256;
    return fh_reader_sha256(reader, source->sha256);
}

static fh_hunt_status search_reader(fh_hunt_source *source, hunt_pass *pass)
{
    const fh_cursor window = fh_reader_peek(pass->reader);
    fh_layout layout;
    const fh_reader_status first = window.size > 0 ? FH_READER_OK : nothing_to_read(pass);
    if (first == FH_READER_STOPPED) {
        return FH_HUNT_STOPPED;
    }
    if (first == FH_READER_ERROR) {
        return unreadable(source, pass->reader->error_text);
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
    if (layout.stride != FH_STRIDE_PLAIN && !is_only_audio(pass->reader) &&
        !fh_naming_open(&pass->hunt.naming, pass->hunt.path, &layout, pass->reader,
                        (int64_t)window.size)) {
        return FH_HUNT_NO_MEMORY;
    }
    if (pass->hunt.naming.keeps) {
        fh_hold_begin(&pass->hold, pass->hunt.sink);
        pass->hunt.hold = &pass->hold;
    }
    const fh_hunt_status status = stream_all(pass, &layout, is_memory ? &plan : NULL);
    source->record.kind = kind_of(pass, &layout);
    source->hit_limit = pass->hunt.hit_limit || pass->reader->tape.hit_limit;
    source->num_weak = pass->hunt.weak.num;
    source->record.size = pass->reader->size_read;
    if (!take_hash(source, pass->reader, pass->hunt.options)) {
        return FH_HUNT_NO_MEMORY;
    }
    source->record.status = source->hit_limit                   ? "limit"
                            : fh_reader_is_at_end(pass->reader) ? "complete"
                                                                : "partial";
    if (status == FH_HUNT_PARTIAL) {
        source->record.status = "partial";
        fh_text text = fh_text_make(source->error, sizeof source->error);
        fh_text_str(&text, pass->reader->error_text);
    }
    return status;
}

static void begin(fh_hunt_source *source, const char *path)
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
    begin(source, path);
    hunt_pass *pass = calloc(1, sizeof *pass);
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
    const fh_hunt_status status = search_reader(source, pass);
    reader->stop = before.check;
    reader->stop_user = before.user;
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
    begin(source, path);
    const fh_reader_status opened = fh_reader_open(&reader, path, options->stop, options->user);
    fh_hunt_status status = FH_HUNT_STOPPED;
    if (opened == FH_READER_OK) {
        status = fh_hunt_reader(source, path, &reader, options, sink);
    } else if (opened == FH_READER_ERROR) {
        status = unreadable(source, reader.error_text);
    }
    fh_reader_close(&reader);
    return status;
}

/* ---- containers ------------------------------------------------------------------------------ */

typedef struct visit {
    const fh_hunt_options *options;
    const fh_hunt_sink *sink;
    const fh_hunt_visitor *visitor;
    bool sink_failed; /* while faults were told */
} visit;

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    visit *v = user;
    fh_hunt_source source;
    if (!v->visitor->begin(v->visitor->user, path)) {
        return false;
    }
    const fh_hunt_status status = fh_hunt_reader(&source, path, reader, v->options, v->sink);
    return v->visitor->end(v->visitor->user, &source, status);
}

static void on_fault(void *user, const fh_finding *finding)
{
    visit *v = user;
    fh_hunt hunt = {.sink = v->sink, .sink_failed = v->sink_failed};
    tell_source(&hunt, finding);
    v->sink_failed = hunt.sink_failed;
}

/* All bytes of a container are its own: what is in it are sources of their own. */
static void cover_container(visit *v, int64_t size)
{
    const fh_coverage_record record = {
        .claim = "container", .raw_offset = 0, .length = size, .first_lba = FH_UNKNOWN, .runs = 1};
    if (v->sink->coverage != NULL && !v->sink_failed && size > 0) {
        v->sink_failed = !v->sink->coverage(v->sink->user, &record);
    }
}

/* false: there is no memory left. */
static bool tell_container(visit *v, fh_hunt_source *source, const fh_container *container)
{
    const fh_reader *reader = container->reader;
    const bool is_partial = reader->error != 0;
    source->hit_limit = container->hit_limit;
    source->record.kind = container->is_sheet ? "sheet" : "archive";
    source->record.status = is_partial                    ? "partial"
                            : container->hit_limit        ? "limit"
                            : fh_reader_is_at_end(reader) ? "complete"
                                                          : "partial";
    if (container->is_whole) {
        source->record.size = reader->size_read;
        if (!take_hash(source, reader, v->options)) {
            return false;
        }
        cover_container(v, reader->size_read);
    }
    fh_tallies_tell(container->faults, v, on_fault);
    if (is_partial) {
        fh_finding finding =
            source_finding(&fh_run_rules.rules[FH_RUN0001], "read", reader->error_off);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(&text, reader->error_text);
        on_fault(v, &finding);
        text = fh_text_make(source->error, sizeof source->error);
        fh_text_str(&text, reader->error_text);
    } else if (fh_reader_has_changed(reader)) {
        const fh_finding finding = change_finding();
        on_fault(v, &finding);
    }
    return true;
}

static bool on_container(void *user, const fh_container *container)
{
    visit *v = user;
    fh_hunt_source source;
    begin(&source, container->path);
    if (!v->visitor->begin(v->visitor->user, container->path)) {
        return false;
    }
    const bool has_memory = tell_container(v, &source, container);
    fh_hunt_status status = container->reader->error != 0 ? FH_HUNT_PARTIAL : FH_HUNT_OK;
    if (status == FH_HUNT_OK && container->num_lost > 0) {
        fh_text text = fh_text_make(source.error, sizeof source.error);
        fh_text_str(&text, "not all image files that it names can be read, see its findings");
        source.record.status = "partial";
        status = FH_HUNT_PARTIAL;
    }
    if (!has_memory || v->sink_failed) {
        status = !has_memory ? FH_HUNT_NO_MEMORY : FH_HUNT_SINK;
    }
    return v->visitor->end(v->visitor->user, &source, status);
}

/* What hindered the opener itself is told of the file. */
static void tell_end(const visit *v, const char *path, fh_hunt_status status, const char *why)
{
    fh_hunt_source source;
    begin(&source, path);
    if (status == FH_HUNT_UNREADABLE) {
        status = unreadable(&source, why);
    }
    if (v->visitor->begin(v->visitor->user, path)) {
        (void)v->visitor->end(v->visitor->user, &source, status);
    }
}

static fh_opener_options how_to_open(const fh_hunt_options *options)
{
    return (fh_opener_options){.as_it_lies = options->as_it_lies,
                               .wants_image = options->wants_image,
                               .wants_user = options->user,
                               .stop = {options->stop, options->user}};
}

static void tell_how_it_ended(const visit *v, const char *path, fh_opener_status status,
                              const char *why)
{
    switch (status) {
    case FH_OPENER_OK:
    case FH_OPENER_ENDED:
        break;
    case FH_OPENER_ERROR:
        tell_end(v, path, FH_HUNT_UNREADABLE, why);
        break;
    case FH_OPENER_STOPPED:
        tell_end(v, path, FH_HUNT_STOPPED, "");
        break;
    case FH_OPENER_NO_MEMORY:
        tell_end(v, path, FH_HUNT_NO_MEMORY, "");
        break;
    }
}

void fh_hunt_all(int64_t *num_left_out, const char *path, const fh_hunt_options *options,
                 const fh_hunt_sink *sink, const fh_hunt_visitor *visitor)
{
    visit v = {options, sink, visitor, false};
    const fh_opener_sink opener_sink = {&v, on_source, on_container};
    const fh_opener_options how = how_to_open(options);
    fh_opener_result result;
    const fh_opener_status status = fh_open_all(&result, path, &how, &opener_sink);
    tell_how_it_ended(&v, path, status, result.error_text);
    *num_left_out = result.num_left_out;
}

void fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                   const fh_hunt_options *options, const fh_hunt_sink *sink,
                   const fh_hunt_visitor *visitor)
{
    visit v = {options, sink, visitor, false};
    const fh_opener_sink opener_sink = {&v, on_source, on_container};
    const fh_opener_options how = how_to_open(options);
    const fh_tape tape = fh_tape_of_bytes(bytes, len);
    fh_opener_result result;
    const fh_opener_status status = fh_open_tape(&result, path, &tape, &how, &opener_sink);
    tell_how_it_ended(&v, path, status, result.error_text);
    *num_left_out = result.num_left_out;
}
