/* The store: scans in an SQLite database, the only SQL of the project.
 *
 * An fh_store owns its connection and copies what it keeps; records passed to it are borrowed for
 * the call. One thread at a time may use a store. Any number of processes may write into one
 * database at once: the rows of a source are gathered beside it (on disk if there are many, so
 * memory stays flat) until they move over in one short transaction, those of several small sources
 * together (fh_store_options). No lock is held otherwise.
 *
 * Promises:
 * - A file that is not ours, or that cannot be opened for any reason, keeps every byte.
 * - A source is in the database with all its rows or not at all.
 * - A database of an earlier schema is brought up to date when it is opened for writing; reading
 *   leaves it as it is.
 * - Scanning the same bytes into a database again yields the same rows with the same ids.
 * - What is in the database stays there, even if the machine loses its power. Only of a new one
 * that is lost while its first sources are written (see options.defers), which takes milliseconds,
 *   something may be left that is no database.
 * - The first error of a store is sticky: later calls do nothing and return it. Its text says
 *   what, where and what to do, and is safe to show on a terminal (see reports/escape.h).
 */
#ifndef FH_REPORTS_STORE_H
#define FH_REPORTS_STORE_H

#include "core/record.h"
#include "core/rules.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FH_STORE_APPLICATION_ID 0x46484e44 /* "FHND" */
#define FH_STORE_SCHEMA_VERSION 5

/* Room for any error text. A smaller buffer gets the text cut. */
#define FH_STORE_ERROR_LEN ((size_t)2048)

/* How long to wait for another writer. Its transactions take milliseconds; only a database that
 * somebody left open in the middle of a change stays locked this long. */
#define FH_STORE_BUSY_MS 10000

typedef struct fh_store fh_store;

typedef enum fh_store_status {
    FH_STORE_OK = 0,
    FH_STORE_NOT_OURS,    /* some other file */
    FH_STORE_NEWER,       /* the schema of a newer framehound */
    FH_STORE_LOCKED,      /* another program kept it locked for longer than we wait */
    FH_STORE_FULL,        /* no room on the disk, or a quota or file size limit */
    FH_STORE_READ_ONLY,   /* the file or its directory may not be written */
    FH_STORE_CANNOT_OPEN, /* missing directory, no permission, no regular file ... */
    FH_STORE_CORRUPT,     /* ours, but damaged */
    FH_STORE_IO,          /* the system failed to read or write */
    FH_STORE_NO_MEMORY,
    FH_STORE_NOT_MERGEABLE, /* no database of a shard of the scan */
    FH_STORE_STOPPED,       /* as the options asked */
    FH_STORE_TOO_LONG,      /* a question takes longer than it may */
    FH_STORE_NOT_FOUND      /* the database has no such row; not sticky */
} fh_store_status;

typedef struct fh_store_options {
    int busy_ms;              /* how long to wait for another writer; 0 = FH_STORE_BUSY_MS */
    bool (*stop)(void *user); /* asked while waiting, and while reading; NULL: never stop */
    void *stop_user;

    /* So many sources that were ended may wait for so long to be written together; 0: each is
     * written when it ends. A transaction costs milliseconds, most of them for the disk. */
    int max_group;
    int group_ms;

    /* What begins a scan, a new database itself included, is written with its first sources: a
     * small scan is one transaction. Until then the file may be empty. */
    bool defers;
} fh_store_options;

/* fh_store_open opens path for writing. A file that is missing, has no bytes or is an SQLite
 * database without any table becomes a new database. options may be NULL. On failure *store is NULL
 * and err holds the text. */
fh_store_status fh_store_open(fh_store **store, const char *path, const fh_store_options *options,
                              char *err, size_t err_size) FH_MUST_USE;

/* fh_store_open_ro opens an existing database for reading; the file may be read-only. */
fh_store_status fh_store_open_ro(fh_store **store, const char *path,
                                 const fh_store_options *options, char *err,
                                 size_t err_size) FH_MUST_USE;

/* fh_store_close frees the store. What was said of a source that was not ended is forgotten. NULL
 * is allowed. */
void fh_store_close(fh_store *store);

/* fh_store_error returns the text of the last error, empty when there was none. Owned by store. */
const char *fh_store_error(const fh_store *store);

/* fh_store_state is the status of the first error, after which nothing works; FH_STORE_OK without
 * one. */
fh_store_status fh_store_state(const fh_store *store);

/* fh_store_has_unfinished tells whether some scan of the database did not come to its end. */
fh_store_status fh_store_has_unfinished(fh_store *store, bool *has) FH_MUST_USE;

/* fh_store_begin_scan adds a scan with the status "running" and brings the rules up to date.
 * options is how the user asked for the scan; may be NULL. What tables lead to has to last as long
 * as the store. */
fh_store_status fh_store_begin_scan(fh_store *store, const char *tool_version,
                                    const char *ruleset_version, const char *options,
                                    const fh_rule_table *tables, size_t num_tables) FH_MUST_USE;

/* What a scan was asked for. options may be NULL. */
typedef struct fh_scan_record {
    const char *tool_version;
    const char *ruleset_version;
    const char *options;
} fh_scan_record;

/* What was found of a scan that was broken off. */
typedef struct fh_resumed {
    bool is_found;
    bool has_findings;
    fh_severity worst;  /* of its findings */
    bool hit_limit;     /* in some source of it */
    bool was_complete;  /* it is the last one, and had come to its end */
    int64_t num_visits; /* files that it was done with */
    int64_t num_others; /* scans that did not come to their end, of another tool or other options */

    /* One did not come to its end that was asked to search something else: to go on with it would
     * call it complete without what is lacking here. Nothing is gone on with, nothing was changed.
     * It first differs in its source number other_n, NULL: it had not so many. Owned by the store.
     */
    bool has_other_sources;
    int64_t other_n; /* from 1 */
    const char *other_source;

    /* One of the same tool and rules did not come to its end that is another part of all sources,
     * or all of them: a shard would no longer be one. Nothing is gone on with, nothing was changed.
     */
    bool has_other_part;
} fh_resumed;

/* fh_store_want says what the scan is asked to search, as the user named it, before fh_store_resume
 * and fh_store_begin_scan. It is noted as long as the scan is not complete. What names leads to has
 * to last as long as the store. */
void fh_store_want(fh_store *store, const char *const *names, size_t num_names);

/* fh_store_resume, called before fh_store_begin_scan, looks for scans of the same tool, rules and
 * options that did not come to their end, and were asked to search the same. The one that begins
 * then goes on with them: when it ends all are one scan, the first of them. No other process may be
 * at work on such a scan. */
fh_store_status fh_store_resume(fh_store *store, fh_resumed *resumed,
                                const fh_scan_record *scan) FH_MUST_USE;

/* fh_store_visit notes that a file is done, behind all its sources; stamp is a sum of the state
 * that it was in. fh_store_was_visited tells whether the scan that is gone on with was done with it
 * in the same state. What was noted is forgotten when a scan is complete. */
fh_store_status fh_store_visit(fh_store *store, const char *path, int64_t stamp) FH_MUST_USE;
fh_store_status fh_store_was_visited(fh_store *store, bool *was, const char *path,
                                     int64_t stamp) FH_MUST_USE;

/* fh_store_keep_places makes the database that of a shard, which knows the order of its sources in
 * the whole scan; between fh_store_resume and the first source. fh_store_set_place is the place of
 * the sources that follow. */
fh_store_status fh_store_keep_places(fh_store *store) FH_MUST_USE;
void fh_store_set_place(fh_store *store, int64_t place);

/* fh_store_begin_source opens a source. At most one is open at a time, and only within a scan. */
fh_store_status fh_store_begin_source(fh_store *store, const char *path) FH_MUST_USE;

/* fh_store_asset adds an asset to the open source. *handle is what fh_finding_record.asset calls
 * it; it is valid until the end of the source and is not the id of the database. */
fh_store_status fh_store_asset(fh_store *store, const fh_asset_record *asset,
                               int64_t *handle) FH_MUST_USE;

/* fh_store_base gives the assets of the open source that have no RAM address one: base + (shift +
 * raw_offset) modulo `modulus`, where the latter is below `len`. */
fh_store_status fh_store_base(fh_store *store, int64_t base, int64_t shift, int64_t modulus,
                              int64_t len) FH_MUST_USE;

fh_store_status fh_store_finding(fh_store *store, const fh_finding_record *finding) FH_MUST_USE;

/* fh_store_coverage adds a run of sectors of the open source, in their order. */
fh_store_status fh_store_coverage(fh_store *store, const fh_coverage_record *coverage) FH_MUST_USE;

/* fh_store_end_source has the rows of the open source written into the database, now or with those
 * of the next ones, in place of all earlier ones of the same path. source->path is that of
 * fh_store_begin_source. */
fh_store_status fh_store_end_source(fh_store *store, const fh_source_record *source) FH_MUST_USE;

/* fh_store_drop_old_members removes the sources whose path is that of a container, `!/` and more,
 * and which this scan has not recorded. No source may be open. */
fh_store_status fh_store_drop_old_members(fh_store *store, const char *path) FH_MUST_USE;

/* fh_store_drop_source forgets the open source; what the database had of it stays. */
fh_store_status fh_store_drop_source(fh_store *store) FH_MUST_USE;

/* fh_store_touch_unreadable records a source that could not be opened, with one finding of the
 * source (or NULL). If the database knows the path, earlier results are not lost: only the status
 * of the source becomes the new one, its scan stays the one that found them. No source may be open.
 */
fh_store_status fh_store_touch_unreadable(fh_store *store, const fh_source_record *source,
                                          const fh_finding_record *finding) FH_MUST_USE;

/* fh_store_settle writes what has waited for long enough, for times in which no source ends.
 * fh_store_flush writes all that waits. A source may be open; it is not written. */
fh_store_status fh_store_settle(fh_store *store); /* sticky failures are told later */
fh_store_status fh_store_flush(fh_store *store) FH_MUST_USE;

/* fh_store_num_recorded is how many sources of the scan are in the database for good: those that
 * were ended, and those that could not be opened. */
uint64_t fh_store_num_recorded(const fh_store *store);

/* fh_store_end_scan makes the indexes and closes the scan with a status such as "complete" or
 * "interrupted". */
fh_store_status fh_store_end_scan(fh_store *store, const char *status) FH_MUST_USE;

/* What is known of an asset, by the columns of the tables, and where its bytes are. Strings are
 * owned by the struct; unknown numbers are FH_UNKNOWN, unknown strings NULL. */
typedef struct fh_stored_asset {
    int64_t id;
    char *path; /* never NULL */
    char *kind;
    char *layout;
    char source_sha256[2 * FH_SHA256_LEN + 1]; /* of the whole source */
    char *format;                              /* never NULL */
    char *grade;                               /* never NULL */
    int64_t raw_offset;                        /* not negative if known */
    int64_t user_offset;                       /* not negative if known */
    int64_t length;                            /* not negative if known */
    int64_t lba;
    char *iso_path;
    int64_t iso_offset;
    int64_t ram_address;
    int64_t evidence_bits;
    int64_t frames;
    int64_t objects;
    char sha256[2 * FH_SHA256_LEN + 1]; /* lower-case hex, empty if unknown; so are the others */
    char pose_sha256[2 * FH_SHA256_LEN + 1];
    char *evaluator; /* of its replay, all of which is unknown where there was none */
    int64_t replay_frames;
    int64_t ticks;
    char *replay_status;
    fh_piece_record *pieces; /* owned; of an asset that does not lie in one place */
    size_t num_pieces;       /* else 0. They tile the asset, in its order */
} fh_stored_asset;

/* fh_store_find_asset fills asset with the asset of that id; on failure asset is all zero. */
fh_store_status fh_store_find_asset(fh_store *store, fh_stored_asset *asset,
                                    int64_t id) FH_MUST_USE;

/* fh_stored_asset_clear frees the strings and makes asset all zero. */
void fh_stored_asset_clear(fh_stored_asset *asset);

/* A finding as it was recorded. Strings are borrowed for the call; NULL and FH_UNKNOWN: unknown. */
typedef struct fh_stored_finding {
    const char *code; /* never NULL, as are severity and message */
    const char *severity;
    int64_t raw_offset;
    int64_t asset_offset;
    int64_t frame;
    int64_t object;
    const char *message;
    const char *field;
    const char *found;
    const char *expected;
} fh_stored_finding;

/* fh_store_each_finding calls take for each finding of an asset, in order, until it returns false.
 */
fh_store_status fh_store_each_finding(fh_store *store, int64_t asset_id, void *user,
                                      bool (*take)(void *user,
                                                   const fh_stored_finding *finding)) FH_MUST_USE;

/* Which assets are listed. An empty filter lists all. */
typedef struct fh_asset_filter {
    void *user;
    bool (*wants)(void *user, int64_t id, const char *format, const char *grade); /* NULL: all */
} fh_asset_filter;

/* fh_store_list_assets returns in *ids, owned by the caller (free), those of all wanted assets by
 * the path of their source and their place in it. On failure *ids is NULL. */
fh_store_status fh_store_list_assets(fh_store *store, int64_t **ids, size_t *num_ids,
                                     const fh_asset_filter *filter) FH_MUST_USE;

/* Where everything that is recorded goes, as records (core/record.h), whose ids are those of the
 * database. Strings are borrowed for the call. Each function returns false to stop. */
typedef struct fh_store_sink {
    void *user;
    bool (*source)(void *user, const fh_source_record *source);
    bool (*asset)(void *user, const fh_asset_record *asset); /* of the source before */
    bool (*finding)(void *user, const fh_finding_record *finding);
    /* The rule of that code, valid for as long as the findings are; NULL: stop. May ask the store
     * for it. */
    const fh_rule *(*rule)(void *user, const char *code);
    /* NULL: not told of. The scans come before everything else, the runs of sectors of a source
     * right behind it. */
    bool (*scan)(void *user, const fh_scan_run_record *scan);
    bool (*coverage)(void *user, const fh_coverage_record *coverage);
} fh_store_sink;

/* fh_store_tell tells all sources in the order of their ids: each one, the findings that are of it,
 * then each of its assets by its place, with its findings behind it. Memory does not grow with the
 * database. As long as it lasts no other program can write to it. */
fh_store_status fh_store_tell(fh_store *store, const fh_store_sink *sink) FH_MUST_USE;

/* A rule as it was recorded. Strings are owned by the caller. */
typedef struct fh_stored_rule {
    bool is_there; /* or else all is empty */
    fh_severity severity;
    char *title;
    char *explanation;
} fh_stored_rule;

/* fh_store_find_rule looks a rule up; that there is none is no failure. */
fh_store_status fh_store_find_rule(fh_store *store, fh_stored_rule *rule,
                                   const char *code) FH_MUST_USE;

/* fh_stored_rule_clear frees the strings and makes rule all zero. */
void fh_stored_rule_clear(fh_stored_rule *rule);

/* Shards of one scan; more than there are discs. */
#define FH_STORE_MAX_SHARDS 1000000u

/* fh_store_merge makes the file at path, which must be empty, the database of the scan whose shards
 * are in the others: the rows, ids included, are those of one scan of all sources. Databases of no
 * shards may be merged, too; their sources stand in the order in which they are named. On failure
 * err holds the text, and what is at path is of no use. */
fh_store_status fh_store_merge(const char *path, const char *const *shards, size_t num_shards,
                               const fh_store_options *options, char *err,
                               size_t err_size) FH_MUST_USE;

/* What a question is asked for. */
typedef enum fh_asked_for {
    FH_ASKED_NOTHING = 0,
    FH_ASKED_PATH, /* of a source */
    FH_ASKED_HASH, /* SHA-256, or the beginning of one */
    FH_ASKED_CODE  /* of a rule */
} fh_asked_for;

/* A question about a database. Each is a view of it, too. */
typedef struct fh_question {
    const char *name;
    const char *purpose; /* what it answers, in a few words */
    const char *view;
    const char *key; /* the column that is held against the value; NULL: it is asked for nothing */
    fh_asked_for asked_for;
    bool needs_value;
} fh_question;

/* fh_questions are all questions; *num is their number. */
const fh_question *fh_questions(size_t *num);

/* A value of an answer. text is what it is in words, NULL where it is unknown; borrowed. */
typedef struct fh_answer_cell {
    const char *name; /* of the column */
    const char *text;
    bool is_number;
} fh_answer_cell;

#define FH_STORE_MAX_CELLS ((size_t)32) /* columns of a view; v_assets has 22 */

/* Where an answer goes. begin is called once, with the names of the columns; each returns false to
 * stop. */
typedef struct fh_answer {
    void *user;
    bool (*begin)(void *user, const fh_answer_cell *cells, size_t num_cells);
    bool (*row)(void *user, const fh_answer_cell *cells, size_t num_cells);
} fh_answer;

/* fh_store_ask_question answers a question: for value, which is NULL where none is given (a hash
 * may be the beginning of one, in lower case), at most limit rows (negative: all).
 * FH_STORE_NOT_FOUND: there is no source of that path. The store must be one for reading. Views of
 * the database are not looked at: their texts are those of this program. */
fh_store_status fh_store_ask_question(fh_store *store, const fh_question *question,
                                      const char *value, int64_t limit,
                                      const fh_answer *answer) FH_MUST_USE;

/* How two databases differ. */
typedef enum fh_change {
    FH_CHANGE_APPEARED = 0,
    FH_CHANGE_VANISHED,
    FH_CHANGE_MOVED,  /* same bytes, other place in the same source */
    FH_CHANGE_BYTES,  /* other bytes, same place */
    FH_CHANGE_MOTION, /* other poses, of an asset that is in the same place or was moved */
    FH_CHANGE_GRADE,  /* of such an asset, too; and so the findings */
    FH_CHANGE_CAME,   /* findings of a code; there are more of them */
    FH_CHANGE_WENT,   /* there are fewer */
    FH_CHANGE_NUM
} fh_change;

/* One difference. Strings are borrowed for the call; NULL and FH_UNKNOWN: unknown or none. What is
 * called a is of the first database, b of the second one. An asset or source that only one of them
 * has has no id, path and place in the other. */
typedef struct fh_difference {
    fh_change change;
    const char *a_path;
    const char *b_path;
    const char *format; /* NULL: it is about a source as a whole */
    int64_t a_id;       /* of the asset */
    int64_t b_id;
    int64_t a_raw_offset;
    int64_t b_raw_offset;
    const char *iso_path; /* in b, else in a */
    const char *code;     /* of CAME and WENT */
    const char *a_value;  /* what changed: hash, grade, number of findings */
    const char *b_value;
} fh_difference;

typedef enum fh_match {
    FH_MATCH_PATH = 0, /* sources are the same if their paths are */
    FH_MATCH_NAME /* if the last parts of the paths of their files are, and what lies in them */
} fh_match;

/* fh_store_diff calls take for each difference between two databases, in the order of paths and
 * places, until it returns false. Both are opened for reading, with everything that
 * fh_store_open_ro checks. err holds the text of a failure. */
fh_store_status fh_store_diff(const char *a_path, const char *b_path, fh_match match,
                              const fh_store_options *options, void *user,
                              bool (*take)(void *user, const fh_difference *difference), char *err,
                              size_t err_size) FH_MUST_USE;

#endif
