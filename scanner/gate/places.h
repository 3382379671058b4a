/* Where files lie: absolute paths without links in their folders, and the way from one to another.
 * The last part of a path is left as it is, so that a link is a file of its own. */
#ifndef FH_GATE_PLACES_H
#define FH_GATE_PLACES_H

#include "core/status.h"

#include <limits.h>
#include <stdbool.h>

/* Bytes of an escaped path: \xNN for each of PATH_MAX, and the ways up. */
#define FH_PLACE_SIZE (4 * PATH_MAX + 4)

/* fh_folder_of returns the absolute folder in which path lies, to be freed; NULL and errno. */
char *fh_folder_of(const char *path) FH_MUST_USE;

/* fh_place_join returns folder/name, with "../" at the start of name followed upwards; to be freed.
 * NULL: no memory. */
char *fh_place_join(const char *folder, const char *name) FH_MUST_USE;

/* fh_place_below writes the way from folder to path, both absolute, escaped (reports/escape.h);
 * with "../" where path is not below. false: too long. */
bool fh_place_below(char out[FH_PLACE_SIZE], const char *folder, const char *path) FH_MUST_USE;

#endif
