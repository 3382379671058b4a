/* Addresses: which LBA a sector has, from the headers of it and its neighbours.
 *
 * A header is believed only where it belongs to a run that rises by one; LBAs are never invented
 * where headers are all equal or are no addresses (image format sheet, section 7, line 7). Pure.
 */
#ifndef FH_SOURCE_ADDRESS_H
#define FH_SOURCE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fh_address {
    int64_t run_index; /* last sector that belonged to a run, FH_UNKNOWN = none since a jump */
    int64_t run_lba;
    int64_t last_index; /* last sector that had an address */
    int64_t last_lba;
} fh_address;

typedef struct fh_address_step {
    int64_t lba;      /* FH_UNKNOWN if the header is not to be believed */
    int64_t expected; /* what the sectors before let expect, or FH_UNKNOWN */
    bool odd;         /* no BCD address, or not the one expected */
    bool jump;        /* the address leaves its run and does not come back: sectors are missing */
    bool damaged;     /* odd inside a run that goes on: this header is wrong, or the sector is there
                         twice. Not where a whole image has such headers */
} fh_address_step;

/* fh_address_make starts without any sector. */
fh_address fh_address_make(void);

/* fh_address_next adds the sector `index` (rising, gaps allowed), whose header gives `lba`, with
 * `next_lba` that of sector index + 1. Both are FH_UNKNOWN where there is no legal address. A
 * repeated sector is no jump, and neither is a single wrong header inside a run. */
fh_address_step fh_address_next(fh_address *address, int64_t index, int64_t lba, int64_t next_lba);

#endif
