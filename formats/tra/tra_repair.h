/* What is certain to be wrong in a TRA4 text: its form, where one other form means the same. */
#ifndef FH_TRA_REPAIR_H
#define FH_TRA_REPAIR_H

#include "core/format.h"

enum { TRA_NUM_MENDS = 9 };
extern const fh_mend tra_mends[TRA_NUM_MENDS];

/* tra_repair is the repair of the format, tra_units tells the chunks inside of Figure: bones and
 * their neighbours (level 0), channels, keys. */
fh_status tra_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options) FH_MUST_USE;
fh_status tra_units(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes) FH_MUST_USE;

#endif
