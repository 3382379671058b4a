/* An animation record of an HMD: interpolation table, control section, parameters and sequences.
 *
 * Lengths of the control and parameter sections are not stored: each ends where the next thing
 * begins that something points at. Which descriptors are in use is found from the starts of the
 * sequences, whatever stream ids the program may set.
 */
#ifndef FH_HMD_ANIMATION_H
#define FH_HMD_ANIMATION_H

#include "hmd/hmd_interp.h"
#include "hmd/hmd_refs.h"

enum {
    HMD_ARG_TABLE = 1,
    HMD_ARG_CONTROL = 2,
    HMD_ARG_PARAMETERS = 3,
    HMD_SEQUENCE_WORDS = 7,
    HMD_WORK_WORDS = 4,
    HMD_MOST_TYPES = 128,
    HMD_MOST_DESCRIPTORS = 65536
};

/* Descriptors of the control section. */
enum hmd_descriptor_kind { HMD_KEY, HMD_JUMP, HMD_CONTROL };
enum { HMD_CODE_END = 1, HMD_CODE_WORK = 2 };

typedef struct hmd_descriptor {
    enum hmd_descriptor_kind kind;
    uint8_t type;    /* key: index in the table */
    uint8_t tframe;  /* key: frames to reach it */
    uint8_t sid_dst; /* jump */
    uint8_t sid_cnd;
    uint8_t code; /* control */
    uint8_t p1;
    uint16_t low; /* key: parameter index; jump: target; control: P2 */
} hmd_descriptor;

hmd_descriptor hmd_split_descriptor(uint32_t word);

/* Fields of a sequence pointer as they stand there. */
typedef struct hmd_sequence {
    uint32_t off; /* word */
    uint8_t section;
    uint32_t update; /* word offset in that section */
    uint16_t size, num;
    uint16_t ii, aframe, srcii, tframe, ci, ti, start;
    int16_t rframe;
    int8_t speed;
    uint8_t sid, start_sid, traveling;
} hmd_sequence;

/* A sequence that a sequence pointer manages; 0 is its own. */
typedef struct hmd_start {
    uint32_t at; /* word of the index */
    uint16_t index;
    uint8_t sid, pad;
} hmd_start;

typedef struct hmd_animation {
    const hmd_record *record;
    uint32_t header;
    hmd_arg table, control, parameters;
    uint32_t num_types;       /* inside the bytes, at most 128 */
    uint32_t num_descriptors; /* up to the next known start, at most 65,536 */
    uint32_t parameters_end;  /* word of the next known start */
    uint8_t *reached;         /* HMD_REACHED_*, one a descriptor, in the arena; 0 = not at all */
} hmd_animation;

/* How a descriptor may be come to, one bit each. */
enum {
    HMD_REACHED_PLAYED = 1,
    HMD_REACHED_START = 2, /* named by a start index, and looked beyond */
    HMD_REACHED_SAVED = 4, /* a key that receives the current value */
    HMD_REACHED_FIRST = 8  /* a first key that was judged; many starts may lead to one */
};

/* hmd_animation_read reads the header of check->record; false when one of the three sections is
 * missing. */
bool hmd_animation_read(hmd_check *check, hmd_animation *out);

/* hmd_animation_reach fills reached for every descriptor that some sequence may come to, for any
 * stream ids and with any changes of direction: real files have jumps for play backwards in front
 * of their loops. false without memory or budget. */
bool hmd_animation_reach(hmd_check *check, hmd_animation *animation);

/* hmd_animation_reach_playing fills reached for what one sequence may come to, in memory also from
 * the keys between which it is; a program may have sent it there. false without memory or budget.
 */
bool hmd_animation_reach_playing(hmd_check *check, hmd_animation *animation,
                                 const hmd_sequence *sequence);

/* hmd_animation_type reads entry i of the interpolation table and describes it; false for an entry
 * that is not there or has no function in the library. */
bool hmd_animation_type(const hmd_check *check, const hmd_animation *animation, uint32_t i,
                        hmd_interp_type *out);

/* hmd_animation_descriptor reads descriptor i, which must be below num_descriptors. */
hmd_descriptor hmd_animation_descriptor(const hmd_check *check, const hmd_animation *animation,
                                        uint32_t i);

/* hmd_animation_next reads the sequence pointer at word *off, if one of `left` is left there, and
 * moves on to the next. One of size 0 is its own next: none is left behind it. false when it lies
 * outside the bytes or none is left. */
bool hmd_animation_next(const hmd_check *check, uint32_t *off, uint32_t *left, hmd_sequence *out);

/* hmd_sequence_num_starts counts the sequences that a sequence pointer manages, with its own: num,
 * but no more than its size has room for, and at least its own. */
uint32_t hmd_sequence_num_starts(const hmd_sequence *sequence);

/* hmd_sequence_start reads managed sequence i, below num_starts; false outside the bytes. */
bool hmd_sequence_start(const hmd_check *check, const hmd_sequence *sequence, uint32_t i,
                        hmd_start *out);

#endif
