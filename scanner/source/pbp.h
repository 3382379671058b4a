/* PBP: a disc packed for a handheld (image format sheet, sections 5 and 5.1).
 *
 * 00 `PBP`; the archive part, whose offset stands at 0x24, begins with `PSISOIMG0000`: an index of
 * 32-byte entries at +0x4000, and from +0x100000 on blocks of 16 sectors of 2352 bytes, each by
 * itself in raw deflate or as it is. Blocks are taken in the order of the index, which must be that
 * in which they lie.
 *
 * An archive part that begins with `PSTITLEIMG000000` is a set: five numbers at +0x200, ended by 0,
 * say where in it each disc begins, which is built as above. Its members are called disc1, disc2
 * ... and must lie in that order. Sources for the table, which the sheet calls unverified: the
 * readers of libretro/pcsx_rearmed (cdriso.c) and RupertAvery/PSXPackager (PbpReader).
 *
 * Encrypted discs and packages of other programs are recognised, and not decoded.
 */
#ifndef FH_SOURCE_PBP_H
#define FH_SOURCE_PBP_H

#include "source/box.h"

bool fh_pbp_is(const fh_cursor *window);
fh_box_status fh_pbp_open(fh_box *box);

#endif
