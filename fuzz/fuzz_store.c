/* A database that somebody changed. A sound one is made at the start, of two scans' worth of rows
 * (fuzz_rows.c); the input changes it: SQL up to a byte 0x1c, which a program of the attacker's may
 * run, views in place of tables included; then what is laid over its bytes (fuzz_patch). An input
 * that begins as an SQLite file is taken for the whole database. Then everything that reads a
 * database reads it: every form of report, the list of assets, each asset with its findings, the
 * rules, a comparison with the sound one, a merge with it, and a question; and a scan goes on with
 * what it says of one that was broken off. What must be true:
 *   - each ends by itself, with success or with an error of one line that names a status;
 *   - what is read is sane: texts that must be there are, hashes are hashes, places are not
 *     negative, pieces tile their asset, ids are those that were asked for;
 *   - a report is written whole or the failure is told;
 *   - reading twice says the same;
 *   - SQLite's machine takes no more steps, and allocates no more, than the size allows.
 * Nothing is written to disk: SQLite's files lie in memory, under names that only look like files.
 */
#include "fuzz_image.h"
#include "fuzz_rows.h"

#include "hunt/rulebook.h"
#include "reports/query_text.h"
#include "reports/report.h"
#include "reports/store/store.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)128 << 20,
                                   .memory_per_byte = 64,
                                   .milliseconds = 60000,
                                   .milliseconds_per_kib = 100};

enum { MOST_BYTES = 1 << 20, MOST_ASSETS = 64, SQL_STEPS = 200000 };

/* Names of files that are there, for the program asks whether they are; none of them is opened. */
static const char changed_name[] = "/proc/self/exe";
static const char sound_name[] = "/proc/thread-self/exe";
static const char made_name[] = "/nowhere/made.db";
static const char merged_name[] = "/nowhere/merged.db";
static const char resumed_name[] = "/nowhere/resumed.db";

static sqlite3 *keeper; /* of the sound database, for as long as the program runs */
static uint8_t sound[MOST_BYTES];
static size_t sound_len;
static uint8_t bytes[MOST_BYTES];
static FILE *nowhere;

/* ---- files of SQLite in memory --------------------------------------------------------------- */

static sqlite3 *open_memory(const char *name)
{
    sqlite3 *db = NULL;
    fuzz_demand(sqlite3_open_v2(name, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
                    SQLITE_OK,
                "SQLite has files in memory");
    return db;
}

static sqlite3_file *file_of(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    fuzz_demand(sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
                    file != NULL,
                "SQLite hands out its file");
    return file;
}

static void put_bytes(sqlite3 *db, const uint8_t *from, size_t len)
{
    sqlite3_file *file = file_of(db);
    fuzz_demand(file->pMethods->xTruncate(file, 0) == SQLITE_OK &&
                    file->pMethods->xWrite(file, from, (int)len, 0) == SQLITE_OK,
                "a file in memory can be written");
}

static size_t get_bytes(sqlite3 *db, uint8_t *to)
{
    sqlite3_file *file = file_of(db);
    sqlite3_int64 len = 0;
    fuzz_demand(file->pMethods->xFileSize(file, &len) == SQLITE_OK && len >= 0 &&
                    len <= MOST_BYTES &&
                    (len == 0 || file->pMethods->xRead(file, to, (int)len, 0) == SQLITE_OK),
                "a file in memory can be read");
    return (size_t)len;
}

static void set_up(void)
{
    sqlite3_vfs *memory = sqlite3_vfs_find("memdb");
    fuzz_demand(memory != NULL && sqlite3_vfs_register(memory, 1) == SQLITE_OK,
                "SQLite has files in memory");
    nowhere = fopen("/dev/null", "we");
    fuzz_demand(nowhere != NULL, "there is a place for reports");
    sqlite3 *made = open_memory(made_name);
    fuzz_rows(made_name);
    sound_len = get_bytes(made, sound);
    (void)sqlite3_close(made);
    keeper = open_memory(sound_name);
    put_bytes(keeper, sound, sound_len);
}

/* ---- the attacker ---------------------------------------------------------------------------- */

static int on_steps(void *user)
{
    unsigned *left = user;
    return *left == 0 || --*left == 0;
}

/* Runs SQL on bytes; what fails, and what takes too long, is left. */
static void run_sql(const fuzz_input *sql, size_t *len)
{
    unsigned left = SQL_STEPS / 1000;
    char text[4096];
    if (sql->left == 0 || sql->left >= sizeof text) {
        return;
    }
    memcpy(text, sql->at, sql->left);
    text[sql->left] = '\0';
    sqlite3 *db = open_memory("/attacker");
    put_bytes(db, bytes, *len);
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MOST_BYTES);
    (void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    (void)sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_progress_handler(db, 1000, on_steps, &left);
    (void)sqlite3_exec(db, "PRAGMA writable_schema = ON; PRAGMA max_page_count = 200", NULL, NULL,
                       NULL);
    (void)sqlite3_exec(db, text, NULL, NULL, NULL);
    left = 2;
    if (sqlite3_get_autocommit(db) == 0) {
        (void)sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    }
    *len = get_bytes(db, bytes);
    (void)sqlite3_close(db);
}

static size_t change(const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    fuzz_input input = {data, size};
    if (size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0) {
        const size_t len = size < MOST_BYTES ? size : MOST_BYTES;
        memcpy(bytes, data, len);
        return len;
    }
    size_t len = sound_len;
    memcpy(bytes, sound, len);
    const fuzz_input sql = fuzz_cut(&input, "\x1c");
    run_sql(&sql, &len);
    if (len > 0) {
        fuzz_patch(bytes, len, &input);
    }
    return len;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reading {
    fuzz_sum sum;
    fh_store *store;
    fh_report report;
    int64_t num_rows;
} reading;

static void check_status(reading *at, fh_store_status status, const char *error)
{
    fuzz_demand(status <= FH_STORE_NOT_FOUND, "a status is known");
    fuzz_demand(status != FH_STORE_NO_MEMORY, "the system has memory");
    fuzz_demand(status != FH_STORE_STOPPED, "nobody stops it");
    if (status != FH_STORE_OK) {
        fuzz_demand_line(error, "an error is one line");
    }
    fuzz_fold_number(&at->sum, (int64_t)status);
}

static void check_place(int64_t place)
{
    fuzz_demand(place == FH_UNKNOWN || place >= 0, "a place is unknown or not negative");
}

static bool on_scan(void *user, const fh_scan_run_record *scan)
{
    reading *at = user;
    fuzz_fold_text(&at->sum, scan->options);
    fuzz_fold_text(&at->sum, scan->status);
    at->num_rows++;
    fh_report_scan(&at->report, scan);
    return true;
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    reading *at = user;
    fuzz_demand(coverage->claim != NULL, "a run of sectors has a claim");
    check_place(coverage->raw_offset);
    check_place(coverage->length);
    fuzz_fold_text(&at->sum, coverage->claim);
    fuzz_fold_number(&at->sum, coverage->length);
    at->num_rows++;
    fh_report_coverage(&at->report, coverage);
    return true;
}

static bool on_source(void *user, const fh_source_record *source)
{
    reading *at = user;
    fuzz_demand(source->path != NULL && source->status != NULL, "a source has a path and a status");
    check_place(source->size);
    fuzz_fold_text(&at->sum, source->path);
    fuzz_fold_number(&at->sum, source->size);
    at->num_rows++;
    fh_report_source(&at->report, source);
    return true;
}

static void check_pieces(const fh_piece_record *pieces, size_t num, int64_t length)
{
    int64_t end = 0;
    for (size_t i = 0; i < num; i++) {
        fuzz_demand(pieces[i].asset_offset == end && pieces[i].length > 0 &&
                        pieces[i].raw_offset >= 0,
                    "pieces tile an asset");
        end += pieces[i].length;
    }
    fuzz_demand(num == 0 || end == length, "pieces make a whole asset");
}

static bool on_asset(void *user, const fh_asset_record *asset)
{
    reading *at = user;
    fuzz_demand(asset->format != NULL && asset->grade != NULL, "an asset has a format and a grade");
    check_place(asset->raw_offset);
    check_place(asset->length);
    check_pieces(asset->pieces, asset->num_pieces, asset->length);
    fuzz_fold_number(&at->sum, asset->id);
    fuzz_fold_number(&at->sum, asset->raw_offset);
    at->num_rows++;
    fh_report_asset(&at->report, asset);
    return true;
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    reading *at = user;
    fuzz_demand(finding->message != NULL && finding->rule != NULL, "a finding has a message");
    fuzz_demand(finding->severity <= FH_ERROR, "a severity is known");
    check_place(finding->raw_offset);
    fuzz_fold_text(&at->sum, finding->message);
    at->num_rows++;
    fh_report_finding(&at->report, finding);
    return true;
}

/* A rule by its code, as the command has it; one that is not known is asked for. */
static const fh_rule *on_rule(void *user, const char *code)
{
    static const fh_rule known = {.code = "TST0001",
                                  .severity = FH_NOTE,
                                  .title = "title",
                                  .explanation = "explanation",
                                  .source = "source",
                                  .mend = "mend"};
    reading *at = user;
    fh_stored_rule rule;
    const fh_store_status status = fh_store_find_rule(at->store, &rule, code);
    fuzz_demand(status != FH_STORE_OK || !rule.is_there ||
                    (rule.title != NULL && rule.explanation != NULL),
                "a rule has a title");
    fuzz_fold_number(&at->sum, rule.is_there);
    free(rule.title);
    free(rule.explanation);
    return status == FH_STORE_OK ? &known : NULL;
}

static fh_store *open_changed(reading *at)
{
    char err[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    const fh_store_status status = fh_store_open_ro(&store, changed_name, NULL, err, sizeof err);
    check_status(at, status, err);
    fuzz_demand((status == FH_STORE_OK) == (store != NULL), "a database is open or it is not");
    return store;
}

static void tell(reading *at, const fh_report_form *form)
{
    const fh_report_run run = {.command = "report",
                               .tool_version = "1",
                               .ruleset_version = "1",
                               .fails_from = FH_ERROR,
                               .explains = true};
    const fh_store_sink sink = {at, on_source, on_asset, on_finding, on_rule, on_scan, on_coverage};
    at->store = open_changed(at);
    if (at->store == NULL) {
        return;
    }
    fuzz_demand(fh_report_begin(&at->report, form, &run, nowhere, false), "the system has memory");
    const fh_store_status status = fh_store_tell(at->store, &sink);
    check_status(at, status, fh_store_error(at->store));
    fuzz_demand(fh_report_end(&at->report) == 0, "a report is written");
    fh_store_close(at->store);
}

static void check_asset(const fh_stored_asset *asset, int64_t id)
{
    static const char digits[] = "0123456789abcdef";
    fuzz_demand(asset->id == id, "an asset is the one that was asked for");
    fuzz_demand(asset->path != NULL && asset->format != NULL && asset->grade != NULL,
                "an asset has a path, a format and a grade");
    check_place(asset->raw_offset);
    check_place(asset->user_offset);
    check_place(asset->length);
    check_pieces(asset->pieces, asset->num_pieces, asset->length);
    const char *const hashes[] = {asset->sha256, asset->pose_sha256, asset->source_sha256};
    for (size_t i = 0; i < 3; i++) {
        const size_t len = strlen(hashes[i]);
        fuzz_demand((len == 0 || len == 64) && strspn(hashes[i], digits) == len,
                    "a hash is one or empty");
    }
}

static bool on_stored(void *user, const fh_stored_finding *finding)
{
    reading *at = user;
    fuzz_demand(finding->code != NULL && finding->severity != NULL && finding->message != NULL,
                "a finding has a code and a message");
    fuzz_fold_text(&at->sum, finding->message);
    return ++at->num_rows < MOST_BYTES;
}

static void read_assets(reading *at)
{
    int64_t *ids = NULL;
    size_t num = 0;
    const fh_asset_filter all = {0};
    at->store = open_changed(at);
    if (at->store == NULL) {
        return;
    }
    fh_store_status status = fh_store_list_assets(at->store, &ids, &num, &all);
    check_status(at, status, fh_store_error(at->store));
    fuzz_demand(num <= MOST_BYTES, "assets are no more than bytes");
    for (size_t i = 0; i < num && i < MOST_ASSETS && status == FH_STORE_OK; i++) {
        fh_stored_asset asset;
        status = fh_store_find_asset(at->store, &asset, ids[i]);
        check_status(at, status, fh_store_error(at->store));
        if (status == FH_STORE_OK) {
            check_asset(&asset, ids[i]);
            status = fh_store_each_finding(at->store, ids[i], at, on_stored);
            check_status(at, status, fh_store_error(at->store));
        }
        fh_stored_asset_clear(&asset);
        status = status == FH_STORE_NOT_FOUND ? FH_STORE_OK : status;
    }
    free(ids);
    fh_store_close(at->store);
}

static bool on_difference(void *user, const fh_difference *difference)
{
    reading *at = user;
    fuzz_demand(difference->change < FH_CHANGE_NUM, "a change is known");
    fuzz_fold_number(&at->sum, (int64_t)difference->change);
    fuzz_fold_text(&at->sum, difference->a_path);
    return ++at->num_rows < MOST_BYTES;
}

static void compare(reading *at, const char *a, const char *b, fh_match match)
{
    char err[FH_STORE_ERROR_LEN];
    const fh_store_status status =
        fh_store_diff(a, b, match, NULL, at, on_difference, err, sizeof err);
    check_status(at, status, err);
}

static void merge(reading *at)
{
    char err[FH_STORE_ERROR_LEN];
    const char *const shards[] = {sound_name, changed_name};
    const fh_store_status status = fh_store_merge(merged_name, shards, 2, NULL, err, sizeof err);
    check_status(at, status, err);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* Tells what was found of a scan that was broken off, and asks for files that it may be done with.
 */
static void check_resumed(reading *at, const fh_resumed *resumed)
{
    static const char *const paths[] = {"discs/game-0.bin", "", "../x"};
    fuzz_demand(resumed->num_others >= 0 && resumed->num_visits >= 0, "there are none or some");
    fuzz_demand(resumed->worst <= FH_ERROR, "a severity is known");
    fuzz_demand(!resumed->has_other_sources || (!resumed->is_found && resumed->other_n > 0),
                "what was asked for something else is not gone on with");
    fuzz_fold_number(&at->sum, resumed->has_other_sources);
    fuzz_fold_number(&at->sum, resumed->is_found);
    fuzz_fold_number(&at->sum, resumed->num_visits);
    fuzz_fold_number(&at->sum, resumed->worst);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        bool was = false;
        const fh_store_status status = fh_store_was_visited(at->store, &was, paths[i], 1);
        check_status(at, status, fh_store_error(at->store));
        fuzz_demand(!was || (status == FH_STORE_OK && resumed->is_found),
                    "only a scan that was broken off is done with a file");
        fuzz_fold_number(&at->sum, was);
    }
}

static fh_store_status scan_on(reading *at, const fh_scan_record *scan)
{
    fh_store_status status = fh_store_begin_scan(
        at->store, scan->tool_version, scan->ruleset_version, scan->options, &fuzz_rows_rules, 1);
    if (status == FH_STORE_OK) {
        status = fh_store_visit(at->store, "discs/game-0.bin", 1);
    }
    return status == FH_STORE_OK ? fh_store_end_scan(at->store, "complete") : status;
}

/* On a copy, for a scan writes. */
static void go_on(reading *at, size_t len)
{
    static const fh_scan_record scan = {"1.0", "1", "scan"};
    static const char *const wanted[] = {"discs", "-"};
    char err[FH_STORE_ERROR_LEN];
    sqlite3 *copy = open_memory(resumed_name);
    put_bytes(copy, bytes, len);
    fh_store_status status = fh_store_open(&at->store, resumed_name, NULL, err, sizeof err);
    check_status(at, status, err);
    if (status == FH_STORE_OK) {
        fh_resumed resumed;
        fh_store_want(at->store, wanted, 2);
        status = fh_store_resume(at->store, &resumed, &scan);
        check_status(at, status, fh_store_error(at->store));
        if (status == FH_STORE_OK) {
            check_resumed(at, &resumed);
            status = scan_on(at, &scan);
            check_status(at, status, fh_store_error(at->store));
        }
        fh_store_close(at->store);
    }
    (void)sqlite3_close(copy);
}

/* ---- questions ------------------------------------------------------------------------------- */

typedef struct answering {
    reading *at;
    fh_query_text text;
    size_t num_cells;
} answering;

static bool on_columns(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    answering *to = user;
    fuzz_demand(to->num_cells == 0 && num_cells > 0 && num_cells <= FH_STORE_MAX_CELLS,
                "columns are told once");
    to->num_cells = num_cells;
    fh_query_text_columns(&to->text, cells, num_cells);
    return true;
}

static bool on_answer(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    answering *to = user;
    fuzz_demand(num_cells == to->num_cells, "a row has all columns");
    for (size_t i = 0; i < num_cells; i++) {
        fuzz_demand(cells[i].name != NULL, "a column has a name");
        fuzz_fold_text(&to->at->sum, cells[i].text);
    }
    fh_query_text_row(&to->text, cells, num_cells);
    return ++to->at->num_rows < MOST_BYTES;
}

/* What each kind of question may be asked for; none is there in each database. */
static const char *const values[] = {[FH_ASKED_NOTHING] = NULL,
                                     [FH_ASKED_PATH] = "a.bin",
                                     [FH_ASKED_HASH] = "0",
                                     [FH_ASKED_CODE] = "TST0001"};

/* which: the question, and whether a value is given where none is needed. */
static void ask(reading *at, unsigned which)
{
    static const fh_query_format formats[] = {FH_QUERY_TEXT, FH_QUERY_JSON, FH_QUERY_CSV};
    size_t num = 0;
    const fh_question *question = fh_questions(&num);
    question += which % num;
    const bool has_value = question->needs_value || which / num % 2 == 0;
    const char *value = has_value ? values[question->asked_for] : NULL;
    answering to = {.at = at};
    const fh_answer answer = {&to, on_columns, on_answer};
    at->store = open_changed(at);
    if (at->store == NULL) {
        return;
    }
    fh_query_text_begin(&to.text, nowhere, formats[which % 3], question->name, value);
    const fh_store_status status =
        fh_store_ask_question(at->store, question, value, which % 2 == 0 ? -1 : 3, &answer);
    check_status(at, status, fh_store_error(at->store));
    fuzz_demand(fh_query_text_end(&to.text) == 0, "an answer is written");
    fh_store_close(at->store);
}

/* Every reader by itself is within the bounds. */
static fuzz_sum read_all(unsigned form, unsigned question, size_t len)
{
    reading at = {.sum = FUZZ_SUM};
    fuzz_begin();
    tell(&at, fh_report_forms()[form]);
    fuzz_end(&bounds, len);
    fuzz_begin();
    read_assets(&at);
    fuzz_end(&bounds, len);
    fuzz_begin();
    compare(&at, changed_name, sound_name, FH_MATCH_PATH);
    compare(&at, sound_name, changed_name, FH_MATCH_NAME);
    fuzz_end(&bounds, len);
    fuzz_begin();
    merge(&at);
    fuzz_end(&bounds, len);
    fuzz_begin();
    go_on(&at, len);
    fuzz_end(&bounds, len);
    fuzz_begin();
    ask(&at, question);
    fuzz_end(&bounds, len);
    return at.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned num_forms = 0;
    if (nowhere == NULL) {
        set_up();
    }
    while (fh_report_forms()[num_forms] != NULL) {
        num_forms++;
    }
    fuzz_demand(num_forms > 0, "there is a form of report");
    const unsigned form = size == 0 ? 0 : data[size - 1] % num_forms;
    const unsigned question = size < 2 ? 0 : data[size - 2];
    const size_t len = change(data, size);
    if (len == 0) {
        return 0;
    }
    sqlite3 *changed = open_memory(changed_name); /* keeps the file while nobody reads it */
    put_bytes(changed, bytes, len);
    const fuzz_sum first = read_all(form, question, len);
    fuzz_demand(read_all(form, question, len) == first, "reading twice says the same");
    (void)sqlite3_close(changed);
    return 0;
}
