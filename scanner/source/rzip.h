/* Files that RetroArch has compressed, as it does with states unless told otherwise: `#RZIPv`, a
 * version (1: zlib, 2: zstd) and `#`, then the length of a chunk (u32, little endian) and of all
 * that comes out (u64); then chunks, each its packed length (u32) and as many bytes. Source:
 * libretro-common, streams/rzip_stream.c.
 */
#ifndef FH_SOURCE_RZIP_H
#define FH_SOURCE_RZIP_H

#include "source/box.h"

bool fh_rzip_is(const fh_cursor *window);
fh_box_status fh_rzip_open(fh_box *box);

#endif
