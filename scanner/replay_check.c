/* Whether what framehound replay was asked for goes with what it has loaded. */
#include "replay.h"

#include <assert.h>
#include <string.h>

const char *fh_replay_evaluator(const fh_format *format, const char *profile)
{
    size_t i = 0;
    while (profile != NULL && format->profiles[i] != NULL &&
           strcmp(format->profiles[i], profile) != 0) {
        i++;
    }
    return format->profiles[i] == NULL ? NULL : format->evaluators[i];
}

/* An option that says nothing to the format at hand is told, not ignored. */
static fh_exit check_fit(const fh_replay_run *run, const fh_format *format)
{
    static const char no_table[] = "has no table of objects that one file hands to the next";
    const struct {
        const char *option;
        bool is_given;
        bool fits;
        const char *reason;
    } options[] = {
        {"--after", run->options.num_before > 0, format->can_continue, no_table},
        {"--slots", run->options.num_slots > 0, format->can_continue, no_table},
        {"--time-step", run->options.time_step > 0, format->has_time_step,
         "stores no velocities of a simulation"},
        {"--world", run->options.world, format->has_world, "has no hierarchy"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].is_given && !options[i].fits) {
            return fh_usage_error("replay", "%s does not go with %s, which %s", options[i].option,
                                  format->name, options[i].reason);
        }
    }
    return FH_EXIT_OK;
}

/* What the options ask for must be of the format at hand. */
static fh_exit check_options(const fh_replay_run *run, const fh_format *format)
{
    const char *profile = run->options.profile;
    assert(format != NULL); /* decode has seen to that */
    if (profile != NULL && fh_replay_evaluator(format, profile) == NULL) {
        return fh_usage_error("replay", "no player of %s is called '%s'; its own is %s",
                              format->name, fh_safe_path(profile), format->profiles[0]);
    }
    const fh_exit exit = fh_replay_gltf_check(&run->gltf, format, &run->options);
    return exit != FH_EXIT_OK ? exit : check_fit(run, format);
}

/* Everything that is replayed is of one format. */
static fh_exit check_before(const fh_replay_run *run,
                            const fh_replayed before[FH_REPLAY_MOST_BEFORE],
                            const fh_format *format)
{
    for (size_t i = 0; i < run->options.num_before; i++) {
        assert(before[i].format != NULL); /* fh_replay_load_before has loaded it */
        if (before[i].format != format) {
            return fh_usage_error("replay", "--after %s: it is %s, and what is replayed is %s",
                                  fh_safe_path(run->before_paths[i]), before[i].format->name,
                                  format->name);
        }
    }
    return FH_EXIT_OK;
}

/* ---- the canonical form ---- */

/* The format must have such a form. */
static fh_exit check_canonical(const fh_format *format)
{
    if (format == NULL || format->canonical != NULL) {
        return FH_EXIT_OK; /* or told */
    }
    return fh_usage_error("replay",
                          "%s is no text and has no canonical form; --format is text, csv, json "
                          "or svg for it",
                          format->name);
}

fh_exit fh_replay_refuse(const char *path, const char *why)
{
    fh_complain("%s has no canonical form: %s", fh_safe_path(path), why);
    return FH_EXIT_FINDINGS;
}

/* Whether there is something to write; says why not. */
static fh_exit judge_sound(const fh_replayed *loaded, const fh_replay_teller *teller)
{
    if (teller->has_errors) {
        return fh_replay_refuse(teller->path, "mend the errors above first");
    }
    if (loaded->model == NULL) {
        return fh_replay_refuse(teller->path, "it cannot be decoded; what is told above says why");
    }
    return loaded->asset.grade < FH_GRADE_REFERENCES
               ? fh_replay_refuse(teller->path, "it is a fragment, or its last line may be cut")
               : FH_EXIT_OK;
}

/* ---- all of it ---- */

fh_exit fh_replay_check(const fh_replay_run *run, const fh_replayed *loaded,
                        const fh_replayed before[FH_REPLAY_MOST_BEFORE],
                        const fh_replay_teller *teller, fh_exit exit)
{
    assert(exit != FH_EXIT_OK || loaded->format != NULL); /* what is loaded is of a format */
    if (run->is_canonical && (exit == FH_EXIT_OK || exit == FH_EXIT_FINDINGS)) {
        const fh_exit wrong = check_canonical(loaded->format);
        if (wrong != FH_EXIT_OK || loaded->format == NULL) {
            return fh_worst(exit, wrong);
        }
        return judge_sound(loaded, teller);
    }
    if (exit == FH_EXIT_OK) {
        exit = check_options(run, loaded->format);
    }
    return exit == FH_EXIT_OK ? check_before(run, before, loaded->format) : exit;
}
