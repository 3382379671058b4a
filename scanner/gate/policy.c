#include "gate/policy.h"

#include "gate/glob.h"
#include "gate/limits.h"
#include "gate/places.h"
#include "hunt/run_rules.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

fh_policy fh_policy_make(void)
{
    return (fh_policy){.replays = true};
}

static fh_exit out_of_memory(void)
{
    fh_complain("out of memory");
    return FH_EXIT_LIMIT;
}

/* ---- options ---- */

fh_exit fh_policy_choose(fh_policy *policy, fh_choice_kind kind, const char *value)
{
    static const char *const names[] = {[FH_CHOICE_SELECT] = "select",
                                        [FH_CHOICE_IGNORE] = "ignore",
                                        [FH_CHOICE_GRADE] = "severity"};
    char buffer[512];
    fh_text fault = fh_text_make(buffer, sizeof buffer);
    if (fh_choices_add(&policy->choices, &fault, kind, value, NULL, 0)) {
        return FH_EXIT_OK;
    }
    return policy->choices.no_memory ? out_of_memory()
                                     : fh_usage_error("check", "--%s: %s", names[kind], buffer);
}

fh_exit fh_policy_set(fh_policy *policy, fh_key key, const char *value)
{
    const char *fault = fh_key_fault(key, value);
    policy->asked[key] = value;
    return fault == NULL ? FH_EXIT_OK
                         : fh_usage_error("check", "--%s %s, not '%s'", fh_key_name(key), fault,
                                          fh_safe_path(value));
}

/* ---- configurations ---- */

static fh_config *config_of(const fh_policy *policy, const char *folder)
{
    for (size_t i = policy->num_configs; i > 0; i--) {
        if (strcmp(policy->configs[i - 1]->folder, folder) == 0) {
            return policy->configs[i - 1];
        }
    }
    return NULL;
}

/* *out is NULL where there is none, and it is_optional. */
static fh_exit read_config(const fh_config **out, fh_policy *policy, const char *path,
                           const char *folder, bool is_optional)
{
    fh_config **configs = policy->configs;
    bool is_there = false;
    fh_config config;
    *out = NULL;
    fh_exit exit = fh_config_read(&config, &is_there, path, folder, is_optional);
    if (exit != FH_EXIT_OK || !is_there) {
        fh_config_free(&config);
        return exit;
    }
    if (policy->num_configs == FH_MAX_CONFIGS) {
        fh_complain("%s: there are more than %u configurations; check fewer folders in one run, "
                    "or give one with --config",
                    fh_safe_path(path), FH_MAX_CONFIGS);
        fh_config_free(&config);
        return FH_EXIT_LIMIT;
    }
    configs = realloc(configs, (policy->num_configs + 1) * sizeof(fh_config *));
    policy->configs = configs == NULL ? policy->configs : configs;
    fh_config *kept = configs == NULL ? NULL : malloc(sizeof *kept);
    if (kept == NULL) {
        fh_config_free(&config);
        return out_of_memory();
    }
    *kept = config;
    configs[policy->num_configs++] = kept;
    *out = kept;
    return FH_EXIT_OK;
}

/* Looks in a folder, absolute and without links, and in all above it. */
static fh_exit look_upwards(const fh_config **out, fh_policy *policy, const char *folder)
{
    char *at = strdup(folder);
    fh_exit exit = at == NULL ? out_of_memory() : FH_EXIT_OK;
    for (*out = NULL; exit == FH_EXIT_OK && *out == NULL;) {
        *out = config_of(policy, at);
        char *path = *out != NULL ? NULL : fh_place_join(at, FH_CONFIG_NAME);
        if (path != NULL) {
            exit = read_config(out, policy, path, at, true);
            free(path);
        } else if (*out == NULL) {
            exit = out_of_memory();
        }
        char *slash = strrchr(at, '/');
        if (slash == NULL || slash[1] == '\0') {
            break; /* that was the root */
        }
        slash[slash == at ? 1 : 0] = '\0';
    }
    free(at);
    return exit;
}

/* The folder of a path as it is named, or the path where that is a folder itself; to be freed. */
static char *named_folder(const char *path)
{
    struct stat file;
    if (strcmp(path, "-") == 0) {
        return strdup(".");
    }
    if (stat(path, &file) == 0 && S_ISDIR(file.st_mode)) {
        return strdup(path);
    }
    const char *slash = strrchr(path, '/');
    return slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Its configuration may be there and is not to be passed over. */
static fh_exit lost(const char *folder)
{
    fh_complain("%s: looking for a configuration failed: %s; check the disk, or use --no-config",
                fh_safe_path(folder), strerror(EIO));
    return FH_EXIT_IO;
}

/* Looks a folder up, unless it is the one that was looked up last. One that is not there has no
 * configuration: whoever reads it will say so. */
static fh_exit look_up(fh_policy *policy, const char *path)
{
    char *name = named_folder(path);
    if (name == NULL) {
        return out_of_memory();
    }
    if (policy->last_name != NULL && strcmp(policy->last_name, name) == 0) {
        free(name);
        return FH_EXIT_OK;
    }
    free(policy->last_name);
    free(policy->last_folder);
    policy->last_name = NULL;
    policy->last_folder = realpath(name, NULL);
    const int error = policy->last_folder == NULL ? errno : 0;
    policy->last_config = policy->config != NULL ? policy->configs[0] : NULL;
    fh_exit exit = error == ENOMEM ? out_of_memory() : error == EIO ? lost(name) : FH_EXIT_OK;
    if (policy->config == NULL && !policy->no_config && policy->last_folder != NULL) {
        exit = look_upwards(&policy->last_config, policy, policy->last_folder);
    }
    policy->last_name = exit == FH_EXIT_OK ? name : NULL;
    if (exit != FH_EXIT_OK) {
        free(name);
    }
    return exit;
}

/* ---- baselines ---- */

static fh_exit find_baseline(fh_baseline **out, fh_policy *policy, const char *path)
{
    *out = NULL;
    if (path == NULL || strcmp(path, "none") == 0 || policy->write_baseline != NULL) {
        return FH_EXIT_OK;
    }
    for (size_t i = 0; i < policy->num_baselines && *out == NULL; i++) {
        *out = strcmp(policy->baselines[i]->path, path) == 0 ? policy->baselines[i] : NULL;
    }
    if (*out != NULL) {
        return FH_EXIT_OK;
    }
    fh_baseline **baselines =
        realloc(policy->baselines, (policy->num_baselines + 1) * sizeof(fh_baseline *));
    policy->baselines = baselines == NULL ? policy->baselines : baselines;
    fh_baseline *read = baselines == NULL ? NULL : calloc(1, sizeof *read);
    if (read == NULL) {
        return out_of_memory();
    }
    baselines[policy->num_baselines++] = read;
    *out = read;
    return fh_baseline_read(read, path, false);
}

static fh_exit begin_writing(fh_policy *policy)
{
    const char *path = policy->write_baseline;
    if (path == NULL) {
        return FH_EXIT_OK;
    }
    if (policy->asked[FH_KEY_BASELINE] != NULL) {
        return fh_usage_error("check", "--write-baseline writes all that is found; --baseline "
                                       "cannot leave some of it out");
    }
    const fh_exit exit = fh_baseline_read(&policy->old, path, true);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    policy->written = (fh_baseline){.path = strdup(path), .folder = fh_folder_of(path)};
    return policy->written.path == NULL || policy->written.folder == NULL ? out_of_memory()
                                                                          : FH_EXIT_OK;
}

/* ---- what holds for a file ---- */

static const char *value_of(const fh_policy *policy, const fh_config *config, fh_key key)
{
    return policy->asked[key] != NULL ? policy->asked[key]
           : config != NULL           ? config->values[key]
                                      : NULL;
}

fh_exit fh_policy_find(fh_settings *out, fh_policy *policy, const char *path)
{
    *out = (fh_settings){.fail_on = {.severity = FH_ERROR}};
    const fh_exit exit = look_up(policy, path);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_config *config = policy->last_config;
    const char *fail_on = value_of(policy, config, FH_KEY_FAIL_ON);
    const char *least = value_of(policy, config, FH_KEY_MIN_SEVERITY);
    bool is_good = fail_on == NULL || fh_parse_fail_on(&out->fail_on, fail_on);
    is_good = is_good && (least == NULL || fh_severity_named(&out->min_severity, least));
    assert(is_good);
    (void)is_good;
    out->config = config;
    out->profile = value_of(policy, config, FH_KEY_PROFILE);
    out->bac = value_of(policy, config, FH_KEY_BAC);
    return find_baseline(&out->baseline, policy, value_of(policy, config, FH_KEY_BASELINE));
}

fh_exit fh_policy_begin(fh_policy *policy, int num, char **paths)
{
    fh_exit exit = FH_EXIT_OK;
    if (policy->config != NULL && policy->no_config) {
        return fh_usage_error("check", "--config and --no-config cannot both be given");
    }
    if (policy->config != NULL) {
        const fh_config *config = NULL;
        char *folder = fh_folder_of(policy->config);
        exit = read_config(&config, policy, policy->config, folder == NULL ? "/" : folder, false);
        free(folder);
    }
    if (exit == FH_EXIT_OK) {
        exit = begin_writing(policy);
    }
    for (int i = 0; i < num && exit == FH_EXIT_OK; i++) {
        fh_settings settings;
        exit = fh_policy_find(&settings, policy, paths[i]);
    }
    return exit;
}

/* ---- findings ---- */

/* Globs see the way from the folder of the configuration; of a file outside of it the name alone.
 */
static const char *path_below(const char *folder, const char *path)
{
    const size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    const char *below = strncmp(path, folder, len) == 0 && path[len] == '/'
                            ? path + len + 1
                            : strrchr(path, '/') + 1;
    return *below == '\0' ? "." : below; /* the root itself */
}

static size_t num_rules(void)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    size_t num = 0;
    for (size_t i = 0; i < num_tables; i++) {
        num += tables[i].num_rules;
    }
    return num;
}

static bool make_room(fh_policy *policy)
{
    const size_t num = num_rules();
    assert(num > 0);
    if (policy->speaks == NULL) {
        policy->speaks = calloc(FH_MAX_CHOICES, sizeof policy->speaks[0]);
    }
    if (policy->rulings == NULL) {
        policy->rulings = calloc(num, sizeof policy->rulings[0]);
    }
    if (policy->has_ruling == NULL) {
        policy->has_ruling = calloc(num, sizeof policy->has_ruling[0]);
    }
    return policy->speaks != NULL && policy->rulings != NULL && policy->has_ruling != NULL;
}

static void match_globs(fh_policy *policy)
{
    const fh_config *config = policy->now.config;
    if (config == NULL) {
        return;
    }
    const char *path = policy->path == NULL ? "-" : path_below(config->folder, policy->path);
    const char *last = NULL; /* lists are many choices with the same glob */
    for (size_t i = 0; i < config->choices.num; i++) {
        const char *glob = config->choices.items[i].glob;
        if (glob != NULL) {
            policy->speaks[i] = last != NULL && strcmp(last, glob) == 0 ? policy->speaks[i - 1]
                                                                        : fh_glob_match(glob, path);
        }
        last = glob;
    }
}

fh_exit fh_policy_enter_path(fh_policy *policy, const char *path)
{
    const fh_exit exit = fh_policy_find(&policy->now, policy, path);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (!make_room(policy)) {
        return out_of_memory();
    }
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    free(policy->path);
    policy->path = NULL;
    policy->has_content = false;
    if (strcmp(path, "-") != 0 && policy->last_folder != NULL) {
        policy->path = strcmp(path, policy->last_name) == 0
                           ? strdup(policy->last_folder) /* a folder, of which settings are shown */
                           : fh_place_join(policy->last_folder, name);
        if (policy->path == NULL) {
            return out_of_memory();
        }
    }
    memset(policy->has_ruling, 0, num_rules());
    match_globs(policy);
    return FH_EXIT_OK;
}

fh_exit fh_policy_enter(fh_policy *policy, const fh_result *result)
{
    const fh_exit exit = fh_policy_enter_path(policy, result->path);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    policy->has_content = result->has_sha256;
    memcpy(policy->content, result->sha256, sizeof policy->content);
    if (policy->has_content && policy->now.baseline != NULL) {
        fh_baseline_begin(policy->now.baseline, policy->content, policy->path);
    }
    if (policy->has_content && policy->write_baseline != NULL) {
        fh_baseline_begin(&policy->old, policy->content, policy->path);
    }
    return FH_EXIT_OK;
}

/* The place of a rule among all; rules are only ever those of the tables. */
static size_t index_of(const fh_rule *rule)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    size_t before = 0;
    for (size_t i = 0; i < num_tables; i++) {
        const uintptr_t first = (uintptr_t)tables[i].rules;
        const uintptr_t at = (uintptr_t)rule;
        if (at >= first && at < (uintptr_t)(tables[i].rules + tables[i].num_rules)) {
            return before + (size_t)(rule - tables[i].rules);
        }
        before += tables[i].num_rules;
    }
    assert(false);
    return 0;
}

fh_ruling fh_policy_ruling(fh_policy *policy, const fh_rule *rule)
{
    const size_t index = index_of(rule);
    fh_ruling *ruling = &policy->rulings[index];
    if (policy->has_ruling[index] == 0) {
        const fh_config *config = policy->now.config;
        *ruling = fh_ruling_begin(rule);
        if (config != NULL) {
            fh_ruling_apply(ruling, rule->code, &config->choices, false, policy->speaks);
            fh_ruling_apply(ruling, rule->code, &config->choices, true, policy->speaks);
        }
        fh_ruling_apply(ruling, rule->code, &policy->choices, false, policy->speaks);
        policy->has_ruling[index] = 1;
    }
    return *ruling;
}

/* What a pose lock says depends on the lock: a baseline, which knows content only, has no part in
 * it. */
static bool is_of_content(const fh_rule *rule)
{
    static const enum fh_run_rule others[] = {FH_RUN0014, FH_RUN0015, FH_RUN0016, FH_RUN0017};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (rule == &fh_run_rules.rules[others[i]]) {
            return false;
        }
    }
    return true;
}

bool fh_policy_tells(fh_severity *severity, fh_policy *policy, const fh_rule *rule)
{
    const fh_settings *now = &policy->now;
    const fh_ruling ruling = fh_policy_ruling(policy, rule);
    const bool may_be_known = policy->has_content && is_of_content(rule);
    if (may_be_known && now->baseline != NULL && fh_baseline_takes(now->baseline, rule->code)) {
        policy->left_out.known++;
        return false;
    }
    if (!ruling.is_selected || ruling.is_off) {
        policy->left_out.ignored++;
        return false;
    }
    if (ruling.severity < now->min_severity && !fh_fails(&now->fail_on, ruling.severity)) {
        policy->left_out.hidden++;
        return false;
    }
    *severity = ruling.severity;
    if (policy->write_baseline == NULL || !may_be_known) {
        return true;
    }
    policy->no_memory =
        !fh_baseline_add(&policy->written, policy->content, rule->code, policy->path) ||
        policy->no_memory;
    policy->left_out.known++;
    return false;
}

/* ---- at the end ---- */

static void miss(fh_baseline *baseline, int num, char **paths)
{
    for (int i = 0; i < num; i++) {
        char *root = strcmp(paths[i], "-") == 0 ? NULL : realpath(paths[i], NULL);
        if (root != NULL) {
            fh_baseline_miss(baseline, root);
        }
        free(root);
    }
}

void fh_policy_stale(fh_policy *policy, int num, char **paths,
                     void (*tell)(void *user, const fh_baseline *baseline, const fh_known *known),
                     void *user)
{
    if (policy->write_baseline != NULL) {
        miss(&policy->old, num, paths);
    }
    for (size_t i = 0; i < policy->num_baselines; i++) {
        const fh_baseline *baseline = policy->baselines[i];
        miss(policy->baselines[i], num, paths);
        for (size_t k = 0; k < baseline->num; k++) {
            const fh_known *known = &baseline->items[k];
            if (fh_known_is_stale(known) && (policy->replays || !known->is_seen)) {
                tell(user, baseline, known);
            }
        }
    }
}

fh_exit fh_policy_write(fh_policy *policy)
{
    if (policy->write_baseline == NULL) {
        return FH_EXIT_OK;
    }
    if (policy->no_memory || !fh_baseline_keep(&policy->written, &policy->old)) {
        return out_of_memory();
    }
    const fh_exit exit = fh_baseline_write(&policy->written);
    if (exit == FH_EXIT_OK) {
        fh_complain("%s: written, entries: %zu", fh_safe_path(policy->written.path),
                    policy->written.num);
    }
    return exit;
}

void fh_policy_free(fh_policy *policy)
{
    for (size_t i = 0; i < policy->num_configs; i++) {
        fh_config_free(policy->configs[i]);
        free(policy->configs[i]);
    }
    for (size_t i = 0; i < policy->num_baselines; i++) {
        fh_baseline_free(policy->baselines[i]);
        free(policy->baselines[i]);
    }
    fh_baseline_free(&policy->old);
    fh_baseline_free(&policy->written);
    fh_choices_free(&policy->choices);
    free(policy->configs);
    free(policy->baselines);
    free(policy->last_name);
    free(policy->last_folder);
    free(policy->speaks);
    free(policy->rulings);
    free(policy->has_ruling);
    free(policy->path);
    *policy = (fh_policy){0};
}
