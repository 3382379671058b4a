/* framehound check: the gate for asset files. */
#include "check.h"

#include "gate/show.h"
#include "kept_walk.h"
#include "sandbox.h"
#include "walk.h"

#include <getopt.h>
#include <string.h>

/* What the configuration says of how the file is to be judged. Whatever was handed out before is
 * judged as it was meant to be. */
static fh_exit settle(fh_check *check, const char *path)
{
    fh_settings settings;
    fh_judge *judge = &check->judge;
    fh_exit exit = fh_policy_find(&settings, &check->policy, path);
    if (exit != FH_EXIT_OK ||
        (judge->options.profile == settings.profile && judge->beside.asked == settings.bac)) {
        return exit;
    }
    fh_jobs_settle(check->jobs);
    judge->options.profile = settings.profile;
    exit = fh_beside_ask(&judge->beside, settings.bac, "check");
    fh_jobs_follow(check->jobs);
    return exit;
}

/* A configuration is no asset; it is looked at when it is named itself. */
static bool is_config(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash == NULL ? path : slash + 1, FH_CONFIG_NAME) == 0;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    fh_check *check = user;
    if ((!explicit_name && is_config(path)) || fh_lock_writes(&check->gate.lock, path) ||
        fh_outputs_writes(&check->gate.outputs, path)) {
        return true;
    }
    const fh_exit exit = settle(check, path);
    if (exit != FH_EXIT_OK) {
        check->gate.exit = fh_worst(check->gate.exit, exit);
        check->is_ended = true;
        return false;
    }
    if (check->fix.is_wanted || check->fix.shows) {
        check->gate.exit =
            fh_worst(check->gate.exit, fh_fix_path(&check->fix, &check->judge, path));
    }
    if (check->fix.shows) {
        return !fh_interrupted(NULL);
    }
    const bool goes_on = fh_jobs_file(check->jobs, path);
    /* A configuration may turn out to be wrong when a result is told. */
    check->is_ended = goes_on && check->gate.exit == FH_EXIT_USAGE;
    return goes_on && !check->is_ended;
}

static void on_error(void *user, const char *path, const char *why)
{
    fh_check *check = user;
    (void)fh_jobs_error(check->jobs, path, why); /* the next file ends the walk if need be */
}

static void on_settle(void *user)
{
    fh_jobs_settle(((fh_check *)user)->jobs);
}

static void tell_result(void *user, fh_result *result)
{
    fh_gate_tell(&((fh_check *)user)->gate, result);
}

static void tell_no_memory(void *user)
{
    fh_check *check = user;
    fh_complain("out of memory");
    check->gate.exit = FH_EXIT_LIMIT;
}

static void tell_error(void *user, const char *path, const char *why)
{
    fh_check *check = user;
    fh_complain_of_input(path, why);
    fh_gate_unreadable(&check->gate, path, why);
}

static void tell_unused(const fh_check *check)
{
    const fh_beside *beside = &check->judge.beside;
    if (check->gate.num_files == 0 && check->gate.exit == FH_EXIT_OK) {
        fh_complain("there was no file to check");
    } else if (beside->file.len > 0 && check->policy.asked[FH_KEY_BAC] != NULL &&
               !beside->is_used) {
        fh_complain("%s was not used: no file is an animation that belongs to such a model",
                    fh_safe_path(beside->asked));
    }
}

/* What is written, and where. What is read, configurations say as they are found. */
static fh_exit enter_sandbox(const fh_check *check, const fh_kept_walk *kept, int num, char **paths)
{
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_reads_all(&box);
    fh_sandbox_writes(&box, check->cache_path);
    fh_sandbox_writes_beside(&box, check->policy.write_baseline);
    fh_sandbox_writes_beside(&box, check->gate.lock.write_expect);
    for (size_t i = 0; i < check->gate.outputs.num; i++) {
        fh_sandbox_writes_beside(&box, check->gate.outputs.each[i].path);
    }
    for (int i = 0; i < num && check->fix.is_wanted; i++) {
        fh_sandbox_writes(&box, paths[i]);
        fh_sandbox_writes_beside(&box, paths[i]);
    }
    for (size_t i = 0; i < kept->num_steps && check->fix.is_wanted; i++) {
        fh_sandbox_writes_beside(&box, kept->steps[i].path);
    }
    return fh_sandbox_enter(&box, "check");
}

/* Walks, and has all files judged; what git is asked for, or stands in a list, before the sandbox
 * is entered. */
static fh_exit walk_all(fh_check *check, const fh_walk_sink *sink, int num, char **paths)
{
    const fh_subjects *subjects = &check->subjects;
    const bool is_ahead =
        subjects->changed_since != NULL || subjects->gitignore || subjects->files_from != NULL;
    fh_kept_walk kept = {0};
    fh_exit exit = FH_EXIT_OK;
    if (is_ahead) {
        const fh_walk_sink keeping = fh_kept_walk_sink(&kept, sink);
        exit = fh_subjects_walk(subjects, &keeping, num, paths);
    }
    const fh_exit entered = enter_sandbox(check, &kept, num, paths);
    if (entered != FH_EXIT_OK) {
        check->is_ended = true;
        check->gate.exit = fh_worst(check->gate.exit, entered);
    } else if (!is_ahead) {
        exit = fh_subjects_walk(subjects, sink, num, paths);
    } else if (kept.no_memory) {
        tell_no_memory(check);
    } else {
        (void)fh_kept_walk_play(&kept, sink);
    }
    fh_kept_walk_free(&kept);
    return exit;
}

static void check_all(fh_check *check, int num, char **paths)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {.user = check,
                               .file = on_file,
                               .error = on_error,
                               .num_left_out = &num_left_out,
                               .settle = on_settle,
                               .skips_git = true};
    const fh_jobs_sink jobs_sink = {check, tell_result, tell_error, tell_no_memory};
    const unsigned num_jobs = check->num_jobs > 0 ? check->num_jobs : fh_ring_default();
    check->jobs = fh_jobs_begin(&check->judge, num_jobs, &jobs_sink);
    if (check->jobs == NULL) {
        tell_no_memory(check);
        return;
    }
    const fh_exit exit = walk_all(check, &sink, num, paths);
    if (!fh_jobs_end(check->jobs)) {
        check->gate.exit = FH_EXIT_LIMIT;
        if (fh_interrupted(NULL)) { /* want of memory has been told */
            fh_complain("interrupted; files that were not judged by then are left out");
        }
    }
    if (check->is_ended || check->fix.shows) {
        return;
    }
    check->gate.exit = fh_worst(check->gate.exit, exit);
    fh_tell_left_out(num_left_out);
    fh_gate_missing(&check->gate, num, paths);
    tell_unused(check);
}

/* A report that lies in a folder that is checked is passed over; a file that was named must not be
 * lost to one. */
static fh_exit refuse_outputs(fh_check *check, int num, char **paths)
{
    for (int i = 0; i < num; i++) {
        if (fh_outputs_writes(&check->gate.outputs, paths[i])) {
            fh_outputs_drop(&check->gate.outputs);
            return fh_usage_error("check",
                                  "a report would write over %s, which is to be checked; name "
                                  "another file",
                                  fh_safe_path(paths[i]));
        }
    }
    return FH_EXIT_OK;
}

/* Judges all files, and tells of them. The baseline is told of, or written, only by a run that got
 * to its end. */
static fh_exit judge_all(fh_check *check, int num, char **paths)
{
    fh_exit exit = fh_gate_begin(&check->gate);
    if (exit == FH_EXIT_OK) {
        exit = refuse_outputs(check, num, paths);
    }
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = fh_lock_begin(&check->gate.lock, &check->judge);
    if (exit != FH_EXIT_OK) {
        fh_outputs_drop(&check->gate.outputs);
        return exit;
    }
    check_all(check, num, paths);
    const bool is_whole = check->gate.exit == FH_EXIT_OK || check->gate.exit == FH_EXIT_FINDINGS;
    if (is_whole) {
        fh_policy_stale(&check->policy, num, paths, fh_gate_stale, &check->gate);
    }
    exit = fh_lock_end(&check->gate.lock, is_whole);
    exit = fh_worst(exit, fh_gate_end(&check->gate));
    if (is_whole) {
        return fh_worst(exit, fh_policy_write(&check->policy));
    }
    if (check->policy.write_baseline != NULL) {
        fh_complain("%s: not written, because not every file could be checked",
                    fh_safe_path(check->policy.write_baseline));
    }
    return exit;
}

/* Shows what a fix would change. */
static fh_exit show_all(fh_check *check, int num, char **paths)
{
    check_all(check, num, paths);
    return check->gate.exit;
}

static fh_exit run_check(fh_check *check, int num_named, char **named)
{
    char **paths = NULL;
    const int num =
        fh_subjects_paths(&check->subjects, &paths, check->only_shows, num_named, named);
    fh_exit exit = fh_policy_begin(&check->policy, num, paths);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (check->only_shows) {
        return fh_show_settings(&check->policy, num, paths);
    }
    exit = fh_beside_open(&check->judge.beside, "check");
    if (exit == FH_EXIT_OK && check->cache_path != NULL && !check->fix.shows) {
        exit = fh_recall_open(&check->cache, check->cache_path);
        check->judge.cache = exit == FH_EXIT_OK ? &check->cache : NULL;
    }
    if (exit == FH_EXIT_OK) {
        exit = check->fix.shows ? show_all(check, num, paths) : judge_all(check, num, paths);
    }
    return fh_worst(exit, fh_fix_end(&check->fix));
}

fh_exit fh_cmd_check(int argc, char **argv)
{
    fh_check check = {.gate = {.outputs = {.command = "check"}},
                      .judge = fh_judge_make(),
                      .policy = fh_policy_make()};
    if (fh_wants_help(argc, argv)) {
        return fh_check_help();
    }
    check.gate.policy = &check.policy;
    fh_exit exit = fh_check_options(&check, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = run_check(&check, argc - optind, argv + optind);
    }
    if (check.judge.cache != NULL) {
        fh_cache_close(check.judge.cache);
    }
    fh_lock_free(&check.gate.lock);
    fh_judge_free(&check.judge);
    fh_policy_free(&check.policy);
    return exit;
}
