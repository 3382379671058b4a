/* Hashes in lower-case hexadecimal. */
#ifndef FH_REPORTS_HEX_H
#define FH_REPORTS_HEX_H

#include "core/record.h"

static inline void fh_hex_of_hash(char out[2 * FH_SHA256_LEN + 1],
                                  const uint8_t hash[FH_SHA256_LEN])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 0xf];
    }
    out[(size_t)2 * FH_SHA256_LEN] = '\0';
}

/* fh_hash_of_hex reads such a text back; false if it is none. */
static inline bool fh_hash_of_hex(uint8_t out[FH_SHA256_LEN], const char *hex)
{
    for (size_t i = 0; i < (size_t)2 * FH_SHA256_LEN; i++) {
        const char c = hex[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) {
            return false; /* a text that is too short ends here */
        }
        out[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : out[i / 2] | digit);
    }
    return hex[(size_t)2 * FH_SHA256_LEN] == '\0';
}

#endif
