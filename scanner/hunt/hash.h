/* SHA-256 by libcrypto, in the two ways that the hunt needs it. */
#ifndef FH_HUNT_HASH_H
#define FH_HUNT_HASH_H

#include "core/record.h"
#include "core/sink.h"

#include <openssl/sha.h>
#include <stdbool.h>

/* fh_hash_bytes hashes len bytes; false when libcrypto fails. */
bool fh_hash_bytes(uint8_t out[FH_SHA256_LEN], const void *bytes, size_t len) FH_MUST_USE;

/* fh_hash_hex writes a hash in lower-case hexadecimal. */
void fh_hash_hex(char out[2 * FH_SHA256_LEN + 1], const uint8_t hash[FH_SHA256_LEN]);

#define FH_POSE_HASH_BYTES ((size_t)1024)

/* The hash of a replay: of the number of every frame and of every row that its format shows as
 * changed, column for column, little endian. It names a motion, whatever bytes it came from. */
typedef struct fh_pose_hash {
    SHA256_CTX context;
    uint8_t bytes[FH_POSE_HASH_BYTES]; /* that are not hashed yet: numbers one by one would cost
                                          more than the hash */
    size_t len;
    const fh_pose_table *table; /* of the last row, NULL before the first */
    size_t name_len;            /* of its name, with the NUL */
    uint64_t num_rows;
    bool failed;
} fh_pose_hash;

void fh_pose_hash_begin(fh_pose_hash *hash);

/* fh_pose_hash_frame and fh_pose_hash_row are callbacks of a sink whose user is the hash. */
void fh_pose_hash_frame(void *user, const fh_pose_frame *frame);
void fh_pose_hash_row(void *user, const fh_pose_row *row);

/* fh_pose_hash_end ends the hash. false when there was no row, or libcrypto failed. */
bool fh_pose_hash_end(fh_pose_hash *hash, uint8_t out[FH_SHA256_LEN]) FH_MUST_USE;

#endif
