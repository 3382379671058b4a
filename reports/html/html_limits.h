/* What goes into a page, at most. What is left out is told in the page, where it would stand. */
#ifndef FH_REPORTS_HTML_LIMITS_H
#define FH_REPORTS_HTML_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of an asset that are shown. Real animations have less than 20 KiB (TOD), and a table of
 * this many rows is as much as anybody pages through; the file has the rest. */
#define FH_HTML_MAX_BYTES ((size_t)64 << 10)

/* Characters of the fields of an asset, and of its poses: a browser parses as much in a few
 * hundredths of a second. 300 frames of a model with 12 coordinates take 200 KiB. */
#define FH_HTML_MAX_FIELDS ((long)1 << 20)
#define FH_HTML_MAX_POSES ((long)1 << 20)

/* Rows of the poses of an asset. What stays as it was takes hardly a character, but the page keeps
 * every row of every frame, and draws all paths through them. 300 frames of 12 coordinates are
 * 7,200 rows. */
#define FH_HTML_MAX_ROWS ((uint64_t)400000)

/* Of what is drawn of an asset: triangles, of which a browser draws as many sixty times a second,
 * names of nodes, and remarks. The machine draws 4,000 polygons a frame at best. */
#define FH_HTML_MAX_TRIANGLES ((uint64_t)8000)
#define FH_HTML_MAX_NODES ((uint64_t)10000)
#define FH_HTML_MAX_REMARKS ((uint64_t)100)

/* Texels of its images: eight texture pages of the machine; the largest sample has 389,888. And
 * differences of morphing: the samples have 1,204 at most, and each moves a vertex of every frame.
 */
#define FH_HTML_MAX_TEXELS ((uint64_t)8 * 256 * 256)
#define FH_HTML_MAX_DELTAS ((uint64_t)20000)

/* Characters of all details, packed. Behind that assets are listed without. Browsers open a file of
 * 100 MB within seconds; it has room for 6,000 animations of ten objects and 40 frames. */
#define FH_HTML_MAX_DETAILS ((uint64_t)96 << 20)

/* Assets, findings and runs of sectors that are listed: a table of so many is still sorted and
 * filtered while the user types. */
#define FH_HTML_MAX_ASSETS ((uint64_t)100000)
#define FH_HTML_MAX_FINDINGS ((uint64_t)200000)
#define FH_HTML_MAX_RUNS ((uint64_t)200000)

/* Records of one piece of data: a browser takes about a millisecond for it. */
#define FH_HTML_PIECE 500u

/* Rules that are not of this program; the command has no more of them. */
#define FH_HTML_MAX_FOREIGN 1024u

#endif
