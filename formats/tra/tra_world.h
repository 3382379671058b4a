/* World space: where the bones of a model stand while an animation moves them.
 *
 * world = world(parent) * bone(BAC6) * A, column vectors; A is the pose of the bone relative to its
 * rest (tra_eval.h), bone(BAC6) the rest pose relative to that of the parent. Double precision,
 * sums and products in a fixed order.
 */
#ifndef FH_TRA_WORLD_H
#define FH_TRA_WORLD_H

#include "tra/tra_bac.h"
#include "tra/tra_eval.h"

/* A coordinate system: p outside = matrix * p inside + origin. */
typedef struct tra_space {
    double matrix[3][3]; /* rows */
    double origin[3];
} tra_space;

/* tra_space_times is the system `b`, given inside of `a`, seen from outside. out is neither. */
void tra_space_times(tra_space *out, const tra_space *a, const tra_space *b);

/* What the three points of a bone make of its rest pose. */
typedef enum tra_rest {
    TRA_REST_FIXED = 0,
    TRA_REST_OPEN, /* the turn about Z is open: the shortest turn from +Z was taken */
    TRA_REST_NONE  /* there is no Z axis; nothing is computed */
} tra_rest;

/* tra_rest_of computes the rest pose of a bone in world space. */
tra_rest tra_rest_of(tra_space *out, const tra_bac_bone *bone);

/* tra_local_of computes the rest pose relative to that of the parent, bone(BAC6). The model has a
 * tree, and all its bones have a rest pose. */
void tra_local_of(tra_space *out, const tra_bac *bac, uint32_t bone);

#endif
