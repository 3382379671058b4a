/* Labels the bytes of a TRA4 text: lines, and what the words in them are, by the chunk that they
 * stand in. */
#ifndef FH_TRA_DESCRIBE_H
#define FH_TRA_DESCRIBE_H

#include "core/describe.h"

/* tra_governance says which rules look at what: lines, and parameters as "kf.frame". */
extern const fh_governance tra_governance;

/* tra_describe is that of fh_format. */
fh_status tra_describe(const fh_env *env, const fh_field_sink *out, fh_cursor bytes) FH_MUST_USE;

#endif
