/* The rules that findings break: counted, so that the commonest are known, and those that can be
 * mended.
 *
 * It is bounded by the number of rules there are; rules are told apart by their codes. It owns
 * nothing and borrows the rules it has met.
 */
#ifndef FH_REPORTS_COMMONEST_H
#define FH_REPORTS_COMMONEST_H

#include "core/rules.h"
#include "reports/out.h"

#include <stddef.h>
#include <stdint.h>

/* More rules than there are. Findings of any further one are counted together. */
#define FH_MAX_COMMONEST 1024u

typedef struct fh_commonest {
    struct {
        const fh_rule *rule;
        uint64_t num;
    } each[FH_MAX_COMMONEST];
    size_t num;
    size_t last; /* the one that was met last: findings of a rule come in a row */
    uint64_t num_others;
} fh_commonest;

/* fh_commonest_add counts a finding. */
void fh_commonest_add(fh_commonest *tally, const fh_rule *rule);

/* fh_commonest_mended returns how many findings are of rules that check --fix mends. */
uint64_t fh_commonest_mended(const fh_commonest *tally, const fh_rule_table *tables,
                             size_t num_tables);

/* fh_commonest_explain writes what the `most` commonest rules mean and how to mend them; of as many
 * findings the one of the smaller code first. */
void fh_commonest_explain(fh_out *out, const fh_commonest *tally, size_t most);

#endif
