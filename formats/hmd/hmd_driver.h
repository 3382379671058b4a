/* The frame update driver of HMD animation: what one sequence does in one displayed frame.
 *
 * It follows the library's driver 0x03000000 step by step, on the image and in place, and reads
 * descriptors, types and keys anew at every tick, because general types may overwrite them. Other
 * than the library it checks every index before it is used and always comes back: that the library
 * would not is a result. The caller owns the image and the description of the animation.
 */
#ifndef FH_HMD_DRIVER_H
#define FH_HMD_DRIVER_H

#include "core/budget.h"
#include "core/status.h"
#include "hmd/hmd_image.h"
#include "hmd/hmd_interp.h"

#include <stdbool.h>
#include <stdint.h>

/* A sequence pointer, in bytes from its start. */
enum {
    HMD_SEQUENCE_UPDATE = 0,     /* u32: section << 24, word offset in bits 0..23 */
    HMD_SEQUENCE_SIZE = 4,       /* u16, words */
    HMD_SEQUENCE_NUM = 6,        /* u16 */
    HMD_SEQUENCE_II = 8,         /* u16 */
    HMD_SEQUENCE_AFRAME = 10,    /* u16 */
    HMD_SEQUENCE_SID = 12,       /* u8 */
    HMD_SEQUENCE_SPEED = 13,     /* s8 */
    HMD_SEQUENCE_SRCII = 14,     /* u16 */
    HMD_SEQUENCE_RFRAME = 16,    /* s16 */
    HMD_SEQUENCE_TFRAME = 18,    /* u16 */
    HMD_SEQUENCE_CI = 20,        /* u16 */
    HMD_SEQUENCE_TI = 22,        /* u16 */
    HMD_SEQUENCE_START = 24,     /* u16 */
    HMD_SEQUENCE_START_SID = 26, /* u8 */
    HMD_SEQUENCE_TRAVELING = 27, /* u8 */
    HMD_SEQUENCE_LEN = 28
};

#define HMD_NO_INDEX 0xffffu /* ii: none. A control index: what END leaves. aframe: endless */
#define HMD_NO_SECTION 0xffffffffu

/* Where things are; words count from the image's start. */
typedef struct hmd_playback {
    uint32_t types; /* the first type word, behind the count */
    uint32_t num_types;
    uint32_t control; /* the first descriptor */
    uint32_t num_descriptors;
    uint32_t parameters;
    const uint32_t *sections; /* borrowed: by the section number of an update index, the section's
                                 word; HMD_NO_SECTION where there is none (number 0) */
    uint32_t num_sections;
} hmd_playback;

typedef enum hmd_tick_end {
    HMD_TICK_OK = 0,
    HMD_TICK_STOPPED,       /* aframe was 0, or has become it at an END */
    HMD_TICK_HANG,          /* the library would not return from this frame: see cycle */
    HMD_TICK_OUTSIDE,       /* see what and index */
    HMD_TICK_NO_DRIVER,     /* the type at `index` of the table has no function */
    HMD_TICK_EMPTY_HISTORY, /* entry `index` of the history would be read at address 0 */
    HMD_TICK_LIMIT          /* the budget is spent */
} hmd_tick_end;

/* What was not inside, and so the meaning of index. */
typedef enum hmd_tick_what {
    HMD_WHAT_SEQUENCE = 0, /* the sequence pointer itself: byte offset */
    HMD_WHAT_CONTROL,      /* control index */
    HMD_WHAT_TYPE,         /* type index */
    HMD_WHAT_SECTION,      /* section number of the update index */
    HMD_WHAT_UPDATE,       /* byte offset of the access, as all that follow */
    HMD_WHAT_SRC,
    HMD_WHAT_DST,
    HMD_WHAT_INTR,
    HMD_WHAT_WORK,
    HMD_WHAT_HISTORY /* where an entry of the history points */
} hmd_tick_what;

/* A round of descriptors that play never leaves. */
typedef struct hmd_cycle {
    uint32_t first;    /* lowest control index in it */
    uint32_t num;      /* descriptors passed in one round */
    uint32_t num_keys; /* keys among them; 0: nothing but jumps and controls */
    uint8_t sid;       /* at the first one, the lowest if it is passed with several */
} hmd_cycle;

typedef struct hmd_tick {
    hmd_tick_end end;
    hmd_tick_what what; /* HMD_TICK_OUTSIDE */
    uint64_t index;     /* HMD_TICK_OUTSIDE, NO_DRIVER, EMPTY_HISTORY */
    hmd_cycle cycle;    /* HMD_TICK_HANG */
    bool ran;           /* the last function that was called wrote its values */
    /* Of all functions that were called in the frame: where a spline has its history, in bytes, and
     * the words that were written apart from a key that is saved to; both ends 0: none. */
    bool has_history;
    uint32_t history_off;
    uint32_t first_written, end_written;
    bool called; /* a function was called; what follows tells of the last one */
    hmd_interp_type type;
    hmd_interp_call call;
    uint16_t src, dst; /* control indices of source and target */
    hmd_interp_notice notice;
} hmd_tick;

/* hmd_driver_tick plays one frame of the sequence pointer at a byte offset of the image and fills
 * *tick; returns tick->end. After anything but OK and STOPPED the image is as it was when the
 * replay had to end. HANG is told when all that decides about the next step comes back within the
 * frame. A function that keeps changing its own descriptors without end is stopped by LIMIT. */
hmd_tick_end hmd_driver_tick(hmd_image *image, hmd_tick *tick, const hmd_playback *animation,
                             uint32_t sequence_off, fh_budget *budget) FH_MUST_USE;

/* hmd_driver_start makes a sequence ready as the format's own viewer does. false, and nothing is
 * changed, when it is not inside the image. */
bool hmd_driver_start(hmd_image *image, uint32_t sequence_off) FH_MUST_USE;

#endif
