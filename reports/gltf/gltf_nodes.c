/* The tree of nodes: a root that turns everything the way glTF wants it, and below it what the rows
 * are about. */
#include "reports/gltf/gltf_impl.h"

#include "reports/gltf/gltf_matrix.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/* Half a turn about the x axis: y and z point the other way. */
static const float half_turn[4] = {1, 0, 0, 0};

uint32_t fh_gltf_add_node(fh_gltf *gltf, fh_gltf_role role, uint32_t parent, uint32_t track)
{
    fh_gltf_node *node = fh_gltf_add(&gltf->nodes, sizeof *node);
    if (node == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    *node = (fh_gltf_node){.role = role,
                           .parent = parent,
                           .track = track,
                           .mesh = FH_GLTF_NO,
                           .skin = FH_GLTF_NO,
                           .camera = FH_GLTF_NO,
                           .light = FH_GLTF_NO,
                           .rotation = {0, 0, 0, 1},
                           .scale = {1, 1, 1},
                           .model = FH_SCENE_NONE};
    return (uint32_t)(gltf->nodes.num - 1);
}

/* ---- who hangs on whom ----------------------------------------------------------------------- */

static const fh_gltf_told_node *told_of(const fh_gltf *gltf, const fh_gltf_track *track)
{
    const uint32_t index = fh_gltf_map_find(&gltf->told_of, track->id);
    return index == FH_GLTF_NO || track->tenant != 0
               ? NULL
               : FH_GLTF_AT(gltf->told, fh_gltf_told_node, index);
}

static void take_told_parents(fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        const fh_gltf_told_node *told = track->kind == FH_SCENE_NODE ? told_of(gltf, track) : NULL;
        if (told != NULL && told->node.has_rest) {
            track->parent = told->node.parent == FH_SCENE_NONE
                                ? FH_GLTF_NO
                                : fh_gltf_find_track(gltf, FH_SCENE_NODE, told->node.parent, 0);
        }
    }
}

/* Up from each track until the top or one that was passed before: whoever meets himself on the way
 * is let go. `top` serves as the mark of who passed. */
static void cut_cycles(fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        fh_gltf_track_at(gltf, i)->top = FH_GLTF_NO;
    }
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        uint32_t at = (uint32_t)i;
        while (at != FH_GLTF_NO && fh_gltf_track_at(gltf, at)->top == FH_GLTF_NO) {
            fh_gltf_track *track = fh_gltf_track_at(gltf, at);
            track->top = (uint32_t)i;
            const uint32_t parent = track->is_moved_on ? FH_GLTF_NO : track->parent;
            if (parent != FH_GLTF_NO && fh_gltf_track_at(gltf, parent)->top == i) {
                track->is_moved_on = true;
                fh_gltf_say(gltf, "objects that are each other's parents: one of them stands by "
                                  "itself");
            }
            at = parent;
        }
    }
}

/* ---- poses ----------------------------------------------------------------------------------- */

/* One node or two, one inside the other, that move as the keys say. Returns the first one. */
static uint32_t make_moved(fh_gltf *gltf, uint32_t track_index, fh_gltf_role role,
                           const fh_gltf_array *keys, uint32_t *tip)
{
    const bool is_single = fh_gltf_is_single(keys);
    const uint32_t outer = fh_gltf_add_node(
        gltf, is_single || role == FH_GLTF_REST ? role : FH_GLTF_OUTER, FH_GLTF_NO, track_index);
    *tip = is_single ? outer : fh_gltf_add_node(gltf, FH_GLTF_INNER, outer, track_index);
    if (gltf->error == 0) {
        fh_gltf_move(gltf, outer, *tip, fh_gltf_track_at(gltf, track_index), keys);
    }
    return outer;
}

static uint32_t make_rest(fh_gltf *gltf, uint32_t index, const fh_scene_node *node, uint32_t *tip)
{
    fh_gltf_key rest = {.frame = 0};
    for (unsigned i = 0; i < 9; i++) {
        rest.matrix[i] = (float)node->matrix[i / 3][i % 3] + 0.0f;
    }
    for (unsigned i = 0; i < 3; i++) {
        rest.origin[i] = (float)node->origin[i] + 0.0f;
    }
    fh_gltf_array keys = {&rest, 1, 1};
    return make_moved(gltf, index, FH_GLTF_REST, &keys, tip);
}

static void make_track(fh_gltf *gltf, uint32_t index)
{
    const fh_gltf_track *track = fh_gltf_track_at(gltf, index);
    const fh_gltf_told_node *told = track->kind == FH_SCENE_NODE ? told_of(gltf, track) : NULL;
    const bool is_world = track->is_moved_on && track->worlds.num > 0;
    uint32_t tip = 0;
    uint32_t rest_tip = 0;
    uint32_t top = FH_GLTF_NO;
    if (told != NULL && told->node.has_rest) {
        top = make_rest(gltf, index, &told->node, &rest_tip);
    }
    const uint32_t pose =
        make_moved(gltf, index, FH_GLTF_POSE, is_world ? &track->worlds : &track->keys, &tip);
    if (gltf->error != 0) {
        return;
    }
    if (top != FH_GLTF_NO) {
        fh_gltf_node_at(gltf, pose)->parent = rest_tip;
    }
    fh_gltf_node_at(gltf, pose)->is_world = track->is_moved_on;
    fh_gltf_track *made = fh_gltf_track_at(gltf, index);
    made->top = top == FH_GLTF_NO ? pose : top;
    made->pose = pose;
    made->tip = tip;
    if (track->is_moved_on) {
        fh_gltf_say(gltf, is_world
                              ? "objects whose parents change stand in world space"
                              : "objects whose parents change, or are not there, and that have "
                                "no place in world space: their poses are relative to what is "
                                "not shown");
    }
    if (is_world && track->is_worldless) {
        fh_gltf_say(gltf, "objects that are their own ancestors have no place in world space: the "
                          "one before is kept meanwhile");
    }
}

static void hang(fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        const bool is_on_root =
            track->kind != FH_SCENE_NODE || track->is_moved_on || track->parent == FH_GLTF_NO;
        if (track->kind != FH_SCENE_WEIGHT) {
            fh_gltf_node_at(gltf, track->top)->parent =
                is_on_root ? gltf->root : fh_gltf_track_at(gltf, track->parent)->tip;
        }
    }
}

/* ---- looks ----------------------------------------------------------------------------------- */

static bool has_parts(const fh_gltf *gltf, uint32_t mesh)
{
    return mesh != FH_GLTF_NO && FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, mesh)->parts.num > 0;
}

/* A mesh on a node, or on one of its own that can be hidden. */
static void dress(fh_gltf *gltf, uint32_t index, uint32_t mesh, uint32_t model)
{
    const fh_gltf_track *track = fh_gltf_track_at(gltf, index);
    const bool is_always =
        track->looks.num == 1 && FH_GLTF_AT(track->looks, fh_gltf_look, 0)->is_shown;
    if (!has_parts(gltf, mesh)) {
        return;
    }
    const bool has_room = fh_gltf_node_at(gltf, track->tip)->mesh == FH_GLTF_NO;
    const uint32_t node = is_always && has_room
                              ? track->tip
                              : fh_gltf_add_node(gltf, FH_GLTF_LOOK, track->tip, index);
    if (gltf->error != 0) {
        return;
    }
    fh_gltf_node_at(gltf, node)->mesh = mesh;
    fh_gltf_node_at(gltf, node)->model = model;
    if (!is_always) {
        fh_gltf_show(gltf, node, track, model);
    }
    fh_gltf_morph(gltf, node, FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, mesh));
}

static void dress_in_models(fh_gltf *gltf, uint32_t index)
{
    fh_gltf_map done = {0};
    for (size_t i = 0; i < fh_gltf_track_at(gltf, index)->looks.num && gltf->error == 0; i++) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, index);
        const uint32_t model = FH_GLTF_AT(track->looks, fh_gltf_look, i)->model;
        if (model == FH_SCENE_NONE || fh_gltf_map_find(&done, model) != FH_GLTF_NO) {
            continue;
        }
        if (!fh_gltf_map_put(&done, model, 1)) {
            fh_gltf_fail(gltf, ENOMEM);
        }
        dress(gltf, index, fh_gltf_find_mesh(gltf, FH_SCENE_OF_MODEL, model), model);
    }
    fh_gltf_map_free(&done);
}

static void dress_all(fh_gltf *gltf, bool has_markers)
{
    for (uint32_t i = 0; i < gltf->tracks.num && gltf->error == 0; i++) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        if (track->kind != FH_SCENE_NODE) {
            continue;
        }
        if (has_markers) {
            dress(gltf, i, fh_gltf_find_mesh(gltf, FH_SCENE_OF_MODEL, FH_GLTF_MARKER),
                  FH_GLTF_MARKER);
        } else {
            dress(gltf, i, fh_gltf_find_mesh(gltf, FH_SCENE_OF_NODE, track->id), FH_GLTF_MARKER);
            dress_in_models(gltf, i);
        }
    }
}

static void add_bodies(fh_gltf *gltf)
{
    for (uint32_t i = 0; i < gltf->meshes.num && gltf->error == 0; i++) {
        fh_gltf_mesh *mesh = FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, i);
        const bool is_skin = mesh->owner == FH_SCENE_OF_JOINTS;
        if (!has_parts(gltf, i) || (!is_skin && mesh->owner != FH_SCENE_OF_WORLD)) {
            continue;
        }
        const uint32_t node =
            fh_gltf_add_node(gltf, FH_GLTF_BODY, is_skin ? FH_GLTF_NO : gltf->root, FH_GLTF_NO);
        if (gltf->error == 0) {
            fh_gltf_node_at(gltf, node)->mesh = i;
            fh_gltf_node_at(gltf, node)->skin = is_skin ? 0 : FH_GLTF_NO;
            fh_gltf_morph(gltf, node, mesh);
        }
    }
}

/* ---- cameras and lights ---------------------------------------------------------------------- */

static uint32_t add_number(fh_gltf *gltf, fh_gltf_array *to, uint32_t number)
{
    uint32_t *item = fh_gltf_add(to, sizeof *item);
    if (item == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    *item = number;
    return (uint32_t)(to->num - 1);
}

static void add_device(fh_gltf *gltf, uint32_t index)
{
    const fh_gltf_track *track = fh_gltf_track_at(gltf, index);
    if (track->kind == FH_SCENE_VIEW) {
        const uint32_t lens = fh_gltf_add_node(gltf, FH_GLTF_LENS, track->tip, index);
        if (gltf->error == 0) {
            memcpy(fh_gltf_node_at(gltf, lens)->rotation, half_turn, sizeof half_turn);
            fh_gltf_node_at(gltf, lens)->camera = add_number(gltf, &gltf->cameras, index);
        }
    } else if (track->kind == FH_SCENE_CAMERA) {
        fh_gltf_node_at(gltf, track->tip)->camera = add_number(gltf, &gltf->cameras, index);
    } else if (track->kind == FH_SCENE_LIGHT) {
        fh_gltf_node_at(gltf, track->tip)->light = add_number(gltf, &gltf->lights, index);
        if (track->is_coloured_anew) {
            fh_gltf_say(gltf, "glTF cannot change a light's colour: the first one is kept");
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* How far from the middle anything gets; for the size of markers. */
static double size_of_all(const fh_gltf *gltf)
{
    double most = 0;
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, i);
        for (size_t k = 0; k < track->keys.num && track->kind == FH_SCENE_NODE; k++) {
            const fh_gltf_key *key = FH_GLTF_AT(track->keys, fh_gltf_key, k);
            for (unsigned c = 0; c < 3; c++) {
                most = fmax(most, fabs((double)key->origin[c]));
            }
        }
    }
    for (size_t i = 0; i < gltf->told.num; i++) {
        for (unsigned c = 0; c < 3; c++) {
            const double size = fabs(FH_GLTF_AT(gltf->told, fh_gltf_told_node, i)->node.origin[c]);
            most = isfinite(size) ? fmax(most, size) : most;
        }
    }
    return most > 0 ? most : 1.0;
}

static bool has_nodes(const fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->tracks.num; i++) {
        if (fh_gltf_track_at(gltf, i)->kind == FH_SCENE_NODE) {
            return true;
        }
    }
    return false;
}

void fh_gltf_make_nodes(fh_gltf *gltf)
{
    const bool has_markers = gltf->meshes.num == 0 && has_nodes(gltf);
    gltf->root = fh_gltf_add_node(gltf, FH_GLTF_ROOT, FH_GLTF_NO, FH_GLTF_NO);
    if (gltf->error == 0 && gltf->about.is_y_down) {
        memcpy(fh_gltf_node_at(gltf, gltf->root)->rotation, half_turn, sizeof half_turn);
    }
    if (has_markers) {
        fh_gltf_add_markers(gltf, size_of_all(gltf));
    }
    fh_gltf_make_meshes(gltf);
    take_told_parents(gltf);
    cut_cycles(gltf);
    for (uint32_t i = 0; i < gltf->tracks.num && gltf->error == 0; i++) {
        if (fh_gltf_track_at(gltf, i)->kind != FH_SCENE_WEIGHT) {
            make_track(gltf, i);
        }
    }
    if (gltf->error == 0) {
        hang(gltf);
        dress_all(gltf, has_markers);
        add_bodies(gltf);
    }
    for (uint32_t i = 0; i < gltf->tracks.num && gltf->error == 0; i++) {
        add_device(gltf, i);
    }
}
