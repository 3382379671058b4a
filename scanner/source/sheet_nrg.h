/* NRG: a disc image that has its control data behind the sectors, in the same file.
 *
 * Numbers are big endian. The last 12 bytes are `NER5` and a u64, or the last 8 `NERO` and a u32:
 * where the first chunk lies. A chunk is 4 letters, a u32 size and that many bytes. DAOX and DAOI
 * hold the tracks of a session: the image begins at 00:00:00, so pregaps are stored. ETN2, ETNF and
 * TINF hold tracks that were recorded one by one, with their own addresses, or none. The chunks
 * themselves are no sectors. Source: image format sheet, 5.1.
 */
#ifndef FH_SOURCE_SHEET_NRG_H
#define FH_SOURCE_SHEET_NRG_H

#include "source/raw_file.h"
#include "source/sheet.h"

/* fh_nrg_read reads what stands at the end of a file. *out: the tracks of its only file, NULL if
 * this is no NRG. Returns 0, or the errno of what could not be read; ENOMEM: no memory. */
int fh_nrg_read(fh_sheet **out, fh_raw_file *file, fh_tallies *faults);

#endif
