/* A place of a source as text: every address that it has, for the commands that are given one. */
#ifndef FH_SCANNER_SPOT_TEXT_H
#define FH_SCANNER_SPOT_TEXT_H

#include "reports/out.h"
#include "where.h"

/* fh_spot_print writes a line an address, behind the path of the source and its layout. */
void fh_spot_print(fh_out *out, const char *path, const fh_layout *layout, const fh_spot *spot);

/* fh_spot_json writes the same as members of a JSON object that has been begun: each behind a
 * comma.
 */
void fh_spot_json(fh_out *out, const char *path, const fh_layout *layout, const fh_spot *spot);

#endif
