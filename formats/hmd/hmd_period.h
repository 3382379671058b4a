/* When an animation repeats itself.
 *
 * What a sequence does next follows from its own fields and its history alone, as long as nothing
 * that is played writes into sequence pointers, descriptors, types, keys or histories. Then every
 * sequence is played alone until its state comes back: that gives its prelude and period exactly,
 * and the animation has the longest prelude and the least common multiple of the periods.
 * Otherwise all of that is compared together, while it is played.
 */
#ifndef FH_HMD_PERIOD_H
#define FH_HMD_PERIOD_H

#include "hmd/hmd_player.h"

typedef struct hmd_plan {
    bool is_entangled; /* sequences do not go on by their own state alone */
    bool is_known;     /* every sequence repeats, stops or cannot go on within the bounds */
    uint64_t frames;   /* is_known: to play, until all together have shown everything */
    uint64_t least;    /* is_known: until each alone has */
    uint32_t prelude;
    uint64_t period; /* UINT64_MAX: that or more */
} hmd_plan;

/* hmd_period_plan plays the sequences one by one, each for at most `most` frames, with half of the
 * budget, and leaves the image changed. FH_NO_MEMORY or FH_OK. */
fh_status hmd_period_plan(hmd_player *player, hmd_plan *plan, uint32_t most) FH_MUST_USE;

/* What decides about the sequences together, and the moment with which it is compared: Brent's
 * search, which moves on after 1, 2, 4, ... frames. */
typedef struct hmd_recurrence {
    uint32_t *words; /* that were ever written to */
    uint32_t *remembered;
    bool *is_listed; /* by word of the image */
    uint32_t num;
    uint32_t frame; /* of the moment that is remembered */
    uint32_t wait;
} hmd_recurrence;

/* hmd_recurrence_open begins at the present state of the image. FH_NO_MEMORY or FH_OK. */
fh_status hmd_recurrence_open(hmd_recurrence *recurrence, const hmd_player *player) FH_MUST_USE;

/* hmd_recurrence_seen is asked after every frame, with the number of frames played so far. true
 * when the state is the one of frame recurrence->frame. Costs a unit for each word. */
bool hmd_recurrence_seen(hmd_recurrence *recurrence, hmd_player *player, uint32_t num_frames);

#endif
