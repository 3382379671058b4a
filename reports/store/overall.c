/* What is kept of all sources: which bytes and motions are there more than once, and how often each
 * rule has fired. Nobody has to go through all rows for it then, and whoever adds or removes a
 * source changes what the source has a part in, in the same transaction. */
#include "store_impl.h"

static bool is_kept(fh_store *store)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_OVERALL_IS_KEPT);
    const fh_store_status status = fh_call_row(&call, &has_row);
    fh_call_end(&call);
    return status == FH_STORE_OK && has_row;
}

/* By the rows alone, so that it is the same for the same rows however they came about. */
static bool is_worth_it(fh_store *store)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_OVERALL_IS_WORTH_IT);
    fh_call_number(&call, FH_STORE_MIN_OVERALL);
    const fh_store_status status = fh_call_row(&call, &has_row);
    fh_call_end(&call);
    return status == FH_STORE_OK && has_row;
}

fh_store_status fh_overall_fill(fh_store *store)
{
    const bool was_kept = is_kept(store);
    if (!was_kept && !is_worth_it(store)) {
        return store->status;
    }
    if (!was_kept && fh_store_exec(store, fh_sql_overall_fill) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_exec(store, fh_sql_overall_indexes);
}

static fh_store_status run_if_kept(fh_store *store, int64_t source_id, const fh_sql *sqls,
                                   size_t num_sqls)
{
    if (!is_kept(store) || fh_store_make_indexes(store) != FH_STORE_OK) {
        return store->status;
    }
    for (size_t i = 0; i < num_sqls && store->status == FH_STORE_OK; i++) {
        fh_call call = fh_call_make(store, sqls[i]);
        fh_call_number(&call, source_id);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

fh_store_status fh_overall_leave(fh_store *store, int64_t source_id)
{
    static const fh_sql leaves[] = {FH_SQL_BYTES_LEAVE,  FH_SQL_BYTES_TIDY,  FH_SQL_MOTIONS_LEAVE,
                                    FH_SQL_MOTIONS_TIDY, FH_SQL_RULES_LEAVE, FH_SQL_RULES_TIDY};
    return run_if_kept(store, source_id, leaves, sizeof leaves / sizeof leaves[0]);
}

/* What has a row already comes first: what is added is counted with all. */
fh_store_status fh_overall_join(fh_store *store, int64_t source_id)
{
    static const fh_sql joins[] = {FH_SQL_BYTES_JOIN, FH_SQL_BYTES_ADD, FH_SQL_MOTIONS_JOIN,
                                   FH_SQL_MOTIONS_ADD, FH_SQL_RULES_JOIN};
    return run_if_kept(store, source_id, joins, sizeof joins / sizeof joins[0]);
}
