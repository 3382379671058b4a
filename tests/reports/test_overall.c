/* What is kept of all sources: the tables and the views that read them say what the rows themselves
 * say, however the database came about. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(overall, .fini = remove_dir);

/* What the tables have to say, in other words than those that fill them. */
static const char *const truths[][2] = {
    {"SELECT name, number, what = 'shared' FROM overall WHERE what IN ('bytes', 'shared') "
     "ORDER BY 1",
     "SELECT sha256, count(*), count(DISTINCT source_id) > 1 FROM asset NOT INDEXED "
     "WHERE sha256 IS NOT NULL GROUP BY sha256 HAVING count(*) > 1 ORDER BY 1"},
    {"SELECT name, number, amount FROM overall WHERE what = 'motion' ORDER BY 1",
     "SELECT pose_sha256, count(DISTINCT sha256), count(sha256) FROM asset NOT INDEXED "
     "WHERE pose_sha256 IS NOT NULL GROUP BY pose_sha256 HAVING count(DISTINCT sha256) > 1 "
     "ORDER BY 1"},
    {"SELECT name, number, amount FROM overall WHERE what = 'rule' ORDER BY 1",
     "SELECT code, count(*), count(DISTINCT source_id) FROM finding NOT INDEXED GROUP BY code "
     "ORDER BY 1"}};

#define KEPT "SELECT number FROM overall WHERE what = 'kept'"

static const char *const views[] = {"SELECT * FROM v_duplicates", "SELECT * FROM v_shared",
                                    "SELECT * FROM v_same_motion", "SELECT * FROM v_rules"};

/* The same database, in which nothing is kept. */
static const char *without(const char *db)
{
    const char *path = in_dir("without.db");
    blob bytes = slurp(db);
    spill(path, bytes.bytes, bytes.len);
    free(bytes.bytes);
    run(path, "UPDATE overall SET number = CASE what WHEN 'kept' THEN 0 ELSE 99 END, amount = 99");
    return path;
}

static void expect_alike(const char *db, const char *query, const char *other_db, const char *other)
{
    char *expected = rows(other_db, other);
    char *got = rows(db, query);
    cr_assert(eq(str, got, expected), "%s", query);
    free(got);
    free(expected);
}

static void expect_views(const char *db)
{
    const char *path = without(db);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        expect_alike(db, views[i], path, views[i]);
    }
}

static void expect_kept(const char *db)
{
    EXPECT_ROWS(db, KEPT, "1\n");
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
        expect_alike(db, truths[i][0], db, truths[i][1]);
    }
    expect_views(db);
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* A source whose assets have these bytes; of each byte the next one tells the motion. '-': none. */
static void put(fh_store *store, const char *path, const char *assets)
{
    const fh_source_record source = source_named(path);
    cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
    for (size_t i = 0; assets[i] != '\0'; i += 2) {
        int64_t handle = 0;
        fh_asset_record asset = asset_at(100 * (int64_t)i, assets[i]);
        asset.pose_sha256 = assets[i + 1] == '-' ? NULL : asset_at(0, assets[i + 1]).sha256;
        asset.sha256 = assets[i] == '-' ? NULL : asset.sha256;
        cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
        const fh_finding_record finding = finding_of((size_t)assets[i] % 3, handle, "of an asset");
        cr_assert(eq(int, fh_store_finding(store, &finding), FH_STORE_OK));
    }
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
}

static void end(fh_store *store, const char *status)
{
    cr_assert(eq(int, fh_store_end_scan(store, status), FH_STORE_OK), "%s", fh_store_error(store));
    fh_store_close(store);
}

static fh_store *begin(const char *db)
{
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    return store;
}

/* As if there had been many assets before: what comes next gets higher numbers. */
static const char *big(const char *name)
{
    const char *db = in_dir(name);
    if (access(db, F_OK) != 0) {
        fh_store *store = begin(db);
        put(store, "zero", "");
        fh_store_close(store);
        run(db, "UPDATE scan SET status = 'complete', finished_at = started_at;"
                "INSERT INTO asset (id, source_id, format, grade) VALUES (10000, 1, 'tst', 'x')");
    }
    return db;
}

static const char *collection(const char *name)
{
    const char *db = big(name);
    fh_store *store = begin(db);
    put(store, "one", "axbxcycyd--y");
    put(store, "two", "axezcyf-");
    put(store, "none", "");
    put(store, "box.zip", "");
    put(store, "box.zip!/a", "gxgxgx-x");
    put(store, "box.zip!/b", "hwhwhw");
    end(store, "complete");
    return db;
}

Test(overall, is_kept_from_the_end_of_the_first_scan)
{
    const char *db = big("first.db");
    fh_store *store = begin(db);
    put(store, "one", "axbxcycyd-");
    put(store, "two", "axezcyf-");
    EXPECT_ROWS(db, KEPT, "0\n");
    EXPECT_ROWS(db, "SELECT copies, places FROM v_duplicates",
                "3|one@0x00000190, one@0x00000258, two@0x00000190\n"
                "2|one@0x00000000, two@0x00000000\n");
    end(store, "complete");
    EXPECT_ROWS(db, "SELECT what, substr(name, 1, 7), number, amount FROM overall",
                "kept||1|0\nmotion|7878787|2|3\nrule|TST0001|4|2\nrule|TST0002|3|2\n"
                "rule|TST0003|2|2\nshared|6161616|2|0\nshared|6363636|3|0\n");
    expect_kept(db);
}

Test(overall, of_sources_that_come_later)
{
    const char *db = collection("later.db");
    fh_store *store = begin(db);
    put(store, "three", "ax");  /* a third copy */
    put(store, "four", "bvbv"); /* a second and a third of what was there once, in another motion */
    put(store, "five", "ixjz"); /* a version more, and the first other one */
    put(store, "six", "hwkwkw"); /* a motion that all copies had in common */
    put(store, "seven", "lulu");
    end(store, "complete");
    expect_kept(db);
    EXPECT_ROWS(db, "SELECT substr(name, 1, 2) FROM overall WHERE what = 'bytes' AND number = 2",
                "6b\n6c\n");
}

Test(overall, of_sources_that_are_scanned_again)
{
    const char *db = collection("again.db");
    const char *state = "SELECT * FROM overall ORDER BY 1, 2";
    char *before = rows(db, state);
    collection("again.db");
    expect_kept(db);
    EXPECT_ROWS(db, state, before);
    free(before);
    fh_store *store = begin(db);
    put(store, "one", "ax");
    put(store, "two", "mxmxmx");
    put(store, "box.zip!/a", "");
    put(store, "box.zip!/b", "hwnw");
    end(store, "complete");
    expect_kept(db);
    store = begin(db);
    put(store, "one", "");
    put(store, "two", "");
    put(store, "box.zip!/b", "");
    end(store, "complete");
    expect_kept(db);
    EXPECT_ROWS(db, "SELECT what FROM overall", "kept\n");
}

Test(overall, of_sources_that_go_or_cannot_be_read)
{
    const char *db = collection("gone.db");
    fh_store *store = begin(db);
    const fh_finding_record finding = finding_of(0, FH_UNKNOWN, "cannot be read");
    fh_source_record known = source_named("one");
    fh_source_record fresh = source_named("new");
    known.status = fresh.status = "unreadable";
    cr_assert(eq(int, fh_store_touch_unreadable(store, &known, &finding), FH_STORE_OK));
    cr_assert(eq(int, fh_store_touch_unreadable(store, &fresh, &finding), FH_STORE_OK));
    put(store, "box.zip", "");
    put(store, "box.zip!/b", "hwexcv");
    put(store, "box.zip!/c", "gxhw");
    cr_assert(eq(int, fh_store_drop_old_members(store, "box.zip"), FH_STORE_OK));
    end(store, "complete");
    EXPECT_ROWS(db, "SELECT path FROM source WHERE path LIKE 'box%'",
                "box.zip\nbox.zip!/b\nbox.zip!/c\n");
    expect_kept(db);
}

/* All at once, and some of them are all that others share something with. */
Test(overall, of_many_members_that_go)
{
    const char *db = big("members.db");
    for (int round = 0; round < 2; round++) {
        fh_store *store = begin(db);
        put(store, "all.zip", "ax");
        for (int i = 0; i < (round == 0 ? 40 : 3); i++) {
            char path[32];
            const char assets[] = {
                (char)('a' + i % 5), (char)('p' + i % 7), 'b', 'x', 'a', (char)('p' + i % 3), '\0'};
            (void)snprintf(path, sizeof path, "all.zip!/%d", i * (round == 0 ? 1 : 7));
            put(store, path, assets);
        }
        cr_assert(eq(int, fh_store_drop_old_members(store, "all.zip"), FH_STORE_OK));
        end(store, "complete");
        expect_kept(db);
    }
    EXPECT_ROWS(db, "SELECT count(*) FROM source", "5\n");
}

/* One scan is at its first sources while another one ends; whoever comes later keeps it up. */
Test(overall, of_scans_at_once)
{
    const char *db = big("both.db");
    fh_store *first = begin(db);
    put(first, "one", "axbx");
    fh_store *second = begin(db);
    put(second, "two", "axcy");
    EXPECT_ROWS(db, KEPT, "0\n");
    end(second, "complete");
    expect_kept(db);
    put(first, "three", "axcxcx");
    expect_kept(db);
    put(first, "two", "bx");
    expect_kept(db);
    end(first, "interrupted");
    expect_kept(db);
}

/* At each moment at which one can be broken off the views are right, and what goes on with it
 * leaves the same tables. */
Test(overall, of_scans_that_are_broken_off)
{
    const char *const dbs[] = {big("broken.db"), big("whole.db")};
    static const fh_scan_record scan = {"1.0", "2", "--opt"};
    for (int is_later = 0; is_later < 2; is_later++) {
        fh_store *store = begin(dbs[0]);
        put(store, "one", is_later ? "axbxby" : "ax");
        expect_views(dbs[0]);
        put(store, "two", is_later ? "axbx" : "axcx");
        fh_store_close(store);
        expect_views(dbs[0]);
        for (size_t i = 0; i < 2; i++) {
            fh_resumed resumed;
            store = open_or_die(dbs[i]);
            cr_assert(eq(int, fh_store_resume(store, &resumed, &scan), FH_STORE_OK));
            begin_or_die(store);
            put(store, "one", is_later ? "axbxby" : "ax");
            put(store, "two", is_later ? "axbx" : "axcx");
            put(store, "three", "cybydx");
            end(store, "complete");
            expect_kept(dbs[i]);
        }
        for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++) {
            expect_alike(dbs[0], truths[i][0], dbs[1], truths[i][0]);
        }
    }
}

/* Who changes rows with another tool makes what is kept void, and the next scan computes it anew.
 */
Test(overall, of_rows_that_somebody_changes)
{
    static const char *const changes[] = {
        "PRAGMA foreign_keys = ON; DELETE FROM source WHERE path = 'one'",
        "DELETE FROM asset WHERE id = 10002",
        "UPDATE asset SET sha256 = (SELECT max(sha256) FROM asset) WHERE id = 10003",
        "UPDATE asset SET pose_sha256 = NULL WHERE id = 10004",
        ("INSERT INTO asset (source_id, format, grade, sha256) SELECT source_id, format, grade, "
         "sha256 FROM asset"),
        "DELETE FROM finding WHERE code = 'TST0001'",
        "UPDATE finding SET code = 'TST0001'",
        "INSERT INTO finding (source_id, code, severity, message) VALUES (2, 'x', 'note', '')"};
    const char *whole = collection("all.db");
    const char *db = in_dir("changed.db");
    blob bytes = slurp(whole);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        spill(db, bytes.bytes, bytes.len);
        run(db, changes[i]);
        EXPECT_ROWS(db, KEPT, "0\n");
        expect_views(db);
        fh_store *store = begin(db);
        put(store, "new", "axcx");
        end(store, "complete");
        expect_kept(db);
    }
    spill(db, bytes.bytes, bytes.len);
    run(db, "UPDATE asset SET iso_path = 'x', length = 5; UPDATE finding SET message = ''");
    expect_kept(db);
    free(bytes.bytes);
}

/* Whatever is scanned in whatever order; the same numbers each time. */
Test(overall, of_any_scans)
{
    const char *db = big("any.db");
    uint32_t seed = 12345;
    for (int scans = 0; scans < 25; scans++) {
        fh_store *store = begin(db);
        for (int i = 0; i < 4; i++) {
            char path[32];
            char assets[2 * 12 + 1] = "";
            seed = seed * 1103515245u + 12345u;
            const size_t num = (seed >> 16) % 12;
            (void)snprintf(path, sizeof path, "%u", (unsigned)(seed >> 24) % 9);
            for (size_t k = 0; k < 2 * num; k++) {
                seed = seed * 1103515245u + 12345u;
                assets[k] = "abcdefg-"[(seed >> 16) % (k % 2 == 0 ? 8 : 7)];
            }
            put(store, path, assets);
        }
        end(store, scans % 3 == 0 ? "interrupted" : "complete");
        expect_kept(db);
    }
}

/* ---- databases of other ways ----------------------------------------------------------------- */

/* A source with as many findings as it takes. */
static void put_many(fh_store *store, const char *path)
{
    const fh_source_record source = source_named(path);
    const fh_finding_record finding = finding_of(2, FH_UNKNOWN, "of the source");
    cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
    for (int i = 0; i < 10000; i++) {
        cr_assert(eq(int, fh_store_finding(store, &finding), FH_STORE_OK));
    }
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
}

/* Few rows are gone through in no time: a small scan does not pay for what nobody needs. */
Test(overall, is_kept_of_many_rows_only)
{
    const char *db = in_dir("small.db");
    for (int i = 0; i < 3; i++) {
        fh_store *store = begin(db);
        put(store, i == 0 ? "one" : "two", "axaxby");
        if (i == 2) {
            put_many(store, "many");
            put(store, "one", "axcx");
        }
        end(store, "complete");
        if (i < 2) {
            EXPECT_ROWS(db, "SELECT * FROM overall", "kept||0|0\n");
            EXPECT_ROWS(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'", "0\n");
            EXPECT_ROWS(db, "SELECT copies FROM v_duplicates", i == 0 ? "2\n" : "4\n2\n");
        }
    }
    expect_kept(db);
}

/* The tables of a shard are not looked at. */
Test(overall, of_databases_that_are_merged)
{
    const char *const shards[] = {collection("one.db"), in_dir("two.db")};
    const char *merged = in_dir("merged.db");
    const char *whole = collection("whole.db");
    char err[FH_STORE_ERROR_LEN];
    for (int i = 0; i < 2; i++) {
        fh_store *store = begin(i == 0 ? shards[1] : whole);
        put(store, "more", "axhwou");
        put_many(store, "many");
        end(store, "complete");
    }
    run(shards[1], "UPDATE overall SET number = 1000; DELETE FROM overall WHERE what = 'shared'");
    cr_assert(eq(int, fh_store_merge(merged, shards, 2, NULL, err, sizeof err), FH_STORE_OK), "%s",
              err);
    expect_kept(merged);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        expect_alike(merged, views[i], whole, views[i]);
    }
}

/* Makes a database of schema 4 of it. */
static void make_earlier(const char *db)
{
    drop_views(db);
    run(db, DROP_OVERALL "PRAGMA user_version = 4");
}

Test(overall, of_an_earlier_database_comes_with_the_next_scan)
{
    const char *db = collection("earlier.db");
    const char *schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    char *as_new = rows(db, schema);
    make_earlier(db);
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, "PRAGMA user_version", "5\n");
    EXPECT_ROWS(db, KEPT, "0\n");
    expect_views(db);
    fh_store *store = begin(db);
    put(store, "new", "axpq");
    expect_views(db);
    end(store, "complete");
    expect_kept(db);
    EXPECT_ROWS(db, schema, as_new);
    free(as_new);
}

static bool on_cells(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    for (size_t i = 0; i < num_cells; i++) {
        fprintf(user, "%s|", cells[i].text == NULL ? "NULL" : cells[i].text);
    }
    return fputc('\n', user) != EOF;
}

static bool on_names(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    (void)user;
    return cells != NULL && num_cells > 0;
}

/* Answers to all questions, and to those of a hash for a part of one. Owned by the caller. */
static char *answers(const char *db)
{
    char err[FH_STORE_ERROR_LEN];
    char *text = NULL;
    size_t len = 0;
    size_t num = 0;
    fh_store *store = NULL;
    FILE *out = open_memstream(&text, &len);
    const fh_answer answer = {out, on_names, on_cells};
    const fh_question *questions = fh_questions(&num);
    cr_assert(eq(int, fh_store_open_ro(&store, db, NULL, err, sizeof err), FH_STORE_OK), "%s", err);
    for (size_t i = 0; i < 2 * num; i++) {
        const fh_question *question = &questions[i / 2];
        const char *value = i % 2 == 0 ? NULL : question->asked_for == FH_ASKED_HASH ? "7878" : "6";
        if (i % 2 == 0 || question->asked_for == FH_ASKED_HASH) {
            fprintf(out, "%s\n", question->name);
            cr_assert(
                eq(int, fh_store_ask_question(store, question, value, -1, &answer), FH_STORE_OK),
                "%s: %s", question->name, fh_store_error(store));
        }
    }
    fh_store_close(store);
    fclose(out);
    return text;
}

/* Who only reads changes nothing, and gets the same answers. */
Test(overall, of_an_earlier_database_that_is_only_read)
{
    const char *db = collection("earlier.db");
    char *expected = answers(db);
    cr_expect(strstr(expected, "same-motion\n7878") != NULL, "%s", expected);
    make_earlier(db);
    blob before = slurp(db);
    char *got = answers(db);
    cr_expect(eq(str, got, expected));
    cr_expect(same(before, slurp(db)));
    free(got);
    free(expected);
}

/* What a database says is what it says, and ends at the last number that there is. */
Test(overall, that_lies)
{
    const char *db = collection("lies.db");
    run(db, "UPDATE overall SET number = CASE what WHEN 'motion' THEN -9223372036854775807 ELSE "
            "9223372036854775807 END, amount = 9223372036854775807");
    EXPECT_ROWS(db, "SELECT max(findings) FROM v_rules", "9223372036854775807\n");
    collection("lies.db");
    fh_store *store = begin(db);
    put(store, "new", "axaxcyczhw");
    end(store, "complete");
    EXPECT_ROWS(db, "SELECT count(*) > 0 FROM v_rules", "1\n");
    run(db, "DELETE FROM overall");
    store = begin(db);
    put(store, "new", "axaxcyczhw");
    end(store, "complete");
    expect_kept(db);
}

/* Somebody took the indexes away: they come back before they are needed. */
Test(overall, without_indexes)
{
    const char *db = collection("bare.db");
    run(db, "DROP INDEX asset_sha256; DROP INDEX asset_pose_sha256; DROP INDEX asset_source;"
            "DROP INDEX overall_most; DROP INDEX finding_source");
    expect_views(db);
    fh_store *store = begin(db);
    put(store, "new", "axqv");
    EXPECT_ROWS(db,
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('asset_sha256', "
                "'asset_pose_sha256', 'asset_source')",
                "3\n");
    end(store, "complete");
    expect_kept(db);
}
