#include "hunt/tell.h"

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
    const fh_exam *exam = &hunt->exam;
    hunt->hit_limit = hunt->hit_limit || exam->status == FH_LIMIT || exam->status == FH_NO_MEMORY ||
                      (exam->is_replayed && exam->result.state == FH_REPLAY_STOPPED);
}

bool fh_hunt_is_memory(const fh_hunt *hunt)
{
    return hunt->memory.product != NULL;
}

fh_finding fh_hunt_finding(const fh_rule *rule, const char *field)
{
    return (fh_finding){.rule = rule,
                        .field = field,
                        .offset = FH_UNKNOWN,
                        .frame = FH_UNKNOWN,
                        .frame_number = FH_UNKNOWN,
                        .object = FH_UNKNOWN};
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
    if (!hunt->sink->finding(hunt->sink->user, &record)) {
        hunt->sink_failed = true;
    }
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

/* ---- memory ---------------------------------------------------------------------------------- */

/* Adds a remark about the place of the asset; its evidence is filled in by the caller. */
static fh_finding remark(fh_image_rule rule, const char *field)
{
    fh_finding finding = fh_hunt_finding(&fh_image_rules.rules[rule], field);
    finding.offset = 0;
    return finding;
}

static void put_hex(char *buf, size_t size, uint64_t value)
{
    fh_text text = fh_text_make(buf, size);
    fh_text_hex(&text, value, 8);
}

/* What the asset says itself against where it lies; mirrors of 2 MiB are the same place. */
static void remark_base(fh_hunt *hunt, int64_t own, int64_t address)
{
    if ((own - address) % (int64_t)FH_RAM_LEN == 0) {
        return;
    }
    fh_finding finding = remark(FH_IMG0055, "pointers of the asset");
    put_hex(finding.found, sizeof finding.found, (uint64_t)own);
    put_hex(finding.expected, sizeof finding.expected, (uint64_t)address);
    fh_exam_add(&hunt->exam, &finding);
}

static void remark_kernel(fh_hunt *hunt, int64_t address)
{
    enum { KERNEL_END = 0x10000 };
    if (address % (int64_t)FH_RAM_MAX_LEN >= KERNEL_END) {
        return;
    }
    fh_finding finding = remark(FH_IMG0059, "address");
    put_hex(finding.found, sizeof finding.found, (uint64_t)address);
    put_hex(finding.expected, sizeof finding.expected, FH_RAM_BASE + KERNEL_END);
    fh_exam_add(&hunt->exam, &finding);
}

static void remark_cut(fh_hunt *hunt, int64_t offset, size_t len)
{
    if (hunt->exam.status != FH_TRUNCATED || offset + (int64_t)len < (int64_t)hunt->memory.len) {
        return;
    }
    fh_finding finding = remark(FH_IMG0062, "length");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_u64(&text, len), " bytes, then the memory ends");
    finding.offset = (int64_t)len;
    fh_exam_add(&hunt->exam, &finding);
}

/* The address of an asset, FH_UNKNOWN if nothing tells it; what is odd about it is added to the
 * findings of the examination. offset: in main RAM. */
static int64_t find_address(fh_hunt *hunt, const fh_place *place, size_t len)
{
    const int64_t own = hunt->exam.asset.ram_address;
    const bool is_whole =
        place->raw_off == 0 && hunt->memory.product == NULL && (int64_t)len == hunt->source_len;
    if (!fh_hunt_is_memory(hunt)) {
        if (hunt->is_plain && own != FH_UNKNOWN && !is_whole) {
            fh_base_vote(&hunt->poll, place->raw_off, own);
        }
        return own;
    }
    if (place->user_off == FH_UNKNOWN) {
        return own; /* behind main RAM */
    }
    const int64_t address = (int64_t)hunt->memory.address + place->user_off;
    remark_cut(hunt, place->user_off, len);
    if (own != FH_UNKNOWN) {
        remark_base(hunt, own, address);
    }
    remark_kernel(hunt, own != FH_UNKNOWN ? own : address);
    return own != FH_UNKNOWN ? own : address;
}

/* 1: 16-bit characters, low byte first; 2: high byte first; 0: none. Texts begin with a letter, a
 * digit or a quote. */
static int wide_order(fh_cursor bytes, size_t at)
{
    fh_cursor cur = fh_cursor_sub(&bytes, at, bytes.size - at);
    const uint16_t first = fh_cursor_u16(&cur);
    if (cur.failed || first == 0) {
        return 0;
    }
    if (first == 0xfeff || first == 0xfffe) {
        return first == 0xfeff ? 1 : 2;
    }
    return (first & 0xff00u) == 0 ? 1 : (first & 0xffu) == 0 ? 2 : 0;
}

static bool has_mark(fh_cursor bytes, size_t at)
{
    fh_cursor cur = fh_cursor_sub(&bytes, at, bytes.size - at);
    const uint16_t first = fh_cursor_u16(&cur);
    return !cur.failed && (first == 0xfeff || first == 0xfffe);
}

void fh_tell_encoding(fh_hunt *hunt, const fh_format *format, fh_cursor bytes, size_t at)
{
    const int order = format->is_text ? wide_order(bytes, at) : 0;
    if (order == 0) {
        return;
    }
    const char *name = order == 1 ? "UTF-16, low byte first" : "UTF-16, high byte first";
    const bool is_marked = has_mark(bytes, at) || (at >= 2 && has_mark(bytes, at - 2));
    const fh_image_rule rules[] = {FH_IMG0060, FH_IMG0061};
    for (size_t i = 0; i < (is_marked ? 1 : 2); i++) {
        fh_finding finding = remark(rules[i], i == 0 ? "encoding" : "byte order");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(&text, name);
        fh_exam_add(&hunt->exam, &finding);
    }
}

/* ---- assets ---------------------------------------------------------------------------------- */

void fh_tell_asset(fh_hunt *hunt, int64_t *handle, const fh_format *format, const fh_lie *lies,
                   size_t num_lies, size_t len)
{
    const fh_exam *exam = &hunt->exam;
    const fh_replay_record replay = replay_record(exam);
    assert(num_lies > 0);
    const fh_place place = place_of(lies, num_lies, 0);
    size_t num_pieces = 0;
    fh_piece_record *pieces = list_pieces(&num_pieces, lies, num_lies);
    if (pieces == NULL) {
        hunt->no_memory = true;
        return;
    }
    const int64_t address = find_address(hunt, &place, len);
    const fh_asset_record record = {.format = format->name,
                                    .grade = fh_grade_name(exam->asset.grade),
                                    .raw_offset = place.raw_off,
                                    .user_offset = place.user_off,
                                    .length = (int64_t)len,
                                    .lba = place.lba,
                                    .iso_offset = FH_UNKNOWN,
                                    .ram_address = address,
                                    .evidence_bits = exam->asset.evidence_bits,
                                    .frames = exam->asset.frames,
                                    .objects = exam->asset.objects,
                                    .sha256 = exam->has_sha256 ? exam->sha256 : NULL,
                                    .pose_sha256 = replay.pose_sha256,
                                    .replay = exam->is_replayed ? &replay : NULL,
                                    .pieces = num_pieces > 1 ? pieces : NULL,
                                    .num_pieces = num_pieces > 1 ? num_pieces : 0};
    hunt->num_assets++;
    hunt->sink_failed = !hunt->sink->asset(hunt->sink->user, &record, handle);
    free(pieces);
    tell_findings(hunt, *handle, lies, num_lies);
}
