/* ECM: disc images from which sync, EDC and ECC were taken (image format sheet, section 5).
 *
 * `ECM` 00, then blocks of a type and a number: bytes as they are, or sectors of Mode 1 (2352
 * bytes), Mode 2 Form 1 or Form 2 (2336 bytes, for their sync and header come as bytes) whose code
 * bytes are computed here. Then the EDC of all that came out. One pass; there is no index.
 */
#ifndef FH_SOURCE_ECM_H
#define FH_SOURCE_ECM_H

#include "source/box.h"

bool fh_ecm_is(const fh_cursor *window);
fh_box_status fh_ecm_open(fh_box *box);

#endif
