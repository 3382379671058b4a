#include "tra/tra_scene.h"

#include "core/format.h"
#include "tra/tra_name.h"
#include "tra/tra_world.h"

#include <string.h>

/* Neither the manual nor the run-time says how long a frame is; so many are usual. */
#define USUAL_RATE 30.0

/* Of a row of tra_replay.c: where its matrix begins, behind the bone and ten values. */
enum { MATRIX = 11, COST_OF_NODE = 64 };

static bool place(fh_scene_pose *out, const fh_pose_row *row)
{
    if (strcmp(row->table->name, "bone") != 0) {
        return false;
    }
    const fh_pose_value *values = row->values;
    *out = (fh_scene_pose){.kind = FH_SCENE_NODE,
                           .id = (uint32_t)values[0].i,
                           .parent = FH_SCENE_NONE,
                           .model = FH_SCENE_NONE};
    for (unsigned i = 0; i < 9; i++) {
        out->matrix[i / 3][i % 3] = values[MATRIX + i].r;
    }
    for (unsigned i = 0; i < 3; i++) {
        out->origin[i] = values[MATRIX + 9 + i].r;
    }
    return true;
}

/* The name of a bone, or NULL: it has none, or one that is no text. */
static const char *read_name(tra_name_text *out, const tra_model *model, const tra_bone *bone)
{
    if (!bone->has_name) {
        return NULL;
    }
    const fh_token token = tra_name(bone);
    if (!tra_name_read(out, &model->scan, &token)) {
        return NULL;
    }
    out->bytes[out->len] = '\0';
    return out->bytes;
}

static void tell_node(const fh_scene_sink *out, const tra_model *model, uint32_t index,
                      bool has_rest)
{
    const tra_bone *bone = &model->bones[index];
    tra_name_text name;
    fh_scene_node node = {.id = index,
                          .name = read_name(&name, model, bone),
                          .offset = bone->at.off,
                          .parent = FH_SCENE_NONE};
    if (has_rest) {
        const uint32_t parent = model->bac->bones[index].parent;
        tra_space rest;
        tra_local_of(&rest, model->bac, index);
        node.has_rest = true;
        node.parent = parent == TRA_NONE ? FH_SCENE_NONE : parent;
        memcpy(node.matrix, rest.matrix, sizeof node.matrix);
        memcpy(node.origin, rest.origin, sizeof node.origin);
    }
    out->node(out->user, &node);
}

/* As replay in world space wants it. */
static bool has_rests(const tra_model *model)
{
    const tra_bac *bac = model->bac;
    return bac != NULL && bac->has_tree && bac->has_rest && bac->num_bones == model->num_bones;
}

static fh_status describe(const fh_env *env, const fh_scene_sink *out, const void *model,
                          const fh_replay_options *options)
{
    const tra_model *tra = model;
    const bool has_rest = has_rests(tra);
    const fh_scene_about about = {.rate = USUAL_RATE, .is_rate_assumed = true, .node = "bone"};
    (void)options;
    out->about(out->user, &about);
    if (!has_rest) {
        out->remark(out->user, "how the bones hang together and where they rest is in the model's "
                               "BAC6 text (--bac): each is shown by itself, as it moves from its "
                               "rest");
    }
    if (tra->has_dynamic) {
        out->remark(out->user, "dynamic polygons are those of the model and are not shown");
    }
    for (uint32_t i = 0; i < tra->num_bones; i++) {
        if (!fh_pay(env->budget, COST_OF_NODE)) {
            return FH_LIMIT;
        }
        tell_node(out, tra, i, has_rest);
    }
    return FH_OK;
}

const fh_scene tra_scene = {.place = place, .describe = describe};
