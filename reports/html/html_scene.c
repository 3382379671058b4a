#include "html.h"

#include "core/scene.h"
#include "html_limits.h"
#include "html_list.h"
#include "html_shape.h"
#include "reports/escape.h"
#include "reports/real.h"

#include <inttypes.h>
#include <math.h>

/* Digits of a corner: a model is at most a few thousand units large, and drawn in pixels. */
enum { CORNER_DIGITS = 6 };

/* Lists of a scene, which are told in any order. */
typedef struct lister {
    fh_html_list nodes;
    fh_html_list remarks;
    fh_html_shape shape;
    fh_scene_about about;
} lister;

void fh_html_real(fh_out *out, double real)
{
    char text[FH_REAL_LEN] = "null";
    if (isfinite(real)) {
        fh_real_text(text, real, CORNER_DIGITS);
    }
    fh_out_str(out, text);
}

static void on_about(void *user, const fh_scene_about *about)
{
    ((lister *)user)->about = *about;
}

static void on_node(void *user, const fh_scene_node *node)
{
    lister *to = user;
    if (node->name != NULL && to->nodes.num < FH_HTML_MAX_NODES) {
        fh_html_list_next(&to->nodes);
        fh_out_fmt(&to->nodes.out, "[%" PRIu32 ",", node->id);
        fh_escape_script(&to->nodes.out, node->name);
        fh_out_str(&to->nodes.out, "]");
    }
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    fh_html_shape_mesh(&((lister *)user)->shape, mesh);
}

static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    fh_html_shape_triangle(&((lister *)user)->shape, triangle);
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    fh_html_shape_weight(&((lister *)user)->shape, weight);
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    fh_html_shape_delta(&((lister *)user)->shape, delta);
}

static void on_image(void *user, const fh_scene_image *image)
{
    fh_html_shape_image(&((lister *)user)->shape, image);
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    (void)user; /* the poses have what it comes to in each frame */
    (void)cubic;
}

static void on_remark(void *user, const char *text)
{
    lister *to = user;
    if (to->remarks.num < FH_HTML_MAX_REMARKS) {
        fh_html_list_next(&to->remarks);
        fh_escape_script(&to->remarks.out, text);
    }
}

static void put_about(fh_out *out, const lister *to, fh_status status)
{
    fh_out_fmt(out, "{\"status\":\"%s\",\"is_y_down\":%s,\"is_rate_assumed\":%s,\"node\":",
               fh_status_name(status), to->about.is_y_down ? "true" : "false",
               to->about.is_rate_assumed ? "true" : "false");
    fh_escape_script(out, to->about.node);
    fh_out_str(out, ",\"rate\":");
    fh_html_real(out, to->about.rate);
}

void fh_html_scene(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    lister to = {.about = {.rate = 0}};
    const fh_scene_sink sink = {.user = &to,
                                .about = on_about,
                                .node = on_node,
                                .mesh = on_mesh,
                                .triangle = on_triangle,
                                .weight = on_weight,
                                .delta = on_delta,
                                .image = on_image,
                                .cubic = on_cubic,
                                .remark = on_remark};
    const bool is_begun[] = {fh_html_list_begin(&to.nodes), fh_html_list_begin(&to.remarks),
                             fh_html_shape_begin(&to.shape)};
    fh_status status = FH_NO_MEMORY;
    if (is_begun[0] && is_begun[1] && is_begun[2]) {
        status = detail->look(detail->user, &sink);
    }
    put_about(out, &to, status);
    const bool is_whole[] = {fh_html_list_end(&to.nodes, out, "nodes"),
                             fh_html_list_end(&to.remarks, out, "remarks"),
                             fh_html_shape_end(&to.shape, out)};
    *no_memory = *no_memory || !is_whole[0] || !is_whole[1] || !is_whole[2];
    fh_out_str(out, "}");
}
