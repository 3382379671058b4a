#include "hunt/exam_pack.h"

#include "hunt/rulebook.h"
#include "registry/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whoever comes here because of these: put and get what was added. */
static_assert(sizeof(void *) != 8 || sizeof(fh_exam_options) == 40, "options have other members");
static_assert(sizeof(void *) != 8 || sizeof(fh_replay_result) == 32, "a replay has others");

void fh_exam_put_order(fh_packed *out, const fh_exam_order *order)
{
    const fh_exam_options *options = &order->options;
    assert(options->companion == NULL && options->poses == NULL);
    fh_put_str(out, order->format->name);
    fh_put_u64(out, order->origin);
    fh_put_u64(out, order->len);
    fh_put_u64(out, options->stand_alone);
    fh_put_u64(out, options->aligned);
    fh_put_u64(out, options->replay);
    fh_put_u64(out, options->is_joined);
    fh_put_u64(out, options->ends_file);
    fh_put_str(out, options->profile);
    fh_put_u64(out, order->has_reserve);
    fh_put_u64(out, order->reserve.left);
}

static bool get_flag(fh_cursor *in)
{
    return fh_get_below(in, 1) != 0;
}

bool fh_exam_get_order(fh_exam_order *out, fh_cursor in)
{
    *out = (fh_exam_order){.format = fh_format_find(fh_need_str(&in))};
    out->origin = fh_get_u64(&in);
    out->len = (size_t)fh_get_below(&in, FH_MAX_ASSET_LEN);
    out->options.stand_alone = get_flag(&in);
    out->options.aligned = get_flag(&in);
    out->options.replay = get_flag(&in);
    out->options.is_joined = get_flag(&in);
    out->options.ends_file = get_flag(&in);
    out->options.profile = fh_get_str(&in);
    out->has_reserve = get_flag(&in);
    out->reserve.left = fh_get_u64(&in);
    return !in.failed && fh_cursor_left(&in) == 0 && out->format != NULL;
}

void fh_exam_put_results(fh_packed *out, const fh_exam *exam)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    fh_put_u64(out, exam->status);
    fh_put_asset(out, &exam->asset);
    fh_put_u64(out, exam->is_replayed);
    fh_put_u64(out, exam->is_replayed ? exam->result.state : 0);
    fh_put_str(out, exam->is_replayed ? exam->result.evaluator : NULL);
    fh_put_u64(out, exam->is_replayed ? exam->result.frames : 0);
    fh_put_u64(out, exam->is_replayed ? exam->result.ticks : 0);
    fh_put_hash(out, exam->has_pose_sha256, exam->pose_sha256);
    fh_put_hash(out, exam->has_sha256, exam->sha256);
    fh_put_u64(out, exam->reserve == NULL ? 0 : exam->reserve->left);
    fh_put_u64(out, exam->num_findings);
    for (size_t i = 0; i < exam->num_findings; i++) {
        fh_put_finding(out, tables, num_tables, &exam->findings[i]);
    }
}

/* Names of evaluators outlive the exam: the constant of that name. */
static const char *get_evaluator(fh_cursor *in, const fh_format *format)
{
    const char *name = fh_get_str(in);
    for (size_t i = 0; name != NULL && format->profiles[i] != NULL; i++) { /* one each */
        if (strcmp(format->evaluators[i], name) == 0) {
            return format->evaluators[i];
        }
    }
    in->failed = in->failed || name != NULL;
    return NULL;
}

static void get_findings(fh_exam *exam, fh_cursor *in)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    const uint64_t num = fh_get_below(in, fh_cursor_left(in)); /* each takes more than a byte */
    for (uint64_t i = 0; i < num && !in->failed && !exam->failed; i++) {
        fh_finding finding;
        fh_get_finding(in, &finding, tables, num_tables, exam->bytes.size);
        if (!in->failed) {
            fh_exam_add(exam, &finding);
        }
    }
}

static void get_replay(fh_exam *exam, fh_cursor *in, const fh_format *format)
{
    exam->is_replayed = get_flag(in);
    exam->result.state = (fh_replay_state)fh_get_below(in, FH_REPLAY_BROKEN);
    exam->result.evaluator = get_evaluator(in, format);
    exam->result.frames = fh_get_u32(in);
    exam->result.ticks = fh_get_below(in, INT64_MAX);
    in->failed = in->failed || (exam->is_replayed && exam->result.evaluator == NULL);
}

/* What is so of every replay: see run_replay in exam.c. */
static bool is_possible_replay(const fh_exam *exam)
{
    const fh_replay_state state = exam->result.state;
    const bool is_at_end = state == FH_REPLAY_COMPLETE || state == FH_REPLAY_ASSUMED;
    const bool has_poses = is_at_end || state == FH_REPLAY_STILL;
    if (!exam->is_replayed) {
        return exam->asset.grade < FH_GRADE_REPLAYED && !exam->has_pose_sha256;
    }
    return exam->options.replay && (is_at_end || exam->asset.grade < FH_GRADE_REPLAYED) &&
           (has_poses || !exam->has_pose_sha256);
}

/* What is so after every examination: see fh_exam_run. */
static bool is_possible(const fh_exam *exam)
{
    const bool holds = exam->asset.grade >= FH_GRADE_STRUCTURE;
    return (holds ? exam->asset.length > 0 : exam->status != FH_OK) && holds == exam->has_sha256 &&
           is_possible_replay(exam);
}

bool fh_exam_get_results(fh_exam *exam, const fh_exam_order *order, fh_cursor bytes,
                         uint8_t *received, size_t len)
{
    fh_cursor in = fh_cursor_make(received, len, 0);
    fh_exam_forget(exam);
    free(exam->received);
    exam->received = received;
    exam->format = order->format;
    exam->bytes = bytes;
    exam->options = order->options;
    exam->status = (fh_status)fh_get_below(&in, FH_INTERNAL);
    fh_get_asset(&in, &exam->asset, bytes.size);
    get_replay(exam, &in, order->format);
    exam->has_pose_sha256 = fh_get_hash(&in, exam->pose_sha256);
    exam->has_sha256 = fh_get_hash(&in, exam->sha256);
    const uint64_t left = fh_get_below(&in, order->reserve.left);
    get_findings(exam, &in);
    if (in.failed || exam->failed || fh_cursor_left(&in) > 0 || !is_possible(exam)) {
        fh_exam_forget(exam);
        return false;
    }
    if (exam->reserve != NULL) {
        exam->reserve->left = left;
    }
    return true;
}
