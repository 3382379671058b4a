/* framehound replay -o x.glb: the poses of one replay as glTF, with what there is to see.
 *
 * The owner keeps one of these for a run: findings are noted as they come, the replay is run with
 * the sink of fh_replay_gltf_begin, and fh_replay_gltf_end writes the file. */
#ifndef FH_SCANNER_REPLAY_GLTF_H
#define FH_SCANNER_REPLAY_GLTF_H

#include "cmd.h"

#include "core/format.h"
#include "reports/gltf/gltf.h"

typedef struct fh_replay_gltf {
    bool is_wanted;
    bool is_binary;
    const char *models; /* file that the option for models names (--tmd), or NULL */
    fh_gltf *writer;    /* owned */
    bool is_lost; /* for want of memory, or at the user's wish, and that was told: what would be
                     written lacks more than it says */
} fh_replay_gltf;

/* fh_replay_gltf_choose looks whether the name of the output asks for glTF. */
void fh_replay_gltf_choose(fh_replay_gltf *to, const char *output);

/* fh_replay_gltf_check tells what the options ask for in vain; format NULL: it is not known yet. */
fh_exit fh_replay_gltf_check(const fh_replay_gltf *to, const fh_format *format,
                             const fh_replay_options *options);

/* fh_replay_gltf_note keeps a finding. */
void fh_replay_gltf_note(fh_replay_gltf *to, const fh_finding *finding);

/* fh_replay_gltf_begin says what is replayed, and fills the sink of its frames and rows and the
 * options that the replay needs. scene and header are borrowed until the end. */
fh_exit fh_replay_gltf_begin(fh_replay_gltf *to, const fh_scene *scene,
                             const fh_gltf_header *header, fh_sink *sink,
                             fh_replay_options *options);

/* fh_replay_gltf_end reads the scene of the model (whose bytes are `len` long) and of the file of
 * models, writes the file unless it is lost, and says on standard error what is not shown as it is.
 * *error is the errno of a failure to write. */
fh_exit fh_replay_gltf_end(fh_replay_gltf *to, int *error, const void *model, size_t len,
                           const fh_replay_options *options, FILE *file);

void fh_replay_gltf_close(fh_replay_gltf *to);

#endif
