/* Opening: whose file it is, is found out before SQLite may touch it. */
#include "core/text.h"
#include "store_impl.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is looked at of a file: the header of the SQLite file format (100 bytes, big-endian) and
 * the header of the first page, which is the root of the table of tables. */
#define HEADER_LEN 112u
#define WRITE_VERSION_OFF 18u
#define USER_VERSION_OFF 60u
#define APPLICATION_ID_OFF 68u
#define ROOT_TYPE_OFF 100u
#define ROOT_CELLS_OFF 103u

/* And of its journal. */
#define JOURNAL_LEN 20u
#define JOURNAL_PAGES_OFF 16u

#define ROLLBACK_JOURNAL 1u /* write version */
#define LEAF_TABLE 0x0du    /* page type */

/* Between two looks at a lock, at most: long enough to cost nothing, and not felt. */
#define MOST_BUSY_STEP_MS 50

/* So long a lock is waited for even by who is to stop: what is recorded last says that it was
 * stopped, and other scans of the same database hold the lock for milliseconds. */
#define BUSY_GRACE_MS 1000

/* Steps of SQLite's machine, which does some 10 million a second. They are counted by so many. */
#define STEPS_BETWEEN_QUESTIONS 10000

typedef enum file_kind {
    FILE_MISSING,
    FILE_EMPTY, /* no bytes, or a database without tables */
    FILE_OURS
} file_kind;

static uint32_t be32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* A database in WAL mode may have its tables in another file, and so is never taken for empty. */
static bool has_no_tables(const unsigned char *header)
{
    return header[WRITE_VERSION_OFF] == ROLLBACK_JOURNAL && header[ROOT_TYPE_OFF] == LEAF_TABLE &&
           header[ROOT_CELLS_OFF] == 0 && header[ROOT_CELLS_OFF + 1] == 0;
}

static fh_store_status fail_application(fh_store *store, uint32_t application_id)
{
    char buf[40];
    fh_text detail = fh_text_make(buf, sizeof buf);
    fh_text_hex(fh_text_str(&detail, "application id "), application_id, 1);
    return fh_store_fail(store, FH_STORE_NOT_OURS, detail.buf);
}

static fh_store_status judge_version(fh_store *store, uint32_t version)
{
    char buf[80];
    fh_text detail = fh_text_make(buf, sizeof buf);
    fh_text_u64(fh_text_str(&detail, "schema "), version);
    fh_text_u64(fh_text_str(&detail, ", this one knows "), FH_STORE_SCHEMA_VERSION);
    if (version > FH_STORE_SCHEMA_VERSION) {
        return fh_store_fail(store, FH_STORE_NEWER, detail.buf);
    }
    if (version == 0) {
        return fh_store_fail(store, FH_STORE_CORRUPT, detail.buf); /* there was never a schema 0 */
    }
    store->version = version;
    return FH_STORE_OK;
}

/* Of a journal the first bytes: its magic, how many pages are in it, a number for its sums, and how
 * many pages the database had before. */
static bool is_of_empty(const unsigned char *journal)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    return memcmp(journal, magic, sizeof magic) == 0 && be32(journal + JOURNAL_PAGES_OFF) == 0;
}

static bool has_journal_of_empty(const fh_store *store)
{
    static const char ending[] = "-journal";
    unsigned char journal[JOURNAL_LEN];
    const size_t len = strlen(store->open_path);
    char *path = malloc(len + sizeof ending);
    if (path == NULL) {
        return false;
    }
    memcpy(path, store->open_path, len);
    memcpy(path + len, ending, sizeof ending);
    FILE *file = fopen(path, "rbe");
    const bool is_read = file != NULL && fread(journal, sizeof journal, 1, file) == 1;
    if (file != NULL) {
        (void)fclose(file);
    }
    free(path);
    return is_read && is_of_empty(journal);
}

/* A first transaction that does not fit into memory writes later pages before the first one. If it
 * is killed then, there is no header, but a journal, by which SQLite makes the file empty again. */
static bool was_begun(const fh_store *store, const unsigned char *header)
{
    static const unsigned char nothing[HEADER_LEN];
    return memcmp(header, nothing, HEADER_LEN) == 0 && has_journal_of_empty(store);
}

static fh_store_status judge_header(fh_store *store, file_kind *kind, const unsigned char *header)
{
    static const char magic[16] = "SQLite format 3";
    if (was_begun(store, header)) {
        *kind = FILE_EMPTY;
        return FH_STORE_OK;
    }
    if (memcmp(header, magic, sizeof magic) != 0) {
        return fh_store_fail(store, FH_STORE_NOT_OURS, "no SQLite file");
    }
    uint32_t application_id = be32(header + APPLICATION_ID_OFF);
    if (application_id == FH_STORE_APPLICATION_ID) {
        *kind = FILE_OURS;
        return judge_version(store, be32(header + USER_VERSION_OFF));
    }
    if (application_id == 0 && has_no_tables(header)) {
        *kind = FILE_EMPTY;
        return FH_STORE_OK;
    }
    return fail_application(store, application_id);
}

/* read_header goes through SQLite's own file, though without its locks: a plain close of a second
 * descriptor would drop the locks of any other store that this process has on the file. A read
 * behind the end yields zeros. */
static fh_store_status read_header(fh_store *store, unsigned char *header)
{
    sqlite3_file *file = NULL;
    int rc = sqlite3_open_v2(store->open_path, &store->db, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    }
    if (rc == SQLITE_OK) {
        rc = file->pMethods->xRead(file, header, HEADER_LEN, 0);
    }
    if (rc == SQLITE_IOERR_SHORT_READ) {
        rc = SQLITE_OK;
    }
    if (rc != SQLITE_OK) {
        fh_store_fail_sqlite(store, rc);
    }
    (void)sqlite3_close(store->db);
    store->db = NULL;
    return store->status;
}

static fh_store_status inspect(fh_store *store, file_kind *kind)
{
    struct stat st;
    if (stat(store->open_path, &st) != 0) {
        *kind = FILE_MISSING;
        return errno == ENOENT ? FH_STORE_OK
                               : fh_store_fail(store, FH_STORE_CANNOT_OPEN, strerror(errno));
    }
    if (!S_ISREG(st.st_mode)) {
        return fh_store_fail(store, FH_STORE_CANNOT_OPEN, "it is no regular file");
    }
    if (st.st_size == 0) {
        *kind = FILE_EMPTY;
        return FH_STORE_OK;
    }
    unsigned char header[HEADER_LEN] = {0};
    fh_store_status status = read_header(store, header);
    return status == FH_STORE_OK ? judge_header(store, kind, header) : status;
}

/* SQLite calls this as long as another program has the lock; 0: it is to give up. Its own timeout
 * would not notice that the user has enough. */
static int on_busy(void *user, int num_tries)
{
    fh_store *store = user;
    store->waited_ms = num_tries == 0 ? 0 : store->waited_ms;
    const int left = store->busy_ms - store->waited_ms;
    const bool may_stop = store->waited_ms >= BUSY_GRACE_MS;
    const int step = num_tries < MOST_BUSY_STEP_MS ? num_tries + 1 : MOST_BUSY_STEP_MS;
    if (left <= 0 || (may_stop && store->stop(store->stop_user))) {
        return 0;
    }
    store->waited_ms += step < left ? step : left;
    (void)sqlite3_sleep(step < left ? step : left);
    return 1;
}

static int on_progress(void *user)
{
    fh_store *store = user;
    store->steps_left -= STEPS_BETWEEN_QUESTIONS;
    store->is_spent = store->is_spent || store->steps_left < 0;
    return store->is_spent || store->stop(store->stop_user) ? 1 : 0;
}

static fh_store_status add_len(fh_store *store, const char *num_pages, const char *page_len)
{
    int64_t num = 0;
    int64_t len = 0;
    if (fh_store_number(store, &num, num_pages) != FH_STORE_OK ||
        fh_store_number(store, &len, page_len) != FH_STORE_OK) {
        return store->status;
    }
    /* SQLite allows less than 2^32 pages of at most 64 KiB. */
    store->len += num >= 0 && num < (int64_t)1 << 32 && len > 0 && len <= 1 << 16 ? num * len : 0;
    return FH_STORE_OK;
}

fh_store_status fh_store_attached(fh_store *store)
{
    return add_len(store, "PRAGMA other.page_count", "PRAGMA other.page_size");
}

fh_store_status fh_store_share(fh_store *store)
{
    const int64_t most = (INT64_MAX - FH_STORE_STEPS_FLOOR) / FH_STORE_STEPS_PER_BYTE;
    store->steps_left =
        FH_STORE_STEPS_FLOOR + FH_STORE_STEPS_PER_BYTE * (store->len < most ? store->len : most);
    return store->status;
}

void fh_store_ask(fh_store *store)
{
    const int64_t more = FH_STORE_STEPS_OF_ASK(store->len);
    store->steps_left = store->steps_left < INT64_MAX - more ? store->steps_left + more : INT64_MAX;
}

static fh_store_status connect(fh_store *store, int flags)
{
    int rc = sqlite3_open_v2(store->open_path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK) {
        return fh_store_fail_sqlite(store, rc);
    }
    (void)sqlite3_extended_result_codes(store->db, 1);
    (void)sqlite3_busy_handler(store->db, on_busy, store);
    if (store->read_only) { /* who writes ends what is begun: it takes milliseconds */
        sqlite3_progress_handler(store->db, STEPS_BETWEEN_QUESTIONS, on_progress, store);
        (void)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, FH_STORE_MAX_VALUE);
    }
    /* A trigger in our database is for others (schema.c), or not ours. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (!store->read_only && sqlite3_db_readonly(store->db, "main") == 1) {
        return fh_store_fail(store, FH_STORE_READ_ONLY, "no leave to write to it");
    }
    return fh_store_exec(store, fh_sql_configure);
}

/* identify asks again under SQLite's locks: the file may have changed since it was looked at. */
static fh_store_status identify(fh_store *store)
{
    int64_t application_id = 0;
    int64_t version = 0;
    if (fh_store_number(store, &application_id, "PRAGMA main.application_id") != FH_STORE_OK ||
        fh_store_number(store, &version, "PRAGMA main.user_version") != FH_STORE_OK) {
        return store->status;
    }
    if (application_id != FH_STORE_APPLICATION_ID) {
        return fail_application(store, (uint32_t)application_id);
    }
    return judge_version(store, (uint32_t)version);
}

/* A column of each table, by which it is known that there is a table and no view. */
static const struct known_table {
    const char *name;
    const char *column;
    uint32_t since; /* schema */
} known_tables[] = {{"scan", "status", 1},     {"source", "status", 1},  {"asset", "grade", 1},
                    {"finding", "message", 1}, {"rule", "title", 1},     {"replay", "status", 1},
                    {"piece", "length", 2},    {"coverage", "claim", 2}, {"tally", "grade", 4},
                    {"overall", "number", 5}};

#define NUM_KNOWN (sizeof known_tables / sizeof known_tables[0])

/* Tables that are there as long as a scan is not at its end, and those of shards. */
static const char *const passing_tables[] = {"visit", "wanted", "shard_place", "shard_asked"};

#define NUM_PASSING (sizeof passing_tables / sizeof passing_tables[0])

static fh_store_status fail_tables(fh_store *store)
{
    return fh_store_fail(store, FH_STORE_CORRUPT, "its tables are not those of a scan");
}

/* SQLite looks in what it has read of the schema, which no row of its table of tables can belie,
 * and prepares no view for it. */
bool fh_store_has_table(fh_store *store, const char *schema, const char *table, const char *column)
{
    return sqlite3_table_column_metadata(store->db, schema, table, column, NULL, NULL, NULL, NULL,
                                         NULL) == SQLITE_OK;
}

bool fh_store_yields_row(fh_store *store, fh_sql sql, const char *first, const char *second)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, sql);
    fh_call_text(&call, first);
    if (second != NULL) {
        fh_call_text(&call, second);
    }
    const fh_store_status status = fh_call_row(&call, &has_row);
    fh_call_end(&call);
    return status == FH_STORE_OK && has_row;
}

static fh_store_status check_columns(fh_store *store, const char *schema)
{
    for (size_t i = 0; i < NUM_KNOWN + NUM_PASSING && store->status == FH_STORE_OK; i++) {
        const char *table = i < NUM_KNOWN ? known_tables[i].name : passing_tables[i - NUM_KNOWN];
        if (fh_store_yields_row(store, FH_SQL_COMPUTED_COLUMNS, table, schema)) {
            return fail_tables(store);
        }
    }
    return store->status;
}

fh_store_status fh_store_check_tables(fh_store *store, const char *schema, uint32_t version)
{
    for (size_t i = 0; i < NUM_KNOWN; i++) {
        const struct known_table *known = &known_tables[i];
        if (store->status == FH_STORE_OK && version >= known->since &&
            !fh_store_has_table(store, schema, known->name, known->column)) {
            const int rc = sqlite3_errcode(store->db);
            return rc == SQLITE_ERROR || rc == SQLITE_OK ? fail_tables(store)
                                                         : fh_store_fail_sqlite(store, rc);
        }
    }
    return store->status == FH_STORE_OK ? check_columns(store, schema) : store->status;
}

/* create makes the tables, unless another process was faster: who waits for the lock here finds
 * the finished database behind it. */
static fh_store_status create(fh_store *store)
{
    bool is_late = false;
    if (fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK ||
        fh_store_create(store, &is_late) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_run(store, is_late ? FH_SQL_ROLLBACK : FH_SQL_COMMIT);
}

/* upgrade adds what an earlier schema had not, in place of views of the same names that it had,
 * unless another process was faster. */
static fh_store_status upgrade(fh_store *store)
{
    if (store->version == FH_STORE_SCHEMA_VERSION ||
        fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK || identify(store) != FH_STORE_OK) {
        return store->status;
    }
    if (store->version == FH_STORE_SCHEMA_VERSION) {
        return fh_store_run(store, FH_SQL_ROLLBACK);
    }
    if ((store->version == 1 && fh_store_exec(store, fh_sql_upgrade_1) != FH_STORE_OK) ||
        (store->version <= 2 && fh_store_exec(store, fh_sql_upgrade_2) != FH_STORE_OK) ||
        fh_store_exec(store, fh_sql_views_drop) != FH_STORE_OK ||
        (store->version <= 3 && fh_store_exec(store, fh_sql_upgrade_3) != FH_STORE_OK) ||
        fh_store_exec(store, fh_sql_upgrade_4) != FH_STORE_OK ||
        fh_store_exec(store, fh_sql_views) != FH_STORE_OK) {
        return store->status;
    }
    store->version = FH_STORE_SCHEMA_VERSION;
    return fh_store_run(store, FH_SQL_COMMIT);
}

fh_store_status fh_store_look_at_database(fh_store *store)
{
    if (identify(store) != FH_STORE_OK ||
        fh_store_check_tables(store, "main", store->version) != FH_STORE_OK ||
        upgrade(store) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_check_own(store);
}

/* A database whose first transaction was killed at its end had a header, and is empty now: SQLite
 * has taken back what was there. */
static fh_store_status look_again(fh_store *store, file_kind *kind)
{
    int64_t num_pages = 0;
    if (*kind == FILE_OURS &&
        fh_store_number(store, &num_pages, "PRAGMA main.page_count") == FH_STORE_OK &&
        num_pages == 0) {
        *kind = FILE_EMPTY;
    }
    return store->status;
}

static fh_store_status open_for_writing(fh_store *store, file_kind kind)
{
    fh_store_status status = connect(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (status == FH_STORE_OK) {
        status = look_again(store, &kind);
    }
    if (status == FH_STORE_OK) {
        status = fh_store_offer_findings(store);
    }
    if (status == FH_STORE_OK && kind != FILE_OURS && store->defers) {
        return fh_store_be_new(store);
    }
    if (status == FH_STORE_OK && kind != FILE_OURS) {
        status = create(store);
    }
    return status == FH_STORE_OK ? fh_store_look_at_database(store) : status;
}

static fh_store_status open_for_reading(fh_store *store, file_kind kind)
{
    if (kind == FILE_MISSING) {
        return fh_store_fail(store, FH_STORE_CANNOT_OPEN, strerror(ENOENT));
    }
    if (kind == FILE_EMPTY) {
        return fh_store_fail(store, FH_STORE_NOT_OURS, "it is empty");
    }
    store->steps_left = FH_STORE_STEPS_FLOOR;
    if (connect(store, SQLITE_OPEN_READONLY) != FH_STORE_OK || identify(store) != FH_STORE_OK ||
        fh_store_check_tables(store, "main", store->version) != FH_STORE_OK ||
        add_len(store, "PRAGMA main.page_count", "PRAGMA main.page_size") != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_share(store);
}

/* file_path returns path in a form that SQLite takes for a file: ":memory:", "file:..." and the
 * empty name mean something else to it. Owned by the caller. */
static char *file_path(const char *path)
{
    static const char here[] = "./";
    size_t lead = path[0] == '/' ? 0 : sizeof here - 1;
    size_t size = strlen(path) + 1;
    char *whole = malloc(lead + size);
    if (whole != NULL) {
        memcpy(whole, here, lead);
        memcpy(whole + lead, path, size);
    }
    return whole;
}

static bool never(void *unused)
{
    (void)unused;
    return false;
}

static fh_store *store_make(const char *path, const fh_store_options *options, bool read_only)
{
    fh_store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return NULL;
    }
    store->path = strdup(path);
    store->open_path = file_path(path);
    store->busy_ms = options != NULL && options->busy_ms > 0 ? options->busy_ms : FH_STORE_BUSY_MS;
    store->max_group = options != NULL && options->max_group > 0 ? options->max_group : 1;
    store->group_ms = options != NULL ? options->group_ms : 0;
    store->gathered = fh_parcel_make((size_t)FH_STORE_MAX_GATHERED);
    store->place = FH_UNKNOWN;
    store->defers = options != NULL && options->defers;
    store->stop = options != NULL && options->stop != NULL ? options->stop : never;
    store->stop_user = options != NULL ? options->stop_user : NULL;
    store->read_only = read_only;
    if (store->path == NULL || store->open_path == NULL) {
        fh_store_close(store);
        return NULL;
    }
    return store;
}

/* disconnect finalizes first: SQLite keeps a connection that has statements. */
static void disconnect(fh_store *store)
{
    for (size_t i = 0; i < FH_SQL_COUNT; i++) {
        (void)sqlite3_finalize(store->stmts[i]);
        store->stmts[i] = NULL;
    }
    int rc = sqlite3_close(store->db);
    assert(rc == SQLITE_OK);
    (void)rc;
    store->db = NULL;
}

/* remove_leftover takes away the file without bytes that a failed creation left behind. While
 * another process holds the lock, it is about to become that one's database. */
static void remove_leftover(const char *path, fh_store_status status)
{
    struct stat st;
    if (status != FH_STORE_LOCKED && stat(path, &st) == 0 && st.st_size == 0) {
        (void)unlink(path);
    }
}

static fh_store_status open_store(fh_store *store)
{
    file_kind kind = FILE_MISSING;
    if (inspect(store, &kind) != FH_STORE_OK) {
        return store->status;
    }
    if (store->read_only) {
        return open_for_reading(store, kind);
    }
    store->is_made = kind == FILE_MISSING;
    return open_for_writing(store, kind);
}

static fh_store_status open_or_tell(fh_store **out, const char *path,
                                    const fh_store_options *options, bool read_only, char *err,
                                    size_t err_size)
{
    assert(path != NULL && err_size >= 4);
    err[0] = '\0';
    *out = NULL;
    /* Nobody asks SQLite how much memory it has in use; counting it costs 3 % of a big scan. It is
     * refused once SQLite is in use, and no harm then. */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    fh_store *store = store_make(path, options, read_only);
    if (store == NULL) {
        fh_text text = fh_text_make(err, err_size);
        fh_text_str(&text, "not enough memory to open a database: close other programs");
        return FH_STORE_NO_MEMORY;
    }
    fh_store_status status = open_store(store);
    if (status == FH_STORE_OK) {
        *out = store;
        return FH_STORE_OK;
    }
    fh_text text = fh_text_make(err, err_size);
    fh_text_str(&text, store->error);
    fh_store_close(store);
    return status;
}

fh_store_status fh_store_open(fh_store **store, const char *path, const fh_store_options *options,
                              char *err, size_t err_size)
{
    return open_or_tell(store, path, options, false, err, err_size);
}

fh_store_status fh_store_open_ro(fh_store **store, const char *path,
                                 const fh_store_options *options, char *err, size_t err_size)
{
    return open_or_tell(store, path, options, true, err, err_size);
}

void fh_store_close(fh_store *store)
{
    if (store == NULL) {
        return;
    }
    disconnect(store);
    if (store->is_made) {
        remove_leftover(store->open_path, store->status);
    }
    free(store->path);
    free(store->open_path);
    free(store->other_source);
    fh_parcel_free(&store->gathered);
    fh_store_forget_beginning(store);
    free(store);
}
