/* The interpolation functions of HMD animation: how a value between two keys is made, to the bit.
 *
 * Release 4.4 of the run-time library has 219 of them. Each one is named by a type word whose
 * nibbles say what its keys hold and how each part moves; here they are one interpreter of those
 * nibbles, with the exceptions that were measured on the library's object code. It works on the
 * image in place as the library does, and stops at the first access that leaves it.
 */
#ifndef FH_HMD_INTERP_H
#define FH_HMD_INTERP_H

#include "core/status.h"
#include "fixed/fixed.h"
#include "hmd/hmd_image.h"

#include <stdbool.h>
#include <stdint.h>

/* A coordinate unit, in bytes from its start. */
enum {
    HMD_UNIT_FLAG = 0,
    HMD_UNIT_MATRIX = 4,
    HMD_UNIT_TRANSLATION = 24,
    HMD_UNIT_ROTATION = 68,
    HMD_UNIT_LEN = 80
};

typedef enum hmd_curve {
    HMD_CURVE_NONE = 0, /* the type has no such part */
    HMD_CURVE_LINEAR,
    HMD_CURVE_BEZIER, /* three points a key */
    HMD_CURVE_SPLINE  /* through the four keys of the history */
} hmd_curve;

typedef enum hmd_part_name {
    HMD_PART_TRANSLATION = 0,
    HMD_PART_ROTATION,
    HMD_PART_SCALE,
    HMD_PART_CELLS, /* the only part of a general type */
    HMD_NUM_PARTS
} hmd_part_name;

typedef struct hmd_interp_part {
    uint8_t curve;      /* hmd_curve */
    uint8_t off;        /* bytes from the key's start */
    uint8_t cell_len;   /* bytes of a value: 4 or 2, signed, or 1, unsigned */
    uint8_t num_values; /* of one point: 3, or 1 */
} hmd_interp_part;

/* What single functions of the library do wrong; everyone else's player does it too. */
typedef enum hmd_defect {
    HMD_DEFECT_NONE = 0,
    HMD_DEFECT_ROTATION_LOST,   /* the rotation is the low half of the translation */
    HMD_DEFECT_SAVES_PAD,       /* saves the pad behind the rotation as well */
    HMD_DEFECT_SAVES_TO_ROT,    /* saves the translation where the rotation belongs */
    HMD_DEFECT_SAVES_ROT,       /* saves the rotation where the translation belongs */
    HMD_DEFECT_SAVES_BEHIND,    /* saves one cell, the one behind the three */
    HMD_DEFECT_SAVES_FROM_FIRST /* saves the cells from the first to its own */
} hmd_defect;

typedef struct hmd_interp_type {
    uint32_t word;
    bool is_general;
    fx_order order;                       /* of the rotation */
    hmd_interp_part parts[HMD_NUM_PARTS]; /* by hmd_part_name */
    uint8_t cell_mask;                    /* general: bit k = cell k at the update address */
    uint32_t key_len;                     /* bytes of a key, padded to a word */
    bool has_spline;
    bool is_scale_only; /* scales the matrix without a rotation before: it compounds */
    hmd_defect defect;
    const char *defect_name; /* one clause in words, NULL without a defect */
} hmd_interp_type;

/* hmd_interp_describe parses a type word, in which INI must be 0. false, and *out is all zero, when
 * release 4.4 has no function of that type. */
bool hmd_interp_describe(hmd_interp_type *out, uint32_t type) FH_MUST_USE;

/* hmd_interp_same_key tells whether the keys of two types hold the same values at the same places,
 * so that one may be read as the other. */
bool hmd_interp_same_key(const hmd_interp_type *a, const hmd_interp_type *b);

/* hmd_interp_num_saved returns how many values saving writes to a part that the type has, from the
 * part's place in the key on. Of Bezier parts it is the first point alone. */
unsigned hmd_interp_num_saved(const hmd_interp_type *type, hmd_part_name part);

#define HMD_NO_KEY 0xffffffffu

/* Offsets are bytes from the image's start. */
typedef struct hmd_interp_call {
    uint32_t update_off;  /* a coordinate unit, or the first cell of a general type */
    uint32_t src_off;     /* source key */
    uint32_t dst_off;     /* target key */
    uint32_t intr_off;    /* key that receives the current value, or HMD_NO_KEY */
    uint32_t history_off; /* four words, each 0 or the address (image's base + offset) of a key;
                             looked at by types with a spline only */
    int16_t rframe;       /* sixteenths of a frame left until the target, or outside 0..tframe */
    uint16_t tframe;      /* sixteenths of a frame from source to target */
    int8_t speed;         /* sixteenths of a frame a frame */
} hmd_interp_call;

typedef enum hmd_interp_end {
    HMD_INTERP_DONE = 0,     /* the library's 0 */
    HMD_INTERP_AGAIN,        /* the library's 1: nothing but the history has changed */
    HMD_INTERP_OUTSIDE,      /* an access left the image or was not aligned */
    HMD_INTERP_EMPTY_HISTORY /* the library would read a key at address 0 */
} hmd_interp_end;

typedef enum hmd_interp_place {
    HMD_PLACE_SRC = 0,
    HMD_PLACE_DST,
    HMD_PLACE_INTR,
    HMD_PLACE_UPDATE,
    HMD_PLACE_WORK,   /* the four words of the history */
    HMD_PLACE_HISTORY /* a key that one of them points at */
} hmd_interp_place;

typedef struct hmd_interp_result {
    hmd_interp_end end;
    /* HMD_INTERP_OUTSIDE: what was to be accessed, and the offset. EMPTY_HISTORY: the entry. */
    hmd_interp_place place;
    uint64_t off;
    /* The words that hold something else than before lie from the first one up to but without the
     * end; both 0: none. */
    uint32_t first_changed, end_changed;
} hmd_interp_result;

/* The first value of its kind that did not fit. */
typedef struct hmd_interp_remark {
    bool seen;
    uint8_t part; /* hmd_part_name */
    uint8_t axis; /* or cell of the key */
    int64_t value;
} hmd_interp_remark;

typedef struct hmd_interp_notice {
    hmd_interp_remark linear;      /* the weighted sum, before it wrapped at 32 bits */
    hmd_interp_remark coefficient; /* of a cubic, before it wrapped at 16 bits */
    hmd_interp_remark step;        /* a product of evaluating a cubic, before it wrapped at 32 */
    bool became_singular;          /* the scale made a matrix singular that was not before */
    bool scale_wrapped;            /* an element of the scaled matrix did not fit 16 bits */
} hmd_interp_notice;

/* hmd_interp_run executes one function. Parts before the one that left the image have been written
 * by then. *notice is set in any case. */
hmd_interp_result hmd_interp_run(hmd_image *image, const hmd_interp_type *type,
                                 const hmd_interp_call *call,
                                 hmd_interp_notice *notice) FH_MUST_USE;

#endif
