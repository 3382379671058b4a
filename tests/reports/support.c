#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[256];

const char *in_dir(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    if (dir[0] == '\0') {
        const char *tmp = getenv("TMPDIR");
        snprintf(dir, sizeof dir, "%s/fh-reports-XXXXXX", tmp != NULL ? tmp : "/tmp");
        cr_assert(mkdtemp(dir) != NULL);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static size_t each_file(bool and_remove)
{
    DIR *list = opendir(dir);
    size_t num = 0;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        num++;
        if (and_remove) {
            remove(in_dir(entry->d_name));
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    return num;
}

size_t num_files(void)
{
    return each_file(false);
}

void remove_dir(void)
{
    if (dir[0] != '\0') {
        each_file(true);
        rmdir(dir);
    }
}

blob slurp(const char *path)
{
    blob all = {NULL, 0};
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    fseek(file, 0, SEEK_END);
    all.len = (size_t)ftell(file);
    rewind(file);
    all.bytes = calloc(1, all.len + 1);
    cr_assert(eq(sz, fread(all.bytes, 1, all.len, file), all.len));
    fclose(file);
    return all;
}

void spill(const char *path, const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert(eq(sz, fwrite(bytes, 1, len, file), len));
    cr_assert(eq(int, fclose(file), 0));
}

bool same(blob a, blob b)
{
    bool equal = a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
    free(a.bytes);
    free(b.bytes);
    return equal;
}

static sqlite3 *open_raw(const char *path)
{
    sqlite3 *db = NULL;
    cr_assert(eq(int, sqlite3_open(path, &db), SQLITE_OK));
    return db;
}

char *rows(const char *path, const char *query)
{
    sqlite3 *db = open_raw(path);
    sqlite3_stmt *stmt = NULL;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    cr_assert(eq(int, sqlite3_prepare_v2(db, query, -1, &stmt, NULL), SQLITE_OK), "%s: %s", query,
              sqlite3_errmsg(db));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const char *value = (const char *)sqlite3_column_text(stmt, i);
            fprintf(out, "%s%s", i == 0 ? "" : "|", value != NULL ? value : "NULL");
        }
        fputc('\n', out);
    }
    cr_assert(eq(int, sqlite3_finalize(stmt), SQLITE_OK));
    sqlite3_close(db);
    fclose(out);
    return text;
}

void run(const char *path, const char *sql)
{
    sqlite3 *db = open_raw(path);
    cr_assert(eq(int, sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK), "%s",
              sqlite3_errmsg(db));
    sqlite3_close(db);
}

void drop_views(const char *path)
{
    char *script = rows(path, "SELECT 'DROP VIEW ' || name || ';' FROM sqlite_schema "
                              "WHERE type = 'view'");
    run(path, script);
    free(script);
}

static const fh_rule rules[] = {
    {"TST0001", FH_ERROR, "a title", "an explanation", "a manual", "mend it"},
    {"TST0002", FH_WARNING, "a second title", "why \"so\"", "a_manual, p. 2 <b>", "do *this*"},
    {"TST0003", FH_NOTE, "a third title", "x", "y", ""},
};
const fh_rule_table test_rules = {"tst", rules, 3};

fh_asset_record asset_at(int64_t raw_offset, int hash)
{
    static uint8_t hashes[256][FH_SHA256_LEN];
    memset(hashes[hash], hash, FH_SHA256_LEN);
    return (fh_asset_record){.format = "tst",
                             .grade = "replayed",
                             .raw_offset = raw_offset,
                             .user_offset = raw_offset,
                             .length = 100,
                             .lba = FH_UNKNOWN,
                             .iso_path = NULL,
                             .iso_offset = FH_UNKNOWN,
                             .ram_address = FH_UNKNOWN,
                             .evidence_bits = 64,
                             .frames = 7,
                             .objects = 3,
                             .sha256 = hashes[hash],
                             .pose_sha256 = hashes[hash],
                             .replay = NULL};
}

fh_finding_record finding_of(size_t rule, int64_t asset, const char *message)
{
    return (fh_finding_record){.asset = asset,
                               .rule = &rules[rule],
                               .severity = rules[rule].severity,
                               .raw_offset = FH_UNKNOWN,
                               .asset_offset = FH_UNKNOWN,
                               .frame = FH_UNKNOWN,
                               .object = FH_UNKNOWN,
                               .field = "size",
                               .found = "1",
                               .expected = "2",
                               .message = message};
}

fh_source_record source_named(const char *path)
{
    return (fh_source_record){.path = path,
                              .kind = "file",
                              .layout = "plain",
                              .status = "complete",
                              .size = 4096,
                              .sha256 = NULL};
}

fh_store *open_or_die(const char *path)
{
    fh_store *store = NULL;
    char err[FH_STORE_ERROR_LEN];
    cr_assert(eq(int, fh_store_open(&store, path, NULL, err, sizeof err), FH_STORE_OK), "%s", err);
    cr_assert(eq(str, err, ""));
    return store;
}

void begin_or_die(fh_store *store)
{
    cr_assert(eq(int, fh_store_begin_scan(store, "1.0", "2", "--opt", &test_rules, 1), FH_STORE_OK),
              "%s", fh_store_error(store));
}

fh_store_status scan_source(fh_store *store, const char *path, int num_assets, int hash)
{
    fh_store_status status = fh_store_begin_source(store, path);
    for (int i = 0; i < num_assets && status == FH_STORE_OK; i++) {
        int64_t handle = 0;
        fh_asset_record asset = asset_at(1000 * i, hash);
        fh_replay_record replay = {"player 1", 7, 420, "complete", asset.sha256};
        asset.replay = &replay;
        status = fh_store_asset(store, &asset, &handle);
        fh_finding_record finding = finding_of(1, handle, "of an asset");
        if (status == FH_STORE_OK) {
            status = fh_store_finding(store, &finding);
        }
    }
    fh_finding_record finding = finding_of(0, FH_UNKNOWN, "of the source");
    if (status == FH_STORE_OK) {
        status = fh_store_finding(store, &finding);
    }
    fh_source_record source = source_named(path);
    return status == FH_STORE_OK ? fh_store_end_source(store, &source) : status;
}

void scan(const char *db, const char *path, int num_assets, int hash)
{
    fh_store *store = open_or_die(db);
    begin_or_die(store);
    cr_assert(eq(int, scan_source(store, path, num_assets, hash), FH_STORE_OK), "%s",
              fh_store_error(store));
    cr_assert(eq(int, fh_store_end_scan(store, "complete"), FH_STORE_OK));
    fh_store_close(store);
}

char *written;
static size_t written_len;

FILE *begin_text(void)
{
    FILE *file = open_memstream(&written, &written_len);
    cr_assert(file != NULL);
    return file;
}

void expect_text(FILE *file, const char *text)
{
    fclose(file);
    cr_expect(eq(str, written, (char *)text));
    free(written);
    written = NULL;
}
