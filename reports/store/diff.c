/* Two databases compared: everything is worked out in temporary tables, while both may be read, and
 * told after that, so that no lock is held while somebody reads a report. */
#include "core/text.h"
#include "reports/store/store.h"
#include "store_impl.h"

#include <stdlib.h>
#include <string.h>

/* What makes two paths the same source. By name these are the last part of the path of its file and
 * what follows of members in it. */
static const char *key_of(const char *path, fh_match match)
{
    const char *key = path;
    if (match == FH_MATCH_PATH) {
        return path;
    }
    for (const char *at = path; *at != '\0' && strncmp(at, "!/", 2) != 0; at++) {
        if (*at == '/') {
            key = at + 1;
        }
    }
    return key;
}

/* fh_key(path, match) for SQL. */
static void sql_key(sqlite3_context *context, int num_args, sqlite3_value **args)
{
    const char *path = num_args == 2 ? (const char *)sqlite3_value_text(args[0]) : NULL;
    if (path == NULL) {
        sqlite3_result_null(context);
        return;
    }
    const fh_match match = sqlite3_value_int(args[1]) == 0 ? FH_MATCH_PATH : FH_MATCH_NAME;
    sqlite3_result_text(context, key_of(path, match), -1, SQLITE_TRANSIENT);
}

static fh_store_status add_key(fh_store *store)
{
    const int rc = sqlite3_create_function_v2(
        store->db, "fh_key", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL,
        sql_key, NULL, NULL, NULL);
    return rc == SQLITE_OK ? FH_STORE_OK : fh_store_fail_sqlite(store, rc);
}

/* Errors may be about either of the two. */
static fh_store_status name_both(fh_store *store, const char *a_path, const char *b_path)
{
    static const char between[] = " or ";
    const size_t size = strlen(a_path) + strlen(b_path) + sizeof between;
    char *both = malloc(size);
    if (both == NULL) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    fh_text text = fh_text_make(both, size);
    fh_text_str(fh_text_str(fh_text_str(&text, a_path), between), b_path);
    free(store->path);
    store->path = both;
    return FH_STORE_OK;
}

/* What was checked when b was opened by itself is asked again of what is attached. */
static fh_store_status attach(fh_store *store, const char *b_open_path)
{
    int64_t application_id = 0;
    int64_t version = 0;
    fh_call call = fh_call_make(store, FH_SQL_DIFF_ATTACH);
    fh_call_text(&call, b_open_path);
    if (fh_call_run(&call) != FH_STORE_OK ||
        fh_store_number(store, &application_id, "PRAGMA other.application_id") != FH_STORE_OK ||
        fh_store_number(store, &version, "PRAGMA other.user_version") != FH_STORE_OK) {
        return store->status;
    }
    if (application_id != FH_STORE_APPLICATION_ID) {
        return fh_store_fail(store, FH_STORE_NOT_OURS, "it has changed meanwhile");
    }
    return version > 0 && version <= FH_STORE_SCHEMA_VERSION
               ? FH_STORE_OK
               : fh_store_fail(store, FH_STORE_NEWER, "it has changed meanwhile");
}

static fh_store_status check_tables(fh_store *store)
{
    int64_t version = 0;
    if (fh_store_check_tables(store, "main", store->version) != FH_STORE_OK ||
        fh_store_number(store, &version, "PRAGMA other.user_version") != FH_STORE_OK ||
        fh_store_check_tables(store, "other", (uint32_t)version) != FH_STORE_OK ||
        fh_store_attached(store) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_share(store);
}

static fh_store_status run_with(fh_store *store, fh_sql sql, int64_t number)
{
    fh_call call = fh_call_make(store, sql);
    fh_call_number(&call, number);
    return fh_call_run(&call);
}

/* One state of both databases is what is compared: the transaction holds it. */
static fh_store_status compare(fh_store *store, fh_match match)
{
    static const fh_sql tell[] = {FH_SQL_DIFF_TELL, FH_SQL_DIFF_TELL_SOURCES,
                                  FH_SQL_DIFF_TELL_ASSETS, FH_SQL_DIFF_TELL_CODES,
                                  FH_SQL_DIFF_TELL_SOURCE_CODES};
    fh_store_status status = fh_store_exec(store, fh_sql_diff);
    if (status == FH_STORE_OK) {
        status = fh_store_exec(store, "BEGIN");
    }
    if (status == FH_STORE_OK) {
        status = check_tables(store);
    }
    if (status == FH_STORE_OK) {
        status = run_with(store, FH_SQL_DIFF_SOURCES, match);
    }
    if (status == FH_STORE_OK) {
        status = fh_store_run(store, FH_SQL_DIFF_ASSETS);
    }
    for (int64_t way = 0; way < 4 && status == FH_STORE_OK; way++) {
        status = run_with(store, FH_SQL_DIFF_PAIR, way);
    }
    for (size_t i = 0; i < sizeof tell / sizeof tell[0] && status == FH_STORE_OK; i++) {
        status = fh_store_run(store, tell[i]);
    }
    return status == FH_STORE_OK ? fh_store_run(store, FH_SQL_COMMIT) : status;
}

/* Columns of FH_SQL_DIFF_LIST. */
enum { CHANGE, A_PATH, B_PATH, FORMAT, A_ID, B_ID, A_RAW, B_RAW, ISO_PATH, CODE, A_VALUE, B_VALUE };

static const char *text_in(sqlite3_stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(stmt, column);
}

static int64_t number_in(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? FH_UNKNOWN
                                                            : sqlite3_column_int64(stmt, column);
}

static fh_difference difference_of(sqlite3_stmt *stmt)
{
    return (fh_difference){
        .change = (fh_change)sqlite3_column_int(stmt, CHANGE),
        .a_path = text_in(stmt, A_PATH),
        .b_path = text_in(stmt, B_PATH),
        .format = text_in(stmt, FORMAT),
        .a_id = number_in(stmt, A_ID),
        .b_id = number_in(stmt, B_ID),
        .a_raw_offset = number_in(stmt, A_RAW),
        .b_raw_offset = number_in(stmt, B_RAW),
        .iso_path = text_in(stmt, ISO_PATH),
        .code = text_in(stmt, CODE),
        .a_value = text_in(stmt, A_VALUE),
        .b_value = text_in(stmt, B_VALUE),
    };
}

static fh_store_status tell_rows(fh_store *store, void *user,
                                 bool (*take)(void *user, const fh_difference *difference))
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_DIFF_LIST);
    fh_store_status status = fh_call_row(&call, &has_row);
    while (has_row && status == FH_STORE_OK) {
        const fh_difference difference = difference_of(call.stmt);
        if (!take(user, &difference)) {
            break;
        }
        status = fh_call_row(&call, &has_row);
    }
    fh_call_end(&call);
    return status;
}

static fh_store_status open_both(fh_store **store, const char *a_path, const char *b_path,
                                 const fh_store_options *options, char *err, size_t err_size)
{
    fh_store *other = NULL;
    fh_store_status status = fh_store_open_ro(store, a_path, options, err, err_size);
    if (status != FH_STORE_OK) {
        return status;
    }
    status = fh_store_open_ro(&other, b_path, options, err, err_size);
    if (status != FH_STORE_OK) {
        fh_store_close(*store);
        *store = NULL;
        return status;
    }
    if (name_both(*store, a_path, b_path) == FH_STORE_OK && add_key(*store) == FH_STORE_OK) {
        status = attach(*store, other->open_path);
    } else {
        status = (*store)->status;
    }
    fh_store_close(other);
    return status;
}

fh_store_status fh_store_diff(const char *a_path, const char *b_path, fh_match match,
                              const fh_store_options *options, void *user,
                              bool (*take)(void *user, const fh_difference *difference), char *err,
                              size_t err_size)
{
    fh_store *store = NULL;
    fh_store_status status = open_both(&store, a_path, b_path, options, err, err_size);
    if (store == NULL) {
        return status;
    }
    if (status == FH_STORE_OK) {
        status = compare(store, match);
    }
    if (status == FH_STORE_OK) {
        status = tell_rows(store, user, take);
    }
    fh_text text = fh_text_make(err, err_size);
    fh_text_str(&text, fh_store_error(store));
    fh_store_close(store);
    return status;
}
