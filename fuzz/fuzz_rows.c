#include "fuzz_rows.h"

#include "fuzz_support.h"
#include "reports/store/store.h"

#include <stdlib.h>
#include <string.h>

static const fh_rule rules[] = {{.code = "TST0001",
                                 .severity = FH_WARNING,
                                 .title = "title",
                                 .explanation = "explanation",
                                 .source = "source",
                                 .mend = "mend"},
                                {.code = "TST0002",
                                 .severity = FH_ERROR,
                                 .title = "other title",
                                 .explanation = "other explanation",
                                 .source = "source",
                                 .mend = "mend"}};
const fh_rule_table fuzz_rows_rules = {.format = "tst", .rules = rules, .num_rules = 2};

enum { NUM_SOURCES = 4, NUM_ASSETS = 5 };

static const uint8_t hash[FH_SHA256_LEN] = {1, 2, 3};

static void demand(fh_store_status status)
{
    fuzz_demand(status == FH_STORE_OK, "a sound database is written");
}

static void put_findings(fh_store *store, int64_t asset)
{
    for (size_t i = 0; i < 2; i++) {
        const fh_finding_record finding = {.asset = asset,
                                           .rule = &rules[i],
                                           .severity = rules[i].severity,
                                           .raw_offset = 100,
                                           .asset_offset = asset == FH_UNKNOWN ? FH_UNKNOWN : 4,
                                           .frame = 3,
                                           .object = 1,
                                           .field = "field",
                                           .found = "0x1",
                                           .expected = "0x2",
                                           .message = "title: field is 0x1, expected 0x2"};
        demand(fh_store_finding(store, &finding));
    }
}

static void put_asset(fh_store *store, int number)
{
    const fh_replay_record replay = {
        .evaluator = "player 1", .frames = 10, .ticks = 20, .status = "end", .pose_sha256 = hash};
    const fh_piece_record pieces[] = {{0, 4096, 200}, {200, 8192, 300}};
    const fh_asset_record asset = {.format = number == 0 ? "hmd" : "tod",
                                   .grade = "replayed",
                                   .raw_offset = 4096 + (int64_t)number * 1000,
                                   .user_offset = (int64_t)number * 1000,
                                   .length = 500,
                                   .lba = 20 + number,
                                   .iso_path = "/A/B.TOD",
                                   .iso_offset = 0,
                                   .ram_address = FH_UNKNOWN,
                                   .evidence_bits = 200,
                                   .frames = 10,
                                   .objects = 2,
                                   .sha256 = hash,
                                   .pose_sha256 = hash,
                                   .replay = number % 2 == 0 ? &replay : NULL,
                                   .pieces = pieces,
                                   .num_pieces = number == 1 ? 2 : 0};
    int64_t handle = 0;
    demand(fh_store_asset(store, &asset, &handle));
    put_findings(store, handle);
}

static void put_source(fh_store *store, int number)
{
    char path[] = "discs/game-0.bin";
    path[sizeof path - 6] = (char)('0' + number);
    const fh_coverage_record coverage = {.claim = "data",
                                         .raw_offset = 0,
                                         .length = 99999,
                                         .first_lba = 0,
                                         .sectors = 42,
                                         .runs = 1};
    demand(fh_store_begin_source(store, path));
    put_findings(store, FH_UNKNOWN);
    for (int i = 0; i < NUM_ASSETS; i++) {
        put_asset(store, i);
    }
    demand(fh_store_coverage(store, &coverage));
    const fh_source_record source = {.path = path,
                                     .kind = "image",
                                     .layout = "2352",
                                     .status = "complete",
                                     .size = 99999,
                                     .sha256 = hash};
    demand(fh_store_end_source(store, &source));
}

void fuzz_rows(const char *path)
{
    char err[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    demand(fh_store_open(&store, path, NULL, err, sizeof err));
    demand(fh_store_begin_scan(store, "1.0", "1", "scan", &fuzz_rows_rules, 1));
    for (int i = 0; i < NUM_SOURCES; i++) {
        put_source(store, i);
    }
    demand(fh_store_end_scan(store, "complete"));
    fh_store_close(store);
}
