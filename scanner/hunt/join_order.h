/* Which part follows which; see join.h. */
#ifndef FH_HUNT_JOIN_ORDER_H
#define FH_HUNT_JOIN_ORDER_H

#include "hunt/join.h"

/* fh_join_order fills what the parts know of each other. false when there is no memory. */
bool fh_join_order(fh_join *join) FH_MUST_USE;

/* fh_kept_place is the stream offset of the part's first whole line. */
int64_t fh_kept_place(const fh_kept *kept);

/* fh_kept_is_adjacent tells whether b begins where a ends: nothing but damaged lines lie between
 * their whole ones, and those are no cut. */
bool fh_kept_is_adjacent(const fh_kept *a, const fh_kept *b);

/* fh_kept_cursor covers bytes [from, end) of a part. */
fh_cursor fh_kept_cursor(const fh_kept *kept, size_t from, size_t end);

#endif
