#include "source/tracks.h"

#include "core/text.h"

#include <string.h>
#include <strings.h>

static const fh_track_type types[] = {
    {"AUDIO", 2352, 0},
    {"CDG", 2448, 0},
    {"MODE1/2048", 2048, 1},
    {"MODE1/2352", 2352, 1},
    {"MODE1/2448", 2448, 1},
    {"MODE2/2048", 2048, 2},
    {"MODE2/2336", 2336, 2},
    {"MODE2/2352", 2352, 2},
    {"MODE2/2448", 2448, 2},
    {"CDI/2336", 2336, 2},
    {"CDI/2352", 2352, 2},
    {"data track", 2352, FH_MODE_ANY},
    {"data track", 2048, FH_MODE_ANY},
    {"data track", 2336, FH_MODE_ANY},
    {"data track", 2448, FH_MODE_ANY},
};

const fh_track_type *fh_track_type_named(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i].name) == len && strncasecmp(types[i].name, name, len) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

const fh_track_type *fh_track_type_of(uint8_t mode, uint32_t stride)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].mode == mode && types[i].stride == stride) {
            return &types[i];
        }
    }
    return NULL;
}

static const fh_track_type *first_data(const fh_track_part *parts, size_t num_parts)
{
    for (size_t i = 0; i < num_parts; i++) {
        if (parts[i].type->mode != 0) {
            return parts[i].type;
        }
    }
    return NULL;
}

bool fh_tracks_have_data(const fh_tracks *tracks)
{
    return first_data(tracks->parts, tracks->num_parts) != NULL;
}

uint32_t fh_tracks_stride(const fh_tracks *tracks)
{
    const fh_track_type *data = first_data(tracks->parts, tracks->num_parts);
    return data != NULL ? data->stride : FH_STRIDE_PLAIN;
}

fh_layout_choice fh_tracks_choice(const fh_tracks *tracks)
{
    const fh_track_type *data = first_data(tracks->parts, tracks->num_parts);
    const fh_track_type *type = data != NULL            ? data
                                : tracks->num_parts > 0 ? tracks->parts[0].type
                                                        : NULL;
    switch (type == NULL ? FH_STRIDE_PLAIN : type->stride) {
    case FH_STRIDE_2048:
        return FH_LAYOUT_2048;
    case FH_STRIDE_2336:
        return FH_LAYOUT_2336;
    case FH_STRIDE_2352:
        return FH_LAYOUT_2352;
    case FH_STRIDE_2448:
        return FH_LAYOUT_2448;
    default:
        return FH_LAYOUT_AUTO;
    }
}

uint32_t fh_tracks_place(fh_track_part *parts, size_t num_parts, const fh_layout *layout)
{
    const fh_track_type *data = first_data(parts, num_parts);
    const uint32_t stated = data != NULL ? data->stride : layout->stride;
    int64_t off = layout->start;
    int64_t sectors = 0;
    uint32_t stride = layout->stride;
    for (size_t i = 0; i < num_parts; i++) {
        fh_track_part *part = &parts[i];
        off += (part->first - sectors) * (int64_t)stride;
        if (part->off != FH_UNKNOWN) {
            off = part->off;
        }
        part->off = off;
        sectors = part->first;
        const bool is_main = part->type->mode != 0 && part->type->stride == stated;
        stride = is_main ? layout->stride : part->type->stride;
    }
    return stated;
}
