/* Many files judged at once, and told in the order in which they came (ring.h).
 *
 * Each worker thread has a judge of its own. Only regular files go to the workers, where reading
 * does not wait; standard input, pipes and devices are judged in the caller's thread.
 *
 * Paths are copied. The judge that workers are made after is borrowed and must stay.
 */
#ifndef FH_GATE_JOBS_H
#define FH_GATE_JOBS_H

#include "gate/judge.h"
#include "ring.h"

/* Called in the caller's thread, in order. */
typedef struct fh_jobs_sink {
    void *user;
    void (*tell)(void *user, fh_result *result); /* which is then the callee's, to be freed */
    void (*error)(void *user, const char *path, const char *why); /* of fh_jobs_error */
    void (*no_memory)(void *user); /* a file could not be judged for want of memory */
} fh_jobs_sink;

typedef struct fh_jobs fh_jobs;

/* fh_jobs_begin prepares num workers (1: the caller's thread judges); they start when there is work
 * for them. NULL: no memory. */
fh_jobs *fh_jobs_begin(fh_judge *judge, unsigned num, const fh_jobs_sink *sink) FH_MUST_USE;

/* fh_jobs_file has a file judged and told. false: the user wants the program to end, or there was
 * no memory. */
bool fh_jobs_file(fh_jobs *jobs, const char *path);

/* fh_jobs_error has the error of a walk told in its place; false as above. */
bool fh_jobs_error(fh_jobs *jobs, const char *path, const char *why);

/* fh_jobs_follow has workers judge what comes next as the judge is set now; fh_jobs_settle was
 * called before it was changed. */
void fh_jobs_follow(fh_jobs *jobs);

/* fh_jobs_settle has told whatever was handed in so far. */
void fh_jobs_settle(fh_jobs *jobs);

/* fh_jobs_end has told whatever is left, ends the workers and frees all. After an interruption what
 * was not begun is left out. false as above. */
bool fh_jobs_end(fh_jobs *jobs);

#endif
