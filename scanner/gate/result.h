/* What became of one file of a check: everything that reports, baselines and locks may ask of it
 * once its bytes are gone.
 *
 * A result owns all it points to but rules and formats. It is made by a judge, in any thread, and
 * told by the gate, in the order of the files. Whoever adds to it adds to result_pack.c as well.
 */
#ifndef FH_GATE_RESULT_H
#define FH_GATE_RESULT_H

#include "beside.h"
#include "cmd.h"
#include "core/format.h"
#include "core/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes around a field that are kept with each finding. */
#define FH_EXCERPT_LEN 96u

/* A finding, and where and among what it stands. */
typedef struct fh_told {
    fh_finding finding;
    uint32_t line; /* of a text, from 1; else 0 */
    uint32_t column;
    int64_t excerpt_offset; /* of the first byte of the excerpt in the file */
    size_t excerpt_len;     /* 0: there is none */
    uint8_t excerpt[FH_EXCERPT_LEN];
} fh_told;

typedef struct fh_result {
    char *path;   /* never NULL */
    fh_exit exit; /* FH_EXIT_OK, _IO or _LIMIT: how the work itself went; findings do not count */
    const char *status; /* of the source: "complete", "unreadable", "limit" */
    const char *why;    /* why there is no asset, in a few words; NULL where there is one */
    char error[256];    /* what to complain of on standard error, or "" */
    char told[FH_BESIDE_TOLD_LEN]; /* what to tell there of its companion, escaped, or "" */
    int64_t size;                  /* bytes of the file, or FH_UNKNOWN */
    bool has_sha256;
    uint8_t sha256[FH_SHA256_LEN]; /* of the whole file */
    const fh_format *format;       /* of the asset; NULL: there is none */
    fh_asset asset;
    bool has_asset_sha256;
    uint8_t asset_sha256[FH_SHA256_LEN];
    bool is_replayed;
    fh_replay_result replay;
    bool has_pose_sha256;
    uint8_t pose_sha256[FH_SHA256_LEN];
    fh_told *findings; /* in the order in which they were found */
    size_t num_findings;
    size_t max_findings;
    bool no_memory; /* some finding is missing */
    void *strings;  /* of a result that was recalled (result_pack.h): what its strings point to */
} fh_result;

/* fh_result_begin makes the result of a file of which nothing is known; false: no memory. */
bool fh_result_begin(fh_result *result, const char *path) FH_MUST_USE;

/* fh_result_add adds a finding, with what stands around it in bytes, those of the whole file. */
void fh_result_add(fh_result *result, const fh_finding *finding, fh_cursor bytes);

void fh_result_free(fh_result *result);

#endif
