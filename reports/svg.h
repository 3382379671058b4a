/* A replayed motion as one picture (SVG 1.1), which opens anywhere.
 *
 * Three parts: plots of the channels over time, a row for each object, bone or camera that moves;
 * the paths of cameras from above and from the side; and a contact sheet of poses, as markers
 * joined by sticks. Marked are jumps, values that are no finite number, and where findings are.
 *
 * The writer is a sink for frames and rows, knows of a format no more than the names of its
 * columns, and holds what it needs to draw: for each channel the least and the greatest value of
 * each of at most FH_SVG_BUCKETS spans of time, whatever the number of frames. What is not drawn is
 * said in the picture. It owns its memory until fh_svg_free; header strings and tables are borrowed
 * until then. The same poses give the same bytes, whatever the locale.
 */
#ifndef FH_REPORTS_SVG_H
#define FH_REPORTS_SVG_H

#include "core/record.h"
#include "core/sink.h"
#include "reports/out.h"
#include "reports/pose_writer.h"

/* Spans of time of a plot: one and a half for each of its pixels. */
enum { FH_SVG_BUCKETS = 320 };

typedef struct fh_svg fh_svg;

/* fh_svg_make returns NULL when there is no memory; fh_svg_head says what is drawn. */
fh_svg *fh_svg_make(void);
void fh_svg_head(fh_svg *svg, const char *path, const char *format, const char *evaluator);
void fh_svg_free(fh_svg *svg);

/* fh_svg_sink returns a sink for the poses; findings are noted with fh_svg_note. */
fh_sink fh_svg_sink(fh_svg *svg);
void fh_svg_note(fh_svg *svg, const fh_finding_record *finding);

/* fh_svg_write writes the picture and returns 0 or the errno of the first failure: of a write, or
 * ENOMEM. */
int fh_svg_write(fh_svg *svg, FILE *file) FH_MUST_USE;

#endif
