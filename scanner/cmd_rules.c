/* framehound rules: the rule reference. */
#include "cmd.h"

#include "core/text.h"
#include "nearest.h"
#include "reports/rules_text.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound rules [OPTION...] [CODE|PREFIX|FORMAT...]\n"
    "\n"
    "Lists every rule, or those that are chosen: by code (TOD0022), by the beginning of codes\n"
    "(TOD00), by format (tod, hmd, tra, camerawork, image, run). Rules named by their whole\n"
    "codes are explained: what each means, where it comes from, how to mend what breaks it, and\n"
    "an example.\n"
    "\n"
    "  -F, --format FORMAT   text (default), markdown (the rule reference), json\n"
    "      --severity LEVEL  only rules of this severity: error, warning, note\n"
    "      --coverage        for each rule the inputs that break it and those that do not, with\n"
    "                        which it is tested\n"
    "  -h, --help            this text\n";

typedef enum rules_form { FORM_TEXT, FORM_MARKDOWN, FORM_JSON } rules_form;

/* Room for the rules of all tables, of which there are less than 600. */
enum { MOST_RULES = 1024 };

typedef struct request {
    rules_form form;
    fh_fail_on severity; /* never: all */
    bool is_coverage;
    bool is_explained; /* every word is a whole code */
} request;

/* The chosen rules: those of a table lie side by side, so that they are a table again. */
typedef struct choice {
    fh_rule rules[MOST_RULES];
    size_t num_rules;
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    size_t num_tables;
} choice;

static bool parse_form(rules_form *out, const char *name)
{
    static const char *const names[] = {"text", "markdown", "json"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (rules_form)i;
            return true;
        }
    }
    return false;
}

/* ---- choosing ---- */

static bool begins_with(const char *code, const char *word)
{
    while (*word != '\0' && fh_ascii_lower(*code) == fh_ascii_lower(*word)) {
        code++;
        word++;
    }
    return *word == '\0';
}

static bool is_chosen_by(const char *word, const char *format, const fh_rule *rule)
{
    return word[0] != '\0' && (fh_same_but_case(word, format) || begins_with(rule->code, word));
}

static bool is_chosen(const request *asked, char *const *words, const char *format,
                      const fh_rule *rule)
{
    bool is_named = *words == NULL;
    for (; *words != NULL && !is_named; words++) {
        is_named = is_chosen_by(*words, format, rule);
    }
    return is_named && (asked->severity.never || asked->severity.severity == rule->severity);
}

static void choose(choice *out, const request *asked, char *const *words,
                   const fh_rule_table *tables, size_t num_tables)
{
    for (size_t t = 0; t < num_tables; t++) {
        const size_t first = out->num_rules;
        for (size_t i = 0; i < tables[t].num_rules && out->num_rules < MOST_RULES; i++) {
            if (is_chosen(asked, words, tables[t].format, &tables[t].rules[i])) {
                out->rules[out->num_rules++] = tables[t].rules[i];
            }
        }
        if (out->num_rules > first) {
            out->tables[out->num_tables++] =
                (fh_rule_table){tables[t].format, &out->rules[first], out->num_rules - first,
                                tables[t].mends, tables[t].num_mends};
        }
    }
}

/* What a word stands for. */
typedef enum meaning { IS_NOTHING, IS_GROUP, IS_CODE } meaning;

static meaning meaning_of(const char **nearest, const char *word, const fh_rule_table *tables,
                          size_t num_tables)
{
    meaning found = IS_NOTHING;
    fh_nearest near = fh_nearest_begin(word);
    for (size_t t = 0; t < num_tables; t++) {
        for (size_t i = 0; i < tables[t].num_rules; i++) {
            const fh_rule *rule = &tables[t].rules[i];
            if (fh_same_but_case(rule->code, word)) {
                return IS_CODE;
            }
            found = is_chosen_by(word, tables[t].format, rule) ? IS_GROUP : found;
            fh_nearest_try(&near, rule->code);
        }
        fh_nearest_try(&near, tables[t].format);
    }
    *nearest = near.name;
    return found;
}

static fh_exit judge_words(request *asked, char *const *words, const fh_rule_table *tables,
                           size_t num_tables)
{
    asked->is_explained = *words != NULL;
    for (; *words != NULL; words++) {
        const char *nearest = NULL;
        switch (meaning_of(&nearest, *words, tables, num_tables)) {
        case IS_CODE:
            break;
        case IS_GROUP:
            asked->is_explained = false;
            break;
        default:
            return nearest == NULL
                       ? fh_usage_error("rules",
                                        "there is no rule '%s'; 'framehound rules' lists "
                                        "them",
                                        fh_safe_path(*words))
                       : fh_usage_error("rules", "there is no rule '%s'; did you mean %s?",
                                        fh_safe_path(*words), nearest);
        }
    }
    return FH_EXIT_OK;
}

/* ---- printing ---- */

static int explain(const choice *chosen)
{
    int error = 0;
    for (size_t t = 0; t < chosen->num_tables; t++) {
        for (size_t i = 0; i < chosen->tables[t].num_rules && error == 0; i++) {
            const bool is_first = t == 0 && i == 0;
            error = !is_first && fputc('\n', stdout) == EOF
                        ? errno
                        : fh_rules_explain(stdout, &chosen->tables[t], i);
        }
    }
    return error;
}

static int print_markdown(const choice *chosen)
{
    int error = 0;
    for (size_t t = 0; t < chosen->num_tables && error == 0; t++) {
        error = fh_rules_markdown(stdout, &chosen->tables[t]);
    }
    return error;
}

static int print_coverage(const choice *chosen, rules_form form)
{
    return form == FORM_JSON ? fh_coverage_json(stdout, chosen->tables, chosen->num_tables)
           : form == FORM_MARKDOWN
               ? fh_coverage_markdown(stdout, chosen->tables, chosen->num_tables)
               : fh_coverage_text(stdout, chosen->tables, chosen->num_tables);
}

static int print(const choice *chosen, const request *asked)
{
    if (asked->is_coverage) {
        return print_coverage(chosen, asked->form);
    }
    if (asked->form == FORM_JSON) {
        return fh_rules_json(stdout, chosen->tables, chosen->num_tables);
    }
    if (asked->form == FORM_MARKDOWN) {
        return print_markdown(chosen);
    }
    return asked->is_explained ? explain(chosen)
                               : fh_rules_list(stdout, chosen->tables, chosen->num_tables);
}

/* ---- the command ---- */

static fh_exit take_option(request *asked, int c, char **argv)
{
    switch (c) {
    case 'F':
        return parse_form(&asked->form, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("rules", "--format is text, markdown or json, not '%s'",
                                    fh_safe_path(optarg));
    case 's':
        return fh_parse_fail_on(&asked->severity, optarg) && !asked->severity.never
                   ? FH_EXIT_OK
                   : fh_usage_error("rules", "--severity is error, warning or note, not '%s'",
                                    fh_safe_path(optarg));
    case 'c':
        asked->is_coverage = true;
        return FH_EXIT_OK;
    default:
        return fh_option_error("rules", c, argv);
    }
}

fh_exit fh_cmd_rules(int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'},
                                            {"severity", required_argument, NULL, 's'},
                                            {"coverage", no_argument, NULL, 'c'},
                                            {0}};
    static choice chosen;
    request asked = {.severity = {.never = true}};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    opterr = 0;
    fh_exit code = FH_EXIT_OK;
    for (int c = 0;
         code == FH_EXIT_OK && (c = getopt_long(argc, argv, ":F:", options, NULL)) != -1;) {
        code = take_option(&asked, c, argv);
    }
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    if (code == FH_EXIT_OK) {
        code = judge_words(&asked, argv + optind, tables, num_tables);
    }
    if (code != FH_EXIT_OK) {
        return code;
    }
    choose(&chosen, &asked, argv + optind, tables, num_tables);
    return fh_flush_stdout(print(&chosen, &asked));
}
