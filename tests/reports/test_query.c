/* Questions: what they answer, and that no table is gone through where a key leads to the rows. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(query, .fini = remove_dir);

/* A source whose assets have the hashes of these bytes, one behind the other. */
static void put_disc(fh_store *store, const char *path, const char *hashes)
{
    fh_source_record source = source_named(path);
    cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
    for (size_t i = 0; hashes[i] != '\0'; i++) {
        int64_t handle = 0;
        fh_asset_record asset = asset_at(1000 * (int64_t)i, hashes[i]);
        const fh_replay_record replay = {"player", 7, 0, hashes[i] == 'z' ? "broken" : "complete",
                                         asset.sha256};
        asset.replay = &replay;
        asset.length = hashes[i];
        cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
        const fh_finding_record finding = finding_of(1, handle, "of an asset");
        cr_assert(eq(int, fh_store_finding(store, &finding), FH_STORE_OK));
    }
    source.status = hashes[0] == '\0' ? "partial" : "complete";
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
}

/* Two versions of one disc, one that has nothing to do with them, and one without any asset. */
static const char *collection(void)
{
    const char *db = in_dir("discs.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    put_disc(store, "one", "abcd");
    put_disc(store, "two", "abex");
    put_disc(store, "other", "pqz");
    put_disc(store, "none", "");
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    return db;
}

static const fh_question *question_named(const char *name)
{
    size_t num = 0;
    const fh_question *questions = fh_questions(&num);
    for (size_t i = 0; i < num; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            return &questions[i];
        }
    }
    cr_fatal("no question %s", name);
}

/* ---- answers --------------------------------------------------------------------------------- */

static bool on_columns(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    (void)user;
    (void)cells;
    return num_cells > 0;
}

/* A row: its values, a hash by its first two digits. */
static bool on_row(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    for (size_t i = 0; i < num_cells; i++) {
        const char *value = cells[i].text == NULL ? "NULL" : cells[i].text;
        fprintf(user, "%s%.*s", i == 0 ? "" : "|", strlen(value) == 64 ? 2 : 200, value);
    }
    fputc('\n', user);
    return true;
}

static fh_store_status ask(const char *db, const char *name, const char *value, int64_t limit)
{
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    FILE *out = begin_text();
    const fh_answer answer = {out, on_columns, on_row};
    cr_assert(eq(int, fh_store_open_ro(&store, db, NULL, err, sizeof err), FH_STORE_OK));
    const fh_store_status status =
        fh_store_ask_question(store, question_named(name), value, limit, &answer);
    fh_store_close(store);
    fclose(out);
    return status;
}

static void expect_answer(const char *db, const char *name, const char *value, const char *text)
{
    cr_assert(eq(int, ask(db, name, value, -1), FH_STORE_OK), "%s", name);
    cr_expect(eq(str, written, (char *)text), "%s", name);
    free(written);
    written = NULL;
}

Test(query, questions_of_a_collection)
{
    const char *db = collection();
    expect_answer(db, "summary", NULL, "tst|11|3|1157|77|0|11|0\n");
    expect_answer(db, "grades", NULL, "tst|replayed|11|1157|122\n");
    expect_answer(db, "sources", "one", "one|file|plain|4096|complete|4|4|NULL\n");
    expect_answer(db, "rules", NULL, "TST0002|warning|tst|11|3|a second title\n");
    expect_answer(db, "rules", "TST0001", "");
    expect_answer(db, "rule-sources", "TST0002", "TST0002|one|4\nTST0002|two|4\nTST0002|other|3\n");
    expect_answer(db, "shared", NULL, "61|tst|97|2|2|one|two\n62|tst|98|2|2|one|two\n");
    expect_answer(db, "shared", "6262", "62|tst|98|2|2|one|two\n");
    expect_answer(db, "places", "6161",
                  "61|one|0|NULL|NULL|tst|replayed|97|61|1\n"
                  "61|two|0|NULL|NULL|tst|replayed|97|61|5\n");
    expect_answer(db, "related", "one", "one|two|2|4|4\n");
    expect_answer(db, "related", "other", "");
    expect_answer(db, "lacking", "one", "one|65|tst|101|1|two|NULL\none|78|tst|120|1|two|NULL\n");
    expect_answer(db, "lacking", "two", "two|63|tst|99|1|one|NULL\ntwo|64|tst|100|1|one|NULL\n");
    expect_answer(db, "lacking", "none", "");
    expect_answer(db, "unique", "two",
                  "two|2000|tst|replayed|101|NULL|65|7\ntwo|3000|tst|replayed|120|NULL|78|8\n");
    expect_answer(db, "duplicates", "62", "62|tst|2|98|one@0x000003e8, two@0x000003e8\n");
    expect_answer(db, "empty", NULL, "none|file|plain|4096|partial|0\n");
    expect_answer(db, "failures", NULL, "none|partial|file|plain|4096|NULL\n");
    expect_answer(db, "broken", NULL, "other|2000|tst|broken|7|7|NULL|7a|11\n");
    expect_answer(db, "near-misses", NULL, "");
}

Test(query, same_motion_in_other_bytes)
{
    const char *db = collection();
    expect_answer(db, "same-motion", NULL, "");
    run(db, "UPDATE asset SET pose_sha256 = (SELECT pose_sha256 FROM asset WHERE id = 3) "
            "WHERE id = 7");
    expect_answer(db, "same-motion", "6363", "63|tst|2|2|one@0x000007d0, two@0x000007d0\n");
}

Test(query, no_more_rows_than_asked_for)
{
    const char *db = collection();
    cr_assert(eq(int, ask(db, "biggest", NULL, 2), FH_STORE_OK));
    cr_expect(eq(str, written,
                 "122|tst|replayed|other|2000|NULL|7|3|7a|11\n"
                 "120|tst|replayed|two|3000|NULL|7|3|78|8\n"));
    free(written);
    cr_assert(eq(int, ask(db, "assets", NULL, 0), FH_STORE_OK));
    cr_expect(eq(str, written, ""));
    free(written);
}

Test(query, a_source_that_is_not_there)
{
    cr_expect(eq(int, ask(collection(), "lacking", "three", -1), FH_STORE_NOT_FOUND));
    cr_expect(eq(str, written, ""));
    free(written);
}

/* What a database calls a view is not looked at: it could be a query without an end. */
Test(query, views_of_the_database_are_not_asked)
{
    const char *db = collection();
    drop_views(db);
    run(db, "CREATE VIEW v_related AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
            "SELECT i AS path FROM n; CREATE VIEW v_grades AS SELECT 'wrong'");
    expect_answer(db, "related", "one", "one|two|2|4|4\n");
    expect_answer(db, "grades", NULL, "tst|replayed|11|1157|122\n");
    run(db, "CREATE TABLE v_places (sha256, path)");
    expect_answer(db, "places", "9999", "");
}

/* All alike: nothing is held against all others one by one, and the same answer comes. */
Test(query, many_that_are_alike)
{
    const char *db = collection();
    run(db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
            "INSERT INTO asset (source_id, format, grade, raw_offset, length, sha256) "
            "SELECT 1 + i % 2, 'tst', 'replayed', i, 97, (SELECT sha256 FROM asset WHERE id = 1) "
            "FROM n");
    static const char *const names[] = {"related", "lacking", "unique", "assets", "sources"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_expect(eq(int, ask(db, names[i], "one", -1), FH_STORE_OK), "%s", names[i]);
        free(written);
    }
    cr_expect(eq(int, ask(db, "shared", NULL, -1), FH_STORE_OK));
    free(written);
}

/* ---- plans ----------------------------------------------------------------------------------- */

static char *plan_of(const char *db, const char *query)
{
    sqlite3 *connection = NULL;
    sqlite3_stmt *stmt = NULL;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    cr_assert(eq(int, sqlite3_open(db, &connection), SQLITE_OK));
    cr_assert(eq(int, sqlite3_prepare_v2(connection, query, -1, &stmt, NULL), SQLITE_OK), "%s: %s",
              query, sqlite3_errmsg(connection));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        fprintf(out, "%s\n", (const char *)sqlite3_column_text(stmt, 3));
    }
    sqlite3_finalize(stmt);
    sqlite3_close(connection);
    fclose(out);
    return text;
}

/* What is gone through from one end to the other, but for the rows that a view has put together. */
static bool scans_a_table(const char *plan)
{
    for (const char *at = strstr(plan, "SCAN "); at != NULL; at = strstr(at + 1, "SCAN ")) {
        if (strncmp(at, "SCAN v_", 7) != 0 && strncmp(at, "SCAN g\n", 7) != 0 &&
            strncmp(at, "SCAN (subquery", 14) != 0) {
            return true;
        }
    }
    return false;
}

static void expect_search(const char *db, const char *view, const char *condition)
{
    char query[256];
    snprintf(query, sizeof query, "EXPLAIN QUERY PLAN SELECT * FROM %s WHERE %s", view, condition);
    char *plan = plan_of(db, query);
    cr_expect(not(scans_a_table(plan)), "%s:\n%s", query, plan);
    cr_expect(strstr(plan, "SEARCH ") != NULL, "%s:\n%s", query, plan);
    free(plan);
}

Test(query, what_a_key_is_given_for_is_found_through_an_index)
{
    const char *db = collection();
    size_t num = 0;
    const fh_question *questions = fh_questions(&num);
    for (size_t i = 0; i < num; i++) {
        char condition[128];
        if (questions[i].key != NULL) {
            snprintf(condition, sizeof condition, "%s = 'x'", questions[i].key);
            expect_search(db, questions[i].view, condition);
        }
        if (questions[i].asked_for == FH_ASKED_HASH) {
            snprintf(condition, sizeof condition, "%s >= ?1 AND %s < ?1 || 'g'", questions[i].key,
                     questions[i].key);
            expect_search(db, questions[i].view, condition);
        }
    }
    expect_search(db, "v_assets", "id = 5");
    expect_search(db, "v_assets", "sha256 = 'x'");
    expect_search(db, "v_assets", "format = 'tod' AND grade = 'replayed'");
    expect_search(db, "v_findings", "asset_id = 5");
    expect_search(db, "v_findings", "code = 'TST0001'");
    expect_search(db, "v_grades", "format = 'tod'");
}

/* The first rows of what is long come at once: they lie in an index in their order. */
Test(query, long_answers_need_no_sort)
{
    static const char *const queries[] = {
        "EXPLAIN QUERY PLAN SELECT * FROM v_assets", "EXPLAIN QUERY PLAN SELECT * FROM v_findings",
        "EXPLAIN QUERY PLAN SELECT * FROM v_biggest", "EXPLAIN QUERY PLAN SELECT * FROM v_sources"};
    const char *db = collection();
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char *plan = plan_of(db, queries[i]);
        cr_expect(strstr(plan, "TEMP B-TREE") == NULL, "%s:\n%s", queries[i], plan);
        free(plan);
    }
}

/* What sums up all of a table reads an index that has it all. */
Test(query, sums_read_an_index)
{
    const char *db = collection();
    char *rules = plan_of(db, "EXPLAIN QUERY PLAN SELECT * FROM v_rules");
    char *motions = plan_of(db, "EXPLAIN QUERY PLAN SELECT * FROM v_same_motion");
    char *shared = plan_of(db, "EXPLAIN QUERY PLAN SELECT * FROM v_shared");
    char *broken = plan_of(db, "EXPLAIN QUERY PLAN SELECT * FROM v_broken");
    char *misses = plan_of(db, "EXPLAIN QUERY PLAN SELECT * FROM v_near_misses");
    cr_expect(strstr(rules, "COVERING INDEX finding_code") != NULL, "%s", rules);
    cr_expect(strstr(motions, "SEARCH a USING COVERING INDEX asset_pose_sha256") != NULL, "%s",
              motions);
    cr_expect(strstr(shared, "SEARCH a USING COVERING INDEX asset_sha256") != NULL, "%s", shared);
    cr_expect(strstr(broken, "INDEX replay_status") != NULL, "%s", broken);
    cr_expect(strstr(misses, "INDEX finding_code (code=?)") != NULL, "%s", misses);
    free(rules);
    free(motions);
    free(shared);
    free(broken);
    free(misses);
}

/* Sums of the whole database add up the sums of its sources, which lie in their order, and look at
 * nothing else. */
Test(query, sums_of_all_add_up_those_of_sources)
{
    static const char *const queries[] = {"EXPLAIN QUERY PLAN SELECT * FROM v_summary",
                                          "EXPLAIN QUERY PLAN SELECT * FROM v_grades"};
    const char *db = collection();
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char *plan = plan_of(db, queries[i]);
        cr_expect(strstr(plan, "SCAN tally") != NULL, "%s", plan);
        cr_expect(strstr(plan, "SEARCH") == NULL && strstr(plan, "SCAN a") == NULL, "%s", plan);
        cr_expect(strstr(plan, "GROUP BY") == NULL && strstr(plan, "ORDER BY") == NULL, "%s", plan);
        free(plan);
    }
}

/* ---- what is kept of all sources ------------------------------------------------------------- */

/* Two of each, half of them in other sources, all motions in two versions. */
static const char *many_pairs(const char *name, int num)
{
    const char *db = in_dir(name);
    char sql[1024];
    fh_store_close(open_or_die(db));
    snprintf(sql, sizeof sql,
             "INSERT INTO scan (tool_version, ruleset_version, started_at, status) "
             "VALUES ('', '', '', 'complete');"
             "INSERT INTO source (id, scan_id, path, status) VALUES (1, 1, 'one', 'complete'), "
             "(2, 1, 'two', 'complete');"
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
             "INSERT INTO asset (id, source_id, format, grade, sha256, pose_sha256) "
             "SELECT 10000 + i, 1 + (i %% 4 = 3), 'tst', 'replayed', printf('%%064x', i / 2), "
             "printf('%%064x', i / 4) FROM n;"
             "INSERT INTO finding (source_id, asset_id, code, severity, message) "
             "SELECT source_id, id, printf('TST%%04d', id %% 30), 'note', '' FROM asset",
             num - 1);
    run(db, sql);
    scan(db, "three", 1, 1);
    return db;
}

/* The part of a plan that reads what is kept: all but the last arm. */
static char *kept_part(const char *db, const char *view)
{
    char query[128];
    snprintf(query, sizeof query, "EXPLAIN QUERY PLAN SELECT * FROM %s", view);
    char *plan = plan_of(db, query);
    char *last = NULL;
    for (char *at = strstr(plan, "RIGHT\n"); at != NULL; at = strstr(at + 1, "RIGHT\n")) {
        last = at;
    }
    cr_assert(last != NULL, "%s:\n%s", query, plan);
    *last = '\0';
    return plan;
}

/* It lies in the order of the answer, and it is what the row of overall leads to that is read. */
Test(query, what_is_kept_is_read_in_the_order_of_its_index)
{
    static const char *const views[][2] = {
        {"v_duplicates", "SEARCH t USING COVERING INDEX overall_most (what=?)"},
        {"v_shared", "SEARCH t USING COVERING INDEX overall_most (what=?)"},
        {"v_same_motion", "SEARCH t USING INDEX overall_most (what=?)"},
        {"v_rules", "SEARCH t USING INDEX overall_most (what=?)"}};
    const char *db = many_pairs("few.db", 2000);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        char *plan = kept_part(db, views[i][0]);
        cr_expect(strstr(plan, views[i][1]) != NULL, "%s:\n%s", views[i][0], plan);
        cr_expect(strstr(plan, "SEARCH w USING PRIMARY KEY (what=? AND name=?)") != NULL, "%s",
                  plan);
        cr_expect(strstr(plan, "GROUP BY") == NULL && strstr(plan, "USING INDEX asset") == NULL,
                  "%s", plan);
        cr_expect(strstr(plan, "ORDER BY") == NULL, "%s:\n%s", views[i][0], plan);
        free(plan);
    }
}

/* Steps of SQLite's machine to the first ten rows. */
static int steps_of(const char *db, const char *view)
{
    char query[256];
    sqlite3 *connection = NULL;
    sqlite3_stmt *stmt = NULL;
    snprintf(query, sizeof query, "SELECT * FROM %s LIMIT 10", view);
    cr_assert(eq(int, sqlite3_open(db, &connection), SQLITE_OK));
    cr_assert(eq(int, sqlite3_prepare_v2(connection, query, -1, &stmt, NULL), SQLITE_OK));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
    }
    const int steps = sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(connection);
    return steps;
}

/* And those of a part of a hash, whatever is kept of others. */
Test(query, what_is_kept_is_found_by_a_part_of_a_hash)
{
    static const char *const views[] = {
        "v_duplicates WHERE sha256 >= "
        "'0000000000000000000000000000000000000000000000000000000000001' "
        "AND sha256 < '0000000000000000000000000000000000000000000000000000000000001g'",
        "v_shared WHERE sha256 >= '0000000000000000000000000000000000000000000000000000000000001' "
        "AND sha256 < '0000000000000000000000000000000000000000000000000000000000001g'",
        "v_same_motion WHERE pose_sha256 >= "
        "'00000000000000000000000000000000000000000000000000000000000001' AND pose_sha256 < "
        "'00000000000000000000000000000000000000000000000000000000000001g'"};
    const char *few = many_pairs("few.db", 20000);
    const char *many = many_pairs("many.db", 40000);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        cr_expect(gt(int, steps_of(few, views[i]), 100), "%s", views[i]);
        cr_expect(eq(int, steps_of(many, views[i]), steps_of(few, views[i])), "%s", views[i]);
    }
}

/* However many there are: the first rows take as long. */
Test(query, first_rows_of_what_is_kept_come_at_once)
{
    static const char *const views[] = {"v_duplicates", "v_shared", "v_same_motion", "v_rules"};
    const char *few = many_pairs("few.db", 2000);
    const char *many = many_pairs("many.db", 20000);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        const int of_few = steps_of(few, views[i]);
        const int of_many = steps_of(many, views[i]);
        cr_expect(of_many <= of_few + of_few / 10, "%s: %d, %d", views[i], of_few, of_many);
    }
    run(many, "UPDATE overall SET number = 0 WHERE what = 'kept'");
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        cr_expect(gt(int, steps_of(many, views[i]), 20000), "%s", views[i]);
    }
}

Test(query, names_and_views_agree)
{
    const char *db = collection();
    size_t num = 0;
    const fh_question *questions = fh_questions(&num);
    char *views = rows(db, "SELECT name FROM sqlite_schema WHERE type = 'view'");
    size_t num_views = 0;
    for (const char *at = views; *at != '\0'; at++) {
        num_views += *at == '\n' ? 1 : 0;
    }
    cr_expect(eq(sz, num_views, num));
    for (size_t i = 0; i < num; i++) {
        cr_expect(strstr(views, questions[i].view) != NULL, "%s", questions[i].name);
        cr_expect(eq(int, questions[i].key == NULL, questions[i].asked_for == FH_ASKED_NOTHING));
    }
    free(views);
}
