/* MIMe, the morphing of HMD: vertices, normals and joints are moved by weighted differences in
 * block 0 of a frame and put back by the resets in its last block. Evaluated to the bit on the
 * run-time image (format sheet, section 3.5).
 *
 * The caller walks the records: it fills the arguments from the primitive header and calls for each
 * difference of the record. The library takes the differences of a record first to last, but those
 * of a vertex or normal reset last to first. What was written before a failure stays written.
 */
#ifndef FH_HMD_MIME_H
#define FH_HMD_MIME_H

#include "hmd/hmd_access.h"

typedef enum hmd_mime_type {
    HMD_MIME_JOINT_AXES = 0x04010010,
    HMD_MIME_JOINT_RPY = 0x04010011,
    HMD_MIME_JOINT_AXES_RESET = 0x04010018,
    HMD_MIME_JOINT_RPY_RESET = 0x04010019,
    HMD_MIME_VERTEX = 0x04010020,
    HMD_MIME_NORMAL = 0x04010021,
    HMD_MIME_VERTEX_RESET = 0x04010028,
    HMD_MIME_NORMAL_RESET = 0x04010029
} hmd_mime_type;

/* Joint MIMe is limited by its word of flags. */
enum { HMD_MIME_MAX_KEYS = 32 };

/* The header's arguments. Sections are word offsets from the asset's start, without the flag of the
 * file; those that the type does not have are not looked at. */
typedef struct hmd_mime_args {
    uint32_t type;          /* an hmd_mime_type; anything else is unsupported */
    uint32_t coordinates;   /* the section's count word */
    uint32_t mimepr;        /* first of num_keys weights; 0: the program gives them */
    const int32_t *weights; /* borrowed, num_keys of them, 4096 = 1.0, for mimepr 0; NULL: all 0 */
    uint32_t num_keys;      /* MIMENUM; more than HMD_MIME_MAX_KEYS is unsupported */
    uint32_t differences;
    uint32_t originals;
    uint32_t vertices;
    uint32_t normals;
} hmd_mime_args;

/* hmd_mime_play evaluates one difference block, `difference` words into the difference section. The
 * axes kind normalises with the coprocessor and is not modelled: UNSUPPORTED; its reset is. Costs a
 * unit for each key, and one for each word of a vertex that is moved. */
hmd_outcome hmd_mime_play(hmd_image *image, fh_budget *budget, const hmd_mime_args *args,
                          uint32_t difference);

/* hmd_mime_keep copies what a vertex or normal reset block will put back into the originals
 * section, as a program must before the first frame: in a file that section is undefined. Other
 * types keep their state by themselves: nothing is done. */
hmd_outcome hmd_mime_keep(hmd_image *image, fh_budget *budget, const hmd_mime_args *args,
                          uint32_t difference);

#endif
