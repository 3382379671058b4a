/* A replay written as glTF 2.0: nodes that move as the evaluator says, and what they look like.
 *
 * The writer takes the frames and rows of one replay through its sink, what there is to see through
 * its scene sink (core/scene.h; in any order), findings, and then writes one file: JSON with
 * everything in it (.gltf) or the binary form (.glb). It owns what it is given, copied, until
 * fh_gltf_close; the scene and the header are borrowed until then.
 *
 * A pose is exact at every frame, to what single precision holds. A matrix that is a turn and a
 * scale along the axes becomes one node; any other one becomes two, one inside the other, with a
 * turn and a scale in the outer one and a turn in the inner one: every matrix is such a product
 * (singular value decomposition). What stands in such a node is held from frame to frame (STEP),
 * for the two turns have no meaning in between; otherwise what is between two frames is in between
 * (LINEAR), keys that lie on a line with their neighbours are left out, and a cubic of the format
 * is kept as one (CUBICSPLINE) if it gives the same poses. A node whose parent changes stands in
 * world space.
 */
#ifndef FH_REPORTS_GLTF_H
#define FH_REPORTS_GLTF_H

#include "core/scene.h"
#include "core/sink.h"

#include <stdio.h>

/* Memory: keys of 56 bytes, enough for 64 bones in the longest TRA4; vertices of 64 bytes and
 * triangles, eight times those of the largest real model known of its kind (dino, 13,000) for each
 * of a few dozen; deltas of morphing. More is told and left out. */
#define FH_GLTF_MOST_KEYS ((size_t)8 << 20)
#define FH_GLTF_MOST_TRIANGLES ((size_t)1 << 20)
#define FH_GLTF_MOST_DELTAS ((size_t)1 << 20)
#define FH_GLTF_MOST_IMAGES ((size_t)1024)
#define FH_GLTF_MOST_TARGETS ((size_t)256) /* of one mesh */
#define FH_GLTF_MOST_REMARKS ((size_t)32)
#define FH_GLTF_MOST_BYTES ((size_t)1 << 30) /* of what is not JSON */

/* Where the asset comes from; FH_UNKNOWN and NULL where that is not known. */
typedef struct fh_gltf_header {
    const char *path;
    const char *format;
    const char *evaluator;
    int64_t raw_offset; /* of the asset in its source */
    int64_t lba;
    int64_t length;
} fh_gltf_header;

typedef struct fh_gltf fh_gltf;

/* fh_gltf_open returns NULL without memory. */
fh_gltf *fh_gltf_open(void) FH_MUST_USE;

/* fh_gltf_begin says what is replayed, before its first frame; fh_gltf_scene returns the scene. */
void fh_gltf_begin(fh_gltf *gltf, const fh_scene *scene, const fh_gltf_header *header);
const fh_scene *fh_gltf_scene(const fh_gltf *gltf);

/* The sinks live as long as the writer. */
fh_sink fh_gltf_sink(fh_gltf *gltf);
fh_scene_sink fh_gltf_scene_sink(fh_gltf *gltf);

/* fh_gltf_finding keeps a finding, which goes into the file with its code and place. */
void fh_gltf_finding(fh_gltf *gltf, const fh_finding *finding);

/* fh_gltf_write writes the file and returns 0 or the errno of the first failure: of a write, or
 * ENOMEM, or EFBIG for more than FH_GLTF_MOST_BYTES. */
int fh_gltf_write(fh_gltf *gltf, FILE *file, bool is_binary) FH_MUST_USE;

/* fh_gltf_remark returns what is not shown, or not as it is: remark `index` from 0, NULL behind the
 * last one; complete after fh_gltf_write. */
const char *fh_gltf_remark(const fh_gltf *gltf, size_t index);

/* fh_gltf_is_cut tells whether a limit left something out. */
bool fh_gltf_is_cut(const fh_gltf *gltf);

void fh_gltf_close(fh_gltf *gltf);

#endif
