/* What the parts of the SVG writer share. */
#ifndef FH_REPORTS_SVG_IMPL_H
#define FH_REPORTS_SVG_IMPL_H

#include "reports/svg.h"

#include <stdbool.h>

/* The most that is followed, and drawn; what is beyond it is counted, and the picture says so. */
enum {
    SVG_MOST_ROWS = 256,   /* objects that are followed */
    SVG_ROWS_SHOWN = 40,   /* that are drawn */
    SVG_MOST_GROUPS = 6,   /* plots of an object */
    SVG_MOST_LINES = 3,    /* of a plot */
    SVG_MOST_POSES = 16,   /* that are kept for the contact sheet */
    SVG_POSES_SHOWN = 8,   /* and drawn */
    SVG_MOST_POINTS = 512, /* of a camera's path that are kept */
    SVG_MOST_CAMERAS = 8,
    SVG_MOST_FINDINGS = 200,
    SVG_FINDINGS_SHOWN = 12, /* in words */
    SVG_WIDTH = 1120
};

/* The values of a channel in a span of time. */
typedef struct svg_bucket {
    double min, max;
    double first, last;
    double step; /* the greatest between two frames, the one before it included */
    bool has_value;
    bool has_odd; /* a value that is no finite number */
} svg_bucket;

typedef struct svg_channel {
    svg_bucket buckets[FH_SVG_BUCKETS];
    double min, max; /* of all */
    double sum_steps;
    uint64_t num_steps, num_values, num_odd;
    double last;
    uint32_t last_frame; /* of last; steps are between frames that follow each other */
} svg_channel;

/* Columns that are drawn in one plot: "rotate_x", "rotate_y", "rotate_z" as rotate. */
typedef struct svg_group {
    char name[32];
    size_t columns[SVG_MOST_LINES];
    size_t num_lines;
} svg_group;

typedef struct svg_table {
    const fh_pose_table *table;
    svg_group groups[SVG_MOST_GROUPS];
    size_t num_groups;
    bool is_plotted;
    int key, second_key; /* columns, -1: none */
    int parent;          /* column of the key of what the row is relative to, -1: none */
    int place[3];        /* columns of a position, -1: none */
    int target[3];
    int matrix; /* column of m00, with eight more and the translation behind it; -1: none */
} svg_table;

typedef struct svg_row {
    size_t table;
    int64_t key, second_key;
    svg_channel *channels; /* group by group, SVG_MOST_LINES of each, owned */
} svg_row;

typedef struct svg_marker {
    int64_t key;
    int64_t parent; /* key, FH_UNKNOWN: none */
    double at[3];
} svg_marker;

typedef struct svg_pose {
    uint32_t frame;
    svg_marker *markers; /* owned */
    size_t num, capacity;
} svg_pose;

/* The path of a camera: a point each so many frames. */
typedef struct svg_point {
    double at[3];
    double target[3];
    uint32_t frame;
    bool has_target;
} svg_point;

typedef struct svg_camera {
    size_t table;
    int64_t key;
    svg_point *points; /* SVG_MOST_POINTS of them, owned */
    size_t num;
    uint32_t stride; /* frames between two points */
} svg_camera;

typedef struct svg_finding {
    const fh_rule *rule;
    fh_severity severity;
    int64_t frame, object;
    char message[160];
} svg_finding;

struct fh_svg {
    fh_pose_header header;
    bool no_memory;
    uint32_t num_frames;
    fh_pose_frame frame;
    uint32_t stride; /* frames of a bucket */
    svg_table tables[FH_POSE_WRITER_TABLES];
    size_t num_tables;
    svg_row rows[SVG_MOST_ROWS];
    size_t num_rows;
    uint64_t num_rows_left; /* rows of objects beyond those, of all frames */
    svg_pose poses[SVG_MOST_POSES];
    size_t num_poses;
    uint32_t pose_stride;
    bool has_world; /* markers come from a table of places in the world */
    svg_camera cameras[SVG_MOST_CAMERAS];
    size_t num_cameras;
    svg_finding findings[SVG_MOST_FINDINGS];
    size_t num_findings;
    uint64_t num_findings_left;
};

/* ---- svg_draw.c: text ---- */

/* svg_px writes a length in pixels, in tenths; svg_real a value with five digits, as %g does. */
void svg_px(fh_out *out, double px);
void svg_real(fh_out *out, double value);
void svg_text(fh_out *out, double x, double y, const char *css_class, const char *text);
void svg_text_begin(fh_out *out, double x, double y, const char *css_class);
void svg_line(fh_out *out, const char *css_class, double x1, double y1, double x2, double y2);

/* ---- parts: each draws from `top` on and returns where it ends ---- */
double svg_plots(fh_out *out, const fh_svg *svg, double top);
double svg_paths(fh_out *out, const fh_svg *svg, double top);
double svg_sheet(fh_out *out, const fh_svg *svg, double top);

/* svg_is_jump tells whether the greatest step in a bucket stands out: at least ten times as large
 * as the mean step of the channel, and a tenth of the range of its plot. */
bool svg_is_jump(const svg_channel *channel, const svg_bucket *bucket, double range);

/* svg_projection: what a range of places needs to fill a box. */
typedef struct svg_box {
    double x, y, width, height; /* pixels */
    double min[2], scale;
} svg_box;
svg_box svg_fit(double x, double y, double width, double height, const double min[2],
                const double max[2]);
void svg_place(const svg_box *box, const double at[2], double out[2]);

#endif
