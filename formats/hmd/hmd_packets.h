/* The layouts of polygon packets, word by word, and the types that the run-time library knows.
 *
 * Categories 0 (polygons), 1 (shared polygons) and 6 (environment maps) hold packets; their layout
 * hangs on the primitive type (the low half of a type word) alone. A strip mesh has one first
 * packet, which begins with the number of triangles, and then one packet a further triangle.
 * Source: manual, corrected by the driver source that was published with release 4.4 and by
 * counting real files.
 */
#ifndef FH_HMD_PACKETS_H
#define FH_HMD_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a half word of a packet is. */
typedef enum hmd_half {
    HMD_HALF_DATA = 0, /* part of a colour, texture position or packet that is not judged */
    HMD_HALF_PAD,      /* must be 0 */
    HMD_HALF_VERTEX,   /* number of a vertex */
    HMD_HALF_NORMAL    /* number of a normal */
} hmd_half;

/* What a whole word of a packet is. */
typedef enum hmd_word_kind {
    HMD_WORD_HALVES = 0, /* see the halves */
    HMD_WORD_CODE,       /* r, g, b and the code byte in bits 24..31 */
    HMD_WORD_COLOUR,     /* r, g, b and a pad byte */
    HMD_WORD_WINDOW,     /* texture window */
    HMD_WORD_NUM,        /* number of triangles of a mesh */
    HMD_WORD_WORK        /* DMA tag or screen position of a preset, which the run-time fills */
} hmd_word_kind;

typedef struct hmd_packet_word {
    uint8_t kind;      /* hmd_word_kind */
    uint8_t code;      /* HMD_WORD_CODE: code byte, of which bits 0 and 1 are free */
    uint8_t low, high; /* hmd_half, HMD_WORD_HALVES only */
} hmd_packet_word;

typedef struct hmd_packet_layout {
    uint16_t primitive_type;
    const char *name; /* "GT3" */
    bool is_mesh;
    bool is_preset;
    uint8_t num_first;                   /* words of a packet, or of the first one of a mesh */
    uint8_t num_more;                    /* words of each further packet of a mesh, else 0 */
    const hmd_packet_word *first, *more; /* more is NULL where num_more is 0 */
} hmd_packet_layout;

/* hmd_packet_layout_of returns the layout of a type word's packets, or NULL where it has none or
 * where it is not known. INI is ignored. A layout needs no driver in category 0: it hangs on the
 * primitive type alone, whatever the driver bits. In category 1 a shared driver must exist for the
 * primitive type, with whatever driver bits: how lit flat and mesh packets of shared vertices are
 * laid out is not known. Category 6 borrows G3 and G4, for the types that have a driver. */
const hmd_packet_layout *hmd_packet_layout_of(uint32_t type);

/* hmd_has_driver tells whether release 4.4 of the library has a driver for a type word, in any
 * category. INI is ignored, for it is cleared before the type is looked up. */
bool hmd_has_driver(uint32_t type);

/* hmd_packet_layouts are all layouts, hmd_num_packet_layouts of them, each primitive type once. */
extern const hmd_packet_layout *const hmd_packet_layouts[];
extern const size_t hmd_num_packet_layouts;

#endif
