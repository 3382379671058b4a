/* A crew: threads that take work off others. Internal to the program.
 *
 * Whoever has a job gives it to the crew and goes on, and asks for it later: it is done, or
 * somebody is at it, or nobody has begun it and it is the giver's again. So nothing depends on how
 * many threads there are, and it is no failure if none can be started. Several threads may give
 * jobs.
 *
 * Threads start when there is a job for which none is free. A job is its giver's and stays where it
 * is while the crew has it.
 */
#ifndef FH_HUNT_CREW_H
#define FH_HUNT_CREW_H

#include "core/status.h"

#include <stdbool.h>

typedef enum fh_crew_state {
    FH_CREW_AWAY = 0, /* the giver's */
    FH_CREW_WAITS,
    FH_CREW_TAKEN,
    FH_CREW_DONE
} fh_crew_state;

typedef struct fh_crew_job {
    /* In a thread of the crew; self is what it was hired with. */
    void (*work)(struct fh_crew_job *job, void *self);

    /* Private. */
    fh_crew_state state;
    struct fh_crew_job *next;
} fh_crew_job;

/* What belongs to a thread: made in a giver's thread before it starts, and given back by whoever
 * ends the crew. */
typedef struct fh_crew_staff {
    void *user;
    void *(*hire)(void *user); /* NULL: no memory */
    void (*dismiss)(void *user, void *self);
} fh_crew_staff;

typedef struct fh_crew fh_crew;

/* fh_crew_begin prepares a crew of at most num threads, at least one. NULL: no memory. */
fh_crew *fh_crew_begin(unsigned num, const fh_crew_staff *staff) FH_MUST_USE;

/* fh_crew_give gives a job away, whose work is set. */
void fh_crew_give(fh_crew *crew, fh_crew_job *job);

/* fh_crew_is_done tells whether a job was done, and fh_crew_wait waits for that; it must be begun.
 * Once done it is the giver's again. */
bool fh_crew_is_done(fh_crew *crew, const fh_crew_job *job);
void fh_crew_wait(fh_crew *crew, const fh_crew_job *job);

/* fh_crew_take_back takes a job back that nobody has begun; false: somebody has. */
bool fh_crew_take_back(fh_crew *crew, fh_crew_job *job);

/* fh_crew_end ends it, after all jobs were done or taken back. NULL is allowed. */
void fh_crew_end(fh_crew *crew);

#endif
