/* Whether the database that is to be written to is one that was made here, to the letter: SQLite
 * keeps the text of each table as it was given, and reads no other. */
#include "store_impl.h"

static sqlite3 *make_model(int *rc)
{
    sqlite3 *model = NULL;
    *rc = sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL);
    *rc = *rc == SQLITE_OK ? sqlite3_exec(model, fh_sql_schema, NULL, NULL, NULL) : *rc;
    *rc = *rc == SQLITE_OK ? sqlite3_exec(model, fh_sql_visits, NULL, NULL, NULL) : *rc;
    *rc = *rc == SQLITE_OK ? sqlite3_exec(model, fh_sql_wanted, NULL, NULL, NULL) : *rc;
    *rc = *rc == SQLITE_OK ? sqlite3_exec(model, fh_sql_places, NULL, NULL, NULL) : *rc;
    *rc = *rc == SQLITE_OK ? sqlite3_exec(model, fh_sql_asked, NULL, NULL, NULL) : *rc;
    return model;
}

/* Tables that only are there at times may be missing; that the others are not was looked at. */
static bool is_own(fh_store *store, const char *table, const char *column, const char *sql)
{
    return !fh_store_has_table(store, "main", table, column) ||
           (fh_store_yields_row(store, FH_SQL_TABLE_IS, table, sql) &&
            !fh_store_yields_row(store, FH_SQL_COMPUTED_INDEXES, table, NULL));
}

static int compare(fh_store *store, sqlite3_stmt *tables)
{
    int rc = SQLITE_ROW;
    while (store->status == FH_STORE_OK && (rc = sqlite3_step(tables)) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(tables, 0);
        const char *sql = (const char *)sqlite3_column_text(tables, 1);
        const char *column = (const char *)sqlite3_column_text(tables, 2);
        if (table == NULL || sql == NULL || column == NULL) {
            return SQLITE_NOMEM;
        }
        if (!is_own(store, table, column, sql) && store->status == FH_STORE_OK) {
            (void)fh_store_fail(store, FH_STORE_CORRUPT, "its tables are not those of a scan");
        }
    }
    return rc;
}

fh_store_status fh_store_check_own(fh_store *store)
{
    sqlite3_stmt *tables = NULL;
    int rc = SQLITE_OK;
    sqlite3 *model = make_model(&rc);
    if (rc == SQLITE_OK) {
        rc = sqlite3_prepare_v2(model, fh_sql_texts[FH_SQL_MODEL_TABLES], -1, &tables, NULL);
    }
    if (rc == SQLITE_OK) {
        rc = compare(store, tables);
    }
    (void)sqlite3_finalize(tables);
    (void)sqlite3_close(model);
    return rc == SQLITE_ROW || rc == SQLITE_DONE || store->status != FH_STORE_OK
               ? store->status
               : fh_store_fail_sqlite(store, rc);
}
