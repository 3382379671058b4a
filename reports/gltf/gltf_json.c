/* The text of a glTF: everything but the bytes of the buffer, which a .gltf has in a URI. */
#include "reports/gltf/gltf_impl.h"

#include "reports/base64.h"
#include "reports/escape.h"
#include "reports/real.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_OF_VIEW 0.8 /* where the format does not say: some 46 degrees */
#define NEAR 0.1

/* ---- pieces ---------------------------------------------------------------------------------- */

static void put_real(fh_out *out, double real)
{
    char text[FH_REAL_LEN];
    fh_real_text(text, real, FH_EXACT_DIGITS);
    fh_out_str(out, text);
}

/* "name": [a, b, c] */
static void put_reals(fh_out *out, const char *name, const float *reals, unsigned num)
{
    fh_out_fmt(out, "\"%s\": [", name);
    for (unsigned i = 0; i < num; i++) {
        fh_out_str(out, i == 0 ? "" : ", ");
        put_real(out, (double)reals[i]);
    }
    fh_out_str(out, "]");
}

static void put_known(fh_out *out, const char *name, int64_t number)
{
    if (number != FH_UNKNOWN) {
        fh_out_fmt(out, ", \"%s\": %" PRId64, name, number);
    }
}

static void put_string(fh_out *out, const char *name, const char *str)
{
    fh_out_fmt(out, "\"%s\": ", name);
    fh_escape_json(out, str);
}

static const char *comma(size_t index)
{
    return index == 0 ? "\n" : ",\n";
}

/* ---- asset ----------------------------------------------------------------------------------- */

static void put_finding(fh_out *out, const fh_gltf_told_finding *finding)
{
    fh_out_fmt(out, "{\"code\": \"%s\", \"severity\": \"%s\"", finding->rule->code,
               fh_severity_name(finding->rule->severity));
    put_known(out, "offset", finding->offset);
    put_known(out, "frame", finding->frame);
    put_known(out, "object", finding->object);
    fh_out_str(out, ", ");
    put_string(out, "message", finding->message);
    fh_out_str(out, "}");
}

static void put_source(fh_out *out, const fh_gltf *gltf)
{
    const fh_gltf_header *header = &gltf->header;
    fh_out_str(out, "\"source\": {");
    put_string(out, "path", header->path);
    put_known(out, "raw_offset", header->raw_offset);
    put_known(out, "lba", header->lba);
    put_known(out, "length", header->length);
    fh_out_str(out, "}, ");
    put_string(out, "format", header->format);
    fh_out_str(out, ", ");
    put_string(out, "evaluator", header->evaluator);
}

static void put_asset(fh_out *out, const fh_gltf *gltf)
{
    fh_out_str(out, "{\"asset\": {\"version\": \"2.0\", \"generator\": \"framehound\",\n"
                    " \"extras\": {");
    put_source(out, gltf);
    fh_out_fmt(out, ",\n  \"frames\": %zu, \"frames_a_second\": ", gltf->frames.num);
    put_real(out, gltf->about.rate);
    fh_out_fmt(out, ", \"is_rate_assumed\": %s,\n  \"remarks\": [",
               gltf->about.is_rate_assumed ? "true" : "false");
    for (size_t i = 0; fh_gltf_remark(gltf, i) != NULL; i++) {
        fh_out_str(out, i == 0 ? "\n   " : ",\n   ");
        fh_escape_json(out, fh_gltf_remark(gltf, i));
    }
    fh_out_str(out, "],\n  \"findings\": [");
    for (size_t i = 0; i < gltf->findings.num; i++) {
        fh_out_str(out, i == 0 ? "\n   " : ",\n   ");
        put_finding(out, FH_GLTF_AT(gltf->findings, fh_gltf_told_finding, i));
    }
    fh_out_str(out, "]}}");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The children of each node, one list behind the other. */
typedef struct children {
    uint32_t *first; /* by node, and one more */
    uint32_t *list;
} children;

static bool list_children(const fh_gltf *gltf, children *out)
{
    const size_t num = gltf->nodes.num;
    out->first = calloc(num + 2, sizeof *out->first);
    out->list = calloc(num + 1, sizeof *out->list);
    if (out->first == NULL || out->list == NULL) {
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        const uint32_t parent = fh_gltf_node_at(gltf, i)->parent;
        if (parent != FH_GLTF_NO) {
            out->first[parent + 2]++;
        }
    }
    for (size_t i = 2; i < num + 2; i++) {
        out->first[i] += out->first[i - 1];
    }
    for (size_t i = 0; i < num; i++) {
        const uint32_t parent = fh_gltf_node_at(gltf, i)->parent;
        if (parent != FH_GLTF_NO) {
            out->list[out->first[parent + 1]++] = (uint32_t)i;
        }
    }
    return true;
}

static void put_name(fh_out *out, const fh_gltf *gltf, const fh_gltf_node *node)
{
    static const char *const tails[] = {[FH_GLTF_INNER] = " (inner)",
                                        [FH_GLTF_REST] = " (rest)",
                                        [FH_GLTF_LOOK] = " (looks)",
                                        [FH_GLTF_LENS] = " (lens)",
                                        [FH_GLTF_BODY] = ""};
    static const char *const kinds[] = {
        [FH_SCENE_NODE] = NULL,       [FH_SCENE_WORLD] = NULL,    [FH_SCENE_VIEW] = "camera",
        [FH_SCENE_CAMERA] = "camera", [FH_SCENE_LIGHT] = "light", [FH_SCENE_WEIGHT] = NULL};
    char name[1024];
    fh_text text = fh_text_make(name, sizeof name);
    if (node->track == FH_GLTF_NO) {
        put_string(out, "name", node->role == FH_GLTF_ROOT ? "world" : "shared polygons");
        return;
    }
    const fh_gltf_track *track = fh_gltf_track_at(gltf, node->track);
    const uint32_t told = track->kind == FH_SCENE_NODE && track->tenant == 0
                              ? fh_gltf_map_find(&gltf->told_of, track->id)
                              : FH_GLTF_NO;
    const char *given =
        told == FH_GLTF_NO ? NULL : FH_GLTF_AT(gltf->told, fh_gltf_told_node, told)->name;
    if (given != NULL) {
        fh_text_str(&text, given);
    } else {
        fh_text_str(&text, kinds[track->kind] != NULL ? kinds[track->kind] : gltf->about.node);
        fh_text_u64(fh_text_str(&text, " "), track->tenant != 0 ? track->tenant : track->id);
    }
    fh_text_str(&text, tails[node->role] == NULL ? "" : tails[node->role]);
    put_string(out, "name", name);
}

static bool is_same(const float *a, const float *b, unsigned num)
{
    return memcmp(a, b, num * sizeof *a) == 0;
}

static void put_place(fh_out *out, const fh_gltf_node *node)
{
    static const float none[4] = {0, 0, 0, 1};
    static const float full[3] = {1, 1, 1};
    if (!is_same(node->translation, none, 3)) {
        fh_out_str(out, ", ");
        put_reals(out, "translation", node->translation, 3);
    }
    if (!is_same(node->rotation, none, 4)) {
        fh_out_str(out, ", ");
        put_reals(out, "rotation", node->rotation, 4);
    }
    if (!is_same(node->scale, full, 3)) {
        fh_out_str(out, ", ");
        put_reals(out, "scale", node->scale, 3);
    }
}

static void put_codes(fh_out *out, const fh_gltf *gltf, int64_t object)
{
    size_t num = 0;
    for (size_t i = 0; i < gltf->findings.num; i++) {
        const fh_gltf_told_finding *finding = FH_GLTF_AT(gltf->findings, fh_gltf_told_finding, i);
        if (finding->object == object) {
            fh_out_str(out, num == 0 ? ", \"findings\": [" : ", ");
            fh_escape_json(out, finding->rule->code);
            num++;
        }
    }
    fh_out_str(out, num == 0 ? "" : "]");
}

/* Findings name few objects of those that there may be. */
static fh_gltf_map objects_of(const fh_gltf *gltf)
{
    fh_gltf_map map = {0};
    for (size_t i = 0; i < gltf->findings.num; i++) {
        const int64_t object = FH_GLTF_AT(gltf->findings, fh_gltf_told_finding, i)->object;
        if (object != FH_UNKNOWN && !fh_gltf_map_put(&map, (uint64_t)object, 1)) {
            break;
        }
    }
    return map;
}

static void put_node_extras(fh_out *out, const fh_gltf *gltf, const fh_gltf_node *node,
                            const fh_gltf_map *objects)
{
    static const char *const roles[] = {"root", "pose", "outer", "inner",
                                        "rest", "look", "lens",  "body"};
    static const char *const kinds[] = {"node", "world", "view", "camera", "light", "weight"};
    fh_out_fmt(out, ", \"extras\": {\"role\": \"%s\"", roles[node->role]);
    if (node->track != FH_GLTF_NO) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, node->track);
        const uint32_t told = fh_gltf_map_find(&gltf->told_of, track->id);
        fh_out_fmt(out, ", \"kind\": \"%s\", \"id\": %" PRIu32 ", \"tenant\": %" PRIu32,
                   kinds[track->kind], track->id, track->tenant);
        if (told != FH_GLTF_NO && track->kind == FH_SCENE_NODE) {
            fh_out_fmt(out, ", \"offset\": %" PRIu64,
                       FH_GLTF_AT(gltf->told, fh_gltf_told_node, told)->node.offset);
        }
        const uint32_t object = track->tenant != 0 ? track->tenant : track->id;
        if ((node->role == FH_GLTF_POSE || node->role == FH_GLTF_OUTER) &&
            track->kind == FH_SCENE_NODE && fh_gltf_map_find(objects, object) != FH_GLTF_NO) {
            put_codes(out, gltf, object);
        }
    }
    fh_out_str(out, node->is_world ? ", \"is_world\": true}" : "}");
}

static void put_references(fh_out *out, const fh_gltf *gltf, const fh_gltf_node *node)
{
    if (node->mesh != FH_GLTF_NO) {
        fh_out_fmt(out, ", \"mesh\": %" PRIu32,
                   FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, node->mesh)->number);
    }
    if (node->skin != FH_GLTF_NO) {
        fh_out_fmt(out, ", \"skin\": %" PRIu32, node->skin);
    }
    if (node->camera != FH_GLTF_NO) {
        fh_out_fmt(out, ", \"camera\": %" PRIu32, node->camera);
    }
    if (node->light != FH_GLTF_NO) {
        fh_out_fmt(out, ", \"extensions\": {\"KHR_lights_punctual\": {\"light\": %" PRIu32 "}}",
                   node->light);
    }
}

static void put_nodes(fh_out *out, const fh_gltf *gltf)
{
    children below = {0};
    fh_gltf_map objects = objects_of(gltf);
    if (!list_children(gltf, &below)) {
        out->error = out->error == 0 ? ENOMEM : out->error;
    }
    for (size_t i = 0; i < gltf->nodes.num && out->error == 0; i++) {
        const fh_gltf_node *node = fh_gltf_node_at(gltf, i);
        fh_out_fmt(out, "%s{", i == 0 ? ",\n\"nodes\": [\n" : ",\n");
        put_name(out, gltf, node);
        put_place(out, node);
        put_references(out, gltf, node);
        for (uint32_t k = below.first[i]; k < below.first[i + 1]; k++) {
            fh_out_fmt(out, "%s%" PRIu32, k == below.first[i] ? ", \"children\": [" : ", ",
                       below.list[k]);
        }
        fh_out_str(out, below.first[i] < below.first[i + 1] ? "]" : "");
        put_node_extras(out, gltf, node, &objects);
        fh_out_str(out, "}");
    }
    fh_out_str(out, "]");
    free(below.first);
    free(below.list);
    fh_gltf_map_free(&objects);
}

static void put_scene(fh_out *out, const fh_gltf *gltf)
{
    const char *between = "";
    fh_out_str(out, ",\n\"scene\": 0, \"scenes\": [{\"nodes\": [");
    for (size_t i = 0; i < gltf->nodes.num; i++) {
        if (fh_gltf_node_at(gltf, i)->parent == FH_GLTF_NO) {
            fh_out_fmt(out, "%s%zu", between, i);
            between = ", ";
        }
    }
    fh_out_str(out, "]}]");
}

static void put_skin(fh_out *out, const fh_gltf *gltf)
{
    if (gltf->joints.num == 0) {
        return;
    }
    fh_out_str(out, ",\n\"skins\": [{\"joints\": [");
    for (size_t i = 0; i < gltf->joints.num; i++) {
        const uint32_t track =
            fh_gltf_find_track(gltf, FH_SCENE_NODE, *FH_GLTF_AT(gltf->joints, uint32_t, i), 0);
        fh_out_fmt(out, "%s%" PRIu32, i == 0 ? "" : ", ",
                   track == FH_GLTF_NO ? gltf->root : fh_gltf_track_at(gltf, track)->tip);
    }
    fh_out_str(out, "]}]");
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static void put_part(fh_out *out, const fh_gltf_part *part)
{
    static const char *const names[] = {"POSITION", "NORMAL",   "TEXCOORD_0",
                                        "COLOR_0",  "JOINTS_0", "WEIGHTS_0"};
    fh_out_str(out, "{\"attributes\": {");
    for (unsigned i = 0; i < 6; i++) {
        if (part->accessors[i] != FH_GLTF_NO) {
            fh_out_fmt(out, "%s\"%s\": %" PRIu32, i == 0 ? "" : ", ", names[i], part->accessors[i]);
        }
    }
    fh_out_fmt(out, "}, \"indices\": %" PRIu32 ", \"material\": %" PRIu32, part->index_accessor,
               part->material);
    for (size_t i = 0; i < part->targets.num; i++) {
        const fh_gltf_morph_target *target = FH_GLTF_AT(part->targets, fh_gltf_morph_target, i);
        fh_out_fmt(out, "%s{\"POSITION\": %" PRIu32, i == 0 ? ", \"targets\": [" : ", ",
                   target->positions);
        if (target->normals != FH_GLTF_NO) {
            fh_out_fmt(out, ", \"NORMAL\": %" PRIu32, target->normals);
        }
        fh_out_str(out, "}");
    }
    fh_out_str(out, part->targets.num > 0 ? "]}" : "}");
}

static void put_weights(fh_out *out, const fh_gltf *gltf, const fh_gltf_mesh *mesh)
{
    for (size_t i = 0; i < mesh->weights.num; i++) {
        const uint32_t told =
            fh_gltf_map_find(&gltf->weight_of, *FH_GLTF_AT(mesh->weights, uint32_t, i));
        fh_out_str(out, i == 0 ? ", \"weights\": [" : ", ");
        put_real(out, (double)(float)FH_GLTF_AT(gltf->weights, fh_scene_weight, told)->value);
    }
    fh_out_str(out, mesh->weights.num > 0 ? "]" : "");
}

static void put_mesh_extras(fh_out *out, const fh_gltf *gltf, const fh_gltf_mesh *mesh)
{
    fh_out_fmt(out, ", \"extras\": {\"offset\": %" PRIu64, mesh->offset);
    for (size_t i = 0; i < mesh->weights.num; i++) {
        const uint32_t id = *FH_GLTF_AT(mesh->weights, uint32_t, i);
        const uint32_t told = fh_gltf_map_find(&gltf->weight_of, id);
        fh_out_fmt(out, "%s\"key %" PRIu32 "\"", i == 0 ? ", \"targetNames\": [" : ", ",
                   FH_GLTF_AT(gltf->weights, fh_scene_weight, told)->key);
    }
    fh_out_str(out, mesh->weights.num > 0 ? "]" : "");
    for (size_t i = 0; i < mesh->weights.num; i++) {
        fh_out_fmt(out, "%s%" PRIu32, i == 0 ? ", \"weight_words\": [" : ", ",
                   *FH_GLTF_AT(mesh->weights, uint32_t, i));
    }
    fh_out_str(out, mesh->weights.num > 0 ? "]}" : "}");
}

static void put_meshes(fh_out *out, const fh_gltf *gltf)
{
    size_t num = 0;
    for (size_t i = 0; i < gltf->meshes.num; i++) {
        const fh_gltf_mesh *mesh = FH_GLTF_AT(gltf->meshes, fh_gltf_mesh, i);
        if (mesh->parts.num == 0) {
            continue;
        }
        fh_out_fmt(out, "%s{\"primitives\": [", num++ == 0 ? ",\n\"meshes\": [\n" : ",\n");
        for (size_t p = 0; p < mesh->parts.num; p++) {
            fh_out_str(out, p == 0 ? "" : ",\n  ");
            put_part(out, FH_GLTF_AT(mesh->parts, fh_gltf_part, p));
        }
        fh_out_str(out, "]");
        put_weights(out, gltf, mesh);
        put_mesh_extras(out, gltf, mesh);
        fh_out_str(out, "}");
    }
    fh_out_str(out, num > 0 ? "]" : "");
}

static const char *alpha_of(const fh_gltf *gltf, const fh_gltf_material *material)
{
    if (material->image == FH_SCENE_NONE) {
        return material->is_glass ? "BLEND" : NULL;
    }
    const fh_gltf_told_image *image = FH_GLTF_AT(gltf->images, fh_gltf_told_image, material->image);
    return image->has_glass ? "BLEND" : image->has_holes ? "MASK" : NULL;
}

static void put_materials(fh_out *out, const fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->materials.num; i++) {
        const fh_gltf_material *material = FH_GLTF_AT(gltf->materials, fh_gltf_material, i);
        const char *alpha = alpha_of(gltf, material);
        fh_out_fmt(out, "%s{\"pbrMetallicRoughness\": {\"metallicFactor\": 0",
                   i == 0 ? ",\n\"materials\": [\n" : ",\n");
        if (material->image != FH_SCENE_NONE) {
            fh_out_fmt(out, ", \"baseColorTexture\": {\"index\": %" PRIu32 "}", material->image);
        }
        fh_out_str(out, "}");
        if (alpha != NULL) {
            fh_out_fmt(out, ", \"alphaMode\": \"%s\"", alpha);
        }
        fh_out_str(out, material->is_double_sided ? ", \"doubleSided\": true" : "");
        fh_out_str(out,
                   material->is_lit ? "}" : ", \"extensions\": {\"KHR_materials_unlit\": {}}}");
    }
    fh_out_str(out, gltf->materials.num > 0 ? "]" : "");
}

/* Texels are squares, and an image is read up to its edge only. */
static void put_images(fh_out *out, const fh_gltf *gltf, uint32_t first_view)
{
    if (gltf->images.num == 0) {
        return;
    }
    fh_out_str(out,
               ",\n\"samplers\": [{\"magFilter\": 9728, \"minFilter\": 9728, \"wrapS\": 33071, "
               "\"wrapT\": 33071}],\n\"textures\": [");
    for (size_t i = 0; i < gltf->images.num; i++) {
        fh_out_fmt(out, "%s{\"sampler\": 0, \"source\": %zu}", i == 0 ? "" : ", ", i);
    }
    fh_out_str(out, "],\n\"images\": [");
    for (size_t i = 0; i < gltf->images.num; i++) {
        fh_out_fmt(out, "%s{\"mimeType\": \"image/png\", \"bufferView\": %zu}", i == 0 ? "" : ", ",
                   first_view + i);
    }
    fh_out_str(out, "]");
}

/* ---- cameras, lights, animation -------------------------------------------------------------- */

static void put_cameras(fh_out *out, const fh_gltf *gltf)
{
    for (size_t i = 0; i < gltf->cameras.num; i++) {
        const fh_gltf_track *track =
            fh_gltf_track_at(gltf, *FH_GLTF_AT(gltf->cameras, uint32_t, i));
        fh_out_fmt(out, "%s{\"type\": \"perspective\", \"perspective\": {\"yfov\": ",
                   i == 0 ? ",\n\"cameras\": [" : ", ");
        put_real(out, track->value > 0 ? 2.0 * atan(1.0 / track->value) : FIELD_OF_VIEW);
        fh_out_str(out, ", \"znear\": ");
        put_real(out, NEAR);
        fh_out_str(out, "}}");
    }
    fh_out_str(out, gltf->cameras.num > 0 ? "]" : "");
}

/* As with colours of vertices: what a lamp gives. */
static float linear(double colour)
{
    const double within = fmin(fmax(colour, 0.0), 1.0);
    return (float)(within <= 0.04045 ? within / 12.92 : pow((within + 0.055) / 1.055, 2.4));
}

static void put_lights(fh_out *out, const fh_gltf *gltf)
{
    if (gltf->lights.num == 0) {
        return;
    }
    fh_out_str(out, ",\n\"extensions\": {\"KHR_lights_punctual\": {\"lights\": [");
    for (size_t i = 0; i < gltf->lights.num; i++) {
        const fh_gltf_track *track = fh_gltf_track_at(gltf, *FH_GLTF_AT(gltf->lights, uint32_t, i));
        const float colour[3] = {linear(track->colour[0]), linear(track->colour[1]),
                                 linear(track->colour[2])};
        fh_out_fmt(out, "%s{\"type\": \"directional\", ", i == 0 ? "" : ", ");
        put_reals(out, "color", colour, 3);
        fh_out_str(out, "}");
    }
    fh_out_str(out, "]}}");
}

static void put_animation(fh_out *out, const fh_gltf *gltf)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char *const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    if (gltf->channels.num == 0) {
        return;
    }
    fh_out_str(out, ",\n\"animations\": [{\"samplers\": [");
    for (size_t i = 0; i < gltf->channels.num; i++) {
        const fh_gltf_channel *channel = FH_GLTF_AT(gltf->channels, fh_gltf_channel, i);
        fh_out_fmt(
            out, "%s{\"input\": %" PRIu32 ", \"output\": %" PRIu32 ", \"interpolation\": \"%s\"}",
            comma(i), channel->input, channel->output, interpolations[channel->interpolation]);
    }
    fh_out_str(out, "],\n\"channels\": [");
    for (size_t i = 0; i < gltf->channels.num; i++) {
        const fh_gltf_channel *channel = FH_GLTF_AT(gltf->channels, fh_gltf_channel, i);
        fh_out_fmt(out,
                   "%s{\"sampler\": %zu, \"target\": {\"node\": %" PRIu32 ", \"path\": \"%s\"}}",
                   comma(i), i, channel->node, paths[channel->path]);
    }
    fh_out_str(out, "]}]");
}

static void put_extensions(fh_out *out, const fh_gltf *gltf)
{
    bool has_unlit = false;
    for (size_t i = 0; i < gltf->materials.num; i++) {
        has_unlit = has_unlit || !FH_GLTF_AT(gltf->materials, fh_gltf_material, i)->is_lit;
    }
    if (has_unlit || gltf->lights.num > 0) {
        fh_out_fmt(out, ",\n\"extensionsUsed\": [%s%s%s]",
                   has_unlit ? "\"KHR_materials_unlit\"" : "",
                   has_unlit && gltf->lights.num > 0 ? ", " : "",
                   gltf->lights.num > 0 ? "\"KHR_lights_punctual\"" : "");
    }
}

/* ---- the buffer ------------------------------------------------------------------------------ */

static void put_accessors(fh_out *out, const fh_gltf_bytes *bytes)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    for (size_t i = 0; i < bytes->accessors.num; i++) {
        const fh_gltf_accessor *is = FH_GLTF_AT(bytes->accessors, fh_gltf_accessor, i);
        fh_out_fmt(out,
                   "%s{\"bufferView\": %" PRIu32
                   ", \"componentType\": %d, \"count\": %zu, \"type\": \"%s\"",
                   i == 0 ? ",\n\"accessors\": [\n" : ",\n", is->view, (int)is->component,
                   is->count, types[is->width]);
        if (is->has_range) {
            fh_out_str(out, ", ");
            put_reals(out, "min", is->low, is->width);
            fh_out_str(out, ", ");
            put_reals(out, "max", is->high, is->width);
        }
        fh_out_str(out, "}");
    }
    fh_out_str(out, bytes->accessors.num > 0 ? "]" : "");
}

static void put_views(fh_out *out, const fh_gltf_bytes *bytes)
{
    for (size_t i = 0; i < bytes->views.num; i++) {
        const fh_gltf_view *view = FH_GLTF_AT(bytes->views, fh_gltf_view, i);
        fh_out_fmt(out, "%s{\"buffer\": 0, \"byteOffset\": %zu, \"byteLength\": %zu",
                   i == 0 ? ",\n\"bufferViews\": [\n" : ",\n", view->off, view->len);
        if (view->target != FH_GLTF_PLAIN) {
            fh_out_fmt(out, ", \"target\": %d", (int)view->target);
        }
        fh_out_str(out, "}");
    }
    fh_out_str(out, bytes->views.num > 0 ? "]" : "");
}

static void put_buffer(fh_out *out, const fh_gltf_bytes *bytes, bool is_binary)
{
    if (bytes->len == 0) {
        return;
    }
    fh_out_fmt(out, ",\n\"buffers\": [{\"byteLength\": %zu", bytes->len);
    if (!is_binary) {
        fh_out_str(out, ", \"uri\": \"data:application/octet-stream;base64,");
        (void)fh_base64(out, bytes->bytes, bytes->len, true);
        fh_out_str(out, "\"");
    }
    fh_out_str(out, "}]");
}

void fh_gltf_put_json(fh_gltf *gltf, fh_out *out, bool is_binary)
{
    const uint32_t first_view = (uint32_t)gltf->bytes.views.num;
    for (size_t i = 0; i < gltf->images.num; i++) {
        const fh_gltf_told_image *image = FH_GLTF_AT(gltf->images, fh_gltf_told_image, i);
        (void)fh_gltf_put_view(&gltf->bytes, image->png, image->len, FH_GLTF_PLAIN);
    }
    if (gltf->bytes.error != 0) {
        out->error = gltf->bytes.error;
        return;
    }
    put_asset(out, gltf);
    put_extensions(out, gltf);
    put_scene(out, gltf);
    put_nodes(out, gltf);
    put_skin(out, gltf);
    put_meshes(out, gltf);
    put_materials(out, gltf);
    put_images(out, gltf, first_view);
    put_cameras(out, gltf);
    put_lights(out, gltf);
    put_animation(out, gltf);
    put_accessors(out, &gltf->bytes);
    put_views(out, &gltf->bytes);
    put_buffer(out, &gltf->bytes, is_binary);
    fh_out_str(out, "}\n");
}
