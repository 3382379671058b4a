/* How fast the store is: findings a second of a big scan, indexes and the wait for the disk and
 * all, and what a small scan costs. Prints lines of a name, a number and its unit.
 *
 * Beside each stands a control, in turns with it: SQLite alone copies the finished rows of that
 * database into a new one, record by record as they lie there, makes the same indexes and waits for
 * the disk once. It reads what it copies, which the store need not; the store makes views and
 * triggers as well.
 *
 * Usage: bench_store FOLDER [FINDINGS]. The databases are made in FOLDER and removed.
 */
#include "hunt/rulebook.h"
#include "reports/store/store.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A big scan: sources with many assets each. A disc of the corpus has one finding for ten assets, a
 * hostile one thousands. */
#define FINDINGS_OF_ASSET 10
#define ASSETS_OF_SOURCE 500

/* As many as a small scan has at most. */
#define SMALL_FINDINGS 1000
#define SMALL_TIMES 21
#define BIG_TIMES 3

enum { MOST_PATH = 4096 };

static char error[FH_STORE_ERROR_LEN];
static const fh_rule *rule;

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What this process alone took of the processor. */
static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void expect(fh_store_status status, const fh_store *store)
{
    if (status != FH_STORE_OK) {
        (void)fprintf(stderr, "%s\n", store != NULL ? fh_store_error(store) : error);
        exit(1);
    }
}

static fh_store *begin(const char *path)
{
    fh_store *store = NULL;
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    const fh_store_options options = {.max_group = 64, .group_ms = 500, .defers = true};
    expect(fh_store_open(&store, path, &options, error, sizeof error), NULL);
    expect(fh_store_begin_scan(store, "1.0", "1", "formats=all", tables, num_tables), store);
    return store;
}

static void put_asset(fh_store *store, int64_t number, int num_findings)
{
    static const char message[] = "parent is not live at this point: parent id is 7, which is not "
                                  "live, expected 0 (World) or a live object (frame 0, number 0)";
    uint8_t hash[FH_SHA256_LEN] = {0};
    int64_t handle = 0;
    memcpy(hash, &number, sizeof number);
    const fh_replay_record replay = {"PsyQ 4.4", 7, 420, "complete", hash};
    const fh_asset_record asset = {.format = "tod",
                                   .grade = "replayed",
                                   .raw_offset = 2352 * number,
                                   .user_offset = 2048 * number,
                                   .length = 744,
                                   .lba = number,
                                   .iso_path = "/DATA/WALK.TOD",
                                   .iso_offset = 0,
                                   .ram_address = FH_UNKNOWN,
                                   .evidence_bits = 96,
                                   .frames = 7,
                                   .objects = 3,
                                   .sha256 = hash,
                                   .pose_sha256 = hash,
                                   .replay = &replay};
    expect(fh_store_asset(store, &asset, &handle), store);
    for (int i = 0; i < num_findings; i++) {
        const fh_finding_record finding = {.asset = handle,
                                           .rule = rule,
                                           .severity = FH_ERROR,
                                           .raw_offset = 2352 * number + i,
                                           .asset_offset = i,
                                           .frame = i,
                                           .object = 1,
                                           .field = "parent",
                                           .found = "7",
                                           .expected = "a live object",
                                           .message = message};
        expect(fh_store_finding(store, &finding), store);
    }
}

static void put_source(fh_store *store, int64_t number, int num_assets, int num_findings)
{
    char path[64];
    (void)snprintf(path, sizeof path, "discs/%08" PRId64 ".bin", number);
    expect(fh_store_begin_source(store, path), store);
    for (int i = 0; i < num_assets; i++) {
        put_asset(store, number * num_assets + i, num_findings);
    }
    const fh_source_record source = {
        .path = path, .kind = "image", .layout = "2352", .status = "complete", .size = 700000000};
    expect(fh_store_end_source(store, &source), store);
}

static void end(fh_store *store)
{
    expect(fh_store_end_scan(store, "complete"), store);
    fh_store_close(store);
}

/* ---- the control ----------------------------------------------------------------------------- */

#define TABLES " FROM a.sqlite_schema WHERE type = 'table'"
static const char *const control_lists[] = {
    "SELECT sql" TABLES,
    "SELECT 'INSERT INTO main.' || name || ' SELECT * FROM a.' || name" TABLES,
    "SELECT sql FROM a.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    "SELECT 'COMMIT'",
};

static void expect_sqlite(int rc, sqlite3 *db, const char *script)
{
    if (rc != SQLITE_OK) {
        (void)fprintf(stderr, "control: %s: %s\n", script, sqlite3_errmsg(db));
        exit(1);
    }
}

static int run_each(void *db, int num, char **texts, char **names)
{
    (void)num;
    (void)names;
    expect_sqlite(sqlite3_exec(db, texts[0], NULL, NULL, NULL), db, texts[0]);
    return 0;
}

static void sync_file(const char *path)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || fdatasync(file) != 0) {
        perror(path);
        exit(1);
    }
    (void)close(file);
}

/* Copies what a database has into a new one; seconds. */
static double copy(const char *from, const char *to)
{
    sqlite3 *db = NULL;
    (void)unlink(to);
    const double start = seconds();
    expect_sqlite(sqlite3_open(to, &db), db, to);
    char *begin = sqlite3_mprintf(
        "ATTACH %Q AS a; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000; BEGIN", from);
    expect_sqlite(sqlite3_exec(db, begin, NULL, NULL, NULL), db, begin);
    sqlite3_free(begin);
    for (size_t i = 0; i < sizeof control_lists / sizeof control_lists[0]; i++) {
        expect_sqlite(sqlite3_exec(db, control_lists[i], run_each, db, NULL), db, control_lists[i]);
    }
    sync_file(to);
    (void)sqlite3_close(db);
    const double took = seconds() - start;
    (void)unlink(to);
    return took;
}

/* ---- what is timed --------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *numbers, size_t num)
{
    qsort(numbers, num, sizeof numbers[0], compare);
    return numbers[num / 2];
}

static void time_big(const char *path, const char *other, long num_findings)
{
    double took[BIG_TIMES];
    double cpu[BIG_TIMES];
    double controls[BIG_TIMES];
    long done = 0;
    for (size_t i = 0; i < BIG_TIMES; i++) {
        (void)unlink(path);
        const double start = seconds();
        const double cpu_start = cpu_seconds();
        fh_store *store = begin(path);
        done = 0;
        for (int64_t n = 0; done < num_findings; n++) {
            put_source(store, n, ASSETS_OF_SOURCE, FINDINGS_OF_ASSET);
            done += ASSETS_OF_SOURCE * FINDINGS_OF_ASSET;
        }
        end(store);
        took[i] = seconds() - start;
        cpu[i] = cpu_seconds() - cpu_start;
        controls[i] = copy(path, other);
    }
    const double mid = median(took, BIG_TIMES);
    const double mid_cpu = median(cpu, BIG_TIMES);
    const double control = median(controls, BIG_TIMES);
    (void)printf("big scan: %ld findings, median %.2f s, %.2f s of the processor\n", done, mid,
                 mid_cpu);
    (void)printf("findings a second: %.0f; a second of the processor: %.0f\n", (double)done / mid,
                 (double)done / mid_cpu);
    (void)printf(
        "control: median %.2f s, %.0f findings a second; the store takes %.2f times that\n",
        control, (double)done / control, mid / control);
    (void)unlink(path);
}

static void time_small(const char *path, const char *other, int num_findings)
{
    double took[SMALL_TIMES];
    double controls[SMALL_TIMES];
    for (size_t i = 0; i < SMALL_TIMES; i++) {
        (void)unlink(path);
        const double start = seconds();
        fh_store *store = begin(path);
        put_source(store, 1, num_findings / FINDINGS_OF_ASSET, FINDINGS_OF_ASSET);
        end(store);
        took[i] = 1000 * (seconds() - start);
        controls[i] = 1000 * copy(path, other);
    }
    const double mid = median(took, SMALL_TIMES);
    const double control = median(controls, SMALL_TIMES);
    (void)printf("scan of %d findings: median %.2f ms, least %.2f, most %.2f; control %.2f ms, the "
                 "store takes %.2f times that\n",
                 num_findings, mid, took[0], took[SMALL_TIMES - 1], control, mid / control);
    (void)unlink(path);
}

int main(int argc, char **argv)
{
    char path[MOST_PATH];
    char other[MOST_PATH];
    if (argc < 2) {
        (void)fprintf(stderr, "Usage: bench_store FOLDER [FINDINGS]\n");
        return 2;
    }
    (void)snprintf(path, sizeof path, "%s/bench-store.db", argv[1]);
    (void)snprintf(other, sizeof other, "%s/bench-store-control.db", argv[1]);
    rule = fh_rule_find("TOD0092");
    time_small(path, other, SMALL_FINDINGS);
    time_small(path, other, FINDINGS_OF_ASSET);
    time_big(path, other, argc > 2 ? atol(argv[2]) : 1000000L);
    return 0;
}
