/* The prefetch: the next bytes of a tape, read by a thread of its own while the last ones are
 * searched.
 *
 * Pieces are asked for and then taken, one after the other; some may be asked for at a time, so
 * that a thread that comes late to its processor holds up nobody, but for the piece that it looks
 * at just then. Only for regular files: what may
 * be waited for for any time has to be read by a thread that signals reach. The tape is borrowed,
 * and nobody else reads or moves it between a question and its answer.
 */
#ifndef FH_SOURCE_PREFETCH_H
#define FH_SOURCE_PREFETCH_H

#include "source/digest.h"
#include "source/tape.h"

/* Pieces that may be asked for at a time. */
enum { FH_PREFETCH_MOST = 4 };

/* What somebody wants to see of the pieces before they are taken. look is called by the thread, for
 * pieces that nothing waits behind to be read, each at most once; `off` is what was said when the
 * piece was asked for. Whoever takes the piece has to wait until it was looked at. prepare is
 * called before the thread starts, by whoever starts it: memory that the thread asks for would
 * reserve addresses for a thread's own. false: nothing is looked at. */
typedef struct fh_lookout {
    bool (*prepare)(void *user);
    void (*look)(void *user, int64_t off, const uint8_t *bytes, size_t len);
    void (*forget)(void *user); /* what was seen so far is read anew */
    void *user;
} fh_lookout;

typedef struct fh_prefetch fh_prefetch;

/* fh_prefetch_open starts the thread; NULL: there is none, and the caller reads by itself. lookout
 * is borrowed, and may be NULL. fh_prefetch_free ends it; NULL is allowed. */
fh_prefetch *fh_prefetch_open(fh_tape *tape, fh_digest *digest,
                              const fh_lookout *lookout) FH_MUST_USE;
void fh_prefetch_free(fh_prefetch *prefetch);

/* fh_prefetch_ask has max bytes read behind those that were asked for before, as soon as the digest
 * waits for one piece at most; they lie at `off`. fh_prefetch_num returns how many pieces are asked
 * for and not taken.
 */
void fh_prefetch_ask(fh_prefetch *prefetch, int64_t off, uint8_t *to, size_t max);
unsigned fh_prefetch_num(const fh_prefetch *prefetch);

/* fh_prefetch_take waits for the first of them. *len bytes are there: all, or those in front of
 * what the status says; behind that nothing is read any more, and further pieces are empty and say
 * the same. false: none was asked for. */
bool fh_prefetch_take(fh_prefetch *prefetch, fh_tape_status *status, size_t *len);

/* fh_prefetch_wait waits until nothing is being read; fh_prefetch_forget does so, and takes all
 * pieces away: what is asked for next is read wherever the tape stands then.
 * fh_prefetch_look_no_more waits until nothing is being looked at, and nothing will be any more. */
void fh_prefetch_wait(fh_prefetch *prefetch);
void fh_prefetch_look_no_more(fh_prefetch *prefetch);
void fh_prefetch_forget(fh_prefetch *prefetch);

#endif
