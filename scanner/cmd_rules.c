/* framehound rules: the rule reference. */
#include "cmd.h"

#include "core/text.h"
#include "reports/rules_text.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound rules [--format text|markdown|json] [CODE...]\n"
    "\n"
    "Lists every rule, or explains the rules of the given codes: what each means, where it\n"
    "comes from, and how to mend what breaks it.\n"
    "\n"
    "  -F, --format FORMAT   text (default), markdown (the rule reference), json\n"
    "  -h, --help            this text\n";

typedef enum rules_form { FORM_TEXT, FORM_MARKDOWN, FORM_JSON } rules_form;

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

/* The number that a word ends with, leading zeros or not; -1 without one. */
static int number_of(const char *word)
{
    int number = -1;
    for (; *word != '\0'; word++) {
        const bool is_digit = *word >= '0' && *word <= '9';
        if (is_digit && number < 100000) {
            number = 10 * (number < 0 ? 0 : number) + (*word - '0');
        }
    }
    return number;
}

/* How alike code and word are, for a guess at what was meant: "tod22" is TOD0022. */
static size_t likeness(const char *code, const char *word)
{
    size_t num = number_of(code) == number_of(word) ? 4 : 0;
    for (size_t i = 0; code[i] != '\0' && word[i] != '\0'; i++) {
        num += fh_ascii_lower(word[i]) == fh_ascii_lower(code[i]) ? 1 : 0;
    }
    return num;
}

/* Rules that were asked for: a table of one rule each, so that its format goes with it. */
enum { MOST_ASKED = 1024 };

static bool find_rule(fh_rule_table *found, const char **nearest, const fh_rule_table *tables,
                      size_t num_tables, const char *word)
{
    size_t best = 0;
    *nearest = tables[0].rules[0].code;
    for (size_t i = 0; i < num_tables; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            const fh_rule *rule = &tables[i].rules[k];
            if (fh_same_but_case(rule->code, word)) {
                *found = (fh_rule_table){tables[i].format, rule, 1, tables[i].mends,
                                         tables[i].num_mends};
                return true;
            }
            if (likeness(rule->code, word) > best) {
                best = likeness(rule->code, word);
                *nearest = rule->code;
            }
        }
    }
    return false;
}

static int print_each(rules_form form, const fh_rule_table *asked, size_t num_asked)
{
    int error = 0;
    for (size_t i = 0; i < num_asked && error == 0; i++) {
        error = form == FORM_MARKDOWN ? fh_rules_markdown(stdout, &asked[i])
                                      : fh_rules_explain(stdout, &asked[i]);
    }
    return error;
}

static int print_all(rules_form form, const fh_rule_table *tables, size_t num_tables)
{
    if (form == FORM_JSON) {
        return fh_rules_json(stdout, tables, num_tables);
    }
    if (form == FORM_TEXT) {
        return fh_rules_list(stdout, tables, num_tables);
    }
    int error = 0;
    for (size_t i = 0; i < num_tables && error == 0; i++) {
        error = fh_rules_markdown(stdout, &tables[i]);
    }
    return error;
}

static fh_exit print_named(rules_form form, const fh_rule_table *tables, size_t num_tables,
                           char **words)
{
    static fh_rule_table asked[MOST_ASKED];
    size_t num_asked = 0;
    for (; *words != NULL; words++) {
        const char *nearest = NULL;
        if (num_asked == MOST_ASKED) {
            return fh_usage_error("rules", "more than %d codes", MOST_ASKED);
        }
        if (!find_rule(&asked[num_asked++], &nearest, tables, num_tables, *words)) {
            return fh_usage_error("rules", "there is no rule '%s'; did you mean %s?",
                                  fh_safe_path(*words), nearest);
        }
    }
    return fh_flush_stdout(form == FORM_JSON ? fh_rules_json(stdout, asked, num_asked)
                                             : print_each(form, asked, num_asked));
}

fh_exit fh_cmd_rules(int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'}, {0}};
    rules_form form = FORM_TEXT;
    if (fh_wants_help(argc, argv)) {
        (void)fputs(help, stdout);
        return fh_flush_stdout(0);
    }
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:", options, NULL)) != -1;) {
        switch (c) {
        case 'F':
            if (!parse_form(&form, optarg)) {
                return fh_usage_error("rules", "--format is text, markdown or json, not '%s'",
                                      fh_safe_path(optarg));
            }
            break;
        default:
            return fh_option_error("rules", c, argv);
        }
    }
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    if (optind < argc) {
        return print_named(form, tables, num_tables, argv + optind);
    }
    return fh_flush_stdout(print_all(form, tables, num_tables));
}
