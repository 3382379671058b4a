/* Several writers at once, and writers that fail half way. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(store_failure, .fini = remove_dir);

static void expect_number(const char *db, const char *query, const char *number)
{
    char *got = rows(db, query);
    got[strcspn(got, "\n")] = '\0';
    cr_assert(eq(str, got, (char *)number), "%s", query);
    free(got);
}

static void expect_whole(const char *db)
{
    expect_number(db, "PRAGMA integrity_check", "ok");
    expect_number(db, "SELECT count(*) FROM pragma_foreign_key_check", "0");
}

Test(store_failure, two_writers_interleaved)
{
    const char *db = in_dir("shared.db");
    fh_store *a = open_or_die(db);
    fh_store *b = open_or_die(db);
    begin_or_die(a);
    begin_or_die(b);
    fh_asset_record asset = asset_at(1, 1);
    fh_source_record of_a = source_named("a.bin");
    fh_source_record of_b = source_named("b.bin");
    int64_t handle = 0;
    cr_assert(eq(int, fh_store_begin_source(a, "a.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(a, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_begin_source(b, "b.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(b, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(a, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_source(b, &of_b), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_source(a, &of_a), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(a, "complete"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(b, "complete"), FH_STORE_OK));
    fh_store_close(a);
    fh_store_close(b);
    expect_number(db,
                  "SELECT group_concat(s.path || ' ' || s.scan_id || ' ' || a.id) FROM asset a "
                  "JOIN source s ON s.id = a.source_id",
                  "b.bin 2 1,a.bin 1 2,a.bin 1 3");
    expect_whole(db);
}

Test(store_failure, no_lock_is_held_while_a_source_is_scanned)
{
    const char *db = in_dir("shared.db");
    fh_store *store = open_or_die(db);
    fh_asset_record asset = asset_at(1, 1);
    fh_source_record source = source_named("a.bin");
    int64_t handle = 0;
    begin_or_die(store);
    cr_assert(eq(int, fh_store_begin_source(store, "a.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    sqlite3 *other = NULL;
    cr_assert(eq(int, sqlite3_open(db, &other), SQLITE_OK));
    cr_assert(eq(int, sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK)); /* nor needed */
    cr_assert(eq(int, sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK));
    sqlite3_close(other);
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    fh_store_close(store);
    expect_number(db, "SELECT count(*) FROM asset", "2");
}

#define NUM_WRITERS 4
#define NUM_SOURCES 12

static fh_store_status write_sources(fh_store *store, int writer)
{
    fh_store_status status = fh_store_begin_scan(store, "1", "1", NULL, &test_rules, 1);
    for (int i = 0; i < NUM_SOURCES && status == FH_STORE_OK; i++) {
        char path[40];
        snprintf(path, sizeof path, "writer %d source %d", writer, i);
        status = scan_source(store, path, 5, i);
    }
    return status == FH_STORE_OK ? fh_store_end_scan(store, "complete") : status;
}

/* write_some is one of several processes that all begin with a file that does not exist. */
static int write_some(const char *db, int writer)
{
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    fh_store_status status = fh_store_open(&store, db, NULL, err, sizeof err);
    if (status == FH_STORE_OK) {
        status = write_sources(store, writer);
        snprintf(err, sizeof err, "%s", fh_store_error(store));
    }
    if (status != FH_STORE_OK) {
        fprintf(stderr, "writer %d: %s\n", writer, err);
    }
    fh_store_close(store);
    return status == FH_STORE_OK ? 0 : 1;
}

Test(store_failure, many_processes_make_one_database)
{
    const char *db = in_dir("shared.db");
    int statuses[NUM_WRITERS];
    for (int i = 0; i < NUM_WRITERS; i++) {
        if (fork() == 0) {
            _exit(write_some(db, i));
        }
    }
    for (int i = 0; i < NUM_WRITERS; i++) { /* all, before any check may take their file away */
        cr_expect(gt(int, wait(&statuses[i]), 0));
    }
    for (int i = 0; i < NUM_WRITERS; i++) {
        cr_assert(eq(int, statuses[i], 0));
    }
    expect_number(db, "SELECT count(*) FROM source", "48");
    expect_number(db, "SELECT count(*) FROM asset", "240");
    expect_number(db, "SELECT count(*) FROM finding", "288");
    expect_number(db, "SELECT count(*) FROM scan WHERE status = 'complete'", "4");
    expect_whole(db);
}

Test(store_failure, a_killed_writer_leaves_whole_sources)
{
    const char *db = in_dir("killed.db");
    pid_t pid = fork();
    if (pid == 0) {
        fh_store *store = open_or_die(db);
        fh_asset_record asset = asset_at(1, 1);
        int64_t handle = 0;
        begin_or_die(store);
        bool well = scan_source(store, "whole", 3, 1) == FH_STORE_OK &&
                    fh_store_begin_source(store, "half") == FH_STORE_OK &&
                    fh_store_asset(store, &asset, &handle) == FH_STORE_OK;
        if (well) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status = 0;
    cr_assert(eq(int, waitpid(pid, &status, 0), pid));
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    cr_assert(killed);
    expect_number(db, "SELECT group_concat(path) FROM source", "whole");
    expect_whole(db);
    scan(db, "half", 1, 2);
    expect_number(db, "SELECT group_concat(status) FROM scan", "running,complete");
}

Test(store_failure, locked_while_writing_is_sticky_and_loses_nothing_earlier)
{
    const char *db = in_dir("locked.db");
    fh_store *store = NULL;
    fh_store_options impatient = {.busy_ms = 50};
    char err[FH_STORE_ERROR_LEN];
    sqlite3 *other = NULL;
    cr_assert(eq(int, fh_store_open(&store, db, &impatient, err, sizeof err), FH_STORE_OK));
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 2, 1), FH_STORE_OK));
    cr_assert(eq(int, sqlite3_open(db, &other), SQLITE_OK));
    cr_assert(eq(int, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK));
    blob before = slurp(db);
    cr_assert(eq(int, scan_source(store, "b.bin", 2, 1), FH_STORE_LOCKED));
    cr_assert(strstr(fh_store_error(store), "locked.db is locked by another program") != NULL);
    cr_assert(strstr(fh_store_error(store), "wait until that has ended") != NULL);
    sqlite3_close(other);
    cr_assert(eq(int, fh_store_begin_source(store, "c.bin"), FH_STORE_LOCKED));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_LOCKED));
    fh_store_close(store);
    cr_assert(same(before, slurp(db)));
}

/* limit_files lets no file grow beyond a size, as a full disk would. */
static void limit_files(rlim_t size)
{
    struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert(eq(int, setrlimit(RLIMIT_FSIZE, &limit), 0));
}

static rlim_t size_of(const char *path)
{
    struct stat st;
    cr_assert(eq(int, stat(path, &st), 0));
    return (rlim_t)st.st_size;
}

Test(store_failure, a_full_disk_leaves_the_database_as_it_was)
{
    const char *db = in_dir("full.db");
    scan(db, "a.bin", 200, 1);
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    blob before = slurp(db);
    limit_files(size_of(db) + 4096);
    cr_assert(eq(int, scan_source(store, "b.bin", 400, 2), FH_STORE_FULL), "%s",
              fh_store_error(store));
    limit_files(RLIM_INFINITY);
    cr_assert(strstr(fh_store_error(store), "full.db cannot grow") != NULL, "%s",
              fh_store_error(store));
    cr_assert(strstr(fh_store_error(store), "make room") != NULL);
    cr_assert(same(before, slurp(db))); /* even before the store is closed */
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_FULL));
    fh_store_close(store);
    cr_assert(eq(sz, num_files(), 1)); /* no journal is left */
    expect_whole(db);
    expect_number(db, "SELECT group_concat(path) FROM source", "a.bin");
    scan(db, "b.bin", 400, 2); /* and with room again all is well */
}

Test(store_failure, a_full_disk_during_a_rescan_keeps_the_earlier_rows)
{
    const char *db = in_dir("full.db");
    scan(db, "a.bin", 50, 1);
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    blob before = slurp(db);
    limit_files(size_of(db) + 4096);
    cr_assert(eq(int, scan_source(store, "a.bin", 900, 2), FH_STORE_FULL), "%s",
              fh_store_error(store));
    limit_files(RLIM_INFINITY);
    fh_store_close(store);
    cr_assert(same(before, slurp(db)));
    expect_whole(db);
    expect_number(db, "SELECT count(*) FROM asset WHERE sha256 LIKE '01%'", "50");
}

Test(store_failure, a_full_disk_leaves_an_earlier_database_as_it_was)
{
    const char *db = in_dir("three.db");
    fh_store *store = open_or_die(db);
    char err[FH_STORE_ERROR_LEN];
    begin_or_die(store);
    for (int i = 0; i < 200; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "%d.bin", i);
        cr_assert(eq(int, scan_source(store, path, 1, 1), FH_STORE_OK));
    }
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    run(db, "DROP VIEW v_summary; DROP VIEW v_grades; DROP TABLE tally;"
            "DROP INDEX asset_pose_sha256;" DROP_OVERALL "PRAGMA user_version = 3; VACUUM");
    blob before = slurp(db);
    limit_files(size_of(db) + 4096);
    cr_assert(eq(int, fh_store_open(&store, db, NULL, err, sizeof err), FH_STORE_FULL), "%s", err);
    limit_files(RLIM_INFINITY);
    cr_assert(same(before, slurp(db)));
    fh_store_close(open_or_die(db));
    expect_number(db, "SELECT count(*) FROM tally", "400");
    expect_whole(db);
}

Test(store_failure, a_full_disk_leaves_no_new_file)
{
    const char *db = in_dir("new.db");
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    limit_files(8192);
    cr_assert(eq(int, fh_store_open(&store, db, NULL, err, sizeof err), FH_STORE_FULL), "%s", err);
    cr_assert(eq(sz, num_files(), 0));
    spill(db, "", 0);
    cr_assert(eq(int, fh_store_open(&store, db, NULL, err, sizeof err), FH_STORE_FULL), "%s", err);
    cr_assert(eq(u64, size_of(db), 0)); /* a file that was there stays, as it was */
}

Test(store_failure, full_temporary_space_is_told_apart)
{
    const char *db = in_dir("temp.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    blob before = slurp(db);
    limit_files(200000);
    cr_assert(eq(int, scan_source(store, "a.bin", 40000, 1), FH_STORE_FULL));
    limit_files(RLIM_INFINITY);
    cr_assert(strstr(fh_store_error(store), "the temporary data of ") != NULL, "%s",
              fh_store_error(store));
    cr_assert(strstr(fh_store_error(store), "SQLITE_TMPDIR") != NULL);
    fh_store_close(store);
    cr_assert(same(before, slurp(db)));
}

/* ---- behind the first failure ---- */

static bool take_nothing(void *user, const fh_stored_finding *finding)
{
    (void)finding;
    (*(int *)user)++;
    return true;
}

/* Every call after the first that failed says the same, and does nothing. */
Test(store_failure, nothing_works_behind_a_failure)
{
    const char *db = in_dir("broken.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    cr_assert(scan_source(store, "first", 1, 1) == FH_STORE_OK);
    cr_assert(fh_store_flush(store) == FH_STORE_OK);
    run(db, "DROP TABLE finding");
    const fh_store_status at_once = scan_source(store, "second", 1, 2); /* it may wait */
    const fh_store_status broken = fh_store_flush(store);
    cr_assert(broken != FH_STORE_OK && (at_once == FH_STORE_OK || at_once == broken));
    cr_expect(strstr(fh_store_error(store), "finding") != NULL, "%s", fh_store_error(store));

    const fh_asset_record asset = asset_at(1, 1);
    const fh_finding_record finding = finding_of(0, FH_UNKNOWN, "none");
    const fh_source_record source = source_named("third");
    const fh_coverage_record claimed = {.claim = "asset", .length = 1, .runs = 1};
    const fh_asset_filter all = {0};
    fh_stored_asset found;
    int64_t handle = 0;
    int64_t *ids = NULL;
    size_t num_ids = 0;
    int num = 0;
    bool was = false;
    const fh_store_status told[] = {
        fh_store_begin_source(store, "third"),
        fh_store_asset(store, &asset, &handle),
        fh_store_base(store, 0, 0, 1, 1),
        fh_store_finding(store, &finding),
        fh_store_coverage(store, &claimed),
        fh_store_end_source(store, &source),
        fh_store_drop_source(store),
        fh_store_drop_old_members(store, "third"),
        fh_store_touch_unreadable(store, &source, &finding),
        fh_store_visit(store, "third", 1),
        fh_store_was_visited(store, &was, "third", 1),
        fh_store_keep_places(store),
        fh_store_settle(store),
        fh_store_flush(store),
        fh_store_end_scan(store, "complete"),

        fh_store_find_asset(store, &found, 1),
        fh_store_each_finding(store, 1, &num, take_nothing),
        fh_store_list_assets(store, &ids, &num_ids, &all),
        fh_store_state(store),
    };
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        cr_expect(eq(int, (int)told[i], (int)broken), "call %zu", i);
    }
    cr_expect(handle == FH_UNKNOWN && num == 0 && ids == NULL && num_ids == 0 && !was);
    fh_store_close(store);
    expect_number(db, "SELECT group_concat(path) FROM source", "first");
}
