#include "reports/rules_text.h"

#include "reports/escape.h"
#include "reports/rule_fixtures.h"
#include "reports/wrap.h"

#include <stdbool.h>
#include <string.h>

#define INDENT ((size_t)2)

int fh_rules_list(FILE *file, const fh_rule_table *tables, size_t num_tables)
{
    fh_out out = fh_out_make(file);
    for (size_t t = 0; t < num_tables; t++) {
        for (size_t i = 0; i < tables[t].num_rules; i++) {
            const fh_rule *rule = &tables[t].rules[i];
            fh_out_fmt(&out, "%-8s %-8s %s\n", rule->code, fh_severity_name(rule->severity),
                       rule->title);
        }
    }
    return fh_out_end(&out);
}

static void put_section(fh_out *out, const char *heading, const char *str)
{
    if (str == NULL || str[0] == '\0') {
        return;
    }
    fh_out_fmt(out, "\n%s\n", heading);
    fh_wrap(out, "  ", str);
}

/* put_indented writes the lines of a text as they are, behind some spaces. */
static void put_indented(fh_out *out, const char *str, int indent)
{
    while (*str != '\0') {
        const size_t len = strcspn(str, "\n");
        fh_out_fmt(out, "%*s%.*s\n", len == 0 ? 0 : indent, "", (int)len, str);
        str += len + (str[len] == '\n' ? 1 : 0);
    }
}

static void put_example(fh_out *out, const fh_rule_fixtures *of)
{
    if (of == NULL) {
        return;
    }
    if (of->description == NULL) {
        put_section(out, "Example", "Only a test can break this rule:");
        put_indented(out, of->bad[0], 4);
        return;
    }
    put_section(out, "Example", of->prose);
    fh_out_fmt(out, "\n  %s\n\n", of->bad[0]);
    put_indented(out, of->description, 4);
    fh_out_str(out, "\n  Said of it\n\n");
    put_indented(out, of->report, 4);
}

/* Some breaches of a rule leave no second way to mend them, others do. */
static const char program[] = "framehound check --fix ";
static const char mended[] = "framehound check --fix mends this where there is only one way to.";

int fh_rules_explain(FILE *file, const fh_rule_table *table, size_t index)
{
    fh_out out = fh_out_make(file);
    const fh_rule *rule = &table->rules[index];
    fh_out_fmt(&out, "%s (%s): %s\n", rule->code, fh_severity_name(rule->severity), rule->title);
    put_section(&out, "What it means", rule->explanation);
    put_section(&out, "Where the rule comes from", rule->source);
    put_section(&out, "What to do", rule->mend);
    if (fh_rule_is_mended(table, rule)) {
        fh_out_fmt(&out, "\n%*s%s\n", (int)INDENT, "", mended);
    }
    put_example(&out, fh_rule_fixtures_of(rule->code));
    return fh_out_end(&out);
}

/* put_markdown writes plain text, in which nothing may turn into markup. */
static void put_markdown(fh_out *out, const char *str)
{
    for (; *str != '\0'; str++) {
        if (strchr("\\`*_<>[]#|", *str) != NULL) {
            fh_out_str(out, "\\");
        }
        fh_out_bytes(out, str, 1);
    }
}

static void put_markdown_item(fh_out *out, const char *heading, const char *str)
{
    if (str == NULL || str[0] == '\0') {
        return;
    }
    fh_out_fmt(out, "\n%s", heading);
    put_markdown(out, str);
    fh_out_str(out, "\n");
}

static void put_markdown_example(fh_out *out, const fh_rule_fixtures *of)
{
    if (of == NULL) {
        return;
    }
    if (of->description == NULL) {
        fh_out_fmt(out, "\nExample: only a test can break this rule (`%s`).\n", of->bad[0]);
        return;
    }
    put_markdown_item(out, "Example: ", of->prose);
    fh_out_fmt(out, "\n`%s`\n\n", of->bad[0]);
    put_indented(out, of->description, 4);
    fh_out_str(out, "\nSaid of it:\n\n");
    put_indented(out, of->report, 4);
}

int fh_rules_markdown(FILE *file, const fh_rule_table *table)
{
    fh_out out = fh_out_make(file);
    fh_out_str(&out, "# Rules: ");
    put_markdown(&out, table->format);
    fh_out_str(&out, "\n");
    for (size_t i = 0; i < table->num_rules; i++) {
        const fh_rule *rule = &table->rules[i];
        fh_out_fmt(&out, "\n## %s\n\n**", rule->code);
        put_markdown(&out, rule->title);
        fh_out_fmt(&out, "** (%s)\n", fh_severity_name(rule->severity));
        put_markdown_item(&out, "", rule->explanation);
        put_markdown_item(&out, "What to do: ", rule->mend);
        put_markdown_item(&out, "Source: ", rule->source);
        if (fh_rule_is_mended(table, rule)) {
            fh_out_fmt(&out, "\n`framehound check --fix` %s\n", mended + strlen(program));
        }
        put_markdown_example(&out, fh_rule_fixtures_of(rule->code));
    }
    return fh_out_end(&out);
}

static void put_member(fh_out *out, const char *name, const char *str)
{
    fh_out_fmt(out, "\"%s\": ", name);
    fh_escape_json(out, str);
}

static void put_json_example(fh_out *out, const fh_rule_fixtures *of)
{
    if (of == NULL || of->description == NULL) {
        fh_out_str(out, ", \"example\": null");
        return;
    }
    fh_out_str(out, ", \"example\": {");
    put_member(out, "fixture", of->bad[0]);
    fh_out_str(out, ", ");
    put_member(out, "prose", of->prose);
    fh_out_str(out, ", ");
    put_member(out, "description", of->description);
    fh_out_str(out, ", ");
    put_member(out, "report", of->report);
    fh_out_str(out, "}");
}

static void put_json_rule(fh_out *out, const fh_rule_table *table, const fh_rule *rule)
{
    const struct {
        const char *name;
        const char *str;
    } members[] = {
        {"code", rule->code},
        {"format", table->format},
        {"severity", fh_severity_name(rule->severity)},
        {"title", rule->title},
        {"explanation", rule->explanation},
        {"source", rule->source},
        {"mend", rule->mend},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        fh_out_str(out, i == 0 ? "{" : ", ");
        put_member(out, members[i].name, members[i].str);
    }
    fh_out_fmt(out, ", \"fix\": %s", fh_rule_is_mended(table, rule) ? "true" : "false");
    put_json_example(out, fh_rule_fixtures_of(rule->code));
    fh_out_str(out, "}");
}

int fh_rules_json(FILE *file, const fh_rule_table *tables, size_t num_tables)
{
    fh_out out = fh_out_make(file);
    const char *lead = "[\n";
    for (size_t t = 0; t < num_tables; t++) {
        for (size_t i = 0; i < tables[t].num_rules; i++) {
            fh_out_str(&out, lead);
            put_json_rule(&out, &tables[t], &tables[t].rules[i]);
            lead = ",\n";
        }
    }
    fh_out_str(&out, lead[0] == '[' ? "[]\n" : "\n]\n");
    return fh_out_end(&out);
}
