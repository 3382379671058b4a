/* CDZ: a disc image packed for one emulator (image format sheet, section 5; the fields as
 * psx-spx publishes them). Numbers are little endian.
 *
 * `CDZ` and 0 or 1. Behind 1 come chunks, each with 4 letters that say what it is (CUE, CCD, MDS,
 * BIN), a u64 with its length from there on, and its body. Behind 0 come two bodies, of which the
 * first is the cue sheet. A body is `ZLIB` and a u64, or in the oldest a u32: bytes unpacked; then
 * a u32 number of blocks, and each block: u32 bytes packed, u32 bytes unpacked (at most 64 KiB),
 * and that many bytes of zlib. A directory of the blocks may follow, which nobody needs who reads
 * forwards.
 *
 * Members are called disc.cue, disc.bin ...
 */
#ifndef FH_SOURCE_CDZ_H
#define FH_SOURCE_CDZ_H

#include "source/box.h"

bool fh_cdz_is(const fh_cursor *window);
fh_box_status fh_cdz_open(fh_box *box);

#endif
