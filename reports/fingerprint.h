/* Fingerprints of findings: names that stay the same from run to run and from place to place as
 * long as the bytes that are wrong do, so that a code host knows a finding again.
 *
 * A fingerprint is the SHA-256 of the hash of the asset (or else of the source, or else its path),
 * the code, the field, the offset in the asset, frame and object, and how many findings with all of
 * that there were before. Neither the path nor the wording has a part in it.
 */
#ifndef FH_REPORTS_FINGERPRINT_H
#define FH_REPORTS_FINGERPRINT_H

#include "core/record.h"

#include <stdint.h>

/* Hexadecimal digits of a fingerprint: 128 bits, beyond what chance or malice makes the same. */
#define FH_FINGERPRINT_LEN 32u

/* Different findings of one asset of which it is remembered how often they came. A judge tells far
 * fewer; behind them, how many came before stands for it, which is as stable. */
#define FH_FINGERPRINTS_KNOWN 1024u

typedef struct fh_fingerprints {
    uint64_t num; /* findings of the open asset or source so far */
    size_t num_known;
    struct {
        uint64_t key; /* 0: free */
        uint32_t times;
    } known[FH_FINGERPRINTS_KNOWN];
} fh_fingerprints;

/* fh_fingerprints_reset begins with the findings of another asset or source. */
void fh_fingerprints_reset(fh_fingerprints *prints);

/* fh_fingerprint_make writes the fingerprint of the next finding. asset may be NULL: it is the
 * source's. false: libcrypto failed. */
bool fh_fingerprint_make(fh_fingerprints *prints, char out[FH_FINGERPRINT_LEN + 1],
                         const fh_source_record *source, const fh_asset_record *asset,
                         const fh_finding_record *finding) FH_MUST_USE;

/* fh_fingerprint_of_path writes one that goes for a path, too: that of the same finding in a copy
 * of the file is another one. */
bool fh_fingerprint_of_path(char out[FH_FINGERPRINT_LEN + 1], const char *path,
                            const char *fingerprint) FH_MUST_USE;

#endif
