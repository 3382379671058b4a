/* What the sequences of an animation record do when they are played: for the checks of HMD.
 *
 * A motion is one animation record with its tables spread out: sequences, types, descriptors that
 * are come to. It lives in the arena until the record has been judged. hmd_motion_play follows
 * every start through the control section.
 *
 * What is certain and what is only possible: the stream id of a sequence comes from its start and
 * from the jumps that it takes, and then its way is determined. A program may change it at any
 * time, so a condition may hold for reasons that the file does not tell. Errors of play (it runs
 * off the section, never returns, mixes two layouts) are told of the certain way, from a start as
 * it is stored, at the speed that is stored (0 is played forward, as the format's own viewer does);
 * and of the ways that are prepared for a program: where play passes a jump that waits for a stream
 * id that nothing in the file sets, it goes on from the key before, with that id. Other stream ids
 * are not tried. Descriptors that are wrong wherever they are come from (a jump out of
 * the section, a type that is not there) are told wherever any stream id leads.
 *
 * Played backwards a sequence goes on from ci, and its start index has no effect.
 */
#ifndef FH_HMD_MOTION_H
#define FH_HMD_MOTION_H

#include "hmd/hmd_animation.h"

/* What interpolation functions do to the words of the file, taken together. */
typedef struct hmd_effects {
    uint16_t saved_len; /* bytes that saving the current value writes, from the key's start */
    uint8_t cells;      /* general types: bit k = byte k at the update address is written */
    uint8_t parts;      /* coordinate types: bit = hmd_part_name */
    bool has_spline;
} hmd_effects;

/* A sequence pointer and what all that it manages does. */
typedef struct hmd_played {
    hmd_sequence sequence;
    hmd_effects effects;
    uint32_t update; /* word that is written to first; HMD_NONE if it is none of the file's */
} hmd_played;

/* What comes first from a start. */
typedef struct hmd_opening {
    uint16_t first, second; /* the first two keys, HMD_NO_KEY_INDEX = none */
    uint8_t num_quick;      /* keys of TFRAME 0 behind the first one and before a timed one, 2 =
                               or more */
    bool has_timed;         /* there is a timed one */
    bool has_spline;        /* some spline is played */
} hmd_opening;

#define HMD_NO_KEY_INDEX 0xffffu /* a key there is taken for END */

typedef struct hmd_motion {
    hmd_check *check;
    hmd_animation animation;
    bool knows_types; /* the table holds types, not addresses */
    bool is_known[HMD_MOST_TYPES];
    hmd_interp_type types[HMD_MOST_TYPES];
    hmd_effects effects[HMD_MOST_TYPES];
    uint32_t num_sequences; /* that lie inside the bytes */
    hmd_played *sequences;
} hmd_motion;

/* hmd_motion_sequences reads the sequences of check->record, without the rest. false without memory
 * or budget. */
bool hmd_motion_sequences(hmd_motion *out, hmd_check *check);

/* hmd_motion_open reads the rest, if the three sections are there. false if not, or without memory
 * or budget. */
bool hmd_motion_open(hmd_motion *motion);

/* hmd_motion_at sets the place of the check to a descriptor and returns its word. */
uint32_t hmd_motion_at(hmd_motion *motion, uint32_t descriptor);

/* hmd_motion_key_words returns the length of a key whose type has the index; 0 if not known. */
uint32_t hmd_motion_key_words(const hmd_motion *motion, uint8_t type);

/* hmd_effects_join adds what b does to a. */
void hmd_effects_join(hmd_effects *a, const hmd_effects *b);

typedef void (*hmd_motion_visit)(hmd_motion *motion, uint32_t sequence, const hmd_start *start,
                                 const hmd_opening *opening);

/* hmd_motion_play follows every start, tells what is wrong on the way (HMD0240, 0245..0247, 0252,
 * 0255), fills the effects of the sequences, and calls visit for every start. */
void hmd_motion_play(hmd_motion *motion, hmd_motion_visit visit);

/* The checks, in files of their own. */
void hmd_check_sequences(hmd_motion *motion);   /* HMD0220..0224, 0231, 0232, 0234, 0236..0238 */
void hmd_check_updates(hmd_motion *motion);     /* HMD0226..0228, 0235, 0270, 0271 */
void hmd_check_descriptors(hmd_motion *motion); /* HMD0214..0216, 0241, 0242, 0244, 0248..0250,
                                                   0253, 0254 */
void hmd_check_parameters(hmd_motion *motion);  /* HMD0256, 0260, 0262, 0263, 0265, 0266 */
/* HMD0229, 0230, 0233, 0251, 0264 */
void hmd_check_start(hmd_motion *motion, uint32_t sequence, const hmd_start *start,
                     const hmd_opening *opening);

#endif
