/* Findings: one instance of a rule, with its evidence. */
#ifndef FH_CORE_FINDING_H
#define FH_CORE_FINDING_H

#include "core/limits.h"
#include "core/rules.h"
#include "core/text.h"

#include <stdint.h>

/* A number that is not known or does not apply. Never a legal value of any field here. */
#define FH_UNKNOWN INT64_MIN

typedef struct fh_finding {
    const fh_rule *rule;
    const char *field;               /* name of the field at fault, constant, never NULL */
    int64_t offset;                  /* byte in the asset, or FH_UNKNOWN */
    int64_t frame;                   /* index of the frame in the file, or FH_UNKNOWN */
    int64_t frame_number;            /* what the file calls that frame, or FH_UNKNOWN */
    int64_t object;                  /* id of the object, or FH_UNKNOWN */
    char found[FH_EVIDENCE_LEN];     /* value found, may be empty */
    char expected[FH_EVIDENCE_LEN];  /* value demanded, may be empty */
    char context[FH_EVIDENCE_LEN];   /* where else: packet index, type ..., may be empty */
} fh_finding;

/* fh_finding_message writes the finding as one sentence for a person: title, field, found,
 * expected, place. The text has no line break. */
FH_API void fh_finding_message(fh_text *out, const fh_finding *finding);

#endif
