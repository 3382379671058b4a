/* Addresses as people write them: raw:0x1000, lba:16+4, iso:/DATA/A.TOD.
 */
#ifndef FH_SCANNER_ADDRESS_WISH_H
#define FH_SCANNER_ADDRESS_WISH_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fh_address_kind {
    FH_ADDRESS_RAW = 0, /* raw:N, byte of the source */
    FH_ADDRESS_USER,    /* user:N, byte of its user data */
    FH_ADDRESS_RAM,     /* ram:N, address of main RAM in a memory dump or save state */
    FH_ADDRESS_LBA,     /* lba:N[+OFF] or msf:MM:SS:FF[+OFF], user byte of a sector */
    FH_ADDRESS_ISO      /* iso:/PATH[+OFF], byte of a file of the disc */
} fh_address_kind;

typedef struct fh_address_wish {
    fh_address_kind kind;
    int64_t number;
    int64_t offset;   /* of FH_ADDRESS_LBA */
    const char *path; /* of FH_ADDRESS_ISO, with its offset; borrowed */
} fh_address_wish;

/* fh_address_parse reads an address; false if it has none of the forms above. Numbers are decimal,
 * or hexadecimal behind 0x. */
bool fh_address_parse(fh_address_wish *out, const char *text) FH_MUST_USE;

/* fh_address_offset reads "+OFF", which may be missing: 0; false if it is something else. */
bool fh_address_offset(const char *text, int64_t *out) FH_MUST_USE;

#endif
