/* Matrices of 3x3 taken apart into turns and scales, in double precision. */
#ifndef FH_REPORTS_GLTF_MATRIX_H
#define FH_REPORTS_GLTF_MATRIX_H

#include <stdbool.h>

/* How far what is put together again may be from the matrix, relative to its largest element (or 1
 * if that is smaller); single precision takes a tenth of it. */
#define FH_GLTF_EXACT 2e-6

/* matrix = turn * scale along the axes * inner turn; quaternions are x, y, z, w. */
typedef struct fh_gltf_parts {
    double turn[4];
    double scale[3];
    double inner[4];
} fh_gltf_parts;

/* fh_gltf_split finds a turn and a scale alone, with no inner turn; false if there are none. */
bool fh_gltf_split(fh_gltf_parts *out, const double matrix[3][3]);

/* fh_gltf_decompose takes any finite matrix apart. */
void fh_gltf_decompose(fh_gltf_parts *out, const double matrix[3][3]);

/* fh_gltf_compose puts the parts together. */
void fh_gltf_compose(double matrix[3][3], const fh_gltf_parts *parts);

/* fh_gltf_turn_to is the shortest turn from +Z to the direction of a vector; false, and no turn, if
 * it has none. */
bool fh_gltf_turn_to(double turn[4], const double vector[3]);

/* fh_gltf_invert inverts a matrix with its origin; false if it is singular. */
bool fh_gltf_invert(double matrix[3][3], double origin[3]);

#endif
