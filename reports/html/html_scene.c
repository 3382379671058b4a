#include "html.h"

#include "core/scene.h"
#include "html_limits.h"
#include "reports/escape.h"
#include "reports/real.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Digits of a corner: a model is at most a few thousand units large, and drawn in pixels. */
enum { CORNER_DIGITS = 6 };

/* Lists of a scene, which are told in any order. */
typedef struct lister {
    fh_out nodes; /* into memory, as are the others */
    fh_out triangles;
    fh_out remarks;
    fh_scene_about about;
    fh_scene_mesh mesh;
    uint64_t num_nodes;
    uint64_t num_triangles;
    uint64_t num_left_out; /* triangles */
    uint64_t num_remarks;
    bool has_morphing;
} lister;

static void on_about(void *user, const fh_scene_about *about)
{
    ((lister *)user)->about = *about;
}

static void on_node(void *user, const fh_scene_node *node)
{
    lister *to = user;
    if (node->name != NULL && to->num_nodes < FH_HTML_MAX_NODES) {
        fh_out_fmt(&to->nodes, "%s[%" PRIu32 ",", to->num_nodes == 0 ? "" : ",", node->id);
        fh_escape_script(&to->nodes, node->name);
        fh_out_str(&to->nodes, "]");
        to->num_nodes++;
    }
}

static void on_mesh(void *user, const fh_scene_mesh *mesh)
{
    ((lister *)user)->mesh = *mesh;
}

/* put_real writes a real; null for what is none. */
static void put_real(fh_out *out, double real)
{
    char text[FH_REAL_LEN] = "null";
    if (isfinite(real)) {
        fh_real_text(text, real, CORNER_DIGITS);
    }
    fh_out_str(out, text);
}

/* put_corner writes the node that a corner moves with, or -1, and where it is in it. */
static void put_corner(lister *to, const fh_scene_corner *corner)
{
    const bool has_joint = to->mesh.owner == FH_SCENE_OF_JOINTS;
    fh_out_fmt(&to->triangles, ",%" PRId64,
               has_joint                             ? (int64_t)corner->joint
               : to->mesh.owner == FH_SCENE_OF_WORLD ? -1
                                                     : (int64_t)to->mesh.id);
    for (size_t i = 0; i < 3; i++) {
        fh_out_str(&to->triangles, ",");
        put_real(&to->triangles, corner->position[i]);
    }
}

/* A triangle is its colour, that of its first corner, and three corners. */
static void on_triangle(void *user, const fh_scene_triangle *triangle)
{
    lister *to = user;
    if (to->mesh.owner == FH_SCENE_OF_MODEL || to->num_triangles == FH_HTML_MAX_TRIANGLES) {
        to->num_left_out++;
        return;
    }
    fh_out_str(&to->triangles, to->num_triangles == 0 ? "[" : ",\n[");
    unsigned colour = 0;
    for (size_t i = 0; i < 3; i++) {
        const double part = triangle->corners[0].colour[i];
        colour = colour << 8 | (part >= 1.0 ? 255u : part > 0.0 ? (unsigned)(part * 255.0) : 0u);
    }
    fh_out_fmt(&to->triangles, "%u", colour);
    for (size_t i = 0; i < 3; i++) {
        put_corner(to, &triangle->corners[i]);
    }
    fh_out_str(&to->triangles, "]");
    to->num_triangles++;
}

static void on_weight(void *user, const fh_scene_weight *weight)
{
    (void)weight;
    ((lister *)user)->has_morphing = true;
}

static void on_delta(void *user, const fh_scene_delta *delta)
{
    (void)user; /* the weights have told that there is morphing */
    (void)delta;
}

static void on_image(void *user, const fh_scene_image *image)
{
    (void)user; /* triangles have the colour of their corners */
    (void)image;
}

static void on_cubic(void *user, const fh_scene_cubic *cubic)
{
    (void)user; /* the poses have what it comes to in each frame */
    (void)cubic;
}

static void on_remark(void *user, const char *text)
{
    lister *to = user;
    if (to->num_remarks < FH_HTML_MAX_REMARKS) {
        fh_out_str(&to->remarks, to->num_remarks == 0 ? "" : ",");
        fh_escape_script(&to->remarks, text);
        to->num_remarks++;
    }
}

/* A text in memory that is written bit by bit. */
typedef struct memory {
    char *text;
    size_t len;
} memory;

static fh_out begin_list(memory *at)
{
    return fh_out_make(open_memstream(&at->text, &at->len));
}

static bool end_list(memory *at, fh_out *out)
{
    if (out->file == NULL) {
        return false;
    }
    const bool is_written = fh_out_end(out) == 0;
    return fclose(out->file) == 0 && is_written && at->text != NULL;
}

static void put_list(fh_out *out, const char *name, const memory *at)
{
    fh_out_fmt(out, ",\"%s\":[", name);
    fh_out_bytes(out, at->text == NULL ? "" : at->text, at->text == NULL ? 0 : at->len);
    fh_out_str(out, "]");
}

static void put_about(fh_out *out, const lister *to, fh_status status)
{
    fh_out_fmt(out, "{\"status\":\"%s\",\"is_y_down\":%s,\"is_rate_assumed\":%s,\"node\":",
               fh_status_name(status), to->about.is_y_down ? "true" : "false",
               to->about.is_rate_assumed ? "true" : "false");
    fh_escape_script(out, to->about.node);
    fh_out_fmt(out, ",\"has_morphing\":%s,\"triangles_left_out\":%" PRIu64 ",\"rate\":",
               to->has_morphing ? "true" : "false", to->num_left_out);
    put_real(out, to->about.rate);
}

void fh_html_scene(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    memory nodes = {0};
    memory triangles = {0};
    memory remarks = {0};
    lister to = {.nodes = begin_list(&nodes),
                 .triangles = begin_list(&triangles),
                 .remarks = begin_list(&remarks)};
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
    fh_status status = FH_NO_MEMORY;
    if (to.nodes.file != NULL && to.triangles.file != NULL && to.remarks.file != NULL) {
        status = detail->look(detail->user, &sink);
    }
    const bool is_kept[] = {end_list(&nodes, &to.nodes), end_list(&triangles, &to.triangles),
                            end_list(&remarks, &to.remarks)};
    *no_memory = *no_memory || !is_kept[0] || !is_kept[1] || !is_kept[2];
    put_about(out, &to, status);
    put_list(out, "nodes", &nodes);
    put_list(out, "triangles", &triangles);
    put_list(out, "remarks", &remarks);
    fh_out_str(out, "}");
    free(nodes.text);
    free(triangles.text);
    free(remarks.text);
}
