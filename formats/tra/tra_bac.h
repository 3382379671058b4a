/* What an animation must know of the model that it moves, from the model's BAC6 text: the bones'
 * names, order, parents and rest poses, and the number of groups of dynamic polygons.
 *
 * Everything else in a BAC6 is passed over, as long as its parentheses balance. The specification
 * of BAC6 is not publicly at hand; what is read here is known from the TRA4 manual, which refers to
 * it, and from a public writer:
 *  - alanfischer/toadlet, BACConverter::writeOutModelVersion6: the first line ";BAC utf8"; Head
 * with bacVersion 6.0; in Figure name, Textures, Colors, Materials, Vertices, Bones, TextureCoords
 * and Polygons; in Bones a bone for each with name, hasChild, hasBrother, translate, rotate, handle
 *    and vertexIndices. buildBones writes a bone, then all below its first child, then its next
 *    brother. translate is the bone's origin in world space, rotate and handle are the points one
 *    unit from there along its Z and its Y axis; a model without a skeleton has 0 0 0, 0 0 360 and
 *    0 0 0.
 *  - TRA4 manual 2.1: DynamicPolygons holds group chunks, which are counted from 0. Its reference
 * to section 4.2.9.1 of the BAC6 specification makes DynamicPolygons the ninth chunk of Figure,
 * right behind the eight above: deduced.
 *  - That the lexical grammar is TRA4's (comments, strings, numbers), and that a reader takes flags
 *    and points as this writer means them: deduced.
 * All tables lie in the arena of the candidate; names stay in the text.
 */
#ifndef FH_TRA_BAC_H
#define FH_TRA_BAC_H

#include "tra/tra_model.h"

/* The three points of a bone's rest pose. */
enum tra_point { TRA_ORIGIN = 0, TRA_Z_POINT, TRA_Y_POINT, TRA_NUM_POINTS };

typedef struct tra_bac_bone {
    fh_text_place at;
    uint32_t name_off; /* of the text between the quotes */
    uint32_t name_units;
    uint32_t parent; /* an index below its own, or TRA_NONE; only where the model has a tree */
    uint32_t given;  /* chunks that were there, a bit each */
    bool has_child;
    bool has_brother;
    float points[TRA_NUM_POINTS][3]; /* in world space */
} tra_bac_bone;

typedef struct tra_bac {
    fh_scan scan; /* of the text, at its start */
    tra_bac_bone *bones;
    uint32_t num_bones;
    uint32_t num_groups; /* of dynamic polygons */
    bool has_tree;       /* every bone has its parent */
    bool has_rest;       /* every bone has its rest pose */
} tra_bac;

/* Chunks of a bone, in the order of the writer; bits of `given`. */
enum tra_bac_chunk {
    TRA_BAC_NAME = 0,
    TRA_BAC_HAS_CHILD,
    TRA_BAC_HAS_BROTHER,
    TRA_BAC_TRANSLATE,
    TRA_BAC_ROTATE,
    TRA_BAC_HANDLE,
    TRA_BAC_NUM_CHUNKS
};
extern const char *const tra_bac_chunk_names[TRA_BAC_NUM_CHUNKS + 1]; /* ended by NULL */

/* tra_bac_is_one tells whether bytes begin as a BAC6 text does. */
bool tra_bac_is_one(fh_cursor bytes);

/* tra_bac_read reads a BAC6 text; NULL, and told (TRA0124..TRA0126), when it cannot be used. What
 * is wrong with hierarchy and rest poses is told (TRA0127..TRA0129) and costs only those. Pays from
 * the check's budget; a spent budget or a full arena is noted in the check. */
const tra_bac *tra_bac_read(tra_check *check, fh_cursor bytes);

/* tra_bac_name is the token of a bone's name, for the scanner of the text. */
fh_token tra_bac_name(const tra_bac_bone *bone);

/* tra_bac_tell reports a finding at a place of the BAC6 text, which stands in its context: the
 * finding has no offset, for those are the animation's. */
void tra_bac_tell(const tra_check *check, enum tra_rule rule, const char *field, fh_text_place at,
                  fh_value found, fh_value expected);

/* tra_bac_judge finds the parents and looks at the rest poses. */
void tra_bac_judge(tra_bac *bac, tra_check *check);

#endif
