/* What the records of an HMD refer to: every range of words that some pointer, index or count
 * leads to, one after the other.
 *
 * No length of a section is stored in an HMD. How far one goes is known only from what points into
 * it; so is where the asset ends, and which bytes nothing refers to. All of it is made from one
 * enumeration, a function a category, which knows where references stand and how far they reach but
 * judges nothing: a range may lie outside the bytes.
 */
#ifndef FH_HMD_REFS_H
#define FH_HMD_REFS_H

#include "hmd/hmd_model.h"

/* Who a word belongs to. */
enum hmd_owner {
    HMD_OWNER_NOBODY = 0,
    HMD_OWNER_FRONT, /* header and block table */
    HMD_OWNER_COORDINATE,
    HMD_OWNER_HEADER, /* primitive headers */
    HMD_OWNER_PRIMITIVE,
    HMD_OWNER_POLYGON,
    HMD_OWNER_VERTEX,
    HMD_OWNER_NORMAL,
    HMD_OWNER_CALC_VERTEX,
    HMD_OWNER_CALC_NORMAL,
    HMD_OWNER_IMAGE,
    HMD_OWNER_CLUT,
    HMD_OWNER_TABLE, /* interpolation types */
    HMD_OWNER_CONTROL,
    HMD_OWNER_KEY,
    HMD_OWNER_WORK, /* of splines */
    HMD_OWNER_WEIGHT,
    HMD_OWNER_DIFFERENCE,
    HMD_OWNER_ORIGINAL,
    HMD_OWNER_GROUND, /* polygon records */
    HMD_OWNER_GRID,
    HMD_OWNER_HEIGHT, /* vertices of a ground */
    HMD_OWNER_UV,
    HMD_OWNER_DEVICE,
    HMD_NUM_OWNERS
};

/* hmd_owner_name returns what a person calls it: "vertices". */
const char *hmd_owner_name(enum hmd_owner owner);

typedef struct hmd_ref {
    enum hmd_owner owner;
    const char *field; /* what the reference is called, constant */
    uint32_t at;       /* word at which it stands */
    int64_t number;    /* its value there, for evidence */
    uint64_t section;  /* word from which the number counts, 0 = the asset's start */
    uint64_t first;    /* first word that is referred to */
    uint64_t num;      /* words, may be 0 */
    bool is_written;   /* by the run-time */
} hmd_ref;

typedef void (*hmd_ref_visit)(hmd_check *check, const hmd_ref *ref, void *user);

/* hmd_refs_of enumerates the references of the record at check->record, paying from the budget.
 * check->packet is set where a reference stands in a packet. */
void hmd_refs_of(hmd_check *check, hmd_ref_visit visit, void *user);

/* One function a category, in a file of its own; hmd_refs_of chooses. */
void hmd_refs_polygons(hmd_check *check, hmd_ref_visit visit, void *user); /* 0, 1, 6 */
void hmd_refs_images(hmd_check *check, hmd_ref_visit visit, void *user);
void hmd_refs_animation(hmd_check *check, hmd_ref_visit visit, void *user);
void hmd_refs_mime(hmd_check *check, hmd_ref_visit visit, void *user);
void hmd_refs_ground(hmd_check *check, hmd_ref_visit visit, void *user);
void hmd_refs_devices(hmd_check *check, hmd_ref_visit visit, void *user);

#endif
