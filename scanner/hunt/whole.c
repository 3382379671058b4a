#include "hunt/whole.h"

#include "hunt/run_rules.h"
#include "registry/registry.h"
#include "source/image_rules.h"

static bool format_of_content(const fh_format **out, fh_exam *exam, fh_cursor bytes,
                              const fh_format_choice *choice)
{
    *out = NULL;
    for (size_t i = 0; i < choice->num; i++) {
        fh_budget budget = fh_budget_for(bytes.size, 0);
        fh_probe probe;
        if (!fh_exam_probe(exam, &probe, choice->formats[i], bytes, FH_END_FILE, NULL, &budget)) {
            return false;
        }
        if (probe.verdict == FH_ACCEPT || probe.near_miss || probe.status == FH_LIMIT) {
            *out = choice->formats[i];
            break;
        }
    }
    return true;
}

bool fh_format_of_content(const fh_format **out, fh_cursor bytes)
{
    const fh_format_choice all = {fh_formats, fh_num_formats};
    fh_exam exam = {0};
    const bool is_known = format_of_content(out, &exam, bytes, &all);
    fh_exam_free(&exam);
    return is_known;
}

static const fh_format *format_by_name(const char *path, const fh_format_choice *choice)
{
    const fh_format *named = path == NULL ? NULL : fh_format_by_path(path);
    for (size_t i = 0; i < choice->num; i++) {
        if (choice->formats[i] == named) {
            return named;
        }
    }
    return NULL;
}

fh_whole fh_whole_look(fh_exam *exam, const char *path, fh_cursor bytes, bool is_too_long,
                       const fh_format_choice *choice)
{
    const fh_format_choice all = {fh_formats, fh_num_formats};
    const fh_format_choice *among = choice->num == 0 ? &all : choice;
    fh_whole out = {FH_WHOLE_NONE, NULL, format_by_name(path, among)};
    if (bytes.size == 0) {
        out.kind = FH_WHOLE_EMPTY;
        return out;
    }
    if (is_too_long) {
        out.kind = FH_WHOLE_TOO_LONG;
        return out;
    }
    const fh_format *by_content = NULL;
    if (!format_of_content(&by_content, exam, bytes, among)) {
        out.kind = FH_WHOLE_NO_MEMORY;
        return out;
    }
    out.format = by_content != NULL ? by_content : out.by_name;
    out.kind = out.format != NULL ? FH_WHOLE_ASSET : FH_WHOLE_NONE;
    out.by_name = by_content == out.by_name ? NULL : out.by_name;
    return out;
}

static fh_finding own_finding(const fh_rule *rule, const char *field, const char *found)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = 0;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, found);
    return finding;
}

static void add_misnamed(fh_exam *exam, const fh_whole *whole)
{
    fh_finding finding = own_finding(&fh_run_rules.rules[FH_RUN0005], "content", "");
    const bool is_same = whole->by_name == whole->format;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_str(&text, is_same ? "not a whole " : "of the format "),
                whole->format->name);
    text = fh_text_make(finding.expected, sizeof finding.expected);
    fh_text_str(fh_text_str(&text, "a whole "), whole->by_name->name);
    fh_exam_add(exam, &finding);
}

static void add_too_long(fh_exam *exam)
{
    const fh_finding finding =
        own_finding(&fh_run_rules.rules[FH_RUN0005], "length", "more than 8 MiB");
    fh_exam_add(exam, &finding);
}

static void add_empty(fh_exam *exam)
{
    const fh_finding finding = own_finding(&fh_image_rules.rules[FH_IMG0001], "length", "0 bytes");
    fh_exam_add(exam, &finding);
}

/* The name is right where the decoder finds what it says, though the content alone would be too
 * little to tell by, or a relative of the same name, which it cannot read. */
static bool is_misnamed(const fh_exam *exam, const fh_whole *whole)
{
    const bool is_borne_out = whole->by_name == whole->format &&
                              (exam->status == FH_OK || exam->status == FH_UNSUPPORTED);
    return whole->by_name != NULL && !is_borne_out;
}

bool fh_whole_run(fh_exam *exam, const fh_whole *whole, fh_cursor bytes,
                  const fh_exam_options *options)
{
    fh_exam_forget(exam);
    if (whole->kind == FH_WHOLE_NO_MEMORY) {
        return false;
    }
    if (whole->kind == FH_WHOLE_ASSET && !fh_exam_run(exam, whole->format, bytes, options)) {
        return false;
    }
    if (whole->kind == FH_WHOLE_EMPTY) {
        add_empty(exam);
    } else if (whole->kind == FH_WHOLE_TOO_LONG && whole->by_name != NULL) {
        add_too_long(exam);
    } else if (whole->kind == FH_WHOLE_ASSET && is_misnamed(exam, whole)) {
        add_misnamed(exam, whole);
    }
    return !exam->failed;
}

void fh_exam_record(fh_asset_record *out, fh_replay_record *replay, const fh_exam *exam)
{
    const uint8_t *pose_sha256 = exam->has_pose_sha256 ? exam->pose_sha256 : NULL;
    *replay = (fh_replay_record){0};
    if (exam->is_replayed) {
        *replay = (fh_replay_record){.evaluator = exam->result.evaluator,
                                     .frames = exam->result.frames,
                                     .ticks = (int64_t)exam->result.ticks,
                                     .status = fh_replay_state_name(exam->result.state),
                                     .pose_sha256 = pose_sha256};
    }
    *out = (fh_asset_record){.format = exam->format->name,
                             .grade = fh_grade_name(exam->asset.grade),
                             .raw_offset = 0,
                             .user_offset = 0,
                             .length = (int64_t)exam->asset.length,
                             .lba = FH_UNKNOWN,
                             .iso_offset = FH_UNKNOWN,
                             .ram_address = exam->asset.ram_address,
                             .evidence_bits = exam->asset.evidence_bits,
                             .frames = exam->asset.frames,
                             .objects = exam->asset.objects,
                             .sha256 = exam->has_sha256 ? exam->sha256 : NULL,
                             .pose_sha256 = pose_sha256,
                             .replay = exam->is_replayed ? replay : NULL};
}

bool fh_exam_hit_limit(const fh_exam *exam)
{
    return exam->status == FH_LIMIT || exam->status == FH_NO_MEMORY ||
           (exam->is_replayed && exam->result.state == FH_REPLAY_STOPPED);
}
