#include "tod/tod_scene.h"

#include "core/format.h"
#include "tod/tod_model.h"
#include "tod/tod_tmd.h"

#include <string.h>

#define ONE 4096.0
#define TICKS_A_SECOND 60.0
#define HIDDEN ((int64_t)1 << 31) /* of the attribute */

/* Where things stand in the rows of tod_poses.c. */
enum { OBJECT = 1, ATTRIBUTE = 2, MODEL = 3, PARENT = 4, LOCAL = 5, WORLD = 2, COLOUR = 4 };

static void read_matrix(fh_scene_pose *out, const fh_pose_value *values)
{
    for (unsigned i = 0; i < 9; i++) {
        out->matrix[i / 3][i % 3] = (double)values[i].i / ONE;
    }
    for (unsigned i = 0; i < 3; i++) {
        out->origin[i] = (double)values[9 + i].i;
    }
}

static uint32_t number_or_none(fh_pose_value value)
{
    return value.i == FH_UNKNOWN ? FH_SCENE_NONE : (uint32_t)value.i;
}

static void place_object(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_NODE;
    out->tenant = (uint32_t)values[OBJECT].i;
    out->parent = number_or_none(values[PARENT]);
    out->model = number_or_none(values[MODEL]);
    out->is_hidden = (values[ATTRIBUTE].i & HIDDEN) != 0;
    read_matrix(out, values + LOCAL);
}

static void place_world(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_WORLD;
    out->tenant = (uint32_t)values[OBJECT].i;
    read_matrix(out, values + WORLD);
}

/* A light is given by the direction in which it shines. */
static void place_light(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_LIGHT;
    for (unsigned i = 0; i < 3; i++) {
        out->vector[i] = (double)(0 - values[1 + i].i); /* a 0 has no sign */
        out->colour[i] = (double)values[COLOUR + i].i / 255.0;
    }
}

static bool place(fh_scene_pose *out, const fh_pose_row *row)
{
    static const struct {
        const char *table;
        void (*place)(fh_scene_pose *out, const fh_pose_value *values);
    } tables[] = {{"object", place_object}, {"world", place_world}, {"light", place_light}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (strcmp(row->table->name, tables[i].table) == 0) {
            *out = (fh_scene_pose){
                .id = (uint32_t)row->values[0].i, .parent = FH_SCENE_NONE, .model = FH_SCENE_NONE};
            tables[i].place(out, row->values);
            return true;
        }
    }
    return false;
}

/* Every frame is shown for `resolution` ticks of a sixtieth of a second (manual); 0 is told as a
 * finding, and taken for 1. */
static fh_status describe(const fh_env *env, const fh_scene_sink *out, const void *model,
                          const fh_replay_options *options)
{
    const tod_model *tod = model;
    (void)env;
    (void)options;
    const double ticks = tod->resolution == 0 ? 1.0 : (double)tod->resolution;
    const fh_scene_about about = {
        .is_y_down = true, .is_held = true, .rate = TICKS_A_SECOND / ticks, .node = "object"};
    out->about(out->user, &about);
    return FH_OK;
}

const fh_scene tod_scene = {
    .wants_world = true, .place = place, .describe = describe, .models = &tod_tmd_models};
