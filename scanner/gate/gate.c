#include "gate/gate.h"

#include "hunt/hunt.h"

#include <framehound/framehound.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

fh_exit fh_gate_want(fh_gate *gate, const char *value)
{
    const fh_report_form *form = fh_report_form_named(value);
    if (form == NULL) {
        return fh_usage_error("check", "--format is text, not '%s'", fh_safe_path(value));
    }
    gate->reports[0] = (fh_gate_report){.form = form};
    gate->num_reports = 1;
    return FH_EXIT_OK;
}

fh_exit fh_gate_begin(fh_gate *gate)
{
    gate->run = (fh_report_run){.command = "check",
                                .tool_version = framehound_version(),
                                .ruleset_version = fh_ruleset_version(),
                                .tables = gate->tables,
                                .num_tables = fh_rule_tables(gate->tables)};
    if (gate->num_reports == 0) {
        gate->reports[gate->num_reports++].form = fh_report_form_named("text");
    }
    const bool colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    for (size_t i = 0; i < gate->num_reports; i++) {
        fh_gate_report *one = &gate->reports[i];
        if (!fh_report_begin(&one->report, one->form, &gate->run, stdout, colour)) {
            fh_complain("out of memory");
            return FH_EXIT_LIMIT;
        }
    }
    return FH_EXIT_OK;
}

static void tell_finding(fh_gate *gate, const fh_result *result, const fh_told *told)
{
    char message[FH_MESSAGE_LEN];
    const int64_t offset = told->finding.offset;
    const bool is_behind = offset > told->excerpt_offset + (int64_t)told->excerpt_len;
    const fh_excerpt excerpt = {.bytes = told->excerpt,
                                .len = told->excerpt_len,
                                .asset_offset = told->excerpt_offset,
                                .field_off = is_behind ? told->excerpt_len
                                                       : (size_t)(offset - told->excerpt_offset),
                                .is_text = result->format != NULL && result->format->is_text};
    fh_finding_record record = fh_finding_to_record(&told->finding, message);
    record.asset = result->format == NULL ? FH_UNKNOWN : 0;
    record.raw_offset = offset; /* the asset is the file */
    record.line = told->line;
    record.column = told->column;
    record.excerpt = offset >= 0 && told->excerpt_len > 0 ? &excerpt : NULL;
    for (size_t i = 0; i < gate->num_reports; i++) {
        fh_report_finding(&gate->reports[i].report, &record);
    }
    if (fh_fails(&gate->fail_on, record.severity)) {
        gate->exit = fh_worst(gate->exit, FH_EXIT_FINDINGS);
    }
}

static void tell_source(fh_gate *gate, const fh_result *result)
{
    const fh_source_record source = {.path = result->path,
                                     .kind = "file",
                                     .layout = "plain",
                                     .status = result->status,
                                     .size = result->size,
                                     .sha256 = result->has_sha256 ? result->sha256 : NULL,
                                     .why = result->why};
    for (size_t i = 0; i < gate->num_reports; i++) {
        fh_report_source(&gate->reports[i].report, &source);
    }
}

static void tell_asset(fh_gate *gate, const fh_result *result)
{
    const fh_replay_record replay = {.evaluator = result->replay.evaluator,
                                     .frames = result->replay.frames,
                                     .ticks = (int64_t)result->replay.ticks,
                                     .status = fh_replay_state_name(result->replay.state),
                                     .pose_sha256 =
                                         result->has_pose_sha256 ? result->pose_sha256 : NULL};
    const fh_asset_record asset = {.format = result->format->name,
                                   .grade = fh_grade_name(result->asset.grade),
                                   .raw_offset = 0,
                                   .user_offset = 0,
                                   .length = (int64_t)result->asset.length,
                                   .lba = FH_UNKNOWN,
                                   .iso_offset = FH_UNKNOWN,
                                   .ram_address = result->asset.ram_address,
                                   .evidence_bits = result->asset.evidence_bits,
                                   .frames = result->asset.frames,
                                   .objects = result->asset.objects,
                                   .sha256 = result->has_asset_sha256 ? result->asset_sha256 : NULL,
                                   .pose_sha256 =
                                       result->has_pose_sha256 ? result->pose_sha256 : NULL,
                                   .replay = result->is_replayed ? &replay : NULL};
    for (size_t i = 0; i < gate->num_reports; i++) {
        fh_report_asset(&gate->reports[i].report, &asset);
    }
}

static void pass_on(void *user, fh_result *result)
{
    fh_gate *gate = user;
    gate->exit = fh_worst(gate->exit, result->exit);
    if (result->error[0] != '\0') {
        fh_complain("%s: %s", fh_safe_path(result->path), result->error);
    }
    if (result->no_memory) {
        fh_complain("%s: out of memory; not all findings are told", fh_safe_path(result->path));
        gate->exit = FH_EXIT_LIMIT;
    }
    tell_source(gate, result);
    if (result->format != NULL) {
        tell_asset(gate, result);
    }
    for (size_t i = 0; i < result->num_findings; i++) {
        tell_finding(gate, result, &result->findings[i]);
    }
    fh_result_free(result);
}

void fh_gate_tell(fh_gate *gate, fh_result *result)
{
    gate->num_files++;
    gate->exit = fh_worst(gate->exit, fh_lock_result(&gate->lock, result));
    pass_on(gate, result);
}

void fh_gate_missing(fh_gate *gate, int num, char *const *paths)
{
    gate->exit = fh_worst(gate->exit, fh_lock_missing(&gate->lock, num, paths, gate, pass_on));
}

fh_exit fh_gate_end(fh_gate *gate)
{
    for (size_t i = 0; i < gate->num_reports; i++) {
        gate->exit = fh_worst(gate->exit, fh_flush_stdout(fh_report_end(&gate->reports[i].report)));
    }
    return gate->exit;
}
