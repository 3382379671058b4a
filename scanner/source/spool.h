/* The spool: bytes of a tape kept in memory, so that a container that must be read from its end can
 * lie in something that is only read forwards.
 */
#ifndef FH_SOURCE_SPOOL_H
#define FH_SOURCE_SPOOL_H

#include "source/reader.h"

/* fh_spool makes the tape of a reader one that can seek, if it is at most max bytes long: they are
 * read into memory, of which *used bytes were taken then. If it is longer, or memory is short, the
 * tape goes on to yield all bytes forwards, as before. false: the user wants the work to end. */
bool fh_spool(fh_reader *reader, size_t *used, size_t max) FH_MUST_USE;

#endif
