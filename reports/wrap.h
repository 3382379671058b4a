/* Prose broken into lines for people. */
#ifndef FH_REPORTS_WRAP_H
#define FH_REPORTS_WRAP_H

#include "reports/out.h"

/* fh_wrap writes str, escaped, in lines of at most 78 columns that are broken at blanks; a word
 * longer than a line stays whole. The first line begins with `first`, the others with as many
 * blanks. */
void fh_wrap(fh_out *out, const char *first, const char *str);

#endif
