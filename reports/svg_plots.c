/* The plots of the channels over time: a row for each object that moves, a plot for each vector. */
#include "reports/svg_impl.h"

#include "reports/escape.h"

#include <math.h>

enum {
    LABEL_WIDTH = 104,
    PLOT_WIDTH = 232,
    PLOT_HEIGHT = 72,
    PLOT_GAP = 14,
    PLOTS_A_LINE = 4,
    LINE_HEIGHT = PLOT_HEIGHT + 30
};

typedef struct plot {
    const fh_svg *svg;
    const svg_row *row;
    const svg_group *group;
    const svg_channel *channels; /* of the group */
    double x, y;                 /* of its box */
    double min, max;
    bool is_flat; /* no value, or only one */
} plot;

static const svg_channel *channels_of(const svg_row *row, size_t group)
{
    return &row->channels[group * SVG_MOST_LINES];
}

static bool moves(const fh_svg *svg, const svg_row *row)
{
    const svg_table *known = &svg->tables[row->table];
    for (size_t i = 0; i < known->num_groups; i++) {
        for (size_t k = 0; k < known->groups[i].num_lines; k++) {
            const svg_channel *channel = &channels_of(row, i)[k];
            if (channel->num_odd > 0 || (channel->num_values > 0 && channel->max > channel->min)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- one plot ---- */

static double x_of_frame(const plot *p, double frame)
{
    const double num = p->svg->num_frames > 1 ? (double)p->svg->num_frames - 1 : 1;
    return p->x + frame / num * PLOT_WIDTH;
}

static double x_of(const plot *p, size_t bucket)
{
    const double first = (double)bucket * p->svg->stride;
    const double last = fmin(first + p->svg->stride, p->svg->num_frames) - 1;
    return x_of_frame(p, (first + last) / 2);
}

static double y_of(const plot *p, double value)
{
    const double part = p->is_flat ? 0.5 : (value - p->min) / (p->max - p->min);
    return p->y + PLOT_HEIGHT - 4 - part * (PLOT_HEIGHT - 8);
}

static void put_point(fh_out *out, const char *command, double x, double y)
{
    fh_out_str(out, command);
    svg_px(out, x);
    fh_out_str(out, " ");
    svg_px(out, y);
}

/* A bucket of several frames is drawn from where it begins over its least and its greatest value to
 * where it ends, all at one place: so no spike is lost. */
static void put_bucket(fh_out *out, const plot *p, size_t i, const svg_bucket *bucket,
                       const char *command)
{
    const double x = x_of(p, i);
    put_point(out, command, x, y_of(p, bucket->first));
    if (bucket->max > bucket->min) {
        put_point(out, "L", x, y_of(p, bucket->min));
        put_point(out, "L", x, y_of(p, bucket->max));
        put_point(out, "L", x, y_of(p, bucket->last));
    }
}

static void put_line(fh_out *out, const plot *p, size_t which)
{
    const svg_channel *channel = &p->channels[which];
    const char *command = "M";
    bool is_any = false;
    for (size_t i = 0; i < FH_SVG_BUCKETS; i++) {
        if (!channel->buckets[i].has_value) {
            command = "M";
            continue;
        }
        if (!is_any) {
            fh_out_fmt(out, "<path class=\"l%zu\" d=\"", which);
            is_any = true;
        }
        put_bucket(out, p, i, &channel->buckets[i], command);
        const bool is_alone =
            command[0] == 'M' && (i + 1 == FH_SVG_BUCKETS || !channel->buckets[i + 1].has_value);
        fh_out_str(out, is_alone ? "h1" : "");
        command = "L";
    }
    fh_out_str(out, is_any ? "\"/>\n" : "");
}

static void put_marks(fh_out *out, const plot *p, size_t which)
{
    const svg_channel *channel = &p->channels[which];
    for (size_t i = 0; i < FH_SVG_BUCKETS; i++) {
        const double x = x_of(p, i);
        if (svg_is_jump(channel, &channel->buckets[i], p->max - p->min)) {
            put_point(out, "<path class=\"jump\" style=\"fill:#7c3aed\" d=\"M", x - 3, p->y);
            fh_out_str(out, "h6l-3 6z\"/>\n");
        }
        if (channel->buckets[i].has_odd) {
            put_point(out, "<path class=\"odd\" d=\"M", x - 3, p->y + PLOT_HEIGHT - 7);
            fh_out_str(out, "l6 6m0 -6l-6 6\"/>\n");
        }
    }
}

static bool is_about(const svg_finding *finding, const svg_row *row)
{
    return finding->frame != FH_UNKNOWN &&
           (finding->object == FH_UNKNOWN || finding->object == row->key ||
            finding->object == row->second_key);
}

static void put_findings(fh_out *out, const plot *p)
{
    for (size_t i = 0; i < p->svg->num_findings; i++) {
        const svg_finding *finding = &p->svg->findings[i];
        if (is_about(finding, p->row) && (uint64_t)finding->frame < p->svg->num_frames) {
            const double x = x_of_frame(p, (double)finding->frame);
            svg_line(out, fh_severity_name(finding->severity), x, p->y, x, p->y + PLOT_HEIGHT);
        }
    }
}

static void put_range(fh_out *out, const plot *p)
{
    svg_text_begin(out, p->x + PLOT_WIDTH, p->y - 3, "small end");
    if (p->is_flat) {
        fh_out_str(out, "always ");
        svg_real(out, p->min);
    } else {
        svg_real(out, p->min);
        fh_out_str(out, " to ");
        svg_real(out, p->max);
    }
    fh_out_str(out, "</text>\n");
}

static plot make_plot(const fh_svg *svg, const svg_row *row, size_t group)
{
    plot p = {.svg = svg,
              .row = row,
              .group = &svg->tables[row->table].groups[group],
              .channels = channels_of(row, group)};
    bool is_any = false;
    for (size_t k = 0; k < p.group->num_lines; k++) {
        const svg_channel *channel = &p.channels[k];
        if (channel->num_values > 0) {
            p.min = is_any ? fmin(p.min, channel->min) : channel->min;
            p.max = is_any ? fmax(p.max, channel->max) : channel->max;
            is_any = true;
        }
    }
    p.is_flat = !(p.max > p.min);
    return p;
}

static void put_plot(fh_out *out, plot *p)
{
    put_point(out, "<path class=\"box\" style=\"fill:#fafafa\" d=\"M", p->x, p->y);
    fh_out_fmt(out, "h%dv%dh-%dz\"/>\n", (int)PLOT_WIDTH, (int)PLOT_HEIGHT, (int)PLOT_WIDTH);
    svg_text(out, p->x, p->y - 3, "small", p->group->name);
    put_range(out, p);
    put_findings(out, p);
    for (size_t k = 0; k < p->group->num_lines; k++) {
        put_line(out, p, k);
        put_marks(out, p, k);
    }
}

/* ---- rows ---- */

static void put_label(fh_out *out, const fh_svg *svg, const svg_row *row, double y)
{
    const svg_table *known = &svg->tables[row->table];
    svg_text_begin(out, 20, y + 12, "label");
    fh_escape_xml(out, known->table->name);
    if (row->key != FH_UNKNOWN) {
        fh_out_fmt(out, " %lld",
                   (long long)(row->second_key != FH_UNKNOWN ? row->second_key : row->key));
    }
    fh_out_str(out, "</text>\n");
    if (row->second_key != FH_UNKNOWN) {
        svg_text_begin(out, 20, y + 26, "small");
        fh_escape_xml(out, known->table->columns[known->key].name);
        fh_out_fmt(out, " %lld</text>\n", (long long)row->key);
    }
}

static double put_row(fh_out *out, const fh_svg *svg, const svg_row *row, double y)
{
    const size_t num = svg->tables[row->table].num_groups;
    put_label(out, svg, row, y);
    for (size_t i = 0; i < num; i++) {
        const size_t line = i / PLOTS_A_LINE;
        plot p = make_plot(svg, row, i);
        p.x = 20 + LABEL_WIDTH + (double)(i % PLOTS_A_LINE) * (PLOT_WIDTH + PLOT_GAP);
        p.y = y + (double)line * LINE_HEIGHT;
        put_plot(out, &p);
    }
    const size_t num_lines = (num + PLOTS_A_LINE - 1) / PLOTS_A_LINE;
    return y + (double)num_lines * LINE_HEIGHT;
}

static void put_legend(fh_out *out, const fh_svg *svg, double top)
{
    static const char *const names[] = {"x, red or the only one", "y, green", "z, blue"};
    double x = 100;
    for (int i = 0; i < 3; i++) {
        fh_out_fmt(out, "<path class=\"l%d\" d=\"M%d %dh18\"/>\n", i, (int)x, (int)top + 10);
        svg_text(out, x + 22, top + 14, "small", names[i]);
        x += i == 0 ? 128 : 64;
    }
    fh_out_fmt(out, "<path class=\"jump\" style=\"fill:#7c3aed\" d=\"M%d %dh6l-3 6z\"/>\n", (int)x,
               (int)top + 7);
    svg_text(out, x + 10, top + 14, "small",
             "jump: at least 10 times the mean step, and a tenth of the plot");
    fh_out_fmt(out, "<path class=\"odd\" d=\"M%d %dl6 6m0 -6l-6 6\"/>\n", (int)x + 300,
               (int)top + 7);
    svg_text(out, x + 311, top + 14, "small", "no finite number; upright lines: findings");
    svg_text_begin(out, 20, top + 28, "small");
    fh_out_fmt(out, "Frames 0 to %u from left to right, ",
               svg->num_frames > 0 ? (unsigned)svg->num_frames - 1 : 0);
    if (svg->stride > 1) {
        fh_out_fmt(out, "%u to a place, each with its least and its greatest value. ",
                   (unsigned)svg->stride);
    } else {
        fh_out_str(out, "every one of them. ");
    }
    fh_out_str(out, "Matrices are not plotted: what they are made of is.</text>\n");
}

static double put_left(fh_out *out, size_t still, size_t beyond, uint64_t lost, double top)
{
    if (still > 0) {
        svg_text_begin(out, 20, top, "small");
        fh_out_fmt(out, "Not plotted, for nothing of them changes: %zu.</text>\n", still);
        top += 13;
    }
    if (beyond > 0) {
        svg_text_begin(out, 20, top, "small");
        fh_out_fmt(out, "%zu more move: one picture has room for %d of them.</text>\n", beyond,
                   (int)SVG_ROWS_SHOWN);
        top += 13;
    }
    if (lost > 0) {
        svg_text_begin(out, 20, top, "small");
        fh_out_fmt(out, "There are others beyond the first %d, which are not followed.</text>\n",
                   (int)SVG_MOST_ROWS);
        top += 13;
    }
    return top;
}

static bool any_moves(const fh_svg *svg)
{
    bool is_any = false;
    for (size_t i = 0; i < svg->num_rows && !is_any; i++) {
        is_any = moves(svg, &svg->rows[i]);
    }
    return is_any;
}

/* Without a plot there is nothing that a legend could be of. */
static void put_nothing(fh_out *out, const fh_svg *svg, double top)
{
    svg_text_begin(out, 20, top + 30, "small");
    if (svg->num_frames < 2) {
        fh_out_fmt(out, "Nothing moves: there is %s frame.</text>\n",
                   svg->num_frames == 0 ? "no" : "a single");
        return;
    }
    fh_out_fmt(out, "Nothing%s changes in any of the %u frames.</text>\n",
               svg->num_rows_left > 0 ? " that is followed" : "", (unsigned)svg->num_frames);
}

double svg_plots(fh_out *out, const fh_svg *svg, double top)
{
    size_t shown = 0;
    size_t still = 0;
    size_t beyond = 0;
    svg_text(out, 20, top + 14, "head", "Channels");
    if (!any_moves(svg)) {
        put_nothing(out, svg, top);
        return put_left(out, 0, 0, svg->num_rows_left, top + 44);
    }
    put_legend(out, svg, top);
    top += 54;
    for (size_t i = 0; i < svg->num_rows; i++) {
        if (!moves(svg, &svg->rows[i])) {
            still++;
        } else if (shown == SVG_ROWS_SHOWN) {
            beyond++;
        } else {
            top = put_row(out, svg, &svg->rows[i], top);
            shown++;
        }
    }
    return put_left(out, still, beyond, svg->num_rows_left, top);
}
