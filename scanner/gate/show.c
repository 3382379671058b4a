#include "gate/show.h"

#include "reports/escape.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The column in which the origin of a value begins. */
enum { ORIGIN = 44 };

static void put_line(fh_out *out, const char *name, const char *value, const char *option,
                     const fh_config *config, unsigned line)
{
    char buffer[1024];
    fh_text text = fh_text_make(buffer, sizeof buffer);
    fh_escape_into(&text, value);
    fh_out_fmt(out, "  %-13s %-*s ", name, ORIGIN - 17, buffer);
    if (option != NULL) {
        fh_out_fmt(out, "--%s\n", option);
    } else if (line != 0) {
        fh_escape_text(out, config->path);
        fh_out_fmt(out, ":%u\n", line);
    } else {
        fh_out_str(out, "default\n");
    }
}

static void put_value(fh_out *out, const fh_policy *policy, const fh_config *config, fh_key key)
{
    static const char *const by_itself[FH_NUM_KEYS] = {
        [FH_KEY_FAIL_ON] = "error",         [FH_KEY_MIN_SEVERITY] = "note",
        [FH_KEY_PROFILE] = "of the format", [FH_KEY_BAC] = "beside the file",
        [FH_KEY_BASELINE] = "none",
    };
    const char *name = fh_key_name(key);
    if (policy->asked[key] != NULL) {
        put_line(out, name, policy->asked[key], name, NULL, 0);
    } else if (config != NULL && config->values[key] != NULL) {
        put_line(out, name, config->values[key], NULL, config, config->lines[key]);
    } else {
        put_line(out, name, by_itself[key], NULL, NULL, 0);
    }
}

/* Rules of one table, one after the other, that one choice has changed in the same way. */
typedef struct group {
    const fh_rule *first;
    const fh_rule *last;
    bool is_told;
    fh_severity severity; /* if told */
    const fh_choice *by;
} group;

static void put_group(fh_out *out, const group *one, const fh_config *config)
{
    static const char *const options[] = {[FH_CHOICE_SELECT] = "select",
                                          [FH_CHOICE_IGNORE] = "ignore",
                                          [FH_CHOICE_GRADE] = "severity"};
    char name[32];
    fh_text text = fh_text_make(name, sizeof name);
    if (one->first == NULL) {
        return;
    }
    fh_text_str(&text, one->first->code);
    if (one->last != one->first) {
        const char *code = one->last->code;
        fh_text_str(fh_text_str(&text, "-"), code + strcspn(code, "0123456789"));
    }
    put_line(out, name, one->is_told ? fh_severity_name(one->severity) : "not told",
             one->by->line == 0 ? options[one->by->kind] : NULL, config, one->by->line);
}

/* The rule as a group of its own; without a choice where it is as it is by itself. */
static group group_of(fh_policy *policy, const fh_rule *rule)
{
    const fh_ruling ruling = fh_policy_ruling(policy, rule);
    const bool is_told = ruling.is_selected && !ruling.is_off;
    const bool is_changed = !is_told || ruling.severity != rule->severity;
    const fh_choice *by = ruling.is_selected ? ruling.grading : ruling.selection;
    return (group){is_changed ? rule : NULL, rule, is_told, ruling.severity,
                   is_changed ? by : NULL};
}

static bool is_alike(const group *a, const group *b)
{
    return a->first != NULL && b->first != NULL && a->is_told == b->is_told && a->by == b->by &&
           (!a->is_told || a->severity == b->severity);
}

/* What the choices come to: each rule that is not as it is by itself. Returns how many are told. */
static size_t put_table(fh_out *out, fh_policy *policy, const fh_rule_table *table)
{
    size_t num_told = 0;
    group open = {0};
    for (size_t i = 0; i < table->num_rules; i++) {
        const group one = group_of(policy, &table->rules[i]);
        num_told += one.is_told ? 1 : 0;
        if (is_alike(&open, &one)) {
            open.last = one.last;
            continue;
        }
        put_group(out, &open, policy->now.config);
        open = one;
    }
    put_group(out, &open, policy->now.config);
    return num_told;
}

static void put_rules(fh_out *out, fh_policy *policy)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    size_t num_told = 0;
    size_t num = 0;
    for (size_t i = 0; i < num_tables; i++) {
        num_told += put_table(out, policy, &tables[i]);
        num += tables[i].num_rules;
    }
    fh_out_fmt(out, "  %zu of %zu rules are told\n", num_told, num);
}

static fh_exit show(fh_out *out, fh_policy *policy, const char *path)
{
    struct stat file;
    if (strcmp(path, "-") != 0 && stat(path, &file) != 0) {
        fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path),
                    strerror(errno));
        return FH_EXIT_IO;
    }
    const fh_exit exit = fh_policy_enter_path(policy, path);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_config *config = policy->now.config;
    fh_escape_text(out, path);
    fh_out_str(out, "\n");
    fh_out_str(out, "  configuration ");
    fh_escape_text(out, config == NULL ? "none" : config->path);
    fh_out_str(out, policy->no_config        ? "  --no-config\n"
                    : policy->config != NULL ? "  --config\n"
                                             : "\n");
    for (fh_key key = 0; key < FH_NUM_KEYS; key++) {
        put_value(out, policy, config, key);
    }
    put_rules(out, policy);
    return FH_EXIT_OK;
}

fh_exit fh_show_settings(fh_policy *policy, int num, char **paths)
{
    fh_out out = fh_out_make(stdout);
    fh_exit exit = FH_EXIT_OK;
    for (int i = 0; i < num && (exit == FH_EXIT_OK || exit == FH_EXIT_IO); i++) {
        exit = fh_worst(exit, show(&out, policy, paths[i]));
    }
    return fh_worst(exit, fh_flush_stdout(fh_out_end(&out)));
}
