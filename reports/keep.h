/* Copies of records that outlive the call which passed them. The memory of a copy is used again for
 * the next one, and so grows no further than the longest record.
 */
#ifndef FH_REPORTS_KEEP_H
#define FH_REPORTS_KEEP_H

#include "core/record.h"

typedef struct fh_kept {
    char *bytes; /* owned */
    size_t size;
} fh_kept;

/* fh_keep_source makes *out a copy of source whose strings and hashes lie in kept; they are valid
 * until the next copy into it. false, and *out all zero: no memory. */
bool fh_keep_source(fh_kept *kept, fh_source_record *out,
                    const fh_source_record *source) FH_MUST_USE;

/* fh_keep_asset does so for an asset. Its replay is left out; its pieces are kept. */
bool fh_keep_asset(fh_kept *kept, fh_asset_record *out, const fh_asset_record *asset) FH_MUST_USE;

void fh_kept_free(fh_kept *kept);

#endif
