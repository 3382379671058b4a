/* Decoding and verifying a whole TOD. */
#ifndef FH_TOD_DECODE_H
#define FH_TOD_DECODE_H

#include "core/format.h"

/* tod_verify is the verify of the format; the model it yields is a tod_model. */
fh_status tod_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
