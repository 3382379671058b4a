/* What only replay can find in an HMD. Findings are told through the player's check, with the
 * frame, sequence and descriptor set; what could be found in every frame is told once. */
#ifndef FH_HMD_REPLAY_CHECKS_H
#define FH_HMD_REPLAY_CHECKS_H

#include "hmd/hmd_period.h"
#include "hmd/hmd_player.h"

/* What is known of a sequence so far. */
typedef struct hmd_replay_note {
    uint32_t told;     /* findings told, one bit each */
    uint16_t src, dst; /* the keys that were looked at last */
    bool has_keys;     /* src and dst are set */
    bool has_changed;  /* it made some word differ from the asset's */
} hmd_replay_note;

typedef struct hmd_replay_checks {
    hmd_player *player;
    hmd_replay_note *notes; /* one a sequence, in the arena */
    bool *is_told;          /* by unit: its world matrix */
    bool *is_record_told;   /* by record: it is not evaluated */
    uint32_t at;            /* word to which findings on the whole animation belong */
} hmd_replay_checks;

/* hmd_replay_checks_open: FH_NO_MEMORY or FH_OK. */
fh_status hmd_replay_checks_open(hmd_replay_checks *checks, hmd_player *player) FH_MUST_USE;

/* For the player's watcher. */
void hmd_replay_check_tick(hmd_replay_checks *checks, uint32_t sequence, const hmd_tick *tick);
void hmd_replay_check_world(hmd_replay_checks *checks);
void hmd_replay_check_unmodelled(hmd_replay_checks *checks);

/* hmd_replay_tell_end says why the frame could not be played to its end. */
void hmd_replay_tell_end(hmd_replay_checks *checks);

/* hmd_replay_tell_frames says that the limit of frames was reached. */
void hmd_replay_tell_frames(hmd_replay_checks *checks, uint32_t most);

/* hmd_replay_tell_period and hmd_replay_tell_frozen conclude a complete replay, of so many frames.
 */
void hmd_replay_tell_period(hmd_replay_checks *checks, const hmd_plan *plan, uint32_t num_frames);
void hmd_replay_tell_frozen(hmd_replay_checks *checks);

#endif
