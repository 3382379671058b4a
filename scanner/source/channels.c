#include "source/channels.h"

#include "core/limits.h"
#include "source/movies.h"

#include <assert.h>

enum { MODE_OFF = 15, SUBMODE_OFF = 2 };

/* The pair of a sector that is read ahead; false if it is none that would be searched. */
static bool read_pair(uint8_t *file, uint8_t *channel, const fh_cursor *bytes, uint32_t stride)
{
    const size_t sub_off = stride == FH_STRIDE_2336 ? 0 : FH_SUBHEADER_OFF;
    const size_t data_off = sub_off + 8;
    fh_movie_chunk chunk;
    if (bytes->size < data_off + FH_DATA_LEN ||
        (sub_off > 0 && (!fh_sector_has_sync(bytes, 0) || bytes->base[MODE_OFF] != 2)) ||
        (bytes->base[sub_off + SUBMODE_OFF] & FH_SUBMODE_FORM2) != 0) {
        return false;
    }
    const fh_cursor data = fh_cursor_sub(bytes, data_off, FH_DATA_LEN);
    if (fh_movie_read(&chunk, &data)) {
        return false;
    }
    *file = bytes->base[sub_off];
    *channel = bytes->base[sub_off + 1];
    return true;
}

/* What the sectors ahead are to the pair of a sector. */
typedef enum kin { KIN_NONE, KIN_OWN, KIN_OTHER } kin;

static kin kin_of(const fh_sector *sector, const fh_cursor *ahead, size_t number, uint32_t stride)
{
    uint8_t file = 0;
    uint8_t channel = 0;
    const fh_cursor bytes = fh_cursor_sub(ahead, number * stride, stride);
    if (!read_pair(&file, &channel, &bytes, stride)) {
        return KIN_NONE;
    }
    return file == sector->file && channel == sector->channel ? KIN_OWN : KIN_OTHER;
}

/* Where all sectors are of one pair each is looked at once only. */
static bool is_interleaved(fh_channels *channels, const fh_sector *sector, int64_t index,
                           const fh_cursor *ahead, uint32_t stride)
{
    const size_t there = ahead->size / stride;
    const size_t num = there < (size_t)FH_CHANNEL_REACH ? there : (size_t)FH_CHANNEL_REACH;
    if (channels->alike_end <= index) {
        channels->alike_end = index + 1;
    }
    size_t number = (size_t)(channels->alike_end - index - 1);
    while (number < num && kin_of(sector, ahead, number, stride) != KIN_OTHER) {
        number++;
    }
    channels->alike_end = index + 1 + (int64_t)number;
    while (number < num) {
        if (kin_of(sector, ahead, number, stride) == KIN_OWN) {
            return true;
        }
        number++;
    }
    return false;
}

static bool find(const fh_channels *channels, size_t *slot, const fh_sector *sector)
{
    for (size_t i = 0; i < FH_MAX_CHANNELS && channels->num_open > 0; i++) {
        const fh_channel *one = &channels->slots[i];
        if (one->is_open && one->file == sector->file && one->channel == sector->channel) {
            *slot = i;
            return true;
        }
    }
    return false;
}

/* There is always room: see FH_MAX_CHANNELS. */
static size_t open_slot(fh_channels *channels, const fh_sector *sector)
{
    size_t slot = 0;
    while (channels->slots[slot].is_open) {
        slot++;
        assert(slot < FH_MAX_CHANNELS);
    }
    channels->slots[slot] =
        (fh_channel){.is_open = true, .file = sector->file, .channel = sector->channel};
    channels->num_open++;
    return slot;
}

bool fh_channels_take(fh_channels *channels, size_t *slot, const fh_sector *sector, int64_t index,
                      const fh_cursor *ahead, uint32_t stride)
{
    const bool is_same = channels->has_last && channels->file == sector->file &&
                         channels->channel == sector->channel;
    channels->has_last = true;
    channels->file = sector->file;
    channels->channel = sector->channel;
    if (!is_same) {
        channels->alike_end = index + 1;
    }
    if (!find(channels, slot, sector)) {
        if (!is_interleaved(channels, sector, index, ahead, stride)) {
            return false;
        }
        *slot = open_slot(channels, sector);
    }
    fh_channel *to = &channels->slots[*slot];
    to->last_index = index;
    to->row_len = is_same ? to->row_len + FH_DATA_LEN : 0;
    return true;
}

bool fh_channels_end(fh_channels *channels, size_t slot)
{
    if (!channels->slots[slot].is_open) {
        return false;
    }
    channels->slots[slot].is_open = false;
    channels->num_open--;
    return true;
}

bool fh_channels_expire(fh_channels *channels, size_t *slot, int64_t index)
{
    for (size_t i = *slot; i < FH_MAX_CHANNELS && channels->num_open > 0; i++) {
        const fh_channel *one = &channels->slots[i];
        if (one->is_open && (index - one->last_index > (int64_t)FH_CHANNEL_REACH ||
                             one->row_len > FH_MAX_ASSET_LEN)) {
            *slot = i;
            return fh_channels_end(channels, i);
        }
    }
    return false;
}
