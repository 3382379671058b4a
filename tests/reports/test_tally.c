/* Sums: the views that add up the table of sums say what the rows themselves say, however the
 * database came about. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(tally, .fini = remove_dir);

/* What the views say, from the rows themselves. */
#define SUMMARY                                                                                    \
    "WITH told AS ("                                                                               \
    "    SELECT a.format, a.source_id, 1 AS is_asset, a.length,"                                   \
    "        coalesce(a.frames, r.frames) AS frames, 0 AS error, 0 AS warning, 0 AS note"          \
    "    FROM asset AS a LEFT JOIN replay AS r ON r.asset_id = a.id"                               \
    "    UNION ALL"                                                                                \
    "    SELECT coalesce(a.format, r.format, 'unknown'), f.source_id, 0, 0, 0,"                    \
    "        f.severity = 'error', f.severity = 'warning', f.severity = 'note'"                    \
    "    FROM finding AS f LEFT JOIN asset AS a ON a.id = f.asset_id"                              \
    "    LEFT JOIN rule AS r ON r.code = f.code) "                                                 \
    "SELECT format, sum(is_asset) AS assets, count(DISTINCT source_id) AS sources,"                \
    "    coalesce(sum(length), 0) AS bytes, coalesce(sum(frames), 0) AS frames,"                   \
    "    sum(error) AS errors, sum(warning) AS warnings, sum(note) AS notes "                      \
    "FROM told GROUP BY format ORDER BY format"
#define GRADES                                                                                     \
    "SELECT format, grade, count(*) AS assets, sum(length) AS bytes, max(length) AS longest "      \
    "FROM asset GROUP BY format, grade ORDER BY format, grade"
#define SAME_MOTION                                                                                \
    "SELECT a.pose_sha256, min(a.format) AS format, count(DISTINCT a.sha256) AS versions,"         \
    "    count(*) AS assets,"                                                                      \
    "    group_concat(s.path || '@' || printf('0x%08x', a.raw_offset), ', ') AS places "           \
    "FROM asset AS a NOT INDEXED JOIN source AS s ON s.id = a.source_id "                          \
    "WHERE a.pose_sha256 IS NOT NULL AND a.sha256 IS NOT NULL "                                    \
    "GROUP BY a.pose_sha256 HAVING count(DISTINCT a.sha256) > 1 "                                  \
    "ORDER BY versions DESC, a.pose_sha256"

static void expect_same(const char *db, const char *view, const char *query)
{
    char ask[64];
    (void)snprintf(ask, sizeof ask, "SELECT * FROM %s", view);
    char *expected = rows(db, query);
    char *got = rows(db, ask);
    cr_expect(eq(str, got, expected), "%s", view);
    free(got);
    free(expected);
}

/* The table says nothing that the rows do not, either: a source that is gone has no sums. */
static void expect_sums(const char *db)
{
    expect_same(db, "v_summary", SUMMARY);
    expect_same(db, "v_grades", GRADES);
    expect_same(db, "v_same_motion", SAME_MOTION);
    EXPECT_ROWS(db, "SELECT * FROM tally WHERE source_id NOT IN (SELECT id FROM source)", "");
}

/* ---- sources --------------------------------------------------------------------------------- */

/* Rules of another format, and one of no table at all. */
static const fh_rule others[] = {{"ELS0001", FH_NOTE, "t", "e", "s", ""},
                                 {"ELS0002", FH_ERROR, "t", "e", "s", ""}};
static const fh_rule_table other_rules = {"els", others, 2};
static const fh_rule nobodys = {"NOB0001", FH_ERROR, "t", "e", "s", ""};

static void complain(fh_store *store, const fh_rule *rule, int64_t handle)
{
    fh_finding_record finding = finding_of(0, handle, "of that");
    finding.rule = rule != NULL ? rule : finding.rule;
    finding.severity = rule != NULL ? rule->severity : FH_WARNING;
    cr_assert(eq(int, fh_store_finding(store, &finding), FH_STORE_OK));
}

/* The number decides what the asset is like: lengths and frames may be unknown. */
static int64_t put_asset(fh_store *store, int number, const char *format, const char *grade)
{
    int64_t handle = 0;
    fh_asset_record asset = asset_at(1000 * number, number % 250);
    const fh_replay_record replay = {"player", number % 5 == 0 ? FH_UNKNOWN : 9, 0, "complete",
                                     asset_at(0, number % 3).pose_sha256};
    asset.format = format;
    asset.grade = grade;
    asset.length = number % 3 == 0 ? FH_UNKNOWN : 10 + number;
    asset.frames = number % 2 == 0 ? FH_UNKNOWN : number;
    asset.pose_sha256 = replay.pose_sha256;
    asset.replay = number % 7 == 0 ? NULL : &replay;
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    return handle;
}

static void begin_source(fh_store *store, const char *path)
{
    cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
}

static void end_source(fh_store *store, const char *path)
{
    const fh_source_record source = source_named(path);
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
}

/* Assets of all kinds, with findings of the last one, of an earlier one and of the source. */
static void put_mixed(fh_store *store, const char *path, int num)
{
    static const char *const formats[] = {"tod", "hmd", "tra"};
    static const char *const grades[] = {"structure", "replayed"};
    int64_t first = FH_UNKNOWN;
    begin_source(store, path);
    complain(store, NULL, FH_UNKNOWN);
    for (int i = 0; i < num; i++) {
        const int64_t handle = put_asset(store, i, formats[i % 3], grades[i / 2 % 2]);
        first = i == 0 ? handle : first;
        complain(store, &others[i % 2], handle);
        complain(store, NULL, first);
        complain(store, i % 4 == 0 ? &nobodys : &others[0], FH_UNKNOWN);
    }
    end_source(store, path);
}

static fh_store *begin_scan(const char *db)
{
    const fh_rule_table tables[] = {test_rules, other_rules};
    fh_store *store = open_or_die(db);
    cr_assert(eq(int, fh_store_begin_scan(store, "1.0", "2", "--opt", tables, 2), FH_STORE_OK));
    return store;
}

static void end_scan(fh_store *store, const char *status)
{
    cr_assert(eq(int, fh_store_end_scan(store, status), FH_STORE_OK), "%s", fh_store_error(store));
    fh_store_close(store);
}

/* Two sources with assets, one with findings alone, one with nothing. */
static const char *collection(const char *name)
{
    const char *db = in_dir(name);
    fh_store *store = begin_scan(db);
    put_mixed(store, "a.bin", 12);
    put_mixed(store, "b.zip", 0);
    put_mixed(store, "b.zip!/one", 5);
    begin_source(store, "c.bin");
    end_source(store, "c.bin");
    end_scan(store, "complete");
    return db;
}

/* ---- scans ----------------------------------------------------------------------------------- */

Test(tally, rows_are_the_sums_of_a_source)
{
    const char *db = in_dir("one.db");
    fh_store *store = begin_scan(db);
    begin_source(store, "a.bin");
    complain(store, &others[0], put_asset(store, 1, "tod", "replayed"));
    complain(store, &others[1], put_asset(store, 4, "tod", "replayed"));
    complain(store, &others[1], put_asset(store, 3, "tod", "structure"));
    complain(store, &others[1], FH_UNKNOWN);
    complain(store, &nobodys, FH_UNKNOWN);
    end_source(store, "a.bin");
    end_scan(store, "complete");
    EXPECT_ROWS(db, "SELECT * FROM tally",
                "1|els||0|NULL|NULL|0|1|0|0\n1|tod|replayed|2|25|14|10|1|0|1\n"
                "1|tod|structure|1|NULL|NULL|3|1|0|0\n1|unknown||0|NULL|NULL|0|1|0|0\n");
    expect_sums(db);
}

Test(tally, of_several_sources)
{
    const char *db = collection("several.db");
    EXPECT_ROWS(db, "SELECT format, assets, sources FROM v_summary",
                "els|0|2\nhmd|6|2\ntod|6|2\ntra|5|2\ntst|0|3\nunknown|0|2\n");
    EXPECT_ROWS(db, "SELECT count(*) > 0 FROM v_same_motion", "1\n");
    expect_sums(db);
}

/* A rule whose table this scan does not have counts as the database says, which had it before. */
Test(tally, rule_of_another_scan)
{
    const char *db = collection("rules.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    put_mixed(store, "d.bin", 3);
    end_scan(store, "complete");
    expect_sums(db);
}

/* More formats and grades than are kept in memory: what was written is added to. */
Test(tally, more_kinds_than_are_kept)
{
    const char *db = in_dir("kinds.db");
    fh_store *store = begin_scan(db);
    begin_source(store, "a.bin");
    for (int i = 0; i < 400; i++) {
        char grade[16];
        (void)snprintf(grade, sizeof grade, "grade-%d", i % 90);
        const int64_t handle = put_asset(store, i / 90 + i % 90, "tod", grade);
        complain(store, &others[0], handle);
        complain(store, NULL, 1 + handle / 2);
        complain(store, &nobodys, FH_UNKNOWN);
        complain(store, &others[1], handle);
    }
    end_source(store, "a.bin");
    end_scan(store, "complete");
    EXPECT_ROWS(db, "SELECT count(*), sum(assets) FROM tally", "91|400\n");
    expect_sums(db);
}

Test(tally, of_sources_that_are_scanned_again)
{
    const char *db = collection("again.db");
    char *before = rows(db, "SELECT * FROM tally");
    collection("again.db");
    EXPECT_ROWS(db, "SELECT * FROM tally", before);
    free(before);
    fh_store *store = begin_scan(db);
    put_mixed(store, "a.bin", 3);
    put_mixed(store, "c.bin", 2);
    end_scan(store, "complete");
    expect_sums(db);
    store = begin_scan(db);
    begin_source(store, "a.bin");
    end_source(store, "a.bin");
    end_scan(store, "complete");
    EXPECT_ROWS(db, "SELECT count(*) FROM tally WHERE source_id = 1", "0\n");
    expect_sums(db);
}

Test(tally, of_sources_that_go_or_cannot_be_read)
{
    const char *db = collection("gone.db");
    fh_store *store = begin_scan(db);
    const fh_finding_record finding = finding_of(0, FH_UNKNOWN, "cannot be read");
    fh_source_record known = source_named("a.bin");
    fh_source_record fresh = source_named("z.bin");
    known.status = fresh.status = "unreadable";
    cr_assert(eq(int, fh_store_touch_unreadable(store, &known, &finding), FH_STORE_OK));
    cr_assert(eq(int, fh_store_touch_unreadable(store, &fresh, &finding), FH_STORE_OK));
    put_mixed(store, "b.zip", 0);
    cr_assert(eq(int, fh_store_drop_old_members(store, "b.zip"), FH_STORE_OK));
    put_mixed(store, "dropped.bin", 0);
    end_scan(store, "complete");
    EXPECT_ROWS(db, "SELECT path FROM source JOIN tally ON source_id = id GROUP BY id",
                "a.bin\nb.zip\nz.bin\ndropped.bin\n");
    expect_sums(db);
    run(db, "PRAGMA foreign_keys = ON; DELETE FROM source WHERE id = 1");
    expect_sums(db);
}

Test(tally, of_scans_that_are_broken_off)
{
    const char *db = in_dir("broken.db");
    const char *whole = in_dir("whole.db");
    static const fh_scan_record scan = {"1.0", "2", "--opt"};
    fh_store *store = begin_scan(db);
    put_mixed(store, "a.bin", 7);
    begin_source(store, "b.bin"); /* and not to its end */
    complain(store, &others[0], put_asset(store, 1, "tod", "replayed"));
    fh_store_close(store);
    expect_sums(db);
    for (int i = 0; i < 2; i++) {
        fh_resumed resumed;
        store = open_or_die(i == 0 ? db : whole);
        cr_assert(eq(int, fh_store_resume(store, &resumed, &scan), FH_STORE_OK));
        fh_store_close(store);
        store = begin_scan(i == 0 ? db : whole);
        put_mixed(store, "a.bin", 7);
        put_mixed(store, "b.bin", 4);
        end_scan(store, "complete");
    }
    char *expected = rows(whole, "SELECT * FROM tally");
    EXPECT_ROWS(db, "SELECT * FROM tally", expected);
    free(expected);
    expect_sums(db);
}

/* ---- databases of other ways ----------------------------------------------------------------- */

/* The table of a shard is not looked at. */
Test(tally, of_databases_that_are_merged)
{
    const char *const shards[] = {collection("one.db"), in_dir("two.db")};
    const char *merged = in_dir("merged.db");
    char err[FH_STORE_ERROR_LEN];
    fh_store *store = begin_scan(shards[1]);
    put_mixed(store, "x.bin", 8);
    end_scan(store, "complete");
    run(shards[1], "UPDATE tally SET assets = 1000; DELETE FROM tally WHERE grade = ''");
    cr_assert(eq(int, fh_store_merge(merged, shards, 2, NULL, err, sizeof err), FH_STORE_OK), "%s",
              err);
    EXPECT_ROWS(merged, "SELECT sum(assets) FROM v_summary", "25\n");
    expect_sums(merged);
}

/* Makes a database of schema 3 of it, which had no sums, and another index. */
static void make_earlier(const char *db)
{
    run(db,
        "DROP VIEW v_summary; DROP VIEW v_grades; DROP TABLE tally;"
        "DROP INDEX asset_pose_sha256; CREATE INDEX asset_pose_sha256 ON asset "
        "(pose_sha256);" DROP_OVERALL "PRAGMA user_version = 3; CREATE VIEW v_summary AS " SUMMARY
        "; CREATE VIEW v_grades AS " GRADES);
}

Test(tally, of_an_earlier_database_comes_with_the_next_scan)
{
    const char *db = collection("earlier.db");
    const char *schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";
    char *as_new = rows(db, schema);
    char *before = rows(db, "SELECT * FROM tally");
    make_earlier(db);
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, "PRAGMA user_version", "5\n");
    EXPECT_ROWS(db, "SELECT * FROM tally", before);
    expect_sums(db);
    collection("earlier.db");
    EXPECT_ROWS(db, schema, as_new);
    EXPECT_ROWS(db, "SELECT * FROM tally", before);
    free(as_new);
    free(before);
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

/* All answers, owned by the caller. */
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
    for (size_t i = 0; i < num; i++) {
        fprintf(out, "%s\n", questions[i].name);
        cr_assert(
            eq(int, fh_store_ask_question(store, &questions[i], NULL, -1, &answer), FH_STORE_OK),
            "%s: %s", questions[i].name, fh_store_error(store));
    }
    fh_store_close(store);
    fclose(out);
    return text;
}

/* Who only reads changes nothing, and gets the same answers. */
Test(tally, of_an_earlier_database_that_is_only_read)
{
    const char *db = collection("earlier.db");
    char *expected = answers(db);
    cr_expect(strstr(expected, "\nv_grades\n") == NULL &&
                  strstr(expected, "tod|replayed|3|") != NULL,
              "%s", expected);
    make_earlier(db);
    blob before = slurp(db);
    char *got = answers(db);
    cr_expect(eq(str, got, expected));
    cr_expect(same(before, slurp(db)));
    free(got);
    free(expected);
}

/* Somebody deleted a source with a tool that leaves its rows behind. */
Test(tally, of_an_earlier_database_with_rows_of_no_source)
{
    const char *db = collection("orphans.db");
    make_earlier(db);
    run(db, "PRAGMA foreign_keys = OFF; DELETE FROM source WHERE id = 1");
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, "SELECT count(*) > 0, min(source_id) FROM tally", "1|2\n");
}

Test(tally, of_an_earlier_database_with_numbers_that_are_too_many)
{
    const char *db = collection("many.db");
    make_earlier(db);
    run(db, "UPDATE asset SET length = 9223372036854775807, frames = -9223372036854775807");
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, "SELECT max(bytes), min(frames) < -9000000000000000000 FROM tally",
                "9223372036854775807|1\n");
}

/* In a scan, too, they end at the last number that there is. */
Test(tally, of_numbers_that_are_too_many)
{
    const char *db = in_dir("many.db");
    fh_store *store = begin_scan(db);
    begin_source(store, "a.bin");
    for (int i = 0; i < 3; i++) {
        int64_t handle = 0;
        fh_asset_record asset = asset_at(i, 1);
        asset.length = INT64_MAX - 1;
        asset.frames = -INT64_MAX;
        cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    }
    end_source(store, "a.bin");
    end_scan(store, "complete");
    EXPECT_ROWS(db, "SELECT assets, bytes, longest, frames FROM tally",
                "3|9223372036854775807|9223372036854775806|-9223372036854775807\n");
}

/* The sums of a database are what it says; those of a source are right with its next scan. */
Test(tally, that_lies)
{
    const char *db = collection("lies.db");
    run(db, "UPDATE tally SET assets = 77, bytes = -1");
    EXPECT_ROWS(db, "SELECT max(assets) FROM v_grades", "231\n");
    collection("lies.db");
    expect_sums(db);
}
