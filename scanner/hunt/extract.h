/* The bytes of an asset that an earlier scan found, read again from its source, which may be a
 * member of a container: that is walked through again up to there. */
#ifndef FH_HUNT_EXTRACT_H
#define FH_HUNT_EXTRACT_H

#include "core/record.h"
#include "source/layout.h"

typedef struct fh_extract_wish {
    const char *path;
    fh_layout_choice layout;
    const fh_piece_record *pieces; /* of user data, which may lie in several sectors; they tile the
                                      asset */
    size_t num_pieces;             /* at least 1 */
} fh_extract_wish;

/* fh_extract reads all pieces into out. false, and a reason in why, when the source cannot be
 * read or ends before. */
bool fh_extract(uint8_t *out, const fh_extract_wish *wish, char *why, size_t why_size) FH_MUST_USE;

/* fh_extract_matches compares the SHA-256 of bytes with one in lower-case hexadecimal. */
bool fh_extract_matches(const uint8_t *bytes, size_t len, const char *sha256) FH_MUST_USE;

#endif
