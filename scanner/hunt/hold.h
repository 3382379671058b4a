/* The hold: records that wait until the image they lie in has passed, and its files are known.
 *
 * Of an image that can only be read forwards the directories are complete at its end; until then
 * assets and findings are kept here, copied, in their order. Then the assets are named, and all go
 * on to the sink as they would have gone at once. What waits is bounded: with more, all goes on
 * without names.
 *
 * Internal to the hunt. An fh_hold owns its memory until fh_hold_free.
 */
#ifndef FH_HUNT_HOLD_H
#define FH_HUNT_HOLD_H

#include "hunt/hunt.h"
#include "hunt/naming.h"

/* Bytes of records that wait. An asset with its findings takes some KiB, and discs have some
 * thousand; where examinations are wanted, the bytes of the assets count as well. */
#define FH_HOLD_MAX_LEN ((size_t)64 << 20)

/* Bytes of an asset from offset `at` on lie at raw_off. */
typedef struct fh_held_span {
    int64_t at;
    int64_t raw_off;
} fh_held_span;

/* Where an asset lies: of its first part the raw offsets of the first and the last byte, and of all
 * its bytes the runs. */
typedef struct fh_held_place {
    int64_t first_raw;
    int64_t last_raw;
    const fh_held_span *spans; /* borrowed, rising; at least one */
    size_t num_spans;
} fh_held_place;

typedef struct fh_held fh_held;

typedef struct fh_hold {
    const fh_hunt_sink *behind; /* borrowed: where records go in the end */
    bool is_released;           /* nothing waits any more: records go on at once, without names */
    bool no_memory;

    /* Private. */
    fh_held *first; /* owned, a list */
    fh_held *last;
    size_t len;
    int64_t *handles; /* owned: what the sink calls the assets, by what they are called here */
    size_t num_handles;
    size_t max_handles;
} fh_hold;

/* fh_hold_begin starts to hold what is for a sink, which is borrowed. */
void fh_hold_begin(fh_hold *hold, const fh_hunt_sink *behind);
void fh_hold_free(fh_hold *hold);

/* fh_hold_asset takes an asset, and stores in *handle what its findings are to call it. exam is the
 * one that it comes from: where the sink wants it, what it says of the asset is copied, and so are
 * the asset's bytes.
 * fh_hold_finding takes a finding. false: no memory, or the sink ends the hunt. */
bool fh_hold_asset(fh_hold *hold, const fh_asset_record *asset, const fh_held_place *place,
                   const fh_exam *exam, int64_t *handle) FH_MUST_USE;
bool fh_hold_finding(fh_hold *hold, const fh_finding_record *finding) FH_MUST_USE;

/* fh_hold_remarks says that what is told of the name of the last asset stands here, behind its
 * other findings. */
bool fh_hold_remarks(fh_hold *hold) FH_MUST_USE;

/* fh_hold_release names the assets, if the naming is open, and hands all on; later records go on at
 * once. false: no memory, the sink ends the hunt, or the user wants it to end. */
bool fh_hold_release(fh_hold *hold, fh_naming *naming, const fh_stop *stop) FH_MUST_USE;

#endif
