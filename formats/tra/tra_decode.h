/* Decoding and verifying a whole TRA4 text. */
#ifndef FH_TRA_DECODE_H
#define FH_TRA_DECODE_H

#include "core/format.h"

/* tra_verify is the verify of the format; the model it yields is a tra_model. */
fh_status tra_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;

#endif
