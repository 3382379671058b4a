/* Tracks: what a control file (a cue sheet, CCD, MDS, NRG) says of the bytes of one image file.
 *
 * A part is a track, or the pregap in front of it; the parts of a file lie one behind the other,
 * and each ends where the next one begins. Control data behind them all are no sectors. What a
 * control file says is held against the content (source/stream.h); where the two differ the content
 * is believed. Sources: image format sheet, sections 5 and 5.1.
 */
#ifndef FH_SOURCE_TRACKS_H
#define FH_SOURCE_TRACKS_H

#include "source/layout.h"
#include "source/limits.h"

/* Each track may have a pregap, and so may the file. */
#define FH_MAX_TRACK_PARTS (2 * FH_MAX_TRACKS + 1)

#define FH_MODE_ANY 3u

/* Names of tracks as cue sheets have them. */
typedef struct fh_track_type {
    const char *name; /* "MODE2/2352" */
    uint32_t stride;  /* bytes a sector */
    uint8_t mode;     /* 1 or 2; 0: audio; FH_MODE_ANY: data of a mode that is not said */
} fh_track_type;

/* fh_track_type_named returns the type of that name in any case, NULL if there is none. */
const fh_track_type *fh_track_type_named(const char *name, size_t len);

/* fh_track_type_of returns the type with these numbers, NULL if there is none. */
const fh_track_type *fh_track_type_of(uint8_t mode, uint32_t stride);

typedef struct fh_track_part {
    uint32_t number; /* of the track, 1 to 99 */
    const fh_track_type *type;
    bool is_gap;   /* what lies in front of the track: its content alone decides */
    int64_t first; /* sectors of the file in front of it */
    int64_t off;   /* its first byte, or FH_UNKNOWN: it follows from `first` */
    int64_t lba;   /* of its first sector, or FH_UNKNOWN */
} fh_track_part;

typedef struct fh_tracks {
    const fh_track_part *parts; /* borrowed; in the order in which they lie */
    size_t num_parts;
    int64_t end; /* of all sectors: control data follow; 0: they go on to the end of the file */
} fh_tracks;

/* fh_tracks_choice returns the layout that the first data track has by its type, that of audio if
 * there is no such track: for files whose content does not tell it. */
fh_layout_choice fh_tracks_choice(const fh_tracks *tracks);

/* fh_tracks_stride returns the sector size of the first data track by its type, FH_STRIDE_PLAIN if
 * there is none. */
uint32_t fh_tracks_stride(const fh_tracks *tracks);

/* fh_tracks_have_data tells whether any part is no audio. */
bool fh_tracks_have_data(const fh_tracks *tracks);

/* fh_tracks_place gives every part its first byte, in an image of that layout. The sector size of
 * the first data track is that of the layout, and what other tracks say of theirs is believed,
 * unless it is the same wrong one. Returns the size of the parts as stated, which is no longer that
 * of the layout where the two contradict each other. */
uint32_t fh_tracks_place(fh_track_part *parts, size_t num_parts, const fh_layout *layout);

#endif
