/* Lines and columns of the findings of a text. */
#ifndef FH_GATE_LINES_H
#define FH_GATE_LINES_H

#include "gate/result.h"

/* fh_lines_place gives every finding that has an offset its line and column, both from 1. Lines end
 * with LF, CR LF or CR; columns count bytes, or units where the text is UTF-16. */
void fh_lines_place(fh_result *result, fh_cursor bytes);

#endif
