/* The gate: takes the results of a check one by one, in the order of the files, tells them in every
 * form that was asked for, and decides the exit code.
 */
#ifndef FH_GATE_GATE_H
#define FH_GATE_GATE_H

#include "cmd.h"
#include "gate/lock.h"
#include "gate/policy.h"
#include "gate/result.h"
#include "outputs.h"

typedef struct fh_gate {
    fh_policy *policy;  /* borrowed; NULL: everything is told */
    fh_fail_on fail_on; /* without a policy; with one, that of the file told last */
    fh_exit exit;       /* the worst so far */
    uint64_t num_files;
    fh_lock lock;
    fh_outputs outputs;

    /* Private. */
    const fh_baseline *stale; /* of which entries are being told */
} fh_gate;

/* fh_gate_begin opens the reports; without any that was asked for, text on standard output. */
fh_exit fh_gate_begin(fh_gate *gate);

/* fh_gate_unreadable tells of a path that could not even be looked at, and why in a few words. */
void fh_gate_unreadable(fh_gate *gate, const char *path, const char *why);

/* fh_gate_tell tells a result, and frees it. */
void fh_gate_tell(fh_gate *gate, fh_result *result);

/* fh_gate_stale tells an entry of a baseline that is out of date; those of one baseline come one
 * after the other. */
void fh_gate_stale(void *gate, const fh_baseline *baseline, const fh_known *known);

/* fh_gate_missing tells what the pose lock has in the paths of the check and is there no more. */
void fh_gate_missing(fh_gate *gate, int num, char *const *paths);

/* fh_gate_end closes the reports and returns the exit code of all. */
fh_exit fh_gate_end(fh_gate *gate);

#endif
