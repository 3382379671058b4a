/* The evaluator: what a channel's value is at a frame, and the pose that comes of ten of them.
 *
 * Double precision throughout, from values of single precision, with sine and cosine of
 * its own (tra_math.h), so that every machine computes the same. A frame may be any real number.
 * Order of a pose: scale, roll, rotate, translate (manual); rotate is the shortest turn from +Z to
 * the direction, which is normalised after interpolation (engines).
 */
#ifndef FH_TRA_EVAL_H
#define FH_TRA_EVAL_H

#include "tra/tra_model.h"

/* A channel ready to be sampled. `at` is the key that the last sample was found at: samples at
 * rising frames cost a step each. */
typedef struct tra_curve {
    const tra_key *keys; /* playable ones, or none */
    uint32_t num;
    uint32_t at;
    double identity;
} tra_curve;

/* tra_curves_of fills the ten curves of a bone. A channel that is missing or cannot be played
 * becomes a curve without keys. */
void tra_curves_of(tra_curve out[TRA_NUM_KINDS], const tra_model *model, const tra_bone *bone);

/* tra_sample evaluates a curve: the identity without keys, the first value before the first key,
 * the last one behind the last, else linear in between. */
double tra_sample(tra_curve *curve, double frame);

typedef enum tra_special {
    TRA_ORDINARY = 0,
    TRA_ZERO_DIRECTION, /* shown as +Z, the rest pose */
    TRA_MINUS_Z         /* half a turn about X */
} tra_special;

typedef struct tra_pose {
    double translate[3];
    double direction[3]; /* of length 1 */
    double roll;         /* degrees */
    double scale[3];     /* 100 = original size */
    double matrix[3][3]; /* rows; column vectors are multiplied from the right */
    tra_special special;
} tra_pose;

/* tra_pose_of computes a pose from the ten values, in the order of enum tra_kind. */
void tra_pose_of(tra_pose *out, const double values[TRA_NUM_KINDS]);

/* tra_rotation is the shortest turn from +Z to the direction of a vector that need not have length
 * 1, and the direction itself. */
tra_special tra_rotation(double out[3][3], double direction[3], const double vector[3]);

/* Below this square of its length a vector has no direction. */
#define TRA_NO_LENGTH_SQUARED 1e-24

#endif
