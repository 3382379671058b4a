#include "hunt/rulebook.h"

#include "hunt/run_rules.h"
#include "registry/registry.h"
#include "source/image_rules.h"

#include <string.h>

size_t fh_rule_tables(fh_rule_table out[FH_MAX_RULE_TABLES])
{
    size_t num = 0;
    for (size_t i = 0; i < fh_num_formats && num < FH_MAX_RULE_TABLES - 2; i++) {
        const fh_format *format = fh_formats[i];
        out[num++] = (fh_rule_table){format->name, format->rules, format->num_rules, format->mends,
                                     format->num_mends};
    }
    out[num++] = fh_image_rules;
    out[num++] = fh_run_rules;
    return num;
}

const fh_rule *fh_rule_find(const char *code)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num = fh_rule_tables(tables);
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            if (strcmp(tables[i].rules[k].code, code) == 0) {
                return &tables[i].rules[k];
            }
        }
    }
    return NULL;
}

static uint32_t add_to_fingerprint(uint32_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * 16777619u; /* FNV-1a */
    }
    return hash;
}

uint32_t fh_ruleset(void)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num = fh_rule_tables(tables);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            const fh_rule *rule = &tables[i].rules[k];
            hash = add_to_fingerprint(hash, rule->code);
            hash = add_to_fingerprint(hash, fh_severity_name(rule->severity));
            hash = add_to_fingerprint(hash, rule->title);
            hash = add_to_fingerprint(hash, rule->explanation);
        }
    }
    return hash;
}
