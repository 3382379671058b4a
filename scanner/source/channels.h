/* Channels: which (file, channel) pairs of an image are interleaved, and which stream each has.
 *
 * The subheaders of XA say which pair a sector belongs to. Data sectors of a pair are interleaved
 * where one of another pair follows within FH_CHANNEL_REACH sectors, and then one of its own again
 * (image format sheet, section 1.2 c). Sectors that are left out of the search do not count: XA
 * audio, Form 2, movies.
 *
 * A pair has a stream from the first sector on from which that is seen. It ends where no sector of
 * the pair follows within the reach, or where so many bytes of it lie in a row that nothing which
 * began before the last sector of another pair can go on: what begins behind that is found among
 * the other data. Pure; owns nothing. All zero at the start.
 */
#ifndef FH_SOURCE_CHANNELS_H
#define FH_SOURCE_CHANNELS_H

#include "source/limits.h"
#include "source/sectors.h"

typedef struct fh_channel {
    bool is_open;
    uint8_t file;
    uint8_t channel;
    int64_t last_index; /* of its last sector */
    size_t row_len;     /* bytes of it since the last sector of another pair */
} fh_channel;

typedef struct fh_channels {
    fh_channel slots[FH_MAX_CHANNELS];
    size_t num_open;
    bool has_last; /* the pair of the last data sector */
    uint8_t file;
    uint8_t channel;
    int64_t alike_end; /* index up to which no sector is known to be of another pair */
} fh_channels;

/* fh_channels_take is told of each data sector; true: it belongs into the stream *slot. ahead
 * covers what is there of the sectors behind it. */
bool fh_channels_take(fh_channels *channels, size_t *slot, const fh_sector *sector, int64_t index,
                      const fh_cursor *ahead, uint32_t stride) FH_MUST_USE;

/* fh_channels_expire ends one of the streams that have to end before the sector `index`, and looks
 * for it from *slot on; false: there is none. */
bool fh_channels_expire(fh_channels *channels, size_t *slot, int64_t index) FH_MUST_USE;

/* fh_channels_end ends the stream of a slot; false if it has none. */
bool fh_channels_end(fh_channels *channels, size_t slot) FH_MUST_USE;

#endif
