/* Errors: from SQLite's codes to ours, and texts that say what, where and what to do. */
#include "reports/escape.h"
#include "store_impl.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* More of a path than this is not shown; its end tells more than its beginning. */
#define SHOWN_PATH_LEN ((size_t)300)

typedef struct wording {
    const char *what;
    const char *mend;         /* for who writes */
    const char *mend_reading; /* for who reads; NULL: the same */
} wording;

static const wording wordings[] = {
    [FH_STORE_NOT_OURS] = {"is not a framehound database", "choose another file with -o",
                           "name a database that framehound scan made"},
    [FH_STORE_NEWER] = {"was made by a newer framehound",
                        "update framehound or choose another file with -o", "update framehound"},
    [FH_STORE_LOCKED] = {"is locked by another program",
                         "wait until that has ended, or choose another file with -o",
                         "wait until that has ended"},
    [FH_STORE_FULL] = {"cannot grow, the disk or a quota is full",
                       "make room or choose a file on another disk with -o; all that was recorded "
                       "before is safe",
                       NULL},
    [FH_STORE_READ_ONLY] = {"is read-only",
                            "allow writing to the file and its directory, or choose another file "
                            "with -o",
                            "allow writing to the file and its directory once, so that what an "
                            "interrupted writer left is put right"},
    [FH_STORE_CANNOT_OPEN] = {"cannot be opened",
                              "check that its directory exists and allows writing, or choose "
                              "another file with -o",
                              "check the name and the permissions"},
    [FH_STORE_CORRUPT] = {"is damaged", "restore it from a copy, or move it away and scan again",
                          NULL},
    [FH_STORE_IO] = {"cannot be read or written",
                     "check the disk, or choose a file on another one with -o", "check the disk"},
    [FH_STORE_NO_MEMORY] = {"needs more memory than there is",
                            "close other programs, or scan less "
                            "at a time",
                            NULL},
    [FH_STORE_NOT_MERGEABLE] = {"cannot be merged",
                                "name the databases that framehound scan made of the shards of "
                                "one scan",
                                NULL},
    [FH_STORE_STOPPED] = {"was waited for or read when the work was interrupted",
                          "run the command again", NULL},
    [FH_STORE_TOO_LONG] =
        {"takes longer to answer than a sound one of its size",
         "if its scan was broken off it has no indexes: go on with it (framehound "
         "scan --resume); otherwise ask with sqlite3, which has no limit",
         NULL},
    [FH_STORE_NOT_FOUND] = {"has no such row",
                            "framehound query assets and framehound query sources list what it has",
                            NULL},
};

static void put_place(fh_text *text, const fh_store *store)
{
    if (store->in_temp) {
        fh_text_str(text, "the temporary data of ");
    }
    const char *path = store->path;
    size_t len = strlen(path);
    if (len > SHOWN_PATH_LEN) {
        fh_text_str(text, "...");
        path += len - SHOWN_PATH_LEN;
    }
    fh_escape_into(text, path);
}

static const char *mend_of(const fh_store *store, fh_store_status status)
{
    const wording *words = &wordings[status];
    if (store->in_temp) {
        return "set SQLITE_TMPDIR to a directory with room that may be written";
    }
    return store->read_only && words->mend_reading != NULL ? words->mend_reading : words->mend;
}

void fh_store_describe(char *err, size_t err_size, const fh_store *store, fh_store_status status,
                       const char *detail)
{
    assert(status != FH_STORE_OK);
    fh_text text = fh_text_make(err, err_size);
    put_place(&text, store);
    fh_text_str(fh_text_str(&text, " "), wordings[status].what);
    if (detail != NULL && detail[0] != '\0') {
        fh_text_str(&text, " (");
        fh_escape_into(&text, detail);
        fh_text_str(&text, ")");
    }
    fh_text_str(fh_text_str(&text, ": "), mend_of(store, status));
}

fh_store_status fh_store_fail(fh_store *store, fh_store_status status, const char *detail)
{
    assert(status != FH_STORE_OK);
    if (store->status == FH_STORE_OK) {
        fh_store_describe(store->error, sizeof store->error, store, status, detail);
        store->status = status;
    }
    return store->status;
}

/* A write that a quota or a file size limit refuses is an I/O error for SQLite. */
static bool is_full(int sys_errno)
{
    return sys_errno == ENOSPC || sys_errno == EDQUOT || sys_errno == EFBIG;
}

static int last_errno_of(const fh_store *store)
{
    int last_errno = 0;
    const char *name = store->in_temp ? "temp" : "main";
    (void)sqlite3_file_control(store->db, name, SQLITE_FCNTL_LAST_ERRNO, &last_errno);
    return last_errno;
}

/* system_error returns the errno behind an error. SQLite knows it for some ways to fail; for others
 * its file does, or it is still in errno (a failed write of a journal that is gone by now). */
static int system_error(const fh_store *store, int code, int errno_then)
{
    int primary = code & 0xff;
    if (primary != SQLITE_IOERR && primary != SQLITE_CANTOPEN) {
        return 0;
    }
    const int candidates[] = {sqlite3_system_errno(store->db), last_errno_of(store), errno_then};
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (is_full(candidates[i])) {
            return candidates[i];
        }
    }
    return candidates[0];
}

static fh_store_status status_of(int rc, int sys_errno)
{
    static const struct {
        int rc;
        fh_store_status status;
    } map[] = {
        {SQLITE_FULL, FH_STORE_FULL},        {SQLITE_READONLY, FH_STORE_READ_ONLY},
        {SQLITE_PERM, FH_STORE_READ_ONLY},   {SQLITE_BUSY, FH_STORE_LOCKED},
        {SQLITE_LOCKED, FH_STORE_LOCKED},    {SQLITE_NOTADB, FH_STORE_NOT_OURS},
        {SQLITE_CORRUPT, FH_STORE_CORRUPT},  {SQLITE_CANTOPEN, FH_STORE_CANNOT_OPEN},
        {SQLITE_NOMEM, FH_STORE_NO_MEMORY},  {SQLITE_IOERR, FH_STORE_IO},
        {SQLITE_TOOBIG, FH_STORE_NO_MEMORY}, {SQLITE_INTERRUPT, FH_STORE_STOPPED},
    };
    if (rc == SQLITE_IOERR_NOMEM) {
        return FH_STORE_NO_MEMORY;
    }
    if ((rc & 0xff) == SQLITE_IOERR && is_full(sys_errno)) {
        return FH_STORE_FULL;
    }
    if ((rc & 0xff) == SQLITE_IOERR && sys_errno == ENOENT) {
        return FH_STORE_CANNOT_OPEN; /* its directory is gone, and the journal with it */
    }
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++) {
        if (map[i].rc == (rc & 0xff)) {
            return map[i].status;
        }
    }
    /* Our statements are right for our tables: they are not our tables. */
    return FH_STORE_CORRUPT;
}

static void put_detail(fh_text *detail, const fh_store *store, fh_store_status status,
                       int sys_errno)
{
    if (status == FH_STORE_LOCKED) {
        fh_text_s64(fh_text_str(detail, "for more than "), store->busy_ms);
        fh_text_str(detail, " ms");
        return;
    }
    fh_text_str(detail, sqlite3_errmsg(store->db));
    if (sys_errno != 0) {
        fh_text_str(fh_text_str(detail, ", "), strerror(sys_errno));
    }
}

/* take_back ends a failed transaction, and with it the lock. */
static void take_back(fh_store *store)
{
    if (sqlite3_get_autocommit(store->db) == 0) {
        (void)sqlite3_exec(store->db, fh_sql_texts[FH_SQL_ROLLBACK], NULL, NULL, NULL);
    }
}

fh_store_status fh_store_fail_sqlite(fh_store *store, int rc)
{
    int errno_then = errno;
    if (store->db == NULL) { /* all that sqlite3_open_v2 needs memory for before it can say so */
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    int extended = sqlite3_extended_errcode(store->db);
    int code = (extended & 0xff) == (rc & 0xff) ? extended : rc;
    int sys_errno = system_error(store, code, errno_then);
    fh_store_status status = status_of(code, sys_errno);
    if (status == FH_STORE_LOCKED && store->waited_ms < store->busy_ms &&
        store->stop(store->stop_user)) {
        status = FH_STORE_STOPPED; /* it might have been free soon */
    }
    char buf[FH_MESSAGE_LEN];
    fh_text detail = fh_text_make(buf, sizeof buf);
    if (store->is_spent && status == FH_STORE_STOPPED && store->is_asked) {
        status = FH_STORE_TOO_LONG;
    } else if (store->is_spent && status == FH_STORE_STOPPED) {
        status = FH_STORE_CORRUPT;
        fh_text_str(&detail, FH_STORE_ENDLESS);
    } else {
        put_detail(&detail, store, status, sys_errno);
    }
    fh_store_fail(store, status, detail.buf);
    take_back(store);
    return store->status;
}

fh_store_status fh_store_fail_system(fh_store *store, int error)
{
    const fh_store_status status = is_full(error)    ? FH_STORE_FULL
                                   : error == ENOMEM ? FH_STORE_NO_MEMORY
                                   : error == EACCES ? FH_STORE_CANNOT_OPEN
                                                     : FH_STORE_IO;
    return fh_store_fail(store, status, strerror(error));
}

fh_store_status fh_store_fail_parcel(fh_store *store, int error)
{
    if (error != 0 && store->status == FH_STORE_OK) {
        store->in_temp = true;
        (void)fh_store_fail_system(store, error);
        store->in_temp = false;
    }
    return store->status;
}

fh_store_status fh_store_state(const fh_store *store)
{
    return store->status;
}

const char *fh_store_error(const fh_store *store)
{
    return store->error;
}
