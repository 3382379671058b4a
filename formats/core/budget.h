/* The budget: work units that every loop over input pays from.
 *
 * It is proportional to the bytes at hand (limits.h), so that work is linear in the input whatever
 * the input says about itself. A spent budget stops the work with FH_LIMIT and a finding.
 */
#ifndef FH_CORE_BUDGET_H
#define FH_CORE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fh_budget {
    uint64_t left;
} fh_budget;

/* fh_pay takes units from the budget; false, and an empty budget, when there are not enough. */
static inline bool fh_pay(fh_budget *budget, uint64_t units)
{
    if (budget->left < units) {
        budget->left = 0;
        return false;
    }
    budget->left -= units;
    return true;
}

#endif
