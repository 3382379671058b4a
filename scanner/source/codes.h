/* Codes: EDC and ECC of one sector, as stored and as its bytes demand.
 *
 * Tools that build images may leave codes out: one byte value throughout stands for that, and is no
 * damage (image format sheet, section 2.4). Pure.
 */
#ifndef FH_SOURCE_CODES_H
#define FH_SOURCE_CODES_H

#include "source/edc.h"

typedef enum fh_code_verdict {
    FH_CODE_NONE = 0, /* the kind has no such code, it is optional and left out, or the sector is
                         cut */
    FH_CODE_RIGHT,
    FH_CODE_WRONG,
    FH_CODE_FILL,     /* not computed: all its bytes are equal */
    FH_CODE_UNJUDGED, /* ECC where the EDC is not right */
} fh_code_verdict;

typedef struct fh_codes {
    fh_code_verdict edc;
    fh_code_verdict ecc;
    uint32_t edc_stored;
    uint32_t edc_computed;
    size_t ecc_off;       /* of the first byte of the ECC that is wrong, in the sector as stored */
    bool is_q;            /* it belongs to Q */
    uint8_t ecc_stored;   /* that byte; or the fill */
    uint8_t ecc_computed; /* and what it should be */
} fh_codes;

/* fh_codes_check judges a sector, read as `kind` in a layout of that stride. */
fh_codes fh_codes_check(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind);

#endif
