#include "html_shape.h"

#include "html.h"
#include "html_limits.h"
#include "reports/base64.h"

#include <inttypes.h>

bool fh_html_shape_begin(fh_html_shape *shape)
{
    *shape = (fh_html_shape){.num_texels = 0};
    const bool is_begun[] = {
        fh_html_list_begin(&shape->triangles), fh_html_list_begin(&shape->vertices),
        fh_html_list_begin(&shape->images), fh_html_list_begin(&shape->weights),
        fh_html_list_begin(&shape->deltas)};
    return is_begun[0] && is_begun[1] && is_begun[2] && is_begun[3] && is_begun[4];
}

bool fh_html_shape_end(fh_html_shape *shape, fh_out *out)
{
    shape->vertices.is_dropped = shape->deltas.num == 0;
    fh_out_fmt(out,
               ",\"triangles_left_out\":%" PRIu64 ",\"images_left_out\":%" PRIu64
               ",\"deltas_left_out\":%" PRIu64,
               shape->triangles_left_out, shape->images_left_out, shape->deltas_left_out);
    const bool is_whole[] = {fh_html_list_end(&shape->triangles, out, "triangles"),
                             fh_html_list_end(&shape->vertices, out, "vertices"),
                             fh_html_list_end(&shape->images, out, "images"),
                             fh_html_list_end(&shape->weights, out, "weights"),
                             fh_html_list_end(&shape->deltas, out, "deltas")};
    return is_whole[0] && is_whole[1] && is_whole[2] && is_whole[3] && is_whole[4];
}

void fh_html_shape_mesh(fh_html_shape *shape, const fh_scene_mesh *mesh)
{
    shape->mesh = *mesh;
}

static void put_next_real(fh_out *out, double real)
{
    fh_out_str(out, ",");
    fh_html_real(out, real);
}

/* The node that a corner moves with, or -1, and where it is in it. */
static void put_corner(fh_html_shape *shape, const fh_scene_corner *corner)
{
    const bool has_joint = shape->mesh.owner == FH_SCENE_OF_JOINTS;
    fh_out_fmt(&shape->triangles.out, ",%" PRId64,
               has_joint                                ? (int64_t)corner->joint
               : shape->mesh.owner == FH_SCENE_OF_WORLD ? -1
                                                        : (int64_t)shape->mesh.id);
    for (size_t i = 0; i < 3; i++) {
        put_next_real(&shape->triangles.out, corner->position[i]);
    }
}

static void put_image_corners(fh_html_shape *shape, const fh_scene_triangle *triangle)
{
    fh_out *out = &shape->triangles.out;
    fh_out_fmt(out, ",%" PRIu32, triangle->image);
    for (size_t i = 0; i < 3; i++) {
        put_next_real(out, triangle->corners[i].uv[0]);
        put_next_real(out, triangle->corners[i].uv[1]);
    }
}

static unsigned colour_of(const fh_scene_corner *corner)
{
    unsigned colour = 0;
    for (size_t i = 0; i < 3; i++) {
        const double part = corner->colour[i];
        colour = colour << 8 | (part >= 1.0 ? 255u : part > 0.0 ? (unsigned)(part * 255.0) : 0u);
    }
    return colour;
}

void fh_html_shape_triangle(fh_html_shape *shape, const fh_scene_triangle *triangle)
{
    const fh_scene_corner *corners = triangle->corners;
    if (shape->mesh.owner == FH_SCENE_OF_MODEL || shape->triangles.num == FH_HTML_MAX_TRIANGLES) {
        shape->triangles_left_out++;
        return;
    }
    fh_html_list_next(&shape->triangles);
    fh_out_fmt(&shape->triangles.out, "[%u", colour_of(&corners[0]));
    for (size_t i = 0; i < 3; i++) {
        put_corner(shape, &corners[i]);
    }
    if (triangle->image < shape->images.num) { /* of those that are told, which come in front */
        put_image_corners(shape, triangle);
    }
    fh_out_str(&shape->triangles.out, "]");
    fh_html_list_next(&shape->vertices);
    fh_out_fmt(&shape->vertices.out, "[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", corners[0].vertex,
               corners[1].vertex, corners[2].vertex);
}

/* Ids are places in the list: behind an image that is left out all are. */
void fh_html_shape_image(fh_html_shape *shape, const fh_scene_image *image)
{
    const uint64_t num = (uint64_t)image->width * image->height;
    if (shape->images_left_out > 0 || image->id != shape->images.num ||
        num > FH_HTML_MAX_TEXELS - shape->num_texels) {
        shape->images_left_out++;
        return;
    }
    shape->num_texels += num;
    fh_html_list_next(&shape->images);
    fh_out *out = &shape->images.out;
    fh_out_fmt(out, "[%" PRIu32 ",%" PRIu32 ",%d,\"", image->width, image->height,
               image->has_holes || image->has_glass ? 0 : 1);
    (void)fh_base64(out, image->pixels, (size_t)num * 4, false);
    fh_out_str(out, "\"]");
}

void fh_html_shape_weight(fh_html_shape *shape, const fh_scene_weight *weight)
{
    if (shape->weights.num == FH_HTML_MAX_DELTAS) {
        shape->deltas_left_out++;
        return;
    }
    fh_html_list_next(&shape->weights);
    fh_out_fmt(&shape->weights.out, "[%" PRIu32, weight->id);
    put_next_real(&shape->weights.out, weight->value);
    fh_out_str(&shape->weights.out, "]");
}

/* Normals do not matter to what is drawn. */
void fh_html_shape_delta(fh_html_shape *shape, const fh_scene_delta *delta)
{
    if (delta->is_normal) {
        return;
    }
    if (shape->deltas.num == FH_HTML_MAX_DELTAS) {
        shape->deltas_left_out++;
        return;
    }
    fh_html_list_next(&shape->deltas);
    fh_out_fmt(&shape->deltas.out, "[%" PRIu32 ",%" PRIu32, delta->weight, delta->number);
    for (size_t i = 0; i < 3; i++) {
        put_next_real(&shape->deltas.out, delta->by[i]);
    }
    fh_out_str(&shape->deltas.out, "]");
}
