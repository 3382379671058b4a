/* What the records of a memory image are whose type words have become addresses of drivers.
 *
 * A program scans a model once: every type word is replaced by the address of the function that is
 * to be called for it. The types are gone, but equal addresses stand for equal types, and each type
 * demands a shape: of the primitive header, of the record, of the data it leads to. Every type that
 * the library has is held against all records with one address. A type is taken only if no other
 * fits, up to driver bits, which leave no trace in the data (fog, transparency and the like). Where
 * several fit, the category is taken if they share it, and the asset reaches at least as far as the
 * shortest of them would. Nothing is guessed. Source: images.md, stages; otherwise deduced.
 *
 * Types of interpolation functions are never inferred: gaps between keys only bound the size of a
 * key from above, and each bound that lets one type pass lets several pass.
 */
#ifndef FH_HMD_INFER_H
#define FH_HMD_INFER_H

#include "hmd/hmd_refs.h"

/* hmd_infer sets the stage of the model, is_unscanned, aliases, least_end, and category and type of
 * the records; nothing for a file. false when the budget or the arena is spent. */
bool hmd_infer(hmd_check *check);

/* hmd_stage_marks tells which marks of a stage the bytes bear (bit = enum hmd_stage). */
unsigned hmd_stage_marks(hmd_check *check);

/* ---- between the files of this module ---- */

/* How well a type fits a record. */
typedef enum hmd_fit {
    HMD_FIT_NOT = 0,
    HMD_FIT_LOOSE, /* nothing contradicts it */
    HMD_FIT_EXACT  /* and its data end where the next thing begins, or nothing is known to follow */
} hmd_fit;

/* Bits, one a word of the bytes. */
typedef struct hmd_starts {
    uint32_t *bits;
    uint32_t num_words;
    uint32_t beyond; /* the first one that lies behind the bytes, HMD_MOST_WORDS if there is none */
} hmd_starts;

typedef struct hmd_inference {
    hmd_check *check;
    uint64_t left;       /* work that may still be done; what is not looked at stays unknown */
    hmd_starts known;    /* whatever something points at */
    hmd_starts vertices; /* sections of vertices */
    hmd_starts normals;
    bool is_cut;     /* some type leads out of the bytes, to where an asset may still be */
    uint32_t *users; /* of each header: the address that all its records share, or MIXED, NOBODY */
    hmd_record supposed; /* what the check looks at while a type is tried */
} hmd_inference;

enum { HMD_USERS_NOBODY = 0, HMD_USERS_MIXED = 1 };

/* A record and its header, as far as the shape of both tells. Bit i stands for argument i. */
typedef struct hmd_shape {
    const hmd_record *record;
    uint32_t header;
    uint32_t num_args; /* HMD_NONE without a header */
    uint32_t pointers; /* arguments that are pointers into the asset */
    uint32_t units;    /* and hit a coordinate unit, */
    uint32_t sections; /* or the coordinate section */
    uint32_t zeros;    /* arguments that are 0 */
    bool is_last;      /* record of its primitive */
    bool is_alone;     /* all records with this header have one address */
} hmd_shape;

/* hmd_infer_pay takes from the work that is left; false when there is none. */
bool hmd_infer_pay(hmd_inference *in, uint64_t units);

/* hmd_infer_mark notes that something begins at a word; hmd_infer_next returns the next known start
 * above `off`, which may lie behind the bytes, or HMD_MOST_WORDS where none is known. */
void hmd_infer_mark(hmd_starts *starts, uint64_t off);
uint32_t hmd_infer_next(hmd_inference *in, uint32_t off);

/* hmd_infer_shape reads the shape of a record. */
hmd_shape hmd_infer_shape(hmd_inference *in, const hmd_record *record);

/* hmd_infer_polygons returns the category of polygons that a header's shape is that of, or
 * HMD_CATEGORY_FOREIGN. */
uint8_t hmd_infer_polygons(const hmd_shape *shape);

/* hmd_infer_mark_blocks notes where blocks of morphing differences begin. */
void hmd_infer_mark_blocks(hmd_inference *in, const hmd_shape *shape);

/* hmd_infer_has tells whether an asset may have words there, and notes if they are missing in the
 * bytes. Where the bytes end says nothing: the caller may have cut them where an asset was thought
 * to end, and a piece of memory ends anywhere. So nothing is ruled out by it. */
bool hmd_infer_has(hmd_inference *in, uint64_t first, uint64_t num);

/* hmd_infer_fit_images holds an image type against a record. */
hmd_fit hmd_infer_fit_images(hmd_inference *in, const hmd_shape *shape, uint32_t type);

/* The types that are not polygons, each with the test of a record. */
typedef struct hmd_kind {
    uint32_t type;
    hmd_fit (*fit)(hmd_inference *in, const hmd_shape *shape, uint32_t type);
} hmd_kind;
extern const hmd_kind hmd_kinds[];
extern const size_t hmd_num_kinds;

/* Where the packets of a record lie, and what their numbers may be. */
typedef struct hmd_area {
    uint32_t num_vertices, num_normals;
    uint32_t first, next; /* word of the first packet, and of what is known to come behind it */
} hmd_area;

/* hmd_infer_area finds the area of a record with a header of polygons of the given category; false
 * if the record is no such one. hmd_infer_fit_packets holds one packet layout against it. */
bool hmd_infer_area(hmd_inference *in, const hmd_shape *shape, uint8_t category, hmd_area *out);
hmd_fit hmd_infer_fit_packets(hmd_inference *in, const hmd_shape *shape, uint8_t category,
                              size_t layout, const hmd_area *area);

/* hmd_infer_packet_type returns a type with this layout that the library has a driver for; with
 * subdivision where the record asks for it. HMD_NO_TYPE if there is none. */
uint32_t hmd_infer_packet_type(const hmd_model *model, const hmd_shape *shape, uint8_t category,
                               size_t layout);

#endif
