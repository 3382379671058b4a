/* Files that the store refuses: the right status, a text that helps, and not a byte changed. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(store_open, .fini = remove_dir);

static const fh_store_options impatient = {.busy_ms = 50};

typedef fh_store_status opener(fh_store **, const char *, const fh_store_options *, char *, size_t);

static void expect_refusal(opener *open_store, const char *path, fh_store_status status,
                           const char *what, const char *mend)
{
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN] = "";
    cr_expect(eq(int, open_store(&store, path, &impatient, err, sizeof err), status), "%s", err);
    cr_expect(eq(ptr, store, NULL));
    cr_expect(strstr(err, path) != NULL, "no path in: %s", err);
    cr_expect(strstr(err, what) != NULL, "not \"%s\" in: %s", what, err);
    cr_expect(strstr(err, mend) != NULL, "not \"%s\" in: %s", mend, err);
}

/* A file that stands alone in its directory is refused for writing and reading, and after that
 * it is what it was, and still alone. */
static void expect_untouched(const char *path, fh_store_status status, const char *what)
{
    blob before = slurp(path);
    expect_refusal(fh_store_open, path, status, what, "choose another file with -o");
    expect_refusal(fh_store_open_ro, path, status, what, "framehound");
    cr_assert(same(before, slurp(path)));
    cr_assert(eq(sz, num_files(), 1));
}

Test(store_open, text_file)
{
    const char *path = in_dir("notes.txt");
    spill(path, "Dear diary\n", 11);
    expect_untouched(path, FH_STORE_NOT_OURS, "is not a framehound database (no SQLite file)");
}

Test(store_open, file_that_begins_like_a_database)
{
    const char *path = in_dir("short.db");
    spill(path, "SQLite format 3", 16);
    expect_untouched(path, FH_STORE_NOT_OURS, "is not a framehound database");
}

Test(store_open, database_of_another_program)
{
    const char *path = in_dir("other.db");
    run(path, "PRAGMA application_id = 0x1234; CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    expect_untouched(path, FH_STORE_NOT_OURS, "(application id 0x1234)");
}

Test(store_open, database_of_nobody_in_particular)
{
    const char *path = in_dir("other.db");
    run(path, "CREATE TABLE t (x)");
    expect_untouched(path, FH_STORE_NOT_OURS, "is not a framehound database (application id 0x0)");
}

Test(store_open, foreign_database_in_wal_mode_gets_no_files_beside_it)
{
    const char *path = in_dir("wal.db");
    run(path, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
    expect_untouched(path, FH_STORE_NOT_OURS, "(application id 0x0)");
}

Test(store_open, what_wal_mode_may_hide_is_not_taken_for_empty)
{
    const char *path = in_dir("wal.db");
    run(path, "PRAGMA journal_mode = WAL");
    expect_untouched(path, FH_STORE_NOT_OURS, "(application id 0x0)");
}

Test(store_open, newer_database)
{
    const char *path = in_dir("newer.db");
    scan(path, "a.bin", 1, 1);
    run(path, "PRAGMA user_version = 7");
    blob before = slurp(path);
    const char *what = "was made by a newer framehound (schema 7, this one knows 5)";
    expect_refusal(fh_store_open, path, FH_STORE_NEWER, what,
                   "update framehound or choose another file with -o");
    expect_refusal(fh_store_open_ro, path, FH_STORE_NEWER, what, "update framehound");
    cr_assert(same(before, slurp(path)));
}

/* A database as schema 1 was: it can be read, and the first scan into it brings it up to date. */
Test(store_open, earlier_database)
{
    const char *path = in_dir("earlier.db");
    scan(path, "a.bin", 1, 1);
    run(path,
        "DROP TABLE piece; DROP VIEW v_same_motion; DROP VIEW v_coverage; DROP TABLE coverage; "
        "DROP VIEW v_summary; DROP VIEW v_grades; DROP TABLE tally;" DROP_OVERALL
        "PRAGMA user_version = 1");
    blob before = slurp(path);
    fh_store *store = NULL;
    char error[FH_STORE_ERROR_LEN];
    fh_stored_asset asset;
    cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK));
    cr_assert(eq(sz, asset.num_pieces, 0));
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
    cr_assert(same(before, slurp(path)));
    scan(path, "b.bin", 1, 1);
    EXPECT_ROWS(path, "PRAGMA user_version", "5\n");
    EXPECT_ROWS(path, "SELECT count(*) FROM piece", "0\n");
    EXPECT_ROWS(path, "SELECT count(*) FROM v_same_motion", "0\n");
    EXPECT_ROWS(path, "SELECT count(*) FROM v_coverage", "0\n");
    EXPECT_ROWS(path, "SELECT count(*) FROM source", "2\n");
    EXPECT_ROWS(path, "SELECT sum(assets) FROM v_summary", "2\n");
}

/* As schema 2 was: its views were others and fewer, and its indexes had other columns. */
Test(store_open, database_of_schema_2)
{
    const char *path = in_dir("two.db");
    const char *fresh = in_dir("fresh.db");
    const char *schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    scan(path, "a.bin", 1, 1);
    drop_views(path);
    run(path, "CREATE VIEW v_assets AS SELECT id FROM asset; DROP INDEX asset_sha256;"
              "CREATE INDEX asset_sha256 ON asset (sha256); DROP INDEX asset_length;"
              "DROP TABLE tally;" DROP_OVERALL "PRAGMA user_version = 2");
    scan(path, "b.bin", 1, 1);
    scan(fresh, "a.bin", 1, 1);
    char *as_new = rows(fresh, schema);
    EXPECT_ROWS(path, schema, as_new);
    EXPECT_ROWS(path, "SELECT count(*) FROM v_assets", "2\n");
    free(as_new);
}

static bool on_source(void *user, const fh_source_record *source)
{
    (void)user;
    return source->path != NULL;
}

static bool on_run(void *user, const fh_coverage_record *run)
{
    *(int64_t *)user += run->length;
    return true;
}

/* What a version recorded is told of its databases, and they stay as they are. */
Test(store_open, runs_of_sectors_of_earlier_databases_are_told)
{
    const char *path = in_dir("runs.db");
    scan(path, "a.bin", 0, 1);
    run(path, "INSERT INTO coverage VALUES (1, 1, 'data', 0, 4096, NULL, 2, 1, 0);"
              "DROP VIEW v_summary; DROP VIEW v_grades;" DROP_OVERALL);
    for (int version = FH_STORE_SCHEMA_VERSION - 1; version >= 2; version--) {
        char sql[128];
        char error[FH_STORE_ERROR_LEN];
        int64_t len = 0;
        fh_store *store = NULL;
        const fh_store_sink sink = {.user = &len, .source = on_source, .coverage = on_run};
        (void)snprintf(sql, sizeof sql, "DELETE FROM finding; %s PRAGMA user_version = %d",
                       version < 4 ? "DROP TABLE IF EXISTS tally;" : "", version);
        run(path, sql);
        cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
        cr_assert(eq(int, fh_store_tell(store, &sink), FH_STORE_OK), "%s", fh_store_error(store));
        cr_expect(eq(i64, len, 4096), "schema %d", version);
        fh_store_close(store);
    }
}

Test(store_open, damaged_database)
{
    const char *path = in_dir("damaged.db");
    scan(path, "a.bin", 1, 1);
    blob before = slurp(path);
    memset(before.bytes + 100, 0xee, 3000); /* the first page, behind the header */
    spill(path, before.bytes, before.len);
    expect_refusal(fh_store_open, path, FH_STORE_CORRUPT, "is damaged", "move it away");
    cr_assert(same(before, slurp(path)));
}

Test(store_open, database_whose_tables_are_not_ours)
{
    const char *path = in_dir("tampered.db");
    scan(path, "a.bin", 1, 1);
    fh_store *store = open_or_die(path);
    drop_views(path);
    run(path, "ALTER TABLE finding DROP COLUMN found");
    expect_refusal(fh_store_open, path, FH_STORE_CORRUPT, "not those of a scan", "move it");
    begin_or_die(store); /* it was another one when it was opened */
    cr_assert(eq(int, scan_source(store, "a.bin", 1, 1), FH_STORE_CORRUPT));
    cr_assert(strstr(fh_store_error(store), "no column named found") != NULL);
    cr_assert(strstr(fh_store_error(store), path) != NULL);
    run(path, "DELETE FROM rule"); /* the store that failed keeps no lock, though it is open */
    fh_store_close(store);
    char *left = rows(path, "SELECT count(*) FROM asset");
    cr_assert(eq(str, left, "1\n"));
    free(left);
}

/* Whatever the table of tables says of its type. */
Test(store_open, views_in_place_of_tables)
{
    static const char *const tables[] = {"scan",   "source",   "asset", "finding", "rule",
                                         "replay", "coverage", "piece", "tally",   "overall"};
    const char *whole = in_dir("whole.db");
    const char *path = in_dir("view.db");
    scan(whole, "a.bin", 1, 1);
    blob bytes = slurp(whole);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[512];
        spill(path, bytes.bytes, bytes.len);
        (void)snprintf(sql, sizeof sql,
                       "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE VIEW "
                       "%s AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
                       "SELECT i AS id FROM n' WHERE name = '%s'",
                       tables[i], tables[i]);
        run(path, sql);
        expect_refusal(fh_store_open_ro, path, FH_STORE_CORRUPT, "is damaged", "restore");
        expect_refusal(fh_store_open, path, FH_STORE_CORRUPT, "is damaged", "restore");
    }
    free(bytes.bytes);
}

Test(store_open, empty_files_become_databases)
{
    const char *empty = in_dir("empty.db");
    spill(empty, "", 0);
    expect_refusal(fh_store_open_ro, empty, FH_STORE_NOT_OURS, "it is empty", "framehound scan");
    scan(empty, "a.bin", 1, 1);
    const char *tableless = in_dir("tableless.db");
    run(tableless, "CREATE TABLE t (x); DROP TABLE t; VACUUM");
    scan(tableless, "a.bin", 1, 1);
}

Test(store_open, missing_file_and_directory)
{
    const char *path = in_dir("none.db");
    expect_refusal(fh_store_open_ro, path, FH_STORE_CANNOT_OPEN, "No such file", "check the name");
    cr_assert(eq(sz, num_files(), 0));
    expect_refusal(fh_store_open, in_dir("no/such.db"), FH_STORE_CANNOT_OPEN, "cannot be opened",
                   "check that its directory exists");
}

Test(store_open, what_is_no_file)
{
    const char *fifo = in_dir("fifo");
    cr_assert(eq(int, mkfifo(fifo, 0600), 0));
    expect_refusal(fh_store_open, in_dir("."), FH_STORE_CANNOT_OPEN, "no regular file", "-o");
    expect_refusal(fh_store_open, fifo, FH_STORE_CANNOT_OPEN, "no regular file", "-o");
}

Test(store_open, locked_database)
{
    const char *path = in_dir("locked.db");
    scan(path, "a.bin", 1, 1);
    sqlite3 *other = NULL;
    blob before = slurp(path);
    cr_assert(eq(int, sqlite3_open(path, &other), SQLITE_OK));
    cr_assert(eq(int, sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK));
    expect_refusal(fh_store_open, path, FH_STORE_LOCKED,
                   "is locked by another program (for more than 50 ms)", "wait until");
    expect_refusal(fh_store_open_ro, path, FH_STORE_LOCKED, "is locked", "wait until");
    sqlite3_close(other);
    cr_assert(same(before, slurp(path)));
}

static void tamper(const char *path, blob bytes, const char *table, const char *from,
                   const char *to)
{
    char sql[512];
    spill(path, bytes.bytes, bytes.len);
    (void)snprintf(sql, sizeof sql,
                   "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '%s', "
                   "'%s') WHERE name = '%s'",
                   from, to, table);
    run(path, sql);
}

/* Of a column that is computed nothing was recorded, and reading it may take for ever. */
Test(store_open, columns_that_are_computed)
{
    static const struct {
        const char *table;
        const char *from;
        const char *to;
    } columns[] = {
        {"scan", "options TEXT", "options TEXT AS (''x'')"},
        {"source", "layout TEXT", "layout TEXT AS (hex(zeroblob(size)))"},
        {"asset", "iso_path TEXT", "iso_path TEXT AS (instr(sha256, ''x'') || ''y'') STORED"},
        {"finding", "found TEXT", "found TEXT AS (''x'')"},
        {"replay", "evaluator TEXT", "evaluator TEXT AS (''x'')"},
        {"rule", "title TEXT NOT NULL", "title TEXT NOT NULL AS (''x'')"},
    };
    const char *whole = in_dir("recorded.db");
    const char *path = in_dir("computed.db");
    scan(whole, "a.bin", 1, 1);
    blob bytes = slurp(whole);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        tamper(path, bytes, columns[i].table, columns[i].from, columns[i].to);
        expect_refusal(fh_store_open_ro, path, FH_STORE_CORRUPT, "not those of a scan", "restore");
        expect_refusal(fh_store_open, path, FH_STORE_CORRUPT, "not those of a scan", "restore");
    }
    free(bytes.bytes);
}

/* What is computed with each row that is put could go on for ever too; it is no matter to who only
 * reads. Other tables and indexes may be added. */
Test(store_open, rows_that_are_computed_with)
{
    const char *whole = in_dir("plain.db");
    const char *path = in_dir("checked.db");
    char error[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    scan(whole, "a.bin", 1, 1);
    blob bytes = slurp(whole);
    for (int i = 0; i < 4; i++) {
        tamper(path, bytes, i == 0 ? "asset" : "none", "iso_path TEXT",
               "iso_path TEXT CHECK (length(hex(zeroblob(length))) >= 0)");
        if (i == 1) {
            run(path, "CREATE INDEX slow ON asset (hex(zeroblob(length)))");
        } else if (i == 2) {
            run(path, "CREATE INDEX some ON finding (code) WHERE length(message) > 3");
        } else if (i == 3) {
            run(path, "CREATE TABLE visit (scan_id INTEGER, path TEXT CHECK (path > ''), stamp)");
        }
        expect_refusal(fh_store_open, path, FH_STORE_CORRUPT, "not those of a scan", "move it");
        cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
        fh_store_close(store);
    }
    spill(path, bytes.bytes, bytes.len);
    run(path, "CREATE INDEX frames ON asset (frames); CREATE TABLE notes (asset_id INTEGER);"
              "CREATE VIEW mine AS SELECT count(*) FROM asset");
    fh_store_close(open_or_die(path));
    free(bytes.bytes);
}

/* What a database wants done with each row of ours is not done. */
Test(store_open, triggers_are_not_run)
{
    const char *path = in_dir("trigger.db");
    scan(path, "a.bin", 1, 1);
    run(path,
        "CREATE TRIGGER hide AFTER INSERT ON asset BEGIN DELETE FROM asset; END;"
        "CREATE TRIGGER lie BEFORE DELETE ON source BEGIN UPDATE finding SET message = 'x'; END");
    scan(path, "b.bin", 2, 1);
    scan(path, "a.bin", 1, 1);
    EXPECT_ROWS(path, "SELECT count(*) FROM asset", "3\n");
    EXPECT_ROWS(path, "SELECT count(*) FROM finding WHERE message = 'x'", "0\n");
    run(path, "INSERT INTO asset (source_id, format, grade) SELECT max(id), 'tod', '' FROM source");
    EXPECT_ROWS(path, "SELECT count(*) FROM asset", "0\n"); /* where they are run they do it */
}

/* No value of a scan is longer than a mebibyte; who reads does not provide for it. */
Test(store_open, values_without_end)
{
    const char *path = in_dir("long.db");
    char error[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    fh_stored_asset asset;
    scan(path, "a.bin", 1, 1);
    run(path, "UPDATE asset SET iso_path = hex(zeroblob(520000))");
    cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK));
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
    run(path, "UPDATE asset SET iso_path = hex(zeroblob(530000))");
    cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
    cr_assert(fh_store_find_asset(store, &asset, 1) != FH_STORE_OK);
    fh_store_close(store);
}

Test(store_open, hostile_names_cannot_speak_to_the_terminal)
{
    const char *path = in_dir("a\x1b[31m\n\xff.db");
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    spill(path, "text", 4);
    cr_assert(eq(int, fh_store_open(&store, path, NULL, err, sizeof err), FH_STORE_NOT_OURS));
    cr_assert(strstr(err, "a\\x1b[31m\\n\\xff.db is not a framehound database") != NULL, "%s", err);
    cr_assert(eq(ptr, strpbrk(err, "\x1b\n"), NULL));
}

Test(store_open, a_small_buffer_cuts_the_text)
{
    fh_store *store = NULL;
    char err[20];
    cr_assert(eq(int, fh_store_open_ro(&store, in_dir("none.db"), NULL, err, sizeof err),
                 FH_STORE_CANNOT_OPEN));
    cr_assert(eq(sz, strlen(err), 19));
    cr_assert(eq(str, err + 16, "..."));
}

/* become_nobody gives up the rights of root, which would not be refused anything. */
static void become_nobody(void)
{
    if (geteuid() != 0) {
        return;
    }
    if (setresuid(65534, 65534, 65534) != 0) {
        cr_skip("root is never refused, and this one may not become anybody else");
    }
    prctl(PR_SET_DUMPABLE, 1); /* or the leak check could not look at this process */
}

Test(store_open, read_only_file)
{
    const char *path = in_dir("read-only.db");
    scan(path, "a.bin", 1, 1);
    blob before = slurp(path);
    cr_assert(eq(int, chmod(path, 0444), 0));
    cr_assert(eq(int, chmod(in_dir("."), 0555), 0));
    become_nobody();
    expect_refusal(fh_store_open, path, FH_STORE_READ_ONLY, "is read-only", "allow writing");
    cr_expect(same(before, slurp(path)));
    fh_store *store = NULL;
    fh_stored_asset asset = {0};
    char err[FH_STORE_ERROR_LEN];
    cr_expect(eq(int, fh_store_open_ro(&store, path, NULL, err, sizeof err), FH_STORE_OK));
    cr_expect(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK));
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
}

Test(store_open, read_only_directory)
{
    const char *path = in_dir("a.db");
    scan(path, "a.bin", 1, 1);
    blob before = slurp(path);
    cr_assert(eq(int, chmod(path, 0666), 0));
    cr_assert(eq(int, chmod(in_dir("."), 0555), 0));
    become_nobody();
    fh_store *store = open_or_die(path); /* the file itself may be written */
    fh_store_status status = fh_store_begin_scan(store, "1", "1", NULL, NULL, 0);
    cr_expect(status == FH_STORE_CANNOT_OPEN || status == FH_STORE_READ_ONLY);
    cr_expect(strstr(fh_store_error(store), "directory") != NULL, "%s", fh_store_error(store));
    fh_store_close(store);
    cr_expect(same(before, slurp(path)));
}
