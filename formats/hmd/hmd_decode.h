/* Decoding and checking an HMD. */
#ifndef FH_HMD_DECODE_H
#define FH_HMD_DECODE_H

#include "core/format.h"

/* hmd_verify is the verify of the format. The model is an hmd_model. */
fh_status hmd_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
