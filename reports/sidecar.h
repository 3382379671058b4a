/* What is written beside an extracted asset: everything that the database knows of it, as a JSON
 * object with the names of the columns. The numbers of rows are left out: they are the database's
 * own, and another scan of the same bytes may have given others. */
#ifndef FH_REPORTS_SIDECAR_H
#define FH_REPORTS_SIDECAR_H

#include "reports/out.h"
#include "reports/store/store.h"

/* fh_sidecar_begin writes the asset and opens the list of its findings. */
void fh_sidecar_begin(fh_out *out, const fh_stored_asset *asset);

/* fh_sidecar_finding adds a finding; is_first: it is the first one. */
void fh_sidecar_finding(fh_out *out, const fh_stored_finding *finding, bool is_first);

void fh_sidecar_end(fh_out *out, bool has_findings);

#endif
