/* What is certain to be wrong in an HMD: bits that can only have one value in a file. */
#ifndef FH_HMD_REPAIR_H
#define FH_HMD_REPAIR_H

#include "core/format.h"

enum { HMD_NUM_MENDS = 10 };
extern const fh_mend hmd_mends[HMD_NUM_MENDS];

/* hmd_repair is the repair of the format. */
fh_status hmd_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
