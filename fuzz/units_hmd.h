/* The parts of an HMD file that can be put in and taken out, the numbers that count them, and the
 * references that have to follow: read from what the format tells when it labels the bytes.
 *
 * No part of an HMD can move without what leads behind it. A reference is a number from some bit of
 * a word on; it leads to byte `base` + `scale` * the number, whether it counts from the start of
 * the file (base 0) or from that of a section. References that stay inside a section in which no
 * part is ever put in (numbers of vertices, keys and images) are not listed. An image in memory,
 * whose pointers are addresses, has no parts here.
 */
#ifndef FUZZ_UNITS_HMD_H
#define FUZZ_UNITS_HMD_H

#include "mutate_change.h"

typedef enum hmd_part_kind {
    HMD_PART_BLOCK = 0,  /* its pointer in the block table */
    HMD_PART_COORDINATE, /* a unit */
    HMD_PART_HEADER,     /* of primitives */
    HMD_PART_PRIMITIVE,  /* a primitive set: with its records */
    HMD_PART_RECORD,
    HMD_PART_SEQUENCE,   /* of an animation record */
    HMD_PART_MANAGED,    /* a sequence that another one manages */
    HMD_PART_TYPE,       /* of an interpolation table */
    HMD_PART_DESCRIPTOR, /* of a control section */
    HMD_PART_PACKET,     /* of polygons, or a whole mesh */
    HMD_NUM_PARTS
} hmd_part_kind;

typedef struct hmd_part {
    hmd_part_kind kind;
    const char *type; /* of a packet, constant; else NULL */
    size_t off, len;
    part_count counts[PART_COUNTS];
} hmd_part;

typedef enum hmd_link_kind {
    HMD_LINK_FIRST = 0, /* of a block, its first primitive */
    HMD_LINK_NEXT,      /* of a primitive, the one behind it */
    HMD_LINK_HEADER,    /* of a primitive */
    HMD_LINK_SECTION,   /* of a header or a record, where a run of elements begins */
    HMD_LINK_PARENT,    /* of a coordinate */
    HMD_LINK_OTHER
} hmd_link_kind;

typedef struct hmd_link {
    hmd_link_kind kind;
    size_t off;
    size_t len;           /* bytes of the number that it is part of */
    unsigned shift, bits; /* which part */
    size_t base, scale;
} hmd_link;

enum { HMD_UNIT_LEN = 80, MOST_HMD_PARTS = 1024, MOST_HMD_LINKS = 2048, MOST_HMD_RUNS = 128 };

/* What several records share: the sections of an animation, or a run of packets. */
typedef struct hmd_run {
    size_t off;               /* of the control section, or of the first packet */
    size_t table, parameters; /* of an animation */
    part_count count;         /* of packets; len 0: several records count them */
} hmd_run;

typedef struct hmd_runs {
    hmd_run all[MOST_HMD_RUNS];
    size_t num;
} hmd_runs;

typedef struct hmd_parts {
    const uint8_t *data;
    size_t size;
    hmd_part parts[MOST_HMD_PARTS];
    size_t num_parts;
    hmd_link links[MOST_HMD_LINKS];
    size_t num_links;
    size_t coordinates; /* byte of their number */
    hmd_runs animations, packets;
    bool is_full; /* there was more of something than there is room for */
} hmd_parts;

/* hmd_find_parts reads a file. false where it has no parts, or too many. */
bool hmd_find_parts(hmd_parts *out, const fh_format *format, const uint8_t *data, size_t size);

/* Where a link leads; and what stands in its bits. hmd_link_put changes that, false if it does not
 * fit. */
size_t hmd_link_target(const hmd_link *link, const uint8_t *data);
uint32_t hmd_link_value(const hmd_link *link, const uint8_t *data);
void hmd_link_put(const hmd_link *link, uint8_t *data, uint32_t value);
bool hmd_link_fits(const hmd_link *link, uint64_t value);

/* hmd_link_at returns the link of a kind that stands at a byte, NULL: none. hmd_links_to counts
 * those of a kind that lead to one. */
const hmd_link *hmd_link_at(const hmd_parts *of, hmd_link_kind kind, size_t off);
size_t hmd_links_to(const hmd_parts *of, hmd_link_kind kind, size_t target);

/* hmd_num_parts counts those of a kind; hmd_part_number returns one of them, NULL: there is none.
 */
size_t hmd_num_parts(const hmd_parts *of, hmd_part_kind kind);
const hmd_part *hmd_part_number(const hmd_parts *of, hmd_part_kind kind, size_t index);

#endif
