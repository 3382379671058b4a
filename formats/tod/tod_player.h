/* The reference player: the object table and what each packet does to it.
 *
 * It follows the run-time's sample player, measured on its object code (version 1.30) and read in
 * its source (version 1.31). Where the two differ the profile says which one is followed:
 * 1.30 skips matrix packets and never deletes an object; 1.31 executes both as the manual says.
 */
#ifndef FH_TOD_PLAYER_H
#define FH_TOD_PLAYER_H

#include "core/arena.h"
#include "fixed/fixed.h"
#include "tod/tod_model.h"

enum { TOD_NUM_LIGHTS = 3, TOD_NO_SLOT = -1, TOD_NO_MODEL = -1 };

#define TOD_FREE_ID 0xffffffffu

typedef enum tod_profile { TOD_PROFILE_131 = 0, TOD_PROFILE_130 } tod_profile;

typedef struct tod_slot {
    uint32_t id; /* TOD_FREE_ID: free */
    uint32_t attribute;
    int32_t model;  /* id of the TMD, or TOD_NO_MODEL */
    int32_t parent; /* slot, or TOD_NO_SLOT: the World */
    fx_matrix matrix;
    int32_t scale[3];
    int16_t rotate[3];
    int32_t trans[3];
    /* What the findings need to know of its history, not part of the player's state. */
    bool scale_set;    /* some absolute scale was given */
    uint8_t set_parts; /* TOD_R and TOD_T that were given absolutely since its creation */
    bool zero_scale;   /* a scale of 0 was given or met, and has been told */
    bool matrix_used;  /* a matrix packet set the matrix, and nothing else has since */
    bool touched;      /* in the current frame */
    uint32_t told;     /* findings told once an object, one bit each */
} tod_slot;

typedef struct tod_light {
    int32_t direction[3];
    uint8_t colour[3];
    bool used;
    bool is_based; /* some absolute direction was given; else it is changed from one not known */
} tod_light;

typedef struct tod_player {
    tod_profile profile;
    tod_slot *slots; /* size of them, in the arena */
    uint32_t size;
    uint32_t num_used; /* the highest slot ever in use, plus 1, less those given back */
    tod_light lights[TOD_NUM_LIGHTS];
    bool any_light;
    const tod_check *check; /* where findings go; NULL: play silently */
} tod_player;

/* tod_player_init makes an empty table of `size` slots. */
fh_status tod_player_init(tod_player *player, fh_arena *arena, tod_profile profile,
                          uint32_t size) FH_MUST_USE;

/* tod_player_assume fills the table with objects that another file must have created: for every
 * object of the model that is not there one, in order of first use, with the identity as its pose
 * and scale 1.0. Returns how many the table had no room for. */
uint32_t tod_player_assume(tod_player *player, const tod_model *model);

/* tod_player_frame executes the packets of one frame. false when the budget is spent. */
bool tod_player_frame(tod_player *player, const tod_model *model, const tod_frame *frame,
                      fh_budget *budget);

/* The same, packet by packet: tod_player_begin begins a frame, of which tod_player_packet executes
 * one. */
void tod_player_begin(tod_player *player);
bool tod_player_packet(tod_player *player, const tod_model *model, const tod_frame *frame,
                       const tod_packet *packet, fh_budget *budget);

/* tod_player_find returns the first slot with that id, or TOD_NO_SLOT. */
int32_t tod_player_find(const tod_player *player, uint32_t id);

#endif
