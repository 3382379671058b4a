/* The table of formats: the only way from the scanner, the tests and the fuzzers to a decoder.
 *
 * A new format costs its folder and one line in registry.c.
 */
#ifndef FH_REGISTRY_H
#define FH_REGISTRY_H

#include "core/format.h"

/* fh_formats is the table; its entries are constant and live as long as the program. */
extern FH_API const fh_format *const fh_formats[];
extern FH_API const size_t fh_num_formats;

/* fh_format_find returns the format of that name, or NULL. */
FH_API const fh_format *fh_format_find(const char *name);

/* fh_format_by_path returns the format that the extension of a path names, in any case, or NULL. */
FH_API const fh_format *fh_format_by_path(const char *path);

#endif
