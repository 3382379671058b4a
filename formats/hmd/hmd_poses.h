/* From the player's image to pose rows.
 *
 * Tables: "coordinate" and "sequence" after all animation of a frame and before MIMe, "word" for
 * what animation changed elsewhere, "world" if asked for; "morphed_coordinate" and "morphed_word"
 * for what MIMe made of the frame; "camera", "light" and "ambient" at its end. Rows tell nothing of
 * addresses: a file and its image in memory have the same.
 */
#ifndef FH_HMD_POSES_H
#define FH_HMD_POSES_H

#include "core/format.h"
#include "core/shown.h"
#include "hmd/hmd_player.h"

typedef struct hmd_poses {
    const fh_sink *sink;
    hmd_player *player;
    bool changes_only;
    bool world;
    fh_shown coordinates, sequences, worlds, cameras, lights, ambients;
    uint32_t *posed;   /* the words when they were shown last */
    bool *is_to_build; /* by unit: written to since its row was built */
} hmd_poses;

/* hmd_poses_open begins at the present image of the player. FH_NO_MEMORY or FH_OK. */
fh_status hmd_poses_open(hmd_poses *poses, hmd_player *player, const fh_sink *sink,
                         const fh_replay_options *options) FH_MUST_USE;

/* What one frame shows: its number, then what is asked for when the player's watcher is called,
 * then the devices. All is paid for. */
void hmd_poses_begin(hmd_poses *poses, uint32_t frame);
void hmd_poses_posed(hmd_poses *poses);
void hmd_poses_morphed(hmd_poses *poses);
void hmd_poses_devices(hmd_poses *poses);

#endif
