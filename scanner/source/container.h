/* The kinds of containers: what the program can look into, and how each is told from its first
 * bytes. One entry of the table a kind; see source/box.h.
 */
#ifndef FH_SOURCE_CONTAINER_H
#define FH_SOURCE_CONTAINER_H

#include "source/box.h"

/* fh_container_of returns the kind of what begins with the bytes of window, NULL if it is none. */
const fh_box_kind *fh_container_of(const fh_cursor *window);

/* fh_container_libraries appends the names and versions of the unpacking libraries, in one line. */
void fh_container_libraries(fh_text *out);

extern const fh_box_kind fh_box_kinds[];
extern const size_t fh_num_box_kinds;

#endif
