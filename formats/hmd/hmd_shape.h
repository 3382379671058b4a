/* The shape of records and of their primitive headers, by type: what a driver steps over, which
 * words of a header are pointers, which are plain numbers, and what the pointers lead to.
 *
 * Several records of different types may share a header; each looks at the words of its own shape
 * only. Source: manual, corrected by what drivers read and by real files.
 */
#ifndef FH_HMD_SHAPE_H
#define FH_HMD_SHAPE_H

#include "hmd/hmd_refs.h"

/* What an argument is. */
enum hmd_arg_kind {
    HMD_ARG_NUMBER = '#',
    HMD_ARG_DATA = 'P',     /* pointer to a section of any other kind */
    HMD_ARG_OPTIONAL = 'p', /* the same, or 0 */
    HMD_ARG_VERTICES = 'V',
    HMD_ARG_NORMALS = 'N',
    HMD_ARG_CALC_VERTICES = 'v',
    HMD_ARG_CALC_NORMALS = 'n',
    HMD_ARG_COORDINATES = 'C', /* pointer into the coordinates */
    HMD_ARG_WEIGHTS = 'w',     /* pointer, or 0; in memory perhaps to the program's own */
    HMD_ARG_TEXTURE = 'T'      /* pointer near a rectangle of an image record, or 0 */
};

typedef struct hmd_shape {
    uint32_t mask, type;  /* of the type words, without INI, that it is for */
    const char *args;     /* enum hmd_arg_kind, a character each */
    uint8_t num_needed;   /* arguments without which a driver does not work */
    bool has_coordinates; /* with INI one more word is the pointer to the coordinates */
    bool is_open;         /* pointers to anything follow, as many as are wanted */
    uint16_t unread;      /* bits of arguments that no driver of these types looks at: may be 0 */
} hmd_shape;

/* hmd_shape_of returns the shape that a record needs; NULL where it is not known. */
const hmd_shape *hmd_shape_of(const hmd_record *record);

/* hmd_is_mapping tells whether a record asks for the mapping of the coordinates: INI in a category
 * whose set-up call does that. */
bool hmd_is_mapping(const hmd_record *record);

/* hmd_record_len returns what the driver of a record steps over, in words from the size word on;
 * the size field where it goes by that or where there is no driver. */
uint32_t hmd_record_len(const hmd_record *record);

#endif
