/* What is certain to be wrong in a camerawork text: its form, and an index between two others. */
#ifndef FH_CAM_REPAIR_H
#define FH_CAM_REPAIR_H

#include "core/format.h"

enum { CAM_NUM_MENDS = 16 };
extern const fh_mend cam_mends[CAM_NUM_MENDS];

/* cam_repair is the repair of the format. */
fh_status cam_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
