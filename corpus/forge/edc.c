#include "forge/edc.h"

enum {
    ECC_OFF = 12,   /* the code words start behind the sync pattern */
    P_COLUMNS = 86, /* 43 columns of 16-bit words, each lane a code of its own */
    P_ROWS = 24,
    Q_DIAGONALS = 52, /* 26 diagonals of 16-bit words */
    Q_STEPS = 43,
    Q_STEP = 88,  /* one row down and one word to the right */
    Q_AREA = 2236 /* Q runs over the data and over P, and wraps there */
};

/* x^32 + x^31 + x^16 + x^15 + x^4 + x^3 + x + 1, bits reversed. */
static uint32_t edc_byte(uint32_t edc, uint8_t byte)
{
    edc ^= byte;
    for (int bit = 0; bit < 8; bit++) {
        edc = (edc >> 1) ^ ((edc & 1U) != 0 ? 0xd8018001U : 0U);
    }
    return edc;
}

uint32_t forge_edc(const uint8_t *bytes, size_t len)
{
    uint32_t edc = 0;
    for (size_t i = 0; i < len; i++) {
        edc = edc_byte(edc, bytes[i]);
    }
    return edc;
}

/* Multiplication by 2 in GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. */
static uint8_t twice(uint8_t a)
{
    return (uint8_t)((unsigned)(a << 1) ^ ((a & 0x80U) != 0 ? 0x11dU : 0U));
}

/* Multiplication by the inverse of 3, which is 244 in this field: 244 = 0b11110100. */
static uint8_t third(uint8_t a)
{
    uint8_t sum = 0;
    uint8_t power = a;
    for (unsigned bits = 244; bits != 0; bits >>= 1) {
        sum = (uint8_t)((bits & 1U) != 0 ? sum ^ power : sum);
        power = twice(power);
    }
    return sum;
}

/* One code word: num bytes of the area, `step` apart from `start` on, wrapping at `area`. The two
 * parity bytes make the sum of all symbols 0, and the sum of symbol n times 2^(place from the
 * end) 0 as well. */
static void parity(const uint8_t *area, size_t start, size_t step, size_t num, size_t area_len,
                   uint8_t out[2])
{
    uint8_t weighted = 0;
    uint8_t sum = 0;
    size_t at = start;
    for (size_t i = 0; i < num; i++) {
        weighted = twice(weighted ^ area[at]);
        sum ^= area[at];
        at = (at + step) % area_len;
    }
    out[0] = third(twice(weighted) ^ sum);
    out[1] = out[0] ^ sum;
}

void forge_ecc(uint8_t *sector)
{
    uint8_t out[2];
    for (size_t i = 0; i < P_COLUMNS; i++) {
        parity(sector + ECC_OFF, i, P_COLUMNS, P_ROWS, (size_t)P_COLUMNS * P_ROWS, out);
        sector[FORGE_ECC_P_OFF + i] = out[0];
        sector[FORGE_ECC_P_OFF + P_COLUMNS + i] = out[1];
    }
    for (size_t i = 0; i < Q_DIAGONALS; i++) {
        size_t start = i / 2 * P_COLUMNS + i % 2;
        parity(sector + ECC_OFF, start, Q_STEP, Q_STEPS, Q_AREA, out);
        sector[FORGE_ECC_Q_OFF + i] = out[0];
        sector[FORGE_ECC_Q_OFF + Q_DIAGONALS + i] = out[1];
    }
}
