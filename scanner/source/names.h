/* The names of the members of one container, made into what is unique in it. */
#ifndef FH_SOURCE_NAMES_H
#define FH_SOURCE_NAMES_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hashes of the names so far, in a table that is at most half full; all zero at the start. Two
 * names of the same hash cost the second one its plain name, nothing else. */
typedef struct fh_names {
    uint64_t *slots; /* owned; 0 = empty */
    size_t num_slots;
    size_t num;
} fh_names;

void fh_names_free(fh_names *names);

/* fh_names_path returns the path of member number `index` (from 1) of the container at `box`, owned
 * by the caller; NULL: no memory. name may be NULL. */
char *fh_names_path(fh_names *names, const char *box, const char *name, int64_t index);

/* fh_names_wrapped returns the path of the only member of a box, which has the box's own name
 * without the suffix, or "data"; owned by the caller; NULL: no memory. suffix may be NULL. */
char *fh_names_wrapped(const char *box, const char *suffix);

#endif
