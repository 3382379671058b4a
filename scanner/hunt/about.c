#include "hunt/about.h"

#include "hunt/run_rules.h"
#include "registry/registry.h"
#include "source/file_stream.h"
#include "source/image_rules.h"
#include "source/tracks.h"

#include <string.h>
#include <strings.h>

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

/* A finding of the source: its offset is that in the source. */
void fh_tell_source(fh_hunt *hunt, const fh_finding *finding)
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
    fh_tell_source(&((fh_pass *)user)->hunt, finding);
}

fh_finding fh_source_finding(const fh_rule *rule, const char *field, int64_t offset)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = offset;
    return finding;
}

/* What is wrong with the content that the bytes are made of. */
static void tell_faults(fh_pass *pass)
{
    if (pass->reader->tape.faults != NULL) {
        fh_tallies_tell(pass->reader->tape.faults, pass, on_finding);
    }
}

static void tell_read_error(fh_pass *pass)
{
    fh_finding finding =
        fh_source_finding(&fh_run_rules.rules[FH_RUN0001], "read", pass->reader->error_off);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, pass->reader->error_text);
    fh_tell_source(&pass->hunt, &finding);
}

static void put_lengths(fh_finding *finding, const fh_reader *reader, fh_drift drift)
{
    const int64_t before = reader->stat_size == FH_UNKNOWN ? 0 : reader->stat_size;
    const bool is_where_it_ended = drift.size == reader->size_read;
    finding->offset = drift.size < before ? drift.size : before;
    fh_text text = fh_text_make(finding->found, sizeof finding->found);
    fh_text_str(fh_text_s64(&text, drift.size), is_where_it_ended ? " bytes read" : " bytes now");
    text = fh_text_make(finding->expected, sizeof finding->expected);
    fh_text_str(fh_text_s64(&text, before), " bytes");
}

fh_finding fh_drift_finding(const fh_reader *reader, fh_drift drift)
{
    if (drift.kind != FH_DRIFT_WRITTEN) {
        const int rule = drift.kind == FH_DRIFT_SHORTER ? FH_RUN0007 : FH_RUN0025;
        fh_finding finding = fh_source_finding(&fh_run_rules.rules[rule], "length", 0);
        put_lengths(&finding, reader, drift);
        return finding;
    }
    fh_finding finding =
        fh_source_finding(&fh_run_rules.rules[FH_RUN0024], "time of change", FH_UNKNOWN);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "another one at the end");
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, "that of the beginning");
    return finding;
}

static void tell_change(fh_pass *pass)
{
    pass->drift = fh_reader_drift(pass->reader);
    if (pass->drift.kind != FH_DRIFT_NONE) {
        const fh_finding finding = fh_drift_finding(pass->reader, pass->drift);
        fh_tell_source(&pass->hunt, &finding);
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

/* A file that is called an animation and does not begin with one. Memory may be called anything: at
 * its beginning lies what the machine had there. */
static void tell_wrong_name(fh_pass *pass, const fh_layout *layout)
{
    const fh_format *format = fh_format_by_path(pass->hunt.path);
    if (format == NULL || !is_wanted(&pass->hunt, format) || pass->hunt.at_start == format ||
        fh_hunt_is_memory(&pass->hunt)) {
        return;
    }
    fh_finding finding = fh_source_finding(&fh_run_rules.rules[FH_RUN0005], "content", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, layout->stride == FH_STRIDE_PLAIN ? "not a whole " : "a disc image, not a ");
    fh_text_str(&text, format->name);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_str(&text, "a whole "), format->name);
    fh_tell_source(&pass->hunt, &finding);
}

/* Sectors as the source's name has them: .iso stands for those of 2048 bytes. */
static uint32_t stride_by_name(const char *path)
{
    static const char suffix[] = ".iso";
    const size_t len = strlen(path);
    const bool is_iso =
        len >= sizeof suffix && strcasecmp(path + len - (sizeof suffix - 1), suffix) == 0;
    return is_iso ? FH_STRIDE_2048 : FH_STRIDE_PLAIN;
}

/* A control file counts before the name. */
static void tell_other_layout(fh_pass *pass, const fh_layout *layout)
{
    const fh_hunt *hunt = &pass->hunt;
    const fh_tracks *tracks = pass->reader->tracks;
    const bool by_tracks = tracks != NULL && tracks->num_parts > 0;
    const fh_layout stated = {.stride = by_tracks ? fh_tracks_stride(tracks)
                                                  : stride_by_name(hunt->path)};
    if (stated.stride == FH_STRIDE_PLAIN || stated.stride == layout->stride ||
        hunt->options->layout != FH_LAYOUT_AUTO || fh_hunt_is_memory(hunt) ||
        pass->reader->size_read == 0) {
        return;
    }
    fh_finding finding = fh_source_finding(&fh_image_rules.rules[FH_IMG0002], "layout", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, fh_layout_name(layout));
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, fh_layout_name(&stated));
    fh_text_str(&text, by_tracks ? " (the control file)" : " (the name)");
    fh_tell_source(&pass->hunt, &finding);
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
        fh_tell_source(hunt, &finding);
    }
}

static void tell_weak(fh_hunt *hunt)
{
    const fh_weak *weak = &hunt->weak;
    if (weak->num == 0) {
        return;
    }
    fh_finding finding =
        fh_source_finding(&fh_run_rules.rules[FH_RUN0011], "readings", weak->raw_off);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, weak->num), ", the best a ");
    fh_text_u64(fh_text_str(fh_text_str(&text, weak->format->name), " with "), weak->bits);
    fh_text_hex(fh_text_str(&text, " bits at "), (uint64_t)weak->raw_off, 1);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_u64(fh_text_str(&text, "at least "), hunt->options->min_evidence), " bits");
    fh_tell_source(hunt, &finding);
}

bool fh_is_only_audio(const fh_reader *reader)
{
    return reader->tracks != NULL && reader->tracks->num_parts > 0 &&
           !fh_tracks_have_data(reader->tracks);
}

/* What is wrong with the directory tree, or that it could not be read. */
static void tell_tree(fh_pass *pass, const fh_layout *layout)
{
    if (pass->hunt.naming.is_open) {
        fh_tallies_tell(&pass->hunt.naming.files.tallies, pass, on_finding);
    } else if (layout->stride != FH_STRIDE_PLAIN && !fh_is_only_audio(pass->reader)) {
        fh_finding finding =
            fh_source_finding(&fh_image_rules.rules[FH_IMG0082], "directory tree", FH_UNKNOWN);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(&text, pass->is_crowded
                               ? "not waited for: there are more findings than can wait"
                               : "not kept when it passed");
        fh_tell_source(&pass->hunt, &finding);
    }
}

/* What lies behind the end of a search that went forwards cannot be put together any more. */
void fh_about_scattered(fh_pass *pass)
{
    fh_naming *naming = &pass->hunt.naming;
    const size_t num = naming->is_open ? fh_file_streams_count(&naming->files) : 0;
    if (num > 0) {
        fh_finding finding =
            fh_source_finding(&fh_image_rules.rules[FH_IMG0083], "files", FH_UNKNOWN);
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(fh_text_s64(&text, (int64_t)num), " in an image that is only read forwards");
        fh_tell_source(&pass->hunt, &finding);
    }
}

/* Whoever scans what was given up alone has to know how far it reaches. */
static void tell_starved(fh_hunt *hunt)
{
    const fh_starved *starved = &hunt->starved;
    if (starved->num > 0) {
        fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0010], "further places");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(fh_text_s64(&text, starved->num), ", up to ");
        fh_text_hex(&text, (uint64_t)starved->to, 4);
        fh_tell_finding(hunt, &finding, FH_UNKNOWN, starved->from);
    }
}

void fh_about_source(fh_pass *pass, const fh_layout *layout)
{
    tell_faults(pass);
    if (pass->reader->error != 0) {
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
    tell_starved(&pass->hunt);
    for (int i = 0; i < 3; i++) {
        fh_tell_further(&pass->hunt, pass->hunt.num_lost[i], &fh_run_rules.rules[FH_RUN0030 + i]);
    }
    tell_wrong_name(pass, layout);
    tell_other_layout(pass, layout);
    tell_tree(pass, layout);
}

/* A dump that begins somewhere else than at address 0. */
void fh_about_start(fh_pass *pass, uint32_t address)
{
    if ((address & FH_RAM_PHYSICAL) % FH_RAM_MAX_LEN == 0) {
        return;
    }
    fh_finding finding = fh_source_finding(&fh_image_rules.rules[FH_IMG0056], "first byte", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_hex(&text, address, 8);
    fh_tell_source(&pass->hunt, &finding);
}

/* What the assets of a plain source say of where it lay; assets without an own address get theirs
 * if all say the same. */
void fh_about_poll(fh_pass *pass)
{
    fh_hunt *hunt = &pass->hunt;
    const bool is_agreed = fh_base_is_agreed(&hunt->poll);
    if (hunt->poll.num == 0) {
        return;
    }
    fh_finding finding = fh_source_finding(
        &fh_image_rules.rules[is_agreed ? FH_IMG0054 : FH_IMG0055], "address of the first byte", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_base_tell(&text, &hunt->poll);
    fh_tell_source(hunt, &finding);
    if (!is_agreed) {
        return;
    }
    const uint32_t base = hunt->poll.bases[0].address;
    fh_about_start(pass, FH_RAM_BASE + base);
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
static void tell_tracks(fh_pass *pass)
{
    for (size_t i = 0; i < pass->coverage.num_tracks; i++) {
        const fh_coverage_track *track = &pass->coverage.tracks[i];
        fh_finding finding =
            fh_source_finding(&fh_image_rules.rules[FH_IMG0070], "sectors", track->raw_off);
        put_counts(finding.found, sizeof finding.found, track, true);
        put_counts(finding.context, sizeof finding.context, track, false);
        fh_tell_source(&pass->hunt, &finding);
    }
}

static void tell_run(fh_pass *pass, const fh_covered *run)
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

void fh_about_coverage(fh_pass *pass)
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
void fh_about_left_out(fh_pass *pass, int64_t num, const char *field, const char *what)
{
    if (num == 0) {
        return;
    }
    fh_finding finding = fh_source_finding(&fh_image_rules.rules[FH_IMG0083], field, FH_UNKNOWN);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, num), what);
    fh_tell_source(&pass->hunt, &finding);
    pass->hunt.hit_limit = true;
}
