/* The details of recorded assets, for the reports that show them: bytes, fields and poses.
 *
 * Sources are read again, each file once, as for framehound extract. What is not there any more, or
 * is not what was scanned, is a detail that says so. Owns nothing.
 */
#ifndef FH_SCANNER_DETAIL_H
#define FH_SCANNER_DETAIL_H

#include "outputs.h"
#include "reports/store/store.h"

/* fh_detail_tell tells the details of all assets, in the order of their files, as long as there is
 * room for them. Failures of the store are those of the store; everything else is told as a detail,
 * or when the reports end. */
fh_store_status fh_detail_tell(fh_outputs *outputs, fh_store *store) FH_MUST_USE;

#endif
