/* What the commands that use a database share. */
#ifndef FH_SCANNER_STORED_H
#define FH_SCANNER_STORED_H

#include "cmd.h"
#include "reports/store/store.h"

/* fh_store_asking is how a command opens a database: an interruption ends the waiting and the
 * reading. */
extern const fh_store_options fh_store_asking;

/* fh_stored_open opens the database at path for reading, or complains and returns the exit code. */
fh_exit fh_stored_open(fh_store **store, const char *path) FH_MUST_USE;

/* fh_stored_warn says if the database at path has a scan that did not come to its end: what it
 * lacks may only be missing as yet. A failure is told when the database is used. */
void fh_stored_warn(fh_store *store, const char *path);

/* fh_store_exit is the exit code for what became of a call of the store. */
fh_exit fh_store_exit(fh_store_status status);

/* fh_store_failed complains about the last error of the store, and is the exit code for it. */
fh_exit fh_store_failed(const fh_store *store);

#endif
