#include "reports/escape.h"
#include "reports/rule_fixtures.h"
#include "reports/rules_text.h"

typedef void put_list(fh_out *out, const char *kind, const char *const *names);

static size_t count(const char *const *names)
{
    size_t num = 0;
    while (names[num] != NULL) {
        num++;
    }
    return num;
}

static void put_lines(fh_out *out, const char *kind, const char *const *names)
{
    for (; *names != NULL; names++) {
        fh_out_fmt(out, "  %-4s  %s\n", kind, *names);
    }
}

static void put_items(fh_out *out, const char *kind, const char *const *names)
{
    for (; *names != NULL; names++) {
        fh_out_fmt(out, "- %s: `%s`\n", kind, *names);
    }
}

/* One rule behind the other; its code stands between lead and behind. */
static void put_rules(fh_out *out, const fh_rule_table *table, const char *lead, const char *behind,
                      put_list *list)
{
    for (size_t i = 0; i < table->num_rules; i++) {
        const fh_rule *rule = &table->rules[i];
        const fh_rule_fixtures *of = fh_rule_fixtures_of(rule->code);
        fh_out_fmt(out, "%s%s%s", lead, rule->code, behind);
        if (of != NULL) {
            list(out, "bad", of->bad);
            list(out, "good", of->good);
        }
    }
}

typedef struct sums {
    size_t bad;
    size_t good;
} sums;

static sums sums_of(const fh_rule_table *table)
{
    sums num = {0};
    for (size_t i = 0; i < table->num_rules; i++) {
        const fh_rule_fixtures *of = fh_rule_fixtures_of(table->rules[i].code);
        num.bad += of == NULL ? 0 : count(of->bad);
        num.good += of == NULL ? 0 : count(of->good);
    }
    return num;
}

int fh_coverage_text(FILE *file, const fh_rule_table *tables, size_t num_tables)
{
    fh_out out = fh_out_make(file);
    for (size_t t = 0; t < num_tables; t++) {
        put_rules(&out, &tables[t], "", "\n", put_lines);
    }
    for (size_t t = 0; t < num_tables; t++) {
        const sums num = sums_of(&tables[t]);
        fh_out_fmt(&out, "%s: %zu rules, %zu inputs that break one, %zu that do not\n",
                   tables[t].format, tables[t].num_rules, num.bad, num.good);
    }
    return fh_out_end(&out);
}

int fh_coverage_markdown(FILE *file, const fh_rule_table *tables, size_t num_tables)
{
    fh_out out = fh_out_make(file);
    fh_out_str(&out,
               "# Fixtures of the rules\n\n| rules of | rules | bad | good |\n|---|---|---|---|\n");
    for (size_t t = 0; t < num_tables; t++) {
        const sums num = sums_of(&tables[t]);
        fh_out_fmt(&out, "| %s | %zu | %zu | %zu |\n", tables[t].format, tables[t].num_rules,
                   num.bad, num.good);
    }
    for (size_t t = 0; t < num_tables; t++) {
        put_rules(&out, &tables[t], "\n## ", "\n\n", put_items);
    }
    return fh_out_end(&out);
}

static void put_array(fh_out *out, const char *kind, const char *const *names)
{
    fh_out_fmt(out, ", \"%s\": [", kind);
    for (size_t i = 0; names[i] != NULL; i++) {
        fh_out_str(out, i == 0 ? "" : ", ");
        fh_escape_json(out, names[i]);
    }
    fh_out_str(out, "]");
}

int fh_coverage_json(FILE *file, const fh_rule_table *tables, size_t num_tables)
{
    fh_out out = fh_out_make(file);
    const char *lead = "[\n";
    for (size_t t = 0; t < num_tables; t++) {
        for (size_t i = 0; i < tables[t].num_rules; i++) {
            const fh_rule *rule = &tables[t].rules[i];
            const fh_rule_fixtures *of = fh_rule_fixtures_of(rule->code);
            fh_out_fmt(&out, "%s{\"code\": \"%s\", \"format\": \"%s\"", lead, rule->code,
                       tables[t].format);
            if (of != NULL) {
                put_array(&out, "bad", of->bad);
                put_array(&out, "good", of->good);
            }
            fh_out_str(&out, "}");
            lead = ",\n";
        }
    }
    fh_out_str(&out, lead[0] == '[' ? "[]\n" : "\n]\n");
    return fh_out_end(&out);
}
