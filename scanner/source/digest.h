/* The digest: the SHA-256 of a source, counted beside the search where there is a processor for it.
 *
 * Bytes are handed in piece by piece. By itself a digest hashes them at once; with a helper, which
 * is a thread of its own, it hands them on and the caller goes on while they are hashed. The bytes
 * are borrowed until fh_digest_settle says that few enough wait. All calls are made by one thread,
 * but for fh_digest_settle once it is helped.
 */
#ifndef FH_SOURCE_DIGEST_H
#define FH_SOURCE_DIGEST_H

#include "core/record.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pieces that wait at most, the one that is being hashed among them. */
#define FH_DIGEST_MOST 2u

typedef struct fh_digest fh_digest;

/* fh_digest_open begins a digest; NULL: no memory. fh_digest_free ends it and its helper; NULL is
 * allowed. */
fh_digest *fh_digest_open(void) FH_MUST_USE;
void fh_digest_free(fh_digest *digest);

/* fh_digest_help starts the helper. Where the system has no thread for it the caller does the work
 * itself, as before. */
void fh_digest_help(fh_digest *digest);

/* fh_digest_restart forgets all bytes; false if libcrypto failed. */
bool fh_digest_restart(fh_digest *digest) FH_MUST_USE;

/* fh_digest_settle waits until no more than so many pieces wait. */
void fh_digest_settle(fh_digest *digest, unsigned most);

/* fh_digest_add hands in the next bytes. false if libcrypto failed, with them or with earlier ones.
 */
bool fh_digest_add(fh_digest *digest, const uint8_t *bytes, size_t len) FH_MUST_USE;

/* fh_digest_end writes the hash of all bytes so far, to which more can be added; false if hashing
 * failed. */
bool fh_digest_end(fh_digest *digest, uint8_t out[FH_SHA256_LEN]) FH_MUST_USE;

#endif
