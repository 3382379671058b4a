#include "source/movies.h"

#include <assert.h>
#include <string.h>

/* Pictures of the machine are made of blocks of 16 pixels, in a frame buffer of 1024 by 512. */
#define MAX_WIDTH 1024u
#define MAX_HEIGHT 512u
#define CHUNK_LEN 2016u
#define MAGIC 0x80010160u

enum { HEADER_LEN = 20 };

bool fh_movie_read(fh_movie_chunk *out, const fh_cursor *data)
{
    fh_cursor cur = fh_cursor_sub(data, 0, HEADER_LEN);
    if (fh_cursor_u32(&cur) != MAGIC) {
        return false; /* or it is too short */
    }
    fh_movie_chunk chunk = {0};
    chunk.chunk = fh_cursor_u16(&cur);
    chunk.num_chunks = fh_cursor_u16(&cur);
    chunk.frame = fh_cursor_u32(&cur);
    const uint32_t len = fh_cursor_u32(&cur);
    const uint16_t width = fh_cursor_u16(&cur);
    const uint16_t height = fh_cursor_u16(&cur);
    const bool is_picture = width > 0 && width <= MAX_WIDTH && height > 0 && height <= MAX_HEIGHT;
    const bool fits = len > 0 && len <= CHUNK_LEN * chunk.num_chunks;
    if (chunk.chunk >= chunk.num_chunks || !is_picture || !fits) {
        return false;
    }
    *out = chunk;
    return true;
}

static bool is_last(const fh_movie_chunk *chunk)
{
    return chunk->chunk + 1 == chunk->num_chunks;
}

/* How many chunks the next frame has, it says itself: 0 stands for any number. */
static fh_movie_chunk next_of(const fh_movie_chunk *chunk)
{
    if (is_last(chunk)) {
        return (fh_movie_chunk){.frame = chunk->frame + 1}; /* may wrap: nothing follows then */
    }
    return (fh_movie_chunk){chunk->frame, (uint16_t)(chunk->chunk + 1), chunk->num_chunks};
}

static bool follows(const fh_movie_chunk *chunk, const fh_movie_chunk *before)
{
    const fh_movie_chunk next = next_of(before);
    return chunk->frame == next.frame && chunk->chunk == next.chunk &&
           (next.num_chunks == 0 || chunk->num_chunks == next.num_chunks);
}

/* Tells whether a sector has the file, the channel and the form of another one. Its copies of the
 * subheader are not compared: the chunk inside has to fit besides. */
static bool is_same_channel(const fh_cursor *bytes, const fh_sector *sector, uint32_t stride)
{
    if (stride == FH_STRIDE_2048 || sector->kind == FH_SECTOR_MODE1) {
        return true;
    }
    fh_cursor cur = *bytes;
    const size_t off = stride == FH_STRIDE_2336 ? 0 : FH_SUBHEADER_OFF;
    return fh_cursor_seek(&cur, off) && fh_cursor_u8(&cur) == sector->file &&
           fh_cursor_u8(&cur) == sector->channel &&
           ((fh_cursor_u8(&cur) ^ sector->submode) & FH_SUBMODE_FORM2) == 0 && !cur.failed;
}

bool fh_movie_succeeds(const fh_movie_chunk *chunk, const fh_sector *sector, const fh_cursor *ahead,
                       uint32_t stride)
{
    for (size_t i = 0; i < FH_MOVIE_REACH && ahead->size / stride > i; i++) {
        const fh_cursor bytes = fh_cursor_sub(ahead, i * stride, stride);
        const fh_cursor data = fh_cursor_sub(&bytes, sector->data_off, sector->data_len);
        fh_movie_chunk other;
        if (fh_movie_read(&other, &data) && is_same_channel(&bytes, sector, stride) &&
            (!sector->has_header || fh_sector_has_sync(&bytes, 0)) && follows(&other, chunk)) {
            return true;
        }
    }
    return false;
}

static fh_movie *slot_of(fh_movies *movies, uint8_t channel)
{
    return &movies->slots[channel % FH_MOVIE_REACH];
}

static bool is_near(const fh_movie *movie, uint8_t file, uint8_t channel, int64_t index)
{
    return movie->is_open && movie->file == file && movie->channel == channel &&
           index - movie->index <= (int64_t)FH_MOVIE_REACH;
}

bool fh_movies_expects(const fh_movies *movies, const fh_sector *sector, int64_t index,
                       const fh_movie_chunk *chunk)
{
    const fh_movie *movie = &movies->slots[sector->channel % FH_MOVIE_REACH];
    return is_near(movie, sector->file, sector->channel, index) && follows(chunk, &movie->last);
}

/* A movie may begin behind the last chunk of another one's frame. */
static bool begins(const fh_movie_chunk *chunk)
{
    return chunk->chunk == 0 && chunk->frame <= 1;
}

void fh_movies_add(fh_movies *movies, fh_movie_fault faults[2], const fh_movie *at)
{
    fh_movie *slot = slot_of(movies, at->channel);
    const bool is_on = is_near(slot, at->file, at->channel, at->index);
    faults[0] = (fh_movie_fault){0};
    faults[1] = (fh_movie_fault){.raw_off = at->raw_off, .found = at->last};
    if (!is_on) {
        faults[0] = fh_movies_end(movies, at->channel % FH_MOVIE_REACH);
        faults[1].is_fault = at->last.chunk != 0;
        faults[1].expected = (fh_movie_chunk){at->last.frame, 0, at->last.num_chunks};
    } else if (!follows(&at->last, &slot->last)) {
        faults[1].is_fault = !is_last(&slot->last) || !begins(&at->last);
        faults[1].expected = next_of(&slot->last);
    }
    *slot = *at;
}

fh_movie_fault fh_movies_end(fh_movies *movies, size_t slot)
{
    assert(slot < FH_MOVIE_REACH);
    fh_movie *movie = &movies->slots[slot];
    const fh_movie_fault fault = {.is_fault = movie->is_open && !is_last(&movie->last),
                                  .raw_off = movie->raw_off,
                                  .is_end = true,
                                  .found = movie->last,
                                  .expected = next_of(&movie->last)};
    movie->is_open = false;
    return fault;
}
