/* CHD as a container (source/box.h): one member, the disc that is in it (source/chd.h).
 *
 * What is wrong with header, map and metadata is the container's; what is wrong with a hunk is the
 * member's. Offsets of both are those in the CHD.
 */
#ifndef FH_SOURCE_CHD_BOX_H
#define FH_SOURCE_CHD_BOX_H

#include "source/box.h"

bool fh_chd_box_is(const fh_cursor *window);
fh_box_status fh_chd_box_open(fh_box *box);

#endif
