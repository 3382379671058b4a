/* Decoding and verifying a whole camerawork text. */
#ifndef FH_CAM_DECODE_H
#define FH_CAM_DECODE_H

#include "core/format.h"

/* cam_verify is the verify of the format; the model it yields is a cam_model. */
fh_status cam_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
