/* Labels the bytes of a camerawork text: lines, and the columns of rows. */
#ifndef FH_CAM_DESCRIBE_H
#define FH_CAM_DESCRIBE_H

#include "core/describe.h"

/* cam_governance says which rules look at what: lines, and columns as "row.index". */
extern const fh_governance cam_governance;

/* cam_describe is that of fh_format. */
fh_status cam_describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes) FH_MUST_USE;

#endif
