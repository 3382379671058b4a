/* CDI: a disc image that has its control data behind the sectors, in the same file.
 *
 * Numbers are little endian. The last 4 bytes say where the footer begins: how long it is, or in
 * older versions at which byte; in front of them stands the version. The footer begins with the
 * number of sessions, then a block with the number of tracks, then the mark that each track has.
 * Its tracks are not used: the sectors are judged by content. Source: image format sheet, 5.1;
 * the fields as psx-spx publishes them.
 */
#ifndef FH_SOURCE_SHEET_CDI_H
#define FH_SOURCE_SHEET_CDI_H

#include "source/raw_file.h"
#include "source/sheet.h"

/* fh_cdi_read reads what stands at the end of a file. *out: where its sectors end, and no tracks;
 * NULL if this is no CDI. Returns 0, or the errno of what could not be read; ENOMEM: no memory. */
int fh_cdi_read(fh_sheet **out, fh_raw_file *file, fh_tallies *faults);

#endif
