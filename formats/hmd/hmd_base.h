/* Where an HMD that lies in memory begins there: the base of its addresses.
 *
 * Mapping replaces word offsets by addresses and keeps no trace of the base. It is solved for from
 * the pointers themselves, never assumed: the base that fits is the one with which block pointers
 * lead to primitives whose header pointers hit header starts. In every real file the primitive
 * headers follow the coordinates, which gives the first base to try; where that one does not fit,
 * wider gaps are tried. Segments do not matter, and nothing hangs on bit 31 of a block pointer,
 * which at least one game uses to hide a block. Source: images.md, base inference.
 */
#ifndef FH_HMD_BASE_H
#define FH_HMD_BASE_H

#include "hmd/hmd_model.h"

/* hmd_base_solve sets stage, base, segment, is_folded, is_unscanned and has_unit_maps of the model;
 * a file keeps stage FILE, an image gets stage MAPPED. The block table and the count of coordinates
 * must lie inside the bytes. false, and a fault, when the pointers of an image share no base. The
 * work is linear in the number of blocks, coordinates and headers. */
bool hmd_base_solve(hmd_check *check);

/* hmd_is_split_off tells whether the word behind a primitive header is the argument that the
 * mapping of the coordinates took off that header: it lowers the size by 1 and leaves the address
 * of the coordinates standing. */
bool hmd_is_split_off(const hmd_model *model, uint32_t off);

#endif
