/* Where an HMD that lies in memory begins there: the base of its addresses.
 *
 * Mapping replaces word offsets by addresses and keeps no trace of the base. It is solved for from
 * the pointers themselves, never assumed: the primitive headers follow the coordinates in every
 * real file, so that the header pointer gives a base, and all other pointers have to agree.
 */
#ifndef FH_HMD_BASE_H
#define FH_HMD_BASE_H

#include "hmd/hmd_model.h"

/* hmd_base_solve sets stage, base, segment and has_unit_maps of the model; a file keeps stage FILE.
 * The block table and the count of coordinates must lie inside the bytes. false, and a fault, when
 * the pointers of a mapped HMD share no base. */
bool hmd_base_solve(hmd_check *check);

#endif
