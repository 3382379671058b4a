/* The player: the run-time image of an HMD and what one displayed frame does to it.
 *
 * A frame walks the blocks as the library does: block 0, the models' blocks, the last block, each
 * chain of primitives record by record; a chain that several blocks enter runs each time.
 * Animation, MIMe and devices are played; the other categories change no pose. Everything lies in
 * the arena; the model, its bytes and the watcher are borrowed. Where things are is read once from
 * the asset: a sequence that overwrites headers or chains is not followed there.
 */
#ifndef FH_HMD_PLAYER_H
#define FH_HMD_PLAYER_H

#include "core/format.h"
#include "hmd/hmd_device.h"
#include "hmd/hmd_devices.h"
#include "hmd/hmd_driver.h"
#include "hmd/hmd_mime.h"
#include "hmd/hmd_morph.h"
#include "hmd/hmd_world.h"

#define HMD_FILE_BASE 0x80100000u /* where a file is put that says nothing of memory */

enum { HMD_NUM_LIGHTS = 3 };

/* An animation record. */
typedef struct hmd_reel {
    const hmd_record *record;
    hmd_playback playback;
    uint32_t first_sequence; /* index */
    uint32_t num_sequences;
    uint32_t last_runs; /* times that one run plays the last: more if it is its own next */
    uint32_t runs;      /* times that a frame comes by it */
} hmd_reel;

typedef struct hmd_track {
    uint32_t reel;
    uint32_t off; /* word of its sequence pointer */
} hmd_track;

typedef struct hmd_player hmd_player;

/* What happens in a frame; any may be NULL. The place of player->check is set. */
typedef struct hmd_watcher {
    void *user;
    void (*ticked)(void *user, uint32_t sequence, const hmd_tick *tick);
    void (*posed)(void *user);   /* behind the last animation record, or before a frame without */
    void (*morphed)(void *user); /* after MIMe, before what it did is put back or the frame ends */
    void (*unmodelled)(void *user); /* the record is not evaluated */
} hmd_watcher;

typedef enum hmd_play {
    HMD_PLAY_ON = 0,
    HMD_PLAY_TICK,   /* a sequence cannot go on: see tick */
    HMD_PLAY_RECORD, /* a MIMe record or a device cannot: see outcome */
    HMD_PLAY_LIMIT   /* the budget is spent */
} hmd_play;

struct hmd_player {
    hmd_model model; /* a copy: tables are shared */
    hmd_check check; /* its place is the record being played */
    hmd_watcher watcher;
    hmd_image image;
    hmd_journal animated; /* written by sequences in this frame */
    hmd_journal morphed;  /* by MIMe, since the last call of watcher.morphed */
    bool *unit_moved;     /* by unit: MIMe or its reset wrote to it; the watcher clears it */
    bool *is_history;     /* by word: a spline keeps its history there */
    bool *is_sequence;    /* by word: of a sequence pointer, which may lie behind its record */
    hmd_reel *reels;      /* in the order of the records */
    uint32_t num_reels;
    hmd_track *tracks; /* the sequences of all reels */
    uint32_t num_tracks;
    uint32_t num_runs;      /* of all reels, in a frame */
    const int32_t *weights; /* of MIMe, where the program gives them: HMD_MIME_MAX_KEYS; or NULL */

    hmd_devices devices;
    bool has_camera; /* a camera or projection was played */
    bool has_ambient;
    bool has_light[HMD_NUM_LIGHTS];
    bool has_world; /* the parents form no cycle */
    hmd_world world;
    bool is_world_old; /* some unit was written to since world was computed */

    /* The frame that is played. */
    uint32_t runs_left; /* of animation records */
    bool is_posed;
    bool is_morphed; /* MIMe was played since watcher.morphed was called */
    hmd_play end;
    uint32_t sequence; /* index of the sequence that was ticked last */
    hmd_tick tick;
    hmd_outcome outcome;
};

/* hmd_player_open prepares a player and rewinds it. FH_NO_MEMORY, FH_LIMIT, or FH_OK. */
fh_status hmd_player_open(hmd_player *player, const hmd_model *model, fh_reporter *reporter,
                          fh_budget *budget, fh_arena *arena) FH_MUST_USE;

/* hmd_player_rewind puts the bytes of the asset into the image and makes every sequence ready as
 * the format's viewer does; in an image that was playing those go on that were running. What
 * vertex and normal resets will put back is kept. FH_LIMIT, or FH_OK also where that failed: the
 * first frame will tell. */
fh_status hmd_player_rewind(hmd_player *player) FH_MUST_USE;

/* hmd_player_tick plays one frame of one sequence alone; the watcher is not called. */
hmd_tick_end hmd_player_tick(hmd_player *player, hmd_tick *tick, uint32_t sequence) FH_MUST_USE;

/* hmd_player_frame plays a frame. After anything but ON the image is as it was then. */
hmd_play hmd_player_frame(hmd_player *player) FH_MUST_USE;

/* hmd_player_world brings player->world up to date; false without a budget or world. */
bool hmd_player_world(hmd_player *player);

/* hmd_player_is_guarded tells whether a word takes part in how sequences go on: their pointers,
 * descriptors, types, keys and histories. */
bool hmd_player_is_guarded(const hmd_player *player, uint32_t word);

/* hmd_player_history returns the word of the history that a spline of the sequence would use, or
 * HMD_NONE. */
uint32_t hmd_player_history(const hmd_player *player, uint32_t sequence);

#endif
