/* The prefetch: the next bytes of a tape, read by a thread of its own while the last ones are
 * searched.
 *
 * One piece at a time is asked for and then taken. Only for regular files: what may be waited for
 * for any time has to be read by a thread that signals reach. The tape is borrowed, and nobody else
 * reads or moves it between the question and the answer.
 */
#ifndef FH_SOURCE_PREFETCH_H
#define FH_SOURCE_PREFETCH_H

#include "source/digest.h"
#include "source/tape.h"

typedef struct fh_prefetch fh_prefetch;

/* fh_prefetch_open starts the thread; NULL: there is none, and the caller reads by itself.
 * fh_prefetch_free ends it; NULL is allowed. */
fh_prefetch *fh_prefetch_open(fh_tape *tape, fh_digest *digest) FH_MUST_USE;
void fh_prefetch_free(fh_prefetch *prefetch);

/* fh_prefetch_ask has max bytes read, as soon as the digest waits for one piece at most. */
void fh_prefetch_ask(fh_prefetch *prefetch, uint8_t *to, size_t max);

/* fh_prefetch_wait waits until nothing is being read. */
void fh_prefetch_wait(fh_prefetch *prefetch);

/* fh_prefetch_take waits for them if they were asked for. *len bytes are there: all, or those in
 * front of what the status says. false: none were asked for. */
bool fh_prefetch_take(fh_prefetch *prefetch, fh_tape_status *status, size_t *len);

#endif
