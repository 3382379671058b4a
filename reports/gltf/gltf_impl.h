/* What the modules of the glTF writer share; nobody else includes it.
 *
 * gltf.c collects: tracks (one for each thing that rows are about) with a key wherever something
 * changes, and what the scene tells. gltf_mesh.c collects triangles and makes meshes of them,
 * gltf_nodes.c makes the tree of nodes, gltf_motion.c the channels of its animation, gltf_json.c
 * writes it all.
 */
#ifndef FH_REPORTS_GLTF_IMPL_H
#define FH_REPORTS_GLTF_IMPL_H

#include "reports/gltf/gltf.h"
#include "reports/gltf/gltf_bytes.h"
#include "reports/out.h"

/* ---- what was collected ---- */

/* Where something stands from a frame on. */
typedef struct fh_gltf_key {
    uint32_t frame;
    float matrix[9]; /* row by row */
    float origin[3];
} fh_gltf_key;

typedef struct fh_gltf_look {
    uint32_t frame;
    uint32_t model;
    bool is_shown;
} fh_gltf_look;

typedef struct fh_gltf_value {
    uint32_t frame;
    float value;
} fh_gltf_value;

typedef struct fh_gltf_track {
    fh_scene_kind kind; /* NODE, VIEW, CAMERA, LIGHT, WEIGHT */
    uint32_t id, tenant;
    fh_gltf_array keys;   /* fh_gltf_key; of a light the turn from +Z towards it */
    fh_gltf_array worlds; /* fh_gltf_key, in world space */
    fh_gltf_array looks;  /* fh_gltf_look */
    fh_gltf_array values; /* fh_gltf_value, of a weight */
    uint32_t seen;        /* 1 + the last frame with a row */
    uint32_t world_seen;  /* the same of worlds */
    uint32_t parent_id;   /* in the last frame */
    uint32_t parent;      /* index of a track, FH_GLTF_NO = none */
    bool has_parent;      /* parent is known */
    bool is_moved_on;     /* its parent changed, or was not there */
    bool is_worldless;    /* a frame had a row of it, and none in world space */
    bool is_coloured_anew;
    double colour[3];
    double value; /* first one: of a weight, or a camera's */

    /* What became of it: indices of nodes. */
    uint32_t top;  /* hangs on the parent */
    uint32_t pose; /* what moves: the outer one of two */
    uint32_t tip;  /* what hangs on it is a child of this */
} fh_gltf_track;

typedef struct fh_gltf_told_node {
    char *name; /* owned */
    fh_scene_node node;
} fh_gltf_told_node;

typedef struct fh_gltf_told_finding {
    const fh_rule *rule;
    int64_t offset, frame, object;
    char *message; /* owned */
} fh_gltf_told_finding;

typedef struct fh_gltf_told_image {
    uint8_t *png; /* owned */
    size_t len;
    bool has_holes, has_glass;
} fh_gltf_told_image;

/* ---- meshes ---- */

typedef struct fh_gltf_vertex {
    float position[3], normal[3], uv[2], colour[4];
    uint32_t vertex, normal_number, joint;
} fh_gltf_vertex;

typedef struct fh_gltf_material {
    uint32_t image; /* or FH_SCENE_NONE */
    bool is_lit, is_double_sided, is_glass;
} fh_gltf_material;

/* Triangles of one material. */
typedef struct fh_gltf_part {
    uint32_t material;
    fh_gltf_array vertices; /* fh_gltf_vertex */
    fh_gltf_array indices;  /* uint32_t */
    fh_gltf_map known;      /* hash of a vertex to its index */
    uint32_t accessors[6];  /* position, normal, uv, colour, joints, weights */
    uint32_t index_accessor;
    fh_gltf_array targets; /* fh_gltf_morph_target, one for each weight of the mesh */
} fh_gltf_part;

typedef struct fh_gltf_morph_target {
    uint32_t positions, normals; /* accessors; normals may be FH_GLTF_NO */
} fh_gltf_morph_target;

typedef struct fh_gltf_mesh {
    fh_scene_owner owner;
    uint32_t id;
    uint64_t offset;
    fh_gltf_array parts;   /* fh_gltf_part */
    fh_gltf_array weights; /* uint32_t: ids of those that move it */
    uint32_t number;       /* among those that have triangles */
} fh_gltf_mesh;

/* ---- what is written ---- */

typedef enum fh_gltf_role {
    FH_GLTF_ROOT = 0,
    FH_GLTF_POSE,  /* of a track, alone */
    FH_GLTF_OUTER, /* the outer one of two, and the inner one */
    FH_GLTF_INNER,
    FH_GLTF_REST,
    FH_GLTF_LOOK, /* shows a mesh, or hides it */
    FH_GLTF_LENS, /* turns a camera the way that glTF wants it */
    FH_GLTF_BODY  /* a mesh in world space, or of joints */
} fh_gltf_role;

typedef struct fh_gltf_node {
    fh_gltf_role role;
    uint32_t parent; /* index, FH_GLTF_NO = of the scene */
    uint32_t track;  /* index, or FH_GLTF_NO */
    uint32_t mesh, skin, camera, light;
    float translation[3], rotation[4], scale[3];
    bool is_world; /* a track that stands in world space, for its parent changes */
    uint32_t model;
} fh_gltf_node;

typedef enum fh_gltf_path {
    FH_GLTF_TRANSLATION = 0,
    FH_GLTF_ROTATION,
    FH_GLTF_SCALE,
    FH_GLTF_WEIGHTS
} fh_gltf_path;

typedef enum fh_gltf_interpolation {
    FH_GLTF_STEP = 0,
    FH_GLTF_LINEAR,
    FH_GLTF_CUBIC
} fh_gltf_interpolation;

typedef struct fh_gltf_channel {
    uint32_t node;
    fh_gltf_path path;
    fh_gltf_interpolation interpolation;
    uint32_t input, output; /* accessors */
} fh_gltf_channel;

struct fh_gltf {
    const fh_scene *scene;
    fh_gltf_header header;
    int error;

    fh_scene_about about;
    fh_gltf_array remarks; /* const char * */
    char rate_remark[160]; /* one of them, with the frames a second that are assumed */
    bool is_cut;
    fh_gltf_array findings; /* fh_gltf_told_finding */

    fh_gltf_array frames; /* uint32_t: numbers */
    fh_gltf_array tracks; /* fh_gltf_track */
    fh_gltf_map track_of; /* kind, id and tenant to a track */
    fh_gltf_map seat_of;  /* id of a node to the track that was seen there last */
    size_t num_keys;

    fh_gltf_array told; /* fh_gltf_told_node */
    fh_gltf_map told_of;
    fh_gltf_array images;  /* fh_gltf_told_image */
    fh_gltf_array weights; /* fh_scene_weight */
    fh_gltf_map weight_of;
    fh_gltf_array deltas; /* fh_scene_delta, those of one weight and number added up */
    fh_gltf_map delta_of;
    fh_gltf_array cubics; /* fh_scene_cubic */

    fh_gltf_array meshes; /* fh_gltf_mesh */
    fh_gltf_map mesh_of;
    uint32_t mesh; /* the one that triangles belong to */
    fh_gltf_array materials;
    size_t num_triangles;

    float *times; /* by frame, seconds */
    fh_gltf_array nodes;
    fh_gltf_array channels;
    fh_gltf_array joints; /* uint32_t: ids of nodes, of the one skin that there may be */
    fh_gltf_map joint_of;
    fh_gltf_array cameras; /* uint32_t: tracks */
    fh_gltf_array lights;  /* uint32_t: tracks */
    uint32_t root;
    fh_gltf_bytes bytes;
};

#define FH_GLTF_AT(array, type, index) (&((type *)(array).items)[index])

static inline fh_gltf_track *fh_gltf_track_at(const fh_gltf *gltf, size_t index)
{
    return FH_GLTF_AT(gltf->tracks, fh_gltf_track, index);
}

static inline fh_gltf_node *fh_gltf_node_at(const fh_gltf *gltf, size_t index)
{
    return FH_GLTF_AT(gltf->nodes, fh_gltf_node, index);
}

/* fh_gltf_fail keeps the first error; fh_gltf_say a remark (it lives as long as gltf), once.
 * fh_gltf_say_cut says besides that something was left out for a limit. */
void fh_gltf_fail(fh_gltf *gltf, int error);
void fh_gltf_say(fh_gltf *gltf, const char *remark);
void fh_gltf_say_cut(fh_gltf *gltf, const char *remark);

/* fh_gltf_find_track returns the index of the track of a thing, or FH_GLTF_NO. */
uint32_t fh_gltf_find_track(const fh_gltf *gltf, fh_scene_kind kind, uint32_t id, uint32_t tenant);

/* fh_gltf_add_node adds a node that neither turns nor scales; its index. */
uint32_t fh_gltf_add_node(fh_gltf *gltf, fh_gltf_role role, uint32_t parent, uint32_t track);

/* gltf_mesh.c: the scene's callbacks, what is in meshes when everything is told, and freeing. */
void fh_gltf_begin_mesh(void *user, const fh_scene_mesh *mesh);
void fh_gltf_add_triangle(void *user, const fh_scene_triangle *triangle);
uint32_t fh_gltf_find_mesh(const fh_gltf *gltf, fh_scene_owner owner, uint32_t id);
void fh_gltf_add_markers(fh_gltf *gltf, double size);
void fh_gltf_make_meshes(fh_gltf *gltf);
void fh_gltf_free_meshes(fh_gltf *gltf);
#define FH_GLTF_MARKER UINT32_MAX /* number of the model that markers are */

/* gltf_nodes.c */
void fh_gltf_make_nodes(fh_gltf *gltf);

/* gltf_motion.c: moves a node as the keys say (poses of one or two nodes), shows it as the looks
 * do, and morphs it. What does not change goes into the node itself. */
bool fh_gltf_is_single(const fh_gltf_array *keys);
void fh_gltf_move(fh_gltf *gltf, uint32_t outer, uint32_t inner, const fh_gltf_track *track,
                  const fh_gltf_array *keys);
void fh_gltf_show(fh_gltf *gltf, uint32_t node, const fh_gltf_track *track, uint32_t model);
void fh_gltf_morph(fh_gltf *gltf, uint32_t node, const fh_gltf_mesh *mesh);
bool fh_gltf_make_times(fh_gltf *gltf);

/* gltf_json.c: the text, without what a .gltf has in a URI. */
void fh_gltf_put_json(fh_gltf *gltf, fh_out *out, bool is_binary);

#endif
