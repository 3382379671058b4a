/* Globs: which paths a line of the configuration speaks of.
 *
 * A path is relative to the folder of the configuration, with / between its parts. In a glob
 *
 *   *      stands for any number of bytes but /
 *   ?      for one character (of UTF-8, or one byte) but /
 *   [a-z]  for one byte of the set but /, [!a-z] for one that is not in it
 *   **     as a whole part for any number of parts, none included
 *   \      takes the special meaning from the next byte
 *
 * A glob without a / is held against the last part of the path, whatever folder it is in. One that
 * ends with / speaks of all that is in folders of that name. Any other is held against the whole
 * path; a / at its start changes nothing but this. A ! in front turns the answer round. Upper and
 * lower case differ, and a dot at the start of a name is nothing special.
 *
 * Time is bounded by the length of the glob times that of the path: of all stars only the last one
 * is ever given another length.
 */
#ifndef FH_GATE_GLOB_H
#define FH_GATE_GLOB_H

#include "core/status.h"

#include <stdbool.h>

/* fh_glob_fault returns what is wrong with a glob, in a few words, or NULL. */
const char *fh_glob_fault(const char *glob) FH_MUST_USE;

/* fh_glob_match tells whether a sound glob speaks of the path. */
bool fh_glob_match(const char *glob, const char *path) FH_MUST_USE;

#endif
