/* Scenes: what there is to see of an asset and how the rows of its poses move it, in terms that
 * need no knowledge of a format. Whoever draws or exports reads an asset through this header alone.
 *
 * A scene is made of two parts. `describe` tells once what does not change: nodes and their names,
 * meshes triangle by triangle, images, morphing, and what of it cannot be told in these terms.
 * `place` then turns each row of a replay into what it says about one thing. Everything that is
 * passed on is borrowed for the duration of the call; nothing is kept here.
 *
 * Matrices are rows of a 3x3 part and an origin: p outside = matrix * p inside + origin, columns
 * multiplied from the right, 1.0 = 1.0 whatever the format counts in. Lengths stay in the format's
 * own unit. Colours are those that are sent to a screen, 1.0 = full.
 */
#ifndef FH_CORE_SCENE_H
#define FH_CORE_SCENE_H

#include "core/arena.h"
#include "core/budget.h"
#include "core/cursor.h"
#include "core/pose.h"

#include <stdbool.h>

#define FH_SCENE_NONE UINT32_MAX

/* What a row is about. */
typedef enum fh_scene_kind {
    FH_SCENE_NODE = 0, /* where a node stands, relative to its parent */
    FH_SCENE_WORLD,    /* where a node stands, relative to nothing */
    FH_SCENE_VIEW,     /* of a camera: from world space into that of a camera which looks along its
                          z axis, its y axis pointing down */
    FH_SCENE_CAMERA,   /* where a camera stands in world space: it looks along its negative z axis,
                          its y axis pointing up */
    FH_SCENE_LIGHT,    /* a light from infinitely far away */
    FH_SCENE_WEIGHT    /* how much a morph target counts */
} fh_scene_kind;

typedef struct fh_scene_pose {
    fh_scene_kind kind;
    uint32_t id;     /* of the thing, among those of its kind (worlds are those of nodes) */
    uint32_t tenant; /* who is in a place that several may hold in turn, else 0: another tenant is
                        another thing */
    uint32_t parent; /* NODE: id of the node it is relative to in this frame, or NONE */
    uint32_t model;  /* NODE: number of what it looks like, among the models that belong to the
                        asset without being in it; NONE: it has no looks of that kind */
    bool is_hidden;  /* NODE: what it looks like is not shown; what hangs on it may be */
    double matrix[3][3];
    double origin[3];
    double vector[3]; /* LIGHT: towards the light, of any length */
    double colour[3]; /* LIGHT */
    double value;     /* WEIGHT; VIEW and CAMERA: distance of the picture, whose height is 2, from
                         the eye, or 0 where that is not known */
} fh_scene_pose;

/* What the parts of a scene have in common. */
typedef struct fh_scene_about {
    bool is_y_down; /* x right, y down, z away from the viewer; else x right, y up, z towards him */
    bool is_held;   /* a pose stays until the next one; else what is between is in between */
    double rate;    /* numbers of frames a second */
    bool is_rate_assumed; /* the format does not say; rate is what is usual */
    const char *node;     /* what a node is called that has no name: "object" */
} fh_scene_about;

/* A node that does not move by itself, or has more to be known of than its rows say. */
typedef struct fh_scene_node {
    uint32_t id;
    const char *name; /* UTF-8 unless the asset says otherwise, hostile; NULL: none */
    uint64_t offset;  /* bytes from the start of the asset */
    uint32_t parent;  /* of `rest`, or NONE */
    bool has_rest;    /* its rows are relative to a rest pose, which is relative to its parent */
    double matrix[3][3];
    double origin[3];
} fh_scene_node;

/* An image: rows from top to bottom, each pixel red, green, blue, alpha. */
typedef struct fh_scene_image {
    uint32_t id; /* from 0, in order */
    uint32_t width, height;
    bool has_holes; /* some alpha is 0 */
    bool has_glass; /* some alpha is neither 0 nor full */
    const uint8_t *pixels;
} fh_scene_image;

/* What a mesh belongs to. */
typedef enum fh_scene_owner {
    FH_SCENE_OF_NODE = 0, /* it moves with that node */
    FH_SCENE_OF_MODEL,    /* it is what nodes with that number of a model look like */
    FH_SCENE_OF_WORLD,    /* it stands in world space */
    FH_SCENE_OF_JOINTS    /* each corner moves with a node of its own */
} fh_scene_owner;

typedef struct fh_scene_mesh {
    fh_scene_owner owner;
    uint32_t id; /* of the node, number of the model */
    uint64_t offset;
} fh_scene_mesh;

typedef struct fh_scene_corner {
    double position[3];
    double normal[3]; /* 0 0 0: none */
    double uv[2];     /* 0..1 of the image */
    double colour[3]; /* may be above 1.0 on an image, which it then brightens */
    uint32_t vertex;  /* number of the position that morphing knows it by */
    uint32_t normal_number;
    uint32_t joint; /* OF_JOINTS: id of a node */
} fh_scene_corner;

/* A triangle of the mesh that was begun last, counterclockwise seen from its front, where y is up.
 */
typedef struct fh_scene_triangle {
    fh_scene_corner corners[3];
    uint32_t image; /* id, or NONE */
    bool is_lit;
    bool is_double_sided;
    bool is_glass; /* half transparent, unless it has an image: that says where */
} fh_scene_triangle;

/* A morph target: weight `weight` times `by` is added to the vertex (or normal) of that number. */
typedef struct fh_scene_delta {
    uint32_t weight;
    uint32_t number;
    bool is_normal;
    double by[3];
} fh_scene_delta;

/* A weight that deltas name, and what it is while no row says otherwise. */
typedef struct fh_scene_weight {
    uint32_t id;
    uint32_t key; /* as the format counts */
    double value;
} fh_scene_weight;

/* A piece of a cubic of a node's or camera's origin: from frame to frame, with the slope a frame at
 * both ends. Pieces are told in order. */
typedef struct fh_scene_cubic {
    fh_scene_kind kind; /* NODE or CAMERA */
    uint32_t id;
    double frame[2];
    double at[2][3];
    double slope[2][3];
} fh_scene_cubic;

/* All callbacks are there; one of no use does nothing. A sink that fails remembers that itself. */
typedef struct fh_scene_sink {
    void *user;
    void (*about)(void *user, const fh_scene_about *about);
    void (*node)(void *user, const fh_scene_node *node);
    void (*image)(void *user, const fh_scene_image *image);
    void (*mesh)(void *user, const fh_scene_mesh *mesh);
    void (*triangle)(void *user, const fh_scene_triangle *triangle);
    void (*weight)(void *user, const fh_scene_weight *weight);
    void (*delta)(void *user, const fh_scene_delta *delta);
    void (*cubic)(void *user, const fh_scene_cubic *cubic);
    void (*remark)(void *user, const char *text); /* what is not told, or not as it is; constant */
} fh_scene_sink;

struct fh_env;
struct fh_replay_options;

/* Files of models that the rows' numbers name. */
typedef struct fh_scene_models {
    const char *extension; /* lower case, without dot; the option of the program is called so too */
    const char *title;
    /* describe tells the models in bytes as meshes. FH_NOT_THIS_FORMAT and FH_CORRUPT: it is none,
     * or not all of it could be read: `why` (constant) and at which byte; FH_LIMIT, FH_NO_MEMORY.
     * What was told before that is good. */
    fh_status (*describe)(const struct fh_env *env, const fh_scene_sink *out, fh_cursor bytes,
                          const char **why, uint64_t *at) FH_MUST_USE;
} fh_scene_models;

typedef struct fh_scene {
    bool wants_world; /* rows in world space are needed where a node changes its parent */

    /* place turns a row of replay into what it says; false: nothing about the scene. */
    bool (*place)(fh_scene_pose *out, const fh_pose_row *row);

    /* describe tells what there is, of a model from verify. What is cut off or refers to nothing is
     * left out and remarked upon. FH_LIMIT or FH_NO_MEMORY: not everything was told. */
    fh_status (*describe)(const struct fh_env *env, const fh_scene_sink *out, const void *model,
                          const struct fh_replay_options *options) FH_MUST_USE;

    const fh_scene_models *models; /* NULL: everything is in the asset */
} fh_scene;

#endif
