/* The reporter: findings of one asset on their way to a sink, with a cap for each rule.
 *
 * A hostile asset can break one rule a million times. The first FH_MAX_FINDINGS_PER_RULE findings
 * of a rule are told one by one; the rest are counted, and fh_reporter_close tells the count, so
 * that nothing is dropped in silence. The counters live in the arena.
 */
#ifndef FH_CORE_REPORT_H
#define FH_CORE_REPORT_H

#include "core/arena.h"
#include "core/sink.h"

#include <stdbool.h>

typedef struct fh_reporter {
    const fh_sink *sink;
    const fh_rule *rules;
    size_t num_rules;
    uint32_t *counts; /* one a rule, in the arena */
} fh_reporter;

/* fh_reporter_open prepares for the rules of one table. FH_NO_MEMORY when the arena is full. */
FH_API fh_status fh_reporter_open(fh_reporter *reporter, fh_arena *arena, const fh_sink *sink,
                                  const fh_rule *rules, size_t num_rules) FH_MUST_USE;

/* fh_reporter_tell passes the finding on, or counts it. finding->rule must be of the table. */
FH_API void fh_reporter_tell(fh_reporter *reporter, const fh_finding *finding);

/* fh_reporter_is_full tells whether further findings of a rule are only counted. */
FH_API bool fh_reporter_is_full(const fh_reporter *reporter, size_t rule);

/* fh_reporter_count returns how often a rule was broken so far. */
FH_API uint32_t fh_reporter_count(const fh_reporter *reporter, size_t rule);

/* fh_reporter_has_errors tells whether some rule was broken that is an error. */
FH_API bool fh_reporter_has_errors(const fh_reporter *reporter);

/* fh_reporter_close tells, for every rule over the cap, how many findings were only counted. */
FH_API void fh_reporter_close(fh_reporter *reporter);

#endif
