/* Scans that were broken off, and what they had got done. */
#include "store_impl.h"

#include <assert.h>

static fh_store_status run_with(fh_store *store, fh_sql sql, int64_t number)
{
    fh_call call = fh_call_make(store, sql);
    fh_call_number(&call, number);
    return fh_call_run(&call);
}

static fh_store_status demand(fh_store *store, const char *table, const char *column)
{
    return fh_store_has_table(store, "main", table, column)
               ? store->status
               : fh_store_fail(store, FH_STORE_CORRUPT, "its tables are not those of a scan");
}

/* Sees to it that there is the table of visits, and that it is one. */
static fh_store_status provide_visits(fh_store *store)
{
    return fh_store_exec(store, fh_sql_visits) == FH_STORE_OK ? demand(store, "visit", "stamp")
                                                              : store->status;
}

static fh_store_status provide_both(fh_store *store)
{
    return provide_visits(store) == FH_STORE_OK &&
                   fh_store_exec(store, fh_sql_wanted) == FH_STORE_OK
               ? demand(store, "wanted", "path")
               : store->status;
}

/* What went on with the scan becomes that scan. */
static fh_store_status fold(fh_store *store, int64_t into, int64_t scan_id)
{
    static const fh_sql folds[] = {FH_SQL_SCANS_FOLD_SOURCES, FH_SQL_SCANS_FOLD_VISITS,
                                   FH_SQL_SCANS_FOLD_WANTED, FH_SQL_SCANS_FOLD};
    for (size_t i = 0; i < sizeof folds / sizeof folds[0] && store->status == FH_STORE_OK; i++) {
        fh_call call = fh_call_make(store, folds[i]);
        fh_call_number(&call, into);
        fh_call_number(&call, scan_id);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

fh_store_status fh_store_fold(fh_store *store)
{
    return store->resumed_id == 0 || provide_both(store) != FH_STORE_OK
               ? store->status
               : fold(store, store->resumed_id, store->scan_id);
}

/* A table goes with its last row. */
static fh_store_status forget_visited(fh_store *store, int64_t scan_id)
{
    int64_t num = 0;
    return provide_visits(store) != FH_STORE_OK ||
                   run_with(store, FH_SQL_VISITS_DELETE, scan_id) != FH_STORE_OK ||
                   fh_store_number(store, &num, "SELECT count(*) FROM main.visit") != FH_STORE_OK ||
                   num > 0
               ? store->status
               : fh_store_exec(store, fh_sql_visits_tidy);
}

/* A scan that begins and ends in one transaction has noted nothing of what it was asked for. */
static fh_store_status forget_wanted(fh_store *store, int64_t scan_id)
{
    int64_t num = 0;
    return !fh_store_has_table(store, "main", "wanted", "path") ||
                   run_with(store, FH_SQL_WANTED_DELETE, scan_id) != FH_STORE_OK ||
                   fh_store_number(store, &num, "SELECT count(*) FROM main.wanted") !=
                       FH_STORE_OK ||
                   num > 0
               ? store->status
               : fh_store_exec(store, fh_sql_wanted_tidy);
}

fh_store_status fh_store_forget_visits(fh_store *store)
{
    const int64_t scan_id = store->resumed_id != 0 ? store->resumed_id : store->scan_id;
    return forget_visited(store, scan_id) == FH_STORE_OK ? forget_wanted(store, scan_id)
                                                         : store->status;
}

/* The first one behind another, whatever it searched; 0: there is none. */
static fh_store_status find_alike(fh_store *store, int64_t *id, const fh_scan_record *scan,
                                  int64_t behind)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_UNFINISHED_FIND);
    fh_call_text(&call, scan->tool_version);
    fh_call_text(&call, scan->ruleset_version);
    fh_call_text(&call, scan->options);
    fh_call_number(&call, behind);
    const fh_store_status status = fh_call_row(&call, &has_row);
    *id = has_row ? sqlite3_column_int64(call.stmt, 0) : 0;
    fh_call_end(&call);
    return status;
}

/* The first one behind another that was asked to search the same; 0: there is none. */
static fh_store_status find_unfinished(fh_store *store, int64_t *id, fh_resumed *resumed,
                                       const fh_scan_record *scan, int64_t behind)
{
    bool is_same = false;
    *id = behind;
    while (!is_same && find_alike(store, id, scan, *id) == FH_STORE_OK && *id != 0) {
        if (fh_store_is_wanted(store, &is_same, resumed, *id) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

static fh_store_status read_progress(fh_store *store, fh_resumed *resumed, int64_t id)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_RESUMED_PROGRESS);
    fh_call_number(&call, id);
    const fh_store_status status = fh_call_row(&call, &has_row);
    if (has_row) {
        resumed->was_complete = sqlite3_column_int(call.stmt, 0) != 0;
        resumed->num_visits = sqlite3_column_int64(call.stmt, 1);
        resumed->num_others = sqlite3_column_int64(call.stmt, 2);
    }
    fh_call_end(&call);
    return status;
}

static fh_store_status read_worst(fh_store *store, fh_resumed *resumed, int64_t id)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_RESUMED_WORST);
    fh_call_number(&call, id);
    const fh_store_status status = fh_call_row(&call, &has_row);
    if (has_row) {
        const int worst = sqlite3_column_int(call.stmt, 0);
        resumed->has_findings = worst > 0;
        resumed->worst = worst == 3 ? FH_ERROR : worst == 2 ? FH_WARNING : FH_NOTE;
        resumed->hit_limit = sqlite3_column_int(call.stmt, 1) != 0;
    }
    fh_call_end(&call);
    return status;
}

static fh_store_status find_other_part(fh_store *store, fh_resumed *resumed,
                                       const fh_scan_record *scan)
{
    fh_call call = fh_call_make(store, FH_SQL_UNFINISHED_OTHER_PART);
    fh_call_text(&call, scan->tool_version);
    fh_call_text(&call, scan->ruleset_version);
    fh_call_text(&call, scan->options != NULL ? scan->options : "");
    const fh_store_status status = fh_call_row(&call, &resumed->has_other_part);
    fh_call_end(&call);
    return status;
}

/* Of several that were broken off one after the other the first is the one. */
static fh_store_status fold_all(fh_store *store, int64_t *first, fh_resumed *resumed,
                                const fh_scan_record *scan)
{
    int64_t id = 0;
    fh_store_status status = find_unfinished(store, first, resumed, scan, 0);
    while (status == FH_STORE_OK && *first != 0) {
        status = find_unfinished(store, &id, resumed, scan, *first);
        if (status != FH_STORE_OK || id == 0) {
            break;
        }
        status = fold(store, *first, id);
    }
    return status;
}

/* Of a shard that was complete everything is searched anew, and has its place again. What is not
 * searched any more has none, by which merge knows it. */
static fh_store_status forget_places(fh_store *store, const fh_resumed *resumed)
{
    return resumed->was_complete && fh_store_has_table(store, "main", "shard_place", "place")
               ? fh_store_exec(store, fh_sql_places_clear)
               : store->status;
}

fh_store_status fh_store_resume(fh_store *store, fh_resumed *resumed, const fh_scan_record *scan)
{
    int64_t id = 0;
    *resumed = (fh_resumed){0};
    assert(!store->read_only && !store->is_scanning);
    if (store->is_new) { /* nothing was broken off in it */
        return store->status;
    }
    if (fh_store_begin_writing(store) != FH_STORE_OK || provide_both(store) != FH_STORE_OK ||
        fold_all(store, &id, resumed, scan) != FH_STORE_OK ||
        read_progress(store, resumed, id) != FH_STORE_OK) {
        return store->status;
    }
    if (id == 0 && find_other_part(store, resumed, scan) != FH_STORE_OK) {
        return store->status;
    }
    if ((resumed->has_other_sources || resumed->has_other_part) && id == 0) {
        return fh_store_run(store, FH_SQL_ROLLBACK);
    }
    resumed->has_other_sources = false;
    if ((id != 0 && read_worst(store, resumed, id) != FH_STORE_OK) ||
        (id != 0 && run_with(store, FH_SQL_SCAN_REOPEN, id) != FH_STORE_OK) ||
        forget_places(store, resumed) != FH_STORE_OK ||
        fh_store_finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    resumed->is_found = id != 0;
    store->resumed_id = id;
    return FH_STORE_OK;
}

fh_store_status fh_store_was_visited(fh_store *store, bool *was, const char *path, int64_t stamp)
{
    bool has_row = false;
    *was = false;
    if (store->resumed_id == 0) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_VISIT_FIND);
    fh_call_number(&call, store->resumed_id);
    fh_call_text(&call, path);
    const fh_store_status status = fh_call_row(&call, &has_row);
    *was = has_row && sqlite3_column_int64(call.stmt, 0) == stamp;
    fh_call_end(&call);
    return status;
}

fh_store_status fh_store_has_unfinished(fh_store *store, bool *has)
{
    fh_call call = fh_call_make(store, FH_SQL_UNFINISHED_ANY);
    const fh_store_status status = fh_call_row(&call, has);
    fh_call_end(&call);
    return status;
}
