/* The lives of the objects: the player's table of slots as the checks follow it.
 *
 * Slots are taken and given back as tod_player does it (version 1.31), on as many as the sample
 * players have; poses are none of its business. A killed object leaves its slot as it is: what
 * hangs on it goes on hanging there, and it on its parent, until another object takes the slot. A
 * file that creates nothing finds a slot for each of the objects it uses, taken by another file.
 * The table lies in the arena of the candidate.
 */
#ifndef FH_TOD_LIVES_H
#define FH_TOD_LIVES_H

#include "core/arena.h"
#include "tod/tod_model.h"

#include <stdbool.h>

/* What a slot hangs on, beside another slot: the World, or something that another file has given
 * it. And what is found of an object that is in no slot. */
enum { TOD_UNDER_WORLD = -1, TOD_UNDER_OTHERS = -2, TOD_NOWHERE = -1 };

typedef struct tod_life {
    bool live; /* no: killed, or never taken */
    bool posed;
    uint32_t object;          /* its place in the model's list; a killed one's stays */
    int32_t parent;           /* slot, TOD_UNDER_WORLD or TOD_UNDER_OTHERS */
    uint32_t num_children;    /* live slots whose parent this is */
    const tod_frame *frame;   /* in which it was created; NULL: by another file */
    const tod_packet *packet; /* likewise */
} tod_life;

typedef struct tod_lives {
    bool is_given;   /* by another file; nothing is created then, and no id is there twice */
    tod_life *slots; /* size of them */
    uint32_t size;
    int32_t *first; /* of each object the first slot with its id, or TOD_NOWHERE */
} tod_lives;

/* tod_lives_open makes the table as it is before the first packet. */
fh_status tod_lives_open(tod_lives *lives, fh_arena *arena, const tod_model *model) FH_MUST_USE;

/* tod_lives_create takes the first free slot for the object, which is first looked for;
 * TOD_NOWHERE when all are in use. */
int32_t tod_lives_create(tod_lives *lives, uint32_t object);

/* tod_lives_kill gives back the object's first slot, which must be there, and looks for the next
 * one with its id. Returns the slot. */
int32_t tod_lives_kill(tod_lives *lives, uint32_t object);

/* tod_lives_hang gives a live slot another parent. */
void tod_lives_hang(tod_lives *lives, int32_t slot, int32_t parent);

#endif
