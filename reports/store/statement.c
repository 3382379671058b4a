/* Statements: preparing them once, giving them values, running them. */
#include "store_impl.h"

#include <assert.h>
#include <errno.h>

fh_store_status fh_store_exec(fh_store *store, const char *script)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    errno = 0; /* so that fh_store_fail_sqlite sees no older one */
    int rc = sqlite3_exec(store->db, script, NULL, NULL, NULL);
    return rc == SQLITE_OK ? FH_STORE_OK : fh_store_fail_sqlite(store, rc);
}

fh_store_status fh_store_number(fh_store *store, int64_t *number, const char *query)
{
    *number = 0;
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(store->db, query, -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(stmt);
    }
    if (rc != SQLITE_ROW) {
        fh_store_fail_sqlite(store, rc);
    } else {
        *number = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_finalize(stmt);
    return store->status;
}

fh_call fh_call_make(fh_store *store, fh_sql sql)
{
    assert(sql < FH_SQL_COUNT);
    fh_call call = {.store = store, .stmt = NULL, .index = 0, .rc = SQLITE_OK};
    if (store->status != FH_STORE_OK) {
        return call;
    }
    sqlite3_stmt **slot = &store->stmts[sql];
    if (*slot == NULL) {
        call.rc = sqlite3_prepare_v3(store->db, fh_sql_texts[sql], -1, SQLITE_PREPARE_PERSISTENT,
                                     slot, NULL);
    }
    call.stmt = *slot;
    return call;
}

/* note keeps the first failure of a call. */
static void note(fh_call *call, int rc)
{
    if (call->rc == SQLITE_OK) {
        call->rc = rc;
    }
}

void fh_call_text(fh_call *call, const char *text)
{
    call->index++;
    if (call->stmt != NULL) {
        note(call, sqlite3_bind_text(call->stmt, call->index, text, -1, SQLITE_STATIC));
    }
}

void fh_call_number(fh_call *call, int64_t number)
{
    call->index++;
    if (call->stmt == NULL) {
        return;
    }
    if (number == FH_UNKNOWN) {
        note(call, sqlite3_bind_null(call->stmt, call->index));
    } else {
        note(call, sqlite3_bind_int64(call->stmt, call->index, number));
    }
}

void fh_call_value(fh_call *call, sqlite3_value *value)
{
    call->index++;
    if (call->stmt != NULL) {
        note(call, sqlite3_bind_value(call->stmt, call->index, value));
    }
}

void fh_call_hash(fh_call *call, const uint8_t *sha256)
{
    if (sha256 == NULL) {
        fh_call_text(call, NULL);
        return;
    }
    char hex[2 * FH_SHA256_LEN];
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        hex[2 * i] = "0123456789abcdef"[sha256[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[sha256[i] & 0xf];
    }
    call->index++;
    if (call->stmt != NULL) {
        note(call,
             sqlite3_bind_text(call->stmt, call->index, hex, (int)sizeof hex, SQLITE_TRANSIENT));
    }
}

fh_store_status fh_call_row(fh_call *call, bool *has_row)
{
    *has_row = false;
    if (call->store->status != FH_STORE_OK) {
        return call->store->status;
    }
    if (call->rc == SQLITE_OK || call->rc == SQLITE_ROW) {
        assert(call->index == sqlite3_bind_parameter_count(call->stmt));
        errno = 0; /* so that fh_store_fail_sqlite sees no older one */
        call->rc = sqlite3_step(call->stmt);
    }
    if (call->rc != SQLITE_ROW && call->rc != SQLITE_DONE) {
        return fh_store_fail_sqlite(call->store, call->rc);
    }
    *has_row = call->rc == SQLITE_ROW;
    return FH_STORE_OK;
}

void fh_call_end(fh_call *call)
{
    if (call->stmt != NULL) {
        (void)sqlite3_reset(call->stmt); /* says again what step said */
        (void)sqlite3_clear_bindings(call->stmt);
    }
}

fh_store_status fh_call_run(fh_call *call)
{
    bool has_row = false;
    fh_store_status status = fh_call_row(call, &has_row);
    fh_call_end(call);
    return status;
}

fh_store_status fh_store_run(fh_store *store, fh_sql sql)
{
    fh_call call = fh_call_make(store, sql);
    return fh_call_run(&call);
}
