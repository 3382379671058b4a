#include "core/report.h"

#include "core/limits.h"

#include <assert.h>

fh_status fh_reporter_open(fh_reporter *reporter, fh_arena *arena, const fh_sink *sink,
                           const fh_rule *rules, size_t num_rules)
{
    uint32_t *counts = fh_arena_alloc(arena, num_rules, sizeof *counts);
    if (counts == NULL) {
        return FH_NO_MEMORY;
    }
    *reporter = (fh_reporter){sink, rules, num_rules, counts};
    return FH_OK;
}

static void pass_on(const fh_reporter *reporter, const fh_finding *finding)
{
    if (reporter->sink->finding != NULL) {
        reporter->sink->finding(reporter->sink->user, finding);
    }
}

void fh_reporter_tell(fh_reporter *reporter, const fh_finding *finding)
{
    const size_t rule = (size_t)(finding->rule - reporter->rules);
    assert(rule < reporter->num_rules);
    if (reporter->counts[rule] < UINT32_MAX) {
        reporter->counts[rule]++;
    }
    if (reporter->sink->tells_all || reporter->counts[rule] <= FH_MAX_FINDINGS_PER_RULE) {
        pass_on(reporter, finding);
    }
}

bool fh_reporter_is_full(const fh_reporter *reporter, size_t rule)
{
    assert(rule < reporter->num_rules);
    return !reporter->sink->tells_all && reporter->counts[rule] >= FH_MAX_FINDINGS_PER_RULE;
}

uint32_t fh_reporter_count(const fh_reporter *reporter, size_t rule)
{
    assert(rule < reporter->num_rules);
    return reporter->counts[rule];
}

bool fh_reporter_has_errors(const fh_reporter *reporter)
{
    for (size_t i = 0; i < reporter->num_rules; i++) {
        if (reporter->rules[i].severity == FH_ERROR && reporter->counts[i] > 0) {
            return true;
        }
    }
    return false;
}

void fh_reporter_close(fh_reporter *reporter)
{
    for (size_t i = 0; i < reporter->num_rules; i++) {
        if (reporter->sink->tells_all || reporter->counts[i] <= FH_MAX_FINDINGS_PER_RULE) {
            continue;
        }
        fh_finding more = fh_finding_make(&reporter->rules[i], "number of further findings");
        fh_text found = fh_text_make(more.found, sizeof more.found);
        fh_text_u64(&found, reporter->counts[i] - FH_MAX_FINDINGS_PER_RULE);
        fh_text_str(&found, ", not listed");
        pass_on(reporter, &more);
        reporter->counts[i] = 0;
    }
}
