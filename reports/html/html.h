/* The parts of the page. Internal to reports/html.
 *
 * Data stands in the page as JSON in scripts of a type that no browser runs; every string of it
 * goes through fh_escape_script, every number is written as one. Details, which are read one at a
 * time, are packed besides: poses are a fourth of their size then.
 */
#ifndef FH_REPORTS_HTML_H
#define FH_REPORTS_HTML_H

#include "reports/detail.h"
#include "reports/out.h"

/* What stands in front of the data, and behind it; made by embed.py of the files beside. */
extern const char fh_html_head[];
extern const char fh_html_tail[];

/* fh_html_number writes a number, or null where it is not known. */
void fh_html_number(fh_out *out, int64_t number);

/* fh_html_real writes a real number of a scene; null for what is none. */
void fh_html_real(fh_out *out, double real);

/* fh_html_detail writes a detail, a JSON object packed by zlib in base64, and returns how many
 * characters that took. *no_memory is set if there was too little. */
uint64_t fh_html_detail(fh_out *out, bool *no_memory, const fh_detail *detail);

/* fh_html_poses plays and writes the poses: what they are, and their frames, each as the rows that
 * differ from those of the one before:
 *
 *   {"status": "complete", "why": null, "evaluator": ..., "world": true,
 *    "total": 24, "kept": 24, "tables": [["object", ["slot", ...]], ...],
 *    "frames": [[NUMBER, TABLE...], ...]}
 *
 * TABLE, in the order of tables, is a list in which an array is a row and a number so many rows
 * that are those of the frame before at the same place. */
void fh_html_poses(fh_out *out, bool *no_memory, const fh_detail *detail);

/* fh_html_scene writes what there is to see besides the poses: names of nodes, remarks, and the
 * lists of html_shape.h. */
void fh_html_scene(fh_out *out, bool *no_memory, const fh_detail *detail);

#endif
