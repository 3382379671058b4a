/* Much work done at once, and told in the order in which it came.
 *
 * Items go round in a ring of a few slots a worker: the thread that calls fills them, the workers
 * work on them, and the caller's thread again tells each one once all before it are told, so that
 * what is told is the same whatever the number of workers. What is not for workers (standard input,
 * pipes, devices, whose reading a signal interrupts) is told without having been worked on, and so
 * is all there is where no worker runs: the caller does the work then, in its turn.
 *
 * Items are the caller's own; the ring hands each one back through drop, exactly once.
 */
#ifndef FH_SCANNER_RING_H
#define FH_SCANNER_RING_H

#include "cmd.h"

#include <stdbool.h>

/* Worker threads of one command. More than the cores of any machine that a build is given; each one
 * costs the memory of the largest asset. */
#define FH_MAX_JOBS 256u

/* Items that are handed out or worked on and not told yet, for each worker: a slow one holds the
 * others up only after so many. */
#define FH_JOBS_AHEAD 4u

typedef struct fh_ring_sink {
    void *user;
    void *(*hire)(
        void *user); /* in the caller's thread: what belongs to a worker; NULL: no memory */
    void (*work)(void *worker, void *item);    /* in the worker's thread */
    void (*dismiss)(void *user, void *worker); /* in the caller's, when the worker has ended */
    void (*tell)(void *user, void *item, bool is_worked); /* in the caller's, in order, */
    void (*drop)(void *user, void *item); /* and then this; without tell where it is over */
    void (*idle)(void *user, void *item); /* every now and then in the caller's, while the item
                                             whose turn it is is worked on; may be NULL */
} fh_ring_sink;

typedef struct fh_ring fh_ring;

/* fh_ring_default returns how many processors this process may use, FH_MAX_JOBS at most. */
unsigned fh_ring_default(void);

/* fh_take_jobs takes the value of --jobs, which several commands have. */
fh_exit fh_take_jobs(const char *command, uint32_t *out, const char *value);

/* fh_ring_begin prepares num workers (1: the caller's thread does the work); they start when there
 * is work for them. NULL: no memory. */
fh_ring *fh_ring_begin(unsigned num, const fh_ring_sink *sink) FH_MUST_USE;

/* fh_ring_put takes over an item. false: the user wants the program to end, or it is over. */
bool fh_ring_put(fh_ring *ring, void *item, bool is_for_workers);

/* fh_ring_stop ends the work: nothing more is told. */
void fh_ring_stop(fh_ring *ring);

/* fh_ring_settle has told whatever was handed in so far. */
void fh_ring_settle(fh_ring *ring);

/* fh_ring_each hands out what belongs to each worker, none of which may be at work: call
 * fh_ring_settle before. */
void fh_ring_each(fh_ring *ring, void (*call)(void *user, void *worker));

/* fh_ring_end has told whatever is left, ends the workers and frees all. After an interruption what
 * was not begun is left out. false as above. */
bool fh_ring_end(fh_ring *ring);

#endif
