/* The findings of a source as a table that SQLite reads: one statement puts all of them into the
 * database, at less than half the cost of one statement for each.
 *
 * The table is a function of a pointer, fh_finding(POINTER), so that no table of the database can
 * stand in its place, and nothing in the schema of a database can ask for it.
 */
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>

#define POINTER_KIND "fh_findings"

/* Columns of the function, in the order of those of the table, and what it is asked with. */
enum {
    ID,
    ASSET_ID,
    CODE,
    SEVERITY,
    RAW_OFFSET,
    ASSET_OFFSET,
    FRAME,
    OBJECT,
    MESSAGE,
    FIELD,
    FOUND,
    EXPECTED,
    ASKED
};
static const char columns[] =
    "CREATE TABLE x (id, asset_id, code, severity, raw_offset, asset_offset, frame, object,\n"
    "    message, field, found, expected, asked HIDDEN)";

typedef struct cursor {
    sqlite3_vtab_cursor base;
    fh_findings *of; /* borrowed */
    fh_parcel_reader reader;
    fh_parcel_item item;
    int64_t id;
    int64_t asset_id;
    bool is_at_end;
} cursor;

static int on_connect(sqlite3 *db, void *unused, int argc, const char *const *argv,
                      sqlite3_vtab **out, char **err)
{
    (void)unused;
    (void)argc;
    (void)argv;
    (void)err;
    const int rc = sqlite3_declare_vtab(db, columns);
    if (rc != SQLITE_OK) {
        return rc;
    }
    (void)sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    *out = sqlite3_malloc(sizeof **out);
    if (*out == NULL) {
        return SQLITE_NOMEM;
    }
    **out = (sqlite3_vtab){0};
    return SQLITE_OK;
}

static int on_disconnect(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

static int on_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn == ASKED && info->aConstraint[i].usable &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ) {
            info->aConstraintUsage[i].argvIndex = 1;
            info->aConstraintUsage[i].omit = 1;
            return SQLITE_OK;
        }
    }
    return SQLITE_CONSTRAINT;
}

static int on_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    cursor *at = calloc(1, sizeof *at);
    if (at == NULL) {
        return SQLITE_NOMEM;
    }
    *out = &at->base;
    return SQLITE_OK;
}

static void end_reading(cursor *at)
{
    if (at->of != NULL) {
        fh_parcel_read_end(&at->reader);
    }
}

static int on_close(sqlite3_vtab_cursor *base)
{
    cursor *at = (cursor *)base;
    end_reading(at);
    free(at);
    return SQLITE_OK;
}

/* The ids of the row that is reached. */
static int give_ids(cursor *at)
{
    fh_findings *of = at->of;
    of->num++;
    return of->give_id(of, &at->id, &at->asset_id, &at->item.finding) ? SQLITE_OK : SQLITE_ABORT;
}

static int on_next(sqlite3_vtab_cursor *base)
{
    cursor *at = (cursor *)base;
    while (at->reader.at < at->of->end && fh_parcel_next(&at->reader, &at->item)) {
        if (at->item.kind == FH_PARCEL_FINDING) {
            return give_ids(at);
        }
    }
    at->is_at_end = true;
    return fh_store_fail_parcel(at->of->store, at->reader.error) == FH_STORE_OK ? SQLITE_OK
                                                                                : SQLITE_ABORT;
}

static int on_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                     sqlite3_value **argv)
{
    (void)number;
    (void)text;
    cursor *at = (cursor *)base;
    end_reading(at);
    at->of = argc == 1 ? sqlite3_value_pointer(argv[0], POINTER_KIND) : NULL;
    at->is_at_end = at->of == NULL;
    if (at->of == NULL) {
        return SQLITE_OK;
    }
    at->reader = fh_parcel_read(&at->of->store->gathered, at->of->begin);
    return on_next(base);
}

static int on_eof(sqlite3_vtab_cursor *base)
{
    return ((const cursor *)base)->is_at_end ? 1 : 0;
}

static void give_number(sqlite3_context *to, int64_t number)
{
    if (number != FH_UNKNOWN) { /* else it is NULL, as it begins */
        sqlite3_result_int64(to, number);
    }
}

/* Texts live until the cursor moves on, which is when SQLite has put them into the row. */
static void give_text(sqlite3_context *to, const char *text)
{
    sqlite3_result_text(to, text, -1, SQLITE_STATIC);
}

static void give_words(sqlite3_context *to, const fh_finding_record *finding, int column)
{
    const char *const texts[] = {
        [CODE] = finding->rule->code, [SEVERITY] = fh_severity_name(finding->severity),
        [MESSAGE] = finding->message, [FIELD] = finding->field,
        [FOUND] = finding->found,     [EXPECTED] = finding->expected};
    if (column > ASSET_ID && column < ASKED) {
        give_text(to, texts[column]);
    }
}

static int on_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
    const cursor *at = (const cursor *)base;
    const fh_finding_record *finding = &at->item.finding;
    const int64_t numbers[] = {[ID] = at->id,
                               [ASSET_ID] = at->asset_id,
                               [RAW_OFFSET] = finding->raw_offset,
                               [ASSET_OFFSET] = finding->asset_offset,
                               [FRAME] = finding->frame,
                               [OBJECT] = finding->object};
    const bool is_number = column <= ASSET_ID || (column >= RAW_OFFSET && column <= OBJECT);
    if (is_number) {
        give_number(to, numbers[column]);
    } else {
        give_words(to, finding, column);
    }
    return SQLITE_OK;
}

static int on_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = ((const cursor *)base)->id;
    return SQLITE_OK;
}

fh_store_status fh_store_offer_findings(fh_store *store)
{
    static const sqlite3_module module = {.iVersion = 0,
                                          .xConnect = on_connect,
                                          .xBestIndex = on_best_index,
                                          .xDisconnect = on_disconnect,
                                          .xOpen = on_open,
                                          .xClose = on_close,
                                          .xFilter = on_filter,
                                          .xNext = on_next,
                                          .xEof = on_eof,
                                          .xColumn = on_column,
                                          .xRowid = on_rowid};
    const int rc = sqlite3_create_module_v2(store->db, "fh_finding", &module, NULL, NULL);
    return rc == SQLITE_OK ? store->status : fh_store_fail_sqlite(store, rc);
}

void fh_call_findings(fh_call *call, fh_findings *findings)
{
    call->index++;
    if (call->stmt != NULL && call->rc == SQLITE_OK) {
        call->rc = sqlite3_bind_pointer(call->stmt, call->index, findings, POINTER_KIND, NULL);
    }
}
