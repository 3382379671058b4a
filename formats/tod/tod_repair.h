/* What is certain to be wrong in a TOD: counts, sizes and lengths that the rest of the file says a
 * second time, and bits that must be 0. */
#ifndef FH_TOD_REPAIR_H
#define FH_TOD_REPAIR_H

#include "core/format.h"

enum { TOD_NUM_MENDS = 21 };
extern const fh_mend tod_mends[TOD_NUM_MENDS];

/* tod_repair is the repair of the format, tod_units tells its frames (level 0) and packets. */
fh_status tod_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;
fh_status tod_units(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes) FH_MUST_USE;

#endif
