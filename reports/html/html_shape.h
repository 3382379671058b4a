/* What an asset looks like: its triangles, their images, and how morphing moves their corners. */
#ifndef FH_REPORTS_HTML_SHAPE_H
#define FH_REPORTS_HTML_SHAPE_H

#include "core/scene.h"
#include "html_list.h"

typedef struct fh_html_shape {
    fh_html_list
        triangles;         /* [COLOUR, 3 x (NODE, X, Y, Z)] and, with an image, IMAGE, 3 x (U, V) */
    fh_html_list vertices; /* of each triangle, the numbers that deltas know its corners by; empty
                               where there are none */
    fh_html_list images;   /* [WIDTH, HEIGHT, 1 if all of it covers, "base64 of RGBA"], by id */
    fh_html_list weights;  /* [ID, VALUE] while no row says otherwise */
    fh_html_list deltas;   /* [WEIGHT, NUMBER, X, Y, Z]: weight times so much is added */
    fh_scene_mesh mesh;
    uint64_t num_texels;
    uint64_t triangles_left_out, images_left_out, deltas_left_out;
} fh_html_shape;

/* fh_html_shape_begin makes an empty one; false if there is too little memory. In all cases end it,
 * which writes its lists and what was left out of them as members of an object. */
bool fh_html_shape_begin(fh_html_shape *shape) FH_MUST_USE;
bool fh_html_shape_end(fh_html_shape *shape, fh_out *out) FH_MUST_USE;

void fh_html_shape_mesh(fh_html_shape *shape, const fh_scene_mesh *mesh);
void fh_html_shape_triangle(fh_html_shape *shape, const fh_scene_triangle *triangle);
void fh_html_shape_image(fh_html_shape *shape, const fh_scene_image *image);
void fh_html_shape_weight(fh_html_shape *shape, const fh_scene_weight *weight);
void fh_html_shape_delta(fh_html_shape *shape, const fh_scene_delta *delta);

#endif
