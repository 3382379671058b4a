#include "reports/commonest.h"

#include "reports/escape.h"
#include "reports/wrap.h"

#include <string.h>

void fh_commonest_add(fh_commonest *tally, const fh_rule *rule)
{
    if (tally->num > 0 && tally->each[tally->last].rule == rule) {
        tally->each[tally->last].num++;
        return;
    }
    for (size_t i = 0; i < tally->num; i++) {
        if (strcmp(tally->each[i].rule->code, rule->code) == 0) {
            tally->each[i].num++;
            tally->last = i;
            return;
        }
    }
    if (tally->num == FH_MAX_COMMONEST) {
        tally->num_others++;
        return;
    }
    tally->last = tally->num;
    tally->each[tally->num].rule = rule;
    tally->each[tally->num++].num = 1;
}

static bool is_mended(const fh_rule *rule, const fh_rule_table *tables, size_t num_tables)
{
    for (size_t i = 0; i < num_tables; i++) {
        if (fh_rule_is_mended(&tables[i], rule)) {
            return true;
        }
    }
    return false;
}

uint64_t fh_commonest_mended(const fh_commonest *tally, const fh_rule_table *tables,
                             size_t num_tables)
{
    uint64_t num = 0;
    for (size_t i = 0; i < tally->num; i++) {
        num += is_mended(tally->each[i].rule, tables, num_tables) ? tally->each[i].num : 0;
    }
    return num;
}

static bool comes_before(const fh_commonest *tally, size_t a, size_t b)
{
    if (tally->each[a].num != tally->each[b].num) {
        return tally->each[a].num > tally->each[b].num;
    }
    return strcmp(tally->each[a].rule->code, tally->each[b].rule->code) < 0;
}

/* The next one behind `last` in the order; tally->num: there is none. */
static size_t next(const fh_commonest *tally, size_t last)
{
    size_t best = tally->num;
    for (size_t i = 0; i < tally->num; i++) {
        const bool is_behind = last == tally->num || comes_before(tally, last, i);
        if (is_behind && (best == tally->num || comes_before(tally, i, best))) {
            best = i;
        }
    }
    return best;
}

static void explain(fh_out *out, const fh_rule *rule, uint64_t num)
{
    fh_out_str(out, "\n");
    fh_escape_text(out, rule->code);
    fh_out_str(out, " (");
    fh_out_count(out, num, "finding");
    fh_out_str(out, "): ");
    fh_escape_text(out, rule->title);
    fh_out_str(out, "\n");
    fh_wrap(out, "  ", rule->explanation);
    if (rule->mend != NULL && rule->mend[0] != '\0') {
        fh_wrap(out, "  help: ", rule->mend);
    }
}

void fh_commonest_explain(fh_out *out, const fh_commonest *tally, size_t most)
{
    size_t last = tally->num;
    for (size_t i = 0; i < most; i++) {
        const size_t index = next(tally, last);
        if (index == tally->num) {
            break;
        }
        explain(out, tally->each[index].rule, tally->each[index].num);
        last = index;
    }
    fh_out_str(out, "\nframehound rules CODE says more, with an example.\n");
}
