/* A result as reports are told of it: the records of a file, of its asset and of its findings.
 *
 * Nothing is copied but what stands in the room that is passed: a record is good for as long as the
 * result and that room are, and as long as neither changes.
 */
#ifndef FH_GATE_RESULT_RECORDS_H
#define FH_GATE_RESULT_RECORDS_H

#include "core/record.h"
#include "gate/result.h"

/* What the record of a finding points to. */
typedef struct fh_told_room {
    char message[FH_MESSAGE_LEN];
    fh_excerpt excerpt;
} fh_told_room;

/* fh_result_source returns the file, fh_result_asset the asset that it is; only where the result
 * has a format. */
fh_source_record fh_result_source(const fh_result *result);
fh_asset_record fh_result_asset(fh_replay_record *room, const fh_result *result);

/* fh_result_finding returns a finding of the result, with the severity of its rule. */
fh_finding_record fh_result_finding(fh_told_room *room, const fh_result *result,
                                    const fh_told *told);

#endif
