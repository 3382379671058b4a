/* gzip files (RFC 1952), through zlib: one member, whose bytes are those of all parts in a row. And
 * zlib streams (RFC 1950), which have one part.
 *
 * CRC or Adler checksum, and length, of each part are checked, after its bytes were handed out.
 * The two bytes that a zlib stream begins with are a weak mark: its first bytes must unpack as
 * well.
 */
#ifndef FH_SOURCE_GZIP_H
#define FH_SOURCE_GZIP_H

#include "source/box.h"

bool fh_gzip_is(const fh_cursor *window);
fh_box_status fh_gzip_open(fh_box *box);

bool fh_zlib_is(const fh_cursor *window);
fh_box_status fh_zlib_open(fh_box *box);

#endif
