/* ECC: the two Reed-Solomon product codes (P and Q) of CD-ROM sectors, over GF(256) with the
 * polynomial 0x11d (ECMA-130, annex A; image format sheet, section 2.3).
 *
 * They mend errors in a drive and mean nothing to the user data. Containers leave them out where
 * they can be computed, and compute them again here.
 */
#ifndef FH_SOURCE_ECC_H
#define FH_SOURCE_ECC_H

#include <stdint.h>

#define FH_ECC_SECTOR_LEN 2352u

/* fh_ecc_write computes P and Q of a raw sector and writes them into it, at 0x81c..0x92f. Where the
 * mode byte (15) is 2 the four bytes of the header count as 0. */
void fh_ecc_write(uint8_t sector[FH_ECC_SECTOR_LEN]);

#endif
