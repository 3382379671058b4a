#include "hunt/exam.h"

#include "hunt/hash.h"
#include "hunt/run_rules.h"

#include <stdlib.h>
#include <string.h>

static bool grow_findings(fh_exam *exam)
{
    const size_t max = exam->max_findings == 0 ? 64 : 2 * exam->max_findings;
    fh_finding *findings = realloc(exam->findings, max * sizeof *findings);
    if (findings == NULL) {
        return false;
    }
    exam->findings = findings;
    exam->max_findings = max;
    return true;
}

void fh_exam_add(fh_exam *exam, const fh_finding *finding)
{
    if (exam->num_findings == exam->max_findings && !grow_findings(exam)) {
        exam->failed = true;
        return;
    }
    exam->findings[exam->num_findings++] = *finding;
}

static void keep(void *user, const fh_finding *finding)
{
    fh_exam_add(user, finding);
}

/* One sink for several receivers: findings to the exam, poses to the hash and whom the caller
 * names. */
typedef struct receivers_of {
    fh_exam *exam;
    fh_pose_hash hash;
    const fh_sink *poses; /* a third one, or NULL */
} receivers_of;

static void keep_finding(void *user, const fh_finding *finding)
{
    keep(((receivers_of *)user)->exam, finding);
}

static void hash_frame(void *user, const fh_pose_frame *frame)
{
    receivers_of *receivers = user;
    fh_pose_hash_frame(&receivers->hash, frame);
    if (receivers->poses != NULL) {
        receivers->poses->frame(receivers->poses->user, frame);
    }
}

static void hash_row(void *user, const fh_pose_row *row)
{
    receivers_of *receivers = user;
    fh_pose_hash_row(&receivers->hash, row);
    if (receivers->poses != NULL) {
        receivers->poses->pose(receivers->poses->user, row);
    }
}

static void add_limit(fh_exam *exam, const char *field, const char *what)
{
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0008], field);
    finding.offset = 0;
    fh_text found = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&found, what);
    fh_exam_add(exam, &finding);
}

/* A profile is meant for the format that has it; the others keep their default. */
static const char *profile_of(const fh_format *format, const char *name)
{
    for (const char *const *known = format->profiles; name != NULL && *known != NULL; known++) {
        if (strcmp(*known, name) == 0) {
            return name;
        }
    }
    return NULL;
}

static void run_replay(fh_exam *exam, const fh_format *format, fh_env env, const void *model,
                       const fh_exam_options *options)
{
    receivers_of receivers = {.exam = exam, .poses = options->poses};
    const fh_sink sink = {&receivers, keep_finding, hash_frame, hash_row};
    const fh_replay_options replay_options = {.profile = profile_of(format, options->profile),
                                              .changes_only = true};
    env.sink = &sink;
    fh_pose_hash_begin(&receivers.hash);
    const fh_status status = format->replay(&exam->result, &env, model, &replay_options);
    const bool has_hash = fh_pose_hash_end(&receivers.hash, exam->pose_sha256);
    /* No poses have no hash; some without one had no memory for it. */
    exam->failed = exam->failed || (!has_hash && receivers.hash.num_rows > 0);
    exam->is_replayed = status == FH_OK;
    if (status != FH_OK) {
        add_limit(exam, "replay", fh_status_name(status));
        return;
    }
    exam->has_pose_sha256 = has_hash && exam->result.state != FH_REPLAY_STOPPED &&
                            exam->result.state != FH_REPLAY_BROKEN;
    if (exam->asset.grade == FH_GRADE_REFERENCES &&
        (exam->result.state == FH_REPLAY_COMPLETE || exam->result.state == FH_REPLAY_ASSUMED)) {
        exam->asset.grade = FH_GRADE_REPLAYED;
    }
}

static bool provide_block(fh_exam *exam, size_t len)
{
    if (exam->block_len >= len) {
        return true;
    }
    free(exam->block);
    exam->block = malloc(len); /* the arena clears what it gives out; the rest costs nothing */
    exam->block_len = exam->block == NULL ? 0 : len;
    return exam->block != NULL;
}

bool fh_exam_probe(fh_exam *exam, fh_probe *out, const fh_format *format, fh_cursor bytes,
                   fh_end end, fh_memo *memo, fh_budget *budget)
{
    const size_t arena_len = fh_arena_len(bytes.size);
    if (!provide_block(exam, arena_len)) {
        return false;
    }
    fh_arena arena = fh_arena_make(exam->block, arena_len);
    format->probe(out, bytes, end, memo, &arena, budget);
    return true;
}

/* The work that the bytes are worth, and the floor, as far as the reserve has it. */
static fh_budget budget_of(const fh_exam *exam, size_t len)
{
    fh_budget budget = fh_budget_for(len, 0);
    if (exam->reserve != NULL && exam->reserve->left < FH_BUDGET_FLOOR) {
        budget.left -= FH_BUDGET_FLOOR - exam->reserve->left;
    }
    return budget;
}

/* Books what was spent beyond the worth of the bytes on the reserve. */
static void book(const fh_exam *exam, size_t len, uint64_t spent)
{
    const uint64_t own = FH_BUDGET_PER_BYTE * (uint64_t)len;
    const uint64_t beyond = spent > own ? spent - own : 0;
    if (exam->reserve != NULL) {
        exam->reserve->left -= beyond < exam->reserve->left ? beyond : exam->reserve->left;
    }
}

static fh_verify_options verify_options_of(const fh_exam_options *options)
{
    return (fh_verify_options){.stand_alone = options->stand_alone,
                               .ends_file = options->ends_file,
                               .aligned = options->aligned,
                               .is_joined = options->is_joined,
                               .companion = options->companion};
}

static size_t len_with_companion(fh_cursor bytes, const fh_exam_options *options)
{
    return bytes.size + (options->companion == NULL ? 0 : options->companion->size);
}

void fh_exam_forget(fh_exam *exam)
{
    exam->status = FH_OK;
    exam->num_findings = 0;
    exam->failed = false;
    exam->is_replayed = false;
    exam->has_pose_sha256 = false;
    exam->has_sha256 = false;
}

bool fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                 const fh_exam_options *options)
{
    const size_t len = len_with_companion(bytes, options);
    const size_t arena_len = fh_arena_len(len);
    fh_exam_forget(exam);
    exam->format = format;
    exam->bytes = bytes;
    exam->options = *options;
    if (!provide_block(exam, arena_len)) {
        return false;
    }
    fh_arena arena = fh_arena_make(exam->block, arena_len);
    fh_budget budget = budget_of(exam, len);
    const uint64_t given = budget.left;
    const fh_sink sink = {.user = exam, .finding = keep};
    const fh_env env = {&arena, &budget, &sink, exam->reserve};
    const fh_verify_options verify_options = verify_options_of(options);
    const void *model = NULL;
    exam->status = format->verify(&exam->asset, &model, &env, bytes, &verify_options);
    if (exam->status == FH_NO_MEMORY || exam->status == FH_LIMIT) {
        add_limit(exam, "verification", fh_status_name(exam->status));
    }
    if (exam->asset.grade >= FH_GRADE_STRUCTURE) {
        /* What was cut out of larger data is as long as its probe said, who saw more of them. */
        const size_t own_len = options->stand_alone ? exam->asset.length : bytes.size;
        exam->has_sha256 = fh_hash_bytes(exam->sha256, bytes.base, own_len);
        exam->failed = exam->failed || !exam->has_sha256;
    }
    if (model != NULL && options->replay) {
        run_replay(exam, format, env, model, options);
    }
    book(exam, len, given - budget.left);
    return !exam->failed;
}

bool fh_exam_play(fh_exam *exam, fh_status *status, const fh_exam *of,
                  const fh_replay_options *options, const fh_sink *poses)
{
    const size_t len = len_with_companion(of->bytes, &of->options);
    const size_t arena_len = fh_arena_len(len);
    fh_exam_forget(exam);
    if (!provide_block(exam, arena_len)) {
        return false;
    }
    fh_arena arena = fh_arena_make(exam->block, arena_len);
    fh_budget budget = budget_of(exam, len);
    const uint64_t given = budget.left;
    const fh_sink silent = {0};
    fh_env env = {&arena, &budget, &silent, exam->reserve};
    const fh_verify_options verify_options = verify_options_of(&of->options);
    fh_replay_options own = *options;
    own.profile = profile_of(of->format, options->profile);
    const void *model = NULL;
    *status = of->format->verify(&exam->asset, &model, &env, of->bytes, &verify_options);
    if (model == NULL) {
        *status = *status == FH_OK ? FH_UNSUPPORTED : *status;
    } else {
        env.sink = poses;
        *status = of->format->replay(&exam->result, &env, model, &own);
    }
    book(exam, len, given - budget.left);
    return true;
}

void fh_exam_free(fh_exam *exam)
{
    free(exam->findings);
    free(exam->block);
    free(exam->received);
    *exam = (fh_exam){0};
}
