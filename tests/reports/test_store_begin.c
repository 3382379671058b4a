/* Scans whose beginning waits for their first sources. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

TestSuite(store_begin, .fini = remove_dir);

static fh_store *open_deferring(const char *db)
{
    const fh_store_options options = {.max_group = 64, .group_ms = 60000, .defers = true};
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    cr_assert(eq(int, fh_store_open(&store, db, &options, err, sizeof err), FH_STORE_OK), "%s",
              err);
    return store;
}

static void end(fh_store *store, const char *status)
{
    cr_assert(eq(int, fh_store_end_scan(store, status), FH_STORE_OK), "%s", fh_store_error(store));
    fh_store_close(store);
}

static size_t len_of(const char *db)
{
    blob all = slurp(db);
    free(all.bytes);
    return all.len;
}

/* Everything that two databases of the same scan have in common: all but its times. */
static char *dump(const char *db)
{
    return rows(db, "SELECT 'schema', name, sql FROM sqlite_schema UNION ALL "
                    "SELECT id, status, options || tool_version FROM scan UNION ALL "
                    "SELECT id, path, scan_id || status FROM source UNION ALL "
                    "SELECT id, source_id, raw_offset FROM asset UNION ALL "
                    "SELECT id, asset_id, code || message FROM finding UNION ALL "
                    "SELECT asset_id, status, pose_sha256 FROM replay UNION ALL "
                    "SELECT code, title, explanation FROM rule ORDER BY 1, 2, 3");
}

static const char *usual(void)
{
    const char *db = in_dir("usual.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 3, 1), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "b.bin", 2, 2), FH_STORE_OK));
    end(store, "complete");
    return db;
}

Test(store_begin, the_rows_are_those_of_any_scan)
{
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 3, 1), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "b.bin", 2, 2), FH_STORE_OK));
    cr_expect(eq(sz, len_of(db), 0)); /* nothing before the end */
    end(store, "complete");
    char *expected = dump(usual());
    EXPECT_ROWS(db, "PRAGMA foreign_key_check", "");
    EXPECT_ROWS(db, "PRAGMA integrity_check", "ok\n");
    char *got = dump(db);
    cr_expect(eq(str, got, expected));
    free(got);
    free(expected);
}

/* What goes with a source goes, though a new database is written without such checks. */
Test(store_begin, a_path_scanned_twice_in_a_new_database)
{
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 5, 3), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "a.bin", 3, 1), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "b.bin", 2, 2), FH_STORE_OK));
    end(store, "complete");
    EXPECT_ROWS(db, "PRAGMA foreign_key_check", "");
    EXPECT_ROWS(db,
                "SELECT (SELECT count(*) FROM asset), (SELECT count(*) FROM replay), "
                "(SELECT count(*) FROM finding)",
                "5|5|7\n");
}

Test(store_begin, members_that_are_gone_go_from_a_new_database)
{
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "b.bin", 2, 2), FH_STORE_OK));
    cr_assert(eq(int, fh_store_flush(store), FH_STORE_OK));
    scan(db, "box.zip!/old", 3, 1); /* somebody else's scan */
    cr_assert(eq(int, fh_store_drop_old_members(store, "box.zip"), FH_STORE_OK));
    end(store, "complete");
    EXPECT_ROWS(db, "PRAGMA foreign_key_check", "");
    EXPECT_ROWS(db, "SELECT path FROM source", "b.bin\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM replay", "2\n");
}

Test(store_begin, whoever_is_late_joins)
{
    const char *db = in_dir("deferred.db");
    fh_store *early = open_deferring(db);
    fh_store *late = open_deferring(db);
    begin_or_die(early);
    begin_or_die(late);
    cr_assert(eq(int, scan_source(early, "a.bin", 3, 1), FH_STORE_OK));
    cr_assert(eq(int, scan_source(late, "b.bin", 2, 2), FH_STORE_OK));
    end(early, "complete");
    end(late, "complete");
    EXPECT_ROWS(db, "SELECT id, scan_id, path FROM source", "1|1|a.bin\n2|2|b.bin\n");
    EXPECT_ROWS(db, "PRAGMA foreign_key_check", "");
}

Test(store_begin, whoever_is_late_and_finds_something_else_is_told)
{
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 3, 1), FH_STORE_OK));
    run(db, "CREATE TABLE asset (x)");
    blob before = slurp(db);
    cr_expect(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_NOT_OURS), "%s",
              fh_store_error(store));
    fh_store_close(store);
    cr_expect(same(before, slurp(db)));
}

/* A scan is in the database with its first sources; of a large one that takes its time. */
Test(store_begin, a_scan_has_begun_before_it_is_written)
{
    const struct timespec pause = {.tv_sec = 1, .tv_nsec = 100000000};
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    cr_assert(nanosleep(&pause, NULL) == 0);
    cr_assert(eq(int, scan_source(store, "a.bin", 1, 1), FH_STORE_OK));
    end(store, "complete");
    EXPECT_ROWS(db,
                "SELECT strftime('%s', finished_at) - strftime('%s', started_at) BETWEEN 1 AND 60, "
                "abs(strftime('%s', started_at) - strftime('%s', 'now')) < 60 FROM scan",
                "1|1\n");
}

Test(store_begin, a_scan_that_ends_early_is_recorded)
{
    const char *db = in_dir("deferred.db");
    fh_store *store = open_deferring(db);
    begin_or_die(store);
    end(store, "interrupted");
    EXPECT_ROWS(db, "SELECT id, status FROM scan", "1|interrupted\n");
    store = open_deferring(db);
    fh_resumed resumed;
    const fh_scan_record wanted = {"1.0", "2", "--opt"};
    cr_assert(eq(int, fh_store_resume(store, &resumed, &wanted), FH_STORE_OK));
    cr_expect(resumed.is_found);
    cr_assert(eq(int, fh_store_keep_places(store), FH_STORE_OK));
    begin_or_die(store);
    fh_store_set_place(store, 9);
    cr_assert(eq(int, scan_source(store, "a.bin", 1, 1), FH_STORE_OK));
    cr_assert(eq(int, fh_store_visit(store, "a.bin", 5), FH_STORE_OK));
    end(store, "complete");
    EXPECT_ROWS(db, "SELECT id, status FROM scan", "1|complete\n");
    EXPECT_ROWS(db, "SELECT * FROM shard_place", "1|9\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'visit'", "0\n");
}

/* Views are put into the schema as rows. What SQLite itself writes for them is the same. */
Test(store_begin, the_views_are_those_that_sqlite_makes)
{
    static const char views[] = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema "
                                "WHERE type = 'view' ORDER BY name";
    const char *db = usual();
    const char *made = in_dir("made.db");
    char *sql = rows(db, "SELECT sql || ';' FROM sqlite_schema WHERE type = 'view'");
    run(made, sql);
    char *expected = rows(made, views);
    EXPECT_ROWS(db, views, expected);
    EXPECT_ROWS(db, "SELECT count(*) > 20 FROM sqlite_schema WHERE type = 'view'", "1\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM v_assets", "5\n");
    free(sql);
    free(expected);
}
