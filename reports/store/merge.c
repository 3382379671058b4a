/* Databases put together: those of the shards of one scan become the database of the whole scan.
 *
 * First the sources of all shards are listed and brought into the order of the whole scan, which
 * gives every row its id; then the rows of one shard after the other are copied, by columns. A
 * shard is only read. Nothing in it is trusted: its views and triggers are not asked, texts are
 * bounded, and a row that the tables of the result do not take ends the work.
 */
#include "core/text.h"
#include "reports/escape.h"
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an option text and the like that is looked at. */
#define WORD_LEN ((size_t)512)

#define SHARD_MARK " shard="

/* What a scan was, and which part of it. */
typedef struct told_scan {
    char tool_version[WORD_LEN];
    char ruleset_version[WORD_LEN];
    char options[WORD_LEN]; /* without the shard */
    char started[WORD_LEN];
    char finished[WORD_LEN];
    uint64_t shard; /* from 1; 0: no shard */
    uint64_t num_shards;
    char asked[2 * FH_SHA256_LEN + 1]; /* of a shard: the sum of what all were asked to search */
} told_scan;

typedef struct merge {
    fh_store *out;
    fh_store *shard;
    int64_t number; /* of the shard, from 0 */
    told_scan scan; /* of all */
    bool *have;     /* which shards there are; owned */
    uint64_t num_have;
    int64_t new_id; /* of the source whose rows are copied, and what its ids begin behind */
    int64_t asset_base;
    int64_t finding_base;
    int64_t source_id; /* in the shard */
    int64_t rank;
    const fh_store_options *options;
    fh_store_status status; /* of what failed */
    char *err;
    size_t err_size;
} merge;

/* false, with a text: what is wrong with the shard. */
static bool refuse(merge *m, const char *why)
{
    m->status = FH_STORE_NOT_MERGEABLE;
    fh_store_describe(m->err, m->err_size, m->shard, m->status, why);
    return false;
}

static bool failed(merge *m, const fh_store *store)
{
    fh_text text = fh_text_make(m->err, m->err_size);
    fh_text_str(&text, fh_store_error(store));
    m->status = store->status;
    return false;
}

static bool shard_failed(merge *m)
{
    return sqlite3_errcode(m->shard->db) == SQLITE_TOOBIG
               ? refuse(m, "it has a value that is longer than any of a scan")
               : failed(m, m->shard);
}

/* A row that the result does not take is the shard's fault, unless the disk is full or the like. */
static bool failed_to_put(merge *m)
{
    return m->out->status == FH_STORE_CORRUPT ? refuse(m, "its rows are not those of a scan")
                                              : failed(m, m->out);
}

/* ---- the scans ------------------------------------------------------------------------------- */

static bool take_word(char *out, sqlite3_stmt *stmt, int column)
{
    const char *word = (const char *)sqlite3_column_text(stmt, column);
    fh_text text = fh_text_make(out, WORD_LEN);
    fh_text_str(&text, word != NULL ? word : "");
    return !text.cut;
}

static bool take_number(uint64_t *out, const char **at)
{
    const char *first = *at;
    *out = 0;
    for (; **at >= '0' && **at <= '9' && *out <= FH_STORE_MAX_SHARDS; (*at)++) {
        *out = 10 * *out + (uint64_t)(**at - '0');
    }
    return *at > first && *out > 0 && *out <= FH_STORE_MAX_SHARDS;
}

/* Takes the shard out of the options, at whose end it stands. */
static bool take_shard(told_scan *scan)
{
    char *mark = strstr(scan->options, SHARD_MARK);
    if (mark == NULL) {
        return true;
    }
    const char *at = mark + sizeof SHARD_MARK - 1;
    const bool is_ok = take_number(&scan->shard, &at) && *at++ == '/' &&
                       take_number(&scan->num_shards, &at) && *at == '\0' &&
                       scan->shard <= scan->num_shards;
    *mark = '\0';
    return is_ok;
}

static bool take_scan(merge *m, told_scan *scan, sqlite3_stmt *stmt)
{
    char status[WORD_LEN];
    *scan = (told_scan){.shard = 0};
    const bool is_ok =
        take_word(scan->tool_version, stmt, 0) && take_word(scan->ruleset_version, stmt, 1) &&
        take_word(scan->options, stmt, 2) && take_word(status, stmt, 3) &&
        take_word(scan->started, stmt, 4) && take_word(scan->finished, stmt, 5) && take_shard(scan);
    if (!is_ok) {
        return refuse(m, "its table of scans is not one");
    }
    return strcmp(status, "complete") == 0 ||
           refuse(m, "its scan did not come to an end; go on with it with scan --resume");
}

static bool refuse_number(merge *m, const told_scan *scan)
{
    char why[WORD_LEN];
    fh_text text = fh_text_make(why, sizeof why);
    const uint64_t nums[] = {scan->num_shards, m->scan.num_shards};
    for (size_t i = 0; i < 2; i++) {
        fh_text_str(&text, i == 0 ? "it is " : ", and the one before ");
        fh_text_str(&text, nums[i] == 0 ? "no shard" : "one of so many shards: ");
        if (nums[i] != 0) {
            fh_text_u64(&text, nums[i]);
        }
    }
    return refuse(m, why);
}

static void put_word(fh_text *text, const char *words, size_t first)
{
    char word[WORD_LEN];
    const size_t len = strcspn(words + first, " ");
    memcpy(word, words + first, len);
    word[len] = '\0';
    fh_text_str(text, len > 0 ? word : "none");
}

/* Options are words. The first one that differs is told. */
static bool refuse_options(merge *m, const told_scan *scan)
{
    const char *is = scan->options;
    const char *was = m->scan.options;
    size_t first = 0;
    size_t i = 0;
    for (; is[i] != '\0' && is[i] == was[i]; i++) {
        first = is[i] == ' ' ? i + 1 : first;
    }
    if (is[i] == '\0' || was[i] == '\0') { /* one has a word more, or its last word goes on */
        is += is[i] == ' ' ? 1 : 0;
        was += was[i] == ' ' ? 1 : 0;
        first = is > scan->options || was > m->scan.options ? i : first;
    }
    char why[3 * WORD_LEN];
    fh_text text = fh_text_make(why, sizeof why);
    fh_text_str(&text, "its scan had other options than that of the one before: ");
    put_word(&text, is, first);
    fh_text_str(&text, ", not ");
    put_word(&text, was, first);
    return refuse(m, why);
}

/* The span of time is that of all. */
static bool add_scan(merge *m, const told_scan *scan)
{
    if (m->scan.started[0] == '\0') {
        m->scan = *scan;
        return true;
    }
    if (strcmp(scan->tool_version, m->scan.tool_version) != 0 ||
        strcmp(scan->ruleset_version, m->scan.ruleset_version) != 0) {
        return refuse(m, "another version of framehound made it than the one before");
    }
    if (scan->num_shards != m->scan.num_shards) {
        return refuse_number(m, scan);
    }
    if (strcmp(scan->options, m->scan.options) != 0) {
        return refuse_options(m, scan);
    }
    if (strcmp(scan->started, m->scan.started) < 0) {
        memcpy(m->scan.started, scan->started, WORD_LEN);
    }
    if (strcmp(scan->finished, m->scan.finished) > 0) {
        memcpy(m->scan.finished, scan->finished, WORD_LEN);
    }
    return true;
}

static bool note_shard(merge *m, const told_scan *scan)
{
    if (scan->num_shards == 0) {
        return true;
    }
    if (m->have == NULL) {
        m->have = calloc((size_t)scan->num_shards, sizeof *m->have);
    }
    if (m->have == NULL) {
        return refuse(m, "there is not enough memory");
    }
    if (m->have[scan->shard - 1]) {
        return refuse(m, "it is a shard that stands among the others already");
    }
    m->have[scan->shard - 1] = true;
    m->num_have++;
    return true;
}

/* Which part a source belongs to hangs on its path: shards of two lists would lack what only one of
 * them has, and nothing would tell. */
static bool check_asked(merge *m)
{
    char asked[sizeof m->scan.asked];
    if (m->scan.num_shards == 0) {
        return true;
    }
    if (fh_store_get_asked(m->shard, asked) != FH_STORE_OK) {
        return shard_failed(m);
    }
    if (m->num_have == 1) {
        memcpy(m->scan.asked, asked, sizeof asked);
    }
    return strcmp(m->scan.asked, asked) == 0 ||
           refuse(m, "it was asked to search other sources than the shard before; scan all shards "
                     "with the same manifest, or the same names in the same order");
}

/* All scans of one shard are parts of the same. */
static bool read_scans(merge *m)
{
    told_scan scan = {.shard = 0};
    uint64_t shard = 0;
    bool has_row = false;
    bool is_first = true;
    bool is_ok = true;
    fh_call call = fh_call_make(m->shard, FH_SQL_MERGE_SCANS);
    while (is_ok && fh_call_row(&call, &has_row) == FH_STORE_OK && has_row) {
        is_ok = take_scan(m, &scan, call.stmt) && add_scan(m, &scan) &&
                (is_first || scan.shard == shard || refuse(m, "it holds more than one shard"));
        shard = scan.shard;
        is_first = false;
    }
    fh_call_end(&call);
    if (is_ok && m->shard->status != FH_STORE_OK) {
        return shard_failed(m);
    }
    if (is_ok && is_first) {
        return refuse(m, "it has no scan");
    }
    return is_ok && note_shard(m, &scan) && check_asked(m);
}

/* ---- the sources ----------------------------------------------------------------------------- */

/* Copies columns of a row of the shard, and puts them behind what the call has already. */
static void give_columns(fh_call *call, sqlite3_stmt *from, int first, int num)
{
    for (int i = first; i < first + num; i++) {
        fh_call_value(call, sqlite3_column_value(from, i));
    }
}

/* What is scanned into a database stays there, whatever the next scan is asked for. Of a shard with
 * more than its newest scan merge would make a scan that nobody has made. */
static bool refuse_older(merge *m, const char *path)
{
    char why[FH_STORE_ERROR_LEN];
    fh_text text = fh_text_make(why, sizeof why);
    fh_text_str(&text, "it holds more than its newest scan, scan the shard into a new database; of "
                       "an earlier one is ");
    fh_text_str(&text, path != NULL ? path : "a source without a path");
    return refuse(m, why);
}

/* The last column tells a source of an earlier scan. Databases that are no shards may have any. */
static bool keep_source(merge *m, sqlite3_stmt *from)
{
    if (m->scan.num_shards > 0 && sqlite3_column_int(from, 10) != 0) {
        return refuse_older(m, (const char *)sqlite3_column_text(from, 2));
    }
    fh_call to = fh_call_make(m->out, FH_SQL_MERGE_SOURCE_KEEP);
    fh_call_number(&to, m->number);
    give_columns(&to, from, 0, 10);
    return fh_call_run(&to) == FH_STORE_OK || failed_to_put(m);
}

static bool read_sources(merge *m, bool has_places)
{
    bool has_row = false;
    bool is_ok = true;
    fh_call from =
        fh_call_make(m->shard, has_places ? FH_SQL_MERGE_SOURCES_PLACED : FH_SQL_MERGE_SOURCES);
    while (is_ok && fh_call_row(&from, &has_row) == FH_STORE_OK && has_row) {
        is_ok = keep_source(m, from.stmt);
    }
    fh_call_end(&from);
    return is_ok && m->shard->status != FH_STORE_OK ? shard_failed(m) : is_ok;
}

static bool open_shard(merge *m, const char *path)
{
    m->status = fh_store_open_ro(&m->shard, path, m->options, m->err, m->err_size);
    if (m->status != FH_STORE_OK) {
        return false;
    }
    return m->shard->version == FH_STORE_SCHEMA_VERSION ||
           refuse(m, "an earlier version of framehound made it");
}

static void close_shard(merge *m)
{
    fh_store_close(m->shard);
    m->shard = NULL;
}

static bool list_shard(merge *m, const char *path)
{
    const bool is_ok =
        open_shard(m, path) && read_scans(m) &&
        read_sources(m, fh_store_has_table(m->shard, "main", "shard_place", "place"));
    close_shard(m);
    return is_ok;
}

static bool tell(merge *m, const char *first, const char *path, const char *second)
{
    fh_text text = fh_text_make(m->err, m->err_size);
    fh_text_str(&text, first);
    fh_escape_into(&text, path);
    fh_text_str(&text, second);
    m->status = FH_STORE_NOT_MERGEABLE;
    return false;
}

/* Shards have no source in common. */
static bool check_paths(merge *m, const char *const *shards)
{
    bool has_row = false;
    fh_call call = fh_call_make(m->out, FH_SQL_MERGE_TWICE);
    if (fh_call_row(&call, &has_row) != FH_STORE_OK) {
        return failed(m, m->out);
    }
    if (has_row) {
        fh_text text = fh_text_make(m->err, m->err_size);
        fh_escape_into(&text, (const char *)sqlite3_column_text(call.stmt, 0));
        fh_text_str(&text, " is a source of ");
        fh_escape_into(&text, shards[sqlite3_column_int64(call.stmt, 1)]);
        fh_text_str(&text, " and of ");
        fh_escape_into(&text, shards[sqlite3_column_int64(call.stmt, 2)]);
        fh_text_str(&text, ": merge databases whose sources differ");
        m->status = FH_STORE_NOT_MERGEABLE;
    }
    fh_call_end(&call);
    return !has_row;
}

static bool check_shards(merge *m)
{
    if (m->scan.num_shards == m->num_have) {
        return true;
    }
    uint64_t missing = 0;
    while (missing < m->scan.num_shards && m->have[missing]) {
        missing++;
    }
    char number[48];
    fh_text text = fh_text_make(number, sizeof number);
    fh_text_u64(fh_text_str(fh_text_u64(&text, missing + 1), " of "), m->scan.num_shards);
    return tell(m, "shard ", number, " is missing: name the databases of all shards");
}

/* ---- the rows -------------------------------------------------------------------------------- */

typedef enum row_kind { ROW_ASSET, ROW_FINDING, ROW_OF_SOURCE, ROW_OF_ASSET, ROW_RULE } row_kind;

/* Rows of a table: what reads them, what puts them, how many columns are copied as they are. */
typedef struct table {
    fh_sql read;
    fh_sql put;
    row_kind kind;
    int num_columns;
} table;

/* false: the shard has no such source, or the result failed. */
static bool find_source(merge *m, int64_t source_id)
{
    bool has_row = false;
    if (source_id == m->source_id && m->new_id != 0) {
        return true;
    }
    fh_call call = fh_call_make(m->out, FH_SQL_MERGE_PLACE_FIND);
    fh_call_number(&call, m->number);
    fh_call_number(&call, source_id);
    if (fh_call_row(&call, &has_row) == FH_STORE_OK && has_row) {
        m->new_id = sqlite3_column_int64(call.stmt, 0);
        m->asset_base = sqlite3_column_int64(call.stmt, 1);
        m->finding_base = sqlite3_column_int64(call.stmt, 2);
        m->source_id = source_id;
        m->rank = 0;
    }
    fh_call_end(&call);
    return has_row;
}

static bool find_asset(merge *m, int64_t *new_id, sqlite3_stmt *from, int column)
{
    bool has_row = false;
    *new_id = FH_UNKNOWN;
    if (sqlite3_column_type(from, column) == SQLITE_NULL) {
        return true;
    }
    fh_call call = fh_call_make(m->out, FH_SQL_MERGE_ASSET_FIND);
    fh_call_number(&call, sqlite3_column_int64(from, column));
    if (fh_call_row(&call, &has_row) == FH_STORE_OK && has_row) {
        *new_id = sqlite3_column_int64(call.stmt, 0);
    }
    fh_call_end(&call);
    return has_row;
}

static bool keep_asset(merge *m, int64_t old_id, int64_t new_id)
{
    fh_call call = fh_call_make(m->out, FH_SQL_MERGE_ASSET_KEEP);
    fh_call_number(&call, old_id);
    fh_call_number(&call, new_id);
    return fh_call_run(&call) == FH_STORE_OK;
}

/* The ids in front of the columns that are copied; their number, or -1: nothing fits. */
static int give_ids(merge *m, fh_call *to, sqlite3_stmt *from, row_kind kind)
{
    int64_t asset_id = FH_UNKNOWN;
    if (kind == ROW_RULE) {
        return 0;
    }
    if (kind == ROW_OF_ASSET) {
        const bool is_found = find_asset(m, &asset_id, from, 0) && asset_id != FH_UNKNOWN;
        fh_call_number(to, asset_id);
        return is_found ? 1 : -1;
    }
    if (!find_source(m, sqlite3_column_int64(from, kind == ROW_OF_SOURCE ? 0 : 1))) {
        return -1;
    }
    if (kind == ROW_OF_SOURCE) {
        fh_call_number(to, m->new_id);
        return 1;
    }
    m->rank++;
    fh_call_number(to, (kind == ROW_ASSET ? m->asset_base : m->finding_base) + m->rank);
    fh_call_number(to, m->new_id);
    if (kind == ROW_ASSET) {
        return keep_asset(m, sqlite3_column_int64(from, 0), m->asset_base + m->rank) ? 2 : -1;
    }
    const bool is_found = find_asset(m, &asset_id, from, 2);
    fh_call_number(to, asset_id);
    return is_found ? 3 : -1;
}

static bool copy_row(merge *m, const table *t, sqlite3_stmt *from)
{
    fh_call to = fh_call_make(m->out, t->put);
    const int num_ids = give_ids(m, &to, from, t->kind);
    if (num_ids >= 0) {
        give_columns(&to, from, num_ids, t->num_columns);
        return fh_call_run(&to) == FH_STORE_OK;
    }
    fh_call_end(&to);
    return false;
}

static bool copy_table(merge *m, const table *t)
{
    bool has_row = false;
    bool is_ok = true;
    fh_call from = fh_call_make(m->shard, t->read);
    m->new_id = 0;
    while (is_ok && fh_call_row(&from, &has_row) == FH_STORE_OK && has_row) {
        is_ok = copy_row(m, t, from.stmt);
    }
    fh_call_end(&from);
    if (m->shard->status != FH_STORE_OK) {
        return shard_failed(m);
    }
    if (!is_ok && m->out->status == FH_STORE_OK) {
        return refuse(m, "it has rows of sources or assets that it has not");
    }
    return is_ok || failed_to_put(m);
}

static bool copy_shard(merge *m, const char *path)
{
    static const table tables[] = {{FH_SQL_MERGE_RULES, FH_SQL_RULE_PUT, ROW_RULE, 5},
                                   {FH_SQL_MERGE_ASSETS, FH_SQL_ASSET_PUT, ROW_ASSET, 14},
                                   {FH_SQL_MERGE_PIECES, FH_SQL_PIECE_PUT, ROW_OF_ASSET, 3},
                                   {FH_SQL_MERGE_REPLAYS, FH_SQL_REPLAY_PUT, ROW_OF_ASSET, 5},
                                   {FH_SQL_MERGE_FINDINGS, FH_SQL_FINDING_PUT, ROW_FINDING, 10},
                                   {FH_SQL_MERGE_COVERAGE, FH_SQL_COVERAGE_PUT, ROW_OF_SOURCE, 8}};
    bool is_ok = open_shard(m, path);
    if (is_ok && fh_store_run(m->out, FH_SQL_MERGE_ASSETS_CLEAR) != FH_STORE_OK) {
        is_ok = failed(m, m->out);
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && is_ok; i++) {
        is_ok = copy_table(m, &tables[i]);
    }
    close_shard(m);
    return is_ok;
}

static bool put_scan(merge *m)
{
    fh_call call = fh_call_make(m->out, FH_SQL_MERGE_SCAN_PUT);
    fh_call_text(&call, m->scan.tool_version);
    fh_call_text(&call, m->scan.ruleset_version);
    fh_call_text(&call, m->scan.options);
    fh_call_text(&call, m->scan.started);
    fh_call_text(&call, m->scan.finished);
    return (fh_call_run(&call) == FH_STORE_OK &&
            fh_store_run(m->out, FH_SQL_MERGE_ORDER) == FH_STORE_OK &&
            fh_store_run(m->out, FH_SQL_MERGE_SOURCES_PUT) == FH_STORE_OK) ||
           failed(m, m->out);
}

static bool merge_all(merge *m, const char *const *shards, size_t num_shards)
{
    if (fh_store_exec(m->out, fh_sql_merge) != FH_STORE_OK ||
        fh_store_run(m->out, FH_SQL_BEGIN) != FH_STORE_OK) {
        return failed(m, m->out);
    }
    for (size_t i = 0; i < num_shards; i++) {
        m->number = (int64_t)i;
        if (!list_shard(m, shards[i])) {
            return false;
        }
    }
    if (!check_paths(m, shards) || !check_shards(m) || !put_scan(m)) {
        return false;
    }
    for (size_t i = 0; i < num_shards; i++) {
        m->number = (int64_t)i;
        if (!copy_shard(m, shards[i])) {
            return false;
        }
    }
    return (fh_store_make_indexes(m->out) == FH_STORE_OK &&
            fh_store_run(m->out, FH_SQL_TALLY_FILL) == FH_STORE_OK &&
            fh_overall_fill(m->out) == FH_STORE_OK &&
            fh_store_finish_transaction(m->out) == FH_STORE_OK) ||
           failed(m, m->out);
}

fh_store_status fh_store_merge(const char *path, const char *const *shards, size_t num_shards,
                               const fh_store_options *options, char *err, size_t err_size)
{
    merge m = {.options = options, .err = err, .err_size = err_size};
    assert(num_shards > 0);
    const fh_store_status opened = fh_store_open(&m.out, path, options, err, err_size);
    if (opened != FH_STORE_OK) {
        return opened;
    }
    const bool is_ok = merge_all(&m, shards, num_shards);
    fh_store_close(m.out);
    free(m.have);
    return is_ok ? FH_STORE_OK : m.status;
}
