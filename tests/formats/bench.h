/* The bench for decoders: assets from the forge's language, run through verify and replay with all
 * that leaves them written down.
 */
#ifndef TESTS_FORMATS_BENCH_H
#define TESTS_FORMATS_BENCH_H

#include "core/format.h"
#include "forge/tod_text.h"
#include "registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* An assertion for loops: costs nothing while it holds. */
#define HOLD(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            cr_fatal(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

typedef struct dice {
    uint64_t state;
} dice;

uint32_t dice_next(dice *d);
uint32_t dice_below(dice *d, uint32_t num); /* 0..num-1 */

/* A copy of the bytes behind which nothing may be read: whoever looks a byte too far crashes. It
 * lasts until the next one; len is at most 4096. */
const uint8_t *at_the_brink(const void *bytes, size_t len);

enum { MAX_COLUMNS = 32 };

typedef struct pose {
    uint32_t frame; /* number of frames shown before, less 1 */
    const fh_pose_table *table;
    int64_t values[MAX_COLUMNS];
} pose;

/* Everything that went through a sink. */
typedef struct record {
    fh_finding *findings;
    size_t num_findings, max_findings;
    fh_pose_frame *frames;
    size_t num_frames, max_frames;
    pose *poses;
    size_t num_poses, max_poses;
} record;

fh_sink record_sink(record *to);
void record_free(record *of);
/* Codes without their first three letters, in order, parted by blanks; in a static buffer. */
const char *record_codes(const record *of);
size_t record_count(const record *of, const char *code);
const fh_finding *record_find(const record *of, const char *code);
bool record_equal(const record *a, const record *b);
/* The value of a column in the last row of `table` for `key` (first column) at or before frame. */
int64_t record_value(const record *of, const char *table, int64_t key, uint32_t frame,
                     const char *column);
bool record_has_row(const record *of, const char *table, int64_t key, uint32_t frame);

/* One asset under test. */
typedef struct bench {
    const fh_format *format;
    void *block;
    fh_arena arena;
    fh_budget budget;
    fh_budget *reserve; /* NULL: there is enough */
    record verify;
    record replay;
    fh_status status;
    fh_asset asset;
    const void *model;
    fh_status replay_status;
    fh_replay_result result;
} bench;

#define BENCH_ARENA ((size_t)24 << 20)
#define BENCH_BUDGET ((uint64_t)1 << 40)

void bench_open(bench *b);
void bench_close(bench *b);
/* Verify with a fresh arena and budget; replay goes on with what they left. */
void bench_verify(bench *b, const void *bytes, size_t len, fh_verify_options options);
void bench_replay(bench *b, const fh_replay_options *options);
fh_probe bench_probe(const void *bytes, size_t len, bool at_end);

/* The file that a text describes. The caller frees it. */
forge_tod bench_build(const char *text);

/* A sound file of a few frames: objects 1 to 6, types 0 to 9, all flags, any values. */
forge_tod bench_random(dice *d);

#endif
