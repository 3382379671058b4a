#include "gate/judge.h"

#include "gate/lines.h"
#include "gate/recall.h"
#include "hunt/hash.h"
#include "hunt/whole.h"

#include <string.h>

fh_judge fh_judge_make(void)
{
    return (fh_judge){.options = {.stand_alone = true, .aligned = true, .replay = true}};
}

fh_judge fh_judge_share(const fh_judge *judge)
{
    return (fh_judge){.options = judge->options,
                      .beside = fh_beside_share(&judge->beside),
                      .cache = judge->cache};
}

void fh_judge_follow(fh_judge *judge, const fh_judge *leader)
{
    fh_beside_close(&judge->beside);
    judge->options = leader->options;
    judge->beside = fh_beside_share(&leader->beside);
    judge->cache = leader->cache;
}

static void complain(fh_result *result, fh_exit exit, const char *what, const char *why)
{
    result->exit = fh_worst(result->exit, exit);
    fh_text text = fh_text_make(result->error, sizeof result->error);
    fh_text_str(fh_text_str(&text, what), why);
}

static void take_exam(fh_result *result, const fh_exam *exam)
{
    result->format = exam->format;
    result->asset = exam->asset;
    result->is_replayed = exam->is_replayed;
    result->replay = exam->result;
    result->has_asset_sha256 = exam->has_sha256;
    memcpy(result->asset_sha256, exam->sha256, sizeof result->asset_sha256);
    result->has_pose_sha256 = exam->has_pose_sha256;
    memcpy(result->pose_sha256, exam->pose_sha256, sizeof result->pose_sha256);
    if (fh_exam_hit_limit(exam)) {
        result->exit = FH_EXIT_LIMIT;
        result->status = "limit";
    }
}

/* Looks for the companion of what is known to be of that format. */
static void find_companion(fh_result *result, fh_judge *judge, const fh_format *format)
{
    fh_text told = fh_text_make(result->told, sizeof result->told);
    const fh_exit exit =
        fh_beside_find(&judge->beside, &judge->options.companion, &told, format, result->path);
    result->exit = fh_worst(result->exit, exit);
}

static void take_findings(fh_result *result, const fh_exam *exam, fh_cursor bytes)
{
    for (size_t i = 0; i < exam->num_findings; i++) {
        fh_result_add(result, &exam->findings[i], bytes);
    }
    if (result->format != NULL && result->format->is_text) {
        fh_lines_place(result, bytes);
    }
}

static void judge_bytes(fh_result *result, fh_judge *judge, bool is_too_long)
{
    static const char *const reasons[] = {
        [FH_WHOLE_NONE] = "no animation of a known format; framehound scan searches inside",
        [FH_WHOLE_EMPTY] = "empty",
        [FH_WHOLE_TOO_LONG] = "longer than any animation; framehound scan searches inside",
        [FH_WHOLE_NO_MEMORY] = "out of memory"};
    const fh_cursor bytes = fh_file_cursor(&judge->file);
    const fh_format_choice all = {NULL, 0};
    const fh_whole whole = fh_whole_look(&judge->exam, result->path, bytes, is_too_long, &all);
    result->why = reasons[whole.kind];
    if (whole.kind == FH_WHOLE_ASSET) {
        find_companion(result, judge, whole.format);
    }
    if (!fh_whole_run(&judge->exam, &whole, bytes, &judge->options)) {
        complain(result, FH_EXIT_LIMIT, "out of memory", "");
        result->why = "out of memory";
        result->status = "limit";
        return;
    }
    if (whole.kind == FH_WHOLE_ASSET) {
        take_exam(result, &judge->exam);
    }
    take_findings(result, &judge->exam, bytes);
}

/* Takes the result from the cache, if it has one; else nothing is changed but what is told of the
 * companion, which judging tells again. */
static bool recall(fh_result *result, fh_judge *judge)
{
    const fh_format *format = NULL;
    judge->options.companion = NULL;
    fh_recall_status status =
        fh_recall(result, &format, judge->cache, &judge->options, FH_RECALL_ALONE);
    if (status == FH_RECALL_COMPANION) {
        find_companion(result, judge, format);
        status = fh_recall(result, &format, judge->cache, &judge->options, FH_RECALL_WITH);
    }
    return status == FH_RECALL_FOUND;
}

bool fh_judge_file(fh_result *result, fh_judge *judge, const char *path)
{
    if (!fh_result_begin(result, path)) {
        return false;
    }
    const fh_load_status status = fh_file_load(&judge->file, path, &fh_interrupt);
    if (status == FH_LOAD_STOPPED || status == FH_LOAD_NO_MEMORY) {
        result->status = "limit";
        result->why = status == FH_LOAD_STOPPED ? "interrupted" : "out of memory";
        complain(result, FH_EXIT_LIMIT, result->why, "");
        return true;
    }
    if (status == FH_LOAD_ERROR) {
        result->status = "unreadable";
        result->why = "cannot be read";
        complain(result, FH_EXIT_IO, "cannot be read: ", judge->file.error);
        return true;
    }
    if (status == FH_LOAD_TOO_LONG) {
        judge_bytes(result, judge, true);
        return true;
    }
    const fh_cursor bytes = fh_file_cursor(&judge->file);
    result->size = (int64_t)bytes.size;
    result->has_sha256 = fh_hash_bytes(result->sha256, bytes.base, bytes.size);
    const bool is_lasting = judge->options.poses == NULL && result->has_sha256;
    if (judge->cache == NULL || !is_lasting) {
        judge_bytes(result, judge, false);
    } else if (!recall(result, judge)) {
        judge_bytes(result, judge, false);
        fh_remember(judge->cache, result, &judge->options);
    }
    return true;
}

fh_exit fh_judge_poses(const char **why, fh_judge *judge, const fh_result *result,
                       const fh_sink *poses)
{
    fh_result again;
    judge->options.poses = poses;
    const bool is_judged = fh_judge_file(&again, judge, result->path);
    judge->options.poses = NULL;
    fh_exit exit = is_judged ? again.exit : FH_EXIT_LIMIT;
    *why = !is_judged ? "out of memory" : again.why == NULL ? "it cannot be replayed" : again.why;
    if (exit == FH_EXIT_OK &&
        (!again.has_pose_sha256 || memcmp(again.sha256, result->sha256, FH_SHA256_LEN) != 0)) {
        *why = "the file was changed in the meantime";
        exit = FH_EXIT_IO;
    }
    if (is_judged) {
        fh_result_free(&again);
    }
    return exit;
}

void fh_judge_free(fh_judge *judge)
{
    fh_exam_free(&judge->exam);
    fh_file_free(&judge->file);
    fh_beside_close(&judge->beside);
}
