/* The map of a CHD: where each hunk lies and how it is packed.
 *
 * Read whole when a CHD is opened, 16 bytes a hunk. A compressed map is a Huffman-coded list of
 * kinds with runs, then lengths, checksums and references in bits; an uncompressed one is a place a
 * hunk. Source: chd.cpp of MAME, as published in rtissera/libchdr; image format sheet, section 5.1.
 */
#ifndef FH_SOURCE_CHD_MAP_H
#define FH_SOURCE_CHD_MAP_H

#include "source/huffman.h"

#include <stddef.h>
#include <stdint.h>

typedef enum fh_chd_kind {
    FH_CHD_CODEC_0 = 0, /* packed by the first codec of the header; 1 to 3: the others */
    FH_CHD_CODEC_3 = 3,
    FH_CHD_STORED = 4,
    FH_CHD_SELF = 5,   /* equal to another hunk: `off` is its number */
    FH_CHD_PARENT = 6, /* in the parent: `off` is the number of its unit there */
    FH_CHD_EMPTY,      /* never written: zeros (in uncompressed files only) */
    FH_CHD_UNKNOWN     /* a number that means nothing */
} fh_chd_kind;

typedef struct fh_chd_hunk {
    uint64_t off; /* byte in the file, or see the kind */
    uint32_t len; /* bytes in the file */
    uint16_t crc; /* of the unpacked hunk; only where has_crc */
    uint8_t kind;
    uint8_t has_crc : 1;
    uint8_t is_told : 1; /* that it cannot be read was told: left to who reads hunks */
} fh_chd_hunk;

/* Sizes of the hunks of a file. */
typedef struct fh_chd_shape {
    uint32_t hunk_len;
    uint32_t unit_len;
    uint32_t num_hunks;
} fh_chd_shape;

#define FH_CHD_MAP_HEADER_LEN 16u
#define FH_CHD_PLAIN_ENTRY_LEN 4u

typedef struct fh_chd_map_header {
    uint32_t len;       /* bytes of the packed map behind this header */
    uint64_t first_off; /* of the first packed hunk; the others follow one another */
    uint16_t crc;
    uint8_t len_bits;
    uint8_t self_bits;
    uint8_t parent_bits;
} fh_chd_map_header;

fh_chd_map_header fh_chd_map_header_read(const uint8_t bytes[FH_CHD_MAP_HEADER_LEN]);

/* Why a packed map cannot be read: a constant text, NULL where it could be read. hunks takes
 * shape->num_hunks entries; tree is working memory. *crc becomes the checksum of what was read, to
 * be held against the header's. */
const char *fh_chd_map_unpack(fh_chd_hunk *hunks, uint16_t *crc, const fh_chd_map_header *header,
                              const uint8_t *packed, const fh_chd_shape *shape, fh_huffman *tree);

/* fh_chd_map_plain reads an uncompressed map, FH_CHD_PLAIN_ENTRY_LEN bytes a hunk. */
void fh_chd_map_plain(fh_chd_hunk *hunks, const uint8_t *bytes, const fh_chd_shape *shape,
                      bool has_parent);

/* fh_chd_number reads a big-endian number of len bytes, at most 8. */
uint64_t fh_chd_number(const uint8_t *bytes, size_t len);

/* fh_chd_crc16 goes on with a CRC-16 (polynomial 0x1021, not reflected); it begins with 0xffff. */
uint16_t fh_chd_crc16(uint16_t crc, const uint8_t *bytes, size_t len);

#endif
