/* The inside of the store, shared by its files only. */
#ifndef FH_REPORTS_STORE_IMPL_H
#define FH_REPORTS_STORE_IMPL_H

#include "reports/parcel.h"
#include "reports/store/store.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <time.h>

/* Every statement of the store; its text stands in schema.c. */
typedef enum fh_sql {
    FH_SQL_BEGIN,
    FH_SQL_BEGIN_READ,
    FH_SQL_COMMIT,
    FH_SQL_ROLLBACK,
    FH_SQL_COMPUTED_COLUMNS,
    FH_SQL_COMPUTED_INDEXES,
    FH_SQL_TABLE_IS,
    FH_SQL_MODEL_TABLES,
    FH_SQL_VIEW_PUT,
    FH_SQL_SCAN_PUT,
    FH_SQL_SCAN_FINISH,
    FH_SQL_UNFINISHED_FIND,
    FH_SQL_UNFINISHED_OTHER_PART,
    FH_SQL_UNFINISHED_ANY,
    FH_SQL_SCAN_REOPEN,
    FH_SQL_SCANS_FOLD_SOURCES,
    FH_SQL_SCANS_FOLD_VISITS,
    FH_SQL_SCANS_FOLD_WANTED,
    FH_SQL_SCANS_FOLD,
    FH_SQL_RESUMED_WORST,
    FH_SQL_RESUMED_PROGRESS,
    FH_SQL_VISIT_PUT,
    FH_SQL_VISIT_FIND,
    FH_SQL_VISITS_DELETE,
    FH_SQL_WANTED_PUT,
    FH_SQL_WANTED_LIST,
    FH_SQL_WANTED_DELETE,
    FH_SQL_ASKED_PUT,
    FH_SQL_ASKED_GET,
    FH_SQL_PLACE_PUT,
    FH_SQL_RULE_SAME,
    FH_SQL_RULE_PUT,
    FH_SQL_ASSET_PUT,
    FH_SQL_PIECE_PUT,
    FH_SQL_REPLAY_PUT,
    FH_SQL_FINDING_PUT,
    FH_SQL_FINDINGS_PUT,
    FH_SQL_COVERAGE_PUT,
    FH_SQL_TALLY_ADD,
    FH_SQL_TALLY_FILL,
    FH_SQL_OVERALL_IS_KEPT,
    FH_SQL_OVERALL_IS_WORTH_IT,
    FH_SQL_BYTES_JOIN,
    FH_SQL_BYTES_ADD,
    FH_SQL_BYTES_LEAVE,
    FH_SQL_BYTES_TIDY,
    FH_SQL_MOTIONS_JOIN,
    FH_SQL_MOTIONS_ADD,
    FH_SQL_MOTIONS_LEAVE,
    FH_SQL_MOTIONS_TIDY,
    FH_SQL_RULES_JOIN,
    FH_SQL_RULES_LEAVE,
    FH_SQL_RULES_TIDY,
    FH_SQL_ASSET_WORDS,
    FH_SQL_RULE_FORMAT,
    FH_SQL_ASSET_ID_HIGHEST,
    FH_SQL_FINDING_ID_HIGHEST,
    FH_SQL_SOURCE_FIND,
    FH_SQL_SOURCE_PUT,
    FH_SQL_SOURCE_MARK,
    FH_SQL_OLD_MEMBERS_COUNT,
    FH_SQL_OLD_MEMBERS_LIST,
    FH_SQL_SOURCE_DELETE,
    FH_SQL_ASSET_IDS_KEEP,
    FH_SQL_FINDING_IDS_KEEP,
    FH_SQL_KEPT_ASSETS_CLEAR,
    FH_SQL_KEPT_FINDINGS_CLEAR,
    FH_SQL_KEPT_ASSETS_COUNT,
    FH_SQL_KEPT_FINDINGS_COUNT,
    FH_SQL_KEPT_ASSET_FIND,
    FH_SQL_KEPT_FINDING_FIND,
    FH_SQL_FINDINGS_DELETE,
    FH_SQL_ASSETS_DELETE,
    FH_SQL_COVERAGE_DELETE,
    FH_SQL_TALLY_DELETE,
    FH_SQL_ASSET_FIND,
    FH_SQL_PIECES_FIND,
    FH_SQL_ASSETS_LIST,
    FH_SQL_FINDINGS_LIST,
    FH_SQL_TELL_SCANS,
    FH_SQL_TELL_SOURCES,
    FH_SQL_TELL_COVERAGE,
    FH_SQL_TELL_ASSETS,
    FH_SQL_TELL_FINDINGS,
    FH_SQL_TELL_RULE,
    FH_SQL_DIFF_ATTACH,
    FH_SQL_DIFF_SOURCES,
    FH_SQL_DIFF_ASSETS,
    FH_SQL_DIFF_PAIR,
    FH_SQL_DIFF_TELL,
    FH_SQL_DIFF_TELL_SOURCES,
    FH_SQL_DIFF_TELL_ASSETS,
    FH_SQL_DIFF_TELL_CODES,
    FH_SQL_DIFF_TELL_SOURCE_CODES,
    FH_SQL_DIFF_LIST,
    FH_SQL_MERGE_SCANS,
    FH_SQL_MERGE_SCAN_PUT,
    FH_SQL_MERGE_SOURCES,
    FH_SQL_MERGE_SOURCES_PLACED,
    FH_SQL_MERGE_SOURCE_KEEP,
    FH_SQL_MERGE_TWICE,
    FH_SQL_MERGE_ORDER,
    FH_SQL_MERGE_SOURCES_PUT,
    FH_SQL_MERGE_PLACE_FIND,
    FH_SQL_MERGE_ASSET_KEEP,
    FH_SQL_MERGE_ASSET_FIND,
    FH_SQL_MERGE_ASSETS_CLEAR,
    FH_SQL_MERGE_ASSETS,
    FH_SQL_MERGE_FINDINGS,
    FH_SQL_MERGE_PIECES,
    FH_SQL_MERGE_REPLAYS,
    FH_SQL_MERGE_COVERAGE,
    FH_SQL_MERGE_RULES,
#define QUESTION(id, name, purpose, view, key, kind, needs) FH_SQL_ASK_##id, FH_SQL_ASK_##id##_OF,
#include "reports/store/questions.def"
#undef QUESTION
    FH_SQL_COUNT
} fh_sql;

extern const char *const fh_sql_texts[FH_SQL_COUNT];

/* Scripts of several statements. */
extern const char fh_sql_configure[];       /* a connection, before anything else */
extern const char fh_sql_schema[];          /* tables and views of a new database */
extern const char fh_sql_upgrade_1[];       /* makes a database of schema 1 one of schema 2 */
extern const char fh_sql_upgrade_2[];       /* and that one of schema 3, */
extern const char fh_sql_upgrade_3[];       /* and that one of schema 4, */
extern const char fh_sql_upgrade_4[];       /* and that one of schema 5, but for its views */
extern const char fh_sql_indexes[];         /* idempotent */
extern const char fh_sql_overall_fill[];    /* what is kept of all sources, from their rows */
extern const char fh_sql_overall_indexes[]; /* of that; idempotent */
extern const char fh_sql_temp[];            /* where ids wait; idempotent */
extern const char fh_sql_rash[];            /* of a database that is new */
extern const char fh_sql_careful[];         /* and of one that is no more */
extern const char fh_sql_checking[];

extern const char fh_sql_visits[]; /* what an unfinished scan has got done; idempotent */
extern const char fh_sql_wanted[]; /* and what it was asked to search */
extern const char fh_sql_places[]; /* the order of the sources of a shard; idempotent */
extern const char fh_sql_asked[];  /* what all shards were asked for, not yet noted; idempotent */
extern const char fh_sql_places_clear[];
extern const char fh_sql_visits_tidy[]; /* takes the table away when it is empty */
extern const char fh_sql_wanted_tidy[];
extern const char fh_sql_merge[]; /* where databases are put together */
extern const char fh_sql_diff[];  /* where two databases are compared */

/* The views of a database, and the same as views of a connection that only reads, which nothing in
 * the schema of a database can change. */
extern const char fh_sql_views[];
typedef struct fh_view {
    const char *name;
    const char *query;
} fh_view;
extern const fh_view fh_views[]; /* the same ones; the last has no name */
extern const char fh_sql_own_views[];
extern const char fh_sql_own_tally[];   /* before them, where a database has no table of that, */
extern const char fh_sql_own_overall[]; /* or none of these */
extern const char fh_sql_views_drop[];  /* takes views of these names out of a database */

/* Bytes of records that are gathered before they are written; more of one source go to a temporary
 * file in pieces of that size. A source of a disc has 100 KiB. */
#define FH_STORE_MAX_GATHERED ((int64_t)1 << 20)

/* Steps of SQLite's machine that reading may take, for each byte of the database and at least. In
 * one of 1.3 MB with 3,400 rows a report takes 0.1 a byte, a merge less, a comparison 1.1. */
#define FH_STORE_STEPS_PER_BYTE ((int64_t)16)
#define FH_STORE_STEPS_FLOOR ((int64_t)2000000)

/* And an answer to a question. The dearest took 0.9 a byte: what a source lacks, in a database of
 * 13 MB in which 50,000 assets of 40 sources are alike. */
#define FH_STORE_STEPS_OF_QUESTION ((int64_t)4)

/* Bytes of a value that a view puts together: 100,000 places of one asset have 5 MB. */
#define FH_STORE_MAX_PLACES (1 << 24)

/* And for one row that is looked for: where an interrupted scan left no index all rows of a table
 * are looked at, each of which has more bytes than it takes steps. */
#define FH_STORE_STEPS_OF_ASK(len) ((len) / 4 + 1000)

/* Bytes of one value that is read. Messages and paths are far below. */
#define FH_STORE_MAX_VALUE (1 << 20)

/* Bytes that a row takes at least: that of an asset has 16 columns, of which each has one byte that
 * says what it holds. */
#define FH_STORE_MIN_ROW ((int64_t)16)

/* What is said where one of these is met. */
#define FH_STORE_ENDLESS "it has more rows than its size can hold"

/* Things to write in one transaction, sources and what goes with them. */
#define FH_STORE_MAX_WAITING ((size_t)512)

/* Bytes of records that wait for that together, at most; behind FH_STORE_MAX_GATHERED they do so in
 * a temporary file. A transaction waits for the disk four times, 16 ms in all on the disk that it
 * was measured on, in which some 2 MiB of records can be written. */
#define FH_STORE_MAX_GROUP ((int64_t)64 << 20)

/* Sums of one source that are in memory at a time: the four formats have at most four grades each,
 * and findings of the source itself are of those, of images and of the run. */
#define FH_STORE_MAX_TALLY ((size_t)32)

/* Assets or findings of a database from which on what is true of all is kept. Views go through so
 * many in some milliseconds; and a small scan, which takes no longer, would take a sixth more. */
#define FH_STORE_MIN_OVERALL 10000

/* Tables of rules of one scan; the formats are four. */
#define FH_STORE_MAX_RULE_TABLES ((size_t)16)

typedef enum fh_waiting_kind {
    FH_WAITING_SOURCE = 0,
    FH_WAITING_UNREADABLE, /* a source that keeps what was recorded of it earlier */
    FH_WAITING_MEMBERS,    /* a container whose earlier members go */
    FH_WAITING_VISIT       /* a file that is done */
} fh_waiting_kind;

/* Something that is gathered, or waits to be written. */
typedef struct fh_waiting {
    fh_waiting_kind kind;
    int64_t begin; /* places in the parcel: of the first item, */
    int64_t end;   /* and of the last one of a source, which has its record */
    int64_t num_assets;
    int64_t place; /* of its file in the walk, FH_UNKNOWN: not asked for */
    int64_t stamp; /* of a visit */
    int64_t base;  /* see fh_store_base; modulus 0: there is none */
    int64_t shift;
    int64_t modulus;
    int64_t len;
} fh_waiting;

/* How a scan begins, until it is written. Texts are owned. */
typedef struct fh_beginning {
    bool waits;
    char *tool_version;
    char *ruleset_version;
    char *options;
    int64_t began_at; /* seconds since 1970 */
    fh_rule_table tables[FH_STORE_MAX_RULE_TABLES];
    size_t num_tables;
    bool keeps_places;
} fh_beginning;

struct fh_store {
    sqlite3 *db;
    char *path;      /* as the user named it */
    char *open_path; /* the same file, in a form that SQLite takes for nothing but a file */
    sqlite3_stmt *stmts[FH_SQL_COUNT]; /* prepared when first used */
    int busy_ms;
    int waited_ms;            /* for another writer, this time */
    bool (*stop)(void *user); /* never NULL */
    void *stop_user;
    bool read_only;
    int64_t steps_left; /* of SQLite's machine, for what is being read */
    bool is_spent;
    bool is_asked;    /* a question, which may take more than it is allowed to */
    int64_t len;      /* bytes of the database, and of one that is attached */
    uint32_t version; /* of the schema of the database */
    bool in_temp;     /* at work in the temporary tables, not in the file at path */
    bool indexed;     /* this connection has seen to the indexes */
    bool is_scanning;
    int64_t scan_id; /* of the scan, once it is in the database; else 0 */
    fh_beginning beginning;
    bool defers;
    bool is_made; /* there was no file before */
    bool is_new;  /* the file has no tables yet */
    bool is_bulk; /* nobody but this connection has rows there: constraints need no checks */
    bool is_rash; /* what is written is not waited for, until the first transaction has ended */
    int64_t resumed_id;        /* the scan that it goes on with, else 0 */
    bool has_visits;           /* seen to in this transaction */
    const char *const *wanted; /* borrowed: what the scan is asked to search */
    size_t num_wanted;
    bool has_wanted;    /* is in the database */
    char *other_source; /* see fh_resumed */
    int64_t place;      /* of the sources that come, or FH_UNKNOWN */
    fh_parcel gathered;
    bool is_open; /* a source */
    fh_waiting open;
    fh_waiting waiting[FH_STORE_MAX_WAITING];
    size_t num_waiting;
    int num_sources;       /* of those that wait */
    uint64_t num_written;  /* sources, in the transaction that is open */
    uint64_t num_recorded; /* in those before */
    int max_group;
    int group_ms;
    struct timespec waits_since;
    fh_store_status status;
    char error[FH_STORE_ERROR_LEN];
};

/* error.c */

/* fh_store_fail makes status the sticky error, unless there is one; detail may be NULL. */
fh_store_status fh_store_fail(fh_store *store, fh_store_status status, const char *detail);

/* fh_store_fail_sqlite does so with what SQLite says of its last call, which returned rc, then
 * takes back an open transaction. */
fh_store_status fh_store_fail_sqlite(fh_store *store, int rc);

/* fh_store_fail_system does so with an errno of work beside the database. */
fh_store_status fh_store_fail_system(fh_store *store, int error);

/* fh_store_fail_parcel does so with one of what was gathered, if there is one: 0 is none. */
fh_store_status fh_store_fail_parcel(fh_store *store, int error);

/* fh_store_describe puts an error of status into err, without a change to the store. */
void fh_store_describe(char *err, size_t err_size, const fh_store *store, fh_store_status status,
                       const char *detail);

/* open.c */

/* fh_store_look_at_database holds a database that is to be written to against what it has to be,
 * under SQLite's locks, and brings it up to date. */
fh_store_status fh_store_look_at_database(fh_store *store) FH_MUST_USE;

/* fh_store_check_tables demands that a schema of the connection ("main" ...) has the tables of that
 * version, and has them as tables: a view in place of one could be a query without an end, and one
 * that is not there is no database of ours. So could a column be that is computed when it is read,
 * and what it says was never recorded: there are none. */
fh_store_status fh_store_check_tables(fh_store *store, const char *schema,
                                      uint32_t version) FH_MUST_USE;

/* fh_store_check_own demands of the database that is written to that its tables are, to the letter,
 * those that are made here, and that no index of them computes anything: what a row is checked or
 * indexed by runs with each row that is put, in functions that nothing can stop. */
fh_store_status fh_store_check_own(fh_store *store) FH_MUST_USE;

/* fh_store_yields_row tells whether a statement with these values (second: NULL, it has one) has a
 * row. false also on failure: see the status. */
bool fh_store_yields_row(fh_store *store, fh_sql sql, const char *first, const char *second);

/* fh_store_has_table tells whether there is a table with such a column. */
bool fh_store_has_table(fh_store *store, const char *schema, const char *table, const char *column);

/* Who reads may not read for ever: the pages of a damaged database can refer to each other so that
 * its rows have no end. fh_store_share gives what a report of the whole database may cost;
 * fh_store_ask adds what one row that is looked for may. */
fh_store_status fh_store_share(fh_store *store) FH_MUST_USE;
void fh_store_ask(fh_store *store);

/* fh_store_attached counts the database that was attached as "other" in. */
fh_store_status fh_store_attached(fh_store *store) FH_MUST_USE;

/* rows.c */

/* The findings between two places of what was gathered. give_id sets the ids of a finding and of
 * its asset, which is FH_UNKNOWN for one of the source; false: it failed, and the store knows why.
 */
typedef struct fh_findings {
    fh_store *store;
    int64_t begin; /* places in its parcel */
    int64_t end;
    int64_t num; /* of those that were given so far, with the present one */
    bool (*give_id)(struct fh_findings *of, int64_t *id, int64_t *asset_id,
                    const fh_finding_record *finding);
    void *user;
} fh_findings;

/* fh_store_offer_findings lets statements of the connection use the function fh_finding;
 * fh_call_findings gives its value, which is borrowed until the end of the call. */
fh_store_status fh_store_offer_findings(fh_store *store) FH_MUST_USE;

/* begin.c */

/* fh_store_begin_writing begins a transaction in which everything that has waited for it is
 * written first: the tables of a new database, and what begins the scan. */
fh_store_status fh_store_begin_writing(fh_store *store) FH_MUST_USE;

/* fh_store_end_bulk, in such a transaction, ends it and begins another one, in which rows may be
 * deleted and the rows that refer to them go along. */
fh_store_status fh_store_end_bulk(fh_store *store) FH_MUST_USE;

/* fh_store_create makes the tables of a new database, unless somebody else was faster; then
 * *is_late is true. In a transaction. */
fh_store_status fh_store_create(fh_store *store, bool *is_late) FH_MUST_USE;

/* fh_store_be_new prepares the connection for a file without tables. */
fh_store_status fh_store_be_new(fh_store *store) FH_MUST_USE;

void fh_store_forget_beginning(fh_store *store);

/* group.c */

/* fh_store_finish_transaction commits if all went well; what failed has been taken back already. */
fh_store_status fh_store_finish_transaction(fh_store *store) FH_MUST_USE;

/* fh_store_write_waiting writes all that waits, in a transaction that is open; with_visits: also
 * which files are done. fh_store_forget_waiting forgets it when it is committed. */
fh_store_status fh_store_write_waiting(fh_store *store, bool with_visits) FH_MUST_USE;
void fh_store_forget_waiting(fh_store *store);

/* fh_store_make_indexes does so once a connection. */
fh_store_status fh_store_make_indexes(fh_store *store) FH_MUST_USE;

/* tally.c */

/* A row of the table of sums. */
typedef struct fh_tally_row {
    char *format; /* owned; behind it, in the same block, grade */
    char *grade;
    int64_t assets;
    int64_t bytes; /* FH_UNKNOWN: no length is known, as is longest */
    int64_t longest;
    int64_t frames;
    int64_t findings[FH_ERROR + 1]; /* by their severity */
} fh_tally_row;

/* The sums of a source while its rows are put. */
typedef struct fh_tally {
    fh_store *store;
    int64_t source_id;
    fh_tally_row rows[FH_STORE_MAX_TALLY];
    size_t num_rows;
    fh_tally_row *last; /* of the asset that was counted last; NULL: it is not known any more */
} fh_tally;

/* Each counts a row that is put. That of an asset stands in the database before its findings are
 * counted; is_last: it is the one that was counted last. */
fh_store_status fh_tally_asset(fh_tally *tally, const fh_asset_record *asset) FH_MUST_USE;
fh_store_status fh_tally_finding(fh_tally *tally, const fh_finding_record *finding,
                                 int64_t asset_id, bool is_last) FH_MUST_USE;

/* fh_tally_write adds the sums to those in the database, and begins anew, also where it failed. */
fh_store_status fh_tally_write(fh_tally *tally) FH_MUST_USE;

/* overall.c */

/* What is true of the whole database, once it is kept: at the end of a scan fh_overall_fill
 * computes it from the rows, which have indexes, unless that was done or the rows are few. From
 * then on each source leaves it before its rows go, and joins it when they have been put; until
 * then these do nothing. In a transaction that is open, with the rows. */
fh_store_status fh_overall_fill(fh_store *store) FH_MUST_USE;
fh_store_status fh_overall_leave(fh_store *store, int64_t source_id) FH_MUST_USE;
fh_store_status fh_overall_join(fh_store *store, int64_t source_id) FH_MUST_USE;

/* resume.c */

/* fh_store_fold makes the present scan a part of the one that it goes on with, if there is one. In
 * a transaction that is open, as is fh_store_forget_visits: the scan is complete. */
fh_store_status fh_store_fold(fh_store *store) FH_MUST_USE;
fh_store_status fh_store_forget_visits(fh_store *store) FH_MUST_USE;

/* wanted.c */

/* fh_store_put_wanted notes, once a scan and in a transaction that is open, what it is asked to
 * search. */
fh_store_status fh_store_put_wanted(fh_store *store) FH_MUST_USE;

/* fh_store_put_asked notes, in a transaction that is open, the sum of what the scan is asked to
 * search: of a shard, for merge. fh_store_get_asked reads that of a database as hexadecimal digits;
 * empty: it has none. */
fh_store_status fh_store_put_asked(fh_store *store) FH_MUST_USE;
fh_store_status fh_store_get_asked(fh_store *store, char out[2 * FH_SHA256_LEN + 1]) FH_MUST_USE;

/* fh_store_is_wanted tells whether a scan was asked to search the same, in the same order; so it is
 * if nothing is noted of it, or nobody has said what this one is asked for. Else resumed is told
 * the first difference. */
fh_store_status fh_store_is_wanted(fh_store *store, bool *is_same, fh_resumed *resumed,
                                   int64_t scan_id) FH_MUST_USE;

/* statement.c */

/* fh_store_exec runs a script that yields no rows. */
fh_store_status fh_store_exec(fh_store *store, const char *script) FH_MUST_USE;

/* fh_store_number reads the one integer that a constant query yields. */
fh_store_status fh_store_number(fh_store *store, int64_t *number, const char *query) FH_MUST_USE;

/* A statement and the values it is given, one after the other. */
typedef struct fh_call {
    fh_store *store;
    sqlite3_stmt *stmt; /* NULL if it could not be prepared */
    int index;
    int rc;
} fh_call;

fh_call fh_call_make(fh_store *store, fh_sql sql);
void fh_call_text(fh_call *call, const char *text);      /* NULL is NULL; borrowed until the end */
void fh_call_number(fh_call *call, int64_t number);      /* FH_UNKNOWN is NULL */
void fh_call_value(fh_call *call, sqlite3_value *value); /* of another statement, copied */
void fh_call_findings(fh_call *call, fh_findings *findings); /* see rows.c */
void fh_call_hash(fh_call *call, const uint8_t *sha256);     /* as lower-case hex */

/* fh_call_run runs a statement that yields no rows, or of which no row is wanted. */
fh_store_status fh_call_run(fh_call *call) FH_MUST_USE;

/* fh_call_row steps to the next row, if there is one; its columns are valid until fh_call_end. */
fh_store_status fh_call_row(fh_call *call, bool *has_row) FH_MUST_USE;
void fh_call_end(fh_call *call);

/* fh_store_run runs a statement without values. */
fh_store_status fh_store_run(fh_store *store, fh_sql sql) FH_MUST_USE;

#endif
