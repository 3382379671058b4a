/* The ways of play through a control section, a step at a time, and what is wrong on them: for
 * hmd_motion_play, which follows them.
 *
 * A spot is a state of play. Of the stream ids only the classes count: those that no condition
 * names behave alike.
 */
#ifndef FH_HMD_MOTION_WAY_H
#define FH_HMD_MOTION_WAY_H

#include "hmd/hmd_motion.h"

typedef struct hmd_spot {
    uint32_t index;
    uint8_t sid;
    bool backwards;
} hmd_spot;

/* Where a step leads. */
typedef enum hmd_way {
    HMD_WAY_ON = 0,
    HMD_WAY_STOP,     /* END, or what is taken for it */
    HMD_WAY_OFF,      /* past the first or last descriptor */
    HMD_WAY_JUMP_OUT, /* the target is no descriptor */
    HMD_WAY_FROZEN,   /* the key follows itself and time stands still */
    HMD_WAY_NOWHERE   /* the first index is no descriptor */
} hmd_way;

/* What was told of a descriptor, or done with it. */
enum {
    HMD_TOLD_END = 1,
    HMD_TOLD_FRONT = 2,
    HMD_TOLD_LAYOUT = 4,
    HMD_TOLD_FROZEN = 8,
    HMD_BRANCHED = 16, /* told nothing, but has a branch */
    HMD_BRANCHED_BACKWARDS = 32
};

typedef struct hmd_ways {
    hmd_motion *motion;
    hmd_check *check;
    uint32_t num; /* descriptors */
    uint8_t class_of[256];
    uint32_t num_classes;
    uint8_t *told; /* HMD_TOLD_*, one a descriptor */
} hmd_ways;

/* ---- hmd_motion_way.c ---- */

hmd_descriptor hmd_way_descriptor(const hmd_ways *p, uint32_t index);
bool hmd_way_is_key(const hmd_ways *p, uint32_t index);

/* hmd_way_state numbers the states, below num * num_classes forward, twice that with both
 * directions. */
uint32_t hmd_way_state(const hmd_ways *p, const hmd_spot *at);

/* hmd_way_waits tells whether a descriptor is a jump that is not taken with this stream id. */
bool hmd_way_waits(const hmd_descriptor *what, uint8_t sid);

/* hmd_way_sets_sid tells whether a jump sets a stream id: one that waits for the id it sets is
 * taken only once something else has set it. */
bool hmd_way_sets_sid(const hmd_descriptor *jump);

/* hmd_way_step makes one step of the library's search for a key, behind a key that was found. */
hmd_way hmd_way_step(const hmd_ways *p, hmd_spot *at);

/* hmd_way_begin goes to where the search begins from a start. */
hmd_way hmd_way_begin(const hmd_ways *p, hmd_spot *at, const hmd_sequence *sequence,
                      const hmd_start *start);

/* hmd_way_freezes tells whether play stands still at a key that follows last_key, which is a key or
 * HMD_NONE. */
bool hmd_way_freezes(const hmd_ways *p, const hmd_spot *at, uint32_t last_key);

/* ---- hmd_motion_round.c ---- */

/* hmd_way_tell_once marks a descriptor; true if it had no such mark. */
bool hmd_way_tell_once(hmd_ways *p, uint32_t index, uint8_t what);
void hmd_way_tell_off(hmd_ways *p, const hmd_spot *at); /* HMD0240, HMD0255 */
void hmd_way_tell_frozen(hmd_ways *p, uint32_t index);  /* HMD0252 */

/* hmd_way_judge_segment looks at two keys in the order of play (HMD0247). */
void hmd_way_judge_segment(hmd_ways *p, bool backwards, uint32_t from, uint32_t to);

/* hmd_way_go_round judges the round that leads back to a state (HMD0245, HMD0246, HMD0252). */
void hmd_way_go_round(hmd_ways *p, hmd_spot at);

#endif
