/* Lists of numbers of assets as options take them: numbers and ranges, parted by commas, as in
 * 1,5,10-20. They are read where they stand. Owns nothing. */
#ifndef FH_SCANNER_ID_LIST_H
#define FH_SCANNER_ID_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* fh_id_list_next reads one number or range of a list, up to the comma; a number is a range of one.
 * Returns what follows; NULL: it is none. */
const char *fh_id_list_next(const char *at, int64_t *first, int64_t *last);

/* fh_is_id_list tells whether all of it is a list of at least one number or range. */
bool fh_is_id_list(const char *list);

/* fh_id_list_has tells whether a list names a number. */
bool fh_id_list_has(const char *list, int64_t id);

#endif
