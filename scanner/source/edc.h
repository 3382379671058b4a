/* EDC: the 32-bit error detection code of CD-ROM sectors.
 *
 * Reflected polynomial 0xd8018001, start value 0, no final inversion, stored little endian
 * (ECMA-130; image format sheet, section 2.2). A wrong or missing code never makes the bytes of a
 * sector unreadable: some tools leave it out, and some discs are wrong on purpose.
 */
#ifndef FH_SOURCE_EDC_H
#define FH_SOURCE_EDC_H

#include "source/sectors.h"

typedef enum fh_edc_verdict {
    FH_EDC_RIGHT = 0,
    FH_EDC_WRONG,
    FH_EDC_ABSENT /* stored 0 in Form 2, where it is optional; a kind without EDC; a cut sector */
} fh_edc_verdict;

/* fh_edc returns the code of len bytes from offset off of bytes. They must be there. */
uint32_t fh_edc(const fh_cursor *bytes, size_t off, size_t len);

/* fh_edc_more goes on with a code that was computed of the bytes before these; 0 at the start. */
uint32_t fh_edc_more(uint32_t code, const uint8_t *bytes, size_t len);
/* A code as stored and as computed; 0 where it is absent. */
typedef struct fh_edc_codes {
    fh_edc_verdict verdict;
    uint32_t stored;
    uint32_t computed;
} fh_edc_codes;

/* fh_edc_codes_of reads and computes both; fh_edc_check only says how they compare. */
fh_edc_codes fh_edc_codes_of(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind);

/* fh_edc_check compares the code stored in a sector with that of its bytes, read as `kind`.
 * stride is the layout's: in 2336 the sector begins at its subheader. */
fh_edc_verdict fh_edc_check(const fh_cursor *sector, uint32_t stride, fh_sector_kind kind);

#endif
