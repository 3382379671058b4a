/* Triangles become meshes: a part for each material, vertices that are alike once. */
#include "reports/gltf/gltf_impl.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_GLASS 0.5
#define MARKER_SHARE 0.02 /* of the size of everything */

enum { POSITION = 0, NORMAL, UV, COLOUR, JOINTS, WEIGHTS };

/* ---- collecting ------------------------------------------------------------------------------ */

static uint64_t mesh_key(fh_scene_owner owner, uint32_t id)
{
    return (uint64_t)owner << 32 | id;
}

uint32_t fh_gltf_find_mesh(const fh_gltf *gltf, fh_scene_owner owner, uint32_t id)
{
    return fh_gltf_map_find(&gltf->mesh_of, mesh_key(owner, id));
}

void fh_gltf_begin_mesh(void *user, const fh_scene_mesh *mesh)
{
    fh_gltf *gltf = user;
    gltf->mesh = fh_gltf_find_mesh(gltf, mesh->owner, mesh->id);
    if (gltf->mesh != FH_GLTF_NO) {
        return;
    }
    const uint32_t index = (uint32_t)gltf->meshes.num;
    fh_gltf_mesh *made = fh_gltf_add(&gltf->meshes, sizeof *made);
    if (made == NULL || !fh_gltf_map_put(&gltf->mesh_of, mesh_key(mesh->owner, mesh->id), index)) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    *made = (fh_gltf_mesh){.owner = mesh->owner, .id = mesh->id, .offset = mesh->offset};
    gltf->mesh = index;
}

/* There are a few materials for each image; they are looked for from the last one on. */
static uint32_t find_material(fh_gltf *gltf, const fh_scene_triangle *of)
{
    const fh_gltf_material wanted = {of->image, of->is_lit, of->is_double_sided, of->is_glass};
    for (size_t i = gltf->materials.num; i > 0; i--) {
        const fh_gltf_material *is = FH_GLTF_AT(gltf->materials, fh_gltf_material, i - 1);
        if (is->image == wanted.image && is->is_lit == wanted.is_lit &&
            is->is_double_sided == wanted.is_double_sided && is->is_glass == wanted.is_glass) {
            return (uint32_t)(i - 1);
        }
    }
    fh_gltf_material *made = fh_gltf_add(&gltf->materials, sizeof *made);
    if (made == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    *made = wanted;
    return (uint32_t)(gltf->materials.num - 1);
}

static fh_gltf_part *find_part(fh_gltf *gltf, uint32_t material)
{
    fh_gltf_mesh *mesh = FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, gltf->mesh);
    for (size_t i = mesh->parts.num; i > 0; i--) {
        fh_gltf_part *part = FH_GLTF_AT(mesh->parts, fh_gltf_part, i - 1);
        if (part->material == material) {
            return part;
        }
    }
    fh_gltf_part *made = fh_gltf_add(&mesh->parts, sizeof *made);
    if (made == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return NULL;
    }
    made->material = material;
    return made;
}

/* glTF wants what a lamp would give, the screen is sent what it makes of it (sRGB). */
static float linear(fh_gltf *gltf, double colour)
{
    if (colour > 1.0) {
        fh_gltf_say(gltf, "glTF has no colours that brighten an image: they leave it as it is");
        return 1.0f;
    }
    return (float)(colour <= 0.04045 ? colour / 12.92 : pow((colour + 0.055) / 1.055, 2.4));
}

static void set_vertex(fh_gltf *gltf, fh_gltf_vertex *out, const fh_scene_corner *corner,
                       double alpha)
{
    memset(out, 0, sizeof *out);
    const double length =
        sqrt(corner->normal[0] * corner->normal[0] + corner->normal[1] * corner->normal[1] +
             corner->normal[2] * corner->normal[2]);
    for (unsigned i = 0; i < 3; i++) {
        out->position[i] = (float)corner->position[i] + 0.0f;
        out->normal[i] = length > 0 ? (float)(corner->normal[i] / length) + 0.0f : 0.0f;
        out->colour[i] = linear(gltf, corner->colour[i]);
    }
    out->uv[0] = (float)corner->uv[0];
    out->uv[1] = (float)corner->uv[1];
    out->colour[3] = (float)alpha;
    out->vertex = corner->vertex;
    out->normal_number = corner->normal_number;
    out->joint = corner->joint;
}

/* A normal that is missing is that of the triangle. */
static void mend_normals(fh_gltf_vertex vertices[3])
{
    double sides[2][3];
    for (unsigned i = 0; i < 6; i++) {
        sides[i / 3][i % 3] =
            (double)vertices[1 + i / 3].position[i % 3] - (double)vertices[0].position[i % 3];
    }
    double normal[3] = {sides[0][1] * sides[1][2] - sides[0][2] * sides[1][1],
                        sides[0][2] * sides[1][0] - sides[0][0] * sides[1][2],
                        sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0]};
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (unsigned i = 0; i < 3; i++) {
        fh_gltf_vertex *vertex = &vertices[i];
        const bool is_there =
            fabsf(vertex->normal[0]) + fabsf(vertex->normal[1]) + fabsf(vertex->normal[2]) > 0;
        for (unsigned k = 0; k < 3 && !is_there; k++) {
            const double flat = k == 2 ? 1.0 : 0.0;
            vertex->normal[k] = (float)(length > 0 ? normal[k] / length : flat) + 0.0f;
        }
    }
}

static uint64_t hash_of(const fh_gltf_vertex *vertex)
{
    const uint8_t *bytes = (const uint8_t *)vertex;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i + 4 <= sizeof *vertex; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static void add_vertex(fh_gltf *gltf, fh_gltf_part *part, const fh_gltf_vertex *vertex)
{
    const uint64_t hash = hash_of(vertex);
    uint32_t known = fh_gltf_map_find(&part->known, hash);
    if (known == FH_GLTF_NO ||
        /* Bit for bit, as hash_of: equal numbers of other bits only make one vertex more. */
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
        memcmp(FH_GLTF_AT(part->vertices, fh_gltf_vertex, known), vertex, sizeof *vertex) != 0) {
        known = (uint32_t)part->vertices.num;
        fh_gltf_vertex *made = fh_gltf_add(&part->vertices, sizeof *made);
        if (made == NULL || !fh_gltf_map_put(&part->known, hash, known)) {
            fh_gltf_fail(gltf, ENOMEM);
            return;
        }
        *made = *vertex;
    }
    uint32_t *index = fh_gltf_add(&part->indices, sizeof *index);
    if (index == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    *index = known;
}

void fh_gltf_add_triangle(void *user, const fh_scene_triangle *triangle)
{
    fh_gltf *gltf = user;
    fh_gltf_vertex vertices[3];
    if (gltf->error != 0 || gltf->mesh == FH_GLTF_NO) {
        return;
    }
    if (gltf->num_triangles == FH_GLTF_MOST_TRIANGLES) {
        fh_gltf_say_cut(gltf, "there are more than 1048576 triangles: the others are left out");
        return;
    }
    gltf->num_triangles++;
    fh_gltf_part *part = find_part(gltf, find_material(gltf, triangle));
    const bool is_pane = triangle->is_glass && triangle->image == FH_SCENE_NONE;
    for (unsigned i = 0; i < 3; i++) {
        set_vertex(gltf, &vertices[i], &triangle->corners[i], is_pane ? HALF_GLASS : 1.0);
    }
    if (triangle->is_lit) {
        mend_normals(vertices);
    }
    for (unsigned i = 0; i < 3 && part != NULL; i++) {
        add_vertex(gltf, part, &vertices[i]);
    }
}

/* ---- markers --------------------------------------------------------------------------------- */

/* An octahedron, whose points are those of the axes: x red, y green, z blue. */
void fh_gltf_add_markers(fh_gltf *gltf, double size)
{
    static const double points[6][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                        {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    static const unsigned faces[8][3] = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                         {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
    const fh_scene_mesh mesh = {FH_SCENE_OF_MODEL, FH_GLTF_MARKER, 0};
    fh_gltf_begin_mesh(gltf, &mesh);
    for (unsigned f = 0; f < 8; f++) {
        fh_scene_triangle triangle = {.image = FH_SCENE_NONE, .is_double_sided = true};
        for (unsigned i = 0; i < 3; i++) {
            const double *point = points[faces[f][i]];
            fh_scene_corner *corner = &triangle.corners[i];
            for (unsigned k = 0; k < 3; k++) {
                corner->position[k] = point[k] * size * MARKER_SHARE;
                corner->colour[k] = point[k] > 0 ? 1.0 : 0.4;
            }
        }
        fh_gltf_add_triangle(gltf, &triangle);
    }
}

/* ---- into the buffer ------------------------------------------------------------------------- */

/* Copies one field of all vertices side by side. */
static uint32_t put_field(fh_gltf *gltf, const fh_gltf_part *part, size_t field_off, unsigned width,
                          bool has_range)
{
    const size_t num = part->vertices.num;
    float *values = calloc(num * width + 1, sizeof *values);
    if (values == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    for (size_t i = 0; i < num; i++) {
        const fh_gltf_vertex *vertex = FH_GLTF_AT(part->vertices, fh_gltf_vertex, i);
        memcpy(values + i * width, (const uint8_t *)vertex + field_off, width * sizeof *values);
    }
    const uint32_t made =
        fh_gltf_put_floats(&gltf->bytes, values, num, width, FH_GLTF_VERTICES, has_range);
    free(values);
    return made;
}

/* The number of a joint in the skin; the skin has room for 65536. */
static uint16_t joint_number(fh_gltf *gltf, uint32_t id)
{
    uint32_t known = fh_gltf_map_find(&gltf->joint_of, id);
    if (known != FH_GLTF_NO) {
        return (uint16_t)known;
    }
    known = (uint32_t)gltf->joints.num;
    if (known > UINT16_MAX) {
        fh_gltf_say_cut(gltf, "there are more than 65536 joints: the others stand still");
        return 0;
    }
    uint32_t *made = fh_gltf_add(&gltf->joints, sizeof *made);
    if (made == NULL || !fh_gltf_map_put(&gltf->joint_of, id, known)) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    *made = id;
    return (uint16_t)known;
}

/* Every vertex moves with one joint alone. */
static void put_joints(fh_gltf *gltf, fh_gltf_part *part)
{
    const size_t num = part->vertices.num;
    uint16_t *joints = calloc(num * 4 + 1, sizeof *joints);
    float *weights = calloc(num * 4 + 1, sizeof *weights);
    if (joints == NULL || weights == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
    } else {
        for (size_t i = 0; i < num; i++) {
            joints[4 * i] =
                joint_number(gltf, FH_GLTF_AT(part->vertices, fh_gltf_vertex, i)->joint);
            weights[4 * i] = 1.0f;
        }
        part->accessors[JOINTS] = fh_gltf_put_u16(&gltf->bytes, joints, num, 4);
        part->accessors[WEIGHTS] =
            fh_gltf_put_floats(&gltf->bytes, weights, num, 4, FH_GLTF_VERTICES, false);
    }
    free(joints);
    free(weights);
}

static const fh_scene_delta *find_delta(const fh_gltf *gltf, uint32_t weight, uint32_t number,
                                        bool is_normal)
{
    const uint64_t key = (uint64_t)weight << 32 | (uint64_t)is_normal << 31 | number;
    const uint32_t index = fh_gltf_map_find(&gltf->delta_of, key);
    return index == FH_GLTF_NO ? NULL : FH_GLTF_AT(gltf->deltas, fh_scene_delta, index);
}

/* The deltas of a weight for all vertices; whether there is any. */
static bool fill_deltas(float *out, const fh_gltf *gltf, const fh_gltf_part *part, uint32_t weight,
                        bool is_normal)
{
    bool is_any = false;
    memset(out, 0, part->vertices.num * 3 * sizeof *out);
    for (size_t i = 0; i < part->vertices.num; i++) {
        const fh_gltf_vertex *vertex = FH_GLTF_AT(part->vertices, fh_gltf_vertex, i);
        const uint32_t number = is_normal ? vertex->normal_number : vertex->vertex;
        const fh_scene_delta *delta =
            number == FH_SCENE_NONE ? NULL : find_delta(gltf, weight, number, is_normal);
        for (unsigned k = 0; k < 3 && delta != NULL; k++) {
            out[3 * i + k] = (float)delta->by[k];
            is_any = true;
        }
    }
    return is_any;
}

static void put_target(fh_gltf *gltf, fh_gltf_part *part, uint32_t weight, float *room)
{
    fh_gltf_morph_target *target = fh_gltf_add(&part->targets, sizeof *target);
    const fh_gltf_material *material =
        FH_GLTF_AT(gltf->materials, fh_gltf_material, part->material);
    if (target == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    target->normals = FH_GLTF_NO;
    (void)fill_deltas(room, gltf, part, weight, false);
    target->positions =
        fh_gltf_put_floats(&gltf->bytes, room, part->vertices.num, 3, FH_GLTF_VERTICES, true);
    if (material->is_lit) {
        (void)fill_deltas(room, gltf, part, weight, true);
        target->normals =
            fh_gltf_put_floats(&gltf->bytes, room, part->vertices.num, 3, FH_GLTF_VERTICES, false);
    }
}

static void put_targets(fh_gltf *gltf, fh_gltf_mesh *mesh, fh_gltf_part *part)
{
    float *room = calloc(part->vertices.num * 3 + 1, sizeof *room);
    if (room == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return;
    }
    for (size_t i = 0; i < mesh->weights.num && gltf->error == 0 && gltf->bytes.error == 0; i++) {
        put_target(gltf, part, *FH_GLTF_AT(mesh->weights, uint32_t, i), room);
    }
    free(room);
}

static bool is_moved_by(const fh_gltf *gltf, const fh_gltf_mesh *mesh, uint32_t weight)
{
    for (size_t p = 0; p < mesh->parts.num; p++) {
        const fh_gltf_part *part = FH_GLTF_AT(mesh->parts, fh_gltf_part, p);
        for (size_t i = 0; i < part->vertices.num; i++) {
            const fh_gltf_vertex *vertex = FH_GLTF_AT(part->vertices, fh_gltf_vertex, i);
            if (find_delta(gltf, weight, vertex->vertex, false) != NULL ||
                (vertex->normal_number != FH_SCENE_NONE &&
                 find_delta(gltf, weight, vertex->normal_number, true) != NULL)) {
                return true;
            }
        }
    }
    return false;
}

static void find_weights(fh_gltf *gltf, fh_gltf_mesh *mesh)
{
    for (size_t i = 0; i < gltf->weights.num && mesh->owner != FH_SCENE_OF_MODEL; i++) {
        const uint32_t weight = FH_GLTF_AT(gltf->weights, fh_scene_weight, i)->id;
        if (!is_moved_by(gltf, mesh, weight)) {
            continue;
        }
        if (mesh->weights.num == FH_GLTF_MOST_TARGETS) {
            fh_gltf_say_cut(gltf, "a mesh is morphed by more than 256 weights: the others are left "
                                  "out");
            return;
        }
        uint32_t *made = fh_gltf_add(&mesh->weights, sizeof *made);
        if (made == NULL) {
            fh_gltf_fail(gltf, ENOMEM);
            return;
        }
        *made = weight;
    }
}

static void put_part(fh_gltf *gltf, fh_gltf_mesh *mesh, fh_gltf_part *part)
{
    const fh_gltf_material *material =
        FH_GLTF_AT(gltf->materials, fh_gltf_material, part->material);
    for (unsigned i = 0; i < 6; i++) {
        part->accessors[i] = FH_GLTF_NO;
    }
    part->accessors[POSITION] = put_field(gltf, part, offsetof(fh_gltf_vertex, position), 3, true);
    if (material->is_lit) {
        part->accessors[NORMAL] = put_field(gltf, part, offsetof(fh_gltf_vertex, normal), 3, false);
    }
    if (material->image != FH_SCENE_NONE) {
        part->accessors[UV] = put_field(gltf, part, offsetof(fh_gltf_vertex, uv), 2, false);
    }
    part->accessors[COLOUR] = put_field(gltf, part, offsetof(fh_gltf_vertex, colour), 4, false);
    if (mesh->owner == FH_SCENE_OF_JOINTS) {
        put_joints(gltf, part);
    }
    part->index_accessor = fh_gltf_put_u32(&gltf->bytes, part->indices.items, part->indices.num);
    put_targets(gltf, mesh, part);
}

void fh_gltf_make_meshes(fh_gltf *gltf)
{
    uint32_t number = 0;
    for (size_t i = 0; i < gltf->meshes.num && gltf->error == 0; i++) {
        fh_gltf_mesh *mesh = FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, i);
        mesh->number = number;
        number += mesh->parts.num > 0 ? 1 : 0;
        find_weights(gltf, mesh);
        for (size_t p = 0; p < mesh->parts.num && gltf->error == 0; p++) {
            put_part(gltf, mesh, FH_GLTF_AT(mesh->parts, fh_gltf_part, p));
        }
    }
}

void fh_gltf_free_meshes(fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->meshes.num; i++) {
        fh_gltf_mesh *mesh = FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, i);
        for (size_t p = 0; p < mesh->parts.num; p++) {
            fh_gltf_part *part = FH_GLTF_AT(mesh->parts, fh_gltf_part, p);
            fh_gltf_free(&part->vertices);
            fh_gltf_free(&part->indices);
            fh_gltf_free(&part->targets);
            fh_gltf_map_free(&part->known);
        }
        fh_gltf_free(&mesh->parts);
        fh_gltf_free(&mesh->weights);
    }
}
