/* The two codes that guard a CD sector: EDC finds errors, ECC (P and Q) mends them.
 *
 * Both are computed from their definitions (ECMA-130, sections 14.5 and 14.6 with annex A) on the
 * fly; there is no state and nothing to free.
 */
#ifndef FORGE_EDC_H
#define FORGE_EDC_H

#include <stddef.h>
#include <stdint.h>

enum {
    FORGE_SECTOR_LEN = 2352,
    FORGE_ECC_P_OFF = 0x81c,
    FORGE_ECC_P_LEN = 172,
    FORGE_ECC_Q_OFF = 0x8c8,
    FORGE_ECC_Q_LEN = 104
};

/* forge_edc returns the EDC of len bytes: stored little endian behind them. */
uint32_t forge_edc(const uint8_t *bytes, size_t len);

/* forge_ecc writes P and Q of a raw sector of FORGE_SECTOR_LEN bytes into it. They cover bytes 12
 * to 0x81b as they stand; for Mode 2 the caller zeroes the header meanwhile. */
void forge_ecc(uint8_t *sector);

#endif
