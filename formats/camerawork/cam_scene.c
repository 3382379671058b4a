#include "camerawork/cam_scene.h"

#include "camerawork/cam_path.h"
#include "core/format.h"

#include <string.h>

/* A row is a step of a simulation, whose length the program knows; so many are usual. */
#define USUAL_RATE 30.0

/* Where things stand in the rows of cam_replay.c. */
enum { POSITION = 1, RIGHT = 10, UP = 13, COST_OF_KEY = 16 };

static void read_vector(double out[3], const fh_pose_value *values)
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = values[i].r;
    }
}

static void set_column(fh_scene_pose *out, unsigned column, const double vector[3])
{
    for (unsigned i = 0; i < 3; i++) {
        out->matrix[i][column] = vector[i];
    }
}

/* Right, up, and back: against the direction in which it looks. Where the row holds the file's own
 * target that need not have length 1, and where there is no direction the last one was held: so
 * back is made of the other two. */
static void place_camera(fh_scene_pose *out, const fh_pose_value *values)
{
    double right[3];
    double up[3];
    double back[3];
    out->kind = FH_SCENE_CAMERA;
    read_vector(out->origin, values + POSITION);
    read_vector(right, values + RIGHT);
    read_vector(up, values + UP);
    cam_cross(back, right, up);
    set_column(out, 0, right);
    set_column(out, 1, up);
    set_column(out, 2, back);
}

static void place_anchor(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_NODE;
    read_vector(out->origin, values + POSITION);
    for (unsigned i = 0; i < 3; i++) {
        out->matrix[i][i] = 1.0;
    }
}

static bool place(fh_scene_pose *out, const fh_pose_row *row)
{
    const bool is_camera = strcmp(row->table->name, "camera") == 0;
    if (!is_camera && strcmp(row->table->name, "anchor") != 0) {
        return false;
    }
    *out = (fh_scene_pose){.parent = FH_SCENE_NONE, .model = FH_SCENE_NONE};
    if (is_camera) {
        place_camera(out, row->values);
    } else {
        place_anchor(out, row->values);
    }
    return true;
}

/* The positions between two keys are a cubic of the row, as long as both keys hold numbers. */
static void tell_cubic(const fh_scene_sink *out, const cam_path *path, uint32_t first,
                       fh_scene_kind kind)
{
    const cam_key *keys = &path->keys[first];
    const double rows = (double)(keys[1].row - keys[0].row);
    const double unit = cam_path_span(path, first) / rows; /* of time, a row */
    fh_scene_cubic cubic = {.kind = kind};
    for (unsigned side = 0; side < 2; side++) {
        cubic.frame[side] = (double)keys[side].row;
        for (unsigned i = 0; i < 3; i++) {
            cubic.at[side][i] = keys[side].at[i];
            cubic.slope[side][i] = keys[side].rate[i] * unit;
        }
    }
    out->cubic(out->user, &cubic);
}

static fh_status tell_path(const fh_env *env, const fh_scene_sink *out, const cam_model *model,
                           const fh_replay_options *options, bool is_anchor)
{
    const double step = options->time_step > 0 ? options->time_step : 1.0;
    const uint32_t most = model->num_rows < CAM_MOST_ROWS ? model->num_rows : CAM_MOST_ROWS;
    cam_path path;
    const fh_status status = cam_path_make(&path, model, env->arena, is_anchor, most, step);
    for (uint32_t i = 0; status == FH_OK && i + 1 < path.num_keys; i++) {
        if (!fh_pay(env->budget, COST_OF_KEY)) {
            return FH_LIMIT;
        }
        if (!path.keys[i].is_hole && !path.keys[i + 1].is_hole) {
            tell_cubic(out, &path, i, is_anchor ? FH_SCENE_NODE : FH_SCENE_CAMERA);
        }
    }
    return status;
}

static fh_status describe(const fh_env *env, const fh_scene_sink *out, const void *model,
                          const fh_replay_options *options)
{
    static const fh_scene_node anchor = {
        .id = CAM_SCENE_ANCHOR, .name = "anchor", .parent = FH_SCENE_NONE};
    const fh_scene_about about = {.rate = USUAL_RATE, .is_rate_assumed = true, .node = "node"};
    out->about(out->user, &about);
    out->node(out->user, &anchor);
    const fh_status status = tell_path(env, out, model, options, false);
    return status == FH_OK ? tell_path(env, out, model, options, true) : status;
}

const fh_scene cam_scene = {.place = place, .describe = describe};
