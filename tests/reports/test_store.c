/* What is in a database after a scan, read back through SQLite. */
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(store, .fini = remove_dir);

static void expect_columns(const char *db, const char *table, const char *columns)
{
    char query[256];
    snprintf(query, sizeof query, "SELECT group_concat(name, ', ') FROM pragma_table_info('%s')",
             table);
    char *got = rows(db, query);
    got[strcspn(got, "\n")] = '\0';
    cr_assert(eq(str, got, (char *)columns), "%s", table);
    free(got);
}

Test(store, fresh_database_is_as_the_contract_says)
{
    const char *db = in_dir("new.db");
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, "PRAGMA application_id", "1179143748\n");
    EXPECT_ROWS(db, "PRAGMA user_version", "5\n");
    expect_columns(db, "scan",
                   "id, tool_version, ruleset_version, options, started_at, finished_at, status");
    expect_columns(db, "source", "id, scan_id, path, kind, layout, size, sha256, status");
    expect_columns(db, "asset",
                   "id, source_id, format, grade, raw_offset, user_offset, length, lba, iso_path, "
                   "iso_offset, ram_address, evidence_bits, frames, objects, sha256, pose_sha256");
    expect_columns(db, "finding",
                   "id, source_id, asset_id, code, severity, raw_offset, asset_offset, frame, "
                   "object, message, field, found, expected");
    expect_columns(db, "rule", "code, format, severity, title, explanation");
    expect_columns(db, "piece", "asset_id, asset_offset, raw_offset, length");
    expect_columns(db, "coverage",
                   "source_id, n, claim, raw_offset, length, first_lba, sectors, runs, "
                   "asset_bytes");
    expect_columns(db, "tally",
                   "source_id, format, grade, assets, bytes, longest, frames, errors, warnings, "
                   "notes");
    expect_columns(db, "overall", "what, name, number, amount");
    expect_columns(db, "replay", "asset_id, evaluator, frames, ticks, status, pose_sha256");
    EXPECT_ROWS(db,
                "SELECT count(*), sum(strict) FROM pragma_table_list WHERE schema = 'main' "
                "AND type = 'table' AND name NOT LIKE 'sqlite_%'",
                "10|10\n");
    EXPECT_ROWS(db, "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name",
                "v_assets\nv_biggest\nv_broken\nv_coverage\nv_duplicates\nv_empty\nv_failures\n"
                "v_findings\nv_grades\nv_lacking\nv_near_misses\nv_places\nv_related\n"
                "v_rule_sources\nv_rules\nv_same_motion\nv_scans\nv_shared\nv_sources\nv_summary\n"
                "v_unique\n");
    cr_assert(eq(sz, num_files(), 1));
}

Test(store, rows_are_what_was_said)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 2, 0xab);
    EXPECT_ROWS(db,
                "SELECT id, tool_version, ruleset_version, options, status, "
                "started_at GLOB '20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:"
                "[0-9][0-9]Z', finished_at >= started_at FROM scan",
                "1|1.0|2|--opt|complete|1|1\n");
    EXPECT_ROWS(db, "SELECT * FROM source", "1|1|a.bin|file|plain|4096|NULL|complete\n");
    EXPECT_ROWS(db,
                "SELECT id, source_id, format, grade, raw_offset, user_offset, length, lba, "
                "iso_path, iso_offset, ram_address, evidence_bits, frames, objects FROM asset",
                "1|1|tst|replayed|0|0|100|NULL|NULL|NULL|NULL|64|7|3\n"
                "2|1|tst|replayed|1000|1000|100|NULL|NULL|NULL|NULL|64|7|3\n");
    EXPECT_ROWS(db, "SELECT DISTINCT sha256, pose_sha256 = sha256, typeof(sha256) FROM asset",
                "abababababababababababababababababababababababababababababababab|1|text\n");
    EXPECT_ROWS(db, "SELECT * FROM finding",
                "1|1|1|TST0002|warning|NULL|NULL|NULL|NULL|of an asset|size|1|2\n"
                "2|1|2|TST0002|warning|NULL|NULL|NULL|NULL|of an asset|size|1|2\n"
                "3|1|NULL|TST0001|error|NULL|NULL|NULL|NULL|of the source|size|1|2\n");
    EXPECT_ROWS(db, "SELECT asset_id, evaluator, frames, ticks, status FROM replay",
                "1|player 1|7|420|complete\n2|player 1|7|420|complete\n");
    EXPECT_ROWS(db, "SELECT * FROM rule",
                "TST0001|tst|error|a title|an explanation\n"
                "TST0002|tst|warning|a second title|why \"so\"\n"
                "TST0003|tst|note|a third title|x\n");
}

/* Rules that stand there are left alone, as nobody can see but in the rows that were not written;
 * each column that is another now, and a rule that is missing, is written. */
Test(store, rules_are_those_of_the_last_scan)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 1, 0xab);
    char *before = rows(db, "SELECT *, rowid FROM rule ORDER BY code");
    scan(db, "b.bin", 1, 0xab);
    EXPECT_ROWS(db, "SELECT *, rowid FROM rule ORDER BY code", before);
    free(before);
    before = rows(db, "SELECT * FROM rule ORDER BY code");
    const char *changes[] = {"format = 'old'", "severity = 'note'", "title = 'old'",
                             "explanation = 'old'"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql, "UPDATE rule SET %s WHERE code = 'TST0002'", changes[i]);
        run(db, sql);
        scan(db, "a.bin", 1, 0xab);
        EXPECT_ROWS(db, "SELECT * FROM rule ORDER BY code", before);
    }
    run(db, "DELETE FROM rule WHERE code = 'TST0001'");
    scan(db, "a.bin", 1, 0xab);
    EXPECT_ROWS(db, "SELECT * FROM rule ORDER BY code", before);
    free(before);
}

Test(store, indexes_come_with_the_end_of_the_scan)
{
    const char *db = in_dir("new.db");
    const char *indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' "
                          "AND name NOT LIKE 'sqlite_%' ORDER BY name";
    fh_store_close(open_or_die(db));
    EXPECT_ROWS(db, indexes, "");
    scan(db, "a.bin", 1, 1);
    EXPECT_ROWS(db, indexes,
                "asset_format\nasset_length\nasset_pose_sha256\nasset_sha256\nasset_source\n"
                "finding_asset\nfinding_code\nfinding_source\nreplay_status\ntally_source\n");
}

Test(store, deleting_a_source_takes_its_rows_along)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 3, 1);
    run(db, "PRAGMA foreign_keys = ON; DELETE FROM source");
    EXPECT_ROWS(db,
                "SELECT (SELECT count(*) FROM asset), (SELECT count(*) FROM finding), "
                "(SELECT count(*) FROM replay), (SELECT count(*) FROM tally)",
                "0|0|0|0\n");
}

/* Everything but the table of scans and the scan that a source is of. */
static char *dump(const char *db)
{
    static const char *const queries[] = {
        "SELECT id, path, kind, layout, size, sha256, status FROM source ORDER BY id",
        "SELECT * FROM asset ORDER BY id",
        "SELECT * FROM finding ORDER BY id",
        "SELECT * FROM replay ORDER BY asset_id",
        "SELECT * FROM tally ORDER BY 1, 2, 3",
        "SELECT * FROM overall ORDER BY 1, 2",
        "SELECT * FROM rule ORDER BY code"};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char *part = rows(db, queries[i]);
        fputs(part, out);
        free(part);
    }
    fclose(out);
    return text;
}

Test(store, rescan_of_the_same_bytes_yields_the_same_rows)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 3, 1);
    scan(db, "b.bin", 2, 2);
    char *before = dump(db);
    scan(db, "a.bin", 3, 1); /* not the last one: its ids lie in the middle */
    char *after = dump(db);
    cr_assert(eq(str, after, before));
    EXPECT_ROWS(db, "SELECT path, scan_id FROM source ORDER BY id", "a.bin|3\nb.bin|2\n");
    free(before);
    free(after);
}

Test(store, rescan_replaces_rows)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 2, 1);
    scan(db, "b.bin", 1, 2);
    scan(db, "a.bin", 3, 9); /* one more than before: a new id behind all others */
    EXPECT_ROWS(db, "SELECT id, source_id, substr(sha256, 1, 2) FROM asset ORDER BY id",
                "1|1|09\n2|1|09\n3|2|02\n4|1|09\n");
    scan(db, "a.bin", 1, 8); /* fewer */
    EXPECT_ROWS(db, "SELECT id, source_id, substr(sha256, 1, 2) FROM asset ORDER BY id",
                "1|1|08\n3|2|02\n");
    EXPECT_ROWS(db, "SELECT asset_id FROM replay ORDER BY asset_id", "1\n3\n");
    EXPECT_ROWS(db, "SELECT id, asset_id, message FROM finding ORDER BY id",
                "1|1|of an asset\n2|NULL|of the source\n4|3|of an asset\n5|NULL|of the source\n");
    EXPECT_ROWS(db, "PRAGMA foreign_key_check", "");
}

Test(store, a_path_scanned_twice_in_one_scan_is_one_source)
{
    const char *db = in_dir("new.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, "a.bin", 5, 1), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "a.bin", 1, 2), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    EXPECT_ROWS(db, "SELECT count(*), min(substr(sha256, 1, 2)) FROM asset", "1|02\n");
}

Test(store, dropped_and_unfinished_sources_leave_nothing)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 1, 1);
    fh_store *store = open_or_die(db);
    fh_asset_record asset = asset_at(5, 7);
    int64_t handle = 0;
    begin_or_die(store);
    cr_assert(eq(int, fh_store_begin_source(store, "a.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(i64, handle, 1));
    cr_assert(eq(int, fh_store_drop_source(store), FH_STORE_OK));
    cr_assert(eq(int, scan_source(store, "b.bin", 1, 3), FH_STORE_OK)); /* nothing of a.bin */
    cr_assert(eq(int, fh_store_begin_source(store, "c.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(i64, handle, 1)); /* handles begin anew with each source */
    fh_store_close(store);
    EXPECT_ROWS(db,
                "SELECT s.path, substr(a.sha256, 1, 2) FROM asset a "
                "JOIN source s ON s.id = a.source_id ORDER BY a.id",
                "a.bin|01\nb.bin|03\n");
    EXPECT_ROWS(db, "SELECT status, finished_at FROM scan WHERE id = 2", "running|NULL\n");
}

Test(store, a_base_gives_addresses_to_those_without)
{
    const char *db = in_dir("new.db");
    const int64_t places[] = {0, 0x1000, 0x5000, 0x204fff, 0x205000};
    fh_store *store = open_or_die(db);
    int64_t handle = 0;
    begin_or_die(store);
    for (int turn = 0; turn < 2; turn++) { /* only those of the open source */
        const char *path = turn == 0 ? "a.bin" : "b.bin";
        const fh_source_record source = source_named(path);
        cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            fh_asset_record asset = asset_at(places[i], 7);
            asset.ram_address = i == 1 ? 0x80000777 : FH_UNKNOWN;
            cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
        }
        if (turn == 0) { /* RAM begins at byte 0x5000 */
            cr_assert(eq(int, fh_store_base(store, 0x80000000, 0x7fb000, 0x800000, 0x200000),
                         FH_STORE_OK));
        }
        cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    }
    fh_store_close(store);
    EXPECT_ROWS(db,
                "SELECT s.path, a.raw_offset, a.ram_address - 2147483648 FROM asset AS a JOIN "
                "source AS s ON s.id = a.source_id ORDER BY a.id",
                "a.bin|0|NULL\na.bin|4096|1911\na.bin|20480|0\na.bin|2117631|2097151\n"
                "a.bin|2117632|NULL\nb.bin|0|NULL\nb.bin|4096|1911\nb.bin|20480|NULL\n"
                "b.bin|2117631|NULL\nb.bin|2117632|NULL\n");
}

Test(store, an_unreadable_source_does_not_lose_earlier_results)
{
    const char *db = in_dir("new.db");
    scan(db, "a.bin", 2, 1);
    char *before = dump(db);
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    fh_source_record source = source_named("a.bin");
    fh_finding_record finding = finding_of(0, FH_UNKNOWN, "cannot be read");
    source.status = "unreadable";
    source.size = FH_UNKNOWN;
    cr_assert(eq(int, fh_store_touch_unreadable(store, &source, &finding), FH_STORE_OK));
    EXPECT_ROWS(db, "SELECT scan_id, status FROM source", "1|unreadable\n");
    run(db, "UPDATE source SET status = 'complete'");
    char *after = dump(db);
    cr_assert(eq(str, after, before));
    source.path = "new.bin";
    cr_assert(eq(int, fh_store_touch_unreadable(store, &source, &finding), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    EXPECT_ROWS(db,
                "SELECT s.path, s.status, s.size, f.message FROM source s "
                "JOIN finding f ON f.source_id = s.id WHERE s.id = 2",
                "new.bin|unreadable|NULL|cannot be read\n");
    free(before);
    free(after);
}

Test(store, a_user_may_change_the_severity_of_a_finding)
{
    const char *db = in_dir("new.db");
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    fh_source_record source = source_named("a.bin");
    fh_finding_record finding = finding_of(0, FH_UNKNOWN, "m");
    finding.severity = FH_NOTE;
    cr_assert(eq(int, fh_store_begin_source(store, "a.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_finding(store, &finding), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    fh_store_close(store);
    EXPECT_ROWS(db, "SELECT f.severity, r.severity FROM finding f JOIN rule r USING (code)",
                "note|error\n");
}

/* An asset on a disc, which people look for by its time. */
static void scan_disc(const char *db)
{
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    fh_source_record source = source_named("disc.bin");
    fh_asset_record asset = asset_at(0x782c, 1);
    int64_t handle = 0;
    asset.lba = 4500;
    cr_assert(eq(int, fh_store_begin_source(store, "disc.bin"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
}

Test(store, views_are_for_people)
{
    const char *db = in_dir("new.db");
    scan_disc(db);
    scan(db, "a.bin", 2, 1);
    EXPECT_ROWS(db,
                "SELECT path, format, grade, raw_offset, raw_offset_hex, lba, msf, length, "
                "frames, objects, errors, warnings, notes, replay FROM v_assets",
                "disc.bin|tst|replayed|30764|0x0000782c|4500|01:02:00|100|7|3|0|0|0|NULL\n"
                "a.bin|tst|replayed|0|0x00000000|NULL|NULL|100|7|3|0|1|0|complete\n"
                "a.bin|tst|replayed|1000|0x000003e8|NULL|NULL|100|7|3|0|1|0|complete\n");
    EXPECT_ROWS(db, "SELECT * FROM v_findings",
                "a.bin|tst|TST0002|warning|a second title|NULL|NULL|NULL|NULL|of an asset|1|2\n"
                "a.bin|tst|TST0002|warning|a second title|NULL|NULL|NULL|NULL|of an asset|2|3\n"
                "a.bin|tst|TST0001|error|a title|NULL|NULL|NULL|NULL|of the source|3|NULL\n");
    EXPECT_ROWS(db,
                "SELECT format, assets, sources, bytes, frames, errors, warnings, notes "
                "FROM v_summary",
                "tst|3|2|300|21|1|2|0\n");
    EXPECT_ROWS(db, "SELECT format, copies, length, places FROM v_duplicates",
                "tst|3|100|disc.bin@0x0000782c, a.bin@0x00000000, a.bin@0x000003e8\n");
}

static void put_run(fh_store *store, const char *claim, int64_t raw_offset, int64_t sectors)
{
    const fh_coverage_record run = {.claim = claim,
                                    .raw_offset = raw_offset,
                                    .length = 2352 * sectors,
                                    .first_lba = FH_UNKNOWN,
                                    .sectors = sectors,
                                    .runs = raw_offset == FH_UNKNOWN ? 7 : 1,
                                    .asset_bytes = sectors};
    cr_assert(eq(int, fh_store_coverage(store, &run), FH_STORE_OK));
}

static void scan_covered(const char *db, const char *path, int64_t sectors)
{
    fh_store *store = open_or_die(db);
    const fh_source_record source = source_named(path);
    begin_or_die(store);
    cr_assert(eq(int, fh_store_begin_source(store, path), FH_STORE_OK));
    put_run(store, "data", 0, sectors);
    put_run(store, "movie", 2352 * sectors, 1);
    put_run(store, "data", FH_UNKNOWN, 2);
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
}

/* A source that is scanned again has the runs of the last scan alone, and others keep theirs. */
Test(store, coverage_sums_up_to_the_source)
{
    const char *db = in_dir("new.db");
    scan_covered(db, "a.bin", 50);
    scan_covered(db, "b.bin", 9);
    scan_covered(db, "a.bin", 5);
    EXPECT_ROWS(db,
                "SELECT source_id, n, claim, raw_offset, length, first_lba, sectors, runs, "
                "asset_bytes FROM coverage WHERE source_id = 1",
                "1|1|data|0|11760|NULL|5|1|5\n1|2|movie|11760|2352|NULL|1|1|1\n"
                "1|3|data|NULL|4704|NULL|2|7|2\n");
    EXPECT_ROWS(db, "SELECT * FROM v_coverage",
                "a.bin|data|7|16464|7|87.5\na.bin|movie|1|2352|1|12.5\n"
                "b.bin|data|11|25872|11|91.6666666666667\nb.bin|movie|1|2352|1|8.33333333333333\n");
    EXPECT_ROWS(db, "SELECT path, sum(percent) FROM v_coverage GROUP BY path",
                "a.bin|100.0\nb.bin|100.0\n");
}

Test(store, an_asset_is_found_by_its_id)
{
    const char *db = in_dir("new.db");
    fh_store *store = NULL;
    fh_stored_asset asset;
    char err[FH_STORE_ERROR_LEN];
    scan_disc(db);
    cr_assert(eq(int, fh_store_open_ro(&store, db, NULL, err, sizeof err), FH_STORE_OK), "%s", err);
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK));
    cr_assert(eq(str, asset.path, "disc.bin"));
    cr_assert(eq(str, asset.kind, "file"));
    cr_assert(eq(str, asset.layout, "plain"));
    cr_assert(eq(str, asset.format, "tst"));
    cr_assert(eq(i64, asset.raw_offset, 0x782c));
    cr_assert(eq(i64, asset.user_offset, 0x782c));
    cr_assert(eq(i64, asset.length, 100));
    cr_assert(eq(sz, strspn(asset.sha256, "01"), 64));
    fh_stored_asset_clear(&asset);
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 2), FH_STORE_NOT_FOUND));
    cr_assert(strstr(fh_store_error(store), "asset 2") != NULL);
    cr_assert(eq(ptr, asset.path, NULL));
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK)); /* not sticky */
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
}

Test(store, a_row_that_makes_no_sense_is_refused)
{
    static const char *const changes[] = {"UPDATE asset SET length = -1",
                                          "UPDATE asset SET raw_offset = -5, length = 9",
                                          "UPDATE asset SET raw_offset = 5, sha256 = 'xyz'"};
    const char *db = in_dir("new.db");
    scan_disc(db);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        fh_store *store = NULL;
        fh_stored_asset asset;
        char err[FH_STORE_ERROR_LEN];
        run(db, changes[i]);
        cr_assert(eq(int, fh_store_open_ro(&store, db, NULL, err, sizeof err), FH_STORE_OK));
        cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_CORRUPT), "%s",
                  changes[i]);
        cr_assert(eq(ptr, asset.path, NULL));
        fh_store_close(store);
    }
}

Test(store, hostile_strings_are_kept_byte_for_byte)
{
    static const char path[] = "a'b\"; DROP TABLE asset;--\n\x1b[31m\xff.bin";
    const char *db = in_dir("new.db");
    fh_store *store = NULL;
    fh_stored_asset asset;
    char err[FH_STORE_ERROR_LEN];
    scan(db, path, 1, 1);
    cr_assert(eq(int, fh_store_open_ro(&store, db, NULL, err, sizeof err), FH_STORE_OK));
    cr_assert(eq(int, fh_store_find_asset(store, &asset, 1), FH_STORE_OK));
    cr_assert(eq(str, asset.path, (char *)path));
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
}

Test(store, names_that_sqlite_takes_for_something_else_are_files)
{
    static const char *const names[] = {":memory:", "file:x.db?mode=memory"};
    cr_assert(eq(int, chdir(in_dir(".")), 0));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        scan(names[i], "a.bin", 1, 1);
        blob bytes = slurp(names[i]);
        cr_assert(gt(sz, bytes.len, 4096));
        free(bytes.bytes);
    }
}
