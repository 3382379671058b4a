/* Which part follows which; see join.h. */
#ifndef FH_HUNT_JOIN_ORDER_H
#define FH_HUNT_JOIN_ORDER_H

#include "hunt/join.h"

/* fh_join_order fills what the parts know of each other. false when there is no memory. */
bool fh_join_order(fh_join *join) FH_MUST_USE;

/* fh_kept_cursor covers bytes [from, end) of a part. */
fh_cursor fh_kept_cursor(const fh_kept *kept, size_t from, size_t end);

#endif
