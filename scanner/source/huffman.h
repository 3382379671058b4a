/* Bits, and the canonical Huffman codes of CHD: its map of hunks and its codec "huff".
 *
 * Bits come from the most significant one of each byte on. Reading past the end yields zeros and
 * sets `overrun`, which is sticky: a decoder may read a whole structure and ask once.
 * Source of the two forms of a tree: huffman.cpp of MAME, as published in rtissera/libchdr.
 */
#ifndef FH_SOURCE_HUFFMAN_H
#define FH_SOURCE_HUFFMAN_H

#include "core/cursor.h"

typedef struct fh_bits {
    fh_cursor bytes;
    uint64_t held; /* the bits read ahead, the next one on top of the lower `num` */
    uint32_t num;
    uint32_t beyond; /* of these, bits that were never there */
    bool overrun;
} fh_bits;

/* fh_bits_make covers len bytes, which stay the caller's. */
fh_bits fh_bits_make(const uint8_t *bytes, size_t len);

/* fh_bits_read takes num bits, 0 to 32, and returns them as a number. */
uint32_t fh_bits_read(fh_bits *bits, uint32_t num);

/* Longest code of any tree here, and the most symbols. */
#define FH_HUFFMAN_MAX_BITS 16u
#define FH_HUFFMAN_MAX_SYMBOLS 256u

typedef struct fh_huffman {
    uint32_t num_symbols;
    uint32_t max_bits;
    uint8_t lengths[FH_HUFFMAN_MAX_SYMBOLS];          /* bits of each symbol's code, 0 = has none */
    uint16_t table[(size_t)1 << FH_HUFFMAN_MAX_BITS]; /* by the next max_bits bits: symbol * 32 +
                                                         bits; 0 where no code begins so */
} fh_huffman;

/* fh_huffman_read_runs reads a tree whose lengths are written as they are, with runs (that of the
 * map); fh_huffman_read_coded one whose lengths are Huffman-coded themselves (that of the codec).
 * max_bits is at most 16, num_symbols at most 256. False: this is no tree, or it does not end. */
bool fh_huffman_read_runs(fh_huffman *tree, fh_bits *bits, uint32_t num_symbols, uint32_t max_bits);
bool fh_huffman_read_coded(fh_huffman *tree, fh_bits *bits, uint32_t num_symbols,
                           uint32_t max_bits);

/* fh_huffman_symbol takes one code. Bits that no code begins with set `overrun`, and yield 0. */
uint32_t fh_huffman_symbol(const fh_huffman *tree, fh_bits *bits);

#endif
