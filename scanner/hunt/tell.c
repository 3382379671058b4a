#include "hunt/tell.h"

#include "hunt/remark.h"
#include "hunt/run_rules.h"
#include "hunt/whole.h"
#include "source/image_rules.h"

#include <assert.h>
#include <stdlib.h>

bool fh_hunt_is_stopped(fh_hunt *hunt)
{
    const fh_hunt_options *options = hunt->options;
    hunt->is_stopped = hunt->is_stopped || (options->stop != NULL && options->stop(options->user));
    return hunt->is_stopped;
}

bool fh_hunt_is_over(fh_hunt *hunt)
{
    return hunt->sink_failed || hunt->no_memory || fh_hunt_is_stopped(hunt);
}

void fh_hunt_note_limit(fh_hunt *hunt)
{
    hunt->hit_limit = hunt->hit_limit || fh_exam_hit_limit(&hunt->exam);
}

/* What would take more memory than is allowed is not begun. */
static bool is_too_large(fh_finding *lost, const fh_hunt *hunt, size_t len)
{
    const size_t most = hunt->options->max_memory;
    if (most == 0 || fh_arena_len(len) <= most) {
        return false;
    }
    *lost = fh_finding_make(&fh_run_rules.rules[FH_RUN0032], "memory");
    fh_text text = fh_text_make(lost->found, sizeof lost->found);
    fh_text_str(fh_text_u64(&text, fh_arena_len(len)), " bytes");
    text = fh_text_make(lost->expected, sizeof lost->expected);
    fh_text_str(fh_text_u64(fh_text_str(&text, "at most "), most), " bytes");
    return true;
}

fh_exam_end fh_hunt_try(const fh_hunt *hunt, void *self, fh_exam *exam, fh_finding *lost,
                        const fh_format *format, fh_cursor bytes, const fh_exam_options *options)
{
    const fh_hunt_options *how = hunt->options;
    if (is_too_large(lost, hunt, bytes.size)) {
        return FH_EXAM_LOST;
    }
    if (how->examine != NULL) {
        return how->examine(how->user, self, exam, lost, format, bytes, options);
    }
    return fh_exam_run(exam, format, bytes, options) ? FH_EXAM_DONE : FH_EXAM_NO_MEMORY;
}

static void tell_lost(fh_hunt *hunt, const fh_finding *lost, const fh_format *format,
                      int64_t raw_off)
{
    const ptrdiff_t index = lost->rule - &fh_run_rules.rules[FH_RUN0030];
    fh_finding finding = *lost;
    assert(index >= 0 && index < 3);
    hunt->hit_limit = true;
    if (hunt->num_lost[index]++ >= (int64_t)FH_MAX_FINDINGS_PER_RULE) {
        return; /* counted; told with their number at the end of the source */
    }
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    fh_text_str(fh_text_str(&text, "format "), format->name);
    fh_tell_finding(hunt, &finding, FH_UNKNOWN, raw_off);
}

bool fh_hunt_examined(fh_hunt *hunt, fh_exam_end end, const fh_finding *lost,
                      const fh_format *format, int64_t raw_off)
{
    switch (end) {
    case FH_EXAM_DONE:
        return true;
    case FH_EXAM_NO_MEMORY:
        hunt->no_memory = true;
        return false;
    case FH_EXAM_STOPPED:
        hunt->is_stopped = true;
        return false;
    case FH_EXAM_LOST:
        break;
    }
    tell_lost(hunt, lost, format, raw_off);
    return false;
}

bool fh_hunt_examine(fh_hunt *hunt, const fh_format *format, fh_cursor bytes,
                     const fh_exam_options *options, int64_t raw_off)
{
    fh_finding lost;
    const fh_exam_end end = fh_hunt_try(hunt, NULL, &hunt->exam, &lost, format, bytes, options);
    return fh_hunt_examined(hunt, end, &lost, format, raw_off);
}

void fh_hunt_note_weak(fh_hunt *hunt, const fh_format *format, uint32_t bits, int64_t raw_off)
{
    fh_weak *weak = &hunt->weak;
    if (weak->num++ == 0 || bits > weak->bits || (bits == weak->bits && raw_off < weak->raw_off)) {
        weak->bits = bits;
        weak->raw_off = raw_off;
        weak->format = format;
    }
}

static void note_sent(fh_hunt *hunt, bool is_sent)
{
    const bool no_memory = hunt->hold != NULL && hunt->hold->no_memory;
    hunt->no_memory = hunt->no_memory || no_memory;
    hunt->sink_failed = hunt->sink_failed || (!is_sent && !no_memory);
}

void fh_send_finding(fh_hunt *hunt, const fh_finding_record *record)
{
    note_sent(hunt, hunt->hold != NULL ? fh_hold_finding(hunt->hold, record)
                                       : hunt->sink->finding(hunt->sink->user, record));
}

void fh_tell_finding(fh_hunt *hunt, const fh_finding *finding, int64_t handle, int64_t raw_off)
{
    if (fh_hunt_is_over(hunt)) {
        return;
    }
    char message[FH_MESSAGE_LEN];
    fh_finding_record record = fh_finding_to_record(finding, message);
    record.asset = handle;
    record.raw_offset = raw_off;
    if (handle == FH_UNKNOWN) {
        record.asset_offset = FH_UNKNOWN;
    }
    fh_send_finding(hunt, &record);
}

void fh_tell_further(fh_hunt *hunt, int64_t num, const fh_rule *rule)
{
    if (num <= (int64_t)FH_MAX_FINDINGS_PER_RULE) {
        return;
    }
    fh_finding finding = fh_finding_make(rule, "number of further findings");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_s64(&text, num - (int64_t)FH_MAX_FINDINGS_PER_RULE), ", not listed");
    fh_tell_finding(hunt, &finding, FH_UNKNOWN, FH_UNKNOWN);
}

static fh_replay_record replay_record(const fh_exam *exam)
{
    return (fh_replay_record){.evaluator = exam->result.evaluator,
                              .frames = exam->result.frames,
                              .ticks = (int64_t)exam->result.ticks,
                              .status = fh_replay_state_name(exam->result.state),
                              .pose_sha256 = exam->has_pose_sha256 ? exam->pose_sha256 : NULL};
}

/* The place of a byte of the asset; its end counts to the last part. */
static fh_place place_of(const fh_lie *lies, size_t num_lies, int64_t at)
{
    size_t i = 0;
    while (i + 1 < num_lies && at >= lies[i + 1].at) {
        i++;
    }
    return fh_runs_place(lies[i].runs, lies[i].num_runs, lies[i].stream_off + at - lies[i].at);
}

static void tell_findings(fh_hunt *hunt, int64_t handle, const fh_lie *lies, size_t num_lies)
{
    const fh_exam *exam = &hunt->exam;
    for (size_t i = 0; i < exam->num_findings && !hunt->sink_failed; i++) {
        const fh_finding *finding = &exam->findings[i];
        const bool has_place = finding->offset != FH_UNKNOWN;
        fh_tell_finding(hunt, finding, handle,
                        has_place ? place_of(lies, num_lies, finding->offset).raw_off : FH_UNKNOWN);
    }
}

/* Lists where the bytes lie; what lies one behind the other is one piece. NULL: no memory. */
static fh_piece_record *list_pieces(size_t *num, const fh_lie *lies, size_t num_lies)
{
    fh_piece_record *pieces = calloc(num_lies, sizeof *pieces);
    *num = 0;
    for (size_t i = 0; i < num_lies && pieces != NULL; i++) {
        if (i > 0 && lies[i].stream_off == lies[i - 1].stream_off + (int64_t)lies[i - 1].len) {
            pieces[*num - 1].length += (int64_t)lies[i].len;
        } else {
            pieces[(*num)++] = (fh_piece_record){
                lies[i].at, place_of(lies, num_lies, lies[i].at).raw_off, (int64_t)lies[i].len};
        }
    }
    return pieces;
}

/* The same for scattered sectors; none if the bytes follow each other. */
static fh_piece_record *list_scattered(size_t *num, const fh_lie *lie)
{
    const fh_raw_pieces all = fh_raw_pieces_of(lie->runs, lie->num_runs, lie->stream_off, lie->len);
    fh_piece_record *pieces = calloc(lie->num_runs, sizeof *pieces);
    fh_raw_pieces rest = all;
    fh_piece_record piece;
    *num = 0;
    while (pieces != NULL && fh_raw_pieces_next(&rest, &piece)) {
        pieces[(*num)++] = piece;
    }
    *num = *num > 1 ? *num : 0;
    return pieces;
}

/* Says which sectors the bytes lie in. */
static void cover(fh_coverage *coverage, const fh_lie *lie)
{
    const int64_t end = lie->stream_off + (int64_t)lie->len;
    for (size_t i = 0; i < lie->num_runs; i++) {
        const fh_run *run = &lie->runs[i];
        const int64_t next = i + 1 < lie->num_runs ? run[1].stream_off : end;
        const int64_t from = run->stream_off > lie->stream_off ? run->stream_off : lie->stream_off;
        const int64_t len = (next < end ? next : end) - from;
        if (len > 0) {
            fh_coverage_asset(coverage, run->claim, run->raw_off + from - run->stream_off, len);
        }
    }
}

/* Names the asset by the file that its first part lies in. */
static void name_asset(fh_hunt *hunt, fh_asset_name *out, const fh_lie *lies, size_t num_lies)
{
    const int64_t last = lies[0].at + (int64_t)lies[0].len - 1;
    if (lies[0].in.stream == FH_STREAM_FILE) {
        fh_name_in_file(&hunt->naming, out, lies[0].in.file, lies[0].stream_off,
                        place_of(lies, num_lies, 0).raw_off);
        return;
    }
    fh_name_asset(&hunt->naming, out, &hunt->exam, place_of(lies, num_lies, 0).raw_off,
                  place_of(lies, num_lies, last).raw_off);
}

/* ---- several streams ---- */

static fh_met *find_told(fh_hunt *hunt, const fh_format *format, const fh_lie *lie)
{
    fh_met *told =
        fh_twice_at(&hunt->twice, format,
                    fh_raw_pieces_of(lie->runs, lie->num_runs, lie->stream_off, lie->len));
    hunt->no_memory = hunt->no_memory || hunt->twice.no_memory;
    return told;
}

static void add_second(fh_met *told, const fh_lie *lie)
{
    if (told->num_seconds++ == 0) {
        told->second = lie->in;
    }
}

void fh_tell_later(fh_hunt *hunt, const fh_format *format, const fh_lie *lie)
{
    fh_met *told = find_told(hunt, format, lie);
    if (told != NULL) {
        add_second(told, lie);
    }
}

/* Whether an asset of an image is to be told: not if it was, or if nobody could know. */
static bool is_first(fh_hunt *hunt, fh_met **out, const fh_format *format, const fh_lie *lies,
                     size_t num_lies)
{
    *out = NULL;
    if (hunt->is_plain || num_lies > 1) {
        return true;
    }
    *out = find_told(hunt, format, lies);
    if (*out == NULL) {
        return !fh_is_scattered(lies->in.stream);
    }
    if ((*out)->handle != FH_UNKNOWN) {
        add_second(*out, lies);
        return false;
    }
    return true;
}

static void put_second(fh_text *text, const fh_hunt *hunt, const fh_met *told)
{
    const fh_second *in = &told->second;
    if (in->stream == FH_STREAM_FILE) {
        char path[FH_ISO_MAX_PATH];
        fh_iso_path(path, &hunt->naming.files.iso.primary, in->file);
        fh_text_str(fh_text_str(text, "the file "), path);
    } else if (fh_is_scattered(in->stream)) {
        fh_text_u64(fh_text_str(text, "file number "), in->file);
        fh_text_u64(fh_text_str(text, ", channel "), in->channel);
    } else {
        fh_text_str(text, "the data of the track");
    }
    if (told->num_seconds > 1) {
        fh_text_str(fh_text_s64(fh_text_str(text, ", and "), told->num_seconds - 1), " more");
    }
}

/* The sectors were read in the order in which they lie, though another order makes an asset of
 * them: what came out of the first is most likely none. */
static void tell_mixture(fh_hunt *hunt, const fh_met *told)
{
    if (told->is_scattered || !fh_twice_begins(&hunt->twice, told->raw_off)) {
        return;
    }
    fh_finding finding = fh_finding_make(&fh_image_rules.rules[FH_IMG0084], "sectors");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, "in the order in which they lie");
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(&text, "those of one file or channel");
    finding.offset = 0;
    fh_tell_finding(hunt, &finding, told->handle, told->raw_off);
}

void fh_tell_seconds(fh_hunt *hunt)
{
    if (!fh_twice_end(&hunt->twice)) {
        hunt->no_memory = true;
        return;
    }
    for (size_t i = 0; i < hunt->twice.num && !hunt->sink_failed; i++) {
        const fh_met *told = &hunt->twice.told[i];
        if (told->handle == FH_UNKNOWN) {
            continue;
        }
        tell_mixture(hunt, told);
        if (told->num_seconds == 0) {
            continue;
        }
        fh_finding finding = fh_finding_make(&fh_image_rules.rules[FH_IMG0073], "streams");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        put_second(&text, hunt, told);
        finding.offset = 0;
        fh_tell_finding(hunt, &finding, told->handle, told->raw_off);
    }
}

/* ---- assets ---- */

/* Lists the runs of all parts. Owned by the caller; NULL: no memory. */
static fh_held_span *list_spans(size_t *num, const fh_lie *lies, size_t num_lies)
{
    size_t max = 0;
    *num = 0;
    for (size_t i = 0; i < num_lies; i++) {
        max += lies[i].num_runs;
    }
    fh_held_span *spans = calloc(max, sizeof *spans);
    for (size_t i = 0; i < num_lies && spans != NULL; i++) {
        for (size_t j = 0; j < lies[i].num_runs; j++) {
            const fh_run *run = &lies[i].runs[j];
            const int64_t ahead = lies[i].stream_off - run->stream_off;
            spans[(*num)++] = ahead > 0 ? (fh_held_span){lies[i].at, run->raw_off + ahead}
                                        : (fh_held_span){lies[i].at - ahead, run->raw_off};
        }
    }
    return spans;
}

/* The asset waits for its name. */
static void hold_asset(fh_hunt *hunt, int64_t *handle, const fh_asset_record *record,
                       const fh_lie *lies, size_t num_lies)
{
    fh_held_place place = {.first_raw = record->raw_offset};
    fh_held_span *spans = list_spans(&place.num_spans, lies, num_lies);
    if (spans == NULL) {
        hunt->no_memory = true;
        return;
    }
    place.spans = spans;
    place.last_raw = place_of(lies, num_lies, lies[0].at + (int64_t)lies[0].len - 1).raw_off;
    note_sent(hunt, fh_hold_asset(hunt->hold, record, &place, &hunt->exam, handle));
    free(spans);
}

static void send_asset(fh_hunt *hunt, int64_t *handle, const fh_asset_record *record,
                       const fh_lie *lies, size_t num_lies)
{
    hunt->num_assets++;
    if (hunt->hold != NULL) {
        hold_asset(hunt, handle, record, lies, num_lies);
        return;
    }
    if (hunt->sink->examined != NULL) {
        hunt->sink->examined(hunt->sink->user, &hunt->exam);
    }
    note_sent(hunt, hunt->sink->asset(hunt->sink->user, record, handle));
}

void fh_tell_asset(fh_hunt *hunt, int64_t *handle, const fh_format *format, const fh_lie *lies,
                   size_t num_lies, size_t len)
{
    const fh_exam *exam = &hunt->exam;
    const fh_replay_record replay = replay_record(exam);
    fh_met *told = NULL;
    assert(num_lies > 0);
    *handle = FH_UNKNOWN;
    if (!is_first(hunt, &told, format, lies, num_lies)) {
        return;
    }
    const bool is_scattered = fh_is_scattered(lies->in.stream);
    const fh_place place = place_of(lies, num_lies, 0);
    fh_asset_name name;
    name_asset(hunt, &name, lies, num_lies);
    size_t num_pieces = 0;
    fh_piece_record *pieces =
        is_scattered ? list_scattered(&num_pieces, lies) : list_pieces(&num_pieces, lies, num_lies);
    const bool has_pieces = num_lies > 1 || (is_scattered && num_pieces > 0);
    if (pieces == NULL) {
        hunt->no_memory = true;
        return;
    }
    const int64_t address = fh_remark_address(hunt, &place, len);
    const fh_asset_record record = {.format = format->name,
                                    .grade = fh_grade_name(exam->asset.grade),
                                    .raw_offset = place.raw_off,
                                    .user_offset = place.user_off,
                                    .length = (int64_t)len,
                                    .lba = place.lba,
                                    .iso_path = name.path[0] != '\0' ? name.path : NULL,
                                    .iso_offset = name.offset,
                                    .ram_address = address,
                                    .evidence_bits = exam->asset.evidence_bits,
                                    .frames = exam->asset.frames,
                                    .objects = exam->asset.objects,
                                    .sha256 = exam->has_sha256 ? exam->sha256 : NULL,
                                    .pose_sha256 = replay.pose_sha256,
                                    .replay = exam->is_replayed ? &replay : NULL,
                                    .pieces = has_pieces ? pieces : NULL,
                                    .num_pieces = has_pieces ? num_pieces : 0};
    send_asset(hunt, handle, &record, lies, num_lies);
    free(pieces);
    if (told != NULL) {
        told->handle = *handle;
        told->is_scattered = is_scattered;
    }
    for (size_t i = 0; i < num_lies; i++) {
        cover(hunt->coverage, &lies[i]);
    }
    tell_findings(hunt, *handle, lies, num_lies);
    if (hunt->hold != NULL && !fh_hunt_is_over(hunt)) {
        note_sent(hunt, fh_hold_remarks(hunt->hold));
    }
}
