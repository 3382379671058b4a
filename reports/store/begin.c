/* Beginning: new databases, and scans. Both wait for the first sources if that is asked for, so
 * that a small scan is one transaction: one costs some ten milliseconds for the disk alone. */
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- databases ------------------------------------------------------------------------------- */

fh_store_status fh_store_be_new(fh_store *store)
{
    store->is_new = true;
    store->is_bulk = true;
    store->is_rash = true;
    return fh_store_exec(store, fh_sql_rash);
}

/* The table of tables is locked but for this (open.c). */
static void open_schema(fh_store *store, int is_open)
{
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, !is_open, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, is_open, NULL);
}

/* Views are rows of the table of tables and nothing else. CREATE VIEW for all of them is three
 * tenths of what a small scan costs; so they are put there, as it would write them. This connection
 * does not know them then, and needs none of them. */
static fh_store_status put_views(fh_store *store)
{
    open_schema(store, 1);
    for (const fh_view *view = fh_views; view->name != NULL; view++) {
        fh_call call = fh_call_make(store, FH_SQL_VIEW_PUT);
        fh_call_text(&call, view->name);
        fh_call_text(&call, view->query);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    open_schema(store, 0);
    return store->status;
}

fh_store_status fh_store_create(fh_store *store, bool *is_late)
{
    int64_t num_entries = 0;
    *is_late = false;
    if (fh_store_number(store, &num_entries, "SELECT count(*) FROM main.sqlite_schema") !=
        FH_STORE_OK) {
        return store->status;
    }
    *is_late = num_entries > 0;
    if (*is_late || fh_store_exec(store, fh_sql_schema) != FH_STORE_OK) {
        return store->status;
    }
    return put_views(store);
}

/* Somebody else has made the database meanwhile, and may have rows there. */
static fh_store_status join(fh_store *store)
{
    store->is_bulk = false;
    store->is_rash = false;
    if (fh_store_run(store, FH_SQL_ROLLBACK) != FH_STORE_OK ||
        fh_store_exec(store, fh_sql_careful) != FH_STORE_OK ||
        fh_store_exec(store, fh_sql_checking) != FH_STORE_OK ||
        fh_store_look_at_database(store) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_run(store, FH_SQL_BEGIN);
}

static fh_store_status found(fh_store *store)
{
    bool is_late = false;
    if (!store->is_new || fh_store_create(store, &is_late) != FH_STORE_OK) {
        return store->status;
    }
    store->is_new = false;
    store->version = FH_STORE_SCHEMA_VERSION;
    return is_late ? join(store) : FH_STORE_OK;
}

fh_store_status fh_store_end_bulk(fh_store *store)
{
    if (!store->is_bulk) {
        return store->status;
    }
    store->is_bulk = false;
    if (fh_store_finish_transaction(store) != FH_STORE_OK ||
        fh_store_exec(store, fh_sql_checking) != FH_STORE_OK) {
        return store->status;
    }
    store->has_visits = false;
    return fh_store_run(store, FH_SQL_BEGIN);
}

/* ---- scans ----------------------------------------------------------------------------------- */

static fh_call call_of_rule(fh_store *store, fh_sql sql, const char *format, const fh_rule *rule)
{
    fh_call call = fh_call_make(store, sql);
    fh_call_text(&call, rule->code);
    fh_call_text(&call, format);
    fh_call_text(&call, fh_severity_name(rule->severity));
    fh_call_text(&call, rule->title);
    fh_call_text(&call, rule->explanation);
    return call;
}

/* A rule that stands in the database as it is would be written anew by each scan, and to check its
 * severity SQLite opens a table in memory. */
static fh_store_status put_rule(fh_store *store, const char *format, const fh_rule *rule)
{
    bool is_there = false;
    if (!store->is_bulk) {
        fh_call same = call_of_rule(store, FH_SQL_RULE_SAME, format, rule);
        const fh_store_status status = fh_call_row(&same, &is_there);
        fh_call_end(&same);
        if (is_there || status != FH_STORE_OK) {
            return status;
        }
    }
    fh_call call = call_of_rule(store, FH_SQL_RULE_PUT, format, rule);
    return fh_call_run(&call);
}

static fh_store_status put_rules(fh_store *store, const fh_rule_table *table)
{
    for (size_t i = 0; i < table->num_rules; i++) {
        if (put_rule(store, table->format, &table->rules[i]) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

static fh_store_status put_scan(fh_store *store, const fh_beginning *from)
{
    fh_call call = fh_call_make(store, FH_SQL_SCAN_PUT);
    fh_call_text(&call, from->tool_version);
    fh_call_text(&call, from->ruleset_version);
    fh_call_text(&call, from->options);
    fh_call_number(&call, from->began_at);
    if (fh_call_run(&call) == FH_STORE_OK) {
        store->scan_id = sqlite3_last_insert_rowid(store->db);
    }
    return store->status;
}

static fh_store_status put_places(fh_store *store)
{
    if (fh_store_exec(store, fh_sql_places) != FH_STORE_OK ||
        fh_store_put_asked(store) != FH_STORE_OK || store->resumed_id != 0) {
        return store->status;
    }
    return fh_store_exec(store, fh_sql_places_clear);
}

static fh_store_status put_beginning(fh_store *store)
{
    fh_beginning *from = &store->beginning;
    if (!from->waits) {
        return store->status;
    }
    from->waits = false;
    (void)put_scan(store, from);
    for (size_t i = 0; i < from->num_tables && store->status == FH_STORE_OK; i++) {
        (void)put_rules(store, &from->tables[i]);
    }
    return from->keeps_places && store->status == FH_STORE_OK ? put_places(store) : store->status;
}

fh_store_status fh_store_begin_writing(fh_store *store)
{
    store->has_visits = false;
    return fh_store_run(store, FH_SQL_BEGIN) == FH_STORE_OK && found(store) == FH_STORE_OK
               ? put_beginning(store)
               : store->status;
}

void fh_store_forget_beginning(fh_store *store)
{
    free(store->beginning.tool_version);
    free(store->beginning.ruleset_version);
    free(store->beginning.options);
    store->beginning = (fh_beginning){.waits = false};
}

static bool keep(char **out, const char *text)
{
    *out = text == NULL ? NULL : strdup(text);
    return text == NULL || *out != NULL;
}

fh_store_status fh_store_begin_scan(fh_store *store, const char *tool_version,
                                    const char *ruleset_version, const char *options,
                                    const fh_rule_table *tables, size_t num_tables)
{
    fh_beginning *to = &store->beginning;
    const bool keeps_places = to->keeps_places;
    assert(!store->read_only && !store->is_scanning && num_tables <= FH_STORE_MAX_RULE_TABLES);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    fh_store_forget_beginning(store);
    *to = (fh_beginning){.waits = true,
                         .began_at = (int64_t)time(NULL), /* it may be written much later */
                         .num_tables = num_tables,
                         .keeps_places = keeps_places};
    for (size_t i = 0; i < num_tables; i++) {
        to->tables[i] = tables[i];
    }
    if (!keep(&to->tool_version, tool_version) || !keep(&to->ruleset_version, ruleset_version) ||
        !keep(&to->options, options)) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    if (!store->defers && (fh_store_begin_writing(store) != FH_STORE_OK ||
                           fh_store_finish_transaction(store) != FH_STORE_OK)) {
        return store->status;
    }
    store->is_scanning = true;
    return FH_STORE_OK;
}

fh_store_status fh_store_keep_places(fh_store *store)
{
    store->beginning.keeps_places = true;
    return store->status;
}

void fh_store_set_place(fh_store *store, int64_t place)
{
    store->place = place;
}
