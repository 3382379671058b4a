#include "camerawork/cam_path.h"

#include <assert.h>

static uint32_t count_keys(const cam_path *path, bool is_anchor)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < path->most_rows; i++) {
        const cam_row *row = &path->model->rows[i];
        num += (is_anchor ? row->is_anchor_key : row->is_key) ? 1u : 0u;
    }
    return num;
}

static cam_key key_of(const cam_model *model, uint32_t index, bool is_anchor)
{
    const cam_row *row = &model->rows[index];
    cam_key key = {.row = index, .at = &row->values[is_anchor ? CAM_ANCHOR : CAM_POS]};
    key.is_hole =
        is_anchor ? !cam_is_finite(row, CAM_ANCHOR, CAM_ANCHOR_PARTS) : !cam_camera_counts(row);
    key.is_stored = !is_anchor && row->is_stored;
    for (unsigned i = 0; i < CAM_CAMERA_PARTS && key.is_stored; i++) {
        key.rate[i] = row->values[CAM_VEL + i];
    }
    return key;
}

/* The neighbours' difference; of an end, or beside a hole, that towards the only neighbour. */
static void derive_rates(cam_path *path, uint32_t index)
{
    cam_key *key = &path->keys[index];
    const bool has_before = index > 0 && !path->keys[index - 1].is_hole;
    const bool has_behind = index + 1 < path->num_keys && !path->keys[index + 1].is_hole;
    const cam_key *from = has_before ? key - 1 : key;
    const cam_key *to = has_behind ? key + 1 : key;
    if (!has_before && !has_behind) {
        return; /* nothing to move to */
    }
    key->is_one_sided = !has_before || !has_behind;
    const double time = (double)(to->row - from->row) * path->time_step;
    for (unsigned i = 0; i < path->num_parts; i++) {
        key->rate[i] = (to->at[i] - from->at[i]) / time;
    }
}

fh_status cam_path_make(cam_path *path, const cam_model *model, fh_arena *arena, bool is_anchor,
                        uint32_t most_rows, double time_step)
{
    *path = (cam_path){.model = model,
                       .num_parts = is_anchor ? CAM_ANCHOR_PARTS : CAM_CAMERA_PARTS,
                       .most_rows = most_rows,
                       .time_step = time_step};
    const uint32_t num = count_keys(path, is_anchor);
    path->keys = fh_arena_alloc(arena, num, sizeof *path->keys);
    if (path->keys == NULL) {
        return FH_NO_MEMORY;
    }
    for (uint32_t i = 0; i < most_rows; i++) {
        const cam_row *row = &model->rows[i];
        if (is_anchor ? row->is_anchor_key : row->is_key) {
            path->keys[path->num_keys++] = key_of(model, i, is_anchor);
        }
    }
    assert(path->num_keys == num);
    for (uint32_t i = 0; i < num; i++) {
        if (!path->keys[i].is_stored && !path->keys[i].is_hole) {
            derive_rates(path, i);
        }
    }
    return FH_OK;
}

double cam_path_span(const cam_path *path, uint32_t first)
{
    const cam_key *a = &path->keys[first];
    return (double)(a[1].row - a->row) * path->time_step;
}

void cam_path_between(double *out, const cam_path *path, uint32_t first, uint32_t row)
{
    const cam_key *a = &path->keys[first];
    const cam_key *b = a + 1;
    assert(a->row < row && row < b->row);
    const double span = cam_path_span(path, first);
    const double u = (double)(row - a->row) / (double)(b->row - a->row);
    const double u2 = u * u;
    const double u3 = u2 * u;
    const double weight_a = 2 * u3 - 3 * u2 + 1;
    const double weight_rate_a = (u3 - 2 * u2 + u) * span;
    const double weight_b = -2 * u3 + 3 * u2;
    const double weight_rate_b = (u3 - u2) * span;
    for (unsigned i = 0; i < path->num_parts; i++) {
        double sum = weight_a * a->at[i];
        sum = sum + weight_rate_a * a->rate[i];
        sum = sum + weight_b * b->at[i];
        sum = sum + weight_rate_b * b->rate[i];
        out[i] = sum;
    }
}

cam_poly cam_path_poly(const cam_path *path, uint32_t first, unsigned part)
{
    const cam_key *a = &path->keys[first];
    const cam_key *b = a + 1;
    const double span = cam_path_span(path, first);
    return cam_poly_hermite(a->at[part], a->rate[part] * span, b->at[part], b->rate[part] * span);
}
