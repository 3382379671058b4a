/* The inside of the demultiplexer, shared by its files only. */
#ifndef FH_SOURCE_STREAM_IMPL_H
#define FH_SOURCE_STREAM_IMPL_H

#include "source/address.h"
#include "source/movies.h"
#include "source/stream.h"
#include "source/tally.h"
#include "source/tracks.h"

/* Red Book: a track lasts at least four seconds of 75 sectors. Fewer sectors without sync in a row
 * are no audio track, but damage. */
#define FH_MIN_TRACK_SECTORS 300

typedef struct fh_lane {
    int64_t stream_off;
    int64_t last_index; /* sector of the last piece */
    int64_t repeated;   /* copies of sectors left out since */
    bool open;          /* has pieces since its last seam */
} fh_lane;

/* Sectors without sync, or without usable mode, that lie side by side. */
typedef struct fh_lost_run {
    int64_t sectors;
    int64_t raw_off;
} fh_lost_run;

/* What was seen of the part that a control file gives the sectors to. */
typedef struct fh_part_state {
    int64_t sectors;
    int64_t with_sync;
    bool is_judged; /* its LBA was compared with a header */
} fh_part_state;

typedef struct fh_demux {
    const fh_stream_sink *sink;
    const fh_layout *layout;
    int64_t raw_off; /* of the next byte that was not handed out */
    int64_t index;   /* of the next sector */
    fh_lane lanes[FH_STREAM_NUM];
    fh_sector_habit habit;
    fh_sector_kind track; /* of the last sector with a mode: FORM1 stands for FORM2 as well */
    int last_mode;        /* of the last sector, -1 if it had none */
    fh_lost_run lost;
    fh_address address;
    int64_t num_repeats; /* of the next sectors, so many are the same as this one */
    fh_movies movies;
    fh_channels channels;
    int64_t main_off; /* of the sector on its way, see fh_piece */
    fh_tallies tallies;
    fh_source_counts counts;
    fh_track_part *parts; /* owned; NULL where no control file says anything */
    size_t num_parts;
    size_t num_begun; /* the last one of them is where the next byte lies; 0: in front of all */
    uint32_t stated;  /* sector size of the first data track, as the control file has it */
    fh_part_state part;
    fh_cursor rest; /* sectors that wait for those behind them; borrowed from the reader */
} fh_demux;

/* One sector on its way, with all that was found out about it. */
typedef struct fh_visit {
    fh_cursor bytes;
    fh_sector sector;
    fh_sector_claim claim;
    int64_t lba;
    int64_t damaged_lba; /* see fh_piece */
    bool is_repeated;    /* the same as the sector before */
    bool is_other_track;
} fh_visit;

static inline int64_t fh_visit_raw(const fh_cursor *bytes)
{
    return (int64_t)bytes->origin;
}

/* stream_judge.c: what is wrong with the source goes into the tallies. */

/* fh_demux_add counts a sector for a rule; expected is for the first one. */
void fh_demux_add(fh_demux *d, fh_image_rule rule, int64_t raw_off, const char *field,
                  const char *unit, const char *expected);

void fh_judge_layout(fh_demux *d);
void fh_judge_address(fh_demux *d, const fh_visit *at, const fh_address_step *step);
void fh_judge_sector(fh_demux *d, const fh_visit *at);
void fh_judge_rest(fh_demux *d, const fh_cursor *rest);
void fh_judge_movie(fh_demux *d, const fh_movie_fault *fault);

/* fh_judge_lost_end: a run of sectors without sync is over. */
void fh_judge_lost_end(fh_demux *d);

/* stream_tracks.c: the tracks that a control file states. */

/* fh_parts_take makes them those of the source; false: no memory. */
bool fh_parts_take(fh_demux *d, const fh_tracks *tracks) FH_MUST_USE;

/* fh_part_of returns the part in which the next byte lies, NULL if there is none; fh_part_end where
 * the next one begins. */
const fh_track_part *fh_part_of(const fh_demux *d);
int64_t fh_part_end(const fh_demux *d);

/* part may be NULL. Foreign: its sectors have another size than those of the image, or do not lie
 * in step with them. */
bool fh_part_is_audio(const fh_track_part *part);
bool fh_part_is_foreign(const fh_demux *d, const fh_track_part *part);

/* fh_part_lba returns the LBA of the sector at raw_off as the control file has it, or FH_UNKNOWN.
 */
int64_t fh_part_lba(const fh_demux *d, int64_t raw_off);

void fh_part_judge_begin(fh_demux *d);
void fh_part_judge_sector(fh_demux *d, const fh_visit *at);
void fh_part_judge_end(fh_demux *d);

/* fh_part_judge_rest tells of parts that begin where the source has ended. */
void fh_part_judge_rest(fh_demux *d);

/* claims.c */

/* fh_claim_sector says who claims the sector; ahead covers what is there of those behind it. */
fh_sector_claim fh_claim_sector(fh_demux *d, const fh_visit *at, const fh_cursor *ahead);

/* fh_claim_repeats returns how many of the sectors ahead are copies of this one: the same bytes,
 * inside a run of addresses that goes on behind them. */
int64_t fh_claim_repeats(const fh_demux *d, const fh_visit *at, const fh_cursor *ahead);

#endif
