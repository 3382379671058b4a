/* The contact sheet: some poses side by side, as markers joined by sticks. */
#include "reports/svg_impl.h"

#include <math.h>

enum { CELL = 132, GAP = 4 };

/* Seen from the side and a little from above. Of formats of the PlayStation y points down. */
static void project(const fh_svg *svg, const double at[3], double out[2])
{
    static const double cos_yaw = 0.86602540378443865, sin_yaw = 0.5;
    static const double cos_pitch = 0.93969262078590838, sin_pitch = 0.34202014332566873;
    const bool y_is_down =
        svg->header.format[0] == 't' ? svg->header.format[1] == 'o' : svg->header.format[0] == 'h';
    const double y = y_is_down ? at[1] : -at[1];
    const double depth = at[0] * sin_yaw + at[2] * cos_yaw;
    out[0] = at[0] * cos_yaw - at[2] * sin_yaw;
    out[1] = y * cos_pitch - depth * sin_pitch;
}

static bool is_placed(const svg_marker *marker)
{
    return isfinite(marker->at[0]) && isfinite(marker->at[1]) && isfinite(marker->at[2]);
}

/* Of those that are kept, every so many, so that no more are shown than there is room for. */
static size_t step_of(const fh_svg *svg)
{
    return (svg->num_poses + SVG_POSES_SHOWN - 1) / SVG_POSES_SHOWN;
}

static bool find_range(const fh_svg *svg, double min[2], double max[2])
{
    bool is_any = false;
    for (size_t i = 0; i < svg->num_poses; i++) {
        for (size_t k = 0; k < svg->poses[i].num; k++) {
            double at[2];
            if (!is_placed(&svg->poses[i].markers[k])) {
                continue;
            }
            project(svg, svg->poses[i].markers[k].at, at);
            for (int axis = 0; axis < 2; axis++) {
                min[axis] = is_any ? fmin(min[axis], at[axis]) : at[axis];
                max[axis] = is_any ? fmax(max[axis], at[axis]) : at[axis];
            }
            is_any = true;
        }
    }
    return is_any;
}

static const svg_marker *parent_of(const svg_pose *pose, const svg_marker *marker)
{
    for (size_t i = 0; i < pose->num && marker->parent != FH_UNKNOWN; i++) {
        if (pose->markers[i].key == marker->parent) {
            return &pose->markers[i];
        }
    }
    return NULL;
}

static void put_marker(fh_out *out, const double at[2], bool is_root)
{
    fh_out_fmt(out, "<circle class=\"%s\" cx=\"", is_root ? "root" : "marker");
    svg_px(out, at[0]);
    fh_out_str(out, "\" cy=\"");
    svg_px(out, at[1]);
    fh_out_fmt(out, "\" r=\"%s\"/>\n", is_root ? "3.5" : "2.5");
}

static void put_pose(fh_out *out, const fh_svg *svg, const svg_pose *pose, const svg_box *box)
{
    double flat[2];
    double at[2];
    double from[2];
    for (size_t i = 0; i < pose->num; i++) {
        const svg_marker *marker = &pose->markers[i];
        const svg_marker *parent = parent_of(pose, marker);
        if (is_placed(marker) && parent != NULL && is_placed(parent)) {
            project(svg, marker->at, flat);
            svg_place(box, flat, at);
            project(svg, parent->at, flat);
            svg_place(box, flat, from);
            svg_line(out, "stick", from[0], from[1], at[0], at[1]);
        }
    }
    for (size_t i = 0; i < pose->num; i++) {
        if (is_placed(&pose->markers[i])) {
            project(svg, pose->markers[i].at, flat);
            svg_place(box, flat, at);
            put_marker(out, at, parent_of(pose, &pose->markers[i]) == NULL);
        }
    }
}

double svg_sheet(fh_out *out, const fh_svg *svg, double top)
{
    double min[2] = {0};
    double max[2] = {0};
    size_t shown = 0;
    const bool is_known = find_range(svg, min, max);
    if (svg->num_frames == 0 || (!is_known && svg->num_cameras > 0)) {
        return top;
    }
    svg_text(out, 20, top + 14, "head", "Poses");
    if (!is_known) {
        svg_text(out, 20, top + 30, "small",
                 "Where things are in the world is not known: there is no model, or no hierarchy.");
        return top + 44;
    }
    svg_text(
        out, 80, top + 14, "small",
        "Seen from the front left and above, all to one scale. Sticks lead from a thing to what "
        "it hangs on; those that hang on nothing are red.");
    for (size_t i = 0; i < svg->num_poses; i += step_of(svg), shown++) {
        const double x = 20 + (double)shown * (CELL + GAP);
        const svg_box box = svg_fit(x, top + 22, CELL, CELL, min, max);
        fh_out_str(out, "<rect class=\"box\" x=\"");
        svg_px(out, x);
        fh_out_str(out, "\" y=\"");
        svg_px(out, top + 22);
        fh_out_fmt(out, "\" width=\"%d\" height=\"%d\"/>\n", (int)CELL, (int)CELL);
        put_pose(out, svg, &svg->poses[i], &box);
        svg_text_begin(out, x + 4, top + 22 + CELL - 4, "small");
        fh_out_fmt(out, "frame %u</text>\n", (unsigned)svg->poses[i].frame);
    }
    return top + 22 + CELL + 24;
}
