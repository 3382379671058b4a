#include "source/chd_map.h"

#include <string.h>

/* Kinds as they stand in the list, beyond those of a hunk. */
enum {
    RUN_SHORT = 7, /* the last kind again, 3 + next number times */
    RUN_LONG,      /* 19 + 16 * next + the one behind it */
    SELF_SAME,     /* SELF, the same hunk as the last one; */
    SELF_NEXT,     /* the one behind that */
    PARENT_HERE,   /* PARENT, the unit at this place; */
    PARENT_SAME,   /* the last one; */
    PARENT_NEXT    /* the hunk behind that */
};

enum { NUM_KINDS = 16, KIND_BITS = 8, ENTRY_LEN = 12 };

/* Widest fields that the unpacked entry can hold (its length is 24 bits wide) and a reference to
 * one of 2^32 hunks or units needs. */
enum { MOST_LEN_BITS = 24, MOST_REF_BITS = 32 };

static const uint16_t crc_table[256] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7, 0x8108, 0x9129, 0xa14a, 0xb16b,
    0xc18c, 0xd1ad, 0xe1ce, 0xf1ef, 0x1231, 0x0210, 0x3273, 0x2252, 0x52b5, 0x4294, 0x72f7, 0x62d6,
    0x9339, 0x8318, 0xb37b, 0xa35a, 0xd3bd, 0xc39c, 0xf3ff, 0xe3de, 0x2462, 0x3443, 0x0420, 0x1401,
    0x64e6, 0x74c7, 0x44a4, 0x5485, 0xa56a, 0xb54b, 0x8528, 0x9509, 0xe5ee, 0xf5cf, 0xc5ac, 0xd58d,
    0x3653, 0x2672, 0x1611, 0x0630, 0x76d7, 0x66f6, 0x5695, 0x46b4, 0xb75b, 0xa77a, 0x9719, 0x8738,
    0xf7df, 0xe7fe, 0xd79d, 0xc7bc, 0x48c4, 0x58e5, 0x6886, 0x78a7, 0x0840, 0x1861, 0x2802, 0x3823,
    0xc9cc, 0xd9ed, 0xe98e, 0xf9af, 0x8948, 0x9969, 0xa90a, 0xb92b, 0x5af5, 0x4ad4, 0x7ab7, 0x6a96,
    0x1a71, 0x0a50, 0x3a33, 0x2a12, 0xdbfd, 0xcbdc, 0xfbbf, 0xeb9e, 0x9b79, 0x8b58, 0xbb3b, 0xab1a,
    0x6ca6, 0x7c87, 0x4ce4, 0x5cc5, 0x2c22, 0x3c03, 0x0c60, 0x1c41, 0xedae, 0xfd8f, 0xcdec, 0xddcd,
    0xad2a, 0xbd0b, 0x8d68, 0x9d49, 0x7e97, 0x6eb6, 0x5ed5, 0x4ef4, 0x3e13, 0x2e32, 0x1e51, 0x0e70,
    0xff9f, 0xefbe, 0xdfdd, 0xcffc, 0xbf1b, 0xaf3a, 0x9f59, 0x8f78, 0x9188, 0x81a9, 0xb1ca, 0xa1eb,
    0xd10c, 0xc12d, 0xf14e, 0xe16f, 0x1080, 0x00a1, 0x30c2, 0x20e3, 0x5004, 0x4025, 0x7046, 0x6067,
    0x83b9, 0x9398, 0xa3fb, 0xb3da, 0xc33d, 0xd31c, 0xe37f, 0xf35e, 0x02b1, 0x1290, 0x22f3, 0x32d2,
    0x4235, 0x5214, 0x6277, 0x7256, 0xb5ea, 0xa5cb, 0x95a8, 0x8589, 0xf56e, 0xe54f, 0xd52c, 0xc50d,
    0x34e2, 0x24c3, 0x14a0, 0x0481, 0x7466, 0x6447, 0x5424, 0x4405, 0xa7db, 0xb7fa, 0x8799, 0x97b8,
    0xe75f, 0xf77e, 0xc71d, 0xd73c, 0x26d3, 0x36f2, 0x0691, 0x16b0, 0x6657, 0x7676, 0x4615, 0x5634,
    0xd94c, 0xc96d, 0xf90e, 0xe92f, 0x99c8, 0x89e9, 0xb98a, 0xa9ab, 0x5844, 0x4865, 0x7806, 0x6827,
    0x18c0, 0x08e1, 0x3882, 0x28a3, 0xcb7d, 0xdb5c, 0xeb3f, 0xfb1e, 0x8bf9, 0x9bd8, 0xabbb, 0xbb9a,
    0x4a75, 0x5a54, 0x6a37, 0x7a16, 0x0af1, 0x1ad0, 0x2ab3, 0x3a92, 0xfd2e, 0xed0f, 0xdd6c, 0xcd4d,
    0xbdaa, 0xad8b, 0x9de8, 0x8dc9, 0x7c26, 0x6c07, 0x5c64, 0x4c45, 0x3ca2, 0x2c83, 0x1ce0, 0x0cc1,
    0xef1f, 0xff3e, 0xcf5d, 0xdf7c, 0xaf9b, 0xbfba, 0x8fd9, 0x9ff8, 0x6e17, 0x7e36, 0x4e55, 0x5e74,
    0x2e93, 0x3eb2, 0x0ed1, 0x1ef0,
};

uint16_t fh_chd_crc16(uint16_t crc, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        crc = (uint16_t)((unsigned)(crc << 8) ^ crc_table[(crc >> 8 ^ bytes[i]) & 0xff]);
    }
    return crc;
}

uint64_t fh_chd_number(const uint8_t *bytes, size_t len)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void put_be(uint8_t *out, uint64_t value, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[len - 1 - i] = (uint8_t)(value >> (8 * i));
    }
}

fh_chd_map_header fh_chd_map_header_read(const uint8_t bytes[FH_CHD_MAP_HEADER_LEN])
{
    return (fh_chd_map_header){
        .len = (uint32_t)fh_chd_number(bytes, 4),
        .first_off = fh_chd_number(bytes + 4, 6),
        .crc = (uint16_t)fh_chd_number(bytes + 10, 2),
        .len_bits = bytes[12],
        .self_bits = bytes[13],
        .parent_bits = bytes[14],
    };
}

static uint32_t run_length(uint32_t kind, const fh_huffman *tree, fh_bits *bits)
{
    if (kind == RUN_SHORT) {
        return 3 + fh_huffman_symbol(tree, bits);
    }
    uint32_t high = fh_huffman_symbol(tree, bits);
    return 19 + high * 16 + fh_huffman_symbol(tree, bits);
}

/* Runs before any kind repeat kind 0; one that goes on behind the last hunk ends there: so do the
 * readers that people use. */
static bool read_kinds(fh_chd_hunk *hunks, uint32_t num, const fh_huffman *tree, fh_bits *bits)
{
    uint8_t last = 0;
    uint32_t at = 0;
    while (at < num && !bits->overrun) {
        uint32_t kind = fh_huffman_symbol(tree, bits);
        uint32_t count = 1;
        if (kind == RUN_SHORT || kind == RUN_LONG) {
            count = run_length(kind, tree, bits);
        } else {
            last = (uint8_t)kind;
        }
        for (; count > 0 && at < num; count--) {
            hunks[at++].kind = last;
        }
    }
    return !bits->overrun;
}

typedef struct place {
    const fh_chd_map_header *header;
    const fh_chd_shape *shape;
    uint64_t off; /* of the next packed hunk */
    uint64_t self;
    uint64_t parent;
} place;

static void refer(fh_chd_hunk *hunk, fh_chd_kind kind, uint64_t to)
{
    hunk->kind = (uint8_t)kind;
    hunk->off = to;
}

/* off cannot wrap: it begins below 2^48, and 2^32 hunks of less than 2^24 bytes follow. */
static void read_packed(fh_chd_hunk *hunk, place *at, uint32_t len, fh_bits *bits)
{
    hunk->off = at->off;
    hunk->len = len;
    hunk->crc = (uint16_t)fh_bits_read(bits, 16);
    hunk->has_crc = 1;
    at->off += len;
}

static void read_entry(fh_chd_hunk *hunk, place *at, uint32_t index, fh_bits *bits)
{
    switch (hunk->kind) {
    case 0:
    case 1:
    case 2:
    case 3:
        read_packed(hunk, at, fh_bits_read(bits, at->header->len_bits), bits);
        break;
    case FH_CHD_STORED:
        read_packed(hunk, at, at->shape->hunk_len, bits);
        break;
    case FH_CHD_SELF:
        at->self = fh_bits_read(bits, at->header->self_bits);
        refer(hunk, FH_CHD_SELF, at->self);
        break;
    case SELF_NEXT:
        refer(hunk, FH_CHD_SELF, ++at->self);
        break;
    case SELF_SAME:
        refer(hunk, FH_CHD_SELF, at->self);
        break;
    case FH_CHD_PARENT:
        at->parent = fh_bits_read(bits, at->header->parent_bits);
        refer(hunk, FH_CHD_PARENT, at->parent);
        break;
    case PARENT_HERE:
        at->parent = (uint64_t)index * at->shape->hunk_len / at->shape->unit_len;
        refer(hunk, FH_CHD_PARENT, at->parent);
        break;
    case PARENT_NEXT:
        at->parent += at->shape->hunk_len / at->shape->unit_len;
        refer(hunk, FH_CHD_PARENT, at->parent);
        break;
    case PARENT_SAME:
        refer(hunk, FH_CHD_PARENT, at->parent);
        break;
    default:
        refer(hunk, FH_CHD_UNKNOWN, at->off);
        break;
    }
}

/* The checksum covers the unpacked entries as the writer keeps them: kind, 24 bits of length, 48 of
 * the place, CRC. */
static uint16_t add_to_crc(uint16_t crc, const fh_chd_hunk *hunk, uint8_t kind)
{
    uint8_t entry[ENTRY_LEN];
    entry[0] = kind;
    put_be(entry + 1, hunk->len, 3);
    put_be(entry + 4, hunk->off, 6);
    put_be(entry + 10, hunk->crc, 2);
    return fh_chd_crc16(crc, entry, sizeof entry);
}

const char *fh_chd_map_unpack(fh_chd_hunk *hunks, uint16_t *crc, const fh_chd_map_header *header,
                              const uint8_t *packed, const fh_chd_shape *shape, fh_huffman *tree)
{
    if (header->len_bits > MOST_LEN_BITS || header->self_bits > MOST_REF_BITS ||
        header->parent_bits > MOST_REF_BITS) {
        return "fields of more bits than an entry holds";
    }
    fh_bits bits = fh_bits_make(packed, header->len);
    if (!fh_huffman_read_runs(tree, &bits, NUM_KINDS, KIND_BITS)) {
        return "no Huffman tree";
    }
    if (!read_kinds(hunks, shape->num_hunks, tree, &bits)) {
        return "ends inside the list of kinds";
    }
    place at = {.header = header, .shape = shape, .off = header->first_off};
    *crc = 0xffff;
    for (uint32_t i = 0; i < shape->num_hunks && !bits.overrun; i++) {
        uint8_t kind = hunks[i].kind;
        read_entry(&hunks[i], &at, i, &bits);
        *crc = add_to_crc(*crc, &hunks[i], hunks[i].kind == FH_CHD_UNKNOWN ? kind : hunks[i].kind);
    }
    return bits.overrun ? "ends inside the list of places" : NULL;
}

void fh_chd_map_plain(fh_chd_hunk *hunks, const uint8_t *bytes, const fh_chd_shape *shape,
                      bool has_parent)
{
    for (uint32_t i = 0; i < shape->num_hunks; i++) {
        uint64_t at =
            fh_chd_number(bytes + (size_t)i * FH_CHD_PLAIN_ENTRY_LEN, FH_CHD_PLAIN_ENTRY_LEN);
        if (at != 0) {
            hunks[i] = (fh_chd_hunk){
                .off = at * shape->hunk_len, .len = shape->hunk_len, .kind = FH_CHD_STORED};
        } else if (has_parent) {
            refer(&hunks[i], FH_CHD_PARENT, (uint64_t)i * shape->hunk_len / shape->unit_len);
        } else {
            refer(&hunks[i], FH_CHD_EMPTY, 0);
        }
    }
}
