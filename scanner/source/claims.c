/* Who claims a sector: image format sheet, section 2.1, in its order. */
#include "source/stream_impl.h"

#include <string.h>

static bool is_repeat(const fh_visit *at, const fh_cursor *other)
{
    return other->size == at->bytes.size && memcmp(other->base, at->bytes.base, other->size) == 0;
}

int64_t fh_claim_repeats(const fh_demux *d, const fh_visit *at, const fh_cursor *ahead)
{
    const size_t stride = d->layout->stride;
    size_t num = 0;
    fh_cursor next = fh_cursor_sub(ahead, 0, 0);
    if (!at->sector.has_header || at->lba == FH_UNKNOWN) {
        return 0;
    }
    while (num < FH_MOVIE_REACH && ahead->size / stride > num) {
        next = fh_cursor_sub(ahead, num * stride, stride);
        if (!is_repeat(at, &next)) {
            break;
        }
        num++;
    }
    if (num == 0) {
        return 0; /* nearly always: the addresses differ */
    }
    return fh_sector_lba(&next, d->layout->stride) == at->lba + 1 ? (int64_t)num : 0;
}

/* Tells a chunk of a movie by its neighbours, and keeps the order of chunks in mind. */
static bool take_movie(fh_demux *d, const fh_visit *at, const fh_cursor *data,
                       const fh_cursor *ahead)
{
    const fh_sector *sector = &at->sector;
    fh_movie_chunk chunk;
    if (!fh_movie_read(&chunk, data) ||
        (!fh_movies_expects(&d->movies, sector, d->index, &chunk) &&
         !fh_movie_succeeds(&chunk, sector, ahead, d->layout->stride))) {
        return false;
    }
    const fh_movie movie = {.is_open = true,
                            .file = sector->file,
                            .channel = sector->channel,
                            .index = d->index,
                            .raw_off = fh_visit_raw(&at->bytes),
                            .last = chunk};
    fh_movie_fault faults[2];
    fh_movies_add(&d->movies, faults, &movie);
    fh_judge_movie(d, &faults[0]);
    fh_judge_movie(d, &faults[1]);
    return true;
}

static bool is_empty(const fh_cursor *data)
{
    return data->size > 0 && memcmp(data->base, data->base + 1, data->size - 1) == 0;
}

fh_sector_claim fh_claim_sector(fh_demux *d, const fh_visit *at, const fh_cursor *ahead)
{
    static const fh_sector_claim others[FH_SECTOR_NUM_KINDS] = {
        [FH_SECTOR_NO_SYNC] = FH_CLAIM_LOST,
        [FH_SECTOR_BAD_MODE] = FH_CLAIM_OUTSIDE,
        [FH_SECTOR_MODE0] = FH_CLAIM_MODE0,
    };
    const fh_sector *sector = &at->sector;
    if (others[sector->kind] != FH_CLAIM_DATA) {
        return others[sector->kind];
    }
    if (fh_sector_is_audio(sector)) {
        return FH_CLAIM_XA_AUDIO;
    }
    const fh_cursor data = fh_cursor_sub(&at->bytes, sector->data_off, sector->data_len);
    if (take_movie(d, at, &data, ahead)) {
        return FH_CLAIM_MOVIE;
    }
    if (at->is_repeated) {
        return FH_CLAIM_REPEATED;
    }
    if (sector->kind == FH_SECTOR_FORM2) {
        return FH_CLAIM_FORM2;
    }
    return is_empty(&data) ? FH_CLAIM_EMPTY : FH_CLAIM_DATA;
}
