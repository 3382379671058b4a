/* Names and tables: what the library says without a context. */
#include "tell.h"

#include "registry/registry.h"

const char *framehound_version(void)
{
    return FRAMEHOUND_VERSION;
}

uint32_t framehound_ruleset(void)
{
    return fh_ruleset();
}

static const char *name_of(const char *const *names, size_t num, unsigned value)
{
    return value < num ? names[value] : "unknown";
}

#define NAME_OF(names, value)                                                                      \
    name_of((names), sizeof(names) / sizeof((names)[0]), (unsigned)(value))

const char *framehound_status_name(framehound_status status)
{
    static const char *const names[] = {"ok",      "no asset",   "stopped",   "limit",
                                        "partial", "unreadable", "no memory", "misuse"};
    return NAME_OF(names, status);
}

const char *framehound_severity_name(framehound_severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return NAME_OF(names, severity);
}

const char *framehound_grade_name(framehound_grade grade)
{
    static const char *const names[] = {"candidate", "structure", "references", "replayed"};
    return NAME_OF(names, grade);
}

const char *framehound_replay_name(framehound_replay replay)
{
    static const char *const names[] = {"none",  "complete", "assumed",
                                        "still", "broken",   "stopped"};
    return NAME_OF(names, replay);
}

int framehound_formats(int (*each)(void *user, const framehound_format *format), void *user)
{
    int answer = 0;
    for (size_t i = 0; i < fh_num_formats && answer == 0; i++) {
        const framehound_format told = fh_public_format(fh_formats[i]);
        answer = each(user, &told);
    }
    return answer;
}

int framehound_rules(int (*each)(void *user, const framehound_rule *rule), void *user)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num = fh_rule_tables(tables);
    int answer = 0;
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < tables[i].num_rules && answer == 0; k++) {
            const fh_rule *rule = &tables[i].rules[k];
            const framehound_rule told = {.code = rule->code,
                                          .format = tables[i].format,
                                          .severity = (framehound_severity)rule->severity,
                                          .title = rule->title,
                                          .explanation = rule->explanation,
                                          .source = rule->source,
                                          .mend = rule->mend};
            answer = each(user, &told);
        }
    }
    return answer;
}
