/* Telling: everything that is recorded, in order, one row at a time. Three queries run side by
 * side, sorted alike, so that memory does not grow and no index is needed. */
#include "core/limits.h"
#include "reports/hex.h"
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Columns of FH_SQL_TELL_SCANS, _SOURCES, _COVERAGE, _ASSETS, _PIECES, _FINDINGS and _RULE. */
enum { N_TOOL, N_RULESET, N_OPTIONS, N_STARTED, N_FINISHED, N_STATUS };
enum { S_ID, S_PATH, S_KIND, S_LAYOUT, S_SIZE, S_SHA256, S_STATUS };
enum {
    A_ID,
    A_SOURCE,
    A_FORMAT,
    A_GRADE,
    A_RAW,
    A_USER,
    A_LENGTH,
    A_LBA,
    A_ISO_PATH,
    A_ISO_OFFSET,
    A_RAM,
    A_EVIDENCE,
    A_FRAMES,
    A_OBJECTS,
    A_SHA256,
    A_POSE,
    A_EVALUATOR,
    A_REPLAY_FRAMES,
    A_TICKS,
    A_STATUS,
    A_REPLAY_POSE
};
enum { C_CLAIM, C_RAW, C_LENGTH, C_LBA, C_SECTORS, C_RUNS, C_ASSET_BYTES };
enum { P_ASSET_OFFSET, P_RAW, P_LENGTH };
enum {
    F_ID,
    F_SOURCE,
    F_ASSET,
    F_CODE,
    F_SEVERITY,
    F_RAW,
    F_ASSET_OFFSET,
    F_FRAME,
    F_OBJECT,
    F_MESSAGE,
    F_FIELD,
    F_FOUND,
    F_EXPECTED
};
enum { R_SEVERITY, R_TITLE, R_EXPLANATION };

/* A query that is under way, at a row or behind the last one. */
typedef struct rows {
    fh_call call;
    bool has_row;
} rows;

typedef struct teller {
    fh_store *store;
    const fh_store_sink *sink;
    rows sources;
    rows assets;
    rows findings;
    int64_t last_source;
    bool stopped;            /* the sink wants no more */
    fh_piece_record *pieces; /* owned; FH_MAX_PARTS of them */
} teller;

static const char *text_at(const rows *at, int column)
{
    return (const char *)sqlite3_column_text(at->call.stmt, column);
}

static int64_t number_at(const rows *at, int column)
{
    return sqlite3_column_type(at->call.stmt, column) == SQLITE_NULL
               ? FH_UNKNOWN
               : sqlite3_column_int64(at->call.stmt, column);
}

/* place_at reads a number that is an offset or a length, and never negative. */
static int64_t place_at(const rows *at, int column)
{
    const int64_t number = number_at(at, column);
    return number < 0 ? FH_UNKNOWN : number;
}

/* hash_at reads a hash into out; NULL where there is none. */
static const uint8_t *hash_at(const rows *at, int column, uint8_t out[FH_SHA256_LEN])
{
    const char *text = text_at(at, column);
    return text != NULL && fh_hash_of_hex(out, text) ? out : NULL;
}

static fh_store_status step(rows *at)
{
    return fh_call_row(&at->call, &at->has_row);
}

static bool start(fh_store *store, rows *at, fh_sql sql)
{
    at->call = fh_call_make(store, sql);
    return step(at) == FH_STORE_OK;
}

static void fail(teller *by, const char *what)
{
    (void)fh_store_fail(by->store, FH_STORE_CORRUPT, what);
}

static bool goes_on(const teller *by)
{
    return !by->stopped && by->store->status == FH_STORE_OK;
}

static bool parse_severity(fh_severity *out, const char *name)
{
    for (int i = FH_NOTE; i <= FH_ERROR && name != NULL; i++) {
        if (strcmp(name, fh_severity_name((fh_severity)i)) == 0) {
            *out = (fh_severity)i;
            return true;
        }
    }
    return false;
}

/* ---- findings -------------------------------------------------------------------------------- */

static fh_finding_record finding_at(const rows *at)
{
    return (fh_finding_record){.id = number_at(at, F_ID),
                               .asset = number_at(at, F_ASSET),
                               .raw_offset = place_at(at, F_RAW),
                               .asset_offset = place_at(at, F_ASSET_OFFSET),
                               .frame = number_at(at, F_FRAME),
                               .object = number_at(at, F_OBJECT),
                               .field = text_at(at, F_FIELD),
                               .found = text_at(at, F_FOUND),
                               .expected = text_at(at, F_EXPECTED),
                               .message = text_at(at, F_MESSAGE)};
}

static void tell_finding(teller *by)
{
    const char *code = text_at(&by->findings, F_CODE);
    fh_finding_record finding = finding_at(&by->findings);
    if (code == NULL || finding.message == NULL ||
        !parse_severity(&finding.severity, text_at(&by->findings, F_SEVERITY))) {
        fail(by, "its row of a finding makes no sense");
        return;
    }
    finding.rule = by->sink->rule(by->sink->user, code);
    by->stopped = finding.rule == NULL || !by->sink->finding(by->sink->user, &finding);
    (void)step(&by->findings);
}

/* tell_findings tells those of a source, or of an asset of it. */
static void tell_findings(teller *by, int64_t source, int64_t asset)
{
    while (goes_on(by) && by->findings.has_row && number_at(&by->findings, F_SOURCE) == source &&
           number_at(&by->findings, F_ASSET) == asset) {
        tell_finding(by);
    }
}

/* ---- assets ---------------------------------------------------------------------------------- */

static bool is_next(const fh_piece_record *piece, int64_t end, int64_t length)
{
    return piece->asset_offset == end && piece->raw_offset >= 0 && piece->length > 0 &&
           piece->length <= length - end;
}

/* read_pieces reads where the bytes of an asset are. They must tile it, in its order. */
static size_t read_pieces(teller *by, int64_t asset, int64_t length)
{
    size_t num = 0;
    int64_t end = 0;
    rows at;
    if (by->store->version < 2) {
        return 0; /* schema 1 knew no pieces */
    }
    at.call = fh_call_make(by->store, FH_SQL_PIECES_FIND);
    fh_call_number(&at.call, asset);
    bool is_tiled = true;
    while (step(&at) == FH_STORE_OK && at.has_row && is_tiled) {
        const fh_piece_record piece = {number_at(&at, P_ASSET_OFFSET), number_at(&at, P_RAW),
                                       number_at(&at, P_LENGTH)};
        is_tiled = num < FH_MAX_PARTS && is_next(&piece, end, length);
        if (is_tiled) {
            by->pieces[num++] = piece;
            end += piece.length;
        }
    }
    fh_call_end(&at.call);
    if (!is_tiled || (num > 0 && end != length)) {
        fail(by, "the pieces of an asset do not tile it");
    }
    return num;
}

static void tell_asset(teller *by)
{
    uint8_t hashes[3][FH_SHA256_LEN];
    const rows *at = &by->assets;
    const fh_replay_record replay = {.evaluator = text_at(at, A_EVALUATOR),
                                     .frames = number_at(at, A_REPLAY_FRAMES),
                                     .ticks = number_at(at, A_TICKS),
                                     .status = text_at(at, A_STATUS),
                                     .pose_sha256 = hash_at(at, A_REPLAY_POSE, hashes[2])};
    fh_asset_record asset = {.id = number_at(at, A_ID),
                             .format = text_at(at, A_FORMAT),
                             .grade = text_at(at, A_GRADE),
                             .raw_offset = place_at(at, A_RAW),
                             .user_offset = place_at(at, A_USER),
                             .length = place_at(at, A_LENGTH),
                             .lba = number_at(at, A_LBA),
                             .iso_path = text_at(at, A_ISO_PATH),
                             .iso_offset = place_at(at, A_ISO_OFFSET),
                             .ram_address = number_at(at, A_RAM),
                             .evidence_bits = number_at(at, A_EVIDENCE),
                             .frames = number_at(at, A_FRAMES),
                             .objects = number_at(at, A_OBJECTS),
                             .sha256 = hash_at(at, A_SHA256, hashes[0]),
                             .pose_sha256 = hash_at(at, A_POSE, hashes[1]),
                             .replay = text_at(at, A_STATUS) != NULL ? &replay : NULL,
                             .pieces = by->pieces};
    /* Forms tell of every sector of it: its length may not be one that no asset has. */
    if (asset.format == NULL || asset.grade == NULL || asset.length > (int64_t)FH_MAX_ASSET_LEN) {
        fail(by, "its row of an asset makes no sense");
        return;
    }
    asset.num_pieces = read_pieces(by, asset.id, asset.length);
    if (goes_on(by)) {
        by->stopped = !by->sink->asset(by->sink->user, &asset);
    }
    tell_findings(by, number_at(at, A_SOURCE), asset.id);
    (void)step(&by->assets);
}

/* ---- sources --------------------------------------------------------------------------------- */

/* tell_coverage tells the runs of sectors of a source. */
static void tell_coverage(teller *by, int64_t source)
{
    rows at;
    if (by->store->version < 2 || by->sink->coverage == NULL) {
        return; /* schema 1 knew none */
    }
    at.call = fh_call_make(by->store, FH_SQL_TELL_COVERAGE);
    fh_call_number(&at.call, source);
    while (goes_on(by) && step(&at) == FH_STORE_OK && at.has_row) {
        const fh_coverage_record run = {.claim = text_at(&at, C_CLAIM),
                                        .raw_offset = place_at(&at, C_RAW),
                                        .length = place_at(&at, C_LENGTH),
                                        .first_lba = number_at(&at, C_LBA),
                                        .sectors = place_at(&at, C_SECTORS),
                                        .runs = place_at(&at, C_RUNS),
                                        .asset_bytes = place_at(&at, C_ASSET_BYTES)};
        if (run.claim == NULL) {
            fail(by, "its row of a coverage makes no sense");
        } else {
            by->stopped = !by->sink->coverage(by->sink->user, &run);
        }
    }
    fh_call_end(&at.call);
}

static void tell_scans(teller *by)
{
    rows at;
    if (by->sink->scan == NULL) {
        return;
    }
    at.call = fh_call_make(by->store, FH_SQL_TELL_SCANS);
    while (goes_on(by) && step(&at) == FH_STORE_OK && at.has_row) {
        const fh_scan_run_record run = {.tool_version = text_at(&at, N_TOOL),
                                        .ruleset_version = text_at(&at, N_RULESET),
                                        .options = text_at(&at, N_OPTIONS),
                                        .started_at = text_at(&at, N_STARTED),
                                        .finished_at = text_at(&at, N_FINISHED),
                                        .status = text_at(&at, N_STATUS)};
        by->stopped = !by->sink->scan(by->sink->user, &run);
    }
    fh_call_end(&at.call);
}

static void tell_source(teller *by)
{
    uint8_t hash[FH_SHA256_LEN];
    const rows *at = &by->sources;
    const fh_source_record source = {.id = number_at(at, S_ID),
                                     .path = text_at(at, S_PATH),
                                     .kind = text_at(at, S_KIND),
                                     .layout = text_at(at, S_LAYOUT),
                                     .status = text_at(at, S_STATUS),
                                     .size = place_at(at, S_SIZE),
                                     .sha256 = hash_at(at, S_SHA256, hash)};
    if (source.path == NULL || source.status == NULL) {
        fail(by, "its row of a source makes no sense");
        return;
    }
    if (source.id <= by->last_source) { /* damaged pages can bring the same rows again and again */
        fail(by, FH_STORE_ENDLESS);
        return;
    }
    by->last_source = source.id;
    by->stopped = !by->sink->source(by->sink->user, &source);
    tell_coverage(by, source.id);
    tell_findings(by, source.id, FH_UNKNOWN);
    while (goes_on(by) && by->assets.has_row && number_at(&by->assets, A_SOURCE) == source.id) {
        tell_asset(by);
    }
    (void)step(&by->sources);
}

static void tell_all(teller *by)
{
    tell_scans(by);
    if (!goes_on(by) || !start(by->store, &by->sources, FH_SQL_TELL_SOURCES) ||
        !start(by->store, &by->assets, FH_SQL_TELL_ASSETS) ||
        !start(by->store, &by->findings, FH_SQL_TELL_FINDINGS)) {
        return;
    }
    while (goes_on(by) && by->sources.has_row) {
        tell_source(by);
    }
    if (goes_on(by) && (by->assets.has_row || by->findings.has_row)) {
        fail(by, "some row belongs to a source or an asset that is not there");
    }
}

fh_store_status fh_store_tell(fh_store *store, const fh_store_sink *sink)
{
    teller by = {.store = store, .sink = sink, .last_source = INT64_MIN};
    if (fh_store_share(store) != FH_STORE_OK) {
        return store->status;
    }
    by.pieces = calloc(FH_MAX_PARTS + 1, sizeof *by.pieces);
    if (by.pieces == NULL) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    /* One transaction: what another program changes meanwhile is not seen. */
    fh_store_status status = fh_store_run(store, FH_SQL_BEGIN_READ);
    if (status == FH_STORE_OK) {
        tell_all(&by);
        fh_call_end(&by.sources.call);
        fh_call_end(&by.assets.call);
        fh_call_end(&by.findings.call);
        status = fh_store_run(store, FH_SQL_COMMIT);
    }
    free(by.pieces);
    return status;
}

void fh_stored_rule_clear(fh_stored_rule *rule)
{
    free(rule->title);
    free(rule->explanation);
    *rule = (fh_stored_rule){.severity = FH_NOTE};
}

fh_store_status fh_store_find_rule(fh_store *store, fh_stored_rule *rule, const char *code)
{
    rows at;
    *rule = (fh_stored_rule){.severity = FH_NOTE};
    at.call = fh_call_make(store, FH_SQL_TELL_RULE);
    fh_call_text(&at.call, code);
    const fh_store_status status = step(&at);
    if (status == FH_STORE_OK && at.has_row) {
        const char *title = text_at(&at, R_TITLE);
        const char *explanation = text_at(&at, R_EXPLANATION);
        rule->is_there = parse_severity(&rule->severity, text_at(&at, R_SEVERITY)) &&
                         title != NULL && explanation != NULL;
        rule->title = rule->is_there ? strdup(title) : NULL;
        rule->explanation = rule->is_there ? strdup(explanation) : NULL;
    }
    fh_call_end(&at.call);
    if (rule->is_there && (rule->title == NULL || rule->explanation == NULL)) {
        fh_stored_rule_clear(rule);
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    return status;
}
