/* The records of morphing (MIMe): which arguments their headers have, and their blocks of
 * differences.
 */
#ifndef FH_HMD_MORPH_H
#define FH_HMD_MORPH_H

#include "hmd/hmd_bits.h"
#include "hmd/hmd_refs.h"

#define HMD_NO_ARG 0xffu

/* Which argument of the header is what; HMD_NO_ARG where the kind has none. */
typedef struct hmd_morph {
    uint32_t type; /* low half of the type word */
    const char *name;
    bool is_joint, is_reset, is_normal, is_rpy;
    uint8_t num_args;
    uint8_t coordinates, weights, num_weights, id, differences, originals, elements;
} hmd_morph;

/* hmd_morph_of returns the kind of a MIMe record, or NULL. */
const hmd_morph *hmd_morph_of(const hmd_record *record);

/* hmd_morph_block returns the word of block i of check->record, HMD_NONE if it cannot lie in an
 * asset or the header lacks the pointer. */
uint32_t hmd_morph_block(const hmd_check *check, const hmd_morph *morph, uint32_t i);

/* hmd_morph_head returns how many words stand at the start of each block of the kind: the number of
 * its entries alone if it is a reset of vertices or normals, or numbers and flags. */
uint32_t hmd_morph_head(const hmd_morph *morph);

enum { HMD_MOST_KEYS = 32 }; /* of weights: as many as dflags has bits */

/* Words of a reset area of a joint: roll pitch yaw, or rotation axes. */
enum { HMD_RESET_RPY_WORDS = 5, HMD_RESET_AXES_WORDS = 8, HMD_JOINT_DIFF_WORDS = 5 };

/* hmd_check_resets plays one frame's morphing without its numbers, and tells which MIMe is not
 * taken back, and which joints are not in reverse order (HMD0132). changed: the words by which
 * vertices tell their resets, a set of words of the asset. */
void hmd_check_resets(hmd_check *check, const hmd_bits *changed);

#endif
