/* Sources that wait to be written together, scans that are gone on with, and where records wait. */
#include "reports/parcel.h"
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

TestSuite(store_group, .fini = remove_dir);

static fh_store *open_group(const char *db, int max_group, int group_ms)
{
    const fh_store_options options = {.max_group = max_group, .group_ms = group_ms};
    char err[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    cr_assert(eq(int, fh_store_open(&store, db, &options, err, sizeof err), FH_STORE_OK));
    return store;
}

static void begin_named(fh_store *store, const char *options)
{
    cr_assert(eq(int, fh_store_begin_scan(store, "1", "1", options, &test_rules, 1), FH_STORE_OK));
}

static fh_resumed resume_named(fh_store *store, const char *options)
{
    const fh_scan_record asked = {"1", "1", options};
    fh_resumed resumed;
    cr_assert(eq(int, fh_store_resume(store, &resumed, &asked), FH_STORE_OK));
    return resumed;
}

static void scan_ok(fh_store *store, const char *path, int num_assets, int hash)
{
    cr_assert(eq(int, scan_source(store, path, num_assets, hash), FH_STORE_OK));
}

static const char paths[] = "SELECT group_concat(path) FROM (SELECT path FROM source ORDER BY id)";

Test(store_group, a_group_is_written_when_it_is_full)
{
    const char *db = in_dir("group.db");
    fh_store *store = open_group(db, 3, 1000000);
    begin_named(store, NULL);
    scan_ok(store, "a", 2, 1);
    scan_ok(store, "b", 0, 1);
    EXPECT_ROWS(db, "SELECT count(*) FROM source", "0\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM asset", "0\n");
    scan_ok(store, "c", 1, 1);
    EXPECT_ROWS(db, paths, "a,b,c\n");
    scan_ok(store, "d", 1, 1);
    cr_assert(eq(int, fh_store_settle(store), FH_STORE_OK)); /* it has not waited long enough */
    EXPECT_ROWS(db, paths, "a,b,c\n");
    cr_assert(eq(int, fh_store_flush(store), FH_STORE_OK));
    EXPECT_ROWS(db, paths, "a,b,c,d\n");
    scan_ok(store, "e", 1, 1);
    fh_store_close(store); /* as a kill would */
    EXPECT_ROWS(db, paths, "a,b,c,d\n");
}

Test(store_group, what_has_waited_is_written_while_a_source_is_open)
{
    const char *db = in_dir("settle.db");
    fh_store *store = open_group(db, 64, 0);
    const fh_source_record source = source_named("open");
    const fh_asset_record asset = asset_at(1, 9);
    int64_t handle = 0;
    begin_named(store, NULL);
    scan_ok(store, "a", 3, 1);
    EXPECT_ROWS(db, paths, "a\n"); /* no time to wait */
    fh_store_close(store);
    store = open_group(db, 64, 1000000);
    begin_named(store, NULL);
    scan_ok(store, "b", 3, 1);
    cr_assert(eq(int, fh_store_begin_source(store, "open"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_flush(store), FH_STORE_OK));
    EXPECT_ROWS(db, paths, "a,b\n");
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(i64, handle, 2));
    cr_assert(eq(int, fh_store_end_source(store, &source), FH_STORE_OK));
    cr_assert(eq(int, fh_store_begin_source(store, "dropped"), FH_STORE_OK));
    cr_assert(eq(int, fh_store_asset(store, &asset, &handle), FH_STORE_OK));
    cr_assert(eq(int, fh_store_drop_source(store), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    EXPECT_ROWS(db, paths, "a,b,open\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM asset", "8\n");
}

static void scan_three(const char *db, int max_group)
{
    fh_store *store = open_group(db, max_group, 1000000);
    begin_named(store, NULL);
    scan_ok(store, "a", 4, 1);
    scan_ok(store, "b", 2, 2);
    scan_ok(store, "a", 1, 3); /* shrinks within a group */
    scan_ok(store, "c", 3, 4);
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
}

Test(store_group, ids_do_not_depend_on_groups)
{
    static const char *const queries[] = {
        "SELECT id, source_id, sha256 FROM asset ORDER BY id",
        "SELECT id, source_id, asset_id, message FROM finding ORDER BY id",
        "SELECT id, path FROM source ORDER BY id"};
    const char *each = in_dir("each.db");
    const char *all = in_dir("all.db");
    scan_three(each, 1);
    scan_three(all, 64);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char *expected = rows(each, queries[i]);
        EXPECT_ROWS(all, queries[i], expected);
        free(expected);
    }
}

Test(store_group, a_scan_that_was_broken_off_is_gone_on_with)
{
    const char *db = in_dir("resume.db");
    bool was = false;
    fh_store *store = open_group(db, 1, 0);
    begin_named(store, "x");
    scan_ok(store, "a", 2, 1);
    cr_assert(eq(int, fh_store_visit(store, "a", 77), FH_STORE_OK));
    scan_ok(store, "half", 2, 1);
    fh_store_close(store);

    store = open_group(db, 1, 0);
    cr_assert(not(resume_named(store, "y").is_found)); /* other options */
    const fh_resumed resumed = resume_named(store, "x");
    cr_assert(resumed.is_found && resumed.has_findings && !resumed.hit_limit);
    begin_named(store, "x");
    cr_assert(eq(int, fh_store_was_visited(store, &was, "a", 77), FH_STORE_OK));
    cr_assert(was);
    cr_assert(eq(int, fh_store_was_visited(store, &was, "a", 78), FH_STORE_OK));
    cr_assert(not(was)); /* it has changed */
    cr_assert(eq(int, fh_store_was_visited(store, &was, "half", 77), FH_STORE_OK));
    cr_assert(not(was));
    scan_ok(store, "half", 2, 1);
    scan_ok(store, "b", 1, 1);
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
    EXPECT_ROWS(db, "SELECT id, status FROM scan", "1|complete\n");
    EXPECT_ROWS(db, "SELECT id, scan_id, path FROM source ORDER BY id", "1|1|a\n2|1|half\n3|1|b\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'visit'", "0\n");
}

static fh_resumed resume_with(fh_store *store, const char *const *names, size_t num_names)
{
    fh_store_want(store, names, num_names);
    return resume_named(store, "x");
}

static void break_off(const char *db, const char *const *names, size_t num_names)
{
    fh_store *store = open_group(db, 1, 0);
    fh_store_want(store, names, num_names);
    begin_named(store, "x");
    scan_ok(store, names[0], 1, 0);
    fh_store_close(store);
}

static bool is_other(const fh_resumed *resumed, int64_t n, const char *path)
{
    return resumed->has_other_sources && !resumed->is_found && resumed->other_n == n &&
           (path == NULL
                ? resumed->other_source == NULL
                : resumed->other_source != NULL && strcmp(resumed->other_source, path) == 0);
}

Test(store_group, a_scan_that_was_asked_for_something_else_is_not_gone_on_with)
{
    static const char *const names[] = {"a", "b", "c"};
    static const char *const others[] = {"a", "c", "b"};
    const char *db = in_dir("wanted.db");
    break_off(db, names, 2);
    blob before = slurp(db);
    fh_store *store = open_group(db, 1, 0);
    fh_resumed resumed = resume_with(store, names, 1);
    cr_expect(is_other(&resumed, 2, "b"));
    resumed = resume_with(store, others, 2);
    cr_expect(is_other(&resumed, 2, "b"));
    resumed = resume_with(store, names, 3);
    cr_expect(is_other(&resumed, 3, NULL));
    cr_expect(same(before, slurp(db))); /* nothing was done */
    resumed = resume_with(store, names, 2);
    cr_expect(resumed.is_found && !resumed.has_other_sources);
    begin_named(store, "x");
    scan_ok(store, "b", 1, 0);
    EXPECT_ROWS(db, "SELECT * FROM wanted", "1|1|a\n1|2|b\n2|1|a\n2|2|b\n");
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    EXPECT_ROWS(db, "SELECT id, status FROM scan", "1|complete\n");
    EXPECT_ROWS(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('visit', 'wanted')", "0\n");
    /* Of a complete one nothing is noted: all of it is done anew. */
    cr_expect(resume_with(store, others, 3).was_complete);
    fh_store_close(store);
}

Test(store_group, of_several_scans_the_one_of_the_same_sources_is_gone_on_with)
{
    static const char *const first[] = {"a", "b"};
    static const char *const second[] = {"c", "d"};
    const char *db = in_dir("several.db");
    break_off(db, first, 2);
    break_off(db, second, 2);
    break_off(db, second, 2);
    fh_store *store = open_group(db, 1, 0);
    fh_resumed resumed = resume_with(store, second, 2);
    cr_expect(resumed.is_found && !resumed.has_other_sources);
    begin_named(store, "x");
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    EXPECT_ROWS(db, "SELECT id, status FROM scan", "1|running\n2|complete\n");
    EXPECT_ROWS(db, "SELECT * FROM wanted", "1|1|a\n1|2|b\n"); /* the other is not forgotten */
    fh_store_close(store);
}

Test(store_group, a_scan_of_which_nothing_is_noted_is_gone_on_with)
{
    static const char *const names[] = {"a", "b"};
    const char *db = in_dir("unknown.db");
    break_off(db, names, 2);
    run(db, "DROP TABLE wanted");
    fh_store *store = open_group(db, 1, 0);
    cr_expect(resume_with(store, names + 1, 1).is_found);
    fh_store_close(store);
}

Test(store_group, visits_of_others_stay)
{
    const char *db = in_dir("others.db");
    fh_store *a = open_group(db, 1, 0);
    fh_store *b = open_group(db, 1, 0);
    begin_named(a, "a");
    begin_named(b, "b");
    cr_assert(eq(int, fh_store_visit(a, "1", 1), FH_STORE_OK));
    cr_assert(eq(int, fh_store_end_scan(a, "complete"), FH_STORE_OK)); /* takes the table away */
    cr_assert(eq(int, fh_store_visit(b, "2", 2), FH_STORE_OK));
    EXPECT_ROWS(db, "SELECT scan_id, path FROM visit", "2|2\n");
    fh_store_close(a);
    fh_store_close(b);
}

static void put_some(fh_parcel *parcel, int num)
{
    static const fh_piece_record pieces[] = {{0, 10, 5}, {5, 30, 6}};
    static const fh_replay_record replay = {
        .evaluator = "e", .frames = 3, .ticks = 4, .status = "s"};
    const fh_coverage_record coverage = {"zero", 1, 2, 3, 4, 5, 6};
    cr_assert(fh_parcel_begin(parcel, "p"));
    for (int i = 0; i < num; i++) {
        char message[64];
        snprintf(message, sizeof message, "message %d", i);
        fh_asset_record asset = asset_at(i, i % 256);
        asset.pieces = i % 3 == 0 ? pieces : NULL;
        asset.num_pieces = i % 3 == 0 ? 2 : 0;
        asset.replay = i % 2 == 0 ? &replay : NULL;
        const fh_finding_record finding = finding_of(0, i + 1, message);
        cr_assert(fh_parcel_asset(parcel, &asset) && fh_parcel_finding(parcel, &finding));
    }
    cr_assert(fh_parcel_coverage(parcel, &coverage) && fh_parcel_base(parcel, 0x1234));
}

static void expect_asset(const fh_parcel_item *item, int i)
{
    const fh_asset_record expected = asset_at(i, i % 256);
    const fh_asset_record *got = &item->asset;
    cr_assert(eq(i64, got->raw_offset, i));
    cr_assert(eq(int, memcmp(got->sha256, expected.sha256, FH_SHA256_LEN), 0));
    cr_assert(eq(int, strcmp(got->grade, expected.grade), 0));
    cr_assert(eq(sz, got->num_pieces, i % 3 == 0 ? 2 : 0));
    cr_assert(i % 3 != 0 || (got->pieces[1].raw_offset == 30 && got->pieces[1].length == 6));
    cr_assert(eq(int, got->replay != NULL, i % 2 == 0));
    cr_assert(got->replay == NULL || (got->replay->ticks == 4 && got->replay->pose_sha256 == NULL));
}

static void expect_some(const fh_parcel *parcel, int64_t from, int num)
{
    fh_parcel_reader reader = fh_parcel_read(parcel, from);
    fh_parcel_item item;
    cr_assert(fh_parcel_next(&reader, &item) && item.kind == FH_PARCEL_BEGIN);
    for (int i = 0; i < num; i++) {
        char message[64];
        snprintf(message, sizeof message, "message %d", i);
        cr_assert(fh_parcel_next(&reader, &item) && item.kind == FH_PARCEL_ASSET);
        expect_asset(&item, i);
        cr_assert(fh_parcel_next(&reader, &item) && item.kind == FH_PARCEL_FINDING);
        cr_assert(eq(int, strcmp(item.finding.message, message), 0));
        cr_assert(eq(i64, item.finding.asset, i + 1));
        cr_assert(item.finding.rule == &test_rules.rules[0]);
    }
    cr_assert(fh_parcel_next(&reader, &item) && item.coverage.asset_bytes == 6);
    cr_assert(fh_parcel_next(&reader, &item) && item.base == 0x1234);
    fh_parcel_read_end(&reader);
}

Test(store_group, a_parcel_gives_back_what_was_put)
{
    static const size_t bounds[] = {0, 1, 1000, 1 << 20};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        fh_parcel parcel = fh_parcel_make(bounds[i]);
        put_some(&parcel, 700);
        const int64_t second = fh_parcel_len(&parcel);
        put_some(&parcel, 9);
        expect_some(&parcel, 0, 700);
        expect_some(&parcel, second, 9);
        fh_parcel_cut(&parcel, second); /* and put again */
        put_some(&parcel, 40);
        expect_some(&parcel, 0, 700);
        expect_some(&parcel, second, 40);
        fh_parcel_cut(&parcel, 0);
        cr_assert(eq(i64, fh_parcel_len(&parcel), 0));
        put_some(&parcel, 3);
        expect_some(&parcel, 0, 3);
        fh_parcel_free(&parcel);
    }
}
