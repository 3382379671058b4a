/* What the steps share that describe an HMD to the forge: which part stands at each word, where its
 * references lead, and the text that becomes of it.
 *
 * A part is what one statement of the language holds, or a bare word. References between parts are
 * kept by word and are written with labels, so that the forge computes them anew. All of it comes
 * from the decoded form: the model, and what enumerates its references (formats/hmd/hmd_refs.h).
 */
#ifndef DESCRIBE_HMD_PARTS_H
#define DESCRIBE_HMD_PARTS_H

#include "anew.h"

#include "hmd/hmd_model.h"
#include "hmd/hmd_polygons.h"

enum part_kind {
    PART_WORD = 0, /* nothing is known of it but its value, and perhaps where it leads */
    PART_INSIDE,   /* of the part that begins before */
    PART_FRONT,    /* header and block table */
    PART_COORDINATES,
    PART_UNIT, /* of: its index */
    PART_HEADERS,
    PART_HEADER,    /* of: its index */
    PART_PRIMITIVE, /* of: its index */
    PART_RECORD,    /* of: its index */
    PART_PACKET,    /* of: a type with the packet's layout; also those of a mesh */
    PART_MESH,
    PART_STRIP,
    PART_VEC,
    PART_TABLE,
    PART_DESCRIPTOR,
    PART_KEY,   /* of: the type, as it stands in the table */
    PART_JOINT, /* of: words of the reset area behind its differences */
    PART_SHAPE,
    PART_DELTAS,
    PART_RESETS,
    PART_GROUND,
    PART_FLAT_CELL,
    PART_TEXTURED_CELL,
    PART_CORNERS,
    PART_HEIGHTS,
    PART_CAMERA,
    PART_LIGHT
};

typedef struct describing {
    hmd_model model; /* a copy: its tables lie in the arena of who decoded it */
    hmd_check check;
    uint32_t num; /* words of the asset */
    /* By word: */
    uint8_t *kind; /* enum part_kind */
    uint32_t *of;
    uint32_t *to;      /* the word that it leads to, HMD_NONE: nowhere */
    uint32_t *from;    /* what it counts from, HMD_NONE: it is a pointer */
    bool *is_joined;   /* it must follow the word before it */
    bool *is_labelled; /* something refers to the part that begins here */
    bool *is_history;  /* a spline keeps the places of its keys here */
    bool is_fixed;     /* the areas must stay in their order */
    uint32_t *group;   /* by word: words of one number stand together */
    uint32_t *names;   /* number of the label, in the order of the text */
    uint32_t num_labels;
    fuzz_description *out;
} describing;

/* describe_hmd_claims.c: finds the parts, the references, and what must stay together. */
void find_parts(describing *d);

/* describe_hmd_packets.c: the packets of the record that is looked at; one of them as a line. */
void find_packets(describing *d);
void say_packet(describing *d, uint32_t at);

/* describe_hmd_lines.c: writes the part that begins at a word, and returns the word behind it. */
uint32_t say_part(describing *d, uint32_t at);

/* Short forms. part_claim makes words a part, unless one of them belongs to another. part_end
 * returns the word behind the part that begins at a word, part_start where the part of a word
 * begins. */
bool part_claim(describing *d, uint64_t first, uint64_t num, enum part_kind kind, uint32_t of);
uint32_t part_end(const describing *d, uint32_t at);
uint32_t part_start(const describing *d, uint32_t at);

/* say appends to the text. say_place writes the label of the part that holds a word, and how far
 * behind its start that is. say_value writes what stands at a word: a reference, or a number. */
void say(describing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_place(describing *d, uint32_t to);
void say_value(describing *d, uint32_t at);

/* say_span writes the words between two places as an expression, and tells whether it could: only
 * the start of a part has a label to count from. */
bool say_span(describing *d, uint32_t at);

static inline uint32_t word_at(const describing *d, uint64_t at)
{
    return at < d->num ? hmd_word(&d->model, (uint32_t)at) : 0;
}

#endif
