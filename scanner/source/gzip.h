/* gzip files (RFC 1952), through zlib: one member, whose bytes are those of all parts in a row.
 *
 * CRC and length of each part are checked, after its bytes were handed out.
 */
#ifndef FH_SOURCE_GZIP_H
#define FH_SOURCE_GZIP_H

#include "source/box.h"

bool fh_gzip_is(const fh_cursor *window);
fh_box_status fh_gzip_open(fh_box *box);

#endif
