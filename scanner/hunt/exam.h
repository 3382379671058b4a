/* The examination of one asset: decode, verify, replay and hash it, and keep what was found.
 *
 * The same for a candidate of a scan and for a file of a check. An fh_exam is used again and again:
 * its memory grows to the largest asset so far and belongs to it until fh_exam_free.
 */
#ifndef FH_HUNT_EXAM_H
#define FH_HUNT_EXAM_H

#include "core/format.h"
#include "core/record.h"

typedef struct fh_exam_options {
    bool stand_alone; /* the bytes are a whole file */
    bool aligned;     /* at a multiple of the format's alignment */
    bool replay;
    bool is_joined;             /* they were put together from parts */
    const char *profile;        /* of the replay, NULL = default */
    bool ends_file;             /* a file ends where they end */
    const fh_cursor *companion; /* see fh_verify_options */
    const fh_sink *poses;       /* gets the frames and rows of the replay besides; may be NULL */
} fh_exam_options;

typedef struct fh_exam {
    /* Results of the last run. */
    fh_status status; /* of verify */
    fh_asset asset;
    bool is_replayed; /* replay was run; result is then valid */
    fh_replay_result result;
    bool has_pose_sha256;
    uint8_t pose_sha256[FH_SHA256_LEN];
    bool has_sha256;
    /* If its structure holds: of all bytes, or of the asset's if they are a whole file. */
    uint8_t sha256[FH_SHA256_LEN];
    fh_finding *findings; /* owned, in the order in which they were reported */
    size_t num_findings;

    /* What was examined last; the bytes are those of who had it examined. */
    const fh_format *format;
    fh_cursor bytes;
    fh_exam_options options;

    /* What the assets of a source may spend together beyond the work of their bytes; set by who
     * examines several. NULL: there is enough for one. */
    fh_budget *reserve;

    /* Private. */
    size_t max_findings;
    uint8_t *block;
    size_t block_len;
    uint8_t *received; /* owned; strings of results that another process has found */
    bool failed;       /* out of memory, or libcrypto failed */
} fh_exam;

/* fh_exam_run examines the asset at the start of bytes. false when the system had no memory for
 * it; the results are then not to be used. */
bool fh_exam_run(fh_exam *exam, const fh_format *format, fh_cursor bytes,
                 const fh_exam_options *options) FH_MUST_USE;

/* How the examination of a candidate went that may be done elsewhere. */
typedef enum fh_exam_end {
    FH_EXAM_DONE = 0,
    FH_EXAM_NO_MEMORY,
    FH_EXAM_STOPPED, /* the user wants the program to end */
    FH_EXAM_LOST     /* whoever examined it did not come to an end */
} fh_exam_end;

/* fh_exam_forget drops the results of the last run; its memory stays. */
void fh_exam_forget(fh_exam *exam);

/* fh_exam_play runs the asset that `of` has examined through the reference evaluator once more,
 * with options of its own, and hands its poses to the sink; nothing is told again. exam has the
 * memory and the reserve for it, and its results are lost; it is not `of`. The companion must still
 * be there. FH_UNSUPPORTED where nothing can be played; false when the system had no memory. */
bool fh_exam_play(fh_exam *exam, fh_status *status, const fh_exam *of,
                  const fh_replay_options *options, const fh_sink *poses) FH_MUST_USE;

/* fh_exam_probe probes for a format, with the memory of the exam; see fh_format. false when the
 * system had no memory for it. */
bool fh_exam_probe(fh_exam *exam, fh_probe *out, const fh_format *format, fh_cursor bytes,
                   fh_end end, fh_memo *memo, fh_budget *budget) FH_MUST_USE;

/* fh_exam_add adds a finding to those of the last run, for the caller's own rules. */
void fh_exam_add(fh_exam *exam, const fh_finding *finding);

void fh_exam_free(fh_exam *exam);

/* fh_budget_for returns the work that an asset, of len bytes together with its companion's, may
 * cost with an object table of num_slots (0 = the reference player's), fh_arena_len the memory. */
fh_budget fh_budget_for(size_t len, uint32_t num_slots);
size_t fh_arena_len(size_t len);

#endif
