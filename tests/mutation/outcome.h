/* What a format makes of one file, as numbers: a change of behaviour shows as a change of a number.
 *
 * Used by the test that holds every file of the corpus against outcomes.tsv, and by the program
 * that plants faults and looks whether anything notices.
 */
#ifndef FH_MUTATION_OUTCOME_H
#define FH_MUTATION_OUTCOME_H

#include "core/format.h"

#include <stddef.h>
#include <stdint.h>

/* FNV-1a hashes of everything that is told. */
typedef struct outcome {
    uint64_t search; /* what probe and locate decide, with and without bytes behind */
    uint64_t verify; /* assets and findings, as a whole file and as one found in an image */
    uint64_t replay; /* every pose of every profile, and what replay finds */
    uint64_t rest;   /* canonical form, repairs, units, parts */
    uint64_t work;   /* what each of these calls had to pay */
} outcome;

/* Bytes of a file, owned by whoever read them. */
typedef struct input {
    const uint8_t *bytes;
    size_t len;
    const uint8_t *model; /* of its companion; NULL: it has none */
    size_t model_len;
} input;

/* outcome_of decodes, verifies, replays and writes anew. Aborts where memory is missing. */
outcome outcome_of(const fh_format *format, const input *in);

/* outcome_differs names the first part in which two outcomes differ; NULL: none. */
const char *outcome_differs(const outcome *a, const outcome *b);

#endif
