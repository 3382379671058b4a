#include "gate/gate.h"

#include "gate/result_records.h"
#include "hunt/hunt.h"
#include "hunt/run_rules.h"

fh_exit fh_gate_begin(fh_gate *gate)
{
    gate->outputs.run.left_out = gate->policy == NULL ? NULL : &gate->policy->left_out;
    return fh_outputs_begin(&gate->outputs, &gate->fail_on);
}

void fh_gate_unreadable(fh_gate *gate, const char *path, const char *why)
{
    const fh_source_record source = {
        .path = path, .status = "unreadable", .size = FH_UNKNOWN, .why = why};
    fh_outputs_source(&gate->outputs, &source);
    gate->exit = fh_worst(gate->exit, FH_EXIT_IO);
}

static void tell_record(fh_gate *gate, const fh_finding_record *record)
{
    fh_outputs_finding(&gate->outputs, record);
    if (fh_fails(&gate->fail_on, record->severity)) {
        gate->exit = fh_worst(gate->exit, FH_EXIT_FINDINGS);
    }
}

static void tell_finding(fh_gate *gate, const fh_result *result, const fh_told *told)
{
    fh_severity severity = told->finding.rule->severity;
    if (gate->policy != NULL && !fh_policy_tells(&severity, gate->policy, told->finding.rule)) {
        return;
    }
    fh_told_room room;
    fh_finding_record record = fh_result_finding(&room, result, told);
    record.severity = severity;
    tell_record(gate, &record);
}

static void tell_source(fh_gate *gate, const fh_result *result)
{
    const fh_source_record source = fh_result_source(result);
    fh_outputs_source(&gate->outputs, &source);
}

static void tell_asset(fh_gate *gate, const fh_result *result)
{
    fh_replay_record room;
    const fh_asset_record asset = fh_result_asset(&room, result);
    fh_outputs_asset(&gate->outputs, &asset);
}

static bool enter(fh_gate *gate, fh_exit exit)
{
    gate->exit = fh_worst(gate->exit, exit);
    gate->fail_on = gate->policy->now.fail_on;
    fh_outputs_fail_on(&gate->outputs, &gate->fail_on);
    return exit == FH_EXIT_OK;
}

void fh_gate_stale(void *user, const fh_baseline *baseline, const fh_known *known)
{
    fh_gate *gate = user;
    fh_severity severity;
    char message[FH_MESSAGE_LEN];
    const fh_source_record source = {.path = baseline->path,
                                     .kind = "file",
                                     .layout = "plain",
                                     .status = "complete",
                                     .size = FH_UNKNOWN,
                                     .why = "a baseline"};
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0020], "entry");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_str(&text, known->code), " of ");
    fh_text_str(&text, known->path[0] == '\0' ? "standard input" : known->path);
    text = fh_text_make(finding.context, sizeof finding.context);
    fh_text_u64(fh_text_str(&text, "line "), known->line);
    if (gate->stale != baseline &&
        !enter(gate, fh_policy_enter_path(gate->policy, baseline->path))) {
        return;
    }
    if (!fh_policy_tells(&severity, gate->policy, finding.rule)) {
        return;
    }
    if (gate->stale != baseline) {
        fh_outputs_source(&gate->outputs, &source);
    }
    gate->stale = baseline;
    fh_finding_record record = fh_finding_to_record(&finding, message);
    record.severity = severity;
    record.asset = FH_UNKNOWN;
    record.line = known->line;
    record.column = 1;
    tell_record(gate, &record);
}

static void pass_on(void *user, fh_result *result)
{
    fh_gate *gate = user;
    gate->exit = fh_worst(gate->exit, result->exit);
    if (result->told[0] != '\0') {
        fh_complain("%s", result->told);
    }
    if (result->error[0] != '\0') {
        fh_complain("%s: %s", fh_safe_path(result->path), result->error);
    }
    if (result->no_memory) {
        fh_complain("%s: out of memory; not all findings are told", fh_safe_path(result->path));
        gate->exit = FH_EXIT_LIMIT;
    }
    if (gate->policy != NULL && !enter(gate, fh_policy_enter(gate->policy, result))) {
        fh_result_free(result);
        return;
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

/* What is replayed for the lock is replayed as the configuration says, too. */
static void settle(fh_gate *gate, const char *path)
{
    fh_settings settings;
    if (gate->policy == NULL) {
        return;
    }
    fh_exit exit = fh_policy_find(&settings, gate->policy, path);
    if (exit == FH_EXIT_OK) {
        exit = fh_lock_settle(&gate->lock, settings.profile, settings.bac);
    }
    gate->exit = fh_worst(gate->exit, exit);
}

void fh_gate_tell(fh_gate *gate, fh_result *result)
{
    gate->num_files++;
    settle(gate, result->path);
    const fh_exit exit = fh_lock_result(&gate->lock, result);
    gate->exit = fh_worst(gate->exit, exit);
    pass_on(gate, result);
}

void fh_gate_missing(fh_gate *gate, int num, char *const *paths)
{
    /* What it tells changes gate->exit: that may not be read before the call. */
    const fh_exit exit = fh_lock_missing(&gate->lock, num, paths, gate, pass_on);
    gate->exit = fh_worst(gate->exit, exit);
}

fh_exit fh_gate_end(fh_gate *gate)
{
    return fh_outputs_end(&gate->outputs, gate->exit);
}
