/* What a pose lock calls a file: its path as seen from the folder that the lock lies in, whatever
 * the path was that a check was given.
 */
#ifndef FH_GATE_LOCK_KEY_H
#define FH_GATE_LOCK_KEY_H

#include "core/status.h"

#include <limits.h>
#include <stdbool.h>

/* fh_lock_folder finds the real folder of a path; the file itself need not be there. false, and
 * errno: there is no such folder. */
bool fh_lock_folder(char out[PATH_MAX], const char *path) FH_MUST_USE;

/* fh_lock_place finds the real path of a file whose folder is there; false where there is none. */
bool fh_lock_place(char out[PATH_MAX], const char *path) FH_MUST_USE;

/* fh_lock_key returns the path of a file as seen from a real folder, to be freed; NULL where the
 * file's own folder is not there, or there is no memory. */
char *fh_lock_key(const char *folder, const char *path);

#endif
