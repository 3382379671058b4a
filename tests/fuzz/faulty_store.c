/* Of fuzz_store.c and fuzz_rows.c: the store as the target sees it, which does as the sound one,
 * and then lies. The linker puts the functions with __wrap_ before those of the store, of the
 * reports and of SQLite. Two of the seeds are of scans that were broken off: a fault in what is
 * gone on with is seen only if the store goes on with them. The third one lacks rows.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "reports/query_text.h"
#include "reports/report.h"
#include "reports/store/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define FILES "SQLite has files in memory"
#define PLACE "a place is unknown or not negative"
#define MEMORY "the system has memory"
#define TILE "pieces tile an asset"
#define OPEN "a database is open or it is not"
#define LINE "an error is one line"
#define SOURCE "a source has a path and a status"
#define ASSET "an asset has a format and a grade"
#define STORED "an asset has a path, a format and a grade"
#define FINDING "a finding has a message"
#define STORED_FINDING "a finding has a code and a message"
#define HASH "a hash is one or empty"
#define OTHER "what was asked for something else is not gone on with"
#define NUMBERS "there are none or some"
#define VISITED "only a scan that was broken off is done with a file"
#define COLUMNS "columns are told once"

static const faulty_case cases[] = {
    {"none", NULL},
    /* SQLite and the system */
    {"no files in memory", FILES},
    {"no file system in memory", FILES},
    {"no file is handed out", "SQLite hands out its file"},
    {"file cannot be emptied", "a file in memory can be written"},
    {"file cannot be written", "a file in memory can be written"},
    {"file without a length", "a file in memory can be read"},
    {"file cannot be read", "a file in memory can be read"},
    {"no place for reports", "there is a place for reports"},
    {"no form", "there is a form of report"},
    {"scan cannot be begun", "a sound database is written"},
    /* statuses */
    {"no such status", "a status is known"},
    {"no memory to open", MEMORY},
    {"no memory for a report", MEMORY},
    {"stopped", "nobody stops it"},
    {"error without a text", LINE},
    {"error of two lines", LINE},
    {"merge fails without a text", LINE},
    {"asset fails without a text", LINE},
    {"open and damaged", OPEN},
    {"neither open nor damaged", OPEN},
    {"report not written", "a report is written"},
    {"answer not written", "an answer is written"},
    /* what is told */
    {"run of sectors without a claim", "a run of sectors has a claim"},
    {"run of sectors before its source", PLACE},
    {"run of sectors shorter than nothing", PLACE},
    {"source without a path", SOURCE},
    {"source without a status", SOURCE},
    {"source shorter than nothing", PLACE},
    {"asset without a format", ASSET},
    {"asset without a grade", ASSET},
    {"asset before its source", PLACE},
    {"asset shorter than nothing", PLACE},
    {"pieces with a gap", TILE},
    {"piece of nothing", TILE},
    {"piece before the source", TILE},
    {"pieces too short", "pieces make a whole asset"},
    {"finding without a message", FINDING},
    {"finding without a rule", FINDING},
    {"no such severity", "a severity is known"},
    {"finding before its source", PLACE},
    {"rule without a title", "a rule has a title"},
    {"rule without an explanation", "a rule has a title"},
    /* assets one by one */
    {"too many assets", "assets are no more than bytes"},
    {"another asset", "an asset is the one that was asked for"},
    {"stored asset without a path", STORED},
    {"stored asset without a format", STORED},
    {"stored asset without a grade", STORED},
    {"stored asset before its source", PLACE},
    {"stored asset before its user data", PLACE},
    {"stored asset shorter than nothing", PLACE},
    {"stored pieces with a gap", TILE},
    {"short hash", HASH},
    {"hash of other letters", HASH},
    {"stored finding without a code", STORED_FINDING},
    {"stored finding without a severity", STORED_FINDING},
    {"stored finding without a message", STORED_FINDING},
    {"no such change", "a change is known"},
    /* going on */
    {"fewer than no scans", NUMBERS},
    {"fewer than no visits", NUMBERS},
    {"no such worst severity", "a severity is known"},
    {"gone on with for other sources", OTHER},
    {"other sources nowhere", OTHER},
    {"done with and not found", VISITED},
    {"done with by a failure", VISITED},
    /* questions */
    {"columns told twice", COLUMNS},
    {"no columns", COLUMNS},
    {"too many columns", COLUMNS},
    {"row is too short", "a row has all columns"},
    {"column without a name", "a column has a name"},
    /* all of it */
    {"second reading differs", "reading twice says the same"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* What the sound ones gave, and how often was asked. */
static struct {
    const fh_store_sink *sink;
    const fh_answer *answer;
    bool (*on_stored)(void *user, const fh_stored_finding *finding);
    bool (*on_difference)(void *user, const fh_difference *difference);
    bool is_resumed; /* there was a scan to go on with */
    bool is_set_up;  /* the sound database is made */
    unsigned num_told;
    sqlite3_io_methods methods;
    sqlite3_file file;
} of;

/* ---- SQLite and the system ---- */

/* Names that the linker gives. */
int __real_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs);
int __wrap_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs);
sqlite3_vfs *__real_sqlite3_vfs_find(const char *name);
sqlite3_vfs *__wrap_sqlite3_vfs_find(const char *name);
int __real_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *arg);
int __wrap_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *arg);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);

int __wrap_sqlite3_open_v2(const char *name, sqlite3 **db, int flags, const char *vfs)
{
    return faulty_is("no files in memory") ? SQLITE_CANTOPEN
                                           : __real_sqlite3_open_v2(name, db, flags, vfs);
}

sqlite3_vfs *__wrap_sqlite3_vfs_find(const char *name)
{
    return faulty_is("no file system in memory") ? NULL : __real_sqlite3_vfs_find(name);
}

static int truncate_nothing(sqlite3_file *file, sqlite3_int64 len)
{
    (void)file, (void)len;
    return faulty_is("file cannot be emptied") ? SQLITE_IOERR : SQLITE_OK;
}

static int write_nothing(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 off)
{
    (void)file, (void)bytes, (void)len, (void)off;
    return faulty_is("file cannot be written") ? SQLITE_IOERR : SQLITE_OK;
}

static int tell_length(sqlite3_file *file, sqlite3_int64 *len)
{
    (void)file;
    *len = 1;
    return faulty_is("file without a length") ? SQLITE_IOERR : SQLITE_OK;
}

static int read_nothing(sqlite3_file *file, void *bytes, int len, sqlite3_int64 off)
{
    (void)file, (void)bytes, (void)len, (void)off;
    return faulty_is("file cannot be read") ? SQLITE_IOERR : SQLITE_OK;
}

/* A file that can do nothing, for the target alone: the store asks for its own before it. */
static int hand_out(void *arg)
{
    sqlite3_file **out = arg;
    of.methods.xTruncate = truncate_nothing;
    of.methods.xWrite = write_nothing;
    of.methods.xFileSize = tell_length;
    of.methods.xRead = read_nothing;
    of.file.pMethods = &of.methods;
    *out = &of.file;
    return SQLITE_OK;
}

int __wrap_sqlite3_file_control(sqlite3 *db, const char *name, int what, void *arg)
{
    const bool is_ours = what == SQLITE_FCNTL_FILE_POINTER && of.is_set_up;
    if (is_ours && faulty_is("no file is handed out")) {
        return SQLITE_ERROR;
    }
    return is_ours && (faulty_is("file cannot be emptied") || faulty_is("file cannot be written") ||
                       faulty_is("file without a length") || faulty_is("file cannot be read"))
               ? hand_out(arg)
               : __real_sqlite3_file_control(db, name, what, arg);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return faulty_is("no place for reports") && strcmp(path, "/dev/null") == 0
               ? NULL
               : __real_fopen(path, mode);
}

/* So it is called where offsets of files have 64 bits. */
FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

/* ---- opening ---- */

fh_store_status __real_fh_store_begin_scan(fh_store *store, const char *tool_version,
                                           const char *ruleset_version, const char *options,
                                           const fh_rule_table *tables, size_t num_tables);
fh_store_status __wrap_fh_store_begin_scan(fh_store *store, const char *tool_version,
                                           const char *ruleset_version, const char *options,
                                           const fh_rule_table *tables, size_t num_tables);
fh_store_status __real_fh_store_open_ro(fh_store **store, const char *path,
                                        const fh_store_options *options, char *err,
                                        size_t err_size);
fh_store_status __wrap_fh_store_open_ro(fh_store **store, const char *path,
                                        const fh_store_options *options, char *err,
                                        size_t err_size);
void __real_fh_store_close(fh_store *store);
void __wrap_fh_store_close(fh_store *store);

fh_store_status __wrap_fh_store_begin_scan(fh_store *store, const char *tool_version,
                                           const char *ruleset_version, const char *options,
                                           const fh_rule_table *tables, size_t num_tables)
{
    const fh_store_status status = __real_fh_store_begin_scan(store, tool_version, ruleset_version,
                                                              options, tables, num_tables);
    return faulty_is("scan cannot be begun") ? FH_STORE_FULL : status;
}

/* The first one that is closed is the sound one. */
void __wrap_fh_store_close(fh_store *store)
{
    __real_fh_store_close(store);
    of.is_set_up = true;
}

static fh_store_status fail(fh_store **store, fh_store_status status, char *err, const char *text)
{
    __real_fh_store_close(*store);
    *store = NULL;
    strcpy(err, text);
    return status;
}

fh_store_status __wrap_fh_store_open_ro(fh_store **store, const char *path,
                                        const fh_store_options *options, char *err, size_t err_size)
{
    const fh_store_status status = __real_fh_store_open_ro(store, path, options, err, err_size);
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    if (faulty_is("no such status")) {
        return fail(store, FH_STORE_NOT_FOUND + 1, err, "fault");
    } else if (faulty_is("no memory to open")) {
        return fail(store, FH_STORE_NO_MEMORY, err, "fault");
    } else if (faulty_is("stopped")) {
        return fail(store, FH_STORE_STOPPED, err, "fault");
    } else if (faulty_is("error without a text")) {
        return fail(store, FH_STORE_CORRUPT, err, "");
    } else if (faulty_is("error of two lines")) {
        return fail(store, FH_STORE_CORRUPT, err, "two\nlines");
    } else if (faulty_is("open and damaged")) {
        (void)snprintf(err, err_size, "fault");
        return FH_STORE_CORRUPT;
    } else if (faulty_is("neither open nor damaged")) {
        return fail(store, FH_STORE_OK, err, "");
    }
    return status;
}

/* ---- reports ---- */

const fh_report_form *const *__real_fh_report_forms(void);
const fh_report_form *const *__wrap_fh_report_forms(void);
bool __real_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour);
bool __wrap_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour);
int __real_fh_report_end(fh_report *report);
int __wrap_fh_report_end(fh_report *report);
int __real_fh_query_text_end(fh_query_text *text);
int __wrap_fh_query_text_end(fh_query_text *text);

const fh_report_form *const *__wrap_fh_report_forms(void)
{
    static const fh_report_form *const none[] = {NULL};
    return faulty_is("no form") ? none : __real_fh_report_forms();
}

bool __wrap_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour)
{
    return __real_fh_report_begin(report, form, run, file, colour) &&
           !faulty_is("no memory for a report");
}

int __wrap_fh_report_end(fh_report *report)
{
    const int error = __real_fh_report_end(report);
    return faulty_is("report not written") ? ENOSPC : error;
}

int __wrap_fh_query_text_end(fh_query_text *text)
{
    const int error = __real_fh_query_text_end(text);
    return faulty_is("answer not written") ? ENOSPC : error;
}

/* ---- what is told ---- */

fh_store_status __real_fh_store_tell(fh_store *store, const fh_store_sink *sink);
fh_store_status __wrap_fh_store_tell(fh_store *store, const fh_store_sink *sink);
fh_store_status __real_fh_store_find_rule(fh_store *store, fh_stored_rule *rule, const char *code);
fh_store_status __wrap_fh_store_find_rule(fh_store *store, fh_stored_rule *rule, const char *code);

static bool on_source(void *user, const fh_source_record *told)
{
    fh_source_record source = *told;
    source.path = faulty_is("source without a path") ? NULL : source.path;
    source.status = faulty_is("source without a status") ? NULL : source.status;
    source.size = faulty_is("source shorter than nothing") ? -2 : source.size;
    source.size += faulty_is("second reading differs") && of.num_told == 2;
    return of.sink->source(user, &source);
}

static bool on_coverage(void *user, const fh_coverage_record *told)
{
    fh_coverage_record run = *told;
    run.claim = faulty_is("run of sectors without a claim") ? NULL : run.claim;
    run.raw_offset = faulty_is("run of sectors before its source") ? -2 : run.raw_offset;
    run.length = faulty_is("run of sectors shorter than nothing") ? -2 : run.length;
    return of.sink->coverage(user, &run);
}

/* Of an asset in two halves, which is told where no fault says otherwise. */
static void spoil_pieces(fh_piece_record pieces[2], int64_t length)
{
    pieces[0] = (fh_piece_record){0, 0, length / 2};
    pieces[1] = (fh_piece_record){length / 2, 9999, length - length / 2};
    pieces[1].asset_offset += faulty_is("pieces with a gap");
    pieces[1].asset_offset += faulty_is("stored pieces with a gap");
    pieces[1].length = faulty_is("piece of nothing") ? 0 : pieces[1].length;
    pieces[1].raw_offset = faulty_is("piece before the source") ? -1 : pieces[1].raw_offset;
    pieces[1].length -= faulty_is("pieces too short");
}

static bool on_asset(void *user, const fh_asset_record *told)
{
    fh_piece_record pieces[2];
    fh_asset_record asset = *told;
    asset.format = faulty_is("asset without a format") ? NULL : asset.format;
    asset.grade = faulty_is("asset without a grade") ? NULL : asset.grade;
    asset.raw_offset = faulty_is("asset before its source") ? -2 : asset.raw_offset;
    asset.length = faulty_is("asset shorter than nothing") ? -2 : asset.length;
    if (!faulty_is("stored pieces with a gap") && asset.length > 1) {
        spoil_pieces(pieces, asset.length);
        asset.pieces = pieces;
        asset.num_pieces = 2;
    }
    return of.sink->asset(user, &asset);
}

static bool on_finding(void *user, const fh_finding_record *told)
{
    fh_finding_record finding = *told;
    finding.message = faulty_is("finding without a message") ? NULL : finding.message;
    finding.rule = faulty_is("finding without a rule") ? NULL : finding.rule;
    finding.severity = faulty_is("no such severity") ? FH_ERROR + 1 : finding.severity;
    finding.raw_offset = faulty_is("finding before its source") ? -2 : finding.raw_offset;
    return of.sink->finding(user, &finding);
}

fh_store_status __wrap_fh_store_tell(fh_store *store, const fh_store_sink *sink)
{
    const fh_store_sink own = {sink->user, on_source,  on_asset,   on_finding,
                               sink->rule, sink->scan, on_coverage};
    of.sink = sink;
    of.num_told++;
    return __real_fh_store_tell(store, &own);
}

fh_store_status __wrap_fh_store_find_rule(fh_store *store, fh_stored_rule *rule, const char *code)
{
    const fh_store_status status = __real_fh_store_find_rule(store, rule, code);
    char **lost = faulty_is("rule without a title")          ? &rule->title
                  : faulty_is("rule without an explanation") ? &rule->explanation
                                                             : NULL;
    if (lost != NULL) {
        free(*lost);
        *lost = NULL;
    }
    return status;
}

/* ---- assets one by one ---- */

fh_store_status __real_fh_store_list_assets(fh_store *store, int64_t **ids, size_t *num_ids,
                                            const fh_asset_filter *filter);
fh_store_status __wrap_fh_store_list_assets(fh_store *store, int64_t **ids, size_t *num_ids,
                                            const fh_asset_filter *filter);
fh_store_status __real_fh_store_find_asset(fh_store *store, fh_stored_asset *asset, int64_t id);
fh_store_status __wrap_fh_store_find_asset(fh_store *store, fh_stored_asset *asset, int64_t id);
fh_store_status __real_fh_store_each_finding(fh_store *store, int64_t asset_id, void *user,
                                             bool (*take)(void *user,
                                                          const fh_stored_finding *finding));
fh_store_status __wrap_fh_store_each_finding(fh_store *store, int64_t asset_id, void *user,
                                             bool (*take)(void *user,
                                                          const fh_stored_finding *finding));

fh_store_status __wrap_fh_store_list_assets(fh_store *store, int64_t **ids, size_t *num_ids,
                                            const fh_asset_filter *filter)
{
    enum { TOO_MANY = (1 << 20) + 1 };
    const fh_store_status status = __real_fh_store_list_assets(store, ids, num_ids, filter);
    *num_ids = faulty_is("too many assets") ? TOO_MANY : *num_ids;
    return status;
}

static void lose(char **text, const char *fault)
{
    if (faulty_is(fault)) {
        free(*text);
        *text = NULL;
    }
}

static void spoil_stored_pieces(fh_stored_asset *asset)
{
    free(asset->pieces);
    asset->pieces = fuzz_have(malloc(2 * sizeof asset->pieces[0]));
    asset->num_pieces = 2;
    spoil_pieces(asset->pieces, asset->length);
}

fh_store_status __wrap_fh_store_find_asset(fh_store *store, fh_stored_asset *asset, int64_t id)
{
    const fh_store_status status = __real_fh_store_find_asset(store, asset, id);
    asset->id += faulty_is("another asset");
    lose(&asset->path, "stored asset without a path");
    lose(&asset->format, "stored asset without a format");
    lose(&asset->grade, "stored asset without a grade");
    asset->raw_offset = faulty_is("stored asset before its source") ? -2 : asset->raw_offset;
    asset->user_offset = faulty_is("stored asset before its user data") ? -2 : asset->user_offset;
    asset->length = faulty_is("stored asset shorter than nothing") ? -2 : asset->length;
    if (faulty_is("stored pieces with a gap")) {
        spoil_stored_pieces(asset);
    }
    asset->sha256[FH_SHA256_LEN] = faulty_is("short hash") ? '\0' : asset->sha256[FH_SHA256_LEN];
    asset->source_sha256[0] = faulty_is("hash of other letters") ? 'A' : asset->source_sha256[0];
    return faulty_is("asset fails without a text") ? FH_STORE_CORRUPT : status;
}

static bool on_stored(void *user, const fh_stored_finding *told)
{
    fh_stored_finding finding = *told;
    finding.code = faulty_is("stored finding without a code") ? NULL : finding.code;
    finding.severity = faulty_is("stored finding without a severity") ? NULL : finding.severity;
    finding.message = faulty_is("stored finding without a message") ? NULL : finding.message;
    return of.on_stored(user, &finding);
}

fh_store_status __wrap_fh_store_each_finding(fh_store *store, int64_t asset_id, void *user,
                                             bool (*take)(void *user,
                                                          const fh_stored_finding *finding))
{
    of.on_stored = take;
    return __real_fh_store_each_finding(store, asset_id, user, on_stored);
}

/* ---- two databases ---- */

fh_store_status __real_fh_store_diff(const char *a_path, const char *b_path, fh_match match,
                                     const fh_store_options *options, void *user,
                                     bool (*take)(void *user, const fh_difference *difference),
                                     char *err, size_t err_size);
fh_store_status __wrap_fh_store_diff(const char *a_path, const char *b_path, fh_match match,
                                     const fh_store_options *options, void *user,
                                     bool (*take)(void *user, const fh_difference *difference),
                                     char *err, size_t err_size);
fh_store_status __real_fh_store_merge(const char *path, const char *const *shards,
                                      size_t num_shards, const fh_store_options *options, char *err,
                                      size_t err_size);
fh_store_status __wrap_fh_store_merge(const char *path, const char *const *shards,
                                      size_t num_shards, const fh_store_options *options, char *err,
                                      size_t err_size);

static bool on_difference(void *user, const fh_difference *told)
{
    fh_difference difference = *told;
    difference.change = faulty_is("no such change") ? FH_CHANGE_NUM : difference.change;
    return of.on_difference(user, &difference);
}

fh_store_status __wrap_fh_store_diff(const char *a_path, const char *b_path, fh_match match,
                                     const fh_store_options *options, void *user,
                                     bool (*take)(void *user, const fh_difference *difference),
                                     char *err, size_t err_size)
{
    of.on_difference = take;
    return __real_fh_store_diff(a_path, b_path, match, options, user, on_difference, err, err_size);
}

fh_store_status __wrap_fh_store_merge(const char *path, const char *const *shards,
                                      size_t num_shards, const fh_store_options *options, char *err,
                                      size_t err_size)
{
    const fh_store_status status =
        __real_fh_store_merge(path, shards, num_shards, options, err, err_size);
    if (faulty_is("merge fails without a text")) {
        err[0] = '\0';
        return FH_STORE_CORRUPT;
    }
    return status;
}

/* ---- going on ---- */

fh_store_status __real_fh_store_resume(fh_store *store, fh_resumed *resumed,
                                       const fh_scan_record *scan);
fh_store_status __wrap_fh_store_resume(fh_store *store, fh_resumed *resumed,
                                       const fh_scan_record *scan);
const char *__real_fh_store_error(const fh_store *store);
const char *__wrap_fh_store_error(const fh_store *store);
fh_store_status __real_fh_store_was_visited(fh_store *store, bool *was, const char *path,
                                            int64_t stamp);
fh_store_status __wrap_fh_store_was_visited(fh_store *store, bool *was, const char *path,
                                            int64_t stamp);

/* The store itself must have said so: of a database that it refuses, or goes on with as if nothing
 * had been asked for, there is nothing to lie about. */
fh_store_status __wrap_fh_store_resume(fh_store *store, fh_resumed *resumed,
                                       const fh_scan_record *scan)
{
    const fh_store_status status = __real_fh_store_resume(store, resumed, scan);
    of.is_resumed = resumed->is_found && resumed->num_visits > 0;
    resumed->num_others -= faulty_is("fewer than no scans") && of.is_resumed;
    resumed->num_visits =
        faulty_is("fewer than no visits") && of.is_resumed ? -1 : resumed->num_visits;
    resumed->worst = faulty_is("no such worst severity") ? FH_ERROR + 1 : resumed->worst;
    resumed->is_found = faulty_is("done with and not found") ? false : resumed->is_found;
    if (resumed->has_other_sources) {
        resumed->is_found = faulty_is("gone on with for other sources");
        resumed->other_n = faulty_is("other sources nowhere") ? 0 : resumed->other_n;
    }
    return status;
}

const char *__wrap_fh_store_error(const fh_store *store)
{
    return faulty_is("done with by a failure") ? "fault" : __real_fh_store_error(store);
}

fh_store_status __wrap_fh_store_was_visited(fh_store *store, bool *was, const char *path,
                                            int64_t stamp)
{
    const fh_store_status status = __real_fh_store_was_visited(store, was, path, stamp);
    return faulty_is("done with by a failure") && *was ? FH_STORE_NOT_FOUND : status;
}

/* ---- questions ---- */

fh_store_status __real_fh_store_ask_question(fh_store *store, const fh_question *question,
                                             const char *value, int64_t limit,
                                             const fh_answer *answer);
fh_store_status __wrap_fh_store_ask_question(fh_store *store, const fh_question *question,
                                             const char *value, int64_t limit,
                                             const fh_answer *answer);

static bool on_columns(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    num_cells = faulty_is("no columns")         ? 0
                : faulty_is("too many columns") ? FH_STORE_MAX_CELLS + 1
                                                : num_cells;
    if (faulty_is("columns told twice")) {
        (void)of.answer->begin(user, cells, num_cells);
    }
    return of.answer->begin(user, cells, num_cells);
}

static bool on_row(void *user, const fh_answer_cell *told, size_t num_cells)
{
    fh_answer_cell cells[FH_STORE_MAX_CELLS];
    memcpy(cells, told, num_cells * sizeof cells[0]);
    cells[0].name = faulty_is("column without a name") ? NULL : cells[0].name;
    return of.answer->row(user, cells, num_cells - faulty_is("row is too short"));
}

fh_store_status __wrap_fh_store_ask_question(fh_store *store, const fh_question *question,
                                             const char *value, int64_t limit,
                                             const fh_answer *answer)
{
    const fh_answer own = {answer->user, on_columns, on_row};
    of.answer = answer;
    return __real_fh_store_ask_question(store, question, value, limit, &own);
}

/* ---- all of it ---- */

/* The last two bytes choose what is asked: all assets, of which there are some. Behind the seed's
 * own they change nothing else. */
static void run(char **files)
{
    static const uint8_t choice[] = {25, 0};
    for (size_t i = 0; files[i] != NULL; i++) {
        size_t len = 0;
        uint8_t *input = faulty_read(files[i], &len);
        memcpy(input + len, choice, sizeof choice);
        len += sizeof choice;
        (void)LLVMFuzzerTestOneInput(input, len);
        free(input);
    }
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
