/* Reading ahead: a thread that reads the next bytes of a file while those before are searched.
 *
 * For files that have a file position and no end of their own to wait for: a read of them returns.
 * The tape is the thread's from fh_ahead_ask on, until fh_ahead_take has waited for it; all calls
 * are made by one other thread. One request is open at a time.
 */
#ifndef FH_SOURCE_AHEAD_H
#define FH_SOURCE_AHEAD_H

#include "core/status.h"
#include "source/tape.h"

typedef struct fh_ahead fh_ahead;

/* fh_ahead_open starts the thread for a tape, which is borrowed; NULL: there is no memory, or no
 * thread. fh_ahead_free waits for it and ends it; NULL is allowed. */
fh_ahead *fh_ahead_open(fh_tape *tape) FH_MUST_USE;
void fh_ahead_free(fh_ahead *ahead);

/* fh_ahead_ask has `want` bytes read to a place, which is the thread's meanwhile. */
void fh_ahead_ask(fh_ahead *ahead, uint8_t *to, size_t want);

/* fh_ahead_settle waits until what was asked is there, if anything was; it is still to be taken. */
void fh_ahead_settle(fh_ahead *ahead);

/* fh_ahead_take waits for what was asked, and says how many bytes there are; FH_TAPE_OK if all.
 * false: nothing was asked. */
bool fh_ahead_take(fh_ahead *ahead, fh_tape_status *status, size_t *len) FH_MUST_USE;

#endif
