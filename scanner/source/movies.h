/* Movies: which sectors hold the chunks of a streamed movie (STR).
 *
 * A movie is declared data on its disc, so only its own header tells it (image format sheet,
 * section 2.1, from psx-spx): 0 u16 0x0160, 2 u16 0x8001, 4 u16 chunk number in the frame from 0,
 * 6 u16 chunks of the frame, 8 u32 frame number from 1, 12 u32 bytes of the frame, 16 u16 width,
 * 18 u16 height; 2016 bytes of the frame follow from 32 on. The same type has been used for other
 * things, such as polygons: a chunk must have a picture's size and no more bytes than its chunks
 * hold, and a single one without a neighbour in its channel is no movie.
 *
 * Pure: the state is the last chunk of each channel.
 */
#ifndef FH_SOURCE_MOVIES_H
#define FH_SOURCE_MOVIES_H

#include "source/limits.h"
#include "source/sectors.h"

typedef struct fh_movie_chunk {
    uint32_t frame;
    uint16_t chunk;
    uint16_t num_chunks; /* above chunk */
} fh_movie_chunk;

/* The last chunk of a channel. */
typedef struct fh_movie {
    bool is_open;
    uint8_t file;
    uint8_t channel;
    int64_t index; /* of the sector */
    int64_t raw_off;
    fh_movie_chunk last;
} fh_movie;

typedef struct fh_movies {
    fh_movie slots[FH_MOVIE_REACH]; /* by channel; all zero at the start */
} fh_movies;

/* What is wrong with the order of chunks. */
typedef struct fh_movie_fault {
    bool is_fault;
    int64_t raw_off;
    bool is_end; /* found is the last chunk there is, and expected the one that should follow */
    fh_movie_chunk found;
    fh_movie_chunk expected;
} fh_movie_fault;

/* fh_movie_read reads the header of a chunk from the user data of a sector; false if it is none. */
bool fh_movie_read(fh_movie_chunk *out, const fh_cursor *data) FH_MUST_USE;

/* fh_movie_succeeds tells whether one of the next FH_MOVIE_REACH sectors of the same channel holds
 * the chunk behind `chunk`, which is in `sector`. ahead covers the sectors behind it. */
bool fh_movie_succeeds(const fh_movie_chunk *chunk, const fh_sector *sector, const fh_cursor *ahead,
                       uint32_t stride) FH_MUST_USE;

/* fh_movies_expects tells whether the chunk is the one that its channel waits for. */
bool fh_movies_expects(const fh_movies *movies, const fh_sector *sector, int64_t index,
                       const fh_movie_chunk *chunk) FH_MUST_USE;

/* fh_movies_add notes a chunk of a movie. faults: of the movie that its channel had before, if that
 * has broken off, and of this chunk. */
void fh_movies_add(fh_movies *movies, fh_movie_fault faults[2], const fh_movie *at);

/* fh_movies_end tells whether the movie of a slot broke off inside a frame, and forgets it. */
fh_movie_fault fh_movies_end(fh_movies *movies, size_t slot);

#endif
