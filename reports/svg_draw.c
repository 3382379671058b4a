#include "reports/svg_impl.h"

#include "reports/escape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void svg_px(fh_out *out, double px)
{
    const long tenths = lround(px * 10);
    fh_out_fmt(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
    if (tenths % 10 != 0) {
        fh_out_fmt(out, ".%ld", labs(tenths) % 10);
    }
}

/* A point, whatever the locale has for one. */
void svg_real(fh_out *out, double value)
{
    char local[64];
    char text[64];
    size_t end = 0;
    (void)snprintf(local, sizeof local, "%.5g", value);
    for (size_t i = 0; local[i] != '\0'; i++) {
        if (strchr("0123456789+-e", local[i]) != NULL) {
            text[end++] = local[i];
        } else if (end == 0 || text[end - 1] != '.') {
            text[end++] = '.';
        }
    }
    text[end] = '\0';
    fh_out_str(out, text);
}

void svg_text_begin(fh_out *out, double x, double y, const char *css_class)
{
    fh_out_str(out, "<text x=\"");
    svg_px(out, x);
    fh_out_str(out, "\" y=\"");
    svg_px(out, y);
    fh_out_fmt(out, "\" class=\"%s\">", css_class);
}

void svg_text(fh_out *out, double x, double y, const char *css_class, const char *text)
{
    svg_text_begin(out, x, y, css_class);
    fh_escape_xml(out, text);
    fh_out_str(out, "</text>\n");
}

void svg_line(fh_out *out, const char *css_class, double x1, double y1, double x2, double y2)
{
    fh_out_fmt(out, "<path class=\"%s\" d=\"M", css_class);
    svg_px(out, x1);
    fh_out_str(out, " ");
    svg_px(out, y1);
    fh_out_str(out, "L");
    svg_px(out, x2);
    fh_out_str(out, " ");
    svg_px(out, y2);
    fh_out_str(out, "\"/>\n");
}

svg_box svg_fit(double x, double y, double width, double height, const double min[2],
                const double max[2])
{
    const double margin = 12;
    svg_box box = {.x = x, .y = y, .width = width, .height = height};
    const double wide = max[0] - min[0];
    const double high = max[1] - min[1];
    const double by_width = wide > 0 ? (width - 2 * margin) / wide : INFINITY;
    const double by_height = high > 0 ? (height - 2 * margin) / high : INFINITY;
    box.scale = fmin(by_width, by_height);
    box.scale = isfinite(box.scale) ? box.scale : 0;
    box.min[0] = min[0] + wide / 2 - (box.scale > 0 ? width / 2 / box.scale : 0);
    box.min[1] = min[1] + high / 2 - (box.scale > 0 ? height / 2 / box.scale : 0);
    return box;
}

void svg_place(const svg_box *box, const double at[2], double out[2])
{
    const double middle[2] = {box->width / 2, box->height / 2};
    for (int i = 0; i < 2; i++) {
        const double px = box->scale > 0 ? (at[i] - box->min[i]) * box->scale : middle[i];
        out[i] = (i == 0 ? box->x : box->y) + px;
    }
}

static void put_style(fh_out *out)
{
    fh_out_str(out,
               "<style>text{font:11px sans-serif;fill:#222}.paper{fill:#fff}.title{font-size:18px;"
               "font-weight:bold}.head{font-size:14px;font-weight:bold}.label{font-size:12px;font-"
               "weight:bold}.small{font-size:9px;fill:#555}"
               ".end{text-anchor:end}.middle{text-anchor:middle}"
               ".box{fill:#fafafa;stroke:#bbb;stroke-width:1}path{fill:none}.axis{stroke:#ccc}"
               ".l0{stroke:#0059a3;stroke-width:1.2}.l1{stroke:#c2410c;stroke-width:1.2;"
               "stroke-dasharray:5 2}.l2{stroke:#047857;stroke-width:1.2;stroke-dasharray:1.5 1.5}"
               ".key0{fill:#0059a3}.key1{fill:#c2410c}.key2{fill:#047857}"
               ".jump{fill:#7c3aed}.odd{stroke:#b91c1c;stroke-width:1.5}"
               ".error{stroke:#b91c1c}.warning{stroke:#b45309}.note{stroke:#64748b;"
               "stroke-dasharray:2 2}.error,.warning,.note{stroke-width:1}"
               ".stick{stroke:#334155;stroke-width:1.5}.marker{fill:#0059a3}.root{fill:#c2410c}"
               ".path{stroke:#0059a3;stroke-width:1.5}.aim{stroke:#94a3b8;stroke-width:0.8}"
               ".aimed{stroke:#c2410c;stroke-dasharray:3 2}</style>\n");
}

/* ---- findings in words ---- */

/* Of a rule the first one is told, and how many there are. */
static bool is_first(const fh_svg *svg, size_t i, size_t *num)
{
    *num = 0;
    for (size_t k = 0; k < svg->num_findings; k++) {
        if (svg->findings[k].rule == svg->findings[i].rule) {
            if (k < i) {
                return false;
            }
            (*num)++;
        }
    }
    return true;
}

static void put_finding(fh_out *out, const svg_finding *finding, size_t num, double top)
{
    char buf[240];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_str(&text, finding->rule->code);
    fh_text_str(fh_text_str(&text, " "), fh_severity_name(finding->severity));
    if (num > 1) {
        fh_text_str(fh_text_s64(fh_text_str(&text, ", "), (int64_t)num), " times, the first");
    }
    if (finding->frame != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(&text, ", frame "), finding->frame);
    }
    fh_text_str(fh_text_str(&text, ": "), finding->message);
    svg_line(out, fh_severity_name(finding->severity), 22, top - 9, 22, top + 2);
    svg_text(out, 30, top, "small", buf);
}

static double put_findings(fh_out *out, const fh_svg *svg, double top)
{
    size_t shown = 0;
    size_t left = 0;
    size_t num = 0;
    if (svg->num_findings == 0) {
        svg_text(out, 20, top, "small", "No findings.");
        return top + 18;
    }
    for (size_t i = 0; i < svg->num_findings; i++) {
        if (!is_first(svg, i, &num)) {
            continue;
        }
        if (shown == SVG_FINDINGS_SHOWN) {
            left++;
            continue;
        }
        put_finding(out, &svg->findings[i], num, top);
        shown++;
        top += 13;
    }
    if (left > 0 || svg->num_findings_left > 0) {
        svg_text_begin(out, 30, top, "small");
        fh_out_count(out, left, "more rule");
        fh_out_str(out, " not told here, and ");
        fh_out_count(out, svg->num_findings_left, "finding");
        fh_out_fmt(out, " behind the first %d</text>\n", (int)SVG_MOST_FINDINGS);
        top += 13;
    }
    return top + 8;
}

static double put_head(fh_out *out, const fh_svg *svg)
{
    svg_text(out, 20, 32, "title", svg->header.path);
    svg_text_begin(out, 20, 50, "");
    fh_escape_xml(out, svg->header.format);
    if (svg->header.evaluator != NULL) {
        fh_out_str(out, ", evaluated by ");
        fh_escape_xml(out, svg->header.evaluator);
    }
    fh_out_str(out, ", ");
    fh_out_count(out, svg->num_frames, "frame");
    fh_out_str(out, "</text>\n");
    return put_findings(out, svg, 70);
}

/* The height is known only when all parts are drawn, and stands in front of them. */
static double put_parts(fh_out *out, const fh_svg *svg)
{
    double top = put_head(out, svg);
    top = svg_sheet(out, svg, top);
    top = svg_paths(out, svg, top);
    return svg_plots(out, svg, top);
}

static void put_document(fh_out *out, const fh_svg *svg, long height, const char *body, size_t len)
{
    fh_out_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fh_out_fmt(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
               "height=\"%ld\" viewBox=\"0 0 %d %ld\">\n<title>",
               (int)SVG_WIDTH, height, (int)SVG_WIDTH, height);
    fh_escape_xml(out, svg->header.path);
    fh_out_str(out, "</title>\n");
    put_style(out);
    fh_out_fmt(out, "<rect class=\"paper\" width=\"%d\" height=\"%ld\"/>\n", (int)SVG_WIDTH,
               height);
    fh_out_bytes(out, body, len);
    fh_out_str(out, "</svg>\n");
}

int fh_svg_write(fh_svg *svg, FILE *file)
{
    char *body = NULL;
    size_t len = 0;
    FILE *memory = svg->no_memory ? NULL : open_memstream(&body, &len);
    if (memory == NULL) {
        return ENOMEM;
    }
    fh_out parts = fh_out_make(memory);
    const double height = put_parts(&parts, svg);
    int error = fh_out_end(&parts);
    if (fclose(memory) != 0 || body == NULL) { /* without memory the last copy is not there */
        error = ENOMEM;
    }
    if (error == 0) {
        fh_out out = fh_out_make(file);
        put_document(&out, svg, lround(height) + 10, body, len);
        error = fh_out_end(&out);
    }
    free(body);
    return error;
}
