/* World matrices of the coordinate units, as the library's forced computation gives them (animation
 * sheet, section 7): a root's is its own matrix, a child's the product with its parent's.
 *
 * The caller owns all arrays, each of `num` elements, and has normalised the supers to numbers of
 * units.
 */
#ifndef FH_HMD_WORLD_H
#define FH_HMD_WORLD_H

#include "fixed/fixed.h"
#include "hmd/hmd_access.h"

typedef struct hmd_world {
    uint32_t first_unit; /* word offset of unit 0 */
    uint32_t num;
    const int32_t *parent; /* number of the parent's unit, -1 = root */
    uint32_t *order;       /* filled by hmd_world_sort: parents before their children */
    fx_matrix *matrix;     /* filled by hmd_world_update */
    bool *saturated;       /* filled by both: a product was saturated or a translation wrapped */
    uint32_t num_saturated;
} hmd_world;

/* hmd_world_sort orders the units, in time linear in their number; call it once. false, and an
 * order that must not be used, when a parent is no unit or the parents form a cycle. */
bool hmd_world_sort(hmd_world *world) FH_MUST_USE;

/* hmd_world_local reads the matrix of a unit, given by its word offset; false, and nothing read,
 * when it does not lie inside. */
bool hmd_world_local(const hmd_image *image, uint32_t unit, fx_matrix *out) FH_MUST_USE;

/* hmd_world_update computes all matrices from the units' present state. Costs 20 units of the
 * budget each. Matrices, `saturated` and its count hold only after OK. */
hmd_outcome hmd_world_update(hmd_world *world, const hmd_image *image, fh_budget *budget);

#endif
