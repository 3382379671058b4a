/* The paths of cameras, from above and from the side. */
#include "reports/svg_impl.h"

#include <math.h>

enum { VIEW_WIDTH = 530, VIEW_HEIGHT = 300, AIMS_SHOWN = 24 };

static bool is_placed(const double at[3])
{
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

/* axes: which one goes to the right and which one down. */
static void flatten(const double at[3], const int axes[2], double sign, double out[2])
{
    out[0] = at[axes[0]];
    out[1] = sign * at[axes[1]];
}

static bool widen(const double at[3], const int axes[2], double sign, double min[2], double max[2],
                  bool is_any)
{
    double flat[2];
    if (!is_placed(at)) {
        return is_any;
    }
    flatten(at, axes, sign, flat);
    for (int i = 0; i < 2; i++) {
        min[i] = is_any ? fmin(min[i], flat[i]) : flat[i];
        max[i] = is_any ? fmax(max[i], flat[i]) : flat[i];
    }
    return true;
}

/* Targets count only where they are given as places: those of a matrix are a direction. */
static bool has_places(const fh_svg *svg, const svg_camera *camera)
{
    return svg->tables[camera->table].target[0] >= 0;
}

static svg_box find_box(const fh_svg *svg, double x, double y, const int axes[2], double sign)
{
    double min[2] = {0};
    double max[2] = {0};
    bool is_any = false;
    for (size_t i = 0; i < svg->num_cameras; i++) {
        const svg_camera *camera = &svg->cameras[i];
        for (size_t k = 0; k < camera->num; k++) {
            is_any = widen(camera->points[k].at, axes, sign, min, max, is_any);
            if (has_places(svg, camera)) {
                is_any = widen(camera->points[k].target, axes, sign, min, max, is_any);
            }
        }
    }
    return svg_fit(x, y, VIEW_WIDTH, VIEW_HEIGHT, min, max);
}

static void put_point(fh_out *out, const double at[2])
{
    svg_px(out, at[0]);
    fh_out_str(out, " ");
    svg_px(out, at[1]);
}

typedef struct way {
    const svg_box *box;
    const int *axes;
    double sign;
    bool of_targets;
} way;

static void find_place(const way *how, const svg_point *point, double out[2])
{
    double flat[2];
    flatten(how->of_targets ? point->target : point->at, how->axes, how->sign, flat);
    svg_place(how->box, flat, out);
}

static void put_way(fh_out *out, const svg_camera *camera, const way *how)
{
    const char *command = "M";
    double at[2];
    fh_out_fmt(out, "<path class=\"%s\" d=\"", how->of_targets ? "aimed" : "path");
    for (size_t i = 0; i < camera->num; i++) {
        const svg_point *point = &camera->points[i];
        if (!is_placed(how->of_targets ? point->target : point->at)) {
            command = "M";
            continue;
        }
        find_place(how, point, at);
        fh_out_str(out, command);
        put_point(out, at);
        command = "L";
    }
    fh_out_str(out, "\"/>\n");
}

/* Where it looks: to its target, or for 20 pixels into the direction. */
static void put_aims(fh_out *out, const fh_svg *svg, const svg_camera *camera, const way *how)
{
    const size_t step = (camera->num + AIMS_SHOWN - 1) / AIMS_SHOWN;
    way aim = *how;
    aim.of_targets = true;
    for (size_t i = 0; i < camera->num; i += step) {
        const svg_point *point = &camera->points[i];
        double at[2];
        double to[2];
        if (!point->has_target || !is_placed(point->at) || !is_placed(point->target)) {
            continue;
        }
        find_place(how, point, at);
        find_place(&aim, point, to);
        const double len = hypot(to[0] - at[0], to[1] - at[1]);
        if (!has_places(svg, camera) && len > 0) {
            to[0] = at[0] + 20 * (to[0] - at[0]) / len;
            to[1] = at[1] + 20 * (to[1] - at[1]) / len;
        }
        svg_line(out, "aim", at[0], at[1], to[0], to[1]);
    }
}

static void put_ends(fh_out *out, const svg_camera *camera, const way *how)
{
    double at[2];
    const size_t ends[2] = {0, camera->num - 1};
    for (int i = 0; i < 2; i++) {
        if (!is_placed(camera->points[ends[i]].at)) {
            continue;
        }
        find_place(how, &camera->points[ends[i]], at);
        fh_out_fmt(out, i == 0 ? "<circle class=\"marker\" r=\"4\" cx=\""
                               : "<circle class=\"root\" "
                                 "r=\"4\" cx=\"");
        svg_px(out, at[0]);
        fh_out_str(out, "\" cy=\"");
        svg_px(out, at[1]);
        fh_out_str(out, "\"/>\n");
        svg_text_begin(out, at[0] + 6, at[1] + (i == 0 ? -4 : 12), "small");
        fh_out_fmt(out, "%u</text>\n", (unsigned)camera->points[ends[i]].frame);
    }
}

static void put_view(fh_out *out, const fh_svg *svg, double x, double top, const int axes[2],
                     double sign, const char *title)
{
    const svg_box box = find_box(svg, x, top + 20, axes, sign);
    svg_text(out, x, top + 12, "", title);
    fh_out_fmt(out, "<rect class=\"box\" x=\"");
    svg_px(out, x);
    fh_out_str(out, "\" y=\"");
    svg_px(out, top + 20);
    fh_out_fmt(out, "\" width=\"%d\" height=\"%d\"/>\n", (int)VIEW_WIDTH, (int)VIEW_HEIGHT);
    for (size_t i = 0; i < svg->num_cameras; i++) {
        way how = {&box, axes, sign, false};
        if (svg->cameras[i].num == 0) {
            continue;
        }
        put_aims(out, svg, &svg->cameras[i], &how);
        put_way(out, &svg->cameras[i], &how);
        if (has_places(svg, &svg->cameras[i])) {
            how.of_targets = true;
            put_way(out, &svg->cameras[i], &how);
            how.of_targets = false;
        }
        put_ends(out, &svg->cameras[i], &how);
    }
}

double svg_paths(fh_out *out, const fh_svg *svg, double top)
{
    static const int from_above[2] = {0, 2};
    static const int from_side[2] = {2, 1};
    uint32_t stride = 1;
    if (svg->num_cameras == 0) {
        return top;
    }
    for (size_t i = 0; i < svg->num_cameras; i++) {
        stride = svg->cameras[i].stride > stride ? svg->cameras[i].stride : stride;
    }
    const bool is_down = svg->header.format[0] == 'h';
    svg_text(out, 20, top + 14, "head", "Camera");
    svg_text_begin(out, 90, top + 14, "small");
    fh_out_str(out, "The path is blue from its first frame (blue dot) to its last (red dot), with "
                    "their numbers; grey lines: where it looks; red: the path of the target. ");
    if (stride > 1) {
        fh_out_fmt(out, "Of %u frames one is drawn.", (unsigned)stride);
    } else {
        fh_out_str(out, "Every frame is drawn.");
    }
    fh_out_str(out, "</text>\n");
    put_view(out, svg, 20, top + 26, from_above, -1, "From above: x to the right, z upwards");
    put_view(out, svg, 20 + VIEW_WIDTH + 20, top + 26, from_side, is_down ? 1 : -1,
             is_down ? "From the side: z to the right, y downwards, as the machine has it"
                     : "From the side: z to the right, y upwards");
    return top + 26 + 20 + VIEW_HEIGHT + 24;
}
