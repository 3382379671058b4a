/* From the player's table to pose rows, and from local to world matrices. */
#ifndef FH_TOD_POSES_H
#define FH_TOD_POSES_H

#include "core/format.h"
#include "core/shown.h"
#include "tod/tod_player.h"

typedef struct tod_poses {
    const fh_sink *sink;
    bool changes_only;
    bool world;
    fh_shown objects, worlds_shown, lights_shown; /* one a slot or light */
    fx_matrix *worlds;                            /* one a slot */
    uint8_t *world_states;                        /* one a slot */
    int32_t *chain;                               /* slots on the way up from one of them */
} tod_poses;

/* tod_poses_init allocates for a table of player->size slots. */
fh_status tod_poses_init(tod_poses *poses, fh_arena *arena, const tod_player *player,
                         const fh_sink *sink, const fh_replay_options *options) FH_MUST_USE;

/* tod_poses_world computes the world matrix of every live slot. For each one whose matrix does not
 * fit, overflow is called. Slots in a cycle of parents have no world matrix. */
void tod_poses_world(tod_poses *poses, const tod_player *player,
                     void (*overflow)(void *user, uint32_t slot), void *user);

/* tod_poses_show passes the rows of one frame on. */
void tod_poses_show(tod_poses *poses, const tod_player *player, const fh_pose_frame *frame);

#endif
