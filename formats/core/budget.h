/* The budget: work units that every loop over input pays from.
 *
 * It is proportional to the bytes at hand (limits.h), so that work is linear in the input whatever
 * the input says about itself. A spent budget stops the work with FH_LIMIT and a finding.
 */
#ifndef FH_CORE_BUDGET_H
#define FH_CORE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
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

/* fh_budget_lend is what there is to spend with up to `wanted` units of a reserve besides, of which
 * there is enough if it is NULL. */
static inline fh_budget fh_budget_lend(const fh_budget *budget, const fh_budget *reserve,
                                       uint64_t wanted)
{
    const uint64_t most = reserve != NULL && reserve->left < wanted ? reserve->left : wanted;
    return (fh_budget){budget->left + most};
}

/* fh_budget_book takes what was spent of it from the budget, and from the reserve what lies beyond.
 */
static inline void fh_budget_book(fh_budget *budget, fh_budget *reserve, uint64_t spent)
{
    const uint64_t own = spent < budget->left ? spent : budget->left;
    budget->left -= own;
    if (reserve != NULL) {
        const uint64_t beyond = spent - own;
        reserve->left -= beyond < reserve->left ? beyond : reserve->left;
    }
}

#endif
