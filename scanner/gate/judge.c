#include "gate/judge.h"

#include "gate/lines.h"
#include "hunt/hash.h"
#include "hunt/run_rules.h"
#include "registry/registry.h"
#include "source/image_rules.h"

#include <string.h>

fh_judge fh_judge_make(void)
{
    return (fh_judge){.options = {.stand_alone = true, .aligned = true, .replay = true}};
}

static fh_finding own_finding(const fh_rule *rule, const char *field, const char *found)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = 0;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, found);
    return finding;
}

static void complain(fh_result *result, fh_exit exit, const char *what, const char *why)
{
    result->exit = fh_worst(result->exit, exit);
    fh_text text = fh_text_make(result->error, sizeof result->error);
    fh_text_str(fh_text_str(&text, what), why);
}

static void take_exam(fh_result *result, const fh_judge *judge, const fh_format *format)
{
    const fh_exam *exam = &judge->exam;
    const fh_cursor bytes = fh_file_cursor(&judge->file);
    result->format = format;
    result->why = NULL;
    result->asset = exam->asset;
    result->is_replayed = exam->is_replayed;
    result->replay = exam->result;
    result->has_asset_sha256 = exam->has_sha256;
    memcpy(result->asset_sha256, exam->sha256, sizeof result->asset_sha256);
    result->has_pose_sha256 = exam->has_pose_sha256;
    memcpy(result->pose_sha256, exam->pose_sha256, sizeof result->pose_sha256);
    for (size_t i = 0; i < exam->num_findings; i++) {
        fh_result_add(result, &exam->findings[i], bytes);
    }
    if (format->is_text) {
        fh_lines_place(result, bytes);
    }
    if (exam->status == FH_LIMIT || exam->status == FH_NO_MEMORY ||
        (exam->is_replayed && exam->result.state == FH_REPLAY_STOPPED)) {
        result->exit = FH_EXIT_LIMIT;
        result->status = "limit";
    }
}

/* by_name: the format that the name promises and the content is not, or NULL. */
static void judge_as(fh_result *result, fh_judge *judge, const fh_format *format,
                     const fh_format *by_name)
{
    const fh_exit exit =
        fh_beside_find(&judge->options.companion, &judge->beside, format, result->path);
    result->exit = fh_worst(result->exit, exit);
    if (!fh_exam_run(&judge->exam, format, fh_file_cursor(&judge->file), &judge->options)) {
        complain(result, FH_EXIT_LIMIT, "out of memory", "");
        result->why = "out of memory";
        result->status = "limit";
        return;
    }
    if (by_name != NULL) {
        fh_finding finding = own_finding(&fh_run_rules.rules[FH_RUN0005], "content", "");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(fh_text_str(&text, by_name == format ? "not a whole " : "of the format "),
                    format->name);
        text = fh_text_make(finding.expected, sizeof finding.expected);
        fh_text_str(fh_text_str(&text, "a whole "), by_name->name);
        fh_exam_add(&judge->exam, &finding);
    }
    take_exam(result, judge, format);
}

static void judge_long(fh_result *result, const fh_judge *judge, const fh_format *by_name)
{
    result->why = "longer than any animation; framehound scan searches inside";
    if (by_name != NULL) {
        const fh_finding finding =
            own_finding(&fh_run_rules.rules[FH_RUN0005], "length", "more than 8 MiB");
        fh_result_add(result, &finding, fh_file_cursor(&judge->file));
    }
}

static void judge_bytes(fh_result *result, fh_judge *judge)
{
    const fh_cursor bytes = fh_file_cursor(&judge->file);
    const fh_format *by_name = fh_format_by_path(result->path);
    if (bytes.size == 0) {
        const fh_finding finding =
            own_finding(&fh_image_rules.rules[FH_IMG0001], "length", "0 bytes");
        result->why = "empty";
        fh_result_add(result, &finding, bytes);
        return;
    }
    const fh_format *by_content = fh_format_of_content(bytes);
    if (by_content != NULL) {
        judge_as(result, judge, by_content, by_name == by_content ? NULL : by_name);
    } else if (by_name != NULL) {
        judge_as(result, judge, by_name, by_name);
    } else {
        result->why = "no animation of a known format; framehound scan searches inside";
    }
}

bool fh_judge_file(fh_result *result, fh_judge *judge, const char *path)
{
    if (!fh_result_begin(result, path)) {
        return false;
    }
    const fh_load_status status = fh_file_load(&judge->file, path);
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
        judge_long(result, judge, fh_format_by_path(path));
        return true;
    }
    const fh_cursor bytes = fh_file_cursor(&judge->file);
    result->size = (int64_t)bytes.size;
    result->has_sha256 = fh_hash_bytes(result->sha256, bytes.base, bytes.size);
    judge_bytes(result, judge);
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
