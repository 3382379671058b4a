/* Lists of what is recorded, and two databases compared. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(diff, .fini = remove_dir);

static const char *const names[] = {"appeared", "vanished", "moved", "bytes",
                                    "motion",   "grade",    "came",  "went"};

static const char *shown(const char *text)
{
    return text != NULL ? text : "-";
}

static bool put_line(void *user, const fh_difference *one)
{
    fprintf(user, "%s %s %s %s %" PRId64 " %" PRId64 " %s\n", names[one->change],
            shown(one->a_path), shown(one->b_path), shown(one->format),
            one->a_raw_offset == FH_UNKNOWN ? -1 : one->a_raw_offset,
            one->b_raw_offset == FH_UNKNOWN ? -1 : one->b_raw_offset, shown(one->code));
    return true;
}

static void expect_diff(const char *a, const char *b, fh_match match, const char *expected)
{
    char *text = NULL;
    size_t len = 0;
    char err[FH_STORE_ERROR_LEN];
    FILE *out = open_memstream(&text, &len);
    cr_assert(
        eq(int, fh_store_diff(a, b, match, NULL, out, put_line, err, sizeof err), FH_STORE_OK),
        "%s", err);
    fclose(out);
    cr_expect(eq(str, text, (char *)expected), "%s", text);
    free(text);
}

static bool stop_at_once(void *user, const fh_difference *one)
{
    (void)one;
    ++*(int *)user;
    return false;
}

Test(diff, same_bytes_differ_in_nothing)
{
    const char *a = in_dir("a.db");
    const char *b = in_dir("b.db");
    scan(a, "x/a.bin", 3, 1);
    scan(b, "x/a.bin", 3, 1);
    scan(b, "x/a.bin", 3, 1);
    blob before = slurp(a);
    expect_diff(a, b, FH_MATCH_PATH, "");
    expect_diff(a, a, FH_MATCH_PATH, "");
    cr_assert(same(before, slurp(a)));
    cr_assert(eq(sz, num_files(), 2));
}

Test(diff, sources_by_path_and_by_name)
{
    const char *a = in_dir("a.db");
    const char *b = in_dir("b.db");
    scan(a, "x/a.zip!/in/1", 1, 1);
    scan(a, "x/b.bin", 0, 1);
    scan(b, "y/a.zip!/in/1", 1, 1);
    scan(b, "y/b.bin", 0, 1);
    expect_diff(a, b, FH_MATCH_NAME, "");
    expect_diff(a, b, FH_MATCH_PATH,
                "vanished x/a.zip!/in/1 - - -1 -1 -\nvanished x/a.zip!/in/1 - tst 0 -1 -\n"
                "vanished x/b.bin - - -1 -1 -\n"
                "appeared - y/a.zip!/in/1 - -1 -1 -\nappeared - y/a.zip!/in/1 tst -1 0 -\n"
                "appeared - y/b.bin - -1 -1 -\n");
    scan(b, "z/b.bin", 0, 1);
    expect_diff(a, b, FH_MATCH_NAME, "appeared - z/b.bin - -1 -1 -\n");
    run(b, "UPDATE source SET path = 'y/a.zip!/2/1' WHERE path = 'y/a.zip!/in/1'");
    run(b, "DELETE FROM source WHERE path = 'z/b.bin'");
    expect_diff(a, b, FH_MATCH_NAME,
                "vanished x/a.zip!/in/1 - - -1 -1 -\nvanished x/a.zip!/in/1 - tst 0 -1 -\n"
                "appeared - y/a.zip!/2/1 - -1 -1 -\nappeared - y/a.zip!/2/1 tst -1 0 -\n");
}

typedef struct edit {
    const char *sql;
    const char *expected;
} edit;

Test(diff, every_kind_of_change)
{
    static const edit edits[] = {
        {"DELETE FROM asset WHERE id = 2", "vanished a.bin - tst 1000 -1 -\n"},
        {"INSERT INTO asset (source_id, format, grade, raw_offset, sha256) VALUES (1, 'tst', "
         "'structure', 50, 'x')",
         "appeared - a.bin tst -1 50 -\n"},
        {"UPDATE asset SET raw_offset = 5000 WHERE id = 2", "moved a.bin a.bin tst 1000 5000 -\n"},
        {"UPDATE asset SET sha256 = 'x' WHERE id = 2", "bytes a.bin a.bin tst 1000 1000 -\n"},
        {"UPDATE asset SET pose_sha256 = 'x' WHERE id = 2", "motion a.bin a.bin tst 1000 1000 -\n"},
        {"UPDATE asset SET grade = 'structure' WHERE id = 2",
         "grade a.bin a.bin tst 1000 1000 -\n"},
        {"UPDATE finding SET code = 'TST0003' WHERE asset_id = 2",
         "came a.bin a.bin tst 1000 1000 TST0003\nwent a.bin a.bin tst 1000 1000 TST0002\n"},
        {"DELETE FROM finding WHERE asset_id IS NULL", "went a.bin a.bin - -1 -1 TST0001\n"},
        {"UPDATE asset SET format = 'hmd' WHERE id = 2",
         "appeared - a.bin hmd -1 1000 -\nvanished a.bin - tst 1000 -1 -\n"},
        {"UPDATE asset SET sha256 = 'x', iso_path = '/A', raw_offset = 7 WHERE id = 3",
         "moved a.bin a.bin tst 2000 7 -\nbytes a.bin a.bin tst 2000 7 -\n"},
        {"UPDATE asset SET raw_offset = NULL WHERE id = 1", "moved a.bin a.bin tst 0 -1 -\n"},
    };
    const char *a = in_dir("a.db");
    scan(a, "a.bin", 3, 1);
    run(a, "UPDATE asset SET sha256 = id || sha256, iso_path = '/A', iso_offset = id");
    blob whole = slurp(a);
    const char *b = in_dir("b.db");
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        spill(b, whole.bytes, whole.len);
        run(b, edits[i].sql);
        expect_diff(a, b, FH_MATCH_PATH, edits[i].expected);
    }
    free(whole.bytes);
}

/* Assets of the same bytes: one that stayed is itself, one more is new. */
Test(diff, copies_are_told_apart)
{
    const char *a = in_dir("a.db");
    const char *b = in_dir("b.db");
    scan(a, "a.bin", 3, 1);
    scan(b, "a.bin", 4, 1);
    expect_diff(a, b, FH_MATCH_PATH, "appeared - a.bin tst -1 3000 -\n");
    run(b, "UPDATE asset SET raw_offset = 500 WHERE id = 1");
    run(b, "DELETE FROM asset WHERE id = 4");
    expect_diff(a, b, FH_MATCH_PATH, "moved a.bin a.bin tst 0 500 -\n");
}

Test(diff, ends_when_nobody_wants_more)
{
    const char *a = in_dir("a.db");
    const char *b = in_dir("b.db");
    int num = 0;
    char err[FH_STORE_ERROR_LEN];
    scan(a, "a.bin", 3, 1);
    scan(b, "b.bin", 3, 1);
    cr_assert(eq(int, fh_store_diff(a, b, FH_MATCH_PATH, NULL, &num, stop_at_once, err, sizeof err),
                 FH_STORE_OK));
    cr_assert(eq(int, num, 1));
}

Test(diff, refuses_what_is_no_database_of_ours)
{
    int num = 0;
    char err[FH_STORE_ERROR_LEN];
    const char *a = in_dir("a.db");
    const char *b = in_dir("b.db");
    scan(a, "a.bin", 1, 1);
    scan(b, "a.bin", 1, 1);
    static const edit spoiled[] = {
        {"PRAGMA user_version = 7", "newer"},
        {"PRAGMA application_id = 7", "not a framehound database"},
        {"DROP TABLE finding; CREATE VIEW finding AS SELECT 1 AS asset_id", "tables"},
        {"DROP TABLE replay; CREATE VIRTUAL TABLE replay USING fts5(asset_id)", "tables"},
        {"DROP INDEX asset_format; ALTER TABLE asset DROP COLUMN grade", "tables"},
        {"ALTER TABLE asset DROP COLUMN iso_path", "no such column"},
    };
    blob whole = slurp(b);
    for (size_t i = 0; i < sizeof spoiled / sizeof spoiled[0]; i++) {
        spill(b, whole.bytes, whole.len);
        drop_views(b);
        run(b, spoiled[i].sql);
        const fh_store_status there =
            fh_store_diff(a, b, FH_MATCH_PATH, NULL, &num, stop_at_once, err, sizeof err);
        cr_expect(ne(int, there, FH_STORE_OK), "%zu", i);
        cr_expect(strstr(err, spoiled[i].expected) != NULL, "%zu: %s", i, err);
        const fh_store_status here =
            fh_store_diff(b, a, FH_MATCH_PATH, NULL, &num, stop_at_once, err, sizeof err);
        cr_expect(ne(int, here, FH_STORE_OK), "%zu", i);
        cr_expect(strstr(err, spoiled[i].expected) != NULL, "%zu: %s", i, err);
    }
    free(whole.bytes);
    const fh_store_status missing = fh_store_diff(a, in_dir("none.db"), FH_MATCH_PATH, NULL, &num,
                                                  stop_at_once, err, sizeof err);
    cr_expect(eq(int, missing, FH_STORE_CANNOT_OPEN));
    cr_expect(strstr(err, "none.db") != NULL, "%s", err);
    cr_expect(eq(int, num, 0));
}

/* ---- lists ---- */

static bool wants_even(void *user, int64_t id, const char *format, const char *grade)
{
    (void)user;
    return id % 2 == 0 && strcmp(format, "tst") == 0 && strcmp(grade, "replayed") == 0;
}

static fh_store *open_ro(const char *path)
{
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, err, sizeof err), FH_STORE_OK), "%s",
              err);
    return store;
}

Test(diff, assets_are_listed_by_source_and_place)
{
    const char *db = in_dir("a.db");
    scan(db, "b.bin", 2, 1);
    scan(db, "a.bin", 3, 1);
    run(db, "UPDATE asset SET raw_offset = 1 WHERE id = 5");
    fh_store *store = open_ro(db);
    int64_t *ids = NULL;
    size_t num = 0;
    const fh_asset_filter all = {0};
    cr_assert(eq(int, fh_store_list_assets(store, &ids, &num, &all), FH_STORE_OK));
    static const int64_t expected[] = {3, 5, 4, 1, 2};
    cr_assert(eq(sz, num, 5));
    cr_assert(memcmp(ids, expected, sizeof expected) == 0);
    free(ids);
    const fh_asset_filter even = {NULL, wants_even};
    cr_assert(eq(int, fh_store_list_assets(store, &ids, &num, &even), FH_STORE_OK));
    cr_assert(eq(sz, num, 2));
    cr_assert(eq(i64, ids[0], 4));
    cr_assert(eq(i64, ids[1], 2));
    free(ids);
    fh_store_close(store);
}

static bool count_finding(void *user, const fh_stored_finding *finding)
{
    cr_expect(eq(str, (char *)finding->code, "TST0002"));
    cr_expect(eq(str, (char *)finding->message, "of an asset"));
    cr_expect(eq(str, (char *)finding->field, "size"));
    cr_expect(eq(i64, finding->raw_offset, FH_UNKNOWN));
    ++*(int *)user;
    return true;
}

Test(diff, an_asset_is_found_with_all_that_is_known_of_it)
{
    const char *db = in_dir("a.db");
    int num = 0;
    scan(db, "a.bin", 2, 0xab);
    run(db, "UPDATE asset SET lba = 7, iso_path = '/A', iso_offset = 3, ram_address = 9");
    fh_store *store = open_ro(db);
    fh_stored_asset asset;
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 2), FH_STORE_OK));
    cr_expect(eq(str, asset.grade, "replayed"));
    cr_expect(eq(str, asset.iso_path, "/A"));
    cr_expect(eq(i64, asset.lba, 7));
    cr_expect(eq(i64, asset.iso_offset, 3));
    cr_expect(eq(i64, asset.ram_address, 9));
    cr_expect(eq(i64, asset.frames, 7));
    cr_expect(eq(i64, asset.objects, 3));
    cr_expect(eq(i64, asset.evidence_bits, 64));
    cr_expect(eq(str, asset.evaluator, "player 1"));
    cr_expect(eq(i64, asset.ticks, 420));
    cr_expect(eq(str, asset.replay_status, "complete"));
    cr_expect(eq(str, asset.pose_sha256, asset.sha256));
    cr_expect(eq(str, asset.source_sha256, ""));
    fh_stored_asset_clear(&asset);
    cr_assert(eq(int, fh_store_each_finding(store, 2, &num, count_finding), FH_STORE_OK));
    cr_expect(eq(int, num, 1));
    fh_store_close(store);
}

Test(diff, same_motion_in_other_bytes)
{
    const char *db = in_dir("a.db");
    scan(db, "a.bin", 2, 1);
    scan(db, "b.bin", 1, 1);
    scan(db, "c.bin", 1, 2);
    EXPECT_ROWS(db, "SELECT count(*) FROM v_same_motion", "0\n");
    run(db, "UPDATE asset SET sha256 = 'x' WHERE id = 3");
    EXPECT_ROWS(db, "SELECT format, versions, assets, places FROM v_same_motion",
                "tst|2|3|a.bin@0x00000000, a.bin@0x000003e8, b.bin@0x00000000\n");
    run(db, "UPDATE asset SET pose_sha256 = NULL WHERE id = 3");
    EXPECT_ROWS(db, "SELECT count(*) FROM v_same_motion", "0\n");
}
