/* Walking the frames of a TOD: the sizes and lengths that hold the file together.
 *
 * The same walk serves the search (is there a TOD here at all?) and the decoder (what is wrong with
 * this one?). It stops at the first thing that does not tile; nothing behind that is guessed.
 */
#ifndef FH_TOD_WALK_H
#define FH_TOD_WALK_H

#include "core/format.h"
#include "tod/tod_model.h"

/* What stopped a walk. */
typedef struct tod_fault {
    enum tod_rule rule;
    const char *field;
    size_t off; /* from the start of the asset */
    fh_value found, expected;
    fh_status status;
    bool in_frame;
    tod_frame frame; /* the frame it lies in, if its header was read */
    bool in_packet;
    unsigned packet_index;
    tod_packet packet;
} tod_fault;

typedef enum tod_step { TOD_STEP_OK, TOD_STEP_FAULT, TOD_STEP_MORE } tod_step;

typedef struct tod_walk {
    fh_cursor cur; /* over the candidate, behind the last sound frame */
    bool at_end;   /* nothing follows the bytes */
    bool lenient;  /* go on behind a packet whose length is not the implied one, as players do */
    uint32_t odd_lengths; /* such packets so far */
    fh_budget *budget;
    uint32_t frames;   /* sound ones so far */
    uint32_t packets;  /* in them */
    uint32_t setting;  /* of those, packets that set something */
    uint32_t evidence; /* bits demanded by checks that passed */
    bool by_memo;      /* what stopped the walk was known from an earlier one */
    size_t more;       /* TOD_STEP_MORE: bytes wanted from the start of the candidate */
    tod_fault fault;   /* TOD_STEP_FAULT */
    uint8_t version;
    uint16_t resolution;
    uint32_t announced; /* frames, by the header */
} tod_walk;

/* tod_walk_begin reads and judges the file header, but for the version: see tod_walk_version. */
tod_step tod_walk_begin(tod_walk *walk, fh_cursor bytes, bool at_end, fh_budget *budget);

/* tod_walk_version judges the version. Apart from tod_walk_begin because no player looks at it: a
 * search asks for the right one, while a file with another one is told so and still decoded. */
tod_step tod_walk_version(tod_walk *walk);

/* tod_walk_frame walks over one frame and leaves the cursor behind it. */
tod_step tod_walk_frame(tod_walk *walk);

/* tod_walk_on walks over the sound frames that follow although the header is at fault, at most
 * most_frames of them, and leaves the fault as it was, unless the budget is spent. */
void tod_walk_on(tod_walk *walk, uint32_t most_frames);

/* tod_glance and tod_probe are the glance and the probe of the format. */
bool tod_glance(const fh_cursor *bytes);
void tod_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget);

#endif
